// What a World lends to Python for a while: its input, its rows to write into, a recording.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dtypes.h"
#include "world.h"

namespace stiction::python {

/// world.input
struct InputHandle {
  std::shared_ptr<PyWorld> world;

  void give(const py::object& body, const Vec3& force, const Vec3& torque) const {
    const BodyId id = world->body(body);
    world->changeable().input().wrenches.push_back({id.index, force, torque});
  }
  /// A joint is meant where one number is given.
  void give_joint(const py::object& name, double force, int coordinate) const {
    if (!py::isinstance<py::str>(name))
      throw MistakeError("a body takes three numbers; one number is for a joint, which goes by its name");
    const std::string joint = text_of(name);
    World& w = world->changeable();
    const JointId id = joint_of(w, joint);
    const auto count = int(w.joint_velocity(id).size());
    if (coordinate < 0 || coordinate >= count)
      throw MistakeError("the joint \"" + joint + "\" has " + std::to_string(count) +
                         (count == 1 ? " velocity, " : " velocities, ") + "counted from 0; found " +
                         std::to_string(coordinate));
    if (!std::isfinite(force)) throw MistakeError("the force of a joint has to be a finite number");
    w.input().torque(id, force, coordinate);
  }
  using Rows = py::array_t<double, py::array::c_style | py::array::forcecast>;
  void give_all(const Rows& rows, Vec3 InputWrench::*what) const {
    World& w = world->changeable();
    const int bodies = w.model().body_count();
    if (rows.ndim() != 2 || rows.shape(0) != bodies || rows.shape(1) != 3)
      throw MistakeError("one row of three numbers for each of the " + std::to_string(bodies) +
                         " bodies is needed");
    const auto x = rows.unchecked<2>();
    for (int i = 0; i < bodies; ++i) {
      InputWrench wrench{i, {}, {}};
      wrench.*what = {x(i, 0), x(i, 1), x(i, 2)};
      if (wrench.*what != Vec3{}) w.input().wrenches.push_back(wrench);
    }
  }
};

/// with world.edit() as rows: ...
class Edit {
 public:
  explicit Edit(std::shared_ptr<PyWorld> world) : world_(std::move(world)) {}
  ~Edit() {
    if (close()) world_->cancel_edit();
  }
  Edit(const Edit&) = delete;
  Edit& operator=(const Edit&) = delete;
  void enter() {
    world_->changeable().begin_edit();
    open_ = true;
    using Column = PyWorld::Column;
    try {
      for (const Column c : {Column::position, Column::orientation, Column::velocity, Column::spin})
        columns_.push_back(world_->column(c, true));
    } catch (...) {
      if (close()) world_->cancel_edit();
      throw;
    }
  }
  void leave(bool failed) {
    if (!close()) return;
    if (failed)
      world_->cancel_edit();
    else
      value_or_raise(world_->readable().end_edit());
  }
  py::array column(PyWorld::Column which) const {
    if (!open_) throw MistakeError("rows are open for writing inside the block of `with world.edit()` only");
    return columns_[std::size_t(which)];
  }

 private:
  /// The arrays are read-only again. Whether there was something to close.
  bool close() {
    for (py::array& column : columns_) set_writable(column, false);
    columns_.clear();
    return std::exchange(open_, false);
  }

  std::shared_ptr<PyWorld> world_;
  std::vector<py::array> columns_;
  bool open_ = false;
};

/// with world.record(...) as recording: ...
struct RecordingHandle {
  std::shared_ptr<PyWorld> world;
  std::string journal, hdf5;
  bool open = true;
  void finish(const std::string& ending) {
    if (!open) return;
    world->finish_recording(ending);
    open = false;
  }
};

}  // namespace stiction::python
