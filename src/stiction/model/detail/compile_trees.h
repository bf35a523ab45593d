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

/// Linkages that contacts can be on and that are too large for joints that give way.
std::vector<Mistake> check_linkages(const Model& m);

/// Gears that act on more groups of bodies than a row of the problem can.
std::vector<Mistake> check_gears(const Model& m);

/// Whether a constraint between these is one on a link of a tree: its rows are laws.
inline bool is_tied(const Model& m, int a, int b) {
  return (a >= 0 && m.link[std::size_t(a)] >= 0) || (b >= 0 && m.link[std::size_t(b)] >= 0);
}
/// Limits, motors and friction of joints, rows of constraints on links of trees, gears and joints that bind
/// velocities, for a model whose trees and mechanisms are compiled.
void compile_laws(const Scene& scene, Model& m);

}  // namespace stiction::detail
