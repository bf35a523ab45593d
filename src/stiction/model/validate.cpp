// Every mistake of a scene in one list: ranges, units of measure that cannot be, names that lead nowhere,
// combinations that have no mechanical meaning. Each entry names the value's path, what was found and what is
// allowed. Nothing is repaired here; compile() normalises what is within round-off.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "stiction/model/coincidence.h"
#include "stiction/model/detail/checker.h"

namespace stiction {
namespace detail {
namespace {

constexpr double smallest_mass = 1e-45;  // [kg] 1 / largest_number, for its inverse
// Triangle inequality of the moments of inertia: round-off of a thin plate, where it holds with equality.
constexpr double inertia_slack = 1e-9;
constexpr double half_turn = 3.14159265358979323846;  // [rad]

}  // namespace

void Checker::index_names() {
  std::set<std::string> surfaces, seen_bodies, joints, forces, sensors;
  for (const auto& s : scene.surfaces) {
    name("surfaces", s.name, surfaces);
    surface_names.push_back(s.name);
  }
  for (const auto& b : scene.bodies) {
    name("bodies", b.name, seen_bodies);
    body_names.push_back(b.name);
    bodies.emplace(b.name, &b.value);
  }
  for (const auto& j : scene.joints) name("joints", j.name, joints);
  for (const auto& f : scene.forces) name("forces", f.name, forces);
  for (const auto& s : scene.sensors) name("sensors", s.name, sensors);
}

void Checker::check_shape(const std::string& path, const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    positive(path + ".sphere", sphere->radius, " m");
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    for (int i = 0; i < 3; ++i) positive(path + ".box." + std::to_string(i), box->size[i], " m");
  } else if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    positive(path + ".capsule.radius", capsule->radius, " m");
    not_negative(path + ".capsule.length", capsule->length, " m");
  } else if (const auto* half = std::get_if<HalfSpace>(&shape)) {
    direction(path + ".half_space.normal", half->normal);
    finite(path + ".half_space.offset", half->offset);
  } else if (const auto* convex = std::get_if<ConvexShape>(&shape)) {
    const std::string fault = fault_of(convex->body());
    if (!fault.empty()) add(path + "." + name_of(shape), fault);
  } else if (const auto* compound = std::get_if<CompoundShape>(&shape)) {
    check_compound(path + ".compound", *compound);
  }
}

void Checker::check_compound(const std::string& path, const CompoundShape& shape) {
  int index = 0;
  const std::size_t before = mistakes.size();
  for (const CompoundPart& p : shape.parts()) {
    const std::string here = path + "." + std::to_string(index++);
    if (kind(p.shape) != ShapeKind::compound) check_shape(here + ".shape", p.shape);
    finite(here + ".position", p.position);
    rotation(here + ".orientation", p.orientation);
  }
  if (mistakes.size() > before) return;
  const std::string fault = fault_of(shape);
  if (const std::size_t colon = fault.find(": "); !fault.empty())
    add(path + fault.substr(0, colon), fault.substr(colon + 2));
}

void Checker::check_mass(const std::string& path, const BodyDescription& b) {
  bool fine = true;
  if (b.density != 0) fine = positive(path + ".density", b.density, " kg/m^3") && fine;
  if (b.mass != 0) fine = positive(path + ".mass", b.mass, " kg") && fine;
  if (b.inertia) {
    for (int i = 0; i < 3; ++i) {
      fine = positive(path + ".inertia." + std::to_string(i), (*b.inertia)[i], " kg m^2") && fine;
    }
  }
  if (!fine) return;
  if (b.inertia) {
    const Vec3& I = *b.inertia;
    const double sum = I.x + I.y + I.z, largest = max_component(I);
    if (largest > (sum - largest) * (1 + inertia_slack)) {
      add(path + ".inertia", "found " + vec_text(I) +
                                 ": no body has one moment of inertia larger than the sum of the other two");
    }
  }
  if (b.density != 0 && b.mass != 0) {
    add(path + ".mass", "found both density and mass, give one of them");
    return;
  }
  if (b.kind != dynamic) return;
  if (b.density == 0 && b.mass == 0) {
    add(path, "a body that moves freely needs `density` or `mass`");
  } else if (b.density == 0 && !(b.mass >= smallest_mass && b.mass <= largest_number)) {
    add(path + ".mass", "found " + number_text(b.mass) + " kg, must be from " + number_text(smallest_mass) +
                            " to " + number_text(largest_number));
  } else if (b.density != 0) {
    const double mass = b.density * volume(b.shape);
    if (volume(b.shape) == 0) {
      add(path + ".density", "this shape has no volume, give `mass` instead");
    } else if (!(mass >= smallest_mass && mass <= largest_number)) {
      add(path + ".density", "density times volume is " + number_text(mass) + " kg, must be from " +
                                 number_text(smallest_mass) + " to " + number_text(largest_number));
    }
  }
  if (b.particle && b.inertia) add(path + ".inertia", "a particle does not turn, leave `inertia` out");
  if (!b.particle && !b.inertia && std::holds_alternative<NoShape>(b.shape)) {
    add(path, "without a shape a body needs `inertia`, or `particle` to be true");
  }
}

void Checker::check_motion(const std::string& path, const BodyDescription& b) {
  const Motion& m = b.motion;
  const bool given = !m.time.empty() || !m.position.empty() || !m.orientation.empty();
  if (b.kind != kinematic) {
    if (given) add(path + ".motion", "only kinematic bodies take a motion table");
    return;
  }
  if (!given) {
    add(path + ".motion", "a kinematic body needs a motion table of `time` and `position`");
    return;
  }
  if (m.time.empty()) add(path + ".motion.time", "found no row, at least one is needed");
  increasing(path + ".motion.time", m.time);
  rows(path + ".motion.position", m.position, m.time.size());
  finite_rows(path + ".motion.position", m.position);
  if (!m.orientation.empty()) rows(path + ".motion.orientation", m.orientation, m.time.size());
  for (std::size_t i = 0; i < m.orientation.size(); ++i) {
    rotation(path + ".motion.orientation." + std::to_string(i), m.orientation[i]);
  }
}

void Checker::check_body(const std::string& path, const BodyDescription& b) {
  check_shape(path + ".shape", b.shape);
  check_mass(path, b);
  check_motion(path, b);
  finite(path + ".position", b.position);
  rotation(path + ".orientation", b.orientation);
  const bool v = finite(path + ".velocity", b.velocity), w = finite(path + ".spin", b.spin);
  if (!b.surface.empty()) check_body_surface(path, b);
  if (b.kind == dynamic && std::holds_alternative<HalfSpace>(b.shape)) {
    add(path + ".shape", "a half_space has no mass: make the body static or kinematic");
  }
  if (b.kind != fixed && std::holds_alternative<SurfaceShape>(b.shape)) {
    add(path + ".shape",
        std::string("found a ") + name_of(b.shape) +
            " on a body that moves: make the body static, or build it of convex parts (compound)");
  }
  if (b.kind != dynamic) {
    const char* const reason =
        b.kind == fixed ? "a static body does not move" : "a kinematic body moves as its motion table says";
    if (v && norm(b.velocity) > 0) {
      add(path + ".velocity", "found " + vec_text(b.velocity) + ", but " + reason);
    }
    if (w && norm(b.spin) > 0) add(path + ".spin", "found " + vec_text(b.spin) + ", but " + reason);
    if (b.particle) add(path + ".particle", "only bodies that move freely can be particles");
  } else if (b.particle) {
    if (!std::holds_alternative<NoShape>(b.shape) && !std::holds_alternative<Sphere>(b.shape)) {
      add(path + ".shape", std::string("found ") + name_of(b.shape) +
                               ", a particle takes a sphere or no shape, since it does not turn");
    }
    if (w && norm(b.spin) > 0) {
      add(path + ".spin", "found " + vec_text(b.spin) + ", but a particle does not turn");
    }
  }
}

void Checker::check_spring(const std::string& path, const SpringDamper& s) {
  not_negative(path + ".stiffness", s.stiffness, " N/m");
  not_negative(path + ".damping", s.damping, " N s/m");
  const bool rest_fine = not_negative(path + ".rest_length", s.rest_length, " m");
  const bool points_fine =
      int(finite(path + ".point_a", s.point_a)) + int(finite(path + ".point_b", s.point_b)) == 2;
  const BodyDescription* a = s.a.empty() ? nullptr : body(path + ".a", s.a);
  const BodyDescription* b = body(path + ".b", s.b);
  if (b == nullptr || (a == nullptr && !s.a.empty())) return;
  if (a == b) {
    add(path + ".b",
        "both ends are on the body \"" + s.b + "\", a spring joins two bodies or a body and the world");
    return;
  }
  if (b->kind != dynamic && (a == nullptr || a->kind != dynamic)) {
    add(path, "neither end is on a body that moves freely");
  }
  if (!points_fine) return;
  if (a != nullptr && a->particle && norm(s.point_a) > 0) {
    add(path + ".point_a", "found " + vec_text(s.point_a) + ", a particle is held at its centre [0, 0, 0]");
  }
  if (b->particle && norm(s.point_b) > 0) {
    add(path + ".point_b", "found " + vec_text(s.point_b) + ", a particle is held at its centre [0, 0, 0]");
  }
  const auto place = [](const BodyDescription* body, const Vec3& point) {
    return body == nullptr ? point : body->position + rotate(body->orientation, point);
  };
  if (rest_fine && s.rest_length > 0 && place(a, s.point_a) == place(b, s.point_b)) {
    add(path + ".rest_length", "both ends start at the same point, so that the spring of rest length " +
                                   number_text(s.rest_length) +
                                   " m has no direction: move an end, or give rest_length 0");
  }
}

void Checker::check_drag(const std::string& path, const Drag& d) {
  not_negative(path + ".linear", d.linear, " N s/m");
  not_negative(path + ".quadratic", d.quadratic, " N s^2/m^2");
  not_negative(path + ".angular", d.angular, " N m s");
  not_negative(path + ".coefficient", d.coefficient, "");
  positive(path + ".exponent", d.exponent, "");
  if (d.body.empty()) return;
  const BodyDescription* b = body(path + ".body", d.body);
  if (b == nullptr) return;
  if (b->kind != dynamic) {
    add(path + ".body", "the body \"" + d.body + "\" does not move freely, drag has no effect on it");
  } else if (b->particle && d.angular != 0) {
    add(path + ".angular", "the body \"" + d.body + "\" is a particle and does not turn");
  }
}

void Checker::check_wrench(const std::string& path, const Wrench& w) {
  increasing(path + ".time", w.time);
  finite_rows(path + ".force", w.force);
  finite_rows(path + ".torque", w.torque);
  finite(path + ".point", w.point);
  if (w.time.size() == 1) {
    add(path + ".time", "found 1 row, a table needs at least two; leave `time` out for a constant wrench");
  }
  if (w.force.empty() && w.torque.empty()) add(path, "gives neither `force` nor `torque`");
  const std::size_t expected = w.time.empty() ? 1 : w.time.size();
  for (const auto& [key, column] : {std::pair{".force", &w.force}, std::pair{".torque", &w.torque}}) {
    if (column->empty() || column->size() == expected) continue;
    if (w.time.empty()) {
      add(path + key, "found " + std::to_string(column->size()) + " rows without `time`, must be one");
    } else {
      rows(path + key, *column, expected);
    }
  }
  const BodyDescription* b = body(path + ".body", w.body);
  if (b == nullptr) return;
  if (b->kind != dynamic) {
    add(path + ".body", "the body \"" + w.body + "\" does not move freely, a wrench has no effect on it");
  } else if (b->particle) {
    if (!w.torque.empty())
      add(path + ".torque", "the body \"" + w.body + "\" is a particle and does not turn");
    if (norm(w.point) > 0) {
      add(path + ".point", "the body \"" + w.body + "\" is a particle, forces act at its centre");
    }
  }
}

void Checker::check_torsion(const std::string& path, const TorsionSpring& t) {
  not_negative(path + ".stiffness", t.stiffness, " N m/rad");
  not_negative(path + ".damping", t.damping, " N m s/rad");
  direction(path + ".axis", t.axis);
  if (!(std::fabs(t.rest_angle) <= half_turn)) {
    add(path + ".rest_angle",
        "found " + number_text(t.rest_angle) + ", must be between -pi and pi: whole turns are not counted");
  }
  const BodyDescription* a = t.a.empty() ? nullptr : body(path + ".a", t.a);
  const BodyDescription* b = body(path + ".b", t.b);
  if (b == nullptr || (a == nullptr && !t.a.empty())) return;
  if (a == b) {
    add(path + ".b",
        "both ends are on the body \"" + t.b + "\", a spring joins two bodies or a body and the world");
    return;
  }
  if (b->kind != dynamic && (a == nullptr || a->kind != dynamic)) {
    add(path, "neither end is on a body that moves freely");
  }
  for (const auto& [key, end, name] : {std::tuple{".a", a, &t.a}, std::tuple{".b", b, &t.b}}) {
    if (end != nullptr && end->particle)
      add(path + key, "the body \"" + *name + "\" is a particle and does not turn");
  }
}

void Checker::check_magnus(const std::string& path, const Magnus& m) {
  finite(path + ".coefficient", m.coefficient);
  if (m.body.empty()) return;
  const BodyDescription* b = body(path + ".body", m.body);
  if (b == nullptr) return;
  if (b->kind != dynamic) {
    add(path + ".body", "the body \"" + m.body + "\" does not move freely, this force has no effect on it");
  } else if (b->particle) {
    add(path + ".body", "the body \"" + m.body + "\" is a particle and does not turn");
  }
}

void Checker::check_bodies(const std::string& path, const std::vector<std::string>& patterns) {
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const std::string place = path + "." + std::to_string(i);
    if (!patterns[i].ends_with(".*")) {
      const BodyDescription* b = body(place, patterns[i]);
      if (b != nullptr && b->kind != dynamic)
        add(place, "the body \"" + patterns[i] + "\" does not move freely, this force takes those that do");
      continue;
    }
    if (std::none_of(body_names.begin(), body_names.end(),
                     [&](const std::string& name) { return means(patterns[i], name); }))
      add(place, "no body is meant by \"" + patterns[i] + "\"");
  }
}

void Checker::check_gravitation(const std::string& path, const Gravitation& g) {
  positive(path + ".constant", g.constant, " m^3/(kg s^2)");
  check_bodies(path + ".bodies", g.bodies);
}

void Checker::check_lennard_jones(const std::string& path, const LennardJones& l) {
  positive(path + ".depth", l.depth, " J");
  const bool fine = positive(path + ".diameter", l.diameter, " m");
  if (not_negative(path + ".cutoff", l.cutoff, " m") && fine && l.cutoff > 0 && l.cutoff <= l.diameter) {
    add(path + ".cutoff", "found " + number_text(l.cutoff) + " m, must be larger than the diameter of " +
                              number_text(l.diameter) + " m, or 0 for none");
  }
  check_bodies(path + ".bodies", l.bodies);
}

void Checker::check_force(const std::string& path, const ForceDescription& force) {
  if (const auto* spring = std::get_if<SpringDamper>(&force)) check_spring(path + ".spring", *spring);
  if (const auto* drag = std::get_if<Drag>(&force)) check_drag(path + ".drag", *drag);
  if (const auto* wrench = std::get_if<Wrench>(&force)) check_wrench(path + ".wrench", *wrench);
  if (const auto* torsion = std::get_if<TorsionSpring>(&force)) check_torsion(path + ".torsion", *torsion);
  if (const auto* magnus = std::get_if<Magnus>(&force)) check_magnus(path + ".magnus", *magnus);
  if (const auto* g = std::get_if<Gravitation>(&force)) check_gravitation(path + ".gravitation", *g);
  if (const auto* l = std::get_if<LennardJones>(&force)) check_lennard_jones(path + ".lennard_jones", *l);
}

}  // namespace detail

std::vector<Mistake> validate(const Scene& scene) {
  detail::Checker c{scene};
  c.index_names();
  c.finite("gravity", scene.gravity);
  c.check_surfaces();
  for (const auto& b : scene.bodies) c.check_body("bodies." + b.name, b.value);
  c.check_joints();
  for (const auto& f : scene.forces) {
    c.check_force("forces." + f.name, f.value);
  }
  for (const auto& s : scene.sensors) {
    const std::string path = "sensors." + s.name;
    if (std::holds_alternative<NoShape>(s.value.shape)) c.add(path + ".shape", "a sensor needs a shape");
    c.check_shape(path + ".shape", s.value.shape);
    if (std::holds_alternative<SurfaceShape>(s.value.shape))
      c.add(path + ".shape", std::string("found a ") + name_of(s.value.shape) +
                                 ", a sensor's region is a convex shape or a compound");
    c.finite(path + ".position", s.value.position);
    c.rotation(path + ".orientation", s.value.orientation);
  }
  if (c.mistakes.empty()) c.mistakes = crowded_places(scene);
  if (c.mistakes.empty()) c.mistakes = detail::check_links(scene);
  return std::move(c.mistakes);
}

}  // namespace stiction
