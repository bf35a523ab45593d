// Section VI-B: a rectangle is dropped on a floor and pushed about, with and without post-stabilisation. The
// paper's pushes came from a user at the mouse and are not printed: size, mass, friction, start and pushes
// are our choice, reference values an independent program's for it. Contacts are those that are closed at the
// start of a step, normal velocities are kept from closing (Anitescu and Potra), h = 1 ms. And as in Figure
// 10 five bodies that fall in a heap.
#include <array>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/math/elementary.h"
#include "stiction/reproduce/cline_pai.h"
#include "stiction/reproduce/reproduce.h"
#include "stiction/reproduce/runs.h"

namespace stiction::reproduce {
namespace {

constexpr double h = 1e-3, width = 0.1, height = 0.05, depth = 0.1;
constexpr int steps = 3500;

struct Push {
  double from, to, x, y, torque;  // [s], [N], [N m]
};
constexpr std::array<Push, 6> pushes{{{0.5, 0.9, 9, 0, 0},
                                      {1, 1.2, -14, 0, 0},
                                      {1.5, 1.62, 0, 0, -0.8},
                                      {2, 2.12, 0, 0, 0.8},
                                      {2.4, 2.6, 0, 14, 0.01},
                                      {3, 3.2, 6, 0, -0.45}}};

World rectangle(Stabilisation stabilisation, double tolerance) {
  Scene s{.gravity = {0, -9.81, 0}};
  s.add_surface("wood", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 1, 0}}, .surface = "wood"});
  const double J = (width * width + height * height) / 12, angle = 20 * 3.14159265358979323846 / 180;
  s.add_body("box", {.shape = Box{{width, height, depth}},
                     .mass = 1,
                     .position = {0, 0.15, 0},
                     .orientation = {elementary::cos(0.5 * angle), 0, 0, elementary::sin(0.5 * angle)},
                     .surface = "wood",
                     .inertia = Vec3{J, J, J}});
  s.add_joint("plane", PlanarJoint{.body = "box", .normal = {0, 0, 1}});
  Result<World> world = build(s, {.step = h,
                                  .tolerance = tolerance,
                                  .method = Method::anitescu_potra,
                                  .stabilisation = stabilisation,
                                  .activation = Activation::touching});
  STICTION_ASSERT(world);  // the examples are ours
  return std::move(world).value();
}

struct Run {
  std::vector<double> overlap;  // [mm] after each step
  std::vector<double> x, y, vx;
  int unconverged = 0;
  double imbalance = 0;  // [-] of the books, worst

  double most() const {
    double worst = 0;
    for (const double o : overlap) worst = std::fmax(worst, o);
    return worst;
  }
};

/// [mm] how deep the lowest corner of a box is in the floor.
double depth_of(const World& world, BodyId id, const Vec3& size) {
  double lowest = 1e300;
  for (int corner = 0; corner < 4; ++corner) {
    const Vec3 at{(corner & 1 ? 0.5 : -0.5) * size.x, (corner & 2 ? 0.5 : -0.5) * size.y, 0};
    lowest = std::fmin(lowest, world.position(id).y + rotate(world.orientation(id), at).y);
  }
  return 1000 * std::fmax(0.0, -lowest);
}

void note(const World& world, Run& out) {
  out.unconverged += !world.last_report().converged;
  out.imbalance = std::fmax(out.imbalance, std::fabs(world.ledger().imbalance()) / world.ledger().scale());
}

Run run_rectangle(Stabilisation stabilisation, double tolerance) {
  World world = rectangle(stabilisation, tolerance);
  const BodyId box = world.body("box");
  Run out;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    for (const Push& p : pushes)
      if (t >= p.from && t < p.to)
        world.input().force(box, {p.x, p.y, 0}), world.input().torque(box, {0, 0, p.torque});
    world.step();
    out.overlap.push_back(depth_of(world, box, {width, height, depth}));
    out.x.push_back(world.position(box).x), out.y.push_back(world.position(box).y);
    out.vx.push_back(world.velocity(box).x);
    note(world, out);
  }
  return out;
}

constexpr int heap = 5;
constexpr double edge = 0.1;

/// Five boxes in a plane, one above the other and turned, between two walls.
Run run_heap(Stabilisation stabilisation) {
  Scene s{.gravity = {0, -9.81, 0}};
  s.add_surface("wood", {.friction = 0.5});
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 1, 0}}, .surface = "wood"});
  s.add_body("left", {.kind = fixed, .shape = HalfSpace{{1, 0, 0}, -0.12}, .surface = "wood"});
  s.add_body("right", {.kind = fixed, .shape = HalfSpace{{-1, 0, 0}, -0.12}, .surface = "wood"});
  for (int i = 0; i < heap; ++i) {
    const std::string name = "box" + std::to_string(i);
    const double turn = 0.15 + 0.35 * i;
    s.add_body(name, {.shape = Box{{edge, edge, edge}},
                      .mass = 1,
                      .position = {0.01 * (i % 2 == 0 ? 1 : -1), 0.1 + 0.16 * i, 0},
                      .orientation = {elementary::cos(0.5 * turn), 0, 0, elementary::sin(0.5 * turn)},
                      .surface = "wood"});
    s.add_joint("plane" + std::to_string(i), PlanarJoint{.body = name, .normal = {0, 0, 1}});
  }
  Result<World> built = build(s, {.step = h,
                                  .method = Method::anitescu_potra,
                                  .stabilisation = stabilisation,
                                  .activation = Activation::touching});
  STICTION_ASSERT(built);  // the examples are ours
  World world = std::move(built).value();
  Run out;
  run(world, 1500, [&] {
    double deepest = 0;
    for (const Contact& c : world.contacts()) deepest = std::fmax(deepest, -1000 * c.gap);
    out.overlap.push_back(deepest);
    note(world, out);
  });
  return out;
}

Series series(std::string label, const std::vector<double>& overlap) {
  Series s{std::move(label), {}, overlap};
  for (std::size_t i = 0; i < overlap.size(); ++i) s.x.push_back(double(i + 1));
  return s;
}

void claim_both(Outcome& out, const std::string& what, const Run& none, const Run& post) {
  out.claim(what + "post: largest overlap after the pass [mm]", "eliminated completely", post.most(),
            Band::at_most(1e-6));
  for (const Run* run : {&none, &post}) {
    const std::string which = what + (run == &none ? "none: " : "post: ");
    out.claim(which + "steps that missed their tolerance", "", run->unconverged, Band::at_most(0));
    out.claim(which + "worst imbalance of the books [-]", "", run->imbalance, Band::at_most(1e-12));
  }
}

}  // namespace

void cline_pai_contact(Outcome& out) {
  // the tolerance says which gaps are closed: 1e-5 m as in the reference, and as small as it gets
  const Run none = run_rectangle(Stabilisation::none, 1e-4), like = run_rectangle(Stabilisation::post, 1e-4),
            post = run_rectangle(Stabilisation::post, 1e-8);
  out.claim("none: largest overlap [mm]", "up to 16 to 18, persistent", 1.522, none.most(),
            Band::absolute(1e-3));
  claim_both(out, "", none, post);
  out.claim("none: overlap at the end [mm]", "", 0.503, none.overlap.back(), Band::absolute(1e-3));
  struct State {
    double t, x, y, vx;
  };
  constexpr std::array<State, 4> states{{{0.3, 0.01026708291, 0.02500190535, 0},
                                         {0.69, 0.08457085791, 0.02500190535, 0.77805},
                                         {1.29, 0.3297828579, 0.02500190535, -0.822755},
                                         {1.6, 0.2746548631, 0.04243373861, 0.3446474649}}};
  for (const State& s : states) {
    const auto i = std::size_t(std::lround(s.t / h)) - 1;
    const std::string at = "post, at " + number_text(s.t) + " s: ";
    out.claim(at + "place [m]", "", s.x, like.x[i], Band::absolute(1e-6));
    out.claim(at + "height [m]", "", s.y, like.y[i], Band::absolute(1e-6));
    out.claim(at + "velocity [m/s]", "", s.vx, like.vx[i], Band::absolute(1e-6));
  }
  out.claim("post: place at the end [m]", "", 0.287058767, like.x.back(), Band::absolute(5e-3));
  out.figure({"cline-pai-figure-8",
              "Rectangle pushed over a floor",
              "step",
              "overlap [mm]",
              {series("none", none.overlap), series("post", post.overlap)}});
}

void cline_pai_heap(Outcome& out) {
  const Run none = run_heap(Stabilisation::none), post = run_heap(Stabilisation::post);
  out.claim("five boxes, none: largest overlap [mm]", "", none.most(), Band::between(0.1, 100));
  claim_both(out, "five boxes, ", none, post);
  out.figure({"cline-pai-figure-10",
              "Five boxes fall in a heap",
              "step",
              "overlap [mm]",
              {series("none", none.overlap), series("post", post.overlap)}});
}

}  // namespace stiction::reproduce
