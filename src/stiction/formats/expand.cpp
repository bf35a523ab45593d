// Constants and expressions. Entries of named maps: expand_repeat.cpp.
#include "stiction/formats/expand.h"

#include <utility>

#include "stiction/base/text.h"
#include "stiction/formats/expression.h"

namespace stiction::formats {
namespace {

constexpr std::string_view index_letters = "ijk";

std::size_t value_count(const Json& v) {
  std::size_t n = 1;
  for (const Json& item : v.items) n += value_count(item);
  return n;
}

}  // namespace

Expander::Expander(const Json& tree, Messages& messages) : tree_(tree), messages_(messages) {
  collect_constants();
}

void Expander::collect_constants() {
  for (std::size_t i = 0; i < tree_.keys.size(); ++i) {
    const Key& key = tree_.keys[i];
    if (!key.name.starts_with("$")) continue;
    const std::string name = key.name.substr(1);
    if (!is_constant_name(name)) {
      messages_.add(key.place, key.name,
                    "found the constant \"" + key.name + "\", names are $ and then letters, digits and _");
    } else if (name.size() == 1 && index_letters.find(name) != std::string_view::npos) {
      messages_.add(key.place, key.name, "\"" + key.name + "\" is the index of a repeat, take another name");
      Json broken;
      broken.kind = Kind::broken;
      constants_[name] = {&tree_.items[i], key.place, broken, Constant::State::done};  // said once
    } else {
      constants_[name] = {&tree_.items[i], key.place};
    }
  }
}

/// The value of a constant, expanded once; null after writing the reason. A message that is empty means that
/// the mistake was reported where the constant is given.
const Json* Expander::constant(std::string_view name, std::string& message) {
  const auto found = constants_.find(name);
  if (found == constants_.end()) {
    std::vector<std::string> known;
    for (const auto& [known_name, value] : constants_) known.push_back("$" + known_name);
    const std::string written = "$" + std::string(name);
    message = "there is no constant \"" + written + "\"" + did_you_mean(written, known);
    if (name.size() == 1 && index_letters.find(name) != std::string_view::npos) {
      message =
          "\"" + written + "\" is an index, it exists only in an entry with that many counts in `repeat`";
    }
    return nullptr;
  }
  Constant& c = found->second;
  if (c.state == Constant::State::open) {
    message = "the constant \"$" + std::string(name) + "\" is defined by itself";
    return nullptr;
  }
  if (c.state == Constant::State::fresh) {
    c.state = Constant::State::open;
    c.value = expand(*c.raw, {}, "$" + std::string(name));
    c.state = Constant::State::done;
  }
  return c.value.is(Kind::broken) ? nullptr : &c.value;
}

bool Expander::index_of(std::string_view name, const Indices& indices, double& out) const {
  if (name.size() != 1) return false;
  const std::size_t i = index_letters.find(name);
  if (i == std::string_view::npos || i >= indices.count) return false;
  out = indices.value[i];
  return true;
}

std::optional<double> Expander::number_of(std::string_view name, const Indices& indices,
                                          std::string& message) {
  double index = 0;
  if (index_of(name, indices, index)) return index;
  const Json* value = constant(name, message);
  if (value == nullptr) return std::nullopt;
  if (value->is(Kind::number)) return value->number;
  message =
      "the constant \"$" + std::string(name) + "\" is " + describe(*value) + ", arithmetic needs a number";
  return std::nullopt;
}

Json Expander::fail(const Json& v, const std::string& path, const std::string& message, std::size_t offset) {
  Place place = v.place;
  if (offset > 0 && place.line > 0) place.column += int(offset);
  if (!message.empty()) messages_.add(place, path, message);
  Json out;
  out.kind = Kind::broken, out.place = v.place;
  return out;
}

Json Expander::too_many() {
  return fail(tree_, "", "the expanded scene has more than " + std::to_string(most_values) + " values");
}

std::optional<double> Expander::arithmetic(const Json& v, std::size_t begin, std::size_t end,
                                           const Indices& indices, const std::string& path) {
  ExpressionMistake mistake;
  const auto lookup = [&](std::string_view name, std::string& message) {
    return number_of(name, indices, message);
  };
  const std::optional<double> number =
      evaluate(std::string_view(v.text).substr(begin, end - begin), lookup, mistake);
  if (!number) fail(v, path, mistake.message, begin + mistake.offset + 1);  // 1: the opening quote
  return number;
}

Json Expander::expand(const Json& v, const Indices& indices, const std::string& path) {
  if (++values_ > most_values) return too_many();
  if (v.is(Kind::text)) return expand_text(v, indices, path);
  if (!v.is(Kind::list) && !v.is(Kind::map)) return v;
  Json out = v.is(Kind::list) ? Json::list(v.place) : Json::map(v.place);
  out.keys = v.keys;
  out.items.reserve(v.items.size());
  for (std::size_t i = 0; i < v.items.size(); ++i) {
    out.items.push_back(
        expand(v.items[i], indices, v.is(Kind::list) ? joined(path, i) : joined(path, v.keys[i].name)));
  }
  if (path.ends_with(".shape.heightfield") && out.is(Kind::map) && out.find("function") != nullptr &&
      out.find("function")->is(Kind::text))
    tabulate(out, indices, path);
  return out;
}

Json Expander::expand_text(const Json& v, const Indices& indices, const std::string& path) {
  if (v.text.starts_with("=")) {
    const std::optional<double> number = arithmetic(v, 1, v.text.size(), indices, path);
    return number ? Json::of(*number, v.place) : fail(v, path, "");
  }
  if (v.text.starts_with("$")) {
    const std::string_view name = std::string_view(v.text).substr(1);
    if (!is_constant_name(name)) {
      return fail(
          v, path,
          "found \"" + v.text + "\", a constant is $ and letters, digits, _; arithmetic starts with =");
    }
    double index = 0;
    if (index_of(name, indices, index)) return Json::of(index, v.place);
    std::string message;
    const Json* value = constant(name, message);
    if (value == nullptr) return fail(v, path, message);
    values_ += value_count(*value);
    if (values_ > most_values) return too_many();
    Json out = *value;
    out.place = v.place;
    return out;
  }
  return v.text.find('{') == std::string::npos ? v : expand_names(v, indices, path);
}

/// "link.{$i+1}": the expressions in braces, as whole numbers.
Json Expander::expand_names(const Json& v, const Indices& indices, const std::string& path) {
  Json out = Json::of("", v.place);
  for (std::size_t at = 0; at < v.text.size();) {
    if (v.text[at] != '{') {
      out.text += v.text[at++];
      continue;
    }
    const std::size_t end = v.text.find('}', at);
    if (end == std::string::npos) return fail(v, path, "the brace '{' in this text is not closed", at + 1);
    const std::optional<double> number = arithmetic(v, at + 1, end, indices, path);
    if (!number) return fail(v, path, "");
    out.text += number_text(*number + 0.0);
    at = end + 1;
  }
  return out;
}

Json Expander::run() {
  for (const auto& [name, c] : constants_) {
    std::string message;
    constant(name, message);  // also those that nobody uses
  }
  Json out = Json::map(tree_.place);
  const Json* bodies = tree_.find("bodies");
  Json expanded_bodies;
  if (bodies != nullptr) expanded_bodies = expand_named(*bodies, "bodies");
  const Json* joints = tree_.find("joints");
  Json expanded_joints;
  if (joints != nullptr) expanded_joints = expand_named(*joints, "joints");
  for (std::size_t i = 0; i < tree_.items.size(); ++i) {
    const std::string& key = tree_.keys[i].name;
    const Json& value = tree_.items[i];
    if (key.starts_with("$") || key == "include") continue;
    if (key == "title") {
      out.add(tree_.keys[i], value);
    } else if (key == "bodies") {
      out.add(tree_.keys[i], std::exchange(expanded_bodies, {}));
    } else if (key == "joints") {
      out.add(tree_.keys[i], std::exchange(expanded_joints, {}));
    } else if (key == "forces" || key == "sensors") {
      out.add(tree_.keys[i], expand_named(value, key));
    } else if (key == "initial") {
      out.add(tree_.keys[i], expand_initial(value));
    } else {
      out.add(tree_.keys[i], expand(value, {}, key));
    }
  }
  return out;
}

}  // namespace stiction::formats
