#include "stiction/step/body_books.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "stiction/math/lanes.h"
#include "stiction/step/stages.h"
#include "support/random.h"

namespace stiction::step {
namespace {

constexpr double h = 0.01;

/// Bodies of every mobility in mixed order, some of them dead, in two random motions.
struct Crowd {
  Model m;
  Motions start, next;
  std::vector<unsigned char> alive;

  explicit Crowd(int count, std::uint64_t seed = 1) {
    test::Random random(seed);
    Scene scene;
    scene.gravity = {0.3, -0.2, -9.81};
    for (int i = 0; i < count; ++i) {
      BodyDescription b;
      b.position = random.vector(5);
      b.mass = random.between(0.5, 3);
      if (i % 11 == 3) {
        b.kind = fixed, b.mass = 0;
      } else if (i % 11 == 7) {
        b.particle = true;
      } else if (i % 5 == 0) {
        b.inertia = Vec3{0.2, 0.2, 0.2};
      } else {
        b.inertia = Vec3{0.2, 0.3, random.between(0.2, 0.4)};
      }
      scene.add_body("body." + std::to_string(i), b);
      alive.push_back(i % 13 != 5);
    }
    m = compile(scene).or_exit();
    for (Motions* q : {&start, &next})
      for (int i = 0; i < count; ++i) {
        const Mobility mobility = m.mobility[std::size_t(i)];
        q->position.push_back(random.vector(5)), q->orientation.push_back(random.rotation());
        q->velocity.push_back(mobility == Mobility::none ? Vec3{} : random.vector(4));
        q->spin.push_back(mobility == Mobility::free ? random.vector(3) : Vec3{});
      }
  }
  std::size_t size() const { return alive.size(); }
  BodyBooks book(std::size_t begin, std::size_t end, bool wide = lanes::wide_registers()) const {
    return book_bodies(m, alive, h, view(start), view(next), begin, end, wide);
  }
};

using Wide = long double;
struct WideVec {
  Wide x = 0, y = 0, z = 0;
  void add(Wide s, const Vec3& v) { x += s * v.x, y += s * v.y, z += s * v.z; }
};

void expect_near(const Vec3& found, const WideVec& v, double scale) {
  EXPECT_NEAR(found.x, double(v.x), scale);
  EXPECT_NEAR(found.y, double(v.y), scale);
  EXPECT_NEAR(found.z, double(v.z), scale);
}

// Energies with the spin in body axes, angular momentum of gravity body by body, sums in long double: other
// formulas than the engine's. Numbers are below 100 per body and rounded some 20 times each: 1e-13 per body.
void expect_agreement(const Crowd& c, const BodyBooks& b, std::size_t begin, std::size_t end) {
  Wide kinetic = 0, potential = 0, work = 0, excess = 0, work_flow = 0, excess_flow = 0;
  WideVec momentum, angular, impulse, angular_impulse;
  for (std::size_t i = begin; i < end; ++i) {
    if (!c.alive[i] || c.m.mobility[i] == Mobility::none) continue;
    const double mass = c.m.mass[i];
    const Vec3 x0 = c.start.position[i], x1 = c.next.position[i], v0 = c.start.velocity[i],
               v1 = c.next.velocity[i], spin = rotate_back(c.next.orientation[i], c.next.spin[i]);
    const Vec3 l = times(c.m.inertia[i], spin);
    kinetic += 0.5L * (mass * norm2(v1) + dot(l, spin));
    potential -= Wide(mass) * dot(c.m.gravity, x1 - c.m.start_position[i]);
    const double w = h * mass * dot(c.m.gravity, 0.5 * (v0 + v1)), e = w - mass * dot(c.m.gravity, x1 - x0);
    work += w, excess += e, work_flow += std::fabs(w), excess_flow += std::fabs(e);
    momentum.add(mass, v1), impulse.add(h * mass, c.m.gravity);
    angular.add(mass, cross(x1, v1)), angular.add(1, rotate(c.next.orientation[i], l));
    angular_impulse.add(h * mass, cross(x0, c.m.gravity));
  }
  const double scale = 1e-13 * double(end - begin);
  EXPECT_NEAR(b.kinetic, double(kinetic), scale);
  EXPECT_NEAR(b.gravity_potential, double(potential), scale);
  EXPECT_NEAR(b.work, double(work), scale);
  EXPECT_NEAR(b.excess, double(excess), scale);
  EXPECT_NEAR(b.work_flow, double(work_flow), scale);
  EXPECT_NEAR(b.excess_flow, double(excess_flow), scale);
  expect_near(b.momentum, momentum, scale), expect_near(b.angular_momentum, angular, scale);
  expect_near(b.impulse, impulse, scale), expect_near(b.angular_impulse, angular_impulse, scale);
}

TEST(BodyBooks, AreThoseOfEachBodyAlone) {
  const Crowd crowd(101);
  for (std::size_t begin : {0u, 1u, 5u, 6u, 40u})
    for (std::size_t end : {begin + 1, begin + 2, begin + 3, begin + 4, begin + 5, begin + 61})
      expect_agreement(crowd, crowd.book(begin, end), begin, end);
}

TEST(BodyBooks, OfNobodyAreZero) {
  Crowd crowd(20);
  std::fill(crowd.alive.begin(), crowd.alive.end(), static_cast<unsigned char>(0));
  const BodyBooks b = crowd.book(0, crowd.size());
  EXPECT_EQ(b.kinetic, 0);
  EXPECT_EQ(b.work_flow, 0);
  EXPECT_EQ(b.momentum, Vec3{});
  EXPECT_EQ(total({}).kinetic, 0);
}

TEST(BodyBooks, HaveTheSameBitsInNarrowAndWideRegisters) {
  if (!lanes::wide_registers()) GTEST_SKIP() << "no wide registers here";
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Crowd crowd(97, seed);
    const BodyBooks narrow = crowd.book(0, crowd.size(), false), wide = crowd.book(0, crowd.size(), true);
    EXPECT_EQ(std::memcmp(&narrow, &wide, sizeof narrow), 0) << seed;
  }
}

TEST(BodyBooks, AddUpOverChunks) {
  const Crowd crowd(300);
  std::vector<BodyBooks> chunks;
  for (std::size_t i = 0; i < 300; i += 100) chunks.push_back(crowd.book(i, i + 100));
  expect_agreement(crowd, total(chunks), 0, 300);
}

TEST(BodyBooks, ShowEveryNumberThatIsNotFinite) {
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  const Crowd crowd(30);
  ASSERT_TRUE(finite(std::vector{crowd.book(0, 30)}));
  for (const std::size_t body : {0u, 1u, 3u, 7u, 28u, 29u})  // round, free, fixed, a particle, left over
    for (const double value : bad)
      for (int number = 0; number < 13; ++number) {
        Crowd poisoned = crowd;
        Quat& q = poisoned.next.orientation[body];
        double* const numbers[] = {&poisoned.next.position[body].x,
                                   &poisoned.next.position[body].y,
                                   &poisoned.next.position[body].z,
                                   &poisoned.next.velocity[body].x,
                                   &poisoned.next.velocity[body].y,
                                   &poisoned.next.velocity[body].z,
                                   &poisoned.next.spin[body].x,
                                   &poisoned.next.spin[body].y,
                                   &poisoned.next.spin[body].z,
                                   &q.w,
                                   &q.x,
                                   &q.y,
                                   &q.z};
        *numbers[number] = value;
        EXPECT_FALSE(finite(std::vector{poisoned.book(0, 30)})) << body << " " << number << " " << value;
      }
}

}  // namespace
}  // namespace stiction::step
