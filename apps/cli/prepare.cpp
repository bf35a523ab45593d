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
  const std::vector<Mistake> mistakes = check_curves(world.value().model(), file.record.plot, file.path);
  if (!mistakes.empty()) return mistakes;
  return world;
}

}  // namespace stiction::cli
