#include "stiction/record/reopen.h"

#include <optional>

#include "stiction/record/journal.h"
#include "stiction/record/recording.h"

namespace stiction {
namespace {

/// Appends all records but the summary. A frame waits until the next record says whether it was due.
class Copy : public RecordingVisitor {
 public:
  explicit Copy(std::string path) : path_(std::move(path)) {}

  void on_header(const RunHeader& x) override {
    if (x.format != recording_format) {
      mistakes_ = {Mistake{path_, 0, 0, "", not_gone_on_with(x.format)}};
      return;
    }
    Result<JournalWriter> opened = JournalWriter::create_hidden(path_, x);
    if (opened)
      journal_ = std::move(opened).value();
    else
      mistakes_ = opened.mistakes();
  }
  void on_revision(const Revision& x) override { release(), append(x); }
  void on_input(const InputRecord& x) override { release(), append(x); }
  void on_frame(const Frame& x) override { release(), waiting_ = x; }
  void on_state(const StatePoint& x) override {
    // Steps pending in the State of the same step as the frame: the State was written first, so the frame was
    // not due.
    if (waiting_ && waiting_->step == x.step && x.pending.steps > 0) waiting_.reset();
    release(), append(x);
    has_state_ = true;
  }

  /// False when there is no State to go on from; then there is no journal either.
  Result<bool> finish() {
    release();
    if (mistakes_.empty() && journal_ && has_state_) keep(journal_->publish());
    if (!mistakes_.empty()) return mistakes_;
    return has_state_;
  }

 private:
  void release() {
    if (waiting_) append(*waiting_);
    waiting_.reset();
  }
  template <class Record>
  void append(const Record& x) {
    if (mistakes_.empty() && journal_) keep(journal_->append(x));
  }
  void keep(const Result<bool>& done) {
    if (!done) mistakes_ = done.mistakes();
  }

  std::string path_;
  std::optional<JournalWriter> journal_;
  std::optional<Frame> waiting_;
  std::vector<Mistake> mistakes_;
  bool has_state_ = false;
};

}  // namespace

Result<bool> reopen_recording(const std::string& recording, const std::string& journal) {
  Copy copy(journal);
  const Result<JournalEnding> read = visit_recording(recording, copy);
  if (!read) return read.mistakes();
  const Result<bool> written = copy.finish();
  if (!written) return written.mistakes();
  if (!written.value())
    return Mistake{recording, 0, 0, "", "holds no full state to go on from. Run the scene from the start."};
  return true;
}

}  // namespace stiction
