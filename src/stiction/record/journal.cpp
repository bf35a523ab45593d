#include "stiction/record/journal.h"

#include <algorithm>
#include <cstring>

#include "stiction/base/hash.h"
#include "stiction/base/text.h"
#include "stiction/record/detail/bytes.h"
#include "stiction/record/detail/encode.h"

namespace stiction {
namespace {

using detail::ByteReader;
using detail::ByteWriter;

constexpr std::uint32_t magic = 0x424a5453u;  // "STJB" in the file
constexpr std::size_t head_size = 32;         // [bytes] magic, kind, index, length, checksum
constexpr std::size_t foot_size = 8;          // [bytes] checksum of head and payload

std::uint64_t checksum(const void* data, std::size_t size) {
  Hash h;
  h.bytes(data, size);
  return h.result();
}

struct Head {
  std::uint32_t kind = 0;
  std::uint64_t index = 0, length = 0;
};

bool read_head(const unsigned char* bytes, Head& head) {
  ByteReader r({bytes, head_size});
  const auto found_magic = r.get<std::uint32_t>();
  r.get(head.kind);
  r.get(head.index);
  r.get(head.length);
  return found_magic == magic && r.get<std::uint64_t>() == checksum(bytes, head_size - 8);
}

/// Frames and states begin with their time.
double time_of(const Block& block) {
  double time = -1;
  if (block.payload.size() < sizeof time) return time;
  std::memcpy(&time, block.payload.data(), sizeof time);
  return time;
}

Mistake nonsense(const std::string& path, const Block& block) {
  return {
      path, 0, 0, "",
      "the block at byte " + std::to_string(block.offset) +
          " is whole, but does not hold what its kind says. It was written by another program: read it with "
          "that one."};
}

}  // namespace

// --- writer

Result<JournalWriter> JournalWriter::create(const std::string& path, const RunHeader& header) {
  return start(AppendFile::open(path, AppendFile::Start::fresh), header);
}
Result<JournalWriter> JournalWriter::create_hidden(const std::string& path, const RunHeader& header) {
  return start(AppendFile::open(path, AppendFile::Start::hidden), header);
}

Result<JournalWriter> JournalWriter::start(Result<AppendFile> file, const RunHeader& header) {
  if (!file) return file.mistakes();
  JournalWriter writer;
  writer.file_ = std::move(file).value();
  const Result<bool> written = writer.append_record(BlockKind::header, header);
  if (!written) return written.mistakes();
  return writer;
}

Result<JournalWriter> JournalWriter::resume(const std::string& path, std::uint64_t end,
                                            std::uint64_t next_index) {
  Result<AppendFile> file = AppendFile::open(path, AppendFile::Start::keep);
  if (!file) return file.mistakes();
  JournalWriter writer;
  writer.file_ = std::move(file).value();
  writer.next_index_ = next_index;
  if (writer.file_.size() < end)
    return Mistake{path, 0, 0, "", "the journal became shorter while it was read. Try again."};
  const Result<bool> cut = writer.file_.truncate(end);
  if (!cut) return cut.mistakes();
  return writer;
}

template <class Record>
Result<bool> JournalWriter::append_record(BlockKind kind, const Record& x) {
  block_.clear();
  block_.resize(head_size);
  detail::encode(x, block_);
  std::vector<unsigned char> head;
  ByteWriter w(head);
  w.put(magic);
  w.put(kind);
  w.put(next_index_);
  w.put(std::uint64_t(block_.size() - head_size));
  w.put(checksum(head.data(), head.size()));
  std::memcpy(block_.data(), head.data(), head_size);
  ByteWriter(block_).put(checksum(block_.data(), block_.size()));
  const Result<bool> written = file_.append(block_.data(), block_.size());
  if (written) ++next_index_;
  return written;
}

Result<bool> JournalWriter::append(const Revision& x) { return append_record(BlockKind::revision, x); }
Result<bool> JournalWriter::append(const InputRecord& x) { return append_record(BlockKind::input, x); }
Result<bool> JournalWriter::append(const Frame& x) { return append_record(BlockKind::frame, x); }
Result<bool> JournalWriter::append(const StatePoint& x) { return append_record(BlockKind::state, x); }
Result<bool> JournalWriter::append(const RunSummary& x) { return append_record(BlockKind::end, x); }

// --- reader

bool is_journal(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  std::uint32_t first = 0;
  if (!file) return false;
  const Result<std::size_t> n = file.value().read(0, &first, sizeof first);
  return n && n.value() == sizeof first && first == magic;
}

Result<JournalReader> JournalReader::open(const std::string& path) {
  Result<InputFile> file = InputFile::open(path);
  if (!file) return file.mistakes();
  JournalReader reader;
  reader.file_ = std::move(file).value();
  Block first;
  if (!reader.read_block(0, 0, false, first) || first.kind != BlockKind::header)
    return Mistake{
        path, 0, 0, "",
        "is no journal of a run, or its first block is damaged. Name a journal or an HDF5 recording "
        "made by stiction; a run whose journal has no whole first block must be made again."};
  if (!detail::decode(first.payload, reader.header_)) return nonsense(path, first);
  if (reader.header_.format < oldest_recording_format || reader.header_.format > recording_format)
    return Mistake{path, 0, 0, "", wrong_format(reader.header_.format)};
  return reader;
}

bool JournalReader::read_block(std::uint64_t offset, std::uint64_t index, bool any_index,
                               Block& block) const {
  unsigned char head_bytes[head_size];
  const Result<std::size_t> n = file_.read(offset, head_bytes, head_size);
  Head head;
  if (!n || n.value() < head_size || !read_head(head_bytes, head)) return false;
  if (!any_index && head.index != index) return false;
  const std::uint64_t rest = file_.size() - offset - head_size;
  if (rest < foot_size || head.length > rest - foot_size) return false;

  std::vector<unsigned char>& payload = block.payload;  // head and foot are cut off again below
  payload.resize(head_size + std::size_t(head.length) + foot_size);
  const Result<std::size_t> got = file_.read(offset, payload.data(), payload.size());
  if (!got || got.value() < payload.size()) return false;
  std::uint64_t sum = 0;
  std::memcpy(&sum, payload.data() + payload.size() - foot_size, foot_size);
  if (sum != checksum(payload.data(), payload.size() - foot_size)) return false;
  payload.resize(payload.size() - foot_size);
  payload.erase(payload.begin(), payload.begin() + head_size);
  block.kind = BlockKind(head.kind);
  block.index = head.index;
  block.offset = offset;
  block.end = offset + head_size + head.length + foot_size;
  return true;
}

std::size_t most_bodies_in_journal(const std::string& path) {
  const Result<JournalReader> opened = JournalReader::open(path);
  if (!opened) return 0;
  const JournalReader& reader = opened.value();
  std::size_t most = 0;
  Block block;
  Revision revision;
  for (std::uint64_t offset = 0;;) {
    unsigned char bytes[head_size];
    const Result<std::size_t> n = reader.file_.read(offset, bytes, head_size);
    Head head;
    if (!n || n.value() < head_size || !read_head(bytes, head)) return most;
    if (head.kind == std::uint32_t(BlockKind::revision) && reader.read_block(offset, 0, true, block) &&
        detail::decode(block.payload, revision))
      most = std::max(most, revision.bodies.size());
    if (head.length >= reader.file_.size()) return most;
    offset += head_size + head.length + foot_size;
  }
}

bool JournalReader::next(Block& block) {
  if (ending_.message.empty() && offset_ < file_.size() && read_block(offset_, index_, false, block)) {
    offset_ = block.end;
    ++index_;
    if (block.kind == BlockKind::frame || block.kind == BlockKind::state) ending_.last_time = time_of(block);
    return true;
  }
  conclude();
  return false;
}

/// Looks for a whole block behind a broken one; gives up after a number of false alarms, which cost time
/// only.
bool JournalReader::whole_block_after(std::uint64_t offset) const {
  constexpr int most_alarms = 64;
  const std::size_t chunk = std::size_t(std::min<std::uint64_t>(1 << 20, file_.size()));
  std::vector<unsigned char> buffer(chunk + 3);
  int alarms = 0;
  for (std::uint64_t at = offset; at + head_size < file_.size(); at += chunk) {
    const Result<std::size_t> n = file_.read(at, buffer.data(), buffer.size());
    if (!n) return false;
    for (std::size_t i = 0; i + 4 <= n.value(); ++i) {
      if (std::memcmp(buffer.data() + i, &magic, 4) != 0) continue;
      Block block;
      if (read_block(at + i, 0, true, block)) return true;
      if (++alarms > most_alarms) return false;
    }
  }
  return false;
}

void JournalReader::conclude() {
  if (!ending_.message.empty()) return;
  ending_.good_bytes = offset_;
  ending_.lost_bytes = file_.size() - offset_;
  ending_.damaged = ending_.lost_bytes > 0;
  if (!ending_.damaged) return;
  ending_.in_the_middle = whole_block_after(offset_ + 1);
  const std::string until = ending_.last_time < 0
                                ? "there is no whole frame before it"
                                : "the last good time is " + number_text(ending_.last_time) + " s";
  ending_.message = ending_.in_the_middle
                        ? "the journal is damaged in the middle, at byte " + std::to_string(offset_) + ": " +
                              until + "; the " + std::to_string(ending_.lost_bytes) +
                              " bytes from there on are not read, since they may depend on what is lost"
                        : "the journal ends in a broken block (" + std::to_string(ending_.lost_bytes) +
                              " bytes lost from byte " + std::to_string(offset_) +
                              " on), as a crash leaves it: " + until;
}

Result<JournalEnding> visit_journal(const std::string& path, RecordingVisitor& visitor) {
  Result<JournalReader> opened = JournalReader::open(path);
  if (!opened) return opened.mistakes();
  JournalReader& reader = opened.value();
  Block block;
  RunHeader header;
  Revision revision;
  InputRecord input;
  Frame frame;
  StatePoint state;
  RunSummary summary;
  const auto hand_over = [&](auto& record, auto call) {
    bool good = false;
    if constexpr (requires { detail::decode(block.payload, record, 0); })
      good = detail::decode(block.payload, record, reader.header().format);
    else
      good = detail::decode(block.payload, record);
    if (!good) return false;
    (visitor.*call)(record);
    return true;
  };
  while (reader.next(block)) {
    bool good = true;  // kinds of a later program are passed over
    switch (block.kind) {
      case BlockKind::header:
        good = hand_over(header, &RecordingVisitor::on_header);
        break;
      case BlockKind::revision:
        good = hand_over(revision, &RecordingVisitor::on_revision);
        break;
      case BlockKind::input:
        good = hand_over(input, &RecordingVisitor::on_input);
        break;
      case BlockKind::frame:
        good = hand_over(frame, &RecordingVisitor::on_frame);
        break;
      case BlockKind::state:
        good = hand_over(state, &RecordingVisitor::on_state);
        break;
      case BlockKind::end:
        good = hand_over(summary, &RecordingVisitor::on_summary);
        break;
    }
    if (!good) return nonsense(path, block);
  }
  return reader.ending();
}

// --- resume

Result<ResumePoint> find_resume_point(const std::string& path) {
  Result<JournalReader> opened = JournalReader::open(path);
  if (!opened) return opened.mistakes();
  JournalReader& reader = opened.value();
  ResumePoint point;
  point.header = reader.header();
  if (point.header.format != recording_format)
    return Mistake{path, 0, 0, "", not_gone_on_with(point.header.format)};
  Result<RunSetup> setup = read_setup(point.header.settings, path);
  if (!setup) return setup.mistakes();
  point.setup = std::move(setup).value();

  // Every record is looked into: what cannot be read must not show only when the run has come to its end.
  bool has_state = false;
  std::size_t revisions_then = 0;
  Block block;
  RunHeader header;
  Frame frame;
  InputRecord input;
  while (reader.next(block)) {
    bool good = true;
    if (block.kind == BlockKind::header) {
      good = detail::decode(block.payload, header);
    } else if (block.kind == BlockKind::revision) {
      good = detail::decode(block.payload, point.revisions.emplace_back());
    } else if (block.kind == BlockKind::frame) {
      good = detail::decode(block.payload, frame, recording_format) && frame.revision >= 0 &&
             std::size_t(frame.revision) < point.revisions.size();
    } else if (block.kind == BlockKind::input) {
      good = detail::decode(block.payload, input);
    } else if (block.kind == BlockKind::state) {
      good = detail::decode(block.payload, point.state, recording_format);
      has_state = true;
      point.end = block.end;
      point.next_index = block.index + 1;
      revisions_then = point.revisions.size();
    } else if (block.kind == BlockKind::end) {
      good = detail::decode(block.payload, point.summary.emplace(), recording_format);
    }
    if (!good) return nonsense(path, block);
  }
  point.ending = reader.ending();
  if (!has_state || revisions_then == 0)
    return Mistake{path, 0, 0, "", "holds no full state to go on from. Run the scene from the start."};
  point.revisions.resize(revisions_then);
  point.scene_text = point.revisions.back().scene_text;
  if (point.scene_text.empty())
    return Mistake{
        path, 0, 0, "",
        "was edited by a program while it ran, and the edited scene has no text. Run it from the start."};
  return point;
}

}  // namespace stiction
