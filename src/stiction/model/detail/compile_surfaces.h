// Surfaces -> Model::pair_law.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "stiction/model/model.h"

namespace stiction {

/// `index`: of surfaces by name.
void compile_surfaces(const Scene& scene, const std::map<std::string, int>& index, Model& m);

namespace detail {
/// Pairs of bodies that Hertz's law is not for.
std::vector<Mistake> check_hertz(const Model& m);
}  // namespace detail

}  // namespace stiction
