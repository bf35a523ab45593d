// --set KEY=VALUE: single values of a scene replaced from outside.
#pragma once

#include <string>
#include <vector>

#include "stiction/formats/json.h"

namespace stiction::formats {

struct Override {
  std::string path{};  // "run.step", "$r", "bodies.cart.density", "gravity.2"
  std::string text{};  // as the user gave it
  Json value{};        // the text as JSON or, failing that, as a text
  Place place{};
  std::string trouble{};  // why it could not be applied so far
};

/// Reads KEY and VALUE; the place is a file of its own named "--set KEY=VALUE".
Override make_override(const std::string& key, const std::string& value, Messages& messages);

/// Replaces or, where the table allows the key, adds the value. False after filling `trouble`.
bool apply_override(Json& tree, Override& change);

}  // namespace stiction::formats
