// The compiled scene: dense arrays, names resolved to indices, derived numbers computed. Structure is fixed
// for the life of a revision; the engine never writes to it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "stiction/dynamics/tree/kinematics.h"
#include "stiction/model/contact_law.h"
#include "stiction/model/joint_laws.h"
#include "stiction/model/mechanism.h"
#include "stiction/model/scene.h"

namespace stiction {

/// How many velocity coordinates a body has and which.
enum class Mobility : unsigned char {
  none,      // fixed and kinematic bodies
  free,      // 6: velocity, spin
  planar,    // 3: two translations in the plane, one rotation about its normal
  particle,  // 3: velocity
  link,      // those of its tree: Model::trees
};

/// A planar joint of a body that is no link of a tree.
struct ModelPlane {
  int body = -1;
  int joint = -1;  // of Scene::joints
};

struct ModelSpring {
  int a = -1, b = -1;  // body indices; -1 = world
  Vec3 point_a{}, point_b{};
  double stiffness = 0, damping = 0, rest_length = 0;
};
struct ModelTorsion {
  int a = -1, b = -1;  // body indices; -1 = world
  Vec3 axis{};         // unit, in coordinates of a
  double stiffness = 0, damping = 0, rest_angle = 0;
};
struct ModelDrag {
  int body = -1;
  double linear = 0, quadratic = 0, angular = 0, coefficient = 0, exponent = 2;
};
struct ModelMagnus {
  int body = -1;
  double coefficient = 0;
};
struct ModelGravitation {
  double constant = 0;
  std::vector<int> bodies{};  // sorted
};
struct ModelLennardJones {
  double depth = 0, diameter = 0, cutoff = 0;
  std::vector<int> bodies{};  // sorted
};
struct ModelWrench {
  int body = -1;
  std::vector<double> time{};           // empty = constant
  std::vector<Vec3> force{}, torque{};  // one row if constant, else as many as `time`
  bool body_frame = false;
  Vec3 point{};
};
struct ModelSensor {
  Shape shape{};
  Vec3 position{};
  Quat orientation{};
};

/// Forces [N, N m] of one joint over time.
struct ModelJointForce {
  int link = -1;
  std::vector<double> time{};   // empty = constant
  std::vector<double> force{};  // a row for each time, one number per velocity coordinate of the joint
};
/// Bodies joined by coordinates. The frame of a link has the axes of its body and its origin at the joint;
/// that of a free root, its origin at the centre of mass. Gravity is no part of the parameters: the step has
/// it.
struct ModelTrees {
  tree::Forest forest{};
  tree::Parameters parameters{};
  std::vector<int> body{};           // per link
  std::vector<int> joint{};          // per link: which of Scene::joints; -1 = none, a free root
  std::vector<int> link_of_joint{};  // the way back; -1 = a joint of a body that is no link
  std::vector<Vec3> centre{};        // [m] per link: of mass, in the axes of the body, from the joint
  std::vector<int> rigid{};          // per link: the first of the links that fixed joints make one with it
  std::vector<double> start_position{}, start_velocity{};  // coordinates of the start
  std::vector<ModelJointForce> forces{};

  bool empty() const { return body.empty(); }
};

struct Model {
  int revision = 0;
  // What it was compiled from: bodies in the order of the indices, orientations normalised, the position of a
  // kinematic body as its motion has it at time 0.
  Scene scene{};

  Vec3 gravity{};
  // per body, size body_count()
  std::vector<std::string> body_name{};
  std::map<std::string, int> body_index{};  // the way back
  std::vector<BodyKind> body_kind{};
  std::vector<Mobility> mobility{};
  std::vector<Shape> shape{};    // normals of half-spaces have unit length
  std::vector<char> collides{};  // 0 for NoShape
  std::vector<int> colliding{};  // the bodies that do, in order
  std::vector<int> group{};      // bodies of one group never touch each other; -1 = in none
  std::map<std::string, int> group_index{};
  std::vector<int> surface{};          // index, or -1 = takes on its partner's
  std::vector<double> mass{};          // [kg]; 0 unless dynamic
  std::vector<Vec3> inertia{};         // [kg m^2] diagonal, body axes; 0 unless dynamic with rotation
  std::vector<double> size{};          // [m] the certificate's L
  std::vector<double> radius{};        // [m] bounding radius
  std::vector<Vec3> plane_normal{};    // planar bodies: unit normal; else 0
  std::vector<ModelPlane> planes{};    // their joints, in the order of the scene
  std::vector<Motion> motion{};        // quaternions unit, neighbouring rows on the same side (dot >= 0)
  std::vector<Vec3> start_position{};  // [m] potential energy counts from here
  std::vector<int> link{};             // of ModelTrees, or -1
  std::vector<int> base{};             // the static body that a root hangs on, or -1

  ModelTrees trees{};
  ModelMechanisms mechanisms{};
  std::vector<ModelLaw> laws{};
  std::vector<ModelVelocityRows> velocity_rows{};
  // Bodies that a constraint joins to a link, a gear to each other, or that roll on each other; sorted.
  std::vector<std::pair<int, int>> tied{};

  std::vector<ModelSpring> springs{};
  std::vector<ModelDrag> drags{};
  std::vector<ModelWrench> wrenches{};
  std::vector<ModelTorsion> torsions{};
  std::vector<ModelMagnus> magnus{};
  std::vector<ModelGravitation> gravitations{};
  std::vector<ModelLennardJones> lennard_jones{};
  std::vector<ModelSensor> sensors{};
  std::vector<std::string> spring_name{}, torsion_name{}, drag_name{}, wrench_name{}, sensor_name{};
  /// Whether forces with a potential other than uniform gravity act.
  bool has_potentials() const {
    return !springs.empty() || !torsions.empty() || !gravitations.empty() || !lennard_jones.empty() ||
           trees.parameters.has_springs || mechanisms.springs || contacts_give;
  }

  int surface_count = 0;
  std::vector<ContactLaw> pair_law{};  // (surface_count + 1)^2, row and column 0 = "no surface"
  bool friction_varies = false;        // some law has a coefficient that depends on the slip, or jumps
  bool friction_jumps = false;         // some jumps
  bool resists_turning = false;        // some has a lever against spin or rolling
  bool surfaces_move = false;          // some surface has a velocity of its own
  bool contacts_give = false;          // some law lets contacts give way
  bool bounces = false;                // some law has restitution

  int body_count() const { return int(body_name.size()); }
  const ContactLaw& law(int body_a, int body_b) const {
    const auto n = std::size_t(surface_count + 1);
    return pair_law[std::size_t(surface[std::size_t(body_a)] + 1) * n +
                    std::size_t(surface[std::size_t(body_b)] + 1)];
  }
  double friction(int body_a, int body_b) const { return law(body_a, body_b).friction; }
  /// What the body's surface is like; nullptr = it has none of its own.
  const SurfaceDescription* surface_of(int body) const {
    const int i = surface[std::size_t(body)];
    return i < 0 ? nullptr : &scene.surfaces[std::size_t(i)].value;
  }
  int find_body(const std::string& name) const;  // index or -1
  /// Joined by a joint, or by one and fixed ones: such bodies do not touch each other.
  bool joined(int body_a, int body_b) const;
  bool share_group(int body_a, int body_b) const {
    return group[std::size_t(body_a)] >= 0 && group[std::size_t(body_a)] == group[std::size_t(body_b)];
  }
};

/// Where a compiled motion is at a time [s]; orientation_at() only where the table has orientations.
Vec3 position_at(const Motion& motion, double time);
Quat orientation_at(const Motion& motion, double time);

/// A hash of what a State's arrays stand for: names, kinds, mobilities and kinds of shape of the bodies, in
/// order; kinds, places and axes of the joints of trees. Two models with the same structure take each other's
/// States; their other numbers (masses, sizes, friction) may differ.
std::uint64_t structure_hash(const Model& m);

/// Where a link's body is and how it moves, from the kinematics of its tree.
void place_link(const ModelTrees& t, const tree::Kinematics& k, std::size_t link, Vec3& position,
                Quat& orientation);
void move_link(const tree::Kinematics& k, std::size_t link, Vec3& velocity, Vec3& spin);

/// Validates and compiles. `revision` counts the edits of a world.
Result<Model> compile(const Scene& scene, int revision = 0);

}  // namespace stiction
