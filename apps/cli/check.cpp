// stiction check: all mistakes of a scene, without running it.
#include "commands.h"
#include "prepare.h"
#include "scene_path.h"
#include "stiction/formats/scene_file.h"

namespace stiction::cli {
namespace {

struct Checked {
  SceneFile file;
  std::vector<std::string> warnings;
};

Result<Checked> read(const CheckOptions& options) {
  const Result<std::string> path = find_scene(options.scene);
  if (!path) return path.mistakes();
  Result<Overrides> overrides = read_overrides(options.set);
  if (!overrides) return overrides.mistakes();
  Result<SceneFile> file = read_scene_file(path.value(), overrides.value());
  if (!file) return file.mistakes();
  // What only shows when the scene is put together.
  const Result<World> world = prepare(file.value());
  if (!world) return world.mistakes();
  return Checked{std::move(file).value(), {world.value().warnings().begin(), world.value().warnings().end()}};
}

}  // namespace

namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

Status check(const CheckOptions& options) {
  const Result<Checked> result = read(options);
  if (!result) {
    for (const Mistake& m : result.mistakes()) say("{}", m.text());
    const std::size_t count = result.mistakes().size();
    say("{} {}", count, count == 1 ? "mistake" : "mistakes");
    if (options.output.json)
      print_document({{"scene", options.scene}, {"valid", false}, {"mistakes", to_json(result.mistakes())}});
    return bad_input;
  }
  const SceneFile& file = result.value().file;
  for (const std::string& text : result.value().warnings) say("warning: {}", text);
  if (options.output.json) {
    Json out;
    out["scene"] = file.path;
    out["valid"] = true;
    out["mistakes"] = Json::array();
    out["warnings"] = result.value().warnings;
    out["title"] = file.scene.title;
    out["bodies"] = file.scene.bodies.size();
    out["joints"] = file.scene.joints.size();
    out["forces"] = file.scene.forces.size();
    out["sensors"] = file.scene.sensors.size();
    print_document(out);
  } else {
    print("{}: fine; {}, {}, {}, {}", file.path, counted(file.scene.bodies.size(), "body", "bodies"),
          counted(file.scene.joints.size(), "joint", "joints"),
          counted(file.scene.forces.size(), "force", "forces"),
          counted(file.scene.sensors.size(), "sensor", "sensors"));
  }
  return fine;
}

}  // namespace stiction::cli
