// Forward dynamics by the articulated-body algorithm, O(number of links).
//
//   factorise   leaves to root: I = own inertia + what the children left of theirs, moved here; for each
//               velocity coordinate of the joint, last first:
//               U = I s,   D = s.U + armature + added,   I -= U U^T / D
//   solve       leaves to root: u = tau - s.p,  p += U u / D,  p_parent += p moved there
//               root to leaves: x = (u - U.a) / D,  a += s x,   a = what the parent has, moved here
//
// Symbols: s twist per unit of a coordinate, I = [J H; H^T M] articulated inertia [kg, kg m, kg m^2], p
// wrench [N m, N], a acceleration beyond the drift, x = dv/dt; world axes, origin of each link. A joint with
// several coordinates is eliminated one coordinate after the other, which is the LDL^T factorisation of its
// block. Velocity-dependent terms and gravity enter through the bias wrenches of the links (their own mass on
// its drift), so that the factors depend on q alone and serve any number of right-hand sides.
//
// Spherical joints, and free joints on the world, are eliminated as a whole, in world axes:
//   spherical   X = (J + e)^-1, e = armature + added (equal for the three):
//               J -> e (1 - e X),  H -> e X H,  M -> M - H^T X H
//               u = tau - n,  x = X u,  n -> tau - e x,  f -> f + H^T x;    w' = X (u + e w_p' - H a)
//   free        Y = (M + e_t)^-1,  G = H Y,  X = (J + e_r - G H^T)^-1:
//               w' = X (u_w - G u_v),  v' = Y u_v - G^T w'
//
// Reference: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7.
//
// When it fails: D (or a 3x3 block) not positive, that is a coordinate that moves no mass (a point mass on a
// spherical joint at the mass itself); reported. In world axes a body whose smallest moment is a 1e-k part of
// its largest loses k digits in the turn about that axis; mass ratios along a branch act in the same way.
#include "stiction/dynamics/tree/forward_dynamics.h"

#include <algorithm>

#include "stiction/base/assert.h"
#include "stiction/dynamics/tree/detail/passes.h"
#include "stiction/dynamics/tree/detail/sweeps.h"

namespace stiction::tree {
namespace {

using namespace detail;

// I s, with the zeros of s left out.
SpatialForce reaction_of(const ArticulatedInertia& i, DofKind kind, const Vec3& axis, double pitch) {
  switch (kind) {
    case DofKind::angular:
      return {i.J * axis, transposed_times(i.H, axis)};
    case DofKind::linear:
      return {i.H * axis, i.M * axis};
    default:
      return i * SpatialMotion{axis, pitch * axis};
  }
}

// I -= U U^T / D
void remove(const SpatialForce& u, double inverse, ArticulatedInertia& i) {
  const Vec3 n = inverse * u.torque, f = inverse * u.force;
  const Vec3 &t = u.torque, &g = u.force;
  i.J.xx -= n.x * t.x, i.J.yy -= n.y * t.y, i.J.zz -= n.z * t.z;
  i.J.xy -= n.x * t.y, i.J.xz -= n.x * t.z, i.J.yz -= n.y * t.z;
  auto& h = i.H.m;
  h[0][0] -= n.x * g.x, h[0][1] -= n.x * g.y, h[0][2] -= n.x * g.z;
  h[1][0] -= n.y * g.x, h[1][1] -= n.y * g.y, h[1][2] -= n.y * g.z;
  h[2][0] -= n.z * g.x, h[2][1] -= n.z * g.y, h[2][2] -= n.z * g.z;
  i.M.xx -= f.x * g.x, i.M.yy -= f.y * g.y, i.M.zz -= f.z * g.z;
  i.M.xy -= f.x * g.y, i.M.xz -= f.x * g.z, i.M.yz -= f.y * g.z;
}

// Inverse of a positive definite matrix by cofactors; false if a leading minor is not above 0.
bool invert(const SymMat3& s, SymMat3& out) {
  const double a = s.yy * s.zz - s.yz * s.yz, b = s.xz * s.yz - s.xy * s.zz, c = s.xy * s.yz - s.xz * s.yy;
  const double minor = s.xx * s.yy - s.xy * s.xy, det = s.xx * a + s.xy * b + s.xz * c;
  if (!(s.xx > 0 && minor > 0 && det > 0)) return false;
  const double d = 1.0 / det;
  out = {d * a, d * (s.xx * s.zz - s.xz * s.xz), d * minor, d * b, d * c, d * (s.xy * s.xz - s.xx * s.yz)};
  return true;
}
void add_diagonal(double x, SymMat3& s) { s.xx += x, s.yy += x, s.zz += x; }

// M - H^T (X H), given XH.
void subtract_product(const Mat3& H, const Mat3& XH, SymMat3& M) {
  const Vec3 h[3] = {H.column(0), H.column(1), H.column(2)},
             x[3] = {XH.column(0), XH.column(1), XH.column(2)};
  M.xx -= dot(h[0], x[0]), M.yy -= dot(h[1], x[1]), M.zz -= dot(h[2], x[2]);
  M.xy -= dot(h[0], x[1]), M.xz -= dot(h[0], x[2]), M.yz -= dot(h[1], x[2]);
}
Mat3 product(const SymMat3& s, const Mat3& a) {
  Mat3 out;
  for (int j = 0; j < 3; ++j) {
    const Vec3 c = s * a.column(j);
    out(0, j) = c.x, out(1, j) = c.y, out(2, j) = c.z;
  }
  return out;
}

bool factorise_spherical(double added, ArticulatedInertia& i, Articulated::Block& b) {
  b.armature = added;
  add_diagonal(added, i.J);
  if (!invert(i.J, b.turning)) return false;
  b.coupling = i.H;
  const Mat3 XH = product(b.turning, i.H);
  subtract_product(i.H, XH, i.M);
  const double e = added;
  const SymMat3& X = b.turning;
  i.J = {e * (1 - e * X.xx), e * (1 - e * X.yy), e * (1 - e * X.zz),
         -e * e * X.xy,      -e * e * X.xz,      -e * e * X.yz};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) i.H(r, c) = e * XH(r, c);
  return true;
}
bool factorise_free(double added_sliding, double added_turning, ArticulatedInertia& i,
                    Articulated::Block& b) {
  add_diagonal(added_sliding, i.M), add_diagonal(added_turning, i.J);
  if (!invert(i.M, b.sliding)) return false;
  const Mat3 across = transposed(i.H), G = product(b.sliding, across);  // G^T
  subtract_product(across, G, i.J);
  b.coupling = transposed(G);
  return invert(i.J, b.turning);
}

void fit(const Forest& f, Articulated& a) {
  a.inertia.resize(f.parent.size()), a.pivot.resize(f.dof.size());
  a.block.resize(std::size_t(f.block_count));
}

// One joint of factorise(): -1, or the coordinate that feels no inertia.
int eliminate(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> added,
              std::size_t i, Articulated& a) {
  const auto extra = [&](std::size_t d) { return p.armature[d] + (added.empty() ? 0.0 : added[d]); };
  const auto equal = [&](std::size_t d) { return extra(d) == extra(d + 1) && extra(d) == extra(d + 2); };
  ArticulatedInertia& own = a.inertia[i];
  const auto begin = std::size_t(f.v_begin[i]), end = std::size_t(f.v_begin[i + 1]);
  Articulated::Block* block = f.block_of[i] < 0 ? nullptr : &a.block[std::size_t(f.block_of[i])];
  if (block) {
    const bool free = f.joint[i] == JointKind::free;
    block->whole = free ? f.parent[i] < 0 && equal(begin) && equal(begin + 3) : equal(begin);
  }
  if (block && block->whole) {
    const bool good = f.joint[i] == JointKind::free
                          ? factorise_free(extra(begin), extra(begin + 3), own, *block)
                          : factorise_spherical(extra(begin), own, *block);
    if (!good) return int(begin);
  } else {
    for (std::size_t d = end; d-- > begin;) {
      const SpatialForce u = reaction_of(own, f.dof[d], k.axis[d], k.pitch[d]);
      const double D = along(f.dof[d], k.axis[d], k.pitch[d], u) + extra(d);
      if (!(D > 0)) return int(d);
      a.pivot[d] = {u, 1.0 / D};
      remove(u, a.pivot[d].inverse, own);
    }
  }
  if (f.parent[i] >= 0) add_moved_back(own, k.pose[i].arm, a.inertia[std::size_t(f.parent[i])]);
  return -1;
}

// One joint of solve(), in and out.
void pass_in(const Forest& f, const Kinematics& k, const Articulated& a, std::span<const double> tau,
             std::size_t i, SweepScratch& s) {
  SpatialForce p = s.wrench[i];
  sweep_in(f, k, a, i, tau.empty() ? nullptr : tau.data(), p, s.force.data());
  if (f.parent[i] >= 0) s.wrench[std::size_t(f.parent[i])] += moved_back(p, k.pose[i].arm);
}
void pass_out(const Forest& f, const Kinematics& k, const Articulated& a, std::size_t i, SweepScratch& s,
              std::span<double> out) {
  const int parent = f.parent[i];
  SpatialMotion motion =
      parent < 0 ? SpatialMotion{} : moved(s.acceleration[std::size_t(parent)], k.pose[i].arm);
  sweep_out(f, k, a, i, s.force.data(), motion, out.data() + f.v_begin[i]);
  s.acceleration[i] = motion;
}

}  // namespace

int factorise(const Forest& f, const Parameters& p, const Kinematics& k, std::span<const double> added,
              Articulated& a) {
  const std::size_t n = f.parent.size();
  fit(f, a);
  for (std::size_t i = 0; i < n; ++i) a.inertia[i] = articulated(k.inertia[i]);
  for (std::size_t i = n; i-- > 0;)
    if (const int trouble = eliminate(f, p, k, added, i, a); trouble >= 0) return trouble;
  return -1;
}

void solve(const Forest& f, const Kinematics& k, const Articulated& a, std::span<const double> tau,
           std::span<const SpatialForce> bias, SweepScratch& s, std::span<double> out) {
  fit(f, s);
  const std::size_t n = f.parent.size();
  for (std::size_t i = 0; i < n; ++i) s.wrench[i] = bias.empty() ? SpatialForce{} : bias[i];
  for (std::size_t i = n; i-- > 0;) pass_in(f, k, a, tau, i, s);
  for (std::size_t i = 0; i < n; ++i) pass_out(f, k, a, i, s, out);
}

void solve_tree(const Forest& f, const Kinematics& k, const Articulated& a, int tree,
                std::span<const double> tau, SweepScratch& s, std::span<double> out) {
  fit(f, s);
  const TreeRange& range = f.trees[std::size_t(tree)];
  const auto begin = std::size_t(range.link_begin), end = std::size_t(range.link_end);
  for (std::size_t i = begin; i < end; ++i) s.wrench[i] = {};
  for (std::size_t i = end; i-- > begin;) pass_in(f, k, a, tau, i, s);
  for (std::size_t i = begin; i < end; ++i) pass_out(f, k, a, i, s, out);
}

// The same as update_positions(), update_velocities(), bias_wrenches(), factorise() and solve() one after the
// other, to the bit; chunk by chunk, so that long chains pass through the cache three times instead of eight.
int forward_dynamics(const Forest& f, const Parameters& p, std::span<const double> q,
                     std::span<const double> v, std::span<const double> tau,
                     std::span<const SpatialForce> external, ForwardDynamics& d, std::span<double> dv) {
  STICTION_ASSERT(q.size() == std::size_t(f.q_count()) && v.size() == f.dof.size());
  constexpr std::size_t chunk = 32;  // links; some 25 kB
  const std::size_t n = f.parent.size();
  Kinematics& k = d.kinematics;
  fit(f, k), fit(f, d.articulated), fit(f, d.scratch);
  for (std::size_t begin = 0; begin < n; begin += chunk) {
    const std::size_t end = std::min(n, begin + chunk);
    pass_positions(f, p, q, begin, end, k);
    pass_velocities(f, v, begin, end, k);
    pass_biases(p, k, external, begin, end, d.scratch.wrench);
    for (std::size_t i = begin; i < end; ++i) d.articulated.inertia[i] = articulated(k.inertia[i]);
  }
  for (std::size_t end = n; end > 0;) {
    const std::size_t begin = (end - 1) / chunk * chunk;
    for (std::size_t i = end; i-- > begin;)
      if (const int trouble = eliminate(f, p, k, {}, i, d.articulated); trouble >= 0) return trouble;
    for (std::size_t i = end; i-- > begin;) pass_in(f, k, d.articulated, tau, i, d.scratch);
    end = begin;
  }
  for (std::size_t i = 0; i < n; ++i) pass_out(f, k, d.articulated, i, d.scratch, dv);
  return -1;
}

}  // namespace stiction::tree
