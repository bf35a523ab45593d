// stiction reproduce: examples of published documents computed again, as a table of claims.
#include "stiction/reproduce/reproduce.h"

#include <algorithm>
#include <cmath>

#include "commands.h"
#include "stiction/base/platform/file.h"

namespace stiction::cli {
namespace {

Json to_json(const reproduce::Claim& c) {
  Json out;
  out["document"] = c.document;
  out["example"] = c.example;
  out["claim"] = c.claim;
  out["printed"] = c.printed.empty() ? Json() : Json(c.printed);
  out["reference"] = std::isnan(c.reference) ? Json() : Json(c.reference);
  out["measured"] = std::isfinite(c.measured) ? Json(c.measured) : Json();
  out["band"] = c.band.text();
  out["verdict"] = c.verdict();
  const reproduce::Print print = against_print(c);
  out["print_met"] = print == reproduce::Print::met       ? Json(true)
                     : print == reproduce::Print::not_met ? Json(false)
                                                          : Json();
  return out;
}

void print_table(const reproduce::Outcome& outcome) {
  std::size_t longest = 0;
  for (const reproduce::Claim& c : outcome.claims()) longest = std::max(longest, c.claim.size());
  std::string example;
  for (const reproduce::Claim& c : outcome.claims()) {
    if (c.example != example)
      print("{}{}\n  {:<{}}  {:>16}  {:>16}  {:<26}  verdict  printed", example.empty() ? "" : "\n",
            c.example, "claim", longest, "reference", "measured", "band");
    example = c.example;
    const std::string reference = std::isnan(c.reference) ? "" : fmt::format("{:.10g}", c.reference);
    print("  {:<{}}  {:>16}  {:>16.10g}  {:<26}  {:<7}  {}", c.claim, longest, reference, c.measured,
          c.band.text(), c.pass ? "pass" : "FAIL",
          c.printed + (against_print(c) == reproduce::Print::not_met ? "  (not met)" : ""));
  }
}

/// How many of the numbers that documents print were not met: references are independent solutions.
std::string print_text(const reproduce::Outcome& outcome) {
  std::size_t met = 0, missed = 0;
  for (const reproduce::Claim& c : outcome.claims())
    met += against_print(c) == reproduce::Print::met, missed += against_print(c) == reproduce::Print::not_met;
  if (met + missed == 0) return "the documents print no numbers beside them";
  return fmt::format("of {} numbers that the documents print {} not met to the digits printed", met + missed,
                     missed == 0   ? "none is"
                     : missed == 1 ? "1 is"
                                   : std::to_string(missed) + " are");
}

}  // namespace

Status reproduce(const ReproduceOptions& options) {
  const Result<stiction::reproduce::Outcome> result = stiction::reproduce::reproduce(options.names);
  if (!result) return reject(result.mistakes(), options.output);
  const stiction::reproduce::Outcome& outcome = result.value();
  std::vector<std::string> files;
  if (!options.out.empty()) {
    if (const auto r = make_folders(options.out); !r) return reject(r.mistakes(), options.output);
    for (const Figure& f : outcome.figures()) {
      files.push_back(join_path(options.out, f.name + ".svg"));
      if (const auto r = write_file(files.back(), to_svg(f)); !r) return reject(r.mistakes(), options.output);
    }
  }
  const auto passed =
      std::count_if(outcome.claims().begin(), outcome.claims().end(), [](const auto& c) { return c.pass; });
  if (options.output.json) {
    Json claims = Json::array();
    for (const stiction::reproduce::Claim& c : outcome.claims()) claims.push_back(to_json(c));
    print_document({{"claims", claims}, {"figures", files}});
  } else {
    print_table(outcome);
    for (const std::string& file : files) print("Figure     {}", file);
    print("{} of {} claims pass; {}", passed, outcome.claims().size(), print_text(outcome));
  }
  return outcome.all_pass() ? fine : missed;
}

}  // namespace stiction::cli
