// The State: exactly what a bit-identical restart needs. The arrays of bodies keep their addresses until a
// body is added, so that views from outside stay valid; `contacts` may move with any step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/base/hash.h"
#include "stiction/collision/contact.h"
#include "stiction/ledger/ledger.h"
#include "stiction/model/model.h"

namespace stiction {

/// What a contact leaves behind for the next step: it starts the solver, and tells impact from resting.
struct ContactMemory {
  ContactKey key;
  Vec3 impulse;            // [N s] on body b, world axes
  std::int64_t state = 0;  // ContactState as an integer (no padding)
};

/// What a spring and its damper gained so far.
struct SpringMemory {
  double gain = 0;     // [J] since it was last 0, where it began to rise
  double most = 0;     // [J] the largest gain so far
  double largest = 0;  // [J] what it is compared with: twice the largest elastic energy, or what the damper
                       // did in one step
  double share = 0;    // [-] the largest part that it was found to be
};

struct State {
  double time = 0;              // [s]
  std::int64_t step_count = 0;  // [-]
  double step = 0;              // [s] length of the last step, or of its last part
  std::vector<Vec3> position;   // [m] centre of mass
  std::vector<Quat> orientation;
  std::vector<Vec3> velocity;  // [m/s]
  std::vector<Vec3> spin;      // [rad/s] world axes
  std::vector<unsigned char> alive;
  std::vector<unsigned char>
      asleep;  // 1 where a body rests and is left alone; empty where that is not asked for
  // coordinates of trees, in the order of Model::trees; the arrays above follow from them for links
  std::vector<double> joint_position;        // [m, rad, quaternions]
  std::vector<double> joint_velocity;        // [m/s, rad/s]
  std::vector<SpatialForce> link_reaction;   // [N, N m] per link: mean over the last step (reaction.h)
  std::vector<SpatialForce> plane_reaction;  // [N, N m] per planar joint: likewise, about the centre of mass
  std::vector<double> joint_impulse;         // [N s, N m s] of the last step, per row of Model::mechanisms
  std::vector<double> joint_memory;          // [rad] angles of rows that follow one; empty where none does
  std::vector<unsigned char> joint_rough;    // per mechanism: velocities are not yet what its joints allow
  std::vector<unsigned char> joint_broken;   // per constraint of the model; empty where none may break
  std::vector<double> law_impulse;           // [N s, N m s] of the last step, per law of the model
  std::vector<double> law_target;            // [m/s, rad/s, m, rad] motors: what they are to reach
  std::vector<double> law_memory;            // [rad] angles that laws follow
  std::vector<SpringMemory> springs;         // per spring, then per torsion spring of the model
  std::vector<ContactMemory> contacts;       // sorted by key
  Ledger ledger;

  std::uint64_t hash() const;
};

State initial_state(const Model& m, double step);

/// Byte image of a State, for journals and snapshots; load() refuses what does not fit the model. The byte
/// order is the host's: little-endian on all machines we build for.
void save(const State& x, std::vector<unsigned char>& out);  // appends
Result<State> load(const Model& m, std::span<const unsigned char> bytes);

}  // namespace stiction
