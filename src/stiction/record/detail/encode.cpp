#include "stiction/record/detail/encode.h"

#include "stiction/record/detail/bytes.h"

namespace stiction::detail {
namespace {

static_assert(std::size(certificate_fields) == certificate_numbers_of_format(recording_format) &&
                  std::size(tally_fields) == counters_of_format(recording_format),
              "a new number needs a new recording_format");
static_assert(sizeof(Vec3) == 24 && sizeof(Quat) == 32, "arrays of these are written as they lie in memory");
static_assert(cause_count == 22 && recording_format == 10, "a new account needs a new recording_format");

void put(ByteWriter& w, const Vec3& v) { w.raw(&v, sizeof v); }
void get(ByteReader& r, Vec3& v) { r.raw(&v, sizeof v); }

void put(ByteWriter& w, const Certificate& c) {
  for (const CertificateField& f : certificate_fields) w.put(c.*f.member);
  w.put(c.tolerance);
  w.put(static_cast<unsigned char>(c.converged));
}
void get(ByteReader& r, Certificate& c, int format) {
  for (std::size_t i = 0; i < certificate_numbers_of_format(format); ++i)
    r.get(c.*certificate_fields[i].member);
  r.get(c.tolerance);
  c.converged = r.get<unsigned char>() != 0;
}

void put(ByteWriter& w, const Tally& t) {
  put(w, t.worst);
  w.put(t.imbalance), w.put(t.contact_rise), w.put(t.unexplained_rise);
  for (const TallyField& f : tally_fields) w.put(t.*f.member);
  w.put(t.solvers);
}
void get(ByteReader& r, Tally& t, int format) {
  get(r, t.worst, format);
  r.get(t.imbalance);
  if (format >= 10) r.get(t.contact_rise), r.get(t.unexplained_rise);
  for (std::size_t i = 0; i < counters_of_format(format); ++i) r.get(t.*tally_fields[i].member);
  r.get(t.solvers);
}

void put(ByteWriter& w, const LedgerRow& l) {
  for (const LedgerField& f : ledger_fields) w.put(l.*f.member);
  put(w, l.momentum);
  put(w, l.angular_momentum);
  for (const double joules : l.booked) w.put(joules);
}
void get(ByteReader& r, LedgerRow& l, int format) {
  for (const LedgerField& f : ledger_fields) r.get(l.*f.member);
  get(r, l.momentum);
  get(r, l.angular_momentum);
  l.booked.fill(0);
  for (int c = 0; c < causes_of_format(format); ++c) r.get(l.booked[std::size_t(c)]);
}

void put(ByteWriter& w, const BodyId& id) {
  w.put(id.index);
  w.put(id.generation);
}
void get(ByteReader& r, BodyId& id) {
  r.get(id.index);
  r.get(id.generation);
}

void put(ByteWriter& w, const Contact& c) {
  w.put(c.key.a);
  w.put(c.key.b);
  w.put(c.key.feature);
  put(w, c.a);
  put(w, c.b);
  for (const Vec3* v : {&c.point, &c.normal, &c.impulse, &c.force, &c.slip}) put(w, *v);
  w.put(c.gap);
  w.put(c.friction);
  w.put(c.state);
  put(w, c.moment);
}
constexpr std::size_t contact_bytes = 16 + 16 + 5 * 24 + 17;  // at least
void get(ByteReader& r, Contact& c, int format) {
  r.get(c.key.a);
  r.get(c.key.b);
  r.get(c.key.feature);
  get(r, c.a);
  get(r, c.b);
  for (Vec3* v : {&c.point, &c.normal, &c.impulse, &c.force, &c.slip}) get(r, *v);
  r.get(c.gap);
  r.get(c.friction);
  r.get(c.state);
  if (format >= 7) get(r, c.moment);
}

void put(ByteWriter& w, const std::vector<BrokenJoint>& list) {
  w.put(std::uint64_t(list.size()));
  for (const BrokenJoint& b : list) w.put(b.time), w.text(b.joint);
}
void get(ByteReader& r, std::vector<BrokenJoint>& list) {
  list.resize(r.count(8 + 8));
  for (BrokenJoint& b : list) r.get(b.time), r.text(b.joint);
}
void put(ByteWriter& w, const JointPlace& p) {
  w.put(std::int32_t(p.body));
  w.put(std::int32_t(p.parent));
  put(w, p.point);
  put(w, p.axis);
}
constexpr std::size_t place_bytes = 8 + 48;
void get(ByteReader& r, JointPlace& p) {
  p.body = r.get<std::int32_t>();
  p.parent = r.get<std::int32_t>();
  get(r, p.point);
  get(r, p.axis);
}

}  // namespace

// --- header

void encode(const RunHeader& x, Bytes& out) {
  ByteWriter w(out);
  w.put(std::int32_t(x.format));
  w.text(x.program);
  w.text(x.scene_text);
  w.text(x.settings);
}

bool decode(std::span<const unsigned char> in, RunHeader& x) {
  ByteReader r(in);
  x.format = r.get<std::int32_t>();
  if (r.ok() && (x.format < oldest_recording_format || x.format > recording_format))
    return true;  // the caller says what this means
  r.text(x.program);
  r.text(x.scene_text);
  r.text(x.settings);
  return r.finished();
}

// --- revision

bool fits(const Revision& x) {
  const auto inside = [](int begin, int count, int all) { return begin >= 0 && begin <= all - count; };
  if (x.joint_positions < 0 || x.joint_velocities < 0) return false;
  for (const JointInfo& j : x.joints)
    if (int(j.kind) >= tree::joint_kind_count ||
        !inside(j.position_begin, j.positions(), x.joint_positions) ||
        !inside(j.velocity_begin, j.velocities(), x.joint_velocities))
      return false;
  const auto placed = [&](const JointPlace& p) {
    const int count = int(x.bodies.size());
    return p.body >= -1 && p.body < count && p.parent >= -1 && p.parent < count;
  };
  for (const JointInfo& j : x.joints)
    if (!placed(j.place)) return false;
  for (const ConstraintInfo& c : x.constraints)
    if (int(c.kind) >= constraints::kind_count || !placed(c.place)) return false;
  return true;
}

void encode(const Revision& x, Bytes& out) {
  ByteWriter w(out);
  w.put(std::int32_t(x.revision));
  w.put(x.time);
  put(w, x.gravity);
  w.text(x.scene_text);
  w.put(std::uint64_t(x.bodies.size()));
  for (const BodyInfo& b : x.bodies) {
    w.text(b.name);
    w.put(b.kind);
    w.put(b.mobility);
    const ShapeRecord shape = shape_record(b.shape);
    w.put(shape.code);
    for (const double number : shape.numbers) w.put(number);
    if (shape.code >= first_with_more) {
      w.put(std::uint64_t(shape.more.size()));
      for (const double number : shape.more) w.put(number);
    }
    w.put(b.mass);
    put(w, b.plane_normal);
  }
  w.put(std::int32_t(x.joint_positions));
  w.put(std::int32_t(x.joint_velocities));
  w.put(std::uint64_t(x.joints.size()));
  for (const JointInfo& j : x.joints) {
    w.text(j.name);
    w.put(j.kind);
    w.put(std::int32_t(j.position_begin));
    w.put(std::int32_t(j.velocity_begin));
  }
  for (const JointInfo& j : x.joints) put(w, j.place);
  w.put(std::uint64_t(x.constraints.size()));
  for (const ConstraintInfo& c : x.constraints) {
    w.text(c.name);
    w.put(c.kind);
    put(w, c.place);
  }
  w.put(std::uint64_t(x.reactions.size()));
  for (const ReactionInfo& i : x.reactions) w.text(i.name), w.text(i.kind);
}

bool decode(std::span<const unsigned char> in, Revision& x) {
  ByteReader r(in);
  x.revision = r.get<std::int32_t>();
  r.get(x.time);
  get(r, x.gravity);
  r.text(x.scene_text);
  x.bodies.resize(r.count(8 + 3 + 4 * 8 + 8 + 24));
  bool shapes = true;
  for (BodyInfo& b : x.bodies) {
    r.text(b.name);
    r.get(b.kind);
    r.get(b.mobility);
    ShapeRecord shape;
    r.get(shape.code);
    for (double& number : shape.numbers) r.get(number);
    if (shape.code >= first_with_more) {
      shape.more.resize(r.count(8));
      for (double& number : shape.more) r.get(number);
    }
    shapes = shape_from(shape, b.shape) && shapes;
    r.get(b.mass);
    get(r, b.plane_normal);
  }
  x.joint_positions = r.get<std::int32_t>();
  x.joint_velocities = r.get<std::int32_t>();
  x.joints.resize(r.count(8 + 1 + 8));
  for (JointInfo& j : x.joints) {
    r.text(j.name);
    r.get(j.kind);
    j.position_begin = r.get<std::int32_t>();
    j.velocity_begin = r.get<std::int32_t>();
    j.place = {};
  }
  x.constraints.clear(), x.reactions.clear();
  if (r.finished()) return shapes && fits(x);  // formats 4 and 5 end here
  for (JointInfo& j : x.joints) get(r, j.place);
  x.constraints.resize(r.count(8 + 1 + place_bytes));
  for (ConstraintInfo& c : x.constraints) {
    r.text(c.name);
    r.get(c.kind);
    get(r, c.place);
  }
  if (r.finished()) {  // formats 6 and 7 end here
    x.reactions = reactions_of(x.constraints);
    return shapes && fits(x);
  }
  x.reactions.resize(r.count(8 + 8));
  for (ReactionInfo& i : x.reactions) r.text(i.name), r.text(i.kind);
  return r.finished() && shapes && fits(x);
}

// --- input

void encode(const InputRecord& x, Bytes& out) {
  ByteWriter w(out);
  w.put(x.step);
  w.put(std::uint64_t(x.wrenches.size()));
  for (const InputWrench& i : x.wrenches) {
    w.put(std::int32_t(i.body));
    put(w, i.force);
    put(w, i.torque);
  }
  w.put(std::uint64_t(x.joints.size()));
  for (const InputJointForce& i : x.joints) {
    w.put(std::int32_t(i.joint));
    w.put(std::int32_t(i.coordinate));
    w.put(i.force);
  }
}

bool decode(std::span<const unsigned char> in, InputRecord& x) {
  ByteReader r(in);
  r.get(x.step);
  x.wrenches.resize(r.count(4 + 48));
  for (InputWrench& i : x.wrenches) {
    i.body = r.get<std::int32_t>();
    get(r, i.force);
    get(r, i.torque);
  }
  x.joints.resize(r.count(4 + 4 + 8));
  for (InputJointForce& i : x.joints) {
    i.joint = r.get<std::int32_t>();
    i.coordinate = r.get<std::int32_t>();
    r.get(i.force);
  }
  return r.finished();
}

// --- frame

void encode(const Frame& x, Bytes& out) {
  ByteWriter w(out);
  w.put(x.time);
  w.put(x.step);
  w.put(std::int32_t(x.revision));
  w.put(x.hash);
  put(w, x.since);
  put(w, x.ledger);
  w.array(x.position);
  w.array(x.orientation);
  w.array(x.velocity);
  w.array(x.spin);
  w.array(x.alive);
  w.array(x.joint_position);
  w.array(x.joint_velocity);
  w.put(std::uint64_t(x.contacts.size()));
  for (const Contact& c : x.contacts) put(w, c);
  w.array(x.reaction_force);
  w.array(x.reaction_torque);
}

bool decode(std::span<const unsigned char> in, Frame& x, int format) {
  ByteReader r(in);
  r.get(x.time);
  r.get(x.step);
  x.revision = r.get<std::int32_t>();
  r.get(x.hash);
  get(r, x.since, format);
  get(r, x.ledger, format);
  r.array(x.position);
  r.array(x.orientation);
  r.array(x.velocity);
  r.array(x.spin);
  r.array(x.alive);
  r.array(x.joint_position);
  r.array(x.joint_velocity);
  x.contacts.resize(r.count(contact_bytes));
  for (Contact& c : x.contacts) get(r, c, format);
  x.reaction_force.clear(), x.reaction_torque.clear();
  if (!r.finished()) {  // formats 4 and 5 end here
    r.array(x.reaction_force);
    r.array(x.reaction_torque);
  }
  const std::size_t n = x.position.size();
  return r.finished() && x.orientation.size() == n && x.velocity.size() == n && x.spin.size() == n &&
         x.alive.size() == n && x.reaction_torque.size() == x.reaction_force.size();
}

// --- state

void encode(const StatePoint& x, Bytes& out) {
  ByteWriter w(out);
  w.put(x.time);
  w.put(x.step);
  w.put(std::int32_t(x.revision));
  w.put(x.hash);
  put(w, x.total);
  put(w, x.pending);
  w.text(x.trouble);
  w.array(x.bytes);
  put(w, x.broken);
}

bool decode(std::span<const unsigned char> in, StatePoint& x, int format) {
  ByteReader r(in);
  r.get(x.time);
  r.get(x.step);
  x.revision = r.get<std::int32_t>();
  r.get(x.hash);
  get(r, x.total, format);
  get(r, x.pending, format);
  r.text(x.trouble);
  r.array(x.bytes);
  if (!r.finished()) get(r, x.broken);  // formats 4 and 5 end here
  return r.finished();
}

// --- summary

void encode(const RunSummary& x, Bytes& out) {
  ByteWriter w(out);
  w.put(x.time);
  w.put(x.step);
  w.put(x.hash);
  w.put(x.wall_seconds);
  put(w, x.total);
  w.text(x.trouble);
  w.text(x.ending);
  put(w, x.broken);
}

bool decode(std::span<const unsigned char> in, RunSummary& x, int format) {
  ByteReader r(in);
  r.get(x.time);
  r.get(x.step);
  r.get(x.hash);
  r.get(x.wall_seconds);
  get(r, x.total, format);
  r.text(x.trouble);
  r.text(x.ending);
  if (!r.finished()) get(r, x.broken);  // formats 4 and 5 end here
  return r.finished();
}

}  // namespace stiction::detail
