// Short ways to read a scene in a test and to look at what was said about it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stiction/formats/scene_file.h"

namespace stiction::test {

/// "line:column: path: message" of every mistake; the name of the text is left out.
inline std::vector<std::string> mistakes_of(const Result<SceneFile>& result) {
  std::vector<std::string> out;
  for (const Mistake& m : result.mistakes()) {
    const std::string text = m.text();
    out.push_back(text.starts_with("t:") ? text.substr(2) : text);
  }
  return out;
}
inline std::vector<std::string> mistakes_in(std::string_view text, const Overrides& overrides = {}) {
  return mistakes_of(read_scene_text(text, "t", overrides));
}

inline SceneFile good(std::string_view text, const Overrides& overrides = {}) {
  Result<SceneFile> r = read_scene_text(text, "t", overrides);
  EXPECT_TRUE(r) << testing::PrintToString(mistakes_of(r));
  return r ? std::move(r).value() : SceneFile{};
}

inline const BodyDescription& body(const SceneFile& file, const std::string& name) {
  for (const auto& b : file.scene.bodies) {
    if (b.name == name) return b.value;
  }
  ADD_FAILURE() << "no body " << name;
  static const BodyDescription none;
  return none;
}

using Texts = std::vector<std::string>;

}  // namespace stiction::test
