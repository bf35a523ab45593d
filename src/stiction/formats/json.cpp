#include "stiction/formats/json.h"

#include <algorithm>

#include "stiction/base/text.h"

namespace stiction::formats {
namespace {

void append_quoted(std::string& out, const std::string& text) {
  static constexpr char hex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\u00", out += hex[byte >> 4], out += hex[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

void append_value(std::string& out, const Json& v, int level, int spread_levels);

void append_map(std::string& out, const Json& v, int level, int spread_levels) {
  const bool spread = level < spread_levels && !v.items.empty();
  const std::string indent(std::size_t(2 * (level + 1)), ' ');
  out += '{';
  for (std::size_t i = 0; i < v.items.size(); ++i) {
    if (i > 0) out += spread ? "," : ", ";
    if (spread) out += "\n" + indent;
    append_quoted(out, v.keys[i].name);
    out += ": ";
    append_value(out, v.items[i], level + 1, spread_levels);
  }
  if (spread) out += "\n" + std::string(std::size_t(2 * level), ' ');
  out += '}';
}

void append_value(std::string& out, const Json& v, int level, int spread_levels) {
  switch (v.kind) {
    case Kind::null:
    case Kind::broken:
      out += "null";
      break;
    case Kind::boolean:
      out += v.boolean ? "true" : "false";
      break;
    case Kind::number:
      out += number_text(v.number);
      break;
    case Kind::text:
      append_quoted(out, v.text);
      break;
    case Kind::map:
      append_map(out, v, level, spread_levels);
      break;
    case Kind::list:
      out += '[';
      for (std::size_t i = 0; i < v.items.size(); ++i) {
        if (i > 0) out += ", ";
        append_value(out, v.items[i], spread_levels, spread_levels);
      }
      out += ']';
      break;
  }
}

}  // namespace

const Json* Json::find(std::string_view key) const {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].name == key) return &items[i];
  }
  return nullptr;
}
Json* Json::find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }

void Json::add(Key key, Json value) {
  keys.push_back(std::move(key));
  items.push_back(std::move(value));
}

bool Json::remove(std::string_view key) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == key; });
  if (found == keys.end()) return false;
  items.erase(items.begin() + (found - keys.begin()));
  keys.erase(found);
  return true;
}

Json Json::of(double x, const Place& place) {
  Json v;
  v.kind = Kind::number, v.number = x, v.place = place;
  return v;
}
Json Json::of(std::string_view text, const Place& place) {
  Json v;
  v.kind = Kind::text, v.text = std::string(text), v.place = place;
  return v;
}
Json Json::list(const Place& place) {
  Json v;
  v.kind = Kind::list, v.place = place;
  return v;
}
Json Json::map(const Place& place) {
  Json v;
  v.kind = Kind::map, v.place = place;
  return v;
}

std::string write_json(const Json& value, int spread_levels) {
  std::string out;
  append_value(out, value, 0, spread_levels);
  return out + "\n";
}

std::string describe(const Json& v) {
  switch (v.kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return v.boolean ? "true" : "false";
    case Kind::number:
      return number_text(v.number);
    case Kind::text: {
      std::string out;
      append_quoted(out, v.text.size() > 60 ? v.text.substr(0, 57) + "..." : v.text);
      return "the text " + out;
    }
    case Kind::list:
      return "a list of " + std::to_string(v.items.size()) + (v.items.size() == 1 ? " entry" : " entries");
    case Kind::map:
      return "a map {...}";
    case Kind::broken:
      return "a value with a mistake";
  }
  return "nothing";
}

}  // namespace stiction::formats
