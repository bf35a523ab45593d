// Surfaces -> Model::pair_law.
#pragma once

#include <map>
#include <string>

#include "stiction/model/model.h"

namespace stiction {

/// `index`: of surfaces by name.
void compile_surfaces(const Scene& scene, const std::map<std::string, int>& index, Model& m);

}  // namespace stiction
