// Editing a world between steps. Bodies keep their slots, joints of trees their coordinates by name; energy
// and momentum that come or go are booked under `edit`.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "stiction/base/text.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/world/detail/inside.h"

namespace stiction {
namespace {

// [-] Motion out of a planar joint's plane, over the speed: round-off of normals and of decimals.
constexpr double planar_slack = 1e-9;

}  // namespace

void World::Inside::book_edit(const Totals& before) {
  const Totals now = totals();
  Entries e;
  e.book(Cause::edit, now.energy() - before.energy());
  e.book(Cause::edit, now.momentum - before.momentum, now.angular_momentum - before.angular_momentum);
  state.ledger.post(e, now);
  if (!state.asleep.empty()) state.asleep.assign(state.position.size(), 0);  // who rests now has to be seen
  next_is_state = false;
}

namespace {

/// Coordinates of the new trees: those of joints with the same name, or the pose of a root that came free.
void carry_over(const Model& old, const Model& now, State& x) {
  const ModelTrees &from = old.trees, &to = now.trees;
  std::vector<double> q = to.start_position, v = to.start_velocity;
  std::vector<SpatialForce> reaction(to.body.size());
  for (std::size_t i = 0; i < to.body.size(); ++i) {
    const auto body = std::size_t(to.body[i]);
    const int link = body < old.link.size() ? old.link[body] : -1;
    const auto q_at = q.begin() + to.forest.q_begin[i], v_at = v.begin() + to.forest.v_begin[i];
    if (link >= 0 && from.forest.joint[std::size_t(link)] == to.forest.joint[i]) {
      const auto k = std::size_t(link);
      std::copy(x.joint_position.begin() + from.forest.q_begin[k],
                x.joint_position.begin() + from.forest.q_begin[k + 1], q_at);
      std::copy(x.joint_velocity.begin() + from.forest.v_begin[k],
                x.joint_velocity.begin() + from.forest.v_begin[k + 1], v_at);
      reaction[i] = x.link_reaction[k];
    } else if (to.forest.joint[i] == tree::JointKind::free) {
      const Vec3 &p = x.position[body], &u = x.velocity[body], &w = x.spin[body];
      const Quat& o = x.orientation[body];
      const double pose[7] = {p.x, p.y, p.z, o.w, o.x, o.y, o.z}, rate[6] = {u.x, u.y, u.z, w.x, w.y, w.z};
      std::copy(pose, pose + 7, q_at), std::copy(rate, rate + 6, v_at);
    }
  }
  x.joint_position = std::move(q), x.joint_velocity = std::move(v), x.link_reaction = std::move(reaction);
}

/// What planar joints bear: those of the same bodies.
void carry_planes_over(const Model& old, const Model& now, State& x) {
  const std::vector<SpatialForce> before = x.plane_reaction;
  x.plane_reaction.assign(now.planes.size(), {});
  for (std::size_t k = 0; k < now.planes.size(); ++k)
    for (std::size_t i = 0; i < old.planes.size(); ++i)
      if (old.planes[i].body == now.planes[k].body) x.plane_reaction[k] = before[i];
}

/// What springs gained: those of the same name.
void carry_springs_over(const Model& old, const Model& now, State& x) {
  const std::vector<SpringMemory> before = x.springs;
  x.springs.assign(now.springs.size() + now.torsions.size(), {});
  const auto carry = [&](const std::vector<std::string>& from, std::size_t old_begin,
                         const std::vector<std::string>& to, std::size_t begin) {
    for (std::size_t k = 0; k < to.size(); ++k)
      if (const auto found = std::find(from.begin(), from.end(), to[k]); found != from.end())
        x.springs[begin + k] = before[old_begin + std::size_t(found - from.begin())];
  };
  carry(old.spring_name, 0, now.spring_name, 0);
  carry(old.torsion_name, old.springs.size(), now.torsion_name, now.springs.size());
}

/// Impulses and followed angles of laws: those of joints with the same name.
void carry_laws_over(const Model& old, const Model& now, State& x) {
  const std::vector<double> impulse = x.law_impulse, memory = x.law_memory, target = x.law_target;
  step::make_room_for_laws(now, x);
  const auto key = [](const Model& m, const ModelLaw& l) {
    return std::tuple{m.scene.joints[std::size_t(l.joint)].name, l.coordinate, l.kind};
  };
  std::map<std::tuple<std::string, int, ModelLaw::Kind>, std::size_t> before;
  for (std::size_t k = 0; k < old.laws.size(); ++k) before.emplace(key(old, old.laws[k]), k);
  for (std::size_t k = 0; k < now.laws.size(); ++k)
    if (const auto found = before.find(key(now, now.laws[k])); found != before.end())
      x.law_impulse[k] = impulse[found->second], x.law_memory[k] = memory[found->second],
      x.law_target[k] = target[found->second];
}

/// Impulses and followed angles of constraints: those of joints with the same name.
void carry_constraints_over(const Model& old, const Model& now, State& x) {
  const std::vector<double> impulse = x.joint_impulse, memory = x.joint_memory;
  const std::vector<unsigned char> broken = x.joint_broken;
  step::make_room_for_joints(now, x);
  std::map<std::string, const ModelConstraint*> before;
  for (const ModelConstraint& c : old.mechanisms.constraint)
    before.emplace(old.scene.joints[std::size_t(c.joint)].name, &c);
  for (const ModelConstraint& c : now.mechanisms.constraint) {
    const auto found = before.find(now.scene.joints[std::size_t(c.joint)].name);
    if (found == before.end() || found->second->row_end - found->second->row_begin != c.row_end - c.row_begin)
      continue;
    if (!x.joint_broken.empty() && !broken.empty())
      x.joint_broken[std::size_t(&c - now.mechanisms.constraint.data())] =
          broken[std::size_t(found->second - old.mechanisms.constraint.data())];
    const int from = found->second->row_begin, count = c.row_end - c.row_begin;
    std::copy_n(impulse.begin() + from, count, x.joint_impulse.begin() + c.row_begin);
    if (!x.joint_memory.empty() && !memory.empty())
      std::copy_n(memory.begin() + from, count, x.joint_memory.begin() + c.row_begin);
  }
}

}  // namespace

/// A new revision of the model: all bodies keep their slots and states, new ones are appended by the caller.
Result<bool> World::Inside::recompile(Scene scene) {
  Result<Model> compiled = compile(scene, model.revision + 1);
  if (!compiled) return compiled.mistakes();
  if (std::vector<Mistake> mistakes = validate(scene, settings); !mistakes.empty()) return mistakes;
  Model old = std::exchange(model, std::move(compiled).value());
  std::copy(old.start_position.begin(), old.start_position.end(), model.start_position.begin());
  if (!old.trees.empty() && structure_hash(old) != structure_hash(model)) carry_over(old, model, state);
  carry_planes_over(old, model, state);
  carry_springs_over(old, model, state);
  if (!old.mechanisms.empty()) carry_constraints_over(old, model, state);
  if (!old.laws.empty() || !model.laws.empty()) carry_laws_over(old, model, state);
  return true;
}

Result<BodyId> World::add_body(const std::string& name, const BodyDescription& b, State* old_arrays) {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  const Totals before = w.totals();
  Scene scene = w.model.scene;
  scene.add_body(name, b);
  if (const Result<bool> done = w.recompile(std::move(scene)); !done) return done.mistakes();
  if (old_arrays) {
    const auto hand_over = [](auto& now, auto& old) { old = now, old.swap(now); };
    hand_over(w.state.position, old_arrays->position);
    hand_over(w.state.orientation, old_arrays->orientation);
    hand_over(w.state.velocity, old_arrays->velocity);
    hand_over(w.state.spin, old_arrays->spin);
    hand_over(w.state.alive, old_arrays->alive);
  }
  const BodyDescription& compiled = w.model.scene.bodies.back().value;
  w.state.position.push_back(compiled.position), w.state.orientation.push_back(compiled.orientation);
  w.state.velocity.push_back(compiled.kind == dynamic ? compiled.velocity : Vec3{});
  w.state.spin.push_back(compiled.kind == dynamic && !compiled.particle ? compiled.spin : Vec3{});
  w.state.alive.push_back(1);
  w.generation.push_back(0);
  w.earlier_position.push_back(compiled.position), w.earlier_orientation.push_back(compiled.orientation);
  w.book_edit(before);
  return w.id_of(w.model.body_count() - 1);
}

/// What was given to joints and is not used yet, after a removal: to the joints of the same names; what was
/// for joints that went with the body is dropped, as a force on the body is. Stale ids stay stale.
void World::Inside::carry_input_over(const std::vector<std::string>& old_names) {
  const auto& joints = model.scene.joints;
  const std::uint32_t before = joint_generation++;
  std::vector<InputJointForce> kept;
  for (InputJointForce i : input.joints) {
    if (i.generation == before && i.joint >= 0 && std::size_t(i.joint) < old_names.size()) {
      const std::string& name = old_names[std::size_t(i.joint)];
      const auto found =
          std::find_if(joints.begin(), joints.end(), [&](const auto& joint) { return joint.name == name; });
      if (found == joints.end()) continue;
      i.joint = int(found - joints.begin()), i.generation = joint_generation;
    }
    kept.push_back(i);
  }
  input.joints = std::move(kept);
}

Result<bool> World::remove_body(BodyId id) {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  if (!w.knows(id)) return Mistake{{}, 0, 0, {}, "remove_body: this body does not exist (any more)"};
  const Totals before = w.totals();
  const auto i = std::size_t(id.index);
  const std::string name = w.model.body_name[i];
  // the slot stays, under a name nobody asks for; joints and forces on the body go with it
  Scene scene = w.model.scene;
  scene.bodies[i].name = "removed-" + std::to_string(w.model.revision + 1) + "-" + name;
  forget_body(scene, name);
  std::vector<std::string> old_joints;
  for (const auto& joint : w.model.scene.joints) old_joints.push_back(joint.name);
  if (const Result<bool> done = w.recompile(std::move(scene)); !done) return done.mistakes();
  w.state.alive[i] = 0;
  std::erase_if(w.state.contacts,
                [&](const ContactMemory& c) { return c.key.a == id.index || c.key.b == id.index; });
  std::erase_if(w.contacts, [&](const Contact& c) { return c.a == id || c.b == id; });
  for (const collision::BodyPair& p : w.touching)
    if (p.a == id.index || p.b == id.index)
      w.ended_by_removal.push_back({ContactEvent::Kind::end, w.id_of(p.a), w.id_of(p.b)});
  std::erase_if(w.touching, [&](const collision::BodyPair& p) { return p.a == id.index || p.b == id.index; });
  for (std::size_t s = 0; s < w.inside_sensor.size(); ++s)
    if (std::erase(w.inside_sensor[s], id.index) > 0)
      w.left_by_removal.push_back({SensorEvent::Kind::leave, {int(s), 0}, id});
  w.removed_name[id.index] = name;
  w.carry_input_over(old_joints);
  ++w.generation[i];
  w.book_edit(before);
  w.look_at_step();
  return true;
}

/// Why a body cannot be put there; empty if it can.
std::string World::Inside::wrong_placement(std::size_t i, const Vec3& position, const Quat& orientation,
                                           const Vec3& velocity, const Vec3& spin) const {
  if (!is_finite(position) || !is_finite(orientation) || !is_finite(velocity) || !is_finite(spin))
    return "position, orientation, velocity and spin must be finite";
  if (!(norm2(orientation) > 0)) return "the orientation must not be zero";
  if (model.body_kind[i] == kinematic) return "a kinematic body goes where its motion table says";
  if (model.mobility[i] == Mobility::particle && spin != Vec3{})
    return "a particle does not turn: leave the spin out";
  if (model.mobility[i] == Mobility::link &&
      model.trees.forest.joint[std::size_t(model.link[i])] != tree::JointKind::free)
    return "the body hangs on the joint \"" +
           model.scene.joints[std::size_t(model.trees.joint[std::size_t(model.link[i])])].name +
           "\": give the joint new coordinates instead (set_joint)";
  if (std::find(model.base.begin(), model.base.end(), int(i)) != model.base.end())
    return "a tree hangs on this body, which stays where it is";
  if (model.mobility[i] != Mobility::planar) return {};
  const Vec3 &n = model.plane_normal[i], &start = model.start_position[i];
  const double off = dot(position - start, n);
  if (std::fabs(off) > planar_slack * (model.size[i] + norm(position) + norm(start)))
    return "the position is " + number_text(off) +
           " m off the plane of the planar joint, which goes through the body's first position";
  // the turn from the first orientation must be about the normal
  const Quat turn = normalized(orientation) * conjugate(model.scene.bodies[i].value.orientation);
  if (norm(cross(Vec3{turn.x, turn.y, turn.z}, n)) > planar_slack)
    return "the orientation tilts the body out of the plane of the planar joint: from its first orientation "
           "it may turn about the normal only";
  if (std::fabs(dot(velocity, n)) > planar_slack * norm(velocity))
    return "the velocity leaves the plane of the planar joint: take out its part along the normal";
  if (norm(cross(spin, n)) > planar_slack * norm(spin))
    return "the spin must be along the normal of the planar joint: take out its part in the plane";
  return {};
}

/// The new row of a body; the caller drops the memory of its contacts and books the edit.
void World::Inside::place(std::size_t i, const Vec3& position, const Quat& orientation, const Vec3& velocity,
                          const Vec3& spin) {
  state.position[i] = position, state.orientation[i] = normalized(orientation);
  if (model.body_kind[i] == dynamic) state.velocity[i] = velocity, state.spin[i] = spin;
  earlier_position[i] = position, earlier_orientation[i] = state.orientation[i];
  if (const int j = model.mechanisms.mechanism_of[i]; j >= 0) state.joint_rough[std::size_t(j)] = 1;
  if (model.mobility[i] != Mobility::link) return;
  const auto link = std::size_t(model.link[i]);  // a free root
  const Quat& o = state.orientation[i];
  const double pose[7] = {position.x, position.y, position.z, o.w, o.x, o.y, o.z},
               rate[6] = {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z};
  std::copy(pose, pose + 7, state.joint_position.begin() + model.trees.forest.q_begin[link]);
  std::copy(rate, rate + 6, state.joint_velocity.begin() + model.trees.forest.v_begin[link]);
  follow_joints();
}

void World::Inside::follow_joints() {
  step::Motions q = step::motions_of(state);
  tree::Kinematics k;
  step::follow_joints(model, k, q);
  for (const int body : model.trees.body) {
    const auto i = std::size_t(body);
    state.position[i] = q.position[i], state.orientation[i] = q.orientation[i];
    state.velocity[i] = q.velocity[i], state.spin[i] = q.spin[i];
    earlier_position[i] = q.position[i], earlier_orientation[i] = q.orientation[i];
  }
}

/// The contacts of these bodies, and of the trees that they are part of, are not those of the last step any
/// more.
void World::Inside::drop_contacts(const std::vector<char>& changed) {
  std::vector<char> tree(model.trees.forest.trees.size(), 0);
  const auto tree_of = [&](std::size_t body) {
    return std::size_t(model.trees.forest.tree_of[std::size_t(model.link[body])]);
  };
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (changed[i] && model.link[i] >= 0) tree[tree_of(i)] = 1;
  const auto gone = [&](int body) {
    const auto i = std::size_t(body);
    return changed[i] != 0 || (model.link[i] >= 0 && tree[tree_of(i)] != 0);
  };
  std::erase_if(state.contacts, [&](const ContactMemory& c) { return gone(c.key.a) || gone(c.key.b); });
}

Result<bool> World::teleport(BodyId id, const Vec3& position, const Quat& orientation, const Vec3& velocity,
                             const Vec3& spin) {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  const auto wrong = [](const std::string& what) { return Mistake{{}, 0, 0, {}, "teleport: " + what}; };
  if (!w.knows(id)) return wrong("this body does not exist (any more)");
  const std::size_t i = w.at(id);
  if (const std::string why = w.wrong_placement(i, position, orientation, velocity, spin); !why.empty())
    return wrong(why);
  const Totals before = w.totals();
  w.place(i, position, orientation, velocity, spin);
  std::vector<char> changed(w.state.position.size(), 0);
  changed[i] = 1;
  w.drop_contacts(changed);
  w.book_edit(before);
  return true;
}

BodyArrays World::begin_edit() {
  State& x = inside_->state;
  STICTION_ASSERT(!inside_->before_edit);
  inside_->before_edit = step::motions_of(x);
  return {x.position, x.orientation, x.velocity, x.spin};
}

bool World::is_open_for_edit() const { return inside_->before_edit.has_value(); }

void World::cancel_edit() {
  STICTION_ASSERT(inside_->before_edit);
  const step::Motions& old = *inside_->before_edit;
  State& x = inside_->state;  // its arrays keep their addresses
  std::copy(old.position.begin(), old.position.end(), x.position.begin());
  std::copy(old.orientation.begin(), old.orientation.end(), x.orientation.begin());
  std::copy(old.velocity.begin(), old.velocity.end(), x.velocity.begin());
  std::copy(old.spin.begin(), old.spin.end(), x.spin.begin());
  inside_->before_edit.reset();
}

Result<bool> World::end_edit() {
  Inside& w = *inside_;
  STICTION_ASSERT(w.before_edit);
  const step::Motions& old = *w.before_edit;
  const step::Motions written = step::motions_of(w.state);
  std::vector<char> changed(written.position.size(), 0);
  std::vector<Mistake> mistakes;
  for (std::size_t i = 0; i < changed.size(); ++i) {
    const Vec3 &v = written.velocity[i], &spin = written.spin[i];
    const bool faster = v != old.velocity[i] || spin != old.spin[i];
    changed[i] =
        faster || written.position[i] != old.position[i] || written.orientation[i] != old.orientation[i];
    if (!changed[i]) continue;
    std::string why = w.wrong_placement(i, written.position[i], written.orientation[i], v, spin);
    if (!w.state.alive[i]) why = "this body was removed";
    if (why.empty() && faster && w.model.body_kind[i] == fixed)
      why = "a static body does not move: leave its velocity and spin at 0";
    if (!why.empty()) mistakes.push_back({{}, 0, 0, "bodies." + w.model.body_name[i], "edit: " + why});
  }
  cancel_edit();
  if (!mistakes.empty()) return mistakes;
  if (std::find(changed.begin(), changed.end(), 1) == changed.end()) return true;
  const Totals before = w.totals();
  for (std::size_t i = 0; i < changed.size(); ++i)
    if (changed[i])
      w.place(i, written.position[i], written.orientation[i], written.velocity[i], written.spin[i]);
  w.drop_contacts(changed);
  w.book_edit(before);
  return true;
}

Result<bool> World::set_joint(JointId id, std::span<const double> position,
                              std::span<const double> velocity) {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  const auto wrong = [](const std::string& what) { return Mistake{{}, 0, 0, {}, "set_joint: " + what}; };
  if (!w.knows(id)) return wrong("this joint does not exist (any more)");
  const auto i = std::size_t(w.link_of(id));
  const tree::Forest& f = w.model.trees.forest;
  const auto nq = std::size_t(f.q_begin[i + 1] - f.q_begin[i]),
             nv = std::size_t(f.v_begin[i + 1] - f.v_begin[i]);
  if (position.size() != nq || velocity.size() != nv)
    return wrong(std::string("a ") + tree::name_of(f.joint[i]) + " joint has " + std::to_string(nq) +
                 " coordinates and " + std::to_string(nv) + " velocities; found " +
                 std::to_string(position.size()) + " and " + std::to_string(velocity.size()));
  const auto finite = [](std::span<const double> x) {
    return std::all_of(x.begin(), x.end(), [](double y) { return std::isfinite(y); });
  };
  if (!finite(position) || !finite(velocity)) return wrong("coordinates and velocities must be finite");
  if (f.joint[i] == tree::JointKind::spherical &&
      !(position[0] * position[0] + position[1] * position[1] + position[2] * position[2] +
            position[3] * position[3] >
        0))
    return wrong("the quaternion must not be zero");
  const Totals before = w.totals();
  std::copy(position.begin(), position.end(), w.state.joint_position.begin() + f.q_begin[i]);
  std::copy(velocity.begin(), velocity.end(), w.state.joint_velocity.begin() + f.v_begin[i]);
  tree::normalise(f, w.state.joint_position);
  w.follow_joints();
  std::vector<char> changed(w.state.position.size(), 0);
  changed[std::size_t(w.model.trees.body[i])] = 1;
  w.drop_contacts(changed);
  w.book_edit(before);
  return true;
}

}  // namespace stiction
