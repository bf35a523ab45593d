// Principal axes: Jacobi's method, S <- G^T S G with rotations G in the planes (0,1), (0,2), (1,2) in turn,
// each chosen to zero one off-diagonal element: t = sign(k) / (|k| + sqrt(1 + k^2)), k = (s_qq - s_pp) / (2
// s_pq). Converges quadratically; 3x3 matrices need five sweeps or so. Reference: Golub and Van Loan, Matrix
// Computations, section 8.5. Symbols: S inertia of density 1 [m^5]. Fails for: nothing; equal moments leave
// their axes undetermined, and those nearest to the old ones are taken.
#include "stiction/geometry/centred.h"

#include <cmath>
#include <optional>

#include "stiction/geometry/hull.h"

namespace stiction {
namespace {

constexpr double round_off = 1e-12;  // [-] of the size, of the trace

void rotate_plane(Mat3& S, Mat3& V, int p, int q) {
  if (S(p, q) == 0) return;
  const double k = (S(q, q) - S(p, p)) / (2 * S(p, q));
  const double t = std::copysign(1.0, k) / (std::fabs(k) + std::sqrt(1 + k * k));
  const double c = 1 / std::sqrt(1 + t * t), s = t * c;
  for (int i = 0; i < 3; ++i) {
    const double a = S.m[i][p], b = S.m[i][q];
    S.m[i][p] = c * a - s * b, S.m[i][q] = s * a + c * b;
  }
  for (int i = 0; i < 3; ++i) {
    const double a = S.m[p][i], b = S.m[q][i];
    S.m[p][i] = c * a - s * b, S.m[q][i] = s * a + c * b;
    const double x = V.m[i][p], y = V.m[i][q];
    V.m[i][p] = c * x - s * y, V.m[i][q] = s * x + c * y;
  }
  S.m[p][q] = S.m[q][p] = 0;
}

/// Sets centre and turn; false where nothing changes.
bool find_axes(const Solid& solid, double size, bool turns, CentredShape& out) {
  if (!(solid.volume > 0)) return false;
  const SymMat3& i = solid.inertia;
  const double off = std::fmax(std::fabs(i.xy), std::fmax(std::fabs(i.xz), std::fabs(i.yz)));
  const bool shifted = norm(solid.center) > round_off * size;
  const bool turned = turns && off > round_off * (i.xx + i.yy + i.zz);
  if (!shifted && !turned) return false;
  out.changed = true;
  if (shifted) out.centre = solid.center;
  if (turned) out.turn = quaternion_of(principal_axes(i));
  return true;
}

bool stands_where_given(const ConvexCore& core) {
  return std::holds_alternative<Polyhedron>(core) || std::holds_alternative<Intersection>(core);
}

/// The core in the coordinates x_new = turn^T (x_old - centre).
std::optional<ConvexCore> moved(const ConvexCore& core, const Vec3& centre, const Quat& turn) {
  const Mat3 R = rotation_matrix(turn);
  if (const auto* p = std::get_if<Polyhedron>(&core)) {
    std::vector<Vec3> points;
    for (const Vec3& v : p->vertices) points.push_back(transposed_times(R, v - centre));
    Result<Polyhedron> hull = convex_hull(points);
    if (!hull) return std::nullopt;
    return ConvexCore(std::move(hull.value()));
  }
  std::vector<Inequality> faces = std::get<Intersection>(core).faces;
  for (Inequality& f : faces) {
    if (auto* h = std::get_if<HalfSpace>(&f)) {
      h->offset -= dot(normalized(h->normal), centre);
      h->normal = transposed_times(R, h->normal);
    } else {
      auto& c = std::get<CurvedFace>(f);
      c.center = transposed_times(R, c.center - centre);
      c.orientation = normalized(conjugate(turn) * c.orientation);
    }
  }
  Result<Intersection> made = intersection(std::move(faces));
  if (!made) return std::nullopt;
  return ConvexCore(std::move(made.value()));
}

}  // namespace

Mat3 principal_axes(const SymMat3& s) {
  Mat3 S = full(s), V = Mat3::identity();
  for (int sweep = 0; sweep < 12; ++sweep)
    for (const auto& [p, q] : {std::pair{0, 1}, {0, 2}, {1, 2}}) rotate_plane(S, V, p, q);
  // columns in the order of the axes they are nearest to
  Vec3 column[3] = {V.column(0), V.column(1), V.column(2)};
  for (int i = 0; i < 2; ++i) {
    int best = i;
    for (int j = i + 1; j < 3; ++j)
      if (std::fabs(column[j][i]) > std::fabs(column[best][i])) best = j;
    std::swap(column[i], column[best]);
    if (column[i][i] < 0) column[i] = -column[i];
  }
  column[2] = cross(column[0], column[1]);
  Mat3 out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.m[i][j] = column[j][i];
  return out;
}

CentredShape centred(const Shape& shape, bool turns) {
  CentredShape out{shape, {}, {}, false};
  if (const auto* compound = std::get_if<CompoundShape>(&shape)) {
    if (!find_axes(compound->solid(), compound->size(), turns, out)) return out;
    std::vector<CompoundPart> parts(compound->parts().begin(), compound->parts().end());
    for (CompoundPart& part : parts) {
      part.position = rotate_back(out.turn, part.position - out.centre);
      if (out.turn != Quat{}) part.orientation = normalized(conjugate(out.turn) * part.orientation);
    }
    out.shape = CompoundShape(std::move(parts));
    return out;
  }
  const auto* convex = std::get_if<ConvexShape>(&shape);
  if (convex == nullptr || !stands_where_given(convex->body().core) ||
      !find_axes(convex->solid(), convex->size(), turns, out))
    return out;
  std::optional<ConvexCore> core = moved(convex->body().core, out.centre, out.turn);
  if (!core) return {shape, {}, {}, false};  // thinner than a body may be, after round-off
  std::visit([&](auto& c) { out.shape = ConvexShape(std::move(c), convex->body().rounding); }, *core);
  return out;
}

}  // namespace stiction
