// What a file is that was given to a command which takes another kind, and which command takes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/base/result.h"

namespace stiction::cli {

/// A recording, a journal or another HDF5 file where a scene is expected; none for anything else, whose
/// reader says more.
std::optional<Mistake> not_a_scene(const std::string& path);
/// Scenes (by path or name) and problems where recordings are expected.
std::vector<Mistake> not_recordings(const std::vector<std::string>& paths);

}  // namespace stiction::cli
