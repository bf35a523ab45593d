// Contact points of two faces: the incident face (of the other box, most opposed to the reference face)
// clipped by the four side planes of the reference face (Sutherland-Hodgman), each point with its height over
// the reference plane as gap. Work is in the reference box's frame: (u, v) in the face, w height [m].
//   w = side * x_k - h_k, x = c + M y (c centre, M axes of the incident box, y its vertex)
// A vertex within the tolerance of a side plane counts as lying on it: it is kept, and no crossing is made at
// it. So flush faces give their four corners, and noise well below the tolerance neither adds, drops nor
// renames points. Names: vertex on face, face on vertex, or edge on edge (side plane = reference edge); the
// polygon carries for each of its edges what it came from. Heights are exact for incident vertices. At
// crossings the point is not fixed to a body, so the rate of its gap is n.(v_b - v_a) only up to (angle of
// the faces) * (slip). Reference: Ericson, Real-Time Collision Detection, section 8.3.4.
#include "stiction/collision/narrow/box_box.h"

namespace stiction::collision::narrow {
namespace {

struct Corner {
  double u = 0, v = 0, w = 0;
  int reference = 0, incident = 0;  // features meeting in this corner
  int edge = 0;                     // the polygon's edge from here to the next corner:
  bool edge_is_side = false;        // an edge of the incident face, or (true) a side of the reference face
};

using Polygon = FixedList<Corner, 9>;

/// What is left of `in` on the inner side of sign * (u or v) = limit.
struct Side {
  bool across_v;
  double sign, limit;
  int code;  // of the side, without the face's own
};

double beyond(const Side& s, const Corner& c) { return s.sign * (s.across_v ? c.v : c.u) - s.limit; }

void add_crossing(const Corner& from, double d_from, const Corner& to, double d_to, const Side& side,
                  int face, int incident_face, int edge, bool edge_is_side, Polygon& out) {
  const double f = d_from / (d_from - d_to);
  const double at = side.sign * side.limit;
  // an incident edge over a reference edge, or a corner of the reference face over the incident face
  out.make(side.across_v ? from.u + f * (to.u - from.u) : at,
           side.across_v ? at : from.v + f * (to.v - from.v), from.w + f * (to.w - from.w),
           face + side.code + (from.edge_is_side ? from.edge : 0),
           from.edge_is_side ? incident_face : from.edge, edge, edge_is_side);
}

/// False, and `out` is not touched, where nothing lies beyond the side.
bool clip(const Polygon& in, const Side& side, int face, int incident_face, double tolerance, Polygon& out) {
  double distance[Polygon::capacity];
  bool cut = false;
  for (int i = 0; i < in.count(); ++i) {
    distance[i] = beyond(side, in[i]);
    cut = cut || distance[i] > tolerance;
  }
  if (!cut) return false;
  out.clear();
  for (int i = 0; i < in.count(); ++i) {
    const int j = i + 1 == in.count() ? 0 : i + 1;
    const Corner &p = in[i], &q = in[j];
    const double dp = distance[i], dq = distance[j];
    const bool p_out = dp > tolerance, q_out = dq > tolerance;
    const bool p_in = dp < -tolerance, q_in = dq < -tolerance;
    if (!p_out) {
      out.add(p);
      // from a corner on the plane outwards the polygon goes on along the side
      if (q_out && !p_in) out[out.count() - 1].edge = side.code, out[out.count() - 1].edge_is_side = true;
    }
    if (p_in && q_out)
      add_crossing(p, dp, q, dq, side, face, incident_face, side.code, true, out);
    else if (p_out && q_in)
      add_crossing(p, dp, q, dq, side, face, incident_face, p.edge, p.edge_is_side, out);
  }
  return true;
}

/// The incident face in the reference frame, counter-clockwise or clockwise. c, M: see the top; axes: u, v
/// and the reference face's own.
void incident_polygon(const Vec3& c, const Mat3& M, const Vec3& half, const IncidentFace& f,
                      const int (&axes)[3], double side, double height, int face, Polygon& out) {
  static constexpr double around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const int j1 = next_axis[f.axis], j2 = next_axis[j1];
  const int own = int(f.side) * power_of_three[f.axis];
  // along u, v, w: the middle of the face, and half of its edges along j1 and j2
  const double own_half = f.side * half[f.axis], half1 = half[j1], half2 = half[j2];
  const int u = axes[0], v = axes[1], k = axes[2];
  const double u0 = c[u] + M(u, f.axis) * own_half, u1 = M(u, j1) * half1, u2 = M(u, j2) * half2;
  const double v0 = c[v] + M(v, f.axis) * own_half, v1 = M(v, j1) * half1, v2 = M(v, j2) * half2;
  const double w0 = (side * c[k] - height) + side * M(k, f.axis) * own_half;
  const double w1 = side * M(k, j1) * half1, w2 = side * M(k, j2) * half2;
  for (int i = 0; i < 4; ++i) {
    const double s1 = around[i][0], s2 = around[i][1];
    const int code1 = int(s1) * power_of_three[j1], code2 = int(s2) * power_of_three[j2];
    const int edge = own + (i % 2 == 0 ? code2 : code1);  // edges 0 and 2 run along j1, 1 and 3 along j2
    out.make(u0 + s1 * u1 + s2 * u2, v0 + s1 * v1 + s2 * v2, w0 + s1 * w1 + s2 * w2, face,
             own + code1 + code2, edge, false);
  }
}

}  // namespace

IncidentFace incident_face(const Relative& r, const ReferenceFace& face) {
  constexpr double tie = 1e-6;
  // the reference normal in the other box: the face whose outward normal is most opposed to it
  const Vec3 row = face.side * (face.of_a ? r.C.row(face.axis) : r.C.column(face.axis));
  int j = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(row[i]) > std::fabs(row[j]) + tie) j = i;
  return {j, row[j] > 0 ? -1.0 : 1.0, std::fabs(row[j])};
}

void clip_faces(const OrientedBox& a, const OrientedBox& b, const Relative& r, const ReferenceFace& face,
                const IncidentFace& incident, double tolerance, PointList& out) {
  const OrientedBox& p = face.of_a ? a : b;
  const OrientedBox& q = face.of_a ? b : a;
  const int k = face.axis, u = next_axis[k], v = next_axis[u];
  const int face_code = int(face.side) * power_of_three[k];
  const Vec3 c = face.of_a ? r.d_a : -r.d_b;
  const Mat3 M = face.of_a ? r.C : transposed(r.C);
  const int incident_code = int(incident.side) * power_of_three[incident.axis];

  Polygon polygons[2];
  incident_polygon(c, M, q.half, incident, {u, v, k}, face.side, p.half[k], face_code, polygons[0]);
  int last = 0;
  for (const int axis : {u, v})
    for (const int sign : {1, -1}) {
      const Side side{axis == v, double(sign), p.half[axis], sign * power_of_three[axis]};
      if (clip(polygons[last], side, face_code, incident_code, tolerance, polygons[1 - last]))
        last = 1 - last;
    }

  const Vec3 outward = face.side * p.frame.axis(k), along_u = p.frame.axis(u), along_v = p.frame.axis(v);
  const Vec3 normal = face.of_a ? outward : -outward, middle = p.frame.centre + p.half[k] * outward;
  const Vec3 to_b = face.of_a ? outward : Vec3{}, to_a = face.of_a ? Vec3{} : outward;
  for (const Corner& corner : polygons[last]) {
    const Vec3 on_reference = middle + corner.u * along_u + corner.v * along_v;
    out.make(on_reference + corner.w * to_a, on_reference + corner.w * to_b, normal, corner.w,
             face.of_a ? feature_pair(corner.reference, corner.incident)
                       : feature_pair(corner.incident, corner.reference));
  }
}

}  // namespace stiction::collision::narrow
