#include "stiction/step/state.h"

#include <cmath>
#include <cstring>

#include "stiction/step/friction_laws.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"

namespace stiction {
namespace {

constexpr std::uint64_t magic = 0x3745544154535453ull;  // "STSTATE7"

template <class T>
void put(std::vector<unsigned char>& out, const T* data, std::size_t count) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(data);
  out.insert(out.end(), bytes, bytes + count * sizeof(T));
}

template <class T>
bool get(std::span<const unsigned char>& in, T* data, std::size_t count) {
  if (in.size() / sizeof(T) < count) return false;
  if (count > 0) std::memcpy(data, in.data(), count * sizeof(T));
  in = in.subspan(count * sizeof(T));
  return true;
}

/// Finite, and the orientation of length 1 but for rounding; the step keeps it to some 1e-15.
bool is_motion(const State& x, std::size_t i) {
  const Quat& q = x.orientation[i];
  return is_finite(x.position[i]) && is_finite(q) && is_finite(x.velocity[i]) && is_finite(x.spin[i]) &&
         std::fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-6;
}

/// The same for the joint of a link.
bool is_joint_motion(const tree::Forest& f, const State& x, std::size_t link) {
  const auto q = std::size_t(f.q_begin[link]), q_end = std::size_t(f.q_begin[link + 1]);
  for (std::size_t k = q; k < q_end; ++k)
    if (!std::isfinite(x.joint_position[k])) return false;
  for (auto k = std::size_t(f.v_begin[link]); k < std::size_t(f.v_begin[link + 1]); ++k)
    if (!std::isfinite(x.joint_velocity[k])) return false;
  if (f.block_of[link] < 0) return true;  // no rotation in space
  double square = 0;
  for (std::size_t k = q_end - 4; k < q_end; ++k) square += x.joint_position[k] * x.joint_position[k];
  return std::fabs(square - 1) < 1e-6;
}

template <class T>
void hash_array(Hash& h, const std::vector<T>& v) {
  h.bytes(v.data(), v.size() * sizeof(T));
}

}  // namespace

static_assert(sizeof(ContactMemory) == sizeof(ContactKey) + 3 * sizeof(double) + 8, "hashed: no padding");

std::uint64_t State::hash() const {
  Hash h;
  h.number(time), h.value(step_count), h.number(step);
  hash_array(h, position), hash_array(h, orientation), hash_array(h, velocity), hash_array(h, spin);
  hash_array(h, alive), hash_array(h, contacts);
  hash_array(h, joint_position), hash_array(h, joint_velocity), hash_array(h, link_reaction);
  hash_array(h, joint_impulse), hash_array(h, joint_memory), hash_array(h, joint_rough);
  hash_array(h, joint_broken);
  hash_array(h, law_impulse), hash_array(h, law_memory), hash_array(h, law_target);
  hash_array(h, asleep);
  hash_array(h, plane_reaction);
  hash_array(h, springs);
  ledger.add_to(h);
  return h.result();
}

State initial_state(const Model& m, double step) {
  State x;
  x.step = step;
  for (const Named<BodyDescription>& b : m.scene.bodies) {
    x.position.push_back(b.value.position);
    x.orientation.push_back(b.value.orientation);
    x.velocity.push_back(b.value.kind == dynamic ? b.value.velocity : Vec3{});
    x.spin.push_back(b.value.kind == dynamic && !b.value.particle ? b.value.spin : Vec3{});
    x.alive.push_back(1);
  }
  if (!m.trees.empty()) {
    x.joint_position = m.trees.start_position, x.joint_velocity = m.trees.start_velocity;
    x.link_reaction.assign(m.trees.body.size(), {});
    step::Motions q = step::motions_of(x);
    tree::Kinematics k;
    step::follow_joints(m, k, q);
    x.position = q.position, x.orientation = q.orientation, x.velocity = q.velocity, x.spin = q.spin;
  }
  x.plane_reaction.assign(m.planes.size(), {});
  x.springs.assign(m.springs.size() + m.torsions.size(), {});
  if (!m.mechanisms.empty()) step::start_joints(m, x);
  if (!m.laws.empty()) step::make_room_for_laws(m, x);
  x.ledger.open(step::totals_of(m, x));
  return x;
}

void save(const State& x, std::vector<unsigned char>& out) {
  const std::size_t bodies = x.position.size(), contacts = x.contacts.size();
  const std::uint64_t counts[2] = {bodies, contacts};
  put(out, &magic, 1), put(out, counts, 2);
  put(out, &x.time, 1), put(out, &x.step_count, 1), put(out, &x.step, 1);
  put(out, x.position.data(), bodies), put(out, x.orientation.data(), bodies);
  put(out, x.velocity.data(), bodies), put(out, x.spin.data(), bodies), put(out, x.alive.data(), bodies);
  put(out, x.contacts.data(), contacts);
  put(out, &x.ledger, 1);
  put(out, x.joint_position.data(), x.joint_position.size());
  put(out, x.joint_velocity.data(), x.joint_velocity.size());
  put(out, x.link_reaction.data(), x.link_reaction.size());
  put(out, x.plane_reaction.data(), x.plane_reaction.size());
  put(out, x.joint_impulse.data(), x.joint_impulse.size());
  put(out, x.joint_memory.data(), x.joint_memory.size());
  put(out, x.joint_rough.data(), x.joint_rough.size());
  put(out, x.joint_broken.data(), x.joint_broken.size());
  put(out, x.law_impulse.data(), x.law_impulse.size());
  put(out, x.law_memory.data(), x.law_memory.size());
  put(out, x.law_target.data(), x.law_target.size());
  put(out, x.springs.data(), x.springs.size());
  put(out, x.asleep.data(), x.asleep.size());
}

Result<State> load(const Model& m, std::span<const unsigned char> bytes) {
  const auto wrong = [](const std::string& what) { return Mistake{{}, 0, 0, {}, "saved state: " + what}; };
  std::uint64_t found = 0, counts[2] = {0, 0};
  if (!get(bytes, &found, 1) || !get(bytes, counts, 2) || found != magic)
    return wrong("not a saved state of this version");
  if (counts[0] != std::uint64_t(m.body_count()))
    return wrong("holds " + std::to_string(counts[0]) + " bodies, the model has " +
                 std::to_string(m.body_count()));
  if (counts[1] > bytes.size() / sizeof(ContactMemory)) return wrong("is cut short");
  const auto bodies = std::size_t(counts[0]), contacts = std::size_t(counts[1]);
  State x;
  x.position.resize(bodies), x.orientation.resize(bodies), x.velocity.resize(bodies), x.spin.resize(bodies);
  x.alive.resize(bodies), x.contacts.resize(contacts);
  const std::size_t nq = m.trees.start_position.size(), nv = m.trees.start_velocity.size();
  x.joint_position.resize(nq), x.joint_velocity.resize(nv), x.link_reaction.resize(m.trees.body.size());
  x.plane_reaction.resize(m.planes.size());
  step::make_room_for_joints(m, x);
  x.law_impulse.resize(m.laws.size()), x.law_memory.resize(m.laws.size());
  x.law_target.resize(m.laws.size());
  x.springs.resize(m.springs.size() + m.torsions.size());
  const bool whole =
      get(bytes, &x.time, 1) && get(bytes, &x.step_count, 1) && get(bytes, &x.step, 1) &&
      get(bytes, x.position.data(), bodies) && get(bytes, x.orientation.data(), bodies) &&
      get(bytes, x.velocity.data(), bodies) && get(bytes, x.spin.data(), bodies) &&
      get(bytes, x.alive.data(), bodies) && get(bytes, x.contacts.data(), contacts) &&
      get(bytes, &x.ledger, 1) && get(bytes, x.joint_position.data(), nq) &&
      get(bytes, x.joint_velocity.data(), nv) && get(bytes, x.link_reaction.data(), x.link_reaction.size()) &&
      get(bytes, x.plane_reaction.data(), x.plane_reaction.size()) &&
      get(bytes, x.joint_impulse.data(), x.joint_impulse.size()) &&
      get(bytes, x.joint_memory.data(), x.joint_memory.size()) &&
      get(bytes, x.joint_rough.data(), x.joint_rough.size()) &&
      get(bytes, x.joint_broken.data(), x.joint_broken.size()) &&
      get(bytes, x.law_impulse.data(), x.law_impulse.size()) &&
      get(bytes, x.law_memory.data(), x.law_memory.size()) &&
      get(bytes, x.law_target.data(), x.law_target.size()) && get(bytes, x.springs.data(), x.springs.size());
  if (!bytes.empty()) x.asleep.resize(bodies);
  if (!whole || !get(bytes, x.asleep.data(), x.asleep.size()) || !bytes.empty())
    return wrong("is cut short or too long");
  if (!std::isfinite(x.time) || !std::isfinite(x.step) || !(x.step > 0) || x.step_count < 0)
    return wrong("is damaged: its time, step size or count of steps is no number that a run can have");
  for (const unsigned char a : x.alive)
    if (a > 1) return wrong("is damaged: a body is neither there nor removed");
  for (std::size_t i = 0; i < x.asleep.size(); ++i)
    if (x.asleep[i] > (m.mobility[i] == Mobility::none ? 0 : 1))
      return wrong("is damaged: a body sleeps that cannot");
  for (const unsigned char broken : x.joint_broken)
    if (broken > 1) return wrong("is damaged: a joint is neither whole nor broken");
  for (std::size_t i = 0; i < x.position.size(); ++i)
    if (!is_motion(x, i))
      return wrong("is damaged: the place or motion of \"" + m.body_name[i] +
                   "\" is not finite, or not a rotation");
  for (std::size_t i = 0; i < m.trees.body.size(); ++i)
    if (!is_joint_motion(m.trees.forest, x, i))
      return wrong("is damaged: the coordinates of the joint of \"" +
                   m.body_name[std::size_t(m.trees.body[i])] + "\" are not finite, or not a rotation");
  for (const std::vector<SpatialForce>* list : {&x.link_reaction, &x.plane_reaction})
    for (const SpatialForce& r : *list)
      if (!is_finite(r.force) || !is_finite(r.torque))
        return wrong("is damaged: the reaction of a joint is not finite");
  for (const std::vector<double>* list :
       {&x.joint_impulse, &x.joint_memory, &x.law_impulse, &x.law_memory, &x.law_target})
    for (const double l : *list)
      if (!std::isfinite(l)) return wrong("is damaged: the impulse or the angle of a joint is not finite");
  for (const SpringMemory& s : x.springs)
    if (!(s.gain >= 0 && s.gain <= s.most && std::isfinite(s.most) && s.largest >= 0 &&
          std::isfinite(s.largest) && s.share >= 0 && s.share <= 1))
      return wrong("is damaged: the energy of a spring is not finite, or negative");
  for (std::size_t i = 0; i < x.contacts.size(); ++i) {
    const ContactKey& key = x.contacts[i].key;
    const bool known = key.a >= 0 && key.a < key.b && key.b < m.body_count();
    if (!known || (i > 0 && !(x.contacts[i - 1].key < key)))
      return wrong("is damaged: its contacts are of bodies that do not exist, or out of order");
    if (!is_finite(x.contacts[i].impulse) || x.contacts[i].state < 0 ||
        x.contacts[i].state > std::int64_t(ContactState::sliding))
      return wrong("is damaged: a contact has an impulse or a state that no contact can have");
  }
  if (!x.ledger.is_finite()) return wrong("is damaged: its ledger holds a number that is not finite");
  return x;
}

namespace step {
namespace {

std::int64_t state_of(const Model& m, const WorkContact& c, double h, const Workspace& w) {
  if (c.impulse == Vec3{}) return std::int64_t(ContactState::open);
  const bool slides = is_sliding(c, motion_at_end(m, c, w), h, w.certificate.tolerance);
  return std::int64_t(slides ? ContactState::sliding : ContactState::sticking);
}

}  // namespace

void accept(const Model& m, double h, Workspace& w, State& x) {
  x.step_count += 1, x.step = h;
  x.time = double(x.step_count) * h;
  std::copy(w.next.position.begin(), w.next.position.end(), x.position.begin());
  std::copy(w.next.orientation.begin(), w.next.orientation.end(), x.orientation.begin());
  std::copy(w.next.velocity.begin(), w.next.velocity.end(), x.velocity.begin());
  std::copy(w.next.spin.begin(), w.next.spin.end(), x.spin.begin());
  // scratch may be longer, of a model that had more trees
  std::copy_n(w.next.joint_position.begin(), x.joint_position.size(), x.joint_position.begin());
  std::copy_n(w.next.joint_velocity.begin(), x.joint_velocity.size(), x.joint_velocity.begin());
  std::copy_n(w.trees.through.begin(), x.link_reaction.size(), x.link_reaction.begin());
  for (std::size_t k = 0; k < m.planes.size(); ++k) {
    const auto body = std::size_t(m.planes[k].body);
    if (!w.asleep.empty() && !x.asleep.empty() && w.asleep[body] && x.asleep[body])
      continue;  // it bears what it bore
    const SpatialForce& r = w.plane_impulse[k];
    x.plane_reaction[k] = {r.force / h, r.torque / h};
  }
  x.asleep = w.asleep;
  if (!m.mechanisms.empty()) accept_joints(m, w, x);
  if (!m.laws.empty()) accept_laws(m, w, x);
  if (m.mechanisms.breakable) break_joints(m, w, x);
  std::copy(w.springs.begin(), w.springs.end(), x.springs.begin());
  w.springs.clear();
  x.contacts.clear();
  for (const WorkContact& c : w.end_contacts)
    if (const std::int64_t s = state_of(m, c, h, w); s != 0)
      x.contacts.push_back({c.point.key, c.impulse, s});
  x.ledger.post(w.entries, w.totals);
}

}  // namespace step
}  // namespace stiction
