// The journal: an append-only file of checksummed blocks, written while a run goes on.
//
// Block = magic u32 | kind u32 | index u64 | length u64 | checksum of these u64 | payload | checksum u64,
// little-endian, blocks back to back, index counting from 0. Each block is handed to the operating system in
// one write, so that a process killed at any time leaves whole blocks and at most one broken one at the end.
// The reader hands out all whole blocks from the front and says what it could not read: a broken tail is what
// a crash leaves; a broken block with whole ones behind it is damage of another kind, and ends the readable
// part too, since what follows may depend on what is lost. The length is trusted only after its own checksum,
// so memory is bounded by the largest block that was written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/base/platform/file.h"
#include "stiction/base/result.h"
#include "stiction/record/frame.h"

namespace stiction {

enum class BlockKind : std::uint32_t { header = 1, revision, input, frame, state, end };

struct Block {
  BlockKind kind = BlockKind::header;
  std::uint64_t index = 0;            // [-] 0 for the first
  std::uint64_t offset = 0, end = 0;  // [bytes] where it lies in the file
  std::vector<unsigned char> payload;
};

/// How reading a journal ended.
struct JournalEnding {
  bool damaged = false;          // something was there that could not be read
  bool in_the_middle = false;    // whole blocks follow the broken one
  std::uint64_t good_bytes = 0;  // [bytes] from the front
  std::uint64_t lost_bytes = 0;  // [bytes] after them
  double last_time = -1;         // [s] of the last whole frame or state; -1 = there was none
  std::string message;           // in words; empty when nothing was lost
};

class JournalWriter {
 public:
  /// A new journal; what was there is replaced.
  static Result<JournalWriter> create(const std::string& path, const RunHeader& header);
  /// The same under a temporary name, until publish(): what has the name stays there until then, and there is
  /// never a journal that is too short to go on from.
  static Result<JournalWriter> create_hidden(const std::string& path, const RunHeader& header);
  /// Goes on after byte `end`, the end of a whole block, with block number `next_index`; drops what lies
  /// behind.
  static Result<JournalWriter> resume(const std::string& path, std::uint64_t end, std::uint64_t next_index);

  Result<bool> append(const Revision& x);
  Result<bool> append(const InputRecord& x);
  Result<bool> append(const Frame& x);
  Result<bool> append(const StatePoint& x);
  Result<bool> append(const RunSummary& x);
  Result<bool> sync() { return file_.sync(); }
  Result<bool> publish() { return file_.publish(); }
  const std::string& path() const { return file_.path(); }
  std::uint64_t size() const { return file_.size(); }  // [bytes]

 private:
  static Result<JournalWriter> start(Result<AppendFile> file, const RunHeader& header);
  template <class Record>
  Result<bool> append_record(BlockKind kind, const Record& x);
  AppendFile file_;
  std::uint64_t next_index_ = 0;
  std::vector<unsigned char> block_;  // the block being written; keeps its memory
};

/// Hands out block by block.
class JournalReader {
 public:
  /// Mistake when the file cannot be opened, is no journal, or is of a format this program does not know.
  static Result<JournalReader> open(const std::string& path);

  /// The next whole block; false at the end of the readable part, see ending().
  bool next(Block& block);
  const RunHeader& header() const { return header_; }
  const JournalEnding& ending() const { return ending_; }  // complete once next() said false

 private:
  friend std::size_t most_bodies_in_journal(const std::string& path);
  bool read_block(std::uint64_t offset, std::uint64_t index, bool any_index, Block& block) const;
  bool whole_block_after(std::uint64_t offset) const;
  void conclude();
  InputFile file_;
  RunHeader header_;
  JournalEnding ending_;
  std::uint64_t offset_ = 0, index_ = 0;
};

/// Hands all records to the visitor; Mistake as JournalReader::open, or when a whole block holds nonsense.
Result<JournalEnding> visit_journal(const std::string& path, RecordingVisitor& visitor);

bool is_journal(const std::string& path);  // by its first bytes
/// The largest number of bodies of its revisions; looks at the heads of the other blocks only. 0: no journal.
std::size_t most_bodies_in_journal(const std::string& path);

/// Where a run can go on: its last full State.
struct ResumePoint {
  RunHeader header;
  RunSetup setup;
  std::string scene_text;           // of the revision the State belongs to
  std::vector<Revision> revisions;  // up to there
  StatePoint state;
  std::uint64_t end = 0;              // [bytes] end of the State's block: what lies behind is dropped
  std::uint64_t next_index = 0;       // number of the block that goes there
  JournalEnding ending;               // how the journal ended
  std::optional<RunSummary> summary;  // the run had come to its end
};
Result<ResumePoint> find_resume_point(const std::string& path);

}  // namespace stiction
