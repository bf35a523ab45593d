// Draws every shape and the contact points of many pairs, for docs/shapes.md:  draw_shapes FOLDER
// Arrows stand on the contact points along their normals; all are what find_contacts() gives for the pose
// drawn.
#include <cmath>
#include <cstdio>
#include <string>

#include "stiction/base/platform/file.h"
#include "stiction/collision/collision.h"
#include "stiction/geometry/hull.h"
#include "stiction/geometry/intersection.h"
#include "stiction/report/scene_svg.h"

namespace stiction {
namespace {

constexpr double width = 300, height = 210;  // [px]
constexpr double pi = 3.14159265358979323846;

Quat turned(double degrees, const Vec3& axis) {
  const double half = degrees * pi / 360;
  const Vec3 v = std::sin(half) * normalized(axis);
  return {std::cos(half), v.x, v.y, v.z};
}

struct Placed {
  Shape shape;
  Vec3 position;
  Quat orientation{};
};

Picture picture_of(const Placed& below, const Placed& above) {
  Picture out;
  add_pieces({{"below", fixed, Mobility::free, below.shape, 0, {}}, below.position, below.orientation},
             out.bodies);
  add_pieces({{"above", dynamic, Mobility::free, above.shape, 1, {}}, above.position, above.orientation},
             out.bodies);
  std::vector<ContactPoint> points;
  collision::find_contacts(0, below.shape, {below.position, below.orientation}, 1, above.shape,
                           {above.position, above.orientation}, 0.02, points);
  for (const ContactPoint& p : points) out.forces.push_back({0.5 * (p.point_a + p.point_b), p.normal});
  return out;
}

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {}

  /// False when it could not be written.
  bool draw(const std::string& name, const std::string& label, const Placed& below, const Placed& above) {
    Picture picture = picture_of(below, above);
    const bool contacts = label.find("contact") != std::string::npos;
    if (!contacts) picture.forces.clear();
    Picture still = picture;  // in which nothing moves: the camera then frames surfaces too
    for (PictureBody& body : still.bodies) body.info.kind = fixed;
    const Camera camera = camera_for({&still, 1}, width, height);
    const SvgSettings settings{
        .width = width, .height = height, .forces = contacts, .force_scale = 34, .id = name, .label = label};
    std::printf("%-24s %zu points\n", name.c_str(), picture.forces.size());
    const auto written = write_file(path_ + "/" + name + ".svg", scene_svg(picture, camera, settings));
    if (written) return true;
    std::fprintf(stderr, "draw_shapes: %s\n", written.mistakes()[0].text().c_str());
    return false;
  }

 private:
  std::string path_;
};

Shape hull() {
  std::vector<Vec3> points;
  for (int i = 0; i < 14; ++i) {
    const double z = -0.95 + 1.9 * i / 13, r = std::sqrt(1 - z * z), a = 2.4 * i;
    points.push_back({0.5 * r * std::cos(a), 0.5 * r * std::sin(a), 0.45 * z});
  }
  return ConvexShape(convex_hull(points).or_exit());
}
/// A block with a flat top and bottom.
Shape prism(int sides) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const double a = 2 * pi * i / sides;
    for (const double z : {-0.2, 0.2}) points.push_back({0.6 * std::cos(a), 0.6 * std::sin(a), z});
  }
  return ConvexShape(convex_hull(points).or_exit());
}

Shape dome() {
  return ConvexShape(intersection({ball_face({0, 0, 0}, 0.5), HalfSpace{{0, 0, -1}, 0}}).or_exit());
}
Shape table() {
  return CompoundShape({{Box{{1, 0.7, 0.08}}, {0, 0, 0.54}, {}},
                        {Box{{0.08, 0.08, 0.5}}, {0.44, 0.29, 0.25}, {}},
                        {Box{{0.08, 0.08, 0.5}}, {-0.44, 0.29, 0.25}, {}},
                        {Box{{0.08, 0.08, 0.5}}, {0.44, -0.29, 0.25}, {}},
                        {Box{{0.08, 0.08, 0.5}}, {-0.44, -0.29, 0.25}, {}}});
}
Shape hills(double rise) {
  HeightGrid grid{13, 13, 0.15, 0.15, {}};
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i)
      grid.heights.push_back(rise * (std::sin(0.8 * i) * std::cos(0.7 * j)));
  return SurfaceShape::from(grid).or_exit();
}
/// A stone of eight triangles.
Shape stone() {
  const TriangleMesh mesh{
      {{0.6, 0.1, 0.05}, {0.1, 0.5, 0}, {-0.5, 0, 0.1}, {-0.1, -0.45, 0}, {0.1, 0, 0.5}, {0, 0, -0.3}},
      {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}}};
  return SurfaceShape::from(mesh).or_exit();
}
/// A flat square of eight triangles.
Shape flat_mesh() {
  TriangleMesh mesh;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) mesh.vertices.push_back({0.7 * (i - 1), 0.5 * (j - 1), 0});
  for (int j = 0; j < 2; ++j)
    for (int i = 0; i < 2; ++i) {
      const int v = 3 * j + i;
      mesh.triangles.push_back({v, v + 1, v + 4});
      mesh.triangles.push_back({v, v + 4, v + 3});
    }
  return SurfaceShape::from(mesh).or_exit();
}

bool draw_all(Folder out) {
  const Placed floor{HalfSpace{{0, 0, 1}, 0}, {}};
  const Quat lying = turned(90, {0, 1, 0}) * turned(25, {0, 0, 1}), tilted = turned(30, {0, 0, 1});
  bool good = true;
  const auto shape = [&](const char* name, const Shape& s, double z, const Quat& q = {}) {
    good = out.draw(std::string("shape-") + name, name, floor, {s, {0, 0, z}, q}) && good;
  };
  shape("sphere", Sphere{0.5}, 0.5);
  shape("box", Box{{1, 0.7, 0.5}}, 0.25);
  shape("capsule", Capsule{0.25, 0.8}, 0.25, lying);
  shape("cylinder", ConvexShape(Cylinder{0.4, 0.8}), 0.4);
  shape("cone", ConvexShape(Cone{0.45, 0.9}), 0.225);
  shape("ellipsoid", ConvexShape(Ellipsoid{{0.7, 0.45, 0.3}}), 0.3);
  shape("superellipsoid", ConvexShape(Superellipsoid{{0.6, 0.45, 0.4}, 4, 4}), 0.4);
  shape("hull", hull(), 0.43);
  shape("rounded-box", ConvexShape(Box{{0.8, 0.5, 0.3}}, 0.1), 0.25);
  shape("rounded-cylinder", ConvexShape(Cylinder{0.3, 0.5}, 0.1), 0.35);

  shape("intersection", dome(), 0);
  shape("compound", table(), 0);
  good =
      out.draw("shape-heightfield", "heightfield", {hills(0.12), {}}, {Sphere{0.1}, {0.3, 0.2, 0.3}}) && good;
  good = out.draw("shape-mesh", "mesh", {stone(), {}}, {Sphere{0.1}, {0, 0, 0.7}}) && good;
  const Shape balls =  // three in a row
      CompoundShape({{Sphere{0.1}, {-0.6, 0, 0}, {}}, {Sphere{0.1}, {}, {}}, {Sphere{0.1}, {0.6, 0, 0}, {}}});
  good =
      out.draw("shape-half-space", "half-space", {HalfSpace{{0, -0.3, 1}, 0}, {}}, {balls, {0, 0, 0.11}}) &&
      good;

  const auto pair = [&](const char* name, const Placed& below, const Placed& above) {
    good = out.draw(std::string("contact-") + name, std::string("contact points: ") + name, below, above) &&
           good;
  };
  const Placed board{Box{{1.4, 1, 0.3}}, {0, 0, 0.15}};
  pair("sphere-sphere", {Sphere{0.4}, {0, 0, 0.4}}, {Sphere{0.3}, {0.35, 0, 1.01}});
  pair("box-plane", floor, {Box{{1, 0.7, 0.5}}, {0, 0, 0.25}, tilted});
  pair("box-box", board, {Box{{0.7, 0.7, 0.4}}, {0.1, 0.05, 0.5}, turned(35, {0, 0, 1})});
  pair("box-box-overhang", board, {Box{{0.9, 0.6, 0.3}}, {0.55, 0.1, 0.45}, turned(20, {0, 0, 1})});
  pair("box-edges-crossing", {Box{{1.2, 0.4, 0.4}}, {0, 0, 0.2 * std::sqrt(2.0)}, turned(45, {1, 0, 0})},
       {Box{{0.4, 1.2, 0.4}}, {0, 0, 0.6 * std::sqrt(2.0)}, turned(45, {0, 1, 0})});
  pair("capsule-plane", floor, {Capsule{0.25, 0.8}, {0, 0, 0.25}, lying});
  pair("capsule-box", board, {Capsule{0.2, 0.7}, {0.1, 0, 0.5}, lying});
  pair("capsule-capsule", {Capsule{0.25, 1}, {0, 0, 0.25}, turned(90, {0, 1, 0})},
       {Capsule{0.25, 0.8}, {0.15, 0, 0.75}, turned(90, {0, 1, 0})});
  pair("cylinder-standing", floor, {ConvexShape(Cylinder{0.4, 0.7}), {0, 0, 0.35}});
  pair("cylinder-lying", floor, {ConvexShape(Cylinder{0.3, 0.9}), {0, 0, 0.3}, lying});
  pair("cylinder-box", board, {ConvexShape(Cylinder{0.3, 0.6}), {0.1, 0, 0.6}});
  pair("cylinder-on-cylinder", {ConvexShape(Cylinder{0.35, 1}), {0, 0, 0.35}, turned(90, {0, 1, 0})},
       {ConvexShape(Cylinder{0.25, 0.9}), {0.1, 0, 0.95}, turned(90, {0, 1, 0})});
  pair("cone-standing", floor, {ConvexShape(Cone{0.45, 0.8}), {0, 0, 0.2}});
  const double slope = std::atan2(0.4, 0.8) * 180 / pi;  // of a cone with radius 0.4 m, height 0.8 m
  pair(
      "cone-on-its-side", floor,
      {ConvexShape(Cone{0.4, 0.8}), {0, 0, 0.6 * std::sin(slope * pi / 180)}, turned(90 + slope, {0, 1, 0})});
  pair("ellipsoid-box", board, {ConvexShape(Ellipsoid{{0.5, 0.35, 0.25}}), {0.1, 0, 0.55}, tilted});
  pair("superellipsoid-plane", floor, {ConvexShape(Superellipsoid{{0.5, 0.4, 0.35}, 4, 4}), {0, 0, 0.35}});
  pair("hull-hull", {prism(5), {0, 0, 0.2}}, {prism(6), {0.25, 0, 0.6}, turned(17, {0, 0, 1})});
  pair("rounded-box-box", board, {ConvexShape(Box{{0.5, 0.5, 0.2}}, 0.1), {0.1, 0, 0.5}, tilted});
  pair("dome-plane", floor, {dome(), {0, 0, 0}});
  pair("dome-box", board, {dome(), {0.1, 0, 0.8}, turned(180, {1, 0, 0})});
  pair("compound-plane", floor, {table(), {0, 0, 0}, tilted});
  pair("box-mesh", {flat_mesh(), {0, 0, 0.3}},
       {Box{{0.7, 0.5, 0.4}}, {0.1, 0.05, 0.5}, turned(25, {0, 0, 1})});
  return good;
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "draw_shapes FOLDER\n"), 2;
  return stiction::draw_all(stiction::Folder(argv[1])) ? 0 : 2;
}
