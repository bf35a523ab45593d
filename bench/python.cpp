// 1000 bodies stepped from Python over the same loop in C++: both in this process, on worlds of the same
// scene, in turn, about a millisecond at a time. Both loops take the report of every step and look at
// `converged`. The fastest rounds count, since other programs only ever slow one down; the median of the
// ratios of the rounds is printed too. Bar: 1.05. At the end both worlds must have the same hash. Beside it
// World.run, where the loop itself is C++.
//   free   1000 bodies without shape, tumbling: about 20 us a step, so that a call may cost 1 us
//   balls  1000 balls that roll on a floor, one contact each
// The interpreter is embedded, so it is the shared library's; the module is the one that `./stiction python`
// uses.
#include <pybind11/embed.h>

#include <algorithm>
#include <cstdlib>

#include "bench.h"

namespace py = pybind11;

namespace stiction::bench {
namespace {

constexpr double bar = 1.05;

const char* const free_scene = R"({ "stiction": 1, "gravity": [0, 0, -9.81],
  "bodies": { "body": { "repeat": { "count": [10, 10, 10], "offset": [[1, 0, 0], [0, 1, 0], [0, 0, 1]] },
                        "mass": "=1+0.1*$i", "inertia": ["=0.01+0.001*$j", 0.02, 0.025] } },
  "initial": { "body.*": { "spin": [1, 0.5, -2] } },
  "run": { "step": 0.01, "until": 1e6 } })";
const char* const balls_scene = R"({ "stiction": 1, "gravity": [0, 0, -9.81],
  "bodies": { "floor": { "static": true, "shape": { "half_space": [0, 0, 1] } },
              "ball": { "repeat": { "count": [40, 25], "offset": [[1, 0, 0], [0, 1, 0]] },
                        "shape": { "sphere": 0.1 }, "mass": 1, "at": [0, 0, 0.1] } },
  "initial": { "ball.*": { "velocity": [1, 0, 0] } },
  "run": { "step": 0.01, "until": 1e6 } })";

const char* const loop_text = R"(
import stiction
def make(text):
    return stiction.build(stiction.loads(text))
def loop(world, steps):
    missed = 0
    for _ in range(steps):
        report = world.step()
        if not report.converged:
            missed += 1
    return missed
def run(world, steps):
    return world.run(until=(world.step_count + steps) * world.settings.step).unconverged
)";

int loop(World& world, int steps) {
  int missed = 0;
  for (int i = 0; i < steps; ++i) {
    const StepReport report = world.step();
    if (!report.converged) ++missed;
  }
  return missed;
}

/// `steps` in each of `rounds`.
bool measure(const char* name, const char* text, const py::dict& python, int steps, int rounds) {
  const SceneFile file = read_scene_text(text, name).or_exit();
  World here = build(file.scene, file.run).or_exit();
  const py::object there = python["make"](text), batch = python["make"](text);
  int missed = 0;
  std::vector<double> of_cpp, of_python, of_run, ratios;
  for (int i = -2; i < rounds; ++i) {  // two rounds to warm up
    double cpp = 0, loops = 0, runs = 0;
    const auto in_cpp = [&] { cpp = seconds_of([&] { missed += loop(here, steps); }); };
    const auto in_python = [&] {
      loops = seconds_of([&] { missed += python["loop"](there, steps).cast<int>(); });
    };
    const auto in_run = [&] {
      runs = seconds_of([&] { missed += python["run"](batch, steps).cast<int>(); });
    };
    switch (i % 3) {  // whoever comes first finds other caches
      case 0:
        in_cpp(), in_python(), in_run();
        break;
      case 1:
        in_python(), in_run(), in_cpp();
        break;
      default:
        in_run(), in_cpp(), in_python();
    }
    if (i < 0) continue;
    of_cpp.push_back(cpp), of_python.push_back(loops), of_run.push_back(runs), ratios.push_back(loops / cpp);
  }
  const std::string hash = hex(here.hash());
  const bool same =
      hash == there.attr("hash")().cast<std::string>() && hash == batch.attr("hash")().cast<std::string>();
  const auto fastest = [](const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); };
  const double ratio = fastest(of_python) / fastest(of_cpp);
  const bool pass = ratio <= bar && same && missed == 0;
  Line line(name);
  line.whole("bodies", 1000).number("ratio", ratio).number("bar", bar).number("median_ratio", median(ratios));
  line.number("run_ratio", fastest(of_run) / fastest(of_cpp));
  line.number("us_per_step", 1e6 * fastest(of_cpp) / steps).whole("unconverged_steps", missed);
  line.flag("same_hash", same).hash(here.hash()).flag("pass", pass).print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  using namespace stiction::bench;
  setenv("PYTHONPATH", STICTION_PYTHONPATH, 1);
  const py::scoped_interpreter interpreter;
  const int rounds = has_word(argc, argv, "--quick") ? 200 : 1500;
  bool pass = false;
  try {
    py::dict python = py::module_::import("__main__").attr("__dict__");
    py::exec(loop_text, python);
    pass = measure("python/free", free_scene, python, 50, rounds);
    pass = measure("python/balls", balls_scene, python, 1, rounds) && pass;
  } catch (const py::error_already_set& trouble) {
    std::fprintf(stderr, "%s\n", trouble.what());
    return 3;
  }
  return pass ? 0 : 1;
}
