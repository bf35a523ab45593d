#include "stiction/base/platform/file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit/record/synthetic_run.h"

namespace stiction {
namespace {

using synthetic::Folder;

/// Rights bind everybody but the superuser, so for these tests we are somebody else.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0) {
    if (was_root_) {
      EXPECT_EQ(::seteuid(65534), 0);
    }
  }
  ~AsNobody() {
    if (was_root_) {
      EXPECT_EQ(::seteuid(0), 0);
    }
  }

 private:
  bool was_root_;
};

TEST(File, ReadsBackWhatWasWritten) {
  const Folder folder;
  std::string bytes(200000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = char(i * 7919 >> 3);
  ASSERT_TRUE(write_file(folder / "a", bytes));
  EXPECT_EQ(read_file(folder / "a").value(), bytes);
  EXPECT_EQ(file_size(folder / "a").value(), bytes.size());
  ASSERT_TRUE(write_file(folder / "a", "new"));
  EXPECT_EQ(read_file(folder / "a").value(), "new");
  EXPECT_EQ(list_folder(folder.path()).value(), std::vector<std::string>{"a"});  // no temporary file stays
}

TEST(File, MissingFileSaysWhichAndWhatToDo) {
  const auto r = read_file("/nowhere/scene.json");
  ASSERT_FALSE(r);
  EXPECT_EQ(r.mistakes()[0].file, "/nowhere/scene.json");
  EXPECT_NE(r.mistakes()[0].message.find("No such file"), std::string::npos);
  EXPECT_NE(r.mistakes()[0].message.find("Check the spelling"), std::string::npos);
  EXPECT_FALSE(file_size("/nowhere/x"));
  EXPECT_FALSE(list_folder("/nowhere"));
  EXPECT_FALSE(InputFile::open("/nowhere/x"));
  EXPECT_FALSE(AppendFile::open("/nowhere/x", AppendFile::Start::fresh));
  EXPECT_FALSE(AppendFile::open("/nowhere/x", AppendFile::Start::keep));
}

TEST(File, FolderIsNotAFile) {
  const Folder folder;
  const auto r = file_size(folder.path());
  ASSERT_FALSE(r);
  EXPECT_NE(r.mistakes()[0].message.find("folder"), std::string::npos);
  EXPECT_FALSE(InputFile::open(folder.path()));
  EXPECT_FALSE(read_file(folder.path()));
}

TEST(File, ReadOnlyFolderIsAMistake) {
  const Folder folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  {
    const AsNobody nobody;
    const auto r = write_file(folder / "a", "x");
    ASSERT_FALSE(r);
    EXPECT_EQ(r.mistakes()[0].file, folder / "a");
    EXPECT_NE(r.mistakes()[0].message.find("ermission"), std::string::npos);
    EXPECT_FALSE(make_folders(folder / "deeper/still"));
    const auto recorder = Recorder::open(synthetic::settings(folder.path()));
    ASSERT_FALSE(recorder);
    EXPECT_EQ(recorder.mistakes()[0].file, folder / "run.journal");
  }
  ::chmod(folder.path().c_str(), 0755);
  EXPECT_TRUE(list_folder(folder.path()).value().empty());
}

TEST(File, FullDiskIsAMistake) {
  auto full = AppendFile::open("/dev/full", AppendFile::Start::keep);
  if (!full) GTEST_SKIP() << "no /dev/full here";
  const auto r = full.value().append("x", 1);
  ASSERT_FALSE(r);
  EXPECT_NE(r.mistakes()[0].message.find("free some space"), std::string::npos);
}

TEST(File, HiddenFilesAppearWholeOrNotAtAll) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder / "a", "old"));
  {
    AppendFile never = AppendFile::open(folder / "a", AppendFile::Start::hidden).or_exit();
    ASSERT_TRUE(never.append("half", 4));
    OutputFile neither = OutputFile::open(folder / "b").or_exit();
    ASSERT_TRUE(neither.write(100, "x", 1));
    EXPECT_EQ(list_folder(folder.path()).value().size(), 3u);  // a and two parts
  }
  EXPECT_EQ(list_folder(folder.path()).value(), std::vector<std::string>{"a"});
  EXPECT_EQ(read_file(folder / "a").value(), "old");
  AppendFile file = AppendFile::open(folder / "a", AppendFile::Start::hidden).or_exit();
  EXPECT_EQ(file.path(), folder / "a");
  ASSERT_TRUE(file.append("new", 3));
  EXPECT_EQ(read_file(folder / "a").value(), "old");
  ASSERT_TRUE(file.publish());
  ASSERT_TRUE(file.append("er", 2));  // and goes on
  EXPECT_EQ(read_file(folder / "a").value(), "newer");
  OutputFile out = OutputFile::open(folder / "b").or_exit();
  ASSERT_TRUE(out.write(2, "cd", 2));
  ASSERT_TRUE(out.write(0, "ab", 2));
  ASSERT_TRUE(out.publish());
  EXPECT_EQ(read_file(folder / "b").value(), "abcd");
}

TEST(File, AFailedAppendLeavesTheFileAsItWas) {
  const Folder folder;
  AppendFile file = AppendFile::open(folder / "log", AppendFile::Start::fresh).or_exit();
  const std::string block(700, 'x');
  ASSERT_TRUE(file.append(block.data(), block.size()));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Result<bool> failed = file.append(block.data(), block.size());
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.mistakes()[0].message.find("ulimit -f"), std::string::npos);
  EXPECT_EQ(read_file(folder / "log").value(), block);  // 300 bytes were written, and taken back
  ASSERT_TRUE(file.append("y", 1));
  EXPECT_EQ(read_file(folder / "log").value(), block + "y");
}

TEST(File, PartsOfKilledProcessesAreRemovedAndNothingElse) {
  const Folder folder;
  for (const char* name :
       {"a.h5.123.part", "b.journal.9.part", "c.part", "d.x1.part", ".1.part", "e.123.parts"})
    ASSERT_TRUE(write_file(folder / name, ""));
  remove_left_parts(folder.path());
  EXPECT_EQ(list_folder(folder.path()).value(),
            (std::vector<std::string>{".1.part", "c.part", "d.x1.part", "e.123.parts"}));
}

TEST(File, ReadsNoMoreThanAskedFor) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder / "a", "12345"));
  EXPECT_TRUE(read_file(folder / "a", 5));
  EXPECT_FALSE(read_file(folder / "a", 4));
  EXPECT_FALSE(read_file("/dev/zero", 1'000'000));  // has no length beforehand
}

TEST(File, FoldersAreMadeWithParentsAndListedInOrder) {
  const Folder folder;
  ASSERT_TRUE(make_folders(folder / "b/c"));
  ASSERT_TRUE(make_folders(folder / "b/c"));
  ASSERT_TRUE(make_folders(folder / "a/"));
  EXPECT_TRUE(is_folder(folder / "b/c"));
  EXPECT_EQ(list_folder(folder.path()).value(), (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(write_file(folder / "file", ""));
  const auto r = make_folders(folder / "file/deeper");
  ASSERT_FALSE(r);
  EXPECT_NE(r.mistakes()[0].message.find("not a folder"), std::string::npos);
  for (const char* name : {"b/c", "b", "a"}) ::rmdir((folder / name).c_str());
}

TEST(File, AppendFileGrowsAndIsCut) {
  const Folder folder;
  {
    AppendFile file = AppendFile::open(folder / "log", AppendFile::Start::fresh).or_exit();
    ASSERT_TRUE(file.append("hello ", 6));
    ASSERT_TRUE(file.append("world", 5));
    EXPECT_EQ(file.size(), 11u);
  }
  AppendFile file = AppendFile::open(folder / "log", AppendFile::Start::keep).or_exit();
  EXPECT_EQ(file.size(), 11u);
  ASSERT_TRUE(file.truncate(5));
  ASSERT_TRUE(file.append("!", 1));
  ASSERT_TRUE(file.sync());
  ASSERT_TRUE(file.close());
  EXPECT_EQ(read_file(folder / "log").value(), "hello!");
  const InputFile in = InputFile::open(folder / "log").or_exit();
  char part[8] = {};
  EXPECT_EQ(in.read(4, part, 8).value(), 2u);
  EXPECT_STREQ(part, "o!");
}

}  // namespace
}  // namespace stiction
