// stiction check: all mistakes of a scene, without running it.
#include "commands.h"
#include "prepare.h"
#include "scene_path.h"
#include "stiction/formats/scene_file.h"

namespace stiction::cli {
namespace {

Result<SceneFile> read(const CheckOptions& options) {
  const Result<std::string> path = find_scene(options.scene);
  if (!path) return path.mistakes();
  Result<Overrides> overrides = read_overrides(options.set);
  if (!overrides) return overrides.mistakes();
  Result<SceneFile> file = read_scene_file(path.value(), overrides.value());
  if (!file) return file;
  // What only shows when the scene is put together.
  if (const Result<World> world = prepare(file.value()); !world) return world.mistakes();
  return file;
}

}  // namespace

Status check(const CheckOptions& options) {
  const Result<SceneFile> result = read(options);
  if (!result) {
    for (const Mistake& m : result.mistakes()) say("{}", m.text());
    const std::size_t count = result.mistakes().size();
    say("{} {}", count, count == 1 ? "mistake" : "mistakes");
    if (options.output.json)
      print_document({{"scene", options.scene}, {"valid", false}, {"mistakes", to_json(result.mistakes())}});
    return bad_input;
  }
  const SceneFile& file = result.value();
  if (options.output.json) {
    Json out;
    out["scene"] = file.path;
    out["valid"] = true;
    out["mistakes"] = Json::array();
    out["title"] = file.scene.title;
    out["bodies"] = file.scene.bodies.size();
    out["joints"] = file.scene.joints.size();
    out["forces"] = file.scene.forces.size();
    out["sensors"] = file.scene.sensors.size();
    print_document(out);
  } else {
    print("{}: fine; {} bodies, {} joints, {} forces, {} sensors", file.path, file.scene.bodies.size(),
          file.scene.joints.size(), file.scene.forces.size(), file.scene.sensors.size());
  }
  return fine;
}

}  // namespace stiction::cli
