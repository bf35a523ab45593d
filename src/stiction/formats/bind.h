// From the expanded, checked tree to Scene, RunSettings and RecordSettings.
#pragma once

#include "stiction/formats/json.h"
#include "stiction/formats/scene_file.h"

namespace stiction::formats {

/// Reads what is there and well-formed; values with reported mistakes keep their defaults. Reports names in
/// `initial` and `record.plot` that lead nowhere.
void bind(const Json& tree, SceneFile& out, Messages& messages);

/// Reports mistakes of validate() at the values of the file that cause them.
void report_semantics(const Json& tree, const std::vector<Mistake>& mistakes, Messages& messages);

}  // namespace stiction::formats
