// Between Python and C++: vectors, mistakes, and the fields of plain-data descriptions.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/base/text.h"
#include "stiction/math/vec3.h"
#include "stiction/model/choices.h"
#include "stiction/model/scene.h"

namespace stiction::python {

namespace py = pybind11;

/// Becomes stiction.Error (a ValueError) with the list of mistakes.
class MistakeError : public std::exception {
 public:
  explicit MistakeError(std::vector<Mistake> mistakes);
  explicit MistakeError(const std::string& message) : MistakeError({Mistake{{}, 0, 0, {}, message}}) {}
  const std::vector<Mistake>& mistakes() const { return mistakes_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Mistake> mistakes_;
  std::string text_;  // one line per mistake
};

template <class T>
T value_or_raise(Result<T> result) {
  if (!result) throw MistakeError(result.mistakes());
  return std::move(result).value();
}

/// `numbers` doubles out of a sequence; false if it is none, or of another length.
bool read_numbers(py::handle source, double* out, std::size_t numbers);

/// The text of a Python str; raises where it cannot be written as UTF-8.
std::string text_of(py::handle value);
/// A Python str of any bytes: what is no UTF-8 shows as the replacement character.
py::str readable_text(const std::string& text);

/// How a Python value shows in a message: its repr, cut after 60 characters.
std::string shown(py::handle value);

/// A setting that is one of a few: words_of() has its words.
template <class M>
concept IsChoice = requires {
  words_of<M>();
};

/// The Python class of a choice, which lives as long as the interpreter.
template <IsChoice M>
inline PyObject* choice_class = nullptr;

/// A class of enum.Enum whose values are the words, and texts: stiction.Method.rk4 == "rk4", str() is the
/// word.
template <IsChoice M>
void bind_choice(py::module_& m, const char* name, const char* about) {
  const py::handle text(reinterpret_cast<PyObject*>(&PyUnicode_Type));
  py::list values;
  for (const std::string& word : words_of<M>()) values.append(py::make_tuple(word, word));
  const py::object made = py::module_::import("enum").attr("Enum")(name, values, py::arg("type") = text,
                                                                   py::arg("module") = "stiction");
  made.attr("__str__") = text.attr("__str__");
  made.attr("__doc__") = about;
  m.attr(name) = made;
  choice_class<M> = made.ptr();
  made.inc_ref();
}

/// Of a member of its class, or of a word alone.
template <IsChoice M>
M choice_from(py::handle value) {
  if (!PyUnicode_Check(value.ptr())) throw py::cast_error();
  const std::string word = text_of(value);
  if (const std::optional<M> found = choice_of<M>(word)) return *found;
  throw MistakeError(unknown_word(word, words_of<M>()));
}

// What a field may hold, in words: one entry per type; a field of another type does not compile.
template <class M>
struct Wanted {
  const char* words;
};
inline constexpr std::tuple wanted{
    Wanted<double>{"a number"},
    Wanted<int>{"a whole number"},
    Wanted<bool>{"True or False"},
    Wanted<std::string>{"a text"},
    Wanted<Method>{"a Method or its word, such as stiction.Method.coulomb"},
    Wanted<SolverChoice>{"a SolverChoice or its word, such as stiction.SolverChoice.auto"},
    Wanted<Stabilisation>{"a Stabilisation or its word, such as stiction.Stabilisation.post"},
    Wanted<Activation>{"an Activation or its word, such as stiction.Activation.checked"},
    Wanted<Vec3>{"three numbers"},
    Wanted<std::optional<Vec3>>{"three numbers, or None"},
    Wanted<std::optional<double>>{"a number, or None"},
    Wanted<Quat>{"a unit quaternion [w, x, y, z]"},
    Wanted<Shape>{"a shape such as Sphere, Box, Capsule, Cylinder, Hull, Compound or HalfSpace, or None"},
    Wanted<BodyKind>{"stiction.dynamic, stiction.fixed or stiction.kinematic"},
    Wanted<Motion>{"a Motion"},
    Wanted<std::vector<double>>{"a list of numbers"},
    Wanted<std::vector<std::vector<double>>>{"a list of rows of numbers"},
    Wanted<tree::JointKind>{"a JointKind, such as stiction.JointKind.revolute"},
    Wanted<constraints::Kind>{"a ConstraintKind, such as stiction.ConstraintKind.hinge"},
    Wanted<JointLimits>{"JointLimits"},
    Wanted<JointMotor>{"a JointMotor"},
    Wanted<constraints::CurveKind>{"a CurveKind, such as stiction.CurveKind.spline"},
    Wanted<ImpactLaw>{"an ImpactLaw, such as stiction.ImpactLaw.sequential"},
    Wanted<std::optional<ImpactLaw>>{"an ImpactLaw, such as stiction.ImpactLaw.sequential, or None"},
    Wanted<RollingJoint::Kind>{"a RollingKind, such as stiction.RollingKind.ball"},
    Wanted<constraints::Pfaffian::Axes>{"a PfaffianAxes, such as stiction.PfaffianAxes.body"},
    Wanted<std::vector<std::string>>{"a list of texts"},
    Wanted<std::vector<Vec3>>{"a list of vectors of three numbers"},
    Wanted<std::vector<Quat>>{"a list of quaternions [w, x, y, z]"},
};

/// One member of a description: its name, and how Python reads and writes it.
template <class T>
struct Field {
  const char* name;
  const char* about;
  std::function<void(T&, py::handle)> set;  // throws py::cast_error, or a MistakeError that says more
  std::function<py::object(const T&)> get;
  const char* wanted;
  bool takes_none;  // None is a value; else it leaves the field as it is
};

/// A shape as Python sees it: None, or the object it was made from.
inline py::object shape_object(const Shape& shape) {
  if (std::holds_alternative<NoShape>(shape)) return py::none();
  const auto* convex = std::get_if<ConvexShape>(&shape);
  if (convex == nullptr || convex->body().rounding > 0) return py::cast(shape);
  return py::cast(convex->body().core);
}

template <class T, class M>
Field<T> field(const char* name, M T::*member, const char* about) {
  constexpr bool is_shape = std::is_same_v<M, Shape>;
  const auto set = [member](T& x, py::handle value) {
    if (is_shape && value.is_none()) {
      if constexpr (is_shape) x.*member = NoShape{};
      return;
    }
    if (std::is_same_v<M, bool> && !PyBool_Check(value.ptr())) throw py::cast_error();
    if constexpr (IsChoice<M>)
      x.*member = choice_from<M>(value);
    else
      x.*member = value.cast<M>();
  };
  const auto get = [member](const T& x) -> py::object {
    if constexpr (is_shape)
      return shape_object(x.*member);
    else if constexpr (IsChoice<M>)
      return py::handle(choice_class<M>)(word_of(x.*member));
    else
      return py::cast(x.*member);
  };
  return {name,
          about,
          set,
          get,
          std::get<Wanted<M>>(wanted).words,
          is_shape || std::is_same_v<M, std::optional<Vec3>> || std::is_same_v<M, std::optional<double>>};
}

/// Positional values in the order of the fields, and named ones. None leaves a field as it is, unless it is a
/// value there. All mistakes are collected; `where` stands before the names of the fields in them.
template <class T>
void fill(T& out, const std::vector<Field<T>>& fields, const std::string& where, const py::args& args,
          const py::kwargs& kwargs) {
  std::vector<Mistake> mistakes;
  const auto wrong = [&](const std::string& name, const std::string& message) {
    mistakes.push_back({{}, 0, 0, name.empty() ? where : where + "." + name, message});
  };
  const auto set = [&](const Field<T>& f, py::handle value) {
    if (value.is_none() && !f.takes_none) return;
    try {
      f.set(out, value);
    } catch (const py::cast_error&) {
      wrong(f.name, "found " + shown(value) + ", must be " + f.wanted);
    } catch (const MistakeError& e) {
      wrong(f.name, e.mistakes().front().message);
    }
  };
  if (args.size() > fields.size())
    wrong("",
          "takes at most " + std::to_string(fields.size()) + " values, found " + std::to_string(args.size()));
  for (std::size_t i = 0; i < args.size() && i < fields.size(); ++i) set(fields[i], args[i]);
  std::vector<std::string> names;
  for (const Field<T>& f : fields) names.emplace_back(f.name);
  for (const auto& [key, value] : kwargs) {
    const std::string name = text_of(key);
    std::size_t i = 0;
    while (i < names.size() && names[i] != name) ++i;
    if (i == names.size()) {
      const std::string near = did_you_mean(name, names);
      wrong(name, "is not known here" + (near.empty() ? "." : near) + " Known: " + word_list(names, 20));
    } else if (i < args.size()) {
      wrong(name, "is given twice");
    } else {
      set(fields[i], value);
    }
  }
  if (!mistakes.empty()) throw MistakeError(std::move(mistakes));
}

/// A description as a Python class: made from its fields, in order or by name; each is an attribute.
template <class T>
py::class_<T> bind_description(py::module_& m, const char* name, std::vector<Field<T>> fields,
                               const char* about) {
  py::class_<T> type(m, name, about);
  type.def(py::init([fields, where = std::string(name)](const py::args& args, const py::kwargs& kwargs) {
    T out{};
    fill(out, fields, where, args, kwargs);
    return out;
  }));
  for (const Field<T>& f : fields)
    type.def_property(
        f.name, [f](const T& x) { return f.get(x); },
        [f, where = std::string(name)](T& x, const py::object& value) {
          fill(x, {f}, where, py::make_tuple(value), py::kwargs());
        },
        f.about);
  type.def("__repr__", [fields, where = std::string(name)](const T& x) {
    std::string out = where + "(";
    const T plain{};
    const char* comma = "";
    for (const Field<T>& f : fields) {
      const py::object value = f.get(x);
      if (value.equal(f.get(plain))) continue;
      out += comma + std::string(f.name) + "=" + std::string(py::repr(value));
      comma = ", ";
    }
    return out + ")";
  });
  type.def("__eq__", [fields](const T& x, const py::object& other) {
    if (!py::isinstance<T>(other)) return false;
    const T& y = other.cast<const T&>();
    for (const Field<T>& f : fields)
      if (!f.get(x).equal(f.get(y))) return false;
    return true;
  });
  type.attr("__hash__") = py::none();
  return type;
}

}  // namespace stiction::python

namespace pybind11::detail {

/// Vectors and quaternions: any sequence of three or four numbers in, a tuple out.
template <>
struct type_caster<stiction::Vec3> {
  PYBIND11_TYPE_CASTER(stiction::Vec3, const_name("Vector"));
  bool load(handle source, bool) {
    double x[3];
    if (!stiction::python::read_numbers(source, x, 3)) return false;
    value = {x[0], x[1], x[2]};
    return true;
  }
  static handle cast(const stiction::Vec3& v, return_value_policy, handle) {
    return make_tuple(v.x, v.y, v.z).release();
  }
};

template <>
struct type_caster<stiction::Quat> {
  PYBIND11_TYPE_CASTER(stiction::Quat, const_name("Quaternion"));
  bool load(handle source, bool) {
    double x[4];
    if (!stiction::python::read_numbers(source, x, 4)) return false;
    value = {x[0], x[1], x[2], x[3]};
    return true;
  }
  static handle cast(const stiction::Quat& q, return_value_policy, handle) {
    return make_tuple(q.w, q.x, q.y, q.z).release();
  }
};

}  // namespace pybind11::detail
