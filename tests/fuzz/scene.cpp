// Scenes: a list of mistakes with places inside the text, or a scene that reads back the same and compiles.
#include <algorithm>
#include <string_view>

#include "fuzz.h"
#include "stiction/formats/scene_file.h"
#include "stiction/model/model.h"

int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace stiction;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<SceneFile> file = read_scene_text(text, "f");
  if (file) {
    const Result<SceneFile> again = read_scene_text(file.value().text, "again");
    fuzz::expect(again && again.value().text == file.value().text, "a scene reads back the same");
    fuzz::expect(bool(compile(file.value().scene)), "a scene without mistakes compiles");
    return 0;
  }
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  for (const Mistake& m : file.mistakes()) {
    fuzz::expect(m.file == "f" && m.line >= 1 && m.line <= lines && m.column >= 1, "a mistake has its place");
    fuzz::expect(!m.message.empty(), "a mistake has words");
  }
  return 0;
}
