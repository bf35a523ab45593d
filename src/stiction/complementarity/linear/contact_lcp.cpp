#include "stiction/complementarity/linear/contact_lcp.h"

#include "stiction/complementarity/detail/faults.h"
#include "stiction/complementarity/linear/detail/dense.h"
#include "stiction/math/elementary.h"

namespace stiction::complementarity {
namespace {

void check(const std::vector<double>& values, std::size_t size, const char* field, detail::Faults& wrong) {
  detail::check_size(values.size(), field, size, wrong);
  detail::check_finite(values, field, wrong);
}

// Generalised direction of unknown `index` of (c, beta).
const double* direction_of(const PolyhedralContacts& p, std::size_t index) {
  const auto width = std::size_t(p.coordinates), contacts = std::size_t(p.contacts);
  return index < contacts ? p.normals.data() + index * width : p.tangents.data() + (index - contacts) * width;
}

}  // namespace

std::vector<std::string> validate(const PolyhedralContacts& p) {
  detail::Faults wrong;
  if (p.coordinates <= 0) wrong.push_back("coordinates: must be positive");
  if (p.contacts <= 0) wrong.push_back("contacts: the problem is empty");
  if (p.directions < 2 || p.directions % 2 != 0) wrong.push_back("directions: must be even and at least 2");
  if (!wrong.empty()) return wrong;
  const auto width = std::size_t(p.coordinates), contacts = std::size_t(p.contacts);
  check(p.inverse_mass, width * width, "inverse_mass", wrong);
  check(p.normals, contacts * width, "normals", wrong);
  check(p.tangents, contacts * std::size_t(p.directions) * width, "tangents", wrong);
  check(p.friction, contacts, "friction", wrong);
  check(p.v_free, width, "v_free", wrong);
  check(p.bias, contacts, "bias", wrong);
  for (std::size_t j = 0; j < p.friction.size(); ++j)
    if (p.friction[j] < 0) wrong.push_back(detail::at("friction", j) + " is negative");
  return wrong;
}

Lcp stewart_trinkle_lcp(const PolyhedralContacts& p) {
  const auto width = std::size_t(p.coordinates), contacts = std::size_t(p.contacts);
  const auto k = std::size_t(p.directions);
  const std::size_t impulses = contacts * (k + 1), n = impulses + contacts;
  Lcp out;
  out.n = int(n);
  out.M.assign(n * n, 0), out.q.assign(n, 0);
  // most directions touch the coordinates of two bodies only: lists of nonzeros
  std::vector<std::size_t> begin(1, 0), where;
  for (std::size_t i = 0; i < impulses; ++i) {
    for (std::size_t r = 0; r < width; ++r)
      if (direction_of(p, i)[r] != 0) where.push_back(r);
    begin.push_back(where.size());
  }
  const auto product = [&](std::size_t i, const double* v) {
    double sum = 0;
    for (std::size_t e = begin[i]; e < begin[i + 1]; ++e) sum += direction_of(p, i)[where[e]] * v[where[e]];
    return sum;
  };
  std::vector<double> moved(width);
  for (std::size_t i = 0; i < impulses; ++i) {
    for (double& x : moved) x = 0;
    for (std::size_t e = begin[i]; e < begin[i + 1]; ++e)
      detail::add_scaled(width, direction_of(p, i)[where[e]], p.inverse_mass.data() + where[e] * width,
                         moved.data());
    for (std::size_t j = 0; j <= i; ++j) out.M[i * n + j] = out.M[j * n + i] = product(j, moved.data());
    out.q[i] = product(i, p.v_free.data()) + (i < contacts ? p.bias[i] : 0);
  }
  for (std::size_t j = 0; j < contacts; ++j) {
    const std::size_t lambda = impulses + j;
    out.M[lambda * n + j] = p.friction[j];
    for (std::size_t e = 0; e < k; ++e) {
      const std::size_t beta = contacts + j * k + e;
      out.M[beta * n + lambda] = 1, out.M[lambda * n + beta] = -1;
    }
  }
  return out;
}

std::vector<double> velocity_after(const PolyhedralContacts& p, const std::vector<double>& z) {
  const auto width = std::size_t(p.coordinates), contacts = std::size_t(p.contacts);
  std::vector<double> impulse(width, 0), v(p.v_free);
  for (std::size_t i = 0; i < contacts * std::size_t(p.directions + 1); ++i)
    if (z[i] != 0) detail::add_scaled(width, z[i], direction_of(p, i), impulse.data());
  for (std::size_t r = 0; r < width; ++r)
    detail::add_scaled(width, impulse[r], p.inverse_mass.data() + r * width, v.data());
  return v;
}

std::vector<std::pair<double, double>> direction_fan(int k) {
  constexpr double pi = 3.14159265358979323846;
  std::vector<std::pair<double, double>> out;
  out.resize(std::size_t(k));
  for (int e = 0; e < k / 2; ++e) {
    const double angle = 2 * pi * e / k;
    double c = elementary::cos(angle), s = elementary::sin(angle);
    if (4 * e == k) c = 0, s = 1;  // a quarter turn, exactly
    out[std::size_t(e)] = {c, s};
    out[std::size_t(e + k / 2)] = {-c, -s};
  }
  return out;
}

}  // namespace stiction::complementarity
