// make_problems DIR [MOST]: frictional contact problems with up to MOST contacts (default 5000) as FCLib
// files, taken from runs of the engine, in local form, the smallest also in global form:
//
//   stack   cubes on top of each other, four points per face, masses 1 to 1000 in turn, pushed at the top
//   chain   cubes in a row on a floor, the first one pushed against the others
//   wall    bricks in a pyramid, hit by a ball
//   pile    balls and boxes that fell into a pit; as `rolling` also with rolling friction, in global form
//
// The same numbers on every machine. Prints one line per file.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "stiction/base/platform/file.h"
#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/record/fclib.h"
#include "stiction/stiction.h"

namespace stiction {
namespace {

constexpr double edge = 0.2;  // [m] of a cube

Scene on_a_floor() {
  Scene scene;
  scene.gravity = {0, 0, -9.81};
  scene.surfaces.push_back({"stone", {.friction = 0.6}});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "stone"});
  return scene;
}

void add_box(Scene& scene, const Vec3& size, double mass, const Vec3& at, const Vec3& velocity = {}) {
  BodyDescription b;
  b.shape = Box{size};
  b.mass = mass;
  b.position = at, b.velocity = velocity;
  b.surface = "stone";
  scene.add_body("box." + std::to_string(scene.bodies.size()), b);
}

void add_ball(Scene& scene, double radius, double mass, const Vec3& at, const Vec3& velocity = {}) {
  BodyDescription b;
  b.shape = Sphere{radius};
  b.mass = mass;
  b.position = at, b.velocity = velocity;
  b.surface = "stone";
  scene.add_body("ball." + std::to_string(scene.bodies.size()), b);
}

/// 4 contacts per cube.
Scene stack(int contacts) {
  Scene scene = on_a_floor();
  const int cubes = std::max(1, (contacts + 2) / 4);
  for (int i = 0; i < cubes; ++i) {
    const double mass = i % 4 == 3 ? 1000 : i % 4 == 1 ? 30 : 1;
    add_box(scene, {edge, edge, edge}, mass, {0, 0, edge * (i + 0.5)}, {i + 1 == cubes ? 0.5 : 0.0, 0, 0});
  }
  return scene;
}

/// 8 contacts per cube, less 4 at the end.
Scene chain(int contacts) {
  Scene scene = on_a_floor();
  const int cubes = std::max(1, (contacts + 8) / 8);
  for (int i = 0; i < cubes; ++i)
    add_box(scene, {edge, edge, edge}, 8, {edge * i, 0, 0.5 * edge}, {i == 0 ? 3.0 : 0.0, 0, 0});
  return scene;
}

/// 12 contacts per brick, less those at the edges: 4 beside it, 4 each on the two below.
Scene wall(int contacts) {
  Scene scene = on_a_floor();
  int base = 1;
  while (6 * (base + 1) * (base + 1) <= contacts) ++base;
  const Vec3 brick{0.4, 0.2, 0.15};
  for (int row = 0; row < base; ++row)
    for (int i = 0; i < base - row; ++i)
      add_box(scene, brick, 20, {brick.x * (i + 0.5 * row), 0, brick.z * (row + 0.5)});
  const double middle = 0.5 * brick.x * (base - 1);
  add_ball(scene, 0.15, 20, {middle, -0.25, 0.5 * brick.z * base}, {0, 1, 0});
  return scene;
}

/// About 2 contacts per body by the time of the last step.
Scene pile(int contacts) {
  Scene scene = on_a_floor();
  const int bodies = std::max(4, contacts / 2);
  int side = 2;
  while (10 * (side + 1) * (side + 1) * (side + 1) <= 7 * bodies) ++side;
  const double pitch = 0.22, half = 0.5 * pitch * (side + 1);
  for (const Vec3& n : {Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, -1, 0}})
    scene.add_body("pit." + std::to_string(scene.bodies.size()),
                   {.kind = fixed, .shape = HalfSpace{n}, .position = -half * n, .surface = "stone"});
  for (int i = 0; i < bodies; ++i) {
    const int x = i % side, y = i / side % side, z = i / (side * side);
    // a lattice a little out of order, so that the bodies do not stand on their tips
    const Vec3 shift{0.004 * (i * 7 % 11 - 5), 0.004 * (i * 5 % 11 - 5), 0};
    const Vec3 at =
        Vec3{pitch * (x - 0.5 * (side - 1)), pitch * (y - 0.5 * (side - 1)), 0.12 + 0.21 * z} + shift;
    if (i % 3 == 2)
      add_box(scene, {0.15, 0.15, 0.15}, i % 9 == 2 ? 50 : 5, at);
    else
      add_ball(scene, 0.09, 5, at);
  }
  return scene;
}

/// Few steps, solved roughly: what counts is the problem that the last step poses.
struct Family {
  const char* name;
  Scene (*scene)(int contacts);
  int steps;
  double tolerance;  // [-] of the run
};
constexpr Family families[] = {
    {"stack", stack, 3, 1e-6}, {"chain", chain, 2, 1e-6}, {"wall", wall, 1, 1e-3}, {"pile", pile, 40, 1e-3}};
constexpr int sizes[] = {10, 30, 100, 300, 1000, 2000, 5000};

/// Two more rows per contact: the relative spin about its tangents, resisted by mu_rolling [m] times the
/// normal impulse. In G the tangents stand in the linear part of the tangential rows, with the sign of the
/// side.
complementarity::GlobalFriction with_rolling(const complementarity::FrictionProblem& p, double mu_rolling) {
  complementarity::GlobalFriction out = complementarity::global_form(p).value();
  const int velocities = out.H.rows;
  out.laws.rows = 5;
  out.laws.law = complementarity::FrictionLaw::discs;
  out.laws.mu_rolling.assign(out.laws.mu.size(), mu_rolling);
  out.H = {velocities, int(5 * p.contacts.size()), {0}, {}, {}};
  for (int row = 0; row < velocities; ++row) {
    const int block = row / 6, k = row % 6;
    for (std::size_t c = 0; c < p.contacts.size(); ++c)
      for (int side = 0; side < 2; ++side) {
        if (p.contacts[c].block[side] != block) continue;
        const double* G = p.contacts[c].G[side];
        for (int a = 0; a < 5; ++a) {
          const double entry = a < 3 ? G[6 * a + k] : k < 3 ? 0 : G[6 * (a - 2) + k - 3];
          if (entry == 0) continue;
          out.H.column.push_back(int(5 * c) + a);
          out.H.value.push_back(entry);
        }
      }
    out.H.start.push_back(int(out.H.column.size()));
  }
  out.b.clear();
  for (const complementarity::ContactRows& c : p.contacts) {
    out.b.insert(out.b.end(), c.b, c.b + 3);
    out.b.insert(out.b.end(), 2, 0.0);
  }
  return out;
}

void write_file(const std::string& folder, const std::string& name, const FclibFile& file) {
  std::move(write_fclib(join_path(folder, name + ".h5"), file)).or_exit();
  std::printf("%s.h5: %s\n", name.c_str(), file.title.c_str());
  std::fflush(stdout);
}

/// The problem of the last step.
void write(const Family& family, int size, const std::string& folder) {
  const Scene scene = family.scene(size);
  World world = build(scene, {.step = 0.01, .tolerance = family.tolerance}).or_exit();
  for (int i = 0; i < family.steps; ++i) world.step();
  const complementarity::FrictionProblem& problem = world.last_problem();
  if (problem.contacts.empty()) return;
  FclibFile file;
  file.title = std::string(family.name) + ", " + std::to_string(problem.contacts.size()) + " contacts";
  file.description = std::to_string(problem.block_count()) + " bodies, step " + std::to_string(family.steps) +
                     " of 0.01 s, written by make_problems";
  file.math_info = "W = G A^-1 G^T, symmetric positive semidefinite";
  file.problem = complementarity::local_form(problem).value();
  const std::string name = std::string(family.name) + "-" + std::to_string(size);
  write_file(folder, name, file);
  if (size == sizes[0]) {
    file.problem = complementarity::global_form(problem).value();
    write_file(folder, name + "-global", file);
  }
  if (family.scene == pile && size <= 1000) {
    file.problem = with_rolling(problem, 0.01);
    file.title += " with rolling friction";
    file.math_info = "M symmetric positive definite";
    write_file(folder, "rolling-" + std::to_string(size), file);
  }
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
  using namespace stiction;
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "make_problems DIR [MOST CONTACTS]\n");
    return 2;
  }
  const int most = argc == 3 ? std::atoi(argv[2]) : 5000;
  std::move(make_folders(argv[1])).or_exit();
  for (const int size : sizes)
    for (const Family& family : families)
      if (size <= most) write(family, size, argv[1]);
}
