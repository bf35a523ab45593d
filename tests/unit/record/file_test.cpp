#include "stiction/base/platform/file.h"

#include <gtest/gtest.h>
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
