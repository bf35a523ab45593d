// Trees that no contact is near, in the default step: the whole motion by Runge-Kutta 4 (tree_stages.cpp),
// with gravity, springs, dampers, tables and inputs of joints where the tree is, and all other forces on its
// links held as they were at the start, in world axes. The energy of what swings is then kept to some 1e-10,
// where a kick at the start of the step would let it oscillate by a part h w of what potentials exchange.
//
// The step is split into stretches, so that no link turns by more than `largest_turn` in one and no damper
// takes more than a part `largest_decay` of its velocity. The fastest damper is found by power iteration,
//     y = M^-1 D x,    rate = sqrt(y.D y / x.D x)
// which comes near the largest eigenvalue of M^-1 D from below. A tree that would need more than
// `most_decays` stretches for its dampers is left to the kick of trees.cpp, whose dampers are implicit: what
// is damped so strongly does not swing. Twice as many stretches, and so on, where the energy shows that they
// were too long (more than `largest_defect` of what flowed in the step): a chain under tension has modes that
// are far faster than any link turns.
//
// Symbols: D dampers [N s/m, N m s/rad], h [s], w angular frequency [rad/s].
// When it fails: springs are explicit, h w < 2.83 a stretch; springs between bodies are held over the step;
// what needs more than `most_refined` times the stretches is moved with larger errors, for which the default
// step is made in halves where they pass a thousandth.
#include <algorithm>
#include <cmath>

#include "stiction/dynamics/tree/energy.h"
#include "stiction/step/link_reactions.h"
#include "stiction/step/tree_stages.h"

namespace stiction::step {
namespace {

constexpr double largest_turn = 0.05;  // [rad] in one stretch: the energy of a nutation is then kept to 2e-10
constexpr int most_stretches = 500;
constexpr double largest_decay = 0.25;  // [-] h rate in one stretch: error (h rate)^5/120
constexpr int most_decays = 8;
constexpr int power_iterations = 4;
constexpr double largest_defect = 1e-10;  // [-] of the energy that flows in a step
constexpr int most_refined = 64;
constexpr double noise = 1e-5;  // [-] 1e-15 over largest_defect

constexpr std::array<double, 4> node{0, 0.5, 0.5, 1}, part{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};

/// [1/s] of the fastest decay by dampers -> t.decay, per tree; M of stage 0.
void find_decays(const Model& m, TreeWorkspace& t) {
  const tree::Forest& f = m.trees.forest;
  const std::vector<double>& damping = m.trees.parameters.damping;
  const std::size_t n = damping.size();
  t.decay.assign(f.trees.size(), 0.0);
  if (std::none_of(damping.begin(), damping.end(), [](double d) { return d > 0; })) return;
  t.v.resize(n), t.tau.resize(n);
  double fraction = 0;  // a start that no symmetry of the tree has
  for (std::size_t d = 0; d < n; ++d) {
    fraction += 0x1.3c6ef372fe95p-1;
    fraction -= std::floor(fraction);
    t.v[d] = 1 + fraction;
  }
  const auto size = [&](const tree::TreeRange& tree) {
    double sum = 0;
    for (auto d = std::size_t(tree.v_begin); d < std::size_t(tree.v_end); ++d)
      sum += damping[d] * t.v[d] * t.v[d];
    return std::sqrt(sum);
  };
  for (int k = 0; k < power_iterations; ++k) {
    for (const tree::TreeRange& tree : f.trees) {
      const double scale = size(tree);
      for (auto d = std::size_t(tree.v_begin); d < std::size_t(tree.v_end); ++d)
        t.tau[d] = scale > 0 ? damping[d] * t.v[d] / scale : 0.0;
    }
    tree::solve(f, t.stage[0].k, t.stage[0].factors, t.tau, {}, t.sweep, t.v);
  }
  for (std::size_t i = 0; i < f.trees.size(); ++i) t.decay[i] = size(f.trees[i]);
}

/// [rad/s] of the fastest link, at the start's velocities and at those that the start's rates lead to.
double fastest_turn(const Model& m, double h, TreeWorkspace& t) {
  const TreeStage& s = t.stage[0];
  t.mean.resize(s.v.size()), t.twist.resize(m.trees.body.size());
  for (std::size_t d = 0; d < s.v.size(); ++d) t.mean[d] = s.v[d] + h * s.rate[d];
  tree::link_twists(m.trees.forest, s.k, t.mean, t.twist);
  double fastest = 0;
  for (std::size_t i = 0; i < t.twist.size(); ++i)
    fastest = std::fmax(fastest, std::fmax(norm(s.k.velocity[i].angular), norm(t.twist[i].angular)));
  return fastest;
}

/// How many stretches; trees that dampers rule do not flow.
int stretches(const Model& m, double h, TreeWorkspace& t) {
  find_decays(m, t);
  double needed = std::ceil(h * fastest_turn(m, h, t) / largest_turn);
  for (std::size_t i = 0; i < t.flows.size(); ++i) {
    const double decays = std::ceil(h * t.decay[i] / largest_decay);
    t.flows[i] = decays <= most_decays;
    if (t.flows[i]) needed = std::fmax(needed, decays);
  }
  return needed < most_stretches ? std::max(1, int(needed)) : most_stretches;
}

void set_link_forces(const Model& m, double h, Workspace& w) {
  TreeWorkspace& t = w.trees;
  t.force.resize(m.trees.body.size()), t.torque.assign(m.trees.body.size(), {});
  for (std::size_t i = 0; i < t.force.size(); ++i) {
    const auto body = std::size_t(m.trees.body[i]);
    t.force[i] = m.mass[body] * m.gravity;
    if (w.has_applied) t.force[i] += w.impulse[body] / h, t.torque[i] = w.angular_impulse[body] / h;
  }
}

/// [J] v.p/2 over the trees that flow.
double kinetic_energy(const Model& m, const std::vector<double>& momenta, const std::vector<double>& v,
                      const TreeWorkspace& t) {
  double sum = 0;
  for (std::size_t i = 0; i < t.flows.size(); ++i) {
    if (!t.flows[i]) continue;
    const tree::TreeRange& tree = m.trees.forest.trees[i];
    for (auto d = std::size_t(tree.v_begin); d < std::size_t(tree.v_end); ++d) sum += 0.5 * momenta[d] * v[d];
  }
  return sum;
}

/// [-] What the motion from the State to w.free adds to the energy that no force does, over what flowed.
double defect(const Model& m, const State& x, double h, double kinetic_start, const Workspace& w) {
  const TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const double kinetic = kinetic_energy(m, t.last_momenta, w.free.joint_velocity, t);
  double error = kinetic - kinetic_start, flow = kinetic + kinetic_start;
  // energies are differences of numbers as large as these: their round-off is no defect
  const double springs =
      m.trees.parameters.has_springs ? tree::spring_energy(f, m.trees.parameters, x.joint_position) : 0.0;
  flow += noise * springs;
  const auto take = [&](double work) { error -= work, flow += std::fabs(work); };
  for (std::size_t i = 0; i < f.parent.size(); ++i) {
    if (!t.flows[std::size_t(f.tree_of[i])]) continue;
    const auto body = std::size_t(m.trees.body[i]);
    const Vec3 moved = tree::centre_of_mass(t.end, int(i)) - x.position[body];
    take(m.mass[body] * dot(m.gravity, moved));
    flow += noise * m.mass[body] * norm(m.gravity) * (norm(x.position[body]) + m.size[body]);
    if (!w.has_applied) continue;
    const SpatialMotion& way = t.sums.link[i].way;
    take((dot(w.impulse[body], way.linear) + dot(w.angular_impulse[body], way.angular)) / h);
  }
  for (std::size_t i = 0; i < t.flows.size(); ++i)
    for (std::size_t c = 0; c < joint_causes.size(); ++c)
      if (t.flows[i] && !is_potential(joint_causes[c])) take(t.sums.tree[i].work[c]);
  if (m.trees.parameters.has_springs)
    take(tree::spring_energy(f, m.trees.parameters, x.joint_position) -
         tree::spring_energy(f, m.trees.parameters, w.free.joint_position));
  return flow > 0 ? std::fabs(error) / flow : std::fabs(error);
}

/// All stretches, `refined` times as many as turns and dampers need: how many; 0 where no tree flows. On
/// return `kinetic` [J] is that of the start.
int flow_once(const Model& m, const State& x, double h, int refined, double& kinetic, Workspace& w) {
  TreeWorkspace& t = w.trees;
  std::vector<double>&q = w.free.joint_position, &v = w.free.joint_velocity;
  q = x.joint_position, v = x.joint_velocity;
  clear_sums(m, t.sums);
  int count = 1;
  for (int i = 0; i < count; ++i) {
    double time = x.time + i * (h / count), length = h / count;
    t.stage[0].q = q, t.stage[0].v = t.first_v = v;
    evaluate_trees(m, time, Rate::motion, t, t.stage[0]);
    if (i == 0) {
      count = refined * stretches(m, h, t), length = h / count;
      if (std::find(t.flows.begin(), t.flows.end(), 1) == t.flows.end()) return 0;
      take_momenta(m, t.stage[0].k, v, t, t.first, t.start_total);
      kinetic = kinetic_energy(m, t.first, v, t);
    } else {
      t.first.swap(t.last_momenta);
    }
    for (std::size_t k = 1; k < 4; ++k) {
      place_tree_stage(m, q, v, length, k, t);
      evaluate_trees(m, time + node[k] * length, Rate::motion, t, t.stage[k]);
    }
    for (std::size_t k = 0; k < 4; ++k) t.stage[k].weight = part[k] * length;
    finish_tree_stages(m, length, t, q, v);
    tree::update_positions(m.trees.forest, m.trees.parameters, q, t.end);
    take_momenta(m, t.end, v, t, t.last_momenta, t.end_total);
    add_stretch(m, 4, v, t);
  }
  return count;
}

}  // namespace

void flow_trees(const Model& m, const State& x, double h, Workspace& w) {
  set_link_forces(m, h, w);
  w.trees.defect = 0;
  double kinetic = 0;
  for (int refined = 1, count = 0; refined <= most_refined && count <= most_stretches; refined *= 2) {
    count = flow_once(m, x, h, refined, kinetic, w);
    w.trees.defect = count == 0 ? 0.0 : defect(m, x, h, kinetic, w);
    if (w.trees.defect <= largest_defect) return;
  }
}

void book_flows(const Model& m, const State& x, double h, const Motions& end, Workspace& w) {
  TreeWorkspace& t = w.trees;
  Entries& e = w.entries;
  const tree::Forest& f = m.trees.forest;
  t.reaction.resize(f.trees.size());
  for (std::size_t i = 0; i < f.trees.size(); ++i) t.reaction[i] = t.sums.tree[i].total;
  for (std::size_t i = 0; i < m.trees.body.size(); ++i) {
    const auto tree = std::size_t(f.tree_of[i]);
    if (!t.flows[tree]) continue;
    const auto body = std::size_t(m.trees.body[i]);
    const TreeSums::OfLink& sum = t.sums.link[i];
    const Vec3 weight = m.mass[body] * m.gravity, mean = (0.5 * h) * (x.velocity[body] + end.velocity[body]);
    e.book(Cause::gravity, dot(weight, sum.way.linear - mean));
    e.book(Cause::numerics, dot(weight, sum.mean.linear - mean));
    e.book(Cause::gravity, {}, cross(sum.place - h * x.position[body], weight));
    t.reaction[tree] -= SpatialForce{cross(sum.place, weight), h * weight};
    take_from_balance(i, sum.place / h, h * weight, {}, t);
    if (!w.has_applied) continue;
    const Vec3 &linear = w.impulse[body], &angular = w.angular_impulse[body];
    t.reaction[tree] -= SpatialForce{cross(sum.place / h, linear) + angular, linear};
    take_from_balance(i, sum.place / h, linear, angular, t);
  }
  for (std::size_t i = 0; i < f.trees.size(); ++i) {
    if (!t.flows[i]) continue;
    book_tree_sums(t.sums.tree[i], e);
    const SpatialForce rest = (t.end_total[i] - t.start_total[i]) - t.sums.tree[i].total;
    e.book(Cause::numerics, rest.force, rest.torque);
    if (f.joint[std::size_t(f.trees[i].link_begin)] != tree::JointKind::free)
      e.book(Cause::joint, t.reaction[i].force, t.reaction[i].torque);
  }
}

}  // namespace stiction::step
