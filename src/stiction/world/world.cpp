#include "stiction/world/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "stiction/base/text.h"
#include "stiction/collision/overlap.h"
#include "stiction/step/stability.h"

namespace stiction {
namespace {

// [-] Motion out of a planar joint's plane, over the speed: round-off of normals and of decimals.
constexpr double planar_slack = 1e-9;

// What stands before the State in World::save().
struct SavedModel {
  std::uint64_t magic = 0x31444c524f575453ull;  // "STWORLD1"
  std::int64_t revision = 0;
  std::uint64_t structure = 0;
};

}  // namespace

struct World::Inside {
  Model model;
  State state;
  RunSettings settings;
  step::CoulombSettings stepper;
  step::Method method = step::Method::coulomb;
  step::Workspace workspace;
  Input input;
  StepReport report;
  std::vector<std::string> warnings;
  std::vector<std::uint32_t> generation;  // per body slot
  std::vector<Contact> contacts;
  std::vector<collision::BodyPair> touching, touched_before;
  std::vector<ContactEvent> contact_events;
  std::vector<std::vector<int>> inside_sensor, inside_before;  // body indices, sorted
  std::vector<SensorEvent> sensor_events;
  // Of bodies removed since the last step: told with the events of the next one.
  std::vector<ContactEvent> ended_by_removal;
  std::vector<SensorEvent> left_by_removal;
  std::map<int, std::string> removed_name;  // by slot
  std::vector<Vec3> earlier_position;       // of the state before the last step
  std::vector<Quat> earlier_orientation;
  bool next_is_state =
      false;  // the workspace's candidate is what the last step made of the state; no edit since
  std::optional<step::Motions> before_edit;  // between begin_edit() and end_edit()

  Inside(Model m, const RunSettings& s) : model(std::move(m)), settings(s), workspace(s.threads) {
    state = initial_state(model, s.step);
    stepper.h = s.step, stepper.tolerance = s.tolerance;
    method = step::method_of(s.method);
    stepper.solver = s.solver == "newton" ? complementarity::SolverChoice::newton
                     : s.solver == "nsgs" ? complementarity::SolverChoice::nsgs
                                          : complementarity::SolverChoice::automatic;
    generation.assign(std::size_t(model.body_count()), 0);
    remember_poses();
    inside_sensor.resize(model.sensors.size()), inside_before.resize(model.sensors.size());
    update_sensors();
    sensor_events.clear();
    look_at_step();
  }
  void look_at_step() { warnings = step::step_warnings(model, state, settings.method, settings.step); }

  BodyId id_of(int index) const { return {index, generation[std::size_t(index)]}; }
  bool was_removed(BodyId id) const {
    const auto found = removed_name.find(id.index);
    return found != removed_name.end() && generation[std::size_t(id.index)] == id.generation + 1;
  }
  bool knows(BodyId id) const {
    return id.index >= 0 && id.index < model.body_count() &&
           generation[std::size_t(id.index)] == id.generation && state.alive[std::size_t(id.index)];
  }
  std::size_t at(BodyId id) const {
    STICTION_ASSERT(knows(id));
    return std::size_t(id.index);
  }
  void remember_poses();

  void publish_contacts();
  void update_events();
  void update_sensors();
  std::string wrong_placement(std::size_t i, const Vec3& position, const Quat& orientation,
                              const Vec3& velocity, const Vec3& spin) const;
  void place(std::size_t i, const Vec3& position, const Quat& orientation, const Vec3& velocity,
             const Vec3& spin);
  void book_edit(const Totals& before);
  Totals totals() const {
    return step::totals_of(model, {state.position, state.orientation, state.velocity, state.spin},
                           state.alive);
  }
  Result<bool> recompile(Scene scene);
};

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

void World::Inside::publish_contacts() {
  contacts.clear();
  auto memory = state.contacts.begin();
  for (const step::WorkContact& c : workspace.end_contacts) {
    Contact out;
    out.key = c.point.key;
    out.a = id_of(c.point.key.a), out.b = id_of(c.point.key.b);
    out.point = c.centre, out.normal = c.point.normal, out.gap = c.point.gap;
    out.friction = c.mu;
    const Vec3 v = step::relative_velocity(workspace.next, c);
    out.slip = v - dot(c.point.normal, v) * c.point.normal;
    while (memory != state.contacts.end() && memory->key < c.point.key) ++memory;
    if (memory != state.contacts.end() && memory->key == c.point.key) {
      out.impulse = c.impulse, out.force = c.impulse / state.step;
      out.state = ContactState(memory->state);
    }
    contacts.push_back(out);
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

void World::Inside::book_edit(const Totals& before) {
  const Totals now = totals();
  Entries e;
  e.book(Cause::edit, now.energy() - before.energy());
  e.book(Cause::edit, now.momentum - before.momentum, now.angular_momentum - before.angular_momentum);
  state.ledger.post(e, now);
  next_is_state = false;
}

/// A new revision of the model: all bodies keep their slots and states, new ones are appended by the caller.
Result<bool> World::Inside::recompile(Scene scene) {
  Result<Model> compiled = compile(scene, model.revision + 1);
  if (!compiled) return compiled.mistakes();
  if (std::vector<Mistake> mistakes = validate(scene, settings); !mistakes.empty()) return mistakes;
  model = std::move(compiled).value();
  return true;
}

World::World(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

Result<World> build(const Scene& scene, const RunSettings& settings) {
  std::vector<Mistake> mistakes = validate(settings);
  Result<Model> model = compile(scene);
  if (!model) mistakes.insert(mistakes.end(), model.mistakes().begin(), model.mistakes().end());
  if (mistakes.empty()) mistakes = validate(scene, settings);
  if (!mistakes.empty()) return mistakes;
  return World(std::make_unique<World::Inside>(std::move(model).value(), settings));
}

StepReport World::step() {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  w.remember_poses();
  w.report = step::take_step(w.method, w.model, w.stepper, w.input, w.state, w.workspace);
  w.input.clear();
  if (w.report.status == StepReport::Status::refused) return w.report;
  w.next_is_state = true;
  w.publish_contacts();
  w.update_events();
  w.update_sensors();
  return w.report;
}

double World::time() const { return inside_->state.time; }
const StepReport& World::last_report() const { return inside_->report; }
Input& World::input() { return inside_->input; }

BodyId World::body(const std::string& name) const {
  const int i = inside_->model.find_body(name);
  return i < 0 || !inside_->state.alive[std::size_t(i)] ? BodyId{} : inside_->id_of(i);
}
const std::string& World::name_of(BodyId id) const {
  if (inside_->was_removed(id)) return inside_->removed_name.at(id.index);
  return inside_->model.body_name[inside_->at(id)];
}
bool World::is_alive(BodyId id) const { return inside_->knows(id); }
Vec3 World::position(BodyId id) const { return inside_->state.position[inside_->at(id)]; }
Quat World::orientation(BodyId id) const { return inside_->state.orientation[inside_->at(id)]; }
Vec3 World::velocity(BodyId id) const { return inside_->state.velocity[inside_->at(id)]; }
Vec3 World::spin(BodyId id) const { return inside_->state.spin[inside_->at(id)]; }

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
  std::erase_if(w.state.contacts,
                [&](const ContactMemory& c) { return c.key.a == id.index || c.key.b == id.index; });
  w.book_edit(before);
  return true;
}

BodyArrays World::begin_edit() {
  State& x = inside_->state;
  STICTION_ASSERT(!inside_->before_edit);
  inside_->before_edit = step::Motions{x.position, x.orientation, x.velocity, x.spin};
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
  const step::Motions written{w.state.position, w.state.orientation, w.state.velocity, w.state.spin};
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
  std::erase_if(w.state.contacts, [&](const ContactMemory& c) {
    return changed[std::size_t(c.key.a)] || changed[std::size_t(c.key.b)];
  });
  w.book_edit(before);
  return true;
}

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
  s.contacts.assign(x.contacts.begin(), x.contacts.end());
  w.next_is_state = false;
  w.remember_poses();
  w.contacts.clear(), w.contact_events.clear(), w.touching.clear();
  w.ended_by_removal.clear(), w.left_by_removal.clear();
  for (const ContactMemory& c : w.state.contacts)
    if (w.touching.empty() || w.touching.back() != collision::BodyPair{c.key.a, c.key.b})
      w.touching.push_back({c.key.a, c.key.b});
  w.update_sensors();
  w.sensor_events.clear();
  return true;
}

}  // namespace stiction
