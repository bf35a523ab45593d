// The disc of section V-A, as a sphere with the disc's moment of inertia: its motion stays in the plane y =
// 0, and there the two have the same equations. And what the linear method of Stewart and Trinkle makes of
// regular polygons in its place (Figure 1): gaps linearised at the start of the step, every vertex a
// candidate, solved by Lemke's method. The paper names neither candidates nor the first angle; here one
// vertex is at the bottom.
#include "stiction/complementarity/linear/contact_lcp.h"
#include "stiction/complementarity/linear/lemke.h"
#include "stiction/math/elementary.h"
#include "stiction/reproduce/chakraborty.h"
#include "stiction/reproduce/implicit_runs.h"

namespace stiction::reproduce {
namespace {

constexpr double g = 9.81, mu = 0.4, pi = 3.14159265358979323846;

/// A unit disc on the plane z = 0 that moves along -x.
int add_disc(ImplicitRun& run, double spin) {
  const int plane = run.add(HalfSpace{{0, 0, 1}, 0}, {});
  const int disc = run.add(Sphere{1}, {.mass = 1,
                                       .inertia = {0.5, 0.5, 0.5},
                                       .position = {0, 0, 1},
                                       .velocity = {-3, 0, 0},
                                       .spin = {0, -spin, 0},
                                       .force = {0, 0, -g}});
  run.touch(disc, plane, mu);
  return disc;
}

/// [s] when a disc that starts without spin has come to roll.
double time_to_roll(double h, ImplicitRun& run, int disc) {
  for (int k = 1; k * h < 1; ++k) {
    if (!run.step()) break;
    if (std::fabs(run.body(disc).velocity.x - run.body(disc).spin.y) < 1e-8) return k * h;
  }
  return -1;
}

// ---- polygons ----------------------------------------------------------------------------------------

/// Inscribed in the unit disc: place (x, y), angle, and how fast they change.
struct Polygon {
  int edges = 0;
  double place[3] = {0, 1, 0}, rate[3] = {-3, 0, 3};
  double kinetic() const { return 0.5 * (rate[0] * rate[0] + rate[1] * rate[1]) + 0.25 * rate[2] * rate[2]; }
};

/// A vertex: from the centre.
struct Corner {
  double x, y;
};

/// [m/s] how fast a vertex at the height `gap` may sink so that it just meets the ground, less how fast it
/// does.
double leeway(const Corner& c, double gap, const double rate[3], double h) {
  return gap / h + rate[1] + c.x * rate[2];
}

std::vector<Corner> corners_of(const Polygon& p) {
  std::vector<Corner> out;
  for (int i = 0; i < p.edges; ++i) {
    const double angle = p.place[2] - pi / 2 + 2 * pi * i / p.edges;
    out.push_back({elementary::cos(angle), elementary::sin(angle)});
  }
  return out;
}

/// The step in which the given vertices may touch; empty where it has no solution.
std::vector<double> solve(const Polygon& p, const std::vector<Corner>& corners, double h,
                          complementarity::LemkeMemory& memory) {
  complementarity::PolyhedralContacts c;
  c.coordinates = 3, c.contacts = int(corners.size()), c.directions = 2;
  c.inverse_mass = {1, 0, 0, 0, 1, 0, 0, 0, 2};
  c.v_free = {p.rate[0], p.rate[1] - h * g, p.rate[2]};
  c.friction.assign(corners.size(), mu);
  for (const Corner& a : corners) {
    c.normals.insert(c.normals.end(), {0, 1, a.x});
    c.tangents.insert(c.tangents.end(), {1, 0, -a.y, -1, 0, a.y});
    c.bias.push_back((p.place[1] + a.y) / h);
  }
  std::vector<double> z;
  // gaps over h carry the round-off of heights near 1
  const complementarity::LemkeSettings settings{.tolerance = 1e-10};
  if (complementarity::lemke(stewart_trinkle_lcp(c), settings, z, memory).status !=
      complementarity::LinearStatus::solved)
    return {};
  return velocity_after(c, z);
}

/// Every vertex may touch: those are left out that the solution keeps off the ground without being asked.
bool step(Polygon& p, double h, complementarity::LemkeMemory& memory) {
  const std::vector<Corner> all = corners_of(p);
  for (double margin = 0.25;; margin *= 4) {  // [m/s]
    std::vector<Corner> chosen;
    for (const Corner& c : all)
      if (leeway(c, p.place[1] + c.y, p.rate, h) < margin) chosen.push_back(c);
    const std::vector<double> v = solve(p, chosen, h, memory);
    if (v.empty()) return false;
    bool open = true;
    for (const Corner& c : all) open = open && leeway(c, p.place[1] + c.y, v.data(), h) > -1e-9;
    if (!open && chosen.size() < all.size()) continue;
    for (int i = 0; i < 3; ++i) p.rate[i] = v[std::size_t(i)], p.place[i] += h * p.rate[i];
    return open;
  }
}

/// [J] over time; not a number from a step on that was not solved.
Series roll(int edges, double h, double until, std::string label) {
  complementarity::LemkeMemory memory;
  Polygon p{edges};
  Series out{std::move(label), {0}, {p.kinetic()}};
  const int steps = int(std::lround(until / h));
  bool solved = true;
  for (int k = 1; k <= steps; ++k) {
    solved = solved && step(p, h, memory);
    out.x.push_back(k * h), out.y.push_back(solved ? p.kinetic() : std::nan(""));
  }
  return out;
}
double at(const Series& s, double time, double h) { return s.y[std::size_t(std::lround(time / h))]; }

void against_edges(Outcome& out) {
  struct Row {
    int edges;
    double one, five;  // [J] after 1 s and 5 s
  };
  constexpr Row rows[] = {{10, 2.073, 0.0002}, {20, 3.841, 0.633},  {30, 4.476, 1.181},
                          {50, 5.239, 1.937},  {70, 5.566, 2.524},  {100, 5.878, 3.171},
                          {150, 5.958, 3.638}, {200, 5.920, 3.527}, {300, 5.909, 3.475},
                          {500, 5.920, 3.494}, {700, 5.925, 3.498}, {1000, 5.920, 3.511}};
  const double h = 0.01;
  Figure figure{"chakraborty-figure-1a",
                "Disc and polygons in its place, h = 0.01 s",
                "time [s]",
                "kinetic energy [J]",
                {}};
  for (const Row& r : rows) {
    const std::string words = std::to_string(r.edges) + " edges";
    const Series s = roll(r.edges, h, 5, words);
    const double part = r.edges <= 100 ? 0.05 : 0.02;
    out.claim(words + ": kinetic energy at 1 s [J]", "more edges, less loss", r.one, at(s, 1, h),
              Band::relative(part));
    if (r.edges == 10)
      out.claim(words + ": kinetic energy at 5 s [J]", "more edges, less loss", at(s, 5, h),
                Band::at_most(0.01));
    else
      out.claim(words + ": kinetic energy at 5 s [J]", "a limit set by the step", r.five, at(s, 5, h),
                Band::relative(part));
    figure.series.push_back(s);
  }
  ImplicitRun run(h);
  add_disc(run, 3);
  Series disc{"disc, implicit", {0}, {run.kinetic()}};
  for (int k = 1; k <= 500; ++k) {
    run.step();
    disc.x.push_back(k * h), disc.y.push_back(run.kinetic());
  }
  figure.series.push_back(disc);
  out.figure(std::move(figure));
}

void against_step(Outcome& out) {
  struct Row {
    double h, one, two;  // [s]; [J] after 1 s and 2 s
  };
  constexpr Row rows[] = {{0.05, 3.527, 1.844},   {0.02, 5.192, 4.007},  {0.01, 5.920, 5.189},
                          {0.005, 6.323, 5.921},  {0.002, 6.575, 6.405}, {0.001, 6.658, 6.567},
                          {0.0005, 6.662, 6.575}, {0.0001, 6.665, 6.582}};
  Figure figure{"chakraborty-figure-1b",
                "A polygon of 1000 edges in the disc's place",
                "time [s]",
                "kinetic energy [J]",
                {}};
  for (const Row& r : rows) {
    std::string h = std::to_string(r.h);
    h.erase(h.find_last_not_of('0') + 1);
    Series s = roll(1000, r.h, 2, "h = " + h + " s");
    const char* const printed = r.h > 0.001 ? "smaller steps, less loss" : "0.001, 0.0005 and 0.0001 alike";
    out.claim("1000 edges, h = " + h + ": kinetic energy at 1 s [J]", printed, r.one, at(s, 1, r.h),
              Band::relative(0.02));
    out.claim("1000 edges, h = " + h + ": kinetic energy at 2 s [J]", printed, r.two, at(s, 2, r.h),
              Band::relative(0.02));
    // a wheel of spokes that strike the ground one after the other: w = w0 / (1 + w0 (2 pi / n) t / 3)
    if (r.h < 0.0002)
      out.claim("1000 edges, h = " + h + ": kinetic energy at 2 s against the rimless wheel [J]", "", 6.5835,
                at(s, 2, r.h), Band::relative(1e-3));
    figure.series.push_back(std::move(s));
  }
  out.figure(std::move(figure));
}

}  // namespace

void chakraborty_disc(Outcome& out) {
  const double h = 0.01;
  ImplicitRun run(h);
  const int disc = add_disc(run, 3);
  double energy = 0, height = 0;
  Series kinetic{"disc", {0}, {run.kinetic()}};
  for (int k = 1; k <= 1000; ++k) {
    run.step();
    energy = std::fmax(energy, std::fabs(run.kinetic() - 6.75));
    height = std::fmax(height, std::fabs(run.body(disc).position.z - 1));
    kinetic.x.push_back(k * h), kinetic.y.push_back(run.kinetic());
  }
  out.claim("rolling: largest change of the kinetic energy in 10 s [J]", "none within 1e-6", energy,
            Band::at_most(1e-10));
  out.claim("rolling: largest change of the height [m]", "", height, Band::at_most(1e-9));
  out.claim("rolling: place after 10 s [m]", "", -30, run.body(disc).position.x, Band::absolute(1e-6));
  out.claim("rolling: normal force [N]", "", g, run.contact(0).normal_impulse / h, Band::relative(1e-9));

  for (const double step : {0.01, 0.001}) {
    ImplicitRun slides(step);
    const int body = add_disc(slides, 0);
    const std::string words = "sliding, h = " + std::string(step < 0.005 ? "0.001" : "0.01");
    // v = -3 + mu g t meets the spin -2 mu g t at t = 1 / (mu g): the first step that ends behind it
    out.claim(words + ": first step that rolls ends at [s]", "", step < 0.005 ? 0.255 : 0.26,
              time_to_roll(step, slides, body), Band::absolute(1e-9));
    out.claim(words + ": velocity then [m/s]", "", -2, slides.body(body).velocity.x, Band::absolute(1e-8));
    out.claim(words + ": kinetic energy then [J]", "", 3, slides.kinetic(), Band::absolute(1e-7));
  }
  out.figure({"chakraborty-disc", "A rolling disc", "time [s]", "kinetic energy [J]", {std::move(kinetic)}});
}

void chakraborty_polygons(Outcome& out) {
  against_edges(out);
  against_step(out);
}

}  // namespace stiction::reproduce
