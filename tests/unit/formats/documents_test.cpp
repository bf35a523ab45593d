// The committed scenes, schema and documentation agree with the code.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "stiction/formats/grammar.h"
#include "stiction/formats/starter.h"
#include "stiction/model/model.h"
#include "support.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;
const fs::path root = STICTION_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// With STICTION_UPDATE_DOCUMENTS set, writes the file instead of comparing.
void expect_committed(const fs::path& path, const std::string& printed) {
  if (std::getenv("STICTION_UPDATE_DOCUMENTS") != nullptr) {
    std::ofstream(path, std::ios::binary) << printed;
    return;
  }
  EXPECT_TRUE(content(path) == printed)
      << path << " is out of date: run unit_formats with STICTION_UPDATE_DOCUMENTS=1 to print it again";
}

std::vector<fs::path> scenes() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(root / "scenes")) {
    if (entry.path().extension() == ".json") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Documents, SchemaIsCommitted) { expect_committed(root / "schema/scene.schema.json", json_schema()); }
TEST(Documents, FormatPageIsCommitted) {
  expect_committed(root / "docs/scene-format.md", scene_format_markdown());
}

TEST(Documents, EverySceneLoadsCompilesAndReadsBack) {
  ASSERT_GE(scenes().size(), 12u);
  for (const fs::path& path : scenes()) {
    const Result<SceneFile> file = read_scene_file(path.string());
    ASSERT_TRUE(file) << testing::PrintToString(test::mistakes_of(file));
    EXPECT_TRUE(compile(file.value().scene)) << path;
    EXPECT_FALSE(file.value().scene.title.empty()) << path;
    EXPECT_FALSE(file.value().record.plot.empty()) << path;
    const Result<SceneFile> again = read_scene_text(file.value().text, "again");
    ASSERT_TRUE(again) << testing::PrintToString(test::mistakes_of(again));
    EXPECT_EQ(again.value().text, file.value().text) << path;
  }
}

TEST(Documents, ScenesAreWhatTheirNamesSay) {
  const auto read = [](const char* name, const Overrides& o = {}) {
    return read_scene_file((root / "scenes" / name).string(), o).or_exit();
  };
  EXPECT_EQ(read("pyramid.json").scene.bodies.size(), 1u + 210u);
  EXPECT_EQ(read("pyramid.json", {{"$base", "40"}}).scene.bodies.size(), 1u + 820u);
  EXPECT_EQ(read("spheres.json").scene.bodies.size(), 5u + 64u);
  const SceneFile spheres = read("spheres.json", {{"$n", "10"}});
  EXPECT_EQ(spheres.scene.bodies.size(), 5u + 1000u);
  double largest = 0;  // displacement from the lattice
  for (int i = 0; i < 10; ++i) {
    const Vec3 p = test::body(spheres, "ball." + std::to_string(i) + ".3.0").position;
    largest = std::max(largest, std::fabs(p.x - (i - 4.5) * 0.21));
    EXPECT_EQ(p.z, 0.2);
  }
  EXPECT_GT(largest, 0.0005);
  EXPECT_LE(largest, 0.002);
  const SceneFile stack = read("heavy_stack.json");
  EXPECT_EQ(test::body(stack, "cube.18").mass, 1);
  EXPECT_EQ(test::body(stack, "cube.19").mass, 1000);
  EXPECT_NEAR(test::body(stack, "cube.19").position.z, 3.9, 1e-15);
  // the box stands on the slope: its lower face lies in the plane, in every direction of the slope
  for (const char* heading : {"0", "30", "45", "-120"}) {
    const SceneFile f = read("incline_slide.json", {{"$heading", heading}});
    const Vec3 n = normalized(std::get<HalfSpace>(test::body(f, "slope").shape).normal);
    const BodyDescription& box = test::body(f, "box");
    EXPECT_NEAR(dot(n, box.position), 0.1, 3e-17);
    EXPECT_NEAR(norm(rotate(box.orientation, {0, 0, 1}) - n), 0, 3e-16);
    EXPECT_NEAR(std::sqrt(1 - n.z * n.z) / n.z, 1.05 * 0.5, 1e-15);
  }
}

TEST(Documents, CountsMayBeAnything) {
  const std::pair<const char*, const char*> cases[] = {{"atoms.json", "$n"},
                                                       {"breakable_bridge.json", "$n"},
                                                       {"domino_run.json", "$n"},
                                                       {"drifting_chain.json", "$n"},
                                                       {"heavy_chain.json", "$n"},
                                                       {"heavy_stack.json", "$n"},
                                                       {"marble_run.json", "$marbles"},
                                                       {"mixed_pile.json", "$layers"},
                                                       {"mixed_pile.json", "$side"},
                                                       {"pyramid.json", "$base"},
                                                       {"shapes.json", "$n"},
                                                       {"spheres.json", "$n"}};
  for (const auto& [name, constant] : cases)
    for (const char* count : {"1", "2", "7"}) {
      const Result<SceneFile> file = read_scene_file((root / "scenes" / name).string(), {{constant, count}});
      ASSERT_TRUE(file) << constant << "=" << count << ": "
                        << testing::PrintToString(test::mistakes_of(file));
      EXPECT_TRUE(compile(file.value().scene)) << name;
    }
}

TEST(Documents, EveryStarterLoads) {
  ASSERT_EQ(starters().size(), 5u);
  for (const StarterInfo& info : starters()) {
    const Result<SceneFile> file = read_scene_text(starter_text(info.name), info.name);
    EXPECT_TRUE(file) << testing::PrintToString(test::mistakes_of(file));
    EXPECT_FALSE(info.summary.empty());
    EXPECT_TRUE(file && compile(file.value().scene)) << info.name;
  }
  EXPECT_EQ(starter_text("nothing"), "");
}

TEST(Documents, TheExampleOfTheFormatPageLoads) {
  const std::string page = scene_format_markdown();
  const std::size_t begin = page.find("```jsonc\n") + 9;
  test::good(page.substr(begin, page.find("```", begin) - begin));
}

TEST(Documents, EveryRuleIsDocumented) {
  for (const formats::Section* section : formats::all_sections()) {
    EXPECT_NE(std::string(section->doc), "") << section->name;
    for (const formats::Rule& rule : section->rules) EXPECT_NE(std::string(rule.doc), "") << rule.key;
  }
}

class Includes : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder / "sub"); }
  void TearDown() override { fs::remove_all(folder); }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; }
  Result<SceneFile> read(const std::string& name) { return read_scene_file((folder / name).string()); }
  std::vector<std::string> mistakes(const std::string& name) {
    std::vector<std::string> out;
    const Result<SceneFile> result = read(name);
    for (const Mistake& m : result.mistakes()) {
      std::string text = m.text();
      const std::string prefix = folder.string() + "/";
      for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
      out.push_back(text);
    }
    return out;
  }
  const fs::path folder =
      fs::path(testing::TempDir()) / ("stiction_include_test_" + std::to_string(::getpid()));
};

TEST_F(Includes, JoinEntriesAndCountOnce) {
  write("main.json", R"({"stiction": 1, "title": "main", "include": ["sub/a.json", "sub/b.json"], "$n": 2,
    "surface_pairs": [{"between": ["s", "s"], "friction": 0.1}],
    "bodies": {"x": {"static": true, "surface": "s"}}, "run": {"step": 0.5}})");
  write("sub/a.json", R"({"stiction": 1, "title": "a", "include": ["c.json"], "run": {"until": 7},
    "bodies": {"a": {"repeat": {"count": "$n"}, "static": true}}})");
  write("sub/b.json", R"({"stiction": 1, "include": ["../sub/c.json"], "surface_pairs": []})");
  write("sub/c.json", R"({"stiction": 1, "surfaces": {"s": {}}, "gravity": [0, 0, -1]})");
  const SceneFile f = read("main.json").or_exit();
  EXPECT_EQ(f.scene.title, "main");
  EXPECT_EQ(f.scene.gravity.z, -1);
  ASSERT_EQ(f.scene.bodies.size(), 3u);
  EXPECT_EQ(f.scene.bodies[0].name, "a.0");
  EXPECT_EQ(f.scene.bodies[2].name, "x");
  EXPECT_EQ(f.run.until, 7);
  EXPECT_EQ(f.run.step, 0.5);
  EXPECT_EQ(f.scene.surface_pairs.size(), 1u);
  EXPECT_EQ(read_scene_text(f.text, "again").or_exit().text, f.text);  // needs no other file
}

TEST_F(Includes, Mistakes) {
  using test::Texts;
  write("main.json",
        "{\"stiction\": 1, \"include\": [\"a.json\", \"none.json\"],\n \"gravity\": [0,0,0],\n"
        " \"bodies\": {\"x\": {\"static\": true}}}");
  write("a.json",
        "{\"stiction\": 1, \"include\": [\"main.json\"], \"gravity\": [0,0,0],\n"
        " \"bodies\": {\"x\": {\"static\": 5}}}");
  const Texts found = mistakes("main.json");
  ASSERT_EQ(found.size(), 5u) << testing::PrintToString(found);
  EXPECT_EQ(found[0].substr(0, 55), "main.json:1:39: include.1: cannot include \"none.json\": ");
  EXPECT_EQ(found[1],
            "main.json:2:2: gravity: \"gravity\" is already given at a.json:1:43; keep one of them");
  EXPECT_EQ(found[2], "main.json:3:13: bodies.x: \"x\" is already given at a.json:2:13; keep one of them");
  EXPECT_EQ(found[3], "a.json:1:29: include.0: \"main.json\" includes itself, directly or through others");
  EXPECT_EQ(found[4], "a.json:2:29: bodies.x.static: found 5, must be true or false");

  write("bad.json", "{\"stiction\": 1,\n \"bodies\": }");
  write("main.json", "{\"stiction\": 1, \"include\": [\"bad.json\", \"old.json\"], \"gravity\": 1}");
  write("old.json", "{}");
  EXPECT_EQ(mistakes("main.json"),
            (Texts{"main.json:1:65: gravity: found 1, must be a list of three numbers [m/s^2]",
                   "bad.json:2:12: bodies: found '}', expected a value: a number, a \"text\", true, false, a "
                   "[list] or "
                   "a {map}",
                   "old.json:1:1: the key `stiction` is missing: Version of the format: 1."}));
  EXPECT_FALSE(read("not_there.json"));
}

}  // namespace
}  // namespace stiction
