// The equations of closest points on given faces, their Jacobian, and their change with the bodies' motion.
#pragma once

#include "stiction/collision/convex/detail/side.h"

namespace stiction::collision::detail {

inline constexpr int most_unknowns = 16;  // a, b, n, d, and at most three multipliers for each body

struct Kkt {
  Vec3 a, b;     // [size] points of the cores, from the origin of body a
  Vec3 n;        // [-]
  double d = 0;  // [size] n.(b - a)
  double multiplier_a[3] = {0, 0, 0}, multiplier_b[3] = {0, 0, 0};
};

class KktSystem {
 public:
  KktSystem(const Side& a, const ActiveFaces& faces_a, const Side& b, const ActiveFaces& faces_b, double size)
      : side_a_(a), side_b_(b), faces_a_(faces_a), faces_b_(faces_b), size_(size) {}
  int unknowns() const { return 10 + faces_a_.count + faces_b_.count; }
  /// Least-squares multipliers for the normal and points of z.
  void set_multipliers(Kkt& z) const;
  /// Residual at z, and its Jacobian.
  void evaluate(const Kkt& z, double (&r)[most_unknowns], double (&J)[most_unknowns][most_unknowns]) const;
  /// Subtracts a step.
  void subtract(const double (&step)[most_unknowns], Kkt& z) const;
  /// The partial rate of the residual at z when the bodies move.
  void moved(const Kkt& z, const BodyRate& rate_a, const BodyRate& rate_b, double (&r)[most_unknowns]) const;

 private:
  Implicit scaled_face(const Side& s, int index, const Vec3& x) const;
  const Side &side_a_, &side_b_;
  ActiveFaces faces_a_, faces_b_;
  double size_;
};

}  // namespace stiction::collision::detail
