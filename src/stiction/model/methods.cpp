#include "stiction/model/methods.h"

#include <array>
#include <vector>

namespace stiction {
namespace {

using Contact = MethodTraits::Contact;
using Counts = MethodTraits::Counts;
using Stabilisations = MethodTraits::Stabilisations;
using Surfaces = MethodTraits::Surfaces;

/// All that a step with contacts can do with joints.
constexpr MethodTraits with_all_joints(MethodTraits t) {
  t.constraints = t.laws = t.couplings = t.soft_joints = true;
  return t;
}
/// One problem for impulses a step.
constexpr MethodTraits of_impulses(MethodTraits t) {
  t.surfaces = Surfaces::one_coefficient_or_grain, t.stabilisation = Stabilisations::post_or_none;
  t.gaps = t.joints = Counts::with_post, t.energy = false;
  return with_all_joints(t);
}

constexpr std::array<MethodTraits, 15> table{
    with_all_joints({.method = Method::coulomb,
                     .word = "coulomb",
                     .about = "exact quadratic Coulomb cone, gaps at the end of the step (default)",
                     .contact = Contact::round,
                     .restitution = true,
                     .sleep = true,
                     .joints = Counts::yes}),
    {.method = Method::explicit_euler,
     .word = "explicit_euler",
     .about = "smooth motion: forces and velocities of the start; gains energy"},
    {.method = Method::semi_implicit_euler,
     .word = "semi_implicit_euler",
     .about = "smooth motion: new velocities move the bodies; order 1"},
    {.method = Method::implicit_euler,
     .word = "implicit_euler",
     .about = "smooth motion: linearised at the start; order 1, loses energy",
     .trees = false},
    {.method = Method::velocity_verlet,
     .word = "velocity_verlet",
     .about = "smooth motion: half kick, free motion, half kick; order 2"},
    {.method = Method::rk4, .word = "rk4", .about = "smooth motion: classical Runge-Kutta; order 4"},
    {.method = Method::variational,
     .word = "variational",
     .about = "smooth motion: Lie-group, from a discrete action; order 2, no energy drift"},
    {.method = Method::spook,
     .word = "spook",
     .about = "smooth motion with constraints: regularised and relaxed; order 1",
     .constraints = true},
    {.method = Method::cline_pai,
     .word = "cline_pai",
     .about = "smooth motion with constraints: velocities, then post-stabilisation; order 1",
     .constraints = true,
     .stabilisation = Stabilisations::any,
     .joints = Counts::with_post},
    {.method = Method::rk4_projected,
     .word = "rk4_projected",
     .about = "smooth motion with constraints: Runge-Kutta, then places and velocities projected; order 4",
     .constraints = true,
     .joints = Counts::yes},
    [] {
      MethodTraits t = of_impulses(
          {.method = Method::stewart_trinkle,
           .word = "stewart_trinkle",
           .about = "contact: polyhedral cones, gaps at the predicted place; linear, or nonlinear by a fixed "
                    "point",
           .contact = Contact::corners,
           .nonlinear = true});
      t.gaps = Counts::with_post_or_nonlinear;
      return t;
    }(),
    of_impulses({.method = Method::anitescu_potra,
                 .word = "anitescu_potra",
                 .about = "contact: polyhedral cones, velocities, gaps of what arrives; linear (always has a "
                          "solution) or nonlinear",
                 .contact = Contact::corners,
                 .nonlinear = true}),
    of_impulses({.method = Method::moreau_jean,
                 .word = "moreau_jean",
                 .about = "contact: exact cones, velocities alone, theta method for positions",
                 .contact = Contact::round,
                 .restitution = true}),
    with_all_joints({.method = Method::implicit_geometry,
                     .word = "implicit_geometry",
                     .about = "exact Coulomb cone, gaps and contact frames of the end of the step; order 1",
                     .contact = Contact::round,
                     .joints = Counts::yes,
                     .energy = false}),
    {.method = Method::event_driven,
     .word = "event_driven",
     .about = "contact: impacts located in time, Runge-Kutta between them; lasting contacts held",
     .contact = Contact::round,
     .restitution = true,
     .surfaces = Surfaces::one_coefficient},
};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (std::size_t(table[i].method) != i) return false;
  return true;
}
static_assert(is_in_order() && table.size() == std::size_t(Method::event_driven) + 1);

}  // namespace

std::span<const MethodTraits> method_traits() { return table; }
const MethodTraits& traits_of(Method method) { return table[std::size_t(method)]; }

std::string methods_that(bool (*can)(const MethodTraits&), const char* last) {
  std::vector<std::string> found;
  for (const MethodTraits& t : table)
    if (can(t)) found.push_back("\"" + std::string(t.word) + "\"");
  std::string out;
  for (std::size_t i = 0; i < found.size(); ++i)
    out += (i == 0 ? "" : i + 1 == found.size() ? last : ", ") + found[i];
  return out;
}

}  // namespace stiction
