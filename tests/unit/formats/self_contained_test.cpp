// Scenes as one text: what other files hold is in it, and constants are kept wherever they can be.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "support.h"

namespace stiction {
namespace {

using test::good;
using test::mistakes_of;

constexpr const char* triangle = "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n";

/// A folder of files while it lives; s.json is the scene.
class Folder {
 public:
  Folder(std::initializer_list<std::pair<std::string, std::string>> files) {
    std::filesystem::create_directories(path_);
    for (const auto& [name, text] : files) std::ofstream(path_ / name) << text;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string scene() const { return (path_ / "s.json").string(); }
  /// The text, after a look at whether it means the same scene.
  std::string text(const Overrides& overrides = {}) const {
    const Result<std::string> text = self_contained_text(scene(), overrides);
    const Result<SceneFile> file = read_scene_file(scene(), overrides);
    EXPECT_TRUE(text && file) << testing::PrintToString(mistakes_of(file));
    if (!text || !file) return {};
    EXPECT_EQ(good(text.value()).text, file.value().text);
    return text.value();
  }
  /// How many constants are left in it.
  std::size_t constants() const { return good(text()).constants.size(); }

 private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("stiction_text_" + std::to_string(::getpid()));
};

std::string rock(const std::string& before, const std::string& mesh, const std::string& more = "") {
  return "{\"stiction\": 1, " + before + R"("bodies": {"rock": {"static": true, )" + more +
         R"("at": ["$x", 0, 0], "shape": )" + mesh + "}}}";
}

constexpr const char* row = R"(// balls in a row
{ "stiction": 1, "$n": 3, "$r": 0.1,
  "bodies": { "ball": { "repeat": {"count": "$n", "offset": ["=2*$r", 0, 0]},
                        "shape": {"sphere": "$r"}, "mass": 1 } } }
)";

TEST(SelfContained, AFileThatNamesNoOtherIsGivenLetterForLetter) {
  const Folder folder{{"s.json", row}};
  EXPECT_EQ(folder.text(), row);
}

TEST(SelfContained, WhatIsIncludedIsInItWithItsConstants) {
  const Folder folder{{"s.json", R"({"stiction": 1, "include": ["row.json"], "$x": 1,
                                      "bodies": {"box": {"shape": {"box": ["$x", 1, "=$r"]}, "mass": 1}}})"},
                      {"row.json", row}};
  const std::string text = folder.text();
  EXPECT_EQ(text.find("include"), std::string::npos);
  const SceneFile more = good(text, {{"$n", "5"}, {"$r", "0.3"}});
  EXPECT_EQ(more.scene.bodies.size(), 6u);
  EXPECT_EQ(std::get<Box>(test::body(more, "box").shape).size.z, 0.3);
  EXPECT_EQ(std::get<Sphere>(test::body(more, "ball.4").shape).radius, 0.3);
}

TEST(SelfContained, TrianglesOfMeshFilesAreInItAndConstantsStay) {
  const Folder folder{
      {"s.json", rock("\"$x\": 1, ", R"({"mesh": {"file": "a.obj", "unit": 0.5, "flip": true}})")},
      {"a.obj", triangle}};
  const std::string text = folder.text();
  EXPECT_EQ(text.find("a.obj"), std::string::npos);
  EXPECT_EQ(test::body(good(text, {{"$x", "7"}}), "rock").position.x, 7);
}

TEST(SelfContained, ValuesAreReplacedInIt) {
  const Folder folder{{"s.json", row}};
  const SceneFile wider = good(folder.text({{"$r", "0.2"}, {"bodies.ball.mass", "3"}}));
  EXPECT_EQ(wider.constants, (std::vector<std::pair<std::string, double>>{{"$n", 3}, {"$r", 0.2}}));
  EXPECT_EQ(test::body(wider, "ball.2").mass, 3);
}

/// A constant that is shown but no longer says anything of what was put in would be a lie.
TEST(SelfContained, WhatCannotKeepItsConstantsIsExpanded) {
  const auto constants = [](const std::string& scene) {
    return Folder{{"s.json", scene}, {"a.obj", triangle}, {"a0.obj", triangle}, {"a1.obj", triangle}}
        .constants();
  };
  const std::string x = "\"$x\": 1, ";
  EXPECT_EQ(constants(rock(x, R"({"mesh": {"file": "a.obj"}})")), 1u);
  EXPECT_EQ(constants(rock(x, R"({"mesh": {"file": "a.obj", "unit": "$x"}})")), 0u);
  EXPECT_EQ(constants(rock(x, R"({"mesh": {"file": "a.obj", "unit": "=2*$x"}})")), 0u);
  EXPECT_EQ(constants(rock(x, R"({"mesh": {"file": "a{$x}.obj"}})")), 0u);
  EXPECT_EQ(constants(rock(x + R"("$f": true, )", R"({"mesh": {"file": "a.obj", "flip": "$f"}})")), 0u);
  EXPECT_EQ(constants(rock(x + R"("$rock": {"mesh": {"file": "a.obj"}}, )", "\"$rock\"")), 0u);
  EXPECT_EQ(constants(rock(x, R"({"mesh": {"file": "a{$i}.obj"}})", R"("repeat": {"count": 2}, )")), 0u);
  EXPECT_EQ(constants(rock(x, R"({"mesh": {"file": "a.obj"}})", R"("repeat": {"count": 2}, )")), 1u);
  const Folder balls{{"s.json", row}};
  EXPECT_TRUE(good(balls.text({{"bodies.ball.1.mass", "3"}})).constants.empty());
}

TEST(SelfContained, MistakesAreThoseOfTheFile) {
  const Folder folder{{"s.json", "{\"stiction\": 1,\n \"include\": [\"none.json\"], \"bodies\": 3}"}};
  const Result<std::string> text = self_contained_text(folder.scene());
  ASSERT_EQ(text.mistakes().size(), 2u);
  EXPECT_EQ(text.mistakes()[0].file, folder.scene());
  EXPECT_EQ(text.mistakes()[0].line, 2);
  EXPECT_EQ(self_contained_text(folder.scene() + "x").mistakes().size(), 1u);
}

}  // namespace
}  // namespace stiction
