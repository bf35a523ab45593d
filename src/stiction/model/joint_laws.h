// Laws of joints that are no smooth forces, as the step needs them: see compile_laws.cpp.
#pragma once

#include <variant>

#include "stiction/constraints/rows.h"
#include "stiction/constraints/velocity_rows.h"

namespace stiction {

/// What binds velocities, and for rolling a height.
using ModelVelocityRows = std::variant<constraints::RollingBall, constraints::RollingDisc,
                                       constraints::KnifeEdge, constraints::Pfaffian>;

/// What acts between the two sides of a joint along one of the coordinates c that it leaves free. The
/// coordinate is one of a tree (`dof`, `place`), or a row between two bodies. Laws of velocities have no
/// coordinate, only the rate of one.
struct ModelLaw {
  enum class Kind : unsigned char {
    lower,     // c >= bound
    upper,     // c <= bound
    friction,  // |force| <= most, against the motion
    motor,     // |force| <= most, towards a speed or a place
    hold,      // c = bound: a row of a constraint joint on a link of a tree; the height of what rolls
    gear,      // c + ratio c' = bound, c' of the law `partner`
    slip,      // rate + bound = 0
    follow,    // none: a coordinate that a gear needs
  };
  Kind kind = Kind::friction;
  int joint = -1;            // of Scene::joints
  int coordinate = 0;        // of the joint
  double bound = 0;          // [m, rad] limits, what holds; [m/s] slip
  double restitution = 0;    // [-] limits
  double most = 0;           // [N, N m] friction, motor
  bool to_position = false;  // motor
  double target = 0;         // [m/s, rad/s] or [m, rad] motor
  double fastest = 0;        // [m/s, rad/s] motor to a place
  double ratio = 0;          // [-, m/rad, rad/m] gear
  int partner = -1;          // gear: a law of the model
  double size = 1;           // [m] angles: what makes impulses and speeds those of contacts; lengths: 1
  double extent = 1;         // [m, rad] what violations are held against

  int link = -1, dof = -1, place = -1;  // trees: link, velocity and position coordinate
  int constraint = -1;                  // of ModelMechanisms; -1 = none of them
  int a = -1, b = -1;                   // bodies; -1 = the world
  constraints::Row row{};
  int velocity = -1;  // of Model::velocity_rows; -1 = `row` says it
  int which = 0;      // of their rows: two along the plane and one across it for what rolls

  bool is_limit() const { return kind == Kind::lower || kind == Kind::upper; }
  /// Whether a place is held, with a force of any size.
  bool holds() const { return kind == Kind::hold || kind == Kind::gear; }
  /// Whether something is held so, a place or a velocity.
  bool binds() const { return holds() || kind == Kind::slip; }
  bool of_constraint() const { return kind == Kind::hold && velocity < 0; }
  bool of_tree() const { return dof >= 0; }
};

}  // namespace stiction
