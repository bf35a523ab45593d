// Pictures of impacts.
#include "stiction/report/impact_figures.h"

#include <gtest/gtest.h>

#include "stiction/impact/planar.h"

namespace stiction {
namespace {

// Between the bends of a closed form the works are those of the straight pieces: at each point the sum is
// p.(u + u0)/2.
TEST(ImpactFigures, RefinedPathsKeepTheBooks) {
  const impact::Outcome o = impact::solve(impact::PlanarImpact{2, 1.2, 1, -0.5, 1, {0.5, 2, 2}});
  const std::vector<impact::Event> path = refined(o.events.span(), 7);
  ASSERT_EQ(path.size(), std::size_t(8 * (o.events.count() - 1) + 1));
  const Vec3 u0 = path.front().velocity;
  for (const impact::Event& e : path)
    EXPECT_NEAR(e.normal_work + e.friction_work, 0.5 * dot(e.impulse, e.velocity + u0), 1e-14);
}

TEST(ImpactFigures, DrawPathAndEnergies) {
  const impact::Outcome o = impact::solve(impact::PlanarImpact{2, 1.2, 1, -0.5, 1, {0.5, 2, 2}});
  const Figure path = impact_path(o.events.span(), "path", "Path");
  EXPECT_EQ(path.series.front().x, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_TRUE(path.series[1].dots);
  const Figure energies = impact_energies(o.events.span(), "energies", "Energies");
  EXPECT_NEAR(energies.series[2].y.back(), o.energy_change(), 1e-15);
  EXPECT_NE(to_svg(energies).find("friction"), std::string::npos);
}

}  // namespace
}  // namespace stiction
