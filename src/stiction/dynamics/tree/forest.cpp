// From a description to dense arrays: order, ranges, joint frames.
//
// Every link has two frames with one origin (its joint): that of the description, and the engine's, turned by
// a constant C so that the axis of the joint is z (universal: the axes are x and y; planar: x, y and the
// normal z). A turn about z costs 18 operations instead of some 80 about any axis. With the joint frame of
// link i at p_i, R_i in its parent p:
//
//   placement   turn = C_p^T R_i C_i,   position = C_p^T p_i
//   inertia     m,  C^T m c,  C^T (I_c + m (c.c 1 - c c^T)) C        at the origin of the link
//
// Order: tree after tree, in each level by level from the root, roots and children in the order of the
// description. Trees are contiguous, parents come first, and neighbours in the order are mostly links that do
// not wait for each other, so that a processor works on several branches at once (for a humanoid, solve()
// takes a third less time than in an order branch by branch).
#include "stiction/dynamics/tree/forest.h"

#include <algorithm>

namespace stiction::tree {
namespace {

// The engine's axes as columns, in the axes of the link.
Mat3 engine_axes(const Link& l) {
  if (l.joint == JointKind::fixed || l.joint == JointKind::spherical || l.joint == JointKind::free)
    return Mat3::identity();
  const Vec3 n = normalized(l.axis);
  Vec3 a, b;
  tangents(n, a, b);
  if (norm2(l.second_axis) > 0 && (l.joint == JointKind::universal || l.joint == JointKind::planar)) {
    a = normalized(l.second_axis - dot(l.second_axis, n) * n);
    b = cross(n, a);
  }
  Mat3 c;
  const auto column = [&](int j, const Vec3& v) { c(0, j) = v.x, c(1, j) = v.y, c(2, j) = v.z; };
  if (l.joint == JointKind::universal)
    column(0, n), column(1, a), column(2, b);
  else
    column(0, a), column(1, b), column(2, n);
  return c;
}

std::vector<int> level_order(const Description& d) {
  const std::size_t n = d.links.size();
  // Children by parent, the world's first; counting sort keeps the order of the description.
  std::vector<int> begin(n + 2, 0), children(n), order;
  for (const Link& l : d.links) ++begin[std::size_t(l.parent + 2)];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  std::vector<int> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    children[std::size_t(next[std::size_t(d.links[i].parent + 1)]++)] = int(i);
  for (int root = 0; root < begin[1]; ++root) {
    std::size_t done = order.size();
    order.push_back(children[std::size_t(root)]);
    for (; done < order.size(); ++done) {
      const auto i = std::size_t(order[done]);
      order.insert(order.end(), children.begin() + begin[i + 1], children.begin() + begin[i + 2]);
    }
  }
  return order;
}

void add_dofs(Forest& f, std::vector<int>& last_dof, int i) {
  const int parent = f.parent[std::size_t(i)];
  int previous = parent < 0 ? -1 : last_dof[std::size_t(parent)];
  const JointKind kind = f.joint[std::size_t(i)];
  for (int k = 0; k < dof_count(kind); ++k) {
    const int dof = int(f.dof_parent.size());
    const std::size_t above =
        previous < 0 ? 0 : f.row_begin[std::size_t(previous) + 1] - f.row_begin[std::size_t(previous)];
    f.dof_parent.push_back(previous);
    f.dof_link.push_back(i);
    f.dof.push_back(dof_kind(kind, k));
    f.row_begin.push_back(f.row_begin.back() + above + 1);
    previous = dof;
  }
  last_dof[std::size_t(i)] = previous;
}

Forest structure_of(const Description& d) {
  Forest f;
  f.given = level_order(d);
  f.index.resize(d.links.size());
  f.q_begin = {0}, f.v_begin = {0}, f.row_begin = {0};
  std::vector<int> last_dof(d.links.size(), -1);
  for (std::size_t i = 0; i < f.given.size(); ++i) {
    const Link& l = d.links[std::size_t(f.given[i])];
    f.index[std::size_t(f.given[i])] = int(i);
    f.name.push_back(l.name);
    f.parent.push_back(l.parent < 0 ? -1 : f.index[std::size_t(l.parent)]);
    f.joint.push_back(l.joint);
    const bool block = l.joint == JointKind::spherical || l.joint == JointKind::free;
    f.block_of.push_back(block ? f.block_count++ : -1);
    if (l.parent < 0) f.trees.push_back({int(i), 0, f.q_begin.back(), 0, f.v_begin.back(), 0});
    f.tree_of.push_back(int(f.trees.size()) - 1);
    f.q_begin.push_back(f.q_begin.back() + coordinate_count(l.joint));
    f.v_begin.push_back(f.v_begin.back() + dof_count(l.joint));
    add_dofs(f, last_dof, int(i));
    TreeRange& tree = f.trees.back();
    tree.link_end = int(i) + 1, tree.q_end = f.q_begin.back(), tree.v_end = f.v_begin.back();
  }
  return f;
}

void fill(const std::vector<double>& given, int at, std::vector<double>& out) {
  std::copy(given.begin(), given.end(), out.begin() + at);
}

Parameters numbers_of(const Forest& f, const Description& d) {
  Parameters p;
  p.gravity = d.gravity;
  p.stiffness.assign(std::size_t(f.v_count()), 0);
  p.damping = p.armature = p.stiffness;
  p.rest.assign(std::size_t(f.q_count()), 0);
  set_neutral(f, p.rest);
  for (std::size_t i = 0; i < f.given.size(); ++i) {
    const Link& l = d.links[std::size_t(f.given[i])];
    const Mat3 to_engine = engine_axes(l), back = transposed(to_engine);
    const int parent = f.parent[i];
    const Mat3 parent_back = parent < 0 ? Mat3::identity() : transposed(p.to_engine[std::size_t(parent)]);
    p.to_engine.push_back(to_engine);
    p.placement.push_back(
        {parent_back * (rotation_matrix(normalized(l.orientation)) * to_engine), parent_back * l.position});
    SymMat3 about_origin = symmetric(l.inertia);
    about_origin += point_moments(l.mass, l.centre);
    p.inertia.push_back({l.mass, back * (l.mass * l.centre), turned(back, about_origin)});
    p.pitch.push_back(l.pitch);
    fill(l.stiffness, f.v_begin[i], p.stiffness);
    fill(l.damping, f.v_begin[i], p.damping);
    fill(l.armature, f.v_begin[i], p.armature);
    fill(l.rest, f.q_begin[i], p.rest);
  }
  normalise(f, p.rest);
  p.has_springs = std::any_of(p.stiffness.begin(), p.stiffness.end(), [](double k) { return k != 0; });
  return p;
}

// Calls act(kind, q of the joint's range, v of the joint's range) for every link.
template <class Act>
void for_joints(const Forest& f, const Act& act) {
  for (std::size_t i = 0; i < f.joint.size(); ++i) {
    const auto q = std::size_t(f.q_begin[i]), v = std::size_t(f.v_begin[i]);
    act(f.joint[i], q, std::size_t(f.q_begin[i + 1]) - q, v, std::size_t(f.v_begin[i + 1]) - v);
  }
}

}  // namespace

int Forest::find(const std::string& link_name) const {
  const auto at = std::find(name.begin(), name.end(), link_name);
  return at == name.end() ? -1 : int(at - name.begin());
}

Result<Compiled> compile(const Description& description) {
  std::vector<Mistake> mistakes = validate(description);
  if (!mistakes.empty()) return mistakes;
  Compiled out;
  out.forest = structure_of(description);
  out.parameters = numbers_of(out.forest, description);
  return out;
}

Result<Parameters> parameters_of(const Forest& forest, const Description& description) {
  std::vector<Mistake> mistakes = validate(description);
  if (!mistakes.empty()) return mistakes;
  const Forest other = structure_of(description);
  if (other.joint != forest.joint || other.parent != forest.parent || other.given != forest.given)
    return Mistake{{}, 0, 0, "links", "parents or joints differ from those of the forest; compile it anew"};
  return numbers_of(forest, description);
}

void set_neutral(const Forest& f, std::span<double> q) {
  for_joints(f, [&](JointKind kind, auto at, auto n, auto, auto) { set_neutral(kind, q.subspan(at, n)); });
}
void integrate(const Forest& f, std::span<const double> q, std::span<const double> v, double h,
               std::span<double> out) {
  for_joints(f, [&](JointKind kind, auto at, auto n, auto v_at, auto m) {
    integrate(kind, q.subspan(at, n), v.subspan(v_at, m), h, out.subspan(at, n));
  });
}
void difference(const Forest& f, std::span<const double> from, std::span<const double> to,
                std::span<double> v) {
  for_joints(f, [&](JointKind kind, auto at, auto n, auto v_at, auto m) {
    difference(kind, from.subspan(at, n), to.subspan(at, n), v.subspan(v_at, m));
  });
}
void coordinate_rate(const Forest& f, std::span<const double> q, std::span<const double> v,
                     std::span<double> rate) {
  for_joints(f, [&](JointKind kind, auto at, auto n, auto v_at, auto m) {
    coordinate_rate(kind, q.subspan(at, n), v.subspan(v_at, m), rate.subspan(at, n));
  });
}
void normalise(const Forest& f, std::span<double> q) {
  for_joints(f, [&](JointKind kind, auto at, auto n, auto, auto) { normalise(kind, q.subspan(at, n)); });
}
void set_random(const Forest& f, std::uint64_t seed, std::span<double> q, std::span<double> v) {
  RandomStream random(seed);
  for_joints(
      f, [&](JointKind kind, auto at, auto n, auto, auto) { set_random(kind, random, q.subspan(at, n)); });
  for (double& x : v) x = random.between(-1, 1);
}

}  // namespace stiction::tree
