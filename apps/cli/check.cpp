// stiction check: all mistakes of a scene, without running it.
#include <memory>

#include "commands.h"
#include "prepare.h"
#include "scene_path.h"
#include "stiction/formats/scene_file.h"

namespace stiction::cli {
namespace {

struct Options {
  Output output;
  std::string scene;
  std::vector<std::string> set;
};

Result<SceneFile> read(const Options& options) {
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

Status check(const Options& options) {
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

}  // namespace

void add_check(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_command(app, "check", "List all mistakes of a scene, with file, line and column",
                                  "stiction check my.json", options->output);
  command->add_option("SCENE", options->scene, "Path, or name of a scene (stiction list scenes)")->required();
  command->add_option("--set", options->set, "KEY=VALUE: replace a value of the scene")
      ->expected(1)
      ->type_name("KEY=VALUE")
      ->take_all();
  command->callback([options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace stiction::cli
