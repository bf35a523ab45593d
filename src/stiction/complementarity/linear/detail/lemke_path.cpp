#include "stiction/complementarity/linear/detail/lemke_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/math/detail/two_double.h"

namespace stiction::complementarity::detail {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
double larger(double a, double b) { return a > b ? a : b; }
}  // namespace

PathEnd LemkePath::walk() {
  Entering entering{.slack = false, .index = n_, .sign = -1};
  while (pivots_ < s_.max_pivots && !s_.stop.asked()) {
    Candidate blocking;
    for (int attempt = 0;; ++attempt) {
      last_ = entering;
      if (!direction(entering)) return PathEnd::breakdown;
      if (!block(entering, blocking)) return PathEnd::ray;
      if (attempt > 0 || inverse_.changes() == 0 || pivot_is_safe(blocking)) break;
      if (!refactor()) return PathEnd::breakdown;
      recompute_values();
    }
    ++pivots_;
    move(entering, std::fmax(0, blocking.distance / blocking.rate));
    const bool ends = (blocking.kind == Kind::column && columns_[blocking.index] == n_) ||
                      (blocking.kind == Kind::flip && entering.index == n_);
    if (ends) {
      // t = 0. Where t hardly moves it stays basic: without it the basis would be all but singular.
      if (blocking.kind == Kind::column && blocking.rate > 1e-7) exchange(entering, blocking);
      return PathEnd::solution;
    }
    entering = exchange(entering, blocking);
    if (inverse_.changes() > s_.change_limit + int(inverse_.size()) / 2) {
      if (!refactor()) return PathEnd::breakdown;
      recompute_values();
    }
  }
  return PathEnd::pivot_limit;
}

// ---- direction ----------------------------------------------------------------------------------------

void LemkePath::direction_once(const Entering& e) {
  p_dir_.assign(n_, 0);
  if (e.slack) {
    const std::size_t r = row_position_[e.index];
    x_.resize(inverse_.size());
    for (std::size_t c = 0; c < x_.size(); ++c) x_[c] = e.sign * inverse_.row(c)[r];
  } else {
    gather_column(e.index, b_);
    inverse_.multiply(b_.data(), x_);
    for (double& value : x_) value *= -e.sign;
    if (e.index < n_)
      p_->add_column(e.index, e.sign, p_dir_.data());
    else
      add_scaled(n_, e.sign, d_.data(), p_dir_.data());
  }
  p_->add_columns(columns_, x_, p_dir_.data());
  const std::size_t t = column_position_[n_];
  if (t != none) add_scaled(n_, x_[t], d_.data(), p_dir_.data());
}

// The rows of K should not move (but for the slack that enters). Leaves it in b_; returns the largest.
double LemkePath::direction_error(const Entering& e) {
  b_.resize(rows_.size());
  double worst = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    b_[r] = p_dir_[rows_[r]] - (e.slack && rows_[r] == e.index ? e.sign : 0);
    worst = std::fabs(b_[r]) <= worst ? worst : std::fabs(b_[r]);  // keeps nan
  }
  return worst;
}

// Computes the direction; refines it once where the inverse lost digits, then tries a fresh inverse.
bool LemkePath::direction(const Entering& e) {
  for (int attempt = 0;; ++attempt) {
    direction_once(e);
    double size = 1;
    for (const double value : x_) size = larger(size, std::fabs(value));
    double error = direction_error(e);
    if (!(error <= 1e-12 * size)) {
      inverse_.multiply(b_.data(), v_);
      for (double& value : v_) value = -value;
      for (std::size_t c = 0; c < x_.size(); ++c) x_[c] += v_[c];
      p_->add_columns(columns_, v_, p_dir_.data());
      const std::size_t t = column_position_[n_];
      if (t != none) add_scaled(n_, v_[t], d_.data(), p_dir_.data());
      error = direction_error(e);
    }
    if (error <= 1e-10 * size) return true;
    if (attempt > 0 || inverse_.changes() == 0) return std::isfinite(error) && error <= 1e-6 * size;
    if (!refactor()) return false;
    recompute_values();
  }
}

// ---- what blocks --------------------------------------------------------------------------------------

// Calls see(candidate) for every basic variable that runs into a bound faster than `small`, and for the
// entering one's own other bound.
template <class See>
void LemkePath::for_each_candidate(const Entering& e, double small, const See& see) const {
  const auto offer = [&](Kind kind, std::size_t index, double value, double rate, double low, double high) {
    if (rate < 0 && low > -infinity)
      see(Candidate{kind, index, larger(0, value - low), -rate, 1, 0});
    else if (rate > 0 && high < infinity)
      see(Candidate{kind, index, larger(0, high - value), rate, -1, 0});
  };
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (std::fabs(x_[c]) <= small) continue;
    const std::size_t j = columns_[c];
    if (j == n_)
      offer(Kind::column, c, z_[n_], x_[c], 0, infinity);
    else
      offer(Kind::column, c, z_[j], x_[c], p_->lower()[j], p_->upper()[j]);
  }
  for (std::size_t i = 0; i < n_; ++i) {
    if (row_position_[i] != none || std::fabs(p_dir_[i]) <= small || is_fixed(i)) continue;
    if (place_[i] == Place::lower) offer(Kind::slack, i, w_[i], p_dir_[i], 0, infinity);
    if (place_[i] == Place::upper) offer(Kind::slack, i, w_[i], p_dir_[i], -infinity, 0);
  }
  if (e.slack) return;
  const double range = e.index == n_ ? z_[n_] : p_->upper()[e.index] - p_->lower()[e.index];
  if (range < infinity) see(Candidate{Kind::flip, e.index, range, 1, 0, 0});
}

// The variable that meets a bound first; ties by the lexicographic rule, t before all others. False: a ray.
bool LemkePath::block(const Entering& e, Candidate& out) {
  double largest = 0;
  for (const double value : x_) largest = larger(largest, std::fabs(value));
  for (std::size_t i = 0; i < n_; ++i)
    if (row_position_[i] == none) largest = larger(largest, std::fabs(p_dir_[i]));
  const double small = s_.small_pivot * (1 + 0.1 * largest);

  // Values are uncertain by about the round-off of the largest, times how much the basis magnifies.
  double size = 1;
  for (const std::size_t j : columns_) size = larger(size, std::fabs(z_[j]));
  growth_ = larger(growth_, largest);
  const double noise = larger(s_.tie, 4e-16 * growth_ * size), tie = noise < 1e-7 ? noise : 1e-7;
  double step = infinity;
  for_each_candidate(e, small, [&](const Candidate& c) {
    const double ratio = c.distance / c.rate;
    step = ratio < step ? ratio : step;
  });
  if (step == infinity) return false;
  tied_.clear();
  for_each_candidate(e, small, [&](const Candidate& c) {
    // the first of all counts whatever the round-off of a long step
    if (c.distance - step * c.rate <= tie || c.distance / c.rate <= step) tied_.push_back(c);
  });
  for (const Candidate& c : tied_)
    if ((c.kind == Kind::column && columns_[c.index] == n_) || (c.kind == Kind::flip && c.index == n_))
      return out = c, true;
  for (std::size_t j = 0; j < n_ && tied_.size() > 1; ++j) keep_smallest(j);
  out = tied_[0];
  for (const Candidate& c : tied_)
    if (c.rate > out.rate) out = c;
  return true;
}

// The basic columns' change with the j-th infinitesimal, in delta_.
void LemkePath::prepare_perturbation(std::size_t j) {
  delta_zero_ = true;
  if (started_basic_[j]) {
    if (column_position_[j] != none) return;
    gather_column(j, b_);
    inverse_.multiply(b_.data(), delta_);
    for (double& value : delta_) value *= inward_[j];
  } else {
    const std::size_t r = row_position_[j];
    if (r == none) return;
    delta_.resize(inverse_.size());
    for (std::size_t c = 0; c < delta_.size(); ++c) delta_[c] = -inward_[j] * inverse_.row(c)[r];
  }
  delta_zero_ = false;
}

double LemkePath::perturbation(const Candidate& c, std::size_t j) const {
  if (c.kind == Kind::flip) return 0;
  const bool self = c.kind == Kind::column ? started_basic_[j] && columns_[c.index] == j
                                           : !started_basic_[j] && c.index == j;
  if (delta_zero_) return self ? inward_[j] : 0;
  if (c.kind == Kind::column) return delta_[c.index];
  const double* row = p_->row(c.index);
  double sum = started_basic_[j] ? -inward_[j] * row[j] : 0;
  for (std::size_t k = 0; k < columns_.size(); ++k)
    sum += (columns_[k] == n_ ? d_[c.index] : row[columns_[k]]) * delta_[k];
  return sum;
}

// Of the tied candidates, those whose distance grows least with the j-th infinitesimal.
void LemkePath::keep_smallest(std::size_t j) {
  prepare_perturbation(j);
  double smallest = infinity;
  for (Candidate& c : tied_) {
    c.order = c.side * perturbation(c, j) / c.rate;
    smallest = std::fmin(smallest, c.order);
  }
  const double limit = smallest + 1e-9 * (1 + std::fabs(smallest));
  std::size_t kept = 0;
  for (const Candidate& c : tied_)
    if (!(c.order > limit)) tied_[kept++] = c;  // one that is not a number stays: some must
  tied_.resize(kept);
}

bool LemkePath::pivot_is_safe(const Candidate& c) const {
  if (c.kind == Kind::flip) return true;
  double largest = 0;
  for (const double value : x_) largest = larger(largest, std::fabs(value));
  return c.rate > 1e-7 * std::fmax(1, largest);
}

// ---- moving and exchanging ----------------------------------------------------------------------------

void LemkePath::move(const Entering& e, double step) {
  if (step > 0) {
    for (std::size_t c = 0; c < columns_.size(); ++c) z_[columns_[c]] += step * x_[c];
    for (std::size_t i = 0; i < n_; ++i)
      if (row_position_[i] == none) w_[i] += step * p_dir_[i];
  }
  if (e.slack)
    w_[e.index] = e.sign * step;
  else
    z_[e.index] += e.sign * step;
}

LemkePath::Entering LemkePath::exchange(const Entering& e, const Candidate& c) {
  if (c.kind == Kind::flip) {  // through to the other bound: the basis stays
    const bool up = e.sign > 0;
    place_[e.index] = up ? Place::upper : Place::lower;
    z_[e.index] = up ? p_->upper()[e.index] : p_->lower()[e.index];
    return {.slack = true, .index = e.index, .sign = up ? -1.0 : 1.0};
  }
  const std::size_t leaving = c.kind == Kind::column ? columns_[c.index] : c.index;
  if (c.kind == Kind::slack) {
    gather_row(leaving, a_);
    inverse_.multiply_transposed(a_.data(), v_);
    if (e.slack) {
      const std::size_t r = row_position_[e.index];
      inverse_.replace_row(r, v_);
      row_position_[e.index] = none, row_position_[leaving] = r, rows_[r] = leaving;
    } else {
      for (double& value : x_) value *= -e.sign;  // K^-1 b
      inverse_.border(x_, v_, p_dir_[leaving] * e.sign);
      take_row(leaving), take_column(e.index);
    }
    w_[leaving] = 0;
  } else {
    if (e.slack) {
      const std::size_t r = row_position_[e.index];
      inverse_.remove(c.index, r);
      drop_row(r), drop_column(c.index);
    } else {
      for (double& value : x_) value *= -e.sign;
      inverse_.replace_column(c.index, x_);
      column_position_[leaving] = none, column_position_[e.index] = c.index, columns_[c.index] = e.index;
    }
    if (leaving < n_) place_[leaving] = c.side > 0 ? Place::lower : Place::upper;
    z_[leaving] = leaving == n_ ? 0 : c.side > 0 ? p_->lower()[leaving] : p_->upper()[leaving];
  }
  if (!e.slack && e.index < n_) place_[e.index] = Place::basic;
  if (leaving == n_) return e;  // the end of the path

  // the partner of what left
  const bool at_lower = place_[leaving] == Place::lower;
  return {.slack = c.kind == Kind::column, .index = leaving, .sign = at_lower ? 1.0 : -1.0};
}

void LemkePath::take_row(std::size_t i) { row_position_[i] = rows_.size(), rows_.push_back(i); }
void LemkePath::take_column(std::size_t j) { column_position_[j] = columns_.size(), columns_.push_back(j); }
void LemkePath::drop_row(std::size_t position) {
  row_position_[rows_[position]] = none;
  rows_[position] = rows_.back();
  rows_.pop_back();
  if (position < rows_.size()) row_position_[rows_[position]] = position;
}
void LemkePath::drop_column(std::size_t position) {
  column_position_[columns_[position]] = none;
  columns_[position] = columns_.back();
  columns_.pop_back();
  if (position < columns_.size()) column_position_[columns_[position]] = position;
}

void LemkePath::gather_row(std::size_t i, std::vector<double>& a) const {
  a.resize(columns_.size());
  const double* row = p_->row(i);
  for (std::size_t c = 0; c < columns_.size(); ++c) a[c] = columns_[c] == n_ ? d_[i] : row[columns_[c]];
}
void LemkePath::gather_column(std::size_t j, std::vector<double>& b) const {
  b.resize(rows_.size());
  const double* column = j == n_ ? d_.data() : p_->column(j);
  for (std::size_t r = 0; r < rows_.size(); ++r) b[r] = column[rows_[r]];
}

// ---- from the data again ------------------------------------------------------------------------------

bool LemkePath::refactor() {
  const std::size_t m = rows_.size();
  K_.resize(m * m);
  for (std::size_t r = 0; r < m; ++r) {
    const double* row = p_->row(rows_[r]);
    for (std::size_t c = 0; c < m; ++c) K_[r * m + c] = columns_[c] == n_ ? d_[rows_[r]] : row[columns_[c]];
  }
  return inverse_.refactor(m, K_);
}

void LemkePath::recompute_values() {
  std::vector<double>& base = w_;
  base = p_->q();
  for (std::size_t j = 0; j < n_; ++j) {
    if (place_[j] == Place::lower) z_[j] = p_->lower()[j];
    if (place_[j] == Place::upper) z_[j] = p_->upper()[j];
    if (column_position_[j] == none) p_->add_column(j, z_[j], base.data());
  }
  if (column_position_[n_] == none) add_scaled(n_, z_[n_], d_.data(), base.data());
  for (const std::size_t j : columns_) z_[j] = 0;
  for (int round = 0; round < 2; ++round) {  // solve, then refine once
    b_.resize(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) b_[r] = -base[rows_[r]];
    inverse_.multiply(b_.data(), x_);
    for (std::size_t c = 0; c < x_.size(); ++c) z_[columns_[c]] += x_[c];
    p_->add_columns(columns_, x_, base.data());
    if (column_position_[n_] != none) add_scaled(n_, x_[column_position_[n_]], d_.data(), base.data());
  }
  for (const std::size_t i : rows_) w_[i] = 0;
}

// Solves K x = -(q + M_N z_N) on the final rows and columns, with residuals in twice the working precision.
void LemkePath::refined(std::vector<double>& z) {
  const std::size_t m = rows_.size();
  K_.resize(m * m);
  for (std::size_t r = 0; r < m; ++r) {
    gather_row(rows_[r], a_);
    for (std::size_t c = 0; c < m; ++c) K_[r * m + c] = a_[c];
  }
  if (column_position_[n_] == none) z_[n_] = 0;
  ++extra_factorisations_;
  const bool regular = lu_.factor(m, K_, 1e-15);
  double before = infinity;
  std::vector<double>& best = v_;
  best = z_;
  for (int round = 0; regular && round < 6; ++round) {
    b_.resize(m);
    double error = 0, size = 0;
    for (const std::size_t j : columns_) size = std::fmax(size, std::fabs(z_[j]));
    list_nonzeros();
    for (std::size_t r = 0; r < m; ++r) {
      b_[r] = -precise_row(rows_[r]);
      error = std::fmax(error, std::fabs(b_[r]));
    }
    if (!(error < before)) break;
    best = z_;
    if (error <= 1.2e-16 * size || error > 0.5 * before) break;  // all that doubles can hold, or no progress
    before = error;
    lu_.solve(b_.data());
    for (std::size_t c = 0; c < m; ++c) z_[columns_[c]] += b_[c];
  }
  z.assign(best.begin(), best.begin() + std::ptrdiff_t(n_));
}

// One step of Newton's method on the natural map: z that are clearly inside their bounds and, with them,
// slacks of the wrong sign get w = 0; the other z go to their bound. Of rows that depend on each other only
// independent ones are solved for, the clear ones first, then the worst; the rest keeps its z.
void LemkePath::newton_step(const ScaledProblem& p, double noise, std::vector<double>& z) {
  begin(p, s_);
  std::copy(z.begin(), z.end(), z_.begin());
  double size = 1;
  list_nonzeros();
  for (std::size_t i = 0; i < n_; ++i) w_[i] = precise_row(i), size = std::fmax(size, std::fabs(z[i]));
  std::vector<std::size_t> wanted, wrong;
  for (std::size_t i = 0; i < n_; ++i) {
    const double low = p.lower()[i], high = p.upper()[i];
    if (z[i] - low > noise * size && high - z[i] > noise * size) {
      wanted.push_back(i);
      continue;
    }
    z_[i] = z[i] - low <= high - z[i] ? low : high;
    if (z_[i] == low ? w_[i] < 0 : w_[i] > 0)
      if (!is_fixed(i)) wrong.push_back(i);
  }
  std::sort(wrong.begin(), wrong.end(), [&](std::size_t a, std::size_t b) {
    const double first = std::fabs(w_[a]), second = std::fabs(w_[b]);
    return first != second ? first > second : a < b;
  });
  wanted.insert(wanted.end(), wrong.begin(), wrong.end());
  install_one_by_one(wanted);
  for (int round = 0; round < 2; ++round) {
    list_nonzeros();
    b_.resize(rows_.size());
    for (std::size_t r = 0; r < rows_.size(); ++r) b_[r] = -precise_row(rows_[r]);
    inverse_.multiply(b_.data(), x_);
    for (std::size_t c = 0; c < columns_.size(); ++c) z_[columns_[c]] += x_[c];
  }
  z.assign(z_.begin(), z_.begin() + std::ptrdiff_t(n_));
}

void LemkePath::list_nonzeros() {
  nonzeros_.clear();
  for (std::size_t j = 0; j < n_; ++j)
    if (z_[j] != 0) nonzeros_.push_back(j);
}

// w_i at z_, t, in twice the working precision; list_nonzeros() comes first.
double LemkePath::precise_row(std::size_t i) const {
  const double* row = p_->row(i);
  double sum = p_->q()[i], rest = 0;
  const auto add = [&](double a, double b) {
    const stiction::detail::TwoDouble product = stiction::detail::two_product(a, b);
    const stiction::detail::TwoDouble next = stiction::detail::two_sum(sum, product.hi);
    sum = next.hi, rest += next.lo + product.lo;
  };
  for (const std::size_t j : nonzeros_)
    if (row[j] != 0) add(row[j], z_[j]);
  if (z_[n_] != 0) add(d_[i], z_[n_]);
  return sum + rest;
}

void LemkePath::ray(std::vector<double>& dz) const {
  dz.assign(n_, 0);
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c] < n_) dz[columns_[c]] = x_[c];
  if (!last_.slack && last_.index < n_) dz[last_.index] = last_.sign;
}

}  // namespace stiction::complementarity::detail
