// What a run holds to be recorded: tell it the start, every step, and the end.
//
//   Recorder recorder = Recorder::open({.folder = "out", .name = "ramp", ...}).or_exit();
//   recorder.on_start(model, state);
//   while (...) { step; recorder.on_step(model, state, report, contacts, input); }
//   recorder.finish(model, state, contacts, seconds, "reached the end");
//
// While the run goes on everything is in FOLDER/NAME.journal, which appears (and replaces an earlier one)
// with the first full State, at the end of on_start(); finish() adds FOLDER/NAME.h5. A run that was cut off
// goes on with Recorder::resume(): the recording comes out as if it had never stopped (except for
// wall_seconds, which then is that of the second part).
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "stiction/base/result.h"
#include "stiction/record/frame.h"
#include "stiction/record/journal.h"
#include "stiction/step/reaction.h"
#include "stiction/step/state.h"

namespace stiction {

struct RecorderSettings {
  std::string folder = "out";  // made if missing
  std::string name = "run";    // of the files in it
  RunSetup setup{};            // what was run, and how often to take a frame
  std::string scene_text{};    // self-contained scene
  std::string program{};       // program version
  // A full State is written after so many steps or so much wall time, whichever comes first: a crash loses no
  // more than that. The states, frames and books of the run do not depend on it.
  int state_every = 100;     // [-] steps; > 0
  double state_seconds = 2;  // [s] wall time; > 0, infinity = never for its sake
};

struct RecordedFiles {
  std::string journal;
  std::string hdf5;
  RunSummary summary;
};

class Recorder {
 public:
  static Result<Recorder> open(const RecorderSettings& settings);
  /// Goes on with FOLDER/NAME.journal after `point` (find_resume_point); frames and inputs after it are
  /// dropped.
  static Result<Recorder> resume(const RecorderSettings& settings, const ResumePoint& point);
  static std::string journal_path(const RecorderSettings& settings);
  static std::string hdf5_path(const RecorderSettings& settings);

  /// The state before the first step: bodies, first frame, first full State.
  Result<bool> on_start(const Model& m, const State& x);
  bool follows_parts() const { return settings_.setup.parts; }
  /// After every part of a step but the last, as World::follow_parts() tells of them, where the settings ask
  /// for parts. They are written by on_step().
  void on_part(const Model& m, const State& x, std::span<const Contact> contacts);
  /// After every step, refused ones too. `input` is what this step was given.
  Result<bool> on_step(const Model& m, const State& x, const StepReport& report,
                       std::span<const Contact> contacts, const Input& input = {});
  /// After an edit, for edits that can be told as a scene text; on_step notices the others by itself, but a
  /// run with those cannot be resumed.
  Result<bool> on_revision(const Model& m, const State& x, std::string scene_text);
  /// Last frame, full State, summary; then HDF5 from the journal.
  Result<RecordedFiles> finish(const Model& m, const State& x, std::span<const Contact> contacts,
                               double wall_seconds, std::string ending);

  const Tally& total() const { return total_; }  // of the run so far
  const std::string& trouble() const { return trouble_; }
  const std::vector<BrokenJoint>& broken() const { return broken_; }

 private:
  bool frame_due(double time) const;
  void fill_frame(const Model& m, const State& x, std::span<const Contact> contacts, Frame& out);
  Result<bool> write_parts();
  Result<bool> write_frame(const Model& m, const State& x, std::span<const Contact> contacts);
  Result<bool> write_state(const State& x);
  void note_trouble(const Model& m, const State& x, const StepReport& report);
  void note_rise(const Model& m, const State& x);
  void note_broken(const Model& m, const State& x);

  RecorderSettings settings_;
  JournalWriter journal_;
  int revisions_ = 0;                               // [-] written
  int model_revision_ = -1;                         // number of the last one
  double last_time_ = 0;                            // [s] of the state before
  std::int64_t last_frame_ = -1, last_state_ = -1;  // [-] step counts
  std::chrono::steady_clock::time_point last_state_wall_ = std::chrono::steady_clock::now();
  Tally total_, pending_;
  std::string trouble_;
  std::vector<BrokenJoint> broken_;
  Frame frame_;               // keep their memory
  std::vector<Frame> parts_;  // of the step that is being made
  std::size_t part_count_ = 0;
  std::vector<ReactionPlace> places_;  // of the frame's reactions
  int places_revision_ = -1;           // of the model that they are of
  tree::Kinematics reaction_scratch_;
  StatePoint point_;
};

}  // namespace stiction
