#include <array>

#include "stiction/base/platform/file.h"
#include "stiction/record/detail/encode.h"
#include "stiction/record/detail/hdf5_output.h"
#include "stiction/record/detail/hdf5_tools.h"
#include "stiction/record/hdf5.h"

namespace stiction {
namespace {

using namespace detail;

/// Hands out the numbers that shapes have beyond four.
class MoreNumbers {
 public:
  bool open(hid_t group, const std::vector<unsigned char>& codes) {
    std::size_t wanted = 0;
    for (const unsigned char code : codes) wanted += code >= first_with_more;
    if (wanted == 0) return true;
    counts_.resize(wanted);
    if (!read_table(group, "shape_more_count", Number::integer, wanted, 0, counts_.data())) return false;
    bool any = false;
    for (const std::int64_t count : counts_) any = any || count != 0;
    hsize_t rows = 0;
    if (!any) return true;
    if (!table_rows(group, "shape_more", rows)) return false;
    numbers_.resize(std::size_t(rows));
    return read_table(group, "shape_more", Number::real, rows, 0, numbers_.data());
  }
  bool next(ShapeRecord& shape) {
    if (shape.code < first_with_more) return true;
    const std::int64_t count = counts_[body_++];
    if (count < 0 || std::uint64_t(count) > numbers_.size() - at_) return false;
    const auto from = numbers_.begin() + std::ptrdiff_t(at_);
    shape.more.assign(from, from + std::ptrdiff_t(count));
    at_ += std::size_t(count);
    return true;
  }

 private:
  std::vector<std::int64_t> counts_;
  std::vector<double> numbers_;
  std::size_t body_ = 0, at_ = 0;
};

bool read_joints(hid_t group, Revision& x) {
  std::vector<std::string> names;
  std::int64_t positions = 0, velocities = 0;
  if (!read_attribute(group, "joint_positions", positions) ||
      !read_attribute(group, "joint_velocities", velocities) || !read_names(group, "joint_name", names))
    return false;
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (positions < 0 || velocities < 0 || positions > most || velocities > most) return false;
  const std::size_t n = names.size();
  std::vector<unsigned char> kinds(n);
  std::vector<std::int64_t> position_begin(n), velocity_begin(n);
  if (!read_table(group, "joint_kind", Number::byte, n, 0, kinds.data()) ||
      !read_table(group, "joint_position_begin", Number::integer, n, 0, position_begin.data()) ||
      !read_table(group, "joint_velocity_begin", Number::integer, n, 0, velocity_begin.data()))
    return false;
  x.joint_positions = int(positions), x.joint_velocities = int(velocities);
  x.joints.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (position_begin[i] < 0 || position_begin[i] > most || velocity_begin[i] < 0 ||
        velocity_begin[i] > most)
      return false;
    x.joints.push_back({names[i], tree::JointKind(kinds[i]), int(position_begin[i]), int(velocity_begin[i])});
  }
  return fits(x);
}

/// Places of `of` ("joint" or "constraint"); `set` takes them one by one.
template <class Set>
bool read_places(hid_t group, const std::string& of, std::size_t n, const Set& set) {
  std::vector<std::int64_t> bodies(n), parents(n);
  std::vector<Vec3> points(n), axes(n);
  if (!read_table(group, of + "_body", Number::integer, n, 0, bodies.data()) ||
      !read_table(group, of + "_parent", Number::integer, n, 0, parents.data()) ||
      !read_table(group, of + "_point", Number::real, n, 3, points.data()) ||
      !read_table(group, of + "_axis", Number::real, n, 3, axes.data()))
    return false;
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < n; ++i) {
    if (bodies[i] < -1 || bodies[i] > most || parents[i] < -1 || parents[i] > most) return false;
    set(i, JointPlace{int(bodies[i]), int(parents[i]), points[i], axes[i]});
  }
  return true;
}

/// Where joints are, and those that hold by forces; not before format 6.
bool read_constraints(hid_t group, Revision& x) {
  std::vector<std::string> names;
  if (!read_places(group, "joint", x.joints.size(),
                   [&](std::size_t i, const JointPlace& p) { x.joints[i].place = p; }) ||
      !read_names(group, "constraint_name", names))
    return false;
  std::vector<unsigned char> kinds(names.size());
  if (!read_table(group, "constraint_kind", Number::byte, names.size(), 0, kinds.data())) return false;
  for (std::size_t i = 0; i < names.size(); ++i)
    x.constraints.push_back({names[i], constraints::Kind(kinds[i]), {}});
  return read_places(group, "constraint", names.size(),
                     [&](std::size_t i, const JointPlace& p) { x.constraints[i].place = p; }) &&
         fits(x);
}

bool read_reactions(hid_t group, Revision& x) {
  std::vector<std::string> names, kinds;
  if (!read_names(group, "reaction_name", names) || !read_names(group, "reaction_kind", kinds) ||
      names.size() != kinds.size())
    return false;
  for (std::size_t i = 0; i < names.size(); ++i) x.reactions.push_back({names[i], kinds[i]});
  return true;
}

bool read_revision(hid_t file, std::size_t index, int format, Revision& x) {
  const Handle group(H5Gopen2(file, ("revisions/" + std::to_string(index)).c_str(), H5P_DEFAULT));
  std::vector<std::string> names;
  std::int64_t revision = 0;
  if (!group || !read_attribute(group.id(), "revision", revision) ||
      !read_attribute(group.id(), "time", x.time) ||
      !read_table(group.id(), "gravity", Number::real, 3, 0, &x.gravity) ||
      !read_text(group.id(), "scene", x.scene_text) || !read_names(group.id(), "name", names))
    return false;
  x.revision = int(revision);
  const std::size_t n = names.size();
  std::vector<unsigned char> kinds(n), mobilities(n), shapes(n);
  std::vector<std::array<double, 4>> numbers(n);
  std::vector<double> masses(n);
  std::vector<Vec3> normals(n);
  if (!read_table(group.id(), "kind", Number::byte, n, 0, kinds.data()) ||
      !read_table(group.id(), "mobility", Number::byte, n, 0, mobilities.data()) ||
      !read_table(group.id(), "shape", Number::byte, n, 0, shapes.data()) ||
      !read_table(group.id(), "shape_numbers", Number::real, n, 4, numbers.data()) ||
      !read_table(group.id(), "mass", Number::real, n, 0, masses.data()) ||
      !read_table(group.id(), "plane_normal", Number::real, n, 3, normals.data()))
    return false;
  MoreNumbers more;
  if (!more.open(group.id(), shapes)) return false;
  x.bodies.clear();
  for (std::size_t i = 0; i < n; ++i) {
    BodyInfo b{names[i], BodyKind(kinds[i]), Mobility(mobilities[i]), NoShape{}, masses[i], normals[i]};
    ShapeRecord shape{shapes[i], numbers[i], {}};
    if (!more.next(shape) || !shape_from(shape, b.shape)) return false;
    x.bodies.push_back(std::move(b));
  }
  x.constraints.clear(), x.reactions.clear();
  if (!read_joints(group.id(), x) || (format >= 6 && !read_constraints(group.id(), x))) return false;
  return format >= 8 ? read_reactions(group.id(), x) : (x.reactions = reactions_of(x.constraints), true);
}

template <class Record>
bool read_record(hid_t file, const char* name, int format, Record& x) {
  hsize_t size = 0;
  if (!table_rows(file, name, size)) return false;
  Bytes bytes(std::size_t(size), 0);
  return read_table(file, name, Number::byte, size, 0, bytes.data()) && decode(bytes, x, format);
}

bool has(hid_t file, const char* group, const char* name) {
  return H5Lexists(file, group, H5P_DEFAULT) > 0 && H5Lexists(file, name, H5P_DEFAULT) > 0;
}

std::vector<ColumnReader> open_columns(hid_t file, const std::vector<Slot>& slots, bool per_body) {
  std::vector<ColumnReader> columns;
  for (const Slot& s : slots) columns.emplace_back(file, s, per_body);
  return columns;
}

bool all_have(const std::vector<ColumnReader>& columns, hsize_t rows) {
  for (const ColumnReader& c : columns)
    if (!c.ok() || c.rows() != rows) return false;
  return true;
}

bool read_row(std::vector<ColumnReader>& columns, const std::vector<Slot>& slots, std::size_t count) {
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (!columns[i].read(slots[i].data, count * slots[i].width * size_of(slots[i].number))) return false;
  return true;
}

/// Hands out inputs up to a step, wrenches of one step together.
class InputReader {
 public:
  explicit InputReader(hid_t file)
      : columns_(open_columns(file, input_slots(step_, wrench_, joint_), false)) {
    ok_ = columns_.front().ok() && all_have(columns_, columns_.front().rows());
    left_ = ok_ ? columns_.front().rows() : 0;
    advance();
  }
  bool ok() const { return ok_; }
  void hand_over(std::int64_t up_to, RecordingVisitor& visitor) {
    while (ok_ && held_ && step_ <= up_to) {
      InputRecord record{step_, {}, {}};
      do {
        if (joint_.joint >= 0)
          record.joints.push_back(joint_);
        else
          record.wrenches.push_back(wrench_);
        advance();
      } while (ok_ && held_ && step_ == record.step);
      visitor.on_input(record);
    }
  }

 private:
  void advance() {
    held_ = left_ > 0;
    if (!held_) return;
    --left_;
    ok_ = ok_ && read_row(columns_, input_slots(step_, wrench_, joint_), 1);
  }
  std::int64_t step_ = 0;
  InputWrench wrench_;
  InputJointForce joint_;
  std::vector<ColumnReader> columns_;
  hsize_t left_ = 0;
  bool ok_ = false, held_ = false;
};

/// Columns of certificate, counters and rises of energy that came after this format.
bool came_after(const Slot& s, int format) {
  if (s.name.ends_with("_rise")) return format < 10;
  for (std::size_t i = certificate_numbers_of_format(format); i < std::size(certificate_fields); ++i)
    if (s.name == std::string("certificate/") + certificate_fields[i].name) return true;
  for (std::size_t i = counters_of_format(format); i < std::size(tally_fields); ++i)
    if (s.name == std::string("solver/") + tally_fields[i].name) return true;
  return false;
}

/// Frames with the revisions and inputs that belong before them.
bool visit_frames(hid_t file, int format, JournalEnding& ending, RecordingVisitor& visitor) {
  hsize_t revision_count = 0;
  const Handle revisions(H5Gopen2(file, "revisions", H5P_DEFAULT));
  if (!revisions || H5Gget_num_objs(revisions.id(), &revision_count) < 0) return false;
  Frame frame;
  Contact contact;
  std::uint64_t contact_count = 0;
  std::vector<Slot> slots = frame_slots(frame);
  for (Slot& s : slots)
    if (s.name == "ledger/booked") s.width = std::size_t(causes_of_format(format));
  std::erase_if(slots, [format](const Slot& s) { return came_after(s, format); });
  std::vector<Slot> slots_of_contact = contact_slots(contact);
  if (format < 7) std::erase_if(slots_of_contact, [](const Slot& s) { return s.name == "contacts/moment"; });
  auto columns = open_columns(file, slots, false);
  auto body_columns = open_columns(file, body_slots(frame), true);
  auto joint_columns = open_columns(file, joint_slots(frame), true);
  auto reaction_columns =
      format < 6 ? std::vector<ColumnReader>() : open_columns(file, reaction_slots(frame), true);
  auto contact_columns = open_columns(file, slots_of_contact, false);
  ColumnReader counts(file, Slot{"contacts/per_frame", "1", Number::count, 1, nullptr}, false);
  InputReader inputs(file);
  const hsize_t frames = columns.front().rows();
  if (!all_have(columns, frames) || (revision_count > 0 && !all_have(body_columns, frames)) ||
      (revision_count > 0 && (!all_have(joint_columns, frames) || !all_have(reaction_columns, frames))) ||
      !all_have(contact_columns, contact_columns.front().rows()) || !counts.ok() || counts.rows() != frames ||
      !inputs.ok())
    return false;

  Revision revision;
  std::size_t revisions_read = 0;
  // what a revision says of its coordinates is asked of the columns before memory is
  const auto next_revision = [&] {
    if (!read_revision(file, revisions_read++, format, revision) ||
        (format >= 6 && revision.reactions.size() > reaction_columns[0].bodies()) ||
        std::size_t(revision.joint_positions) > joint_columns[0].bodies() ||
        std::size_t(revision.joint_velocities) > joint_columns[1].bodies())
      return false;
    visitor.on_revision(revision);
    return true;
  };
  for (hsize_t f = 0; f < frames; ++f) {
    if (!read_row(columns, slots, 1) || frame.revision < 0) return false;
    while (revisions_read <= std::size_t(frame.revision))
      if (!next_revision()) return false;
    inputs.hand_over(frame.step, visitor);
    const std::size_t n = revision.bodies.size();
    frame.position.resize(n);
    frame.orientation.resize(n);
    frame.velocity.resize(n);
    frame.spin.resize(n);
    frame.alive.resize(n);
    frame.joint_position.resize(std::size_t(revision.joint_positions));
    frame.joint_velocity.resize(std::size_t(revision.joint_velocities));
    if (!joint_columns[0].read(frame.joint_position.data(), frame.joint_position.size() * sizeof(double)) ||
        !joint_columns[1].read(frame.joint_velocity.data(), frame.joint_velocity.size() * sizeof(double)))
      return false;
    frame.reaction_force.resize(revision.reactions.size());
    frame.reaction_torque.resize(revision.reactions.size());
    if (format >= 6 && !read_row(reaction_columns, reaction_slots(frame), revision.reactions.size()))
      return false;
    if (!read_row(body_columns, body_slots(frame), n) || !counts.read(&contact_count, sizeof contact_count))
      return false;
    frame.contacts.clear();
    for (std::uint64_t c = 0; c < contact_count; ++c) {
      if (!read_row(contact_columns, slots_of_contact, 1)) return false;
      frame.contacts.push_back(contact);
    }
    visitor.on_frame(frame);
    ending.last_time = frame.time;
  }
  while (revisions_read < revision_count)
    if (!next_revision()) return false;
  inputs.hand_over(std::numeric_limits<std::int64_t>::max(), visitor);
  return inputs.ok();
}

bool visit_all(hid_t file, int format, JournalEnding& ending, RecordingVisitor& visitor) {
  if (!visit_frames(file, format, ending, visitor)) return false;
  if (has(file, "state", "state/last")) {
    StatePoint state;
    if (!read_record(file, "state/last", format, state)) return false;
    visitor.on_state(state);
  }
  if (has(file, "summary", "summary/record")) {
    RunSummary summary;
    if (!read_record(file, "summary/record", format, summary)) return false;
    visitor.on_summary(summary);
  }
  return true;
}

}  // namespace

bool is_hdf5(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  unsigned char first[8] = {};
  static constexpr unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  if (!file) return false;
  const Result<std::size_t> n = file.value().read(0, first, sizeof first);
  return n && n.value() == sizeof first && std::equal(first, first + 8, signature);
}

std::size_t most_bodies_in_hdf5(const std::string& path) {
  if (!check_seal(path)) return 0;
  const detail::Quiet quiet;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file) return 0;
  Frame none;
  const ColumnReader column(file.id(), body_slots(none).front(), true);
  return column.ok() ? column.bodies() : 0;
}

namespace {

constexpr const char* remedy =
    " Take a whole copy of it, convert the journal of the run if there still is one, or run the scene again "
    "(without --resume).";

constexpr std::uint64_t largest_file = std::uint64_t{1}
                                       << 50;  // [bytes] above it the number itself is damaged

/// [bytes] that the file had when it was written, by its superblock (HDF5 File Format, II.A); 0 = unknown.
std::uint64_t full_size(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  unsigned char head[52] = {};
  if (!file) return 0;
  const Result<std::size_t> n = file.value().read(0, head, sizeof head);
  if (!n || n.value() != sizeof head || head[8] > 1 || head[13] != 8) return 0;
  std::uint64_t end = 0;
  for (int i = 7; i >= 0; --i) end = end << 8 | head[(head[8] == 1 ? 44 : 40) + i];
  return end;
}

}  // namespace

std::optional<Mistake> cut_hdf5(const std::string& path) {
  const Result<std::uint64_t> size = file_size(path);
  if (!size) return size.mistakes().front();
  if (const std::uint64_t all = full_size(path); all > size.value() && all < largest_file)
    return Mistake{path, 0, 0, "",
                   "is cut off, or damaged: it has " + std::to_string(size.value()) + " of " +
                       std::to_string(all) + " bytes." + remedy};
  return std::nullopt;
}

Result<JournalEnding> visit_hdf5(const std::string& path, RecordingVisitor& visitor) {
  const Result<std::uint64_t> size = file_size(path);
  if (!size) return size.mistakes();
  if (const auto cut = cut_hdf5(path)) return *cut;
  if (const Result<bool> sealed = check_seal(path); !sealed) return sealed.mistakes();
  const detail::Quiet quiet;
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  std::string kind;
  if (!file || !read_attribute(file.id(), "kind", kind) || kind != "stiction recording")
    return Mistake{path, 0, 0, "",
                   std::string("is no HDF5 recording made by stiction, or it is damaged.") + remedy};
  std::int64_t format = 0;
  RunHeader header;
  if (read_attribute(file.id(), "format", format) &&
      (format < oldest_recording_format || format > recording_format))
    return Mistake{path, 0, 0, "", wrong_format(format)};
  header.format = int(format);
  JournalEnding ending;
  ending.good_bytes = size.value();
  const bool good = read_attribute(file.id(), "program", header.program) &&
                    read_text(file.id(), "scene", header.scene_text) &&
                    read_text(file.id(), "settings", header.settings);
  if (good) visitor.on_header(header);
  if (!good || !visit_all(file.id(), int(format), ending, visitor)) {
    const std::string reason = detail::last_hdf5_error();
    return Mistake{path, 0, 0, "",
                   "is damaged: a part of it is missing or does not fit the rest" +
                       (reason.empty() ? "" : " (" + reason + ")") + "." + remedy};
  }
  return ending;
}

}  // namespace stiction
