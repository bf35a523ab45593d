#include "world.h"

#include <chrono>
#include <cmath>

#include "dtypes.h"
#include "parts.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/recording.h"
#include "stiction/step/rises.h"

namespace stiction::python {
namespace {

// [s] of wall time between two looks for Ctrl-C
constexpr double look_every = 0.05;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Marks the world as running and lets other Python threads go on meanwhile.
class Running {
 public:
  explicit Running(Core& core) : core_(core) {
    core_.running = true;
    thread_ = PyEval_SaveThread();
  }
  ~Running() {
    if (thread_) PyEval_RestoreThread(thread_);
    core_.running = false;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  /// Throws if Python wants to interrupt, Ctrl-C for example.
  void look_for_signals() {
    PyEval_RestoreThread(thread_);
    thread_ = nullptr;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    thread_ = PyEval_SaveThread();
  }

 private:
  Core& core_;
  PyThreadState* thread_ = nullptr;
};

py::object keep(std::shared_ptr<Arrays> arrays) {
  return py::capsule(new std::shared_ptr<Arrays>(std::move(arrays)),
                     [](void* p) { delete static_cast<std::shared_ptr<Arrays>*>(p); });
}

}  // namespace

World& PyWorld::readable() const {
  if (core_->running)
    throw MistakeError("this world is running in another thread; wait until its step() or run() is done");
  return core_->world;
}

World& PyWorld::changeable() const {
  World& world = readable();
  if (world.is_open_for_edit())
    throw MistakeError("this world is being edited; leave the block of `with world.edit()` first");
  return world;
}

StepReport PyWorld::step_once() {
  World& world = core_->world;
  if (!recorder_) return world.step();
  const double start = now();
  const Input input = world.input();
  const StepReport report = world.step();
  recorded_seconds_ += now() - start;
  value_or_raise(recorder_->on_step(world.model(), world.state(), report, world.contacts(), input));
  return report;
}

py::object PyWorld::report_object(const StepReport& report) {
  for (GivenReport& g : given_)
    if (g.object && Py_REFCNT(g.object.ptr()) == 1) {
      *g.report = report;
      return g.object;
    }
  std::swap(given_[0], given_[1]);
  given_[0].object = py::cast(report);
  given_[0].report = given_[0].object.cast<StepReport*>();
  return given_[0].object;
}

PyWorld::Refused PyWorld::refused_of(const py::handle& word) {
  if (!py::isinstance<py::str>(word))
    throw py::type_error("refused is \"raise\" or \"report\"; found " + shown(word));
  const std::string text = text_of(word);
  if (text == "raise") return Refused::raise;
  if (text == "report") return Refused::report;
  throw MistakeError("refused: found \"" + text + "\", must be \"raise\" or \"report\"");
}

py::object PyWorld::step(Refused refused) {
  changeable();
  StepReport report;
  {
    const Running running(*core_);
    report = step_once();
  }
  if (report.status == StepReport::Status::refused && refused == Refused::raise)
    raise_refused(trouble(report), report_object(report), py::none());
  return report_object(report);
}

RunReport PyWorld::run(std::optional<double> until, Refused refused) {
  const RunReport out = run_until(until);
  const StepReport& last = core_->world.last_report();
  if (out.total.refused > 0 && refused == Refused::raise)
    raise_refused(trouble(last), py::cast(last), py::cast(out));
  return out;
}

RunReport PyWorld::run_until(std::optional<double> until) {
  World& world = changeable();
  RunSettings settings = world.settings();
  settings.until = until.value_or(settings.until);
  if (const std::vector<Mistake> mistakes = validate(settings); !mistakes.empty())
    throw MistakeError(mistakes);
  const std::int64_t steps = steps_until(settings);
  RunReport out;
  out.ending = "reached the end";
  const double start = now();
  double last_look = start;
  Running running(*core_);
  while (world.state().step_count < steps) {
    const StepReport report = step_once();
    out.total.add(report, world.ledger());
    if (!report.converged && out.trouble.empty()) out.trouble = trouble(report);
    if (out.trouble.empty()) out.trouble = rise();
    if (report.status == StepReport::Status::refused) {
      out.ending = "stopped at a refused step";
      break;
    }
    if (const double t = now(); t - last_look > look_every) last_look = t, running.look_for_signals();
  }
  out.wall_seconds = now() - start;
  return out;
}

std::string PyWorld::trouble(const StepReport& report) const {
  const World& world = core_->world;
  const auto name = [&](int i) { return i < 0 ? std::string() : world.model().body_name[std::size_t(i)]; };
  const std::string a = name(report.worst_body_a), b = name(report.worst_body_b);
  return "at " + number_text(world.time()) + " s: " + report.explain() +
         (a.empty() ? "" : " (" + a + (b.empty() ? "" : ", " + b) + ")");
}

std::string PyWorld::rise() const {
  const World& world = core_->world;
  const std::string found = step::rise_in_words(world.model(), world.state(), world.settings());
  return found.empty() ? found : "at " + number_text(world.time()) + " s " + found;
}

BodyId PyWorld::body(const py::object& which) const {
  const World& world = readable();
  const std::vector<std::string>& names = world.model().body_name;
  if (py::isinstance<BodyId>(which)) {
    const auto id = which.cast<BodyId>();
    if (world.is_alive(id)) return id;
    throw MistakeError("this body does not exist (any more): " + shown(which));
  }
  if (py::isinstance<py::str>(which)) {
    const auto name = text_of(which);
    if (const BodyId id = world.body(name)) return id;
    throw MistakeError("there is no body \"" + name + "\"" + did_you_mean(name, names));
  }
  if (!PyIndex_Check(which.ptr()))
    throw py::type_error("a body is a BodyId, a name or an index; found " + shown(which));
  const Py_ssize_t index = PyNumber_AsSsize_t(which.ptr(), nullptr);  // too large ones are cut
  if (index == -1 && PyErr_Occurred()) throw py::error_already_set();
  if (index >= 0 && index < Py_ssize_t(names.size()))
    if (const BodyId id = world.body(names[std::size_t(index)])) return id;
  throw MistakeError("there is no body with the index " + std::to_string(index));
}

SensorId PyWorld::sensor(const py::object& which) const {
  const World& world = readable();
  if (py::isinstance<SensorId>(which)) {
    const auto id = which.cast<SensorId>();
    if (id.index >= 0 && std::size_t(id.index) < world.model().sensors.size()) return id;
    throw MistakeError("this sensor does not exist: " + shown(which));
  }
  if (!py::isinstance<py::str>(which))
    throw py::type_error("a sensor is a SensorId or a name; found " + shown(which));
  const auto name = text_of(which);
  if (const SensorId id = world.sensor(name)) return id;
  throw MistakeError("there is no sensor \"" + name + "\"" + did_you_mean(name, world.model().sensor_name));
}

std::string PyWorld::name_of(const py::object& which) const {
  if (py::isinstance<BodyId>(which))
    for (const auto& [id, name] : removed_)
      if (id == which.cast<BodyId>()) return name;
  return readable().name_of(body(which));
}

py::array PyWorld::column(Column which, bool writable) {
  const State& x = core_->world.state();  // arrays that stand still may be looked at while the world runs
  std::shared_ptr<Arrays> arrays = arrays_.lock();
  if (!arrays) {
    arrays = std::make_shared<Arrays>();
    arrays->core = core_;
    arrays_ = arrays;
  }
  const py::object owner = keep(std::move(arrays));
  const std::vector<py::ssize_t> bodies{py::ssize_t(x.position.size())};
  switch (which) {
    case Column::position:
      return rows(x.position, bodies, owner, writable);
    case Column::orientation:
      return rows(x.orientation, bodies, owner, writable);
    case Column::velocity:
      return rows(x.velocity, bodies, owner, writable);
    case Column::spin:
      return rows(x.spin, bodies, owner, writable);
    case Column::alive:
      break;
  }
  return view(py::dtype::of<bool>(), bodies, {1}, x.alive.data(), owner);
}

BodyId PyWorld::add_body(const std::string& name, const BodyDescription& b) {
  World& world = changeable();
  const std::shared_ptr<Arrays> arrays = arrays_.lock();
  const BodyId id = value_or_raise(world.add_body(name, b, arrays ? &arrays->old : nullptr));
  arrays_.reset();
  return id;
}

void PyWorld::remove_body(const py::object& which) {
  World& world = changeable();
  const BodyId id = body(which);
  const std::string name = world.name_of(id);
  value_or_raise(world.remove_body(id));
  removed_.emplace_back(id, name);
}

void PyWorld::start_recording(const std::string& folder, const std::string& name, std::optional<double> every,
                              std::optional<std::vector<std::string>> plot, std::optional<bool> parts) {
  const World& world = changeable();
  if (recorder_) throw MistakeError("this world is being recorded already; finish that recording first");
  RecorderSettings settings;
  settings.folder = folder, settings.name = name, settings.program = STICTION_VERSION;
  settings.setup.title = world.model().scene.title, settings.setup.run = world.settings();
  settings.setup.warnings.assign(world.warnings().begin(), world.warnings().end());
  if (file_) {
    settings.setup.scene = file_->path;
    settings.setup.every = file_->record.every, settings.setup.plot = file_->record.plot;
    settings.setup.parts = file_->record.parts;
    for (const auto& [key, value] : file_->overrides) settings.setup.set.push_back(key + "=" + value);
    if (world.model().revision == 0) settings.scene_text = file_->text;
  }
  settings.setup.every = every.value_or(settings.setup.every);
  if (plot) settings.setup.plot = *plot;
  settings.setup.parts = parts.value_or(settings.setup.parts);
  if (!std::isfinite(settings.setup.every) || settings.setup.every < 0)
    throw MistakeError({Mistake{
        {}, 0, 0, "record.every", "found " + number_text(settings.setup.every) + ", must be 0 s or more"}});
  if (const auto mistakes = check_curves(world.model(), settings.setup.plot, ""); !mistakes.empty())
    throw MistakeError(mistakes);
  Recorder recorder = value_or_raise(Recorder::open(settings));
  value_or_raise(recorder.on_start(world.model(), world.state()));
  recorder_ = std::move(recorder);
  recorded_seconds_ = 0;
  if (!recorder_->follows_parts()) return;
  core_->world.follow_parts([this](const State& x, std::span<const Contact> contacts) {
    recorder_->on_part(core_->world.model(), x, contacts);
  });
}

RecordedTo PyWorld::finish_recording(const std::string& ending) {
  const World& world = changeable();
  if (!recorder_) throw MistakeError("this world is not being recorded");
  const RecordedFiles files = value_or_raise(
      recorder_->finish(world.model(), world.state(), world.contacts(), recorded_seconds_, ending));
  core_->world.follow_parts({});
  recorder_.reset();  // only now: a disk that was full may have room when it is tried again
  if (ending == "reached the end") value_or_raise(remove_file(files.journal));
  return {files.journal, files.hdf5};
}

}  // namespace stiction::python
