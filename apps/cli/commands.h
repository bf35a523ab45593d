// The commands, and what each can be told. The words and options on the command line are declared in
// main.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "output.h"

namespace stiction::cli {

struct RunOptions {
  Output output;
  std::string scene = "first";
  std::vector<std::string> set;                                                // KEY=VALUE
  std::optional<std::string> until, step, method, solver, tolerance, threads;  // none = as the scene says
  std::string out;                                                             // folder; empty = out/<scene>
  std::string problems, problem_steps;  // folder for contact problems; which steps, empty = the last
  bool csv = false, resume = false;
};
struct CheckOptions {
  Output output;
  std::string scene;
  std::vector<std::string> set;
};
struct NewOptions {
  Output output;
  std::string name, file;  // empty file = NAME.json
};
struct ListOptions {
  Output output;
  std::string kind;  // empty = all kinds
};
struct RecordingOptions {  // of convert
  Output output;
  std::string in, out;
};
struct ReportOptions {
  Output output;
  std::vector<std::string> in;  // recordings; several are compared
  std::string out, at;          // the page; times of pictures, "0.5,1,2"
  std::string pictures;         // folder for pictures as files; empty = none
  bool png = false, forces = false;
};
struct PlotOptions {
  Output output;
  std::vector<std::string> words;  // recordings and names of curves
  std::string out;                 // empty = plot.svg beside the first recording
  bool logarithmic = false;
};
struct ViewOptions {
  Output output;
  std::string what;  // a scene or a recording; empty = the first scene of the gallery
  int port = 0;      // 0 = any free one
  bool no_browser = false;
};
struct SolveOptions {
  Output output;
  std::vector<std::string> files;  // problem files, or folders of them
  std::optional<std::string> solver, tolerance;
  std::string out;  // folder for results and profile; empty = none
};

struct ReproduceOptions {
  Output output;
  std::vector<std::string> names;  // documents or examples; none = all
  std::string out;                 // folder for figures; empty = none are written
};

struct ImpactOptions {
  Output output;
  std::string velocity;  // [m/s] n,t or n,t1,t2 before
  std::string matrix;    // W: nn,nt,tt or nn,n1,n2,11,12,22 [1/kg]; empty = of a body
  std::string mass, inertia,
      offset;                     // [kg], [kg m^2] 1 or 3, [m] from its centre to the contact: t,n or t1,t2,n
  std::string friction = "0";     // [-] kinetic, and static where it differs
  std::string restitution = "0";  // [-]
  std::string tangential;         // [-] e_t: the law for rubber; empty = another law
  std::string law = "energetic";
  std::string out;  // picture; empty = none
};

Status run(const RunOptions& options);
Status check(const CheckOptions& options);
Status create(const NewOptions& options);
Status list(const ListOptions& options);
Status report(const ReportOptions& options);
Status plot(const PlotOptions& options);
Status convert(const RecordingOptions& options);
Status view(const ViewOptions& options);
Status solve(const SolveOptions& options);
Status reproduce(const ReproduceOptions& options);
Status explore_impact(const ImpactOptions& options);
Status schema(const Output& output);
Status version(const Output& output);

}  // namespace stiction::cli
