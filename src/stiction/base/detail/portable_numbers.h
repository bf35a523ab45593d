// Decimal text of doubles from printf and strtod, for standard libraries without <charconv> for them.
#pragma once

#include <string>
#include <string_view>

namespace stiction::detail {

/// What number_text() gives, character by character.
std::string portable_number_text(double x);
/// What number_from_text() reads.
bool portable_number_from_text(std::string_view text, double& out);

}  // namespace stiction::detail
