#include "stiction/formats/override.h"

#include <charconv>

#include "stiction/base/text.h"
#include "stiction/formats/grammar.h"

namespace stiction::formats {
namespace {

/// What stands between two dots; names of bodies may span several.
std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::size_t begin, std::size_t end) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i) out += (i > begin ? "." : "") + parts[i];
  return out;
}

class Setter {
 public:
  explicit Setter(Override& change) : change_(change), parts_(split(change.path)) {}

  bool run(Json& tree) {
    if (parts_[0].starts_with("$")) return constant(tree);
    return in_section(tree, scene_section(), 0);
  }

 private:
  bool fail(const std::string& why) {
    change_.trouble = why;
    return false;
  }
  bool is_last(std::size_t i) const { return i + 1 == parts_.size(); }
  /// A text where the table wants one, even if it looks like a number.
  Json value_for(const Rule* rule) const {
    const bool wants_text = rule != nullptr && (rule->type == Type::text || rule->type == Type::word);
    if (wants_text && !change_.value.is(Kind::text)) return Json::of(change_.text, change_.place);
    return change_.value;
  }

  bool constant(Json& tree) {
    std::vector<std::string> known;
    for (const Key& key : tree.keys) {
      if (key.name.starts_with("$")) known.push_back(key.name);
    }
    Json* old = tree.find(parts_[0]);
    if (old == nullptr) {
      return fail("there is no constant \"" + parts_[0] + "\" in the scene" + did_you_mean(parts_[0], known));
    }
    return down(*old, nullptr, 0);
  }

  /// parts_[i] has led to `value`: replace it, or go on inside.
  bool down(Json& value, const Rule* rule, std::size_t i) {
    if (is_last(i)) {
      value = value_for(rule);
      return true;
    }
    if (value.is(Kind::list)) return in_list(value, rule, i + 1);
    if (value.is(Kind::map)) {
      if (rule != nullptr && rule->type == Type::named) return in_names(value, *rule, i + 1);
      if (rule != nullptr && rule->section != nullptr) return in_section(value, *rule->section, i + 1);
      if (Json* inner = value.find(parts_[i + 1])) return down(*inner, nullptr, i + 1);
    }
    return fail("\"" + join(parts_, 0, i + 1) + "\" has no part \"" + parts_[i + 1] + "\"");
  }

  bool in_list(Json& list, const Rule* rule, std::size_t i) {
    std::size_t index = 0;
    const std::string& part = parts_[i];
    const auto end = std::from_chars(part.data(), part.data() + part.size(), index);
    if (end.ptr != part.data() + part.size() || part.empty() || index >= list.items.size()) {
      return fail("\"" + part + "\" is not the index of an entry, the list \"" + join(parts_, 0, i) +
                  "\" has " + std::to_string(list.items.size()));
    }
    const bool sections = rule != nullptr && rule->type == Type::sections;
    if (sections && !is_last(i) && list.items[index].is(Kind::map)) {
      return in_section(list.items[index], *rule->section, i + 1);
    }
    return down(list.items[index], nullptr, i);
  }

  bool in_section(Json& map, const Section& section, std::size_t i) {
    const Rule* rule = section.find(parts_[i]);
    if (Json* old = map.find(parts_[i])) return down(*old, rule, i);
    if (rule == nullptr) {
      const std::vector<std::string> known = section.keys();
      return fail("unknown key \"" + parts_[i] + "\"" + (i > 0 ? " in \"" + join(parts_, 0, i) + "\"" : "") +
                  ", allowed: " + word_list(known, 20) + did_you_mean(parts_[i], known));
    }
    if (!is_last(i) && rule->type != Type::section && rule->type != Type::named) {
      return fail("\"" + join(parts_, 0, i + 1) + "\" is not given in the scene, set the whole of it");
    }
    Json fresh = Json::map(change_.place);
    if (!down(fresh, rule, i)) return false;
    map.add({parts_[i], change_.place}, std::move(fresh));
    return true;
  }

  bool in_names(Json& map, const Rule& rule, std::size_t i) {
    for (std::size_t end = parts_.size(); end > i; --end) {  // the longest name first
      const std::string name = join(parts_, i, end);
      Json* entry = map.find(name);
      if (entry == nullptr) continue;
      if (end == parts_.size()) {
        *entry = change_.value;
        return true;
      }
      if (entry->is(Kind::map) && in_section(*entry, *rule.section, end)) return true;
      if (change_.trouble.empty()) fail("\"" + join(parts_, 0, end) + "\" is not a map");
      return false;
    }
    if (std::string_view(rule.key) == "initial" && parts_.size() > i + 1) {
      Json fresh = Json::map(change_.place);
      const std::size_t last = parts_.size() - 1;
      if (!in_section(fresh, *rule.section, last)) return false;
      map.add({join(parts_, i, last), change_.place}, std::move(fresh));
      return true;
    }
    std::vector<std::string> known;
    for (const Key& key : map.keys) known.push_back(key.name);
    const std::string wanted = parts_.size() > i + 1 ? join(parts_, i, parts_.size() - 1) : parts_[i];
    return fail("there is no \"" + wanted + "\" in \"" + join(parts_, 0, i) + "\"" +
                did_you_mean(wanted, known));
  }

  Override& change_;
  std::vector<std::string> parts_;
};

void set_places(Json& value, const Place& place) {
  value.place = place;
  for (Key& key : value.keys) key.place = place;
  for (Json& item : value.items) set_places(item, place);
}

}  // namespace

Override make_override(const std::string& key, const std::string& value, Messages& messages) {
  Override out{.path = key, .text = value};
  out.place.file = messages.add_file("--set " + key + "=" + value);
  Messages ignored;
  const int file = ignored.add_file("");
  out.value = parse_json(value, file, ignored);
  if (!ignored.empty()) out.value = Json::of(value, {});
  set_places(out.value, out.place);
  return out;
}

bool apply_override(Json& tree, Override& change) {
  change.trouble.clear();
  return Setter(change).run(tree);
}

}  // namespace stiction::formats
