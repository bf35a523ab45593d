// The examples of Cline and Pai's document that have contacts; the chain is in cline_pai.cpp.
#pragma once

namespace stiction::reproduce {

class Outcome;
void cline_pai_contact(Outcome& out);
void cline_pai_heap(Outcome& out);

}  // namespace stiction::reproduce
