#include "file_kind.h"

#include <algorithm>

#include "scene_path.h"
#include "stiction/base/platform/file.h"
#include "stiction/formats/include.h"
#include "stiction/formats/problem_file.h"
#include "stiction/record/hdf5.h"
#include "stiction/record/journal.h"

namespace stiction::cli {
namespace {

Mistake mistake(const std::string& path, const std::string& message) { return {path, 0, 0, "", message}; }

/// JSON of ours, by its looks: what is wrong inside of it does not matter here.
bool is_json(const std::string& path, std::string& text) {
  Result<std::string> read = read_file(path, formats::longest_scene);
  if (!read) return false;
  text = std::move(read).value();
  const bool binary = std::any_of(text.begin(), text.end(), [](char c) { return c == '\0'; });
  return !binary && text.find('{') != std::string::npos && text.find("\"stiction\"") != std::string::npos;
}

Mistake a_scene(const std::string& path) {
  return mistake(path, "this is a scene, not a recording: `stiction run " + path + "` makes one, out/" +
                           scene_name(path) + "/recording.h5");
}

std::optional<Mistake> not_a_recording(const std::string& path) {
  if (!file_exists(path)) {
    const std::vector<std::string> names = scene_names();
    if (std::find(names.begin(), names.end(), path) == names.end()) return std::nullopt;
    return a_scene(path);
  }
  std::string text;
  if (is_hdf5(path) || is_journal(path) || !is_json(path, text)) return std::nullopt;
  if (read_problem_text(text, path))
    return mistake(path, "this is a complementarity problem, not a recording; `stiction solve` takes it");
  return a_scene(path);
}

}  // namespace

std::optional<Mistake> not_a_scene(const std::string& path) {
  if (is_journal(path))
    return mistake(path,
                   "this is the journal of a run, not a scene; `stiction report`, `plot` and `convert` take "
                   "it, and `stiction run SCENE --resume` goes on with it");
  if (!is_hdf5(path)) return std::nullopt;
  if (most_bodies_in_hdf5(path) > 0)
    return mistake(path,
                   "this is a recording, not a scene; `stiction report`, `plot`, `view` and `convert` take "
                   "it, and `stiction run SCENE --resume` goes on with it");
  return mistake(path,
                 "this is an HDF5 file, not a scene; `stiction report` takes recordings, `stiction solve` "
                 "problems");
}

std::vector<Mistake> not_recordings(const std::vector<std::string>& paths) {
  std::vector<Mistake> out;
  for (const std::string& path : paths)
    if (const auto m = not_a_recording(path)) out.push_back(*m);
  return out;
}

}  // namespace stiction::cli
