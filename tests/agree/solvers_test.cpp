// Different solvers, the same motion. Impulses of redundant contacts are not unique; velocities are compared.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

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
  file.run.solver = SolverChoice::automatic;
  World leader = world_of(file.scene, file.run);
  file.run.solver = SolverChoice::newton;
  World newton = world_of(file.scene, file.run);
  file.run.solver = SolverChoice::nsgs;
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
INSTANTIATE_TEST_SUITE_P(Scenes, Solvers,
                         testing::Values(Case{"incline_stick", {}, 50, 1e-8},
                                         Case{"incline_slide", {}, 50, 1e-8},
                                         Case{"rolling_sphere", {}, 40, 1e-8}, Case{"bowls", {}, 40, 1e-8},
                                         Case{"planar_rod", {}, 80, 1e-8},
                                         Case{"heavy_stack", {{"$n", "5"}, {"$top", "10"}}, 10, 1e-8},
                                         Case{"pyramid", {{"$base", "4"}}, 30, 1e-8},
                                         Case{"spheres", {{"$n", "2"}}, 60, 1e-8}));

struct Velocities {
  int solved = 0;    // by all solvers
  int unsolved = 0;  // by the policy
  double worst = 0;  // [m/s, rad/s] difference
};
/// Solves random problems from cold with every solver. Sweeps alone may run out of their budget; the policy
/// may not.
Velocities compare_on_random_problems(ProblemSize size, int count) {
  using namespace complementarity;
  Random random(21);
  Team team;
  Velocities out;
  for (int i = 0; i < count; ++i) {
    size.blocks = 2 + random.below(6), size.contacts = 4 + random.below(20);
    const FrictionProblem p = random_problem(random, size);
    std::vector<std::vector<double>> velocities;
    for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs}) {
      std::vector<SolverMemory> memory;
      std::vector<double> r(3 * p.contacts.size(), 0.0), v(p.v_free.size());
      const SolveReport report = solve(p, {.tolerance = 1e-10, .solver = solver}, team, memory, r);
      out.unsolved += !report.converged && solver == SolverChoice::automatic;
      if (!report.converged) break;
      velocities_from(p, p.islands[0], r.data(), v.data());
      velocities.push_back(v);
    }
    if (velocities.size() < 3) continue;
    ++out.solved;
    for (std::size_t k = 0; k < p.v_free.size(); ++k) {
      out.worst = std::fmax(out.worst, std::fabs(velocities[0][k] - velocities[1][k]));
      out.worst = std::fmax(out.worst, std::fabs(velocities[0][k] - velocities[2][k]));
    }
  }
  return out;
}

// [m/s] tolerance 1e-10 times speeds of 1 m/s over the smallest eigenvalue of W, some 1e-3; measured 1e-7.
constexpr double same_velocity = 1e-6;

// Without friction the problem is a strictly convex one in the velocities, which are unique, however
// redundant the contacts.
TEST(SolversAgree, OnRandomProblemsWithoutFriction) {
  const int count = at_size(30, 300);
  for (const bool redundant : {false, true})
    for (const int equalities : {0, 2}) {
      const Velocities v = compare_on_random_problems(
          {.mu = 0, .equalities = equalities, .redundant = redundant, .gaps = true}, count);
      EXPECT_EQ(v.unsolved, 0);
      EXPECT_GE(v.solved, count * 3 / 4);
      EXPECT_LT(v.worst, same_velocity) << "redundant " << redundant << " equalities " << equalities;
    }
}

// With a little friction they still are, as long as no contact is redundant: there the distribution of the
// normal impulses, which is open, turns the friction, and several motions fulfil Coulomb's law.
TEST(SolversAgree, OnRandomProblemsWithLittleFriction) {
  const int count = at_size(60, 600);
  for (const bool gaps : {false, true}) {
    const Velocities v = compare_on_random_problems({.mu = 0.05, .gaps = gaps}, count);
    EXPECT_EQ(v.unsolved, 0);
    EXPECT_GE(v.solved, count * 3 / 4);
    EXPECT_LT(v.worst, same_velocity);
  }
}

}  // namespace
}  // namespace stiction::test
