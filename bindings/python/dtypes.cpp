#include "dtypes.h"

#include <cstddef>

#include "stiction/record/frame.h"

namespace stiction::python {
namespace {

struct Columns {
  py::list names, formats, offsets;
  void add(const char* name, const py::object& format, std::size_t offset) {
    names.append(name), formats.append(format), offsets.append(offset);
  }
  void add(const char* name, const char* format, std::size_t offset) { add(name, py::str(format), offset); }
  py::dtype dtype(std::size_t size) const { return {names, formats, offsets, py::ssize_t(size)}; }
};

// Where a member of a struct lies, asked of an object: the structs hold others, which offsetof may not look
// into.
template <class T, class M>
std::size_t offset_of(const T& object, const M& member) {
  return std::size_t(reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(&object));
}

constexpr const char* number = "f8";
constexpr const char* vector = "(3,)f8";

py::dtype booked_dtype() {
  Columns columns;
  for (int i = 0; i < cause_count; ++i)
    columns.add(name(Cause(static_cast<unsigned char>(i))), number, std::size_t(i) * sizeof(double));
  return columns.dtype(cause_count * sizeof(double));
}

py::dtype make_certificate_dtype() {
  const Certificate c;
  Columns columns;
  for (const CertificateField& f : certificate_fields) columns.add(f.name, number, offset_of(c, c.*f.member));
  columns.add("tolerance", number, offset_of(c, c.tolerance));
  columns.add("converged", "?", offset_of(c, c.converged));
  return columns.dtype(sizeof c);
}

py::dtype make_contact_dtype() {
  const Contact c;
  Columns columns;
  columns.add("a", "i4", offset_of(c, c.key.a));
  columns.add("b", "i4", offset_of(c, c.key.b));
  columns.add("feature", "u8", offset_of(c, c.key.feature));
  columns.add("point", vector, offset_of(c, c.point));
  columns.add("normal", vector, offset_of(c, c.normal));
  columns.add("gap", number, offset_of(c, c.gap));
  columns.add("impulse", vector, offset_of(c, c.impulse));
  columns.add("force", vector, offset_of(c, c.force));
  columns.add("slip", vector, offset_of(c, c.slip));
  columns.add("friction", number, offset_of(c, c.friction));
  columns.add("state", "u1", offset_of(c, c.state));
  columns.add("moment", vector, offset_of(c, c.moment));
  return columns.dtype(sizeof c);
}

py::dtype make_tally_dtype() {
  const Tally t;
  Columns columns;
  for (const TallyField& f : tally_fields) columns.add(f.name, "i8", offset_of(t, t.*f.member));
  columns.add("imbalance", number, offset_of(t, t.imbalance));
  columns.add("contact_rise", number, offset_of(t, t.contact_rise));
  columns.add("unexplained_rise", number, offset_of(t, t.unexplained_rise));
  return columns.dtype(sizeof t);
}

py::dtype make_ledger_dtype() {
  const LedgerRow row;
  Columns columns;
  for (const LedgerField& f : ledger_fields) columns.add(f.name, number, offset_of(row, row.*f.member));
  columns.add("momentum", vector, offset_of(row, row.momentum));
  columns.add("angular_momentum", vector, offset_of(row, row.angular_momentum));
  columns.add("booked", booked_dtype(), offset_of(row, row.booked));
  return columns.dtype(sizeof row);
}

}  // namespace

const py::dtype& certificate_dtype() {
  static const auto* type = new py::dtype(make_certificate_dtype());
  return *type;
}
const py::dtype& contact_dtype() {
  static const auto* type = new py::dtype(make_contact_dtype());
  return *type;
}
const py::dtype& tally_dtype() {
  static const auto* type = new py::dtype(make_tally_dtype());
  return *type;
}
const py::dtype& ledger_dtype() {
  static const auto* type = new py::dtype(make_ledger_dtype());
  return *type;
}

void set_writable(py::array& array, bool writable) {
  int& flags = py::detail::array_proxy(array.ptr())->flags;
  flags = writable ? flags | py::detail::npy_api::NPY_ARRAY_WRITEABLE_
                   : flags & ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
}

py::array view(const py::dtype& type, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               const void* data, const py::object& owner, bool writable) {
  static const double nothing = 0;  // where an empty vector has no memory
  py::array out(type, std::move(shape), std::move(strides), data ? data : &nothing, owner);
  set_writable(out, writable);
  return out;
}

py::object record(const py::dtype& type, const void* data) {
  return py::array(type, std::vector<py::ssize_t>{}, std::vector<py::ssize_t>{}, data)[py::tuple()];
}

}  // namespace stiction::python
