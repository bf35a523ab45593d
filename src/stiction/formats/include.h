// Scenes made of several files.
#pragma once

#include <cstdint>
#include <string>

#include "stiction/formats/json.h"

namespace stiction::formats {

/// [bytes] No scene is longer: three million values, the most that a scene may have, with 20 characters each.
inline constexpr std::uint64_t longest_scene = 64'000'000;

/// Replaces "include" by the entries of the files it names (paths from the including file), before the file's
/// own. Named maps, `run` and `record` unite by key, surface_pairs are strung together; anything given twice
/// is a mistake. A file that is included twice counts once; circles are mistakes. The title of an included
/// file is dropped.
void include_files(Json& tree, const std::string& path, Messages& messages);

}  // namespace stiction::formats
