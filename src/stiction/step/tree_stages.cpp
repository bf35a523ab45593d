// Trees moved by stages, and their books.
//
//     M(q) dv/dt + bias(q, v) = J^T f + tau,      tau = -k (q - rest) - d v + tables + inputs
//
// f: gravity and all forces on links, at their centres of mass. Runge-Kutta 4 for y = (q, v); rotations in
// space move by the exponential map with the commutators of Munthe-Kaas:
//   u3 = h k2 / 2 - h^2 [k1, k2] / 8,   u4 = h k3,   u = h (k1 + 2 k2 + 2 k3 + k4) / 6 - h^2 [k1, k4] / 12
//
// Books. Stage s has the weight b_s [s], velocities v_s, forces tau_s and f_s, and changes the velocities by
// b_s a_s with M_s a_s + bias_s = tau_s + J_s^T f_s (of a kick: without bias_s). With p = M v, from v0 to v1,
//     p1 - p0 = sum b_s (tau_s + J_s^T f_s) + D,       D = p1 - p0 - sum b_s (M_s a_s + bias_s)
//     (p1.v1 - p0.v0)/2 = (p1 - p0).(v0 + v1)/2 + (p0.v1 - p1.v0)/2
// exactly. A cause gets its work at the stages, b_s tau_s.v_s and b_s f_s.J_s v_s; `numerics` gets
//     b_s tau_s.((v0 + v1)/2 - v_s),   b_s f_s.J_s ((v0 + v1)/2 - v_s)
//     D.(v0 + v1)/2 + (p0.v1 - p1.v0)/2
//     W + dPE                                           what a potential's work and its loss differ by
// D comes from inverse dynamics of the motion, not from the forces. As a whole a tree gets b_s times the rate
// of its momentum at the stages, less what acts on its links, from the world (`joint`); what its momentum
// changes by beyond that is `numerics`.
//
// Symbols: q coordinates [m, rad, quaternions], v [m/s, rad/s], h [s].
// Reference: A. Iserles, H. Munthe-Kaas, S. Norsett, A. Zanna, Lie-group methods, Acta Numerica 9 (2000),
// section 4. When it fails: forces are explicit; h w < 2.83 for the fastest oscillation, h d/m < 2.78 for the
// strongest damper.
#include "stiction/step/tree_stages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/assert.h"

namespace stiction::step {
namespace {

constexpr std::array<double, 4> node{0, 0.5, 0.5, 1};
constexpr std::size_t of_spring = 0, of_damper = 1, of_table = 2, of_input = 3;

void joint_forces(const Model& m, double time, const TreeWorkspace& t, TreeStage& s) {
  const tree::Forest& f = m.trees.forest;
  const tree::Parameters& p = m.trees.parameters;
  const std::size_t n = s.v.size();
  for (std::vector<double>& force : s.force) force.assign(n, 0.0);
  if (p.has_springs) {
    tree::difference(f, p.rest, s.q, s.force[of_spring]);
    for (std::size_t d = 0; d < n; ++d) s.force[of_spring][d] *= -p.stiffness[d];
  }
  for (std::size_t d = 0; d < n; ++d) s.force[of_damper][d] = -p.damping[d] * s.v[d];
  for (const ModelJointForce& table : m.trees.forces) {
    const auto begin = std::size_t(f.v_begin[std::size_t(table.link)]),
               dofs = std::size_t(f.v_begin[std::size_t(table.link) + 1]) - begin;
    for (std::size_t d = 0; d < dofs; ++d) s.force[of_table][begin + d] = given_force(table, dofs, d, time);
  }
  std::copy(t.input.begin(), t.input.end(), s.force[of_input].begin());
}

/// Totals per tree about the world's origin, from the wrenches that inverse dynamics leaves at the roots.
void take_totals(const Model& m, const tree::Kinematics& k, const tree::InverseDynamics& from,
                 std::vector<SpatialForce>& out) {
  const tree::Forest& f = m.trees.forest;
  out.resize(f.trees.size());
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    const auto root = std::size_t(f.trees[i].link_begin);
    out[i] = moved_back(from.wrench[root], k.pose[root].position);
  }
}

Vec3 centre_arm(const tree::Kinematics& k, std::size_t link) {
  return k.inertia[link].moment / k.inertia[link].mass;
}

}  // namespace

void add_commutator(const tree::Forest& f, double factor, const std::vector<double>& a,
                    const std::vector<double>& b, std::vector<double>& move) {
  for (std::size_t i = 0; i < f.joint.size(); ++i) {
    if (f.block_of[i] < 0) continue;
    const auto at = std::size_t(f.v_begin[i + 1]) - 3;
    const Vec3 c = factor * cross({a[at], a[at + 1], a[at + 2]}, {b[at], b[at + 1], b[at + 2]});
    for (int k = 0; k < 3; ++k) move[at + std::size_t(k)] += c[k];
  }
}

double given_force(const ModelJointForce& table, std::size_t dofs, std::size_t dof, double now) {
  const std::vector<double>& t = table.time;
  if (t.empty()) return table.force[dof];
  if (now < t.front() || now > t.back()) return 0;
  std::size_t k = 0;
  while (k + 2 < t.size() && t[k + 1] <= now) ++k;
  const double s = (now - t[k]) / (t[k + 1] - t[k]);
  return (1 - s) * table.force[k * dofs + dof] + s * table.force[(k + 1) * dofs + dof];
}

void collect_joint_inputs(const Model& m, const Input& in, Workspace& w) {
  const tree::Forest& f = m.trees.forest;
  w.trees.input.assign(std::size_t(f.v_count()), 0.0);
  for (const InputJointForce& i : in.joints) {
    STICTION_ASSERT(i.joint >= 0 && std::size_t(i.joint) < m.trees.link_of_joint.size());
    const int link = m.trees.link_of_joint[std::size_t(i.joint)];
    STICTION_ASSERT(link >= 0 && i.coordinate >= 0);
    const int dof = f.v_begin[std::size_t(link)] + i.coordinate;
    STICTION_ASSERT(dof < f.v_begin[std::size_t(link) + 1]);
    w.trees.input[std::size_t(dof)] += i.force;
  }
}

void evaluate_trees(const Model& m, double time, Rate what, TreeWorkspace& t, TreeStage& s) {
  const tree::Forest& f = m.trees.forest;
  const tree::Parameters& p = m.trees.parameters;
  const std::size_t n = s.v.size();
  tree::update_positions(f, p, s.q, s.k);
  tree::update_velocities(f, s.v, s.k);
  joint_forces(m, time, t, s);
  t.tau.resize(n), t.wrench.resize(f.parent.size()), s.rate.resize(n), s.momenta.resize(n);
  for (std::size_t d = 0; d < n; ++d)
    t.tau[d] =
        (s.force[of_spring][d] + s.force[of_damper][d]) + (s.force[of_table][d] + s.force[of_input][d]);
  for (std::size_t i = 0; i < t.wrench.size(); ++i)
    t.wrench[i] = moved_back(SpatialForce{t.torque[i], t.force[i]}, centre_arm(s.k, i));
  if (what == Rate::motion) {
    t.bias.resize(t.wrench.size());
    tree::bias_wrenches(f, p, s.k, t.wrench, t.bias);
  } else {
    t.bias.assign(t.wrench.size(), {});
    for (std::size_t i = 0; i < t.wrench.size(); ++i) t.bias[i] -= t.wrench[i];
  }
  if (tree::factorise(f, p, s.k, {}, s.factors) >= 0)
    std::fill(s.rate.begin(), s.rate.end(), std::numeric_limits<double>::quiet_NaN());
  else
    tree::solve(f, s.k, s.factors, t.tau, t.bias, t.sweep, s.rate);
  if (what == Rate::motion)
    tree::inverse_dynamics(f, p, s.k, s.rate, {}, t.momenta, s.momenta);
  else
    tree::multiply_mass(f, p, s.k, s.rate, t.momenta, s.momenta);
  take_totals(m, s.k, t.momenta, s.total);
}

void place_tree_stage(const Model& m, std::span<const double> q, std::span<const double> v, double h,
                      std::size_t k, TreeWorkspace& t) {
  const TreeStage& last = t.stage[k - 1];
  TreeStage& s = t.stage[k];
  const double part = node[k] * h;
  t.move.resize(v.size()), s.q.resize(q.size()), s.v.resize(v.size());
  for (std::size_t d = 0; d < v.size(); ++d)
    t.move[d] = part * last.v[d], s.v[d] = v[d] + part * last.rate[d];
  if (k == 2) add_commutator(m.trees.forest, -h * h / 8, t.stage[0].v, t.stage[1].v, t.move);
  tree::integrate(m.trees.forest, q, t.move, 1.0, s.q);
}

void finish_tree_stages(const Model& m, double h, TreeWorkspace& t, std::vector<double>& q,
                        std::vector<double>& v) {
  const auto& s = t.stage;
  t.move.resize(v.size());
  for (std::size_t d = 0; d < v.size(); ++d) {
    t.move[d] = h / 6 * (s[0].v[d] + 2 * (s[1].v[d] + s[2].v[d]) + s[3].v[d]);
    v[d] += h / 6 * (s[0].rate[d] + 2 * (s[1].rate[d] + s[2].rate[d]) + s[3].rate[d]);
  }
  add_commutator(m.trees.forest, -h * h / 12, s[0].v, s[3].v, t.move);
  tree::integrate(m.trees.forest, q, t.move, 1.0, q);
}

void take_momenta(const Model& m, const tree::Kinematics& k, std::span<const double> v, TreeWorkspace& t,
                  std::vector<double>& momenta, std::vector<SpatialForce>& total) {
  momenta.resize(v.size());
  tree::multiply_mass(m.trees.forest, m.trees.parameters, k, v, t.momenta, momenta);
  take_totals(m, k, t.momenta, total);
}

void clear_sums(const Model& m, TreeSums& sums) {
  sums.link.assign(m.trees.body.size(), {});
  sums.tree.assign(m.trees.forest.trees.size(), {});
}

void add_stretch(const Model& m, std::size_t stages, std::span<const double> v, TreeWorkspace& t) {
  const tree::Forest& f = m.trees.forest;
  t.mean.resize(v.size());
  for (std::size_t d = 0; d < v.size(); ++d) t.mean[d] = 0.5 * (t.first_v[d] + v[d]);
  t.twist.resize(f.parent.size());
  for (std::size_t k = 0; k < stages; ++k) {
    TreeStage& s = t.stage[k];
    s.mean.resize(f.parent.size());
    tree::link_twists(f, s.k, t.mean, t.twist);
    for (std::size_t i = 0; i < f.parent.size(); ++i) {
      TreeSums::OfLink& sum = t.sums.link[i];
      const Vec3 arm = centre_arm(s.k, i);
      const SpatialMotion way = moved(s.k.velocity[i], arm), mean = s.mean[i] = moved(t.twist[i], arm);
      sum.place += s.weight * (s.k.pose[i].position + arm);
      sum.way.linear += s.weight * way.linear, sum.way.angular += s.weight * way.angular;
      sum.mean.linear += s.weight * mean.linear, sum.mean.angular += s.weight * mean.angular;
    }
  }
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    TreeSums::OfTree& sum = t.sums.tree[i];
    const auto numerics = [&](double joules) { sum.numerics += joules, sum.flow += std::fabs(joules); };
    for (auto d = std::size_t(f.trees[i].v_begin); d < std::size_t(f.trees[i].v_end); ++d) {
      double change = t.last_momenta[d] - t.first[d];
      for (std::size_t k = 0; k < stages; ++k) {
        const TreeStage& s = t.stage[k];
        change -= s.weight * s.momenta[d];
        for (std::size_t c = 0; c < joint_causes.size(); ++c) {
          const double impulse = s.weight * s.force[c][d], work = impulse * s.v[d];
          if (impulse == 0) continue;
          sum.work[c] += work, sum.flow += std::fabs(work);
          numerics(is_potential(joint_causes[c]) ? impulse * t.mean[d] : impulse * (t.mean[d] - s.v[d]));
        }
      }
      numerics(change * t.mean[d] + 0.5 * (t.first[d] * v[d] - t.last_momenta[d] * t.first_v[d]));
    }
    for (std::size_t k = 0; k < stages; ++k) {
      const TreeStage& s = t.stage[k];
      sum.total += SpatialForce{s.weight * s.total[i].torque, s.weight * s.total[i].force};
    }
  }
}

void book_tree_sums(const TreeSums::OfTree& sums, Entries& e) {
  for (std::size_t c = 0; c < joint_causes.size(); ++c) e.book_many(joint_causes[c], sums.work[c], 0);
  e.book_many(Cause::numerics, sums.numerics, sums.flow);
}

}  // namespace stiction::step
