// From the bodies of a step's problem to the equations of implicit_contact.h and back: Newton's method for
// steps of the method implicit_geometry whose passes converge slowly or not at all. It only brings the
// candidate end to where a pass finds itself again; impulses and certificate are those of that pass.
#include <deque>
#include <optional>

#include "stiction/collision/convex/closest_points.h"
#include "stiction/step/implicit_contact.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr std::size_t most_pairs = 64;  // Newton's method takes all of them at once
constexpr std::size_t most_faced = 4;   // of them, where a body has several faces: in a heap of six bricks no
                                        // step is saved, and Newton's method takes longer than all of them

/// One convex body given by inequalities.
bool has_faces(const Model& m, std::size_t i, std::optional<Convex>& store, const Convex*& shape) {
  const ShapeKind k = kind(m.shape[i]);
  if (k == ShapeKind::none || k == ShapeKind::compound || k == ShapeKind::surface) return false;
  shape = collision::as_convex(m.shape[i], store);
  return shape != nullptr && shape->rounding <= 0;
}

ImplicitContact pair_of(const WorkContact& c, int f, int g) {
  ImplicitContact pair;
  pair.f = f, pair.g = g, pair.mu = c.mu, pair.extent.z = c.spin;
  return pair;
}

/// On f, along the normal out of g and across.
void add_impulse(const WorkContact& c, bool swapped, ImplicitContact& pair) {
  const double normal = dot(c.point.normal, c.impulse);
  pair.normal_impulse += normal;
  pair.friction += (swapped ? -1.0 : 1.0) * (c.impulse - normal * c.point.normal);
}

/// The bodies of a system, each once, as they are met.
class Gathered {
 public:
  Gathered(const Model& m, const State& x, double h, const Workspace& w) : m_(m), x_(x), h_(h), w_(w) {
    place_.assign(std::size_t(m.body_count()), -1);
  }
  /// -1 where the equations do not know such a body.
  int place(int body) {
    const auto i = std::size_t(body);
    if (place_[i] < 0 && add(i)) place_[i] = int(system.bodies.size()) - 1;
    return place_[i];
  }
  bool has_edges(int place) const { return face_count(system.bodies[std::size_t(place)].shape->core) > 1; }
  int body_at(std::size_t place) const { return body_[place]; }

  ImplicitSystem system;

 private:
  bool add(std::size_t i) {
    const bool moves = m_.mobility[i] != Mobility::none;
    ImplicitBody b;
    if (!has_faces(m_, i, store_.emplace_back(), b.shape)) return false;
    if (moves ? m_.mobility[i] != Mobility::free : m_.body_kind[i] != fixed) return false;
    b.position = x_.position[i], b.orientation = x_.orientation[i];
    if (moves) {
      b.mass = m_.mass[i], b.inertia = m_.inertia[i];
      b.velocity = x_.velocity[i], b.spin = x_.spin[i];
      b.likely_velocity = w_.next.velocity[i], b.likely_spin = w_.next.spin[i];
      b.force = m_.mass[i] * m_.gravity;
      if (w_.has_applied) b.force += w_.impulse[i] / h_, b.torque = w_.angular_impulse[i] / h_;
    }
    body_.push_back(int(i));
    system.bodies.push_back(b);
    return true;
  }

  const Model& m_;
  const State& x_;
  double h_;
  const Workspace& w_;
  std::vector<int> place_, body_;
  std::deque<std::optional<Convex>> store_;  // addresses stay
};

}  // namespace

bool polish_velocities(const Model& m, const State& x, double h, Workspace& w) {
  Gathered g(m, x, h, w);
  ContactKey last;
  std::size_t faced = 0;
  for (const WorkContact& c : w.contacts) {
    if (!c.in_problem) continue;
    const bool swapped = kind(m.shape[std::size_t(c.point.key.b)]) == ShapeKind::half_space;
    if (c.point.key.a != last.a || c.point.key.b != last.b) {  // each pair once
      last = c.point.key;
      const int a = g.place(c.point.key.a), b = g.place(c.point.key.b);
      if (a < 0 || b < 0) return false;
      faced += g.has_edges(a) || g.has_edges(b);
      g.system.contacts.push_back(pair_of(c, swapped ? a : b, swapped ? b : a));
      if (g.system.contacts.size() > most_pairs || faced > most_faced) return false;
    }
    add_impulse(c, swapped, g.system.contacts.back());
  }
  if (g.system.contacts.empty()) return false;
  const ImplicitSettings settings{.h = h, .likely = true, .thorough = false};
  if (!implicit_contact_step(settings, g.system).solved) return false;
  for (std::size_t k = 0; k < g.system.bodies.size(); ++k) {
    if (!(g.system.bodies[k].mass > 0)) continue;
    const auto i = std::size_t(g.body_at(k));
    w.next.velocity[i] = g.system.bodies[k].velocity, w.next.spin[i] = g.system.bodies[k].spin;
  }
  return true;
}

}  // namespace stiction::step
