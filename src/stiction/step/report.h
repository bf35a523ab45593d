// What a step says about itself: the certificate (how well the exact problem was solved, by code that no
// solver shares) and the account of the work done.
#pragma once

#include <cstdint>
#include <string>

namespace stiction {

/// Definitions and units: docs/theory/certificate.md.
struct Certificate {
  double gap = 0;              // [m] deepest overlap over all pairs at the new positions
  double gap_relative = 0;     // [-] the same over the size of the smaller moving body of each pair
  double joint = 0;            // [m, rad] largest joint violation
  double cone = 0;             // [-] (|p_t| - mu p_n)+ / max(p_scale, p_n)
  double complementarity = 0;  // [J] largest |p_n a|, a being its law's normal argument: gap/h or u_n
  double complementarity_relative = 0;  // [-] over p_scale * u_scale of the island
  double dissipation = 0;               // [rad] weighted angle between friction and minus slip
  double natural_map = 0;               // [-] |r - P_K(r - uhat)| / |b| (Acary, Bremond, Huber)
  double natural_map_scaled = 0;        // [-] the unit-free version
  double impact = 0;                    // [-] worst violation of a law of impact (impact/judge.h)
  double body = 0;      // [-] worst body: how far the velocities that its contacts ask for are off, over its
                        // own scale
  double momentum = 0;  // [-] worst body: momentum and angular momentum that no impulse explains, likewise
  double energy = 0;    // [-] worst island: energy that contacts, impacts, friction and stabilisation added,
                        // over that of the run; its limit is energy_limit
  double tolerance = -1;   // [-] X; -1 = no step yet
  bool converged = false;  // every *_relative, joint, cone, dissipation, natural_map_scaled, impact, body,
                           // momentum <= X, energy <= energy_limit
};

/// What Certificate::energy may be, whatever the tolerance.
inline constexpr double energy_limit = 1e-6;  // [-]

/// StepReport::reason where Certificate::impact is the worst.
inline constexpr const char* broken_impact_law = "violation of a law of impact";
/// And where a step is refused since StepReport::crowd bodies are more than can be held.
inline constexpr const char* too_crowded = "too many bodies crowd round one";

/// StepReport::reason of a step that is not certified because of StepReport::digits_body.
inline constexpr const char* lost_digits =
    "digits: a body bears so much more than what moves it that doubles "
    "cannot tell how it moves";

/// "not run" is visible: counters start at -1.
struct StepReport {
  enum class Status : unsigned char {
    not_run,
    converged,    // accepted, certificate within the tolerance
    unconverged,  // accepted, but the certificate misses the tolerance: explain() says where
    refused,      // State untouched: explain() says why
  };
  Status status = Status::not_run;
  bool converged = false;
  Certificate certificate;
  int parts = -1;             // [-] 1, or how many shorter steps it took: made where the whole missed, or
                              // trees gained energy; event_driven: stretches of flight
  int contacts = -1;          // [-] contact points in the problem
  int islands = -1;           // [-]
  int asleep = 0;             // [-] bodies that rest and are left alone from now on
  int geometry_passes = -1;   // [-] how often the end-of-step geometry was re-evaluated
  bool start_frames = false;  // features of contacts flipped: some contact frames are not those of the end,
                              // but of an earlier pass or of the start
  int stabilisation_passes = -1;  // [-] 0 = nothing was left to stabilise
  int solver_iterations = -1;     // [-] NSGS sweeps and Newton iterations of all islands and passes
  int factorisations = -1;        // [-]
  int escalations = -1;           // [-] how often a solver handed over to the next
  int off_body = -1,
      off_partner = -1;  // the body of Certificate::body, and whom it touches where it is off most
  int digits_body = -1;  // what it bears is so much more than what moves it that doubles cannot tell how it
                         // moves: the step is not certified
  int worst_body_a = -1, worst_body_b = -1;  // bodies of the worst contact, or the body that is not finite
  const char* solver = "none";               // none | nsgs | newton | nsgs+newton | lemke | lemke+newton
  const char* reason = "";                   // why it was refused or missed; a literal
  int crowd = 0;                             // [-] too_crowded: bodies in reach of worst_body_a
  int broken_joints = 0;                     // [-] that broke at the end of the step, or of a part of it
  int first_broken_joint = -1;               // of Scene::joints
  int impacts = 0;          // [-] contacts that were hit; but for event_driven: with a rebound
  int lowered_impacts = 0;  // [-] sets of them that did not get what their law says: restitution was lowered,
                            // so that energy does not grow (e_t also so that friction reaches), or another
                            // law had to solve them
  int stopped_impacts = 0;  // [-] contacts that should have rebounded and were stopped: not solved, or hit
                            // more often than once in the shortest part of the step
  // event_driven
  int lasting = 0;          // [-] of these, whose hops were too small and ended in lasting contact
  double given_up = 0;      // [J] what their restitution would have given back
  double impact_time = -1;  // [s] since the start of the run: of the last impact in the step; -1 = none
  // [J] v_free'A v_free/2 and v+'A v+/2 with the A of the step: M, h D of the dampers of joints, and h^2 K of
  // constraint joints that give way
  double kinetic_free = 0, kinetic_end = 0;

  /// One sentence in words; bodies are named by their indices.
  std::string explain() const;
};

}  // namespace stiction
