// A contact as collision detection finds it: two points, a normal, a gap, and a key that stays the same from
// step to step as long as the same features touch.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "stiction/math/vec3.h"

namespace stiction {

/// Names a contact: body indices (a < b) and the features that touch (shape-pair specific).
struct ContactKey {
  std::int32_t a = -1, b = -1;
  std::uint64_t feature = 0;
  friend auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

enum class ContactState : unsigned char {
  open,      // no impulse
  sticking,  // impulse inside the cone, no slip
  sliding,   // impulse on the cone, slip
  rolling,   // sticking, while the bodies turn against each other across the normal; only in what is read out
};
const char* name(ContactState s);
inline std::string to_text(ContactState s) { return name(s); }

/// One contact point of a pair. The normal points from a to b; gap > 0 when apart, < 0 when overlapping.
struct ContactPoint {
  ContactKey key;
  Vec3 point_a, point_b;  // [m] world: closest points on the two surfaces
  Vec3 normal;            // [-] unit, from a to b
  double gap = 0;         // [m] = normal.(point_b - point_a)
};

/// An order of points by their numbers alone, so that ties of a sort end alike everywhere.
bool comes_before(const ContactPoint& p, const ContactPoint& q);

}  // namespace stiction
