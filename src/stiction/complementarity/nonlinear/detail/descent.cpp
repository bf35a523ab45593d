#include "stiction/complementarity/nonlinear/detail/descent.h"

#include <algorithm>
#include <cmath>

namespace stiction::complementarity::detail {
namespace {

constexpr double sufficient = 1e-4;       // share of the promised decrease that must come true
constexpr double singular = 1e-13;        // pivots below this share of their column: H is taken as singular
constexpr int newton_halvings = 12;       // shorter Newton steps than 2^-12 gain less than another direction
constexpr int gradient_halvings = 50;     // down to round-off
constexpr double largest_damping = 1e-2;  // mu far from a solution, where Phi is about 1

}  // namespace

bool Descent::newton_direction(const McpPoint& at) {
  ++report_.factorisations;
  if (!newton_lu_.factor(form_.newton_matrix(), singular)) return false;
  direction_ = at.phi;
  for (double& d : direction_) d = -d;
  newton_lu_.solve(direction_);
  return std::all_of(direction_.begin(), direction_.end(), [](double d) { return std::isfinite(d); });
}

bool Descent::regularised_direction(const McpPoint& at) {
  const SparseColumns& h = form_.newton_matrix();
  const double mu = std::fmin(largest_damping, std::sqrt(2 * at.merit));
  SparseColumns& a = regularised_;
  // Columns of [I H; H^T -mu I]; H by rows first, for the columns of H^T.
  const auto n = std::size_t(h.n);
  std::vector<std::vector<Triplet>> rows(n);
  for (int j = 0; j < h.n; ++j)
    for (auto k = std::size_t(h.start[std::size_t(j)]); k < std::size_t(h.start[std::size_t(j) + 1]); ++k)
      rows[std::size_t(h.row[k])].push_back({h.n + j, h.row[k], h.value[k]});
  a.n = 2 * h.n;
  a.start.assign(1, 0);
  a.row.clear(), a.value.clear();
  for (int j = 0; j < h.n; ++j) {
    a.row.push_back(j), a.value.push_back(1);
    for (const Triplet& t : rows[std::size_t(j)]) a.row.push_back(t.row), a.value.push_back(t.value);
    a.start.push_back(int(a.row.size()));
  }
  for (int j = 0; j < h.n; ++j) {
    for (auto k = std::size_t(h.start[std::size_t(j)]); k < std::size_t(h.start[std::size_t(j) + 1]); ++k)
      a.row.push_back(h.row[k]), a.value.push_back(h.value[k]);
    a.row.push_back(h.n + j), a.value.push_back(-mu);
    a.start.push_back(int(a.row.size()));
  }
  ++report_.factorisations;
  if (!regularised_lu_.factor(a, 0)) return false;
  image_.assign(2 * n, 0);
  for (std::size_t i = 0; i < n; ++i) image_[i] = -at.phi[i];
  regularised_lu_.solve(image_);
  direction_.assign(image_.begin() + h.n, image_.end());
  return std::all_of(direction_.begin(), direction_.end(), [](double d) { return std::isfinite(d); });
}

void Descent::gradient_direction() {
  multiply(form_.newton_matrix(), gradient_, image_);
  double square = 0, curvature = 0;
  for (std::size_t i = 0; i < gradient_.size(); ++i) {
    square += gradient_[i] * gradient_[i];
    curvature += image_[i] * image_[i];
  }
  const double scale = curvature > 0 ? square / curvature : 1;
  direction_.resize(gradient_.size());
  for (std::size_t i = 0; i < gradient_.size(); ++i) direction_[i] = -scale * gradient_[i];
}

bool Descent::search(const McpPoint& at, double reference, int halvings, bool along_gradient, McpPoint& next,
                     bool& full) {
  double t = 1;
  for (int k = 0; k <= halvings; ++k, t *= 0.5) {
    next.x.resize(at.x.size());
    for (std::size_t i = 0; i < at.x.size(); ++i) next.x[i] = at.x[i] + t * direction_[i];
    if (!form_.evaluate(next)) continue;
    double slope = 0;
    for (std::size_t i = 0; i < at.x.size(); ++i) slope += gradient_[i] * (next.x[i] - at.x[i]);
    // The projected path may not point downhill; Newton's step promises 2 t Psi then too.
    double promised = -slope;
    if (!along_gradient && !(promised > 0)) promised = 2 * t * at.merit;
    if (!(promised > 0) || !(next.merit <= reference - sufficient * promised)) continue;
    if (!form_.evaluate_jacobian(next)) continue;
    full = k == 0;
    return true;
  }
  return false;
}

DescentStep Descent::take(const McpPoint& at, double reference, McpPoint& next) {
  form_.linearise(at, gradient_);
  bool full = false;
  if (newton_direction(at) && search(at, reference, newton_halvings, false, next, full))
    return full ? DescentStep::full : DescentStep::shortened;
  if (regularised_direction(at) && search(at, reference, newton_halvings, false, next, full))
    return DescentStep::shortened;
  gradient_direction();
  if (search(at, at.merit, gradient_halvings, true, next, full)) return DescentStep::gradient;
  return DescentStep::none;
}

void MeritMemory::add(double merit) {
  if (values_.size() < size_)
    values_.push_back(merit);
  else
    values_[next_] = merit, next_ = (next_ + 1) % size_;
}

double MeritMemory::largest() const { return *std::max_element(values_.begin(), values_.end()); }

}  // namespace stiction::complementarity::detail
