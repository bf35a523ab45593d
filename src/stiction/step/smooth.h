// Methods for smooth motion: scenes in which nothing can touch. Each has a file of its own; what they share
// is here and in smooth.cpp.
#pragma once

#include <array>
#include <cmath>

#include "stiction/dynamics/rotation.h"
#include "stiction/model/choices.h"
#include "stiction/step/held_joints.h"
#include "stiction/step/stages.h"
#include "stiction/step/tree_stages.h"

namespace stiction::step {

struct SmoothSettings {
  double h = 0.01;          // [s] > 0
  double tolerance = 1e-8;  // [-] goes into the certificate, which is met where nothing touches
};

StepReport explicit_euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                               Workspace& w);
StepReport semi_implicit_euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                                    Workspace& w);
StepReport implicit_euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                               Workspace& w);
StepReport velocity_verlet_step(const Model& m, const SmoothSettings& s, const Input& in, State& x,
                                Workspace& w);
StepReport rk4_step(const Model& m, const SmoothSettings& s, const Input& in, State& x, Workspace& w);
StepReport variational_step(const Model& m, const SmoothSettings& s, const Input& in, State& x, Workspace& w);

// --- with joints that hold by impulses (held_joints.h)
StepReport spook_step(const Model& m, const SmoothSettings& s, const HeldJoints& joints, const Input& in,
                      State& x, Workspace& w);

struct ClinePaiSettings {
  SmoothSettings smooth = {};
  Stabilisation stabilisation = Stabilisation::post;  // has no parameter to choose
  double gamma = 0;                                   // [1/s] baumgarte: >= 0; stable below 2/h
  int post_passes = 0;  // [-] >= 0; post: passes after each step, 0 = until the tolerance holds
};
StepReport cline_pai_step(const Model& m, const ClinePaiSettings& s, const HeldJoints& joints,
                          const Input& in, State& x, Workspace& w);
StepReport rk4_projected_step(const Model& m, const SmoothSettings& s, const HeldJoints& joints,
                              const Input& in, State& x, Workspace& w);

// --- shared

inline bool is_link(const Model& m, std::size_t i) { return m.mobility[i] == Mobility::link; }
/// Whether forces move the body by itself: all but links, which their trees move.
inline bool moves(const Model& m, const State& x, std::size_t i) {
  return m.mobility[i] != Mobility::none && !is_link(m, i) && x.alive[i] != 0;
}

/// All of w ready for a step with this many evaluations: w.next and every stage have the state's motion,
/// w.turning its angular momenta, w.defect is zero.
void begin(const Model& m, const State& x, const Input& in, double h, int stages, Workspace& w);
/// Puts bodies with prescribed motion where they are at x.time + fraction h.
void place_prescribed(const Model& m, const State& x, double h, double fraction, const Workspace& w,
                      Motions& out);
/// Forces at the place of stage k, tables at `time` [s], times `weight` [s]; what trees do there.
void evaluate(const Model& m, const State& x, const Input& in, double time, double weight, std::size_t k,
              Workspace& w, Rate what = Rate::motion);

/// [m/s] what an impulse [N s] changes a body's velocity by; planar bodies: in their plane.
Vec3 velocity_change(const Model& m, std::size_t i, const Vec3& impulse);
/// [rad/s] spin of a body with the angular momentum L [kg m^2/s] in world axes; planar bodies: about their
/// normal; particles: none.
Vec3 spin_of(const Model& m, std::size_t i, const Quat& q, const Vec3& L);
/// The same with one correction, so that I(q) w is L to the last bit or so: otherwise the rounding of
/// quaternions makes L grow by some 1e-16 with every step.
Vec3 exact_spin_of(const Model& m, std::size_t i, const Quat& q, const Vec3& L);
/// The spin of the end of a step that began with `before`: its angular impulses sum up to `turn`, and its
/// angular momentum is L. Planar bodies keep theirs by its change: (n.L/n.I n) n has the rounding of |n| in
/// it, the same one in every step.
Vec3 spin_after(const Model& m, std::size_t i, const Quat& q, const Vec3& before, const Vec3& turn,
                const Vec3& L);
/// [kg m^2/s] I(q) w, world axes.
Vec3 turning_of(const Model& m, std::size_t i, const Quat& q, const Vec3& spin);
/// Turns q by the Cayley map of h spin.
Quat turned(const Quat& q, const Vec3& spin, double h);

/// Euler's methods: velocity and spin of w.next from the sums of one stage at the start of the step,
///     v+ = v + P/m,   w+ = w + I^-1 (T - h w x I w),   I at the start of the step.
void push_euler(const Model& m, const State& x, double h, const ForceStage& stage, Workspace& w);
/// The whole step: forces of the start, then motion with the velocities and spins of the start or of the end.
enum class Carrying : unsigned char { start, end };
StepReport euler_step(const Model& m, const SmoothSettings& s, const Input& in, State& x, Workspace& w,
                      Carrying carrying);
/// ... and what I(q+) w+ then has more than I(q) w + T: -h w x I w + (I(q+) - I(q)) w+ -> w.defect.
void book_euler_defect(const Model& m, const State& x, double h, Workspace& w);

// Runge-Kutta's stages (rk4.cpp): their shares of the step, where in it they are.
inline constexpr std::array<double, 4> rk4_weight{1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
inline constexpr std::array<double, 4> rk4_node{0, 0.5, 0.5, 1};
/// Where stage k is, from the slopes of the stage before.
void place_rk4_stage(const Model& m, const State& x, double h, std::size_t k, Workspace& w);
/// The end, from all four.
void finish_rk4(const Model& m, const State& x, double h, Workspace& w);
/// All of it: from x over h -> w.next and its stages.
void move_by_rk4(const Model& m, double h, const Input& in, const State& x, Workspace& w);

using Rotation = RotationStep (*)(const Vec3& inertia, const Quat& q, const Vec3& spin, double h);
/// Half the impulses, motion without forces, the other half; bodies turn as `rotate` says.
/// Trees drift variationally or by Runge-Kutta.
StepReport kick_drift_kick(const Model& m, const SmoothSettings& s, const Input& in, State& x, Workspace& w,
                           Rotation rotate, bool variational);

// --- trees (trees_smooth.cpp)
void begin_trees(const Model& m, const State& x, const Input& in, Workspace& w);
/// Rates of stage k, whose forces on links are known.
void evaluate_tree_stage(const Model& m, double time, Rate what, std::size_t k, Workspace& w);
void place_runge_kutta_trees(const Model& m, const State& x, double h, std::size_t k, Workspace& w);
void finish_runge_kutta_trees(const Model& m, double h, Workspace& w);
void move_trees_by_euler(const Model& m, const State& x, double h, Carrying carrying, Workspace& w);
/// The first kick and the drift of trees; where it found none, a reason and a body.
struct TreeDrift {
  const char* reason = nullptr;
  int body = -1;
};
TreeDrift drift_between_kicks(const Model& m, double h, bool variational, Workspace& w);
void kick_trees_at_end(const Model& m, double h, Workspace& w);
/// Means and sums over the stages, before works on links are booked; then the books of the trees.
void sum_tree_books(const Model& m, const State& x, Workspace& w);
void book_tree_stages(const Model& m, Workspace& w);

/// The entries of the ledger for x -> w.next, from the stages.
void settle_smooth(const Model& m, const State& x, double h, Workspace& w);
/// Refuses what is not finite; settles, accepts. `joints`: what they are violated by at the end, in the
/// certificate; it counts against the step above `limit` [-].
StepReport conclude(const Model& m, const SmoothSettings& s, State& x, Workspace& w,
                    const Violation& joints = {}, double limit = HUGE_VAL);

}  // namespace stiction::step
