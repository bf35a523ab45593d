// A box falls on a floor: the whole of a user's first project.
#include <stiction/stiction.h>

using namespace stiction;

int main() {
  Scene scene{.gravity = {0, 0, -9.81}};
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}});
  const BodyId box =
      scene.add_body("box", {.shape = Box{{.2, .2, .2}}, .density = 500, .position = {0, 0, 1}});
  World world = build(scene, {.step = 0.01}).or_exit();
  while (world.time() < 1) world.step();
  log("rests at", world.position(box));
  return world.position(box).z > 0.0999999 && world.position(box).z < 0.1000001 ? 0 : 1;
}
