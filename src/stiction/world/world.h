// The World owns Model, State and Workspace, and is what programs hold. Everything is looked up by id.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/complementarity/friction_problem.h"
#include "stiction/model/model.h"
#include "stiction/model/run_settings.h"
#include "stiction/step/contact_result.h"
#include "stiction/step/input.h"
#include "stiction/step/reaction.h"
#include "stiction/step/report.h"
#include "stiction/step/state.h"

namespace stiction {

/// A contact between two bodies that began or ended in the last step (touching = it carried an impulse). The
/// contacts of a removed body end in the step after its removal; its id is stale then, but name_of() knows
/// it.
struct ContactEvent {
  enum class Kind : unsigned char { begin, end };
  Kind kind = Kind::begin;
  BodyId a, b;
};
/// A body that entered or left a sensor's region in the last step, or was removed from it before.
struct SensorEvent {
  enum class Kind : unsigned char { enter, leave };
  Kind kind = Kind::enter;
  SensorId sensor;
  BodyId body;
};

struct BodyPose {
  Vec3 position;
  Quat orientation;
};

/// The arrays of the State, one row per body, open for writing.
struct BodyArrays {
  std::span<Vec3> position;     // [m]
  std::span<Quat> orientation;  // [-] of any length but 0; normalised by end_edit()
  std::span<Vec3> velocity;     // [m/s]
  std::span<Vec3> spin;         // [rad/s] world axes
};

/// What a limit, a motor or friction does at one coordinate of a joint, a gear between two, or a row of a
/// joint that binds velocities.
struct JointLaw {
  enum class Kind : unsigned char { lower, upper, friction, motor, hold, gear, slip };
  Kind kind{};
  // Of the joint; of a ball: 0 the twist, 1 the swing, as its cosine over the largest's; of what rolls: 0 and
  // 1 along the plane, 2 across it.
  int coordinate = 0;
  double place =
      0;  // [m, rad] where the coordinate is; gear: c1 + ratio c2; 0 where only a velocity is bound
  double force = 0;  // [N, N m] along it, mean over the last step; gear: on c1, and `ratio` times it on c2
};

/// Where a reaction is wanted: force and torque in the axes of a body, or of the world where it is null,
/// about a point.
struct ReactionFrame {
  BodyId body{};
  std::optional<Vec3> point{};  // [m] in coordinates of the body (0 = its centre of mass), or of the world;
                                // none = the joint's own
};

class World {
 public:
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  // --- time
  /// One step of the size given at build(). Uses and clears the input. Never throws; see StepReport.
  StepReport step();
  /// Steps end soon after *flag has become true, most often within a second: they are refused, and the State
  /// is as it was; their input is used up all the same. A signal handler may set it. The flag stays raised
  /// until step() has returned, and outlives the world or is replaced; null = no flag.
  void stop_when(const std::atomic<bool>* flag);
  /// Who is told of the parts of a step that is made in several (StepReport::parts): after each but the last,
  /// with the State at its end, whose `step` is its length, and its contacts. A step may be refused after
  /// that, which takes its parts back. The listener must not change the world; null = nobody.
  using PartListener = std::function<void(const State&, std::span<const Contact>)>;
  void follow_parts(PartListener listener);
  double time() const;
  const StepReport& last_report() const;

  // --- outside influence, for the next step
  Input& input();
  /// What is wrong with the input, by name: a body, joint or coordinate that is not there, or the id of a
  /// joint from before a body was removed. step() refuses it. (What is given to a body and is still there
  /// when the body is removed is dropped, for its joints too; what is for other joints stays theirs.)
  std::vector<Mistake> mistakes_of_input() const;

  // --- reading, by id
  BodyId body(const std::string& name) const;   // null if there is none
  const std::string& name_of(BodyId id) const;  // of a removed body: the name that it had
  bool is_alive(BodyId id) const;
  bool is_asleep(BodyId id) const;  // it rests, and is left alone until something comes near
  Vec3 position(BodyId id) const;
  Quat orientation(BodyId id) const;
  Vec3 velocity(BodyId id) const;
  Vec3 spin(BodyId id) const;
  JointId joint(const std::string& name) const;  // null if there is none with coordinates of its own
  std::span<const double> joint_position(JointId id) const;  // [m, rad, quaternion] docs/theory/trees.md
  std::span<const double> joint_velocity(JointId id) const;  // [m/s, rad/s]
  /// What a joint did to its body in the last step, on average: at the joint's point, in world axes, or as
  /// `frame` says. A gear acts on the body of its first joint, and as "NAME.second" on that of its second.
  /// None where there is no joint of this name.
  std::optional<JointReaction> reaction(const std::string& joint, const ReactionFrame& frame = {}) const;
  bool is_broken(const std::string& joint) const;
  std::span<const std::string> broken_joints() const;  // by name: those that broke in the last step
  /// Limits, motors and friction of a joint, or what a gear or a velocity joint does, as they are now.
  std::vector<JointLaw> joint_laws(const std::string& joint) const;
  /// What a motor is to reach from the next step on: [m/s, rad/s], or [m, rad] where it has a position.
  Result<bool> set_motor(const std::string& joint, double target, int coordinate = 0);
  /// Pose between the last two states: alpha = 0 the earlier, 1 the present one. For drawing between steps.
  BodyPose interpolated(BodyId id, double alpha) const;

  std::span<const Contact> contacts() const;             // of the last step, sorted by key
  std::vector<Contact> contacts(BodyId id) const;        // those of one body, open ones near it included
  std::vector<ContactPair> contact_pairs() const;        // of the last step, summed up, sorted by bodies
  std::span<const ContactEvent> contact_events() const;  // of the last step
  std::span<const SensorEvent> sensor_events() const;
  SensorId sensor(const std::string& name) const;
  std::vector<BodyId> overlaps(SensorId id) const;  // bodies now inside the sensor's region

  /// The contact problem that gave the last step its impulses, for study and comparison; empty without
  /// contacts. Valid until the next step.
  const complementarity::FrictionProblem& last_problem() const;

  const Ledger& ledger() const;
  StateHash hash() const;
  const Model& model() const;
  const State& state() const;
  const RunSettings& settings() const;
  /// What may go wrong in this run, in words: springs that the step is too large for ("step 0.01 s, stable
  /// below 0.004 s for spring 'suspension'"), bodies that coincide, threads that are of no use; as build()
  /// found them and without those of removed bodies.
  std::span<const std::string> warnings() const;

  // --- editing between steps; energy and momentum that come or go are booked under `edit`
  /// The arrays of the State move. `old_arrays`, if given, receives those that were, with their memory: for
  /// those who hold pointers into them.
  Result<BodyId> add_body(const std::string& name, const BodyDescription& b, State* old_arrays = nullptr);
  Result<bool> remove_body(BodyId id);
  Result<bool> teleport(BodyId id, const Vec3& position, const Quat& orientation, const Vec3& velocity = {},
                        const Vec3& spin = {});
  /// New coordinates and velocities of a joint; what hangs on it goes with it. (A body in a tree is moved so,
  /// and not by teleport(), unless it is the free root: then the whole tree goes with it.)
  Result<bool> set_joint(JointId id, std::span<const double> position, std::span<const double> velocity);
  /// Other numbers in force from the next step on: gravity, friction, masses, sizes, forces; step, tolerance,
  /// method and solver. The bodies stay where they are; their names, kinds, joints and sensors must be the
  /// same. The number of threads stays.
  Result<bool> change(const Scene& scene, const RunSettings& settings);
  /// Many bodies at once, by writing into the State itself. Until end_edit() or cancel_edit() the world may
  /// only be read. end_edit() takes every body whose row was changed as teleport() does: all of them or, if
  /// there is a mistake, none.
  BodyArrays begin_edit();
  Result<bool> end_edit();
  void cancel_edit();
  bool is_open_for_edit() const;

  // --- saving
  std::vector<unsigned char> save() const;  // a byte image of the State, and of which Model it is
  /// Onto a world with the same bodies: a state saved before a body was added or removed is a mistake. Also
  /// takes the bytes of a recording's StatePoint, which do not name their Model: there the number of bodies
  /// and the removed ones are checked.
  Result<bool> restore(std::span<const unsigned char> bytes);

 private:
  friend Result<World> build(const Scene& scene, const RunSettings& settings);
  struct Inside;
  explicit World(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

/// Validates, compiles and opens the books. Lists all mistakes of scene and settings together.
Result<World> build(const Scene& scene, const RunSettings& settings = {});

}  // namespace stiction
