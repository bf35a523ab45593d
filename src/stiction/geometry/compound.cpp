// Mass properties of a union of parts, by the parallel-axis theorem:
//   V = sum V_k,   c = sum V_k c_k / V,   I = sum R_k I_k R_k^T + V_k (|d_k|^2 1 - d_k d_k^T),  d_k = c_k - c
// Symbols: V_k volume of part k [m^3]; c_k its centre of mass in the body [m]; I_k its inertia about c_k in
// its own axes, of density 1 [m^5]; R_k turns its axes into the body's. Reference: Goldstein, Classical
// Mechanics, section 5.3. Fails for: overlaps, which count twice by definition.
#include "stiction/geometry/compound.h"

#include <cmath>

#include "stiction/geometry/shape.h"

namespace stiction {
namespace {

bool is_part(const Shape& s) {
  const ShapeKind k = kind(s);
  return k == ShapeKind::sphere || k == ShapeKind::box || k == ShapeKind::capsule || k == ShapeKind::convex;
}

bool is_placed(const CompoundPart& p) {
  return is_finite(p.position) && is_finite(p.orientation) && std::fabs(norm2(p.orientation) - 1) < 3e-6;
}

bool is_sound(const CompoundPart& p) {
  if (!is_part(p.shape) || !is_placed(p)) return false;
  if (const auto* convex = std::get_if<ConvexShape>(&p.shape)) return fault_of(convex->body()).empty();
  return std::isfinite(bounding_radius(p.shape)) && volume(p.shape) > 0;
}

Solid solid_of(const Shape& s) {
  if (const auto* convex = std::get_if<ConvexShape>(&s)) return convex->solid();
  const double v = volume(s);
  const Vec3 i = mass_properties(s, v).inertia;
  return {v, {}, {i.x, i.y, i.z, 0, 0, 0}};
}

Solid sum_of(std::span<const CompoundPart> parts) {
  Solid out;
  for (const CompoundPart& p : parts) {
    const Solid s = solid_of(p.shape);
    out.volume += s.volume;
    out.center += s.volume * (p.position + rotate(p.orientation, s.center));
  }
  if (!(out.volume > 0)) return {};
  out.center = out.center / out.volume;
  for (const CompoundPart& p : parts) {
    const Solid s = solid_of(p.shape);
    out.inertia += turned(rotation_matrix(p.orientation), s.inertia);
    out.inertia += point_moments(s.volume, p.position + rotate(p.orientation, s.center) - out.center);
  }
  return out;
}

BoundingBox box_of(const CompoundPart& p) {
  const Mat3 R = rotation_matrix(p.orientation);
  if (const auto* convex = std::get_if<ConvexShape>(&p.shape)) {
    const Bounds b = bounds(convex->body(), R);
    return {p.position + b.low, p.position + b.high};
  }
  const Vec3 half = bounding_half_extents(p.shape, R);
  return {p.position - half, p.position + half};
}

}  // namespace

struct CompoundShape::Data {
  std::vector<CompoundPart> parts;
  Solid solid;
  BoundingBox box;
  BoundsTree tree;
  double size = 0, radius = 0;
};

CompoundShape::CompoundShape(std::vector<CompoundPart> parts) {
  auto data = std::make_shared<Data>();
  data->parts = std::move(parts);
  bool sound = !data->parts.empty();
  for (CompoundPart& p : data->parts) {
    sound = sound && is_sound(p);
    p.shape = simplest(p.shape);
    if (sound && std::fabs(norm2(p.orientation) - 1) > 2e-15) p.orientation = normalized(p.orientation);
  }
  if (sound) {
    std::vector<BoundingBox> boxes;
    for (const CompoundPart& p : data->parts) {
      boxes.push_back(box_of(p));
      data->radius = std::fmax(data->radius, norm(p.position) + bounding_radius(p.shape));
    }
    data->box = boxes.front();
    for (const BoundingBox& b : boxes) data->box.include(b);
    data->size = max_component(data->box.high - data->box.low);
    data->tree.build(boxes);
    data->solid = sum_of(data->parts);
  }
  data_ = std::move(data);
}

std::span<const CompoundPart> CompoundShape::parts() const { return data_->parts; }
const Solid& CompoundShape::solid() const { return data_->solid; }
const BoundingBox& CompoundShape::box() const { return data_->box; }
const BoundsTree& CompoundShape::tree() const { return data_->tree; }
double CompoundShape::size() const { return data_->size; }
double CompoundShape::radius() const { return data_->radius; }

std::string fault_of(const CompoundShape& shape) {
  if (shape.parts().empty()) return ": found no part, at least one is needed";
  int index = 0;
  for (const CompoundPart& p : shape.parts()) {
    const std::string here = "." + std::to_string(index++);
    if (!is_part(p.shape))
      return here + ".shape: found " + name_of(p.shape) +
             ", a part is a convex body: no half_space, mesh, heightfield or compound";
    if (!is_placed(p))
      return here + ": found a position or a turn that is not finite or not a unit quaternion";
    if (!is_sound(p))
      return here + ".shape: found a " + std::string(name_of(p.shape)) + " whose lengths are not above 0 m";
  }
  return "";
}

}  // namespace stiction
