// Different solvers, the same motion. Impulses of redundant contacts are not unique; velocities are compared.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "stiction/complementarity/residual.h"
#include "stiction/complementarity/solve.h"
#include "support/friction_problem.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

/// Largest difference of velocities [m/s] and a tenth of the spins between two states of one model.
double difference(const State& a, const State& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) {
    worst = std::fmax(worst, norm(a.velocity[i] - b.velocity[i]));
    worst = std::fmax(worst, 0.1 * norm(a.spin[i] - b.spin[i]));
  }
  return worst;
}

struct Case {
  const char* scene;
  Overrides overrides;
  int steps;       // [-]
  double allowed;  // [m/s]
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.scene; }

class Solvers : public testing::TestWithParam<Case> {};

// Every step is made three times from the same state, so that differences are those of one solution.
TEST_P(Solvers, GiveTheSameVelocitiesInEveryStep) {
  SceneFile file = read(scenes + std::string(GetParam().scene) + ".json", GetParam().overrides);
  file.run.tolerance = 1e-10;
  file.run.solver = "auto";
  World leader = world_of(file.scene, file.run);
  file.run.solver = "newton";
  World newton = world_of(file.scene, file.run);
  file.run.solver = "nsgs";
  World nsgs = world_of(file.scene, file.run);
  double worst = 0;
  int compared = 0;
  for (int i = 0; i < GetParam().steps; ++i) {
    const std::vector<unsigned char> start = leader.save();
    value_of(newton.restore(start));
    value_of(nsgs.restore(start));
    const StepReport a = leader.step(), b = newton.step(), c = nsgs.step();
    EXPECT_TRUE(a.converged) << "step " << i << " auto: " << a.explain();
    EXPECT_TRUE(b.converged) << "step " << i << " newton: " << b.explain();
    EXPECT_TRUE(c.converged) << "step " << i << " nsgs: " << c.explain();
    if (a.contacts > 0) ++compared;
    worst = std::fmax(worst, difference(leader.state(), newton.state()));
    worst = std::fmax(worst, difference(leader.state(), nsgs.state()));
  }
  EXPECT_LT(worst, GetParam().allowed);
  EXPECT_GT(compared, GetParam().steps / 4);
}

// Tolerance 1e-10, relative to the impulses; speeds are of the order of 1 m/s, masses of a scene alike.
INSTANTIATE_TEST_SUITE_P(
    Scenes, Solvers,
    testing::Values(Case{"incline_stick", {}, 50, 1e-8}, Case{"incline_slide", {}, 50, 1e-8},
                    Case{"rolling_sphere", {}, 40, 1e-8}, Case{"planar_rod", {}, 80, 1e-8},
                    Case{"heavy_stack", {{"$n", "5"}, {"$top", "10"}, {"record.plot", "[]"}}, 10, 1e-8},
                    Case{"pyramid", {{"$base", "4"}}, 30, 1e-8}, Case{"spheres", {{"$n", "2"}}, 60, 1e-8}));

// Random problems with little friction, where the solution is unique: the same velocities from every solver.
TEST(SolversAgree, OnRandomProblems) {
  using namespace complementarity;
  Random random(21);
  Team team;
  double worst = 0;
  int solved = 0;
  for (int i = 0; i < at_size(60, 1000); ++i) {
    const ProblemSize size{.blocks = 2 + random.below(6),
                           .contacts = 4 + random.below(20),
                           .mu = 0.3,
                           .equalities = random.below(3),
                           .redundant = i % 3 == 0,
                           .gaps = i % 2 == 0};
    const FrictionProblem p = random_problem(random, size);
    std::vector<std::vector<double>> velocities;
    for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs}) {
      std::vector<SolverMemory> memory;
      std::vector<double> r(3 * p.contacts.size(), 0.0), v(p.v_free.size());
      const SolveReport report = solve(p, {.tolerance = 1e-10, .solver = solver}, team, memory, r);
      EXPECT_TRUE(report.converged) << "problem " << i << " solver " << int(solver) << " residual "
                                    << report.residual;
      if (!report.converged) continue;
      velocities_from(p, p.islands[0], r.data(), v.data());
      velocities.push_back(v);
    }
    if (velocities.size() < 3) continue;
    ++solved;
    for (std::size_t k = 0; k < p.v_free.size(); ++k) {
      worst = std::fmax(worst, std::fabs(velocities[0][k] - velocities[1][k]));
      worst = std::fmax(worst, std::fabs(velocities[0][k] - velocities[2][k]));
    }
    ASSERT_LT(worst, 1e-6) << "problem " << i;  // 1e-10 over the smallest eigenvalue of W, about 1e-3
  }
  EXPECT_GE(solved, at_size(60, 1000));
}

}  // namespace
}  // namespace stiction::test
