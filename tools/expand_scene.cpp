// expand_scene SCENE [KEY=VALUE...]: prints the scene as one text that names no other file, with values
// replaced: for the page, which has no folders to include from.
#include <algorithm>
#include <cstdio>
#include <string>

#include "stiction/formats/scene_file.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: expand_scene SCENE [KEY=VALUE...]\n");
    return 2;
  }
  stiction::Overrides overrides;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = std::min(word.find('='), word.size());
    overrides.emplace_back(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
  }
  const std::string text = stiction::self_contained_text(argv[1], overrides).or_exit();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
