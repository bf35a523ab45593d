#include "stiction/math/vec3.h"

#include <charconv>

namespace stiction {
namespace {

// The shortest decimal digits that read back as the same double; at most 24 characters.
void append(std::string& text, double x) {
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, x);
  text.append(digits, end.ptr);
}

}  // namespace

std::string to_text(const Vec3& v) {
  std::string text = "(";
  append(text, v.x), text += ", ";
  append(text, v.y), text += ", ";
  append(text, v.z), text += ")";
  return text;
}

std::string to_text(const Quat& q) {
  std::string text = "(";
  append(text, q.w), text += ", ";
  append(text, q.x), text += ", ";
  append(text, q.y), text += ", ";
  append(text, q.z), text += ")";
  return text;
}

}  // namespace stiction
