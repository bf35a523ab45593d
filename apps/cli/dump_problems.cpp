#include "dump_problems.h"

#include <algorithm>
#include <cmath>

#include "output.h"
#include "scene_path.h"
#include "stiction/base/platform/file.h"
#include "stiction/base/text.h"
#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/record/fclib.h"

namespace stiction::cli {

Result<ProblemDump> ProblemDump::prepare(const std::string& folder, const std::string& steps,
                                         const std::string& scene) {
  ProblemDump out;
  out.folder_ = folder, out.scene_ = scene;
  for (std::size_t at = 0; !steps.empty() && at <= steps.size();) {
    const std::size_t end = std::min(steps.find(',', at), steps.size());
    const std::string word = steps.substr(at, end - at);
    double step = 0;
    if (!number_from_text(word, step) || step < 1 || step != std::floor(step) || step > 1e15) {
      Mistake m;
      m.file = "--problem-steps " + steps;
      m.message =
          "found \"" + word + "\", must be numbers of steps from 1 on, with commas between them: 10,50";
      return m;
    }
    out.steps_.push_back(std::int64_t(step));
    at = end + 1;
  }
  if (folder.empty() && !steps.empty()) {
    Mistake m;
    m.file = "--problem-steps " + steps;
    m.message = "says whose problems to write, but not where: add --problems DIR";
    return m;
  }
  if (!folder.empty())
    if (const auto r = make_folders(folder); !r) return r.mistakes();
  return out;
}

Result<bool> ProblemDump::after_step(const World& world, bool is_last) {
  const std::int64_t step = world.state().step_count;
  const bool chosen =
      steps_.empty() ? is_last : std::find(steps_.begin(), steps_.end(), step) != steps_.end();
  if (folder_.empty() || !chosen) return false;
  const complementarity::FrictionProblem& problem = world.last_problem();
  std::optional<complementarity::LocalFriction> local = complementarity::local_form(problem);
  if (problem.contacts.empty()) {
    say("{}: step {} has no contacts, so there is no problem to write", scene_, step);
    return false;
  }
  if (!local) {
    say("{}: step {} has rows of joints, spin or rolling, which the format does not hold", scene_, step);
    return false;
  }
  FclibFile file;
  file.title = fmt::format("{}, step {}", scene_name(scene_), step);
  file.description =
      fmt::format("{} contacts of {} bodies, step size {} s, from {} by stiction " STICTION_VERSION,
                  problem.contacts.size(), problem.block_count(), number_text(world.state().step), scene_);
  file.math_info = "W = G A^-1 G^T, symmetric positive semidefinite";
  file.problem = std::move(*local);
  const std::string name = fmt::format("{}-{}-{}.h5", scene_name(scene_), step, problem.contacts.size());
  files_.push_back(join_path(folder_, name));
  return write_fclib(files_.back(), file);
}

}  // namespace stiction::cli
