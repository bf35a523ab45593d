#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "stiction/base/text.h"
#include "support/rolling_ellipsoid.h"
#include "support/run.h"

namespace stiction::test {
namespace {

const std::string scenes = STICTION_SOURCE_DIR "/scenes/";

RollingEllipsoid theory_of(double spin) {
  const double a = 0.15, b = 0.05, c = 0.04, skew = 0.4, tilt = 0.05;
  const Mat3 turn = rotation_matrix(turn_about({0, 0, 1}, skew));
  return {.squared = turn * Mat3::diagonal({a * a, b * b, c * c}) * transposed(turn),
          .inertia = {(b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5},
          .up = {0, std::sin(tilt), std::cos(tilt)},
          .spin = {0, 0, spin}};
}

TEST(Spinning, Rattleback) {
  for (double spin : {3.0,-3.0})
  for (const double h : {0.01,0.004,0.002, 0.001, 0.0005,0.00025}) {
    RollingEllipsoid theory = theory_of(spin);
    World world = world_of_file(scenes + "rattleback.json", {{"run.step", number_text(h)},{"$spin",number_text(spin)}});
    const BodyId stone = world.body("stone");
    double worst = 0; int missed=0;
    int k=0;
    run(world, steps_to(3, h), [&](const World& w, const StepReport& r) {
      missed+=!r.converged;
      for (int i = 0; i < int(h/0.00025+.5); ++i) theory.step(0.00025);
      worst = std::fmax(worst, std::fabs(w.spin(stone).z - theory.spin_up()));
      if (++k % steps_to(0.5,h) == 0) std::printf("  %.2f:%.4f/%.4f", w.time(), w.spin(stone).z, theory.spin_up());
    });
    std::printf("\nh %g worst %g missed %d energy %.6f theory %.9f\n", h, worst,missed, world.ledger().now().energy()-world.ledger().start().energy(), theory.energy());
  }
}

TEST(Spinning, EulerDisk) {
  for (const double h : {0.002, 0.001, 0.0005}) {
    World world = world_of_file(scenes + "euler_disk.json", {{"run.step", number_text(h)}});
    const BodyId disc = world.body("disc");
    const double radius=0.3, g=9.81;
    double last=0, turned=0, t0=0; double sum=0; int n=0; bool first=true;
    run(world, steps_to(3, h), [&](const World& w, const StepReport&) {
      const Vec3 axis = rotate(w.orientation(disc), {0,0,1});
      const double az = std::atan2(axis.y, axis.x);
      if (!first) { double d=az-last; if (d>3.2) d-=2*std::numbers::pi; if (d<-3.2) d+=2*std::numbers::pi; turned+=d; }
      first=false; last=az; sum+=std::sqrt(axis.x*axis.x+axis.y*axis.y); ++n;
      if (std::fabs(turned)>=4*std::numbers::pi) { const double T=w.time()-t0, Om=turned/T, sa=sum/n; std::printf("  t %.3f Omega %.4f sin %.5f ratio %.5f\n", w.time(), Om, sa, Om*Om*sa*radius/(4*g)); t0=w.time(); turned=0; sum=0; n=0; }
    });
    std::printf("h %g\n",h);
  }
}
TEST(Spinning, Tippe) {
  for (const double h : {0.001, 0.0005, 0.00025}) {
    World world = world_of_file(scenes + "tippe_top.json", {{"run.step", number_text(h)}});
    const BodyId top = world.body("top");
    int k=0; double worst=0;
    run(world, steps_to(6, h), [&](const World& w, const StepReport& r) {
      const double im=std::fabs(w.ledger().imbalance())/w.ledger().scale();
      if (im>1e-12 && im>worst) std::printf("imbalance %g at %g parts %d start %d\n",im,w.time(),r.parts,r.start_frames);
      worst=std::fmax(worst,im);
      const Vec3 axis = rotate(w.orientation(top), {0,0,1});
      if (++k % steps_to(0.5,h) == 0) std::printf("  t %.3f cos %.4f z %.5f spin %.2f v %.3f\n", w.time(), axis.z,w.position(top).z, w.spin(top).z, norm(w.velocity(top)));
    });
    std::printf("h %g\n",h);
  }
}
}  // namespace
}  // namespace stiction::test
