// From a scene file to a world, with everything checked that can be wrong before the first step.
#pragma once

#include "stiction/formats/scene_file.h"
#include "stiction/world/world.h"

namespace stiction::cli {

/// Builds the world; mistakes of the scene, its settings and the curves asked for come together.
Result<World> prepare(const SceneFile& file);
/// The world's warnings on stderr.
void warn(const World& world);

}  // namespace stiction::cli
