#include "stiction/complementarity/linear/block_pivoting.h"

#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/detail/dense.h"
#include "stiction/complementarity/linear/detail/entry.h"
#include "stiction/complementarity/linear/detail/scaled_problem.h"
#include "stiction/complementarity/linear/detail/unchecked.h"

namespace stiction::complementarity {
namespace {

using detail::BoxedView;
constexpr const char* method = "block_pivoting";
constexpr double infinity = std::numeric_limits<double>::infinity();
enum class Side : unsigned char { lower, upper, inside };

// Symmetric scaling by powers of two, S M S with a diagonal in [1/2, 2).
double diagonal_scale(double diagonal) {
  if (!(diagonal > 0)) return 1;
  int exponent = 0;
  std::frexp(diagonal, &exponent);
  return std::ldexp(1.0, -exponent / 2);
}

class BlockPivoting {
 public:
  LinearReport run(const BoxedView& p, const BlockPivotingSettings& s, std::vector<double>& z);

 private:
  enum class End : unsigned char { solved, singular, limit };
  void load(const BoxedView& p, const std::vector<double>* start);
  End pivot(double shift, int max_solves, LinearReport& report);
  bool solve_inside(double shift, LinearReport& report);
  void slacks(double shift);
  std::size_t exchange(bool all);
  Side wrong_to(std::size_t i) const;
  void unscale(std::vector<double>& z) const;

  const BoxedView* p_ = nullptr;
  BlockPivotingSettings s_;
  std::size_t n_ = 0;
  double factor_ = 1;
  std::vector<double> M_, q_, lower_, upper_, scale_;   // scaled
  std::vector<double> z_, w_, centre_, b_, candidate_;  // centre_: of the proximal term
  std::vector<Side> side_, factored_side_;
  double factored_shift_ = -1;
  std::vector<std::size_t> inside_;
  detail::Cholesky cholesky_;
  double noise_ = 0;
};

void BlockPivoting::load(const BoxedView& p, const std::vector<double>* start) {
  p_ = &p, n_ = p.n;
  M_.resize(n_ * n_), q_.resize(n_), lower_.resize(n_), upper_.resize(n_), scale_.resize(n_);
  double largest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    scale_[i] = diagonal_scale(p.M[i * n_ + i]);
    largest = std::fmax(largest, std::fabs(p.q[i]) * scale_[i]);
  }
  factor_ = diagonal_scale(largest) * diagonal_scale(largest);
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) M_[i * n_ + j] = p.M[i * n_ + j] * scale_[i] * scale_[j];
    q_[i] = p.q[i] * scale_[i] * factor_;
    lower_[i] = (p.lower ? p.lower[i] : 0) / scale_[i] * factor_;
    upper_[i] = (p.upper ? p.upper[i] : infinity) / scale_[i] * factor_;
  }
  z_.assign(n_, 0), w_.assign(n_, 0), centre_.assign(n_, 0);
  side_.assign(n_, Side::lower);
  factored_shift_ = -1;
  if (start)
    for (std::size_t i = 0; i < n_; ++i) z_[i] = (*start)[i] / scale_[i] * factor_;
  else
    for (std::size_t i = 0; i < n_; ++i) z_[i] = std::fmin(std::fmax(0, lower_[i]), upper_[i]);
  // the sets that the start suggests
  for (std::size_t i = 0; i < n_; ++i) {
    const double moved = z_[i] - (q_[i] + detail::dot(n_, M_.data() + i * n_, z_.data()));
    side_[i] = moved <= lower_[i] ? Side::lower : moved >= upper_[i] ? Side::upper : Side::inside;
  }
}

// z inside its bounds, with w = 0 there. False: M_FF + shift is not positive definite.
bool BlockPivoting::solve_inside(double shift, LinearReport& report) {
  inside_.clear();
  for (std::size_t i = 0; i < n_; ++i) {
    if (side_[i] == Side::inside) inside_.push_back(i);
    if (side_[i] == Side::lower) z_[i] = lower_[i];
    if (side_[i] == Side::upper) z_[i] = upper_[i];
  }
  const std::size_t m = inside_.size();
  if (m == 0) return true;
  if (shift != factored_shift_ || side_ != factored_side_) {
    std::vector<double>& a = cholesky_.matrix(m);
    for (std::size_t r = 0; r < m; ++r) {
      const double* row = M_.data() + inside_[r] * n_;
      for (std::size_t c = 0; c <= r; ++c) a[r * m + c] = row[inside_[c]];
      a[r * m + r] += shift;
    }
    ++report.factorisations;
    factored_shift_ = -1;
    if (!cholesky_.factor(1e-13)) return false;
    factored_shift_ = shift, factored_side_ = side_;
  }
  b_.resize(m);
  for (int round = 0; round < 2; ++round) {  // solve for the correction, then refine once
    for (std::size_t r = 0; r < m; ++r) {
      const std::size_t i = inside_[r];
      b_[r] = -(q_[i] + detail::dot(n_, M_.data() + i * n_, z_.data()) + shift * (z_[i] - centre_[i]));
    }
    cholesky_.solve(b_.data());
    for (std::size_t r = 0; r < m; ++r) z_[inside_[r]] += b_[r];
  }
  return true;
}

void BlockPivoting::slacks(double shift) {
  double size = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    size = std::fmax(size, std::fabs(z_[i]));
    w_[i] = side_[i] == Side::inside
                ? 0
                : q_[i] + detail::dot(n_, M_.data() + i * n_, z_.data()) + shift * (z_[i] - centre_[i]);
  }
  noise_ = 1e-14 * (1 + size);
}

// Where index i would have to go; where it is if nothing is wrong. Signs within round-off are right.
Side BlockPivoting::wrong_to(std::size_t i) const {
  switch (side_[i]) {
    case Side::inside:
      if (z_[i] < lower_[i] - noise_) return Side::lower;
      if (z_[i] > upper_[i] + noise_) return Side::upper;
      return Side::inside;
    case Side::lower:
      return w_[i] < -noise_ && lower_[i] < upper_[i] ? Side::inside : Side::lower;
    case Side::upper:
      return w_[i] > noise_ && lower_[i] < upper_[i] ? Side::inside : Side::upper;
  }
  return side_[i];
}

// Moves all wrong indices, or the last one; returns how many there are.
std::size_t BlockPivoting::exchange(bool all) {
  std::size_t wrong = 0, last = n_;
  for (std::size_t i = 0; i < n_; ++i)
    if (wrong_to(i) != side_[i]) ++wrong, last = i;
  if (!all && last < n_) {
    side_[last] = wrong_to(last);
    return wrong;
  }
  for (std::size_t i = 0; i < n_; ++i) side_[i] = wrong_to(i);
  return wrong;
}

BlockPivoting::End BlockPivoting::pivot(double shift, int max_solves, LinearReport& report) {
  std::size_t fewest = n_ + 1;
  int patience = s_.patience;
  for (int solve = 0; solve < max_solves; ++solve) {
    if (!solve_inside(shift, report)) return End::singular;
    slacks(shift);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n_; ++i) wrong += wrong_to(i) != side_[i];
    if (wrong == 0) return End::solved;
    if (wrong < fewest)
      fewest = wrong, patience = s_.patience;
    else
      --patience;
    if (patience < 0 && !s_.single_moves) break;
    exchange(patience >= 0);
    ++report.pivots;
  }
  return End::limit;
}

void BlockPivoting::unscale(std::vector<double>& z) const {
  z.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    const double value = z_[i] * scale_[i] / factor_;
    const double low = p_->lower ? p_->lower[i] : 0, high = p_->upper ? p_->upper[i] : infinity;
    z[i] = std::fmin(std::fmax(value, low), high);
  }
}

LinearReport BlockPivoting::run(const BoxedView& p, const BlockPivotingSettings& s, std::vector<double>& z) {
  LinearReport report = detail::report_of(method, LinearStatus::iteration_limit);
  s_ = s;
  load(p, s.warm_start ? &z : nullptr);
  End end = pivot(0, s.max_solves, report);
  if (end == End::solved) {
    unscale(z);
    report.residual = detail::plain_residual(p, z.data());
    report.status = report.residual <= s.tolerance ? LinearStatus::solved : LinearStatus::inaccurate;
    if (report.status == LinearStatus::solved) return report;
  }
  // Semidefinite: proximal rounds. The shift falls while its problems are solved by a few block moves, and
  // rises again where they are not; the sets of one round start the next.
  double best = infinity, shift = 0.1;
  if (end == End::singular) std::fill(z_.begin(), z_.end(), 0);
  for (std::size_t i = 0; i < n_; ++i) z_[i] = std::fmin(std::fmax(z_[i], lower_[i]), upper_[i]);
  centre_ = z_;
  for (int round = 0; round < s.proximal_rounds; ++round) {
    end = pivot(shift, 2 * s.patience, report);
    if (end == End::singular) {
      report.status = LinearStatus::unsuitable;
      break;
    }
    if (end == End::limit) {
      shift *= 10;
      continue;
    }
    shift = std::fmax(s.proximal_shift, 0.3 * shift);
    centre_ = z_;
    unscale(candidate_);
    const double residual = detail::plain_residual(p, candidate_.data());
    report.residual_history.push_back(residual);
    if (residual < best) best = residual, z = candidate_, report.residual = residual;
    if (residual <= s.tolerance) {
      report.status = LinearStatus::solved;
      return report;
    }
  }
  if (best == infinity) unscale(z), report.residual = detail::plain_residual(p, z.data());
  return report;
}

template <class Problem>
bool usable(const Problem& p, const BlockPivotingSettings& s, const std::vector<double>& z) {
  return detail::usable(p, s.warm_start, z) && s.tolerance > 0 && s.patience > 0 && s.max_solves > 0 &&
         s.proximal_rounds >= 0 && s.proximal_shift > 0;
}

}  // namespace

struct BlockPivotingMemory::Contents {
  BlockPivoting solver;
};
BlockPivotingMemory::BlockPivotingMemory() : contents_(std::make_unique<Contents>()) {}
BlockPivotingMemory::~BlockPivotingMemory() = default;
BlockPivotingMemory::BlockPivotingMemory(BlockPivotingMemory&&) noexcept = default;
BlockPivotingMemory& BlockPivotingMemory::operator=(BlockPivotingMemory&&) noexcept = default;

bool may_be_semidefinite(int n, const std::vector<double>& M) {
  const auto size = std::size_t(n);
  double largest = 0;
  for (const double x : M) largest = std::fabs(x) > largest ? std::fabs(x) : largest;
  const double slack = 1e-18 * largest * largest;
  for (std::size_t i = 0; i < size; ++i)
    if (M[i * size + i] < 0) return false;
  constexpr std::size_t tile = 32;  // both triangles in pieces that stay in the cache
  for (std::size_t i0 = 0; i0 < size; i0 += tile)
    for (std::size_t j0 = 0; j0 <= i0; j0 += tile)
      for (std::size_t i = i0; i < size && i < i0 + tile; ++i)
        for (std::size_t j = j0; j < i && j < j0 + tile; ++j) {
          const double a = M[i * size + j], b = M[j * size + i];
          if (std::fabs(a - b) > 1e-12 * largest) return false;
          if (a * b > M[i * size + i] * M[j * size + j] * (1 + 1e-9) + slack) return false;
        }
  return true;
}

LinearReport detail::block_pivoting_unchecked(const BoxedView& p, const BlockPivotingSettings& s,
                                              std::vector<double>& z, BlockPivotingMemory::Contents& memory) {
  return memory.solver.run(p, s, z);
}

LinearReport block_pivoting(const Lcp& p, const BlockPivotingSettings& s, std::vector<double>& z,
                            BlockPivotingMemory& memory) {
  if (!usable(p, s, z)) return detail::report_of(method, LinearStatus::bad_input);
  if (!may_be_semidefinite(p.n, p.M)) return detail::report_of(method, LinearStatus::unsuitable);
  const BoxedView view{std::size_t(p.n), p.M.data(), p.q.data(), nullptr, nullptr};
  return memory.contents().solver.run(view, s, z);
}

LinearReport block_pivoting(const BoxedLcp& p, const BlockPivotingSettings& s, std::vector<double>& z,
                            BlockPivotingMemory& memory) {
  if (!usable(p, s, z)) return detail::report_of(method, LinearStatus::bad_input);
  if (!may_be_semidefinite(p.n, p.M)) return detail::report_of(method, LinearStatus::unsuitable);
  const BoxedView view{std::size_t(p.n), p.M.data(), p.q.data(), p.lower.data(), p.upper.data()};
  return memory.contents().solver.run(view, s, z);
}

LinearReport block_pivoting(const Lcp& p, const BlockPivotingSettings& s, std::vector<double>& z) {
  BlockPivotingMemory memory;
  return block_pivoting(p, s, z, memory);
}
LinearReport block_pivoting(const BoxedLcp& p, const BlockPivotingSettings& s, std::vector<double>& z) {
  BlockPivotingMemory memory;
  return block_pivoting(p, s, z, memory);
}

}  // namespace stiction::complementarity
