// Scratch memory of a step, grouped by the stage that writes it. Never saved; keeps its memory between steps.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "stiction/base/parallel.h"
#include "stiction/base/stop.h"
#include "stiction/collision/collision.h"
#include "stiction/complementarity/block_lu.h"
#include "stiction/complementarity/polyhedral.h"
#include "stiction/complementarity/solve.h"
#include "stiction/dynamics/mechanism/null_space.h"
#include "stiction/dynamics/tree/forward_dynamics.h"
#include "stiction/dynamics/tree/mass_matrix.h"
#include "stiction/dynamics/tree/variational.h"
#include "stiction/forces/linearise.h"
#include "stiction/impact/judge.h"
#include "stiction/step/body_books.h"
#include "stiction/step/body_judge.h"
#include "stiction/step/contact_result.h"
#include "stiction/step/held_joints.h"
#include "stiction/step/input.h"
#include "stiction/step/report.h"
#include "stiction/step/state.h"

namespace stiction::step {

/// Gives two arrays the same room: those that change places stop allocating after warm-up.
template <class T>
void grow_alike(std::vector<T>& a, std::vector<T>& b) {
  const std::size_t room = std::max(a.capacity(), b.capacity());
  a.reserve(room), b.reserve(room);
}
template <class T>
void swap_alike(std::vector<T>& a, std::vector<T>& b) {
  grow_alike(a, b);
  a.swap(b);
}

/// Rows of joints, and after them laws, among those of contacts: -1 - r, and back.
constexpr int joint_row(int r) { return -1 - r; }

/// Poses and velocities of all bodies (body_count each).
struct Motions {
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  std::vector<Vec3> velocity;
  std::vector<Vec3> spin;
  std::vector<double> joint_position, joint_velocity;  // of trees
};

/// One evaluation of the motion of all trees within a step (tree_stages.h).
struct TreeStage {
  double weight = 0;                         // [s] what it counts with in the step
  std::vector<double> q, v;                  // where they were, and how fast
  tree::Kinematics k;                        // there
  tree::Articulated factors;                 // M there
  std::array<std::vector<double>, 4> force;  // [N, N m] of springs, dampers, tables and inputs of joints
  std::vector<double> rate;                  // dv/dt; of a kick: the part that forces have in it
  std::vector<double> momenta;               // [N, N m] what forces did to the momenta: M rate, with bias
  std::vector<SpatialForce> total;           // per tree: the same as a whole, about the world's origin
  std::vector<SpatialMotion> mean;  // per link, at its centre of mass: at the mean velocities of the stretch
};
/// Sums over the stages of a step for its books, weights included.
struct TreeSums {
  struct OfLink {
    Vec3 place;               // [m s] centre of mass
    SpatialMotion way, mean;  // [m, rad] of the centre: at the stages' velocities, and at those of the books
  };
  struct OfTree {
    std::array<double, 4> work{};   // [J] by force of TreeStage
    double numerics = 0, flow = 0;  // [J]; flow: sum of |entries|
    SpatialForce total;             // [N s, N m s] of the stages
  };
  std::vector<OfLink> link;
  std::vector<OfTree> tree;
};

/// One evaluation of the forces in a step of a method for smooth motion.
struct ForceStage {
  Motions at;                                   // where bodies were, and how fast
  double weight = 0;                            // [s] what forces count with in the step
  std::vector<forces::AppliedImpulse> applied;  // forces times weight, without gravity
  std::vector<Vec3> impulse, angular_impulse;   // [N s], [N m s] sums per body, gravity included
};

/// How a contact gives way (soft_contacts.h).
struct Softness {
  double stiffness = 0;     // [N/m] 0 = none
  double hertz = 0;         // [N/m^(3/2)] K of Hertz's law; 0 = none
  double damping_time = 0;  // [s]
};

/// One contact of the step: geometry at the candidate pose, law, and the impulse found so far.
struct WorkContact {
  ContactPoint point;
  Vec3 centre;           // [m] midway between the two closest points: where the impulse acts
  Vec3 arm[2];           // [m] to it from the centres of mass of a and b
  Vec3 tangent[2];       // unit, but for the first: `stretch` long
  double stretch = 1;    // [-] friction along the first over that along the second
  double mu = 0;         // [-] in force, along the second tangent
  double solved_mu = 0;  // [-] with which the impulse was found, where mu depends on the slip
  Vec3 lag;              // [m/s] n, t1, t2: what its velocity has more at the end than in this frame
  bool slides = false;   // in this step or in the last: a coefficient that jumps has done so
  Vec3 belt;             // [m/s] tangential: how surface b moves over its body, less the same of a
  bool touches =
      false;  // at the start of the step: its law is on the normal velocity, else on the gap at the end
  double allowed = 0;            // [m] <= 0: the pair's overlap at the start of the step, left to stabilise()
  double size = 0;               // [m] of the smaller moving body: the certificate's L
  Softness soft;                 // all 0: it is rigid
  double spin = 0, rolling = 0;  // [m] levers against turning about the normal and across it; 0 = none
  Vec3 impulse;                  // [N s] on b, world axes
  Vec3 moment;                   // [N m s] on b beside it, against spin and rolling
  bool kept = false;             // found in an earlier pass, and left as it was: `gap` is that of no motion
  bool held = false;             // kept, whatever later passes find of it
  double change = -1;            // [-] how far its frame moved in the last pass; < 0: it is new
  bool middle = false;           // normal, tangents and arms are those of the middle of the step
  bool touched = false;          // carried an impulse at the end of the last step
  bool bears = false;            // pressed together, or the lowest point where one is that is: find_bearing()
  bool due = false;              // impacts.cpp: it is hit, with restitution
  bool in_problem = false;  // false: free motion keeps it open; added as soon as a solution would violate it
  bool idle = false;        // joints leave no motion along its normal: not part of any problem
  int row = -1;             // place in the problem; a turning block follows if turns()

  bool turns() const { return spin > 0 || rolling > 0; }
  bool gives_way() const { return soft.stiffness > 0 || soft.hertz > 0; }
};

/// A contact that an earlier pass of stabilise() found, by the points of the two bodies that met.
struct Cut {
  WorkContact contact;
  Vec3 on_a, on_b;  // [m] body axes
};

/// What the stages for trees keep (trees.h). Per link or per velocity coordinate.
struct TreeWorkspace {
  tree::Kinematics start;           // at the start of the step
  tree::Articulated start_factors;  // M + h D there
  tree::ForwardDynamics drift;      // scratch of the free motion
  tree::Kinematics drifting;        // scratch: at its end
  int refined = 1;                  // [-] times as many stretches as turns need
  tree::SweepScratch sweep;
  std::vector<SpatialForce> wrench;  // per link
  std::vector<double> spring, given,
      asked;                             // [N s, N m s] impulses of the joints' springs, tables and inputs
  std::vector<double> kicked;            // [m/s, rad/s] start velocities with all impulses but contacts given
  std::vector<double> drifted, drift_q;  // what the drift makes of them, and of the coordinates
  std::vector<double> loss;              // [J] per tree (losses_of_trees())
  std::vector<double> carried,
      carried_next;           // [m/s, rad/s] v_f of the problem: kicked, and what the drift adds to v+
  std::vector<double> added;  // [kg, kg m^2] h D
  std::vector<double> tau, q, v, rate[4], acceleration[4], move, carry_start, carry_q, carry_v,
      end_momenta;  // scratch

  // motion by stages: tree_stages.h
  std::array<TreeStage, 4> stage;
  std::vector<char> flows;                               // per tree: it moves so in this step
  double defect = 0;                                     // [-] of the energy that flowed
  bool has_kicked = false;                               // kicked, drifted and carried are those of this step
  std::vector<Vec3> force, torque;                       // [N], [N m] per link, at its centre of mass
  std::vector<double> input;                             // [N, N m] of the outside, per velocity coordinate
  std::vector<SpatialForce> bias;                        // scratch, per link
  std::vector<double> kick, kick_at_start, kick_at_end;  // what the kick adds; its momenta
  std::vector<double> first, last_momenta, mean, first_v,
      first_q;                                       // momenta and velocities at the ends of a stretch
  std::vector<SpatialForce> start_total, end_total;  // per tree: momenta of the step's ends
  std::vector<double> decay;                         // [1/s] per tree: by dampers
  std::vector<SpatialMotion> twist;                  // per link
  TreeSums sums;
  tree::Variational variational;

  // contacts
  std::vector<char> touched;                 // per tree: it was part of the step's problem
  std::vector<int> block_of_tree;            // first of its blocks of six; -1 = not in the problem
  std::vector<int> island_of_tree;           // of those in the problem
  std::vector<int> step_block_of_tree;       // kept while positions are stabilised
  tree::Kinematics base, end;                // at the pose of the problem, and at the candidate end
  tree::Kinematics base_middle, end_middle;  // halfway there from the start
  tree::Articulated base_factors, end_factors;
  tree::MassMatrix mass;
  std::vector<double> flow_mean;      // [m/s, rad/s] per velocity coordinate: way of the flow over h
  std::vector<double> mean_velocity;  // [m/s, rad/s] the same of the candidate: v+ of what does not flow
  std::vector<SpatialMotion> seen, seen_middle,
      end_seen_middle;                // per link: `mean_velocity` at those poses, at its origin
  std::vector<Vec3> middle_position;  // [m] per link, halfway to the candidate end
  std::vector<Quat> middle_orientation;
  std::vector<double> rows, answer;  // scratch: J and M^-1 J^T of one contact

  // books: see tree_books.cpp
  tree::Kinematics pose, last;  // at the pose of M_k, and at the end
  tree::Articulated pose_factors;
  tree::InverseDynamics momenta;
  std::vector<double> pose_position;  // coordinates of M_k
  std::vector<double> before, sum;    // [m/s, rad/s] v' and v' + v+
  std::vector<SpatialMotion> start_sum, pose_sum,
      middle_sum;                                  // per link: v' + v+ at the start and at the pose of M_k
  std::array<std::vector<double>, 5> momentum;     // M v of the five states that are booked
  std::array<std::vector<SpatialForce>, 5> total;  // per tree: the same, as a whole about the root's origin
  std::vector<SpatialForce> reaction;              // per tree: what the world gives its root

  // link_reactions.h: per link
  std::vector<Vec3> pivot;            // [m] what torques through its joint are about
  std::vector<SpatialForce> through;  // [N s, N m s] through its joint, then over the step: [N, N m]
};

/// The motion of one mechanism over a step (mechanism_flow.cpp). Per node.
struct MechanismWork {
  bool flows = false;  // it moves so in this step
  int revision = -1;   // of the model that the saddle was analysed for
  mechanism::Saddle saddle;
  struct Basis {  // the velocities that a body has, as columns of (velocity, spin)
    int dofs = 6;
    constraints::Twist column[mechanism::most_dofs];
  };
  std::vector<Basis> basis;
  std::vector<Mat3> inertia;              // [kg m^2] at the start, world axes
  std::vector<constraints::Twist> start;  // velocities at the start that joints allow
  std::vector<constraints::Twist> mean, residual, impulse, last_impulse;  // of forces: [N s], [N m s]
  std::vector<constraints::Pose> end;
  std::vector<Vec3> torque;          // [N m s] of forces and joints
  std::vector<double> nodes, loops;  // right-hand sides and solutions
  constraints::RowValue value[mechanism::most_rows];
  constraints::Jacobian gradient[mechanism::most_rows];
};

/// A law of a joint in the step (joint_laws.cpp).
struct LawWork {
  constraints::Row row{};                // with the angle that it follows
  constraints::Pose from_a{}, from_b{};  // of its bodies at the start of the step
  double start = 0;                      // [m, rad] the coordinate at the start of the step
  double rate = 0;                       // [m/s, rad/s] and how fast it changes there
  double aim = 0;                        // [m/s, rad/s] motor: what it asks for in this step
  double target = 0, h = 0;              // motor: as the State has it; [s] the step
  double drift = 0;                      // [m/s, rad/s] limits: what else changes of the rate in the step
  double push = 0;                       // [m/s, rad/s] and what motor and friction do
  double kept = 0;                       // [m, rad] held rows: what stabilise() is left with
  constraints::Jacobian gradient{};
  double offset = 0;         // [m/s, rad/s] u = G v + offset
  double low = 0, high = 0;  // [N s, N m s] bounds of the impulse
  double impulse = 0;        // [N s, N m s]
  double inverse_mass = 0;   // [1/kg] with the scale of contacts
  bool in_problem = false;
  bool idle = false;     // other joints leave no motion along it
  bool bounces = false;  // a limit that is hit with a speed that it gives back
  bool touched = false;  // carried an impulse in the last step
  bool off = false;      // its joint is broken
};

/// A linkage as part of the problem (mechanism_contacts.cpp). Coordinates z of its bodies one after the
/// other, in which its mass matrix is the unit matrix.
struct LinkageWork {
  int block = -1;               // first of its blocks of six; -1 = not in the problem
  bool chosen = false;          // `usable` is that of this step
  std::vector<int> row;         // of the model, for each row of `space`
  std::vector<char> usable;     // per row: independent of the others at the start of the step
  std::vector<int> begin;       // per body: its first coordinate
  std::vector<int> virtual_of;  // per row that gives way: its own coordinate, after those of bodies; else -1
  std::vector<constraints::Twist> column;  // per coordinate: velocity = sum of z times column
  mechanism::NullSpace space;
  std::vector<double> right, force;          // per row
  std::vector<double> free, given, z, push;  // [sqrt(J)] per coordinate: without joints, by joints alone, ...
};

/// How bodies move with their velocities; those of trees and mechanisms as if nothing were said here.
struct Carry {
  double theta = 1;           // [-] in [1/2, 1]: x+ = x + h (theta v+ + (1 - theta) v)
  bool angles = false;        // planar bodies turn by the angle h w, not by the Cayley map of h w
  bool end_inertia = false;   // M is that of the pose that is accepted
  bool keeps_energy = false;  // trees: kick and drift give none on the way (keep_energy() in trees.cpp)
};
/// What of the certificate counts against a step; the rest is only reported.
struct Promises {
  bool gap = true, joint = true, dissipation = true, energy = true;
  bool body = true;       // round cones
  bool momentum = false;  // M of the end of the step; mechanisms may miss it
};

/// What a spring and its damper did in the step (spring_watch.h).
struct SpringWork {
  double given = 0;   // [J] to its bodies
  double damped = 0;  // [J] of that by the damper
  bool acts = false;
};

/// What an island got in the step (energy_watch.cpp).
struct IslandEnergy {
  double contact = 0, friction = 0;       // [J] normal and other impulses times the velocities of the end
  double stabilisation = 0;               // [J]
  double lost = 0;                        // [J] what the step loses where velocities change
  double slack = 0;                       // [J] to lift its bodies by what the tolerance lets them overlap
  double most = -1e300, most_lifted = 0;  // [J] the contact that added most, and the body that rose most
  int body_a = -1, body_b = -1, lifted_body = -1;
  bool by_friction = false, given_overlap = false;  // of that contact; it began the step with overlap
};

/// What a step from event to event keeps (event_driven.h).
struct EventWork {
  /// Tangents of a contact turned so that it can move along the first: cosine and sine; `flat` if it cannot
  /// move along the second.
  struct Turn {
    double c = 1, s = 0;
    bool flat = false;
  };
  std::vector<WorkContact> start;         // contacts at the start of a stretch, sorted by key
  std::vector<ContactKey> lasting;        // those that are held in it, sorted
  std::vector<collision::BodyPair> dips;  // pairs that come nearer and part again within it
  Motions whole;                          // where one piece of Runge-Kutta leads to
  double flown = -1;                      // [s] how far w.next is flown from the State; < 0: it is not
  std::vector<WorkContact> at_end;        // contacts at the candidate end, in the frames of the end
  State trial;                            // a start that is not the State
  std::vector<WorkContact> kept_start;    // `start`, while something is tried
  std::vector<ContactKey> small;          // contacts whose hops are too small
  std::vector<double> restitution;        // [-] per contact of `start`
  struct Blow {
    ContactKey pair;
    double energy;  // [J]
  };
  std::vector<Blow> blows;             // the first one of each pair in this step, sorted
  std::vector<double> friction_work;   // [J] likewise, of its path of slip; not a number where none is known
  std::vector<SpatialForce> reaction;  // [N, N m] through the joints of links: mean over the step so far
  std::vector<Turn> turns;             // per contact of the set
};

/// A step as its passes and stabilisation left it, to go back to.
struct Unsettled {
  std::vector<WorkContact> contacts, end_contacts, kept_frames;
  Motions base, next, before_stabilise;
  std::vector<Quat> mass_pose;
  bool stabilised = false;
  Certificate certificate;
  int worst = -1, unbalanced = -1, digits = -1;  // of BodyJudge
};

/// Contact points of w.pairs at the poses they were last looked for: pairs of which no body has another pose
/// since have the same ones.
struct FoundPoints {
  bool known = false;  // false: the pairs are others
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  std::vector<double> reach;               // [m] of bodies
  std::vector<std::size_t> begin;          // per pair, and the end: its place in `points`
  std::vector<ContactPoint> points, next;  // next: scratch
};

/// A pass of the geometry before the last one (mix_passes): velocities that it was linearised with, and those
/// that it found.
struct Mixing {
  bool known = false;
  Motions from, to;
};

/// Impacts with restitution (impacts.cpp).
struct ImpactWork {
  std::vector<ContactKey> keys;   // of contacts that were hit in this step, sorted
  std::vector<char> hit_islands;  // per island of the problem
  impact::ManyImpacts in;         // of one island
  impact::ManyMemory memory;
  impact::ManyOutcome out;
  impact::JudgeMemory judge;
  double noise = 0;           // [m/s] of the set
  std::vector<double> after;  // [m/s] 3 per row, as the laws have it; not a number: not hit, or no such row
  std::vector<double> first;  // [s] per body: when the first contact that strikes it closes
  struct Count {
    int all = 0, lowered = 0, stopped = 0;  // [-] see StepReport
    double residual = 0;                    // [-] Certificate::impact
  };
  Count count;
  bool any = false, in_part = false;  // in this step; in this part of it
  State before, part_before;          // if so: as it was at their starts
  Count part_count;                   // at the start of the part
};

struct Workspace {
  explicit Workspace(int threads = 1) : team(threads) {}
  Team team;

  Stop stop{};      // asked: the step is given up, take_step() puts `unstopped` back
  State unstopped;  // before a step that may be stopped

  // sum_forces
  forces::Scratch forces;
  std::vector<forces::AppliedImpulse> applied;
  std::vector<Vec3> impulse, angular_impulse;  // [N s], [N m s] sum per body, without gravity
  bool has_applied = false;

  Carry carry;
  Motions ahead;  // where forces are evaluated, if not at the start
  Promises promises;

  // free_motion: the motion without contacts, and its books
  Motions free;
  std::vector<BodyBooks> books;  // one per chunk; of `next`, once settle() had to book it anew

  TreeWorkspace trees;
  std::vector<MechanismWork> mechanisms;
  std::vector<LinkageWork> linkages;
  std::vector<LawWork> laws;                // per law of the model
  std::vector<SpringWork> spring_work;      // scratch, per spring, then per torsion spring
  std::vector<SpringMemory> springs;        // of the end of the step; empty where none is watched
  std::vector<IslandEnergy> island_energy;  // and one more for bodies without an island
  int worst_energy = 0;                     // of these: that of Certificate::energy
  std::vector<char> island_driven;          // scratch: something may give energy to it
  std::vector<LawWork> step_laws;           // kept while positions are stabilised
  bool may_touch = true;                    // some pair is in reach, or some joint has a law
  std::vector<double> idle_rows;            // scratch
  // per row of the model's constraints
  std::vector<constraints::Row> joint_rows;           // with angles; empty where none is followed
  std::vector<double> joint_kept;                     // [m, rad] violations that stabilise() is left with
  std::vector<double> joint_start;                    // [m, rad] of rows that give way: values at the start
  std::vector<double> joint_give;                     // [1/kg, 1/(kg m^2)] likewise C: G v + b + C l = 0
  std::vector<unsigned char> joint_broken;            // as State::joint_broken, at the start of the step
  std::vector<double> joint_impulse;                  // [N s, N m s]
  std::vector<double> flow_impulse;                   // [N s, N m s] the same, of the motion without contacts
  std::vector<constraints::Jacobian> joint_gradient;  // of mechanisms that are part of the problem
  std::vector<double> joint_right;                    // [m/s, rad/s] b: G v + b = 0 in the problem
  Motions middle;                                     // all bodies halfway, for forces on mechanisms
  std::vector<forces::AppliedImpulse> middle_applied, last_middle_applied;

  // sleep.h
  std::vector<unsigned char> asleep;  // per body; empty where sleep is not asked for
  bool disturbed = false;             // somebody woke after the motion without contacts was found
  std::vector<int> woken;             // those
  std::vector<int> rest_root;         // scratch: bodies that rest together
  std::vector<unsigned char> rest_mark;
  std::vector<WorkContact> resting;         // contacts of bodies that sleep through a step, sorted by key
  std::vector<unsigned char> rest_through;  // per body: who they are of
  std::int64_t resting_step = -1;           // State::step_count that they are good for

  // detect_pairs
  collision::BroadPhase broad_phase;
  std::vector<collision::Proxy> proxies;
  std::vector<collision::Plane> planes;
  std::vector<double> reach;  // [m] how far a body's surface may move in this step
  std::vector<collision::BodyPair> pairs;
  struct Crowd {
    int body = -1, bodies = 0;  // round this body so many are in reach: more pairs or contacts than are held
  };
  Crowd crowd;                       // of this step: there was one; pairs and contacts are then none
  std::vector<double> pair_allowed;  // [m] <= 0: overlap of each pair at the start of the step
  std::vector<char> pair_lasts;      // the pair carried an impulse in the last step
  std::vector<ContactKey>
      touched_at_start;  // contacts that did, in order: passes may lose and find them again

  // detect_contacts at a candidate pose
  std::vector<ContactPoint> points;
  FoundPoints found;                      // by the last detect_end_contacts()
  std::vector<WorkContact> contacts;      // at the pose of the problem, sorted by key
  std::vector<WorkContact> end_contacts;  // at the pose of w.next, sorted by key
  Motions base;                           // the pose of w.contacts, and the velocities that led to it
  std::vector<Vec3> middle_position;      // [m] halfway through the step
  std::vector<Quat> middle_orientation;
  std::vector<WorkContact> middle_contacts;   // of one pair
  std::vector<WorkContact> found_contacts;    // at poses that stay
  std::vector<WorkContact> kept_frames;       // at the pose of w.next, sorted by key
  double frame_change = 0;                    // [-] largest of pressing contacts in the last pass
  std::vector<WorkContact> earlier_contacts;  // before more pairs came into reach
  std::vector<collision::BodyPair> earlier_pairs;
  std::vector<Quat> mass_pose;  // orientations of the step's M: free motion, then the candidate end
  bool end_geometry = false;    // method implicit_geometry: no contact touches at the start; M is that of it
  Mixing mixing;

  // assemble
  std::vector<int> island_root, block_of_body, body_of_block, island_of_body;
  std::vector<int> wide_bodies;     // scratch
  std::vector<int> moved;           // bodies of the problem, each once, but for links
  std::vector<int> contact_of_row;  // a turning block: as the row before; or joint_row() of a row of a joint
  std::vector<int> row_of_joint;    // per row of the model's constraints
  complementarity::FrictionProblem problem;

  // solve
  std::vector<complementarity::SolverMemory> solver;
  std::vector<complementarity::PolyhedralMemory> polyhedral;
  std::vector<double> r;                              // 3 per row block
  std::vector<double> v;                              // 6 per block
  std::vector<char> pushed;                           // per block: some impulse on it is not 0
  std::vector<double> impulse_scale, velocity_scale;  // per island

  // advance, stabilise
  Motions next;  // the candidate end of the step
  Motions before_stabilise, after_stabilise;
  Unsettled unsettled;
  bool went_back = false;  // to those: velocities did not settle at the stabilised poses
  bool stabilised = false;
  bool close_pressed = false;  // whatever presses is to be closed, not only what touched at the start
  std::vector<Cut> cuts;
  // the step's own problem and end, kept while positions are stabilised
  std::vector<WorkContact> step_contacts, step_end_contacts;
  Motions step_base;
  std::vector<Quat> step_mass_pose;
  complementarity::FrictionProblem step_problem;
  std::vector<int> step_body_of_block, step_contact_of_row, step_island_of_body, step_block_of_body,
      step_moved;
  std::vector<constraints::Jacobian> step_joint_gradient;
  std::vector<double> step_velocity_scale;

  // methods for smooth motion (smooth.h)
  std::array<ForceStage, 4> stage;
  int stages = 0;             // [-] those in use
  std::vector<Vec3> turning;  // [kg m^2/s] angular momenta in world axes, as the method carries them along
  std::vector<Vec3> defect;   // [kg m^2/s] what the method adds to them that no torque did
  std::vector<forces::Element> elements;
  std::vector<std::pair<int, int>> coupled;  // blocks that elements join
  complementarity::BlockLu factors;
  std::vector<double> change;  // 6 per block: of velocity and spin
  HeldWork held;               // joints of the methods that hold them by impulses

  EventWork events;
  ImpactWork impacts;

  // a step made in parts
  State before;
  std::function<void(const State&)> after_part;  // told of every part but the last; may be empty
  std::vector<int> broken;                       // constraints that broke in it

  // certify, settle
  Certificate certificate;
  BodyJudge bodies;
  double soft_error = 0, soft_relative = 0;  // [m, rad], [-] of the laws of joints that give way
  std::vector<double> island_error, island_plain, island_impulse, island_free;  // squared norms
  Entries entries;
  Totals totals;
  std::vector<Vec3> total_impulse, total_torque;  // planar bodies: all impulses on them
  std::vector<SpatialForce> plane_impulse;        // [N s, N m s] per planar joint: what it gave
};

}  // namespace stiction::step
