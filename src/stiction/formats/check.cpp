// Checks an expanded scene against the table: types, ranges, required keys, unknown keys.
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/formats/grammar.h"
#include "stiction/model/scene.h"

namespace stiction::formats {
namespace {

void wrong(const Json& v, const std::string& path, const std::string& expected, Messages& out) {
  if (!v.is(Kind::broken)) out.add(v.place, path, "found " + describe(v) + ", must be " + expected);
}

std::string with_unit(const std::string& words, const Rule& rule) {
  return *rule.unit == '\0' ? words : words + " [" + rule.unit + "]";
}

bool check_number(const Json& v, const Rule& rule, const std::string& path, const std::string& expected,
                  Messages& out) {
  if (!v.is(Kind::number)) {
    wrong(v, path, expected, out);
    return false;
  }
  if (std::fabs(v.number) > largest_number) {
    out.add(v.place, path,
            "found " + number_text(v.number) + ", must be at most " + number_text(largest_number) +
                " in size: with larger ones the run would leave the range of numbers");
    return false;
  }
  if (rule.range.contains(v.number)) return true;
  out.add(v.place, path, "found " + number_text(v.number) + ", must be " + rule.range.text(rule.unit));
  return false;
}

/// A list of exactly `count` numbers, each in the range of the rule.
bool check_numbers(const Json& v, std::size_t count, const Rule& rule, const std::string& path,
                   const std::string& expected, Messages& out) {
  if (!v.is(Kind::list) || v.items.size() != count) {
    wrong(v, path, expected, out);
    return false;
  }
  bool fine = true;
  for (std::size_t i = 0; i < count; ++i) {
    fine = check_number(v.items[i], rule, joined(path, i), with_unit("a number", rule), out) && fine;
  }
  return fine;
}

bool check_vector(const Json& v, const Rule& rule, const std::string& path, Messages& out) {
  return check_numbers(v, 3, rule, path, with_unit("a list of three numbers", rule), out);
}

void check_direction(const Json& v, const Rule& rule, const std::string& path, Messages& out) {
  if (!check_vector(v, rule, path, out)) return;
  for (const Json& x : v.items) {
    if (x.number != 0) return;
  }
  out.add(v.place, path, "found [0, 0, 0], a direction needs a length above 0");
}

void check_orientation(const Json& v, const Rule& rule, const std::string& path, Messages& out) {
  if (!v.is(Kind::map)) {
    check_numbers(v, 4, rule, path, "a quaternion [w, x, y, z] or {\"axis\": [x, y, z], \"degrees\": angle}",
                  out);
    return;
  }
  check_section(v, *rule.section, path, out);
  const bool degrees = v.find("degrees") != nullptr, radians = v.find("radians") != nullptr;
  if (degrees == radians) {
    out.add(v.place, path,
            degrees ? "found both `degrees` and `radians`, give one of them"
                    : "gives no angle: `degrees` or `radians`");
  }
}

void check_texts(const Json& v, const std::string& path, const std::string& expected, Messages& out) {
  if (!v.is(Kind::list)) {
    wrong(v, path, expected, out);
    return;
  }
  for (std::size_t i = 0; i < v.items.size(); ++i) {
    if (!v.items[i].is(Kind::text)) wrong(v.items[i], joined(path, i), "a text", out);
  }
}

template <class Check>
void check_list(const Json& v, const std::string& path, const std::string& expected, Messages& out,
                const Check& check) {
  if (!v.is(Kind::list)) {
    wrong(v, path, expected, out);
    return;
  }
  for (std::size_t i = 0; i < v.items.size(); ++i) check(v.items[i], joined(path, i));
}

/// A number, or a list of numbers; `rows`: also a list of such lists.
void check_scalars(const Json& v, const Rule& rule, const std::string& path, bool rows, Messages& out) {
  const std::string number = with_unit("a number", rule);
  if (!v.is(Kind::list)) {
    check_number(v, rule, path,
                 with_unit(rows ? "a number or a list" : "a number or a list of numbers", rule), out);
    return;
  }
  for (std::size_t i = 0; i < v.items.size(); ++i) {
    if (rows && v.items[i].is(Kind::list))
      check_scalars(v.items[i], rule, joined(path, i), false, out);
    else
      check_number(v.items[i], rule, joined(path, i), number, out);
  }
}

void check_word(const Json& v, const Rule& rule, const std::string& path, Messages& out) {
  if (!v.is(Kind::text)) {
    wrong(v, path, "one of the words " + word_list(rule.words), out);
    return;
  }
  for (const std::string& word : rule.words) {
    if (v.text == word) return;
  }
  out.add(v.place, path, unknown_word(v.text, rule.words));
}

void check_named(const Json& v, const Rule& rule, const std::string& path, Messages& out) {
  if (!v.is(Kind::map)) {
    wrong(v, path, "a map from names to entries {...}", out);
    return;
  }
  for (std::size_t i = 0; i < v.items.size(); ++i) {
    check_section(v.items[i], *rule.section, joined(path, v.keys[i].name), out);
  }
}

/// Where else a key of this name exists, for keys that stand in the wrong map.
std::string elsewhere(const std::string& key, const Section& section) {
  for (const Section* other : all_sections()) {
    if (other != &section && other->find(key) != nullptr) {
      return std::string("; \"") + key + "\" is a key of " +
             (*other->place == '\0' ? "the whole scene" : other->place);
    }
  }
  return "";
}

}  // namespace

std::set<std::string> check_keys(const Json& map, const Section& section, const std::string& path,
                                 Messages& out) {
  const std::vector<std::string> known = section.keys();
  std::set<std::string> meant;
  for (const Key& key : map.keys) {
    if (section.find(key.name) != nullptr) continue;
    std::string hint = elsewhere(key.name, section);
    std::string nearest = hint.empty() ? nearest_word(key.name, known) : "";
    if (!nearest.empty()) {
      hint = did_you_mean(key.name, known);
    } else {
      for (const auto& [word, meaning] : section.synonyms)
        if (word == key.name) nearest = meaning, hint = "; did you mean \"" + meaning + "\"?";
    }
    if (!nearest.empty()) meant.insert(nearest);
    out.add(key.place, joined(path, key.name),
            "unknown key \"" + key.name + "\", allowed: " + word_list(known, 20) + hint,
            nearest.empty() ? Messages::Effect::local : Messages::Effect::spoils_parent);
  }
  return meant;
}

void check_section(const Json& v, const Section& section, const std::string& path, Messages& out) {
  if (!v.is(Kind::map)) {
    wrong(v, path, "a map with the keys " + word_list(section.keys(), 20), out);
    return;
  }
  const std::set<std::string> meant = check_keys(v, section, path, out);
  int found = 0;
  for (std::size_t i = 0; i < v.items.size(); ++i) {
    const Rule* rule = section.find(v.keys[i].name);
    if (rule == nullptr) continue;
    ++found;
    check_value(v.items[i], *rule, joined(path, rule->key), out);
  }
  if (section.form == Section::Form::exactly_one && found != 1 && meant.empty()) {
    std::vector<std::string> kinds = section.keys();
    std::erase(kinds, "repeat");
    const std::string number = found == 0 ? "no kind" : std::to_string(found) + " kinds at once";
    out.add(v.place, path, "found " + number + ", must be exactly one of " + word_list(kinds, 20));
  }
  for (const Rule& rule : section.rules) {
    if (!rule.required || v.find(rule.key) != nullptr || meant.contains(rule.key)) continue;
    out.add(v.place, path, std::string("the key `") + rule.key + "` is missing: " + rule.doc);
  }
}

void check_value(const Json& v, const Rule& rule, const std::string& path, Messages& out) {
  switch (rule.type) {
    case Type::number:
      check_number(v, rule, path, with_unit("a number", rule), out);
      break;
    case Type::integer:
      if (check_number(v, rule, path, "a whole number", out) &&
          (v.number != std::floor(v.number) || std::fabs(v.number) > 1e9)) {
        wrong(v, path, "a whole number up to 1e9", out);
      }
      break;
    case Type::boolean:
      if (!v.is(Kind::boolean)) wrong(v, path, "true or false", out);
      break;
    case Type::text:
      if (!v.is(Kind::text)) wrong(v, path, "a text", out);
      break;
    case Type::word:
      check_word(v, rule, path, out);
      break;
    case Type::vector:
      check_vector(v, rule, path, out);
      break;
    case Type::direction:
      check_direction(v, rule, path, out);
      break;
    case Type::orientation:
      check_orientation(v, rule, path, out);
      break;
    case Type::half_space:
      if (v.is(Kind::map)) {
        check_section(v, *rule.section, path, out);
      } else {
        check_direction(v, rule, path, out);
      }
      break;
    case Type::numbers:
      check_list(v, path, with_unit("a list of numbers", rule), out,
                 [&](const Json& x, const std::string& at) {
                   check_number(x, rule, at, with_unit("a number", rule), out);
                 });
      break;
    case Type::vector_table:
      if (v.is(Kind::list) && !v.items.empty() && !v.items.front().is(Kind::list)) {
        check_vector(v, rule, path, out);
        break;
      }
      [[fallthrough]];
    case Type::vectors:
      check_list(v, path, with_unit("a list of [x, y, z]", rule), out,
                 [&](const Json& x, const std::string& at) { check_vector(x, rule, at, out); });
      break;
    case Type::scalars:
      check_scalars(v, rule, path, false, out);
      break;
    case Type::scalar_table:
      check_scalars(v, rule, path, true, out);
      break;
    case Type::orientations:
      check_list(v, path, "a list of orientations", out,
                 [&](const Json& x, const std::string& at) { check_orientation(x, rule, at, out); });
      break;
    case Type::texts:
      check_texts(v, path, "a list of texts", out);
      break;
    case Type::pair:
      check_texts(v, path, "a list of two texts", out);
      if (v.is(Kind::list) && v.items.size() != 2) wrong(v, path, "a list of two texts", out);
      break;
    case Type::section:
      check_section(v, *rule.section, path, out);
      break;
    case Type::named:
      check_named(v, rule, path, out);
      break;
    case Type::sections:
      check_list(v, path, "a list of maps {...}", out,
                 [&](const Json& x, const std::string& at) { check_section(x, *rule.section, at, out); });
      break;
    case Type::count:
    case Type::offset:
      break;  // used up by the expansion, which checks them
  }
}

}  // namespace stiction::formats
