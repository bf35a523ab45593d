// The claim after example 1: in the state after the first impact of the rod, methods that look for
// accelerations find none, while impulses always exist (Painleve's paradox). The impact is closed form: free
// flight until the lower end meets the table, then the impulse that stops its point of contact. Its slip is
// then exactly 0, where sticking has a solution; for every slip to the right, however small, there is none.
#include <array>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/complementarity/linear/contact_lcp.h"
#include "stiction/complementarity/linear/lemke.h"
#include "stiction/math/elementary.h"
#include "stiction/reproduce/reproduce.h"
#include "stiction/reproduce/stewart_trinkle.h"

namespace stiction::reproduce {
namespace {

using complementarity::Lcp;
using complementarity::LinearReport;
using complementarity::LinearStatus;

/// The lower end's directions: velocity away from the table is n.v, along it d.v.
struct Lower {
  double n[3], d[3];
  double nn, nd, dd;  // [1/kg] with the inverse masses

  explicit Lower(const Rod& r) {
    const elementary::SineCosine a = elementary::sine_and_cosine(r.q[2]);
    const double half = 0.5 * Rod::length;
    n[0] = 0, n[1] = 1, n[2] = -half * a.cos;
    d[0] = 1, d[1] = 0, d[2] = half * a.sin + Rod::radius;
    nn = 1 + n[2] * n[2] / Rod::inertia, nd = n[2] * d[2] / Rod::inertia, dd = 1 + d[2] * d[2] / Rod::inertia;
  }
};

struct Impact {
  double time = 0, normal = 0, tangential = 0;  // [s], [N s]
  Rod after;
};

Impact first_impact() {
  const auto fallen = [](double t) {
    Rod r = Rod::at_start();
    r.q[1] -= 0.5 * Rod::g * t * t, r.q[2] += r.v[2] * t, r.v[1] = -Rod::g * t;
    return r;
  };
  double low = 0.3, high = 0.45;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (low + high);
    (fallen(t).gap(-1) > 0 ? low : high) = t;
  }
  Impact out{.time = high, .after = fallen(high)};
  Rod& r = out.after;
  r.q[1] -= r.gap(-1);
  const Lower e(r);
  const double vn = r.v[1] + e.n[2] * r.v[2], vt = r.v[0] + e.d[2] * r.v[2];
  const double det = e.nn * e.dd - e.nd * e.nd;
  out.normal = (-vn * e.dd + vt * e.nd) / det, out.tangential = (-vt * e.nn + vn * e.nd) / det;
  r.v[0] += out.tangential, r.v[1] += out.normal;
  r.v[2] += (e.n[2] * out.normal + e.d[2] * out.tangential) / Rod::inertia;
  return out;
}

/// Normal and tangential acceleration of the lower end without contact forces [m/s^2].
struct FreeAcceleration {
  double normal, tangential;
  explicit FreeAcceleration(const Rod& r) {
    const elementary::SineCosine a = elementary::sine_and_cosine(r.q[2]);
    const double turn = 0.5 * Rod::length * r.v[2] * r.v[2];
    normal = -Rod::g + turn * a.sin, tangential = turn * a.cos;
  }
};

/// 0 <= c _|_ p c + a >= 0: the force on an end that slides, p with friction against the slip.
LinearReport sliding(double p, double a, std::vector<double>& c) { return lemke(Lcp{1, {p}, {a}}, {}, c); }

/// Normal force [N] where the tip neither slides nor starts to, by the problem with both directions.
double sticking(const Lower& e, const FreeAcceleration& a, double& tangential) {
  complementarity::PolyhedralContacts p;
  p.coordinates = 3, p.contacts = 1, p.directions = 2;
  p.inverse_mass = {1, 0, 0, 0, 1, 0, 0, 0, 1 / Rod::inertia};
  p.normals.assign(e.n, e.n + 3);
  for (const double sign : {1.0, -1.0})
    for (const double x : e.d) p.tangents.push_back(sign * x);
  p.friction = {Rod::friction};
  // accelerations that n and d see as a: n = (0, 1, .), d = (1, 0, .)
  p.v_free = {a.tangential, a.normal, 0};
  p.bias = {0};
  std::vector<double> z;
  if (lemke(stewart_trinkle_lcp(p), {}, z).status != LinearStatus::solved) return std::nan("");
  tangential = z[1] - z[2];
  return z[0];
}

/// One step of the method, from the state after the impact with another slip.
struct Step {
  double normal = 0, tangential = 0, slip = 0;  // [N s], [N s], [m/s]
};
Step step_from(const Rod& after, double slip, double h) {
  Rod r = after;
  r.v[0] += slip;
  World world = r.world({.step = h,
                         .method = Method::anitescu_potra,
                         .stabilisation = Stabilisation::none,
                         .activation = Activation::touching});
  world.step();
  Step out;
  for (const Contact& c : world.contacts()) out.normal += c.impulse.y, out.tangential += c.impulse.x;
  const Rod end = Rod::of(world);
  out.slip = end.v[0] + Lower(r).d[2] * end.v[2];
  return out;
}

void claim_impact(Outcome& out, const Impact& impact) {
  const Lower e(impact.after);
  const Rod& r = impact.after;
  out.claim("first impact [s]", "0.383", 0.385593, impact.time, Band::absolute(1e-6));
  out.claim("height there [m]", "", 0.269971, r.q[1], Band::absolute(1e-6));
  out.claim("angle there [degrees]", "", 118.3714, r.q[2] * 180 / 3.14159265358979323846,
            Band::absolute(1e-4));
  out.claim("normal impulse [N s]", "", 3.17540, impact.normal, Band::absolute(1e-5));
  out.claim("tangential impulse [N s]", "", -1.38881, impact.tangential, Band::absolute(1e-5));
  out.claim("tangential over normal impulse, below friction: it sticks", "", 0.4374,
            -impact.tangential / impact.normal, Band::absolute(1e-4));
  out.claim("velocity after it, along the table [m/s]", "", -1.388805, r.v[0], Band::absolute(1e-6));
  out.claim("velocity after it, upwards [m/s]", "", -0.611120, r.v[1], Band::absolute(1e-6));
  out.claim("spin after it [rad/s]", "", 5.144267, r.v[2], Band::absolute(1e-6));
  out.claim("p for slip to the right [1/kg]", "", -1.56520, e.nn - Rod::friction * e.nd,
            Band::absolute(1e-5));
  out.claim("p for slip to the left [1/kg]", "", 17.67777, e.nn + Rod::friction * e.nd, Band::absolute(1e-5));
  out.claim("free normal acceleration [m/s^2]", "", -3.99879, FreeAcceleration(r).normal,
            Band::absolute(1e-5));
}

struct Row {
  double slip, coarse, fine, fine_band;  // [m/s]; [N s] at h = 1e-2 and 1e-6
};

}  // namespace

void stewart_trinkle_painleve(Outcome& out) {
  const Impact impact = first_impact();
  claim_impact(out, impact);
  const Lower e(impact.after);
  const FreeAcceleration a(impact.after);
  std::vector<double> c;
  const LinearReport right = sliding(e.nn - Rod::friction * e.nd, a.normal, c);
  out.claim("accelerations, slip to the right: Lemke's method ends on a ray (1 = yes)", "no solution", 1,
            right.status == LinearStatus::ray ? 1 : 0, Band::absolute(0));
  out.claim("accelerations, slip to the right: the ray is a proof (1 = yes)", "", 1,
            right.proves_infeasible ? 1 : 0, Band::absolute(0));
  sliding(e.nn + Rod::friction * e.nd, a.normal, c);
  out.claim("accelerations, slip to the left: normal force [N]", "", 0.22620, c[0], Band::absolute(1e-5));
  double tangential = 0;
  out.claim("accelerations, no slip: normal force [N]", "", 2.23178, sticking(e, a, tangential),
            Band::absolute(1e-5));
  out.claim("accelerations, no slip: tangential force [N]", "", -0.87187, tangential, Band::absolute(1e-5));

  constexpr std::array<Row, 5> rows{{{1, 0.4429948758, 0.3603750304, 1e-8},
                                     {0.1, 0.118664785, 0.03604493957, 1e-8},
                                     {1e-6, 0.08262846856, 8.623177589e-06, 1e-10},
                                     {0, 0.08262810819, 8.262810822e-06, 1e-10},
                                     {-1e-3, 0.08226774142, 5.555000395e-07, 1e-10}}};
  Figure f{"stewart-trinkle-painleve",
           "Normal impulse of one step after the first impact, h = 1e-6 s",
           "slip [m/s]",
           "[N s]",
           {}};
  f.series.push_back({"impulse", {}, {}});
  for (const Row& row : rows) {
    const std::string at = "slip " + number_text(row.slip) + " m/s: normal impulse of a step, h = ";
    const Step coarse = step_from(impact.after, row.slip, 1e-2),
               fine = step_from(impact.after, row.slip, 1e-6);
    out.claim(at + "0.01 s [N s]", "", row.coarse, coarse.normal, Band::absolute(1e-8));
    out.claim(at + "1e-06 s [N s]", "", row.fine, fine.normal, Band::absolute(row.fine_band));
    if (row.slip >= 0)
      out.claim("slip " + number_text(row.slip) + " m/s: slip after the step, h = 1e-06 s [m/s]", "", 0,
                fine.slip, Band::absolute(1e-12));
  }
  const Step one = step_from(impact.after, 1, 1e-6);
  out.claim("normal impulse over slip as h -> 0 [kg]", "", 0.360367, one.normal, Band::absolute(1e-5));
  out.claim("tangential over normal impulse as h -> 0", "", 8.05628 / 16.03581, -one.tangential / one.normal,
            Band::absolute(1e-5));
  out.claim("slip -0.001 m/s: slip after the step, h = 1e-06 s [m/s]", "", -9.8e-4,
            step_from(impact.after, -1e-3, 1e-6).slip, Band::absolute(5e-6));
  out.claim("slip -0.001 m/s: slip after the step, h = 1e-04 s [m/s]", "", 0,
            step_from(impact.after, -1e-3, 1e-4).slip, Band::absolute(1e-12));
  for (int i = -20; i <= 20; ++i) {
    const double slip = 0.05 * i;
    f.series.back().x.push_back(slip);
    f.series.back().y.push_back(step_from(impact.after, slip, 1e-6).normal);
  }
  out.figure(std::move(f));
}

}  // namespace stiction::reproduce
