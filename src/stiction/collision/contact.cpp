#include "stiction/collision/contact.h"

#include <tuple>

namespace stiction {

const char* name(ContactState s) {
  switch (s) {
    case ContactState::open:
      return "open";
    case ContactState::sticking:
      return "sticking";
    case ContactState::sliding:
      return "sliding";
    case ContactState::rolling:
      return "rolling";
  }
  return "unknown";
}

bool comes_before(const ContactPoint& p, const ContactPoint& q) {
  const auto numbers = [](const ContactPoint& c) {
    return std::tie(c.gap, c.normal.x, c.normal.y, c.normal.z, c.point_a.x, c.point_a.y, c.point_a.z,
                    c.point_b.x, c.point_b.y, c.point_b.z);
  };
  return numbers(p) < numbers(q);
}

}  // namespace stiction
