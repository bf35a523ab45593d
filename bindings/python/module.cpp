// The native half of the Python package `stiction`; stiction/__init__.py is the other.
#include "parts.h"

namespace stiction::python {
namespace {

// stiction.Error and stiction.StepRefused; they live as long as the interpreter
PyObject* error_type = nullptr;
PyObject* refused_type = nullptr;

void translate(std::exception_ptr trouble) {
  try {
    if (trouble) std::rethrow_exception(trouble);
  } catch (const MistakeError& e) {
    py::list mistakes;
    for (const Mistake& m : e.mistakes()) mistakes.append(py::cast(m));
    py::object error = py::reinterpret_borrow<py::object>(error_type)(readable_text(e.what()));
    error.attr("mistakes") = mistakes;
    PyErr_SetObject(error_type, error.ptr());
  }
}

void bind_errors(py::module_& m) {
  py::class_<Mistake>(m, "Mistake", R"(One mistake in what was given, as the command prints it.

>>> try:
...     stiction.build(stiction.Scene(), step=-1)
... except stiction.Error as error:
...     print(error.mistakes[0].path, "|", error.mistakes[0].message)
run.step | found -1, must be above 0 s)")
      .def_property_readonly(
          "file", [](const Mistake& x) { return readable_text(x.file); },
          "The file as it was named; empty if there is none.")
      .def_readonly("line", &Mistake::line, "Counted from 1; 0 if there is none.")
      .def_readonly("column", &Mistake::column, "Counted from 1; 0 if there is none.")
      .def_property_readonly(
          "path", [](const Mistake& x) { return readable_text(x.path); },
          "The value's place in the scene: bodies.box.density.")
      .def_property_readonly(
          "message", [](const Mistake& x) { return readable_text(x.message); },
          "What was found, what is allowed, what to do.")
      .def("__str__", [](const Mistake& x) { return readable_text(x.text()); })
      .def("__repr__", [](const Mistake& x) { return readable_text("<Mistake " + x.text() + ">"); });
  error_type = PyErr_NewExceptionWithDoc("stiction.Error", R"(Something that was given is wrong. A ValueError.

The text has one line per mistake, the same that the command prints; `mistakes` is the list of them.

>>> try:
...     stiction.load("my.json", set={"run.step": -1})
... except stiction.Error as error:
...     print(error)
--set run.step=-1: run.step: found -1, must be above 0 s)",
                                         PyExc_ValueError, nullptr);
  if (!error_type) throw py::error_already_set();
  m.add_object("Error", py::reinterpret_borrow<py::object>(error_type));
  refused_type =
      PyErr_NewExceptionWithDoc("stiction.StepRefused", R"(A step could not be made. A RuntimeError.

The State is as it was before it. `report` is the StepReport; `run` what World.run() did until then, None of
World.step(). Both take refused="report" to return instead.

>>> world.input.force("box", [float("inf"), 0, 0])
>>> try:
...     world.step()
... except stiction.StepRefused as refused:
...     print(refused.report.status, "|", refused.report.reason)
refused | motion is not finite)",
                                PyExc_RuntimeError, nullptr);
  if (!refused_type) throw py::error_already_set();
  m.add_object("StepRefused", py::reinterpret_borrow<py::object>(refused_type));
  py::register_exception_translator(translate);
}

}  // namespace

void raise_refused(const std::string& text, const py::object& report, const py::object& run) {
  const py::object error = py::reinterpret_borrow<py::object>(refused_type)(readable_text(text));
  error.attr("report") = report;
  error.attr("run") = run;
  PyErr_SetObject(refused_type, error.ptr());
  throw py::error_already_set();
}

void set_python_error() {
  try {
    translate(std::current_exception());
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

}  // namespace stiction::python

PYBIND11_MODULE(_core, m) {
  using namespace stiction::python;
  m.doc() = "The native half of stiction. Import stiction instead.";
  m.attr("__version__") = STICTION_VERSION;
  bind_errors(m);
  bind_ids(m);
  bind_scene(m);
  bind_reports(m);
  bind_world(m);
  bind_queries(m);
  bind_recording(m);
}
