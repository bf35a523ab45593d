// The natural map of an island is a norm: beside a block of 1e8 kg an error of 1 m/s of a ball of 1 g does
// not show in it. So every moving body is asked for itself. With e_i the natural-map error [N s] of contact
// i, r_i its impulse, and w_ib [1/kg] body b's share of its inverse mass,
//     d_b = sum_i w_ib |e_i|          [m/s] how far its velocity may be from what its contacts ask for
//     S_b = sum_i w_ib |r_i|          [m/s] what it bears
//     U_b = h |a_b| + (fastest approach at its contacts) + 1e-5 (|v_b| + L |w_b| + u)      free motion alone
// with u the largest velocity that contacts of its island have to deal with: without gravity, what stands
// between others that are squeezed has no scale but theirs. It has to be that
//     d_b <= X (U_b + S_b),  so that what is squeezed by heavy neighbours is judged by what it
// bears, and  d_b <= sqrt(X) U_b,  so that no light body moves by a noticeable part of what it does in a
// step. certificate.body is max(d_b / (U_b + S_b), sqrt(X) d_b / U_b).
//
// Doubles cannot do it where 4 2^-53 S_b > sqrt(X) U_b: such a body is named, and the step counts as missed.
//
// Momentum: with the inertia of the accepted pose, and the arms of the contacts' frames,
//     |m v+ - m v_f - sum r| <= X (m U_b + sum |r|)
//     |I(q+) w+ - L_f - sum arm x r| <= X (m L U_b + |L_f| + sum |arm x r|)
// where v_f and L_f are those of the motion without contacts. Links of trees and bodies of mechanisms are
// held by joints, whose impulses are not known body by body: carry_trees() watches theirs.
#include "stiction/step/body_judge.h"

#include <algorithm>
#include <cmath>

#include "stiction/step/friction_laws.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"

namespace stiction::step {
namespace {

constexpr double round_off = 4.0 / 9007199254740992.0;  // [-] 4 2^-53: two impulses, subtracted and divided
/// [-] of the speed of a body, and of what comes to its island: changes below it are none that it notices.
constexpr double unnoticed = 1e-5;

double worse(double worst, double value) { return value <= worst || std::isnan(worst) ? worst : value; }

/// Calls act(body) for the moving bodies of the problem.
template <class Act>
void for_judged(const Model& m, const Workspace& w, const Act& act) {
  for (const int body : w.moved) act(std::size_t(body));
  for (std::size_t k = 0; k < m.trees.body.size(); ++k)
    if (w.trees.block_of_tree[std::size_t(m.trees.forest.tree_of[k])] >= 0) act(std::size_t(m.trees.body[k]));
}

/// [m/s] U_b but for what approaches.
double own_scale(const Model& m, double h, std::size_t i, const Workspace& w) {
  Vec3 dv = h * m.gravity;
  double turn = 0;  // [m/s] at its surface
  if (w.has_applied && m.mass[i] > 0) {
    dv += w.impulse[i] / m.mass[i];
    const Vec3& d = m.inertia[i];
    const double least = std::fmin(d.x, std::fmin(d.y, d.z));
    if (least > 0) turn = m.size[i] * norm(w.angular_impulse[i]) / least;
  }
  return norm(dv) + turn + unnoticed * (norm(w.free.velocity[i]) + m.size[i] * norm(w.free.spin[i]));
}

struct Balance {
  double error, scale;
};

/// [N s] of a body, with the impulses of contacts and laws.
Balance linear_balance(const Model& m, std::size_t i, const Vec3& impulse, const Workspace& w) {
  const BodyAccount& b = w.bodies.accounts[i];
  Vec3 left = m.mass[i] * (w.next.velocity[i] - w.free.velocity[i]) - impulse;
  if (m.mobility[i] == Mobility::planar) left -= dot(m.plane_normal[i], left) * m.plane_normal[i];
  return {norm(left), m.mass[i] * w.bodies.scale[i] + b.pressed};
}

/// [N m s]
Balance angular_balance(const Model& m, std::size_t i, const Vec3& moment, const Workspace& w) {
  const BodyAccount& b = w.bodies.accounts[i];
  const Vec3 free = world_inertia(m.inertia[i], w.free.orientation[i]) * w.free.spin[i];
  Vec3 left = world_inertia(m.inertia[i], w.next.orientation[i]) * w.next.spin[i] - free - moment;
  if (m.mobility[i] == Mobility::planar) left = dot(m.plane_normal[i], left) * m.plane_normal[i];
  return {norm(left), m.mass[i] * m.size[i] * w.bodies.scale[i] + norm(free) + b.turned};
}

}  // namespace

void set_body_scales(const Model& m, double h, Workspace& w) {
  std::vector<double>& scale = w.bodies.scale;
  scale.resize(std::size_t(m.body_count()));
  for_judged(m, w, [&](std::size_t i) {
    const int island = w.island_of_body[i];
    const double comes = island < 0 ? 0.0 : w.velocity_scale[std::size_t(island)];
    scale[i] = own_scale(m, h, i, w) + unnoticed * comes;
  });
  complementarity::FrictionProblem& p = w.problem;
  const auto for_sides = [&](std::size_t row, const auto& act) {
    const int k = w.contact_of_row[row];
    if (k < 0 || p.contacts[row].kind != complementarity::RowKind::cone) return;
    const ContactKey& key = w.contacts[std::size_t(k)].point.key;
    for (const bool second : {false, true})
      if (const int body = second ? key.b : key.a; p.contacts[row].block[second] >= 0 || can_move(m, body))
        act(std::size_t(body), second);
  };
  // the fastest approach, beside the rest: kept apart until all contacts of a body are known
  std::vector<BodyAccount>& accounts = w.bodies.accounts;
  accounts.resize(scale.size());
  for_judged(m, w, [&](std::size_t i) { accounts[i].error = 0; });
  for (std::size_t row = 0; row < p.contacts.size(); ++row) {
    const double fast = w.bodies.approach[row];
    for_sides(row,
              [&](std::size_t body, bool) { accounts[body].error = std::fmax(accounts[body].error, fast); });
  }
  for_judged(m, w, [&](std::size_t i) { scale[i] += accounts[i].error; });
  for (std::size_t row = 0; row < p.contacts.size(); ++row)
    for_sides(row, [&](std::size_t body, bool second) { p.contacts[row].unit[second] = scale[body]; });
}

void begin_bodies(const Model& m, Workspace& w) {
  w.bodies.worst = w.bodies.unbalanced = w.bodies.digits = -1;
  w.bodies.accounts.resize(std::size_t(m.body_count()));
  for_judged(m, w, [&](std::size_t i) { w.bodies.accounts[i] = {}; });
}

void add_to_bodies(const WorkContact& c, double error, double impulse, const double inverse_mass[2],
                   Workspace& w) {
  for (const bool second : {false, true}) {
    if (!(inverse_mass[second] > 0)) continue;
    BodyAccount& b = w.bodies.accounts[std::size_t(second ? c.point.key.b : c.point.key.a)];
    const double sign = second ? 1 : -1;
    const Vec3 turn = cross(c.arm[second], c.impulse);
    if (inverse_mass[second] * error > b.most)
      b.most = inverse_mass[second] * error, b.partner = second ? c.point.key.a : c.point.key.b;
    b.error += inverse_mass[second] * error, b.borne += inverse_mass[second] * impulse;
    b.pressed += norm(c.impulse), b.turned += norm(turn) + norm(c.moment);
    b.impulse += sign * c.impulse, b.moment += sign * (turn + c.moment);
  }
}

void judge_bodies(const Model& m, double tolerance, Workspace& w) {
  Certificate& out = w.certificate;
  const double noticed = std::sqrt(tolerance);
  double digits = 1;
  if (w.bodies.scale.size() < w.bodies.accounts.size()) return;  // no problem yet
  for_judged(m, w, [&](std::size_t i) {
    const BodyAccount& b = w.bodies.accounts[i];
    const double unit = w.bodies.scale[i], noise = round_off * b.borne;
    if (b.error == 0 && b.borne == 0) return;
    if (!m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0) return;  // joints answer with it
    double off = b.error / (unit + b.borne);
    if (noise > noticed * unit) {
      const double lost = noise / (noticed * unit);
      if (lost > digits) digits = lost, w.bodies.digits = int(i);
    } else {
      off = worse(off, noticed * b.error / unit);
    }
    if (!(off <= out.body) && !std::isnan(out.body)) out.body = off, w.bodies.worst = int(i);
  });
  if (!w.carry.end_inertia) return;
  const bool laws = !m.laws.empty();
  if (laws) {
    w.total_impulse.assign(std::size_t(m.body_count()), {}),
        w.total_torque.assign(std::size_t(m.body_count()), {});
    add_law_impulses(m, w);
  }
  for (const int body : w.moved) {
    const auto i = std::size_t(body);
    if (!m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0) continue;
    const BodyAccount& b = w.bodies.accounts[i];
    const Balance linear = linear_balance(m, i, laws ? b.impulse + w.total_impulse[i] : b.impulse, w);
    double off = linear.error > 0 ? linear.error / linear.scale : 0.0;
    if (m.mobility[i] != Mobility::particle) {
      const Balance angular = angular_balance(m, i, laws ? b.moment + w.total_torque[i] : b.moment, w);
      if (!(angular.error <= 0)) off = worse(off, angular.error / angular.scale);
    }
    if (!(off <= out.momentum) && !std::isnan(out.momentum)) out.momentum = off, w.bodies.unbalanced = body;
  }
}

}  // namespace stiction::step
