// Recordings, read: record by record (visit_recording), or as columns in memory (load_recording) for reports.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/record/frame.h"
#include "stiction/record/journal.h"

namespace stiction {

/// Reads a journal or an HDF5 recording, whichever the file is. Memory: one record (journal), some rows
/// (HDF5).
Result<JournalEnding> visit_recording(const std::string& path, RecordingVisitor& visitor);

struct LoadSettings {
  std::size_t memory = std::size_t(1) << 30;  // [bytes] of columns; > 0. When the recording is larger, every
                                              // second, fourth, ... frame is kept. Up to 2.5 times as much is
                                              // taken while the columns grow; 9 frames are always kept
};

/// Columns over time. Body b of frame f stands at f * stride + b; where a body does not exist yet or any more
/// its numbers are NaN (orientation too) and alive is 0.
struct Recording {
  std::string path;
  RunHeader header;
  RunSetup setup;
  std::vector<Revision> revisions;
  std::optional<RunSummary> summary;  // none: the run did not come to its end
  JournalEnding ending;
  int thinning = 1;  // [-] frames of the file per frame kept

  std::size_t stride = 0;    // [-] largest number of bodies
  std::vector<double> time;  // [s] per frame
  std::vector<std::int64_t> step;
  std::vector<int> revision;  // index into revisions
  std::vector<std::uint64_t> hash;
  std::vector<Tally> since;  // of the steps since the frame before
  std::vector<LedgerRow> ledger;
  std::vector<Vec3> position, velocity, spin;
  std::vector<Quat> orientation;
  std::vector<unsigned char> alive;
  // coordinates of trees: number c of frame f stands at f * positions + c; NaN where there is none
  std::size_t positions = 0, velocities = 0;           // [-] most of any frame
  std::vector<double> joint_position, joint_velocity;  // [m, rad, quaternions], [m/s, rad/s]
  // reactions of joints: number i of frame f, in the order of Revision::reactions, at f * reactions + i
  std::size_t reactions = 0;                               // [-] most of any frame
  std::vector<Vec3> reaction_force, reaction_torque;       // [N], [N m] on the joint's body, at its point
  std::vector<Contact> contacts;                           // of all frames, one after the other
  std::vector<std::size_t> contact_start{0};               // frames() + 1
  std::vector<std::array<std::int64_t, 4>> contact_count;  // [-] per frame and ContactState

  std::size_t frames() const { return time.size(); }
  std::size_t at(std::size_t frame, std::size_t body) const { return frame * stride + body; }
  std::span<const Contact> contacts_of(std::size_t frame) const {
    return std::span(contacts).subspan(contact_start[frame], contact_start[frame + 1] - contact_start[frame]);
  }
  /// The same bits as World::contact_pairs() and the tables of the file.
  std::vector<ContactPair> pairs_of(std::size_t frame) const {
    return sum_of_pairs(contacts_of(frame), std::span(spin).subspan(at(frame, 0), stride));
  }
  const std::vector<BodyInfo>& bodies(std::size_t frame) const {
    return revisions[std::size_t(revision[frame])].bodies;
  }
  /// The whole run's tally: of the summary, or what the frames say.
  Tally total() const;
};
Result<Recording> load_recording(const std::string& path, const LoadSettings& settings = {});

/// The largest that a joint had to bear, of the frames that were looked at.
struct JointPeak {
  std::string name{};
  std::string kind{};                  // in words
  double force = 0, force_time = 0;    // [N], [s]
  double torque = 0, torque_time = 0;  // [N m], [s]
};
/// In the order in which the joints appeared.
std::vector<JointPeak> joint_peaks(const Recording& recording);

/// What a report needs of a recording of any size, read in one go in bounded memory.
struct RecordingDigest {
  Recording scenes;  // all bodies and contacts, of some frames: first and last, and as many between as fit
  Recording curves;  // of (nearly) every frame, but without contacts, and only the bodies that curves are of,
                     // and the joints
  Recording chosen;  // all bodies and contacts, of the frames at DigestSettings::at
  std::vector<JointPeak> peaks{};  // of every frame
};
struct DigestSettings {
  std::vector<std::string> plot{};                   // names of curves; empty = what the scene asked for
  std::size_t scene_memory = std::size_t(16) << 20;  // [bytes] as LoadSettings::memory; > 0
  std::size_t curve_memory = std::size_t(8) << 20;   // [bytes] the same; some 15,000 frames
  std::vector<double> at{};                          // [s] increasing: which frames are `chosen`
};
/// Reactions of all joints are kept where there are at most so many.
inline constexpr std::size_t most_reaction_curves = 8;
/// The first frame at or after a time [s]; the last if there is none. The recording has frames.
std::size_t frame_at(const Recording& recording, double time);
/// Whether a frame is the first at or after a time: rounding of times is no reason to take the next.
bool is_at_or_after(double frame_time, double time);
Result<RecordingDigest> digest_recording(const std::string& path, const DigestSettings& settings = {});

/// Of names of curves: "joint.hinge.force" is "hinge.force", whatever bodies there are.
inline constexpr std::string_view joint_prefix = "joint.";

/// One curve asked for by name: "ball.0.velocity.x", or all components: "cart.position", "cart.speed".
struct Trajectory {
  std::string label;          // "ball.0.velocity.x"
  std::string unit;           // "m/s"
  std::vector<double> value;  // per frame; NaN where the body does not exist
};
/// Quantities of bodies: position, velocity, spin (.x .y .z, or all three), orientation (.w .x .y .z), speed,
/// height; of joints with coordinates: position, velocity (.0 .1 ... where there are several; .w .x .y .z of
/// a quaternion); of joints that hold by forces: force, torque (.x .y .z, .magnitude, or x, y and z), what
/// the joint did to its body; of the run: certificate.FIELD, ledger.FIELD, booked.CAUSE, solver.FIELD. Where
/// a body and a joint share a name, the body is meant, and "joint.NAME.QUANTITY" is the joint's. Mistake:
/// names the body or quantity that is not there, and the nearest one that is.
Result<std::vector<Trajectory>> trajectories(const Recording& recording, const std::string& name);
/// The mistakes of curves asked for by name before there is a recording: known from the bodies alone. `file`:
/// who asks for them.
std::vector<Mistake> check_curves(const Model& m, std::span<const std::string> names,
                                  const std::string& file);

}  // namespace stiction
