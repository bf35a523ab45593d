// A World as Python holds it: shared with the views of its arrays, never touched by two threads at once, and
// never left with a pointer into memory that is gone.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convert.h"
#include "reports.h"
#include "stiction/formats/scene_file.h"
#include "stiction/record/recorder.h"
#include "stiction/world/world.h"

namespace stiction::python {

/// The world itself. Every NumPy view of its arrays shares it.
struct Core {
  World world;
  bool running = false;  // a step or run is under way, perhaps in another thread; guarded by the GIL
};

/// One stretch of time in which the arrays of the State do not move. What views hold on to.
struct Arrays {
  std::shared_ptr<Core> core;
  State old;  // once a body was added: the memory the views look at
};

/// Where a recording goes.
struct RecordedTo {
  std::string journal, hdf5;
};

class PyWorld : public std::enable_shared_from_this<PyWorld> {
 public:
  PyWorld(World world, std::optional<SceneFile> file)
      : core_(std::make_shared<Core>(Core{std::move(world)})), file_(std::move(file)) {}

  /// For reading. Raises if the world runs in another thread.
  World& readable() const;
  /// For stepping and editing. Raises also inside `with world.edit()`.
  World& changeable() const;

  /// Throws away what `with world.edit()` wrote. While it is open the world cannot be running.
  void cancel_edit() noexcept { core_->world.cancel_edit(); }

  /// What becomes of a step that is refused: an exception, or its report.
  enum class Refused { raise, report };
  static Refused refused_of(const py::handle& word);

  /// One step, and its report as a Python object.
  py::object step(Refused refused);
  /// The fewest whole steps that reach `until`. Ctrl-C ends it after the step it is in.
  RunReport run(std::optional<double> until, Refused refused);

  /// What Python gives for a body: an id, a name, an index. Raises unless it is there.
  BodyId body(const py::object& which) const;
  SensorId sensor(const py::object& which) const;
  std::string name_of(const py::object& which) const;

  enum class Column { position, orientation, velocity, spin, alive };
  py::array column(Column which, bool writable = false);

  BodyId add_body(const std::string& name, const BodyDescription& b);
  void remove_body(const py::object& which);

  // --- recording
  void start_recording(const std::string& folder, const std::string& name, std::optional<double> every,
                       std::optional<std::vector<std::string>> plot, std::optional<bool> parts);
  RecordedTo finish_recording(const std::string& ending);
  bool is_recording() const { return recorder_.has_value(); }

 private:
  StepReport step_once();  // needs no GIL
  RunReport run_until(std::optional<double> until);
  py::object report_object(const StepReport& report);
  std::string trouble(const StepReport& report) const;
  std::string rise() const;

  std::shared_ptr<Core> core_;
  std::weak_ptr<Arrays> arrays_;  // of the views that there are
  std::optional<SceneFile> file_;
  std::optional<Recorder> recorder_;
  double recorded_seconds_ = 0;  // [s] spent in steps since the recording began
  std::vector<std::pair<BodyId, std::string>> removed_;
  // The last two reports that step() gave. One that nobody else holds any more serves again: making a new
  // object costs more than the rest of the call.
  struct GivenReport {
    py::object object;
    StepReport* report = nullptr;
  };
  GivenReport given_[2];
};

/// The joint of this name; raises where there is none.
inline JointId joint_of(const World& world, const std::string& name) {
  const JointId id = world.joint(name);
  if (!id) throw MistakeError("there is no joint \"" + name + "\" with coordinates");
  return id;
}

}  // namespace stiction::python
