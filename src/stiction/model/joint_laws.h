// Laws of joints that are no smooth forces, as the step needs them: see compile_laws.cpp.
#pragma once

#include "stiction/constraints/rows.h"

namespace stiction {

/// What acts between the two sides of a joint along one of the coordinates c that it leaves free. The
/// coordinate is one of a tree (`dof`, `place`), or a row between two bodies.
struct ModelLaw {
  enum class Kind : unsigned char {
    lower,     // c >= bound
    upper,     // c <= bound
    friction,  // |force| <= most, against the motion
    motor,     // |force| <= most, towards a speed or a place
    hold,      // c = 0: a row of a constraint joint on a link of a tree
  };
  Kind kind = Kind::friction;
  int joint = -1;            // of Scene::joints
  int coordinate = 0;        // of the joint
  double bound = 0;          // [m, rad] limits
  double restitution = 0;    // [-] limits
  double most = 0;           // [N, N m] friction, motor
  bool to_position = false;  // motor
  double target = 0;         // [m/s, rad/s] or [m, rad] motor
  double fastest = 0;        // [m/s, rad/s] motor to a place
  double size = 1;           // [m] angles: what makes impulses and speeds those of contacts; lengths: 1
  double extent = 1;         // [m, rad] what violations are held against

  int link = -1, dof = -1, place = -1;  // trees: link, velocity and position coordinate
  int constraint = -1;                  // of ModelMechanisms; -1 = none of them
  int a = -1, b = -1;                   // bodies; -1 = the world
  constraints::Row row{};

  bool is_limit() const { return kind == Kind::lower || kind == Kind::upper; }
  bool holds() const { return kind == Kind::hold; }
  bool of_tree() const { return dof >= 0; }
};

}  // namespace stiction
