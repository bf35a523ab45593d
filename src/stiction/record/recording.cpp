#include "stiction/record/recording.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "stiction/base/text.h"
#include "stiction/record/hdf5.h"

namespace stiction {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Fills a Recording; when it grows beyond the limit every second frame goes, and from then on only every
/// 2^k-th is taken. Tallies of dropped frames are added to the next one that is kept, so no step is
/// forgotten.
class Loader : public RecordingVisitor {
 public:
  Loader(Recording& out, std::size_t memory) : out_(out), memory_(memory) {}

  void on_header(const RunHeader& x) override { out_.header = x; }
  void on_revision(const Revision& x) override {
    out_.revisions.push_back(x);
    if (x.bodies.size() > out_.stride) widen(x.bodies.size());
  }
  void on_summary(const RunSummary& x) override { out_.summary = x; }
  void on_frame(const Frame& x) override {
    if (std::size_t(x.revision) >= out_.revisions.size() || x.position.size() > out_.stride ||
        !has_coordinates_of(x, out_.revisions[std::size_t(x.revision)])) {
      consistent = false;
      return;
    }
    std::array<std::int64_t, 4> counts{};
    for (const Contact& c : x.contacts)
      if (std::size_t(c.state) < counts.size()) ++counts[std::size_t(c.state)];
    take(x, counts);
  }
  /// A frame whose contacts are counted elsewhere.
  void take(const Frame& x, const std::array<std::int64_t, 4>& counts) {
    pending_.add(x.since);
    last_ = x;
    counts_ = counts;
    last_kept_ = count_++ % std::size_t(out_.thinning) == 0;
    if (last_kept_) keep(x);
  }
  /// The last frame is always kept: it is what the run came to.
  void finish() {
    if (count_ > 0 && !last_kept_) keep(last_);
  }

  const std::array<std::int64_t, 4>& counts() const { return counts_; }  // of the last frame

  bool consistent = true;  // the frames agree with the revisions

 private:
  static bool has_coordinates_of(const Frame& x, const Revision& revision) {
    return std::ptrdiff_t(x.joint_position.size()) == revision.joint_positions &&
           std::ptrdiff_t(x.joint_velocity.size()) == revision.joint_velocities &&
           x.reaction_force.size() == revision.reactions.size();
  }

  void keep(const Frame& x) {
    // by the numbers that are there: what a revision says of them may be damaged
    widen_joints(x.joint_position.size(), out_.positions, out_.joint_position);
    widen_joints(x.joint_velocity.size(), out_.velocities, out_.joint_velocity);
    widen_joints(x.reaction_force.size(), out_.reactions, out_.reaction_force, out_.reaction_torque);
    out_.time.push_back(x.time);
    out_.step.push_back(x.step);
    out_.revision.push_back(x.revision);
    out_.hash.push_back(x.hash);
    out_.since.push_back(pending_);
    pending_ = {};
    out_.ledger.push_back(x.ledger);
    const auto row = [&](auto& column, const auto& values, auto none) {
      column.insert(column.end(), values.begin(), values.end());
      column.resize(out_.frames() * out_.stride, none);
    };
    row(out_.position, x.position, Vec3{nan, nan, nan});
    row(out_.orientation, x.orientation, Quat{nan, nan, nan, nan});
    row(out_.velocity, x.velocity, Vec3{nan, nan, nan});
    row(out_.spin, x.spin, Vec3{nan, nan, nan});
    row(out_.alive, x.alive, static_cast<unsigned char>(0));
    const auto coordinates = [&](auto& column, const auto& values, std::size_t width) {
      column.insert(column.end(), values.begin(), values.end());
      column.resize(out_.frames() * width, none_of(column));
    };
    coordinates(out_.joint_position, x.joint_position, out_.positions);
    coordinates(out_.joint_velocity, x.joint_velocity, out_.velocities);
    coordinates(out_.reaction_force, x.reaction_force, out_.reactions);
    coordinates(out_.reaction_torque, x.reaction_torque, out_.reactions);
    out_.contacts.insert(out_.contacts.end(), x.contacts.begin(), x.contacts.end());
    out_.contact_start.push_back(out_.contacts.size());
    out_.contact_count.push_back(counts_);
    const std::size_t per_body = 3 * sizeof(Vec3) + sizeof(Quat) + 1;
    const std::size_t per_joints = (out_.positions + out_.velocities + 6 * out_.reactions) * sizeof(double);
    const std::size_t used =
        out_.frames() * (out_.stride * per_body + per_joints + sizeof(Tally) + sizeof(LedgerRow)) +
        out_.contacts.size() * sizeof(Contact);
    if (used > memory_ && out_.frames() > 8) thin();
  }

  static double none_of(const std::vector<double>&) { return nan; }
  static Vec3 none_of(const std::vector<Vec3>&) { return {nan, nan, nan}; }

  template <class... Columns>
  void widen_joints(std::size_t needed, std::size_t& width, Columns&... columns) {
    if (needed <= width) return;
    const auto wider = [&](auto& column) {
      std::remove_reference_t<decltype(column)> next(out_.frames() * needed, none_of(column));
      for (std::size_t f = 0; f < out_.frames(); ++f)
        std::copy_n(column.begin() + std::ptrdiff_t(f * width), width,
                    next.begin() + std::ptrdiff_t(f * needed));
      column = std::move(next);
    };
    (wider(columns), ...);
    width = needed;
  }

  void widen(std::size_t stride) {
    const auto wider = [&](auto& column, auto none) {
      std::remove_reference_t<decltype(column)> next(out_.frames() * stride, none);
      for (std::size_t f = 0; f < out_.frames(); ++f)
        std::copy_n(column.begin() + std::ptrdiff_t(f * out_.stride), out_.stride,
                    next.begin() + std::ptrdiff_t(f * stride));
      column = std::move(next);
    };
    wider(out_.position, Vec3{nan, nan, nan});
    wider(out_.orientation, Quat{nan, nan, nan, nan});
    wider(out_.velocity, Vec3{nan, nan, nan});
    wider(out_.spin, Vec3{nan, nan, nan});
    wider(out_.alive, static_cast<unsigned char>(0));
    out_.stride = stride;
  }

  /// Keeps frames 0, 2, 4, ...; the tally of a dropped one goes to the frame after it.
  void thin() {
    const std::size_t n = out_.frames(), kept = (n + 1) / 2;
    if (n % 2 == 0) {
      pending_ = out_.since.back();
      last_kept_ = false;
    }
    for (std::size_t k = 1; k < kept; ++k) {
      Tally both = out_.since[2 * k - 1];
      both.add(out_.since[2 * k]);
      out_.since[k] = both;
    }
    const auto halve = [&](auto& column, std::size_t width) {
      for (std::size_t k = 1; k < kept; ++k)
        std::copy_n(column.begin() + std::ptrdiff_t(2 * k * width), width,
                    column.begin() + std::ptrdiff_t(k * width));
      column.resize(kept * width);
    };
    out_.since.resize(kept);
    std::size_t end = 0;
    for (std::size_t k = 0; k < kept; ++k) {
      const std::size_t from = out_.contact_start[2 * k], to = out_.contact_start[2 * k + 1];
      std::copy(out_.contacts.begin() + std::ptrdiff_t(from), out_.contacts.begin() + std::ptrdiff_t(to),
                out_.contacts.begin() + std::ptrdiff_t(end));
      out_.contact_start[k] = end;
      end += to - from;
    }
    out_.contacts.resize(end);
    out_.contact_start.resize(kept + 1);
    out_.contact_start[kept] = end;
    halve(out_.time, 1);
    halve(out_.step, 1);
    halve(out_.revision, 1);
    halve(out_.hash, 1);
    halve(out_.contact_count, 1);
    halve(out_.ledger, 1);
    halve(out_.position, out_.stride);
    halve(out_.orientation, out_.stride);
    halve(out_.velocity, out_.stride);
    halve(out_.spin, out_.stride);
    halve(out_.alive, out_.stride);
    halve(out_.joint_position, out_.positions);
    halve(out_.joint_velocity, out_.velocities);
    halve(out_.reaction_force, out_.reactions);
    halve(out_.reaction_torque, out_.reactions);
    out_.thinning *= 2;
  }

  Recording& out_;
  std::size_t memory_;
  std::size_t count_ = 0;  // frames seen
  Tally pending_;          // of frames not kept
  Frame last_;
  std::array<std::int64_t, 4> counts_{};  // of last_
  bool last_kept_ = false;
};

/// Collects the peaks of reactions, frame by frame.
class PeakFinder {
 public:
  explicit PeakFinder(std::vector<JointPeak>& out) : out_(out) {}
  void on_revision(const std::vector<ReactionInfo>& reactions) {
    place_.clear();
    for (const ReactionInfo& c : reactions) {
      const auto [found, fresh] = known_.emplace(c.name, out_.size());
      if (fresh) out_.push_back({.name = c.name, .kind = c.kind});
      place_.push_back(found->second);
    }
  }
  void on_frame(double time, const Vec3* force, const Vec3* torque) {
    for (std::size_t c = 0; c < place_.size(); ++c) {
      JointPeak& peak = out_[place_[c]];
      if (norm(force[c]) > peak.force) peak.force = norm(force[c]), peak.force_time = time;
      if (norm(torque[c]) > peak.torque) peak.torque = norm(torque[c]), peak.torque_time = time;
    }
  }

 private:
  std::vector<JointPeak>& out_;
  std::map<std::string, std::size_t> known_;
  std::vector<std::size_t> place_;  // of the joints of the revision
};

/// Hands everything to one loader, to another one the bodies that curves are of, to a third the frames
/// chosen.
class Digester : public RecordingVisitor {
 public:
  Digester(RecordingDigest& out, const DigestSettings& settings)
      : scenes(out.scenes, settings.scene_memory),
        curves(out.curves, settings.curve_memory),
        chosen(out.chosen, std::numeric_limits<std::size_t>::max()),
        plot_(settings.plot),
        peaks_(out.peaks),
        at_(settings.at) {}

  void on_header(const RunHeader& x) override {
    for (Loader* l : {&scenes, &curves, &chosen}) l->on_header(x);
    if (!plot_.empty()) return;
    if (const Result<RunSetup> setup = read_setup(x.settings, "")) plot_ = setup.value().plot;
  }
  void on_revision(const Revision& x) override {
    scenes.on_revision(x);
    chosen.on_revision(x);
    peaks_.on_revision(x.reactions);
    Revision few = x;
    few.bodies.clear();
    few.scene_text.clear();
    std::vector<std::size_t>& rows = rows_.emplace_back();
    for (std::size_t b = 0; b < x.bodies.size(); ++b)
      if (is_wanted(x.bodies[b].name)) rows.push_back(b), few.bodies.push_back(x.bodies[b]);
    with_joints_.push_back(
        std::any_of(x.joints.begin(), x.joints.end(), [&](const JointInfo& j) { return is_wanted(j.name); }));
    if (!with_joints_.back()) few.joints.clear(), few.joint_positions = few.joint_velocities = 0;
    std::vector<std::size_t>& reactions = reactions_.emplace_back();
    few.reactions.clear();
    for (std::size_t c = 0; c < x.reactions.size(); ++c)
      if (is_wanted(x.reactions[c].name)) reactions.push_back(c), few.reactions.push_back(x.reactions[c]);
    curves.on_revision(few);
  }
  void on_frame(const Frame& x) override {
    scenes.on_frame(x);
    if (!scenes.consistent) return;
    peaks_.on_frame(x.time, x.reaction_force.data(), x.reaction_torque.data());
    choose(x);
    few_.time = x.time, few_.step = x.step, few_.revision = x.revision, few_.hash = x.hash;
    few_.since = x.since, few_.ledger = x.ledger;
    const std::vector<std::size_t>& rows = rows_[std::size_t(x.revision)];
    if (!rows.empty() && rows.back() >= x.position.size()) {
      scenes.consistent = false;
      return;
    }
    const auto pick_of = [](const std::vector<std::size_t>& wanted, auto& to, const auto& from) {
      to.clear();
      for (const std::size_t i : wanted) to.push_back(from[i]);
    };
    const auto pick = [&](auto& to, const auto& from) { pick_of(rows, to, from); };
    pick(few_.position, x.position);
    pick(few_.orientation, x.orientation);
    pick(few_.velocity, x.velocity);
    pick(few_.spin, x.spin);
    pick(few_.alive, x.alive);
    const std::vector<std::size_t>& reactions = reactions_[std::size_t(x.revision)];
    pick_of(reactions, few_.reaction_force, x.reaction_force);
    pick_of(reactions, few_.reaction_torque, x.reaction_torque);
    few_.joint_position.clear(), few_.joint_velocity.clear();
    if (with_joints_[std::size_t(x.revision)])
      few_.joint_position = x.joint_position, few_.joint_velocity = x.joint_velocity;
    curves.take(few_, scenes.counts());
  }
  void on_summary(const RunSummary& x) override {
    for (Loader* l : {&scenes, &curves, &chosen}) l->on_summary(x);
  }
  /// Times after the last frame stand for it.
  void finish() {
    if (next_ < at_.size() && last_ && chosen_step_ != last_->step) chosen.on_frame(*last_);
  }

  Loader scenes, curves, chosen;

 private:
  void choose(const Frame& x) {
    if (at_.empty()) return;
    bool wanted = false;
    for (; next_ < at_.size() && is_at_or_after(x.time, at_[next_]); ++next_) wanted = true;
    if (wanted) chosen.on_frame(x), chosen_step_ = x.step;
    if (next_ < at_.size()) last_ = x;
  }
  bool is_wanted(const std::string& thing) const {
    return std::any_of(plot_.begin(), plot_.end(), [&](const std::string& curve) {
      const auto starts = [&](std::string_view text) {
        return text.size() > thing.size() && text[thing.size()] == '.' && text.starts_with(thing);
      };
      return starts(curve) ||
             (curve.starts_with(joint_prefix) && starts(std::string_view(curve).substr(joint_prefix.size())));
    });
  }
  std::vector<std::string> plot_;
  std::vector<std::vector<std::size_t>> rows_;       // per revision: which bodies
  std::vector<std::vector<std::size_t>> reactions_;  // per revision: of which joints
  std::vector<bool> with_joints_;                    // per revision: a curve is of a joint
  Frame few_;
  PeakFinder peaks_;
  std::vector<double> at_;
  std::size_t next_ = 0;  // of at_
  std::int64_t chosen_step_ = -1;
  std::optional<Frame> last_;
};

}  // namespace

Result<JournalEnding> visit_recording(const std::string& path, RecordingVisitor& visitor) {
  return is_hdf5(path) ? visit_hdf5(path, visitor) : visit_journal(path, visitor);
}

namespace {

/// What is left to do when all records are read.
Result<bool> complete(Recording& out, const std::string& path, const Result<JournalEnding>& ending,
                      Loader& loader) {
  if (!ending) return ending.mistakes();
  out.path = path;
  out.ending = ending.value();
  if (!loader.consistent)
    return Mistake{path, 0, 0, "", "holds frames that do not fit its bodies. Record the run again."};
  loader.finish();
  Result<RunSetup> setup = read_setup(out.header.settings, path);
  if (!setup) return setup.mistakes();
  out.setup = std::move(setup).value();
  return true;
}

}  // namespace

Result<Recording> load_recording(const std::string& path, const LoadSettings& settings) {
  Recording out;
  Loader loader(out, settings.memory);
  const Result<JournalEnding> ending = visit_recording(path, loader);
  if (const Result<bool> done = complete(out, path, ending, loader); !done) return done.mistakes();
  return out;
}

Result<RecordingDigest> digest_recording(const std::string& path, const DigestSettings& settings) {
  RecordingDigest out;
  Digester digester(out, settings);
  const Result<JournalEnding> ending = visit_recording(path, digester);
  if (const Result<bool> done = complete(out.scenes, path, ending, digester.scenes); !done)
    return done.mistakes();
  if (const Result<bool> done = complete(out.curves, path, ending, digester.curves); !done)
    return done.mistakes();
  digester.finish();
  if (const Result<bool> done = complete(out.chosen, path, ending, digester.chosen); !done)
    return done.mistakes();
  return out;
}

bool is_at_or_after(double frame_time, double time) {
  return frame_time >= time - 1e-9 * std::max(1.0, std::fabs(time));
}

std::size_t frame_at(const Recording& r, double time) {
  std::size_t f = 0;
  while (f + 1 < r.frames() && !is_at_or_after(r.time[f], time)) ++f;
  return f;
}

std::vector<JointPeak> joint_peaks(const Recording& r) {
  std::vector<JointPeak> out;
  PeakFinder finder(out);
  int revision = -1;
  for (std::size_t f = 0; f < r.frames(); ++f) {
    if (r.revision[f] != revision)
      finder.on_revision(r.revisions[std::size_t(revision = r.revision[f])].reactions);
    finder.on_frame(r.time[f], r.reaction_force.data() + f * r.reactions,
                    r.reaction_torque.data() + f * r.reactions);
  }
  return out;
}

Tally Recording::total() const {
  if (summary) return summary->total;
  Tally sum;
  for (const Tally& t : since) sum.add(t);
  return sum;
}

}  // namespace stiction
