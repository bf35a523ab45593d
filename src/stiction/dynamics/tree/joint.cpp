// Coordinates of joints: layout, motion on the manifold, differences.
//
//   vector coordinates   q+ = q + h v
//   quaternions          q+ = exp(h w) q,    dq/dt = (0, w) q / 2,   difference: w = log(q1 q0^-1)
//
// Symbols: w [rad/s] angular velocity of the link against its parent, in the axes of the joint frame on the
// parent's side (for a link on the world: in world axes if its joint frame is not turned). A universal joint
// turns by q[0] about its first axis, then by q[1] about its second, which the first turn carries along.
//
// Layout: translations before rotations, in q and in v.
//
// When it fails: a difference of exactly half a turn has two answers. Nothing here is singular: the axes of a
// universal joint stay at right angles.
#include "stiction/dynamics/tree/joint.h"

#include <cstddef>

#include "stiction/math/spatial.h"

namespace stiction::tree {
namespace {

struct Entry {
  const char* name;
  int coordinates, dofs;
  int quaternion;  // where it stands in q, or -1; its angular velocity stands at the same place in v
};
constexpr Entry table[joint_kind_count] = {
    {"fixed", 0, 0, -1},       {"revolute", 1, 1, -1}, {"prismatic", 1, 1, -1},
    {"cylindrical", 2, 2, -1}, {"screw", 1, 1, -1},    {"universal", 2, 2, -1},
    {"spherical", 4, 3, 0},    {"planar", 3, 3, -1},   {"free", 7, 6, 3},
};
const Entry& entry(JointKind kind) { return table[static_cast<std::size_t>(kind)]; }

Quat quaternion_at(std::span<const double> q, int at) {
  const double* p = q.data() + at;
  return {p[0], p[1], p[2], p[3]};
}
void put(const Quat& a, std::span<double> q, int at) {
  double* p = q.data() + at;
  p[0] = a.w, p[1] = a.x, p[2] = a.y, p[3] = a.z;
}
Vec3 vector_at(std::span<const double> v, int at) {
  const double* p = v.data() + at;
  return {p[0], p[1], p[2]};
}
void put(const Vec3& a, std::span<double> v, int at) {
  double* p = v.data() + at;
  p[0] = a.x, p[1] = a.y, p[2] = a.z;
}
// Numbers in front of the quaternion: those that add up.
std::size_t plain_count(const Entry& e) {
  return std::size_t(e.quaternion < 0 ? e.coordinates : e.quaternion);
}

}  // namespace

const char* name_of(JointKind kind) { return entry(kind).name; }
int coordinate_count(JointKind kind) { return entry(kind).coordinates; }
int dof_count(JointKind kind) { return entry(kind).dofs; }

DofKind dof_kind(JointKind kind, int dof) {
  switch (kind) {
    case JointKind::prismatic:
      return DofKind::linear;
    case JointKind::cylindrical:
      return dof == 0 ? DofKind::linear : DofKind::angular;
    case JointKind::screw:
      return DofKind::screw;
    case JointKind::planar:
      return dof < 2 ? DofKind::linear : DofKind::angular;
    case JointKind::free:
      return dof < 3 ? DofKind::linear : DofKind::angular;
    default:
      return DofKind::angular;
  }
}

void set_neutral(JointKind kind, std::span<double> q) {
  const Entry& e = entry(kind);
  for (double& x : q) x = 0;
  if (e.quaternion >= 0) q[std::size_t(e.quaternion)] = 1;
}

void integrate(JointKind kind, std::span<const double> q, std::span<const double> v, double h,
               std::span<double> out) {
  const Entry& e = entry(kind);
  for (std::size_t i = 0; i < plain_count(e); ++i) out[i] = q[i] + h * v[i];
  if (e.quaternion < 0) return;
  const Quat turn = exponential(h * vector_at(v, e.quaternion));
  put(normalized(turn * quaternion_at(q, e.quaternion)), out, e.quaternion);
}

void difference(JointKind kind, std::span<const double> from, std::span<const double> to,
                std::span<double> v) {
  const Entry& e = entry(kind);
  for (std::size_t i = 0; i < plain_count(e); ++i) v[i] = to[i] - from[i];
  if (e.quaternion < 0) return;
  put(logarithm(quaternion_at(to, e.quaternion) * conjugate(quaternion_at(from, e.quaternion))), v,
      e.quaternion);
}

void coordinate_rate(JointKind kind, std::span<const double> q, std::span<const double> v,
                     std::span<double> rate) {
  const Entry& e = entry(kind);
  for (std::size_t i = 0; i < plain_count(e); ++i) rate[i] = v[i];
  if (e.quaternion < 0) return;
  const Vec3 w = 0.5 * vector_at(v, e.quaternion);
  put(Quat{0, w.x, w.y, w.z} * quaternion_at(q, e.quaternion), rate, e.quaternion);
}

void normalise(JointKind kind, std::span<double> q) {
  const Entry& e = entry(kind);
  if (e.quaternion >= 0) put(normalized(quaternion_at(q, e.quaternion)), q, e.quaternion);
}

double RandomStream::between(double low, double high) {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  return low + (high - low) * (double(z >> 11) * 0x1p-53);
}

void set_random(JointKind kind, RandomStream& random, std::span<double> q) {
  constexpr double pi = 0x1.921fb54442d18p+1;
  const Entry& e = entry(kind);
  for (std::size_t i = 0; i < plain_count(e); ++i)
    q[i] = dof_kind(kind, int(i)) == DofKind::linear ? random.between(-1, 1) : random.between(-pi, pi);
  if (e.quaternion < 0) return;
  Quat a;
  do {  // uniform in the shell, hence on the sphere
    a.w = random.between(-1, 1), a.x = random.between(-1, 1);
    a.y = random.between(-1, 1), a.z = random.between(-1, 1);
  } while (norm2(a) < 0.01 || norm2(a) > 1);
  put(normalized(a), q, e.quaternion);
}

}  // namespace stiction::tree
