// The smallest whole program: a box falls on a floor and is pushed along it.
#include <stiction/stiction.h>
using namespace stiction;
int main() {
  Scene scene{.gravity = {0, 0, -9.81}};
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}});
  const BodyId box =
      scene.add_body("box", {.shape = Box{{.2, .2, .2}}, .density = 500, .position = {0, 0, 1}});
  World world = build(scene, {.step = 0.01, .tolerance = 1e-8}).or_exit();  // lists all mistakes
  while (world.time() < 2) {
    world.input().force(box, {1, 0, 0});
    if (const StepReport r = world.step(); !r.converged) log(r.explain());
  }
  // Three corners can bear the box: how four share its load is one of many ways, and one may be open.
  for (const Contact& c : world.contacts(box)) log(c.point, c.force, c.state);
  for (const ContactPair& p : world.contact_pairs()) log(p.point, p.force);  // their sum is unique
  log(world.position(box), world.ledger().booked(Cause::friction), world.hash());
}
