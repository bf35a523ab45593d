// The plain-data description of a scene: what files are read into, what programs fill in, what compile()
// takes. Units SI. Physics only: the settings of a run (step, tolerance, ...) are RunSettings.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "stiction/base/ids.h"
#include "stiction/base/result.h"
#include "stiction/constraints/curve.h"
#include "stiction/constraints/joint_rows.h"
#include "stiction/constraints/velocity_rows.h"
#include "stiction/dynamics/tree/joint.h"
#include "stiction/geometry/shape.h"
#include "stiction/model/contact_law.h"

namespace stiction {

enum BodyKind : unsigned char {
  dynamic,    // moved by forces and contacts
  fixed,      // never moves ("static" in scene files)
  kinematic,  // moves as its `motion` table says, whatever touches it
};

/// Prescribed motion: linear between the rows, constant before the first and after the last. `orientation` is
/// empty (the body keeps its own) or as long as `time`; between rows it is interpolated and normalised.
struct Motion {
  std::vector<double> time{};       // [s] strictly increasing
  std::vector<Vec3> position{};     // [m]
  std::vector<Quat> orientation{};  // [-]
};

struct BodyDescription {
  BodyKind kind = dynamic;
  Shape shape = NoShape{};
  double density = 0;             // [kg/m^3] uniform; 0 = not given. Give density or mass, not both.
  double mass = 0;                // [kg] 0 = not given
  Vec3 position{};                // [m] of the centre of mass
  Quat orientation{};             // [-] body to world; normalised by compile()
  Vec3 velocity{};                // [m/s]
  Vec3 spin{};                    // [rad/s] angular velocity in world axes
  std::string surface{};          // name in Scene::surfaces; empty = takes on its partner's surface
  std::optional<Vec3> inertia{};  // [kg m^2] diagonal, body axes; not given = from the shape, uniform density
  bool particle = false;          // a point mass: three translations, no rotation
  bool collides = true;           // false: the shape gives mass and picture only
  std::string group{};            // bodies of one group never touch each other; empty = in none
  Motion motion{};                // for kinematic bodies
};

/// What a surface is like; how two of them rub: docs/theory/contact.md#friction-between-two-surfaces.
struct SurfaceDescription {
  double friction = 0.5;                     // [-] Coulomb coefficient, at rest; >= 0
  std::optional<double> kinetic_friction{};  // [-] in sliding, 0 to `friction`; not given = `friction`
  double stribeck_speed = 0;    // [m/s] slip over which the one goes over into the other; 0 = at once
  double viscous_friction = 0;  // [s/m] >= 0: what the coefficient grows by with the slip
  Vec3 grain{};                 // [-] body axes, of any length: a direction with a coefficient of its own
  double friction_along = 0;    // [-] coefficient along the grain, at rest; above 0 with a grain, else 0
  double spin_length = 0;       // [m] >= 0: lever of friction against spin about the normal
  double rolling_length = 0;    // [m] >= 0: lever of the load against rolling
  Vec3 surface_velocity{};      // [m/s] body axes: how the surface moves over its body, as a belt does
  double stiffness = 0;         // [N/m] >= 0: of a contact point on the surface; 0 = rigid
  double young = 0;             // [Pa] >= 0: Young's modulus, for Hertz's law; 0 = rigid; not with stiffness
  double poisson = 0.3;         // [-] -1 to 0.5: Poisson's ratio beside it
  double damping_time = 0;      // [s] >= 0: over which what gives way resists its motion
  double restitution = 0;       // [-] 0 to 1: how much of an impact it gives back; 0 for what gives way
  ImpactLaw impact_law = ImpactLaw::newton;        // of impacts at several contacts at once
  std::optional<double> tangential_restitution{};  // [-] -1 to 1, with the law superball; not given = 1
};
/// Replaces the combination rule for one pair of surfaces.
struct SurfacePairDescription {
  std::string a{}, b{};
  double friction = 0.5;                     // [-] >= 0
  std::optional<double> kinetic_friction{};  // [-] not given = `friction`; what else is not given: the rule
  std::optional<double> stribeck_speed{};    // [m/s]
  std::optional<double> viscous_friction{};  // [s/m]
  std::optional<double> friction_along{};    // [-] along the grain of one of them
  std::optional<double> spin_length{};       // [m]
  std::optional<double> rolling_length{};    // [m]
  std::optional<double> stiffness{};         // [N/m] above 0, of the two together
  std::optional<double> damping_time{};      // [s]
  std::optional<double> restitution{};       // [-]
  std::optional<ImpactLaw> impact_law{};
  std::optional<double> tangential_restitution{};  // [-]
};

/// The body moves in the plane through its first position with this normal: two translations, one rotation.
struct PlanarJoint {
  std::string body{};
  Vec3 normal{0, 1, 0};  // [-] world axes; need not be unit length
};
/// How far a joint may go. Lists: one number for all of its coordinates, or one each; empty = no limit, as is
/// a number of `no_limit` or more in size.
struct JointLimits {
  std::vector<double> lower{}, upper{};  // [m, rad] lower <= upper
  double restitution = 0;                // [-] 0..1: speed after over speed before, where a limit is hit
  double swing = 0;  // [rad] constraint joints of kind ball: largest angle that `axis` of the body makes with
                     // that of the parent, below pi; 0 = none. `lower` and `upper` are for the twist about it
};
inline constexpr double no_limit = 1e30;
/// Drives a joint with a force that is at most `force`. Lists as above; a motor needs `force`, and `speed` or
/// `position`.
struct JointMotor {
  std::vector<double> force{};     // [N, N m] >= 0: the largest
  std::vector<double> speed{};     // [m/s, rad/s] to reach and keep; with `position`: the fastest, >= 0
  std::vector<double> position{};  // [m, rad] to reach and keep
};
/// A joint as coordinates: `body` hangs on `parent` and moves against it as the kind says, nothing else.
/// Bodies joined this way are the links of a tree. `at` and the axes are in world coordinates, with all
/// bodies where their descriptions put them; there the coordinates of the joint are neutral (0; no turn).
/// Lists per velocity coordinate are empty (all 0), have one number (for all of them) or one each:
/// docs/theory/trees.md.
struct CoordinateJoint {
  tree::JointKind kind = tree::JointKind::revolute;  // not free: a body without a joint is that
  std::string body{};
  std::string parent{};      // body that it hangs on; empty, or a static body: the world
  std::optional<Vec3> at{};  // [m] a point of the joint; not given = the centre of mass of the body
  Vec3 axis{0, 0, 1};        // [-] of any length; the normal of a planar joint
  Vec3 second_axis{};        // [-] universal, planar (direction of x): at right angles to `axis`; 0 = any
  double pitch = 0;          // [m/rad] screw
  std::vector<double> position{};            // [m, rad] where it starts; empty = neutral
  std::vector<double> velocity{};            // [m/s, rad/s] how fast
  std::vector<double> stiffness{};           // [N/m, N m/rad] >= 0, against `rest`
  std::vector<double> rest{};                // [m, rad] as `position`; empty = neutral
  std::vector<double> damping{};             // [N s/m, N m s/rad] >= 0
  std::vector<double> time{};                // [s] strictly increasing; empty = constant
  std::vector<std::vector<double>> force{};  // [N, N m] one row, or as many as `time`; linear between them,
                                             // zero outside; a row as the lists above
  JointLimits limits{};
  JointMotor motor{};
  std::vector<double> friction{};  // [N, N m] >= 0: dry, whatever the load
};
/// A joint as a constraint: `body` and `parent` keep all their velocities, and forces hold them together. Any
/// number of them may act on a body, and they may close loops: docs/theory/constraints.md. Places and axes
/// are in world coordinates, with all bodies where their descriptions put them.
struct ConstraintJoint {
  constraints::Kind kind = constraints::Kind::hinge;
  std::string body{};
  std::string parent{};             // the other body; empty = the world
  std::optional<Vec3> at{};         // [m] a point of the joint; not given = the centre of mass of the body
  std::optional<Vec3> parent_at{};  // [m] the point on the parent's side; not given = `at`
  Vec3 axis{0, 0, 1};               // [-] of any length; the normal of a planar joint
  Vec3 second_axis{};               // [-] at right angles to `axis`; 0 = any
  double pitch = 0;                 // [m/rad] screw
  double length = 0;                // [m] distance; 0 = as far as the points are apart
  std::vector<Vec3> points{};       // [m] point_on_curve: the curve goes through them, fixed in the parent
  constraints::CurveKind curve = constraints::CurveKind::spline;
  bool closed = false;   // [-] the last point is joined to the first
  JointLimits limits{};  // of the coordinates that it leaves free; 0 where the scene puts it
  JointMotor motor{};
  std::vector<double> friction{};  // [N, N m] >= 0: dry, whatever the load
  // How it gives way, 0 = not at all: a row with the value g has the force -(g + damping_time g')/compliance
  double compliance = 0;          // [m/N] >= 0, of rows that are lengths
  double angular_compliance = 0;  // [rad/(N m)] >= 0, of rows that are angles
  double damping_time = 0;        // [s] >= 0, of both
  // Springs and dampers on the coordinates that it leaves free, lists as those of CoordinateJoint.
  std::vector<double> stiffness{};  // [N/m, N m/rad] >= 0, against `rest`
  std::vector<double> rest{};       // [m, rad] empty = 0
  std::vector<double> damping{};    // [N s/m, N m s/rad] >= 0
  // It breaks at the end of a step in which its mean force or torque was larger; 0 = never.
  double break_force = 0;   // [N] >= 0
  double break_torque = 0;  // [N m] >= 0, about the joint's point on the body
};
/// Gear, belt or rack: c1 + ratio c2 stays what it is where the scene puts the two joints, c being
/// coordinates that they leave free. The bodies of the two joints do not touch each other.
struct GearJoint {
  std::string first{}, second{};                    // joints with coordinates, of any kind in any mix
  int first_coordinate = 0, second_coordinate = 0;  // which, where a joint has several
  double ratio = 1;  // [-] two angles: radius of the second wheel over that of the first, below 0 for a belt;
                     // [m/rad] a length and an angle: minus the radius of the pinion
};
/// A ball, or a thin disc on its rim, that rolls on a plane of `parent` and neither slips nor leaves it. The
/// two do not touch each other. Places and directions as in ConstraintJoint.
struct RollingJoint {
  enum class Kind : unsigned char { ball, disc };
  Kind kind = Kind::ball;
  std::string body{};
  std::string parent{};      // that the plane is fixed in; empty = the world
  double radius = 0;         // [m] > 0
  Vec3 normal{0, 0, 1};      // [-] of the plane, towards the body; of any length
  std::optional<Vec3> at{};  // [m] centre of ball or disc; not given = the centre of mass of the body
  Vec3 axis{0, 1, 0};        // [-] disc: across it; not along the normal
};
/// A blade: a point of `body` does not move against `parent` along one direction, which turns with the body.
struct KnifeEdgeJoint {
  std::string body{};
  std::string parent{};      // empty = the world
  std::optional<Vec3> at{};  // [m] the point; not given = the centre of mass of the body
  Vec3 across{0, 1, 0};      // [-] of any length
};
/// Any linear equation between velocities:
///     linear.v + angular.w + parent_linear.v_p + parent_angular.w_p + drift = 0
/// v of the centres of mass, w spins. The coefficients are in world axes, with all bodies where their
/// descriptions put them, and turn with what `axes` says.
struct PfaffianJoint {
  std::string body{};
  std::string parent{};      // empty = the world
  Vec3 linear{}, angular{};  // [-], [m]; or any common multiple
  Vec3 parent_linear{}, parent_angular{};
  constraints::Pfaffian::Axes axes = constraints::Pfaffian::Axes::world;  // a: of the parent, b: of the body
  double drift = 0;                                                       // [m/s]
};
using JointDescription = std::variant<PlanarJoint, CoordinateJoint, ConstraintJoint, GearJoint, RollingJoint,
                                      KnifeEdgeJoint, PfaffianJoint>;

/// Force k (l - l0) + c dl/dt along the line between two points.
struct SpringDamper {
  std::string a{};            // body; empty = the world
  std::string b{};            // body
  Vec3 point_a{}, point_b{};  // [m] in body coordinates (world coordinates for the world)
  double stiffness = 0;       // [N/m] >= 0
  double damping = 0;         // [N s/m] >= 0
  double rest_length = 0;     // [m] >= 0
};
/// Torque k (phi - phi0) + c dphi/dt against the twist phi of body b about an axis of body a. The twist is 0
/// where both bodies are turned alike, and lies in [-pi, pi]: whole turns are not counted.
struct TorsionSpring {
  std::string a{};        // body; empty = the world
  std::string b{};        // body
  Vec3 axis{0, 0, 1};     // [-] in coordinates of body a, or of the world; need not be unit length
  double stiffness = 0;   // [N m/rad] >= 0
  double damping = 0;     // [N m s/rad] >= 0
  double rest_angle = 0;  // [rad] in [-pi, pi]
};
/// Force -(c1 + c2 |v| + kappa |v|^(gamma - 1)) v on the centre of mass and torque -ca w.
struct Drag {
  std::string body{};      // empty = every dynamic body
  double linear = 0;       // [N s/m] c1 >= 0
  double quadratic = 0;    // [N s^2/m^2] c2 >= 0
  double angular = 0;      // [N m s] ca >= 0
  double coefficient = 0;  // [N (s/m)^gamma] kappa >= 0
  double exponent = 2;     // [-] gamma > 0
};
/// Force kappa (w x v) on the centre of mass of a spinning body: it bends the path and does no work.
struct Magnus {
  std::string body{};      // empty = every dynamic body that turns
  double coefficient = 0;  // [kg] kappa, of either sign; rho A C_M / 2 with C_M a length
};
/// Newton's law of gravitation between all pairs: force G m_i m_j / r^2 towards each other.
struct Gravitation {
  double constant = 6.674e-11;        // [m^3/(kg s^2)] G > 0
  std::vector<std::string> bodies{};  // names, or "star.*" for all that start with "star."; empty = every
                                      // dynamic body
};
/// Lennard-Jones potential 4 e ((s/r)^12 - (s/r)^6) between all pairs, cut off and lifted to 0 at `cutoff`.
struct LennardJones {
  double depth = 0;                   // [J] e > 0
  double diameter = 0;                // [m] s > 0: where the potential is 0
  double cutoff = 0;                  // [m] > diameter; 0 = none
  std::vector<std::string> bodies{};  // as in Gravitation
};
/// Force and torque on one body; constant (one row) or a table, linear between the rows, zero outside of
/// them.
struct Wrench {
  std::string body{};
  std::vector<double> time{};  // [s] strictly increasing; empty = constant
  std::vector<Vec3> force{};   // [N] one row, or as many as `time`
  std::vector<Vec3> torque{};  // [N m] about the centre of mass
  bool body_frame = false;     // false: world axes; true: axes that turn with the body
  Vec3 point{};                // [m] body coordinates, where the force acts
};
using ForceDescription =
    std::variant<SpringDamper, Drag, Wrench, TorsionSpring, Magnus, Gravitation, LennardJones>;

/// A region that reports which bodies overlap it and pushes nothing.
struct SensorDescription {
  Shape shape = NoShape{};
  Vec3 position{};  // [m]
  Quat orientation{};
};

template <class T>
struct Named {
  std::string name{};
  T value;
};

/// Everything physical. An aggregate: fill members directly or with add_*; names are unique within a list.
struct Scene {
  Vec3 gravity{0, 0, 0};  // [m/s^2]
  std::vector<Named<SurfaceDescription>> surfaces{};
  std::vector<SurfacePairDescription> surface_pairs{};
  std::vector<Named<BodyDescription>> bodies{};
  std::vector<Named<JointDescription>> joints{};
  std::vector<Named<ForceDescription>> forces{};
  std::vector<Named<SensorDescription>> sensors{};
  std::string title{};

  SurfaceId add_surface(std::string name, SurfaceDescription s);
  BodyId add_body(std::string name, BodyDescription b);
  JointId add_joint(std::string name, JointDescription j);
  ForceId add_force(std::string name, ForceDescription f);
  SensorId add_sensor(std::string name, SensorDescription s);
};
/// Whether "star.*" or a name means this body.
bool means(const std::string& pattern, const std::string& body);
/// Takes joints and forces on a body that is gone (or has another name) out of the scene, and out of lists of
/// bodies what means nobody any more.
void forget_body(Scene& scene, const std::string& body);

/// Numbers of scene files, and masses, are at most this in size (a galaxy is some 1e42 kg, 1e21 m): energies
/// and the squares of momenta then stay within the range of numbers. Masses are not below its inverse.
inline constexpr double largest_number = 1e45;

/// All mistakes of a scene, each with its path ("bodies.cart.density"); empty = fine.
std::vector<Mistake> validate(const Scene& scene);

}  // namespace stiction
