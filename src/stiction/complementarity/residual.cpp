#include "stiction/complementarity/residual.h"

#include <cmath>
#include <limits>
#include <vector>

#include "stiction/complementarity/friction/detail/cone_kernels.h"

namespace stiction::complementarity {

void project_on_cone(double mu, const double x[3], double out[3]) {
  const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
  if (x[0] >= 0 && t <= mu * x[0]) {  // inside
    out[0] = x[0], out[1] = x[1], out[2] = x[2];
  } else if (mu * t <= -x[0]) {  // inside the polar cone
    out[0] = out[1] = out[2] = 0;
  } else {  // onto the surface; t > 0 here
    const double n = (x[0] + mu * t) / (1 + mu * mu);
    out[0] = n, out[1] = mu * n * x[1] / t, out[2] = mu * n * x[2] / t;
  }
}

namespace {
/// [-] of u_n + give r_n that is in the motion of the blocks, w being their inverse mass.
double share_of(const ContactRows& c, double w) { return w / (w + c.give); }
}  // namespace

void natural_map_error(const ContactRows& c, double w, const double r[3], const double u[3],
                       double error[3]) {
  if (c.kind == RowKind::equality) {
    error[0] = u[0] / w, error[1] = r[1], error[2] = r[2];
    return;
  }
  if (c.kind == RowKind::box) {
    const double x = r[0] - u[0] / w;
    error[0] = x > c.low && x < c.high ? u[0] / w : r[0] - std::fmin(std::fmax(x, c.low), c.high);
    error[1] = r[1], error[2] = r[2];
    return;
  }
  const bool open = r[0] == 0 && r[1] == 0 && r[2] == 0 && u[0] >= 0;
  if (open) {  // solved; the sums below could not tell a small u_n beside a large slip from none
    error[0] = error[1] = error[2] = 0;
    return;
  }
  const double mu = c.mu, n = c.give > 0 ? share_of(c, w) * u[0] : u[0];
  const double slip = std::sqrt(u[1] * u[1] + u[2] * u[2]);
  const double x[3] = {r[0] - (n + mu * slip) / w, r[1] - u[1] / w, r[2] - u[2] / w};
  double projected[3];
  project_on_cone(mu, x, projected);
  for (int k = 0; k < 3; ++k) error[k] = r[k] - projected[k];
}

void natural_map_error(double mu, const ContactRows& turning, double w, const double r[6], const double u[6],
                       double error[6]) {
  using Cone = friction::Cone<3, 2>;
  const double limits[2] = {mu, turning.rolling};
  bool open = u[0] >= 0;
  for (int k = 0; k < 6; ++k) open = open && r[k] == 0;
  if (open) {  // as above
    for (int k = 0; k < 6; ++k) error[k] = 0;
    return;
  }
  friction::natural_map<Cone>(limits, 1 / w, r, u, error);
}

namespace {
double ratio(double a, double b) {
  if (a == 0) return 0.0;
  return b > 0 ? std::sqrt(a) / std::sqrt(b) : std::numeric_limits<double>::infinity();
}

double square(const double* x, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += x[k] * x[k];
  return sum;
}

/// Of a contact and the turning block behind it, squared; `u`: of both.
double pair_error(const FrictionProblem& p, int i, double w, const double* r, const double u[6]) {
  const ContactRows& c = p.contacts[std::size_t(i)];
  double e[6], scaled[6] = {u[0], u[1], u[2], u[3], u[4], u[5]};
  if (c.give > 0) scaled[0] *= share_of(c, w);
  natural_map_error(c.mu, p.contacts[std::size_t(i) + 1], w, r + 3 * i, scaled, e);
  return square(e, 6);
}

/// u of contact i, as its law has it, and of the turning block behind it.
void pair_velocity(const FrictionProblem& p, int i, const double* v, const double r[3], double u[6]) {
  law_velocity(p, p.contacts[std::size_t(i)], v, r, u);
  local_velocity(p, p.contacts[std::size_t(i) + 1], v, u + 3);
}
}  // namespace

Residual residual(const FrictionProblem& p, const Island& island, const double* r, double* v) {
  velocities_from(p, island, r, v);
  constexpr double none[3] = {0, 0, 0};
  double scaled = 0, plain = 0, r2 = 0, b2 = 0;
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    if (turns(p, island, i)) {
      double u[6], free[6];
      pair_velocity(p, i, v, r + 3 * i, u), pair_velocity(p, i, p.v_free.data(), none, free);
      free[0] = std::fmin(free[0], 0.0);
      scaled += pair_error(p, i, mean_diagonal(p, c), r, u), plain += pair_error(p, i, 1.0, r, u);
      r2 += square(r + 3 * i, 6), b2 += square(free, 6);
      ++i;
      continue;
    }
    double u[3], free[3], e[3];
    law_velocity(p, c, v, r + 3 * i, u);
    local_velocity(p, c, p.v_free.data(), free);
    free[0] = std::fmin(free[0], 0.0);
    natural_map_error(c, mean_diagonal(p, c), r + 3 * i, u, e);
    scaled += e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    natural_map_error(c, 1.0, r + 3 * i, u, e);
    plain += e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    for (int k = 0; k < 3; ++k) r2 += r[3 * i + k] * r[3 * i + k], b2 += free[k] * free[k];
  }
  return {ratio(plain, b2), ratio(scaled, r2)};
}

double scaled_residual(const FrictionProblem& p, const Island& island, const double* r,
                       const double* inverse_mass, double* v) {
  velocities_from(p, island, r, v);
  double error = 0, r2 = 0;
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    if (turns(p, island, i)) {
      double u[6];
      pair_velocity(p, i, v, r + 3 * i, u);
      error += pair_error(p, i, inverse_mass[i - island.contact_begin], r, u);
      r2 += square(r + 3 * i, 6);
      ++i;
      continue;
    }
    double u[3], e[3];
    law_velocity(p, c, v, r + 3 * i, u);
    natural_map_error(c, inverse_mass[i - island.contact_begin], r + 3 * i, u, e);
    error += e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
    for (int k = 0; k < 3; ++k) r2 += r[3 * i + k] * r[3 * i + k];
  }
  return ratio(error, r2);
}

namespace {

double side_diagonal(const FrictionProblem& p, const ContactRows& c, int side) {
  if (c.block[side] < 0) return 0;
  double sum = 0;
  if (c.wide[side] >= 0) {
    const WideRows& w = p.wide_rows[std::size_t(c.wide[side])];
    for (std::size_t k = w.at; k < w.at + std::size_t(3 * w.size); ++k) sum += p.wide_G[k] * p.wide_Y[k];
    return sum / 3;
  }
  const double* inverse = p.A_inverse.data() + std::size_t(c.block[side]) * width * width;
  for (int row = 0; row < 3; ++row) {
    const double* g = c.G[side] + row * width;
    for (int a = 0; a < width; ++a)
      for (int b = 0; b < width; ++b) sum += g[a] * inverse[a * width + b] * g[b];
  }
  return sum / 3;
}

constexpr double squeezed = 1e3;                        // [-] of its unit: what such a side bears
constexpr double round_off = 8.0 / 9007199254740992.0;  // [-] 8 2^-53: of some impulses on both sides

}  // namespace

bool side_shares(const FrictionProblem& p, const Island& island, std::vector<double>& out) {
  out.assign(2 * std::size_t(island.contact_end - island.contact_begin), 0.0);
  bool any = false;
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    for (int side = 0; side < 2; ++side)
      if (c.unit[side] > 0)
        out[std::size_t(2 * (i - island.contact_begin) + side)] = side_diagonal(p, c, side), any = true;
  }
  return any;
}

double side_error(const FrictionProblem& p, const Island& island, const double* r, const double* inverse_mass,
                  const std::vector<double>& shares, double noticed, const double* v) {
  double worst = 0;
  for (int i = island.contact_begin; i < island.contact_end; ++i) {
    const ContactRows& c = p.contacts[std::size_t(i)];
    if (!(c.unit[0] > 0) && !(c.unit[1] > 0)) continue;
    const auto local = std::size_t(i - island.contact_begin);
    const double w = inverse_mass[local];
    double error = 0;
    if (turns(p, island, i)) {
      double u[6];
      pair_velocity(p, i, v, r + 3 * i, u);
      error = std::sqrt(pair_error(p, i, w, r, u));
    } else {
      double u[3], e[3];
      law_velocity(p, c, v, r + 3 * i, u);
      natural_map_error(c, w, r + 3 * i, u, e);
      error = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    }
    const double impulse = std::sqrt(square(r + 3 * i, 3));
    for (std::size_t side = 0; side < 2; ++side) {
      const double unit = c.unit[side], share = shares[2 * local + side];
      if (!(unit > 0)) continue;
      const double off = share * std::fmax(0.0, error - round_off * impulse);
      const double over = share * impulse > squeezed * unit
                              ? off / unit
                              : std::fmax(off / (unit + share * impulse), noticed * off / unit);
      if (!(over <= worst)) worst = over;
    }
  }
  return worst;
}

}  // namespace stiction::complementarity
