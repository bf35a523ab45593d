#include "stiction/record/recorder.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/platform/file.h"
#include "stiction/base/text.h"
#include "stiction/record/hdf5.h"
#include "stiction/step/rises.h"

namespace stiction {
namespace {

std::vector<Mistake> check(const RecorderSettings& s) {
  std::vector<Mistake> mistakes;
  if (s.name.empty() || s.name.find('/') != std::string::npos)
    mistakes.push_back({"", 0, 0, "record.name", "the name of a recording is a file name without folders"});
  if (!(s.setup.every >= 0) || !std::isfinite(s.setup.every))
    mistakes.push_back({"", 0, 0, "record.every",
                        "found " + number_text(s.setup.every) + "; give seconds >= 0 (0 = every step)"});
  if (s.setup.parts && s.setup.every != 0)
    mistakes.push_back({"", 0, 0, "record.parts",
                        "found true with every = " + number_text(s.setup.every) +
                            "; parts are recorded with every step: give every = 0"});
  if (s.state_every < 1)
    mistakes.push_back({"", 0, 0, "record.state_every",
                        "found " + std::to_string(s.state_every) + "; give a count of at least 1"});
  if (!(s.state_seconds > 0))
    mistakes.push_back({"", 0, 0, "record.state_seconds",
                        "found " + number_text(s.state_seconds) + "; give seconds above 0"});
  return mistakes;
}

}  // namespace

std::string Recorder::journal_path(const RecorderSettings& s) {
  return join_path(s.folder, s.name + ".journal");
}
std::string Recorder::hdf5_path(const RecorderSettings& s) { return join_path(s.folder, s.name + ".h5"); }

Result<Recorder> Recorder::open(const RecorderSettings& settings) {
  if (std::vector<Mistake> mistakes = check(settings); !mistakes.empty()) return mistakes;
  if (const Result<bool> made = make_folders(settings.folder); !made) return made.mistakes();
  const RunHeader header{recording_format, settings.program, settings.scene_text, to_json(settings.setup)};
  Result<JournalWriter> journal = JournalWriter::create_hidden(journal_path(settings), header);
  if (!journal) return journal.mistakes();
  Recorder out;
  out.settings_ = settings;
  out.journal_ = std::move(journal).value();
  return out;
}

Result<Recorder> Recorder::resume(const RecorderSettings& settings, const ResumePoint& point) {
  if (std::vector<Mistake> mistakes = check(settings); !mistakes.empty()) return mistakes;
  Result<JournalWriter> journal = JournalWriter::resume(journal_path(settings), point.end, point.next_index);
  if (!journal) return journal.mistakes();
  Recorder out;
  out.settings_ = settings;
  out.journal_ = std::move(journal).value();
  out.revisions_ = int(point.revisions.size());
  out.model_revision_ = point.revisions.back().revision;
  out.last_time_ = point.state.time;
  out.last_state_ = point.state.step;
  // A State that has steps pending lies between two frames.
  out.last_frame_ = point.state.pending.steps == 0 ? point.state.step : -1;
  out.total_ = point.state.total;
  out.pending_ = point.state.pending;
  out.trouble_ = point.state.trouble;
  out.broken_ = point.state.broken;
  return out;
}

Result<bool> Recorder::on_revision(const Model& m, const State& x, std::string scene_text) {
  model_revision_ = m.revision;
  ++revisions_;
  return journal_.append(describe(m, x.time, std::move(scene_text)));
}

Result<bool> Recorder::on_start(const Model& m, const State& x) {
  if (const Result<bool> r = on_revision(m, x, settings_.scene_text); !r) return r;
  last_time_ = x.time;
  if (const Result<bool> r = write_frame(m, x, {}); !r) return r;
  if (const Result<bool> r = write_state(x); !r) return r;
  return journal_.publish();
}

/// Frames lie at the first state at or after each multiple of `every`; 1e-6 of it absorbs the rounding of
/// time.
bool Recorder::frame_due(double time) const {
  const double every = settings_.setup.every;
  if (every <= 0) return true;
  return std::floor(time / every + 1e-6) > std::floor(last_time_ / every + 1e-6);
}

Result<bool> Recorder::on_step(const Model& m, const State& x, const StepReport& report,
                               std::span<const Contact> contacts, const Input& input) {
  total_.add(report, x.ledger);
  pending_.add(report, x.ledger);
  if (!report.converged) note_trouble(m, x, report);
  if (trouble_.empty()) note_rise(m, x);
  if (report.status == StepReport::Status::refused) {
    part_count_ = 0;
    return true;
  }
  if (report.broken_joints > 0) note_broken(m, x);

  if (m.revision != model_revision_)
    if (const Result<bool> r = on_revision(m, x, ""); !r) return r;
  if (!input.empty())
    if (const Result<bool> r = journal_.append(InputRecord{x.step_count, input.wrenches, input.joints}); !r)
      return r;
  if (const Result<bool> r = write_parts(); !r) return r;
  if (frame_due(x.time))
    if (const Result<bool> r = write_frame(m, x, contacts); !r) return r;
  last_time_ = x.time;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_state_wall_;
  if (x.step_count - last_state_ >= settings_.state_every || since.count() >= settings_.state_seconds)
    return write_state(x);
  return true;
}

void Recorder::note_trouble(const Model& m, const State& x, const StepReport& report) {
  const bool refused = report.status == StepReport::Status::refused;
  const bool told = trouble_.find("was refused") != std::string::npos;
  if (!trouble_.empty() && (!refused || told)) return;
  const auto body = [&](int i) {
    return i >= 0 && i < m.body_count() ? m.body_name[std::size_t(i)] : std::string();
  };
  if (!trouble_.empty()) trouble_ += "; ";  // what ended the run is told, too
  trouble_ += "at " + number_text(x.time) + " s a step " + (refused ? "was refused" : "missed the tolerance");
  if (report.reason[0] != '\0') trouble_ += std::string(": ") + report.reason;
  const std::string a = body(report.worst_body_a), b = body(report.worst_body_b);
  if (!a.empty()) trouble_ += " (" + a + (b.empty() ? "" : ", " + b) + ")";
  if (report.digits_body >= 0 && report.digits_body != report.worst_body_a)
    trouble_ += "; digits: " + body(report.digits_body) + " bears more than doubles can tell";
}

void Recorder::note_rise(const Model& m, const State& x) {
  const std::string found = step::rise_in_words(m, x, settings_.setup.run);
  if (!found.empty()) trouble_ = "at " + number_text(x.time) + " s " + found;
}

void Recorder::note_broken(const Model& m, const State& x) {
  for (std::size_t j = 0; j < x.joint_broken.size(); ++j) {
    const std::string& name = m.scene.joints[std::size_t(m.mechanisms.constraint[j].joint)].name;
    const auto known = [&](const BrokenJoint& b) { return b.joint == name; };
    if (x.joint_broken[j] && std::none_of(broken_.begin(), broken_.end(), known))
      broken_.push_back({x.time, name});
  }
}

void Recorder::fill_frame(const Model& m, const State& x, std::span<const Contact> contacts, Frame& out) {
  out.time = x.time;
  out.step = x.step_count;
  out.revision = revisions_ - 1;
  out.hash = x.hash();
  out.ledger = ledger_row(x.ledger);
  out.position = x.position;
  out.orientation = x.orientation;
  out.velocity = x.velocity;
  out.spin = x.spin;
  out.alive = x.alive;
  out.joint_position = x.joint_position;
  out.joint_velocity = x.joint_velocity;
  out.reaction_force.clear(), out.reaction_torque.clear();
  if (places_revision_ != m.revision) places_ = joints_with_reactions(m), places_revision_ = m.revision;
  for (const ReactionPlace& place : places_) {
    const JointReaction r = reaction_of(m, x, place, reaction_scratch_);
    out.reaction_force.push_back(r.force), out.reaction_torque.push_back(r.torque);
  }
  out.contacts.assign(contacts.begin(), contacts.end());
}

void Recorder::on_part(const Model& m, const State& x, std::span<const Contact> contacts) {
  if (!settings_.setup.parts) return;
  if (parts_.size() == part_count_) parts_.emplace_back();
  fill_frame(m, x, contacts, parts_[part_count_++]);
}

Result<bool> Recorder::write_parts() {
  for (std::size_t i = 0; i < part_count_; ++i) {
    parts_[i].revision = revisions_ - 1;  // an edit before the step is written by now
    if (const Result<bool> r = journal_.append(parts_[i]); !r) return r;
  }
  part_count_ = 0;
  return true;
}

Result<bool> Recorder::write_frame(const Model& m, const State& x, std::span<const Contact> contacts) {
  fill_frame(m, x, contacts, frame_);
  frame_.since = pending_;
  pending_ = {};
  last_frame_ = x.step_count;
  return journal_.append(frame_);
}

Result<bool> Recorder::write_state(const State& x) {
  point_.time = x.time;
  point_.step = x.step_count;
  point_.revision = revisions_ - 1;
  point_.hash = x.hash();
  point_.total = total_;
  point_.pending = pending_;
  point_.trouble = trouble_;
  point_.broken = broken_;
  point_.bytes.clear();
  save(x, point_.bytes);
  last_state_ = x.step_count;
  last_state_wall_ = std::chrono::steady_clock::now();
  return journal_.append(point_);
}

Result<RecordedFiles> Recorder::finish(const Model& m, const State& x, std::span<const Contact> contacts,
                                       double wall_seconds, std::string ending) {
  if (m.revision != model_revision_)
    if (const Result<bool> r = on_revision(m, x, ""); !r) return r.mistakes();
  // The State goes before a frame that is not due: a longer run that goes on from here drops that frame, and
  // has the same frames as if it had been started longer.
  if (last_state_ != x.step_count)
    if (const Result<bool> r = write_state(x); !r) return r.mistakes();
  if (last_frame_ != x.step_count)
    if (const Result<bool> r = write_frame(m, x, contacts); !r) return r.mistakes();
  RecordedFiles files{journal_path(settings_), hdf5_path(settings_), {}};
  files.summary = {x.time, x.step_count, x.hash(),          wall_seconds,
                   total_, trouble_,     std::move(ending), broken_};
  if (const Result<bool> r = journal_.append(files.summary); !r) return r.mistakes();
  if (const Result<bool> r = journal_.sync(); !r) return r.mistakes();
  if (const Result<JournalEnding> r = write_hdf5(files.journal, files.hdf5); !r) return r.mistakes();
  return files;
}

}  // namespace stiction
