// The stages of a step for limits, motors and friction of joints, gears and what binds velocities: rows of
// the step's problem beside those of contacts. See joint_laws.cpp, law_rows.cpp, law_books.cpp.
#pragma once

#include "stiction/step/law_coordinates.h"
#include "stiction/step/trees.h"

namespace stiction::step {

/// Every law as it is at the start of the step -> w.laws.
void start_laws(const Model& m, const State& x, double h, double tolerance, Workspace& w);
/// All but limits, and limits that free motion reaches -> in_problem, for good in this step. Returns how
/// many there are.
int choose_laws(const Model& m, Workspace& w);
/// Adds limits that the candidate velocities go beyond; returns how many were added.
int add_violated_laws(const Model& m, double h, double tolerance, Workspace& w);
/// Laws of the problem at w.base: u = G v + offset.
void linearise_laws(const Model& m, double h, Workspace& w);
/// The same in changes of position, at w.next: limits and held rows alone.
void linearise_limits(const Model& m, Workspace& w);

/// The body whose block has a body's velocities: of a tree its root, of a linkage its first.
int owner_of(const Model& m, int body);
/// Calls act(owner) for the one or two blocks that law k acts on.
template <class Act>
void for_owners(const Model& m, std::size_t k, const Act& act) {
  int seen[2] = {-1, -1};
  for_bodies(m, k, [&](int body) {
    if (!can_move(m, body)) return;
    const int owner = owner_of(m, body);
    if (owner == seen[0] || owner == seen[1]) return;
    seen[seen[0] >= 0] = owner;
    act(owner);
  });
}
int law_island(const Model& m, std::size_t k, const Workspace& w);
/// The tree of a link.
const tree::TreeRange& range_of(const Model& m, int link);
/// What a gradient by the motion of a link is by the coordinates of its tree, at the pose of `k`.
void tree_row(const Model& m, int link, const constraints::Twist& g, const tree::Kinematics& k,
              std::vector<double>& out);
/// Law k as row block `row` of the problem.
void fill_law(const Model& m, std::size_t k, int row, Workspace& w);
/// The speed that a motor asks for in this step. To a place at the distance d: what leads there in the step,
/// but not more than the fastest, nor than what its largest acceleration a can still stop there,
///     h s + s^2/(2 a) <= d.
double aim_of(const ModelLaw& law, double target, double start, double inverse_mass, double h);

/// What the certificate needs: the law's argument u and impulse r at the candidate end, with the scale of
/// contacts.
struct LawResidual {
  double error = 0;    // [N s] natural map
  double impulse = 0;  // [N s]
  double floor = 0;    // [N s] the impulse that would stop its bodies
};
/// `at_base`: as the problem had it, linearised at w.base.
LawResidual residual_of(const Model& m, std::size_t k, double h, bool at_base, const Workspace& w);
/// The largest violation of a limit, or of what binds, at q: raises `worst` [m, rad], returns it over what it
/// is held against.
double worst_law(const Model& m, const Motions& q, const Workspace& w, double& worst, int* which = nullptr);
/// Whether a law may give energy: motors, restitution, rows that close, bodies with prescribed motion.
bool gives_energy(const Model& m, const ModelLaw& law, const LawWork& own);
/// Calls act(body) for a body of every law of the problem that may.
template <class Act>
void for_driving_laws(const Model& m, const Workspace& w, const Act& act) {
  for (std::size_t k = 0; k < m.laws.size(); ++k)
    if (w.laws[k].in_problem && gives_energy(m, m.laws[k], w.laws[k])) for_owners(m, k, act);
}

/// What a law does to a link, as linear and angular impulse about the origin of its tree's root at the pose
/// of the problem: subtracted from what the world gives that root.
void subtract_laws(const Model& m, Workspace& w);
/// Impulses of laws on bodies -> w.total_impulse, w.total_torque.
void add_law_impulses(const Model& m, Workspace& w);
/// Works and momenta -> w.entries.
void book_laws(const Model& m, const State& x, const Motions& end, Workspace& w);

/// The arrays of laws in a State: zeros, and the angles that they follow.
void make_room_for_laws(const Model& m, State& x);
void accept_laws(const Model& m, const Workspace& w, State& x);
/// Where the coordinate of law k is [m, rad].
double place_of(const Model& m, std::size_t k, const State& x);

}  // namespace stiction::step
