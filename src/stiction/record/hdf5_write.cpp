#include <algorithm>
#include <array>
#include <memory>

#include "stiction/base/hash.h"
#include "stiction/record/detail/encode.h"
#include "stiction/record/detail/hdf5_output.h"
#include "stiction/record/detail/hdf5_tools.h"
#include "stiction/record/hdf5.h"
#include "stiction/record/recording.h"

namespace stiction {
namespace {

using namespace detail;

std::string cause_names() {
  std::string names;
  for (int c = 0; c < cause_count; ++c) names += std::string(c ? " " : "") + name(Cause(c));
  return names;
}

/// Writes records as they come; after the first failure it only waits for the end.
class Hdf5Writer : public RecordingVisitor {
 public:
  /// `most_bodies`: of all revisions to come, so that the chunks of their tables have the right shape.
  Hdf5Writer(Hdf5Output& file, std::size_t most_bodies) : file_(file), bodies_(most_bodies) {
    for (const Slot& s : frame_slots_) columns_.emplace_back(file_.id(), s, 1, false);
    for (const Slot& s : contact_slots_) contact_columns_.emplace_back(file_.id(), s, 1, false);
    for (const Slot& s : pair_slots_) pair_columns_.emplace_back(file_.id(), s, 1, false);
    for (const Slot& s : input_slots_) input_columns_.emplace_back(file_.id(), s, 1, false);
    contact_count_ = std::make_unique<ColumnWriter>(
        file_.id(), Slot{"contacts/per_frame", "1", Number::count, 1, nullptr}, 1, false);
    pair_count_ = std::make_unique<ColumnWriter>(
        file_.id(), Slot{"pairs/per_frame", "1", Number::count, 1, nullptr}, 1, false);
    const Handle booked(H5Dopen2(file_.id(), "ledger/booked", H5P_DEFAULT));
    check(booked && write_attribute(booked.id(), "causes", cause_names()));
  }

  void on_header(const RunHeader& x) override {
    if (!ok_) return;
    check(write_attribute(file_.id(), "kind", std::string("stiction recording")) &&
          write_attribute(file_.id(), "format", std::int64_t(recording_format)) &&
          write_attribute(file_.id(), "program", x.program) &&
          write_text(file_.id(), "scene", x.scene_text) && write_text(file_.id(), "settings", x.settings));
  }

  void on_revision(const Revision& x) override {
    if (!ok_) return;
    const Handle group = make_group(file_.id(), "revisions/" + std::to_string(revisions_++));
    const std::size_t n = x.bodies.size();
    std::vector<std::string> names;
    std::vector<unsigned char> kinds, mobilities, shapes;
    std::vector<std::array<double, 4>> numbers;
    std::vector<std::int64_t> more_count;  // of the shapes that have more numbers
    std::vector<double> more;
    std::vector<double> masses;
    std::vector<Vec3> normals;
    for (const BodyInfo& b : x.bodies) {
      names.push_back(b.name);
      kinds.push_back(b.kind);
      mobilities.push_back(static_cast<unsigned char>(b.mobility));
      const ShapeRecord shape = shape_record(b.shape);
      shapes.push_back(shape.code);
      numbers.push_back(shape.numbers);
      if (shape.code >= first_with_more) {
        more_count.push_back(std::int64_t(shape.more.size()));
        more.insert(more.end(), shape.more.begin(), shape.more.end());
      }
      masses.push_back(b.mass);
      normals.push_back(b.plane_normal);
    }
    check(group && write_attribute(group.id(), "revision", std::int64_t(x.revision)) &&
          write_attribute(group.id(), "time", x.time) &&
          write_table(group.id(), "gravity", Number::real, 3, 0, &x.gravity) &&
          write_text(group.id(), "scene", x.scene_text) && write_names(group.id(), "name", names) &&
          write_table(group.id(), "kind", Number::byte, n, 0, kinds.data()) &&
          write_table(group.id(), "mobility", Number::byte, n, 0, mobilities.data()) &&
          write_table(group.id(), "shape", Number::byte, n, 0, shapes.data()) &&
          write_table(group.id(), "shape_numbers", Number::real, n, 4, numbers.data()) &&
          (more_count.empty() || (write_table(group.id(), "shape_more_count", Number::integer,
                                              more_count.size(), 0, more_count.data()) &&
                                  (more.empty() || write_table(group.id(), "shape_more", Number::real,
                                                               more.size(), 0, more.data())))) &&
          write_table(group.id(), "mass", Number::real, n, 0, masses.data()) &&
          write_table(group.id(), "plane_normal", Number::real, n, 3, normals.data()));
    write_joints(group.id(), x);
    write_places(group.id(), x);
    if (revisions_ == 1) {
      bodies_ = std::max(bodies_, n);
      for (const Slot& s : body_slots(frame_)) body_columns_.emplace_back(file_.id(), s, bodies_, true);
    } else if (n > bodies_) {  // written while it is read
      for (ColumnWriter& c : body_columns_) check(c.widen(n));
      bodies_ = n;
    }
  }

  void on_input(const InputRecord& x) override {
    if (!ok_) return;
    input_step_ = x.step;
    joint_force_ = {};
    for (const InputWrench& w : x.wrenches) {
      wrench_ = w;
      append(input_columns_, input_slots_, 1);
    }
    wrench_ = {};
    for (const InputJointForce& j : x.joints) {
      joint_force_ = j;
      append(input_columns_, input_slots_, 1);
    }
  }

  void on_frame(const Frame& x) override {
    if (!ok_) return;
    frame_ = x;
    append(columns_, frame_slots_, 1);
    append(body_columns_, body_slots(frame_), x.position.size());
    const std::vector<Slot> joints = joint_slots(frame_);
    const std::size_t counts[2] = {x.joint_position.size(), x.joint_velocity.size()};
    for (std::size_t i = 0; ok_ && i < joints.size(); ++i)
      check(joint_columns_[i].append(joints[i].data, counts[i] * sizeof(double)));
    append(reaction_columns_, reaction_slots(frame_), x.reaction_force.size());
    for (const Contact& c : x.contacts) {
      contact_ = c;
      append(contact_columns_, contact_slots_, 1);
    }
    const std::uint64_t count = x.contacts.size();
    check(contact_count_->append(&count, sizeof count));
    append_pairs(x);
    last_hash_ = x.hash;
  }

  void on_state(const StatePoint& x) override { state_ = x; }
  void on_summary(const RunSummary& x) override { summary_ = x; }

  /// Writes what is still held; false when anything failed.
  bool close() {
    const auto all = {&columns_,         &body_columns_, &joint_columns_, &reaction_columns_,
                      &contact_columns_, &pair_columns_, &input_columns_};
    for (auto* columns : all)
      for (ColumnWriter& c : *columns) check(ok_ && c.ok() && c.flush());
    check(ok_ && contact_count_->flush() && pair_count_->flush());
    check(ok_ && write_attribute(file_.id(), "hash", hex(summary_ ? summary_->hash : last_hash_)));
    if (ok_ && state_) write_record("state/last", *state_);
    if (ok_ && summary_) write_summary(*summary_);
    for (auto* columns : all) columns->clear();
    contact_count_.reset(), pair_count_.reset();
    return ok_;
  }

 private:
  void check(bool good) { ok_ = ok_ && good && !file_.failed(); }

  void append(std::vector<ColumnWriter>& columns, const std::vector<Slot>& slots, std::size_t count) {
    if (columns.size() != slots.size()) return check(false);
    for (std::size_t i = 0; ok_ && i < slots.size(); ++i)
      check(columns[i].append(slots[i].data, count * slots[i].width * size_of(slots[i].number)));
  }

  /// Sums that readers could make of the contacts: for other programs.
  void append_pairs(const Frame& x) {
    const std::vector<ContactPair> pairs = sum_of_pairs(x.contacts, x.spin);
    for (const ContactPair& p : pairs) {
      pair_ = p;
      append(pair_columns_, pair_slots_, 1);
    }
    const std::uint64_t count = pairs.size();
    check(pair_count_->append(&count, sizeof count));
  }

  void write_joints(hid_t group, const Revision& x) {
    std::vector<std::string> names;
    std::vector<unsigned char> kinds;
    std::vector<std::int64_t> positions, velocities;
    for (const JointInfo& j : x.joints) {
      names.push_back(j.name), kinds.push_back(static_cast<unsigned char>(j.kind));
      positions.push_back(j.position_begin), velocities.push_back(j.velocity_begin);
    }
    const std::size_t n = names.size();
    check(ok_ && write_attribute(group, "joint_positions", std::int64_t(x.joint_positions)) &&
          write_attribute(group, "joint_velocities", std::int64_t(x.joint_velocities)) &&
          write_names(group, "joint_name", names) &&
          write_table(group, "joint_kind", Number::byte, n, 0, kinds.data()) &&
          write_table(group, "joint_position_begin", Number::integer, n, 0, positions.data()) &&
          write_table(group, "joint_velocity_begin", Number::integer, n, 0, velocities.data()));
    if (!ok_) return;
    const std::size_t counts[2] = {std::size_t(x.joint_positions), std::size_t(x.joint_velocities)};
    const std::vector<Slot> slots = joint_slots(frame_);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (revisions_ == 1)
        joint_columns_.emplace_back(file_.id(), slots[i], counts[i], true), joint_counts_[i] = counts[i];
      else if (counts[i] > joint_counts_[i])
        check(joint_columns_[i].widen(counts[i])), joint_counts_[i] = counts[i];
    }
  }

  /// Where joints are, and those that hold by forces.
  void write_places(hid_t group, const Revision& x) {
    std::vector<JointPlace> places;
    std::vector<std::string> names;
    std::vector<unsigned char> kinds;
    const auto write = [&](const std::string& of) {
      std::vector<std::int64_t> bodies, parents;
      std::vector<Vec3> points, axes;
      for (const JointPlace& p : places) {
        bodies.push_back(p.body), parents.push_back(p.parent);
        points.push_back(p.point), axes.push_back(p.axis);
      }
      const std::size_t n = places.size();
      check(ok_ && write_table(group, of + "_body", Number::integer, n, 0, bodies.data()) &&
            write_table(group, of + "_parent", Number::integer, n, 0, parents.data()) &&
            write_table(group, of + "_point", Number::real, n, 3, points.data()) &&
            write_table(group, of + "_axis", Number::real, n, 3, axes.data()));
      places.clear();
    };
    for (const JointInfo& j : x.joints) places.push_back(j.place);
    write("joint");
    for (const ConstraintInfo& c : x.constraints) {
      names.push_back(c.name), kinds.push_back(static_cast<unsigned char>(c.kind));
      places.push_back(c.place);
    }
    check(ok_ && write_names(group, "constraint_name", names) &&
          write_table(group, "constraint_kind", Number::byte, names.size(), 0, kinds.data()));
    write("constraint");
    write_reactions(group, x);
  }

  void write_reactions(hid_t group, const Revision& x) {
    std::vector<std::string> names, kinds;
    for (const ReactionInfo& i : x.reactions) names.push_back(i.name), kinds.push_back(i.kind);
    check(ok_ && write_names(group, "reaction_name", names) && write_names(group, "reaction_kind", kinds));
    if (!ok_) return;
    if (revisions_ == 1) {
      reactions_ = names.size();
      for (const Slot& s : reaction_slots(frame_))
        reaction_columns_.emplace_back(file_.id(), s, reactions_, true);
    } else if (names.size() > reactions_) {
      reactions_ = names.size();
      for (ColumnWriter& c : reaction_columns_) check(c.widen(reactions_));
    }
  }

  /// The journal's own bytes: for programs that go on from here.
  template <class Record>
  void write_record(const std::string& name, const Record& x) {
    Bytes bytes;
    encode(x, bytes);
    check(write_table(file_.id(), name, Number::byte, bytes.size(), 0, bytes.data()));
  }

  /// As bytes, and in words for people and other programs.
  void write_summary(const RunSummary& x) {
    write_record("summary/record", x);
    const Handle group(H5Gopen2(file_.id(), "summary", H5P_DEFAULT));
    check(group && write_attribute(group.id(), "time", x.time) &&
          write_attribute(group.id(), "step", x.step) && write_attribute(group.id(), "hash", hex(x.hash)) &&
          write_attribute(group.id(), "wall_seconds", x.wall_seconds) &&
          write_attribute(group.id(), "relative_imbalance", x.total.imbalance) &&
          write_attribute(group.id(), "contact_rise", x.total.contact_rise) &&
          write_attribute(group.id(), "unexplained_rise", x.total.unexplained_rise) &&
          write_attribute(group.id(), "ending", x.ending) &&
          write_attribute(group.id(), "trouble", x.trouble));
    if (!ok_) return;
    std::string broken;
    for (const BrokenJoint& b : x.broken) broken += (broken.empty() ? "" : "; ") + in_words(b);
    check(write_attribute(group.id(), "broken", broken));
    for (const CertificateField& f : certificate_fields)
      check(write_attribute(group.id(), f.name, x.total.worst.*f.member));
    for (const TallyField& f : tally_fields) check(write_attribute(group.id(), f.name, x.total.*f.member));
  }

  Hdf5Output& file_;
  bool ok_ = true;
  Frame frame_;  // the rows that the slots point into
  Contact contact_;
  ContactPair pair_;
  std::int64_t input_step_ = 0;
  InputWrench wrench_;
  InputJointForce joint_force_;
  const std::vector<Slot> frame_slots_ = frame_slots(frame_), contact_slots_ = contact_slots(contact_),
                          pair_slots_ = pair_slots(pair_),
                          input_slots_ = input_slots(input_step_, wrench_, joint_force_);
  std::vector<ColumnWriter> columns_, body_columns_, joint_columns_, reaction_columns_, contact_columns_,
      pair_columns_, input_columns_;
  std::array<std::size_t, 2> joint_counts_{};
  std::unique_ptr<ColumnWriter> contact_count_, pair_count_;
  std::size_t revisions_ = 0, bodies_, reactions_ = 0;
  std::uint64_t last_hash_ = 0;
  std::optional<StatePoint> state_;
  std::optional<RunSummary> summary_;
};

}  // namespace

Result<JournalEnding> write_hdf5(const std::string& from, const std::string& to) {
  const detail::Quiet quiet;
  const Result<std::unique_ptr<Hdf5Output>> file = Hdf5Output::create(to);
  if (!file) return file.mistakes();
  Hdf5Writer writer(*file.value(), is_hdf5(from) ? most_bodies_in_hdf5(from) : most_bodies_in_journal(from));
  const Result<JournalEnding> ending = visit_recording(from, writer);
  const bool written = writer.close();
  if (!ending) return ending.mistakes();
  if (const Result<bool> finished = file.value()->finish(written, Hdf5Output::Seal::yes); !finished) {
    Mistake m = finished.mistakes().front();
    m.message += " Then convert " + from + " again.";
    return m;
  }
  return ending;
}

}  // namespace stiction
