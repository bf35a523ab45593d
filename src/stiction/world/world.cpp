#include "stiction/world/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stiction/base/text.h"
#include "stiction/collision/overlap.h"
#include "stiction/step/friction_laws.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/redundancy.h"
#include "stiction/world/detail/inside.h"

namespace stiction {
namespace {

// What stands before the State in World::save().
struct SavedModel {
  std::uint64_t magic = 0x31444c524f575453ull;  // "STWORLD1"
  std::int64_t revision = 0;
  std::uint64_t structure = 0;
};

}  // namespace

/// Poses of the state -> earlier. After a step the workspace has a copy of them: it changes places with the
/// old ones, which the next step overwrites.
void World::Inside::remember_poses() {
  if (next_is_state) {
    step::swap_alike(earlier_position, workspace.next.position);
    step::swap_alike(earlier_orientation, workspace.next.orientation);
  } else {
    earlier_position = state.position, earlier_orientation = state.orientation;
  }
  next_is_state = false;
}

/// Those of w.end_contacts, with the impulses of the State's.
void World::Inside::list_contacts(std::vector<Contact>& list) const {
  list.clear();
  auto memory = state.contacts.begin();
  for (const step::WorkContact& c : workspace.end_contacts) {
    Contact out;
    out.key = c.point.key;
    out.a = id_of(c.point.key.a), out.b = id_of(c.point.key.b);
    out.point = c.centre, out.normal = c.point.normal, out.gap = c.point.gap;
    out.friction = c.mu;
    out.slip = step::slip_of(c, step::end_velocity(model, c, workspace));
    while (memory != state.contacts.end() && memory->key < c.point.key) ++memory;
    if (memory != state.contacts.end() && memory->key == c.point.key) {
      out.impulse = c.impulse, out.force = c.impulse / state.step;
      out.state = ContactState(memory->state);
      if (out.state == ContactState::sticking && step::rolls(model, c, state.step, workspace))
        out.state = ContactState::rolling;
      if (c.turns()) out.moment = c.moment / state.step;
    }
    list.push_back(out);
  }
}

void World::Inside::update_events() {
  std::swap(touching, touched_before);
  touching.clear();
  for (const ContactMemory& c : state.contacts)
    if (touching.empty() || touching.back() != collision::BodyPair{c.key.a, c.key.b})
      touching.push_back({c.key.a, c.key.b});
  contact_events.swap(ended_by_removal);
  ended_by_removal.clear();
  const auto report_missing = [&](const auto& in, const auto& from, ContactEvent::Kind kind) {
    for (const collision::BodyPair& p : in)
      if (!std::binary_search(from.begin(), from.end(), p))
        contact_events.push_back({kind, id_of(p.a), id_of(p.b)});
  };
  report_missing(touching, touched_before, ContactEvent::Kind::begin);
  report_missing(touched_before, touching, ContactEvent::Kind::end);
}

void World::Inside::update_sensors() {
  sensor_events.swap(left_by_removal);
  left_by_removal.clear();
  for (std::size_t s = 0; s < model.sensors.size(); ++s) {
    std::swap(inside_sensor[s], inside_before[s]);
    inside_sensor[s].clear();
    const ModelSensor& sensor = model.sensors[s];
    for (std::size_t i = 0; i < std::size_t(model.body_count()); ++i)
      if (state.alive[i] && collision::overlaps(sensor.shape, {sensor.position, sensor.orientation},
                                                model.shape[i], {state.position[i], state.orientation[i]}))
        inside_sensor[s].push_back(int(i));
    const auto report_missing = [&](const auto& in, const auto& from, SensorEvent::Kind kind) {
      for (const int body : in)
        if (!std::binary_search(from.begin(), from.end(), body))
          sensor_events.push_back({kind, {int(s), 0}, id_of(body)});
    };
    report_missing(inside_sensor[s], inside_before[s], SensorEvent::Kind::enter);
    report_missing(inside_before[s], inside_sensor[s], SensorEvent::Kind::leave);
  }
}

World::World(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

namespace {

bool asks_for_speed(const ModelLaw& law) { return law.kind == ModelLaw::Kind::slip && law.bound != 0; }

Mistake contradiction(const Model& m, const step::RedundantJoint& found) {
  return {{},
          0,
          0,
          "joints." + m.scene.joints[std::size_t(found.joint)].name,
          "it asks for " + number_text(found.apart) +
              " m/s (or rad/s) beyond what other joints hold, of the same motion: both cannot be. Change its "
              "drift, or take one of them away"};
}

/// Joints that could not be made to meet, or contradict each other.
std::vector<Mistake> joints_apart(const Model& m, const State& x, double tolerance) {
  std::vector<Mistake> mistakes;
  step::Workspace w;
  const step::Motions q = step::motions_of(x);
  double worst = 0;
  int which = -1;
  step::start_laws(m, x, x.step, tolerance, w);
  if (step::worst_law(m, q, w, worst, &which) > tolerance) {
    const ModelLaw& law = m.laws[std::size_t(which)];
    const auto& joint = m.scene.joints[std::size_t(law.joint)];
    const auto* tree = std::get_if<CoordinateJoint>(&joint.value);
    const std::string kind = tree != nullptr                                  ? tree::name_of(tree->kind)
                             : std::holds_alternative<GearJoint>(joint.value) ? "gear"
                                                                              : "constraint";
    mistakes.push_back(
        {{},
         0,
         0,
         "joints." + joint.name + "." + kind + (law.holds() ? "" : ".limits"),
         law.kind == ModelLaw::Kind::gear
             ? "other joints do not meet where the scene puts them, and pulled together they leave this gear "
               "off by " +
                   number_text(worst) + " (m or rad): put their bodies where they belong"
         : law.holds() ? "a constraint on a link of a tree has to hold at the start, this one is off by " +
                             number_text(worst) + " (m or rad): move its bodies"
                       : "the joint starts " + number_text(worst) + " (m or rad) beyond this limit"});
    return mistakes;
  }
  if (std::any_of(m.laws.begin(), m.laws.end(), asks_for_speed))
    for (const step::RedundantJoint& found : step::redundant_laws(m, x))
      if (found.apart != 0) mistakes.push_back(contradiction(m, found));
  worst = 0, which = -1;
  if (m.mechanisms.empty() || !mistakes.empty()) return mistakes;
  if (step::worst_joint(m, q, w, worst, &which) <= tolerance) return mistakes;
  const std::string& name =
      m.scene.joints[std::size_t(m.mechanisms.constraint[std::size_t(which)].joint)].name;
  mistakes.push_back(
      {{},
       0,
       0,
       "joints." + name + ".constraint",
       "the joints cannot all meet: pulled together as far as they go, this one is still off by " +
           number_text(worst) + " (m or rad): move its bodies, or take a joint away"});
  return mistakes;
}

}  // namespace

Result<World> build(const Scene& scene, const RunSettings& settings) {
  std::vector<Mistake> mistakes = validate(settings);
  Result<Model> model = compile(scene);
  if (!model) mistakes.insert(mistakes.end(), model.mistakes().begin(), model.mistakes().end());
  if (mistakes.empty()) mistakes = validate(scene, settings);
  if (!mistakes.empty()) return mistakes;
  World world(std::make_unique<World::Inside>(std::move(model).value(), settings));
  if (mistakes = joints_apart(world.model(), world.state(), settings.tolerance); !mistakes.empty())
    return mistakes;
  return world;
}

StepReport World::step() {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  w.remember_poses();
  const bool stale = std::any_of(w.input.joints.begin(), w.input.joints.end(),
                                 [&](const InputJointForce& i) { return w.is_stale(i); });
  w.report = stale ? step::refused(step::wrong_input, -1, step::started())
                   : step::take_step(w.settings.method, w.model, w.stepper, w.input, w.state, w.workspace);
  w.input.clear();
  w.broken_joints.clear();
  if (w.report.status == StepReport::Status::refused) return w.report;
  if (w.counted_from_step > 0)
    w.state.time = w.counted_from + double(w.state.step_count - w.counted_from_step) * w.settings.step;
  w.next_is_state = true;
  if (w.report.broken_joints > 0)
    for (const int j : w.workspace.broken)
      w.broken_joints.push_back(
          w.model.scene.joints[std::size_t(w.model.mechanisms.constraint[std::size_t(j)].joint)].name);
  w.list_contacts(w.contacts);
  w.update_events();
  w.update_sensors();
  return w.report;
}

void World::stop_when(const std::atomic<bool>* flag) { inside_->workspace.stop = {flag}; }
void World::follow_parts(PartListener listener) {
  inside_->workspace.after_part = {};
  if (!listener) return;
  inside_->workspace.after_part = [own = inside_.get(), listener = std::move(listener)](const State& x) {
    own->list_contacts(own->part_contacts);
    listener(x, own->part_contacts);
  };
}
double World::time() const { return inside_->state.time; }
const StepReport& World::last_report() const { return inside_->report; }
Input& World::input() { return inside_->input; }
std::vector<Mistake> World::mistakes_of_input() const {
  std::vector<Mistake> mistakes = validate(inside_->model, inside_->input);
  for (const InputJointForce& i : inside_->input.joints)
    if (inside_->is_stale(i))
      mistakes.push_back({{},
                          0,
                          0,
                          {},
                          "input: the id of joint " + std::to_string(i.joint) +
                              " is from before a body was removed; ask the world for it again"});
  return mistakes;
}

BodyId World::body(const std::string& name) const {
  const int i = inside_->model.find_body(name);
  return i < 0 || !inside_->state.alive[std::size_t(i)] ? BodyId{} : inside_->id_of(i);
}
const std::string& World::name_of(BodyId id) const {
  if (inside_->was_removed(id)) return inside_->removed_name.at(id.index);
  return inside_->model.body_name[inside_->at(id)];
}
bool World::is_alive(BodyId id) const { return inside_->knows(id); }
bool World::is_asleep(BodyId id) const {
  const std::size_t i = inside_->at(id);
  return !inside_->state.asleep.empty() && inside_->state.asleep[i] != 0;
}
Vec3 World::position(BodyId id) const { return inside_->state.position[inside_->at(id)]; }
Quat World::orientation(BodyId id) const { return inside_->state.orientation[inside_->at(id)]; }
Vec3 World::velocity(BodyId id) const { return inside_->state.velocity[inside_->at(id)]; }
Vec3 World::spin(BodyId id) const { return inside_->state.spin[inside_->at(id)]; }

int World::Inside::link_of(JointId id) const {
  if (id.generation != joint_generation) return -1;
  const std::vector<int>& joints = model.trees.joint;
  const auto found = std::find(joints.begin(), joints.end(), id.index);
  return id.index < 0 || found == joints.end() ? -1 : int(found - joints.begin());
}
JointId World::joint(const std::string& name) const {
  const auto& joints = inside_->model.scene.joints;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (const JointId id{int(i), inside_->joint_generation}; joints[i].name == name && inside_->knows(id))
      return id;
  return {};
}
/// The constraint of this name, or -1.
int World::Inside::constraint_of(const std::string& joint) const {
  const std::vector<ModelConstraint>& all = model.mechanisms.constraint;
  for (std::size_t j = 0; j < all.size(); ++j)
    if (model.scene.joints[std::size_t(all[j].joint)].name == joint) return int(j);
  return -1;
}
std::optional<JointReaction> World::reaction(const std::string& joint, const ReactionFrame& frame) const {
  const std::optional<JointReaction> r = reaction_of(inside_->model, inside_->state, joint);
  if (!r) return r;
  if (frame.body == BodyId{}) return seen_at(*r, frame.point.value_or(r->at));
  const Quat axes = orientation(frame.body);
  return seen_at(*r, frame.point ? position(frame.body) + rotate(axes, *frame.point) : r->at, axes);
}
bool World::is_broken(const std::string& joint) const {
  const int j = inside_->constraint_of(joint);
  const std::vector<unsigned char>& broken = inside_->state.joint_broken;
  return j >= 0 && !broken.empty() && broken[std::size_t(j)] != 0;
}
std::span<const std::string> World::broken_joints() const { return inside_->broken_joints; }
std::vector<JointLaw> World::joint_laws(const std::string& joint) const {
  const Model& m = inside_->model;
  const State& x = inside_->state;
  std::vector<JointLaw> out;
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    if (law.of_constraint() || law.kind == ModelLaw::Kind::follow ||
        m.scene.joints[std::size_t(law.joint)].name != joint)
      continue;
    const double sign = law.kind == ModelLaw::Kind::upper ? -1.0 : 1.0;
    out.push_back({JointLaw::Kind(law.kind), law.coordinate, step::place_of(m, k, x),
                   sign * x.law_impulse[k] / x.step});
  }
  return out;
}
Result<bool> World::set_motor(const std::string& joint, double target, int coordinate) {
  const Model& m = inside_->model;
  const auto wrong = [&](const std::string& what) { return Mistake{{}, 0, 0, {}, "set_motor: " + what}; };
  if (!(std::fabs(target) <= largest_number))
    return wrong("found " + number_text(target) + ", must be a finite number, at most 1e45 in size");
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    const ModelLaw& law = m.laws[k];
    if (law.kind != ModelLaw::Kind::motor || law.coordinate != coordinate ||
        m.scene.joints[std::size_t(law.joint)].name != joint)
      continue;
    inside_->state.law_target[k] = target;
    return true;
  }
  return wrong("the joint \"" + joint + "\" has no motor at coordinate " + std::to_string(coordinate));
}
std::span<const double> World::joint_position(JointId id) const {
  STICTION_ASSERT(inside_->knows(id));
  const auto i = std::size_t(inside_->link_of(id));
  const std::vector<int>& begin = inside_->model.trees.forest.q_begin;
  return std::span(inside_->state.joint_position)
      .subspan(std::size_t(begin[i]), std::size_t(begin[i + 1] - begin[i]));
}
std::span<const double> World::joint_velocity(JointId id) const {
  STICTION_ASSERT(inside_->knows(id));
  const auto i = std::size_t(inside_->link_of(id));
  const std::vector<int>& begin = inside_->model.trees.forest.v_begin;
  return std::span(inside_->state.joint_velocity)
      .subspan(std::size_t(begin[i]), std::size_t(begin[i + 1] - begin[i]));
}

BodyPose World::interpolated(BodyId id, double alpha) const {
  const std::size_t i = inside_->at(id);
  const Quat p = inside_->earlier_orientation[i];
  Quat q = inside_->state.orientation[i];
  if (p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0) q = {-q.w, -q.x, -q.y, -q.z};
  const double s = 1 - alpha;
  return {s * inside_->earlier_position[i] + alpha * inside_->state.position[i],
          normalized(Quat{s * p.w + alpha * q.w, s * p.x + alpha * q.x, s * p.y + alpha * q.y,
                          s * p.z + alpha * q.z})};
}

std::span<const Contact> World::contacts() const { return inside_->contacts; }
std::vector<ContactPair> World::contact_pairs() const {
  return sum_of_pairs(inside_->contacts, inside_->state.spin);
}
std::vector<Contact> World::contacts(BodyId id) const {
  std::vector<Contact> out;
  for (const Contact& c : inside_->contacts)
    if (c.a == id || c.b == id) out.push_back(c);
  return out;
}
std::span<const ContactEvent> World::contact_events() const { return inside_->contact_events; }
std::span<const SensorEvent> World::sensor_events() const { return inside_->sensor_events; }
SensorId World::sensor(const std::string& name) const {
  const auto& names = inside_->model.sensor_name;
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? SensorId{} : SensorId{int(found - names.begin()), 0};
}
std::vector<BodyId> World::overlaps(SensorId id) const {
  STICTION_ASSERT(id.index >= 0 && std::size_t(id.index) < inside_->inside_sensor.size());
  std::vector<BodyId> out;
  for (const int body : inside_->inside_sensor[std::size_t(id.index)]) out.push_back(inside_->id_of(body));
  return out;
}

const complementarity::FrictionProblem& World::last_problem() const { return inside_->workspace.problem; }
const Ledger& World::ledger() const { return inside_->state.ledger; }
StateHash World::hash() const { return {inside_->state.hash()}; }
const Model& World::model() const { return inside_->model; }
const State& World::state() const { return inside_->state; }
const RunSettings& World::settings() const { return inside_->settings; }
std::span<const std::string> World::warnings() const { return inside_->warnings; }

std::vector<unsigned char> World::save() const {
  const SavedModel head{.revision = inside_->model.revision, .structure = structure_hash(inside_->model)};
  std::vector<unsigned char> out(sizeof head);
  std::memcpy(out.data(), &head, sizeof head);
  stiction::save(inside_->state, out);
  return out;
}

Result<bool> World::restore(std::span<const unsigned char> bytes) {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  if (SavedModel head; bytes.size() >= sizeof head && !std::memcmp(bytes.data(), &head, sizeof head.magic)) {
    std::memcpy(&head, bytes.data(), sizeof head);
    if (head.structure != structure_hash(w.model))
      return Mistake{{},
                     0,
                     0,
                     {},
                     "restore: the state was saved with other bodies (revision " +
                         std::to_string(head.revision) + " of its model; here it is revision " +
                         std::to_string(w.model.revision) +
                         "). A state goes back onto a world with the same bodies only: save again after "
                         "adding or removing one"};
    bytes = bytes.subspan(sizeof head);
  }
  Result<State> loaded = load(w.model, bytes);
  if (!loaded) return loaded.mistakes();
  const State& x = loaded.value();
  for (const auto& [slot, name] : w.removed_name)
    if (x.alive[std::size_t(slot)])
      return Mistake{{}, 0, 0, {}, "restore: the state was saved before \"" + name + "\" was removed"};
  State& s = w.state;  // its arrays keep their addresses
  s.time = x.time, s.step_count = x.step_count, s.step = x.step, s.ledger = x.ledger;
  std::copy(x.position.begin(), x.position.end(), s.position.begin());
  std::copy(x.orientation.begin(), x.orientation.end(), s.orientation.begin());
  std::copy(x.velocity.begin(), x.velocity.end(), s.velocity.begin());
  std::copy(x.spin.begin(), x.spin.end(), s.spin.begin());
  std::copy(x.alive.begin(), x.alive.end(), s.alive.begin());
  std::copy(x.joint_position.begin(), x.joint_position.end(), s.joint_position.begin());
  std::copy(x.joint_velocity.begin(), x.joint_velocity.end(), s.joint_velocity.begin());
  s.link_reaction = x.link_reaction, s.plane_reaction = x.plane_reaction;
  s.joint_impulse = x.joint_impulse, s.joint_memory = x.joint_memory, s.joint_rough = x.joint_rough;
  s.joint_broken = x.joint_broken;
  s.law_impulse = x.law_impulse, s.law_memory = x.law_memory, s.law_target = x.law_target;
  s.springs = x.springs;
  s.contacts.assign(x.contacts.begin(), x.contacts.end());
  s.asleep = x.asleep, w.workspace.resting_step = -1;
  w.count_from_here();
  w.next_is_state = false;
  w.remember_poses();
  w.contacts.clear(), w.contact_events.clear(), w.touching.clear();
  w.ended_by_removal.clear(), w.left_by_removal.clear(), w.broken_joints.clear();
  for (const ContactMemory& c : w.state.contacts)
    if (w.touching.empty() || w.touching.back() != collision::BodyPair{c.key.a, c.key.b})
      w.touching.push_back({c.key.a, c.key.b});
  w.update_sensors();
  w.sensor_events.clear();
  return true;
}

}  // namespace stiction
