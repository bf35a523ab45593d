// Joints as lists of rows. With x, y, z the axes of the frame on a (with a mark: on b), o and o' their
// origins, d = o' - o:
//
//   ball            d = 0                             in world axes
//   distance        (d.d - L^2)/(2 L)
//   hinge           d = 0, -y.z', x.z'                the sines of tilts about x and y
//   prismatic       x.d, y.d, -y.z', x.z', y.x'       y.x': the sine of the turn about z
//   lock            d = 0, -y.z', x.z', y.x'
//   cylindrical     x.d, y.d, -y.z', x.z'
//   universal       d = 0, x.y'
//   planar          z.d, -y.z', x.z'
//   screw           x.d, y.d, -y.z', x.z', z.d - pitch angle
//   point_on_line   x.d, y.d
//   point_on_plane  z.d
//   point_on_curve  along two normals (curve_row.cpp)
//
//   coordinates     distance z.d (planar, point_on_plane: x.d, y.d);   angle about z: atan2(y.x', x.x')
//                   universal: R = Rx(q0) Ry(q1):  q0 = atan2(z.y', y.y'),  q1 = atan2(x.z', x.x')
//
// Symbols: d, L [m], pitch [m/rad], angles [rad]. Signs: b against a, right-handed about the axes of a. The
// conventions are those of dynamics/tree/joint.cpp.
// When it fails: rows that are sines vanish at half a turn too; a joint that starts within a quarter of a
// turn ends where it should. The rows of a lock that is tilted by a quarter of a turn depend on each other.
#include "stiction/constraints/joint_rows.h"

#include "stiction/base/assert.h"
#include "stiction/math/elementary.h"
#include "stiction/math/spatial.h"

namespace stiction::constraints {
namespace {

struct Entry {
  const char* name;
  int rows, coordinates;
  const char* row_names[most_rows];
  const char* coordinate_names[most_coordinates];
};
constexpr const char *tilt_x = "tilt about x", *tilt_y = "tilt about y", *turn_z = "turn about z";
constexpr const char *slide = "distance along z", *angle = "angle about z";
constexpr Entry table[kind_count] = {
    {"ball", 3, 0, {"x", "y", "z"}, {}},
    {"distance", 1, 0, {"distance"}, {}},
    {"hinge", 5, 1, {"x", "y", "z", tilt_x, tilt_y}, {angle}},
    {"prismatic", 5, 1, {"x", "y", tilt_x, tilt_y, turn_z}, {slide}},
    {"lock", 6, 0, {"x", "y", "z", tilt_x, tilt_y, turn_z}, {}},
    {"cylindrical", 4, 2, {"x", "y", tilt_x, tilt_y}, {slide, angle}},
    {"universal",
     4,
     2,
     {"x", "y", "z", "right angle"},
     {"angle about the first axis", "angle about the second axis"}},
    {"planar", 3, 3, {"z", tilt_x, tilt_y}, {"x", "y", angle}},
    {"screw", 5, 1, {"x", "y", tilt_x, tilt_y, "thread"}, {angle}},
    {"point_on_line", 2, 1, {"x", "y"}, {slide}},
    {"point_on_plane", 1, 2, {"z"}, {"x", "y"}},
    {"point_on_curve", 2, 0, {"first normal", "second normal"}, {}},
};
const Entry& entry(Kind kind) { return table[static_cast<std::size_t>(kind)]; }

/// Writes rows of one joint, one after the other.
struct Writer {
  Vec3 point_a, point_b;
  Mat3 a, b;  // columns: axes of the frames in body coordinates
  Row* next;

  Writer(const Frame& frame_a, const Frame& frame_b, Row* out)
      : point_a(frame_a.position),
        point_b(frame_b.position),
        a(rotation_matrix(frame_a.axes)),
        b(rotation_matrix(frame_b.axes)),
        next(out) {}
  Row& add(RowKind kind) {
    Row& row = *next++;
    row = {};
    row.kind = kind, row.point_a = point_a, row.point_b = point_b;
    return row;
  }
  void points() {
    add(RowKind::point).e = {1, 0, 0}, add(RowKind::point).e = {0, 1, 0}, add(RowKind::point).e = {0, 0, 1};
  }
  void along(int axis) { add(RowKind::along).e = a.column(axis); }
  void angle(const Vec3& e, const Vec3& f) {
    Row& row = add(RowKind::angle);
    row.e = e, row.f = f;
  }
  void tilts() { angle(-a.column(1), b.column(2)), angle(a.column(0), b.column(2)); }
  void twist() { angle(a.column(1), b.column(0)); }
  // atan2(e2.f2, e.f)
  Row& turn(RowKind kind, const Vec3& e, const Vec3& f, const Vec3& e2, const Vec3& f2) {
    Row& row = add(kind);
    row.e = e, row.f = f, row.e2 = e2, row.f2 = f2;
    return row;
  }
  Row& turn_about_z(RowKind kind) { return turn(kind, a.column(0), b.column(0), a.column(1), b.column(0)); }
};

}  // namespace

const char* name_of(Kind kind) { return entry(kind).name; }
int row_count(Kind kind) { return entry(kind).rows; }
int coordinate_count(Kind kind) { return entry(kind).coordinates; }
const char* row_name(Kind kind, int row) {
  STICTION_ASSERT(row >= 0 && row < row_count(kind));
  return entry(kind).row_names[row];
}
const char* coordinate_name(Kind kind, int coordinate) {
  STICTION_ASSERT(coordinate >= 0 && coordinate < coordinate_count(kind));
  return entry(kind).coordinate_names[coordinate];
}

int make_rows(Kind kind, const Frame& a, const Frame& b, const Numbers& numbers, Row out[most_rows]) {
  Writer w(a, b, out);
  switch (kind) {
    case Kind::ball:
      w.points();
      break;
    case Kind::distance:
      STICTION_ASSERT(numbers.length > 0);
      w.add(RowKind::distance).size = numbers.length;
      break;
    case Kind::hinge:
      w.points(), w.tilts();
      break;
    case Kind::prismatic:
      w.along(0), w.along(1), w.tilts(), w.twist();
      break;
    case Kind::lock:
      w.points(), w.tilts(), w.twist();
      break;
    case Kind::cylindrical:
      w.along(0), w.along(1), w.tilts();
      break;
    case Kind::universal:
      w.points(), w.angle(w.a.column(0), w.b.column(1));
      break;
    case Kind::planar:
      w.along(2), w.tilts();
      break;
    case Kind::screw:
      w.along(0), w.along(1), w.tilts();
      w.turn_about_z(RowKind::screw).size = numbers.pitch;
      break;
    case Kind::point_on_line:
      w.along(0), w.along(1);
      break;
    case Kind::point_on_plane:
      w.along(2);
      break;
    case Kind::point_on_curve:
      STICTION_ASSERT(numbers.curve != nullptr);
      for (const bool second : {false, true}) {
        Row& row = w.add(RowKind::curve);
        row.second_normal = second, row.curve = numbers.curve;
      }
      break;
  }
  return int(w.next - out);
}

int make_coordinates(Kind kind, const Frame& a, const Frame& b, Row out[most_coordinates]) {
  Writer w(a, b, out);
  switch (kind) {
    case Kind::hinge:
    case Kind::screw:
      w.turn_about_z(RowKind::turn);
      break;
    case Kind::prismatic:
    case Kind::point_on_line:
      w.along(2);
      break;
    case Kind::cylindrical:
      w.along(2), w.turn_about_z(RowKind::turn);
      break;
    case Kind::universal:
      w.turn(RowKind::turn, w.a.column(1), w.b.column(1), w.a.column(2), w.b.column(1));
      w.turn(RowKind::turn, w.a.column(0), w.b.column(0), w.a.column(0), w.b.column(2));
      break;
    case Kind::planar:
      w.along(0), w.along(1), w.turn_about_z(RowKind::turn);
      break;
    case Kind::point_on_plane:
      w.along(0), w.along(1);
      break;
    case Kind::ball:
    case Kind::distance:
    case Kind::lock:
    case Kind::point_on_curve:
      break;
  }
  return int(w.next - out);
}

Row make_curve_place(const Frame& b, const Curve& curve) {
  Row row;
  row.kind = RowKind::place, row.point_b = b.position, row.curve = &curve;
  return row;
}

Row make_swing_limit(const Frame& a, const Frame& b, double largest) {
  Row row;
  Writer w(a, b, &row);
  w.angle(w.a.column(2), w.b.column(2));
  row.offset = elementary::cos(largest);
  return row;
}

Row make_twist(const Frame& a, const Frame& b) {
  Row row;
  Writer w(a, b, &row);
  w.turn(RowKind::twist, w.a.column(0), w.b.column(0), w.a.column(1), w.b.column(1));
  return row;
}

Quat relative_orientation(const Frame& a, const Frame& b, const Pose& pose_a, const Pose& pose_b) {
  return normalized(conjugate(pose_a.orientation * a.axes) * (pose_b.orientation * b.axes));
}

Quat frame_axes(Kind kind, const Vec3& axis, const Vec3& second) {
  const Vec3 n = normalized(axis);
  Vec3 u, v;
  tangents(n, u, v);
  if (norm2(second) > 0 && (kind == Kind::universal || kind == Kind::planar)) {
    u = normalized(second - dot(second, n) * n);
    v = cross(n, u);
  }
  const Vec3 columns[3] = {u, v, n}, universal[3] = {n, u, v};
  const Vec3* c = kind == Kind::universal ? universal : columns;
  Mat3 m;
  for (int j = 0; j < 3; ++j) m(0, j) = c[j].x, m(1, j) = c[j].y, m(2, j) = c[j].z;
  return quaternion_of(m);
}

Frame frame_on(const Pose& body, const Vec3& at, const Quat& axes) {
  return {rotate_back(body.orientation, at - body.position), normalized(conjugate(body.orientation) * axes)};
}

Effort effort_at(const Frame& frame, const Pose& body, const Twist& on_body) {
  const Quat axes = body.orientation * frame.axes;
  const Vec3 arm = rotate(body.orientation, frame.position);
  return {rotate_back(axes, on_body.linear), rotate_back(axes, on_body.angular - cross(arm, on_body.linear))};
}

}  // namespace stiction::constraints
