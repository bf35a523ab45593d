// `function` of a heightfield as a table: its value at every vertex of the grid, where $x and $y are the
// vertex's coordinates in the body.
#include <cmath>

#include "stiction/formats/detail/read.h"
#include "stiction/formats/expand.h"
#include "stiction/formats/expression.h"

namespace stiction::formats {

void Expander::tabulate(Json& field, const Indices& indices, const std::string& path) {
  const Json* function = part(field, "function", Kind::text);
  std::vector<double> count, spacing;
  if (const Json* v = part(field, "spacing", Kind::number)) spacing = {v->number, v->number};
  read(field, "count", count);
  read(field, "spacing", spacing);
  const auto whole = [](double x) { return x >= 2 && x <= 1e6 && x == std::floor(x); };
  const Json text = *function;
  const auto give_up = [&](const std::string& message, std::size_t offset) {
    field.remove("function"), field.remove("count");
    field.add({"heights", text.place}, fail(text, joined(path, "function"), message, offset));
  };
  if (count.size() != 2 || !whole(count[0]) || !whole(count[1]))
    return give_up("needs `count`: [columns, rows], whole numbers of 2 or more", 0);
  if (spacing.size() != 2) return give_up("needs `spacing`: a length, or two", 0);
  if (field.find("heights") != nullptr) return give_up("found both `heights` and `function`, keep one", 0);
  if (count[0] * count[1] + double(values_) > double(most_values)) {
    too_many();
    return give_up("", 0);
  }
  values_ += std::size_t(count[0] * count[1]);
  Json heights = Json::list(text.place);
  for (int j = 0; j < int(count[1]); ++j) {
    Json row = Json::list(text.place);
    for (int i = 0; i < int(count[0]); ++i) {
      ExpressionMistake mistake;
      const auto lookup = [&](std::string_view name, std::string& message) -> std::optional<double> {
        if (name == "x") return i * spacing[0];
        if (name == "y") return j * spacing[1];
        return number_of(name, indices, message);
      };
      const std::optional<double> z = evaluate(text.text, lookup, mistake);
      if (!z) return give_up(mistake.message, mistake.offset + 1);
      row.items.push_back(Json::of(*z, text.place));
    }
    heights.items.push_back(std::move(row));
  }
  field.remove("function"), field.remove("count");
  field.add({"heights", text.place}, std::move(heights));
}

}  // namespace stiction::formats
