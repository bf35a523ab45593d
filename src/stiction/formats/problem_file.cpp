// Stages: parse -> keys -> constants and expressions -> sizes and types -> bind -> validate.
#include "stiction/formats/problem_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>

#include "stiction/base/platform/file.h"
#include "stiction/base/text.h"
#include "stiction/formats/expand.h"
#include "stiction/formats/formula.h"

namespace stiction {
namespace formats {
namespace {

using namespace complementarity;
using Words = std::vector<std::string>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_rows = 10000;           // of a dense matrix: 800 MB
constexpr std::size_t most_formulas = 100000;      // of one problem
constexpr std::size_t most_operations = 20000000;  // of all formulas together

const Words kinds{"lcp", "mixed_lcp", "boxed_lcp", "mcp"};

class Reader {
 public:
  Reader(const Json& tree, Messages& messages)
      : tree_(tree), messages_(messages), expander_(tree, messages) {}

  void read(ProblemFile& out);

 private:
  // one formula of F, and the value of $i in it
  struct Source {
    const Json* text;
    std::string path;
    double index;  // -1: not in a repeat
  };

  void wrong(const Json& v, const std::string& path, const std::string& expected) {
    if (!v.is(Kind::broken)) messages_.add(v.place, path, "found " + describe(v) + ", must be " + expected);
  }
  void check_keys(const Json& map, const Words& known, const std::string& path);
  void check_header();
  const Json* kind_of(std::string& kind);
  Json section(const Json& map, const std::string& path, const Words& raw);
  const Json* required(const Json& map, const std::string& key, const std::string& about);

  bool number(const Json& v, const std::string& path, double& out);
  bool index(const Json& v, std::size_t below, const std::string& path, std::size_t& out);
  bool numbers(const Json& v, std::size_t n, const std::string& path, std::vector<double>& out);
  void bounds(const Json* v, std::size_t n, const std::string& path, double none, std::vector<double>& out);
  void matrix(const Json& v, std::size_t n, const std::string& path, std::vector<double>& out);
  void entries(const Json& v, std::size_t n, const std::string& path, std::vector<double>& out);

  template <class Problem>
  bool linear(const Json& map, Problem& p);
  void bind(const Json& map, Lcp& p) { linear(map, p); }
  void bind(const Json& map, MixedLcp& p);
  void bind(const Json& map, BoxedLcp& p);
  void bind(const Json& map, Mcp& p);
  std::vector<Source> sources(const Json& list, const std::string& path);
  std::vector<Formula> formulas(const std::vector<Source>& sources);
  template <class Problem>
  void judge(const Json& map, const Problem& p);

  const Json& tree_;
  Messages& messages_;
  Expander expander_;
  std::string path_{};              // of the problem: its kind
  std::vector<Source> formulas_{};  // of F, for messages
};

void Reader::check_keys(const Json& map, const Words& known, const std::string& path) {
  for (const Key& key : map.keys) {
    if (std::find(known.begin(), known.end(), key.name) != known.end()) continue;
    if (path.empty() && key.name.starts_with("$")) continue;
    messages_.add(
        key.place, joined(path, key.name),
        "unknown key \"" + key.name + "\", allowed: " + word_list(known, 20) + did_you_mean(key.name, known));
  }
}

void Reader::check_header() {
  const Json* version = tree_.find("stiction");
  if (version == nullptr)
    messages_.add(tree_.place, "", "the key `stiction` is missing: Version of the format: 1.");
  else if (!version->is(Kind::number) || version->number != 1)
    wrong(*version, "stiction", "1");
  if (const Json* title = tree_.find("title"); title != nullptr && !title->is(Kind::text))
    wrong(*title, "title", "a text");
  for (const Key& key : tree_.keys)  // also those that nobody uses
    if (key.name.starts_with("$")) expander_.value(Json::of(key.name, key.place), key.name);
}

const Json* Reader::kind_of(std::string& kind) {
  const Json* found = nullptr;
  for (std::size_t i = 0; i < tree_.keys.size(); ++i) {
    const std::string& key = tree_.keys[i].name;
    if (std::find(kinds.begin(), kinds.end(), key) == kinds.end()) continue;
    if (found != nullptr)
      messages_.add(tree_.keys[i].place, key,
                    "a second problem; a file holds one, the first is `" + kind + "`");
    else
      found = &tree_.items[i], kind = key;
  }
  if (found == nullptr && messages_.empty())
    messages_.add(tree_.place, "", "holds no problem, must be exactly one of " + word_list(kinds));
  if (found != nullptr && !found->is(Kind::map)) {
    wrong(*found, kind, "a map {...}");
    return nullptr;
  }
  return found;
}

/// The map with constants and expressions worked out, except below the keys in `raw`.
Json Reader::section(const Json& map, const std::string& path, const Words& raw) {
  Json out = Json::map(map.place);
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    const std::string& key = map.keys[i].name;
    const bool as_written = std::find(raw.begin(), raw.end(), key) != raw.end();
    out.add(map.keys[i], as_written ? map.items[i] : expander_.value(map.items[i], joined(path, key)));
  }
  return out;
}

const Json* Reader::required(const Json& map, const std::string& key, const std::string& about) {
  const Json* v = map.find(key);
  if (v == nullptr) messages_.add(map.place, path_, "the key `" + key + "` is missing: " + about);
  return v;
}

bool Reader::number(const Json& v, const std::string& path, double& out) {
  if (!v.is(Kind::number)) wrong(v, path, "a number");
  out = v.number;
  return v.is(Kind::number);
}

bool Reader::index(const Json& v, std::size_t below, const std::string& path, std::size_t& out) {
  double x = 0;
  if (!number(v, path, x)) return false;
  if (x < 0 || x != std::floor(x) || x >= double(below)) {
    wrong(v, path, "a whole number from 0 to " + std::to_string(below - 1));
    return false;
  }
  out = std::size_t(x);
  return true;
}

/// A list of n numbers; n = 0: of any length above 0.
bool Reader::numbers(const Json& v, std::size_t n, const std::string& path, std::vector<double>& out) {
  if (!v.is(Kind::list) || v.items.empty() || (n > 0 && v.items.size() != n)) {
    wrong(v, path,
          n > 0 ? "a list of " + std::to_string(n) + " numbers, one per row"
                : "a list of numbers, at least one");
    return false;
  }
  out.resize(v.items.size());
  for (std::size_t i = 0; i < out.size(); ++i) number(v.items[i], joined(path, i), out[i]);
  return true;
}

/// Absent or null: no bound. A number: the same for all.
void Reader::bounds(const Json* v, std::size_t n, const std::string& path, double none,
                    std::vector<double>& out) {
  out.assign(n, none);
  if (v == nullptr || v->is(Kind::null)) return;
  if (v->is(Kind::number)) return out.assign(n, v->number);
  if (!v->is(Kind::list) || v->items.size() != n)
    return wrong(*v, path,
                 "a number or a list of " + std::to_string(n) + " numbers; null where there is no bound");
  for (std::size_t i = 0; i < n; ++i) {
    const Json& item = v->items[i];
    if (item.is(Kind::number))
      out[i] = item.number;
    else if (!item.is(Kind::null))
      wrong(item, joined(path, i), "a number, or null for no bound");
  }
}

/// {"entries": [[row, column, value], ...]}, the rest is 0. Entries of the same place add up.
void Reader::entries(const Json& v, std::size_t n, const std::string& path, std::vector<double>& out) {
  check_keys(v, {"entries"}, path);
  const Json* list = v.find("entries");
  if (list == nullptr || !list->is(Kind::list))
    return wrong(list == nullptr ? v : *list, path, "{\"entries\": [[row, column, value], ...]}");
  out.assign(n * n, 0);
  for (std::size_t k = 0; k < list->items.size(); ++k) {
    const Json& entry = list->items[k];
    const std::string at = joined(joined(path, "entries"), k);
    std::size_t i = 0, j = 0;
    double x = 0;
    if (!entry.is(Kind::list) || entry.items.size() != 3) {
      wrong(entry, at, "[row, column, value]");
    } else if (index(entry.items[0], n, joined(at, 0), i) && index(entry.items[1], n, joined(at, 1), j) &&
               number(entry.items[2], joined(at, 2), x)) {
      out[i * n + j] += x;
    }
  }
}

void Reader::matrix(const Json& v, std::size_t n, const std::string& path, std::vector<double>& out) {
  if (v.is(Kind::map)) return entries(v, n, path, out);
  if (!v.is(Kind::list) || v.items.size() != n)
    return wrong(v, path, "a list of " + std::to_string(n) + " rows, as q has entries");
  out.reserve(n * n);
  std::vector<double> row;
  for (std::size_t i = 0; i < n; ++i) {
    if (numbers(v.items[i], n, joined(path, i), row)) out.insert(out.end(), row.begin(), row.end());
  }
}

/// n, q and M; q says how many rows there are.
template <class Problem>
bool Reader::linear(const Json& map, Problem& p) {
  const Json* q = required(map, "q", "A list of numbers, one per row.");
  const Json* M = required(map, "M", "A list of rows, each a list of numbers.");
  if (q == nullptr || !numbers(*q, 0, joined(path_, "q"), p.q)) return false;
  if (p.q.size() > most_rows) {
    messages_.add(q->place, joined(path_, "q"),
                  "found " + std::to_string(p.q.size()) +
                      " rows; linear problems are dense matrices of up to " + std::to_string(most_rows));
    return false;
  }
  p.n = int(p.q.size());
  if (M != nullptr) matrix(*M, p.q.size(), joined(path_, "M"), p.M);
  return true;
}

void Reader::bind(const Json& map, MixedLcp& p) {
  const Json* free = required(map, "free", "How many of the first rows are equations.");
  if (!linear(map, p) || free == nullptr) return;
  std::size_t rows = 0;
  if (index(*free, p.q.size() + 1, joined(path_, "free"), rows)) p.free = int(rows);
}

void Reader::bind(const Json& map, BoxedLcp& p) {
  if (!linear(map, p)) return;
  bounds(map.find("lower"), p.q.size(), joined(path_, "lower"), -infinity, p.lower);
  bounds(map.find("upper"), p.q.size(), joined(path_, "upper"), infinity, p.upper);
}

/// The formulas one by one; an entry {"repeat": n, "F": "..."} is n of them, with $i = 0 ... n-1.
std::vector<Reader::Source> Reader::sources(const Json& list, const std::string& path) {
  std::vector<Source> out;
  for (std::size_t k = 0; k < list.items.size(); ++k) {
    const Json& entry = list.items[k];
    const std::string at = joined(path, k);
    if (entry.is(Kind::text)) {
      out.push_back({&entry, at, -1});
      continue;
    }
    const Json* text = entry.find("F");
    const Json* count = entry.find("repeat");
    if (entry.is(Kind::map)) check_keys(entry, {"repeat", "F"}, at);
    if (text == nullptr || !text->is(Kind::text) || count == nullptr) {
      wrong(entry, at, "a formula such as \"x[0]^2 + x[1] - 1\", or {\"repeat\": 10, \"F\": \"x[$i] - 1\"}");
      continue;
    }
    std::size_t n = 0;
    const Json expanded = expander_.value(*count, joined(at, "repeat"));
    if (!index(expanded, most_formulas + 1, joined(at, "repeat"), n)) continue;
    if (out.size() + n > most_formulas) {
      messages_.add(count->place, joined(at, "repeat"),
                    "the problem has more than " + std::to_string(most_formulas) + " formulas");
      break;
    }
    for (std::size_t i = 0; i < n; ++i) out.push_back({text, joined(at, "F"), double(i)});
  }
  return out;
}

std::vector<Formula> Reader::formulas(const std::vector<Source>& sources) {
  std::vector<Formula> out;
  std::size_t operations = 0;
  for (const Source& source : sources) {
    const auto lookup = [&](std::string_view name, std::string& message) -> std::optional<double> {
      if (name == "i" && source.index >= 0) return source.index;
      return expander_.number(name, message);
    };
    ExpressionMistake mistake;
    std::optional<Formula> formula = compile_formula(source.text->text, int(sources.size()), lookup, mistake);
    if (formula) {
      operations += formula->operations();
      if (operations > most_operations) mistake = {0, "the formulas are too long together"};
      out.push_back(std::move(*formula));
    }
    if (mistake.message.empty()) continue;
    Place place = source.text->place;
    place.column += int(mistake.offset) + 1;  // 1: the opening quote
    messages_.add(place, source.path, mistake.message);
    if (operations > most_operations) break;
  }
  return out;
}

void Reader::bind(const Json& map, Mcp& p) {
  const Json* list = required(map, "F", "A list of formulas, one per unknown.");
  if (list == nullptr) return;
  if (!list->is(Kind::list) || list->items.empty())
    return wrong(*list, joined(path_, "F"), "a list of formulas, one per unknown");
  const std::size_t before = messages_.size();
  formulas_ = sources(*list, joined(path_, "F"));
  const std::size_t n = formulas_.size();
  if (messages_.size() > before) return;
  if (n == 0) return wrong(*list, joined(path_, "F"), "at least one formula");
  p.n = int(n);
  bounds(map.find("lower"), n, joined(path_, "lower"), -infinity, p.lower);
  bounds(map.find("upper"), n, joined(path_, "upper"), infinity, p.upper);
  bounds(map.find("start"), n, joined(path_, "start"), 0, p.start);
  const auto compiled = std::make_shared<const std::vector<Formula>>(formulas(formulas_));
  p.function = [compiled, scratch = std::vector<double>()](std::span<const double> x,
                                                           std::span<double> f) mutable {
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = (*compiled)[i].value(x, scratch);
  };
  p.jacobian = [compiled, scratch = std::vector<double>()](std::span<const double> x,
                                                           std::vector<Triplet>& entries) mutable {
    for (std::size_t i = 0; i < compiled->size(); ++i) (*compiled)[i].gradient(x, scratch, int(i), entries);
  };
}

/// What validate() finds, at the place of the field that it names first: "lower[2] is above upper[2]".
template <class Problem>
void Reader::judge(const Json& map, const Problem& p) {
  if (!messages_.empty()) return;
  for (const std::string& fault : validate(p)) {
    const std::size_t end = fault.find_first_of("[: ");
    std::string field = fault.substr(0, end), path = joined(path_, field);
    const Json* v = map.find(field);
    std::size_t row = 0;
    if (end != std::string::npos && fault[end] == '[')
      row = std::size_t(std::strtoul(&fault[end + 1], nullptr, 10));
    std::string message = fault;
    if (field == "function" || field == "jacobian") {
      const Source& source = formulas_[std::min(row, formulas_.size() - 1)];
      v = source.text, path = source.path;
      message = (field == "function" ? "F[" : "a derivative of F[") + std::to_string(row) +
                "] is not finite at the start; give another `start`";
    } else if (v != nullptr && v->is(Kind::list) && row < v->items.size()) {
      v = &v->items[row];
    }
    messages_.add(v != nullptr ? v->place : map.place, path, message);
  }
}

void Reader::read(ProblemFile& out) {
  if (tree_.find("bodies") != nullptr) {
    messages_.add(tree_.place, "", "is a scene, not a problem; run it with: stiction run FILE");
    return;
  }
  Words known{"stiction", "title"};
  known.insert(known.end(), kinds.begin(), kinds.end());
  check_keys(tree_, known, "");
  check_header();
  const Json* written = kind_of(path_);
  if (const Json* title = tree_.find("title")) out.title = title->text;
  if (written == nullptr) return;
  const Json map = section(*written, path_, {"F"});
  const auto bind_as = [&](auto problem, Words keys) {
    check_keys(map, keys, path_);
    bind(map, problem);
    judge(map, problem);
    out.problem = std::move(problem);
  };
  if (path_ == "lcp") bind_as(Lcp{}, {"M", "q"});
  if (path_ == "mixed_lcp") bind_as(MixedLcp{}, {"M", "q", "free"});
  if (path_ == "boxed_lcp") bind_as(BoxedLcp{}, {"M", "q", "lower", "upper"});
  if (path_ == "mcp") bind_as(Mcp{}, {"F", "lower", "upper", "start"});
}

// --- writing

Json text_of(const std::vector<double>& numbers) {
  Json out = Json::list({});
  for (const double x : numbers) out.items.push_back(std::isfinite(x) ? Json::of(x, {}) : Json{});
  return out;
}

/// One row of the matrix per line.
std::string file_text(const char* kind, std::string_view title, int n, const std::vector<double>& M,
                      std::vector<std::pair<const char*, Json>> rest) {
  const auto line = [](const Json& v) {
    std::string text = write_json(v, 0);
    text.pop_back();
    return text;
  };
  std::string out = "{ \"stiction\": 1,\n";
  if (!title.empty()) out += "  \"title\": " + line(Json::of(title, {})) + ",\n";
  out += "  \"" + std::string(kind) + "\": {\n    \"M\": [";
  const auto width = std::ptrdiff_t(n);
  for (std::ptrdiff_t i = 0; i < width; ++i) {
    const std::vector<double> row(M.begin() + i * width, M.begin() + (i + 1) * width);
    out += (i > 0 ? ",\n          " : "") + line(text_of(row));
  }
  out += "]";
  for (const auto& [key, value] : rest) out += ",\n    \"" + std::string(key) + "\": " + line(value);
  return out + " } }\n";
}

}  // namespace
}  // namespace formats

Result<ProblemFile> read_problem_text(std::string_view text, const std::string& name) {
  using namespace formats;
  Messages messages;
  const Json tree = parse_json(text, messages.add_file(name), messages);
  if (messages.empty() && !tree.is(Kind::map))
    messages.add(tree.place, "", "found " + describe(tree) + ", a problem file is a map {...}");
  ProblemFile out;
  out.path = name;
  if (messages.empty()) Reader(tree, messages).read(out);
  if (!messages.empty()) return messages.sorted();
  return out;
}

Result<ProblemFile> read_problem_file(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.mistakes();
  return read_problem_text(text.value(), path);
}

std::string write_problem_text(const complementarity::Lcp& p, std::string_view title) {
  return formats::file_text("lcp", title, p.n, p.M, {{"q", formats::text_of(p.q)}});
}
std::string write_problem_text(const complementarity::MixedLcp& p, std::string_view title) {
  return formats::file_text("mixed_lcp", title, p.n, p.M,
                            {{"q", formats::text_of(p.q)}, {"free", formats::Json::of(double(p.free), {})}});
}
std::string write_problem_text(const complementarity::BoxedLcp& p, std::string_view title) {
  using formats::text_of;
  return formats::file_text("boxed_lcp", title, p.n, p.M,
                            {{"q", text_of(p.q)}, {"lower", text_of(p.lower)}, {"upper", text_of(p.upper)}});
}

}  // namespace stiction
