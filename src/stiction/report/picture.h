// What a picture shows: bodies in their places, and the camera that looks at them. Orthographic projection:
//     screen x = width/2 + scale * right.(p - centre),   screen y = height/2 - scale * up.(p - centre),
// depth = toward.(p - centre), larger = nearer to the eye. (right, up, toward) is a right-handed frame.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/record/recording.h"

namespace stiction {

struct PictureBody {
  BodyInfo info;
  Vec3 position;  // [m]
  Quat orientation;
};
struct PictureForce {
  Vec3 point;  // [m]
  Vec3 force;  // [N]
};
struct PictureJoint {
  std::string name;
  Vec3 point;                 // [m]
  Vec3 axis;                  // [-] unit; 0 = it has none to show
  std::optional<Vec3> rod{};  // [m] the body's centre, where the point lies outside of its shape
};
struct Picture {
  std::vector<PictureBody> bodies;
  std::vector<PictureForce> forces;
  std::vector<PictureJoint> joints;
  Vec3 up{0, 0, 1};  // [-] unit; against gravity
};
/// A body as convex pieces: itself, the parts of its compound, or the triangles of its surface.
void add_pieces(const PictureBody& body, std::vector<PictureBody>& out);
/// The living bodies of one frame, their joints and contact forces.
Picture picture_of(const Recording& recording, std::size_t frame);

struct Point2 {
  double x = 0, y = 0;  // [px]
};

struct Camera {
  Vec3 right{1, 0, 0}, up{0, 0, 1}, toward{0, -1, 0};
  Vec3 centre;                       // [m]
  double radius = 1;                 // [m] of the region of interest
  double scale = 1;                  // [px/m]
  double width = 640, height = 420;  // [px]

  Point2 project(const Vec3& p) const {
    const Vec3 d = p - centre;
    return {0.5 * width + scale * dot(right, d), 0.5 * height - scale * dot(up, d)};
  }
  double depth(const Vec3& p) const { return dot(toward, p - centre); }
};
/// Looks at everything that moves in the pictures, from the side a little above; planar scenes from their
/// normal, what moves in a level plane without a floor from above.
Camera camera_for(std::span<const Picture> pictures, double width, double height);

/// Indices of the bodies to draw, farthest first, so that each may be painted over those before it.
/// Half-spaces are left out. Exact for convex bodies that do not overlap, unless they cover each other in a
/// ring.
std::vector<std::size_t> paint_order(const Picture& picture, const Camera& camera);

/// A half-space that looks upwards, and be it a steep slope, is among the bodies.
bool has_floor(const Picture& picture);

double drawn_radius(const Shape& s);  // [m] bounding radius; 0 for points and half-spaces

}  // namespace stiction
