// JSON with comments (// and /* */) and trailing commas, read into a tree in which every value and every key
// knows its file, line and column. Duplicate keys are mistakes. Numbers are doubles, read with correct
// rounding.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stiction/formats/messages.h"

namespace stiction::formats {

enum class Kind : unsigned char {
  null,
  boolean,
  number,
  text,
  list,
  map,
  broken,  // stands for a value about which a mistake was already reported
};

struct Key {
  std::string name{};
  Place place{};
};

struct Json {
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  Place place{};
  std::string text{};
  std::vector<Json> items{};  // of a list, or the values of a map
  std::vector<Key> keys{};    // of a map, as many as items

  bool is(Kind k) const { return kind == k; }
  /// The value of a key of a map, or null. Linear search.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  void add(Key key, Json value);
  bool remove(std::string_view key);

  static Json of(double x, const Place& place);
  static Json of(std::string_view text, const Place& place);
  static Json list(const Place& place);
  static Json map(const Place& place);
};

/// Lists and maps may be nested this deep.
inline constexpr int deepest_nesting = 64;

/// Reads one document. Goes on after a syntax mistake where it can; check `messages` before using the tree.
Json parse_json(std::string_view text, int file, Messages& messages);

/// Plain JSON that parse_json() reads back bit for bit; maps of the outermost levels take a line per entry.
std::string write_json(const Json& value, int spread_levels = 2);

/// For messages: `"steel"`, `3.5`, `a list of 2 entries`.
std::string describe(const Json& value);

}  // namespace stiction::formats
