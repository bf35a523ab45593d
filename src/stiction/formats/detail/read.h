// Values of an expanded scene into plain data. A key that is absent or of the wrong type leaves `out` as it
// is: check_section() has told about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/formats/json.h"
#include "stiction/formats/messages.h"
#include "stiction/geometry/shape.h"

namespace stiction::formats {

inline const Json* part(const Json& map, std::string_view key, Kind kind) {
  const Json* v = map.find(key);
  return v != nullptr && v->is(kind) ? v : nullptr;
}
inline void read(const Json& map, std::string_view key, double& out) {
  if (const Json* v = part(map, key, Kind::number)) out = v->number;
}
inline void read(const Json& map, std::string_view key, std::optional<double>& out) {
  if (const Json* v = part(map, key, Kind::number)) out = v->number;
}
inline void read(const Json& map, std::string_view key, bool& out) {
  if (const Json* v = part(map, key, Kind::boolean)) out = v->boolean;
}
inline void read(const Json& map, std::string_view key, std::string& out) {
  if (const Json* v = part(map, key, Kind::text)) out = v->text;
}
inline bool read_vector(const Json& v, Vec3& out) {
  if (!v.is(Kind::list) || v.items.size() != 3) return false;
  for (const Json& x : v.items) {
    if (!x.is(Kind::number)) return false;
  }
  out = {v.items[0].number, v.items[1].number, v.items[2].number};
  return true;
}
inline bool read(const Json& map, std::string_view key, Vec3& out) {
  const Json* v = map.find(key);
  return v != nullptr && read_vector(*v, out);
}

inline void read(const Json& map, std::string_view key, std::vector<double>& out) {
  const Json* v = part(map, key, Kind::list);
  for (std::size_t i = 0; v != nullptr && i < v->items.size(); ++i) out.push_back(v->items[i].number);
}
inline void read(const Json& map, std::string_view key, std::vector<Vec3>& out) {
  const Json* v = part(map, key, Kind::list);
  if (v == nullptr) return;
  out.resize(v->items.size());
  for (std::size_t i = 0; i < out.size(); ++i) read_vector(v->items[i], out[i]);
}

/// [w, x, y, z], or an axis and an angle; false for anything else.
bool read_quaternion(const Json& v, Quat& out);
inline bool read(const Json& map, std::string_view key, Quat& out) {
  const Json* v = map.find(key);
  return v != nullptr && read_quaternion(*v, out);
}

/// The `shape` of a body or sensor at `path`.
Shape shape_of(const Json& owner, const std::string& path, Messages& messages);

}  // namespace stiction::formats
