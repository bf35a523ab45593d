#include "prepare.h"

#include "output.h"
#include "stiction/record/recording.h"

namespace stiction::cli {

void warn(const World& world) {
  for (const std::string& text : world.warnings()) say("warning: {}", text);
}

Result<World> prepare(const SceneFile& file) {
  Result<World> world = build(file.scene, file.run);
  if (!world) {
    std::vector<Mistake> mistakes = world.mistakes();
    for (Mistake& m : mistakes)
      if (m.file.empty()) m.file = file.path;
    return mistakes;
  }
  // A curve that does not exist would otherwise show only in the report, after the whole run.
  Recording empty;
  empty.path = file.path;
  empty.revisions.push_back(describe(world.value().model(), 0, {}));
  std::vector<Mistake> mistakes;
  for (const std::string& curve : file.record.plot)
    if (const auto found = trajectories(empty, curve); !found)
      for (Mistake m : found.mistakes()) {
        m.file = file.path;
        mistakes.push_back(std::move(m));
      }
  if (!mistakes.empty()) return mistakes;
  return world;
}

}  // namespace stiction::cli
