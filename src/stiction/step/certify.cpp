// The certificate: how well the end of the step satisfies the exact laws. Computed from the candidate end
// state, its geometry and the impulses alone; shares no code with the solvers. Definitions:
// docs/theory/certificate.md.
//
// The normal argument of a contact is the one its law pairs with the impulse: gap(q+) / h, or the normal
// velocity for a contact that touched at the start of the step, or (gap(q+) + D(r_n)) / h for one that gives
// way (soft_contacts.h); the slip is that of v+. Errors are gathered
// per island and the worst island counts. An impulse whose contact has vanished from the end-of-step geometry
// (the features that touch have changed) is judged with its old frame and the gap that frame predicts.
#include <algorithm>
#include <cmath>

#include "stiction/math/elementary.h"
#include "stiction/step/friction_laws.h"
#include "stiction/step/joint_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/soft_contacts.h"

namespace stiction::step {
namespace {

/// [-] Impulses that are smaller than what they are held against by this factor say nothing:
/// - the direction of friction counts only where r_n exceeds it times the largest impulse of the island;
/// - |r|, which the scaled natural map is divided by, is at least it times the impulse that stops the free
///   velocity, contact by contact (squares add up), so that a pair that hardly touches is not judged on
///   round-off;
/// - nor are bodies that fly side by side: velocities of a contact count from it times those of its bodies
/// on.
constexpr double impulse_floor = 1e-7;
/// [-] 8 2^-53, some impulses on both sides: slower motion of a contact than this times what its impulse
/// gives its bodies is round-off. It shows where light bodies are squeezed by heavy ones.
constexpr double round_off = 8.0 / 9007199254740992.0;
/// [-] Violations of joints below it do not keep a candidate from being taken: stabilise() closes them. Not
/// where gaps are those of the end of the step: what closes joints later would open contacts again.
constexpr double left_to_stabilise = 1e-6;

/// The larger of two; not a number if one is none: std::fmax would forget that.
double worse(double worst, double value) { return value <= worst || std::isnan(worst) ? worst : value; }

/// The numbers of a contact that resists spin and rolling: normal; along the surface and about the normal;
/// rolling.
struct SixNumbers {
  double n;
  Vec3 slide, roll;
};

/// |r - P_K(r - uhat / scale)|^2 with K = {|slide| <= mu n, |roll| <= rolling n}. The normal part n of the
/// projection of x is where n - x_n - mu (|x_slide| - mu n)_+ - rolling (|x_roll| - rolling n)_+ is 0, which
/// grows with n and is the smallest of four straight lines: the largest of their zeros.
double turning_error(double mu, double rolling, double scale, const SixNumbers& r, const SixNumbers& u) {
  const double shifted = u.n + mu * norm(u.slide) + rolling * norm(u.roll);
  const SixNumbers x{r.n - shifted / scale, r.slide - (1 / scale) * u.slide, r.roll - (1 / scale) * u.roll};
  const double a = norm(x.slide), b = norm(x.roll);
  double n = 0;
  for (const double cut_a : {0.0, mu})
    for (const double cut_b : {0.0, rolling})
      n = std::fmax(n, (x.n + cut_a * a + cut_b * b) / (1 + cut_a * cut_a + cut_b * cut_b));
  const double keep_a = a > mu * n ? mu * n / a : 1.0, keep_b = b > rolling * n ? rolling * n / b : 1.0;
  const double normal = r.n - n;
  return normal * normal + norm2(r.slide - keep_a * x.slide) + norm2(r.roll - keep_b * x.roll);
}

struct Judge {
  const Model& m;
  double h;
  Workspace& w;
  Certificate& out;

  int island_of(const WorkContact& c) const {
    const int a = w.island_of_body[std::size_t(c.point.key.a)];
    return a >= 0 ? a : w.island_of_body[std::size_t(c.point.key.b)];
  }

  /// trace(G M^-1 G^T) / 3 at the pose `q`, and the part that each side has in it.
  double inverse_mass(const WorkContact& c, const Motions& q, double side[2]) const {
    side[0] = side[1] = 0;
    double total = m.trees.empty() ? 0.0 : tree_inverse_mass(m, c, &q == &w.base, w, side);
    for (const bool second : {false, true}) {
      const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
      const Vec3& arm = c.arm[second];
      double& trace = side[second];
      if (m.mobility[i] == Mobility::none || m.mobility[i] == Mobility::link) continue;
      if (m.mobility[i] == Mobility::planar) {
        const Vec3& n = m.plane_normal[i];
        const Vec3 turn = cross(n, arm);
        trace = 2 / m.mass[i] + dot(turn, turn) / dot(n, world_inertia(m.inertia[i], q.orientation[i]) * n);
        total += trace;
        continue;
      }
      trace = 3 / m.mass[i];
      if (m.mobility[i] != Mobility::particle) {
        // sum over unit directions d of (arm x d).I^-1 (arm x d), in body axes
        const Vec3 r = rotate_back(q.orientation[i], arm);
        const Vec3& I = m.inertia[i];
        trace +=
            (r.y * r.y + r.z * r.z) / I.x + (r.x * r.x + r.z * r.z) / I.y + (r.x * r.x + r.y * r.y) / I.z;
      }
      total += trace;
    }
    side[0] /= 3, side[1] /= 3;
    return total / 3;
  }

  /// What v+ moves a contact with that was found at `pose`.
  Vec3 velocity_of(const WorkContact& c, const Motions& pose) const {
    if (m.trees.empty()) return relative_velocity(w.next, c);
    return &pose == &w.base ? base_velocity(m, c, w) : end_velocity(m, c, w);
  }

  static Vec3 projected(double mu, const Vec3& x) {
    const double t = std::sqrt(x.y * x.y + x.z * x.z);
    if (x.x >= 0 && t <= mu * x.x) return x;
    if (mu * t <= -x.x) return {};
    const double n = (x.x + mu * t) / (1 + mu * mu);
    return {n, mu * n * x.y / t, mu * n * x.z / t};
  }
  static Vec3 natural_map(double mu, double scale, const Vec3& r, const Vec3& u) {
    const double slip = std::sqrt(u.y * u.y + u.z * u.z);
    return r - projected(mu, r - (1 / scale) * Vec3{u.x + mu * slip, u.y, u.z});
  }

  /// What impulses and velocities of a contact are held against.
  struct Scales {
    double impulse, velocity;  // [N s], [m/s]
    double noise;              // [m/s] velocities below it say nothing
    double round_off;          // [m/s] velocities are not known better
  };
  Scales scales_of(const WorkContact& c, double mean, std::size_t island) const {
    const auto speed = [&](bool second) {
      const auto i = std::size_t(second ? c.point.key.b : c.point.key.a);
      return norm(w.next.velocity[i]) + norm(w.next.spin[i]) * norm(c.arm[second]);
    };
    const double noise = impulse_floor * (speed(false) + speed(true));
    return {std::fmax(w.impulse_scale[island], noise / mean), std::fmax(w.velocity_scale[island], noise),
            noise, round_off * mean * norm(c.impulse)};
  }

  /// The part of an impulse that is limited by `mu` times the normal one: inside its disc, and against the
  /// slip where it is on the edge.
  void friction_disc(double mu, double normal, const Vec3& r, const Vec3& u, const Scales& s) {
    const double p_scale = s.impulse, u_scale = s.velocity;
    const double p_t = std::sqrt(r.x * r.x + r.y * r.y + r.z * r.z),
                 slip = std::sqrt(u.x * u.x + u.y * u.y + u.z * u.z);
    if (p_scale > 0)
      out.cone = worse(out.cone, std::fmax(0.0, p_t - mu * normal) / std::fmax(p_scale, normal));
    // without friction p_t is what the normal turned by in the last pass: the cone's business
    const bool slides = mu > 0 && slip > 0 && p_t > 0 && p_t >= (1 - 1e-9) * mu * normal;  // not inside
    if (!slides || !(u_scale > 0) || !(normal > impulse_floor * p_scale)) return;
    const double across = norm(cross(r, u)), along = -dot(r, u);
    out.dissipation =
        worse(out.dissipation, elementary::atan2(across, along) *
                                   std::fmin(1.0, std::fmax(0.0, slip - s.round_off) / u_scale));
  }

  /// A contact that resists spin and rolling: friction (t1, t2, spin) in one disc, rolling in another.
  /// Its error, squared.
  double turning(const WorkContact& c, const Motions& pose, const Vec3& r, const Vec3& u, double mean,
                 const Scales& s, std::size_t k) {
    const Vec3 r_turn = row_moment(c);
    const Vec3 u_turn = row_spin(c, &pose == &w.base ? base_spin(m, c, w) : end_spin(m, c, w));
    const SixNumbers impulse{r.x, {r.y, r.z, r_turn.x}, {r_turn.y, r_turn.z, 0}};
    const SixNumbers velocity{u.x, {u.y, u.z, u_turn.x}, {u_turn.y, u_turn.z, 0}};
    const double rolling = rolling_limit(c);
    friction_disc(c.mu, impulse.n, impulse.slide, velocity.slide, s);
    friction_disc(rolling, impulse.n, impulse.roll, velocity.roll, s);
    const double error = turning_error(c.mu, rolling, mean, impulse, velocity);
    w.island_error[k] += error;
    w.island_plain[k] += turning_error(c.mu, rolling, 1.0, impulse, velocity);
    w.island_impulse[k] += norm2(r_turn);
    return error;
  }

  /// [m/s] (gap(q+) + D(r_n)) / h, times mean / (mean + D'/h): what the impulse is off by counts as it does
  /// for rigid contacts, as round-off of the gap does then.
  double soft_argument(const WorkContact& c, double gap, double r, double mean) const {
    const double start_gap = gap - h * dot(c.point.normal, relative_velocity(w.next, c));
    const double given = given_way(c.soft, start_gap, r, h);
    const double give = soft_row(c.soft, start_gap, std::fmax(given, -gap), h).give / h;
    return (gap + given) / h * (mean / (mean + give));
  }

  /// One contact: normal argument and slip at the end, impulse in its frame.
  void contact(const WorkContact& c, const Motions& pose, double gap) {
    const int island = island_of(c);
    // not part of the problem: no impulse; its gap is checked with all the others
    if (island < 0 || (c.idle && !c.touches)) return;
    Vec3 v = velocity_of(c, pose), free = relative_velocity(w.free, c);
    if (m.surfaces_move) v += c.belt, free += c.belt;
    const Vec3 r = row_impulse(c);
    double side[2];
    const double mean = inverse_mass(c, pose, side);
    const double normal = c.gives_way() ? soft_argument(c, gap, r.x, mean)
                          : c.touches   ? dot(c.point.normal, v)
                                        : gap / h;
    const Vec3 u = Vec3{normal, dot(c.tangent[0], v), dot(c.tangent[1], v)} + c.lag;
    const auto k = std::size_t(island);
    const Scales s = scales_of(c, mean, k);
    out.complementarity = worse(out.complementarity, std::fabs(r.x * u.x));
    const double known = std::fabs(u.x) <= s.round_off ? 0.0 : std::fabs(u.x) - s.round_off;
    if (s.impulse * s.velocity > 0)
      out.complementarity_relative =
          worse(out.complementarity_relative, std::fabs(r.x) * known / (s.impulse * s.velocity));
    if (c.turns()) {
      add_to_bodies(c, std::sqrt(turning(c, pose, r, u, mean, s, k)), norm(r), side, w);
    } else {
      friction_disc(c.mu, r.x, {r.y, r.z, 0}, {u.y, u.z, 0}, s);
      const Vec3 scaled = natural_map(c.mu, mean, r, u), plain = natural_map(c.mu, 1.0, r, u);
      w.island_error[k] += norm2(scaled), w.island_plain[k] += norm2(plain);
      add_to_bodies(c, norm(scaled), norm(r), side, w);
    }
    const double floor = std::fmax(impulse_floor * norm(free), s.noise) / mean;
    w.island_impulse[k] += norm2(r) + floor * floor;
    const Vec3 b{std::fmin(0.0, normal + dot(c.point.normal, free - v)), dot(c.tangent[0], free),
                 dot(c.tangent[1], free)};
    w.island_free[k] += norm2(b);
  }

  /// [m] end gap of a contact as its old frame, at the pose w.base, predicts it.
  double end_gap(const WorkContact& c) const { return gap_in_frame(c, velocity_of(c, w.base), h, w); }

  /// Limits, motors and friction of joints, with the scale of contacts.
  void laws(bool at_base) {
    for (std::size_t i = 0; i < m.laws.size(); ++i) {
      if (!w.laws[i].in_problem) continue;
      const auto k = std::size_t(law_island(m, i, w));
      const LawResidual r = residual_of(m, i, h, at_base, w);
      w.island_error[k] += r.error * r.error;
      w.island_impulse[k] += r.impulse * r.impulse + impulse_floor * impulse_floor * r.floor * r.floor;
    }
  }

  /// Overlap that the step had to prevent; stabilise() comes later for the rest.
  void new_gaps() {
    for (const WorkContact& c : w.end_contacts) {
      if (c.touches || c.held || c.gives_way()) continue;
      const double overlap = std::fmax(0.0, c.allowed - c.point.gap);
      out.gap = worse(out.gap, overlap);
      out.gap_relative = worse(out.gap_relative, overlap / c.size);
    }
  }
};

bool within(const Certificate& c, const Promises& counts, double joint, double tolerance) {
  return (!counts.gap || c.gap_relative <= tolerance) && (!counts.joint || joint <= tolerance) &&
         c.cone <= tolerance && c.complementarity_relative <= tolerance &&
         (!counts.dissipation || c.dissipation <= tolerance) && c.natural_map_scaled <= tolerance &&
         (!counts.body || c.body <= tolerance) && (!counts.momentum || c.momentum <= tolerance) &&
         (!counts.energy || c.energy <= energy_limit);
}

}  // namespace

namespace {

/// Joints at the end of the step; the largest violation over what it is held against. Those that give way
/// count as judge_soft_rows() found them.
double joints(const Model& m, Workspace& w) {
  w.certificate.joint = w.soft_error;
  const double apart = m.mechanisms.empty() ? 0.0 : worst_joint(m, w.next, w, w.certificate.joint);
  return m.laws.empty() ? apart : worse(apart, worst_law(m, w.next, w, w.certificate.joint));
}

}  // namespace

void certify_gaps(const Model& m, double tolerance, Workspace& w) {
  Certificate& out = w.certificate;
  out.gap = out.gap_relative = 0;
  find_bearing(w);
  for (const WorkContact& c : w.end_contacts) {
    if (c.gives_way()) continue;
    const double overlap = c.bears ? std::fabs(c.point.gap) : std::fmax(0.0, -c.point.gap);
    out.gap = worse(out.gap, overlap);
    out.gap_relative = worse(out.gap_relative, overlap / c.size);
  }
  out.converged = within(out, w.promises, std::fmax(joints(m, w), w.soft_relative), tolerance);
}

namespace {

void begin(const Model& m, double tolerance, Workspace& w) {
  w.certificate = {};
  w.certificate.tolerance = tolerance;
  const std::size_t islands = w.problem.islands.size();
  w.island_error.assign(islands, 0), w.island_plain.assign(islands, 0);
  w.island_impulse.assign(islands, 0), w.island_free.assign(islands, 0);
  begin_bodies(m, w);
}

/// Whether joints were apart at the start of the step by more than its tolerance, which is stabilise()'s.
bool began_apart(const Workspace& w) {
  return std::any_of(w.joint_kept.begin(), w.joint_kept.end(), [](double kept) { return kept != 0; }) ||
         std::any_of(w.laws.begin(), w.laws.end(), [](const LawWork& law) { return law.kept != 0; });
}

void conclude(const Model& m, double h, double tolerance, Workspace& w) {
  Certificate& out = w.certificate;
  for (std::size_t k = 0; k < w.island_error.size(); ++k) {
    if (!(w.island_error[k] <= 0))
      out.natural_map_scaled =
          worse(out.natural_map_scaled, std::sqrt(w.island_error[k] / w.island_impulse[k]));
    if (w.island_plain[k] > 0 && w.island_free[k] > 0)
      out.natural_map = worse(out.natural_map, std::sqrt(w.island_plain[k] / w.island_free[k]));
  }
  judge_bodies(m, tolerance, w);
  if (!m.mechanisms.empty()) judge_soft_rows(m, h, w);
  const double apart = joints(m, w), left = w.end_geometry && !began_apart(w) ? 0.0 : left_to_stabilise;
  out.converged = within(out, w.promises, std::fmax(apart <= left ? 0.0 : apart, w.soft_relative), tolerance);
}

}  // namespace

namespace {

/// planes: contacts whose features are gone count with the gap of their planes.
void certify_end(const Model& m, double h, double tolerance, bool planes, Workspace& w) {
  begin(m, tolerance, w);
  Judge judge{m, h, w, w.certificate};
  judge.new_gaps();
  auto end = w.end_contacts.begin();
  const auto judge_end = [&] { judge.contact(*end, w.next, end->point.gap - end->allowed), ++end; };
  if (!w.problem.islands.empty()) {
    for (const WorkContact& c : w.contacts) {
      while (end != w.end_contacts.end() && end->point.key < c.point.key) judge_end();
      const bool lasts = end != w.end_contacts.end() && end->point.key == c.point.key;
      if (lasts && !c.held)
        judge_end();
      else if (const WorkContact* own = kept_frame(c.point.key, w))
        judge.contact(*own, w.next,
                      (own->touches || planes ? own->point.gap : gap_found(*own, w)) - own->allowed);
      else if (c.held || c.impulse != Vec3{})
        judge.contact(c, w.base, judge.end_gap(c));
      if (lasts && c.held) ++end;
    }
    while (end != w.end_contacts.end()) judge_end();
    judge.laws(false);
  }
  conclude(m, h, tolerance, w);
}

}  // namespace

void certify(const Model& m, double h, double tolerance, Workspace& w) {
  certify_end(m, h, tolerance, false, w);
}

void certify_by_planes(const Model& m, double h, double tolerance, Workspace& w) {
  certify_end(m, h, tolerance, true, w);
}

void certify_at_start(const Model& m, double h, double tolerance, Workspace& w, Judged which) {
  begin(m, tolerance, w);
  Judge judge{m, h, w, w.certificate};
  if (!w.problem.islands.empty()) {
    for (const WorkContact& c : w.contacts)
      if (which == Judged::all || c.in_problem) judge.contact(c, w.base, judge.end_gap(c));
    judge.laws(true);
  }
  conclude(m, h, tolerance, w);
}

void certify_polyhedral(const Model& m, double h, double tolerance, double residual, Workspace& w) {
  certify_at_start(m, h, tolerance, w, Judged::chosen);
  w.certificate.natural_map_scaled = residual;
}

}  // namespace stiction::step
