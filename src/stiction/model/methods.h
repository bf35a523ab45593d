// What each method can do: one table, one line for each. What a method refuses, what counts against the
// tolerance and what `stiction list methods` says follow from it; docs/methods.md shows it.
#pragma once

#include <span>
#include <string>

namespace stiction {

enum class Method : unsigned char {
  coulomb,
  explicit_euler,
  semi_implicit_euler,
  implicit_euler,
  velocity_verlet,
  rk4,
  variational,
  spook,
  cline_pai,
  rk4_projected,
  stewart_trinkle,
  anitescu_potra,
  moreau_jean,
  implicit_geometry,
  event_driven,
};

struct MethodTraits {
  enum class Contact : unsigned char {
    none,     // for scenes in which nothing can touch
    round,    // Coulomb's cone
    corners,  // a polyhedral one
  };
  enum class Surfaces : unsigned char {
    all,
    one_coefficient_or_grain,  // no other coefficients, no resistance to spin and rolling, nothing gives way
    one_coefficient,           // nor a grain
  };
  enum class Stabilisations : unsigned char {
    fixed,         // nothing to choose
    post_or_none,  // of overlap
    any,           // of joints
  };
  enum class Counts : unsigned char {  // against the tolerance
    no,
    yes,
    with_post,
    with_post_or_nonlinear,
  };

  Method method = Method::coulomb;
  const char* word = "";   // what run.method says
  const char* about = "";  // one line for users
  Contact contact = Contact::none;
  bool restitution = false;  // of surfaces
  Surfaces surfaces = Surfaces::all;
  bool trees = true;         // joints with coordinates
  bool constraints = false;  // joints that hold by forces
  bool laws = false;         // limits, motors and friction of joints
  bool couplings = false;    // gears, what binds velocities, constraints on links of trees
  bool soft_joints = false;  // constraints that give way, have springs, or break
  Stabilisations stabilisation = Stabilisations::fixed;
  bool nonlinear = false;  // run.nonlinear
  bool sleep = false;
  Counts gaps = Counts::yes, joints = Counts::no;
  bool energy = true;  // what contacts add counts

  bool handles_contact() const { return contact != Contact::none; }
};

/// In the order of the enum, which is that of the words.
std::span<const MethodTraits> method_traits();
const MethodTraits& traits_of(Method method);

/// `"coulomb", "moreau_jean" or "event_driven"`: the methods of which it is true.
std::string methods_that(bool (*can)(const MethodTraits&), const char* last = " or ");

}  // namespace stiction
