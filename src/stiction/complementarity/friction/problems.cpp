#include "stiction/complementarity/friction/problems.h"

#include <algorithm>
#include <cmath>

#include "stiction/complementarity/detail/faults.h"

namespace stiction::complementarity {
namespace {

using detail::at;
using detail::check_each;
using detail::check_finite;
using detail::check_size;
using detail::Faults;

/// False: the structure cannot be walked.
bool check_rows(const SparseRows& m, const char* name, Faults& faults) {
  const std::string field(name);
  if (m.rows < 0 || m.columns < 0) return faults.push_back(field + ": sizes must not be negative"), false;
  if (m.start.size() != std::size_t(m.rows) + 1) {
    faults.push_back(field + ".start: has " + std::to_string(m.start.size()) +
                     " entries, needs rows + 1 = " + std::to_string(m.rows + 1));
    return false;
  }
  if (m.column.size() != m.value.size())
    return faults.push_back(field + ": column and value differ in length"), false;
  if (m.start.front() != 0 || std::size_t(m.start.back()) != m.column.size())
    return faults.push_back(field + ".start: must run from 0 to the number of entries"), false;
  for (int i = 0; i < m.rows; ++i)
    if (m.start[std::size_t(i)] > m.start[std::size_t(i) + 1])
      return faults.push_back(at(field + ".start", std::size_t(i) + 1) + " is below the one before"), false;
  for (int i = 0; i < m.rows; ++i) {
    const int *begin = m.column.data() + m.start[std::size_t(i)],
              *end = m.column.data() + m.start[std::size_t(i) + 1];
    bool fine = true;  // ascending, from 0 on, below the number of columns
    int before = -1;
    for (const int* j = begin; j < end; ++j) fine &= *j > before, before = *j;
    if (fine && before < m.columns) continue;
    for (const int* j = begin; j < end; ++j) {
      const std::string where = at(field + ".column", std::size_t(j - m.column.data()));
      if (*j < 0 || *j >= m.columns) return faults.push_back(where + " does not exist"), false;
      if (j > begin && j[-1] >= *j)
        return faults.push_back(where + " must be above the one before it in row " + std::to_string(i)),
               false;
    }
  }
  check_finite(m.value, field + ".value", faults);
  return true;
}

double diagonal(const SparseRows& m, int i) {
  const auto begin = m.column.begin() + m.start[std::size_t(i)],
             end = m.column.begin() + m.start[std::size_t(i) + 1];
  const auto found = std::lower_bound(begin, end, i);
  return found != end && *found == i ? m.value[std::size_t(found - m.column.begin())] : 0.0;
}

void check_square(const SparseRows& m, const char* field, Faults& faults) {
  if (m.rows != m.columns)
    faults.push_back(std::string(field) + ": has " + std::to_string(m.rows) + " rows and " +
                     std::to_string(m.columns) + " columns, must be square");
}

/// False: nothing more can be said.
bool check_laws(const FrictionLaws& laws, Faults& faults) {
  if (laws.rows < 2 || laws.rows > 6)
    return faults.push_back("rows: is " + std::to_string(laws.rows) + ", must be between 2 and 6"), false;
  if (laws.mu.empty()) return faults.push_back("mu: the problem is empty"), false;
  const auto good_mu = [](double x) { return std::isfinite(x) && x >= 0; };
  check_each(laws.mu, "mu", "finite and >= 0", faults, good_mu);
  const std::size_t contacts = laws.mu.size();
  if (laws.law == FrictionLaw::discs) {
    check_size(laws.mu_rolling.size(), "mu_rolling", contacts, faults);
    check_each(laws.mu_rolling, "mu_rolling", "finite and >= 0", faults, good_mu);
    if (!laws.weights.empty()) faults.push_back("weights: belong to the ellipsoid law, not to discs");
  } else {
    if (!laws.mu_rolling.empty())
      faults.push_back("mu_rolling: belongs to the discs law, not to the ellipsoid");
    if (!laws.weights.empty()) {
      check_size(laws.weights.size(), "weights", contacts * std::size_t(laws.rows - 1), faults);
      check_each(laws.weights, "weights", "finite and > 0", faults,
                 [](double x) { return std::isfinite(x) && x > 0; });
    }
  }
  return true;
}

}  // namespace

std::vector<std::string> validate(const LocalFriction& p) {
  Faults faults;
  if (!check_laws(p.laws, faults)) return faults;
  const std::size_t n = p.laws.mu.size() * std::size_t(p.laws.rows);
  check_size(p.b.size(), "b", n, faults);
  check_finite(p.b, "b", faults);
  check_square(p.W, "W", faults);
  if (std::size_t(p.W.rows) != n)
    faults.push_back("W: has " + std::to_string(p.W.rows) + " rows, needs " + std::to_string(n));
  if (!check_rows(p.W, "W", faults) || !faults.empty()) return faults;
  for (std::size_t row = 0; row < n; ++row) {
    const bool normal = row % std::size_t(p.laws.rows) == 0;
    const double entry = diagonal(p.W, int(row));
    if (normal ? entry > 0 : entry >= 0) continue;
    const std::string index = std::to_string(row);
    faults.push_back("W[" + index + "][" + index + "]: singular block: contact " +
                     std::to_string(row / std::size_t(p.laws.rows)) +
                     (normal ? " needs a normal entry > 0" : " has a negative diagonal entry"));
    break;
  }
  return faults;
}

std::vector<std::string> validate(const GlobalFriction& p) {
  Faults faults;
  if (!check_laws(p.laws, faults)) return faults;
  const std::size_t n = p.laws.mu.size() * std::size_t(p.laws.rows);
  check_size(p.b.size(), "b", n, faults);
  check_finite(p.b, "b", faults);
  check_square(p.M, "M", faults);
  if (p.M.rows == 0) faults.push_back("M: the problem is empty");
  check_size(p.f.size(), "f", std::size_t(p.M.rows < 0 ? 0 : p.M.rows), faults);
  check_finite(p.f, "f", faults);
  if (p.H.rows != p.M.rows)
    faults.push_back("H: has " + std::to_string(p.H.rows) + " rows, needs those of M, " +
                     std::to_string(p.M.rows));
  if (std::size_t(p.H.columns) != n)
    faults.push_back("H: has " + std::to_string(p.H.columns) + " columns, needs one per contact row, " +
                     std::to_string(n));
  const bool walk_m = check_rows(p.M, "M", faults), walk_h = check_rows(p.H, "H", faults);
  if (!walk_m || !walk_h || !faults.empty()) return faults;
  for (int i = 0; i < p.M.rows; ++i)
    if (!(diagonal(p.M, i) > 0)) {
      faults.push_back("M[" + std::to_string(i) + "][" + std::to_string(i) +
                       "]: singular block: must be > 0");
      break;
    }
  std::vector<char> moved(n, 0);
  for (std::size_t k = 0; k < p.H.column.size(); ++k)
    if (p.H.value[k] != 0) moved[std::size_t(p.H.column[k])] = 1;
  for (std::size_t i = 0; i < p.laws.mu.size(); ++i)
    if (!moved[i * std::size_t(p.laws.rows)]) {
      faults.push_back("H: singular block: column " + std::to_string(i * std::size_t(p.laws.rows)) +
                       " (normal of contact " + std::to_string(i) + ") is zero");
      break;
    }
  return faults;
}

}  // namespace stiction::complementarity
