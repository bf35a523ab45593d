// Limits, motors and friction of joints. Each is a law between the impulse r along a coordinate c of a joint
// and what the coordinate does in the step, from c0 to c1:
//     lower     0 <= r  _|_  (c1 - bound)/h >= 0
//     upper     0 <= r  _|_  (bound - c1)/h >= 0          (r acts against c)
//     friction  |r| <= h F,   s = 0 unless |r| = h F, against the motion then        s: rate of c at the end
//     motor     |r| <= h F,   s = the speed asked for, unless |r| = h F;
//                             or (c1 - c0)/h = what leads to the place asked for, at most as fast as it may
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

using complementarity::width;

constexpr double no_motion = 1e-14;  // [-] inverse mass with joints, over that without: none
using constraints::Twist;

template <class Arrays>
double value_at(const ModelLaw& law, const constraints::Row& row, const Arrays& q) {
  if (law.of_tree()) return q.joint_position[std::size_t(law.place)];
  return constraints::evaluate(row, pose_of(q, law.a), pose_of(q, law.b)).value;
}

/// G v of the coordinate.
template <class Arrays>
double rate_of(const ModelLaw& law, const constraints::Jacobian& g, const Arrays& q) {
  if (law.of_tree()) return q.joint_velocity[std::size_t(law.dof)];
  return dot(g, twist_of(q, law.a), twist_of(q, law.b));
}

/// The same with what the problem has as unknown: `offset` holds the motion of prescribed bodies.
double problem_rate(const Model& m, const ModelLaw& law, const LawWork& own, const Workspace& w) {
  if (law.of_tree()) return rate_of(law, own.gradient, w.next);
  double sum = 0;
  for (const bool second : {false, true}) {
    const int body = second ? law.b : law.a;
    if (body < 0 || !can_move(m, body)) continue;
    Twist v = twist_of(w.next, body);
    if (const int link = m.link[std::size_t(body)]; link >= 0) {  // as v+ moves it at w.base
      const RigidInertia& i = w.trees.base.inertia[std::size_t(link)];
      const SpatialMotion at = moved(w.trees.seen[std::size_t(link)], i.moment / i.mass);
      v = {at.linear, at.angular};
    }
    sum += dot(second ? own.gradient.b : own.gradient.a, v);
  }
  return sum;
}

/// What the direction of r is along the coordinate.
double sign_of(const ModelLaw& law) { return law.kind == ModelLaw::Kind::upper ? -1.0 : 1.0; }

/// Whether the law is one of the rate at the end, not of the way.
bool is_rate(const ModelLaw& law, const LawWork& own) {
  return law.is_limit() ? own.bounces : !law.to_position && !law.holds();
}

/// u = sign (way or rate) + this.
double offset_of(const ModelLaw& law, const LawWork& own, double h) {
  const double sign = sign_of(law);
  if (law.kind == ModelLaw::Kind::friction) return 0;
  if (law.holds()) return (own.start - own.kept) / h;
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
    if (other.joint == law.joint && other.coordinate == law.coordinate && !other.is_limit() && !other.holds())
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

/// The speed that a motor asks for in this step. To a place at the distance d: what leads there in the step,
/// but not more than the fastest, nor than what its largest acceleration a can still stop there, h s + s^2/(2
/// a)
/// <= d.
double aim_of(const ModelLaw& law, double target, double start, double inverse_mass, double h) {
  if (!law.to_position) return target;
  const double way = target - start, d = std::fabs(way), a = law.most * inverse_mass;
  const double stops = a > 0 ? std::sqrt(a * a * h * h + 2 * a * d) - a * h : HUGE_VAL;
  return std::copysign(std::fmin(std::fmin(d / h, law.fastest), stops), way);
}

/// Calls act(body, impulse and torque on it) for both sides of a law between bodies.
template <class Act>
void for_sides(const ModelLaw& law, const LawWork& own, const Act& act) {
  const double r = impulse_along(law, own);
  if (law.a >= 0) act(law.a, Twist{r * own.gradient.a.linear, r * own.gradient.a.angular});
  if (law.b >= 0) act(law.b, Twist{r * own.gradient.b.linear, r * own.gradient.b.angular});
}

/// What a gradient by the motion of a link is by the coordinates of its tree, at the pose of the problem.
void tree_row(const Model& m, int link, const Twist& g, const tree::Kinematics& k, std::vector<double>& out) {
  const tree::TreeRange& range = m.trees.forest.trees[std::size_t(m.trees.forest.tree_of[std::size_t(link)])];
  out.assign(std::size_t(range.v_end - range.v_begin), 0.0);
  tree::add_row(m.trees.forest, k, link, tree::centre_of_mass(k, link), g.linear, g.angular, out);
}

/// The same as part of the first row of a row block.
void fill_link_side(const Model& m, int link, int side, const Twist& g, Workspace& w,
                    complementarity::ContactRows& rows) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const int tree = f.tree_of[std::size_t(link)];
  const auto begin = std::size_t(f.trees[std::size_t(tree)].v_begin);
  tree_row(m, link, g, t.base, t.rows);
  const std::size_t n = t.rows.size(), size = (n + width - 1) / width * width;
  rows.block[side] = t.block_of_tree[std::size_t(tree)];
  const std::size_t at = open_wide_rows(side, size, w.problem, rows);
  t.tau.assign(f.dof.size(), 0.0), t.v.resize(f.dof.size());
  for (std::size_t k = 0; k < n; ++k) t.tau[begin + k] = t.rows[k], w.problem.wide_G[at + k] += t.rows[k];
  tree::solve_tree(f, t.base, t.base_factors, tree, t.tau, t.sweep, t.v);
  for (std::size_t k = 0; k < n; ++k) w.problem.wide_Y[at + k] += t.v[begin + k];
}

/// [1/kg, 1/(kg m^2)] of a law between two bodies without joints; 0 for one on a coordinate of a tree.
double loose_inverse_mass(const Model& m, const ModelLaw& law, const constraints::Jacobian& g,
                          const Motions& q) {
  double sum = 0;
  for (const int side : {0, 1}) {
    const int body = side == 0 ? law.a : law.b;
    if (law.of_tree() || body < 0 || !can_move(m, body)) continue;
    const auto i = std::size_t(body);
    const Twist& own = side == 0 ? g.a : g.b;
    sum += norm2(own.linear) / m.mass[i];
    if (m.mobility[i] == Mobility::particle) continue;
    const Vec3 t = rotate_back(q.orientation[i], own.angular), &I = m.inertia[i];
    sum += t.x * t.x / I.x + t.y * t.y / I.y + t.z * t.z / I.z;
  }
  return sum;
}

/// A gradient by the motions of two bodies as the first row of a row block; returns what joints alone give.
double fill_gradient(const Model& m, const ModelLaw& law, const constraints::Jacobian& g, Workspace& w,
                     complementarity::ContactRows& rows) {
  double given = 0;
  for (const int side : {0, 1}) {
    const int body = side == 0 ? law.a : law.b;
    if (body < 0 || !can_move(m, body)) continue;
    const Twist& own = side == 0 ? g.a : g.b;
    if (const int link = m.link[std::size_t(body)]; link >= 0)
      fill_link_side(m, link, side, own, w, rows);
    else if (linkage_of(m, body) >= 0)
      given += fill_linkage_side(m, body, side, own, w, rows);
    else
      fill_side(m, body, side, own, w, rows);
  }
  return given;
}

const tree::TreeRange& tree_of(const Model& m, int link) {
  return m.trees.forest.trees[std::size_t(m.trees.forest.tree_of[std::size_t(link)])];
}

/// The row of a law on a tree, e_dof, and M^-1 e_dof.
void fill_tree_row(const Model& m, const ModelLaw& law, double scale, Workspace& w,
                   complementarity::ContactRows& rows) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const int tree = f.tree_of[std::size_t(law.link)];
  const tree::TreeRange& range = f.trees[std::size_t(tree)];
  const auto n = std::size_t(range.v_end - range.v_begin), size = (n + width - 1) / width * width;
  rows.block[0] = t.block_of_tree[std::size_t(tree)];
  const std::size_t at = open_wide_rows(0, size, w.problem, rows);
  t.tau.assign(f.dof.size(), 0.0), t.v.resize(f.dof.size());
  t.tau[std::size_t(law.dof)] = scale;
  tree::solve_tree(f, t.base, t.base_factors, tree, t.tau, t.sweep, t.v);
  w.problem.wide_G[at + std::size_t(law.dof - range.v_begin)] = scale;
  for (std::size_t k = 0; k < n; ++k) w.problem.wide_Y[at + k] = t.v[std::size_t(range.v_begin) + k];
}

}  // namespace

double impulse_along(const ModelLaw& law, const LawWork& own) { return sign_of(law) * own.impulse; }

double place_of(const ModelLaw& law, const State& x, double last) {
  constraints::Row row = law.row;
  row.last = last;
  return value_at(law, row, x);
}

void start_laws(const Model& m, const State& x, double h, double tolerance, Workspace& w) {
  w.laws.resize(m.laws.size());
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    own = {};
    own.row = law.row, own.row.last = x.law_memory[k];
    own.start = value_at(law, own.row, x);
    if (!law.of_tree())
      own.gradient = constraints::evaluate(own.row, pose_of(x, law.a), pose_of(x, law.b)).jacobian;
    own.rate = rate_of(law, own.gradient, x);
    own.touched = x.law_impulse[k] != 0;
    own.impulse = (h / x.step) * x.law_impulse[k];
    if (law.constraint >= 0 && !x.joint_broken.empty() && x.joint_broken[std::size_t(law.constraint)])
      own.off = true, own.touched = false, own.impulse = 0;
    own.low = law.is_limit() ? 0.0 : law.holds() ? -HUGE_VAL : -h * law.most;
    own.high = law.is_limit() || law.holds() ? HUGE_VAL : h * law.most;
    if (law.holds() && std::fabs(own.start) > tolerance * law.extent) own.kept = own.start;
    if (law.kind != ModelLaw::Kind::motor) continue;
    own.aim = aim_of(law, x.law_target[k], own.start, 0, h);
    own.target = x.law_target[k], own.h = h;
  }
}

int choose_laws(const Model& m, Workspace& w) {
  int count = 0;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    const auto beyond = [&](double c) { return sign_of(law) * (c - law.bound) < 0; };
    if (!own.in_problem && !own.off &&
        (!law.is_limit() || own.impulse > 0 || beyond(own.start) || beyond(value_at(law, own.row, w.free)))) {
      const bool stopped = is_stopped(m, w, law.a) || is_stopped(m, w, law.b);
      join(law, rate_of(law, own.gradient, stopped ? w.next : w.free), own);
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
    const double end = own.start + h * rate_of(law, own.gradient, w.next);
    if (sign_of(law) * (end - law.bound) >= -0.5 * tolerance * law.extent) continue;
    join(law, rate_of(law, own.gradient, w.next), own);
    ++added;
  }
  return added;
}

void linearise_laws(const Model& m, const State& x, double h, Workspace& w) {
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    if (!own.in_problem) continue;
    const double sign = sign_of(law);
    own.push = push_of(m, k, w);
    own.offset = offset_of(law, own, h);
    if (law.of_tree()) continue;
    if (is_rate(law, own)) {
      own.gradient = constraints::evaluate(own.row, pose_of(w.base, law.a), pose_of(w.base, law.b)).jacobian;
    } else {
      own.gradient = constraints::mean_jacobian(own.row, pose_of(x, law.a), pose_of(x, law.b),
                                                pose_of(w.base, law.a), pose_of(w.base, law.b));
      own.offset +=
          sign * ((value_at(law, own.row, w.base) - own.start) / h - rate_of(law, own.gradient, w.base));
    }
    for (const bool second : {false, true})
      if (const int body = second ? law.b : law.a; body >= 0 && m.body_kind[std::size_t(body)] == kinematic)
        own.offset += sign * dot(second ? own.gradient.b : own.gradient.a, twist_of(w.free, body));
  }
}

void linearise_limits(const Model& m, Workspace& w) {
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    LawWork& own = w.laws[k];
    const bool tree = law.of_tree() && has_touched(m, w, law.link);
    own.in_problem =
        law.holds() || (law.is_limit() && !own.off &&
                        (own.in_problem || tree || is_stopped(m, w, law.a) || is_stopped(m, w, law.b)));
    if (!own.in_problem) continue;
    own.offset = sign_of(law) * (value_at(law, own.row, w.next) - law.bound);
    own.impulse = 0;
    if (!law.of_tree())
      own.gradient = constraints::evaluate(own.row, pose_of(w.next, law.a), pose_of(w.next, law.b)).jacobian;
  }
}

int owner_of(const Model& m, int body) {
  const int l = linkage_of(m, body);
  return l >= 0 ? m.mechanisms.linkage[std::size_t(l)].body.front() : block_owner(m, body);
}

int law_island(const Model& m, const ModelLaw& law, const Workspace& w) {
  int island = -1;
  for_owners(m, law, [&](int owner) { island = w.island_of_body[std::size_t(owner)]; });
  return island;
}

void fill_law(const Model& m, std::size_t k, int row, Workspace& w) {
  const ModelLaw& law = m.laws[k];
  LawWork& own = w.laws[k];
  complementarity::ContactRows rows;
  rows.kind = complementarity::RowKind::box;
  rows.low = own.low / law.size, rows.high = own.high / law.size;
  const double scale = sign_of(law) * law.size;
  rows.b[0] = law.size * own.offset;
  if (law.of_tree())
    fill_tree_row(m, law, scale, w, rows);
  else
    rows.b[0] += fill_gradient(m, law, scale * own.gradient, w, rows);
  own.inverse_mass = 3 * complementarity::mean_diagonal(w.problem, rows);
  own.idle =
      !(own.inverse_mass > no_motion * loose_inverse_mass(m, law, own.gradient, w.base) * scale * scale);
  if (law.to_position && !own.idle) {  // it can only now be said how fast it may still stop
    const double aim = aim_of(law, own.target, own.start, own.inverse_mass / (law.size * law.size), own.h);
    rows.b[0] += law.size * (own.aim - aim), own.offset += own.aim - aim;
    own.aim = aim;
  }
  if (own.idle) {  // other joints leave no motion along it: nothing is asked, and nothing given
    for (const int wide : rows.wide)
      if (wide >= 0) {
        const complementarity::WideRows& r = w.problem.wide_rows[std::size_t(wide)];
        std::fill_n(w.problem.wide_G.begin() + std::ptrdiff_t(r.at), r.size, 0.0);
        std::fill_n(w.problem.wide_Y.begin() + std::ptrdiff_t(r.at), r.size, 0.0);
      }
    for (auto& side : rows.G) std::fill(std::begin(side), std::end(side), 0.0);
    rows.low = rows.high = own.impulse = 0;
  }
  w.problem.contacts[std::size_t(row)] = rows;
  w.r[std::size_t(3 * row)] = own.impulse / law.size;
  w.r[std::size_t(3 * row + 1)] = w.r[std::size_t(3 * row + 2)] = 0;
}

LawResidual residual_of(const Model& m, std::size_t k, double h, bool at_base, const Workspace& w) {
  const ModelLaw& law = m.laws[k];
  LawWork own = w.laws[k];
  if (own.idle) return {};
  own.push = push_of(m, k, w);  // of the impulses found, which the problem had from the pass before
  double change = 0, round_off = 0;
  if (!is_rate(law, own)) {
    const double end = value_at(law, own.row, w.next);
    change = (end - own.start) / h;
    round_off = 4 * 2.3e-16 * (std::fabs(end) + std::fabs(own.start)) / h;
  } else if (law.of_tree()) {
    change = w.next.joint_velocity[std::size_t(law.dof)];
  } else {
    const constraints::Jacobian g =
        constraints::evaluate(own.row, pose_of(w.next, law.a), pose_of(w.next, law.b)).jacobian;
    change = rate_of(law, g, w.next);
  }
  double u = law.size * (sign_of(law) * change + offset_of(law, own, h));
  if (at_base) u = law.size * (sign_of(law) * problem_rate(m, law, own, w) + own.offset);
  if (std::fabs(u) <= law.size * round_off) u = 0;
  const double r = own.impulse / law.size, low = own.low / law.size, high = own.high / law.size;
  const double x = r - u / own.inverse_mass;
  const double error = x > low && x < high ? u / own.inverse_mass : r - std::fmin(std::fmax(x, low), high);
  double speed = law.size * std::fmax(std::fabs(own.rate), std::fabs(own.aim)) + h * norm(m.gravity);
  for (const int body : {law.a, law.of_tree() ? m.trees.body[std::size_t(law.link)] : law.b})
    if (body >= 0) {
      const Twist v = twist_of(w.next, body);
      speed = std::fmax(speed, norm(v.linear) + law.size * norm(v.angular));
    }
  return {error, r, speed / own.inverse_mass};
}

double worst_law(const Model& m, const Motions& q, const Workspace& w, double& worst, int* which) {
  double relative = 0;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    if ((!law.is_limit() && !law.holds()) || w.laws[k].off) continue;
    const double value = value_at(law, w.laws[k].row, q);
    const double beyond = law.holds() ? std::fabs(value) : sign_of(law) * (law.bound - value);
    if (beyond <= 0) continue;
    worst = std::fmax(worst, beyond);
    if (beyond / law.extent <= relative) continue;
    relative = beyond / law.extent;
    if (which != nullptr) *which = int(k);
  }
  return relative;
}

bool gives_energy(const Model& m, const ModelLaw& law, const LawWork& own) {
  if (own.bounces || own.aim != 0 || law.holds()) return true;
  for (const int body : {law.a, law.b})
    if (body >= 0 && m.body_kind[std::size_t(body)] == kinematic) return true;
  return false;
}

void subtract_laws(const Model& m, Workspace& w) {
  TreeWorkspace& t = w.trees;
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (w.laws[k].in_problem && !m.laws[k].of_tree())
      for_sides(m.laws[k], w.laws[k], [&](int body, const Twist& p) {
        const int link = m.link[std::size_t(body)];
        if (link < 0) return;
        const auto root = std::size_t(tree_of(m, link).link_begin);
        const Vec3 arm = tree::centre_of_mass(t.pose, link) - t.pose.pose[root].position;
        t.reaction[std::size_t(m.trees.forest.tree_of[std::size_t(link)])] -=
            SpatialForce{cross(arm, p.linear) + p.angular, p.linear};
      });
}

void add_law_impulses(const Model& m, Workspace& w) {
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (w.laws[k].in_problem && !m.laws[k].of_tree())
      for_sides(m.laws[k], w.laws[k], [&](int body, const Twist& p) {
        w.total_impulse[std::size_t(body)] += p.linear, w.total_torque[std::size_t(body)] += p.angular;
      });
}

void book_laws(const Model& m, const State& x, const Motions& end, Workspace& w) {
  Entries& e = w.entries;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    const LawWork& own = w.laws[k];
    if (!own.in_problem || own.impulse == 0) continue;
    const Cause cause = law.holds()                            ? Cause::joint
                        : law.kind == ModelLaw::Kind::motor    ? Cause::motor
                        : law.kind == ModelLaw::Kind::friction ? Cause::friction
                        : own.touched                          ? Cause::contact
                                                               : Cause::impact;
    const double r = impulse_along(law, own);
    double work = 0;  // with the mean velocities of the books
    if (law.of_tree()) {
      work = 0.5 * r * w.trees.sum[std::size_t(law.dof)];
    } else {
      for_sides(law, own, [&](int body, const Twist& p) {
        const auto i = std::size_t(body);
        if (m.mobility[i] == Mobility::none) {
          if (m.body_kind[i] != kinematic) return;
          e.book(Cause::kinematic, -dot(p, twist_of(end, body)));
          work += dot(p, twist_of(end, body));
          return;
        }
        if (const int link = m.link[i]; link >= 0) {
          const tree::Kinematics& pose = w.trees.pose;
          tree_row(m, link, p, pose, w.trees.rows);
          const tree::TreeRange& tree = tree_of(m, link);
          for (std::size_t d = 0; d < w.trees.rows.size(); ++d)
            work += 0.5 * w.trees.rows[d] * w.trees.sum[std::size_t(tree.v_begin) + d];
          const auto root = std::size_t(tree.link_begin);
          const Vec3 lever =
              w.trees.start.pose[root].position + tree::centre_of_mass(pose, link) - pose.pose[root].position;
          e.book(cause, p.linear, cross(lever, p.linear) + p.angular);
          return;
        }
        work += dot(p, mean_motion(m, x, end, i, w));
        e.book(cause, p.linear,
               cross(x.position[i], p.linear) + (m.mobility[i] != Mobility::particle ? p.angular : Vec3{}));
      });
    }
    // what motors give and friction takes is force times way; of the rest is the step's doing. Limits stop:
    // theirs is what the impulse takes.
    const double way = law.is_limit() || law.holds() ? work : r * rate_of(law, own.gradient, end);
    e.book(cause, way);
    if (way != work) e.book(Cause::numerics, work - way);
  }
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
