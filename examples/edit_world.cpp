// Changing a running world: add and remove bodies, listen to contacts, watch a region, move a body by hand,
// and draw between two steps. Every joule that an edit brings or takes stands in the ledger under `edit`.
#include <stiction/stiction.h>

#include <cmath>
#include <cstdlib>

using namespace stiction;

namespace {

// The example doubles as a test: what it shows must be true.
void expect(bool holds, const char* what) {
  if (holds) return;
  log("this should hold:", what);
  std::exit(1);
}

void run_until(World& world, double time) {
  while (world.time() < time - 1e-9) {
    if (const StepReport r = world.step(); !r.converged) log(r.explain());
    for (const ContactEvent& e : world.contact_events())
      log(world.time(), e.kind == ContactEvent::Kind::begin ? "touch:" : "part: ", world.name_of(e.a),
          world.name_of(e.b));
    for (const SensorEvent& e : world.sensor_events())
      log(world.time(), e.kind == SensorEvent::Kind::enter ? "enters the gate:" : "leaves the gate:",
          world.name_of(e.body));
  }
}

}  // namespace

int main() {
  Scene scene{.gravity = {0, 0, -9.81}};
  scene.add_surface("wood", {.friction = 0.4});
  scene.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}}, .surface = "wood"});
  const BodyId box = scene.add_body(
      "box", {.shape = Box{{.2, .2, .2}}, .density = 500, .position = {0, 0, .5}, .surface = "wood"});
  const SensorId gate = scene.add_sensor("gate", {.shape = Box{{.4, .4, .4}}, .position = {2, 0, .2}});
  World world = build(scene, {.step = 0.01}).or_exit();

  // The box falls 0.4 m and touches the floor.
  run_until(world, 1);
  expect(std::fabs(world.position(box).z - 0.1) < 1e-6, "the box rests on the floor");
  expect(!world.contacts(box).empty(), "the box has contacts");

  // A ball is added above it, and lands on it.
  const BodyDescription ball_description{
      .shape = Sphere{0.05}, .density = 1000, .position = {0, 0, .5}, .surface = "wood"};
  const BodyId ball = world.add_body("ball", ball_description).or_exit();
  run_until(world, 2);
  expect(std::fabs(world.position(ball).z - 0.25) < 1e-6, "the ball lies on the box");

  // The same name twice is a mistake, and the answer says so.
  const Result<BodyId> twice = world.add_body("ball", ball_description);
  expect(!twice, "a second body of that name is refused");
  log("refused:", twice.mistakes().front().text());

  // The box is moved into the gate's region; the sensor notices. Removing the ball makes its id stale.
  world.teleport(box, {2, 0, .1}, {}).or_exit();
  world.remove_body(ball).or_exit();
  expect(!world.is_alive(ball), "the ball is gone");
  run_until(world, 2.5);
  expect(world.overlaps(gate).size() == 1 && world.overlaps(gate).front() == box, "the box is in the gate");

  // For drawing at 60 frames per second: poses between the last two states.
  const BodyPose before = world.interpolated(box, 0), half = world.interpolated(box, 0.5),
                 now = world.interpolated(box, 1);
  expect(now.position == world.position(box), "alpha = 1 is the present state");
  log("half a step ago:", half.position, "between", before.position, "and", now.position);

  log("booked under edit [J]:", world.ledger().booked(Cause::edit));
  expect(world.ledger().relative_imbalance() < 1e-12, "the books close");
  log("hash", world.hash());
}
