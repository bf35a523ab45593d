// Chapter 3: the double pendulum swings and hits the floor, with every impact located and solved in closed
// form. Masses and lengths 1, floor at y = -1.5 m, mu = 0.3, e = 0.7, start at q = (0.2, -0.9) at rest, 3 s;
// beyond, hops shrink to lasting contact, for which the document has no rule.
#include <cmath>
#include <string>

#include "stiction/math/dormand_prince.h"
#include "stiction/reproduce/morgan.h"
#include "stiction/reproduce/reproduce.h"

namespace stiction::reproduce {
namespace {

constexpr double floor_height = -1.5, end = 3, longest_step = 0.005;  // [m], [s], [s]
constexpr impact::Coefficients coefficients{0.7, 0.3, 0.3};

struct Hit {
  double time = 0, drift = 0;  // [s], [J] energy change since the last hit
  DoublePendulum after;
  impact::Outcome outcome;
};
struct Run {
  std::vector<double> time;
  std::vector<DoublePendulum> states;
  std::vector<Hit> hits;
};

using State = std::array<double, 4>;
DoublePendulum pendulum_at(const State& y) { return {{y[0], y[1]}, {y[2], y[3]}}; }
State state_of(const DoublePendulum& p) { return {p.q[0], p.q[1], p.u[0], p.u[1]}; }
void rates(const State& y, State& dy) {
  const DoublePendulum::Pair a = pendulum_at(y).acceleration();
  dy = {y[2], y[3], a[0], a[1]};
}
double gap(const State& y) { return pendulum_at(y).tip()[1] - floor_height; }

/// Flies until the tip goes below the floor or the time is over; false then.
bool fly(DormandPrince<State>& method, State& y, double& t, Run& run) {
  method.begin(y, rates);
  double h = longest_step;
  while (t < end) {
    h = std::fmin(h, std::fmin(longest_step, end - t));
    const double used = method.probe(y, h, rates);
    if (gap(method.next()) < 0 && gap(y) > 0) {
      t += method.locate(y, used, rates, gap);
      y = method.next();
      return true;
    }
    method.accept(y);
    t = end - t <= used ? end : t + used;
    run.time.push_back(t), run.states.push_back(pendulum_at(y));
  }
  return false;
}

Run simulate() {
  State y{0.2, -0.9, 0, 0};
  DormandPrince<State> method(y, {1, 1, 1, 1}, 1e-13);
  Run run{{0}, {pendulum_at(y)}, {}};
  double t = 0, energy = pendulum_at(y).energy();
  while (fly(method, y, t, run)) {
    Hit hit;
    hit.time = t, hit.after = pendulum_at(y);
    hit.drift = hit.after.energy() - energy;
    hit.outcome = hit.after.hit(coefficients);
    energy = hit.after.energy();
    y = state_of(hit.after);
    run.time.push_back(t), run.states.push_back(hit.after);
    run.hits.push_back(hit);
  }
  return run;
}

struct Reference {
  double time, u1, u2;
  const char* order;
  double pn, pt, energy;
};
constexpr std::array<Reference, 7> references{{
    {0.547381756076, -4.8760901702, 9.23685712541, "a-c-e", 2.44565277334, 0.733695832001, -4.85581099002},
    {0.88826378204, -2.08836316066, -0.730353300679, "a-c-e", 1.67996142889, 0.503988428666, -7.76131645395},
    {1.78629166757, 1.87410020178, -4.6252149268, "a-c-d-e", 3.39374196473, -0.760979107538, -12.3253757274},
    {2.25316386386, 0.312441377373, -2.77200919425, "a-b-e", 2.92778622294, 0.640048625268, -14.1505995951},
    {2.55747442591, -0.542199552267, -1.53422589491, "a-c-e", 1.7905598918, 0.53716796754, -15.3337547273},
    {2.77518359575, -0.840355945812, -0.569414416841, "a-c-e", 1.16059984664, 0.348179953993, -16.0204558776},
    {2.93359485414, -0.84159121741, -0.00980956520154, "a-c-e", 0.782426007088, 0.234727802126,
     -16.3871479211},
}};

void judge(Outcome& out, const Hit& hit, const Reference& r, std::size_t number) {
  const std::string head = "impact " + std::to_string(number) + ": ";
  out.claim(head + "time [s]", "", r.time, hit.time, Band::absolute(1e-7));
  out.claim(head + "u1 after [rad/s]", "", r.u1, hit.after.u[0], Band::absolute(1e-6));
  out.claim(head + "u2 after [rad/s]", "", r.u2, hit.after.u[1], Band::absolute(1e-6));
  out.claim(head + "p_n [N s]", "", r.pn, hit.outcome.impulse.x, Band::absolute(1e-6));
  out.claim(head + "p_t [N s]", "", r.pt, hit.outcome.impulse.y, Band::absolute(1e-6));
  out.claim(head + "energy after [J]", "", r.energy, hit.after.energy(), Band::absolute(1e-6));
  out.claim(head + "order " + r.order + " [1 = yes]", "", 1,
            std::string(impact::order_of(hit.outcome)) == r.order ? 1 : 0, Band::absolute(0));
}

/// Figure 3.1: the bars every 0.1 s, the way of the tip, the floor, the impacts.
void draw(Outcome& out, const Run& run) {
  Series bars{"bars every 0.1 s", {}, {}}, tip{"tip", {}, {}}, hits{"impacts", {}, {}, true};
  double next = 0;
  for (std::size_t i = 0; i < run.states.size(); ++i) {
    const DoublePendulum::Pair e = run.states[i].elbow(), p = run.states[i].tip();
    tip.x.push_back(p[0]), tip.y.push_back(p[1]);
    if (run.time[i] < next) continue;
    next += 0.1;
    for (const DoublePendulum::Pair& at : {DoublePendulum::Pair{0, 0}, e, p, e, DoublePendulum::Pair{0, 0}})
      bars.x.push_back(at[0]), bars.y.push_back(at[1]);
  }
  for (const Hit& h : run.hits) hits.x.push_back(h.after.tip()[0]), hits.y.push_back(h.after.tip()[1]);
  const Series floor{"floor", {-2, 2}, {floor_height, floor_height}};
  out.figure({"morgan-figure-3-1",
              "Double pendulum on a floor, 3 s",
              "x [m]",
              "y [m]",
              {tip, bars, floor, hits},
              true});

  Series energy{"energy", run.time, {}}, height{"height of the tip above the floor", run.time, {}};
  for (const DoublePendulum& s : run.states)
    energy.y.push_back(s.energy()), height.y.push_back(s.tip()[1] - floor_height);
  out.figure(
      {"morgan-pendulum-energy", "Double pendulum on a floor: energy", "t [s]", "energy [J]", {energy}});
  out.figure({"morgan-pendulum-height", "Double pendulum on a floor: tip", "t [s]", "height [m]", {height}});
}

}  // namespace

void morgan_pendulum(Outcome& out) {
  const Run run = simulate();
  out.claim("impacts in 3 s", "", 7, double(run.hits.size()), Band::absolute(0));
  out.claim("energy at the start [J]", "", -0.236468553252, run.states.front().energy(),
            Band::absolute(1e-11));
  double drift = 0;
  for (std::size_t i = 0; i < std::min(run.hits.size(), references.size()); ++i) {
    judge(out, run.hits[i], references[i], i + 1);
    drift = std::fmax(drift, std::fabs(run.hits[i].drift));
  }
  out.claim("largest change of energy between impacts [J]", "", drift, Band::at_most(1e-10));
  const DoublePendulum& last = run.states.back();
  const std::array<double, 4> reference{-1.65293562, -.98587512, -1.02147597, 1.24074995};
  const std::array<double, 4> measured{last.q[0], last.q[1], last.u[0], last.u[1]};
  constexpr std::array<const char*, 4> words{"q1", "q2", "u1", "u2"};
  for (std::size_t i = 0; i < 4; ++i)
    out.claim(std::string(words[i]) + " at 3 s [rad, rad/s]", "", reference[i], measured[i],
              Band::absolute(1e-6));
  draw(out, run);
}

}  // namespace stiction::reproduce
