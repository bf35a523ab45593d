#include "stiction/record/csv.h"

#include <optional>

#include "stiction/base/hash.h"
#include "stiction/base/platform/file.h"
#include "stiction/base/text.h"
#include "stiction/record/recording.h"

namespace stiction {
namespace {

/// One line at a time; hands full buffers to a temporary file that is renamed at the end.
class CsvFile {
 public:
  explicit CsvFile(const std::string& path) {
    Result<AppendFile> file = AppendFile::open(path, AppendFile::Start::hidden);
    if (file)
      file_ = std::move(file).value();
    else
      mistakes_ = file.mistakes();
  }
  void cell(const std::string& text) {
    if (!first_) buffer_ += ',';
    first_ = false;
    if (text.find_first_of(",\"\n\r") == std::string::npos) {
      buffer_ += text;
      return;
    }
    buffer_ += '"';
    for (const char c : text) buffer_ += c == '"' ? std::string("\"\"") : std::string(1, c);
    buffer_ += '"';
  }
  void cell(double x) { cell(number_text(x)); }
  void cell(std::int64_t x) { cell(std::to_string(x)); }
  void cell(const Vec3& v) { cell(v.x), cell(v.y), cell(v.z); }
  void heading(const std::string& name, const std::string& unit) {
    cell(unit.empty() ? name : name + " [" + unit + "]");
  }
  void heading3(const std::string& name, const std::string& unit) {
    for (const char* axis : {"_x", "_y", "_z"}) heading(name + axis, unit);
  }
  void end_line() {
    buffer_ += '\n';
    first_ = true;
    if (buffer_.size() > (1u << 16)) flush();
  }
  void flush() {
    if (mistakes_.empty()) keep(file_.append(buffer_.data(), buffer_.size()));
    buffer_.clear();
  }
  /// The file appears, whole.
  void publish() {
    if (mistakes_.empty()) keep(file_.publish());
  }
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  void keep(const Result<bool>& done) {
    if (!done) mistakes_ = done.mistakes();
  }
  std::string buffer_;
  AppendFile file_;
  std::vector<Mistake> mistakes_;
  bool first_ = true;
};

class CsvWriter : public RecordingVisitor {
 public:
  explicit CsvWriter(const CsvFiles& paths)
      : bodies_(paths.bodies),
        books_(paths.books),
        contacts_(paths.contacts),
        pairs_(paths.pairs),
        joints_path_(paths.joints) {
    bodies_.heading("time", "s");
    bodies_.cell("body");
    bodies_.heading3("position", "m");
    for (const char* part : {"_w", "_x", "_y", "_z"}) bodies_.heading(std::string("orientation") + part, "1");
    bodies_.heading3("velocity", "m/s");
    bodies_.heading3("spin", "rad/s");
    bodies_.end_line();

    books_.heading("time", "s");
    books_.heading("step", "1");
    for (const CertificateField& f : certificate_fields)
      books_.heading(std::string("certificate_") + f.name, f.unit);
    books_.heading("tolerance", "1");
    books_.cell("converged");
    for (const TallyField& f : tally_fields) books_.heading(f.name, "1");
    books_.cell("solver");
    for (const LedgerField& f : ledger_fields) books_.heading(f.name, f.unit);
    for (const char* name : {"relative_imbalance", "contact_rise", "unexplained_rise"})
      books_.heading(name, "1");
    books_.heading3("momentum", "kg m/s");
    books_.heading3("angular_momentum", "kg m^2/s");
    for (int c = 0; c < cause_count; ++c) books_.heading(std::string("booked_") + name(Cause(c)), "J");
    books_.cell("hash");
    books_.end_line();

    contacts_.heading("time", "s");
    contacts_.cell("body_a");
    contacts_.cell("body_b");
    contacts_.cell("feature");
    contacts_.cell("state");
    contacts_.heading("gap", "m");
    contacts_.heading("friction", "1");
    contacts_.heading3("point", "m");
    contacts_.heading3("normal", "1");
    contacts_.heading3("impulse", "N s");
    contacts_.heading3("force", "N");
    contacts_.heading3("slip", "m/s");
    contacts_.heading3("moment", "N m");
    contacts_.end_line();

    pairs_.heading("time", "s");
    pairs_.cell("body_a");
    pairs_.cell("body_b");
    pairs_.heading("contacts", "1");
    pairs_.heading3("point", "m");
    pairs_.heading3("force", "N");
    pairs_.heading3("torque", "N m");
    pairs_.heading("friction_power", "W");
    pairs_.end_line();
  }

  void on_revision(const Revision& x) override {
    names_.clear();
    for (const BodyInfo& b : x.bodies) names_.push_back(b.name);
    joints_of_ = x.joints;
    reactions_ = x.reactions;
    if ((joints_of_.empty() && reactions_.empty()) || joints_) return;
    joints_.emplace(joints_path_);
    joints_->heading("time", "s");
    for (const char* word : {"joint", "quantity", "component", "unit", "value"}) joints_->cell(word);
    joints_->end_line();
  }

  void on_frame(const Frame& x) override {
    for (std::size_t b = 0; b < x.position.size(); ++b) {
      if (!x.alive[b]) continue;
      bodies_.cell(x.time);
      bodies_.cell(body_name(int(b)));
      bodies_.cell(x.position[b]);
      const Quat& q = x.orientation[b];
      for (const double part : {q.w, q.x, q.y, q.z}) bodies_.cell(part);
      bodies_.cell(x.velocity[b]);
      bodies_.cell(x.spin[b]);
      bodies_.end_line();
    }
    write_books(x);
    for (const JointInfo& j : joints_of_) write_joint(x, j);
    write_reactions(x);
    for (const Contact& c : x.contacts) {
      contacts_.cell(x.time);
      contacts_.cell(body_name(c.a.index));
      contacts_.cell(body_name(c.b.index));
      contacts_.cell(std::to_string(c.key.feature));
      contacts_.cell(std::string(name(c.state)));
      contacts_.cell(c.gap);
      contacts_.cell(c.friction);
      for (const Vec3& v : {c.point, c.normal, c.impulse, c.force, c.slip, c.moment}) contacts_.cell(v);
      contacts_.end_line();
    }
    for (const ContactPair& p : sum_of_pairs(x.contacts, x.spin)) {
      pairs_.cell(x.time);
      pairs_.cell(body_name(p.a.index));
      pairs_.cell(body_name(p.b.index));
      pairs_.cell(std::int64_t(p.contacts));
      for (const Vec3& v : {p.point, p.force, p.torque}) pairs_.cell(v);
      pairs_.cell(p.power);
      pairs_.end_line();
    }
  }

  /// All tables appear, or none.
  std::vector<Mistake> close() {
    for (CsvFile* file : files()) file->flush();
    if (!mistakes().empty()) return mistakes();
    for (CsvFile* file : files()) file->publish();
    return mistakes();
  }
  bool has_joints() const { return joints_.has_value(); }

 private:
  std::vector<CsvFile*> files() {
    std::vector<CsvFile*> out{&bodies_, &books_, &contacts_, &pairs_};
    if (joints_) out.push_back(&*joints_);
    return out;
  }

  void write_joint(const Frame& x, const JointInfo& j) {
    for (const bool velocity : {false, true}) {
      const std::vector<double>& from = velocity ? x.joint_velocity : x.joint_position;
      const int begin = velocity ? j.velocity_begin : j.position_begin,
                count = velocity ? j.velocities() : j.positions();
      for (int c = 0; c < count && std::size_t(begin + c) < from.size(); ++c) {
        joints_->cell(x.time);
        joints_->cell(j.name);
        joints_->cell(velocity ? "velocity" : "position");
        joints_->cell(component_of(j, velocity, c));
        joints_->cell(unit_of(j, velocity, c));
        joints_->cell(from[std::size_t(begin + c)]);
        joints_->end_line();
      }
    }
  }

  void write_reactions(const Frame& x) {
    for (std::size_t i = 0; i < reactions_.size() && i < x.reaction_force.size(); ++i)
      for (const bool torque : {false, true}) {
        const Vec3& v = torque ? x.reaction_torque[i] : x.reaction_force[i];
        for (int c = 0; c < 3; ++c) {
          joints_->cell(x.time);
          joints_->cell(reactions_[i].name);
          joints_->cell(torque ? "torque" : "force");
          joints_->cell(std::string(1, "xyz"[c]));
          joints_->cell(torque ? "N m" : "N");
          joints_->cell(v[c]);
          joints_->end_line();
        }
      }
  }

  /// Of the first table that has any: the others suffer from the same.
  std::vector<Mistake> mistakes() {
    for (const CsvFile* file : files())
      if (!file->mistakes().empty()) return file->mistakes();
    return {};
  }

  std::string body_name(int index) const {
    return index >= 0 && std::size_t(index) < names_.size() ? names_[std::size_t(index)]
                                                            : std::to_string(index);
  }

  void write_books(const Frame& x) {
    books_.cell(x.time);
    books_.cell(x.step);
    for (const CertificateField& f : certificate_fields) books_.cell(x.since.worst.*f.member);
    books_.cell(x.since.worst.tolerance);
    books_.cell(std::int64_t(x.since.worst.converged));
    for (const TallyField& f : tally_fields) books_.cell(x.since.*f.member);
    books_.cell(std::string(solver_name(x.since.solvers)));
    for (const LedgerField& f : ledger_fields) books_.cell(x.ledger.*f.member);
    for (const double number : {x.since.imbalance, x.since.contact_rise, x.since.unexplained_rise})
      books_.cell(number);
    books_.cell(x.ledger.momentum);
    books_.cell(x.ledger.angular_momentum);
    for (const double joules : x.ledger.booked) books_.cell(joules);
    books_.cell(hex(x.hash));
    books_.end_line();
  }

  CsvFile bodies_, books_, contacts_, pairs_;
  std::string joints_path_;
  std::optional<CsvFile> joints_;  // from the first joint on
  std::vector<std::string> names_;
  std::vector<JointInfo> joints_of_;
  std::vector<ReactionInfo> reactions_;
};

}  // namespace

Result<CsvFiles> write_csv(const std::string& recording, const std::string& stem) {
  CsvFiles files{stem + ".bodies.csv", stem + ".books.csv",  stem + ".contacts.csv",
                 stem + ".pairs.csv",  stem + ".joints.csv", {}};
  CsvWriter writer(files);
  Result<JournalEnding> ending = visit_recording(recording, writer);
  if (!ending) return ending.mistakes();
  files.ending = std::move(ending).value();
  const std::vector<Mistake> mistakes = writer.close();
  if (!mistakes.empty()) return mistakes;
  if (!writer.has_joints()) files.joints.clear();
  return files;
}

}  // namespace stiction
