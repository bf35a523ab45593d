// One impact with friction gone through again, up to a normal impulse that is given: by code that no solver
// shares, so that what they say of the way can be checked. W is symmetric positive definite, u.x < 0.
#pragma once

#include "stiction/impact/impact.h"

namespace stiction::impact::detail {

struct March {
  bool done = false;                // false: too many steps
  Vec3 impulse;                     // [N s]
  double stored = 0, released = 0;  // [J]
  double friction = 0;              // [J] work of friction
  double compression = 0;           // [N s] p_n where compression ended last
};

March march(const Mat3& W, const Vec3& u, const Coefficients& c, double normal_impulse);

}  // namespace stiction::impact::detail
