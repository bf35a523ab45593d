// The JSON Schema (draft 7), printed from the table. It describes scenes as they are written, so every value
// may also be "$constant", and every number "=expression".
#include <cmath>

#include "stiction/formats/grammar.h"

namespace stiction {
namespace formats {
namespace {

Json text(std::string_view words) { return Json::of(words, {}); }
Json flag(bool value) {
  Json v;
  v.kind = Kind::boolean, v.boolean = value;
  return v;
}
Json map(std::vector<std::pair<const char*, Json>> entries) {
  Json out = Json::map({});
  for (auto& [key, value] : entries) out.add({key, {}}, std::move(value));
  return out;
}
Json list(std::vector<Json> items) {
  Json out = Json::list({});
  out.items = std::move(items);
  return out;
}
Json reference(std::string_view name) { return map({{"$ref", text("#/definitions/" + std::string(name))}}); }
Json of_type(const char* type) { return map({{"type", text(type)}}); }
Json any_of(std::vector<Json> choices) { return map({{"anyOf", list(std::move(choices))}}); }

Json list_of(Json item, int fewest = -1, int most = -1) {
  Json out = map({{"type", text("array")}, {"items", std::move(item)}});
  if (fewest >= 0) out.add({"minItems", {}}, Json::of(double(fewest), {}));
  if (most >= 0) out.add({"maxItems", {}}, Json::of(double(most), {}));
  return out;
}

Json number(const Rule& rule, const char* type = "number") {
  Json plain = of_type(type);
  if (std::isfinite(rule.range.low)) {
    plain.add({rule.range.low_open ? "exclusiveMinimum" : "minimum", {}}, Json::of(rule.range.low, {}));
  }
  if (std::isfinite(rule.range.high)) plain.add({"maximum", {}}, Json::of(rule.range.high, {}));
  return any_of({std::move(plain), reference("expression")});
}

Json vector(const Rule& rule) { return list_of(number(rule), 3, 3); }
Json quaternion() { return list_of(number({}), 4, 4); }

Json value(const Rule& rule) {
  const Json constant = reference("constant");
  switch (rule.type) {
    case Type::number:
      return number(rule);
    case Type::integer:
      return number(rule, "integer");
    case Type::boolean:
      return any_of({of_type("boolean"), constant});
    case Type::text:
      return of_type("string");
    case Type::word: {
      Json words = list({});
      for (const std::string& word : rule.words) words.items.push_back(text(word));
      return any_of({map({{"enum", std::move(words)}}), constant});
    }
    case Type::vector:
    case Type::direction:
      return any_of({vector(rule), constant});
    case Type::orientation:
      return any_of({quaternion(), reference(rule.section->name), constant});
    case Type::half_space:
      return any_of({vector(rule), reference(rule.section->name), constant});
    case Type::numbers:
      return any_of({list_of(number(rule)), constant});
    case Type::scalars:
      return any_of({number(rule), list_of(number(rule))});
    case Type::scalar_table:
      return any_of({number(rule), list_of(any_of({number(rule), list_of(number(rule))}))});
    case Type::vectors:
      return any_of({list_of(any_of({vector(rule), constant})), constant});
    case Type::vector_table:
      return any_of({vector(rule), list_of(any_of({vector(rule), constant})), constant});
    case Type::orientations:
      return any_of({list_of(any_of({quaternion(), reference(rule.section->name), constant})), constant});
    case Type::texts:
      if (std::string_view(rule.key) == "include")
        return list_of(of_type("string"));  // read before constants
      return any_of({list_of(of_type("string")), constant});
    case Type::pair:
      return any_of({list_of(of_type("string"), 2, 2), constant});
    case Type::count:
      return any_of({number(rule, "integer"), list_of(number(rule, "integer"), 1, 3)});
    case Type::offset:
      return any_of({vector(rule), list_of(any_of({vector(rule), constant}), 1, 3), constant});
    case Type::section:
      return any_of({reference(rule.section->name), constant});
    case Type::named:
      return any_of({map({{"type", text("object")},
                          {"additionalProperties", any_of({reference(rule.section->name), constant})}}),
                     constant});
    case Type::sections:
      return any_of({list_of(reference(rule.section->name)), constant});
  }
  return {};
}

std::string description(const Rule& rule) {
  std::string out = rule.doc;
  if (*rule.unit != '\0') out += " [" + std::string(rule.unit) + "]";
  if (*rule.fallback != '\0') out += " Default: " + std::string(rule.fallback) + ".";
  return out;
}

Json section_schema(const Section& section) {
  Json properties = Json::map({}), required = Json::list({}), one_of = Json::list({});
  for (const Rule& rule : section.rules) {
    Json property = value(rule);
    property.add({"description", {}}, text(description(rule)));
    properties.add({rule.key, {}}, std::move(property));
    if (rule.required) required.items.push_back(text(rule.key));
    const bool is_kind = section.form == Section::Form::exactly_one && std::string_view(rule.key) != "repeat";
    if (is_kind) one_of.items.push_back(map({{"required", list({text(rule.key)})}}));
  }
  Json out = map({{"description", text(section.doc)}, {"type", text("object")}});
  out.add({"properties", {}}, std::move(properties));
  if (&section == &scene_section()) {
    out.add({"patternProperties", {}},
            map({{"^\\$[A-Za-z_][A-Za-z0-9_]*$", map({{"description", text("A constant.")}})}}));
  }
  out.add({"additionalProperties", {}}, flag(false));
  if (!required.items.empty()) out.add({"required", {}}, std::move(required));
  if (!one_of.items.empty()) out.add({"oneOf", {}}, std::move(one_of));
  if (std::string_view(section.name) == "orientation") {
    out.add({"oneOf", {}}, list({map({{"required", list({text("degrees")})}}),
                                 map({{"required", list({text("radians")})}})}));
  }
  return out;
}

}  // namespace
}  // namespace formats

std::string json_schema() {
  using namespace formats;
  Json out = map({{"$schema", text("http://json-schema.org/draft-07/schema#")},
                  {"title", text("Stiction scene, format 1")}});
  Json root = section_schema(scene_section());
  for (std::size_t i = 0; i < root.items.size(); ++i)
    out.add(std::move(root.keys[i]), std::move(root.items[i]));
  Json definitions = map(
      {{"constant",
        map({{"description", text("\"$name\": the value of a constant, or an index $i, $j, $k of repeat.")},
             {"type", text("string")},
             {"pattern", text("^\\$[A-Za-z_][A-Za-z0-9_]*$")}})},
       {"expression", map({{"description", text("\"$name\", or \"=arithmetic\" such as \"=2*$r+0.1\".")},
                           {"type", text("string")},
                           {"pattern", text("^(=.*|\\$[A-Za-z_][A-Za-z0-9_]*)$")}})}});
  for (const Section* section : all_sections()) {
    if (section != &scene_section()) definitions.add({section->name, {}}, section_schema(*section));
  }
  out.add({"definitions", {}}, std::move(definitions));
  return write_json(out, 4);
}

}  // namespace stiction
