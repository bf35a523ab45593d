// A hammer hangs by a rod from a swivel and hits a wall: its motion as a tree in reduced coordinates, and the
// impact from the collision matrix.
#include <stiction/dynamics/tree/energy.h>
#include <stiction/dynamics/tree/forward_dynamics.h>
#include <stiction/dynamics/tree/variational.h>

#include <cmath>
#include <cstdio>
using namespace stiction;
int main() {
  // Gravity along -z. The rod hangs from a universal joint, the hammer turns about the rod's lower end.
  tree::Description d{.gravity = {0, 0, -9.81}, .links = {}};
  d.links.push_back({.name = "rod",
                     .joint = tree::JointKind::universal,
                     .axis = {0, 1, 0},
                     .second_axis = {1, 0, 0},
                     .mass = 0.5,
                     .centre = {0, 0, -0.5},
                     .inertia = Mat3::diagonal({0.042, 0.042, 1e-4})});
  d.links.push_back({.name = "hammer",
                     .parent = 0,
                     .joint = tree::JointKind::revolute,
                     .position = {0, 0, -1},
                     .axis = {0, 1, 0},
                     .mass = 2,
                     .centre = {0, 0, -0.1},
                     .inertia = Mat3::diagonal({0.02, 0.02, 0.01}),
                     .stiffness = {5}});
  const tree::Compiled c = tree::compile(d).or_exit();  // lists all mistakes
  const tree::Forest& f = c.forest;
  const tree::Parameters& p = c.parameters;

  std::vector<double> q{-0.6, 0.2, 0}, v(3);  // pulled aside, at rest
  tree::ForwardDynamics work;
  const auto energy = [&] {
    tree::update_positions(f, p, q, work.kinematics);
    tree::update_velocities(f, v, work.kinematics);
    return tree::kinetic_energy(f, p, work.kinematics, v) + tree::gravity_energy(f, p, work.kinematics) +
           tree::spring_energy(f, p, q);
  };
  const double start = energy();

  // The variational integrator until the hammer's face reaches the wall at x = -0.3 m.
  const double h = 1e-4;
  const Vec3 face{-0.1, 0, -0.1};  // in the hammer's frame
  const int hammer = f.find("hammer");
  Vec3 point;
  double t = 0;
  tree::Variational integrator;
  do {
    const tree::VariationalReport r = tree::advance_variationally(f, p, h, {}, {}, q, v, integrator);
    if (!r.done()) return std::fprintf(stderr, "%s\n", tree::explain(r, f, h).c_str()), 1;
    tree::update_positions(f, p, q, work.kinematics);
    point = work.kinematics.pose[std::size_t(hammer)].position +
            tree::link_turn(p, work.kinematics, hammer) * face;
    t += h;
  } while (t < 2 && point.x > -0.3);
  const double drift = std::fabs(energy() - start);

  // A frictionless plastic impact: the impulse along the wall's normal that stops the face.
  tree::factorise(f, p, work.kinematics, {}, work.articulated);
  std::vector<double> response(9);  // rows: normal x, tangents y and z
  const Mat3 W = tree::impulse_response(f, work.kinematics, work.articulated, hammer, point, Mat3::identity(),
                                        work.scratch, response);
  const double before = tree::point_velocity(work.kinematics, hammer, point).x, impulse = -before / W(0, 0);
  const double kinetic = tree::kinetic_energy(f, p, work.kinematics, v);
  for (std::size_t i = 0; i < 3; ++i) v[i] += impulse * response[i];
  tree::update_velocities(f, v, work.kinematics);
  const double after = tree::point_velocity(work.kinematics, hammer, point).x;
  const double lost = kinetic - tree::kinetic_energy(f, p, work.kinematics, v);
  std::printf("t = %.4f s: the face hits at %.4f m/s, impulse %.4f N s, then %.1e m/s; %.4f J lost\n", t,
              before, impulse, after, lost);
  std::printf("energy error of the swing %.1e J\n", drift);
  // The work of a plastic impulse is impulse * (mean normal velocity); the swing keeps its energy to O(h^2).
  const bool right =
      std::fabs(after) < 1e-12 && std::fabs(lost + 0.5 * impulse * before) < 1e-12 && drift < 1e-6;
  return t < 2 && before < -1 && right ? 0 : 1;
}
