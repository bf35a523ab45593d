// What a recording is made of, in memory. Journal and HDF5 hold the same records, so that every reader works
// on both; see journal.h and hdf5.h for the bytes, record/README.md for the layout.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "stiction/constraints/joint_rows.h"
#include "stiction/geometry/shape.h"
#include "stiction/ledger/ledger.h"
#include "stiction/model/model.h"
#include "stiction/model/run_settings.h"
#include "stiction/step/contact_result.h"
#include "stiction/step/input.h"
#include "stiction/step/report.h"

namespace stiction {

inline constexpr int recording_format = 10;  // [-] counts the layouts of the records below
// The first that is still read. 4 has 17 accounts, without that of motors; 5 has 18, without
// that of breaking; both have no reactions and places of joints, and no joints that broke. 6 has 19, without
// those of surfaces, spin and rolling; it and those before have no moments of contacts. 6 and 7 have
// reactions of constraints alone. 8 and those before have no numbers of impacts; 9 and those before none of
// bodies, momentum and energy, nor rises of energy.
inline constexpr int oldest_recording_format = 4;
/// Accounts of a ledger row: later ones were added at the end.
inline constexpr int causes_of_format(int format) {
  return format < 5 ? 17 : format < 6 ? 18 : format < 7 ? 19 : cause_count;
}

/// Numbers of a certificate, and counters of a tally, likewise.
inline constexpr std::size_t certificate_numbers_of_format(int format) {
  return format < 9 ? 9 : format < 10 ? 10 : 13;
}
inline constexpr std::size_t counters_of_format(int format) { return format < 9 ? 12 : 16; }

/// What books that close may miss in any step.
inline constexpr double imbalance_limit = 1e-12;  // [-] of the ledger's scale

/// In words, that a recording has another format than those that are read.
std::string wrong_format(std::int64_t found);
/// That a run of an earlier format is read, but not continued.
std::string not_gone_on_with(int format);

/// The settings of a run as recordings keep them (JSON text in the file).
struct RunSetup {
  std::string title{};  // of the scene; may be empty
  std::string scene{};  // the scene file as the user named it
  RunSettings run{};
  double every = 0;                     // [s] time between frames; 0 = every step
  bool parts = false;                   // a frame for every part of a step as well; asks for every = 0
  std::vector<std::string> plot{};      // "ball.0.velocity", "cart.position.x", ...
  std::vector<std::string> warnings{};  // of the world at the start of the run
  std::vector<std::string> set{};       // values of the scene that were replaced: "$slope=20"
};
std::string to_json(const RunSetup& setup);
Result<RunSetup> read_setup(const std::string& json, const std::string& file);

/// The first record.
struct RunHeader {
  int format = recording_format;
  std::string program;     // program version
  std::string scene_text;  // self-contained scene
  std::string settings;    // RunSetup as JSON
};

/// One body as readers without the scene need it: for names, tables and pictures.
struct BodyInfo {
  std::string name;
  BodyKind kind = dynamic;
  Mobility mobility = Mobility::free;
  Shape shape = NoShape{};
  double mass = 0;    // [kg]
  Vec3 plane_normal;  // [-] planar bodies; else 0
};

/// Where a joint is, on the bodies of its revision.
struct JointPlace {
  int body = -1, parent = -1;  // indices; parent -1 = the world; body -1 = not recorded
  Vec3 point;                  // [m] on the body, in its coordinates
  Vec3 axis;                   // [-] unit, in the body's coordinates
};

/// One joint with coordinates. Lists of coordinates are those of the whole State, in its order.
struct JointInfo {
  std::string name;
  tree::JointKind kind = tree::JointKind::fixed;
  int position_begin = 0;  // [-] where its coordinates stand among all
  int velocity_begin = 0;  // [-] and its velocities
  JointPlace place{};

  int positions() const { return tree::coordinate_count(kind); }
  int velocities() const { return tree::dof_count(kind); }
};
/// One joint that holds by forces.
struct ConstraintInfo {
  std::string name;
  constraints::Kind kind = constraints::Kind::hinge;
  JointPlace place{};
};
/// One joint, or side of a gear, with a reaction.
struct ReactionInfo {
  std::string name;  // of the joint; of a gear's second coordinate with ".second" behind it
  std::string kind;  // in words
};
/// Of one coordinate or velocity of a joint: "m", "rad", "1" (of a quaternion); "m/s", "rad/s".
const char* unit_of(const JointInfo& joint, bool velocity, int component);
/// Its name: "0", "1", ..., or the letter of a quaternion: "w", "x", "y", "z".
std::string component_of(const JointInfo& joint, bool velocity, int component);

/// The bodies from here on. The first one comes before the first frame, another one after every edit.
struct Revision {
  int revision = 0;
  double time = 0;         // [s]
  Vec3 gravity;            // [m/s^2]
  std::string scene_text;  // empty: this revision was made by a program and has no text
  std::vector<BodyInfo> bodies;
  std::vector<JointInfo> joints{};  // those with coordinates and a name, in the order of the State
  int joint_positions = 0, joint_velocities = 0;  // [-] numbers in a frame; free roots of trees included
  std::vector<ConstraintInfo> constraints{};      // joints that hold by forces
  std::vector<ReactionInfo> reactions{};          // in the order that frames have
};
/// The reactions of formats before 8: those of constraints, in their order.
std::vector<ReactionInfo> reactions_of(const std::vector<ConstraintInfo>& constraints);
Revision describe(const Model& m, double time, std::string scene_text);

/// What was asked of the outside in one step; only steps with inputs are recorded.
struct InputRecord {
  std::int64_t step = 0;  // [-] count of the step it was given to
  std::vector<InputWrench> wrenches;
  std::vector<InputJointForce> joints{};
};

/// The worst and the sum of several steps: those since the last frame, or all of a run.
struct Tally {
  Certificate worst;                 // each number: the largest; converged: all did; tolerance: the last
  double imbalance = 0;              // [-] largest relative imbalance of the ledger
  double contact_rise = 0;           // [-] of the run so far (Ledger), as the next
  double unexplained_rise = 0;       // [-]
  std::int64_t steps = 0;            // [-] accepted
  std::int64_t unconverged = 0;      // [-] accepted, but the certificate missed the tolerance
  std::int64_t refused = 0;          // [-]
  std::int64_t iterations = 0;       // [-] of all solvers
  std::int64_t factorisations = 0;   // [-]
  std::int64_t escalations = 0;      // [-]
  std::int64_t contacts = 0;         // [-] largest
  std::int64_t islands = 0;          // [-] largest
  std::int64_t geometry_passes = 0;  // [-] largest
  std::int64_t stabilised = 0;       // [-] steps in which positions were stabilised
  std::int64_t start_frames = 0;     // [-] steps with contact frames of before their end (StepReport)
  std::int64_t divided = 0;          // [-] steps made in shorter parts, since the whole missed the tolerance
  std::int64_t impacts = 0;          // [-] contacts that were hit (StepReport), as the following
  std::int64_t lowered_impacts = 0;  // [-]
  std::int64_t stopped_impacts = 0;  // [-]
  std::int64_t lasting = 0;          // [-]
  unsigned char solvers = 0;         // bit 0: nsgs, bit 1: newton, bit 2: lemke

  void add(const StepReport& report, const Ledger& ledger);
  void add(const Tally& later);
};
/// Whether a run is as it should be, or the worst that is wrong with it. The exit status of `stiction run`
/// and the head of its report both ask here.
enum class Shortfall : unsigned char {
  none,
  refused,  // a step was
  missed,   // a step missed the tolerance
  books,    // they do not close
  gained,   // contacts added energy over the run
  risen,    // energy came from nowhere
  unended,  // the run did not reach its end
};
/// `holds_energy`: the method promises that contacts add none.
Shortfall shortfall_of(const Tally& total, bool ended, bool holds_energy = true);
/// RunSummary::ending of a run that did.
inline constexpr const char* reached_the_end = "reached the end";

const char* solver_name(unsigned char solvers);  // "none", "nsgs", "newton", "lemke", joined by +

/// The books at one time.
struct LedgerRow {
  double kinetic = 0, gravity_potential = 0, spring_potential = 0;  // [J]
  double pair_potential = 0;                                        // [J] gravitation, Lennard-Jones
  double imbalance = 0, scale = 0;                                  // [J]
  double momentum_imbalance = 0;                                    // [kg m/s] length of the vector
  double angular_momentum_imbalance = 0;                            // [kg m^2/s]
  Vec3 momentum;                                                    // [kg m/s]
  Vec3 angular_momentum;                                            // [kg m^2/s]
  std::array<double, cause_count> booked{};                         // [J] since the start, by cause
};
LedgerRow ledger_row(const Ledger& ledger);

struct Frame {
  double time = 0;         // [s]
  std::int64_t step = 0;   // [-]
  int revision = 0;        // index into the list of revisions
  std::uint64_t hash = 0;  // of the State
  Tally since;             // steps after the last frame, this one included
  LedgerRow ledger;
  std::vector<Vec3> position;  // [m]
  std::vector<Quat> orientation;
  std::vector<Vec3> velocity;  // [m/s]
  std::vector<Vec3> spin;      // [rad/s]
  std::vector<unsigned char> alive;
  std::vector<double> joint_position, joint_velocity;  // of trees, as the State has them
  // What joints did to their bodies (step/reaction.h), in the order of Revision::reactions.
  std::vector<Vec3> reaction_force, reaction_torque;  // [N], [N m] at the joint's point
  std::vector<Contact> contacts;                      // of the step that ended here
};

/// A joint that broke.
struct BrokenJoint {
  double time = 0;  // [s] of the end of the step
  std::string joint;
};
/// "joint rope broke at t = 1.25 s".
std::string in_words(const BrokenJoint& b);

/// A full State and what the recorder knew: enough to go on as if nothing had happened.
struct StatePoint {
  double time = 0;        // [s]
  std::int64_t step = 0;  // [-]
  int revision = 0;       // index into the list of revisions
  std::uint64_t hash = 0;
  Tally total, pending;               // of the run; since the last frame
  std::string trouble;                // the first step that was refused or missed its tolerance, in words
  std::vector<unsigned char> bytes;   // save() of the State
  std::vector<BrokenJoint> broken{};  // so far, in their order
};

/// The last record of a run that came to its end.
struct RunSummary {
  double time = 0;        // [s] of the last state
  std::int64_t step = 0;  // [-]
  std::uint64_t hash = 0;
  double wall_seconds = 0;  // [s]
  Tally total;
  std::string trouble;                // as in StatePoint
  std::string ending;                 // why the run ended: reached_the_end, "interrupted", ...
  std::vector<BrokenJoint> broken{};  // as in StatePoint
};

/// Takes a recording record by record; each call may be left out.
class RecordingVisitor {
 public:
  virtual ~RecordingVisitor() = default;
  virtual void on_header(const RunHeader&) {}
  virtual void on_revision(const Revision&) {}
  virtual void on_input(const InputRecord&) {}
  virtual void on_frame(const Frame&) {}
  virtual void on_state(const StatePoint&) {}
  virtual void on_summary(const RunSummary&) {}
};

// --- names and units of the numbers above, for tables, HDF5, CSV and reports
struct CertificateField {
  const char* name;
  const char* unit;
  double Certificate::*member;
};
inline constexpr CertificateField certificate_fields[] = {
    {"gap", "m", &Certificate::gap},
    {"gap_relative", "1", &Certificate::gap_relative},
    {"joint", "m", &Certificate::joint},
    {"cone", "1", &Certificate::cone},
    {"complementarity", "J", &Certificate::complementarity},
    {"complementarity_relative", "1", &Certificate::complementarity_relative},
    {"dissipation", "rad", &Certificate::dissipation},
    {"natural_map", "1", &Certificate::natural_map},
    {"natural_map_scaled", "1", &Certificate::natural_map_scaled},
    {"impact", "1", &Certificate::impact},
    {"body", "1", &Certificate::body},
    {"momentum", "1", &Certificate::momentum},
    {"energy", "1", &Certificate::energy},
};
struct TallyField {
  const char* name;
  std::int64_t Tally::*member;
};
inline constexpr TallyField tally_fields[] = {
    {"steps", &Tally::steps},
    {"unconverged", &Tally::unconverged},
    {"refused", &Tally::refused},
    {"iterations", &Tally::iterations},
    {"factorisations", &Tally::factorisations},
    {"escalations", &Tally::escalations},
    {"contacts", &Tally::contacts},
    {"islands", &Tally::islands},
    {"geometry_passes", &Tally::geometry_passes},
    {"stabilised", &Tally::stabilised},
    {"start_frames", &Tally::start_frames},
    {"divided", &Tally::divided},
    {"impacts", &Tally::impacts},
    {"lowered_impacts", &Tally::lowered_impacts},
    {"stopped_impacts", &Tally::stopped_impacts},
    {"lasting", &Tally::lasting},
};
struct LedgerField {
  const char* name;
  const char* unit;
  double LedgerRow::*member;
};
inline constexpr LedgerField ledger_fields[] = {
    {"kinetic", "J", &LedgerRow::kinetic},
    {"gravity_potential", "J", &LedgerRow::gravity_potential},
    {"spring_potential", "J", &LedgerRow::spring_potential},
    {"pair_potential", "J", &LedgerRow::pair_potential},
    {"imbalance", "J", &LedgerRow::imbalance},
    {"scale", "J", &LedgerRow::scale},
    {"momentum_imbalance", "kg m/s", &LedgerRow::momentum_imbalance},
    {"angular_momentum_imbalance", "kg m^2/s", &LedgerRow::angular_momentum_imbalance},
};

}  // namespace stiction
