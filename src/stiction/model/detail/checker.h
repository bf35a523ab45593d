// What the checks of a scene share: a list of mistakes, and single values, names and tables looked at.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stiction/base/text.h"
#include "stiction/model/scene.h"

namespace stiction::detail {

// Unit quaternions may miss length 1 by this much (numbers typed with seven digits) and are then normalised.
inline constexpr double quaternion_slack = 1e-6;
// Motion out of a planar joint's plane, over the speed: round-off of normals and components given in
// decimals.
inline constexpr double planar_slack = 1e-9;

inline std::string vec_text(const Vec3& v) {
  return "[" + number_text(v.x) + ", " + number_text(v.y) + ", " + number_text(v.z) + "]";
}

/// What a joint's limits, motor and friction are for.
struct LawPlaces {
  std::string path{}, joint{};  // of the joint, and its name with an article
  std::size_t count = 0;        // [-] coordinates that they may be for
  bool only_limits = false;
  bool has_swing = false;
};

struct Checker {
  const Scene& scene;
  std::vector<Mistake> mistakes{};
  std::map<std::string, const BodyDescription*> bodies{};
  std::vector<std::string> body_names{}, surface_names{};
  std::map<std::string, std::string> joint_of{};  // of a body

  void add(std::string path, std::string message) {
    mistakes.push_back({{}, 0, 0, std::move(path), std::move(message)});
  }

  // --- single values
  bool finite(const std::string& path, double x) {
    if (std::isfinite(x)) return true;
    add(path, "found " + number_text(x) + ", must be a finite number");
    return false;
  }
  bool finite(const std::string& path, const Vec3& v) {
    if (is_finite(v)) return true;
    add(path, "found " + vec_text(v) + ", must be three finite numbers");
    return false;
  }
  bool positive(const std::string& path, double x, const char* unit) {
    if (std::isfinite(x) && x > 0) return true;
    add(path, "found " + number_text(x) + ", must be above 0" + unit);
    return false;
  }
  bool not_negative(const std::string& path, double x, const char* unit) {
    if (std::isfinite(x) && x >= 0) return true;
    add(path, "found " + number_text(x) + ", must be 0" + unit + " or more");
    return false;
  }
  bool direction(const std::string& path, const Vec3& v) {
    if (!finite(path, v)) return false;
    const double length = norm(v);
    if (length > 0 && std::isfinite(length)) return true;
    add(path, "found " + vec_text(v) + ", a direction needs a length above 0");
    return false;
  }
  void rotation(const std::string& path, const Quat& q) {
    const std::string found = "found [" + number_text(q.w) + ", " + number_text(q.x) + ", " +
                              number_text(q.y) + ", " + number_text(q.z) + "]";
    const double length = std::sqrt(norm2(q));
    if (!is_finite(q) || !(length > 0)) {
      add(path, found + ", must be a unit quaternion [w, x, y, z]");
    } else if (!(std::fabs(length - 1) <= quaternion_slack)) {
      add(path, found + " of length " + number_text(length) +
                    ", must be a unit quaternion [w, x, y, z] (length 1 within 1e-6)");
    }
  }
  void increasing(const std::string& path, const std::vector<double>& time) {
    for (std::size_t i = 0; i < time.size(); ++i) {
      const std::string place = path + "." + std::to_string(i);
      if (!finite(place, time[i])) return;
      if (i > 0 && !(time[i] > time[i - 1])) {
        add(place, "found " + number_text(time[i]) + " after " + number_text(time[i - 1]) +
                       ", times must increase from row to row");
        return;
      }
    }
  }
  template <class T>
  void rows(const std::string& path, const std::vector<T>& column, std::size_t expected) {
    if (column.size() == expected) return;
    add(path, "found " + std::to_string(column.size()) + (column.size() == 1 ? " row" : " rows") +
                  ", must be as many as `time` has (" + std::to_string(expected) + ")");
  }
  void finite_rows(const std::string& path, const std::vector<Vec3>& column) {
    for (std::size_t i = 0; i < column.size(); ++i) finite(path + "." + std::to_string(i), column[i]);
  }

  // --- names
  void name(const std::string& list, const std::string& found, std::set<std::string>& seen) {
    const std::string path = list + "." + found;
    if (found.empty()) {
      add(list, "found an empty name, every entry needs one");
      return;
    }
    if (!seen.insert(found).second) add(path, "the name \"" + found + "\" is used twice");
    bool fine = found.front() != '.' && found.back() != '.' && found.front() != '$';
    for (const char c : found) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '_' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80;
      fine = fine && letter;
    }
    if (!fine) {
      add(path, "found the name \"" + found + "\", names are made of letters, digits, _, - and inner dots");
    }
  }
  const BodyDescription* body(const std::string& path, const std::string& wanted) {
    const auto found = bodies.find(wanted);
    if (found != bodies.end()) return found->second;
    if (wanted.empty()) {
      add(path, "no body is named here, one is needed");
    } else {
      add(path, "there is no body \"" + wanted + "\"" + did_you_mean(wanted, body_names));
    }
    return nullptr;
  }
  void surface(const std::string& path, const std::string& wanted) {
    for (const std::string& known : surface_names) {
      if (known == wanted) return;
    }
    add(path, "there is no surface \"" + wanted + "\"" + did_you_mean(wanted, surface_names));
  }

  void index_names();
  void check_coefficients(const std::string& path, double friction, std::optional<double> kinetic,
                          std::optional<double> along);
  void check_surface(const std::string& path, const SurfaceDescription& s);
  void check_surfaces();
  void check_softness(const std::string& path, const SurfaceDescription& s);
  void check_one_softness();
  void check_restitution(const std::string& path, double e, bool gives_way);
  void check_tangential(const std::string& path, double e_t, bool is_superball);
  void check_body_surface(const std::string& path, const BodyDescription& b);
  void check_shape(const std::string& path, const Shape& shape);
  void check_compound(const std::string& path, const CompoundShape& shape);
  void check_body(const std::string& path, const BodyDescription& b);
  void check_mass(const std::string& path, const BodyDescription& b);
  void check_motion(const std::string& path, const BodyDescription& b);
  void check_joints();
  void check_planar(const std::string& name, const PlanarJoint& planar);
  void check_joint(const std::string& name, const CoordinateJoint& joint);
  void check_laws(const LawPlaces& of, const JointLimits& limits, const JointMotor& motor,
                  const std::vector<double>& friction);
  void check_constraint(const std::string& name, const ConstraintJoint& joint);
  void check_gear(const std::string& name, const GearJoint& gear);
  void check_gear_loops();
  void check_geared(const std::string& path, const std::string& joint, int coordinate);
  /// Whether the two bodies of a joint are there, and one of them is moved by forces.
  bool check_pair(const std::string& path, const std::string& wanted, const std::string& parent, bool turns);
  void check_rolling(const std::string& name, const RollingJoint& joint);
  void check_knife_edge(const std::string& name, const KnifeEdgeJoint& joint);
  void check_pfaffian(const std::string& name, const PfaffianJoint& joint);
  void check_softness(const std::string& path, const ConstraintJoint& joint);
  void check_curve(const std::string& path, const ConstraintJoint& joint);
  void check_joint_numbers(const std::string& path, const CoordinateJoint& joint);
  void check_joint_forces(const std::string& path, const CoordinateJoint& joint);
  void check_cycles();
  /// The body of a joint, if it can have one and has none yet; else a mistake and null.
  const BodyDescription* jointed_body(const std::string& path, const std::string& joint,
                                      const std::string& wanted, const std::string& kind);
  void check_spring(const std::string& path, const SpringDamper& s);
  void check_drag(const std::string& path, const Drag& d);
  void check_wrench(const std::string& path, const Wrench& w);
  void check_torsion(const std::string& path, const TorsionSpring& t);
  void check_magnus(const std::string& path, const Magnus& m);
  void check_bodies(const std::string& path, const std::vector<std::string>& patterns);
  void check_gravitation(const std::string& path, const Gravitation& g);
  void check_lennard_jones(const std::string& path, const LennardJones& l);
  void check_force(const std::string& path, const ForceDescription& force);
};

/// Velocities and spins of links that are not those of their joints, in a scene that is valid otherwise.
std::vector<Mistake> check_links(const Scene& scene);

}  // namespace stiction::detail
