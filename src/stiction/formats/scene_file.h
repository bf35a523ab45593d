// Scene files: JSON with comments, constants, arithmetic, includes and repeat (docs/scene-format.md), read
// into the plain-data Scene with every value's file, line and column kept for the messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stiction/model/run_settings.h"
#include "stiction/model/scene.h"

namespace stiction {

/// What to record and to plot.
struct RecordSettings {
  double every = 0;                 // [s] time between recorded frames; 0 = every step
  bool parts = false;               // also the parts of steps that are made in several; every = 0
  std::vector<std::string> plot{};  // "ball.0.velocity", "cart.position.x", ...
};

/// KEY=VALUE overrides, e.g. {"run.step", "0.005"} or {"$r", "0.1"} or {"bodies.cart.density", "700"}.
using Overrides = std::vector<std::pair<std::string, std::string>>;

struct SceneFile {
  std::string path{};  // as the user named it
  std::string
      text{};  // the expanded, self-contained scene (no includes), as plain JSON; goes into recordings
  Scene scene{};
  RunSettings run{};
  RecordSettings record{};
  Overrides overrides{};  // what was replaced
  std::vector<std::pair<std::string, double>>
      constants{};  // "$name" and number, in the order of the file, without those that are formulas or lists
};

/// Reads, checks and expands a scene file; on failure lists *all* mistakes with file:line:column and path.
Result<SceneFile> read_scene_file(const std::string& path, const Overrides& overrides = {});
/// The same for text in memory (`name` stands for the file in messages; includes are not allowed).
Result<SceneFile> read_scene_text(std::string_view text, const std::string& name,
                                  const Overrides& overrides = {});

/// The same scene as a text that names no other file, for readers that have none: the file letter for letter
/// where it names none itself and nothing is replaced; else written anew, with what it includes, the
/// triangles of its mesh files and the overrides in it, and with its constants and formulas. Where those
/// cannot be kept
/// (`file`, `unit` or `flip` of a mesh is a formula, a mesh file stands in a constant, an override names what
/// only `repeat` makes) it is the expanded text.
Result<std::string> self_contained_text(const std::string& path, const Overrides& overrides = {});

}  // namespace stiction
