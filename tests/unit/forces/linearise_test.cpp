// Linearised forces: the same efforts as the forces themselves, and derivatives against central differences.
#include "stiction/forces/linearise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.h"
#include "support/smooth_scene.h"
#include "unit/forces/fixture.h"

namespace stiction::forces {
namespace {

std::vector<Element> elements_of(const Fixture& f, double time) {
  Scratch scratch;
  std::vector<Element> out;
  linearise(f.model, {f.position, f.orientation, f.velocity, f.spin, f.alive}, time, scratch, out);
  return out;
}

/// Force and torque on every body, one sum for each cause.
std::vector<Effort> efforts(const Fixture& f, Cause cause) {
  std::vector<Effort> out(f.position.size());
  Scratch scratch;
  std::vector<AppliedImpulse> list;
  forces_at(f.model, {f.position, f.orientation, f.velocity, f.spin, f.alive}, 0.3, 1, scratch, list);
  for (const AppliedImpulse& a : list)
    if (a.cause == cause)
      out[std::size_t(a.body)].force += a.linear, out[std::size_t(a.body)].torque += a.angular;
  return out;
}

constexpr Cause causes[] = {Cause::spring, Cause::damping,     Cause::drag,         Cause::wrench,
                            Cause::magnus, Cause::gravitation, Cause::lennard_jones};

TEST(Linearise, GivesTheForces) {
  const Fixture f(test::smooth_scene());
  const auto elements = elements_of(f, 0.3);
  for (const Cause cause : causes) {
    const std::vector<Effort> expected = efforts(f, cause);
    std::vector<Effort> found(expected.size());
    for (const Element& e : elements) {
      if (e.cause != cause) continue;
      const auto both = effort(e);
      for (const auto& [body, side] : {std::pair{e.a, 0}, std::pair{e.b, 1}}) {
        if (body < 0) continue;
        found[std::size_t(body)].force += both[std::size_t(side)].force;
        found[std::size_t(body)].torque += both[std::size_t(side)].torque;
      }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_LT(norm(found[i].force - expected[i].force), 1e-13) << name(cause) << " " << i;
      EXPECT_LT(norm(found[i].torque - expected[i].torque), 1e-13) << name(cause) << " " << i;
    }
  }
}

// Along random moves of all bodies. Dampers by place and torsion springs across their axis are left out of
// the linearisation on purpose, so that dampers are tested by velocity, and torsion springs by turns about
// it.
TEST(Linearise, GivesTheDerivatives) {
  test::Random random(11);
  const Fixture f(test::smooth_scene());
  const auto elements = elements_of(f, 0.3);
  const double d = 1e-6;
  for (const bool by_place : {true, false})
    for (const Cause cause : causes) {
      if (by_place && cause == Cause::damping) continue;
      std::vector<Move> way;
      for (std::size_t i = 0; i < f.position.size(); ++i) way.push_back({random.vector(1), random.vector(1)});
      const auto moved = [&](double s) {
        Fixture g = f;
        for (std::size_t i = 0; i < way.size(); ++i) {
          Vec3 turn = way[i].angular;
          if (f.model.mobility[i] == Mobility::particle) turn = {};
          if (by_place) {
            g.position[i] += s * way[i].linear;
            g.orientation[i] = normalized(cayley(s * turn) * f.orientation[i]);
          } else {
            g.velocity[i] += s * way[i].linear, g.spin[i] += s * turn;
          }
        }
        if (cause == Cause::spring) g.model.torsions.clear();
        return efforts(g, cause);
      };
      const auto up = moved(d), down = moved(-d);
      std::vector<Effort> found(up.size());
      for (const Element& e : elements) {
        if (e.cause != cause || (cause == Cause::spring && e.by_turn != Mat3{})) continue;
        std::array<Move, 2> move{};
        for (const auto& [body, side] : {std::pair{e.a, 0}, std::pair{e.b, 1}})
          if (body >= 0) {
            move[std::size_t(side)] = way[std::size_t(body)];
            if (f.model.mobility[std::size_t(body)] == Mobility::particle)
              move[std::size_t(side)].angular = {};
          }
        const auto both = by_place ? change(e, move, {}) : change(e, {}, move);
        for (const auto& [body, side] : {std::pair{e.a, 0}, std::pair{e.b, 1}}) {
          if (body < 0) continue;
          found[std::size_t(body)].force += both[std::size_t(side)].force;
          found[std::size_t(body)].torque += both[std::size_t(side)].torque;
        }
      }
      double scale = 1;
      for (const Effort& e : found) scale = std::fmax(scale, norm(e.force));
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_LT(norm(found[i].force - (up[i].force - down[i].force) / (2 * d)), 1e-7 * scale)
            << name(cause) << " on " << i << (by_place ? " by place" : " by velocity");
        EXPECT_LT(norm(found[i].torque - (up[i].torque - down[i].torque) / (2 * d)), 1e-7 * scale)
            << name(cause) << " on " << i << (by_place ? " by place" : " by velocity");
      }
    }
}

TEST(Linearise, TorsionAboutItsAxis) {
  Scene s;
  s.add_body(
      "b", {.shape = Box{{0.2, 0.2, 0.1}}, .mass = 2, .orientation = cayley({0, 0, 0.4}), .spin = {0, 0, 1}});
  s.add_force("rod", TorsionSpring{.b = "b", .stiffness = 5, .damping = 0.5});
  Fixture f(s);
  const auto elements = elements_of(f, 0);
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_NEAR(change(elements[0], {{{}, {{}, {0, 0, 1}}}}, {})[1].torque.z, -5, 1e-14);
  EXPECT_NEAR(change(elements[1], {}, {{{}, {{}, {0, 0, 1}}}})[1].torque.z, -0.5, 1e-14);
}

// The limit of a spring without length is linear in all directions.
TEST(Linearise, ASpringOfNoLength) {
  Scene s;
  s.add_body("b", {.mass = 2, .particle = true});
  s.add_force("spring", SpringDamper{.b = "b", .stiffness = 7});
  const auto elements = elements_of(Fixture(s), 0);
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_EQ(change(elements[0], {{{}, {{1, 2, 3}, {}}}}, {})[1].force, (Vec3{-7, -14, -21}));
}

}  // namespace
}  // namespace stiction::forces
