// Recordings, read: columns over time as arrays that lie over what was loaded.
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>

#include "dtypes.h"
#include "parts.h"
#include "stiction/base/hash.h"
#include "stiction/record/recording.h"

namespace stiction::python {
namespace {

template <class Info>
std::vector<std::string> names_at_the_end(const Recording& r, std::vector<Info> Revision::*of) {
  std::vector<std::string> out;
  if (!r.revisions.empty())
    for (const Info& info : r.revisions.back().*of) out.push_back(info.name);
  return out;
}

using Held = std::shared_ptr<Recording>;

std::vector<py::ssize_t> frames_and_bodies(const Recording& r) {
  return {py::ssize_t(r.frames()), py::ssize_t(r.stride)};
}

template <class T>
py::array plain(const std::vector<T>& data, const py::object& owner) {
  return view(py::dtype::of<T>(), {py::ssize_t(data.size())}, {sizeof(T)}, data.data(), owner);
}

/// A column of structs, seen through a dtype that covers part of each.
template <class T, class Part>
py::array structured(const py::dtype& type, const std::vector<T>& data, const Part* first,
                     const py::object& owner) {
  return view(type, {py::ssize_t(data.size())}, {sizeof(T)}, data.empty() ? nullptr : first, owner);
}

/// The row of a body in the arrays: of the newest revision that has the name.
std::size_t row_of(const Recording& r, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t k = r.revisions.size(); k-- > 0;) {
    const std::vector<BodyInfo>& bodies = r.revisions[k].bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].name == name) return i;
      names.push_back(bodies[i].name);
    }
  }
  throw MistakeError(
      {Mistake{r.path, 0, 0, {}, "there is no body \"" + name + "\"" + did_you_mean(name, names)}});
}

py::object summary_of(const Recording& r) {
  if (!r.summary) return py::none();
  py::dict out;
  out["time"] = r.summary->time;
  out["steps"] = r.summary->step;
  out["hash"] = hex(r.summary->hash);
  out["wall_seconds"] = r.summary->wall_seconds;
  out["ending"] = r.summary->ending;
  out["trouble"] = r.summary->trouble;
  py::list broken;
  for (const BrokenJoint& b : r.summary->broken) broken.append(py::make_tuple(b.time, b.joint));
  out["broken"] = broken;
  out["worst"] = record(certificate_dtype(), &r.summary->total.worst);
  for (const TallyField& f : tally_fields)
    if (f.member != &Tally::steps) out[f.name] = r.summary->total.*f.member;
  return out;
}

/// Counted from the end where it is below 0.
std::size_t frame_index(const Recording& r, py::ssize_t frame) {
  const auto count = py::ssize_t(r.frames());
  if (frame < -count || frame >= count)
    throw py::index_error("frame " + std::to_string(frame) + " of " + std::to_string(count));
  return std::size_t(frame < 0 ? frame + count : frame);
}

py::array contacts_of(const py::object& self, py::ssize_t frame) {
  const auto& r = self.cast<const Recording&>();
  const std::span<const Contact> found = r.contacts_of(frame_index(r, frame));
  return view(contact_dtype(), {py::ssize_t(found.size())}, {sizeof(Contact)}, found.data(), self);
}

py::list pairs_of(const Recording& r, py::ssize_t frame) {
  const std::size_t f = frame_index(r, frame);
  py::list out;
  for (const ContactPair& p : r.pairs_of(f)) {
    py::dict one;
    one["a"] = r.bodies(f)[std::size_t(p.a.index)].name, one["b"] = r.bodies(f)[std::size_t(p.b.index)].name;
    one["contacts"] = p.contacts, one["power"] = p.power;
    one["point"] = p.point, one["force"] = p.force, one["torque"] = p.torque;
    out.append(one);
  }
  return out;
}

/// Per revision the joint of that name; null where there is none. At least one is not.
std::vector<const JointInfo*> joint_by_revision(const Recording& r, const std::string& name) {
  std::vector<std::string> names;
  std::vector<const JointInfo*> out(r.revisions.size(), nullptr);
  bool found = false;
  for (std::size_t k = 0; k < r.revisions.size(); ++k)
    for (const JointInfo& j : r.revisions[k].joints) {
      names.push_back(j.name);
      if (j.name == name) out[k] = &j, found = true;
    }
  if (found) return out;
  throw MistakeError(
      {Mistake{r.path, 0, 0, {}, "there is no joint \"" + name + "\"" + did_you_mean(name, names)}});
}

/// A view where the numbers of the joint stand at the same place in every frame; else a copy, looked up
/// revision by revision, with NaN where the joint is not there (or is of another kind than at first).
py::array joint_columns(const py::object& self, const std::string& name, bool velocity) {
  const auto& r = self.cast<const Recording&>();
  const std::vector<const JointInfo*> joints = joint_by_revision(r, name);
  const JointInfo& first = **std::find_if(joints.begin(), joints.end(), [](const JointInfo* j) { return j; });
  const auto begin_of = [&](const JointInfo& j) { return velocity ? j.velocity_begin : j.position_begin; };
  const auto joint_of_frame = [&](std::size_t f) {
    const JointInfo* j = joints[std::size_t(r.revision[f])];
    return j != nullptr && j->kind == first.kind ? j : nullptr;
  };
  const auto count = std::size_t(velocity ? first.velocities() : first.positions()),
             width = velocity ? r.velocities : r.positions;
  const std::vector<double>& from = velocity ? r.joint_velocity : r.joint_position;
  const std::vector<py::ssize_t> shape{py::ssize_t(r.frames()), py::ssize_t(count)};
  bool alike = !from.empty();
  for (std::size_t f = 0; f < r.frames(); ++f) {
    const JointInfo* j = joint_of_frame(f);
    alike = alike && j != nullptr && begin_of(*j) == begin_of(first);
  }
  if (alike)
    return view(py::dtype::of<double>(), shape, {py::ssize_t(width * sizeof(double)), sizeof(double)},
                from.data() + begin_of(first), self);
  py::array_t<double> out(shape);
  double* to = out.mutable_data();
  for (std::size_t f = 0; f < r.frames(); ++f, to += count)
    if (const JointInfo* j = joint_of_frame(f))
      std::copy_n(from.data() + f * width + std::size_t(begin_of(*j)), count, to);
    else
      std::fill_n(to, count, std::numeric_limits<double>::quiet_NaN());
  set_writable(out, false);
  return out;
}

/// Reactions of one joint, looked up revision by revision.
py::array_t<double> reaction_columns(const Recording& r, const std::string& name, bool torque) {
  std::vector<std::string> names;
  std::vector<int> row(r.revisions.size(), -1);
  bool found = false;
  for (std::size_t k = 0; k < r.revisions.size(); ++k)
    for (std::size_t i = 0; i < r.revisions[k].reactions.size(); ++i) {
      names.push_back(r.revisions[k].reactions[i].name);
      if (names.back() == name) row[k] = int(i), found = true;
    }
  if (!found)
    throw MistakeError({Mistake{
        r.path, 0, 0, {}, "there is no joint \"" + name + "\" with a reaction" + did_you_mean(name, names)}});
  py::array_t<double> out(std::vector<py::ssize_t>{py::ssize_t(r.frames()), 3});
  double* to = out.mutable_data();
  for (std::size_t f = 0; f < r.frames(); ++f) {
    const int i = row[std::size_t(r.revision[f])];
    const std::vector<Vec3>& from = torque ? r.reaction_torque : r.reaction_force;
    for (int c = 0; c < 3; ++c)
      *to++ = i < 0 ? std::numeric_limits<double>::quiet_NaN() : from[f * r.reactions + std::size_t(i)][c];
  }
  return out;
}

void bind_columns(py::class_<Recording, Held>& c) {
  // Every array is a view of this object and keeps it alive.
  const auto add = [&c](const char* name, auto&& make, const char* about) {
    c.def_property_readonly(
        name, [make](const py::object& self) { return make(self.cast<const Recording&>(), self); }, about);
  };
  add(
      "time", [](const Recording& r, const py::object& o) { return plain(r.time, o); }, "[s] per frame.");
  add(
      "step", [](const Recording& r, const py::object& o) { return plain(r.step, o); },
      "Step count per frame.");
  add(
      "revision", [](const Recording& r, const py::object& o) { return plain(r.revision, o); },
      "Per frame: how many edits of the bodies came before it.");
  add(
      "hash", [](const Recording& r, const py::object& o) { return plain(r.hash, o); },
      "Per frame: hash of the State as a 64-bit number.");
  add(
      "position",
      [](const Recording& r, const py::object& o) { return rows(r.position, frames_and_bodies(r), o); },
      R"([m] frames x bodies x 3; NaN where a body does not exist.

>>> z = recording.position[:, recording.body("box"), 2])");
  add(
      "orientation",
      [](const Recording& r, const py::object& o) { return rows(r.orientation, frames_and_bodies(r), o); },
      "[w, x, y, z] frames x bodies x 4.");
  add(
      "velocity",
      [](const Recording& r, const py::object& o) { return rows(r.velocity, frames_and_bodies(r), o); },
      "[m/s] frames x bodies x 3.");
  add(
      "spin", [](const Recording& r, const py::object& o) { return rows(r.spin, frames_and_bodies(r), o); },
      "[rad/s] frames x bodies x 3.");
  add(
      "alive",
      [](const Recording& r, const py::object& o) {
        return view(py::dtype::of<bool>(), frames_and_bodies(r), {py::ssize_t(r.stride), 1}, r.alive.data(),
                    o);
      },
      "frames x bodies.");
  add(
      "joint_positions",
      [](const Recording& r, const py::object& o) {
        return view(py::dtype::of<double>(), {py::ssize_t(r.frames()), py::ssize_t(r.positions)},
                    {py::ssize_t(r.positions * sizeof(double)), sizeof(double)}, r.joint_position.data(), o);
      },
      "[m, rad, quaternions] frames x coordinates of all joints, in the order of the State.");
  add(
      "joint_velocities",
      [](const Recording& r, const py::object& o) {
        return view(py::dtype::of<double>(), {py::ssize_t(r.frames()), py::ssize_t(r.velocities)},
                    {py::ssize_t(r.velocities * sizeof(double)), sizeof(double)}, r.joint_velocity.data(), o);
      },
      "[m/s, rad/s] frames x velocities of all joints.");
  add(
      "contacts",
      [](const Recording& r, const py::object& o) {
        return structured(contact_dtype(), r.contacts, r.contacts.data(), o);
      },
      "Contacts of all frames, one frame after the other (stiction.contact_dtype).");
  add(
      "contact_start", [](const Recording& r, const py::object& o) { return plain(r.contact_start, o); },
      "Where the contacts of each frame begin; one more at the end.");
  add(
      "certificate",
      [](const Recording& r, const py::object& o) {
        const Certificate* first = r.since.empty() ? nullptr : &r.since.front().worst;
        return structured(certificate_dtype(), r.since, first, o);
      },
      R"(Per frame: the worst of the steps since the frame before (stiction.certificate_dtype).

>>> bool((recording.certificate["gap_relative"] <= 1e-8).all())
True)");
  add(
      "tally",
      [](const Recording& r, const py::object& o) {
        return structured(tally_dtype(), r.since, r.since.data(), o);
      },
      "Per frame: counts of the steps since the frame before.");
  add(
      "ledger",
      [](const Recording& r, const py::object& o) {
        return structured(ledger_dtype(), r.ledger, r.ledger.data(), o);
      },
      R"(Per frame: the books, with the field `booked` by cause. [J]

>>> bool(recording.ledger["booked"]["friction"][-1] < 0)
True)");
}

}  // namespace

void bind_recording(py::module_& m) {
  py::class_<Recording, Held> c(m, "Recording", R"(A recording (journal or HDF5), read into arrays.

`memory` [bytes] bounds what bodies and contacts take: of a larger recording every second, fourth, ... frame
is kept (`thinning`).

>>> recording = stiction.Recording("out/my/recording.h5")
>>> recording.names, recording.position.shape
(['slope', 'box'], (101, 2, 3)))");
  c.def(py::init([](const std::filesystem::path& path, std::size_t memory) {
          if (memory == 0) throw MistakeError("memory: found 0, must be above 0 bytes");
          return std::make_shared<Recording>(
              value_or_raise(load_recording(path.string(), {.memory = memory})));
        }),
        py::arg("path"), py::arg("memory") = LoadSettings{}.memory)
      .def_readonly("path", &Recording::path, "As it was named.")
      .def_property_readonly(
          "title", [](const Recording& r) { return r.setup.title; }, "Of the scene.")
      .def_property_readonly(
          "scene_text", [](const Recording& r) { return r.header.scene_text; },
          "The whole scene as JSON; empty if a program built it.")
      .def_property_readonly(
          "program", [](const Recording& r) { return r.header.program; }, "Version that recorded it.")
      .def_property_readonly(
          "settings", [](const Recording& r) { return r.setup.run; }, "RunSettings.")
      .def_property_readonly(
          "plot", [](const Recording& r) { return r.setup.plot; }, "The curves the scene asks for.")
      .def_readonly("thinning", &Recording::thinning, "Frames of the file per frame kept.")
      .def_property_readonly("summary", &summary_of, "How the run ended, as a dict; None if it was cut off.")
      .def_property_readonly(
          "damage", [](const Recording& r) { return r.ending.message; },
          "What could not be read, in words; empty if nothing.")
      .def_property_readonly(
          "names", [](const Recording& r) { return names_at_the_end(r, &Revision::bodies); },
          "Names of the bodies at the end, in the order of the arrays.")
      .def_property_readonly(
          "joint_names", [](const Recording& r) { return names_at_the_end(r, &Revision::joints); },
          "Names of the joints with coordinates, at the end.")
      .def(
          "joint_position",
          [](const py::object& self, const std::string& joint) { return joint_columns(self, joint, false); },
          py::arg("joint"),
          R"([m, rad, quaternion] frames x coordinates of one joint, by its name; NaN where it is not there. A view, or a
copy where edits moved its place in `joint_positions`.

>>> scene = stiction.Scene()
>>> scene.add_body("rod", shape=stiction.Capsule(0.02, 1), mass=1)
BodyId(0)
>>> scene.add_joint("hinge", stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", axis=[0, 1, 0]))
>>> arm = stiction.build(scene, step=0.01)
>>> with arm.record("out/arm") as making:
...     run = arm.run(until=0.1)
>>> stiction.Recording(making.path).joint_position("hinge").shape
(11, 1))")
      .def(
          "joint_velocity",
          [](const py::object& self, const std::string& joint) { return joint_columns(self, joint, true); },
          py::arg("joint"),
          R"([m/s, rad/s] frames x velocities of one joint, by its name; NaN where it is not there. A view, or a copy where
edits moved its place in `joint_velocities`.

>>> scene = stiction.Scene()
>>> scene.add_body("rod", shape=stiction.Capsule(0.02, 1), mass=1)
BodyId(0)
>>> scene.add_joint("hinge", stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", axis=[0, 1, 0]))
>>> arm = stiction.build(scene, step=0.01)
>>> with arm.record("out/arm") as making:
...     run = arm.run(until=0.1)
>>> stiction.Recording(making.path).joint_velocity("hinge").shape
(11, 1))")
      .def_property_readonly(
          "constraint_names", [](const Recording& r) { return names_at_the_end(r, &Revision::constraints); },
          "Names of the joints that hold by forces, at the end.")
      .def_property_readonly(
          "reaction_names", [](const Recording& r) { return names_at_the_end(r, &Revision::reactions); },
          "Names of the joints that have reactions, at the end; of gears two each.")
      .def(
          "reaction_force",
          [](const Recording& r, const std::string& joint) { return reaction_columns(r, joint, false); },
          py::arg("joint"),
          R"([N] frames x 3: what a joint did to its body, at the joint's point, on average over the step before each
frame; a gear on the body of its first joint, and as "NAME.second" on that of its second. NaN where it is not
there. A copy.

>>> scene = stiction.Scene(gravity=[0, 0, -10])
>>> lamp = scene.add_body("lamp", shape=stiction.Sphere(0.1), mass=2)
>>> scene.add_joint("hook", stiction.ConstraintJoint(stiction.ConstraintKind.lock, "lamp", at=[0, 0, 1]))
>>> hanging = stiction.build(scene, step=0.01)
>>> with hanging.record("out/lamp") as making:
...     run = hanging.run(until=0.1)
>>> float(stiction.Recording(making.path).reaction_force("hook")[-1, 2].round(9))
20.0)")
      .def(
          "reaction_torque",
          [](const Recording& r, const std::string& joint) { return reaction_columns(r, joint, true); },
          py::arg("joint"), R"([N m] frames x 3: like `reaction_force`, the torque about the joint's point.

>>> scene = stiction.Scene(gravity=[0, 0, -10])
>>> lamp = scene.add_body("lamp", shape=stiction.Sphere(0.1), mass=2)
>>> scene.add_joint("hook", stiction.ConstraintJoint(stiction.ConstraintKind.lock, "lamp", at=[1, 0, 0]))
>>> hanging = stiction.build(scene, step=0.01)
>>> with hanging.record("out/lamp") as making:
...     run = hanging.run(until=0.1)
>>> float(stiction.Recording(making.path).reaction_torque("hook")[-1, 1].round(9))
20.0)")
      .def("__len__", &Recording::frames)
      .def("body", &row_of, py::arg("name"), R"(The row of a body in the arrays.

>>> recording.body("box")
1)")
      .def("contacts_of", &contacts_of, py::arg("frame"), R"(The contacts of one frame.

>>> len(recording.contacts_of(-1))
4)")
      .def("pairs_of", &pairs_of, py::arg("frame"),
           R"(The contacts of one frame, summed up per pair of bodies.

As `World.contact_pairs()`, with names for a and b.

>>> [(pair["a"], pair["b"]) for pair in recording.pairs_of(-1)]
[('slope', 'box')])")
      .def(
          "trajectories",
          [](const Recording& r, const std::string& name) {
            py::dict out;
            for (const Trajectory& t : value_or_raise(trajectories(r, name)))
              out[py::str(t.label)] = py::array_t<double>(py::ssize_t(t.value.size()), t.value.data());
            return out;
          },
          py::arg("name"), R"(Curves by the names that scenes use under `plot`: label to array.

>>> list(recording.trajectories("box.velocity"))
['box.velocity.x', 'box.velocity.y', 'box.velocity.z'])")
      .def("__repr__", [](const Recording& r) {
        return "<Recording " + r.path + ": " + std::to_string(r.frames()) + " frames of " +
               std::to_string(r.stride) + " bodies>";
      });
  bind_columns(c);
}

}  // namespace stiction::python
