// Ids, events, and what a World lends.
#include <variant>

#include "handles.h"
#include "parts.h"

namespace stiction::python {
namespace {

template <class IdType>
void bind_id(py::module_& m, const char* name, const char* about) {
  py::class_<IdType>(m, name, about)
      .def_readonly("index", &IdType::index, "Its row in the arrays; -1 in an id of nothing.")
      .def_readonly("generation", &IdType::generation, "Tells a removed one from what is there now.")
      .def("__index__", [](const IdType& id) { return id.index; })
      .def("__bool__", [](const IdType& id) { return bool(id); })
      .def("__eq__",
           [](const IdType& id, const py::object& other) {
             return py::isinstance<IdType>(other) && id == other.cast<IdType>();
           })
      .def("__hash__", [](const IdType& id) { return py::hash(py::make_tuple(id.index, id.generation)); })
      .def("__repr__", [text = std::string(name)](const IdType& id) {
        return text + "(" + std::to_string(id.index) + ")";
      });
}

using VectorOrNumber = std::variant<Vec3, double>;

}  // namespace

void bind_events(py::module_& m) {
  py::class_<ContactEvent>(m, "ContactEvent", R"(Two bodies that began or ceased to touch in the last step.

>>> report = world.step()
>>> [(e.kind, world.name_of(e.a), world.name_of(e.b)) for e in world.contact_events()]
[('begin', 'slope', 'box')])")
      .def_property_readonly(
          "kind", [](const ContactEvent& e) { return e.kind == ContactEvent::Kind::begin ? "begin" : "end"; },
          "begin or end.")
      .def_readonly("a", &ContactEvent::a, "BodyId; of a removed body, name_of() still knows it.")
      .def_readonly("b", &ContactEvent::b, "BodyId of the other.")
      .def("__repr__", [](const ContactEvent& e) {
        return std::string("<ContactEvent ") + (e.kind == ContactEvent::Kind::begin ? "begin " : "end ") +
               std::to_string(e.a.index) + " " + std::to_string(e.b.index) + ">";
      });
  py::class_<SensorEvent>(m, "SensorEvent", R"(A body that entered or left a sensor's region in the last step.

>>> world.sensor_events()
[])")
      .def_property_readonly(
          "kind", [](const SensorEvent& e) { return e.kind == SensorEvent::Kind::enter ? "enter" : "leave"; },
          "enter or leave.")
      .def_readonly("sensor", &SensorEvent::sensor, "SensorId.")
      .def_readonly("body", &SensorEvent::body, "BodyId.")
      .def("__repr__", [](const SensorEvent& e) {
        return std::string("<SensorEvent ") + (e.kind == SensorEvent::Kind::enter ? "enter " : "leave ") +
               std::to_string(e.sensor.index) + " " + std::to_string(e.body.index) + ">";
      });
}

void bind_handles(py::module_& m) {
  py::class_<InputHandle>(m, "Input", R"(What the outside gives the next step; forgotten after it.

>>> world.input.force("box", [1, 0, 0])
>>> world.step().converged
True)")
      .def(
          "force",
          [](const InputHandle& x, const py::object& body, const VectorOrNumber& newtons, int coordinate) {
            if (const auto* one = std::get_if<double>(&newtons)) return x.give_joint(body, *one, coordinate);
            x.give(body, std::get<Vec3>(newtons), {});
          },
          py::arg("body"), py::arg("newtons"), py::arg("coordinate") = 0,
          R"([N] at the centre of mass, world axes. Several add up. One number is for a joint, by its name: along
it; `coordinate` says which of its velocities.

>>> world.input.force(world.body("box"), [0, 0, 2]))")
      .def(
          "torque",
          [](const InputHandle& x, const py::object& body, const VectorOrNumber& newton_metres,
             int coordinate) {
            if (const auto* one = std::get_if<double>(&newton_metres))
              return x.give_joint(body, *one, coordinate);
            x.give(body, {}, std::get<Vec3>(newton_metres));
          },
          py::arg("body"), py::arg("newton_metres"), py::arg("coordinate") = 0,
          R"([N m] world axes; one number is for a joint, by its name: what a motor does about its axis.

>>> world.input.torque("box", [0, 0, 0.1])
>>> scene = stiction.Scene()
>>> scene.add_body("rod", shape=stiction.Capsule(0.02, 1), mass=1)
BodyId(0)
>>> scene.add_joint("hinge", stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", axis=[0, 1, 0]))
>>> arm = stiction.build(scene)
>>> arm.input.torque("hinge", 0.5)
>>> arm.step().converged
True)")
      .def(
          "forces",
          [](const InputHandle& x, const InputHandle::Rows& rows) { x.give_all(rows, &InputWrench::force); },
          py::arg("newtons"), R"([N] for all bodies at once: one row each, in the order of the arrays.

>>> world.input.forces(-0.1 * world.velocity))")
      .def(
          "torques",
          [](const InputHandle& x, const InputHandle::Rows& rows) { x.give_all(rows, &InputWrench::torque); },
          py::arg("newton_metres"), R"([N m] for all bodies at once.

>>> world.input.torques(np.zeros_like(world.spin)))")
      .def(
          "clear", [](const InputHandle& x) { x.world->changeable().input().clear(); },
          R"(Forgets what was given.

>>> world.input.clear())");

  const auto column = [](PyWorld::Column which) {
    return [which](const Edit& e) { return e.column(which); };
  };
  py::class_<Edit>(m, "Edit", R"(The arrays of the State, open for writing: what World.edit() gives.

>>> with world.edit() as rows:
...     rows.velocity[world.body("box")] = [0.1, 0, 0]
>>> world.velocity[world.body("box")]
array([0.1, 0. , 0. ]))")
      .def_property_readonly("position", column(PyWorld::Column::position), "[m] rows of 3.")
      .def_property_readonly("orientation", column(PyWorld::Column::orientation),
                             "[w, x, y, z] rows of 4; normalised at the end of the block.")
      .def_property_readonly("velocity", column(PyWorld::Column::velocity), "[m/s] rows of 3.")
      .def_property_readonly("spin", column(PyWorld::Column::spin), "[rad/s] rows of 3, world axes.")
      .def("__enter__",
           [](const py::object& self) {
             self.cast<Edit&>().enter();
             return self;
           })
      .def("__exit__", [](Edit& e, const py::object& type, const py::object&, const py::object&) {
        e.leave(!type.is_none());
      });

  py::class_<RecordingHandle>(m, "RecordingInProgress",
                              R"(A recording that is being made: what World.record() gives.

>>> with world.record("out/mine") as recording:
...     run = world.run(until=0.1)
>>> stiction.Recording(recording.path).time[-1]
0.1)")
      .def_readonly("path", &RecordingHandle::hdf5, "The HDF5 file; there once finish() was called.")
      .def_readonly("journal", &RecordingHandle::journal, "Readable at any time while the recording goes on.")
      .def("finish", &RecordingHandle::finish, py::arg("ending") = "reached the end",
           R"(Closes the recording and writes the HDF5 file. Leaving the `with` block does it.

>>> recording.finish())")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](RecordingHandle& r, const py::object& type, const py::object&, const py::object&) {
        r.finish(type.is_none() ? "reached the end" : "interrupted");
      });
}

void bind_ids(py::module_& m) {
  bind_id<BodyId>(m, "BodyId", R"(Names a body. Also an index: world.position[id] is its row.

>>> world.body("box").index
1)");
  bind_id<SensorId>(m, "SensorId", R"(Names a sensor.

>>> scene.add_sensor("gate", stiction.Sphere(1)).index
0)");
}

}  // namespace stiction::python
