// The geometrically implicit step as one mixed complementarity problem: velocities, impulses and the closest
// points at the end of the step are its unknowns together, so that nothing of the geometry is linearised.
//
//     M (nu+ - nu) = sum W+ p + h f - h (0, w x J w)            M, J and the gyroscopic torque at the start
//     x+ = x + h v+,   R+ = cayley(h w+) R
//     the closest-point equations of each pair at q+            see below
//     0 <= p_n _|_ n.(a1 - a2) >= 0
//     y = P(y - rho E u_f),  p_f = E y                          P: onto the ball of radius mu p_n
//
// For a pair of bodies f(x) <= 0 and g(x) <= 0: a1 on f, a2 on g, n out of g at a2, (n, t, o) a frame; t is
// along the grain of a surface, or along the coordinate axis that is least along n. u_f: two slip speeds and
// the spin about n; E = diag(e_t, e_o, e_r) makes the set of friction an ellipsoid, |E^-1 p_f| <= mu p_n;
// e_r [m] = 0 leaves the spin alone. Closest points: t.(a1 - a2) = o.(a1 - a2) = 0, and
//
//     both have one face   n = grad g / |grad g| at a2,  g(a2) = 0,  t.grad f = o.grad f = 0,  f(a1) = 0
//     f has several        n = grad g / |grad g| at a2,  g(a2) = 0,
//                          n + sum l_i grad f_i(a1) = 0,  0 <= l_i _|_ -f_i(a1) >= 0
//     g has several        n + sum l_i grad f_i(a1) = 0,  0 <= l_i _|_ -f_i(a1) >= 0,
//                          n - sum k_j grad g_j(a2) = 0,  0 <= k_j _|_ -g_j(a2) >= 0,  n.n = 1
//
// Edges, rims, corners and faces are patterns of l and k. In the last form n is an unknown of its own: at an
// edge of g it is no gradient, and the direction of a1 - a2 would be lost where they touch. Bodies being
// convex, its roots are the closest points and nothing else. Where a face or an edge lies on a face, a1 and
// a2 are free in it and the problem puts them at the centre of pressure; one point then bears all of the
// friction, which resists spin by e_r alone. Where two corners meet, or two edges lie along each other, n is
// not unique either, and one is found. Impulses are divided by the mean mass, so that all unknowns are
// lengths or speeds; the Jacobian is exact (math/dual.h on value, gradient and Hessian of faces).
//
// A root may be that of two surfaces that touch from inside, or of a body that went through another: each is
// checked against closest_points() at its end and refused where that finds an overlap, and where the kinetic
// energy is twice that of the free motion. The solver is a semismooth Newton method from several starts, then
// the policy of complementarity/nonlinear. It allocates. It fails at the apex of a cone, which has no
// gradient. Reference: N. Chakraborty, S. Berard, S. Akella, J. Trinkle (2007), An implicit time-stepping
// method for multibody systems with intermittent contact, Equations 9 to 11 and, corrected, 19 to 22.
#pragma once

#include <string>
#include <vector>

#include "stiction/geometry/convex.h"

namespace stiction::step {

struct ImplicitBody {
  const Convex* shape = nullptr;  // without rounding
  double mass = 0;                // [kg] 0: it does not move
  Vec3 inertia{};                 // [kg m^2] about the centre of mass, body axes
  Vec3 position{};                // [m] of the centre of mass
  Quat orientation{};
  Vec3 velocity{}, spin{};                // [m/s], [rad/s] world
  Vec3 force{}, torque{};                 // [N], [N m] applied, about the centre of mass
  Vec3 likely_velocity{}, likely_spin{};  // of the end of the step; read with ImplicitSettings::likely
};

/// One pair of bodies. What follows `known` is the solution of the last step and the start of the next.
struct ImplicitContact {
  int f = -1, g = -1;                  // bodies
  double mu = 0;                       // [-]
  Vec3 extent{1, 1, 0};                // e_t, e_o [-], e_r [m]: of the friction ellipsoid
  Vec3 grain{};                        // [-] body axes, any length: the direction of e_t; 0: none
  bool grain_of_f = false;             // whose it is; else g's
  bool known = false;                  // the rest is that of the last step
  Vec3 point_f{}, point_g{};           // [m] closest points
  Vec3 normal{};                       // [-] out of g
  double normal_impulse = 0;           // [N s] on f
  Vec3 friction{};                     // [N s] on f, world axes
  double spin_impulse = 0;             // [N m s] on f, about the normal
  Vec3 slip{};                         // [m/s] of f against g, world axes
  double spin_slip = 0;                // [rad/s] about the normal
  double gap = 0;                      // [m]
  std::vector<double> multiplier{};    // [-] l_i; empty where both have one face
  std::vector<double> multiplier_g{};  // [-] k_j; empty where g has one face
};

struct ImplicitSystem {
  std::vector<ImplicitBody> bodies;
  std::vector<ImplicitContact> contacts;
};

/// Friction as a projection, or as the paper has it: e_k^2 mu p_n u_k + p_k s = 0, 0 <= s _|_ mu^2 p_n^2 -
/// |E^-1 p_f|^2 >= 0, whose Jacobian is singular where contacts are open. Both have the same solutions.
enum class FrictionRows : unsigned char { projection, multiplier };

struct ImplicitSettings {
  double h = 0.01;           // [s] > 0
  double tolerance = 1e-11;  // [m, m/s] on the natural map; > 0; round-off over h is near 1e-13
  FrictionRows rows = FrictionRows::projection;
  bool likely = false;   // begin with likely velocities and with the impulses that contacts have
  bool thorough = true;  // false: a help beside another way, that gives up where some ten iterations of
                         // Newton's method from each start lead nowhere
};

struct ImplicitReport {
  bool solved = false;
  int starts = 0;        // [-] tried
  int iterations = 0;    // [-] of Newton's method, all starts together
  double residual = -1;  // [m, m/s]
};

/// Why a pair cannot be taken; empty = it can.
std::string fault_of(const ImplicitSystem& s);

/// One step. Where it is not solved the system is as before.
ImplicitReport implicit_contact_step(const ImplicitSettings& settings, ImplicitSystem& s);

/// [J] of the bodies that move.
double kinetic_energy(const ImplicitSystem& s);

}  // namespace stiction::step
