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

struct Polygon {
  int count = 0;
  Corner corners[9];
  void add(const Corner& c) { corners[count++] = c; }
};

/// What is left of `in` on the inner side of sign * (u or v) = limit.
struct Side {
  bool across_v;
  double sign, limit;
  int code;  // of the side, without the face's own
};

double beyond(const Side& s, const Corner& c) { return s.sign * (s.across_v ? c.v : c.u) - s.limit; }

Corner crossing(const Corner& from, double d_from, const Corner& to, double d_to, const Side& side, int face,
                int incident_face) {
  const double f = d_from / (d_from - d_to);
  Corner c;
  c.u = from.u + f * (to.u - from.u);
  c.v = from.v + f * (to.v - from.v);
  c.w = from.w + f * (to.w - from.w);
  (side.across_v ? c.v : c.u) = side.sign * side.limit;
  // an incident edge over a reference edge, or a corner of the reference face over the incident face
  c.reference = face + side.code + (from.edge_is_side ? from.edge : 0);
  c.incident = from.edge_is_side ? incident_face : from.edge;
  return c;
}

void clip(const Polygon& in, const Side& side, int face, int incident_face, double tolerance, Polygon& out) {
  out.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const Corner& p = in.corners[i];
    const Corner& q = in.corners[i + 1 == in.count ? 0 : i + 1];
    const double dp = beyond(side, p), dq = beyond(side, q);
    const bool p_out = dp > tolerance, q_out = dq > tolerance;
    const bool p_in = dp < -tolerance, q_in = dq < -tolerance;
    if (!p_out) {
      Corner kept = p;
      // from a corner on the plane outwards the polygon goes on along the side
      if (q_out && !p_in) kept.edge = side.code, kept.edge_is_side = true;
      out.add(kept);
    }
    if (p_in && q_out) {
      Corner c = crossing(p, dp, q, dq, side, face, incident_face);
      c.edge = side.code, c.edge_is_side = true;
      out.add(c);
    } else if (p_out && q_in) {
      Corner c = crossing(p, dp, q, dq, side, face, incident_face);
      c.edge = p.edge, c.edge_is_side = p.edge_is_side;
      out.add(c);
    }
  }
}

struct IncidentFace {
  int axis = 0;
  double side = 1;
  double cosine = 0;
};

/// The face whose outward normal is most opposed to the reference normal (row = its coordinates in the other
/// box).
IncidentFace most_opposed(const Vec3& row) {
  constexpr double tie = 1e-6;
  int j = 0;
  for (int i = 1; i < 3; ++i)
    if (std::fabs(row[i]) > std::fabs(row[j]) + tie) j = i;
  return {j, row[j] > 0 ? -1.0 : 1.0, std::fabs(row[j])};
}

/// The incident face in the reference frame, counter-clockwise or clockwise.
Polygon incident_polygon(const Vec3& c, const Mat3& M, const Vec3& half, const IncidentFace& f, int u, int v,
                         int k, double side, double height, int face) {
  static constexpr double around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const int j1 = (f.axis + 1) % 3, j2 = (f.axis + 2) % 3;
  const int own = int(f.side) * power_of_three[f.axis];
  Polygon out;
  for (int i = 0; i < 4; ++i) {
    const double s1 = around[i][0], s2 = around[i][1];
    Vec3 y;
    y[f.axis] = f.side * half[f.axis], y[j1] = s1 * half[j1], y[j2] = s2 * half[j2];
    const Vec3 r = M * y;
    Corner p;
    p.u = c[u] + r[u], p.v = c[v] + r[v];
    p.w = (side * c[k] - height) + side * r[k];
    p.reference = face;
    p.incident = own + int(s1) * power_of_three[j1] + int(s2) * power_of_three[j2];
    // edges 0 and 2 run along j1, edges 1 and 3 along j2
    p.edge = own + (i % 2 == 0 ? int(s2) * power_of_three[j2] : int(s1) * power_of_three[j1]);
    out.add(p);
  }
  return out;
}

}  // namespace

double clip_faces(const OrientedBox& a, const OrientedBox& b, const ReferenceFace& face, double tolerance,
                  PointList& out) {
  const OrientedBox& p = face.of_a ? a : b;
  const OrientedBox& q = face.of_a ? b : a;
  const int k = face.axis, u = (k + 1) % 3, v = (k + 2) % 3;
  const int face_code = int(face.side) * power_of_three[k];
  const Vec3 c = p.frame.to_body(q.frame.centre);
  const Mat3 M = transposed(p.frame.R) * q.frame.R;
  const IncidentFace incident = most_opposed(face.side * M.row(k));
  const int incident_code = int(incident.side) * power_of_three[incident.axis];

  Polygon polygons[2];
  polygons[0] = incident_polygon(c, M, q.half, incident, u, v, k, face.side, p.half[k], face_code);
  const Side sides[4] = {{false, 1, p.half[u], power_of_three[u]},
                         {false, -1, p.half[u], -power_of_three[u]},
                         {true, 1, p.half[v], power_of_three[v]},
                         {true, -1, p.half[v], -power_of_three[v]}};
  for (int i = 0; i < 4; ++i)
    clip(polygons[i % 2], sides[i], face_code, incident_code, tolerance, polygons[1 - i % 2]);
  const Polygon& now = polygons[0];

  const Vec3 outward = face.side * p.frame.axis(k);
  const Vec3 normal = face.of_a ? outward : -outward;
  for (int i = 0; i < now.count; ++i) {
    const Corner& corner = now.corners[i];
    Vec3 x;
    x[u] = corner.u, x[v] = corner.v, x[k] = face.side * p.half[k];
    const Vec3 on_reference = p.frame.to_world(x), on_incident = on_reference + corner.w * outward;
    const int code_a = face.of_a ? corner.reference : corner.incident;
    const int code_b = face.of_a ? corner.incident : corner.reference;
    out.add({face.of_a ? on_reference : on_incident, face.of_a ? on_incident : on_reference, normal, corner.w,
             feature_pair(code_a, code_b)});
  }
  return incident.cosine;
}

}  // namespace stiction::collision::narrow
