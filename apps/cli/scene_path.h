// Where scenes are: a path, or the name of a scene in the scenes folder.
#pragma once

#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/formats/scene_file.h"

namespace stiction::cli {

/// The folder of the scenes that come with the program: $STICTION_SCENES, ../share/stiction/scenes beside the
/// installed program, or the source tree that the program was built in. Empty if there is none.
std::string scenes_folder();

/// Names of the scenes in that folder: "first", "bars/incline", ...
std::vector<std::string> scene_names();

/// "scenes/first.json", "first.json" and "first" all name a scene; a file that exists comes first.
Result<std::string> find_scene(const std::string& word);

/// "first" for "scenes/first.json": the name of the run's folder.
std::string scene_name(const std::string& path);

/// "run.step=0.005" and the like, as --set takes them.
Result<Overrides> read_overrides(const std::vector<std::string>& words);

}  // namespace stiction::cli
