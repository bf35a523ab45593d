// docs/scene-format.md, printed from the table.
#include "stiction/base/text.h"
#include "stiction/formats/expression.h"
#include "stiction/formats/grammar.h"

namespace stiction {
namespace formats {
namespace {

constexpr const char* head = R"md(# The scene format

<!-- Printed by the program from the table in src/stiction/formats/grammar.cpp; change it there. -->

A scene is one JSON file. Beyond plain JSON it may hold `//` and `/* */` comments and a comma after the last entry.
All units are SI; angles are in radians unless the key says degrees; z usually points up. The physics stands in
`bodies`, `surfaces`, `joints`, `forces`; how a run is made stands apart, in `run` and `record`.

```jsonc
{ "stiction": 1, "gravity": [0,0,-9.81], "$r": 0.05,
  "surfaces": { "steel": { "friction": 0.4 } },
  "bodies": {
    "floor": { "static": true, "shape": {"half_space": [0,0,1]}, "surface": "steel" },
    "cart":  { "shape": {"box": [0.4,0.2,0.1]}, "density": 500, "at": [0,0,0.05] },
    "ball":  { "repeat": {"count": 5, "offset": ["=2.02*$r",0,0]},   // ball.0 ... ball.4
               "shape": {"sphere": "$r"}, "density": 7800, "at": [1,0,"$r"] } },
  "initial": { "ball.0": {"velocity": [2,0,0]} },
  "run":    { "until": 5, "step": 0.01, "tolerance": 1e-8 },
  "record": { "every": 0.02, "plot": ["cart.position", "ball.0.velocity"] } }
```

`stiction new pendulum` writes a commented scene to start from, `stiction check SCENE` lists every mistake with its
place, and `schema/scene.schema.json` gives editors completion and help (add `"$schema": "path/to/it"`).

## Constants and arithmetic

A key that starts with `$` at the top of the file is a constant; its value may be anything. `"$r"` stands for it, and
a text that starts with `=` is arithmetic: `"=2*$r + 0.1"`.

- operators `+ - * / ^` and parentheses; `pi`, and `deg` = pi/180, so that `"=30*deg"` is an angle
- functions: )md";

constexpr const char* after_functions = R"md( (angles in radians)
- `rand(a, b, ...)` is a number in [0, 1) that depends on its arguments only: `"=0.01*rand($i, $j, 7)"` shakes a
  lattice the same way on every machine
- in texts, `{...}` holds arithmetic: `"link.{$i+1}"` names the next link

## Many of one: repeat

`"repeat": {"count": 5, "offset": [0.1,0,0]}` makes NAME.0 to NAME.4, each shifted by the offset from the one before.
`"count": [4, 3]` with two offsets makes a grid NAME.0.0 to NAME.3.2. Inside the entry `$i` (`$j`, `$k`) is the index,
and a later count may depend on an earlier index, so a pyramid is one entry:

```jsonc
"brick": { "repeat": { "count": ["$base", "=$base-$i"], "offset": [[0.201,0,0.2], [0.402,0,0]] },
           "shape": {"box": [0.4,0.2,0.2]}, "mass": 1, "at": [0,0,0.1] }
```

`joints` and `forces` may repeat as well:
`{"repeat": {"count": 9}, "spring": {"a": "bead.{$i}", "b": "bead.{$i+1}", "stiffness": 100}}`.

## Several files: include

`"include": ["floor.json"]` adds the entries of another scene file before the file's own; paths count from the
including file. A name or setting that is given twice is a mistake. A file that several others include counts once.

## Overrides: --set KEY=VALUE

Any value can be replaced from the command line by its path: `--set '$r=0.1'`, `--set run.step=0.005`,
`--set bodies.cart.density=700`, `--set gravity.2=-1.62`. VALUE is JSON or, failing that, a text; expressions work
too. Entries that `repeat` makes are reached by their full name: `--set bodies.ball.3.density=500`.

## Friction between two surfaces

The coefficient between surfaces a and b is the geometric mean sqrt(mu_a mu_b), and so is that in sliding and that along
a grain (of the two, or of the one and the coefficient of the other); where both have a grain, that of the body which
comes first in the scene counts. Of lengths, speeds and viscous terms the larger holds. `surface_pairs` replaces what it
gives. A body without a surface takes on its partner's, but no grain and no velocity; where both have none, it is 0.5.

## Mistakes

Every mistake is listed, not only the first, as `file:line:column: path: what was found, what is allowed`. Names that
nobody knows come with the nearest known one. Nothing is ignored silently.

## Keys
)md";

const char* type_words(const Rule& rule) {
  switch (rule.type) {
    case Type::number:
      return "number";
    case Type::integer:
      return "whole number";
    case Type::boolean:
      return "true or false";
    case Type::text:
      return "text";
    case Type::word:
      return "word";
    case Type::vector:
      return "[x, y, z]";
    case Type::direction:
      return "[x, y, z], not 0";
    case Type::orientation:
      return "[w, x, y, z] or map";
    case Type::half_space:
      return "[x, y, z] or map";
    case Type::numbers:
      return "list of numbers";
    case Type::scalars:
      return "number or list";
    case Type::scalar_table:
      return "number, list or list of lists";
    case Type::vectors:
      return "list of [x, y, z]";
    case Type::vector_table:
      return "[x, y, z] or list of them";
    case Type::orientations:
      return "list of orientations";
    case Type::texts:
      return "list of texts";
    case Type::pair:
      return "two texts";
    case Type::count:
      return "whole number or list";
    case Type::offset:
      return "[x, y, z] or list";
    case Type::section:
      return "map";
    case Type::named:
      return "names to maps";
    case Type::sections:
      return "list of maps";
  }
  return "";
}

/// GitHub's anchor of the section's heading: lower case, only letters, digits, - and _.
std::string anchor(const Section& section) {
  std::string out;
  for (const char c : std::string_view(section.place)) {
    if (c >= 'A' && c <= 'Z') out += char(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_') out += c;
  }
  return out;
}

std::string row(const Rule& rule) {
  std::string out = "| `" + std::string(rule.key) + "` | ";
  const bool linked = rule.section != nullptr;
  out +=
      linked ? "[" + std::string(type_words(rule)) + "](#" + anchor(*rule.section) + ")" : type_words(rule);
  out += std::string(" | ") + rule.unit + " | ";
  if (!rule.words.empty()) {
    out += word_list(rule.words);
  } else if (rule.range.bounded()) {
    out += rule.range.text("");
  }
  return out + " | " + (rule.required ? "required" : rule.fallback) + " | " + rule.doc + " |\n";
}

}  // namespace
}  // namespace formats

std::string scene_format_markdown() {
  using namespace formats;
  std::string out = head;
  std::string names;
  for (const std::string& name : function_names()) {
    if (name != "rand") names += (names.empty() ? "`" : ", `") + name + "`";
  }
  out += names + after_functions;
  for (const Section* section : all_sections()) {
    const bool root = section == &scene_section();
    out += root ? "\n### The whole scene\n\n" : "\n### `" + std::string(section->place) + "`\n\n";
    out += std::string(section->doc) +
           "\n\n| key | value | unit | range | default | meaning |\n|---|---|---|---|---|---|\n";
    for (const Rule& rule : section->rules) out += row(rule);
  }
  return out;
}

}  // namespace stiction
