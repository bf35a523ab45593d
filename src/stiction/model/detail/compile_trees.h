// From joints of a scene to the forest of a model. See compile_trees.cpp.
#pragma once

#include "stiction/model/model.h"

namespace stiction::detail {

/// The Model of a scene without mistakes.
Model compiled(const Scene& scene, int revision);

/// Links, their mobilities and where they start, for a model whose bodies are compiled.
void compile_trees(const Scene& scene, Model& m);

/// Rows of constraint joints, and the mechanisms that they make, for a model whose forces are compiled.
void compile_mechanisms(const Scene& scene, Model& m);

}  // namespace stiction::detail
