// Descriptions, Scene and scene files. Names and defaults are those of stiction/model/scene.h.
#include <optional>

#include "parts.h"
#include "stiction/base/text.h"
#include "stiction/formats/scene_file.h"

namespace stiction::python {
namespace {

const std::vector<Field<BodyDescription>>& body_fields() {
  using B = BodyDescription;
  static const std::vector<Field<B>> fields = {
      field("kind", &B::kind, "stiction.dynamic, stiction.fixed or stiction.kinematic"),
      field("shape", &B::shape,
            "what it touches with and, by its volume, its mass; None: it touches nothing"),
      field("density", &B::density, "[kg/m^3] uniform; give this or `mass`"),
      field("mass", &B::mass, "[kg]"),
      field("position", &B::position, "[m] of the centre of mass"),
      field("orientation", &B::orientation, "[w, x, y, z], body to world"),
      field("velocity", &B::velocity, "[m/s]"),
      field("spin", &B::spin, "[rad/s] angular velocity in world axes"),
      field("surface", &B::surface, "name of its surface; empty: its partner's"),
      field("inertia", &B::inertia, "[kg m^2] diagonal, body axes; None: from the shape"),
      field("particle", &B::particle, "a point mass that does not turn"),
      field("collides", &B::collides, "False: the shape gives mass and picture only"),
      field("group", &B::group, "Bodies of one group never touch each other; empty: in none"),
      field("motion", &B::motion, "table of positions over time, of a kinematic body"),
  };
  return fields;
}

void bind_bodies(py::module_& m) {
  py::enum_<BodyKind>(m, "BodyKind", R"(How a body moves.

>>> stiction.BodyKind.fixed == stiction.fixed
True)")
      .value("dynamic", dynamic, "moved by forces and contacts")
      .value("fixed", fixed, "never moves (\"static\" in scene files)")
      .value("kinematic", kinematic, "moves as its motion table says")
      .export_values();
  bind_description<Motion>(m, "Motion",
                           {field("time", &Motion::time, "[s] increasing"),
                            field("position", &Motion::position, "[m] one row per time"),
                            field("orientation", &Motion::orientation, "one row per time, or empty")},
                           R"(Prescribed motion: linear between the rows.

>>> stiction.Motion(time=[0, 1], position=[[0, 0, 0], [1, 0, 0]]).time
[0.0, 1.0])");
  bind_description<BodyDescription>(m, "BodyDescription", body_fields(), R"(What a body is like.

Scene.add_body and World.add_body take one of these, or its fields by name.

>>> stiction.BodyDescription(shape=stiction.Sphere(0.1), density=7800).density
7800.0)");
}

void bind_joint_laws(py::module_& m) {
  using L = JointLimits;
  bind_description<L>(
      m, "JointLimits",
      {field("lower", &L::lower, "[m, rad] one number for all coordinates, or one each"),
       field("upper", &L::upper, "[m, rad] likewise"), field("restitution", &L::restitution, "[-] 0..1"),
       field("swing", &L::swing, "[rad] of constraints of kind ball; 0: none")},
      R"(How far a joint may go.

>>> stiction.JointLimits(lower=[-1], upper=[1]).upper
[1.0])");
  using D = JointMotor;
  bind_description<D>(
      m, "JointMotor",
      {field("force", &D::force, "[N, N m] the largest"),
       field("speed", &D::speed, "[m/s, rad/s] to reach and keep, or the fastest to `position`"),
       field("position", &D::position, "[m, rad] to reach and keep")},
      R"(What drives a joint.

>>> stiction.JointMotor(force=[5], speed=[2]).force
[5.0])");
}

void bind_joints(py::module_& m) {
  using tree::JointKind;
  py::enum_<JointKind> kinds(m, "JointKind", R"(How a body may move against what it hangs on.

>>> stiction.JointKind.revolute.name
'revolute')");
  for (int i = 0; i < tree::joint_kind_count; ++i) kinds.value(tree::name_of(JointKind(i)), JointKind(i));
  using C = CoordinateJoint;
  bind_description<C>(
      m, "CoordinateJoint",
      {field("kind", &C::kind, "a JointKind other than free"),
       field("body", &C::body, "body that hangs on it"),
       field("parent", &C::parent, "what it hangs on; empty, or a static body: the world"),
       field("at", &C::at, "[m] a point of the joint, world coordinates; None: the body's position"),
       field("axis", &C::axis, "[-] world axes, of any length"),
       field("second_axis", &C::second_axis, "[-] of universal and planar joints"),
       field("pitch", &C::pitch, "[m/rad] of screws"),
       field("position", &C::position, "[m, rad] where it starts; empty: 0"),
       field("velocity", &C::velocity, "[m/s, rad/s] how fast it starts"),
       field("stiffness", &C::stiffness, "[N/m, N m/rad] one number, or one for each velocity"),
       field("rest", &C::rest, "[m, rad] as position"),
       field("damping", &C::damping, "[N s/m, N m s/rad] as stiffness"),
       field("time", &C::time, "[s] of the rows of `force`; empty: constant"),
       field("force", &C::force, "[N, N m] rows of one number for each velocity"),
       field("limits", &C::limits, "JointLimits"), field("motor", &C::motor, "JointMotor"),
       field("friction", &C::friction, "[N, N m] dry; one number for all coordinates, or one each")},
      R"(A joint as coordinates: joined bodies are a tree. Place and axes are in world coordinates, with all
bodies where their descriptions put them; there the joint's coordinates are 0.

>>> stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", at=[0, 0, 1], axis=[0, 1, 0]).body
'rod')");
}

void bind_constraints(py::module_& m) {
  using constraints::Kind;
  py::enum_<Kind> kinds(m, "ConstraintKind", R"(What a joint that forces hold lets two bodies do.

>>> stiction.ConstraintKind.hinge.name
'hinge')");
  for (int i = 0; i < constraints::kind_count; ++i) kinds.value(constraints::name_of(Kind(i)), Kind(i));
  using constraints::CurveKind;
  py::enum_<CurveKind>(m, "CurveKind", R"(What goes through the points of a curve.

>>> stiction.CurveKind.spline.name
'spline')")
      .value("polyline", CurveKind::polyline)
      .value("spline", CurveKind::spline);
  using C = ConstraintJoint;
  bind_description<C>(
      m, "ConstraintJoint",
      {field("kind", &C::kind, "a ConstraintKind"),
       field("body", &C::body, "one of the bodies"),
       field("parent", &C::parent, "the other; empty: the world"),
       field("at", &C::at, "[m] a point of the joint, world coordinates; None: the body's position"),
       field("parent_at", &C::parent_at, "[m] the point on the parent's side; None: `at`"),
       field("axis", &C::axis, "[-] world axes, of any length"),
       field("second_axis", &C::second_axis, "[-] at right angles to `axis`; 0: any"),
       field("pitch", &C::pitch, "[m/rad] of screws"),
       field("length", &C::length, "[m] of distances; 0: as far as the points are apart"),
       field("points", &C::points, "[m] of point_on_curve: the curve goes through them, world coordinates"),
       field("curve", &C::curve, "a CurveKind"),
       field("closed", &C::closed, "whether the last point is joined to the first"),
       field("limits", &C::limits, "JointLimits"),
       field("motor", &C::motor, "JointMotor"),
       field("friction", &C::friction, "[N, N m] dry; one number for all coordinates, or one each"),
       field("compliance", &C::compliance, "[m/N] of rows that are lengths; 0: rigid"),
       field("angular_compliance", &C::angular_compliance, "[rad/(N m)] of rows that are angles"),
       field("damping_time", &C::damping_time, "[s] of rows with a compliance"),
       field("stiffness", &C::stiffness, "[N/m, N m/rad] of springs on free coordinates: one, or one each"),
       field("rest", &C::rest, "[m, rad] of the springs, one for each coordinate"),
       field("damping", &C::damping, "[N s/m, N m s/rad] of dampers on free coordinates: one, or one each"),
       field("break_force", &C::break_force, "[N] more, on average over a step, breaks it; 0: never"),
       field("break_torque", &C::break_torque, "[N m] likewise")},
      R"(A joint as a constraint: both bodies keep all their velocities, and forces hold them together. Any number
may act on a body, and they may close loops.

>>> stiction.ConstraintJoint(stiction.ConstraintKind.hinge, "door", at=[0, 0, 1]).body
'door')");
}

const std::vector<Field<SurfaceDescription>>& surface_fields() {
  using S = SurfaceDescription;
  static const std::vector<Field<S>> fields{
      field("friction", &S::friction, "[-] Coulomb's coefficient at rest; >= 0"),
      field("kinetic_friction", &S::kinetic_friction, "[-] in sliding, at most `friction`; None: the same"),
      field("stribeck_speed", &S::stribeck_speed, "[m/s] slip over which the one goes over into the other"),
      field("viscous_friction", &S::viscous_friction, "[s/m] what the coefficient grows by with the slip"),
      field("grain", &S::grain, "[-] body axes: a direction with a coefficient of its own"),
      field("friction_along", &S::friction_along, "[-] that coefficient, at rest"),
      field("spin_length", &S::spin_length, "[m] lever of friction against spin"),
      field("rolling_length", &S::rolling_length, "[m] lever of the load against rolling"),
      field("surface_velocity", &S::surface_velocity, "[m/s] body axes: how it moves over its body"),
      field("stiffness", &S::stiffness, "[N/m] of a contact point; 0: rigid"),
      field("young", &S::young, "[Pa] Young's modulus, for Hertz's law; 0: rigid"),
      field("poisson", &S::poisson, "[-] Poisson's ratio beside it"),
      field("damping_time", &S::damping_time, "[s] over which what gives way resists its motion"),
      field("restitution", &S::restitution, "[-] 0 to 1: how much of an impact comes back"),
      field("impact_law", &S::impact_law, "an ImpactLaw: of impacts at several contacts at once"),
      field("tangential_restitution", &S::tangential_restitution,
            "[-] -1 to 1, of the law superball: slip thrown back; None: 1"),
  };
  return fields;
}

const std::vector<Field<SurfacePairDescription>>& surface_pair_fields() {
  using P = SurfacePairDescription;
  static const std::vector<Field<P>> fields{
      field("a", &P::a, "name of a surface"),
      field("b", &P::b, "name of the other"),
      field("friction", &P::friction, "[-] >= 0"),
      field("kinetic_friction", &P::kinetic_friction, "[-] None: `friction`"),
      field("stribeck_speed", &P::stribeck_speed, "[m/s] None: the rule's, as below"),
      field("viscous_friction", &P::viscous_friction, "[s/m]"),
      field("friction_along", &P::friction_along, "[-] along the grain of one of them"),
      field("spin_length", &P::spin_length, "[m]"),
      field("rolling_length", &P::rolling_length, "[m]"),
      field("stiffness", &P::stiffness, "[N/m] of the two together"),
      field("damping_time", &P::damping_time, "[s]"),
      field("restitution", &P::restitution, "[-]"),
      field("impact_law", &P::impact_law, "an ImpactLaw"),
      field("tangential_restitution", &P::tangential_restitution, "[-]"),
  };
  return fields;
}

void bind_surfaces_joints_forces(py::module_& m) {
  py::enum_<ImpactLaw>(m, "ImpactLaw", R"(How impacts at several contacts at once come out.

>>> stiction.ImpactLaw.sequential.name
'sequential')")
      .value("newton", ImpactLaw::newton)
      .value("poisson", ImpactLaw::poisson)
      .value("sequential", ImpactLaw::sequential)
      .value("superball", ImpactLaw::superball);
  bind_description<SurfaceDescription>(m, "SurfaceDescription", surface_fields(),
                                       R"(What a surface is like.

>>> stiction.SurfaceDescription(friction=0.3)
SurfaceDescription(friction=0.3))");
  bind_description<SurfacePairDescription>(m, "SurfacePairDescription", surface_pair_fields(),
                                           R"(Replaces the combination rule for one pair of surfaces.

>>> stiction.SurfacePairDescription("ice", "steel", 0.02).b
'steel')");
  bind_description<PlanarJoint>(
      m, "PlanarJoint",
      {field("body", &PlanarJoint::body, "name of the body"),
       field("normal", &PlanarJoint::normal, "[-] of the plane, world axes, of any length")},
      R"(Keeps a body in the plane through its first position: two translations, one rotation.

>>> stiction.PlanarJoint("rod", normal=[0, 1, 0]).body
'rod')");
  bind_joint_laws(m);
  bind_joints(m);
  bind_constraints(m);
  bind_couplings(m);
  using S = SpringDamper;
  bind_description<S>(
      m, "SpringDamper",
      {field("a", &S::a, "body; empty: the world"), field("b", &S::b, "body"),
       field("point_a", &S::point_a, "[m] in body coordinates, or the world's"),
       field("point_b", &S::point_b, "[m] in body coordinates"),
       field("stiffness", &S::stiffness, "[N/m] >= 0"), field("damping", &S::damping, "[N s/m] >= 0"),
       field("rest_length", &S::rest_length, "[m] >= 0")},
      R"(Force k (l - l0) + c dl/dt along the line between two points.

>>> stiction.SpringDamper(b="box", point_a=[0, 0, 2], stiffness=100).stiffness
100.0)");
  bind_description<Drag>(
      m, "Drag",
      {field("body", &Drag::body, "empty: every dynamic body"),
       field("linear", &Drag::linear, "[N s/m] >= 0"),
       field("quadratic", &Drag::quadratic, "[N s^2/m^2] >= 0"),
       field("angular", &Drag::angular, "[N m s] >= 0"),
       field("coefficient", &Drag::coefficient, "[N (s/m)^exponent] >= 0"),
       field("exponent", &Drag::exponent, "[-] > 0")},
      R"(Force -(c1 + c2 |v| + k |v|^(exponent - 1)) v at the centre of mass and torque -ca w.

>>> stiction.Drag(linear=0.1)
Drag(linear=0.1))");
  using T = TorsionSpring;
  bind_description<T>(
      m, "TorsionSpring",
      {field("a", &T::a, "body; empty: the world"), field("b", &T::b, "body"),
       field("axis", &T::axis, "[-] in coordinates of body a, or of the world, of any length"),
       field("stiffness", &T::stiffness, "[N m/rad] >= 0"), field("damping", &T::damping, "[N m s/rad] >= 0"),
       field("rest_angle", &T::rest_angle, "[rad] in [-pi, pi]")},
      R"(Torque against the twist of b relative to a about an axis.

>>> stiction.TorsionSpring(b="disc", stiffness=2).stiffness
2.0)");
  bind_description<Magnus>(m, "Magnus",
                           {field("body", &Magnus::body, "empty: every dynamic body that turns"),
                            field("coefficient", &Magnus::coefficient, "[kg] of either sign")},
                           R"(Force k w x v on a spinning body.

>>> stiction.Magnus("ball", coefficient=1e-4).body
'ball')");
  bind_description<Gravitation>(
      m, "Gravitation",
      {field("constant", &Gravitation::constant, "[m^3/(kg s^2)] > 0"),
       field("bodies", &Gravitation::bodies, "names, or \"star.*\"; empty: every body with mass")},
      R"(Newton's attraction between all pairs.

>>> stiction.Gravitation(constant=1).constant
1.0)");
  bind_description<LennardJones>(
      m, "LennardJones",
      {field("depth", &LennardJones::depth, "[J] > 0"), field("diameter", &LennardJones::diameter, "[m] > 0"),
       field("cutoff", &LennardJones::cutoff, "[m] > diameter; 0: none"),
       field("bodies", &LennardJones::bodies, "as in Gravitation")},
      R"(Atoms that attract and, close by, repel each other.

>>> stiction.LennardJones(depth=1, diameter=0.3).diameter
0.3)");
  using W = Wrench;
  bind_description<W>(m, "Wrench",
                      {field("body", &W::body, "name of the body"),
                       field("time", &W::time, "[s] increasing; empty: constant"),
                       field("force", &W::force, "[N] a list of one row, or of one per time"),
                       field("torque", &W::torque, "[N m] the same"),
                       field("body_frame", &W::body_frame, "True: axes that turn with the body"),
                       field("point", &W::point, "[m] where the force acts, body coordinates")},
                      R"(Force and torque on one body: constant, or a table that is linear between its rows.

>>> stiction.Wrench("box", force=[[1, 0, 0]]).force
[(1.0, 0.0, 0.0)])");
  using Region = SensorDescription;
  bind_description<Region>(
      m, "SensorDescription",
      {field("shape", &Region::shape, "the region"), field("position", &Region::position, "[m]"),
       field("orientation", &Region::orientation, "[w, x, y, z]")},
      R"(A region that reports which bodies overlap it and pushes nothing.

>>> stiction.SensorDescription(stiction.Sphere(1)).position
(0.0, 0.0, 0.0))");
}

/// name -> a copy of each description
template <class T>
py::dict by_name(const std::vector<Named<T>>& list) {
  py::dict out;
  for (const Named<T>& x : list) out[py::str(x.name)] = py::cast(x.value);
  return out;
}

void bind_scene_class(py::module_& m) {
  py::class_<Scene>(m, "Scene", R"(The plain description of everything physical. Units SI.

>>> scene = stiction.Scene(gravity=[0, 0, -9.81])
>>> floor = scene.add_body("floor", kind=stiction.fixed, shape=stiction.HalfSpace([0, 0, 1]))
>>> ball = scene.add_body("ball", shape=stiction.Sphere(0.1), density=500, position=[0, 0, 1])
>>> list(scene.bodies)
['floor', 'ball'])")
      .def(py::init([](const Vec3& gravity, const std::string& title) {
             Scene scene;
             scene.gravity = gravity, scene.title = title;
             return scene;
           }),
           py::arg("gravity") = Vec3{}, py::arg("title") = "")
      .def_readwrite("gravity", &Scene::gravity, "[m/s^2]")
      .def_readwrite("title", &Scene::title, "One line for reports.")
      .def_property_readonly(
          "bodies", [](const Scene& s) { return by_name(s.bodies); },
          "Name to description. Copies: changing one changes no scene.")
      .def_property_readonly(
          "surfaces", [](const Scene& s) { return by_name(s.surfaces); }, "The same, of surfaces.")
      .def_property_readonly(
          "surface_pairs", [](const Scene& s) { return s.surface_pairs; },
          "Exceptions from the combination rule; copies.")
      .def_property_readonly(
          "joints", [](const Scene& s) { return by_name(s.joints); }, "The same, of joints.")
      .def_property_readonly(
          "forces", [](const Scene& s) { return by_name(s.forces); }, "The same, of forces.")
      .def_property_readonly(
          "sensors", [](const Scene& s) { return by_name(s.sensors); }, "The same, of sensors.")
      .def(
          "add_body",
          [](Scene& s, const std::string& name, const py::object& description, const py::kwargs& fields) {
            return s.add_body(name, body_from(name, description, fields));
          },
          py::arg("name"), py::arg("description") = py::none(),
          R"(Adds a body: a BodyDescription, or its fields by name. Its id, the same in the world built from it.

>>> scene.add_body("pebble", shape=stiction.Sphere(0.01), mass=0.01).index == len(scene.bodies) - 1
True)")
      .def(
          "add_surface",
          [](Scene& s, const std::string& name, const py::args& values, const py::kwargs& fields) {
            SurfaceDescription surface;
            fill(surface, surface_fields(), "surfaces." + name, values, fields);
            s.add_surface(name, surface);
          },
          py::arg("name"), R"(Adds a surface: the fields of a SurfaceDescription.

>>> scene.add_surface("ice", friction=0.02)
>>> scene.add_surface("belt", friction=0.5, kinetic_friction=0.4, surface_velocity=[1, 0, 0]))")
      .def(
          "add_surface_pair",
          [](Scene& s, const std::string& a, const std::string& b, double friction,
             const py::kwargs& fields) {
            SurfacePairDescription pair{.a = a, .b = b, .friction = friction};
            fill(pair, surface_pair_fields(), "surface_pairs." + std::to_string(s.surface_pairs.size()),
                 py::args(), fields);
            s.surface_pairs.push_back(pair);
          },
          py::arg("a"), py::arg("b"), py::arg("friction"),
          R"(Friction between two surfaces, in place of the rule: the fields of a SurfacePairDescription.

>>> scene.add_surface("glass")
>>> scene.add_surface_pair("glass", "glass", friction=0.9))")
      .def(
          "add_joint",
          [](Scene& s, const std::string& name, const JointDescription& joint) { s.add_joint(name, joint); },
          py::arg("name"), py::arg("joint"), R"(Adds a joint.

>>> scene.add_joint("flat", stiction.PlanarJoint("box")))")
      .def(
          "add_force",
          [](Scene& s, const std::string& name, const ForceDescription& force) { s.add_force(name, force); },
          py::arg("name"), py::arg("force"), R"(Adds a force.

>>> scene.add_force("air", stiction.Drag(linear=0.1)))")
      .def(
          "add_sensor",
          [](Scene& s, const std::string& name, const Shape& shape, const Vec3& position,
             const Quat& orientation) {
            return s.add_sensor(name, {shape, position, orientation});
          },
          py::arg("name"), py::arg("shape"), py::arg("position") = Vec3{}, py::arg("orientation") = Quat{},
          R"(Adds a sensor.

>>> gate = scene.add_sensor("gate", stiction.Box([1, 1, 1]), position=[2, 0, 0]))")
      .def("__repr__", [](const Scene& s) {
        const auto counted = [](std::size_t n, const char* one, const char* many) {
          return std::to_string(n) + " " + (n == 1 ? one : many);
        };
        return "<Scene of " + counted(s.bodies.size(), "body", "bodies") + ", " +
               counted(s.joints.size(), "joint", "joints") + ", " +
               counted(s.forces.size(), "force", "forces") + ">";
      });
}

const std::vector<Field<RunSettings>>& run_fields() {
  using R = RunSettings;
  static const std::vector<Field<R>> fields = {
      field("step", &R::step, "[s] > 0"),
      field("tolerance", &R::tolerance, "[-] 1e-14 to 0.01"),
      field("until", &R::until, "[s] end of a run"),
      field("threads", &R::threads, "[-] changes no bit of the result"),
      field("solver", &R::solver, "a SolverChoice, or its word"),
      field("method", &R::method, "a Method, or its word: the stepper"),
      field("stabilisation", &R::stabilisation,
            "a Stabilisation, or its word: joints under cline_pai; post or none: overlap under "
            "stewart_trinkle, anitescu_potra, moreau_jean"),
      field("baumgarte", &R::baumgarte, "[1/s] the constant of baumgarte"),
      field("directions", &R::directions,
            "[-] even: corners of the cones of stewart_trinkle, anitescu_potra"),
      field("sleep", &R::sleep, "coulomb: bodies that rest are left alone until something comes near"),
      field("nonlinear", &R::nonlinear, "stewart_trinkle, anitescu_potra: geometry of the end of the step"),
      field("activation", &R::activation, "an Activation, or its word: contacts of anitescu_potra"),
      field("theta", &R::theta, "[-] 0.5 to 1: moreau_jean"),
  };
  return fields;
}

void bind_choices(py::module_& m) {
  bind_choice<Method>(m, "Method", R"(The stepper; docs/methods.md says what each can do. A text, too.

>>> stiction.RunSettings(method=stiction.Method.rk4) == stiction.RunSettings(method="rk4")
True
>>> stiction.RunSettings().method == "coulomb", str(stiction.Method.rk4)
(True, 'rk4'))");
  bind_choice<SolverChoice>(m, "SolverChoice", R"(Which solver of contacts is asked for. A text, too.

>>> world.settings.solver is stiction.SolverChoice.auto
True)");
  bind_choice<Stabilisation>(
      m, "Stabilisation",
      R"(How joints or overlap are kept from growing, by methods that have a choice. A text, too.

>>> [word.value for word in stiction.Stabilisation]
['post', 'baumgarte', 'none', 'anitescu_hart'])");
  bind_choice<Activation>(m, "Activation", R"(Which contacts are in a step of anitescu_potra. A text, too.

>>> stiction.RunSettings().activation.value
'checked')");
}

void bind_files(py::module_& m) {
  bind_choices(m);
  bind_description<RunSettings>(m, "RunSettings", run_fields(),
                                R"(How a run is made; no part of the physics.

>>> stiction.RunSettings().step
0.01)");
  py::class_<SceneFile>(m, "SceneFile",
                        R"(A scene file, read: the scene, and how it asks to be run and recorded.

>>> file = stiction.load("my.json")
>>> file.run.until, sorted(file.scene.bodies)
(2.0, ['box', 'slope']))")
      .def_readonly("path", &SceneFile::path, "As it was named.")
      .def_readonly("text", &SceneFile::text,
                    "The expanded scene as plain JSON, includes and constants resolved.")
      .def_property_readonly(
          "scene", [](const SceneFile& f) { return f.scene; },
          "The physics; a copy, to be changed and built.")
      .def_property_readonly(
          "run", [](const SceneFile& f) { return f.run; }, "Step, tolerance, end; a copy.")
      .def_property_readonly(
          "every", [](const SceneFile& f) { return f.record.every; },
          "[s] between recorded frames; 0: every step.")
      .def_property_readonly(
          "parts", [](const SceneFile& f) { return f.record.parts; },
          "Whether parts of steps are recorded, too.")
      .def_property_readonly(
          "plot", [](const SceneFile& f) { return f.record.plot; }, "The curves it asks for.")
      .def("__repr__", [](const SceneFile& f) { return "<SceneFile " + f.path + ">"; });
  m.def("_read_file", [](const std::string& path, const Overrides& set) {
    return value_or_raise(read_scene_file(path, set));
  });
  m.def("_read_text", [](const std::string& text, const std::string& name, const Overrides& set) {
    return value_or_raise(read_scene_text(text, name, set));
  });
}

}  // namespace

void fill_settings(RunSettings& settings, const py::kwargs& fields) {
  fill(settings, run_fields(), "run", py::args(), fields);
}

BodyDescription body_from(const std::string& name, const py::object& description, const py::kwargs& fields) {
  BodyDescription out;
  if (!description.is_none()) {
    if (!py::isinstance<BodyDescription>(description))
      throw MistakeError(
          {Mistake{{},
                   0,
                   0,
                   "bodies." + name,
                   "found " + shown(description) + ", must be a BodyDescription, or fields by name"}});
    out = description.cast<BodyDescription>();
  }
  fill(out, body_fields(), "bodies." + name, py::args(), fields);
  return out;
}

void bind_scene(py::module_& m) {
  bind_shapes(m);
  bind_bodies(m);
  bind_surfaces_joints_forces(m);
  bind_files(m);
  bind_scene_class(m);
}

}  // namespace stiction::python
