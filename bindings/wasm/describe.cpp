#include "describe.h"

#include <map>

#include "stiction/base/cases.h"
#include "stiction/formats/json.h"
#include "stiction/geometry/facets.h"

namespace stiction::web {
namespace {

using formats::Json;

constexpr double mesh_pixels = 96;  // facets_of: how large bodies are drawn, more or less
constexpr int curve_pieces = 160;   // straight ones that a wire is drawn with

Json of(double x) { return Json::of(x, {}); }
Json of(const std::string& text) { return Json::of(std::string_view(text), {}); }
Json of(const Vec3& v) {
  Json out = Json::list({});
  for (const double x : {v.x, v.y, v.z}) out.items.push_back(of(x));
  return out;
}
Json of(const std::vector<std::string>& words) {
  Json out = Json::list({});
  for (const std::string& word : words) out.items.push_back(of(word));
  return out;
}
void add(Json& map, const char* key, Json value) { map.add({key, {}}, std::move(value)); }

/// Shapes that are alike have the same key.
std::string key_of(const Shape& shape) {
  const auto text = [](std::initializer_list<double> numbers) {
    std::string out;
    for (const double x : numbers) out.append(reinterpret_cast<const char*>(&x), sizeof x);
    return out;
  };
  return std::to_string(shape.index()) +
         std::visit(Cases{[&](const Sphere& s) { return text({s.radius}); },
                          [&](const Box& s) {
                            return text({s.size.x, s.size.y, s.size.z});
                          },
                          [&](const Capsule& s) {
                            return text({s.radius, s.length});
                          },
                          [&](const ConvexShape& s) {
                            return std::to_string(reinterpret_cast<std::uintptr_t>(&s.body()));
                          },
                          [&](const CompoundShape& s) {
                            return std::to_string(reinterpret_cast<std::uintptr_t>(s.parts().data()));
                          },
                          [&](const SurfaceShape& s) {
                            return std::to_string(reinterpret_cast<std::uintptr_t>(&s.mesh()));
                          },
                          [&](const auto&) { return std::string(); }},
                    shape);
}

class MeshMaker {
 public:
  std::vector<float> corners;

  void add(const Shape& shape, const Vec3& position, const Quat& orientation) {
    std::visit(Cases{[](const NoShape&) {}, [](const HalfSpace&) {},
                     [&](const ConvexShape& s) { add_facets(s.body(), position, orientation); },
                     [&](const CompoundShape& s) {
                       for (const CompoundPart& p : s.parts()) add(p.shape, p.position, p.orientation);
                     },
                     [&](const SurfaceShape& s) {
                       for (const auto& t : s.mesh().triangles)
                         for (const int v : t) add_corner(s.mesh().vertices[std::size_t(v)]);
                     },
                     [&](const auto& s) { add_facets(Convex(s), position, orientation); }},
               shape);
  }

 private:
  void add_corner(const Vec3& x) { corners.insert(corners.end(), {float(x.x), float(x.y), float(x.z)}); }
  void add_facets(const Convex& body, const Vec3& position, const Quat& orientation) {
    const auto placed = [&](const Vec3& x) { add_corner(position + rotate(orientation, x)); };
    for (const Facet& f : facets_of(body, mesh_pixels))
      for (std::size_t i = 1; i + 1 < f.corners.size(); ++i)
        placed(f.corners[0]), placed(f.corners[i]), placed(f.corners[i + 1]);
  }
};
/// Corners of triangles, body coordinates; none for a shape without a surface of its own.
std::vector<float> mesh_of(const Shape& shape) {
  MeshMaker maker;
  maker.add(shape, {}, {});
  return std::move(maker.corners);
}

Json bodies_of(const Model& m, std::vector<std::vector<float>>& meshes) {
  meshes.clear();
  std::map<std::string, std::size_t> known;
  Json out = Json::list({});
  for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) {
    Json b = Json::map({});
    add(b, "name", of(m.body_name[i]));
    add(b, "kind",
        of(m.body_kind[i] == dynamic ? "dynamic"
           : m.body_kind[i] == fixed ? "static"
                                     : "kinematic"));
    add(b, "shape", of(name_of(m.shape[i])));
    add(b, "mass", of(m.mass[i])), add(b, "radius", of(std::fmin(m.radius[i], 1e30)));
    add(b, "surface", of(double(m.surface[i])));
    if (const auto* plane = std::get_if<HalfSpace>(&m.shape[i])) {
      add(b, "normal", of(plane->normal)), add(b, "offset", of(plane->offset));
    } else if (kind(m.shape[i]) != ShapeKind::none) {
      const auto [found, fresh] = known.emplace(key_of(m.shape[i]), meshes.size());
      if (fresh) meshes.push_back(mesh_of(m.shape[i]));
      add(b, "mesh", of(double(found->second)));
    }
    out.items.push_back(std::move(b));
  }
  return out;
}

/// Of a joint that holds by forces, in coordinates of its parent: the point of a rod's other end, the wire of
/// a bead.
void add_places(const Model& m, const ConstraintJoint& j, Json& entry) {
  const int parent = j.parent.empty() ? -1 : m.find_body(j.parent);
  const auto local = [&](const Vec3& x) {
    if (parent < 0) return x;
    const BodyDescription& p = m.scene.bodies[std::size_t(parent)].value;
    return rotate_back(p.orientation, x - p.position);
  };
  if (j.kind == constraints::Kind::distance && j.parent_at) add(entry, "parent_at", of(local(*j.parent_at)));
  if (j.kind != constraints::Kind::point_on_curve) return;
  using namespace constraints;
  const Result<Curve> curve = j.curve == CurveKind::polyline
                                  ? make_polyline(j.points, j.closed)
                                  : make_spline(j.points, j.closed ? CurveEnds::closed : CurveEnds::natural);
  if (!curve) return;
  Json points = Json::list({});
  for (int i = 0; i <= curve_pieces; ++i)
    points.items.push_back(of(local(at(curve.value(), curve.value().length() * i / curve_pieces).position)));
  add(entry, "curve", std::move(points));
}

/// Frames of joints in coordinates of the body that hangs on them: of coordinate joints, and of those that
/// hold by forces ("parent": the other body, -1 = the world).
Json joints_of(const Model& m) {
  Json out = Json::list({});
  double index = -1;  // of the scene's joints
  const auto add_joint = [&](const std::string& name, const char* kind, const auto& j) {
    const int body = m.find_body(j.body);
    if (body < 0) return;
    const BodyDescription& b = m.scene.bodies[std::size_t(body)].value;
    Json entry = Json::map({});
    add(entry, "name", of(name)), add(entry, "kind", of(std::string(kind))), add(entry, "index", of(index));
    add(entry, "body", of(double(body)));
    add(entry, "parent", of(double(j.parent.empty() ? -1 : m.find_body(j.parent))));
    add(entry, "constraint", of(std::is_same_v<std::decay_t<decltype(j)>, ConstraintJoint> ? 1.0 : 0.0));
    add(entry, "at", of(rotate_back(b.orientation, j.at.value_or(b.position) - b.position)));
    add(entry, "axis", of(rotate_back(b.orientation, normalized(j.axis))));
    if constexpr (std::is_same_v<std::decay_t<decltype(j)>, ConstraintJoint>) add_places(m, j, entry);
    out.items.push_back(std::move(entry));
  };
  for (const auto& [name, joint] : m.scene.joints) {
    ++index;
    if (const auto* j = std::get_if<CoordinateJoint>(&joint)) add_joint(name, tree::name_of(j->kind), *j);
    if (const auto* j = std::get_if<ConstraintJoint>(&joint))
      add_joint(name, constraints::name_of(j->kind), *j);
  }
  return out;
}

/// Pairs of surfaces (of body a and b of a contact; -1: the body has none) that one of the two lends its
/// grain: whose, its direction in the axes of that body, friction along it over that across.
Json grains_of(const Model& m) {
  Json out = Json::list({});
  for (int a = -1; a < m.surface_count; ++a)
    for (int b = -1; b < m.surface_count; ++b) {
      const ContactLaw& law =
          m.pair_law[std::size_t(a + 1) * std::size_t(m.surface_count + 1) + std::size_t(b + 1)];
      if (law.grain < 0) continue;
      Json entry = Json::map({});
      add(entry, "a", of(double(a))), add(entry, "b", of(double(b))), add(entry, "along", of(law.along));
      add(entry, "whose", of(double(law.grain)));
      add(entry, "direction", of(m.scene.surfaces[std::size_t(law.grain == 0 ? a : b)].value.grain));
      out.items.push_back(std::move(entry));
    }
  return out;
}

Json springs_of(const Model& m) {
  Json out = Json::list({});
  for (const ModelSpring& s : m.springs) {
    Json entry = Json::map({});
    add(entry, "a", of(double(s.a))), add(entry, "b", of(double(s.b)));
    add(entry, "point_a", of(s.point_a)), add(entry, "point_b", of(s.point_b));
    out.items.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

std::string describe_world(const World& world, const SceneFile& file, const std::vector<std::string>& numbers,
                           std::vector<std::vector<float>>& meshes) {
  const Model& m = world.model();
  const RunSettings& run = world.settings();
  Json out = Json::map({}), settings = Json::map({}), surfaces = Json::map({}), pairs = Json::list({});
  add(settings, "step", of(run.step)), add(settings, "tolerance", of(run.tolerance));
  add(settings, "until", of(run.until)), add(settings, "method", of(word_of(run.method)));
  add(settings, "stabilisation", of(word_of(run.stabilisation)));
  for (const auto& s : m.scene.surfaces) {
    Json surface = Json::map({});
    add(surface, "friction", of(s.value.friction)), add(surface, "restitution", of(s.value.restitution));
    add(surfaces, s.name.c_str(), std::move(surface));
  }
  for (const SurfacePairDescription& p : m.scene.surface_pairs) {  // only what they replace
    Json pair = Json::map({});
    add(pair, "between", of(std::vector<std::string>{p.a, p.b})), add(pair, "friction", of(p.friction));
    if (p.restitution) add(pair, "restitution", of(*p.restitution));
    pairs.items.push_back(std::move(pair));
  }
  Json constants = Json::map({});
  for (const auto& [name, number] : file.constants) add(constants, name.c_str(), of(number));
  add(out, "constants", std::move(constants));
  add(out, "title", of(file.scene.title)), add(out, "gravity", of(m.gravity));
  add(out, "settings", std::move(settings)), add(out, "surfaces", std::move(surfaces));
  add(out, "surface_pairs", std::move(pairs));
  std::vector<std::string> methods;
  for (const MethodTraits& t : method_traits()) {
    RunSettings other = run;
    other.method = t.method;
    if (validate(m.scene, other).empty()) methods.emplace_back(t.word);
  }
  std::vector<std::string> stabilisations;  // those that the method has; none where it has no choice
  for (const std::string& word : words_of<Stabilisation>()) {
    RunSettings other = run;
    other.stabilisation = *choice_of<Stabilisation>(word);
    if (traits_of(run.method).stabilisation != MethodTraits::Stabilisations::fixed && validate(other).empty())
      stabilisations.push_back(word);
  }
  add(out, "methods", of(methods)), add(out, "numbers", of(numbers));
  add(out, "stabilisations", of(stabilisations));
  add(out, "warnings", of(std::vector<std::string>(world.warnings().begin(), world.warnings().end())));
  add(out, "bodies", bodies_of(m, meshes)), add(out, "joints", joints_of(m)),
      add(out, "springs", springs_of(m)), add(out, "grains", grains_of(m));
  return write_json(out, 0);
}

std::string describe_mistakes(const std::vector<Mistake>& mistakes) {
  Json list = Json::list({});
  for (const Mistake& m : mistakes) {
    Json entry = Json::map({});
    add(entry, "line", of(m.line)), add(entry, "column", of(m.column));
    add(entry, "path", of(m.path)), add(entry, "message", of(m.message));
    list.items.push_back(std::move(entry));
  }
  Json out = Json::map({});
  add(out, "mistakes", std::move(list));
  return write_json(out, 0);
}

}  // namespace stiction::web
