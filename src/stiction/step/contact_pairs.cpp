// Contacts summed up per pair of bodies. They are sorted by key, so those of a pair follow each other.
#include "stiction/step/contact_result.h"

namespace stiction {
namespace {

/// The sum over the contacts of one pair; some of them press.
ContactPair sum_of(std::span<const Contact> contacts, std::span<const Vec3> spin) {
  ContactPair out;
  out.a = contacts.front().a, out.b = contacts.front().b;
  const Vec3 turning = spin[std::size_t(out.b.index)] - spin[std::size_t(out.a.index)];
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

std::vector<ContactPair> sum_of_pairs(std::span<const Contact> contacts, std::span<const Vec3> spin) {
  std::vector<ContactPair> out;
  for (std::size_t first = 0, end = 0; first < contacts.size(); first = end) {
    const Contact& one = contacts[first];
    double pressing = 0;
    for (end = first; end < contacts.size() && contacts[end].a == one.a && contacts[end].b == one.b; ++end)
      pressing += dot(contacts[end].force, contacts[end].normal);
    if (pressing > 0) out.push_back(sum_of(contacts.subspan(first, end - first), spin));
  }
  return out;
}

}  // namespace stiction
