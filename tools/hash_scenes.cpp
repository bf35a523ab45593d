// hash_scenes THREADS SCALE SCENE[,STEPS[,CONTACTS[,KEY=VALUE...]]]...: runs each scene for STEPS * SCALE
// steps, not beyond its own end, and prints "name steps contacts hash", one line each. `contacts` is the
// largest number of contacts that carried an impulse in one step; fewer than CONTACTS is a failure, since a
// scene in which nothing touches says little about same bits. Then a line for linear complementarity
// problems, solved by every solver, and one for trees. Without STEPS: 1000 / (number of bodies), but 3 at
// least. Needs the engine and the scene reader only, so that tools/hash_agreement.sh can build it with every
// compiler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "stiction/complementarity/linear/solve_linear.h"
#include "stiction/dynamics/tree/variational.h"
#include "stiction/formats/scene_file.h"
#include "stiction/world/world.h"
#include "support/lcp_suite.h"
#include "support/tree_state.h"
#include "support/trees.h"

namespace {

// Every solver on random and contact problems: answers, residuals and numbers of pivots.
void hash_linear_problems() {
  using namespace stiction;
  namespace linear = stiction::complementarity;
  test::Random random(5);
  Hash hash;
  int pivots = 0;
  const auto add = [&](const linear::LinearReport& report, const std::vector<double>& z) {
    for (const double x : z) hash.number(x);
    hash.number(report.residual);
    pivots += report.pivots;
  };
  const auto see = [&](const linear::Lcp& p) {
    std::vector<double> z;
    add(linear::lemke(p, {}, z), z);
    add(linear::solve(p, 1e-10, z), z);
    add(linear::block_pivoting(p, {.max_solves = 30}, z), z);
    add(linear::gauss_seidel(p, {.max_sweeps = 50}, z), z);
    add(linear::jacobi(p, {.max_sweeps = 50}, z), z);
  };
  for (const int n : {3, 20, 70, 150}) {
    see(test::random_spd(random, n)), see(test::random_psd(random, n, 0.3));
    see(test::random_monotone(random, n, 0.3)), see(test::random_p(random, n));
  }
  for (const double ratio : {1.0, 1000.0})
    see(linear::stewart_trinkle_lcp(test::box_stack(5, 8, 0.5, 0.05, ratio)));
  see(linear::stewart_trinkle_lcp(test::random_heap(random, 30, 8)));
  std::printf("linear-complementarity %d %s\n", pivots, hex(hash.result()).c_str());
}

// Trees: every algorithm on random states, and a motion in which differences would grow.
void hash_trees() {
  using namespace stiction;
  Hash hash;
  const auto add = [&](const std::vector<double>& numbers) {
    for (const double x : numbers) hash.number(x);
  };
  for (const tree::Description& d :
       {test::humanoid(), test::random_tree(1, 20), test::random_tree(2, 40, 0.2), test::chain(100)}) {
    test::TreeState s(d);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      s.randomise(seed);
      s.forward();
      add(s.q), add(s.v), add(s.dv), add(s.inverse_of(s.dv));
      tree::mass_matrix(s.f(), s.p(), s.k(), s.m);
      add(s.m.rows);
      tree::factorise(s.f(), s.m.rows);
      add(s.m.rows);
      const Mat3 W = tree::collision_matrix(s.f(), s.k(), s.d.articulated, s.f().link_count() - 1, {1, 2, 3},
                                            Mat3::identity(), s.d.scratch);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) hash.number(W(i, j));
      hash.number(s.energy());
      tree::integrate(s.f(), s.q, s.v, 0.01, s.q);
      add(s.q);
    }
    test::runge_kutta(s, 1e-3, 100);
    add(s.q), add(s.v);
    s.randomise(3);
    tree::Variational w;
    for (int i = 0; i < 50; ++i)
      hash.number(tree::advance_variationally(s.f(), s.p(), 1e-3, {}, {}, s.q, s.v, w).residual);
    add(s.q), add(s.v);
  }
  std::printf("trees %s\n", hex(hash.result()).c_str());
}

}  // namespace

namespace {

using namespace stiction;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

/// Prints its line; false if a step was refused or too little touched.
bool run(const std::vector<std::string>& words, int threads, int scale) {
  const std::string name = std::filesystem::path(words[0]).stem().string();
  Overrides overrides;
  for (std::size_t i = 3; i < words.size(); ++i) {
    const std::size_t equals = std::min(words[i].find('='), words[i].size() - 1);
    overrides.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
  }
  SceneFile file = read_scene_file(words[0], overrides).or_exit();
  file.run.threads = threads;
  World world = build(file.scene, file.run).or_exit();
  const int asked = words.size() > 1 ? std::atoi(words[1].c_str())
                                     : std::max(3, 1000 / std::max(1, world.model().body_count()));
  const std::int64_t steps = std::min(std::int64_t(asked) * scale, steps_until(file.run));
  std::size_t contacts = 0;
  while (world.state().step_count < steps) {
    const StepReport report = world.step();
    if (report.status == StepReport::Status::refused) {
      std::fprintf(stderr, "%s: refused: %s\n", name.c_str(), report.explain().c_str());
      return false;
    }
    contacts = std::max(contacts, world.state().contacts.size());  // those that carried an impulse
  }
  std::printf("%s %lld %zu %s\n", name.c_str(), static_cast<long long>(steps), contacts,
              hex(world.hash()).c_str());
  const std::size_t least = words.size() > 2 ? std::size_t(std::atoi(words[2].c_str())) : 0;
  if (contacts >= least) return true;
  std::fprintf(stderr, "%s: at most %zu contacts in %lld steps, at least %zu expected\n", name.c_str(),
               contacts, static_cast<long long>(steps), least);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: hash_scenes THREADS SCALE SCENE[,STEPS[,CONTACTS[,KEY=VALUE...]]]...\n");
    return 2;
  }
  bool good = true;
  for (int i = 3; i < argc; ++i) good = run(split(argv[i]), std::atoi(argv[1]), std::atoi(argv[2])) && good;
  hash_linear_problems();
  hash_trees();
  return good ? 0 : 1;
}
