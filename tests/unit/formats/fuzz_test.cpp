// Damaged scenes: cut off at every byte, and with bytes changed, deleted and doubled. The reader must never
// crash or hang; it either reads a scene that reads back the same, or lists mistakes with places inside the
// file.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "stiction/formats/starter.h"
#include "support.h"
#include "support/size.h"

namespace stiction {
namespace {

namespace fs = std::filesystem;

struct Seed {
  std::string name, text;
  Overrides overrides;  // keep the big scenes small
};

std::vector<Seed> seeds() {
  std::vector<Seed> out;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(STICTION_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    Seed seed{file.filename().string(), {std::istreambuf_iterator<char>(in), {}}, {}};
    if (seed.name == "spheres.json") seed.overrides = {{"$n", "2"}};
    if (seed.name == "mixed_pile.json") seed.overrides = {{"$side", "1"}, {"$layers", "1"}};
    if (seed.name == "pyramid.json") seed.overrides = {{"$base", "3"}};
    out.push_back(std::move(seed));
  }
  for (const StarterInfo& info : starters()) out.push_back({info.name, starter_text(info.name), {}});
  return out;
}

/// True if it was read.
bool survives(const std::string& text, const Seed& seed) {
  const Result<SceneFile> result = read_scene_text(text, "f", seed.overrides);
  if (result) {
    const Result<SceneFile> again = read_scene_text(result.value().text, "again");
    EXPECT_TRUE(again && again.value().text == result.value().text) << seed.name << "\n" << text;
    return true;
  }
  const int lines = 1 + int(std::count(text.begin(), text.end(), '\n'));
  EXPECT_FALSE(result.mistakes().empty());
  for (const Mistake& m : result.mistakes()) {
    EXPECT_FALSE(m.message.empty());
    EXPECT_FALSE(m.file.empty());
    const bool placed = m.line >= 1 && m.line <= lines && m.column >= 1;
    EXPECT_TRUE(placed || (m.line == 0 && m.file.starts_with("--set"))) << seed.name << ": " << m.text();
  }
  return false;
}

TEST(Fuzz, CutOffAtEveryByte) {
  for (const Seed& seed : seeds()) {
    const std::size_t end = seed.text.find_last_of('}');
    for (std::size_t n = 0; n <= end; n += test::under_sanitizer ? 11 : 1) {  // there libFuzzer cuts them too
      ASSERT_FALSE(survives(seed.text.substr(0, n), seed)) << seed.name << " cut at " << n;
    }
  }
}

TEST(Fuzz, ChangedBytes) {
  std::uint64_t state = 20240229;  // fixed, so that a failure comes back
  const auto random = [&](std::size_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return std::size_t(state >> 33) % below;
  };
  const std::string bytes =
      std::string("{}[]\",:=$.-+*^()/0123456789eE\\n \t\n") + '\0' + '\x80' + '\xff' + "aijk";
  int read = 0, refused = 0;
  for (const Seed& seed : seeds()) {
    for (int round = 0; round < test::cases(400, 400); ++round) {
      std::string text = seed.text;
      for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
        const std::size_t at = random(text.size());
        switch (random(4)) {
          case 0:
            text.erase(at, 1 + random(4));
            break;
          case 1:
            text.insert(at, 1, bytes[random(bytes.size())]);
            break;
          case 2:
            text.insert(at, text.substr(random(text.size()), random(30)));
            break;
          default:
            text[at] = bytes[random(bytes.size())];
        }
      }
      (survives(text, seed) ? read : refused)++;
    }
  }
  EXPECT_GT(read, test::cases(500, 500));  // changes in comments and digits leave a scene
  EXPECT_GT(refused, test::cases(500, 500));
}

}  // namespace
}  // namespace stiction
