// Other numbers for a world that runs: gravity, friction, masses, forces, and the settings of the run.
#include "stiction/world/detail/inside.h"

namespace stiction {

Result<bool> World::change(const Scene& scene, const RunSettings& settings) {
  Inside& w = *inside_;
  STICTION_ASSERT(!w.before_edit);
  std::vector<Mistake> mistakes = validate(settings);
  Result<Model> compiled = compile(scene, w.model.revision + 1);
  if (!compiled)
    mistakes.insert(mistakes.end(), compiled.mistakes().begin(), compiled.mistakes().end());
  else if (structure_hash(compiled.value()) != structure_hash(w.model) ||
           compiled.value().sensors.size() != w.model.sensors.size())
    mistakes.push_back(
        {{}, 0, 0, {}, "change: bodies, kinds of shape, joints and sensors must stay the same"});
  if (mistakes.empty()) mistakes = validate(scene, settings);
  if (!mistakes.empty()) return mistakes;
  const Totals before = w.totals();
  const std::vector<Vec3> start = w.model.start_position;  // potential energy counts from there
  w.model = std::move(compiled).value();
  w.model.start_position = start;
  w.take(settings);
  w.count_from_here();
  w.book_edit(before);
  w.look_at_step();
  return true;
}

}  // namespace stiction
