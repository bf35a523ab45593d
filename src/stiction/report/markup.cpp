#include "stiction/report/markup.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace stiction {

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    char code[8];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
      std::snprintf(code, sizeof code, "\\u%04x", unsigned(static_cast<unsigned char>(c)));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string json_number(double x) {
  if (!std::isfinite(x)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

std::string px(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", std::clamp(x, -1e6, 1e6));
  std::string out = text;
  if (out.size() > 2 && out.compare(out.size() - 2, 2, ".0") == 0) out.resize(out.size() - 2);
  return out == "-0" ? "0" : out;
}

std::string short_number(double x, int digits) {
  if (!std::isfinite(x)) return std::isnan(x) ? "not a number" : x > 0 ? "infinite" : "minus infinite";
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, x);
  std::string out = text;
  // "1e-08" -> "1e-8"
  if (const std::size_t e = out.find('e'); e != std::string::npos) {
    std::size_t first = e + 1;
    if (out[first] == '+')
      out.erase(first, 1);
    else if (out[first] == '-')
      ++first;
    while (out[first] == '0' && first + 1 < out.size()) out.erase(first, 1);
  }
  return out;
}

Colour mix(const Colour& a, const Colour& b, double t) {
  return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

std::string hex_colour(const Colour& c) {
  const auto byte = [](double x) { return int(std::lround(255 * std::clamp(x, 0.0, 1.0))); };
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", unsigned(byte(c.r)) & 255u, unsigned(byte(c.g)) & 255u,
                unsigned(byte(c.b)) & 255u);
  return text;
}

}  // namespace stiction
