// Rows of constraints on links of trees that repeat others. Row after row, what is left of its gradient g
// when the parts along those before it are taken away, in the metric of M^-1 (trees at their coordinates,
// other bodies alone), with q_i the rows kept so far and |q|^2 = q.M^-1 q:
//     d = g - sum (g.M^-1 q_i) q_i,       it repeats others where |d|^2 <= same^2 |g|^2
// and where the coordinates of trees leave no motion along it, |g|^2 <= same^2 times that of bodies without
// joints. Groups of trees and bodies that rows connect are taken one by one.
//
// When it fails: as redundancy.cpp. Bodies of mechanisms count as free, so that what their own joints hold is
// not seen here.
#include <algorithm>
#include <map>

#include "stiction/step/joint_laws.h"
#include "stiction/step/redundancy.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr double same = 1e-6;  // [-] between directions, as redundancy.cpp has it

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
  Vector gradient(const ModelLaw& law, double& loose) {
    Vector out(size_, 0.0);
    const constraints::Jacobian g = part_gradient(m_, law, law.row, pose_of(x_, law.a), pose_of(x_, law.b));
    loose = 0;
    for (const bool second : {false, true})
      if (const int body = second ? law.b : law.a; body >= 0 && can_move(m_, body))
        loose += add(body, second ? g.b : g.a, out);
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

/// Rows on links, in groups that act on the same trees and bodies.
std::vector<std::vector<std::size_t>> groups_of_rows(const Model& m) {
  std::map<int, int> group_of;  // per owner of a block
  std::map<int, std::vector<std::size_t>> rows;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    if (!m.laws[k].of_constraint()) continue;
    int group = -1;
    for_bodies(m, k, [&](int body) {
      if (!can_move(m, body)) return;
      const int own = group_of.try_emplace(block_owner(m, body), int(k)).first->second;
      if (group >= 0 && own != group) {
        for (auto& [owner, g] : group_of)
          if (g == own) g = group;
        std::vector<std::size_t>& from = rows[own];
        rows[group].insert(rows[group].end(), from.begin(), from.end());
        rows.erase(own);
      } else {
        group = own;
      }
    });
    if (group >= 0) rows[group].push_back(k);
  }
  std::vector<std::vector<std::size_t>> out;
  for (auto& [group, list] : rows) {
    std::sort(list.begin(), list.end());
    if (!list.empty()) out.push_back(std::move(list));
  }
  return out;
}

}  // namespace

std::vector<RedundantJoint> redundant_on_links(const Model& m, const State& x) {
  std::vector<RedundantJoint> out;
  if (m.trees.empty()) return out;
  Velocities velocities(m, x);
  if (!velocities.solvable()) return out;
  for (const std::vector<std::size_t>& rows : groups_of_rows(m)) {
    velocities.clear();
    for (const std::size_t k : rows)
      for_bodies(m, k, [&](int body) {
        if (can_move(m, body)) velocities.make_room(body);
      });
    std::vector<Vector> kept, weighed;
    for (const std::size_t k : rows) {
      double loose = 0;
      Vector d = velocities.gradient(m.laws[k], loose);
      const double all = dot(d, velocities.weighed(d));
      for (int again = 0; again < 2; ++again)  // the second time for what rounding left
        for (std::size_t i = 0; i < kept.size(); ++i) {
          const double part = dot(d, weighed[i]);
          for (std::size_t c = 0; c < d.size(); ++c) d[c] -= part * kept[i][c];
        }
      Vector y = velocities.weighed(d);
      const double left = dot(d, y);
      if (all <= same * same * loose || left <= same * same * all) {
        const int joint = m.laws[k].joint;
        if (out.empty() || out.back().joint != joint) out.push_back({joint, true, {}});
        out.back().rows.push_back(m.laws[k].coordinate);
        continue;
      }
      const double scale = 1 / std::sqrt(left);
      for (double& c : d) c *= scale;
      for (double& c : y) c *= scale;
      kept.push_back(std::move(d)), weighed.push_back(std::move(y));
    }
  }
  return out;
}

}  // namespace stiction::step
