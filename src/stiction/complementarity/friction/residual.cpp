#include "stiction/complementarity/friction/residual.h"

#include <cmath>
#include <limits>

namespace stiction::complementarity {
namespace {

/// One contact in round rows.
struct Contact {
  int rows = 0, split = 0;  // the first disc has rows [1, split), the second [split, rows)
  double mu[2] = {0, 0};
  double scale[6] = {1, 1, 1, 1, 1, 1};  // E
};

Contact contact_of(const FrictionLaws& laws, std::size_t i) {
  Contact c;
  c.rows = c.split = laws.rows;
  c.mu[0] = laws.mu[i];
  if (laws.law == FrictionLaw::discs) {
    c.split = laws.rows < 3 ? laws.rows : 3;
    c.mu[1] = laws.mu_rolling[i];
  } else if (!laws.weights.empty()) {
    for (int k = 1; k < c.rows; ++k)
      c.scale[k] = laws.weights[i * std::size_t(laws.rows - 1) + std::size_t(k - 1)];
  }
  return c;
}

double norm_of(const double* x, int begin, int end) {
  double sum = 0;
  for (int k = begin; k < end; ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

/// Square of the distance from x to the point of K at height n that is nearest; that point in y.
double nearest_at(const Contact& c, const double* x, double n, double* y) {
  y[0] = n;
  for (int disc = 0; disc < 2; ++disc) {
    const int begin = disc == 0 ? 1 : c.split, end = disc == 0 ? c.split : c.rows;
    const double t = norm_of(x, begin, end), limit = c.mu[disc] * n;
    for (int k = begin; k < end; ++k) y[k] = t > limit ? limit * (x[k] / t) : x[k];
  }
  double sum = 0;
  for (int k = 0; k < c.rows; ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  return sum;
}

/// Every set of discs that cut gives a height; the projection is at one of them.
void nearest_point(const Contact& c, const double* x, double* out) {
  const double t[2] = {norm_of(x, 1, c.split), norm_of(x, c.split, c.rows)};
  double best = nearest_at(c, x, 0, out);
  for (int set = 0; set < (c.split < c.rows ? 4 : 2); ++set) {
    double numerator = x[0], denominator = 1, y[6] = {};
    for (int disc = 0; disc < 2; ++disc)
      if (set & (1 << disc)) numerator += c.mu[disc] * t[disc], denominator += c.mu[disc] * c.mu[disc];
    const double n = numerator / denominator;
    if (!(n > 0)) continue;
    const double distance = nearest_at(c, x, n, y);
    if (!(distance < best)) continue;
    best = distance;
    for (int k = 0; k < c.rows; ++k) out[k] = y[k];
  }
}

double error2(const Contact& c, double rho, const double* r, const double* u) {
  const double shift = c.mu[0] * norm_of(u, 1, c.split) + c.mu[1] * norm_of(u, c.split, c.rows);
  double x[6] = {}, y[6] = {}, sum = 0;
  for (int k = 0; k < c.rows; ++k) x[k] = r[k] - rho * (u[k] + (k == 0 ? shift : 0.0));
  nearest_point(c, x, y);
  for (int k = 0; k < c.rows; ++k) sum += (r[k] - y[k]) * (r[k] - y[k]);
  return sum;
}

double ratio(double numerator, double denominator) {
  if (numerator == 0) return 0;
  return denominator > 0 ? std::sqrt(numerator) / std::sqrt(denominator)
                         : std::numeric_limits<double>::infinity();
}

/// Sums over contacts; u, b and the diagonal of W in the rows of the problem.
struct Sums {
  double plain = 0, scaled = 0, b2 = 0, r2 = 0;

  void add(const Contact& c, const double* r, const double* u, const double* b, const double* diagonal) {
    double mine[6] = {}, round[6] = {}, trace = 0;
    for (int k = 0; k < c.rows; ++k) {
      round[k] = c.scale[k] * u[k], mine[k] = r[k] / c.scale[k];
      trace += c.scale[k] * c.scale[k] * diagonal[k];
      r2 += mine[k] * mine[k];
      b2 += c.scale[k] * b[k] * (c.scale[k] * b[k]);
    }
    plain += error2(c, 1.0, mine, round);
    scaled += error2(c, c.rows / trace, mine, round);
  }
  FrictionResidual result() const { return {ratio(plain, b2), ratio(scaled, r2)}; }
};

/// H^T v + b
std::vector<double> local_velocities_of(const GlobalFriction& p, const std::vector<double>& v) {
  std::vector<double> u = p.b;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (int k = p.H.start[i]; k < p.H.start[i + 1]; ++k)
      u[std::size_t(p.H.column[std::size_t(k)])] += p.H.value[std::size_t(k)] * v[i];
  return u;
}

}  // namespace

FrictionResidual friction_residual(const LocalFriction& p, const std::vector<double>& r) {
  const int d = p.laws.rows;
  Sums sums;
  for (std::size_t i = 0; i < p.laws.mu.size(); ++i) {
    const std::size_t first = i * std::size_t(d);
    double u[6] = {}, diagonal[6] = {};
    for (int k = 0; k < d; ++k) {
      const std::size_t row = first + std::size_t(k);
      double sum = p.b[row];
      for (int e = p.W.start[row]; e < p.W.start[row + 1]; ++e) {
        const auto column = std::size_t(p.W.column[std::size_t(e)]);
        sum += p.W.value[std::size_t(e)] * r[column];
        if (column == row) diagonal[k] = p.W.value[std::size_t(e)];
      }
      u[k] = sum;
    }
    sums.add(contact_of(p.laws, i), r.data() + first, u, p.b.data() + first, diagonal);
  }
  return sums.result();
}

FrictionResidual friction_residual(const GlobalFriction& p, MassFactors& factors,
                                   const std::vector<double>& r) {
  const std::vector<double> u = local_velocities_of(p, velocities(p, factors, r));
  const std::vector<double> free =
      local_velocities_of(p, velocities(p, factors, std::vector<double>(r.size(), 0.0)));
  const std::vector<double> diagonal = diagonal_of_w(p, factors);
  Sums sums;
  for (std::size_t i = 0; i < p.laws.mu.size(); ++i) {
    const std::size_t first = i * std::size_t(p.laws.rows);
    sums.add(contact_of(p.laws, i), r.data() + first, u.data() + first, free.data() + first,
             diagonal.data() + first);
  }
  return sums.result();
}

}  // namespace stiction::complementarity
