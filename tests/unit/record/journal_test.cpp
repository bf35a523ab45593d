#include "stiction/record/journal.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "stiction/record/detail/encode.h"
#include "unit/record/synthetic_run.h"

namespace stiction {
namespace {

using synthetic::Folder;

/// A journal small enough to damage every byte of it: two bodies, three frames.
struct SmallJournal {
  Folder folder;
  std::string path = folder / "small.journal";
  std::string bytes;
  std::vector<Block> blocks;

  SmallJournal() {
    JournalWriter w =
        JournalWriter::create(path, {recording_format, "1.2.3", "{}", to_json(RunSetup{})}).or_exit();
    Revision revision{0, 0, {0, 0, -9.81}, "{}", {}};
    revision.bodies.push_back({"floor", fixed, Mobility::none, HalfSpace{{0, 0, 1}, 0.5}, 0, {}});
    revision.bodies.push_back({"rod", dynamic, Mobility::free, Capsule{0.1, 0.7}, 2.5, {}});
    w.append(revision).value();
    for (int k = 0; k < 3; ++k) {
      if (k == 1) w.append(InputRecord{k, {{1, {1, 2, 3}, {4, 5, 6}}}}).value();
      Frame f;
      f.time = 0.25 * k;
      f.step = k;
      f.hash = 77u + unsigned(k);
      f.position = {{0, 0, 0}, {0.1 * k, -0.0, 1e-310}};  // negative zero and denormals are kept too
      f.orientation = {{}, {0.5, 0.5, 0.5, 0.5}};
      f.velocity = f.spin = {{}, {1.0 / 3, 2, 3}};
      f.alive = {1, 1};
      f.contacts.resize(std::size_t(k));
      w.append(f).value();
      if (k < 2) w.append(StatePoint{f.time, f.step, 0, f.hash, {}, {}, "", {1, 2, 3, 4, 5}}).value();
    }
    w.append(RunSummary{0.5, 2, 79, 1.25, {}, "", "reached the end"}).value();
    bytes = read_file(path).value();
    JournalReader reader = JournalReader::open(path).or_exit();
    for (Block b; reader.next(b);) blocks.push_back(b);
    EXPECT_FALSE(reader.ending().damaged);
    EXPECT_EQ(reader.ending().good_bytes, bytes.size());
  }

  std::size_t block_at(std::size_t byte) const {
    std::size_t k = 0;
    while (blocks[k].end <= byte) ++k;
    return k;
  }
  void overwrite(std::size_t at, char value) const {
    std::FILE* f = std::fopen(path.c_str(), "r+b");
    std::fseek(f, long(at), SEEK_SET);
    std::fputc(value, f);
    std::fclose(f);
  }
};

template <class Record>
std::vector<unsigned char> bytes_of(const Record& x) {
  std::vector<unsigned char> out;
  detail::encode(x, out);
  return out;
}

TEST(Journal, RoundTripBitForBit) {
  const SmallJournal j;
  ASSERT_EQ(j.blocks.size(), 9u);  // header, revision, 3 frames, 1 input, 2 states, end
  // Reading every record and writing it again gives the same file.
  struct Copy : RecordingVisitor {
    explicit Copy(std::string p) : path(std::move(p)) {}
    std::string path;
    std::optional<JournalWriter> writer;
    void on_header(const RunHeader& x) override { writer = JournalWriter::create(path, x).or_exit(); }
    void on_revision(const Revision& x) override { writer->append(x).value(); }
    void on_input(const InputRecord& x) override { writer->append(x).value(); }
    void on_frame(const Frame& x) override { writer->append(x).value(); }
    void on_state(const StatePoint& x) override { writer->append(x).value(); }
    void on_summary(const RunSummary& x) override { writer->append(x).value(); }
  } copy(j.folder / "copy.journal");
  ASSERT_TRUE(visit_journal(j.path, copy));
  EXPECT_EQ(read_file(copy.path).value(), j.bytes);
}

TEST(Journal, CutAtEveryByteKeepsAllWholeBlocks) {
  const SmallJournal j;
  AppendFile file = AppendFile::open(j.path, AppendFile::Start::keep).or_exit();
  for (std::size_t size = j.bytes.size(); size-- > 0;) {
    ASSERT_TRUE(file.truncate(size));
    const std::size_t whole = j.block_at(size);
    Result<JournalReader> reader = JournalReader::open(j.path);
    if (whole == 0) {
      ASSERT_FALSE(reader) << size;
      continue;
    }
    ASSERT_TRUE(reader) << size;
    std::size_t count = 0;
    double last_time = -1;
    for (Block b; reader.value().next(b); ++count) {
      ASSERT_EQ(b.payload, j.blocks[count].payload);
      if (b.kind == BlockKind::frame || b.kind == BlockKind::state)
        std::memcpy(&last_time, b.payload.data(), 8);
    }
    const JournalEnding& ending = reader.value().ending();
    ASSERT_EQ(count, whole) << size;
    ASSERT_EQ(ending.good_bytes, j.blocks[whole - 1].end);
    ASSERT_EQ(ending.lost_bytes, size - ending.good_bytes);
    ASSERT_EQ(ending.damaged, ending.lost_bytes > 0);
    ASSERT_FALSE(ending.in_the_middle);
    ASSERT_EQ(ending.last_time, last_time);
    if (ending.damaged) {
      ASSERT_NE(ending.message.find(std::to_string(ending.lost_bytes) + " bytes lost"), std::string::npos);
    }
  }
}

TEST(Journal, EveryFlippedBitIsFound) {
  const SmallJournal j;
  for (std::size_t at = 0; at < j.bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      j.overwrite(at, char(j.bytes[at] ^ (1 << bit)));
      const std::size_t broken = j.block_at(at);
      Result<JournalReader> reader = JournalReader::open(j.path);
      if (broken == 0) {
        ASSERT_FALSE(reader);
      } else {
        std::size_t count = 0;
        for (Block b; reader.value().next(b);) ++count;
        ASSERT_EQ(count, broken) << "byte " << at << " bit " << bit;
        ASSERT_TRUE(reader.value().ending().damaged);
        ASSERT_EQ(reader.value().ending().in_the_middle, broken + 1 < j.blocks.size());
      }
      j.overwrite(at, j.bytes[at]);
    }
}

TEST(Journal, DamageInTheMiddleIsToldApart) {
  const SmallJournal j;
  const Block& hit = j.blocks[4];
  j.overwrite(std::size_t(hit.offset) + 50, char(j.bytes[std::size_t(hit.offset) + 50] ^ 4));
  RecordingVisitor nothing;
  const auto ending = visit_journal(j.path, nothing);
  ASSERT_TRUE(ending);
  EXPECT_TRUE(ending.value().in_the_middle);
  EXPECT_NE(ending.value().message.find("damaged in the middle, at byte " + std::to_string(hit.offset)),
            std::string::npos);
  EXPECT_NE(ending.value().message.find("last good time is 0 s"), std::string::npos);
}

TEST(Journal, BlocksOutOfOrderAreDamage) {
  const SmallJournal j;
  std::string bytes = j.bytes.substr(0, j.blocks[2].end);
  bytes += j.bytes.substr(j.blocks[2].offset, j.blocks[2].end - j.blocks[2].offset);  // the same block again
  ASSERT_TRUE(write_file(j.path, bytes));
  JournalReader reader = JournalReader::open(j.path).or_exit();
  std::size_t count = 0;
  for (Block b; reader.next(b);) ++count;
  EXPECT_EQ(count, 3u);
  EXPECT_TRUE(reader.ending().damaged);
}

TEST(Journal, OtherFilesAreRefusedInWords) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder / "a.json", "{ \"stiction\": 1 }"));
  ASSERT_TRUE(write_file(folder / "empty", ""));
  for (const char* name : {"a.json", "empty", "missing"}) {
    EXPECT_FALSE(is_journal(folder / name));
    const auto r = JournalReader::open(folder / name);
    ASSERT_FALSE(r);
    EXPECT_EQ(r.mistakes()[0].file, folder / name);
  }
  JournalWriter::create(folder / "later", {recording_format + 1, "9", "{}", "{}"}).or_exit();
  const auto r = JournalReader::open(folder / "later");
  ASSERT_FALSE(r);
  EXPECT_NE(r.mistakes()[0].message.find(" to " + std::to_string(recording_format)), std::string::npos);
}

TEST(Journal, ResumePointIsTheLastStateAndDropsTheRest) {
  const SmallJournal j;
  const ResumePoint point = find_resume_point(j.path).or_exit();
  EXPECT_EQ(point.state.time, 0.25);
  EXPECT_EQ(point.state.bytes, (std::vector<unsigned char>{1, 2, 3, 4, 5}));
  EXPECT_EQ(point.scene_text, "{}");
  ASSERT_TRUE(point.summary);
  EXPECT_EQ(point.summary->ending, "reached the end");
  JournalWriter w = JournalWriter::resume(j.path, point.end, point.next_index).or_exit();
  ASSERT_TRUE(w.append(InputRecord{9, {}}));
  EXPECT_EQ(read_file(j.path).value().substr(0, point.end), j.bytes.substr(0, point.end));
  JournalReader reader = JournalReader::open(j.path).or_exit();
  Block last;
  std::size_t count = 0;
  while (reader.next(last)) ++count;
  EXPECT_FALSE(reader.ending().damaged);
  EXPECT_EQ(count, point.next_index + 1);
  EXPECT_EQ(last.payload, bytes_of(InputRecord{9, {}}));
}

TEST(Journal, NoStateNoResume) {
  const SmallJournal j;
  ASSERT_TRUE(write_file(j.path, j.bytes.substr(0, j.blocks[2].end)));
  const auto r = find_resume_point(j.path);
  ASSERT_FALSE(r);
  EXPECT_NE(r.mistakes()[0].message.find("no full state"), std::string::npos);
}

}  // namespace
}  // namespace stiction
