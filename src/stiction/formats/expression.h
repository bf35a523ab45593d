// Arithmetic in scene files: the text after "=" in a value, or inside {...} in a name.
//   + - * / ^  ( )   numbers   $constants   pi, deg (= pi/180)
//   sqrt abs min max floor sin cos tan asin acos atan atan2 exp log   (angles in radians)
//   rand(a, b, ...): a number in [0, 1) that depends on its arguments only, the same on every machine
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stiction::formats {

struct ExpressionMistake {
  std::size_t offset = 0;  // [-] of the character in the text
  std::string message{};
};

/// The value of a constant (name without "$"), or none after writing why into `message`.
using ConstantLookup = std::function<std::optional<double>(std::string_view name, std::string& message)>;

/// The value, always finite; none after filling `mistake`.
std::optional<double> evaluate(std::string_view text, const ConstantLookup& constants,
                               ExpressionMistake& mistake);

/// The functions' names, for messages and documentation.
const std::vector<std::string>& function_names();

/// rand() of the expressions: in [0, 1).
double random_number(const std::vector<double>& arguments);

bool is_constant_name(std::string_view name);  // without "$": a letter or _, then letters, digits, _

}  // namespace stiction::formats
