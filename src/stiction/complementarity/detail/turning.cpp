#include "stiction/complementarity/detail/turning.h"

#include "stiction/complementarity/friction/detail/contact_law.h"
#include "stiction/complementarity/friction/detail/local_contact.h"
#include "stiction/complementarity/friction/detail/pivoted_elimination.h"

namespace stiction::complementarity::detail {
namespace {

using Spin = friction::Cone<3, 0>;
using All = friction::Cone<3, 2>;

/// The leading part of a 6 x 6 matrix.
template <int N>
void take_corner(const double from[36], double* out) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) out[i * N + j] = from[i * 6 + j];
}
template <int N>
void put_corner(const double* from, double out[36]) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) out[i * 6 + j] = from[i * N + j];
}

template <class Cone>
void solve_alone(const double mu[2], const double W[36], const double u0[6], double r[6]) {
  constexpr int d = Cone::rows;
  double own[d * d], b[d];
  take_corner<d>(W, own);
  friction::LocalContact<Cone> contact;
  contact.set(own);
  for (int i = 0; i < d; ++i) {
    b[i] = u0[i];
    for (int j = 0; j < d; ++j) b[i] -= contact.W[i * d + j] * r[j];
  }
  contact.solve(b, mu, 0.0, r);
}

}  // namespace

void TurningLaw::project(double x[6]) const {
  const double limits[2] = {mu, rolling};
  friction::project<All>(limits, x, x);
}

void TurningLaw::solve(const double W[36], const double u0[6], double r[6]) const {
  const double limits[2] = {mu, rolling};
  if (!(W[0] > 0)) {
    for (int k = 0; k < 6; ++k) r[k] = 0;
  } else if (rolling > 0) {
    solve_alone<All>(limits, W, u0, r);
  } else {
    solve_alone<Spin>(limits, W, u0, r);
    r[4] = r[5] = 0;
  }
}

void TurningLaw::linearise(double w, const double r[6], const double u[6], double H[6], double H_r[36],
                           double H_u[36]) const {
  const double limits[2] = {mu, rolling};
  if (rolling > 0) return friction::contact_law<All>(limits, w, r, u, H, H_u, H_r);
  constexpr int d = Spin::rows;
  double part_r[d * d], part_u[d * d];
  friction::contact_law<Spin>(limits, w, r, u, H, part_u, part_r);
  for (int k = 0; k < 36; ++k) H_r[k] = H_u[k] = 0;
  put_corner<d>(part_r, H_r), put_corner<d>(part_u, H_u);
  for (int k = d; k < 6; ++k) H[k] = r[k], H_r[7 * k] = 1;
}

void solve_six(double B[36], const double C[36], const double c[6], double X[36], double x[6]) {
  int row[6], column[6];
  double work[6], right[6], answer[6];
  const int rank = friction::eliminate(6, B, row, column, 1e-300);
  friction::back_substitute(6, rank, B, row, column, work, c, x);
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) right[i] = C[i * 6 + j];
    friction::back_substitute(6, rank, B, row, column, work, right, answer);
    for (int i = 0; i < 6; ++i) X[i * 6 + j] = answer[i];
  }
}

}  // namespace stiction::complementarity::detail
