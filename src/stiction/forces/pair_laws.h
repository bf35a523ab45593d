// Forces between two bodies that depend on their distance alone. With d = x_j - x_i, r = |d|:
//     force on i = c(r) d,  on j the opposite,      c = U'(r)/r
//     gravitation     U = -G m_i m_j / r,                         c = G m_i m_j / r^3
//     Lennard-Jones   U = 4 e ((s/r)^12 - (s/r)^6) - U_cut,       c = 24 e ((s/r)^6 - 2 (s/r)^12) / r^2
// Symbols: G [m^3/(kg s^2)], e depth [J], s diameter [m], U_cut the potential at the cut-off [J], so that U
// is continuous there; the force is not. c' below is dc/d(r^2), for the linearisation: the derivative of
// c d by d is c 1 + 2 c' d d^T.
// Reference: M. Servin, Notes on Discrete Mechanics (2015), (3.4) and (3.5), read as the force on i from j;
// J. E. Jones, Proc. R. Soc. A 106 (1924) 463. When they fail: at r = 0 both are infinite, and a step that
// needs them there is refused.
#pragma once

#include <cmath>

#include "stiction/model/model.h"

namespace stiction::forces {

class GravitationLaw {
 public:
  GravitationLaw(const ModelGravitation& g, const Model& m) : constant_(g.constant), mass_(m.mass) {}
  double pull(int i, int j, double r2) const { return product(i, j) / (r2 * std::sqrt(r2)); }
  double slope(int i, int j, double r2) const { return -1.5 * product(i, j) / (r2 * r2 * std::sqrt(r2)); }
  double potential(int i, int j, double r2) const { return -product(i, j) / std::sqrt(r2); }

 private:
  double product(int i, int j) const { return constant_ * mass_[std::size_t(i)] * mass_[std::size_t(j)]; }
  double constant_;
  const std::vector<double>& mass_;
};

class LennardJonesLaw {
 public:
  explicit LennardJonesLaw(const ModelLennardJones& l)
      : depth_(l.depth), diameter2_(l.diameter * l.diameter) {
    if (l.cutoff > 0) at_cutoff_ = bare(l.cutoff * l.cutoff);
  }
  double pull(int, int, double r2) const {
    const double s6 = sixth(r2);
    return 24 * depth_ * (s6 - 2 * s6 * s6) / r2;
  }
  double slope(int, int, double r2) const {
    const double s6 = sixth(r2);
    return 24 * depth_ * (14 * s6 * s6 - 4 * s6) / (r2 * r2);
  }
  double potential(int, int, double r2) const { return bare(r2) - at_cutoff_; }

 private:
  double sixth(double r2) const {
    const double s2 = diameter2_ / r2;
    return s2 * s2 * s2;
  }
  double bare(double r2) const {
    const double s6 = sixth(r2);
    return 4 * depth_ * (s6 * s6 - s6);
  }
  double depth_, diameter2_, at_cutoff_ = 0;
};

}  // namespace stiction::forces
