// Pictures as PNG: by a program that turns SVG into it, where there is one.
#pragma once

#include <string>

#include "stiction/base/result.h"

namespace stiction::cli {

/// Draws a picture of `width` x `height` [px] at twice that size. Mistake: which programs were looked for, or
/// that the file cannot be written.
Result<bool> write_png(const std::string& svg, const std::string& path, double width, double height);

/// As SVG or PNG, by the ending of the path. Mistake: another ending.
Result<bool> write_picture(const std::string& svg, const std::string& path, double width, double height);

}  // namespace stiction::cli
