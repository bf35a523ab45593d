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
/// The text of a starter scene; empty if there is none of this name. `command`: what its comments say to run
/// it with; empty = "stiction run NAME.json".
std::string starter_text(std::string_view name, std::string_view command = {});

}  // namespace stiction
