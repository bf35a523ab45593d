// hash_scenes THREADS BUDGET SCENE...: runs each scene for BUDGET / (number of bodies) steps, but 3 at least,
// and prints "name steps hash", one line each. Needs the engine and the scene reader only, so that
// tools/hash_agreement.sh can build it with every compiler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "stiction/formats/scene_file.h"
#include "stiction/world/world.h"

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: hash_scenes THREADS BUDGET SCENE...\n");
    return 2;
  }
  const int threads = std::atoi(argv[1]), budget = std::atoi(argv[2]);
  for (int i = 3; i < argc; ++i) {
    stiction::SceneFile file = stiction::read_scene_file(argv[i]).or_exit();
    file.run.threads = threads;
    stiction::World world = stiction::build(file.scene, file.run).or_exit();
    const int steps = std::max(3, budget / std::max(1, world.model().body_count()));
    int done = 0;
    for (; done < steps && world.time() < file.run.until - 0.5 * file.run.step; ++done) {
      const stiction::StepReport report = world.step();
      if (report.status == stiction::StepReport::Status::refused) {
        std::fprintf(stderr, "%s: refused: %s\n", argv[i], report.explain().c_str());
        return 1;
      }
    }
    std::printf("%s %d %s\n", std::filesystem::path(argv[i]).stem().c_str(), done,
                stiction::hex(world.hash()).c_str());
  }
}
