// NumPy dtypes that lie over our structs, and arrays over memory that somebody keeps alive.
#pragma once

#include "convert.h"

namespace stiction::python {

// Structured dtypes, field by field at its offset. Made once, and never taken down: the interpreter may be
// gone by then.
const py::dtype& certificate_dtype();
const py::dtype& contact_dtype();
const py::dtype& tally_dtype();
const py::dtype& ledger_dtype();

/// A view of `data`, which `owner` keeps alive. Strides in bytes; read-only unless said otherwise.
py::array view(const py::dtype& type, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               const void* data, const py::object& owner, bool writable = false);
void set_writable(py::array& array, bool writable);

/// One row per element of a vector of Vec3 or Quat, in `shape` x 3 or 4 doubles.
template <class T>
py::array rows(const std::vector<T>& data, std::vector<py::ssize_t> shape, const py::object& owner,
               bool writable = false) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  shape.push_back(py::ssize_t(sizeof(T) / sizeof(double)));
  std::vector<py::ssize_t> strides(shape.size());
  py::ssize_t stride = sizeof(double);
  for (std::size_t i = shape.size(); i-- > 0; stride *= shape[i]) strides[i] = stride;
  return view(py::dtype::of<double>(), std::move(shape), std::move(strides), data.data(), owner, writable);
}

/// A copy of one struct as a NumPy scalar with named fields.
py::object record(const py::dtype& type, const void* data);

}  // namespace stiction::python
