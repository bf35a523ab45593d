#include "stiction/complementarity/bilateral/system.h"

#include <cmath>
#include <cstddef>

#include "stiction/complementarity/detail/faults.h"

namespace stiction::complementarity::bilateral {

JointRows& ConstraintSystem::add(int block_a, int block_b, int count) {
  JointRows& j = joints.emplace_back();
  j.block[0] = block_a, j.block[1] = block_b;
  j.count = count, j.row = rows;
  rows += count;
  return j;
}

namespace {

/// One line for the first entry that is wrong.
void check_joint(const JointRows& j, std::size_t number, int blocks, int row, detail::Faults& faults) {
  const std::string name = detail::at("joints", number);
  if (j.count < 1 || j.count > most) {
    faults.push_back(name + ".count must be 1 to 6");
    return;
  }
  if (j.row != row) faults.push_back(name + ".row must be " + std::to_string(row));
  for (int side = 0; side < 2; ++side)
    if (j.block[side] < -1 || j.block[side] >= blocks)
      faults.push_back(name + ".block must be -1 or less than " + std::to_string(blocks));
  if (j.block[0] >= 0 && j.block[0] == j.block[1]) faults.push_back(name + ".block names one block twice");
  for (int side = 0; side < 2; ++side)
    for (int k = 0; k < j.count * width; ++k) {
      const double g = j.G[side][k];
      if (std::isfinite(g) && (g == 0 || j.block[side] >= 0)) continue;
      faults.push_back(name + ".G must be finite, and zero without a block");
      return;
    }
  for (int k = 0; k < j.count; ++k) {
    if (!(j.sigma[k] >= 0) || !std::isfinite(j.sigma[k]))
      faults.push_back(detail::at(name + ".sigma", std::size_t(k)) + " must be finite and >= 0");
    if (!std::isfinite(j.rhs[k]))
      faults.push_back(detail::at(name + ".rhs", std::size_t(k)) + " must be finite");
  }
}

}  // namespace

std::vector<std::string> validate(const ConstraintSystem& p) {
  detail::Faults faults;
  if (p.A_inverse.size() % (width * width) != 0)
    faults.push_back("A_inverse: must have 36 entries per block");
  detail::check_finite(p.A_inverse, "A_inverse", faults);
  int row = 0;
  for (std::size_t i = 0; i < p.joints.size(); ++i) {
    check_joint(p.joints[i], i, p.block_count(), row, faults);
    row += p.joints[i].count;
  }
  if (row != p.rows) faults.push_back("rows: must be " + std::to_string(row));
  return faults;
}

void velocity_change(const ConstraintSystem& p, const std::vector<double>& lambda, std::vector<double>& u) {
  u.assign(std::size_t(p.block_count()) * width, 0.0);
  for (const JointRows& j : p.joints)
    for (int side = 0; side < 2; ++side) {
      if (j.block[side] < 0) continue;
      double* f = u.data() + std::size_t(j.block[side]) * width;
      for (int r = 0; r < j.count; ++r) {
        const double x = lambda[std::size_t(j.row + r)];
        for (int c = 0; c < width; ++c) f[c] += j.G[side][r * width + c] * x;
      }
    }
  for (int b = 0; b < p.block_count(); ++b) {
    const double* W = p.A_inverse.data() + std::size_t(b) * (width * width);
    double *f = u.data() + std::size_t(b) * width, v[width];
    for (int i = 0; i < width; ++i) {
      double sum = 0;
      for (int k = 0; k < width; ++k) sum += W[i * width + k] * f[k];
      v[i] = sum;
    }
    for (int i = 0; i < width; ++i) f[i] = v[i];
  }
}

}  // namespace stiction::complementarity::bilateral
