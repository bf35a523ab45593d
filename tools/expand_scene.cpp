// expand_scene SCENE: prints the scene without includes, as one file: for the page, which has no folders to
// include from.
#include <cstdio>

#include "stiction/formats/scene_file.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: expand_scene SCENE\n");
    return 2;
  }
  std::puts(stiction::read_scene_file(argv[1]).or_exit().text.c_str());
  return 0;
}
