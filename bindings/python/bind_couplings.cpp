// Gears, and joints that bind velocities. Names and defaults are those of stiction/model/scene.h.
#include "parts.h"

namespace stiction::python {
namespace {

void bind_rolling(py::module_& m) {
  using R = RollingJoint;
  py::enum_<R::Kind>(m, "RollingKind", R"(What rolls.

>>> stiction.RollingKind.ball.name
'ball')")
      .value("ball", R::Kind::ball)
      .value("disc", R::Kind::disc);
  bind_description<R>(
      m, "RollingJoint",
      {field("kind", &R::kind, "a RollingKind"), field("body", &R::body, "what rolls"),
       field("parent", &R::parent, "what the plane is fixed in; empty: the world"),
       field("radius", &R::radius, "[m] > 0"),
       field("normal", &R::normal, "[-] of the plane, towards the body; of any length"),
       field("at", &R::at, "[m] the centre, world coordinates; None: the body's position"),
       field("axis", &R::axis, "[-] disc: across it, not along the normal")},
      R"(A ball, or a thin disc on its rim, that rolls on a plane and neither slips nor leaves it.

>>> stiction.RollingJoint(stiction.RollingKind.ball, "marble", radius=0.01).radius
0.01)");
}

void bind_velocity_rows(py::module_& m) {
  using K = KnifeEdgeJoint;
  bind_description<K>(
      m, "KnifeEdgeJoint",
      {field("body", &K::body, "the body with the blade"),
       field("parent", &K::parent, "against what it does not move; empty: the world"),
       field("at", &K::at, "[m] the point, world coordinates; None: the body's position"),
       field("across", &K::across, "[-] across the blade, world axes, of any length; turns with the body")},
      R"(A blade: a point of a body does not move across it.

>>> stiction.KnifeEdgeJoint("skate", across=[0, 1, 0]).body
'skate')");
  using P = PfaffianJoint;
  using Axes = constraints::Pfaffian::Axes;
  py::enum_<Axes>(m, "PfaffianAxes", R"(What the coefficients of a PfaffianJoint turn with.

>>> stiction.PfaffianAxes.body.name
'body')")
      .value("world", Axes::world)
      .value("parent", Axes::a)
      .value("body", Axes::b);
  bind_description<P>(
      m, "PfaffianJoint",
      {field("body", &P::body, "one of the bodies"),
       field("parent", &P::parent, "the other; empty: the world"),
       field("linear", &P::linear, "[-] what multiplies the velocity of the body"),
       field("angular", &P::angular, "[m] what multiplies its spin"),
       field("parent_linear", &P::parent_linear, "[-] the same for the parent"),
       field("parent_angular", &P::parent_angular, "[m] the same for the parent"),
       field("axes", &P::axes, "a PfaffianAxes: what these vectors, given in world axes, turn with"),
       field("drift", &P::drift, "[m/s]")},
      R"(An equation between velocities: linear.v + angular.w + parent_linear.v' + parent_angular.w' + drift = 0.

>>> stiction.PfaffianJoint("wheel", linear=[1, 0, 0], angular=[0, -0.1, 0]).drift
0.0)");
}

}  // namespace

void bind_couplings(py::module_& m) {
  using G = GearJoint;
  bind_description<G>(
      m, "GearJoint",
      {field("first", &G::first, "name of a joint with coordinates"),
       field("second", &G::second, "name of another"),
       field("first_coordinate", &G::first_coordinate, "which of its coordinates"),
       field("second_coordinate", &G::second_coordinate, "which of its coordinates"),
       field("ratio", &G::ratio, "[-] of radii, second over first; [m/rad] minus the radius of a pinion")},
      R"(Gear, belt or rack: the first coordinate plus `ratio` times the second stays what it is at the start.

>>> stiction.GearJoint("left_axle", "right_axle", ratio=2).ratio
2.0)");
  bind_rolling(m);
  bind_velocity_rows(m);
}

}  // namespace stiction::python
