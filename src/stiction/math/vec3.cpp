#include "stiction/math/vec3.h"

#include "stiction/base/text.h"

namespace stiction {
namespace {

void append(std::string& text, double x) { text += number_text(x); }

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
