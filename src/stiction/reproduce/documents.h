// The documents, each in files of its name.
#pragma once

#include "stiction/reproduce/reproduce.h"

namespace stiction::reproduce {

Document servin();
Document cline_pai();
Document stewart_trinkle();
Document chakraborty();
Document morgan();

}  // namespace stiction::reproduce
