// Counts calls of operator new in this program.
#pragma once

namespace stiction::collision::test {
long allocation_count();
}
