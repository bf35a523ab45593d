// Counts calls of operator new in this program.
#pragma once

namespace stiction::test {
long allocation_count();
}
