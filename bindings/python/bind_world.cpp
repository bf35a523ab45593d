// World: stepping, reading, editing, saving. The work is in world.cpp.
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>

#include "dtypes.h"
#include "handles.h"
#include "parts.h"
#include "stiction/record/recording.h"
#include "world.h"

namespace stiction::python {
namespace {

using WorldClass = py::class_<PyWorld, std::shared_ptr<PyWorld>>;

/// The file as it would be with these settings: what recordings keep, so that the command can go on with
/// them.
SceneFile with_settings(const SceneFile& file, const RunSettings& now) {
  const RunSettings& old = file.run;
  Overrides set;
  const auto number = [&](const char* key, double was, double is) {
    if (is != was) set.emplace_back(key, number_text(is));
  };
  number("run.step", old.step, now.step);
  number("run.tolerance", old.tolerance, now.tolerance);
  number("run.until", old.until, now.until);
  number("run.threads", old.threads, now.threads);
  if (now.solver != old.solver) set.emplace_back("run.solver", word_of(now.solver));
  if (now.method != old.method) set.emplace_back("run.method", word_of(now.method));
  if (now.stabilisation != old.stabilisation)
    set.emplace_back("run.stabilisation", word_of(now.stabilisation));
  number("run.baumgarte", old.baumgarte, now.baumgarte);
  number("run.directions", old.directions, now.directions);
  if (now.sleep != old.sleep) set.emplace_back("run.sleep", now.sleep ? "true" : "false");
  if (now.nonlinear != old.nonlinear) set.emplace_back("run.nonlinear", now.nonlinear ? "true" : "false");
  if (now.activation != old.activation) set.emplace_back("run.activation", word_of(now.activation));
  number("run.theta", old.theta, now.theta);
  if (set.empty()) return file;
  return value_or_raise(read_scene_text(file.text, file.path, set));
}

std::shared_ptr<PyWorld> build_world(const py::object& scene, const std::optional<RunSettings>& given,
                                     const py::kwargs& fields) {
  const bool from_file = py::isinstance<SceneFile>(scene);
  if (!from_file && !py::isinstance<Scene>(scene))
    throw py::type_error("build() takes a Scene or a SceneFile; found " + shown(scene));
  std::optional<SceneFile> file;
  if (from_file) file = scene.cast<SceneFile>();
  RunSettings settings = given.value_or(file ? file->run : RunSettings{});
  fill_settings(settings, fields);
  Result<World> built = build(file ? file->scene : scene.cast<const Scene&>(), settings);
  std::vector<Mistake> mistakes = built.mistakes();
  if (file) {
    if (built) mistakes = check_curves(built.value().model(), file->record.plot, file->path);
    for (Mistake& m : mistakes)
      if (m.file.empty()) m.file = file->path;
  }
  if (!mistakes.empty()) throw MistakeError(mistakes);
  if (file) file = with_settings(*file, settings);
  return std::make_shared<PyWorld>(std::move(built).value(), std::move(file));
}

py::dict totals(const Totals& t) {
  py::dict out;
  out["kinetic"] = t.kinetic;
  out["gravity_potential"] = t.gravity_potential;
  out["spring_potential"] = t.spring_potential;
  out["pair_potential"] = t.pair_potential;
  out["potential"] = t.potential();
  out["energy"] = t.energy();
  out["momentum"] = t.momentum;
  out["angular_momentum"] = t.angular_momentum;
  return out;
}

py::dict ledger_dict(const Ledger& ledger) {
  py::dict out = totals(ledger.now()), booked, momentum, angular;
  for (int i = 0; i < cause_count; ++i) {
    const Cause cause{static_cast<unsigned char>(i)};
    booked[name(cause)] = ledger.booked(cause);
    momentum[name(cause)] = ledger.booked_momentum(cause);
    angular[name(cause)] = ledger.booked_angular_momentum(cause);
  }
  out["start"] = totals(ledger.start());
  out["booked"] = booked;
  out["booked_momentum"] = momentum;
  out["booked_angular_momentum"] = angular;
  out["numerics"] = ledger.booked(Cause::numerics);
  out["imbalance"] = ledger.imbalance();
  out["scale"] = ledger.scale();
  out["relative_imbalance"] = ledger.relative_imbalance();
  out["momentum_imbalance"] = ledger.momentum_imbalance();
  out["angular_momentum_imbalance"] = ledger.angular_momentum_imbalance();
  return out;
}

py::array contacts_array(std::span<const Contact> contacts) {
  return py::array(contact_dtype(), std::vector<py::ssize_t>{py::ssize_t(contacts.size())},
                   std::vector<py::ssize_t>{sizeof(Contact)}, contacts.data());
}

py::list pairs_list(const std::vector<ContactPair>& pairs) {
  py::list out;
  for (const ContactPair& p : pairs) {
    py::dict one;
    one["a"] = p.a, one["b"] = p.b;
    one["contacts"] = p.contacts, one["power"] = p.power;
    one["point"] = p.point, one["force"] = p.force, one["torque"] = p.torque;
    out.append(one);
  }
  return out;
}

py::array_t<double> numbers(std::span<const double> x) {
  return py::array_t<double>(py::ssize_t(x.size()), x.data());
}

template <class T>
py::array copied(const std::vector<T>& data) {
  py::array out = rows(data, {py::ssize_t(data.size())}, py::none());
  return out.attr("copy")();
}

void bind_reading(WorldClass& c) {
  const auto column = [](PyWorld::Column which) { return [which](PyWorld& w) { return w.column(which); }; };
  c.def_property_readonly(
       "time", [](const PyWorld& w) { return w.readable().time(); }, "[s]")
      .def_property_readonly(
          "step_count", [](const PyWorld& w) { return w.readable().state().step_count; },
          "Steps made so far.")
      .def_property_readonly("position", column(PyWorld::Column::position),
                             R"([m] centres of mass, one row per body: a read-only view of the State, no copy.

>>> z = world.position[:, 2]
>>> z.base is not None and not z.flags.writeable
True)")
      .def_property_readonly(
          "orientation", column(PyWorld::Column::orientation),
          "Quaternions [w, x, y, z], body to world, one row per body: a view like `position`.")
      .def_property_readonly("velocity", column(PyWorld::Column::velocity), "[m/s] a view like `position`.")
      .def_property_readonly("spin", column(PyWorld::Column::spin),
                             "[rad/s] angular velocities in world axes: a view like `position`.")
      .def(
          "joint_position",
          [](const PyWorld& w, const std::string& joint) {
            return numbers(w.readable().joint_position(joint_of(w.readable(), joint)));
          },
          py::arg("joint"), R"([m, rad, quaternion] coordinates of a joint, by its name; a copy.

>>> scene = stiction.Scene()
>>> rod = scene.add_body("rod", shape=stiction.Sphere(0.1), mass=1)
>>> hinge = stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", position=[0.5], velocity=[2])
>>> scene.add_joint("hinge", hinge)
>>> stiction.build(scene).joint_position("hinge")
array([0.5]))")
      .def(
          "joint_velocity",
          [](const PyWorld& w, const std::string& joint) {
            return numbers(w.readable().joint_velocity(joint_of(w.readable(), joint)));
          },
          py::arg("joint"), R"([m/s, rad/s] velocities of a joint, by its name; a copy.

>>> scene = stiction.Scene()
>>> rod = scene.add_body("rod", shape=stiction.Sphere(0.1), mass=1)
>>> hinge = stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", position=[0.5], velocity=[2])
>>> scene.add_joint("hinge", hinge)
>>> stiction.build(scene).joint_velocity("hinge")
array([2.]))")
      .def(
          "reaction",
          [](const PyWorld& w, const std::string& joint, const py::object& body,
             const std::optional<Vec3>& point) {
            const World& world = w.readable();
            const ReactionFrame frame{body.is_none() ? BodyId{} : w.body(body), point};
            if (const std::optional<JointReaction> found = world.reaction(joint, frame)) return *found;
            std::vector<std::string> names;
            for (const ReactionPlace& place : joints_with_reactions(world.model()))
              names.push_back(reaction_name(world.model(), place));
            throw MistakeError("there is no joint \"" + joint + "\" with a reaction" +
                               did_you_mean(joint, names));
          },
          py::arg("joint"), py::arg("body") = py::none(), py::arg("point") = py::none(),
          R"(What a joint did to its body in the last step, on average: at the joint's point, in world axes. A gear acts
on the body of its first joint, and as "NAME.second" on that of its second; what binds velocities is about its
body's centre of mass. `body`: in its axes instead; `point`: about that point, in coordinates of `body` or of the
world.

>>> scene = stiction.Scene(gravity=[0, 0, -10])
>>> lamp = scene.add_body("lamp", shape=stiction.Sphere(0.1), mass=2)
>>> scene.add_joint("hook", stiction.ConstraintJoint(stiction.ConstraintKind.lock, "lamp", at=[0, 0, 1]))
>>> hanging = stiction.build(scene, step=0.01)
>>> report = hanging.step()
>>> hanging.reaction("hook").force.round(9) + 0.0
array([ 0.,  0., 20.])
>>> hanging.reaction("hook", point=[3, 0, 0]).torque.round(9) + 0.0
array([ 0., 60.,  0.]))")
      .def(
          "joint_laws",
          [](const PyWorld& w, const std::string& joint) {
            constexpr const char* names[] = {"lower", "upper", "friction", "motor", "hold", "gear", "slip"};
            std::vector<std::string> joints;
            for (const auto& j : w.readable().model().scene.joints) joints.push_back(j.name);
            if (std::find(joints.begin(), joints.end(), joint) == joints.end())
              throw MistakeError("there is no joint \"" + joint + "\"" + did_you_mean(joint, joints));
            py::list out;
            for (const JointLaw& l : w.readable().joint_laws(joint))
              out.append(py::dict(py::arg("kind") = names[int(l.kind)], py::arg("coordinate") = l.coordinate,
                                  py::arg("place") = l.place, py::arg("force") = l.force));
            return out;
          },
          py::arg("joint"),
          R"(Limits, motors and friction of a joint, or what a gear or a joint that binds velocities does: where its
coordinates are [m, rad], and the force [N, N m] along them, mean over the last step.

>>> scene = stiction.Scene()
>>> rod = scene.add_body("wheel", shape=stiction.Sphere(0.1), mass=1)
>>> motor = stiction.JointMotor(force=[5], speed=[2])
>>> scene.add_joint("axle", stiction.CoordinateJoint(stiction.JointKind.revolute, "wheel", motor=motor))
>>> driven = stiction.build(scene)
>>> [law["kind"] for law in driven.joint_laws("axle")]
['motor'])")
      .def(
          "set_motor",
          [](PyWorld& w, const std::string& joint, double target, int coordinate) {
            value_or_raise(w.changeable().set_motor(joint, target, coordinate));
          },
          py::arg("joint"), py::arg("target"), py::arg("coordinate") = 0,
          R"(What a motor is to reach from the next step on: [m/s, rad/s], or [m, rad] where it has a position.

>>> scene = stiction.Scene(gravity=[0, 0, 0])
>>> wheel = scene.add_body("wheel", shape=stiction.Sphere(0.1), mass=1)
>>> motor = stiction.JointMotor(force=[5], speed=[2])
>>> scene.add_joint("axle", stiction.CoordinateJoint(stiction.JointKind.revolute, "wheel", motor=motor))
>>> driven = stiction.build(scene, step=0.01)
>>> driven.set_motor("axle", 3)
>>> run = driven.run(until=0.1)
>>> driven.joint_velocity("axle").round(6)
array([3.]))")
      .def_property_readonly("alive", column(PyWorld::Column::alive),
                             "False where a body was removed: a view like `position`.")
      .def_property_readonly(
          "names", [](const PyWorld& w) { return w.readable().model().body_name; },
          "Names of the bodies, in the order of the arrays.")
      .def_property_readonly(
          "mass",
          [](const PyWorld& w) {
            const std::vector<double>& mass = w.readable().model().mass;
            return py::array_t<double>(py::ssize_t(mass.size()), mass.data());
          },
          "[kg] per body, 0 unless dynamic; a copy.")
      .def_property_readonly(
          "inertia", [](const PyWorld& w) { return copied(w.readable().model().inertia); },
          "[kg m^2] diagonal, body axes, one row per body; a copy.")
      .def_property_readonly(
          "settings", [](const PyWorld& w) { return w.readable().settings(); }, "RunSettings; a copy.")
      .def_property_readonly(
          "scene", [](const PyWorld& w) { return w.readable().model().scene; },
          "What it is made of, edits included; a copy.")
      .def_property_readonly(
          "last_report", [](const PyWorld& w) { return w.readable().last_report(); },
          "StepReport of the last step.")
      .def(
          "body", [](const PyWorld& w, const std::string& name) { return w.body(py::str(name)); },
          py::arg("name"), R"(The id of a body, which also is an index into the arrays.

>>> box = world.body("box")
>>> world.position[box].shape
(3,))")
      .def("name_of", &PyWorld::name_of, py::arg("body"), R"(The name of a body, of a removed one too.

>>> world.name_of(0)
'slope')")
      .def(
          "is_alive", [](const PyWorld& w, const BodyId& id) { return w.readable().is_alive(id); },
          py::arg("body"), R"(Whether this id is that of a body that is there.

>>> world.is_alive(world.body("box"))
True)")
      .def(
          "is_asleep",
          [](const PyWorld& w, const py::object& body) { return w.readable().is_asleep(w.body(body)); },
          py::arg("body"),
          R"(Whether a body rests and is left alone until something comes near: RunSettings.sleep.

>>> world.is_asleep("box")
False)")
      .def(
          "interpolated",
          [](const PyWorld& w, const py::object& body, double alpha) {
            const BodyPose pose = w.readable().interpolated(w.body(body), alpha);
            return py::make_tuple(pose.position, pose.orientation);
          },
          py::arg("body"), py::arg("alpha"),
          R"(Position and orientation between the last two states: 0 the earlier, 1 the present one.

>>> position, orientation = world.interpolated("box", 0.5))")
      .def(
          "contacts",
          [](const PyWorld& w, const py::object& body) {
            const World& world = w.readable();
            if (body.is_none()) return contacts_array(world.contacts());
            return contacts_array(world.contacts(w.body(body)));
          },
          py::arg("body") = py::none(),
          R"(Contacts of the last step as a structured array (stiction.contact_dtype), a copy; open ones too.

>>> report = world.step()
>>> c = world.contacts("box")
>>> int((c["state"] == stiction.ContactState.sliding).sum())
4
>>> bool(c["force"][:, 2].sum() > 0)
True)")
      .def(
          "contact_pairs", [](const PyWorld& w) { return pairs_list(w.readable().contact_pairs()); },
          R"(Contacts of the last step, summed up per pair of bodies that press on each other: a list of dicts.

a, b: the bodies; contacts: how many carry something; point [m]: where the load has its centre; force [N] on b;
torque [N m] on b about that point; power [W] of friction.

>>> report = world.step()
>>> [pair["contacts"] for pair in world.contact_pairs()]
[4])")
      .def(
          "ledger", [](const PyWorld& w) { return ledger_dict(w.readable().ledger()); },
          R"(The books as a dict: energies now and at the start, work by cause, imbalance. [J]

>>> books = world.ledger()
>>> sorted(books["booked"])[:3], books["relative_imbalance"] < 1e-12
(['breaking', 'contact', 'damping'], True))")
      .def(
          "hash", [](const PyWorld& w) { return hex(w.readable().hash()); },
          R"(16 hexadecimal digits over the whole State, bit by bit, as the command prints them.

>>> len(world.hash())
16)")
      .def(
          "warnings",
          [](const PyWorld& w) {
            const auto warnings = w.readable().warnings();
            return std::vector<std::string>(warnings.begin(), warnings.end());
          },
          R"(What may go wrong in this run, in words: springs that the step is too large for.

>>> world.warnings()
[])")
      .def(
          "is_broken",
          [](const PyWorld& w, const std::string& joint) {
            const World& world = w.readable();
            std::vector<std::string> names;
            for (const ModelConstraint& one : world.model().mechanisms.constraint)
              names.push_back(world.model().scene.joints[std::size_t(one.joint)].name);
            if (std::find(names.begin(), names.end(), joint) == names.end())
              throw MistakeError(
                  {Mistake{{},
                           0,
                           0,
                           {},
                           "there is no constraint joint \"" + joint + "\"" + did_you_mean(joint, names)}});
            return world.is_broken(joint);
          },
          py::arg("joint"), R"(Whether a joint of constraints broke.

>>> hook = stiction.ConstraintJoint(stiction.ConstraintKind.ball, "lamp", at=[0, 0, 1], break_force=9)
>>> scene = stiction.Scene(gravity=[0, 0, -9.81])
>>> lamp = scene.add_body("lamp", shape=stiction.Sphere(0.1), mass=1)
>>> scene.add_joint("hook", hook)
>>> hung = stiction.build(scene, step=0.01)
>>> hung.step().broken_joints, hung.broken_joints(), hung.is_broken("hook")
(1, ['hook'], True))")
      .def(
          "broken_joints",
          [](const PyWorld& w) {
            const auto names = w.readable().broken_joints();
            return std::vector<std::string>(names.begin(), names.end());
          },
          R"(Names of the joints that broke in the last step.

>>> world.broken_joints()
[])")
      .def(
          "contact_events",
          [](const PyWorld& w) {
            const auto events = w.readable().contact_events();
            return std::vector<ContactEvent>(events.begin(), events.end());
          },
          R"(Pairs of bodies that began or ceased to touch in the last step.

>>> events = world.contact_events())")
      .def(
          "sensor_events",
          [](const PyWorld& w) {
            const auto events = w.readable().sensor_events();
            return std::vector<SensorEvent>(events.begin(), events.end());
          },
          R"(Bodies that entered or left a sensor's region in the last step.

>>> events = world.sensor_events())")
      .def(
          "sensor", [](const PyWorld& w, const std::string& name) { return w.sensor(py::str(name)); },
          py::arg("name"), R"(The id of a sensor.

>>> world.sensor("gate")
Traceback (most recent call last):
stiction.Error: there is no sensor "gate")")
      .def(
          "overlaps",
          [](const PyWorld& w, const py::object& s) { return w.readable().overlaps(w.sensor(s)); },
          py::arg("sensor"), R"(Ids of the bodies now inside a sensor's region.

>>> world.overlaps("gate")
Traceback (most recent call last):
stiction.Error: there is no sensor "gate")")
      .def("__repr__", [](const PyWorld& w) {
        const World& world = w.readable();
        return "<World of " + std::to_string(world.model().body_count()) +
               " bodies at t = " + number_text(world.time()) + " s>";
      });
}

/// World.step, past pybind11's dispatch: the one call that is made a million times.
PyObject* step(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  try {
    PyWorld::Refused refused = PyWorld::Refused::raise;
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    if (count > 0) throw py::type_error("step() takes no arguments but refused=");
    for (Py_ssize_t i = 0; i < named; ++i) {
      if (const py::handle name = PyTuple_GET_ITEM(names, i); shown(name) != "'refused'")
        throw py::type_error("step() knows no argument " + shown(name) + "; known: refused");
      refused = PyWorld::refused_of(values[i]);
    }
    return py::handle(self).cast<PyWorld&>().step(refused).release().ptr();
  } catch (...) {
    set_python_error();
    return nullptr;
  }
}

void add_step(WorldClass& c) {
  const auto call = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(step));
  static PyMethodDef method = {"step", call, METH_FASTCALL | METH_KEYWORDS,
                               R"(step($self, /, *, refused='raise')
--

One step. Uses and clears the input; other threads go on meanwhile. Returns a StepReport. A step that is
refused leaves the State as it was and raises stiction.StepRefused; with refused="report" its report comes back.

>>> if not world.step().converged:
...     print(world.last_report.explain()))"};
  c.attr("step") =
      py::reinterpret_steal<py::object>(PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(c.ptr()), &method));
}

void bind_changing(WorldClass& c) {
  add_step(c);
  c.def(
       "run",
       [](PyWorld& w, std::optional<double> until, const py::object& refused) {
         return w.run(until, PyWorld::refused_of(refused));
       },
       py::arg("until") = py::none(), py::arg("refused") = "raise",
       R"(The fewest whole steps that reach `until` [s]; by default that of the settings.

Runs without the GIL: other threads go on meanwhile, but may not use this world. Ctrl-C ends it after the
step it is in. A step that is refused ends it and raises stiction.StepRefused; with refused="report" the
RunReport says so.

>>> world.run(until=0.2).steps
20)")
      .def_property_readonly(
          "input", [](PyWorld& w) { return InputHandle{w.shared_from_this()}; },
          "Forces and torques from outside, for the next step.")
      .def(
          "edit", [](PyWorld& w) { return std::make_unique<Edit>(w.shared_from_this()); },
          R"(Opens the arrays for writing: `with world.edit() as rows: rows.velocity[...] = ...`.

At the end of the block every body whose row changed is taken as teleport() does: checked, its orientation
normalised, energy and momentum booked under `edit`. A mistake or an exception puts everything back.

>>> with world.edit() as rows:
...     rows.position[world.body("box"), 2] += 1)")
      .def(
          "set_joint",
          [](PyWorld& w, const std::string& joint, const std::vector<double>& position,
             const std::vector<double>& velocity) {
            World& world = w.changeable();
            value_or_raise(world.set_joint(joint_of(world, joint), position, velocity));
          },
          py::arg("joint"), py::arg("position"), py::arg("velocity"),
          R"(Gives a joint new coordinates [m, rad] and velocities; what hangs on it goes with it. Booked under
`edit`.

>>> scene = stiction.Scene()
>>> rod = scene.add_body("rod", shape=stiction.Sphere(0.1), mass=1)
>>> hinge = stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", position=[0.5], velocity=[2])
>>> scene.add_joint("hinge", hinge)
>>> world = stiction.build(scene)
>>> world.set_joint("hinge", [1], [0])
>>> world.joint_position("hinge")
array([1.]))")
      .def(
          "teleport",
          [](PyWorld& w, const py::object& body, const Vec3& position, const Quat& orientation,
             const Vec3& velocity, const Vec3& spin) {
            const BodyId id = w.body(body);
            value_or_raise(w.changeable().teleport(id, position, orientation, velocity, spin));
          },
          py::arg("body"), py::arg("position"), py::arg("orientation"), py::arg("velocity") = Vec3{},
          py::arg("spin") = Vec3{}, R"(Puts a body somewhere else; booked under `edit`.

>>> world.teleport("box", [0, 0, 2], [1, 0, 0, 0]))")
      .def(
          "add_body",
          [](PyWorld& w, const std::string& name, const py::object& description, const py::kwargs& fields) {
            return w.add_body(name, body_from(name, description, fields));
          },
          py::arg("name"), py::arg("description") = py::none(),
          R"(Adds a body between steps, as Scene.add_body. Views taken before stay as they are: take new ones.

>>> ball = world.add_body("ball", shape=stiction.Sphere(0.1), mass=1, position=[0, 0, 3])
>>> world.name_of(ball)
'ball')")
      .def("remove_body", &PyWorld::remove_body, py::arg("body"),
           R"(Removes a body, with its joints and forces. Its row stays, `alive` is False there.

>>> world.remove_body("box")
>>> int(world.alive.sum())
1)")
      .def(
          "save",
          [](const PyWorld& w) {
            const std::vector<unsigned char> bytes = w.changeable().save();
            return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
          },
          R"(The State as bytes.

>>> saved = world.save()
>>> world.restore(saved))")
      .def(
          "restore",
          [](PyWorld& w, const py::bytes& bytes) {
            const std::string_view view = bytes;
            const auto* data = reinterpret_cast<const unsigned char*>(view.data());
            value_or_raise(w.changeable().restore({data, view.size()}));
          },
          py::arg("saved"),
          R"(Back to a saved State, of this world or one with the same bodies. Views stay valid.

>>> before, saved = world.hash(), world.save()
>>> report = world.step()
>>> world.restore(saved)
>>> world.hash() == before
True)")
      .def(
          "record",
          [](PyWorld& w, const std::filesystem::path& folder, const std::string& name,
             std::optional<double> every, std::optional<std::vector<std::string>> plot,
             std::optional<bool> parts) {
            w.start_recording(folder.string(), name, every, std::move(plot), parts);
            RecorderSettings s;
            s.folder = folder.string(), s.name = name;
            return std::make_unique<RecordingHandle>(
                RecordingHandle{w.shared_from_this(), Recorder::journal_path(s), Recorder::hdf5_path(s)});
          },
          py::arg("folder"), py::arg("name") = "recording", py::arg("every") = py::none(),
          py::arg("plot") = py::none(), py::arg("parts") = py::none(),
          R"(Records every step from now on into FOLDER/NAME.journal, and at the end FOLDER/NAME.h5.

`every` [s] between frames (0: every step) and the curves of `plot` are by default those of the scene file,
and so is `parts`: with `every` 0, a frame also for each part of a step that is made in shorter parts.

>>> with world.record("out/box", every=0.02) as recording:
...     run = world.run(until=0.1)
>>> len(stiction.Recording(recording.path))
6)");
}

}  // namespace

void bind_world(py::module_& m) {
  bind_events(m);
  bind_handles(m);
  WorldClass world(m, "World", R"(Bodies, their State and their books, made by stiction.build().

The examples in this module's help are about `world`, the box on an incline that `stiction new box` writes.

>>> world = stiction.build(stiction.load("my.json"))
>>> world
<World of 2 bodies at t = 0 s>)");
  bind_reading(world);
  bind_changing(world);
  m.def("build", &build_world, py::arg("scene"), py::arg("settings") = py::none(),
        R"(A World from a Scene or a SceneFile; raises stiction.Error with all mistakes.

Settings: a RunSettings, by default that of the file, and any of its fields by name.

>>> world = stiction.build(scene, step=0.005, tolerance=1e-6)
>>> world.settings.step
0.005)");
}

}  // namespace stiction::python
