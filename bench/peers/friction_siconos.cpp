// Frictional contact problems, side by side with Siconos: every file of the folders given, at 1e-4 and 1e-8.
//
// Fair terms: the same file, r = 0 at the start, one thread, every solve in a process of its own with the
// same limit of processor time; solving and factorising are timed (repeated where they are short, see
// in_child.h), reading and copying W into the solver's storage are not. Global problems are condensed for
// both before the clock starts. Both are judged by friction_residual(): ||r - P_K(r - uhat)|| / ||q||. A
// rival that believes to have converged, but has not by this measure, is asked for a tenth, a hundredth, ...
// of the tolerance, and the time of the solve that holds counts alone. Against our policy stands the best
// rival of each problem.
//
//   bench_friction_siconos [full] [--json] [--limit SECONDS] [--only TEXT] [FOLDER or FILE...]
//
// Without folders: problems that make_problems writes, up to 300 contacts (`full`: 5000). Exit status 1 if a
// bar is missed: what a rival solves we solve; geometric mean of the times at most 1 at 1e-4, 0.5 at 1e-8.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "../bench.h"
#include "siconos_friction.h"
#include "stiction/base/platform/file.h"
#include "stiction/complementarity/friction/solve_friction.h"
#include "stiction/record/fclib.h"

namespace stiction::bench {
namespace {

using namespace complementarity;

constexpr double tolerances[] = {1e-4, 1e-8};
constexpr double bars[] = {1.0, 0.5};  // [-] geometric mean of our time over the best rival's

struct Words {
  bool full = false, json = false;
  double limit = 20;  // [s]
  std::string only{};
  std::vector<std::string> paths{};
};

struct Outcome {
  std::string solver{};
  double ms = 0, error = INFINITY;
  Answer::End end = Answer::End::crashed;

  bool solved(double tolerance) const { return end == Answer::End::finished && error <= tolerance; }
  const char* end_text() const {
    return end == Answer::End::finished ? "" : end == Answer::End::late ? "late" : "crashed";
  }
};

struct Row {
  std::string problem;
  int contacts = 0;
  double tolerance = 0;
  Outcome us{}, best{};  // best: solved and fastest, else the smallest error
  std::vector<Outcome> rivals{};

  bool we() const { return us.solved(tolerance); }
  bool they() const { return best.solved(tolerance); }
  bool both() const { return we() && they(); }
  double ratio() const { return both() ? us.ms / best.ms : they() ? INFINITY : 0; }
};

LocalFriction local_problem(const std::string& path) {
  FclibFile file = read_fclib(path).or_exit();
  if (auto* local = std::get_if<LocalFriction>(&file.problem)) return std::move(*local);
  MassFactors factors;
  LocalFriction out;
  if (!condense(std::get<GlobalFriction>(file.problem), factors, out))
    std::fprintf(stderr, "%s: M is singular\n", path.c_str()), std::exit(2);
  return out;
}

Outcome judged(const LocalFriction& p, const Answer& a, const char* name) {
  Outcome out{a.solver.empty() ? name : a.solver, 1e3 * a.seconds, INFINITY, a.end};
  const bool finite = std::all_of(a.r.begin(), a.r.end(), [](double x) { return std::isfinite(x); });
  if (!a.r.empty() && finite) out.error = friction_residual(p, a.r).natural_map;
  return out;
}

Outcome ours(const LocalFriction& p, double tolerance, double limit) {
  const Answer a = in_child(p.b.size(), limit, [&](Answer& out) {
    const Clock clock;
    FrictionMemory memory;
    const FrictionReport report = solve(p, {.tolerance = tolerance}, out.r, memory);
    clock.read(out);
    out.claimed = report.status == FrictionStatus::solved;
    out.solver = report.solver;
  });
  return judged(p, a, "policy");
}

Outcome theirs(const Rival& rival, const LocalFriction& p, double tolerance, double limit) {
  Outcome out;
  double asked = tolerance;
  for (int i = 0; i < 6; ++i, asked *= 0.1) {
    const Answer a = in_child(p.b.size(), limit, [&](Answer& one) { solve_by(rival, p, asked, one); });
    out = judged(p, a, rival.name);
    if (out.solved(tolerance) || a.end != Answer::End::finished || !a.claimed) break;
  }
  out.solver = rival.name;
  return out;
}

Row measure(const std::string& name, const LocalFriction& p, double tolerance, double limit,
            const Row* rough) {
  Row row{name, int(p.laws.mu.size()), tolerance};
  row.us = ours(p, tolerance, limit);
  const std::vector<Rival> rivals = rivals_for(p);
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    // who ran out of time at the rough tolerance is not asked for the fine one
    const bool hopeless = rough && rough->rivals[i].end == Answer::End::late;
    row.rivals.push_back(hopeless ? rough->rivals[i] : theirs(rivals[i], p, tolerance, limit));
  }
  for (const Outcome& o : row.rivals) {
    const bool better = o.solved(tolerance) != row.they() ? o.solved(tolerance)
                        : row.they()                      ? o.ms < row.best.ms
                                                          : o.error < row.best.error;
    if (better) row.best = o;
  }
  return row;
}

// ---- what is printed
// ------------------------------------------------------------------------------------------

void print_row(const Row& r) {
  const auto number = [](double x, const char* form) {
    char text[32];
    std::snprintf(text, sizeof text, form, x);
    return std::string(std::isfinite(x) && x > 0 ? text : "-");
  };
  std::printf("%-38s %6d %6.0e  %9s %8s %-28s  %9s %8s %-18s %8s\n", r.problem.c_str(), r.contacts,
              r.tolerance,
              r.we()                              ? number(r.us.ms, "%.3f").c_str()
              : r.us.end == Answer::End::finished ? "missed"
                                                  : r.us.end_text(),
              number(r.us.error, "%.1e").c_str(), r.us.solver.c_str(),
              r.they()           ? number(r.best.ms, "%.3f").c_str()
              : r.rivals.empty() ? "none"
                                 : "missed",
              number(r.best.error, "%.1e").c_str(), r.best.solver.c_str(),
              r.they() ? (r.we() ? number(r.ratio(), "%.2f").c_str() : "lost")
              : r.we() ? "alone"
                       : "-");
  std::fflush(stdout);
}

void print_json(const Row& r) {
  Line line("friction_siconos/" + r.problem);
  line.whole("contacts", r.contacts).number("tolerance", r.tolerance);
  line.flag("solved", r.we()).number("ms", r.us.ms).number("error", r.us.error).text("solver", r.us.solver);
  line.flag("siconos_solved", r.they()).number("siconos_ms", r.best.ms).number("siconos_error", r.best.error);
  line.text("siconos_solver", r.best.solver).number("ratio", r.both() ? r.ratio() : NAN);
  for (const Outcome& o : r.rivals)
    line.number(o.solver + "_ms", o.solved(r.tolerance) ? o.ms : NAN).number(o.solver + "_error", o.error);
  line.print();
}

struct Summary {
  int problems = 0, ours = 0, theirs = 0, both = 0, faster = 0;
  double log_sum = 0;
  std::vector<std::string> only_us{}, only_them{}, nobody{};
  std::map<std::string, int> solved{}, asked{};
  double mean() const { return both > 0 ? std::exp(log_sum / both) : NAN; }

  void add(const Row& r) {
    ++problems, ours += r.we(), theirs += r.they(), both += r.both();
    if (r.both()) log_sum += std::log(r.ratio()), faster += r.ratio() < 1;
    if (r.we() && !r.they()) only_us.push_back(r.problem);
    if (!r.we() && r.they()) only_them.push_back(r.problem);
    if (!r.we() && !r.they()) nobody.push_back(r.problem);
    for (const Outcome& o : r.rivals) ++asked[o.solver], solved[o.solver] += o.solved(r.tolerance);
  }
};

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "none" : out;
}

void print_summary(const Summary& s, double tolerance, double bar) {
  std::printf(
      "\nAt %.0e: %d problems; solved by us %d, by the best of Siconos %d, by both %d (we are faster in "
      "%d)\n",
      tolerance, s.problems, s.ours, s.theirs, s.both, s.faster);
  std::printf("  our time over the best rival's, geometric mean where both solved: %.3f (bar %.1f)\n",
              s.mean(), bar);
  std::printf("  solved per rival:");
  for (const auto& [name, count] : s.asked) std::printf("  %s %d/%d", name.c_str(), s.solved.at(name), count);
  std::printf("\n  only we: %s\n  only Siconos: %s\n  nobody: %s\n", listed(s.only_us).c_str(),
              listed(s.only_them).c_str(), listed(s.nobody).c_str());
}

// ---- files
// -----------------------------------------------------------------------------------------------------

// Written once; again when make_problems was built anew.
std::string generated(bool full) {
  const char* most = full ? "5000" : "300";
  const std::string folder = std::string(STICTION_GENERATED) + "-" + most, stamp = folder + "/written";
  struct stat written {
  }, tool{};
  if (stat(STICTION_MAKE_PROBLEMS, &tool) != 0) std::perror(STICTION_MAKE_PROBLEMS), std::exit(2);
  if (stat(stamp.c_str(), &written) == 0 && written.st_mtime >= tool.st_mtime) return folder;
  std::fprintf(stderr, "writing problems with up to %s contacts into %s\n", most, folder.c_str());
  const std::string command =
      std::string("'") + STICTION_MAKE_PROBLEMS + "' '" + folder + "' " + most + " >&2";
  if (std::system(command.c_str()) != 0) std::exit(2);
  std::move(write_file(stamp, "")).or_exit();
  return folder;
}

std::vector<std::string> files_of(const Words& words) {
  std::vector<std::string> paths = words.paths, out;
  if (paths.empty()) paths.push_back(generated(words.full));
  for (const std::string& path : paths) {
    if (!is_folder(path)) {
      out.push_back(path);
      continue;
    }
    for (const std::string& name : list_folder(path).or_exit())
      if ((name.ends_with(".h5") || name.ends_with(".hdf5")) && name.find(words.only) != std::string::npos)
        out.push_back(join_path(path, name));
  }
  return out;
}

std::string name_of_file(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  return name.substr(0, name.find_last_of('.'));
}

int run(const Words& words) {
  std::vector<Row> rows;
  for (const std::string& path : files_of(words)) {
    const LocalFriction p = local_problem(path);
    const std::string name = name_of_file(path);
    Row rough = measure(name, p, tolerances[0], words.limit, nullptr);
    Row fine = measure(name, p, tolerances[1], words.limit, &rough);
    std::fprintf(stderr, "%s: ratio %.2f, %.2f\n", name.c_str(), rough.ratio(), fine.ratio());
    rows.push_back(std::move(rough)), rows.push_back(std::move(fine));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.ratio() > b.ratio(); });
  if (!words.json)
    std::printf("%-38s %6s %6s  %9s %8s %-28s  %9s %8s %-18s %8s\n", "problem", "size", "to", "ms", "error",
                "solver", "their ms", "error", "solver", "ratio");
  for (const Row& r : rows) words.json ? print_json(r) : print_row(r);
  bool met = true;
  for (int k = 0; k < 2; ++k) {
    Summary s;
    for (const Row& r : rows)
      if (r.tolerance == tolerances[k]) s.add(r);
    met = met && s.only_them.empty() && !(s.mean() > bars[k]);
    if (words.json)
      Line("friction_siconos")
          .number("tolerance", tolerances[k])
          .whole("problems", s.problems)
          .whole("solved", s.ours)
          .whole("siconos_solved", s.theirs)
          .number("geometric_mean", s.mean())
          .number("bar", bars[k])
          .text("only_siconos", listed(s.only_them))
          .print();
    else
      print_summary(s, tolerances[k], bars[k]);
  }
  return met ? 0 : 1;
}

// The libraries read these when they are loaded: set them and begin again.
void one_thread(char** argv) {
  const char* known = std::getenv("OPENBLAS_NUM_THREADS");
  if (known && std::strcmp(known, "1") == 0) return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1), setenv("OMP_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", argv);
  std::perror("execv"), std::exit(2);
}

Words words_of(int argc, char** argv) {
  Words out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "full")
      out.full = true, out.limit = std::max(out.limit, 60.0);
    else if (word == "--json")
      out.json = true;
    else if (word == "--limit" && i + 1 < argc)
      out.limit = std::atof(argv[++i]);
    else if (word == "--only" && i + 1 < argc)
      out.only = argv[++i];
    else if (!word.starts_with("--"))
      out.paths.push_back(word);
  }
  return out;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  stiction::bench::one_thread(argv);
  return stiction::bench::run(stiction::bench::words_of(argc, argv));
}
