// Commented scenes to start from: what `stiction new NAME` writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stiction {

struct StarterInfo {
  std::string name{};     // "pendulum"
  std::string summary{};  // one line
};

std::vector<StarterInfo> starters();
/// The text of a starter scene; empty if there is none of this name.
std::string starter_text(std::string_view name);

}  // namespace stiction
