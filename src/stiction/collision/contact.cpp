#include "stiction/collision/contact.h"

namespace stiction {

const char* name(ContactState s) {
  switch (s) {
    case ContactState::open:
      return "open";
    case ContactState::sticking:
      return "sticking";
    case ContactState::sliding:
      return "sliding";
  }
  return "unknown";
}

}  // namespace stiction
