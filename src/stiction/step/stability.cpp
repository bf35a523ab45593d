// Stability of explicit steps with springs. A spring s pulls along a row J_s of velocity coordinates (the
// rate of its length or twist is J_s u); with W = J M^-1 J^T the vibrations of all springs have
//     w^2 <= max over s of  sum over t of sqrt(k_s k_t) |W_st|          (Gershgorin, for k^1/2 W k^1/2)
// and the same bound holds for the rates of damping with c for k. Row s gives the frequency and the damping
// that spring s is judged by: exact for a spring alone, for springs side by side and for chains of equal
// ones; too careful at most by the factor by which the bound is. On a body with more than `most_pairs`
// springs the sum over t is not made pair by pair, so that the time is in proportion to the number of
// springs. Those springs are put into at most `most_groups` groups of like direction; with a_t = M^-1/2 J_t^T
// of that body
//     sum over t of a group, sqrt(k_t) |a_s.a_t|  <=  sqrt(S a_s.Q a_s)            (Cauchy-Schwarz)
//     S = sum sqrt(k_t) |a_t|,   Q = sum sqrt(k_t) a_t a_t^T / |a_t|
// which is exact where directions are few, and some percent of h too careful where they are not. Then, for
// x'' = -w^2 x - g x':
//     explicit Euler       g < 2 w:  h < g/w^2;   else  h < 2 / (g/2 + sqrt(g^2/4 - w^2))
//     semi-implicit Euler  h < (sqrt(g^2 + 4 w^2) - g) / w^2   (g = 0: 2/w; w = 0: 2/g); coulomb likewise
//     implicit Euler       every h
//     Verlet, variational, Runge-Kutta   the first h at which an eigenvalue of one step leaves the unit
//     circle
// Springs of joints have unit rows in the coordinates of their tree, and the entries of M^-1 for W. Their
// dampers count in the methods for smooth motion; in coulomb they are implicit or split finely enough. Its
// limit is that of trees that contacts are near; others, moved by Runge-Kutta 4, bear sqrt(2) as much. A link
// counts as a free body for springs between bodies: joints only make it harder to move. Symbols: k [N/m] or
// [N m/rad], c [N s/m] or [N m s/rad], w [rad/s], g [1/s]. Positions are those of the present state. When it
// fails: springs that turn far from where they were; stiffness across a stretched spring is not looked at (it
// is below k, but may find less inertia).
#include "stiction/step/stability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t most_named = 8;
constexpr std::size_t most_pairs = 64;   // springs on one body that are looked at pair by pair
constexpr std::size_t most_groups = 32;  // else by directions
constexpr double like = 0.9;             // cosine of directions that share a group

using Pair = std::array<double, 2>;  // x, v

/// One step of an oscillator.
Pair verlet(const Pair& y, double w2, double g, double h) {
  const double a = -w2 * y[0] - g * y[1], middle = y[1] + 0.5 * h * a, x = y[0] + h * middle;
  return {x, middle + 0.5 * h * (-w2 * x - g * (middle + 0.5 * h * a))};
}
Pair runge_kutta(const Pair& y, double w2, double g, double h) {
  Pair out = y, term = y;
  for (int k = 1; k <= 4; ++k) {
    term = {h / k * term[1], h / k * (-w2 * term[0] - g * term[1])};
    out = {out[0] + term[0], out[1] + term[1]};
  }
  return out;
}

/// The larger absolute value of the eigenvalues of one step.
double radius(Method method, double w2, double g, double h) {
  const auto step = method == Method::rk4 || method == Method::rk4_projected ? runge_kutta : verlet;
  const Pair a = step({1, 0}, w2, g, h), b = step({0, 1}, w2, g, h);
  const double half = 0.5 * (a[0] + b[1]), product = a[0] * b[1] - a[1] * b[0];
  const double d = half * half - product;
  return d < 0 ? std::sqrt(product) : std::fabs(half) + std::sqrt(d);
}

/// The first step at which the radius exceeds 1, in steps of a thousandth of the shortest time of the motion.
double first_unstable(Method method, double w2, double g) {
  const double time = 1 / std::fmax(std::sqrt(w2), g);
  const auto stable = [&](double h) { return radius(method, w2, g, h) <= 1 + 1e-9; };
  double low = 0, high = 0;
  for (int i = 1; i <= 4000 && high == 0; ++i) {
    const double h = 1e-3 * i * time;
    (stable(h) ? low : high) = h;
  }
  if (high == 0) return low;
  for (int i = 0; i < 50; ++i) {
    const double h = 0.5 * (low + high);
    (stable(h) ? low : high) = h;
  }
  return low;
}

/// A spring as a row of velocity coordinates.
struct Row {
  std::array<int, 2> body{-1, -1};
  std::array<Vec3, 2> force, torque;
  double stiffness = 0, damping = 0;
  StepLimit limit;
};

/// What a unit impulse along row s changes the rate of row t by, through one body.
double coupling(const Model& m, const State& x, const Row& s, std::size_t side, const Row& t,
                std::size_t other) {
  const auto i = std::size_t(s.body[side]);
  Vec3 force = s.force[side];
  double out = 0;
  if (m.mobility[i] == Mobility::planar) {
    const Vec3& n = m.plane_normal[i];
    force -= dot(n, force) * n;
    const double inertia = dot(n, world_inertia(m.inertia[i], x.orientation[i]) * n);
    out = dot(n, s.torque[side]) * dot(n, t.torque[other]) / inertia;
  } else if (m.mobility[i] == Mobility::free || m.mobility[i] == Mobility::link) {
    const Vec3& d = m.inertia[i];
    const Vec3 a = rotate_back(x.orientation[i], s.torque[side]),
               b = rotate_back(x.orientation[i], t.torque[other]);
    out = a.x * b.x / d.x + a.y * b.y / d.y + a.z * b.z / d.z;
  }
  return out + dot(force, t.force[other]) / m.mass[i];
}

std::vector<Row> rows_of(const Model& m, const State& x) {
  std::vector<Row> rows;
  const forces::Bodies bodies{x.position, x.orientation, x.velocity, x.spin, x.alive};
  for (std::size_t k = 0; k < m.springs.size(); ++k) {
    const ModelSpring& s = m.springs[k];
    if (!forces::acts(x.alive, s.a, s.b)) continue;
    const forces::Point a = forces::point_of(bodies, s.a, s.point_a),
                        b = forces::point_of(bodies, s.b, s.point_b);
    const Vec3 d = b.position - a.position;
    const Vec3 e = norm(d) > 0 ? normalized(d) : Vec3{0, 0, 1};
    rows.push_back({{s.a, s.b},
                    {-e, e},
                    {-cross(a.arm, e), cross(b.arm, e)},
                    s.stiffness,
                    s.damping,
                    {m.spring_name[k], false, 0}});
  }
  for (std::size_t k = 0; k < m.torsions.size(); ++k) {
    const ModelTorsion& t = m.torsions[k];
    if (!forces::acts(x.alive, t.a, t.b)) continue;
    const Vec3 g = forces::twist_of(t, bodies).gradient;
    rows.push_back({{t.a, t.b}, {}, {-g, g}, t.stiffness, t.damping, {m.torsion_name[k], true, 0}});
  }
  return rows;
}

/// M^-1/2 times one side of a row, so that coupling() is a product of two of them.
std::array<double, 6> scaled(const Model& m, const State& x, const Row& s, std::size_t side) {
  const auto i = std::size_t(s.body[side]);
  Vec3 force = s.force[side], torque{};
  if (m.mobility[i] == Mobility::planar) {
    const Vec3& n = m.plane_normal[i];
    force -= dot(n, force) * n;
    torque.x = dot(n, s.torque[side]) / std::sqrt(dot(n, world_inertia(m.inertia[i], x.orientation[i]) * n));
  } else if (m.mobility[i] == Mobility::free || m.mobility[i] == Mobility::link) {
    const Vec3 &d = m.inertia[i], t = rotate_back(x.orientation[i], s.torque[side]);
    torque = {t.x / std::sqrt(d.x), t.y / std::sqrt(d.y), t.z / std::sqrt(d.z)};
  }
  const Vec3 f = force / std::sqrt(m.mass[i]);
  return {f.x, f.y, f.z, torque.x, torque.y, torque.z};
}

double product(const std::array<double, 6>& a, const std::array<double, 6>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}

/// Springs on one body that pull in like directions: S and Q of the bound, for stiffness and for damping.
struct Group {
  std::array<double, 6> direction{};  // of the first
  std::array<double, 2> sum{};
  std::array<std::array<double, 36>, 2> matrix{};

  void add(const Row& s, double length, const std::array<double, 6>& a) {
    for (const std::size_t k : {0u, 1u}) {
      const double root = std::sqrt(k == 0 ? s.stiffness : s.damping);
      sum[k] += root * length;
      for (std::size_t i = 0; i < 36; ++i) matrix[k][i] += root / length * (a[i / 6] * a[i % 6]);
    }
  }
  double bound(std::size_t k, double weight, const std::array<double, 6>& a) const {
    double square = 0;
    for (std::size_t i = 0; i < 36; ++i) square += a[i / 6] * matrix[k][i] * a[i % 6];
    return std::sqrt(weight * sum[k] * std::fmax(square, 0.0));
  }
};
/// All springs on one body.
struct Crowd {
  std::vector<Group> groups;

  void add(const Row& s, const std::array<double, 6>& a) {
    const double length = std::sqrt(product(a, a));
    if (!(length > 0)) return;
    std::size_t best = 0;
    double likeness = -1;
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (const double c = std::fabs(product(a, groups[g].direction)) / length; c > likeness)
        best = g, likeness = c;
    if (likeness < like && groups.size() < most_groups) {
      best = groups.size();
      groups.emplace_back();
      for (std::size_t i = 0; i < 6; ++i) groups.back().direction[i] = a[i] / length;
    }
    groups[best].add(s, length, a);
  }
  double bound(std::size_t k, double weight, const std::array<double, 6>& a) const {
    double total = 0;
    for (const Group& g : groups) total += g.bound(k, weight, a);
    return total;
  }
};

using Ends = std::vector<std::pair<std::size_t, std::size_t>>;  // of springs on one body: row, side

/// The bounds of w^2 and of the damping for every spring, in time proportional to their number.
class Bounds {
 public:
  Bounds(const Model& m, const State& x, const std::vector<Row>& rows)
      : m_(m), x_(x), rows_(rows), ends_(x.position.size()), crowd_(ends_.size()), w_(rows.size(), 0.0) {
    for (std::size_t s = 0; s < rows.size(); ++s)
      for (std::size_t side = 0; side < 2; ++side)
        if (const int body = rows[s].body[side]; body >= 0 && m.mobility[std::size_t(body)] != Mobility::none)
          ends_[std::size_t(body)].emplace_back(s, side);
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (ends_[i].size() <= most_pairs) continue;
      for (const auto& [t, side] : ends_[i]) crowd_[i].add(rows[t], scaled(m, x, rows[t], side));
    }
  }

  std::pair<double, double> of(std::size_t s) {
    double frequency2 = 0, damping = 0;
    const Row& row = rows_[s];
    met_.clear();
    for (std::size_t side = 0; side < 2; ++side) {
      if (row.body[side] < 0) continue;
      const auto i = std::size_t(row.body[side]);
      if (ends_[i].size() > most_pairs) {
        const std::array<double, 6> a = scaled(m_, x_, row, side);
        frequency2 += crowd_[i].bound(0, row.stiffness, a), damping += crowd_[i].bound(1, row.damping, a);
        continue;
      }
      for (const auto& [t, other] : ends_[i]) {
        if (w_[t] == 0) met_.push_back(t);
        w_[t] += coupling(m_, x_, row, side, rows_[t], other);
      }
    }
    for (const std::size_t t : met_) {
      frequency2 += std::sqrt(row.stiffness * rows_[t].stiffness) * std::fabs(w_[t]);
      damping += std::sqrt(row.damping * rows_[t].damping) * std::fabs(w_[t]);
      w_[t] = 0;
    }
    return {frequency2, damping};
  }

 private:
  const Model& m_;
  const State& x_;
  const std::vector<Row>& rows_;
  std::vector<Ends> ends_;        // per body
  std::vector<Crowd> crowd_;      // per body; empty where it has few springs
  std::vector<double> w_;         // [1/kg] per row: coupling with the row at hand
  std::vector<std::size_t> met_;  // rows that it is not 0 for
};

}  // namespace

double stable_step(Method method, double frequency2, double damping) {
  const double w2 = frequency2, g = damping;
  if (method == Method::implicit_euler || (w2 == 0 && g == 0)) return infinite;
  if (method == Method::explicit_euler) {
    const double d = 0.25 * g * g - w2;
    return d < 0 ? g / w2 : 2 / (0.5 * g + std::sqrt(d));
  }
  if (method == Method::coulomb || method == Method::semi_implicit_euler || method == Method::spook ||
      method == Method::cline_pai || method == Method::stewart_trinkle || method == Method::anitescu_potra ||
      method == Method::moreau_jean || method == Method::event_driven)
    return 4 / (std::sqrt(g * g + 4 * w2) + g);  // = (sqrt(g^2 + 4 w^2) - g) / w^2
  return first_unstable(method, w2, g);
}

namespace {

void find_unstable_joints(const Model& m, const State& x, Method method, double h,
                          std::vector<StepLimit>& out) {
  const tree::Forest& f = m.trees.forest;
  const std::vector<double>&k = m.trees.parameters.stiffness, &c = m.trees.parameters.damping;
  const bool explicit_dampers = method != Method::coulomb && method != Method::stewart_trinkle &&
                                method != Method::anitescu_potra && method != Method::moreau_jean &&
                                method != Method::event_driven;
  tree::Kinematics kinematics;
  tree::Articulated factors;
  tree::SweepScratch scratch;
  tree::update_positions(f, m.trees.parameters, x.joint_position, kinematics);
  if (tree::factorise(f, m.trees.parameters, kinematics, {}, factors) >= 0) return;
  std::vector<double> unit(f.dof.size(), 0.0), row(f.dof.size());
  for (std::size_t link = 0; link < f.joint.size(); ++link) {
    const tree::TreeRange& tree = f.trees[std::size_t(f.tree_of[link])];
    double limit = infinite;  // [s]
    for (auto d = std::size_t(f.v_begin[link]); d < std::size_t(f.v_begin[link + 1]); ++d) {
      if (k[d] == 0 && !(explicit_dampers && c[d] > 0)) continue;
      unit[d] = 1;
      tree::solve_tree(f, kinematics, factors, f.tree_of[link], unit, scratch, row);
      unit[d] = 0;
      double frequency2 = 0, damping = 0;
      for (auto e = std::size_t(tree.v_begin); e < std::size_t(tree.v_end); ++e) {
        frequency2 += std::sqrt(k[d] * k[e]) * std::fabs(row[e]);
        if (explicit_dampers) damping += std::sqrt(c[d] * c[e]) * std::fabs(row[e]);
      }
      limit = std::fmin(limit, stable_step(method, frequency2, damping));
    }
    if (h >= limit)
      out.push_back({m.scene.joints[std::size_t(m.trees.joint[link])].name, false, limit, true});
  }
}

}  // namespace

std::vector<StepLimit> unstable_springs(const Model& m, const State& x, Method method, double h) {
  std::vector<Row> rows = rows_of(m, x);
  Bounds bounds(m, x, rows);
  std::vector<StepLimit> out;
  for (std::size_t s = 0; s < rows.size(); ++s) {
    const auto [frequency2, damping] = bounds.of(s);
    rows[s].limit.limit = stable_step(method, frequency2, damping);
    if (h >= rows[s].limit.limit) out.push_back(rows[s].limit);
  }
  if (!m.trees.empty()) find_unstable_joints(m, x, method, h, out);
  std::stable_sort(out.begin(), out.end(),
                   [](const StepLimit& a, const StepLimit& b) { return a.limit < b.limit; });
  return out;
}

std::vector<std::string> step_warnings(const Model& m, const State& x, Method method, double h,
                                       double longest) {
  const std::vector<StepLimit> found = unstable_springs(m, x, method, std::fmax(h, longest));
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(found.size(), most_named); ++i) {
    const std::string noun = std::string(found[i].joint     ? "the spring of joint '"
                                         : found[i].torsion ? "torsion spring '"
                                                            : "spring '") +
                             found[i].force;
    char text[120];
    if (found[i].limit > 0)
      std::snprintf(text, sizeof text, "step %.3g s, stable below %.3g s for ", h, found[i].limit);
    else
      std::snprintf(text, sizeof text, "step %.3g s, but %s is stable at no step for the undamped ", h,
                    word_of(method).c_str());
    out.push_back(text + noun + "'");
  }
  if (found.size() > most_named)
    out.push_back("... and for " + std::to_string(found.size() - most_named) + " more springs");
  return out;
}

}  // namespace stiction::step
