// Shapes of an expanded scene. Hulls are made here, so that points which span no body are told with their
// place.
#include "stiction/base/text.h"
#include "stiction/formats/detail/read.h"
#include "stiction/geometry/hull.h"

namespace stiction::formats {
namespace {

Shape hull_of(const Json& hull, const std::string& path, Messages& messages) {
  std::vector<Vec3> points;
  double rounding = 0;
  read(hull, "points", points);
  read(hull, "rounding", rounding);
  const Result<Polyhedron> made = convex_hull(points);
  if (made) return ConvexShape(made.value(), rounding);
  const Json* list = hull.find("points");
  for (const Mistake& m : made.mistakes())
    messages.add(list != nullptr ? list->place : hull.place, joined(path, "points"), m.message);
  return NoShape{};
}

Shape compound_of(const Json& list, const std::string& path, Messages& messages) {
  std::vector<CompoundPart> parts;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Json& item = list.items[i];
    CompoundPart part;
    if (item.is(Kind::map)) {
      part.shape = shape_of(item, joined(path, i), messages);
      read(item, "at", part.position);
      if (const Json* turn = item.find("orientation")) read_quaternion(*turn, part.orientation);
    }
    parts.push_back(std::move(part));
  }
  return CompoundShape(std::move(parts));
}

/// The shapes of convex.h.
Shape convex_of(const Json& s, const std::string& path, Messages& messages) {
  double rounding = 0;
  if (const Json* box = s.find("rounded_box")) {
    Box out;
    read(*box, "size", out.size);
    read(*box, "radius", rounding);
    return ConvexShape(out, rounding);
  }
  if (const Json* cylinder = s.find("cylinder")) {
    Cylinder out;
    read(*cylinder, "radius", out.radius);
    read(*cylinder, "height", out.height);
    read(*cylinder, "rounding", rounding);
    return ConvexShape(out, rounding);
  }
  if (const Json* cone = s.find("cone")) {
    Cone out;
    read(*cone, "radius", out.radius);
    read(*cone, "height", out.height);
    return ConvexShape(out);
  }
  if (s.find("ellipsoid") != nullptr) {
    Ellipsoid out;
    read(s, "ellipsoid", out.radii);
    return ConvexShape(out);
  }
  if (const Json* super = s.find("superellipsoid")) {
    Superellipsoid out;
    read(*super, "radii", out.radii);
    read(*super, "across", out.across);
    read(*super, "along", out.along);
    return ConvexShape(out);
  }
  if (const Json* list = part(s, "compound", Kind::list))
    return compound_of(*list, joined(path, "compound"), messages);
  if (const Json* hull = s.find("hull")) return hull_of(*hull, joined(path, "hull"), messages);
  return NoShape{};
}

}  // namespace

Shape shape_of(const Json& owner, const std::string& path, Messages& messages) {
  const Json* s = part(owner, "shape", Kind::map);
  if (s == nullptr) return NoShape{};
  if (const Json* sphere = s->find("sphere")) return Sphere{sphere->number};
  if (s->find("box") != nullptr) {
    Box box;
    read(*s, "box", box.size);
    return box;
  }
  if (const Json* capsule = s->find("capsule")) {
    Capsule out;
    read(*capsule, "radius", out.radius);
    read(*capsule, "length", out.length);
    return out;
  }
  if (const Json* half = s->find("half_space")) {
    HalfSpace out;
    if (half->is(Kind::map)) {
      read(*half, "normal", out.normal);
      read(*half, "offset", out.offset);
    } else {
      read_vector(*half, out.normal);
    }
    return out;
  }
  return convex_of(*s, joined(path, "shape"), messages);
}

}  // namespace stiction::formats
