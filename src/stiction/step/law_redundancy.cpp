// Laws that bind and repeat others: constraints on links of trees, gears, rows of velocities. Row after row,
// what is left of its gradient g when the parts along those before it are taken away, in the metric of M^-1
// (trees at their coordinates, other bodies alone), with q_i the rows kept so far and |q|^2 = q.M^-1 q:
//     d = g - sum (g.M^-1 q_i) q_i,       it repeats others where |d|^2 <= same^2 |g|^2
// and where the coordinates of trees leave no motion along it, |g|^2 <= same^2 times that of bodies without
// joints. Rows say g.v = c: one that repeats others contradicts them where c - sum (g.M^-1 q_i) c_i is not 0.
// (Not judged where a body with prescribed motion takes part.) Groups of trees, mechanisms and bodies that
// rows connect are taken one by one; the constraints of mechanisms come first in them.
//
// When it fails: as redundancy.cpp. The time grows with the third power of the rows: the bodies of a
// mechanism with more than `most_rows` count as free, and in groups of more laws constraints on links alone
// are looked at. Gears among themselves: gear_loops.cpp.
#include <algorithm>
#include <cmath>
#include <map>

#include "stiction/step/joint_laws.h"
#include "stiction/step/redundancy.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr double same = 1e-6;  // [-] between directions, as redundancy.cpp has it
constexpr std::size_t most_rows = 300;

using constraints::Jacobian;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The velocities of the trees and bodies that some rows are about.
class Velocities {
 public:
  Velocities(const Model& m, const State& x) : m_(m), x_(x) {
    const tree::Forest& f = m.trees.forest;
    tree::update_positions(f, m.trees.parameters, x.joint_position, k_);
    solvable_ = tree::factorise(f, m.trees.parameters, k_, {}, factors_) < 0;
  }
  bool solvable() const { return solvable_; }

  void clear() { begin_.clear(), size_ = 0; }
  void make_room(int body) {
    const int owner = block_owner(m_, body), link = m_.link[std::size_t(owner)];
    if (!begin_.emplace(owner, size_).second) return;
    size_ += link < 0 ? 6 : std::size_t(range_of(m_, link).v_end - range_of(m_, link).v_begin);
  }
  /// The gradient of a law by all of them, and [1/kg] of it without joints.
  Vector gradient(std::size_t k, double& loose) {
    Vector out(size_, 0.0);
    loose = 0;
    for_parts(m_, k, [&](std::size_t p, double factor) {
      const ModelLaw& law = m_.laws[p];
      if (law.of_tree()) {
        const std::size_t begin = begin_.at(block_owner(m_, m_.trees.body[std::size_t(law.link)]));
        out[begin + std::size_t(law.dof - range_of(m_, law.link).v_begin)] += factor;
      } else {
        const Jacobian g = part_gradient(m_, law, law.row, pose_of(x_, law.a), pose_of(x_, law.b));
        loose += add(law.a, law.b, factor * g, out);
      }
    });
    return out;
  }
  /// Of row r of a constraint.
  Vector gradient(const ModelConstraint& c, std::size_t r) {
    Vector out(size_, 0.0);
    constraints::Row row = m_.mechanisms.row[r];
    if (m_.mechanisms.tracked) row.last = x_.joint_memory[r];
    add(c.a, c.b, constraints::evaluate(row, pose_of(x_, c.a), pose_of(x_, c.b)).jacobian, out);
    return out;
  }
  /// M^-1 times it.
  Vector weighed(const Vector& g) {
    Vector out(size_, 0.0);
    for (const auto& [owner, begin] : begin_) {
      const auto i = std::size_t(owner);
      if (const int link = m_.link[i]; link >= 0) {
        solve_tree(link, begin, g, out);
      } else {
        const constraints::Twist v =
            moved(i, {{g[begin], g[begin + 1], g[begin + 2]}, {g[begin + 3], g[begin + 4], g[begin + 5]}});
        for (int c = 0; c < 3; ++c)
          out[begin + std::size_t(c)] = v.linear[c], out[begin + 3 + std::size_t(c)] = v.angular[c];
      }
    }
    return out;
  }

 private:
  /// What an impulse does to a body alone.
  constraints::Twist moved(std::size_t i, const constraints::Twist& p) const {
    if (m_.mobility[i] == Mobility::particle) return {p.linear / m_.mass[i], {}};
    const Vec3& d = m_.inertia[i];
    return {p.linear / m_.mass[i], world_inertia({1 / d.x, 1 / d.y, 1 / d.z}, x_.orientation[i]) * p.angular};
  }
  double add(int a, int b, const Jacobian& g, Vector& out) {
    double loose = 0;
    for (const bool second : {false, true})
      if (const int body = second ? b : a; body >= 0 && can_move(m_, body))
        loose += add(body, second ? g.b : g.a, out);
    return loose;
  }
  double add(int body, const constraints::Twist& g, Vector& out) {
    const std::size_t begin = begin_.at(block_owner(m_, body));
    if (const int link = m_.link[std::size_t(body)]; link >= 0) {
      tree_row(m_, link, g, k_, row_);
      for (std::size_t d = 0; d < row_.size(); ++d) out[begin + d] += row_[d];
    } else {
      for (int c = 0; c < 3; ++c)
        out[begin + std::size_t(c)] += g.linear[c], out[begin + 3 + std::size_t(c)] += g.angular[c];
    }
    return constraints::dot(g, moved(std::size_t(body), g));
  }
  void solve_tree(int link, std::size_t begin, const Vector& g, Vector& out) {
    const tree::Forest& f = m_.trees.forest;
    const auto first = std::size_t(range_of(m_, link).v_begin), last = std::size_t(range_of(m_, link).v_end);
    tau_.assign(f.dof.size(), 0.0);
    std::copy_n(g.begin() + std::ptrdiff_t(begin), last - first, tau_.begin() + std::ptrdiff_t(first));
    tree::solve_tree(f, k_, factors_, f.tree_of[std::size_t(link)], tau_, sweep_, tau_);
    std::copy_n(tau_.begin() + std::ptrdiff_t(first), last - first, out.begin() + std::ptrdiff_t(begin));
  }

  const Model& m_;
  const State& x_;
  tree::Kinematics k_;
  tree::Articulated factors_;
  tree::SweepScratch sweep_;
  bool solvable_ = false;
  std::map<int, std::size_t> begin_;  // per owner of a block
  std::size_t size_ = 0;
  Vector row_, tau_;
};

/// Calls act(row of ModelMechanisms) for the rows of a constraint that hold.
template <class Act>
void for_rigid_rows(const Model& m, const State& x, std::size_t c, const Act& act) {
  if (!x.joint_broken.empty() && x.joint_broken[c]) return;
  const ModelConstraint& joint = m.mechanisms.constraint[c];
  for (int r = joint.row_begin; r < joint.row_end; ++r)
    if (!m.mechanisms.softness[std::size_t(r)].is_soft()) act(std::size_t(r));
}

/// Laws that bind, and constraints, that act on the same trees, mechanisms and bodies.
struct Group {
  std::vector<std::size_t> laws, constraints;
  bool gears_alone = true;
};

class Groups {
 public:
  Groups(const Model& m, const State& x) : m_(m) {
    std::vector<std::size_t> rows(m.mechanisms.mechanism.size(), 0);
    for (std::size_t c = 0; c < m.mechanisms.constraint.size(); ++c)
      for_rigid_rows(m, x, c,
                     [&](std::size_t) { ++rows[std::size_t(m.mechanisms.constraint[c].mechanism)]; });
    for (const std::size_t n : rows) seen_.push_back(n > 0 && n <= most_rows);
    for (std::size_t k = 0; k < m.laws.size(); ++k)
      if (m.laws[k].binds()) join(k);
    std::map<int, Group> found;
    for (std::size_t k = 0; k < m.laws.size(); ++k) {
      if (!m.laws[k].binds()) continue;
      int root = -1;
      for_moving_bodies(k, [&](int body) { root = root_of(key_of(body)); });
      if (root < 0) continue;
      Group& group = found[root];
      group.laws.push_back(k);
      group.gears_alone = group.gears_alone && m.laws[k].kind == ModelLaw::Kind::gear;
    }
    for (std::size_t c = 0; c < m.mechanisms.constraint.size(); ++c) {
      const int mechanism = m.mechanisms.constraint[c].mechanism;
      if (!seen_[std::size_t(mechanism)]) continue;
      if (const auto at = found.find(root_of(m.body_count() + mechanism)); at != found.end())
        at->second.constraints.push_back(c);
    }
    for (auto& [root, group] : found) list_.push_back(std::move(group));
  }
  const std::vector<Group>& list() const { return list_; }

 private:
  template <class Act>
  void for_moving_bodies(std::size_t k, const Act& act) const {
    for_bodies(m_, k, [&](int body) {
      if (can_move(m_, body)) act(body);
    });
  }
  /// A number for what moves as one in a group.
  int key_of(int body) const {
    const int mechanism = m_.mechanisms.empty() ? -1 : m_.mechanisms.mechanism_of[std::size_t(body)];
    const bool whole = mechanism >= 0 && seen_[std::size_t(mechanism)];
    return whole ? m_.body_count() + mechanism : block_owner(m_, body);
  }
  int root_of(int key) {
    int& parent = parent_.try_emplace(key, key).first->second;
    return parent == key ? key : parent = root_of(parent);
  }
  void join(std::size_t k) {
    int first = -1;
    for_moving_bodies(k, [&](int body) {
      const int root = root_of(key_of(body));
      if (first < 0) first = root;
      parent_[root] = first;
    });
  }

  const Model& m_;
  std::vector<bool> seen_;  // per mechanism: its constraints are in groups
  std::map<int, int> parent_;
  std::vector<Group> list_;
};

/// The rows of a group so far, at right angles to each other.
class Basis {
 public:
  explicit Basis(Velocities& velocities) : velocities_(velocities) {}
  /// Keeps what is new in a row, g.v = rate. Returns whether nothing is; `apart` is then what it says beside
  /// what the others do [m/s, rad/s].
  bool repeats(Vector d, double rate, double loose, double& apart) {
    const double all = dot(d, velocities_.weighed(d));
    double size = std::fabs(rate);
    for (int again = 0; again < 2; ++again)  // the second time for what rounding left
      for (std::size_t i = 0; i < kept_.size(); ++i) {
        const double part = dot(d, weighed_[i]);
        for (std::size_t c = 0; c < d.size(); ++c) d[c] -= part * kept_[i][c];
        rate -= part * rate_[i], size += std::fabs(part * rate_[i]);
      }
    Vector y = velocities_.weighed(d);
    const double left = dot(d, y);
    if (all <= same * same * loose || left <= same * same * all) {
      apart = std::fabs(rate) > same * size ? rate : 0;
      return true;
    }
    const double scale = 1 / std::sqrt(left);
    for (double& c : d) c *= scale;
    for (double& c : y) c *= scale;
    kept_.push_back(std::move(d)), weighed_.push_back(std::move(y)), rate_.push_back(scale * rate);
    return false;
  }

 private:
  Velocities& velocities_;
  std::vector<Vector> kept_, weighed_;
  Vector rate_;
};

}  // namespace

std::vector<RedundantJoint> redundant_laws(const Model& m, const State& x) {
  std::vector<RedundantJoint> out;
  if (std::none_of(m.laws.begin(), m.laws.end(), [](const ModelLaw& law) { return law.binds(); })) return out;
  Velocities velocities(m, x);
  if (!velocities.solvable()) return out;
  const Groups groups(m, x);
  for (const Group& group : groups.list()) {
    if (group.gears_alone && group.constraints.empty()) continue;
    const bool large = group.laws.size() > most_rows;
    velocities.clear();
    bool driven = false;
    const auto make_room = [&](int body) {
      if (body < 0) return;
      if (can_move(m, body)) velocities.make_room(body);
      driven = driven || m.body_kind[std::size_t(body)] == kinematic;
    };
    for (const std::size_t k : group.laws) for_bodies(m, k, make_room);
    for (const std::size_t c : group.constraints)
      make_room(m.mechanisms.constraint[c].a), make_room(m.mechanisms.constraint[c].b);
    Basis basis(velocities);
    double apart = 0;
    for (const std::size_t c : group.constraints)
      for_rigid_rows(m, x, c, [&](std::size_t r) {
        basis.repeats(velocities.gradient(m.mechanisms.constraint[c], r), 0, 0, apart);
      });
    for (const std::size_t k : group.laws) {
      const ModelLaw& law = m.laws[k];
      if (large && !law.of_constraint()) continue;
      double loose = 0;
      Vector gradient = velocities.gradient(k, loose);
      if (!basis.repeats(std::move(gradient), law.kind == ModelLaw::Kind::slip ? -law.bound : 0, loose,
                         apart))
        continue;
      if (out.empty() || out.back().joint != law.joint) out.push_back({law.joint, law.of_constraint(), {}});
      out.back().rows.push_back(law.coordinate);
      if (!driven && apart != 0) out.back().apart = apart;
    }
  }
  return out;
}

}  // namespace stiction::step
