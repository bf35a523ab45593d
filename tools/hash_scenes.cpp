// hash_scenes THREADS BUDGET SCENE...: runs each scene for BUDGET / (number of bodies) steps, but 3 at least,
// and prints "name steps hash", one line each; then a line for linear complementarity problems, solved by
// every solver. Needs the engine and the scene reader only, so that tools/hash_agreement.sh can build it with
// every compiler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "stiction/complementarity/linear/solve_linear.h"
#include "stiction/formats/scene_file.h"
#include "stiction/world/world.h"
#include "support/lcp_suite.h"

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

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: hash_scenes THREADS BUDGET SCENE...\n");
    return 2;
  }
  const int threads = std::atoi(argv[1]), budget = std::atoi(argv[2]);
  for (int i = 3; i < argc; ++i) {
    stiction::SceneFile file = stiction::read_scene_file(argv[i]).or_exit();
    file.run.threads = threads;
    stiction::World world = stiction::build(file.scene, file.run).or_exit();
    const int steps = std::max(3, budget / std::max(1, world.model().body_count()));
    int done = 0;
    for (; done < steps && world.time() < file.run.until - 0.5 * file.run.step; ++done) {
      const stiction::StepReport report = world.step();
      if (report.status == stiction::StepReport::Status::refused) {
        std::fprintf(stderr, "%s: refused: %s\n", argv[i], report.explain().c_str());
        return 1;
      }
    }
    std::printf("%s %d %s\n", std::filesystem::path(argv[i]).stem().c_str(), done,
                stiction::hex(world.hash()).c_str());
  }
  hash_linear_problems();
}
