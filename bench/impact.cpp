// One impact: systems with n coordinates from M, J and u on (factorisation of M included), in closed form;
// the same from W on; impacts in space whose slip turns. Random systems, all orders of events. Bar: 2 us for
// n <= 6.
#include <algorithm>
#include <cmath>

#include "bench.h"
#include "stiction/base/hash.h"
#include "stiction/impact/generalised.h"
#include "stiction/impact/spatial.h"
#include "support/random.h"

namespace stiction::bench {
namespace {

constexpr double bar = 2;  // [us]
constexpr std::size_t systems = 1000;

struct System {
  std::vector<double> M, normal, tangent, u;
  impact::Coefficients coefficients;
};

System random_system(test::Random& random, std::size_t n) {
  System s;
  std::vector<double> A(n * n);
  for (double& a : A) a = random.between(-1, 1);
  s.M.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < n; ++k) s.M[i * n + j] += A[i * n + k] * A[j * n + k];
      if (i == j) s.M[i * n + j] += 0.1;
    }
  double approach = 0;
  for (std::size_t i = 0; i < n; ++i) {
    s.normal.push_back(random.between(-1, 1)), s.tangent.push_back(random.between(-1, 1));
    s.u.push_back(random.between(-1, 1)), approach += s.normal[i] * s.u[i];
  }
  if (approach > 0)
    for (double& x : s.u) x = -x;
  const double mu = random.between(0, 1.5);
  s.coefficients = {random.unit(), mu, mu};
  return s;
}

/// Median over rounds of the time per impact [us]; the outcomes' bits go into the hash.
template <class Solve>
double microseconds(int rounds, std::uint64_t& hash, int& undone, const Solve& solve) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    double sum = 0;
    times.push_back(seconds_of([&] {
      for (std::size_t i = 0; i < systems; ++i) {
        const impact::Outcome o = solve(i);
        sum += o.impulse.x, undone += o.status != impact::Status::done;
      }
    }));
    Hash bits;
    bits.number(sum);
    hash = bits.result();
  }
  return 1e6 * median(times) / double(systems);
}

bool planar(std::size_t n, int rounds) {
  test::Random random(n);
  std::vector<System> all;
  for (std::size_t i = 0; i < systems; ++i) all.push_back(random_system(random, n));
  std::vector<double> after(n), room(impact::scratch_of(n));
  std::uint64_t hash = 0;
  int undone = 0;
  const double us = microseconds(rounds, hash, undone, [&](std::size_t i) {
    const System& s = all[i];
    return solve(impact::PlanarContact{s.M, s.normal, s.tangent, s.u}, s.coefficients, after, room);
  });
  const bool pass = (n > 6 || us <= bar) && undone == 0;
  Line line("impact/planar_" + std::to_string(n));
  line.whole("coordinates", (long long)(n)).number("us_per_impact", us).number("bar", bar);
  line.hash(hash).flag("pass", pass).print();
  return pass;
}

bool from_matrix(int rounds) {
  test::Random random(1);
  std::vector<impact::PlanarImpact> all;
  for (std::size_t i = 0; i < systems; ++i) {
    const double nn = random.between(0.2, 3), tt = random.between(0.2, 3), mu = random.between(0, 1.5);
    const double nt = random.between(-0.95, 0.95) * std::sqrt(nn * tt);
    all.push_back({nn, nt, tt, -random.between(0.1, 2), random.between(-3, 3), {random.unit(), mu, mu}});
  }
  std::uint64_t hash = 0;
  int undone = 0;
  const double us = microseconds(rounds, hash, undone, [&](std::size_t i) { return impact::solve(all[i]); });
  Line line("impact/planar_from_matrix");
  line.number("us_per_impact", us)
      .number("bar", bar)
      .hash(hash)
      .flag("pass", us <= bar && undone == 0)
      .print();
  return us <= bar && undone == 0;
}

bool spatial(int rounds) {
  test::Random random(3);
  std::vector<impact::SpatialImpact> all;
  for (std::size_t i = 0; i < systems; ++i) {
    Mat3 A;
    for (int k = 0; k < 9; ++k) A(k / 3, k % 3) = random.between(-1, 1);
    Vec3 u = random.vector(2);
    u.x = -std::fabs(u.x) - 0.1;
    const double mu = random.between(0, 1.5);
    all.push_back({A * transposed(A) + Mat3::diagonal({0.05, 0.05, 0.05}), u, {random.unit(), mu, mu}});
  }
  std::uint64_t hash = 0;
  int undone = 0;
  const double us = microseconds(rounds, hash, undone, [&](std::size_t i) { return impact::solve(all[i]); });
  Line line("impact/spatial");  // no bar: what an integration to 1e-11 takes
  line.number("us_per_impact", us).hash(hash).flag("pass", undone == 0).print();
  return undone == 0;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  using namespace stiction::bench;
  const int rounds = has_word(argc, argv, "--quick") ? 5 : 50;
  bool pass = from_matrix(rounds);
  for (const std::size_t n : {2, 4, 6, 12}) pass = planar(n, rounds) && pass;
  return spatial(std::max(3, rounds / 10)) && pass ? 0 : 1;
}
