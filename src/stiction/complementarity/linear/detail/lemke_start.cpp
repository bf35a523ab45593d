// Lemke's path: the starting basis and the covering vector. See lemke_path.h.
#include <cmath>
#include <limits>

#include "stiction/complementarity/linear/detail/lemke_path.h"

namespace stiction::complementarity::detail {

bool LemkePath::is_free(std::size_t i) const {
  return std::isinf(p_->lower()[i]) && std::isinf(p_->upper()[i]);
}

void LemkePath::begin(const ScaledProblem& p, const PathSettings& s) {
  p_ = &p, s_ = s, n_ = p.size();
  place_.assign(n_, Place::lower);
  z_.assign(n_ + 1, 0), w_.assign(n_, 0), d_.assign(n_, 0);
  rows_.clear(), columns_.clear();
  row_position_.assign(n_, none), column_position_.assign(n_ + 1, none);
  inverse_.clear(n_ + 1);
  dependent_.clear();
  pivots_ = 0, extra_factorisations_ = 0, growth_ = 1;
}

PathEnd LemkePath::walk_cold(const ScaledProblem& p, const PathSettings& s,
                             const std::vector<double>& covering) {
  begin(p, s);
  for (std::size_t i = 0; i < n_; ++i) {
    const double low = p.lower()[i], high = p.upper()[i];
    if (is_free(i))
      place_[i] = Place::basic;
    else if (std::isinf(low) || (!std::isinf(high) && std::fabs(high) < std::fabs(low)))
      place_[i] = Place::upper;
  }
  if (!install_basis()) return PathEnd::dependent_free;
  return choose_covering(&covering) ? walk() : PathEnd::solution;
}

PathEnd LemkePath::walk_warm(const ScaledProblem& p, const PathSettings& s, const std::vector<double>& z) {
  begin(p, s);
  std::vector<double>& w = w_;
  w = p.q();
  for (std::size_t j = 0; j < n_; ++j) p.add_column(j, z[j], w.data());
  for (std::size_t i = 0; i < n_; ++i) {
    const double moved = z[i] - w[i];
    if (moved <= p.lower()[i])
      place_[i] = Place::lower;
    else if (moved >= p.upper()[i])
      place_[i] = Place::upper;
    else
      place_[i] = is_fixed(i) ? Place::lower : Place::basic;
  }
  if (!install_basis()) return PathEnd::dependent_free;
  return choose_covering(nullptr) ? walk() : PathEnd::solution;
}

// Puts the rows and columns that place_ calls basic into K. False: a free one does not fit (dependent_).
bool LemkePath::install_basis() {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < n_; ++i)
    if (place_[i] == Place::basic) wanted.push_back(i);
  for (const std::size_t i : wanted) take_row(i), take_column(i);
  if (!wanted.empty() && !refactor() && !install_one_by_one(wanted)) return false;
  recompute_values();
  return true;
}

// K is singular: takes the indices that keep it regular, in up to three rounds (a zero on the diagonal may
// have to wait for its partner), and leaves the others at a bound.
bool LemkePath::install_one_by_one(std::vector<std::size_t> wanted) {
  while (!rows_.empty()) drop_row(rows_.size() - 1), drop_column(columns_.size() - 1);
  const int factorisations = inverse_.factorisations();
  inverse_.clear(n_ + 1);
  extra_factorisations_ += factorisations;
  for (int round = 0; round < 3 && !wanted.empty(); ++round) {
    std::vector<std::size_t> left;
    for (const std::size_t i : wanted) {
      gather_row(i, a_), gather_column(i, b_);
      inverse_.multiply(b_.data(), x_);
      inverse_.multiply_transposed(a_.data(), v_);
      double pivot = p_->entry(i, i);
      for (std::size_t c = 0; c < columns_.size(); ++c) pivot -= a_[c] * x_[c];
      if (std::fabs(pivot) < 1e-9) {
        left.push_back(i);
        continue;
      }
      inverse_.border(x_, v_, pivot);
      take_row(i), take_column(i);
    }
    wanted.swap(left);
  }
  for (const std::size_t i : wanted) {
    if (is_free(i)) dependent_.push_back(i);
    place_[i] = std::isinf(p_->lower()[i]) ? Place::upper : Place::lower;
  }
  if (!rows_.empty()) refactor();  // what was built step by step stays where this fails
  return dependent_.empty();
}

// The change c of the starting basic variables with t, d from it, and the starting t. Cold (covering given):
// every slack moves inwards at its covering rate. Warm: only what is infeasible moves, and not beyond its
// other bound. False: nothing is infeasible, so the starting basis solves the problem.
bool LemkePath::choose_covering(const std::vector<double>* covering) {
  push_.assign(n_, 0), inward_.assign(n_, 1), started_basic_.assign(n_, 0);
  double t = 0;
  const auto low_of = [&](std::size_t i) {
    if (place_[i] == Place::basic) return p_->lower()[i];
    return place_[i] == Place::lower && !is_fixed(i) ? 0 : -std::numeric_limits<double>::infinity();
  };
  const auto high_of = [&](std::size_t i) {
    if (place_[i] == Place::basic) return p_->upper()[i];
    return place_[i] == Place::upper && !is_fixed(i) ? 0 : std::numeric_limits<double>::infinity();
  };
  for (std::size_t i = 0; i < n_; ++i) {
    started_basic_[i] = place_[i] == Place::basic;
    const double value = started_basic_[i] ? z_[i] : w_[i], low = low_of(i), high = high_of(i);
    const double violation = std::fmax(low - value, value - high);
    if (violation > 0) push_[i] = value < low ? 1 : -1;
    if (covering && !started_basic_[i] && !is_fixed(i))
      push_[i] = (std::isinf(low) ? -1 : 1) * (*covering)[i];
    if (violation > 0) t = std::fmax(t, violation / std::fabs(push_[i]));
    inward_[i] = std::isinf(low) || high - value < value - low ? -1 : 1;
    if (violation > 0) inward_[i] = value < low ? 1 : -1;
  }
  if (!(t > 0)) return false;
  if (covering) t += 1;
  for (std::size_t i = 0; i < n_; ++i) {
    const double value = started_basic_[i] ? z_[i] : w_[i], high = high_of(i), low = low_of(i);
    const double end = std::fmax(low, std::fmin(high, value + t * push_[i]));
    if (push_[i] != 0 && end != value + t * push_[i]) push_[i] = (end - value) / t;
    (started_basic_[i] ? z_[i] : w_[i]) = end;
  }
  for (std::size_t i = 0; i < n_; ++i) d_[i] = started_basic_[i] ? 0 : push_[i];
  for (std::size_t j = 0; j < n_; ++j)
    if (started_basic_[j]) p_->add_column(j, -push_[j], d_.data());
  z_[n_] = t;
  return true;
}

}  // namespace stiction::complementarity::detail
