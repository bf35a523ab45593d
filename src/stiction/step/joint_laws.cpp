// Limits, motors and friction of joints. Each is a law between the impulse r along a coordinate c of a joint
// and what the coordinate does in the step, from c0 to c1:
//     lower     0 <= r  _|_  (c1 - bound)/h >= 0
//     upper     0 <= r  _|_  (bound - c1)/h >= 0          (r acts against c)
//     friction  |r| <= h F,   s = 0 unless |r| = h F, against the motion then        s: rate of c at the end
//     motor     |r| <= h F,   s = the speed asked for, unless |r| = h F;
//                             or (c1 - c0)/h = what leads to the place asked for, at most as fast as it may
//     hold      c1 = bound
//     gear      c1 + ratio c1' = bound,  c' being another coordinate
//     slip      A v + drift = 0 with A in the middle of the way (constraints/velocity_rows.h): v+ leads along
//               the chord of the step, so that what rolls or cuts stays on its path to the second order
// all rows of kind `box` in the problem of contacts, solved with them at once. A limit that is hit in the
// step with speed s0 and restitution e > 0 asks for s >= e |s0| + a instead of the gap (Newton's law), a
// being what other forces, motors included, change of s in the step: it bounces off where it is at the start
// of the step, and gains nothing from them. Laws of places have the discrete gradient G of c from the start
// of the step to the candidate end (constraints/rows.h; for trees c1 = c0 + h v exactly), and with the v_k
// that led there
//     (c1 - c0)/h ~ (c_k - c0)/h + G (v - v_k)
// laws of speeds the gradient at the candidate end, so that the fixed point over candidates has them exactly.
// Angles are scaled by a size L of the body that moves, so that impulses, r/L, and speeds, L u, compare with
// those of contacts.
//
// Symbols: c [m, rad], r [N s, N m s], F [N, N m], h [s], u [m/s, rad/s].
// When it fails: Newton's law may give energy where several limits with different restitution are hit at
// once.
#include "stiction/step/joint_laws.h"

#include <algorithm>
#include <cmath>

#include "stiction/step/mechanisms.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using constraints::Pose;
using constraints::Twist;

/// The rate with what the problem has as unknown: `offset` holds the motion of prescribed bodies.
double problem_rate(const Model& m, std::size_t k, const Workspace& w) {
  double sum = 0;
  for_parts(m, k, [&](std::size_t p, double factor) {
    const ModelLaw& law = m.laws[p];
    if (law.of_tree()) sum += factor * w.next.joint_velocity[std::size_t(law.dof)];
    for (const bool second : {false, true}) {
      const int body = second ? law.b : law.a;
      if (body < 0 || !can_move(m, body)) continue;
      Twist v = twist_of(w.next, body);
      if (const int link = m.link[std::size_t(body)]; link >= 0) {  // as v+ moves it at w.base
        const RigidInertia& i = w.trees.base.inertia[std::size_t(link)];
        const SpatialMotion at = moved(w.trees.seen[std::size_t(link)], i.moment / i.mass);
        v = {at.linear, at.angular};
      }
      sum += factor * dot(second ? w.laws[p].gradient.b : w.laws[p].gradient.a, v);
    }
  });
  return sum;
}

/// Whether the law is one of the rate at the end, not of the way.
bool is_rate(const ModelLaw& law, const LawWork& own) {
  return law.is_limit() ? own.bounces : !law.to_position && !law.holds();
}

/// u = sign (way or rate) + this.
double offset_of(const ModelLaw& law, const LawWork& own, double h) {
  const double sign = sign_of(law);
  if (law.kind == ModelLaw::Kind::friction) return 0;
  if (law.holds()) return (own.start - law.bound - own.kept) / h;
  if (law.kind == ModelLaw::Kind::slip) return law.bound;
  if (law.kind == ModelLaw::Kind::motor) return -own.aim;
  const double gap = std::fmax(0.0, sign * (own.start - law.bound)) / h;
  return own.bounces ? std::fmin(law.restitution * sign * own.rate - sign * (own.drift + own.push), gap)
                     : gap;
}

/// What motor and friction of the same coordinate change of the rate at a limit that bounces.
double push_of(const Model& m, std::size_t k, const Workspace& w) {
  const ModelLaw& law = m.laws[k];
  if (!w.laws[k].bounces) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < m.laws.size(); ++i) {
    const ModelLaw& other = m.laws[i];
    if (other.joint == law.joint && other.coordinate == law.coordinate && !other.is_limit() && !other.binds())
      sum += impulse_along(other, w.laws[i]);
  }
  return sum * w.laws[k].inverse_mass / (law.size * law.size);
}

/// `rate`: what it would be at the end of the step without the law.
void join(const ModelLaw& law, double rate, LawWork& own) {
  own.in_problem = true;
  own.bounces = law.is_limit() && law.restitution > 0 && sign_of(law) * own.rate < 0;
  own.drift = rate - own.rate;
}

/// Whether all its parts are coordinates of trees: c1 = c0 + h v exactly.
bool is_linear(const Model& m, std::size_t k) {
  bool linear = true;
  for_parts(m, k, [&](std::size_t p, double) { linear = linear && m.laws[p].of_tree(); });
  return linear;
}

/// Gradients of the parts of a law at q.
template <class Arrays>
void set_gradients(const Model& m, std::size_t k, const Arrays& q, std::vector<LawWork>& laws) {
  for_parts(m, k, [&](std::size_t p, double) {
    const ModelLaw& law = m.laws[p];
    if (!law.of_tree())
      laws[p].gradient = part_gradient(m, law, laws[p].row, pose_of(q, law.a), pose_of(q, law.b));
  });
}
/// The same over the way from the start of the step to q.
void set_mean_gradients(const Model& m, std::size_t k, const Motions& q, std::vector<LawWork>& laws) {
  for_parts(m, k, [&](std::size_t p, double) {
    const ModelLaw& law = m.laws[p];
    LawWork& own = laws[p];
    if (!law.of_tree())
      own.gradient =
          part_mean_gradient(m, law, own.row, own.from_a, own.from_b, pose_of(q, law.a), pose_of(q, law.b));
  });
}

/// Whether a joint that one of its coordinates is of is broken.
bool is_broken(const Model& m, const State& x, std::size_t k) {
  bool broken = false;
  if (!x.joint_broken.empty())
    for_parts(m, k, [&](std::size_t p, double) {
      const int c = m.laws[p].constraint;
      broken |= c >= 0 && x.joint_broken[std::size_t(c)] != 0;
    });
  return broken;
}

/// The rate that a law of rates is about, at the candidate end: in the middle of the way for velocity rows.
double rate_at_end(const Model& m, std::size_t k, const Workspace& w) {
  const ModelLaw& law = m.laws[k];
  if (law.of_tree()) return w.next.joint_velocity[std::size_t(law.dof)];
  const LawWork& own = w.laws[k];
  const Pose a = pose_of(w.next, law.a), b = pose_of(w.next, law.b);
  const constraints::Jacobian g = law.kind == ModelLaw::Kind::slip
                                      ? part_mean_gradient(m, law, own.row, own.from_a, own.from_b, a, b)
                                      : part_gradient(m, law, own.row, a, b);
  return dot(g, twist_of(w.next, law.a), twist_of(w.next, law.b));
}

}  // namespace

double aim_of(const ModelLaw& law, double target, double start, double inverse_mass, double h) {
  if (!law.to_position) return target;
  const double way = target - start, d = std::fabs(way), a = law.most * inverse_mass;
  const double stops = a > 0 ? std::sqrt(a * a * h * h + 2 * a * d) - a * h : HUGE_VAL;
  return std::copysign(std::fmin(std::fmin(d / h, law.fastest), stops), way);
}

double place_of(const Model& m, std::size_t k, const State& x) {
  const auto row_of = [&](std::size_t p) {
    constraints::Row row = m.laws[p].row;
    row.last = x.law_memory[p];
    return row;
  };
  return value_with(m, k, row_of, x).value;
}

void start_laws(const Model& m, const State& x, double h, double tolerance, Workspace& w) {
  w.laws.resize(m.laws.size());
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    own = {};
    own.h = h;
    own.row = law.row, own.row.last = x.law_memory[k];
    own.from_a = pose_of(x, law.a), own.from_b = pose_of(x, law.b);
  }
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    own.start = value_at(m, k, w.laws, x).value;
    set_gradients(m, k, x, w.laws);
    own.rate = rate_of(m, k, w.laws, x);
    own.touched = x.law_impulse[k] != 0;
    own.impulse = (h / x.step) * x.law_impulse[k];
    if (law.kind == ModelLaw::Kind::follow || is_broken(m, x, k))
      own.off = true, own.touched = false, own.impulse = 0;
    own.low = law.is_limit() ? 0.0 : law.binds() ? -HUGE_VAL : -h * law.most;
    own.high = law.is_limit() || law.binds() ? HUGE_VAL : h * law.most;
    if (law.holds() && std::fabs(own.start - law.bound) > tolerance * law.extent)
      own.kept = own.start - law.bound;
    if (law.kind != ModelLaw::Kind::motor) continue;
    own.aim = aim_of(law, x.law_target[k], own.start, 0, h);
    own.target = x.law_target[k];
  }
}

int choose_laws(const Model& m, Workspace& w) {
  int count = 0;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    const auto beyond = [&](double c) { return sign_of(law) * (c - law.bound) < 0; };
    if (!own.in_problem && !own.off &&
        (!law.is_limit() || own.impulse > 0 || beyond(own.start) ||
         beyond(value_at(m, k, w.laws, w.free).value))) {
      const bool stopped = is_stopped(m, w, law.a) || is_stopped(m, w, law.b);
      join(law, rate_of(m, k, w.laws, stopped ? w.next : w.free), own);
    }
    count += own.in_problem;
  }
  return count;
}

int add_violated_laws(const Model& m, double h, double tolerance, Workspace& w) {
  int added = 0;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    if (own.in_problem || own.off) continue;
    const double rate = rate_of(m, k, w.laws, w.next);
    if (sign_of(law) * (own.start + h * rate - law.bound) >= -0.5 * tolerance * law.extent) continue;
    join(law, rate, own);
    ++added;
  }
  return added;
}

void linearise_laws(const Model& m, double h, Workspace& w) {
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    if (!own.in_problem) continue;
    const double sign = sign_of(law);
    own.push = push_of(m, k, w);
    own.offset = offset_of(law, own, h);
    const bool rate = is_rate(law, own);
    if (rate && law.kind != ModelLaw::Kind::slip)
      set_gradients(m, k, w.base, w.laws);
    else
      set_mean_gradients(m, k, w.base, w.laws);
    if (!rate && !is_linear(m, k))
      own.offset +=
          sign * ((value_at(m, k, w.laws, w.base).value - own.start) / h - rate_of(m, k, w.laws, w.base));
    for_parts(m, k, [&](std::size_t p, double factor) {
      const ModelLaw& part = m.laws[p];
      const constraints::Jacobian& g = w.laws[p].gradient;
      for (const bool second : {false, true})
        if (const int body = second ? part.b : part.a;
            body >= 0 && m.body_kind[std::size_t(body)] == kinematic)
          own.offset += sign * factor * dot(second ? g.b : g.a, twist_of(w.free, body));
    });
  }
}

void linearise_limits(const Model& m, Workspace& w) {
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    const bool tree = law.of_tree() && has_touched(m, w, law.link);
    own.in_problem =
        !own.off && (law.holds() || (law.is_limit() && (own.in_problem || tree || is_stopped(m, w, law.a) ||
                                                        is_stopped(m, w, law.b))));
    if (!own.in_problem) continue;
    own.offset = sign_of(law) * (value_at(m, k, w.laws, w.next).value - law.bound);
    own.impulse = 0;
    set_gradients(m, k, w.next, w.laws);
  }
}

LawResidual residual_of(const Model& m, std::size_t k, double h, bool at_base, const Workspace& w) {
  const ModelLaw& law = m.laws[k];
  LawWork own = w.laws[k];
  if (own.idle) return {};
  own.push = push_of(m, k, w);  // of the impulses found, which the problem had from the pass before
  double change = 0, round_off = 0;
  if (is_rate(law, own)) {
    change = rate_at_end(m, k, w);
  } else {
    const LawValue end = value_at(m, k, w.laws, w.next);
    change = (end.value - own.start) / h;
    round_off = 4 * 2.3e-16 * (end.size + std::fabs(own.start)) / h;
  }
  double u = law.size * (sign_of(law) * change + offset_of(law, own, h));
  if (at_base) u = law.size * (sign_of(law) * problem_rate(m, k, w) + own.offset);
  if (std::fabs(u) <= law.size * round_off) u = 0;
  const double r = own.impulse / law.size, low = own.low / law.size, high = own.high / law.size;
  const double x = r - u / own.inverse_mass;
  const double error = x > low && x < high ? u / own.inverse_mass : r - std::fmin(std::fmax(x, low), high);
  double speed = law.size * std::fmax(std::fabs(own.rate), std::fabs(own.aim)) + h * norm(m.gravity);
  for_bodies(m, k, [&](int body) {
    const Twist v = twist_of(w.next, body);
    speed = std::fmax(speed, norm(v.linear) + law.size * norm(v.angular));
  });
  return {error, r, speed / own.inverse_mass};
}

namespace {

/// [rad] the farthest that bodies of a gear turn against each other in the step, if it is too far for their
/// angle to be followed; else 0.
double lost_turn(const Model& m, std::size_t k, const Motions& q, const Workspace& w) {
  constexpr double half_turn = 3.141592653589793;
  double most = 0;
  if (m.laws[k].kind == ModelLaw::Kind::gear && w.laws[k].in_problem)
    for_parts(m, k, [&](std::size_t p, double) {
      const ModelLaw& law = m.laws[p];
      if (!law.of_tree() && constraints::is_tracked(law.row))
        most = std::fmax(most, w.laws[p].h * norm(twist_of(q, law.b).angular - twist_of(q, law.a).angular));
    });
  return most >= half_turn ? most : 0.0;
}

/// [m, rad] by how much a law is violated at q; of what binds velocities the way that it slips in the step.
double violation(const Model& m, std::size_t k, const Motions& q, const Workspace& w) {
  const ModelLaw& law = m.laws[k];
  const LawWork& own = w.laws[k];
  if (law.kind == ModelLaw::Kind::slip)
    return own.in_problem ? own.h * std::fabs(rate_of(m, k, w.laws, q) + law.bound) : 0.0;
  if (const double turn = lost_turn(m, k, q, w); turn > 0) return turn;
  const double beyond = value_at(m, k, w.laws, q).value - law.bound;
  return law.holds() ? std::fabs(beyond) : -sign_of(law) * beyond;
}

}  // namespace

double worst_law(const Model& m, const Motions& q, const Workspace& w, double& worst, int* which) {
  double relative = 0;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    if ((!law.is_limit() && !law.binds()) || w.laws[k].off) continue;
    const double beyond = violation(m, k, q, w);
    if (beyond <= 0) continue;
    worst = std::fmax(worst, beyond);
    if (beyond / law.extent <= relative) continue;
    relative = beyond / law.extent;
    if (which != nullptr) *which = int(k);
  }
  return relative;
}

bool gives_energy(const Model& m, const ModelLaw& law, const LawWork& own) {
  if (own.bounces || own.aim != 0 || law.binds()) return true;
  for (const int body : {law.a, law.b})
    if (body >= 0 && m.body_kind[std::size_t(body)] == kinematic) return true;
  return false;
}

void make_room_for_laws(const Model& m, State& x) {
  x.law_impulse.assign(m.laws.size(), 0.0), x.law_memory.assign(m.laws.size(), 0.0);
  x.law_target.resize(m.laws.size());
  for (std::size_t k = 0; k < m.laws.size(); ++k) x.law_target[k] = m.laws[k].target;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    constraints::Row row = m.laws[k].row;
    if (m.laws[k].of_tree() || x.position.empty() || x.orientation.size() != x.position.size()) continue;
    constraints::track(row, pose_of(x, m.laws[k].a), pose_of(x, m.laws[k].b));
    x.law_memory[k] = row.last;
  }
}

void accept_laws(const Model& m, const Workspace& w, State& x) {
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    x.law_impulse[k] = w.laws[k].in_problem ? w.laws[k].impulse : 0.0;
    constraints::Row row = w.laws[k].row;
    if (law.of_tree()) continue;
    constraints::track(row, pose_of(x, law.a), pose_of(x, law.b));
    x.law_memory[k] = row.last;
  }
}

}  // namespace stiction::step
