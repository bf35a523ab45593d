// stiction solve: complementarity problems from files, by any of the solvers, judged by one measure.
#include <algorithm>
#include <cmath>
#include <limits>

#include "commands.h"
#include "problem.h"
#include "stiction/base/platform/file.h"
#include "stiction/base/text.h"
#include "stiction/report/profile_svg.h"

namespace stiction::cli {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Mistake mistake(const std::string& where, const std::string& message) {
  Mistake m;
  m.file = where;
  m.message = message;
  return m;
}

struct Row {
  std::size_t problem;
  std::string asked;  // the solver that was asked for
  SolveOutcome outcome;
};
/// A problem of a kind that the solver does not take.
struct Untaken {
  std::size_t problem;
  std::string solver;
};

/// Files as they are; folders stand for the problem files in them.
Names files_in(const Names& words, std::vector<Mistake>& mistakes) {
  Names out;
  for (const std::string& word : words) {
    if (!is_folder(word)) {
      out.push_back(word);
      continue;
    }
    const std::size_t before = out.size();
    const Result<Names> names = list_folder(word);
    if (!names) mistakes.insert(mistakes.end(), names.mistakes().begin(), names.mistakes().end());
    for (const std::string& name : names ? names.value() : Names{})
      for (const char* ending : {".json", ".h5", ".hdf5"})
        if (name.ends_with(ending)) out.push_back(join_path(word, name));
    if (names && out.size() == before)
      mistakes.push_back(mistake(word, "this folder holds no problem files (.json, .h5 or .hdf5)"));
  }
  return out;
}

std::vector<LoadedProblem> load(const Names& files, std::vector<Mistake>& mistakes) {
  std::vector<LoadedProblem> out;
  for (const std::string& file : files) {
    Result<LoadedProblem> one = load_problem(file);
    if (one)
      out.push_back(std::move(one).value());
    else
      mistakes.insert(mistakes.end(), one.mistakes().begin(), one.mistakes().end());
  }
  return out;
}

/// "nsgs,newton"
Names split(const std::string& words) {
  Names out;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    out.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Names solvers_asked(const SolveOptions& options, const std::vector<LoadedProblem>& problems,
                    std::vector<Mistake>& mistakes) {
  const Names asked = options.solver ? split(*options.solver) : Names{"auto"}, known = all_solvers();
  for (const std::string& name : asked)
    if (!contains(known, name))
      mistakes.push_back(mistake("--solver " + *options.solver,
                                 "unknown word \"" + name + "\", allowed: " + word_list(known, 30) +
                                     did_you_mean(name, known) + " (several with commas between them)"));
  if (!mistakes.empty()) return asked;
  for (const LoadedProblem& p : problems) {
    const Names takes = solvers_for(p.problem);
    if (std::none_of(asked.begin(), asked.end(), [&](const std::string& s) { return contains(takes, s); }))
      mistakes.push_back(mistake(p.file, "is of kind " + std::string(kind_of(p.problem)) +
                                             "; its solvers are " + word_list(takes, 30)));
  }
  return asked;
}

double tolerance_of(const SolveOptions& options, std::vector<Mistake>& mistakes) {
  double tolerance = 1e-8;
  if (options.tolerance &&
      (!number_from_text(*options.tolerance, tolerance) || !(tolerance > 0 && std::isfinite(tolerance))))
    mistakes.push_back(
        mistake("--tolerance " + *options.tolerance,
                "found the text \"" + *options.tolerance + "\", must be a finite number above 0"));
  return tolerance;
}

void print_table(const std::vector<LoadedProblem>& problems, const std::vector<Row>& rows) {
  std::size_t widest = 4, solver = 6;
  for (const Row& row : rows) {
    widest = std::max(widest, problems[row.problem].file.size());
    solver = std::max(solver, row.outcome.solver.size());
  }
  const auto number = [](double x) { return x < 0 ? std::string("-") : fmt::format("{:.2e}", x); };
  print("{:<{}}  {:<15} {:>6}  {:<{}}  {:<15} {:>11} {:>11} {:>10} {:>10}", "file", widest, "kind", "size",
        "solver", solver, "status", "natural map", "scaled", "iterations", "ms");
  for (const Row& row : rows) {
    const LoadedProblem& p = problems[row.problem];
    const SolveOutcome& o = row.outcome;
    print("{:<{}}  {:<15} {:>6}  {:<{}}  {:<15} {:>11} {:>11} {:>10} {:>10.3f}", p.file, widest,
          kind_of(p.problem), size_of(p.problem), o.solver, solver, o.status, number(o.natural_map),
          number(o.natural_map_scaled), o.iterations, o.milliseconds);
  }
}

void print_untaken(const std::vector<LoadedProblem>& problems, const std::vector<Untaken>& untaken) {
  for (const Untaken& u : untaken)
    print("not taken: {} by {}, which solves no {}", problems[u.problem].file, u.solver,
          kind_of(problems[u.problem].problem));
}

Json document_of(const std::vector<LoadedProblem>& problems, const std::vector<Row>& rows,
                 const std::vector<Untaken>& untaken) {
  const auto number = [](double x) { return x >= 0 && std::isfinite(x) ? Json(x) : Json(nullptr); };
  Json out;
  Json& results = out["results"] = Json::array();
  for (const Row& row : rows) {
    const LoadedProblem& p = problems[row.problem];
    const SolveOutcome& o = row.outcome;
    results.push_back({{"file", p.file},
                       {"kind", kind_of(p.problem)},
                       {"size", size_of(p.problem)},
                       {"solver", o.solver},
                       {"status", o.status},
                       {"natural_map", number(o.natural_map)},
                       {"natural_map_scaled", number(o.natural_map_scaled)},
                       {"iterations", o.iterations},
                       {"milliseconds", o.milliseconds}});
  }
  for (const Untaken& u : untaken)
    out["not_taken"].push_back({{"file", problems[u.problem].file},
                                {"kind", kind_of(problems[u.problem].problem)},
                                {"solver", u.solver}});
  return out;
}

/// Time of every solver on every problem; never where it does not solve it, NaN where it does not take it.
std::vector<ProfileCurve> curves_of(const Names& solvers, std::size_t problems,
                                    const std::vector<Row>& rows) {
  std::vector<ProfileCurve> out;
  for (const std::string& solver : solvers) {
    ProfileCurve curve{solver, std::vector<double>(problems, std::numeric_limits<double>::quiet_NaN())};
    for (const Row& row : rows)
      if (row.asked == solver)
        curve.milliseconds[row.problem] =
            row.outcome.solved ? row.outcome.milliseconds : std::numeric_limits<double>::infinity();
    out.push_back(std::move(curve));
  }
  return out;
}

/// results.json and profile.svg.
std::vector<Mistake> write_files(const std::string& folder, const Json& document,
                                 const std::vector<ProfileCurve>& curves, double tolerance) {
  if (const auto r = make_folders(folder); !r) return r.mistakes();
  const std::string title =
      fmt::format("{} problems, tolerance {}", curves.front().milliseconds.size(), number_text(tolerance));
  if (const auto r = write_file(join_path(folder, "results.json"), document.dump(2) + "\n"); !r)
    return r.mistakes();
  if (const auto r = write_file(join_path(folder, "profile.svg"), profile_svg(curves, title)); !r)
    return r.mistakes();
  return {};
}

}  // namespace

Status solve(const SolveOptions& options) {
  std::vector<Mistake> mistakes;
  const double tolerance = tolerance_of(options, mistakes);
  const Names files = files_in(options.files, mistakes);
  const std::vector<LoadedProblem> problems = load(files, mistakes);
  Names solvers;
  if (mistakes.empty()) solvers = solvers_asked(options, problems, mistakes);
  if (!mistakes.empty()) return reject(mistakes, options.output);

  std::vector<Row> rows;
  std::vector<Untaken> untaken;
  bool all_solved = true;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Names takes = solvers_for(problems[k].problem);
    for (const std::string& solver : solvers) {
      if (!contains(takes, solver)) {
        untaken.push_back({k, solver});
        continue;
      }
      rows.push_back({k, solver, solve_problem(problems[k].problem, solver, tolerance)});
      const SolveOutcome& o = rows.back().outcome;
      all_solved = all_solved && o.solved;
      if (!o.remark.empty()) say("{}: {}", problems[k].file, o.remark);
    }
  }
  const Json document = document_of(problems, rows, untaken);
  if (options.output.json) {
    print_document(document);
  } else {
    print_table(problems, rows);
    print_untaken(problems, untaken);
  }
  if (!options.out.empty()) {
    mistakes = write_files(options.out, document, curves_of(solvers, problems.size(), rows), tolerance);
    if (!mistakes.empty()) {
      for (const Mistake& m : mistakes) say("{}", m.text());
      return bad_input;
    }
    if (!options.output.json) print("Profile  {}", join_path(options.out, "profile.svg"));
  }
  return all_solved ? fine : missed;
}

}  // namespace stiction::cli
