// The pieces of the module, one file each.
#pragma once

#include "convert.h"
#include "stiction/model/run_settings.h"

namespace stiction::python {

/// Makes the exception that is being handled a Python one: for functions that pybind11 does not call.
void set_python_error();

/// Raises stiction.StepRefused; `run`: what World.run() did until then, or None.
[[noreturn]] void raise_refused(const std::string& text, const py::object& report, const py::object& run);

void bind_ids(py::module_& m);        // BodyId, SensorId
void bind_scene(py::module_& m);      // descriptions, Scene, files; calls bind_shapes
void bind_shapes(py::module_& m);     // shapes
void bind_couplings(py::module_& m);  // gears, joints that bind velocities
void bind_reports(py::module_& m);    // StepReport, RunReport, certificate
void bind_events(py::module_& m);     // ContactEvent, SensorEvent
void bind_handles(py::module_& m);    // Input, Edit, RecordingInProgress
void bind_world(py::module_& m);      // World, build
void bind_queries(py::module_& m);    // Queries, BodyHit, World.queries
void bind_recording(py::module_& m);  // Recording

/// The settings of a run by name; None leaves one as it is.
void fill_settings(RunSettings& settings, const py::kwargs& fields);
/// The fields of a body, for Scene.add_body and World.add_body.
BodyDescription body_from(const std::string& name, const py::object& description, const py::kwargs& fields);

}  // namespace stiction::python
