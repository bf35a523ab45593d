// What a World owns. Shared by world.cpp, edit.cpp and change.cpp.
#pragma once

#include <cmath>
#include <map>
#include <optional>

#include "stiction/model/coincidence.h"
#include "stiction/step/method.h"
#include "stiction/step/redundancy.h"
#include "stiction/step/stability.h"
#include "stiction/world/world.h"

namespace stiction {

struct World::Inside {
  Model model;
  State state;
  RunSettings settings;
  step::CoulombSettings stepper;
  step::Workspace workspace;
  int threads_asked = 1;
  Input input;
  StepReport report;
  std::vector<std::string> warnings;
  std::vector<std::uint32_t> generation;         // per body slot
  std::uint32_t joint_generation = 0;            // ids of joints are stale once a body was removed
  std::vector<Contact> contacts, part_contacts;  // of the last step; of a part of it
  std::vector<collision::BodyPair> touching, touched_before;
  std::vector<ContactEvent> contact_events;
  std::vector<std::vector<int>> inside_sensor, inside_before;  // body indices, sorted
  std::vector<SensorEvent> sensor_events;
  std::vector<std::string> broken_joints;  // in the last step
  // Of bodies removed since the last step: told with the events of the next one.
  std::vector<ContactEvent> ended_by_removal;
  std::vector<SensorEvent> left_by_removal;
  std::map<int, std::string> removed_name;  // by slot
  std::vector<Vec3> earlier_position;       // of the state before the last step
  std::vector<Quat> earlier_orientation;
  bool next_is_state =
      false;  // the workspace's candidate is what the last step made of the state; no edit since
  // Times are counts times the step; since the step was changed last, from here on.
  double counted_from = 0;  // [s]
  std::int64_t counted_from_step = 0;
  std::optional<step::Motions> before_edit;  // between begin_edit() and end_edit()

  Inside(Model m, const RunSettings& s)
      : model(std::move(m)), workspace(Team::useful(s.threads)), threads_asked(s.threads) {
    state = initial_state(model, s.step);
    take(s);
    generation.assign(std::size_t(model.body_count()), 0);
    remember_poses();
    inside_sensor.resize(model.sensors.size()), inside_before.resize(model.sensors.size());
    update_sensors();
    sensor_events.clear();
    look_at_step();
  }
  /// How the next steps are made. The number of threads stays.
  void take(const RunSettings& s) {
    settings = s;
    stepper.h = s.step, stepper.tolerance = s.tolerance;
    stepper.solver = s.solver, stepper.stabilisation = s.stabilisation, stepper.activation = s.activation;
    stepper.baumgarte = s.baumgarte, stepper.sleep = s.sleep;
    stepper.directions = s.directions, stepper.nonlinear = s.nonlinear, stepper.theta = s.theta;
  }
  /// Counts from the present state on, where its time is not its number of steps times the step.
  void count_from_here() {
    const bool plain = state.time == double(state.step_count) * settings.step;
    counted_from = plain ? 0 : state.time, counted_from_step = plain ? 0 : state.step_count;
  }
  void look_at_step() {
    warnings = step::step_warnings(model, state, settings.method, settings.step);
    if (state.step_count == 0)
      for (std::string& line : coincidence_warnings(model)) warnings.push_back(std::move(line));
    if (const int has = workspace.team.threads(); has < threads_asked && Team::useful(2) > 1)
      warnings.push_back(std::to_string(threads_asked) + " threads were asked for, " + std::to_string(has) +
                         (has == 1 ? " is" : " are") +
                         " used: this machine runs, or starts, no more at a time. Results are the same");
    for (std::string& line : step::redundancy_warnings(model, state)) warnings.push_back(std::move(line));
    if (state.step_count == 0)
      for (std::string& line : step::assembly_warnings(model, state)) warnings.push_back(std::move(line));
    for (const int body : model.colliding)
      if (const auto* s = std::get_if<SurfaceShape>(&model.shape[std::size_t(body)]);
          s != nullptr && s->kind() == SurfaceShape::Kind::mesh && !s->closed())
        warnings.push_back("the mesh of \"" + model.body_name[std::size_t(body)] + "\" is not closed (" +
                           std::to_string(s->open_edges()) +
                           " edges have one triangle): bodies touch it from outside only");
  }

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
  int constraint_of(const std::string& joint) const;
  bool knows(JointId id) const { return link_of(id) >= 0; }
  int link_of(JointId id) const;  // whose joint it is; -1 = nobody's
  bool is_stale(const InputJointForce& i) const { return i.joint >= 0 && i.generation != joint_generation; }
  void carry_input_over(const std::vector<std::string>& old_names);
  /// Bodies of trees to where their coordinates say; forgets contacts of bodies that are `changed`.
  void follow_joints();
  void drop_contacts(const std::vector<char>& changed);

  void list_contacts(std::vector<Contact>& out) const;
  void update_events();
  void update_sensors();
  std::string wrong_placement(std::size_t i, const Vec3& position, const Quat& orientation,
                              const Vec3& velocity, const Vec3& spin) const;
  void place(std::size_t i, const Vec3& position, const Quat& orientation, const Vec3& velocity,
             const Vec3& spin);
  void book_edit(const Totals& before);
  Totals totals() const { return step::totals_of(model, state); }
  Result<bool> recompile(Scene scene);
};

}  // namespace stiction
