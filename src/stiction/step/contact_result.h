// A contact as the last step left it: for users, recordings and reports. One that pressed, and whose features
// are gone at the end of the step or were held as they were earlier, has the place and the normal that its
// impulse acted with, and the gap of the contact of its pair that is nearest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stiction/base/ids.h"
#include "stiction/collision/contact.h"

namespace stiction {

struct Contact {
  ContactKey key;
  BodyId a, b;
  Vec3 point;           // [m] world, midway between the two closest points
  Vec3 normal;          // [-] from a to b
  double gap = 0;       // [m] at the end of the step
  Vec3 impulse;         // [N s] on b
  Vec3 force;           // [N] on b, mean over the step = impulse / h
  Vec3 slip;            // [m/s] tangential velocity of surface b against surface a
  double friction = 0;  // [-] coefficient in force, across a grain
  ContactState state = ContactState::open;
  Vec3 moment;  // [N m] on b beside the force: against spin and rolling, mean over the step
};

/// What two bodies do to each other where they touch: the sum over the contacts of the pair that press.
struct ContactPair {
  BodyId a, b;
  int contacts = 0;
  Vec3 point;        // [m] world: the mean of the contacts' points, each with its normal force
  Vec3 force;        // [N] on b, mean over the step
  Vec3 torque;       // [N m] on b about `point`: what the force at that point leaves out
  double power = 0;  // [W] <= 0 without belts: of friction, at the slips of the end of the step
};
/// Per pair of bodies that press on each other, in the order of the contacts, which is that of their keys.
/// `spin` [rad/s] per body.
std::vector<ContactPair> sum_of_pairs(std::span<const Contact> contacts, std::span<const Vec3> spin);

}  // namespace stiction
