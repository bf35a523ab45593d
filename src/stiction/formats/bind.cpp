#include "stiction/formats/bind.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "stiction/base/text.h"
#include "stiction/formats/detail/read.h"

namespace stiction::formats {
namespace {

/// One vector, or a list of them.
void read_table(const Json& map, std::string_view key, std::vector<Vec3>& out) {
  if (Vec3 single; read(map, key, single)) {
    out = {single};
  } else {
    read(map, key, out);
  }
}

void bind_motion(const Json& body, const std::string& path, BodyDescription& out, Messages& messages) {
  const Json* motion = part(body, "motion", Kind::map);
  if (motion == nullptr) return;
  read(*motion, "time", out.motion.time);
  if (motion->find("position") == nullptr) {
    out.motion.position.assign(out.motion.time.size(), out.position);
  } else {
    read(*motion, "position", out.motion.position);
    if (const Json* at = body.find("at")) {
      messages.add(at->place, joined(path, "at"), "found both `at` and `motion.position`, leave `at` out");
    }
    if (!out.motion.position.empty()) out.position = out.motion.position.front();
  }
  if (const Json* rows = part(*motion, "orientation", Kind::list)) {
    out.motion.orientation.resize(rows->items.size());
    for (std::size_t i = 0; i < rows->items.size(); ++i)
      read_quaternion(rows->items[i], out.motion.orientation[i]);
  }
}

BodyDescription body_of(const Json& body, const std::string& path, Messages& messages) {
  BodyDescription out;
  if (!body.is(Kind::map)) return out;
  out.shape = shape_of(body, path, messages);
  read(body, "density", out.density);
  read(body, "mass", out.mass);
  if (Vec3 inertia; read(body, "inertia", inertia)) out.inertia = inertia;
  read(body, "at", out.position);
  read(body, "orientation", out.orientation);
  read(body, "surface", out.surface);
  read(body, "particle", out.particle);
  read(body, "collides", out.collides);
  read(body, "group", out.group);
  bool is_static = false, is_kinematic = body.find("motion") != nullptr;
  read(body, "static", is_static);
  read(body, "kinematic", is_kinematic);
  if (is_static && is_kinematic) {
    const Json* given = body.find("motion") != nullptr ? body.find("motion") : body.find("kinematic");
    messages.add(given->place, path, "found a body that is both static and kinematic, keep one");
  }
  out.kind = is_static ? fixed : is_kinematic ? kinematic : dynamic;
  bind_motion(body, path, out, messages);
  return out;
}

void read_names(const Json& map, std::string_view key, std::vector<std::string>& out) {
  const Json* v = part(map, key, Kind::list);
  for (std::size_t i = 0; v != nullptr && i < v->items.size(); ++i) out.push_back(v->items[i].text);
}

TorsionSpring torsion_of(const Json& t) {
  TorsionSpring out;
  read(t, "a", out.a);
  read(t, "b", out.b);
  read(t, "axis", out.axis);
  read(t, "stiffness", out.stiffness);
  read(t, "damping", out.damping);
  read(t, "rest_angle", out.rest_angle);
  return out;
}

LennardJones lennard_jones_of(const Json& l) {
  LennardJones out;
  read(l, "depth", out.depth);
  read(l, "diameter", out.diameter);
  read(l, "cutoff", out.cutoff);
  read_names(l, "bodies", out.bodies);
  return out;
}

ForceDescription force_of(const Json& force) {
  if (const Json* s = part(force, "spring", Kind::map)) {
    SpringDamper out;
    read(*s, "a", out.a);
    read(*s, "b", out.b);
    read(*s, "point_a", out.point_a);
    read(*s, "point_b", out.point_b);
    read(*s, "stiffness", out.stiffness);
    read(*s, "damping", out.damping);
    read(*s, "rest_length", out.rest_length);
    return out;
  }
  if (const Json* w = part(force, "wrench", Kind::map)) {
    Wrench out;
    read(*w, "body", out.body);
    read(*w, "time", out.time);
    read_table(*w, "force", out.force);
    read_table(*w, "torque", out.torque);
    read(*w, "body_frame", out.body_frame);
    read(*w, "point", out.point);
    return out;
  }
  if (const Json* t = part(force, "torsion", Kind::map)) return torsion_of(*t);
  if (const Json* l = part(force, "lennard_jones", Kind::map)) return lennard_jones_of(*l);
  if (const Json* m = part(force, "magnus", Kind::map)) {
    Magnus out;
    read(*m, "body", out.body);
    read(*m, "coefficient", out.coefficient);
    return out;
  }
  if (const Json* g = part(force, "gravitation", Kind::map)) {
    Gravitation out;
    read(*g, "constant", out.constant);
    read_names(*g, "bodies", out.bodies);
    return out;
  }
  Drag out;
  if (const Json* d = part(force, "drag", Kind::map)) {
    read(*d, "body", out.body);
    read(*d, "linear", out.linear);
    read(*d, "quadratic", out.quadratic);
    read(*d, "angular", out.angular);
    read(*d, "coefficient", out.coefficient);
    read(*d, "exponent", out.exponent);
  }
  return out;
}

/// A number, or a list of them.
void read_scalars(const Json& map, std::string_view key, std::vector<double>& out) {
  if (double single = 0; part(map, key, Kind::number) != nullptr) {
    read(map, key, single);
    out = {single};
  } else {
    read(map, key, out);
  }
}

/// Rows of forces: one number or list is one row without `time`, else a row for each time.
void read_forces(const Json& map, CoordinateJoint& out) {
  read(map, "time", out.time);
  const Json* v = map.find("force");
  if (v == nullptr) return;
  if (v->is(Kind::number)) {
    out.force = {{v->number}};
    return;
  }
  const bool one_row = out.time.empty() && !v->items.empty() && !v->items.front().is(Kind::list);
  if (one_row) out.force.emplace_back();
  for (const Json& item : v->items) {
    if (!one_row) out.force.emplace_back();
    if (item.is(Kind::number)) out.force.back().push_back(item.number);
    for (const Json& x : item.items) out.force.back().push_back(x.number);
  }
}

/// Limits, motor and friction.
template <class Joint>
void read_laws(const Json& map, Joint& out) {
  if (const Json* l = part(map, "limits", Kind::map)) {
    read_scalars(*l, "lower", out.limits.lower), read_scalars(*l, "upper", out.limits.upper);
    read(*l, "restitution", out.limits.restitution), read(*l, "swing", out.limits.swing);
  }
  if (const Json* d = part(map, "motor", Kind::map)) {
    read_scalars(*d, "force", out.motor.force), read_scalars(*d, "speed", out.motor.speed);
    read_scalars(*d, "position", out.motor.position);
  }
  read_scalars(map, "friction", out.friction);
}

CoordinateJoint coordinate_joint_of(tree::JointKind kind, const Json& v) {
  CoordinateJoint out{.kind = kind};
  read(v, "body", out.body);
  read(v, "parent", out.parent);
  if (Vec3 at; read(v, "at", at)) out.at = at;
  if (kind == tree::JointKind::planar) out.axis = PlanarJoint{}.normal;
  read(v, kind == tree::JointKind::planar ? "normal" : "axis", out.axis);
  read(v, "second_axis", out.second_axis);
  read(v, "pitch", out.pitch);
  read_scalars(v, "stiffness", out.stiffness);
  read_scalars(v, "rest", out.rest);
  read_scalars(v, "damping", out.damping);
  read_forces(v, out);
  read_laws(v, out);
  return out;
}

ConstraintJoint constraint_of(const Json& v) {
  ConstraintJoint out;
  std::string kind;
  read(v, "kind", kind);
  for (int i = 0; i < constraints::kind_count; ++i)
    if (kind == constraints::name_of(constraints::Kind(i))) out.kind = constraints::Kind(i);
  read(v, "body", out.body);
  read(v, "parent", out.parent);
  if (Vec3 at; read(v, "at", at)) out.at = at;
  if (Vec3 at; read(v, "parent_at", at)) out.parent_at = at;
  read(v, "axis", out.axis);
  read(v, "second_axis", out.second_axis);
  read(v, "pitch", out.pitch);
  read(v, "length", out.length);
  read(v, "points", out.points);
  if (std::string curve; read(v, "curve", curve), curve == "polyline")
    out.curve = constraints::CurveKind::polyline;
  read(v, "closed", out.closed);
  read_laws(v, out);
  read(v, "compliance", out.compliance);
  read(v, "angular_compliance", out.angular_compliance);
  read(v, "damping_time", out.damping_time);
  read_scalars(v, "stiffness", out.stiffness);
  read_scalars(v, "rest", out.rest);
  read_scalars(v, "damping", out.damping);
  read(v, "break_force", out.break_force);
  read(v, "break_torque", out.break_torque);
  return out;
}

GearJoint gear_of(const Json& v) {
  GearJoint out;
  read(v, "first", out.first), read(v, "second", out.second), read(v, "ratio", out.ratio);
  const auto whole = [&](const char* key, int& to) {
    double number = 0;
    read(v, key, number);
    to = number >= 0 && number < 100 ? int(number) : -1;
  };
  whole("first_coordinate", out.first_coordinate), whole("second_coordinate", out.second_coordinate);
  return out;
}

RollingJoint rolling_of(const Json& v) {
  RollingJoint out;
  read(v, "body", out.body), read(v, "parent", out.parent), read(v, "radius", out.radius);
  if (std::string kind; read(v, "kind", kind), kind == "disc") out.kind = RollingJoint::Kind::disc;
  read(v, "normal", out.normal), read(v, "axis", out.axis);
  if (Vec3 at; read(v, "at", at)) out.at = at;
  return out;
}

KnifeEdgeJoint knife_edge_of(const Json& v) {
  KnifeEdgeJoint out;
  read(v, "body", out.body), read(v, "parent", out.parent), read(v, "across", out.across);
  if (Vec3 at; read(v, "at", at)) out.at = at;
  return out;
}

PfaffianJoint pfaffian_of(const Json& v) {
  using Axes = constraints::Pfaffian::Axes;
  PfaffianJoint out;
  read(v, "body", out.body), read(v, "parent", out.parent), read(v, "drift", out.drift);
  read(v, "linear", out.linear), read(v, "angular", out.angular);
  read(v, "parent_linear", out.parent_linear), read(v, "parent_angular", out.parent_angular);
  std::string axes;
  read(v, "axes", axes);
  out.axes = axes == "parent" ? Axes::a : axes == "body" ? Axes::b : Axes::world;
  return out;
}

/// None where the kind is not known: the table has said so.
std::optional<JointDescription> joint_of(const Json& joint) {
  if (const Json* v = part(joint, "constraint", Kind::map)) return constraint_of(*v);
  if (const Json* v = part(joint, "gear", Kind::map)) return gear_of(*v);
  if (const Json* v = part(joint, "rolling", Kind::map)) return rolling_of(*v);
  if (const Json* v = part(joint, "knife_edge", Kind::map)) return knife_edge_of(*v);
  if (const Json* v = part(joint, "pfaffian", Kind::map)) return pfaffian_of(*v);
  for (int i = 0; i < tree::joint_kind_count; ++i) {
    const auto kind = tree::JointKind(i);
    const Json* v = part(joint, tree::name_of(kind), Kind::map);
    if (v == nullptr) continue;
    const auto plain = [](const Key& key) { return key.name == "body" || key.name == "normal"; };
    if (kind != tree::JointKind::planar || !std::all_of(v->keys.begin(), v->keys.end(), plain))
      return coordinate_joint_of(kind, *v);
    PlanarJoint out;
    read(*v, "body", out.body);
    read(*v, "normal", out.normal);
    return out;
  }
  return std::nullopt;
}

void bind_joint_start(const std::string& name, const Json& value, const std::string& path, bool also_body,
                      JointDescription& joint, Messages& messages) {
  for (const char* key : {"velocity", "spin", "position", "orientation"})
    if (const Json* v = value.find(key); v != nullptr && !also_body)
      messages.add(v->place, joined(path, key),
                   "\"" + name + "\" is a joint: it starts with joint_position and joint_velocity");
  auto* coordinate = std::get_if<CoordinateJoint>(&joint);
  if (coordinate == nullptr) {
    messages.add(value.place, path,
                 "the joint \"" + name + "\" has no coordinates of its own: say how its body starts");
    return;
  }
  read_scalars(value, "joint_position", coordinate->position);
  read_scalars(value, "joint_velocity", coordinate->velocity);
}

void bind_initial(const Json& initial, Scene& scene, Messages& messages) {
  std::map<std::string, BodyDescription*> bodies;
  std::vector<std::string> names;
  for (auto& b : scene.bodies) {
    bodies.emplace(b.name, &b.value);
    names.push_back(b.name);
  }
  std::map<std::string, JointDescription*> joints;
  for (auto& j : scene.joints) {
    joints.emplace(j.name, &j.value);
    names.push_back(j.name);
  }
  for (std::size_t i = 0; i < initial.items.size(); ++i) {
    const std::string& name = initial.keys[i].name;
    const Json& value = initial.items[i];
    const std::string path = joined("initial", name);
    const auto found = bodies.find(name);
    const auto joint = joints.find(name);
    const bool of_joint = value.find("joint_position") != nullptr || value.find("joint_velocity") != nullptr;
    if (joint != joints.end() && (of_joint || found == bodies.end())) {
      bind_joint_start(name, value, path, found != bodies.end(), *joint->second, messages);
      if (found == bodies.end()) continue;
    } else if (of_joint && found != bodies.end()) {
      messages.add(value.place, path,
                   "\"" + name + "\" is a body: joint_position and joint_velocity belong to a joint");
    }
    if (found == bodies.end()) {
      messages.add(initial.keys[i].place, path,
                   "there is no body or joint \"" + name + "\"" + did_you_mean(name, names));
      continue;
    }
    BodyDescription& b = *found->second;
    read(value, "velocity", b.velocity);
    read(value, "spin", b.spin);
    const bool moved = read(value, "position", b.position);
    const bool turned = read(value, "orientation", b.orientation);
    if (b.kind == kinematic && (moved || turned)) {
      messages.add(value.place, path, "the body is kinematic, its motion table says where it starts");
    }
  }
}

constexpr std::array quantities{"position", "velocity", "spin", "orientation", "force", "torque"};

/// A curve of a joint: force or torque; of one with coordinates position or velocity; and one of its
/// components.
void check_joint_curve(const Json& v, const std::string& path, const JointDescription& joint,
                       const std::string& quantity, const std::string& component, Messages& messages) {
  const auto* coordinates = std::get_if<CoordinateJoint>(&joint);
  std::vector<std::string> known;
  if (quantity == "force" || quantity == "torque") {
    known = {"x", "y", "z", "magnitude"};
  } else if (coordinates != nullptr && (quantity == "position" || quantity == "velocity")) {
    const bool place = quantity == "position";
    const bool quaternion = place && coordinates->kind == tree::JointKind::spherical;
    const int count = place ? tree::coordinate_count(coordinates->kind) : tree::dof_count(coordinates->kind);
    for (int i = 0; i < count; ++i)
      known.push_back(quaternion ? std::string(1, "wxyz"[i]) : std::to_string(i));
  } else {
    messages.add(v.place, path,
                 coordinates != nullptr
                     ? "a joint has no \"" + quantity + "\", must be position, velocity, force or torque"
                     : "a joint without coordinates has no \"" + quantity + "\", must be force or torque");
    return;
  }
  const std::string kind =
      coordinates != nullptr ? std::string(" of a ") + tree::name_of(coordinates->kind) + " joint" : "";
  if (known.empty())
    messages.add(v.place, path, "a fixed joint has no coordinates");
  else if (!component.empty() && std::find(known.begin(), known.end(), component) == known.end())
    messages.add(v.place, path,
                 "\"" + quantity + "\"" + kind + " has no component \"" + component + "\", must be " +
                     word_list(known));
}

void check_plot(const Json& v, const std::string& path, const Scene& scene, Messages& messages) {
  if (!v.is(Kind::text)) return;
  const auto cut = [](std::string& rest) {  // the part after the last dot
    const std::size_t dot = rest.rfind('.');
    const std::string last = dot == std::string::npos ? rest : rest.substr(dot + 1);
    rest = dot == std::string::npos ? "" : rest.substr(0, dot);
    return last;
  };
  static const std::vector<std::string> known(quantities.begin(), quantities.end());
  const auto is_quantity = [](const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  std::string name = v.text;
  std::string quantity = cut(name), component;
  if (quantity == "magnitude" ||
      (quantity.size() == 1 && std::string_view("xyzw0123456789").find(quantity) != std::string_view::npos)) {
    component = quantity;
    quantity = cut(name);
  }
  if (!is_quantity(quantity)) {
    messages.add(v.place, path,
                 "found \"" + v.text +
                     "\", must be BODY.QUANTITY, BODY.QUANTITY.x or JOINT.QUANTITY with a quantity of " +
                     word_list(known) + did_you_mean(quantity, known));
    return;
  }
  std::vector<std::string> names;
  for (const auto& b : scene.bodies) names.push_back(b.name);
  const std::size_t bodies = names.size();
  const bool is_body = std::find(names.begin(), names.end(), name) != names.end();
  for (const auto& j : scene.joints) {
    if (std::holds_alternative<PlanarJoint>(j.value)) continue;
    const bool second = std::holds_alternative<GearJoint>(j.value) && name == j.name + ".second";
    if ((j.name == name || second) && !is_body)
      return check_joint_curve(v, path, j.value, quantity, component, messages);
    names.push_back(j.name);
  }
  if (!is_body)
    messages.add(v.place, path,
                 std::string("there is no body") + (names.size() > bodies ? " or joint" : "") + " \"" + name +
                     "\"" + did_you_mean(name, names));
  else if (quantity == "force" || quantity == "torque")
    messages.add(v.place, path, "a body has no \"" + quantity + "\", a joint has");
  else if (!component.empty() &&
           (component == "w" ? quantity != "orientation"
                             : std::string_view("xyz").find(component) == std::string_view::npos))
    messages.add(v.place, path, "\"" + quantity + "\" has no component \"" + component + "\"");
}

/// Of words that are unknown the grammar has told.
template <class Choice>
void read_choice(const Json& map, std::string_view key, Choice& out) {
  std::string word;
  read(map, key, word);
  out = choice_of<Choice>(word).value_or(out);
}

void bind_run(const Json& tree, SceneFile& out) {
  const Json* run = part(tree, "run", Kind::map);
  if (run == nullptr) return;
  read(*run, "until", out.run.until);
  read(*run, "step", out.run.step);
  read(*run, "tolerance", out.run.tolerance);
  read_choice(*run, "solver", out.run.solver);
  read_choice(*run, "method", out.run.method);
  read_choice(*run, "stabilisation", out.run.stabilisation);
  read(*run, "baumgarte", out.run.baumgarte);
  read(*run, "nonlinear", out.run.nonlinear);
  read(*run, "sleep", out.run.sleep);
  read_choice(*run, "activation", out.run.activation);
  read(*run, "theta", out.run.theta);
  double directions = out.run.directions;
  read(*run, "directions", directions);
  if (std::fabs(directions) <= 1e9) out.run.directions = int(directions);
  double threads = out.run.threads;
  read(*run, "threads", threads);
  if (threads >= 1 && threads <= 1e9) out.run.threads = int(threads);
}

void bind_record(const Json& tree, SceneFile& out, Messages& messages) {
  const Json* record = part(tree, "record", Kind::map);
  if (record == nullptr) return;
  read(*record, "every", out.record.every);
  read(*record, "parts", out.record.parts);
  if (out.record.parts && out.record.every > 0)
    messages.add(record->find("parts")->place, "record.parts",
                 "found true with \"every\" " + number_text(out.record.every) +
                     "; parts are recorded with every step: leave \"every\" out, or \"parts\"");
  const Json* plot = part(*record, "plot", Kind::list);
  for (std::size_t i = 0; plot != nullptr && i < plot->items.size(); ++i) {
    check_plot(plot->items[i], joined("record.plot", i), out.scene, messages);
    out.record.plot.push_back(plot->items[i].text);
  }
}

std::optional<ImpactLaw> impact_law_of(const Json& v) {
  std::string word;
  read(v, "impact_law", word);
  const std::span<const std::string> words = impact_law_words();
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;  // not given: the grammar knows the words
  return ImpactLaw(found - words.begin());
}

SurfaceDescription surface_of(const Json& v) {
  SurfaceDescription s;
  read(v, "friction", s.friction);
  read(v, "kinetic_friction", s.kinetic_friction);
  read(v, "stribeck_speed", s.stribeck_speed);
  read(v, "viscous_friction", s.viscous_friction);
  read(v, "grain", s.grain);
  read(v, "friction_along", s.friction_along);
  read(v, "spin_length", s.spin_length);
  read(v, "rolling_length", s.rolling_length);
  read(v, "stiffness", s.stiffness);
  read(v, "young", s.young);
  read(v, "poisson", s.poisson);
  read(v, "damping_time", s.damping_time);
  read(v, "surface_velocity", s.surface_velocity);
  read(v, "restitution", s.restitution);
  s.impact_law = impact_law_of(v).value_or(s.impact_law);
  read(v, "tangential_restitution", s.tangential_restitution);
  return s;
}

void read_pair(const Json& v, SurfacePairDescription& p) {
  read(v, "friction", p.friction);
  read(v, "kinetic_friction", p.kinetic_friction);
  read(v, "stribeck_speed", p.stribeck_speed);
  read(v, "viscous_friction", p.viscous_friction);
  read(v, "friction_along", p.friction_along);
  read(v, "spin_length", p.spin_length);
  read(v, "rolling_length", p.rolling_length);
  read(v, "stiffness", p.stiffness);
  read(v, "damping_time", p.damping_time);
  read(v, "restitution", p.restitution);
  p.impact_law = impact_law_of(v);
  read(v, "tangential_restitution", p.tangential_restitution);
}

template <class Each>
void for_entries(const Json& tree, const std::string& list, const Each& each) {
  const Json* map = part(tree, list, Kind::map);
  for (std::size_t i = 0; map != nullptr && i < map->items.size(); ++i)
    each(map->keys[i].name, map->items[i]);
}

}  // namespace

void bind(const Json& tree, SceneFile& out, Messages& messages) {
  Scene& scene = out.scene;
  read(tree, "title", scene.title);
  read(tree, "gravity", scene.gravity);
  for_entries(tree, "surfaces",
              [&](const std::string& name, const Json& v) { scene.add_surface(name, surface_of(v)); });
  if (const Json* pairs = part(tree, "surface_pairs", Kind::list)) {
    for (const Json& v : pairs->items) {
      SurfacePairDescription p;
      const Json* between = part(v, "between", Kind::list);
      if (between != nullptr && between->items.size() == 2) {
        p.a = between->items[0].text, p.b = between->items[1].text;
      }
      read_pair(v, p);
      scene.surface_pairs.push_back(p);
    }
  }
  for_entries(tree, "bodies", [&](const std::string& name, const Json& v) {
    scene.add_body(name, body_of(v, joined("bodies", name), messages));
  });
  for_entries(tree, "joints", [&](const std::string& name, const Json& v) {
    if (std::optional<JointDescription> joint = joint_of(v)) scene.add_joint(name, std::move(*joint));
  });
  for_entries(tree, "forces",
              [&](const std::string& name, const Json& v) { scene.add_force(name, force_of(v)); });
  for_entries(tree, "sensors", [&](const std::string& name, const Json& v) {
    SensorDescription s{shape_of(v, joined("sensors", name), messages)};
    read(v, "at", s.position);
    read(v, "orientation", s.orientation);
    scene.add_sensor(name, s);
  });
  if (const Json* initial = part(tree, "initial", Kind::map)) bind_initial(*initial, scene, messages);
  bind_run(tree, out);
  bind_record(tree, out, messages);
}

}  // namespace stiction::formats
