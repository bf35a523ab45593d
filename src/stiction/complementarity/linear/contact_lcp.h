// Frictional contact with polyhedral cones as an LCP (Stewart and Trinkle), from plain arrays.
//
//   v = v_free + W (sum_j n_j c_j + D_j beta_j)            impulses c_j (normal), beta_j (k per contact)
//   0 <= c_j       _|_  n_j'v + b_j               >= 0
//   0 <= beta_j    _|_  lambda_j e + D_j'v        >= 0     e = (1, ..., 1)
//   0 <= lambda_j  _|_  mu_j c_j - e'beta_j       >= 0
//
// W is the inverse mass matrix. The columns of D_j come in opposite pairs and span the tangent directions;
// lambda_j is the slip speed. As an LCP, z = (c, beta, lambda), N = [n_j], D = [D_j], E = blockdiag(e):
//
//   M = [N'WN N'WD 0; D'WN D'WD E; diag(mu) -E' 0],   q = (N'v_free + b, D'v_free, 0)
//
// of size contacts times k + 2. M is copositive; with b = 0 (Anitescu and Potra) a solution exists always and
// Lemke's method finds one; with b != 0 where the normals are independent of each other and of D (Stewart and
// Trinkle 1996). Impulses are not unique where the columns of [N D] depend on each other.
// Reference: Stewart, Trinkle (2000), ICRA; Anitescu, Potra (1997), Nonlinear Dynamics 14.
#pragma once

#include <utility>

#include "stiction/complementarity/linear/problems.h"

namespace stiction::complementarity {

struct PolyhedralContacts {
  int coordinates = 0;               // length of v
  int contacts = 0, directions = 0;  // k, the same for all contacts; even
  std::vector<double> inverse_mass;  // coordinates x coordinates, symmetric positive definite
  std::vector<double> normals;       // contacts x coordinates: n_j
  std::vector<double> tangents;      // contacts x directions x coordinates: columns of D_j
  std::vector<double> friction;      // contacts: mu_j >= 0
  std::vector<double> v_free;        // coordinates
  std::vector<double> bias;          // contacts: b_j
};

std::vector<std::string> validate(const PolyhedralContacts& p);

/// The LCP above. The problem must be valid.
Lcp stewart_trinkle_lcp(const PolyhedralContacts& p);
/// v for a solution z of that LCP.
std::vector<double> velocity_after(const PolyhedralContacts& p, const std::vector<double>& z);

/// (cos, sin) of k directions spread evenly over the circle; direction e + k/2 is exactly opposite to e. k
/// even.
std::vector<std::pair<double, double>> direction_fan(int k);

}  // namespace stiction::complementarity
