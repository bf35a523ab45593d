// A scene as the page needs it, in JSON: bodies with the numbers of their meshes, joints, springs, surfaces,
// settings.
#pragma once

#include <string>
#include <vector>

#include "stiction/formats/scene_file.h"
#include "stiction/world/world.h"

namespace stiction::web {

/// Fills `meshes` too: one for each different shape, three numbers per corner, three corners per triangle.
std::string describe_world(const World& world, const SceneFile& file, const std::vector<std::string>& numbers,
                           std::vector<std::vector<float>>& meshes);
/// {"mistakes": [{"line", "column", "path", "message"}]}
std::string describe_mistakes(const std::vector<Mistake>& mistakes);

}  // namespace stiction::web
