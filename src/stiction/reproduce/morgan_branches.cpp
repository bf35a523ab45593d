// Chapter 2: the orders of events of a planar impact, and the pictures of the example collision.
#include <cmath>
#include <string>

#include "stiction/report/impact_figures.h"
#include "stiction/reproduce/morgan.h"
#include "stiction/reproduce/reproduce.h"

namespace stiction::reproduce {
namespace {

struct Case {
  const char *name, *words;
  DoublePendulum state;
  impact::Coefficients coefficients;
  const char *order, *modes;
  double pn, pt, vn;  // [N s], [N s], [m/s] by an independent program, 1e-12 from brute force
};
// Masses and lengths 1.
const std::array<Case, 12> cases{{
    {"P01",
     "slip grows",
     {{-2.38, 1.56}, {2.28, -3.49}},
     {0.5, 0.39, 0.39},
     "a-c-e",
     "S",
     2.72361130084862,
     -1.06220840733096,
     1.23780501212993},
    {"P02",
     "ends before v_t = 0",
     {{-2.07, 0.98}, {-0.78, -1.36}},
     {0.6, 0.49, 0.49},
     "a-c-e",
     "S",
     0.526853347402663,
     0.258158140227305,
     0.369787188401606},
    {"P03",
     "slip reverses in compression",
     {{-0.85, -1.37}, {-1.34, 3.25}},
     {0.6, 0.35, 0.35},
     "a-b-e",
     "SR",
     2.34413808756664,
     0.62576057939083,
     1.10566998915709},
    {"P04",
     "sticks in compression",
     {{-1.11, -0.99}, {-3.43, 3.85}},
     {0.5, 1.02, 1.02},
     "a-b-e",
     "SK",
     5.33346342704393,
     3.93365416426481,
     1.3270220863687},
    {"P06",
     "sticks in restitution",
     {{-2.37, 1.3}, {0.04, -1.67}},
     {0.4, 0.64, 0.64},
     "a-c-d-e",
     "SK",
     0.571784724769899,
     0.341360098579111,
     0.301250693849579},
    {"P07",
     "as P03 with mu_s = 0.6: sticks",
     {{-0.85, -1.37}, {-1.34, 3.25}},
     {0.6, 0.6, 0.35},
     "a-b-e",
     "SK",
     2.70591644217979,
     1.18699033211809,
     1.07347868807579},
    {"P09",
     "starts without slip, sticks",
     {{-1.11, -0.99}, {-2.065030008024051, 4.207783244423276}},
     {0.5, 0.6, 0.6},
     "a-c-e",
     "K",
     3.59129415476246,
     1.84366629718401,
     1},
    {"P10",
     "starts without slip, slips at once",
     {{-0.85, -1.37}, {-1.6257963448104624, 3.159165514297642}},
     {0.5, 0.35, 0.35},
     "a-c-e",
     "R",
     2.40186287170638,
     0.840652005097233,
     1},
    {"P11",
     "as P01 without friction",
     {{-2.38, 1.56}, {2.28, -3.49}},
     {0.5, 0.0, 0.0},
     "a-c-e",
     "S",
     2.06159203524598,
     0,
     1.23780501212993},
    {"P12",
     "as P03 with e = 0",
     {{-0.85, -1.37}, {-1.34, 3.25}},
     {0.0, 0.35, 0.35},
     "a-b-e",
     "SR",
     1.45891552246116,
     0.315932681603914,
     0},
    {"P13",
     "as P04 with e = 1",
     {{-1.11, -0.99}, {-3.43, 3.85}},
     {1.0, 1.02, 1.02},
     "a-b-e",
     "SK",
     6.92203898104947,
     4.74918279635041,
     2.6540441727374},
    {"P14",
     "as P03 with e = 1",
     {{-0.85, -1.37}, {-1.34, 3.25}},
     {1.0, 0.35, 0.35},
     "a-b-e",
     "SR",
     2.93428646430362,
     0.832312511248774,
     1.84278331526182},
}};
const Case& example = cases[2];

/// 1 where order and modes are those of the reference.
double same_path(const impact::Outcome& o, const char* order, const char* modes) {
  return std::string(impact::order_of(o)) == order && impact::modes_of(o) == modes ? 1 : 0;
}

void judge(Outcome& out, const Case& c) {
  DoublePendulum p = c.state;
  const impact::Outcome o = p.hit(c.coefficients);
  const std::string head = std::string(c.name) + " (" + c.words + "): ";
  out.claim(head + c.order + "/" + c.modes + " [1 = yes]", "", 1, same_path(o, c.order, c.modes),
            Band::absolute(0));
  out.claim(head + "p_n [N s]", "", c.pn, o.impulse.x, Band::absolute(1e-10));
  out.claim(head + "p_t [N s]", "", c.pt, o.impulse.y, Band::absolute(1e-10));
  out.claim(head + "v_n after [m/s]", "", c.vn, o.velocity.x, Band::absolute(1e-10));
  const double e = c.coefficients.restitution;
  out.claim(head + "|given back / stored - e^2|", "never creates energy",
            std::fabs(o.released / o.stored - e * e), Band::at_most(1e-12));
}

struct General {
  const char *name, *words;
  impact::PlanarImpact in;
  const char *order, *modes;
  double pn, pt, vn;
};
const std::array<General, 3> general{{
    {"G03",
     "jam, then sticks",
     {2, 1.2, 1, -0.5, 1, {0.5, 2, 2}},
     "a-b-e",
     "SK",
     4.31409116636396,
     -6.17690939963675,
     0.715891053163818},
    {"G04",
     "both pauses at once",
     {1, 0.5, 2, -0.75, 0.5, {0.5, 0.5, 0.5}},
     "a-b-e",
     "SK",
     1.46291004988628,
     -0.615727512471569,
     0.405046293650491},
    {"G05",
     "path parallel to v_t = 0",
     {2, 0.5, 1, -1, 0.7, {0.5, 0.5, 0.5}},
     "a-c-e",
     "S",
     0.857142857142857,
     -0.428571428571429,
     0.5},
}};

void judge(Outcome& out, const General& c) {
  const impact::Outcome o = impact::solve(c.in);
  const std::string head = std::string(c.name) + " (" + c.words + "): ";
  out.claim(head + c.order + "/" + c.modes + " [1 = yes]", "", 1, same_path(o, c.order, c.modes),
            Band::absolute(0));
  out.claim(head + "p_n [N s]", "", c.pn, o.impulse.x, Band::absolute(1e-10));
  out.claim(head + "p_t [N s]", "", c.pt, o.impulse.y, Band::absolute(1e-10));
  out.claim(head + "v_n after [m/s]", "", c.vn, o.velocity.x, Band::absolute(1e-10));
}

// Pictures in the plane of the generalised speeds.

using Pair = DoublePendulum::Pair;

/// The speeds u with velocities (v_n, v_t) of the tip.
Pair speeds(const DoublePendulum& p, double vn, double vt) {
  const Pair n = p.normal(), t = p.tangent();
  const double det = n[0] * t[1] - n[1] * t[0];
  return {(vn * t[1] - vt * n[1]) / det, (n[0] * vt - t[0] * vn) / det};
}

/// What one example's pictures are made of.
class Plane {
 public:
  explicit Plane(const Case& c) : p_(c.state) {
    DoublePendulum after = p_;
    outcome_ = after.hit(c.coefficients);
    for (const impact::Event& e : outcome_.events) events_.push_back(speeds(p_, e.velocity.x, e.velocity.y));
  }

  const std::vector<Pair>& events() const { return events_; }
  const impact::Outcome& outcome() const { return outcome_; }
  /// Speeds after the impulse (p_n, p_t) from the start.
  Pair pushed(double pn, double pt) const {
    const std::array<double, 4> M = p_.mass_matrix();
    const Pair n = p_.normal(), t = p_.tangent();
    const double f1 = pn * n[0] + pt * t[0], f2 = pn * n[1] + pt * t[1], det = M[0] * M[3] - M[1] * M[2];
    return {p_.u[0] + (M[3] * f1 - M[1] * f2) / det, p_.u[1] + (M[0] * f2 - M[2] * f1) / det};
  }
  /// The lines v_t = 0 and v_n = 0, within the ranges of the path.
  std::vector<Series> lines() const {
    double x_most = 0, y_most = 0;
    for (const Pair& e : events_)
      x_most = std::fmax(x_most, std::fabs(e[0])), y_most = std::fmax(y_most, std::fabs(e[1]));
    const auto line = [&](const char* label, const Pair& row) {
      const double k = std::fmin(x_most / std::fabs(row[1]), y_most / std::fabs(row[0]));
      return Series{label, {-k * row[1], k * row[1]}, {k * row[0], -k * row[0]}};
    };
    return {line("v_t = 0", p_.tangent()), line("v_n = 0", p_.normal())};
  }

 private:
  DoublePendulum p_;
  impact::Outcome outcome_;
  std::vector<Pair> events_;
};

Series through(const std::string& label, const std::vector<Pair>& points, bool dots = false) {
  Series s{label, {}, {}, dots};
  for (const Pair& p : points) s.x.push_back(p[0]), s.y.push_back(p[1]);
  return s;
}

void draw(Outcome& out, const std::string& number, const std::string& title, const Plane& plane,
          const std::vector<Series>& more) {
  Figure f{"morgan-figure-" + number, title, "u1 [rad/s]", "u2 [rad/s]", plane.lines()};
  f.series.insert(f.series.end(), more.begin(), more.end());
  out.figure(f);
}

/// Figures 2.2 to 2.7: the example's slip reverses in compression.
void draw_example(Outcome& out) {
  const Plane plane(example);
  const auto& e = plane.events();  // begin, slip stops, compression ends, end
  const auto& events = plane.outcome().events;
  const double pn = events[1].impulse.x, pt = events[1].impulse.y;
  const Pair start = e[0], normal = plane.pushed(3 * pn, 0), stop = e[1],
             ahead = plane.pushed(3 * pn, 3 * pt);
  draw(out, "2-2", "Initial collision direction", plane,
       {through("normal", {start, normal}), through("friction", {normal, stop}),
        through("both", {start, stop}), through("u before", {start}, true)});
  // The first piece meets v_n = 0 where it would without a bend.
  const double k = (events[1].velocity.x - events[0].velocity.x) / pn, p_n = -events[0].velocity.x / k;
  const Pair unbent = plane.pushed(p_n, p_n * pt / pn);
  draw(out, "2-3", "The tangential pause comes before the normal one", plane,
       {through("collision line", {start, unbent}), through("pauses", {stop, unbent}, true)});
  draw(out, "2-4", "Friction changes its direction", plane,
       {through("old direction", {start, ahead}), through("path", {start, stop, e[2]}),
        through("bend", {stop}, true)});
  draw(out, "2-5", "The normal pause on the new line", plane,
       {through("old pause", {unbent}, true), through("path", {start, stop, e[2]}),
        through("new pause", {e[2]}, true)});
  draw(out, "2-7", "The whole collision, e = 0.6", plane, {through("path", e), through("events", e, true)});
  const std::vector<impact::Event> path = refined(events.span(), 24);
  out.figure(impact_energies(path, "morgan-figure-2-6", "Energy exchange during the collision"));
}

}  // namespace

void morgan_branches(Outcome& out) {
  for (const Case& c : cases) judge(out, c);
  for (const General& c : general) judge(out, c);
  draw_example(out);
  const Plane before(cases[1]), away(cases[0]);
  draw(out, "2-9-a", "Collision ends before v_t = 0", before,
       {through("path", before.events()), through("events", before.events(), true)});
  draw(out, "2-9-b", "Collision pushes away from v_t = 0", away,
       {through("path", away.events()), through("events", away.events(), true)});
}

}  // namespace stiction::reproduce
