// Chapter 4: impacts in space. The document leaves them to numerical integration; here the slip is integrated
// in coordinates that stay regular where it vanishes. Bodies and states are chosen; references by an
// independent program.
#include <string>

#include "stiction/impact/spatial.h"
#include "stiction/report/impact_figures.h"
#include "stiction/reproduce/morgan.h"
#include "stiction/reproduce/reproduce.h"

namespace stiction::reproduce {
namespace {

/// A free body that touches a floor with normal z at an offset from its centre.
struct Body {
  double mass;
  Vec3 inertia, offset;  // [kg m^2] principal, [m]

  Mat3 collision_matrix() const {
    const std::array<Vec3, 3> axes{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
    Mat3 W;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Vec3 a = cross(offset, axes[std::size_t(i)]), b = cross(offset, axes[std::size_t(j)]);
        W(i, j) =
            (i == j ? 1 / mass : 0) + a.x * b.x / inertia.x + a.y * b.y / inertia.y + a.z * b.z / inertia.z;
      }
    return W;
  }
  /// (n, x, y)
  Vec3 contact_velocity(const Vec3& v, const Vec3& omega) const {
    const Vec3 at = v + cross(omega, offset);
    return {at.z, at.x, at.y};
  }
};
constexpr Body sphere{1, {0.4, 0.4, 0.4}, {0, 0, -1}}, box{2, {0.3, 0.5, 0.6}, {0.4, 0.3, -0.5}},
    rod{1, {0.05, 0.40, 0.42}, {0.7, 0.2, -0.35}}, straight_rod{1, {0.05, 0.40, 0.42}, {0.7, 0, -0.35}};

struct Case {
  const char *name, *words;
  Body body;
  Vec3 v, omega;
  impact::Coefficients coefficients;
  const char* modes;
  Vec3 impulse, velocity;  // [N s], [m/s] (n, x, y)
};
constexpr std::array<Case, 7> cases{{
    {"T1",
     "sphere slides",
     sphere,
     {3, 4, -1},
     {},
     {0.8, 0.2, 0.2},
     "S",
     {1.8, -0.216, -0.288},
     {0.8, 2.244, 2.992}},
    {"T2",
     "sphere sticks",
     sphere,
     {0.6, 0.8, -1},
     {},
     {0.8, 0.4, 0.4},
     "SK",
     {1.8, -6.0 / 35, -8.0 / 35},
     {0.8, 0, 0}},
    {"T3",
     "box, slip turns",
     box,
     {1.5, -2, -1},
     {0.3, -0.2, 0.5},
     {0.6, 0.25, 0.25},
     "S",
     {1.1815760204, -0.2341826170, 0.1763227391},
     {0.4878534656, 1.6180558507, -0.7302590838}},
    {"T4",
     "box, sticks in compression",
     box,
     {0.3, 0.6, -1.2},
     {0.2, 0.4, -0.3},
     {0.6, 0.9, 0.9},
     "SK",
     {3.2126257672, -1.5540794821, -1.5607054875},
     {0.8961563227, 0, 0}},
    {"T6",
     "rod, slip reverses",
     straight_rod,
     {-0.55, 0, -1.5},
     {0, -0.6, 0},
     {0.7, 0.15, 0.15},
     "SR",
     {0.8102768465, 0.0046277811, 0},
     {0.7257004994, 0.1623396076, 0}},
    {"T8",
     "rod, slip turns by 80 degrees",
     rod,
     {-0.55, 0.05, -1.5},
     {0.2, -0.6, 0},
     {0.7, 0.15, 0.15},
     "S",
     {0.6091751245, 0.0289856649, -0.0787742642},
     {0.7102245014, 0.1000009161, 0.5995087662}},
    {"T9",
     "as T6 with mu_s = 2: sticks",
     straight_rod,
     {-0.55, 0, -1.5},
     {0, -0.6, 0},
     {0.7, 2, 0.15},
     "SK",
     {0.8321880840, -0.1299255131, 0},
     {0.6920391101, 0, 0}},
}};

}  // namespace

void morgan_space(Outcome& out) {
  for (const Case& c : cases) {
    const impact::SpatialImpact in{c.body.collision_matrix(), c.body.contact_velocity(c.v, c.omega),
                                   c.coefficients};
    std::vector<impact::Event> trace;
    const impact::Outcome o = impact::solve(in, {}, trace);
    const std::string head = std::string(c.name) + " (" + c.words + "): ";
    out.claim(head + c.modes + " [1 = yes]", "", 1, impact::modes_of(o) == c.modes ? 1 : 0,
              Band::absolute(0));
    constexpr std::array<const char*, 3> axes{"n", "x", "y"};
    for (int i = 0; i < 3; ++i) {
      const std::string axis = axes[std::size_t(i)];
      out.claim(head + "p_" + axis + " [N s]", "", c.impulse[i], o.impulse[i], Band::absolute(1e-8));
      out.claim(head + "v_" + axis + " after [m/s]", "", c.velocity[i], o.velocity[i], Band::absolute(1e-8));
    }
    out.claim(head + "change of kinetic energy [J]", "", o.energy_change(), Band::at_most(0));
    if (o.steps == 0) continue;
    const std::string name = std::string("morgan-space-") + c.name;
    out.figure(impact_slip(trace, name + "-slip", std::string("Slip during the impact: ") + c.words));
    out.figure(
        impact_energies(refined(trace, 4), name + "-energy", std::string("Energy exchange: ") + c.words));
  }
}

}  // namespace stiction::reproduce
