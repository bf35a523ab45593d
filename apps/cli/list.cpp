// stiction list: what there is to name; stiction new: a scene to start from; stiction schema, stiction
// version.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "commands.h"
#include "problem.h"
#include "scene_path.h"
#include "solve_friction.h"
#include "stiction/base/platform/file.h"
#include "stiction/formats/grammar.h"
#include "stiction/formats/starter.h"
#include "stiction/ledger/ledger.h"
#include "stiction/model/run_settings.h"
#include "stiction/reproduce/reproduce.h"

namespace stiction::cli {
namespace {

struct Entry {
  std::string name, about;
};

std::vector<Entry> scenes() {
  std::vector<Entry> out;
  for (const std::string& name : scene_names()) {
    const Result<SceneFile> file = read_scene_file(join_path(scenes_folder(), name + ".json"));
    out.push_back({name, file ? file.value().scene.title : "has mistakes: stiction check " + name});
  }
  return out;
}

std::vector<Entry> starter_scenes() {
  std::vector<Entry> out;
  for (const StarterInfo& s : starters()) out.push_back({s.name, s.summary});
  return out;
}

const char* about_solver(SolverChoice solver) {
  switch (solver) {
    case SolverChoice::automatic:
      return "picks for every island, and escalates until the tolerance holds (default)";
    case SolverChoice::newton:
      return "Newton-type, with a direct factorisation; small and thin islands";
    case SolverChoice::nsgs:
      return "block Gauss-Seidel with an exact local solver";
  }
  return "";
}

std::vector<Entry> methods() {
  std::vector<Entry> out;
  for (const MethodTraits& t : method_traits()) out.push_back({t.word, t.about});
  return out;
}
std::vector<Entry> solvers() {
  std::vector<Entry> out;
  for (const std::string& word : words_of<SolverChoice>())
    out.push_back({word, about_solver(*choice_of<SolverChoice>(word))});
  return out;
}

const char* about_cause(Cause c) {
  switch (c) {
    case Cause::gravity:
      return "work of the scene's gravity, out of its potential energy";
    case Cause::spring:
      return "elastic part of spring-dampers, out of their potential energy";
    case Cause::damping:
      return "viscous part of spring-dampers";
    case Cause::drag:
      return "drag forces";
    case Cause::wrench:
      return "forces and torques given by the scene";
    case Cause::input:
      return "forces given from outside, step by step";
    case Cause::contact:
      return "normal impulses of contacts that lasted";
    case Cause::impact:
      return "normal impulses of contacts that are new in a step";
    case Cause::friction:
      return "tangential impulses";
    case Cause::joint:
      return "reactions of joints";
    case Cause::kinematic:
      return "what bodies with prescribed motion put in";
    case Cause::stabilisation:
      return "positions moved to remove overlap";
    case Cause::edit:
      return "bodies added, removed or moved by hand";
    case Cause::numerics:
      return "energy error of the discretisation, by its own formulas";
    case Cause::gravitation:
      return "attraction between pairs, out of its potential energy";
    case Cause::lennard_jones:
      return "forces between pairs of atoms, out of their potential energy";
    case Cause::motor:
      return "motors of joints";
    case Cause::magnus:
      return "lift of spinning bodies";
    case Cause::breaking:
      return "elastic energy of joints that broke";
    case Cause::surface:
      return "what surfaces that move over their bodies put in";
    case Cause::spin:
      return "friction's moments about the normals of contacts";
    case Cause::rolling:
      return "moments against rolling";
  }
  return "";
}

std::vector<Entry> causes() {
  std::vector<Entry> out;
  for (int i = 0; i < cause_count; ++i) {
    const Cause cause{static_cast<unsigned char>(i)};
    out.push_back({name(cause), about_cause(cause)});
  }
  return out;
}

/// Shapes with the pairs that contacts are found for.
std::vector<Entry> shapes() {
  const std::string all = "; touches every shape",
                    still = "; static and kinematic bodies, touches every other shape",
                    ground = "; static bodies, touches every shape of a body that moves freely";
  return {{"sphere", "a ball" + all},
          {"box", "by its edges" + all},
          {"capsule", "a rod with round ends" + all},
          {"half_space", "everything below a plane" + still},
          {"rounded_box", "a box with round edges" + all},
          {"cylinder", "with sharp or round rims" + all},
          {"cone", "apex up" + all},
          {"ellipsoid", "by its radii" + all},
          {"superellipsoid", "between ellipsoid, cylinder and box" + all},
          {"hull", "the convex hull of points, with sharp or round edges" + all},
          {"intersection", "of half-spaces, quadrics and superellipsoids: a dome, a lens" + all},
          {"compound", "one body of several convex parts" + all},
          {"mesh", "a surface of triangles, from a file or the scene" + ground},
          {"heightfield", "heights over a grid" + ground}};
}

std::string about_problem_solver(const std::string& word) {
  if (word == "auto") return "picks by size and structure, and escalates until the tolerance holds (default)";
  if (word == "lemke") return "LCP: Lemke's method, lexicographic; finds rays";
  if (word == "block_pivoting") return "LCP, boxed: symmetric positive matrices";
  if (word == "gauss_seidel") return "LCP: projected Gauss-Seidel; rough answers";
  if (word == "jacobi") return "LCP: projected Jacobi; rough answers";
  if (word == "fischer_burmeister") return "MCP: semismooth Newton, sparse";
  if (word == "josephy_newton") return "MCP: Newton with Lemke's method on the linearisation";
  return "friction: " + about_friction_solver(word);
}

std::vector<Entry> problem_solvers() {
  std::vector<Entry> out;
  for (const std::string& word : all_solvers()) out.push_back({word, about_problem_solver(word)});
  return out;
}

std::vector<Entry> examples() {
  std::vector<Entry> out;
  for (const reproduce::Document& d : reproduce::documents())
    for (const reproduce::Example& e : d.examples)
      out.push_back({std::string(d.name) + "/" + e.name, e.about});
  return out;
}

struct Kind {
  const char* name;
  std::vector<Entry> (*entries)();
};
constexpr std::array<Kind, 8> kinds{{{"scenes", scenes},
                                     {"shapes", shapes},
                                     {"starters", starter_scenes},
                                     {"methods", methods},
                                     {"solvers", solvers},
                                     {"problem_solvers", problem_solvers},
                                     {"causes", causes},
                                     {"examples", examples}}};

}  // namespace

Status list(const ListOptions& options) {
  std::vector<std::string> known;
  for (const Kind& kind : kinds) known.emplace_back(kind.name);
  if (!options.kind.empty() && std::find(known.begin(), known.end(), options.kind) == known.end())
    return reject("stiction: list: " + unknown_word("word", options.kind, "Known", known), options.output);
  Json out = Json::object();
  for (const Kind& kind : kinds) {
    if (!options.kind.empty() && options.kind != kind.name) continue;
    if (!options.output.json && options.kind.empty()) print("{}", kind.name);
    Json& rows = out[kind.name] = Json::array();
    for (const Entry& entry : kind.entries()) {
      rows.push_back({{"name", entry.name}, {"about", entry.about}});
      if (!options.output.json) print("  {:<24} {}", entry.name, entry.about);
    }
  }
  if (options.output.json) print_document(out);
  return fine;
}

namespace {

/// What to type to run a file: by the script that was called, if one was. Names with odd characters in
/// quotes.
std::string command_to_run(const std::string& path) {
  const char* script = std::getenv("STICTION_COMMAND");
  const auto plain = [](const std::string& word) {
    return word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-") ==
           std::string::npos;
  };
  const auto quoted = [&](const std::string& word) {
    if (plain(word)) return word;
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
  };
  return quoted(script == nullptr || *script == '\0' ? "stiction" : script) + " run " + quoted(path);
}

}  // namespace

Status create(const NewOptions& options) {
  std::vector<std::string> known;
  for (const StarterInfo& entry : starters()) known.push_back(entry.name);
  if (std::find(known.begin(), known.end(), options.name) == known.end())
    return reject("stiction: new: " + unknown_word("starter", options.name, "Starters", known),
                  options.output);
  const std::string path = options.file.empty() ? options.name + ".json" : options.file;
  if (file_exists(path)) {
    Mistake m;
    m.file = path;
    m.message = "exists already; give another name: stiction new " + options.name + " FILE";
    return reject({m}, options.output);
  }
  const std::string command = command_to_run(path);
  const Result<bool> written = write_file(path, starter_text(options.name, command));
  if (!written) return reject(written.mistakes(), options.output);
  if (options.output.json)
    print_document({{"starter", options.name}, {"file", path}});
  else
    print("{}: a scene with comments. Run it:  {}", path, command);
  return fine;
}

Status schema(const Output&) {  // the schema is JSON already
  print("{}", json_schema());
  return fine;
}

Status version(const Output& output) {
  if (output.json)
    print_document({{"version", STICTION_VERSION}});
  else
    print("stiction {}", STICTION_VERSION);
  return fine;
}

}  // namespace stiction::cli
