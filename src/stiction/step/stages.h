// The stages of a step. Each reads const inputs and writes one group of the Workspace; the step files put
// them in order. Symbols: h step [s]; M mass matrix; v velocities; r impulses; q positions and orientations.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "stiction/step/trees.h"
#include "stiction/step/workspace.h"

namespace stiction::step {

/// Bodies after `time` [s] with the velocities of the State, which they keep; trees and mechanisms where they
/// are, at rest.
void predict(const Model& m, const State& x, double time, const Carry& by, Motions& out);
/// Springs, drags, wrenches and inputs -> w.applied and their sums per body. With w.carry.theta below 1 at
/// the poses (1 - theta) h later.
void sum_forces(const Model& m, const State& x, const Input& in, double h, Workspace& w);

/// w.free: v + h M^-1 f, q advanced with it; prescribed motion of kinematic bodies.
void free_motion(const Model& m, const State& x, double h, Workspace& w);
/// The same for one body, whatever joins it to others.
void move_alone(const Model& m, const State& x, double h, std::size_t i, Workspace& w);

/// Bodies of the free motion to where w.carry puts them.
void carry_free(const Model& m, const State& x, double h, Workspace& w);

/// Pairs that may touch while no body's surface moves further than w.reach -> w.pairs.
void first_reach(const Model& m, const State& x, double h, Workspace& w);
void detect_pairs(const Model& m, const State& x, Workspace& w);

inline void sort_by_key(std::vector<WorkContact>& contacts) {
  std::sort(contacts.begin(), contacts.end(),
            [](const WorkContact& l, const WorkContact& r) { return l.point.key < r.point.key; });
}

/// Contacts of w.pairs at the start of the step, with laws and the last step's impulses (by key) ->
/// w.contacts.
void detect_contacts(const Model& m, const State& x, double h, double tolerance, Workspace& w);
/// More pairs after w.reach grew -> w.pairs; their contacts, as they are at the start, beside those of
/// w.contacts.
void widen_pairs(const Model& m, const State& x, double h, double tolerance, Workspace& w);
/// Contacts of pairs that State::contacts has and that w.rest_through lets stay, at the start of the step,
/// without their impulses -> w.resting.
void detect_resting_contacts(const Model& m, const State& x, Workspace& w);
/// The same at the poses of w.next, with the impulses of w.contacts -> w.end_contacts.
void detect_end_contacts(const Model& m, Workspace& w);
/// w.end_contacts, found at these poses before, with the impulses of w.contacts.
void renew_impulses(Workspace& w);
/// Contacts that pressed in a frame that the end of the step does not have (features that are gone, frames
/// that were held), as they were found -> w.end_contacts.
void list_what_pressed(const Model& m, double h, Workspace& w);
/// Frames of lasting contacts at the poses halfway from the State to w.next -> w.end_contacts, whose gaps
/// stay those of the end.
void take_middle_frames(const Model& m, const State& x, Workspace& w);

/// Contacts of w.contacts that keep their features: those that are held, and those that press and whose
/// features are gone from w.end_contacts; as they are at the poses of w.next -> w.kept_frames.
void move_kept_frames(const Model& m, const State& x, Workspace& w);
/// One of them; null if there is none.
const WorkContact* kept_frame(const ContactKey& key, const Workspace& w);
/// [m] what w.end_contacts has nearest to it, of the same pair: a frame that went along may touch where the
/// surfaces, which curve away from it, do not. At least the reach, where nothing of the pair is in it.
double gap_found(const WorkContact& kept, const Workspace& w);
/// Whether a contact can keep its features at another pose (contacts of links and those that give way keep
/// the frame that they were found in).
bool goes_along(const Model& m, const WorkContact& c, const Workspace& w);
/// The contact, found at w.base, with its features at w.next. `found`: contacts of its pair there.
WorkContact moved_along(const Model& m, const State& x, const WorkContact& c,
                        std::span<const WorkContact> found, const Workspace& w);

/// Contacts that carry an impulse (of the last step or pass), overlap, or that free motion closes or leaves
/// nearer than a quarter of the pair's reaches -> in_problem; of trees that still move by stages only those
/// that it closes. Returns how many there are.
int choose_contacts(const Model& m, double h, Workspace& w);
/// Adds contacts that the candidate velocities, as certify() sees them, would violate; returns how many were
/// added.
int add_violated_contacts(const Model& m, double h, double tolerance, Workspace& w);

/// Blocks, islands and rows -> w.problem; M and v_free at the candidate pose.
void assemble(const Model& m, const State& x, double h, Workspace& w);
/// No problem any more: its bodies move freely.
void release_bodies(const Model& m, Workspace& w);
/// Method implicit_geometry: velocities of w.next, those of a pass, half the way back to those of w.base;
/// where passes are `stuck`, mixed with those of the pass before.
void mix_passes(const Model& m, bool stuck, Workspace& w);
/// Which contacts stay as they are where their frames do not settle or their features flip, so that all of
/// them hold: those of bodies that rest, to the tolerance, or in late passes all that press; or only those
/// that press and whose features are gone.
enum class Hold : unsigned char { nothing, gone, resting, all };
/// [-] Motions below it change a surface by the tolerance at most: to the second order.
inline double least_motion(double tolerance) { return std::sqrt(tolerance); }
/// Poses of w.next become those of the problem: end contacts -> contacts, velocities -> w.base.
void linearise_at_end(const Model& m, const State& x, double h, double tolerance, Hold hold, Workspace& w);
/// Some contact was solved and judged in a frame that is not that of the end of the step.
bool has_kept_frames(double tolerance, Workspace& w);

/// Method implicit_geometry: the velocities of the end of the step by Newton's method on all of its equations
/// (implicit_contact.h) -> w.next velocities. False, and nothing done, where bodies or pairs are not known
/// or no solution was found. Allocates.
bool polish_velocities(const Model& m, const State& x, double h, Workspace& w);

/// Islands whose contacts were at rest and slide in the solution w.r: impulses that hold them, where there
/// are some. Allocates where it has to look for them.
void hold_what_rests(const State& x, double h, double tolerance, const complementarity::SolveSettings& how,
                     Workspace& w);

/// v+ and impulses of the last solution -> w.next velocities, w.contacts impulses.
void apply_impulses(const Model& m, Workspace& w);
/// q+ = q advanced with v+, as w.carry says -> w.next poses. False if a body moved further than w.reach
/// (which then grows).
bool advance(const Model& m, const State& x, double h, Workspace& w);

/// WorkContact::bears of w.end_contacts: which gaps are to be closed. Of features of a pair that lie in one
/// place, as a point of a rim that is fixed to the body and the lowest one beside it, only the lowest can
/// touch: it bears what the others carry.
void find_bearing(Workspace& w);

/// Certificate of w.next with w.end_contacts detected at its poses; overlap that was there at the start of
/// the step does not count. certify_gaps() takes all overlap in again, after stabilise().
void certify(const Model& m, double h, double tolerance, Workspace& w);
/// The same, with the gaps of their planes for contacts whose features are gone: for shortest parts, which
/// settle so or not at all. Where they are no longer where they touch, solve_at_stabilised finds the contacts
/// anew.
void certify_by_planes(const Model& m, double h, double tolerance, Workspace& w);
void certify_gaps(const Model& m, double tolerance, Workspace& w);
/// The same with the contact frames that the problem was solved with, of all contacts or of those that were
/// chosen for the problem.
enum class Judged : unsigned char { all, chosen };
void certify_at_start(const Model& m, double h, double tolerance, Workspace& w, Judged which = Judged::all);
/// The same for polyhedral cones: the natural map is `residual`, that of the problem as it was solved.
void certify_polyhedral(const Model& m, double h, double tolerance, double residual, Workspace& w);

/// Removes overlap that is left at w.next, and in its first pass closes pressed contacts that came apart, by
/// mass-weighted position changes; returns the passes made.
void make_room_to_stabilise(Workspace& w);
constexpr int most_stabilising = 20;
int stabilise(const Model& m, const State& x, double tolerance, Workspace& w,
              complementarity::SolveReport& solved, int most = most_stabilising);

/// Entries and totals of the ledger for the step x -> w.next.
void settle(const Model& m, const State& x, double h, Workspace& w);
/// The entries of a move of positions alone, from `end` to w.next.
void book_stabilisation(const Model& m, const State& x, const Motions& end, Workspace& w);
Totals totals_of(const Model& m, const State& x);
/// The sums over bodies for the step x -> q; also left, chunk by chunk, in w.books.
BodyBooks books_of(const Model& m, const State& x, const Motions& q, double h, Workspace& w);

/// Nothing when every number of the ledger stays finite with these entries and totals; else the body whose
/// energy or momentum is not, or -1 where no body alone is.
std::optional<int> not_bookable(const Model& m, const State& x, const Workspace& w);

/// Copies w.next into the State: its only writer, but for impacts.cpp.
void accept(const Model& m, double h, Workspace& w, State& x);

// shared by the stages and the step files
/// The first body whose motion is not finite, or -1.
int first_not_finite(const Motions& q);
/// A report of which nothing is missing but the outcome.
StepReport started();
StepReport refused(const char* reason, int body, StepReport r);
/// Why a step is refused whose w.stop was asked.
inline constexpr const char* asked_to_stop = "it was asked to stop";
/// Where a body with prescribed motion (or one that is fixed or gone) is at the end of a step, and its mean
/// velocity and spin in it.
void move_kinematic(const Model& m, const State& x, double h, std::size_t i, Motions& out);
/// State functions at the poses of q, whose sums over bodies are `books`.
Totals totals_at(const Model& m, const State& x, const BodyBooks& books, const Motions& q, Workspace& w);
/// [J] of springs between bodies and of joints, with bodies at q.
double spring_energy(const Model& m, const State& x, const Motions& q);
/// [J] the same, and of the contacts of w.pairs that give way.
double stored_energy(const Model& m, const State& x, const Motions& q, Workspace& w);
Mat3 world_inertia(const Vec3& diagonal, const Quat& q);
/// [N m s] -h w x J w at the start of the step; of bodies whose M stays that of the start.
Vec3 gyroscopic_impulse(const Model& m, const State& x, double h, std::size_t i);
/// [m/s] of body b against body a at the contact, for velocities v.
inline Vec3 relative_velocity(const Motions& v, const WorkContact& c) {
  const auto a = std::size_t(c.point.key.a), b = std::size_t(c.point.key.b);
  return (v.velocity[b] + cross(v.spin[b], c.arm[1])) - (v.velocity[a] + cross(v.spin[a], c.arm[0]));
}
/// [m] the end gap that the relative velocity `u` leads to, in the frame of the contact at the pose w.base.
inline double gap_in_frame(const WorkContact& c, const Vec3& u, double h, const Workspace& w) {
  const Vec3 there = c.kept ? Vec3{} : relative_velocity(w.base, c);
  return c.point.gap - c.allowed + h * dot(c.point.normal, u - there);
}
/// Linear and angular part of one row: side 0 (body a) with -1, side 1 (body b) with +1, in block
/// coordinates.
void fill_row(const Model& m, int body, const Vec3& arm, const Vec3& direction, double sign, double row[6]);
/// The same of a spin about an axis.
void fill_turn(const Model& m, int body, const Vec3& axis, double row[6]);

}  // namespace stiction::step
