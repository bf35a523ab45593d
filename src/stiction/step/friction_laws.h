// What surfaces say of a contact (model/contact_law.h), in the step.
//
// Grain: the first tangent follows it and is E = mu_along/mu_across long, so that rows made with it have
// E u_t1 for a velocity and r_t1/E for an impulse, in which the ellipse of friction is a circle.
// Slip: u_t = G_t v + belt, with what surfaces move over their bodies.
// Turning: rows of spin and rolling are e_s n and L t_k on the relative spin [rad/s], with the lever e_s of
// spin and the size L of the smaller body, so that velocities are in [m/s], impulses in [N s], and the law is
// that of a turning block (friction_problem.h) with mu for spin and rho/L for rolling.
// Coefficients: those that depend on the slip are those of v+ once the passes settle; one that jumps does so
// when a solution with the larger one slides, and stays down for the step.
#pragma once

#include "stiction/step/stages.h"

namespace stiction::step {

/// Frame and law of a contact of bodies with these orientations.
void set_law(const Model& m, std::span<const Quat> orientation, WorkContact& c);

/// What contacts of w.contacts are at the start of the step: whether they slid, and coefficients at the slip.
void start_friction(const Model& m, const State& x, WorkContact& c);

/// [m/s] along the surfaces, of b against a, where the bodies move against each other with `v`.
inline Vec3 slip_of(const WorkContact& c, const Vec3& v) {
  return v - dot(c.point.normal, v) * c.point.normal + c.belt;
}
/// [N s] The impulse in the rows of its contact.
inline Vec3 row_impulse(const WorkContact& c) {
  return {dot(c.point.normal, c.impulse), dot(c.tangent[0], c.impulse) / (c.stretch * c.stretch),
          dot(c.tangent[1], c.impulse)};
}

/// The axes of a contact's turning rows: about the normal, and across it.
struct TurningAxes {
  Vec3 unit[3];
  double lever[3];  // [m]
};
TurningAxes turning_axes(const WorkContact& c);
/// [-] the limit of rolling in its rows.
inline double rolling_limit(const WorkContact& c) { return c.rolling / c.size; }
/// [N s] The moment in the turning rows of its contact.
Vec3 row_moment(const WorkContact& c);
/// The way back: [N m s].
Vec3 moment_of_rows(const WorkContact& c, const Vec3& r);
/// [m/s] The same of a relative spin [rad/s] of the bodies.
Vec3 row_spin(const WorkContact& c, const Vec3& spin);

/// How body b moves against body a at a contact.
struct RelativeMotion {
  Vec3 velocity, spin;  // [m/s], [rad/s]
};
RelativeMotion motion_at_base(const Model& m, const WorkContact& c, const Workspace& w);
RelativeMotion motion_at_end(const Model& m, const WorkContact& c, const Workspace& w);

/// The bodies turn against each other across the normal, by more than the tolerated angle in the step.
bool rolls(const Model& m, const WorkContact& c, double h, const Workspace& w);

/// On its cone, and moving.
bool is_sliding(const WorkContact& c, const RelativeMotion& u, double h, double tolerance);

/// Coefficients at the slip that v+ leads to: of w.end_contacts, or, `at_base`, of w.contacts.
void find_friction(const Model& m, bool at_base, Workspace& w);
/// From those coefficients to the ones for the next pass. Slip falls with mu by about W r_n, W the contact's
/// inverse mass: mu' W r_n is what plain passes would go wrong by, each time, and is taken out.
void relax_friction(const Model& m, bool at_base, Workspace& w);
/// Contacts among the same that hold by the larger of two coefficients, and slide: from now on they have the
/// smaller. Returns how many there were.
int let_slide(const Model& m, double h, double tolerance, bool at_base, Workspace& w);

}  // namespace stiction::step
