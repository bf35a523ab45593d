// Every mistake of a description in one list, each with the link's name and the field.
//
// An inertia tensor I about the centre of mass exists if the second moments of the mass, tr(I)/2 1 - I, are
// positive semidefinite: the triangle inequality of the principal moments, without computing them. Tested by
// elimination of that matrix with 1e-9 tr(I) added to its diagonal, for flat bodies given in decimals.
#include <cmath>
#include <map>

#include "stiction/base/text.h"
#include "stiction/dynamics/tree/forest.h"

namespace stiction::tree {
namespace {

constexpr double quaternion_slack = 1e-6;  // numbers typed with seven digits
constexpr double inertia_slack = 1e-9;     // round-off of a thin plate, where the inequality is an equality
constexpr double angle_slack = 1e-9;       // [rad] between the axes of a universal joint

std::string vec_text(const Vec3& v) {
  return "[" + number_text(v.x) + ", " + number_text(v.y) + ", " + number_text(v.z) + "]";
}

bool semidefinite(Mat3 a) {
  for (int k = 0; k < 3; ++k) {
    if (!(a(k, k) > 0)) return false;
    for (int i = k + 1; i < 3; ++i)
      for (int j = k + 1; j < 3; ++j) a(i, j) -= a(i, k) * a(k, j) / a(k, k);
  }
  return true;
}

bool has_axis(JointKind kind) {
  return kind != JointKind::fixed && kind != JointKind::spherical && kind != JointKind::free;
}

struct Checker {
  const Description& description;
  std::vector<Mistake> mistakes{};

  std::string place(std::size_t i, const char* field) const {
    const std::string& name = description.links[i].name;
    return "links." + (name.empty() ? std::to_string(i) : name) + (*field ? "." : "") + field;
  }
  void add(std::size_t i, const char* field, std::string message) {
    mistakes.push_back({{}, 0, 0, place(i, field), std::move(message)});
  }

  void names() {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < description.links.size(); ++i) {
      const std::string& name = description.links[i].name;
      if (!name.empty() && !first.emplace(name, i).second)
        add(i, "name", "two links have this name; each needs its own");
    }
  }

  // Follows parents up; a walk that meets itself is a cycle, reported at its first link.
  void parents() {
    const auto& links = description.links;
    const int n = int(links.size());
    std::vector<int> seen(links.size(), 0);  // 0 not yet, else number of the walk
    for (int start = 0; start < n; ++start) {
      int i = start;
      while (i >= 0 && i < n && seen[std::size_t(i)] == 0) {
        seen[std::size_t(i)] = start + 1;
        i = links[std::size_t(i)].parent;
      }
      if (i >= 0 && i < n && seen[std::size_t(i)] == start + 1) cycle(i);
    }
    for (std::size_t i = 0; i < links.size(); ++i)
      if (links[i].parent < -1 || links[i].parent >= n)
        add(i, "parent",
            "found " + std::to_string(links[i].parent) + ", there is no such link; there are " +
                std::to_string(n) + ", counted from 0, and -1 for the world");
  }
  void cycle(int first) {
    const auto& links = description.links;
    std::string text;
    int i = first;
    do {
      const std::string& name = links[std::size_t(i)].name;
      text += (name.empty() ? std::to_string(i) : name) + " -> ";
      i = links[std::size_t(i)].parent;
    } while (i != first);
    const std::string& name = links[std::size_t(first)].name;
    add(std::size_t(first), "parent",
        "the links hang on themselves: " + text + (name.empty() ? std::to_string(first) : name) +
            "; a tree has no cycle, close loops by constraints");
  }

  void placement(std::size_t i) {
    const Link& l = description.links[i];
    if (!is_finite(l.position)) add(i, "position", "found " + vec_text(l.position) + ", must be finite");
    const double length = std::sqrt(norm2(l.orientation));
    if (!(std::fabs(length - 1) <= quaternion_slack))
      add(i, "orientation",
          "its length is " + number_text(length) +
              ", must be a unit quaternion (w, x, y, z) (length 1 within 1e-6)");
    if (!has_axis(l.joint)) return;
    const double axis = norm(l.axis), second = norm(l.second_axis);
    if (!(axis > 0 && std::isfinite(axis))) {
      add(i, "axis", "found " + vec_text(l.axis) + ", a direction needs a length above 0");
    } else if (l.joint == JointKind::universal || l.joint == JointKind::planar) {
      if (!std::isfinite(second)) {
        add(i, "second_axis", "found " + vec_text(l.second_axis) + ", must be finite");
      } else if (second > 0 && !(std::fabs(dot(l.axis, l.second_axis)) <= angle_slack * axis * second)) {
        add(i, "second_axis",
            "found " + vec_text(l.second_axis) + ", must be at right angles to the axis " + vec_text(l.axis));
      }
    }
    if (!std::isfinite(l.pitch)) add(i, "pitch", "found " + number_text(l.pitch) + ", must be finite");
  }

  void mass(std::size_t i) {
    const Link& l = description.links[i];
    if (!(std::isfinite(l.mass) && l.mass > 0))
      add(i, "mass", "found " + number_text(l.mass) + " kg, must be above 0");
    if (!is_finite(l.centre)) add(i, "centre", "found " + vec_text(l.centre) + ", must be finite");
    const Mat3& I = l.inertia;
    const double trace = I(0, 0) + I(1, 1) + I(2, 2);
    double unsymmetric = 0, largest = 0;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        unsymmetric = std::fmax(unsymmetric, std::fabs(I(a, b) - I(b, a)));
        if (!std::isfinite(I(a, b))) largest = I(a, b);
      }
    }
    if (largest != 0) {
      add(i, "inertia", "found " + number_text(largest) + " in it, must be finite");
    } else if (!(unsymmetric <= inertia_slack * std::fabs(trace))) {
      add(i, "inertia", "must be symmetric; two entries differ by " + number_text(unsymmetric) + " kg m^2");
    } else if (trace != 0) {  // all zero: a point mass
      Mat3 second = Mat3::diagonal((0.5 + inertia_slack) * trace * Vec3{1, 1, 1});
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) second(a, b) -= I(a, b);
      if (!semidefinite(second))
        add(i, "inertia",
            "no mass distribution has it: a principal moment is negative or above the sum of "
            "the other two (diagonal " +
                vec_text({I(0, 0), I(1, 1), I(2, 2)}) + " kg m^2)");
    } else if (I != Mat3{}) {
      add(i, "inertia", "no mass distribution has it: its diagonal is 0, other entries are not");
    }
  }

  void list(std::size_t i, const char* field, const std::vector<double>& values) {
    if (values.empty()) return;
    const JointKind kind = description.links[i].joint;
    const auto n = std::size_t(dof_count(kind));
    if (values.size() != n) {
      add(i, field,
          "has " + std::to_string(values.size()) + " numbers, must have none or " + std::to_string(n) +
              ", one for each velocity of a " + name_of(kind) + " joint");
      return;
    }
    for (const double x : values)
      if (!(std::isfinite(x) && x >= 0)) add(i, field, "found " + number_text(x) + ", must be 0 or more");
    if (kind != JointKind::spherical && kind != JointKind::free) return;
    if (values[n - 1] != values[n - 2] || values[n - 1] != values[n - 3])
      add(i, field, "the three values of a rotation in space must be equal");
  }
  void rest(std::size_t i) {
    const Link& l = description.links[i];
    if (l.rest.empty()) return;
    const auto n = std::size_t(coordinate_count(l.joint));
    if (l.rest.size() != n) {
      add(i, "rest",
          "has " + std::to_string(l.rest.size()) + " numbers, must have none or " + std::to_string(n) +
              ", as the coordinates of a " + name_of(l.joint) + " joint");
      return;
    }
    for (const double x : l.rest)
      if (!std::isfinite(x)) add(i, "rest", "found " + number_text(x) + ", must be finite");
    if (l.joint != JointKind::spherical && l.joint != JointKind::free) return;
    const double* p = l.rest.data() + n - 4;
    const double length = std::sqrt(norm2(Quat{p[0], p[1], p[2], p[3]}));
    if (!(std::fabs(length - 1) <= quaternion_slack))
      add(i, "rest", "its quaternion has length " + number_text(length) + ", must be 1 (within 1e-6)");
  }
};

}  // namespace

std::vector<Mistake> validate(const Description& description) {
  Checker check{description};
  if (!is_finite(description.gravity))
    check.mistakes.push_back(
        {{}, 0, 0, "gravity", "found " + vec_text(description.gravity) + ", must be finite"});
  check.names();
  check.parents();
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    const Link& l = description.links[i];
    check.placement(i);
    check.mass(i);
    check.list(i, "stiffness", l.stiffness);
    check.list(i, "damping", l.damping);
    check.list(i, "armature", l.armature);
    check.rest(i);
  }
  return std::move(check.mistakes);
}

}  // namespace stiction::tree
