// The scene format as one table: keys, types, units, ranges, defaults and a line of documentation each. The
// reader checks scenes against it; the JSON Schema and docs/scene-format.md are printed from it.
#pragma once

#include <limits>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/formats/json.h"

namespace stiction::formats {

enum class Type : unsigned char {
  number,
  integer,
  boolean,
  text,
  word,          // one of Rule::words
  vector,        // three numbers
  direction,     // three numbers, not all 0
  orientation,   // [w, x, y, z], or a map of the section
  half_space,    // a direction, or a map of the section
  numbers,       // list of numbers
  vectors,       // list of vectors
  vector_table,  // a vector, or a list of vectors
  scalars,       // a number, or a list of numbers
  scalar_table,  // a number, a list of numbers, or a list of such lists
  orientations,  // list of orientations
  texts,         // list of texts
  pair,          // list of two texts
  count,         // of repeat: a whole number or a list of one to three
  offset,        // of repeat: a vector or a list of one to three
  section,       // a map of the section
  named,         // a map from names to maps of the section
  sections,      // a list of maps of the section
};

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  // low itself is not allowed

  bool contains(double x) const { return (low_open ? x > low : x >= low) && x <= high; }
  bool bounded() const;
  std::string text(std::string_view unit) const;  // "above 0 m", "0 or more", "above 0 and at most 0.01"
};

struct Section;

struct Rule {
  const char* key = "";
  Type type = Type::number;
  const char* unit = "";  // SI; empty = none
  Range range{};          // of every number in the value
  bool required = false;
  const char* fallback = "";  // what holds when the key is absent, in words or as JSON
  const char* doc = "";       // one line
  const Section* section = nullptr;
  std::span<const std::string> words{};
};

struct Section {
  const char* name = "";   // of the Schema's definition
  const char* place = "";  // where it stands, e.g. "bodies.NAME"
  const char* doc = "";
  enum class Form : unsigned char { keys, exactly_one } form = Form::keys;
  std::vector<Rule> rules{};
  std::vector<std::pair<std::string, std::string>> synonyms{};  // other words for keys, for hints only

  const Rule* find(std::string_view key) const;
  std::vector<std::string> keys() const;
};

/// The root: the whole scene file.
const Section& scene_section();
/// All sections in the order of the documentation, the root first.
const std::vector<const Section*>& all_sections();

/// Checks an expanded value against the table; every mistake goes into `messages`.
void check_section(const Json& value, const Section& section, const std::string& path, Messages& messages);
void check_value(const Json& value, const Rule& rule, const std::string& path, Messages& messages);
/// Only the keys: unknown ones are mistakes with the nearest known key. Returns those nearest keys.
std::set<std::string> check_keys(const Json& map, const Section& section, const std::string& path,
                                 Messages& messages);

}  // namespace stiction::formats

namespace stiction {

/// The JSON Schema (draft 7) of scene files, and their documentation in Markdown.
std::string json_schema();
std::string scene_format_markdown();

}  // namespace stiction
