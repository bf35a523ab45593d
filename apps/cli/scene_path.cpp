#include "scene_path.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "file_kind.h"
#include "stiction/base/text.h"

namespace stiction::cli {
namespace fs = std::filesystem;

std::string scenes_folder() {
  std::error_code error;
  if (const char* given = std::getenv("STICTION_SCENES"); given && *given) return given;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  const fs::path installed = program.parent_path().parent_path() / "share" / "stiction" / "scenes";
  if (fs::is_directory(installed, error)) return installed.string();
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (fs::is_regular_file(folder / "scenes" / "first.json", error)) return (folder / "scenes").string();
  return {};
}

std::vector<std::string> scene_names() {
  std::vector<std::string> names;
  const fs::path folder = scenes_folder();
  std::error_code error;
  if (folder.empty()) return names;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file(error) || entry.path().extension() != ".json") continue;
    const std::string name = fs::relative(entry.path(), folder, error).replace_extension().string();
    // Pieces that scenes include, and the schema, are no scenes.
    if (name.find("parts/") == std::string::npos && name.find(".schema") == std::string::npos)
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> find_scene(const std::string& word) {
  std::error_code error;
  if (fs::is_regular_file(word, error)) {
    if (const auto m = not_a_scene(word)) return *m;
    return word;
  }
  const fs::path folder = scenes_folder();
  if (!folder.empty()) {
    for (const fs::path& candidate : {folder / (word + ".json"), folder / word})
      if (fs::is_regular_file(candidate, error)) {
        // Shown to the user: short where the scenes lie below the present folder.
        const fs::path here = fs::proximate(candidate, error);
        return here.string().starts_with("..") ? candidate.string() : here.string();
      }
  }
  const std::vector<std::string> names = scene_names();
  Mistake m;
  m.file = word;
  m.message = fs::exists(word, error) ? "this is a folder, not a scene file"
                                      : "there is no such file, and no scene of that name" +
                                            did_you_mean(word, names) + " (stiction list scenes)";
  return m;
}

std::string scene_name(const std::string& path) { return fs::path(path).stem().string(); }

Result<Overrides> read_overrides(const std::vector<std::string>& words) {
  Overrides out;
  std::vector<Mistake> mistakes;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
      Mistake m;
      m.file = "--set " + word;
      m.message = "KEY=VALUE is needed, for example --set run.step=0.005 or --set bodies.box.density=700";
      if (equals == 0) m.message += "; a shell leaves a constant whole in single quotes: --set '$slope=20'";
      mistakes.push_back(m);
    } else {
      out.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
  }
  if (!mistakes.empty()) return mistakes;
  return out;
}

}  // namespace stiction::cli
