// Contacts on bodies that constraints join: a linkage is one wide block of the problem, in coordinates that
// its joints leave free (complementarity/friction_problem.h).
//
// The rows of its joints, G v = -b (mechanism_rows.cpp), are solved once and for all:
//     v = C z,   C^T M C = 1,     z = z_p + Z y,     G C Z = 0,  Z^T Z = 1,  Z^T z_p = 0
// with z_p the smallest z that G C z = -b has (dynamics/mechanism/null_space.h). What is left for the problem
// is y, with the unit matrix as mass matrix:
//     y - Z^T z_free = (J C Z)^T r,     u = J C Z y + J C z_p + b_c
// so that contacts see the joints as if they were made of coordinates, and the solvers' scales are those of
// contacts alone. Impulses of joints follow from the momenta that contacts do not account for,
//     (G C)^T l = z - z_free - (J C)^T r
// A row that gives way, G v + b + C l = 0, becomes one that holds by a coordinate of its own, z_s, without a
// body:
//     G C z + s z_s = 0,    s^2 = C,    z_s_free = b/s         l = (z_s - z_s_free)/s = -(G v + b)/C
// so that |y|^2/2 is v'A v/2 with A = M + h D + h^2 K of the condensed equations, and contacts never add to
// it.
//
// Rows that repeat others at the start of the step, to `repeats`, are not asked again in this step: at a
// candidate end whose joints do not quite meet they would contradict the others. What they say still counts
// in the certificate. A contact whose bodies joints do not let move against each other along its normal is
// no part of the problem: its impulse would be anything, and joints bear the load alone.
//
// Symbols: M [kg, kg m^2] at the pose of the problem, C [1/sqrt(kg), ...], z and y [sqrt(J)], l [N s, N m s].
// When it fails: the cost is the third power of the number of coordinates. Linkages with more than
// `most_linkage_dofs` keep their joints as rows beside the contacts: slower, and less exact.
#include <algorithm>
#include <cmath>

#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

using complementarity::width;
using constraints::Jacobian;
using constraints::Pose;
using constraints::Twist;

constexpr double repeats = 1e-6;       // [-] of its length: a row of which less is new repeats others
constexpr double independent = 1e-12;  // [-] the same for rows that were independent at the start
constexpr double no_motion = 1e-14;    // [-] inverse mass along a normal with joints, over that without: none

/// Velocities of one body, a column for each coordinate: C^T M C = 1 with the inertia at orientation q.
int add_columns(const Model& m, std::size_t i, const Quat& q, std::vector<Twist>& out) {
  MechanismWork::Basis basis = basis_of(m, i);
  const double mass = 1 / std::sqrt(m.mass[i]);
  for (int k = 0; k < basis.dofs; ++k) {
    Twist& column = basis.column[k];
    if (m.mobility[i] == Mobility::free && k >= 3) {
      Vec3 axis;
      axis[k - 3] = 1 / std::sqrt(m.inertia[i][k - 3]);
      column.angular = rotate(q, axis);
    } else if (column.angular != Vec3{}) {
      column.angular = (1 / std::sqrt(dot(column.angular, world_inertia(m.inertia[i], q) * column.angular))) *
                       column.angular;
    }
    column.linear = mass * column.linear;
    out.push_back(column);
  }
  return basis.dofs;
}

void set_columns(const Model& m, const ModelLinkage& linkage, const std::vector<Quat>& orientation,
                 LinkageWork& own) {
  own.begin.clear(), own.column.clear();
  for (const int body : linkage.body) {
    own.begin.push_back(int(own.column.size()));
    add_columns(m, std::size_t(body), orientation[std::size_t(body)], own.column);
  }
  own.begin.push_back(int(own.column.size()));
}

/// Calls act(constraint, row of the model, its place in the linkage) for the rows of joints that are whole.
template <class Act>
void for_rows(const Model& m, const ModelLinkage& linkage, const Workspace& w, const Act& act) {
  int at = 0;
  for (const int j : linkage.constraint) {
    const ModelConstraint& c = m.mechanisms.constraint[std::size_t(j)];
    const int count = int(rows_of(m, c, w).size());
    for (int r = c.row_begin; r < c.row_begin + count; ++r) act(c, r, at++);
  }
}

/// Coordinates of rows that give way, after those of bodies.
void add_virtual(const Model& m, LinkageWork& own) {
  own.virtual_of.assign(own.row.size(), -1);
  for (std::size_t k = 0; k < own.row.size(); ++k) {
    if (!m.mechanisms.softness[std::size_t(own.row[k])].is_soft()) continue;
    own.virtual_of[k] = int(own.column.size());
    own.column.push_back({});
  }
}

/// Calls act(coordinate) for those of a body.
template <class Act>
void for_coordinates(const Model& m, const LinkageWork& own, int body, const Act& act) {
  const auto k = std::size_t(m.mechanisms.place_of[std::size_t(body)]);
  for (int i = own.begin[k]; i < own.begin[k + 1]; ++i) act(std::size_t(i));
}

/// One row of `space`; bodies that are no part of a linkage do not move by it.
void set_row(const Model& m, const ModelConstraint& c, const Jacobian& g, int r, LinkageWork& own) {
  double* out = own.space.row(r);
  for (const bool second : {false, true}) {
    const int body = second ? c.b : c.a;
    if (body < 0 || m.mechanisms.linkage_of[std::size_t(body)] < 0) continue;
    for_coordinates(m, own, body, [&](std::size_t i) { out[i] += dot(own.column[i], second ? g.b : g.a); });
  }
}

/// Which rows are independent at the start of the step.
void choose_rows(const Model& m, const State& x, const ModelLinkage& linkage, const Workspace& w,
                 LinkageWork& own) {
  own.row.clear();
  for_rows(m, linkage, w, [&](const ModelConstraint&, int r, int) { own.row.push_back(r); });
  set_columns(m, linkage, x.orientation, own), add_virtual(m, own);
  own.space.resize(int(own.row.size()), int(own.column.size()));
  const auto pose = [&](int body) {
    return body < 0 ? Pose{} : Pose{x.position[std::size_t(body)], x.orientation[std::size_t(body)]};
  };
  constraints::RowValue value[mechanism::most_rows];
  for_rows(m, linkage, w, [&](const ModelConstraint& c, int r, int at) {
    if (r == c.row_begin) constraints::evaluate(rows_of(m, c, w), pose(c.a), pose(c.b), value);
    if (const int own_at = own.virtual_of[std::size_t(at)]; own_at >= 0)
      own.space.row(at)[own_at] = 1;  // whatever the others say
    else
      set_row(m, c, value[r - c.row_begin].jacobian, at, own);
  });
  own.space.factorise(repeats);
  own.usable.assign(own.row.size(), 0);
  for (int k = 0; k < own.space.rank(); ++k) own.usable[std::size_t(own.space.order()[std::size_t(k)])] = 1;
  own.chosen = true;
}

/// [kg m/s], [kg m^2/s] of a body without joints and contacts, as fill_block() has it.
Twist free_momentum(const Model& m, const State& x, double h, std::size_t i, const Workspace& w) {
  Twist p{m.mass[i] * w.free.velocity[i], {}};
  if (m.mobility[i] == Mobility::planar) {
    p.angular = world_inertia(m.inertia[i], x.orientation[i]) * w.free.spin[i];
  } else if (m.mobility[i] == Mobility::free) {
    p.angular = world_inertia(m.inertia[i], x.orientation[i]) * x.spin[i];
    if (w.has_applied) p.angular += w.angular_impulse[i];
    if (w.end_geometry) p.angular += gyroscopic_impulse(m, x, h, i);
  }
  return p;
}

const LinkageWork& work_of(const Model& m, const Workspace& w, int body) {
  return w.linkages[std::size_t(linkage_of(m, body))];
}

/// C z of one body.
Twist sum_of(const Model& m, const LinkageWork& own, int body, const std::vector<double>& z) {
  Twist v;
  for_coordinates(m, own, body, [&](std::size_t i) {
    v.linear += z[i] * own.column[i].linear, v.angular += z[i] * own.column[i].angular;
  });
  return v;
}

/// out += J C Z for one row J of a body.
void add_row(const Model& m, const LinkageWork& own, int body, const Twist& J, double* out) {
  const auto n = std::size_t(own.space.free());
  for_coordinates(m, own, body, [&](std::size_t i) {
    const double by = dot(own.column[i], J);
    const double* z = own.space.basis(int(i));
    if (by != 0)
      for (std::size_t j = 0; j < n; ++j) out[j] += by * z[j];
  });
}

/// The same with sign for the three rows of a contact, `size` numbers each.
void add_rows(const Model& m, const LinkageWork& own, const WorkContact& c, int side, std::size_t size,
              double* out) {
  const Vec3 directions[3] = {c.point.normal, c.tangent[0], c.tangent[1]};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 d = (side == 0 ? -1.0 : 1.0) * directions[k];
    add_row(m, own, side == 0 ? c.point.key.a : c.point.key.b, Twist{d, cross(c.arm[side], d)},
            out + k * size);
  }
}

/// n J M^-1 J^T n of one side, without joints.
double inverse_mass(const Model& m, const LinkageWork& own, const WorkContact& c, int side) {
  double sum = 0;
  const Twist J{c.point.normal, cross(c.arm[side], c.point.normal)};
  for_coordinates(m, own, side == 0 ? c.point.key.a : c.point.key.b, [&](std::size_t i) {
    const double by = dot(own.column[i], J);
    sum += by * by;
  });
  return sum;
}

}  // namespace

int linkage_of(const Model& m, int body) {
  if (body < 0 || m.mechanisms.empty()) return -1;
  const int l = m.mechanisms.linkage_of[std::size_t(body)];
  return l >= 0 && m.mechanisms.linkage[std::size_t(l)].dofs <= most_linkage_dofs ? l : -1;
}

void clear_linkages(const Model& m, Workspace& w) {
  w.linkages.resize(m.mechanisms.linkage.size());
  for (LinkageWork& own : w.linkages) own.block = -1, own.chosen = false;
}

void prepare_linkage(const Model& m, const State& x, double h, std::size_t linkage, Workspace& w) {
  const ModelLinkage& of = m.mechanisms.linkage[linkage];
  LinkageWork& own = w.linkages[linkage];
  if (!own.chosen) choose_rows(m, x, of, w, own);
  set_columns(m, of, w.mass_pose, own), add_virtual(m, own);
  const std::size_t n = own.column.size();
  own.given.resize(n), own.free.resize(n), own.z.resize(n), own.push.resize(n);
  own.space.resize(int(own.row.size()), int(n));
  own.right.resize(own.row.size()), own.force.resize(own.row.size());
  for_rows(m, of, w, [&](const ModelConstraint& c, int r, int at) {
    const double right = w.joint_right[std::size_t(r)];
    set_row(m, c, w.joint_gradient[std::size_t(r)], at, own);
    own.right[std::size_t(at)] = -right;
    if (const int own_at = own.virtual_of[std::size_t(at)]; own_at >= 0) {
      const double s = std::sqrt(w.joint_give[std::size_t(r)]);
      own.space.row(at)[own_at] = s, own.free[std::size_t(own_at)] = right / s;
      own.right[std::size_t(at)] = 0;
    }
  });
  own.space.factorise(independent, &own.usable);
  own.space.particular(own.right.data(), own.given.data());
  for (const int body : of.body) {
    const Twist p = free_momentum(m, x, h, std::size_t(body), w);
    for_coordinates(m, own, body, [&](std::size_t i) { own.free[i] = dot(own.column[i], p); });
  }
}

void drop_idle_contacts(const Model& m, Workspace& w) {
  for (WorkContact& c : w.contacts) {
    c.idle = false;
    if (!c.in_problem) continue;
    const int bodies[2] = {c.point.key.a, c.point.key.b};
    bool asked = true;  // all that moves is in linkages
    double without = 0, with = 0;
    const LinkageWork* last = nullptr;
    for (const int side : {0, 1}) {
      if (!can_move(m, bodies[side])) continue;
      const int l = linkage_of(m, bodies[side]);
      asked = asked && l >= 0;
      if (!asked) break;
      const LinkageWork& own = w.linkages[std::size_t(l)];
      const auto n = std::size_t(own.space.free());
      if (last != &own) w.idle_rows.assign(3 * n, 0.0);
      add_rows(m, own, c, side, n, w.idle_rows.data());
      without += inverse_mass(m, own, c, side);
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += w.idle_rows[k] * w.idle_rows[k];
      with = last == &own ? sum : with + sum;
      last = &own;
    }
    if (!asked || with > no_motion * without) continue;
    c.idle = true, c.in_problem = false, c.impulse = c.moment = {};
  }
}

int blocks_of(const LinkageWork& own) { return std::max(1, (own.space.free() + width - 1) / width); }

void place_linkage(const Model& m, std::size_t linkage, int block, Workspace& w) {
  const ModelLinkage& of = m.mechanisms.linkage[linkage];
  w.linkages[linkage].block = block;
  const int island = w.island_of_body[std::size_t(of.body.front())];
  for (const int body : of.body)
    w.block_of_body[std::size_t(body)] = block, w.island_of_body[std::size_t(body)] = island;
}

void fill_linkage_block(const LinkageWork& own, int part, Workspace& w) {
  const auto wide = std::find_if(w.problem.wide.begin(), w.problem.wide.end(),
                                 [&](const auto& b) { return b.first == own.block; });
  for (int i = part * width; i < (part + 1) * width; ++i)
    w.problem.wide_A[wide->at + std::size_t(i * (wide->size() + 1))] = 1;
  double A[width * width] = {};
  for (int i = 0; i < width; ++i) A[i * (width + 1)] = 1;
  w.problem.A.insert(w.problem.A.end(), A, A + width * width);
  w.problem.A_inverse.insert(w.problem.A_inverse.end(), std::size_t(width * width), 0.0);
  for (int j = part * width; j < (part + 1) * width; ++j) {
    double y = 0;
    if (j < own.space.free())
      for (std::size_t i = 0; i < own.free.size(); ++i) y += own.space.basis(int(i))[j] * own.free[i];
    w.problem.v_free.push_back(y);
  }
}

void fill_linkage_rows(const Model& m, const WorkContact& c, int side, Workspace& w,
                       complementarity::ContactRows& rows) {
  complementarity::FrictionProblem& p = w.problem;
  const LinkageWork& own = work_of(m, w, side == 0 ? c.point.key.a : c.point.key.b);
  const auto size = std::size_t(width * blocks_of(own));
  const std::size_t at = open_wide_rows(side, size, p, rows);
  add_rows(m, own, c, side, size, p.wide_G.data() + at);
  std::copy_n(p.wide_G.data() + at, 3 * size, p.wide_Y.data() + at);
}

Vec3 fill_linkage_turning(const Model& m, const WorkContact& c, const Vec3 axes[3], int side, Workspace& w,
                          complementarity::ContactRows& rows) {
  complementarity::FrictionProblem& p = w.problem;
  const int body = side == 0 ? c.point.key.a : c.point.key.b;
  const LinkageWork& own = work_of(m, w, body);
  const auto size = std::size_t(width * blocks_of(own));
  const std::size_t at = open_wide_rows(side, size, p, rows);
  for (std::size_t k = 0; k < 3; ++k)
    add_row(m, own, body, Twist{{}, (side == 0 ? -1.0 : 1.0) * axes[k]}, p.wide_G.data() + at + k * size);
  std::copy_n(p.wide_G.data() + at, 3 * size, p.wide_Y.data() + at);
  return sum_of(m, own, body, own.given).angular;
}

double fill_linkage_side(const Model& m, int body, int side, const Twist& g, Workspace& w,
                         complementarity::ContactRows& rows) {
  const LinkageWork& own = work_of(m, w, body);
  const auto size = std::size_t(width * blocks_of(own)), n = std::size_t(own.space.free());
  rows.block[side] = own.block;
  const std::size_t at = open_wide_rows(side, size, w.problem, rows);
  double* out = w.problem.wide_G.data() + at;
  double given = 0;
  for_coordinates(m, own, body, [&](std::size_t i) {
    const double by = dot(own.column[i], g);
    const double* z = own.space.basis(int(i));
    given += by * own.given[i];
    if (by != 0)
      for (std::size_t j = 0; j < n; ++j) out[j] += by * z[j];
  });
  std::copy_n(out, size, w.problem.wide_Y.data() + at);
  return given;
}

Vec3 given_velocity(const Model& m, const Workspace& w, int body, const Vec3& arm) {
  const LinkageWork& own = work_of(m, w, body);
  const Twist v = sum_of(m, own, body, own.given);
  return v.linear + cross(v.angular, arm);
}

void take_solution(Workspace& w) {
  for (LinkageWork& own : w.linkages) {
    if (own.block < 0) continue;
    const double* y = w.v.data() + width * own.block;
    for (std::size_t i = 0; i < own.z.size(); ++i) {
      double z = own.given[i];
      for (int j = 0; j < own.space.free(); ++j) z += own.space.basis(int(i))[j] * y[j];
      own.z[i] = z;
    }
  }
}

Twist motion_of(const Model& m, const Workspace& w, int body) {
  const LinkageWork& own = work_of(m, w, body);
  return sum_of(m, own, body, own.z);
}

void push_linkages(const Model& m, Workspace& w) {
  take_solution(w);
  for (LinkageWork& own : w.linkages)
    if (own.block >= 0)
      for (std::size_t i = 0; i < own.z.size(); ++i) own.push[i] = own.z[i] - own.free[i];
  for (const WorkContact& c : w.contacts) {
    if (!c.in_problem || c.impulse == Vec3{}) continue;
    for (const int side : {0, 1}) {
      const int body = side == 0 ? c.point.key.a : c.point.key.b, l = linkage_of(m, body);
      if (l < 0) continue;
      LinkageWork& own = w.linkages[std::size_t(l)];
      const double sign = side == 0 ? -1.0 : 1.0;
      const Vec3 p = sign * c.impulse;
      Vec3 turn = cross(c.arm[side], p);
      if (c.turns()) turn += sign * c.moment;
      for_coordinates(m, own, body, [&](std::size_t i) {
        own.push[i] -= dot(own.column[i], Twist{p, turn});
      });
    }
  }
  for (std::size_t k = 0; k < m.laws.size(); ++k) {
    if (!w.laws[k].in_problem || w.laws[k].impulse == 0) continue;
    for_sides(m, k, w.laws, [&](int body, const Twist& p) {
      const int l = linkage_of(m, body);
      if (l < 0) return;
      LinkageWork& own = w.linkages[std::size_t(l)];
      for_coordinates(m, own, body, [&](std::size_t i) { own.push[i] -= dot(own.column[i], p); });
    });
  }
  for (std::size_t l = 0; l < w.linkages.size(); ++l) {
    LinkageWork& own = w.linkages[l];
    if (own.block < 0) continue;
    own.space.forces(own.push.data(), own.force.data());
    for (std::size_t r = 0; r < own.row.size(); ++r) w.joint_impulse[std::size_t(own.row[r])] = own.force[r];
    for (const int body : m.mechanisms.linkage[l].body) {
      const Twist v = motion_of(m, w, body);
      w.next.velocity[std::size_t(body)] = v.linear;
      if (m.mobility[std::size_t(body)] != Mobility::particle) w.next.spin[std::size_t(body)] = v.angular;
    }
  }
}

double given_energy(const Workspace& w) {
  double sum = 0;
  for (const LinkageWork& own : w.linkages)
    if (own.block >= 0)
      for (const double z : own.given) sum += 0.5 * z * z;
  return sum;
}

}  // namespace stiction::step
