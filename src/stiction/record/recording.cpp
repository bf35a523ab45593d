#include "stiction/record/recording.h"

#include <algorithm>
#include <cmath>
#include <set>

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
    std::array<std::int64_t, 3> counts{};
    for (const Contact& c : x.contacts)
      if (std::size_t(c.state) < counts.size()) ++counts[std::size_t(c.state)];
    take(x, counts);
  }
  /// A frame whose contacts are counted elsewhere.
  void take(const Frame& x, const std::array<std::int64_t, 3>& counts) {
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

  const std::array<std::int64_t, 3>& counts() const { return counts_; }  // of the last frame

  bool consistent = true;  // the frames agree with the revisions

 private:
  static bool has_coordinates_of(const Frame& x, const Revision& revision) {
    return std::ptrdiff_t(x.joint_position.size()) == revision.joint_positions &&
           std::ptrdiff_t(x.joint_velocity.size()) == revision.joint_velocities;
  }

  void keep(const Frame& x) {
    // by the numbers that are there: what a revision says of them may be damaged
    widen_joints(x.joint_position.size(), out_.positions, out_.joint_position);
    widen_joints(x.joint_velocity.size(), out_.velocities, out_.joint_velocity);
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
    const auto coordinates = [&](std::vector<double>& column, const std::vector<double>& values,
                                 std::size_t width) {
      column.insert(column.end(), values.begin(), values.end());
      column.resize(out_.frames() * width, nan);
    };
    coordinates(out_.joint_position, x.joint_position, out_.positions);
    coordinates(out_.joint_velocity, x.joint_velocity, out_.velocities);
    out_.contacts.insert(out_.contacts.end(), x.contacts.begin(), x.contacts.end());
    out_.contact_start.push_back(out_.contacts.size());
    out_.contact_count.push_back(counts_);
    const std::size_t per_body = 3 * sizeof(Vec3) + sizeof(Quat) + 1;
    const std::size_t per_joints = (out_.positions + out_.velocities) * sizeof(double);
    const std::size_t used =
        out_.frames() * (out_.stride * per_body + per_joints + sizeof(Tally) + sizeof(LedgerRow)) +
        out_.contacts.size() * sizeof(Contact);
    if (used > memory_ && out_.frames() > 8) thin();
  }

  void widen_joints(std::size_t needed, std::size_t& width, std::vector<double>& column) {
    if (needed <= width) return;
    std::vector<double> next(out_.frames() * needed, nan);
    for (std::size_t f = 0; f < out_.frames(); ++f)
      std::copy_n(column.begin() + std::ptrdiff_t(f * width), width,
                  next.begin() + std::ptrdiff_t(f * needed));
    column = std::move(next), width = needed;
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
    out_.thinning *= 2;
  }

  Recording& out_;
  std::size_t memory_;
  std::size_t count_ = 0;  // frames seen
  Tally pending_;          // of frames not kept
  Frame last_;
  std::array<std::int64_t, 3> counts_{};  // of last_
  bool last_kept_ = false;
};

/// Hands everything to one loader, and to another one the bodies that curves are of.
class Digester : public RecordingVisitor {
 public:
  Digester(RecordingDigest& out, const DigestSettings& settings)
      : scenes(out.scenes, settings.scene_memory),
        curves(out.curves, settings.curve_memory),
        plot_(settings.plot) {}

  void on_header(const RunHeader& x) override {
    scenes.on_header(x);
    curves.on_header(x);
    if (!plot_.empty()) return;
    if (const Result<RunSetup> setup = read_setup(x.settings, "")) plot_ = setup.value().plot;
  }
  void on_revision(const Revision& x) override {
    scenes.on_revision(x);
    Revision few = x;
    few.bodies.clear();
    few.scene_text.clear();
    std::vector<std::size_t>& rows = rows_.emplace_back();
    for (std::size_t b = 0; b < x.bodies.size(); ++b)
      if (is_wanted(x.bodies[b].name)) rows.push_back(b), few.bodies.push_back(x.bodies[b]);
    with_joints_.push_back(
        std::any_of(x.joints.begin(), x.joints.end(), [&](const JointInfo& j) { return is_wanted(j.name); }));
    if (!with_joints_.back()) few.joints.clear(), few.joint_positions = few.joint_velocities = 0;
    curves.on_revision(few);
  }
  void on_frame(const Frame& x) override {
    scenes.on_frame(x);
    if (!scenes.consistent) return;
    few_.time = x.time, few_.step = x.step, few_.revision = x.revision, few_.hash = x.hash;
    few_.since = x.since, few_.ledger = x.ledger;
    const std::vector<std::size_t>& rows = rows_[std::size_t(x.revision)];
    if (!rows.empty() && rows.back() >= x.position.size()) {
      scenes.consistent = false;
      return;
    }
    const auto pick = [&](auto& to, const auto& from) {
      to.clear();
      for (const std::size_t b : rows) to.push_back(from[b]);
    };
    pick(few_.position, x.position);
    pick(few_.orientation, x.orientation);
    pick(few_.velocity, x.velocity);
    pick(few_.spin, x.spin);
    pick(few_.alive, x.alive);
    few_.joint_position.clear(), few_.joint_velocity.clear();
    if (with_joints_[std::size_t(x.revision)])
      few_.joint_position = x.joint_position, few_.joint_velocity = x.joint_velocity;
    curves.take(few_, scenes.counts());
  }
  void on_summary(const RunSummary& x) override {
    scenes.on_summary(x);
    curves.on_summary(x);
  }

  Loader scenes, curves;

 private:
  bool is_wanted(const std::string& body) const {
    return std::any_of(plot_.begin(), plot_.end(), [&](const std::string& curve) {
      return curve.size() > body.size() && curve[body.size()] == '.' &&
             curve.compare(0, body.size(), body) == 0;
    });
  }
  std::vector<std::string> plot_;
  std::vector<std::vector<std::size_t>> rows_;  // per revision: which bodies
  std::vector<bool> with_joints_;               // per revision: a curve is of a joint
  Frame few_;
};

struct Quantity {
  const char* name;
  const char* unit;
  const char* components;  // one letter each; empty = a single number
};
constexpr Quantity quantities[] = {{"position", "m", "xyz"}, {"velocity", "m/s", "xyz"},
                                   {"spin", "rad/s", "xyz"}, {"orientation", "1", "wxyz"},
                                   {"speed", "m/s", ""},     {"height", "m", ""}};

double value_of(const Recording& r, const Quantity& q, std::size_t component, std::size_t i) {
  const std::string name = q.name;
  if (name == "position") return r.position[i][int(component)];
  if (name == "velocity") return r.velocity[i][int(component)];
  if (name == "spin") return r.spin[i][int(component)];
  if (name == "speed") return norm(r.velocity[i]);
  if (name == "height") return r.position[i].z;
  const Quat& o = r.orientation[i];
  return component == 0 ? o.w : component == 1 ? o.x : component == 2 ? o.y : o.z;
}

/// Names may hold dots, so the name is the longest of a list that is followed by a dot.
template <class Info>
std::string first_part(const Recording& r, std::vector<Info> Revision::*list, const std::string& name) {
  std::string best;
  for (const Revision& revision : r.revisions)
    for (const Info& x : revision.*list)
      if (x.name.size() > best.size() && name.size() > x.name.size() && name[x.name.size()] == '.' &&
          name.compare(0, x.name.size(), x.name) == 0)
        best = x.name;
  return best;
}

std::string hint(const std::string& word, const std::vector<std::string>& names) {
  const std::string nearest = did_you_mean(word, names);
  return nearest.empty() ? "." : nearest;
}

Mistake unknown_body(const Recording& r, const std::string& name) {
  std::set<std::string> unique;
  for (const Revision& revision : r.revisions)
    for (const BodyInfo& b : revision.bodies) unique.insert(b.name);
  const std::vector<std::string> names(unique.begin(), unique.end());
  std::set<std::string> joints;
  for (const Revision& revision : r.revisions)
    for (const JointInfo& j : revision.joints) joints.insert(j.name);
  std::vector<std::string> all = names;
  all.insert(all.end(), joints.begin(), joints.end());
  std::string body = name;
  for (const Quantity& q : quantities)
    if (const std::size_t at = name.find(std::string(".") + q.name); at != std::string::npos)
      body = name.substr(0, at);
  return {r.path, 0, 0, "record.plot",
          "\"" + name + "\": there is no body" + (joints.empty() ? "" : " or joint") + " \"" + body + "\"" +
              hint(body, all) + " A curve is named BODY.QUANTITY" +
              (joints.empty() ? "" : " or JOINT.QUANTITY") + ", for example \"" +
              (names.empty() ? "ball" : names.front()) + ".position.z\"" +
              (joints.empty() ? "" : " or \"" + *joints.begin() + ".position\"") + "."};
}

/// Curves of a joint: "hinge.position", "ball.velocity.1".
Result<std::vector<Trajectory>> joint_trajectories(const Recording& r, const std::string& joint,
                                                   const std::string& name) {
  std::string rest = name.substr(joint.size() + 1), wanted;
  if (const std::size_t dot = rest.find('.'); dot != std::string::npos)
    wanted = rest.substr(dot + 1), rest.resize(dot);
  const auto mistake = [&](const std::string& words) {
    return Mistake{r.path, 0, 0, "record.plot", "\"" + name + "\": " + words};
  };
  const bool velocity = rest == "velocity";
  if (!velocity && rest != "position")
    return mistake("a joint has no \"" + rest + "\"" + hint(rest, {"position", "velocity"}) +
                   " Known are position and velocity.");
  std::vector<const JointInfo*> by_revision;
  const JointInfo* any = nullptr;
  for (const Revision& revision : r.revisions) {
    const auto found = std::find_if(revision.joints.begin(), revision.joints.end(),
                                    [&](const JointInfo& j) { return j.name == joint; });
    by_revision.push_back(found == revision.joints.end() ? nullptr : &*found);
    if (any == nullptr) any = by_revision.back();
  }
  if (any == nullptr) return mistake("there is no joint \"" + joint + "\".");
  const int count = velocity ? any->velocities() : any->positions();
  std::vector<std::string> known;
  for (int c = 0; c < count; ++c) known.push_back(component_of(*any, velocity, c));
  if (count == 0) return mistake("a fixed joint has no coordinates.");
  if (!wanted.empty() && std::find(known.begin(), known.end(), wanted) == known.end())
    return mistake(rest + " has no component \"" + wanted + "\"; its components are " + word_list(known) +
                   ".");
  std::vector<Trajectory> out;
  for (int c = 0; c < count; ++c) {
    if (!wanted.empty() && known[std::size_t(c)] != wanted) continue;
    Trajectory t{
        joint + "." + rest + (count == 1 ? "" : "." + known[std::size_t(c)]), unit_of(*any, velocity, c), {}};
    for (std::size_t f = 0; f < r.frames(); ++f) {
      const JointInfo* j = by_revision[std::size_t(r.revision[f])];
      t.value.push_back(j == nullptr || j->kind != any->kind ? nan
                        : velocity ? r.joint_velocity[f * r.velocities + std::size_t(j->velocity_begin + c)]
                                   : r.joint_position[f * r.positions + std::size_t(j->position_begin + c)]);
    }
    out.push_back(std::move(t));
  }
  return out;
}

/// Per frame the column of the body's number, or -1 where there is no such body.
std::vector<int> rows_of(const Recording& r, const std::string& body) {
  std::vector<int> by_revision;
  for (const Revision& revision : r.revisions) {
    const auto found = std::find_if(revision.bodies.begin(), revision.bodies.end(),
                                    [&](const BodyInfo& b) { return b.name == body; });
    by_revision.push_back(found == revision.bodies.end() ? -1 : int(found - revision.bodies.begin()));
  }
  return by_revision;
}

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
  return out;
}

Tally Recording::total() const {
  if (summary) return summary->total;
  Tally sum;
  for (const Tally& t : since) sum.add(t);
  return sum;
}

Result<std::vector<Trajectory>> trajectories(const Recording& r, const std::string& name) {
  const std::string body = first_part(r, &Revision::bodies, name),
                    joint = first_part(r, &Revision::joints, name);
  if (joint.size() > body.size()) return joint_trajectories(r, joint, name);
  if (body.empty()) return unknown_body(r, name);
  std::string rest = name.substr(body.size() + 1), component;
  if (const std::size_t dot = rest.find('.'); dot != std::string::npos) {
    component = rest.substr(dot + 1);
    rest.resize(dot);
  }
  const auto* q = std::find_if(std::begin(quantities), std::end(quantities),
                               [&](const Quantity& x) { return rest == x.name; });
  if (q == std::end(quantities)) {
    std::vector<std::string> names;
    for (const Quantity& x : quantities) names.push_back(x.name);
    return Mistake{r.path, 0, 0, "record.plot",
                   "\"" + name + "\": a body has no \"" + rest + "\"" + hint(rest, names) + " Known are " +
                       word_list(names) + "."};
  }
  const std::string components = q->components;
  if (!component.empty() && (component.size() != 1 || components.find(component) == std::string::npos))
    return Mistake{
        r.path, 0, 0, "record.plot",
        "\"" + name + "\": " + rest + " has no component \"" + component + "\"" +
            (components.empty() ? "; it is one number." : "; its components are " + components + ".")};

  const std::vector<int> rows = rows_of(r, body);
  std::vector<Trajectory> out;
  for (std::size_t c = 0; c < std::max<std::size_t>(1, components.size()); ++c) {
    if (!component.empty() && components[c] != component[0]) continue;
    Trajectory t{
        body + "." + rest + (components.empty() ? "" : std::string(".") + components[c]), q->unit, {}};
    t.value.reserve(r.frames());
    for (std::size_t f = 0; f < r.frames(); ++f) {
      const int row = rows[std::size_t(r.revision[f])];
      t.value.push_back(row < 0 || !r.alive[r.at(f, std::size_t(row))]
                            ? nan
                            : value_of(r, *q, c, r.at(f, std::size_t(row))));
    }
    out.push_back(std::move(t));
  }
  return out;
}

std::vector<Mistake> check_curves(const Model& m, std::span<const std::string> names,
                                  const std::string& file) {
  std::vector<Mistake> mistakes;
  if (names.empty()) return mistakes;
  Recording empty;
  empty.path = file;
  empty.revisions.push_back(describe(m, 0, {}));
  for (const std::string& name : names)
    if (const auto found = trajectories(empty, name); !found)
      for (Mistake mistake : found.mistakes()) {
        mistake.file = file;
        mistakes.push_back(std::move(mistake));
      }
  return mistakes;
}

}  // namespace stiction
