// Example 1: a rod with round ends falls on a table while it spins. Printed: 0.5 m between the centres of the
// ends, radius 0.05 m, 1 kg, 0.002 kg m^2, friction 0.6, 30 degrees, 4 rad/s. Not printed, and fitted to what
// is: it starts 1 m up, gravity is 9.82 m/s^2 (the value that gives Table 1 of the second example), and
// friction acts at the surface, not at the centre of the end as the printed vectors say; only so full contact
// comes at 0.548 s and the state after the first impact has no solution for slip to the right. Times are ends
// of steps; the printed ones are the starts of the same steps at h = 0.0025.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "stiction/base/text.h"
#include "stiction/math/elementary.h"
#include "stiction/reproduce/reproduce.h"
#include "stiction/reproduce/stewart_trinkle.h"

namespace stiction::reproduce {

Rod Rod::at_start() { return {{0, 1, std::numbers::pi / 6}, {0, 0, 4}}; }

double Rod::gap(int end) const { return q[1] + end * 0.5 * length * elementary::sin(q[2]) - radius; }

World Rod::world(const RunSettings& settings) const {
  Scene s{.gravity = {0, -g, 0}};
  s.add_surface("rough", {.friction = friction});
  s.add_body("table", {.kind = fixed, .shape = HalfSpace{{0, 1, 0}}, .surface = "rough"});
  // the axis of a capsule is its z: to x, then by the angle about z
  const double turn = 0.5 * q[2], root = std::sqrt(0.5);
  const Quat about{elementary::cos(turn), 0, 0, elementary::sin(turn)}, to_x{root, 0, root, 0};
  s.add_body("rod", {.shape = Capsule{radius, length},
                     .mass = 1,
                     .position = {q[0], q[1], 0},
                     .orientation = about * to_x,
                     .velocity = {v[0], v[1], 0},
                     .spin = {0, 0, v[2]},
                     .surface = "rough",
                     .inertia = Vec3{inertia, inertia, inertia}});
  s.add_joint("plane", PlanarJoint{.body = "rod", .normal = {0, 0, 1}});
  Result<World> world = build(s, settings);
  STICTION_ASSERT(world);  // the examples are ours
  return std::move(world).value();
}

Rod Rod::of(const World& world) {
  const BodyId id = world.body("rod");
  const Vec3 p = world.position(id), v = world.velocity(id);
  const Vec3 axis = rotate(world.orientation(id), {0, 0, 1});
  double angle = elementary::atan2(axis.y, axis.x);
  if (angle < -1) angle += 2 * std::numbers::pi;  // it turns from 30 to 180 degrees, and a little beyond
  return {{p.x, p.y, angle}, {v.x, v.y, world.spin(id).z}};
}

namespace {

constexpr double end = 1;  // [s] of the runs
constexpr std::array<double, 7> all_steps{0.04, 0.02, 0.01, 0.005, 0.0025, 0.00125, 0.000625};
constexpr double finest = 2.5e-5;  // [s] of the run that stands for the exact motion

struct Run {
  double h = 0;
  std::vector<Rod> rod;                  // after 0, 1, ... steps
  double first = 0, full = 0, rest = 0;  // [s] ends of steps: one end touches, both do, nothing moves
  double energy_gain = -1e300;           // [J] most in one step
  double penetration = 0;                // [m]
  double residual = 0;                   // [-] of the worst LCP
  int apart = 0;                         // [-] steps without contact between `first` and `full`
  bool converged = true;

  double x_end() const { return rod.back().q[0]; }
  double most_left() const { return extreme(0, -1); }
  double fastest_turn() const { return extreme(2, 1); }

 private:
  double extreme(int of, int sign) const {
    double best = -1e300;
    for (const Rod& r : rod) best = std::fmax(best, sign * r.v[of]);
    return sign * best;
  }
};

bool is_still(const Rod& r) {
  return std::all_of(r.v, r.v + 3, [](double v) { return std::fabs(v) < 1e-6; });
}

Run run_rod(const RunSettings& settings) {
  World world = Rod::at_start().world(settings);
  Run out{.h = settings.step, .rod = {Rod::at_start()}};
  double energy = world.ledger().now().energy();
  run(world, std::lround(end / settings.step), [&] {
    const Rod r = Rod::of(world);
    out.rod.push_back(r);
    int touching = 0;
    for (const Contact& c : world.contacts()) touching += dot(c.impulse, c.normal) > 0;
    if (touching > 0 && out.first == 0) out.first = world.time();
    if (touching > 1 && out.full == 0) out.full = world.time();
    out.apart += out.first > 0 && out.full == 0 && touching == 0;
    if (out.full > 0 && out.rest == 0 && is_still(r)) out.rest = world.time();
    const double now = world.ledger().now().energy();
    out.energy_gain = std::fmax(out.energy_gain, now - energy), energy = now;
    out.penetration = std::fmax(out.penetration, -std::fmin(r.gap(1), r.gap(-1)));
    out.residual = std::fmax(out.residual, world.last_report().certificate.natural_map_scaled);
    out.converged = out.converged && world.last_report().converged;
  });
  return out;
}

RunSettings linear(double h) {
  return {.step = h, .method = Method::stewart_trinkle, .stabilisation = Stabilisation::none};
}
RunSettings nonlinear(double h) {
  RunSettings s = linear(h);
  s.nonlinear = true;
  return s;
}
RunSettings velocities(double h, Activation activation) {
  return {.step = h,
          .method = Method::anitescu_potra,
          .stabilisation = Stabilisation::none,
          .activation = activation};
}

/// Integral of |v - v_fine|_inf over the run; a velocity holds from the start to the end of its step.
double velocity_error(const Run& run, const Run& fine) {
  const long ratio = std::lround(run.h / fine.h);
  double sum = 0;
  for (std::size_t i = 1; i < fine.rod.size(); ++i) {
    const Rod &a = fine.rod[i], &b = run.rod[(i + std::size_t(ratio) - 1) / std::size_t(ratio)];
    double worst = 0;
    for (int k = 0; k < 3; ++k) worst = std::fmax(worst, std::fabs(a.v[k] - b.v[k]));
    sum += fine.h * worst;
  }
  return sum;
}
double position_error(const Run& run, const Run& fine) {
  const auto ratio = std::size_t(std::lround(run.h / fine.h));
  double worst = 0;
  for (std::size_t i = 0; i < run.rod.size(); ++i)
    for (int k = 0; k < 3; ++k)
      worst = std::fmax(worst, std::fabs(run.rod[i].q[k] - fine.rod[i * ratio].q[k]));
  return worst;
}

std::string at_step(const char* what, double h, const char* unit) {
  return std::string(what) + ", h = " + number_text(h) + " s [" + unit + "]";
}

/// What an independent program gives for one step size.
struct Row {
  double h, first, full, rest, x_end, velocity_error, position_error, penetration;
};

void claim_row(Outcome& out, const std::string& method, const Run& run, const Run& fine, const Row& row) {
  const Band grid = Band::absolute(1e-9), same = Band::relative(1e-6);
  const auto words = [&](const char* what, const char* unit) {
    return at_step((method + what).c_str(), row.h, unit);
  };
  const bool printed = method.empty() && row.h == 0.0025;
  out.claim(words("first contact, end of its step", "s"), printed ? "0.383" : "", row.first, run.first, grid);
  out.claim(words("full contact, end of its step", "s"), printed ? "0.548" : "", row.full, run.full, grid);
  out.claim(words("rest, end of its step", "s"), printed ? "slides for 0.02" : "", row.rest, run.rest, grid);
  out.claim(words("place at the end", "m"), "", row.x_end, run.x_end(), same);
  out.claim(words("velocity error", "m/s s, rad/s s"), "", row.velocity_error, velocity_error(run, fine),
            same);
  out.claim(words("position error", "m, rad"), "", row.position_error, position_error(run, fine), same);
  out.claim(words("deepest overlap", "m"), "", row.penetration, run.penetration,
            row.penetration > 0 ? same : Band::absolute(1e-12));
  out.claim(words("worst residual of a step's problem", "-"), "", run.residual, Band::at_most(1e-9));
}

constexpr std::array<Row, 7> linear_rows{{
    {0.04, 0.4, 0.56, 0.72, -0.2431809106, 0.5427379877, 0.2093806072, 0.003027949328},
    {0.02, 0.38, 0.56, 0.62, -0.2501526312, 0.2089773145, 0.05089161719, 0.000118008453},
    {0.01, 0.38, 0.56, 0.59, -0.2363124124, 0.1995734422, 0.07713620221, 1.587908322e-05},
    {0.005, 0.385, 0.55, 0.57, -0.2333965267, 0.04859503602, 0.009282355, 1.250963338e-06},
    {0.0025, 0.385, 0.55, 0.57, -0.2303080002, 0.01663125295, 0.004648235625, 6.766987002e-07},
    {0.00125, 0.385, 0.54875, 0.5675, -0.2286353181, 0.01840402127, 0.006752131124, 1.601806967e-08},
    {0.000625, 0.385625, 0.5475, 0.566875, -0.2281827109, 0.007100010337, 0.001428233687, 3.13240503e-09},
}};
constexpr std::array<Row, 7> nonlinear_rows{{
    {0.04, 0.4, 0.44, 0.48, -0.02461821644, 1.610923968, 0.7696110597, 0},
    {0.02, 0.38, 0.56, 0.6, -0.2552546619, 0.2091204778, 0.04666576461, 0},
    {0.01, 0.38, 0.56, 0.58, -0.2421391274, 0.1113931193, 0.03363402953, 0},
    {0.005, 0.385, 0.55, 0.57, -0.2338833144, 0.05139806615, 0.009282355, 0},
    {0.0025, 0.385, 0.5475, 0.57, -0.2307791502, 0.01873484015, 0.004648235625, 0},
    {0.00125, 0.385, 0.54875, 0.5675, -0.2292568771, 0.01183001949, 0.003582993662, 0},
    {0.000625, 0.385625, 0.5475, 0.566875, -0.2282074785, 0.007302806999, 0.00158635415, 0},
}};
constexpr std::array<Row, 7> touching_rows{{
    {0.04, 0.44, 0.56, 0.68, -0.2360116811, 0.4234281758, 0.1875497303, 0.126924093},
    {0.02, 0.4, 0.58, 0.6, -0.254452797, 0.1867421161, 0.08886463526, 0.05461114865},
    {0.01, 0.39, 0.57, 0.58, -0.2491643608, 0.188336858, 0.07027664877, 0.03556499084},
    {0.005, 0.39, 0.555, 0.575, -0.2338875044, 0.03982360016, 0.0215771597, 0.01618911625},
    {0.0025, 0.3875, 0.55, 0.57, -0.2291170513, 0.0115875669, 0.00467861625, 0.002763247646},
    {0.00125, 0.38625, 0.55, 0.5675, -0.2299497168, 0.02001681398, 0.01009609904, 0.005056071412},
    {0.000625, 0.38625, 0.548125, 0.5675, -0.2281314975, 0.003973799617, 0.001973332056, 0.002017802146},
}};
constexpr std::array<Row, 7> predicted_rows{{
    {0.04, 0.4, 0.6, 0.6, -0.244135547, 0.5059195724, 0.1562777838, 0.007701859722},
    {0.02, 0.38, 0.58, 0.58, -0.2317406193, 0.6065509176, 0.2407156499, 0.001820499108},
    {0.01, 0.39, 0.56, 0.59, -0.2377546539, 0.1185237907, 0.03730789339, 0.0009117892557},
    {0.005, 0.385, 0.555, 0.595, -0.2347273752, 0.1337991999, 0.04929080564, 0.0002334062101},
    {0.0025, 0.385, 0.5525, 0.58, -0.2356701943, 0.08996568636, 0.03579830566, 5.901146478e-05},
    {0.00125, 0.385, 0.55125, 0.57125, -0.2332790139, 0.05852617797, 0.02401967254, 1.518043495e-05},
    {0.000625, 0.385625, 0.548125, 0.5675, -0.2291158719, 0.01655379744, 0.006438884235, 3.875496973e-06},
}};

void draw(Outcome& out, int number, const char* title, const char* axis, int of,
          const std::vector<Run>& runs) {
  Figure f{"stewart-trinkle-figure-" + std::to_string(number), title, "time [s]", axis, {}};
  for (std::size_t k = 0; k < 5; ++k) {
    Series s{"h = " + number_text(runs[k].h) + " s", {}, {}};
    for (std::size_t i = 0; i < runs[k].rod.size(); ++i)
      s.x.push_back(double(i) * runs[k].h), s.y.push_back(runs[k].rod[i].v[of]);
    f.series.push_back(std::move(s));
  }
  out.figure(std::move(f));
}

/// The centre line of the rod, every 0.05 s.
void draw_rod(Outcome& out, const Run& run) {
  Figure f{"stewart-trinkle-figure-2", "Falling and spinning rod, h = 0.0025 s", "x [m]", "y [m]", {}};
  f.equal_axes = true;
  for (std::size_t i = 0; i <= 240; i += 20) {
    const Rod& r = run.rod[i];
    const elementary::SineCosine a = elementary::sine_and_cosine(r.q[2]);
    const double half = 0.5 * Rod::length;
    f.series.push_back({number_text(std::round(1000 * double(i) * run.h) / 1000) + " s",
                        {r.q[0] - half * a.cos, r.q[0] + half * a.cos},
                        {r.q[1] - half * a.sin, r.q[1] + half * a.sin}});
  }
  out.figure(std::move(f));
}

/// What the document says in words, at h = 0.0025 s: node i is at 0.0025 i s.
void claim_story(Outcome& out, const Run& run) {
  const auto turn = [&](std::size_t i) { return run.rod[i].v[2]; };
  out.claim("spin before the first contact [rad/s]", "4", 4, turn(153), Band::absolute(1e-12));
  out.claim("spin after its step [rad/s]", "a spike", 2.18683401, turn(154), Band::absolute(1e-7));
  out.claim("spin one step later [rad/s]", "", 5.151509221, turn(155), Band::absolute(1e-7));
  out.claim("steps without contact between first and full contact", "no chattering", double(run.apart),
            Band::at_most(0));
  out.claim("flat: slows down by friction times gravity [m/s^2]", "slides left, then rests", 5.892,
            (run.rod[223].v[0] - run.rod[222].v[0]) / run.h, Band::relative(1e-6));
  out.claim("fastest to the left [m/s]", "axis of Figure 5: -1.8 to 0.2", -1.405668745, run.most_left(),
            Band::relative(1e-6));
  double right = -1e300;  // the tip, from the first contact on
  for (std::size_t i = 154; i < run.rod.size(); ++i) {
    const Rod& r = run.rod[i];
    const double arm = 0.5 * Rod::length * elementary::sin(r.q[2]) + Rod::radius;
    right = std::fmax(right, r.v[0] + arm * r.v[2]);
  }
  out.claim("fastest slip of the tip to the right after the first impact [m/s]",
            "slides right, stops, slides left: the impact itself stops it here", right, Band::at_most(0.01));
}

/// [m] `checked`, per step of all_steps: twice what was measured, or 1e-11. The rows are exact but for the
/// turn of the rod, h^2 w^2 length/4 in a step at most; how much of it is left depends on where in a step the
/// ends land, so that it does not shrink evenly with h.
constexpr std::array<double, 7> checked_overlap{4e-5, 4.7e-7, 1e-11, 3.3e-8, 1.83e-9, 1e-11, 1e-11};

template <class Settings>
void claim_rows(Outcome& out, const std::string& method, const Settings& settings,
                const std::array<Row, 7>& rows, const Run& fine) {
  for (const Row& row : rows) claim_row(out, method, run_rod(settings(row.h)), fine, row);
}

}  // namespace

void stewart_trinkle_rod(Outcome& out) {
  const Run fine = run_rod(linear(finest));
  std::vector<Run> runs;
  for (std::size_t k = 0; k < all_steps.size(); ++k) {
    runs.push_back(run_rod(linear(all_steps[k])));
    claim_row(out, "", runs.back(), fine, linear_rows[k]);
    if (all_steps[k] <= 0.005)
      out.claim(at_step("largest gain of energy in a step", all_steps[k], "J"), "", runs.back().energy_gain,
                Band::at_most(1e-12));
  }
  out.claim("gain of energy in a step, h = 0.02 s, flat [J]", "", 6.4e-7, runs[1].energy_gain,
            Band::relative(0.01));
  const Run& last = runs.back();
  out.claim("limit: first contact, h = 0.000625 s [s]", "0.383", 0.385593, last.first,
            Band::absolute(last.h));
  out.claim("limit: full contact, h = 0.000625 s [s]", "0.548", 0.5473, last.full, Band::absolute(last.h));
  out.claim("limit: rest, h = 0.000625 s [s]", "", 0.566, last.rest, Band::absolute(2 * last.h));
  out.claim("limit: place at the end, h = 0.000625 s [m]", "", -0.2275, last.x_end(), Band::absolute(0.003));
  claim_story(out, runs[4]);
  draw_rod(out, runs[4]);
  draw(out, 3, "Vertical velocity of the rod", "[m/s]", 1, runs);
  draw(out, 4, "Angular velocity of the rod", "[rad/s]", 2, runs);
  draw(out, 5, "Horizontal velocity of the rod", "[m/s]", 0, runs);
}

void stewart_trinkle_methods(Outcome& out) {
  const Run fine = run_rod(linear(finest));
  claim_rows(out, "nonlinear: ", nonlinear, nonlinear_rows, fine);
  claim_rows(
      out, "Anitescu-Potra, touching: ", [](double h) { return velocities(h, Activation::touching); },
      touching_rows, fine);
  claim_rows(
      out, "Anitescu-Potra, predicted: ", [](double h) { return velocities(h, Activation::predicted); },
      predicted_rows, fine);
  for (std::size_t k = 0; k < all_steps.size(); ++k) {
    const double h = all_steps[k];
    const Run run = run_rod(velocities(h, Activation::checked));
    out.claim(at_step("Anitescu-Potra, checked: deepest overlap", h, "m"), "", run.penetration,
              Band::at_most(checked_overlap[k]));
    out.claim(at_step("Anitescu-Potra, checked: worst residual of a step's problem", h, "-"), "",
              run.residual, Band::at_most(1e-9));
  }
  Figure f{
      "stewart-trinkle-methods", "Velocity error of the rod by method", "step [s]", "[m/s s, rad/s s]", {}};
  f.logarithmic = true;
  const auto add = [&](const char* label, const std::array<Row, 7>& rows) {
    Series s{label, {}, {}};
    for (const Row& r : rows) s.x.push_back(r.h), s.y.push_back(r.velocity_error);
    f.series.push_back(std::move(s));
  };
  add("linear", linear_rows), add("nonlinear", nonlinear_rows);
  add("Anitescu-Potra, touching", touching_rows), add("Anitescu-Potra, predicted", predicted_rows);
  out.figure(std::move(f));
}

}  // namespace stiction::reproduce
