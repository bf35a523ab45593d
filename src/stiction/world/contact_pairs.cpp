// Contacts summed up per pair of bodies. They are sorted by key, so those of a pair follow each other.
#include "stiction/world/world.h"

namespace stiction {
namespace {

/// The sum over the contacts of one pair; some of them press.
ContactPair sum_of(const World& w, std::span<const Contact> contacts) {
  ContactPair out{.a = contacts.front().a, .b = contacts.front().b};
  const Vec3 turning = w.spin(out.b) - w.spin(out.a);
  double pressing = 0;
  for (const Contact& c : contacts) {
    const double normal = dot(c.force, c.normal);
    pressing += normal;
    out.point += normal * c.point;
    out.force += c.force;
    out.power += dot(c.force, c.slip) + dot(c.moment, turning);
    out.contacts += c.state != ContactState::open;
  }
  out.point = 1 / pressing * out.point;
  for (const Contact& c : contacts) out.torque += cross(c.point - out.point, c.force) + c.moment;
  return out;
}

}  // namespace

std::vector<ContactPair> World::contact_pairs() const {
  std::vector<ContactPair> out;
  const std::span<const Contact> all = contacts();
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    double pressing = 0;
    for (end = first; end < all.size() && all[end].a == all[first].a && all[end].b == all[first].b; ++end)
      pressing += dot(all[end].force, all[end].normal);
    if (pressing > 0) out.push_back(sum_of(*this, all.subspan(first, end - first)));
  }
  return out;
}

}  // namespace stiction
