// Joints that hold by impulses, for methods that find all impulses of a step at once (spook.cpp,
// cline_pai.cpp), or at a moment (rk4_projected.cpp): from bodies and rows to a linear constraint system, and
// back to impulses on bodies.
#pragma once

#include <span>
#include <vector>

#include "stiction/complementarity/bilateral/solve_bilateral.h"
#include "stiction/constraints/rows.h"
#include "stiction/model/model.h"

namespace stiction {
struct State;
}

namespace stiction::step {

struct Motions;
struct Workspace;

/// A joint between bodies a and b (-1: the world), rows [row_begin, row_end) of a list: at most six.
struct HeldJoint {
  int a = -1, b = -1;
  int row_begin = 0, row_end = 0;
  double compliance = 0;     // [m/N, rad/(N m)] >= 0; 0 = rigid
  double damping_time = -1;  // [s] >= 0; spook: error decays in about this time; < 0 = two steps
  double size = 1;           // [m] what errors of length are held against
};
struct HeldJoints {
  std::span<const HeldJoint> joint;
  std::span<const constraints::Row> row;
};

/// What the methods keep of their joints from step to step.
struct HeldWork {
  complementarity::bilateral::ConstraintSystem system;
  complementarity::bilateral::Memory memory;
  complementarity::bilateral::Report report;
  std::vector<double> lambda, u;             // [N s, N m s] per row; [m/s, rad/s] 6 per block
  std::vector<constraints::RowValue> value;  // per row of the system, in its order
  std::vector<double> size;                  // [m] likewise; 1 for angles
  std::vector<int> block_of_body, body_of_block;
  std::vector<HeldJoint> joint;  // those of the model
};

/// The constraints of the model, with the angles that rows follow.
HeldJoints held_joints(const Model& m, const State& x, Workspace& w);
/// Whether planar bodies and particles count as such, or as bodies that may move in any way.
enum class Freedom : unsigned char { own, whole };
/// Blocks of the bodies that move, with their inverse masses, and the rows of all joints at the poses of q;
/// right-hand sides and sigma are zero. Rows of kind `distance` are taken as lengths: l - L.
void load_joints(const Model& m, const HeldJoints& joints, const Motions& q,
                 std::span<const unsigned char> alive, HeldWork& held, Freedom freedom = Freedom::own);
/// G v of row r of joint j, with velocities and spins in world axes.
double rate_of(const HeldJoint& j, const constraints::Jacobian& g, std::span<const Vec3> velocity,
               std::span<const Vec3> spin);
/// The largest |g| of the rows that are loaded: as it is, and over the joints' sizes.
struct Violation {
  double joint = 0;     // [m, rad]
  double relative = 0;  // [-]
};
Violation largest_violation(const HeldWork& held);
/// Solves for held.lambda and held.u; a reason where there is no solution to the tolerance.
const char* solve_joints(double tolerance, HeldWork& held);
/// held.lambda as impulses on bodies, added to those of a stage (cause: joint).
void push_joints(const Model& m, const HeldJoints& joints, const HeldWork& held, Workspace& w,
                 std::size_t stage = 0);

/// Moves the bodies of w.next by the smallest move in the metric of their masses until no joint is violated
/// by more than `tolerance` of its size, in `passes` passes (0: as many as it takes); velocities stay.
/// Returns the passes made; held is loaded for the poses at the end. w.before_stabilise has the poses from
/// before, once a pass was made (w.stabilised).
int close_joints(const Model& m, const HeldJoints& joints, std::span<const unsigned char> alive,
                 double tolerance, int passes, Workspace& w);

}  // namespace stiction::step
