#include "convert.h"

namespace stiction::python {

MistakeError::MistakeError(std::vector<Mistake> mistakes) : mistakes_(std::move(mistakes)) {
  for (const Mistake& m : mistakes_) text_ += (text_.empty() ? "" : "\n") + m.text();
}

bool read_numbers(py::handle source, double* out, std::size_t numbers) {
  if (!PySequence_Check(source.ptr()) || PyUnicode_Check(source.ptr()) || PyBytes_Check(source.ptr()))
    return false;
  const auto items = py::reinterpret_steal<py::object>(PySequence_Fast(source.ptr(), ""));
  if (!items) {
    PyErr_Clear();
    return false;
  }
  if (std::size_t(PySequence_Fast_GET_SIZE(items.ptr())) != numbers) return false;
  for (std::size_t i = 0; i < numbers; ++i) {
    out[i] = PyFloat_AsDouble(PySequence_Fast_GET_ITEM(items.ptr(), Py_ssize_t(i)));
    if (out[i] == -1.0 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
  }
  return true;
}

std::string text_of(py::handle value) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (!text) throw py::error_already_set();
  return {text, std::size_t(size)};
}

py::str readable_text(const std::string& text) {
  auto out =
      py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(text.data(), Py_ssize_t(text.size()), "replace"));
  if (!out) throw py::error_already_set();
  return out;
}

std::string shown(py::handle value) {
  std::string text = text_of(py::repr(value));
  if (text.size() > 60) {
    text.resize(57);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    text += "...";
  }
  return text;
}

}  // namespace stiction::python
