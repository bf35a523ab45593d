// What the certificate asks of every body by itself: an error of a light body must not drown in the
// impulses of heavy neighbours, and no body may change its momentum but by what pushes it. See
// body_judge.cpp.
#pragma once

#include <vector>

#include "stiction/math/vec3.h"

namespace stiction {
struct Model;
}

namespace stiction::step {

struct Workspace;
struct WorkContact;

/// What the contacts of one body add up to.
struct BodyAccount {
  double error = 0;      // [m/s] sum of w_ib |e_i|
  double borne = 0;      // [m/s] sum of w_ib |r_i|
  double pressed = 0;    // [N s] sum of |r_i|
  double turned = 0;     // [N m s] sum of |arm x r_i|, and of moments
  double most = 0;       // [m/s] of `error`, at one contact
  int partner = -1;      // whose contact that is
  Vec3 impulse, moment;  // [N s], [N m s] sums about the centre of mass
};

/// Scratch of the judge, and what it found.
struct BodyJudge {
  std::vector<double> scale;          // [m/s] U_b per body; those of the problem are set
  std::vector<double> approach;       // [m/s] per row of the problem, in free motion; assemble() sets them
  std::vector<BodyAccount> accounts;  // per body, likewise
  int worst = -1, unbalanced = -1;    // bodies of Certificate::body and ::momentum
  int digits = -1;                    // a body whose round-off is more than the certificate allows
};

/// U_b of the bodies of the problem -> w.bodies.scale, and into the problem's rows, for the solvers.
void set_body_scales(const Model& m, double h, Workspace& w);

void begin_bodies(const Model& m, Workspace& w);
/// One contact: its impulse, the size of its natural-map error [N s], and the inverse masses of its sides.
void add_to_bodies(const WorkContact& c, double error, double impulse, const double inverse_mass[2],
                   Workspace& w);
/// -> certificate.body, certificate.momentum, and who they are of.
void judge_bodies(const Model& m, double tolerance, Workspace& w);

}  // namespace stiction::step
