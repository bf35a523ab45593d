// Heavy chains of 50 to 10,000 links (scene heavy_chain), held by constraint joints and by coordinate joints:
// time per step and link over the first tenth of a second. Short chains run it again and again, so that all
// sizes make the same number of links' steps, and sizes take turns. Bar: largest over smallest at most 2, for
// either kind of joint.
#include <algorithm>

#include "bench.h"

namespace stiction::bench {
namespace {

constexpr double bar = 2;
constexpr int steps = 10;          // [-] of 0.01 s
constexpr int most_links = 10000;  // [-]

JointDescription ball(bool constraint, const std::string& body, const std::string& parent, double x) {
  if (constraint)
    return ConstraintJoint{
        .kind = constraints::Kind::ball, .body = body, .parent = parent, .at = Vec3{x, 0, 0}};
  return CoordinateJoint{
      .kind = tree::JointKind::spherical, .body = body, .parent = parent, .at = Vec3{x, 0, 0}};
}

Scene chain(int n, bool constraint) {
  Scene s;
  s.gravity = {0, 0, -9.81};
  for (int i = 0; i <= n; ++i) {
    const std::string name = i == n ? "ball" : "link." + std::to_string(i);
    BodyDescription b{.shape = Box{{0.1, 0.02, 0.02}}, .mass = 0.1, .position = {0.1 * i + 0.05, 0, 0}};
    if (i == n) b.shape = Sphere{0.1}, b.mass = 100, b.position = {0.1 * n + 0.1, 0, 0};
    b.collides = false;
    s.add_body(name, b);
    s.add_joint("joint." + std::to_string(i),
                ball(constraint, name, i == 0 ? "" : "link." + std::to_string(i - 1), 0.1 * i));
  }
  return s;
}

struct Size {
  int links;
  World world;
  std::vector<unsigned char> start{};
  Quality quality{};
  double joint = 0;               // [m]
  std::vector<double> seconds{};  // per step
};

void measure_round(Size& s) {
  const int repeats = std::max(1, most_links / s.links);
  const double before = processor_seconds();
  for (int r = 0; r < repeats; ++r) {
    s.world.restore(s.start).or_exit();
    for (int i = 0; i < steps; ++i) s.world.step();
  }
  s.seconds.push_back((processor_seconds() - before) / (repeats * steps));
}

bool measure(bool constraint, int rounds) {
  const std::string kind = constraint ? "constraint" : "coordinate";
  std::vector<Size> sizes;
  for (const int links : {50, 200, 1000, 3000, most_links}) {
    sizes.push_back({links, build(chain(links, constraint), {.step = 0.01}).or_exit()});
    Size& s = sizes.back();
    s.start = s.world.save();
    for (int i = 0; i < steps; ++i) {
      const StepReport r = s.world.step();
      s.quality.see(r, s.world), s.joint = std::max(s.joint, r.certificate.joint);
    }
  }
  for (int i = 0; i < rounds; ++i)
    for (Size& s : sizes) measure_round(s);
  double least = 1e300, most = 0;
  bool sound = true;
  for (const Size& s : sizes) {
    const double best = *std::min_element(s.seconds.begin(), s.seconds.end());
    least = std::min(least, best / s.links), most = std::max(most, best / s.links);
    sound = sound && s.quality.unconverged == 0 && s.quality.imbalance <= 1e-12;
    Line line("chains/" + kind + "/" + std::to_string(s.links));
    line.whole("links", s.links).number("ms_per_step", 1e3 * best);
    line.number("us_per_link", 1e6 * best / s.links).number("joint", s.joint);
    s.quality.write(line);
    line.hash(s.world.hash()).print();
  }
  const bool pass = sound && most / least <= bar;
  Line("chains/" + kind).number("ratio", most / least).number("bar", bar).flag("pass", pass).print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  using namespace stiction::bench;
  const int rounds = has_word(argc, argv, "--quick") ? 1 : 3;
  const bool constraint = measure(true, rounds), coordinate = measure(false, rounds);
  return constraint && coordinate ? 0 : 1;
}
