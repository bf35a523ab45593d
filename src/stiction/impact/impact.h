// One impact at one contact: what is given, and what comes out.
//
//   du = W dp
//
//   u = (u_n, u_t1, u_t2)  [m/s] velocity of the contact point, normal first; u_n < 0: approaching
//   p                      [N s] impulse on it
//   W = J M^-1 J^T         [1/kg] collision matrix; places do not change meanwhile
//
// The normal impulse p_n grows from 0; friction follows Coulomb's law at each p_n. While u_n < 0 the contact
// stores energy (compression), afterwards it gives some of it back (restitution). Three laws say when it
// ends:
//
//   energetic   work given back = e^2 times work stored (Stronge)
//   poisson     p_n = (1 + e) times p_n of compression
//   newton      u_n = -e times u_n before
//
// The energetic law never creates energy, whatever slip does. The other two could give back more than was
// stored, where slip changes on the way; then the impact ends where all of it has been given back, and the
// outcome says so: `lowered`, and in `restitution` what e came to. So energy never grows in any of them.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "stiction/base/fixed_list.h"
#include "stiction/math/vec3.h"

namespace stiction::impact {

enum class Law : unsigned char { energetic, poisson, newton };
const char* name_of(Law law);

struct Coefficients {
  double restitution = 0;       // [-] e, 0 to 1
  double friction_static = 0;   // [-] what sticking may need; >= friction_kinetic
  double friction_kinetic = 0;  // [-] while slipping; >= 0
  Law law = Law::energetic;
  /// [-] e_t, -1 to 1: slip is thrown back by it (superball.h); not a number: it follows Coulomb's path. Only
  /// sequences of impacts (many.h) look at it.
  double tangential_restitution = std::numeric_limits<double>::quiet_NaN();
};

enum class Status : unsigned char {
  not_run,
  bad_input,   // validate() says what is wrong; nothing was changed
  separating,  // u_n >= 0: no impact, no impulse
  done,
  step_limit  // the integration of turning slip did not end within its steps; no impulse
};
const char* name_of(Status status);

enum class Slip : unsigned char {
  slide,
  reverse,
  stick
};  // reverse: it stopped or was 0, and goes on another way
enum class Moment : unsigned char { begin, slip_stops, compression_ends, compression_resumes, end, between };
const char* name_of(Moment moment);

/// A bend of the path, in the order of p_n; in traces also points between bends.
struct Event {
  Moment moment = Moment::begin;
  Slip slip = Slip::slide;   // from here on
  Vec3 impulse;              // [N s] so far
  Vec3 velocity;             // [m/s]
  double normal_work = 0;    // [J] on the bodies so far: given back minus stored
  double friction_work = 0;  // [J] on the bodies so far; <= 0
};

struct Outcome {
  Status status = Status::not_run;
  Vec3 velocity;           // [m/s] after the impact
  Vec3 impulse;            // [N s]
  double stored = 0;       // [J] by compression
  double released = 0;     // [J] given back
  double friction = 0;     // [J] work of friction, <= 0
  double restitution = 0;  // [-] e, or what it had to be lowered to
  bool lowered = false;
  int steps = 0;                // [-] of integration; 0 = closed form
  FixedList<Event, 16> events;  // begin to end

  /// [J] change of the kinetic energy, <= 0.
  double energy_change() const { return released - stored + friction; }
};

/// Order of the events as in Morgan (2011): "a-c-e", "a-b-e" (slip stops in compression), "a-c-d-e" (in
/// restitution).
const char* order_of(const Outcome& o);
/// One letter for each way of slipping, in turn: S slide, R reverse, K stick.
std::string modes_of(const Outcome& o);

/// In a plane: t2 is left out.
struct PlanarImpact {
  double nn = 1, nt = 0, tt = 1;  // [1/kg] W, positive definite
  double vn = 0, vt = 0;          // [m/s] before
  Coefficients coefficients;
};

struct SpatialImpact {
  Mat3 W;  // [1/kg] rows and columns n, t1, t2; symmetric positive definite
  Vec3 u;  // [m/s] before
  Coefficients coefficients;
};

/// All that is wrong, each line naming the field; empty = fine.
std::vector<std::string> validate(const PlanarImpact& in);
std::vector<std::string> validate(const SpatialImpact& in);

}  // namespace stiction::impact
