// Many impacts at once: cradles, columns, a billiard break, random systems with friction.
#include "stiction/impact/many.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

#include "stiction/impact/judge.h"
#include "support/random.h"
#include "support/size.h"

namespace stiction::impact {
namespace {

constexpr std::array laws{ManyLaw::newton, ManyLaw::poisson, ManyLaw::sequential};

/// Bodies with coordinates, contacts as rows of G: u = G v, W = G M^-1 G^T.
struct Bodies {
  std::vector<double> mass, v;         // one per coordinate
  std::vector<std::vector<double>> G;  // rows, all of one length

  ManyImpacts impacts(int rows, const Coefficients& c) const {
    ManyImpacts out{.rows = rows};
    const std::size_t n = G.size();
    out.W.resize(n * n), out.u.resize(n), out.coefficients.assign(n / std::size_t(rows), c);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < v.size(); ++k) out.W[i * n + j] += G[i][k] * G[j][k] / mass[k];
      for (std::size_t k = 0; k < v.size(); ++k) out.u[i] += G[i][k] * v[k];
    }
    return out;
  }
  std::vector<double> after(const std::vector<double>& p) const {
    std::vector<double> out = v;
    for (std::size_t i = 0; i < G.size(); ++i)
      for (std::size_t k = 0; k < v.size(); ++k) out[k] += G[i][k] * p[i] / mass[k];
    return out;
  }
  double energy(const std::vector<double>& at) const {
    double sum = 0;
    for (std::size_t k = 0; k < v.size(); ++k) sum += 0.5 * mass[k] * at[k] * at[k];
    return sum;
  }
};

/// Equal balls in a row, each touching the next.
Bodies row_of_balls(const std::vector<double>& v) {
  Bodies out{std::vector<double>(v.size(), 1.0), v, {}};
  for (std::size_t i = 0; i + 1 < v.size(); ++i) {
    out.G.emplace_back(v.size(), 0.0);
    out.G.back()[i] = -1, out.G.back()[i + 1] = 1;
  }
  return out;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

struct Cradle {
  std::vector<double> before, simultaneous, sequential;
};
const std::vector<Cradle> cradles{
    {{1, 0, 0, 0, 0}, {-.6, .4, .4, .4, .4}, {0, 0, 0, 0, 1}},
    {{1, 1, 0, 0, 0}, {-.2, -.2, .8, .8, .8}, {0, 0, 0, 1, 1}},
    {{1, 1, 1, 0, 0}, {.2, .2, .2, 1.2, 1.2}, {0, 0, 1, 1, 1}},
    {{1, 0, 0, 0, -1}, {-1, 0, 0, 0, 1}, {-1, 0, 0, 0, 1}},
};

// e = 1: all laws keep energy and momentum, only the sequence is what a cradle does.
TEST(Many, Cradle) {
  for (const Cradle& c : cradles) {
    const Bodies balls = row_of_balls(c.before);
    for (const ManyLaw law : laws) {
      const ManyOutcome o = solve(balls.impacts(1, {.restitution = 1}), law);
      ASSERT_EQ(o.status, ManyStatus::done);
      EXPECT_EQ(o.factor, 1);
      expect_near(balls.after(o.p), law == ManyLaw::sequential ? c.sequential : c.simultaneous, 1e-13);
      EXPECT_NEAR(o.energy_change, 0, 1e-13);
    }
  }
}

// Left to right with e = 0.9: each impact hands on (1 + e)/2 of the speed; the last ball has 0.95^4.
TEST(Many, CradleThatLosesEnergy) {
  const Bodies balls = row_of_balls({1, 0, 0, 0, 0});
  const ManyOutcome o = solve(balls.impacts(1, {.restitution = 0.9}), ManyLaw::sequential);
  const std::vector<double> after = balls.after(o.p);
  expect_near(after, {.04352508, .04537296, .04729664, .04929906, .81450625}, 1e-8);
  EXPECT_NEAR(after[4], 0.95 * 0.95 * 0.95 * 0.95, 1e-15);
  EXPECT_NEAR(balls.energy(after) / balls.energy(balls.v), .67204094, 1e-8);
}

// Any order of the contacts gives a cradle.
TEST(Many, CradleFromRightToLeft) {
  Bodies balls = row_of_balls({1, 1, 0, 0, 0});
  std::reverse(balls.G.begin(), balls.G.end());
  const ManyOutcome o = solve(balls.impacts(1, {.restitution = 1}), ManyLaw::sequential);
  expect_near(balls.after(o.p), {0, 0, 0, 1, 1}, 1e-14);
  EXPECT_GT(o.sweeps, 1);
}

// Ten balls fall on the floor as one: all leave with e, the impulses carry (1 + e)(10, 9, ..., 1).
TEST(Many, ColumnFallsAsOne) {
  Bodies column = row_of_balls(std::vector<double>(10, -1.0));
  std::vector<double> floor(10, 0.0);
  floor[0] = 1;
  column.G.insert(column.G.begin(), floor);
  for (const ManyLaw law : {ManyLaw::newton, ManyLaw::poisson}) {
    const ManyOutcome o = solve(column.impacts(1, {.restitution = 0.5}), law);
    ASSERT_EQ(o.status, ManyStatus::done);
    expect_near(column.after(o.p), std::vector<double>(10, 0.5), 1e-12);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(o.p[i], 1.5 * double(10 - i), 1e-12);
  }
}

// What a sequence does not end by itself is finished, and said so: a ball pressed between a wall and a
// falling one.
TEST(Many, SequencesThatDoNotEndAreFinished) {
  Bodies column = row_of_balls({-1, -1});
  column.mass = {1, 100};
  column.G.insert(column.G.begin(), {1, 0});
  const ManyImpacts in = column.impacts(1, {.restitution = 0});
  ManyMemory memory;
  const ManyOutcome o = solve(in, ManyLaw::sequential, {.max_sweeps = 5}, memory);
  ASSERT_EQ(o.status, ManyStatus::done);
  EXPECT_TRUE(o.finished);
  expect_near(column.after(o.p), {0, 0}, 1e-12);
}

/// A cue ball (coordinates 0, 1) that hits a triangle of 15 touching balls at its tip, along its axis x.
Bodies billiard_break() {
  struct Point {
    double x, y;
  };
  std::vector<Point> at{{-2, 0}};
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i <= row; ++i) at.push_back({std::sqrt(3.0) * row, double(2 * i - row)});
  Bodies out{std::vector<double>(32, 0.17), std::vector<double>(32, 0.0), {}};
  out.v[0] = 8;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = i + 1; j < at.size(); ++j) {
      const double x = at[j].x - at[i].x, y = at[j].y - at[i].y, d = std::sqrt(x * x + y * y);
      if (d > 2.001) continue;
      out.G.emplace_back(32, 0.0);
      std::vector<double>& row = out.G.back();
      row[2 * i] = -x / d, row[2 * i + 1] = -y / d, row[2 * j] = x / d, row[2 * j + 1] = y / d;
    }
  return out;
}

TEST(Many, BilliardBreakKeepsEnergyAndMomentum) {
  const Bodies balls = billiard_break();
  ASSERT_EQ(balls.G.size(), 31u);
  const double momentum = balls.mass[0] * balls.v[0], energy = balls.energy(balls.v);
  for (const ManyLaw law : laws) {
    const ManyOutcome o = solve(balls.impacts(1, {.restitution = 1}), law);
    ASSERT_EQ(o.status, ManyStatus::done) << name_of(law);
    EXPECT_FALSE(o.finished);
    const std::vector<double> after = balls.after(o.p);
    EXPECT_NEAR(balls.energy(after), energy, 1e-12 * energy) << name_of(law);
    double x = 0, y = 0;
    for (std::size_t i = 0; i < 16; ++i)
      x += balls.mass[0] * after[2 * i], y += balls.mass[0] * after[2 * i + 1];
    EXPECT_NEAR(x, momentum, 1e-12 * momentum);
    EXPECT_NEAR(y, 0, 1e-12 * momentum);
    if (law == ManyLaw::sequential) continue;  // its order prefers a side
    std::size_t first = 1;                     // of the row
    for (std::size_t row = 0; row < 5; first += ++row)
      for (std::size_t i = 0; i <= row; ++i) {
        const std::size_t a = 2 * (first + i), b = 2 * (first + row - i);
        EXPECT_NEAR(after[a], after[b], 1e-9);
        EXPECT_NEAR(after[a + 1], -after[b + 1], 1e-9);
      }
  }
}

// A sequence depends on the order of its contacts: 200 random orders of the 31 contacts of the break keep
// energy and momentum, and leave the balls with velocities that differ by as much as the cue's own.
TEST(Many, OrderOfSweepsInTheBilliardBreak) {
  test::Random random(9);
  const Bodies balls = billiard_break();
  const double momentum = balls.mass[0] * balls.v[0], energy = balls.energy(balls.v);
  std::vector<double> low(32, 1e300), high(32, -1e300);
  int sweeps = 0;
  double asymmetric = 1e300;  // [-] the least of all orders: of the cue's speed
  for (int order = 0; order < 200; ++order) {
    Bodies shuffled = balls;
    for (std::size_t i = shuffled.G.size(); i-- > 1;)
      std::swap(shuffled.G[i], shuffled.G[std::size_t(random.below(int(i) + 1))]);
    const ManyOutcome o = solve(shuffled.impacts(1, {.restitution = 1}), ManyLaw::sequential);
    ASSERT_EQ(o.status, ManyStatus::done);
    ASSERT_FALSE(o.finished);
    const std::vector<double> after = shuffled.after(o.p);
    ASSERT_NEAR(shuffled.energy(after), energy, 1e-12 * energy);
    double x = 0, y = 0, off = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      x += balls.mass[0] * after[2 * i], y += balls.mass[0] * after[2 * i + 1];
      for (const std::size_t c : {2 * i, 2 * i + 1})
        low[c] = std::min(low[c], after[c]), high[c] = std::max(high[c], after[c]);
    }
    ASSERT_NEAR(x, momentum, 1e-12 * momentum);
    ASSERT_NEAR(y, 0, 1e-12 * momentum);
    std::size_t first = 1;
    for (std::size_t row = 0; row < 5; first += ++row)
      for (std::size_t i = 0; i <= row; ++i)
        off = std::max(off, std::fabs(after[2 * (first + i)] - after[2 * (first + row - i)]));
    asymmetric = std::min(asymmetric, off / balls.v[0]);
    sweeps = std::max(sweeps, o.sweeps);
  }
  double spread = 0;
  for (std::size_t c = 0; c < 32; ++c) spread = std::max(spread, high[c] - low[c]);
  std::printf(
      "200 orders: velocities differ by up to %.2f of the cue's, the cue leaves with %.2f to %.2f of it, "
      "at least %.3f off symmetry, up to %d sweeps\n",
      spread / balls.v[0], low[0] / balls.v[0], high[0] / balls.v[0], asymmetric, sweeps);
  EXPECT_GT(spread, 0.1 * balls.v[0]);
  EXPECT_GT(asymmetric, 1e-9);
}

/// A few bodies with six coordinates each, contacts with random rows between them.
Bodies random_bodies(test::Random& random, std::size_t contacts) {
  const std::size_t bodies = 2 + contacts / 2, n = 6 * bodies;
  Bodies out;
  for (std::size_t k = 0; k < n; ++k)
    out.mass.push_back(random.between(0.2, 2)), out.v.push_back(random.between(-1, 1));
  for (std::size_t c = 0; c < contacts; ++c) {
    const std::size_t a = std::size_t(random.below(int(bodies))), b = (a + 1) % bodies;
    for (int row = 0; row < 3; ++row) {
      out.G.emplace_back(n, 0.0);
      for (std::size_t k = 0; k < 6; ++k)
        out.G.back()[6 * a + k] = random.between(-1, 1), out.G.back()[6 * b + k] = random.between(-1, 1);
    }
  }
  return out;
}

// The judge sees what is wrong: impulses, restitution, friction, energy, each by a millionth.
TEST(Many, TheJudgeSeesWhatIsWrong) {
  test::Random random(77);
  JudgeMemory memory;
  for (int i = 0; i < 40; ++i) {
    const Bodies bodies = random_bodies(random, std::size_t(1 + random.below(4)));
    ManyImpacts in = bodies.impacts(3, {});
    for (Coefficients& c : in.coefficients) {
      const double mu = random.between(0.1, 1);
      c = {random.between(0.2, 0.9), mu, mu};
    }
    for (const ManyLaw law : laws) {
      ManyOutcome o = solve(in, law);
      ASSERT_EQ(o.status, ManyStatus::done);
      ASSERT_LT(judge(in, law, o, 0, memory), 1e-10) << i << " " << name_of(law);
      std::size_t most = 0;  // the normal impulse that is largest
      for (std::size_t k = 0; k < in.contacts(); ++k)
        if (o.p[3 * k] > o.p[3 * most]) most = k;
      if (o.p[3 * most] == 0) continue;
      const double sound = o.p[3 * most];
      o.p[3 * most] = sound * (1 + 1e-6);
      EXPECT_GT(judge(in, law, o, 0, memory), 1e-8) << i << " " << name_of(law);
      o.p[3 * most] = sound;
      for (Coefficients& c : in.coefficients) c.restitution -= 1e-3;
      EXPECT_GT(judge(in, law, o, 0, memory), 1e-7) << i << " " << name_of(law);
      for (Coefficients& c : in.coefficients) c.restitution += 1e-3;
    }
  }
}

/// A single impact that ends with another normal impulse, along its own path, with works that fit.
ManyOutcome ended_at(const ManyImpacts& in, double restitution) {
  ManyImpacts other = in;
  other.coefficients[0].restitution = restitution;
  ManyOutcome out = solve(other, ManyLaw::sequential);
  SingleImpact& s = out.singles.at(0);
  const double e = in.coefficients[0].restitution, change = s.released - s.stored;
  s.stored = -change / (1 - e * e), s.released = e * e * s.stored, s.restitution = e;  // as if all were well
  return out;
}

// Of single impacts with friction it believes no word: works, friction and end are gone through again. Wrong
// e, wrong friction or wrong words by a thousandth are seen, and what is right passes at 1e-10.
TEST(Many, TheJudgeBelievesNoWordOfSingleImpacts) {
  test::Random random(78);
  JudgeMemory memory;
  double worst = 0, seen = 1e300;
  for (int i = 0; i < test::cases(300, 20000); ++i) {
    ManyImpacts in = random_bodies(random, 1).impacts(3, {});
    const double mu = random.between(0.05, 1);
    in.coefficients[0] = {i % 7 == 0 ? 0 : random.between(0.2, 0.9), mu, random.between(0.05, mu)};
    in.u[0] = -std::fabs(in.u[0]) - 0.1;
    const ManyOutcome sound = solve(in, ManyLaw::sequential);
    ASSERT_EQ(sound.status, ManyStatus::done);
    const auto says = [&](const ManyOutcome& o) { return judge(in, ManyLaw::sequential, o, 0, memory); };
    worst = std::max(worst, says(sound));
    ASSERT_LT(says(sound), 1e-10) << i;
    const double e = in.coefficients[0].restitution;
    for (const double wrong : {e > 0 ? 0.0 : 0.1, e > 0 ? e * (1 - 1e-3) : 0.01}) {
      const double said = says(ended_at(in, wrong));
      seen = std::min(seen, said);
      ASSERT_GT(said, 1e-7) << i << ", e " << wrong;
    }
    ManyOutcome turned = sound;  // friction 1e-3 rad round
    Vec3& p = turned.singles[0].impulse;
    const double y = p.y - 1e-3 * p.z, z = p.z + 1e-3 * p.y;
    p.y = turned.p[1] = y, p.z = turned.p[2] = z;
    if (std::sqrt(y * y + z * z) > 1e-2 * p.x) {
      ASSERT_GT(says(turned), 1e-6) << i;
    }
    ManyOutcome words = sound;  // work that friction did not do
    words.singles[0].stored *= 1.001, words.singles[0].released *= 1.001;
    words.singles[0].friction -= 0.001 * (sound.singles[0].released - sound.singles[0].stored);
    ASSERT_GT(says(words), 1e-7) << i;
  }
  std::printf("sound impacts: at most %.1e; wrong e by a thousandth: at least %.1e\n", worst, seen);
}

// Slip that is thrown back by another e_t than wanted, or not at all, or lowered where nothing asks for it.
TEST(Many, TheJudgeSeesWrongSuperballs) {
  test::Random random(79);
  JudgeMemory memory;
  int lowered = 0, slipped = 0, kept = 0;
  for (int i = 0; i < test::cases(400, 20000); ++i) {
    ManyImpacts in = random_bodies(random, 1).impacts(3, {});
    const double mu = random.between(0.05, 3);
    in.coefficients[0] = {random.between(0.2, 1), mu, mu};
    const double et = in.coefficients[0].tangential_restitution = random.between(-1, 1);
    in.u[0] = -std::fabs(in.u[0]) - 0.1;
    const auto says = [&](const ManyOutcome& o) { return judge(in, ManyLaw::superball, o, 0, memory); };
    const ManyOutcome sound = solve(in, ManyLaw::superball);
    ASSERT_EQ(sound.status, ManyStatus::done);
    ASSERT_LT(says(sound), 1e-10) << i;
    (sound.lowered ? lowered : kept) += 1;
    for (const double other : {et > 0 ? 0.5 * et : 0.5 * (et - 1), et - 1e-3}) {
      if (other < -1) continue;
      ManyImpacts less = in;
      less.coefficients[0].tangential_restitution = other;
      const ManyOutcome wrong = solve(less, ManyLaw::superball);
      double apart = 0;
      for (std::size_t k = 0; k < 3; ++k) apart = std::max(apart, std::fabs(wrong.u[k] - sound.u[k]));
      if (apart > 1e-5) {
        ASSERT_GT(says(wrong), 1e-7) << i << ", e_t " << other;
      }
      slipped += apart == 0;  // both along the path of slip
    }
    ManyImpacts rough = in;  // Coulomb's path, where slip should be thrown back
    rough.coefficients[0].tangential_restitution = std::nan("");
    const ManyOutcome wrong = solve(rough, ManyLaw::sequential);
    if (std::fabs(wrong.u[1] - sound.u[1]) > 1e-5) {
      ASSERT_GT(says(wrong), 1e-7) << i;
    }
  }
  EXPECT_GT(lowered, 20);
  EXPECT_GT(slipped, 20);
  EXPECT_GT(kept, 20);
}

// e lowered where energy does not ask for it: a factor of 0 with no restitution at all.
TEST(Many, TheJudgeSeesRestitutionLoweredForNothing) {
  JudgeMemory memory;
  ManyImpacts in{.rows = 1, .W = {1, 0.2, 0.2, 1}, .u = {-1, -0.5}, .coefficients = {{0.5}, {0.5}}};
  for (const ManyLaw law : {ManyLaw::newton, ManyLaw::poisson}) {
    EXPECT_LT(judge(in, law, solve(in, law), 0, memory), 1e-14);
    for (Coefficients& c : in.coefficients) c.restitution = 0;
    ManyOutcome plastic = solve(in, law);
    for (Coefficients& c : in.coefficients) c.restitution = 0.5;
    plastic.factor = 0;
    EXPECT_GT(judge(in, law, plastic, 0, memory), 0.1) << name_of(law);
  }
}

// A sequence with tangential restitution: one sphere, as superball.h has it.
TEST(Many, SuperballLaw) {
  ManyImpacts in{.rows = 3};
  in.W = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, in.u = {-1, .6, .8}, in.coefficients = {{0.8, 2, 2}};
  in.coefficients[0].tangential_restitution = 0.5;
  const ManyOutcome o = solve(in, ManyLaw::superball);
  ASSERT_EQ(o.status, ManyStatus::done);
  expect_near(o.u, {0.8, -0.3, -0.4}, 1e-15);
  JudgeMemory memory;
  EXPECT_LT(judge(in, ManyLaw::superball, o, 0, memory), 1e-14);
  in.coefficients[0].tangential_restitution = 2;
  EXPECT_EQ(solve(in, ManyLaw::superball).status, ManyStatus::bad_input);
}

TEST(Many, RandomSystemsWithFrictionNeverGainEnergy) {
  test::Random random(31);
  const int count = test::cases(60, 2000);
  int lowered[2] = {0, 0};
  for (int i = 0; i < count; ++i) {
    const Bodies bodies = random_bodies(random, std::size_t(1 + random.below(6)));
    ManyImpacts in = bodies.impacts(3, {});
    for (Coefficients& c : in.coefficients) {
      const double mu = random.between(0, 1.2);
      c = {random.unit(), mu, mu};
    }
    for (const ManyLaw law : laws) {
      const ManyOutcome o = solve(in, law);
      ASSERT_EQ(o.status, ManyStatus::done) << i << " " << name_of(law);
      const double before = bodies.energy(bodies.v), after = bodies.energy(bodies.after(o.p));
      ASSERT_LE(after, before * (1 + 1e-11)) << i << " " << name_of(law);
      ASSERT_NEAR(after - before, o.energy_change, 1e-11 * before) << i << " " << name_of(law);
      for (std::size_t k = 0; k < in.contacts(); ++k) {
        ASSERT_GE(o.u[3 * k], -1e-9) << i << " " << name_of(law);
        ASSERT_LE(std::hypot(o.p[3 * k + 1], o.p[3 * k + 2]),
                  in.coefficients[k].friction_kinetic * o.p[3 * k] + 1e-9)
            << i << " " << name_of(law);
      }
      JudgeMemory memory;
      ASSERT_LT(judge(in, law, o, 0, memory), 1e-9) << i << " " << name_of(law);
      if (law != ManyLaw::sequential) lowered[law == ManyLaw::poisson] += o.factor < 1;
    }
  }
  EXPECT_GT(lowered[0], 0);
  RecordProperty("newton_lowered", lowered[0]);
  RecordProperty("poisson_lowered", lowered[1]);
}

// Newton's law with a different e at each contact creates energy in one of six such systems: then e is
// lowered to where the energy is kept, and no further.
TEST(Many, LowersRestitutionToWhereEnergyIsKept) {
  test::Random random(5);
  int lowered = 0;
  const int count = test::cases(300, 3000);
  for (int i = 0; i < count; ++i) {
    Bodies bodies;
    const std::size_t contacts = std::size_t(2 + random.below(4)), n = contacts + 2;
    bodies.mass.assign(n, 1.0);
    for (std::size_t k = 0; k < n; ++k) bodies.v.push_back(random.between(-1, 1));
    for (std::size_t c = 0; c < contacts; ++c) {
      bodies.G.emplace_back();
      for (std::size_t k = 0; k < n; ++k) bodies.G.back().push_back(random.between(-1, 1));
    }
    ManyImpacts in = bodies.impacts(1, {});
    for (Coefficients& c : in.coefficients) c.restitution = random.below(2);
    for (const ManyLaw law : {ManyLaw::newton, ManyLaw::poisson}) {
      const ManyOutcome o = solve(in, law);
      ASSERT_EQ(o.status, ManyStatus::done);
      const double before = bodies.energy(bodies.v), after = bodies.energy(bodies.after(o.p));
      ASSERT_LE(after, before * (1 + 1e-11)) << i;
      if (o.factor == 1) continue;
      ++lowered;
      ASSERT_NEAR(after, before, 1e-10 * before) << i;
    }
  }
  EXPECT_GT(lowered, count / 20);
}

// One contact alone: the simultaneous laws are those of a sphere's closed form.
TEST(Many, OneSlidingSphere) {
  ManyImpacts in{.rows = 3};
  in.W = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5}, in.u = {-1, 3, 4}, in.coefficients = {{0.8, 0.2, 0.2}};
  for (const ManyLaw law : laws) expect_near(solve(in, law).p, {1.8, -.216, -.288}, 1e-12);
  in.u = {-1, .6, .8}, in.coefficients = {{0.8, 0.4, 0.4}};
  for (const ManyLaw law : laws) expect_near(solve(in, law).p, {1.8, -6.0 / 35, -8.0 / 35}, 1e-12);
}

TEST(Many, SaysWhatIsWrong) {
  ManyImpacts in{.rows = 2};
  in.W = {1}, in.u = {-1}, in.coefficients = {{.restitution = 2}};
  EXPECT_EQ(solve(in, ManyLaw::newton).status, ManyStatus::bad_input);
  EXPECT_EQ(validate(in).size(), 4u);
}

}  // namespace
}  // namespace stiction::impact
