// Laws of joints as rows of the problem: the gradients of their parts on at most two velocity blocks. Parts
// on one block share its side.
#include <algorithm>
#include <cmath>

#include "stiction/step/joint_laws.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using complementarity::ContactRows;
using complementarity::width;
using constraints::Twist;

constexpr double no_motion = 1e-14;  // [-] inverse mass with joints, over that without: none

/// The side of a row block that is for this velocity block: the one that has it, or the first that is free.
int side_for(int block, ContactRows& rows) {
  const int side = rows.block[0] < 0 || rows.block[0] == block ? 0 : 1;
  rows.block[side] = block;
  return side;
}

/// Adds a row by the coordinates of a tree, in t.tau, and M^-1 times it.
void add_tree_row(const Model& m, int tree, Workspace& w, ContactRows& rows) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const auto begin = std::size_t(f.trees[std::size_t(tree)].v_begin),
             n = std::size_t(f.trees[std::size_t(tree)].v_end) - begin;
  const int side = side_for(t.block_of_tree[std::size_t(tree)], rows);
  const std::size_t at = open_wide_rows(side, (n + width - 1) / width * width, w.problem, rows);
  t.v.resize(f.dof.size());
  tree::solve_tree(f, t.base, t.base_factors, tree, t.tau, t.sweep, t.v);
  for (std::size_t k = 0; k < n; ++k)
    w.problem.wide_G[at + k] += t.tau[begin + k], w.problem.wide_Y[at + k] += t.v[begin + k];
}

/// A gradient by the motion of a link.
void fill_link(const Model& m, int link, const Twist& g, Workspace& w, ContactRows& rows) {
  TreeWorkspace& t = w.trees;
  const tree::Forest& f = m.trees.forest;
  const int tree = f.tree_of[std::size_t(link)];
  tree_row(m, link, g, t.base, t.rows);
  t.tau.assign(f.dof.size(), 0.0);
  std::copy(t.rows.begin(), t.rows.end(), t.tau.begin() + f.trees[std::size_t(tree)].v_begin);
  add_tree_row(m, tree, w, rows);
}

/// One coordinate of a tree.
void fill_coordinate(const Model& m, const ModelLaw& law, double scale, Workspace& w, ContactRows& rows) {
  w.trees.tau.assign(m.trees.forest.dof.size(), 0.0);
  w.trees.tau[std::size_t(law.dof)] = scale;
  add_tree_row(m, m.trees.forest.tree_of[std::size_t(law.link)], w, rows);
}

/// A gradient by the motions of two bodies; returns what joints alone give.
double fill_gradient(const Model& m, const ModelLaw& law, const constraints::Jacobian& g, Workspace& w,
                     ContactRows& rows) {
  double given = 0;
  for (const bool second : {false, true}) {
    const int body = second ? law.b : law.a;
    if (body < 0 || !can_move(m, body)) continue;
    const Twist& own = second ? g.b : g.a;
    if (const int link = m.link[std::size_t(body)]; link >= 0) {
      fill_link(m, link, own, w, rows);
      continue;
    }
    const int side = side_for(w.block_of_body[std::size_t(body)], rows);
    if (linkage_of(m, body) >= 0)
      given += fill_linkage_side(m, body, side, own, w, rows);
    else
      fill_side(m, body, side, own, w, rows);
  }
  return given;
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

/// Other joints leave no motion along it: nothing is asked, and nothing given.
void empty_rows(complementarity::FrictionProblem& p, ContactRows& rows) {
  for (const int wide : rows.wide)
    if (wide >= 0) {
      const complementarity::WideRows& r = p.wide_rows[std::size_t(wide)];
      std::fill_n(p.wide_G.begin() + std::ptrdiff_t(r.at), r.size, 0.0);
      std::fill_n(p.wide_Y.begin() + std::ptrdiff_t(r.at), r.size, 0.0);
    }
  for (auto& side : rows.G) std::fill(std::begin(side), std::end(side), 0.0);
  rows.low = rows.high = 0;
}

}  // namespace

int owner_of(const Model& m, int body) {
  const int l = linkage_of(m, body);
  return l >= 0 ? m.mechanisms.linkage[std::size_t(l)].body.front() : block_owner(m, body);
}

int law_island(const Model& m, std::size_t k, const Workspace& w) {
  int island = -1;
  for_owners(m, k, [&](int owner) { island = w.island_of_body[std::size_t(owner)]; });
  return island;
}

const tree::TreeRange& range_of(const Model& m, int link) {
  return m.trees.forest.trees[std::size_t(m.trees.forest.tree_of[std::size_t(link)])];
}

void tree_row(const Model& m, int link, const Twist& g, const tree::Kinematics& k, std::vector<double>& out) {
  const tree::TreeRange& range = range_of(m, link);
  out.assign(std::size_t(range.v_end - range.v_begin), 0.0);
  tree::add_row(m.trees.forest, k, link, tree::centre_of_mass(k, link), g.linear, g.angular, out);
}

void fill_law(const Model& m, std::size_t k, int row, Workspace& w) {
  const ModelLaw& law = m.laws[k];
  LawWork& own = w.laws[k];
  ContactRows rows;
  rows.kind = complementarity::RowKind::box;
  rows.low = own.low / law.size, rows.high = own.high / law.size;
  const double scale = sign_of(law) * law.size;
  rows.b[0] = law.size * own.offset;
  double loose = 0;
  for_parts(m, k, [&](std::size_t p, double factor) {
    const ModelLaw& part = m.laws[p];
    if (part.of_tree()) return fill_coordinate(m, part, factor * scale, w, rows);
    const constraints::Jacobian g = (factor * scale) * w.laws[p].gradient;
    rows.b[0] += fill_gradient(m, part, g, w, rows);
    loose += loose_inverse_mass(m, part, g, w.base);
  });
  own.inverse_mass = 3 * complementarity::mean_diagonal(w.problem, rows);
  own.idle = !(own.inverse_mass > no_motion * loose);
  if (law.to_position && !own.idle) {  // it can only now be said how fast it may still stop
    const double aim = aim_of(law, own.target, own.start, own.inverse_mass / (law.size * law.size), own.h);
    rows.b[0] += law.size * (own.aim - aim), own.offset += own.aim - aim;
    own.aim = aim;
  }
  if (own.idle) empty_rows(w.problem, rows), own.impulse = 0;
  w.problem.contacts[std::size_t(row)] = rows;
  w.r[std::size_t(3 * row)] = own.impulse / law.size;
  w.r[std::size_t(3 * row + 1)] = w.r[std::size_t(3 * row + 2)] = 0;
}

}  // namespace stiction::step
