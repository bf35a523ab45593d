// The watch on springs. With P_i the impulses of a spring and of its damper on its bodies, v_i and v_i+ their
// velocities at start and end, and U its elastic energy, it adds in a step
//     sum of P_i.(v_i + v_i+)/2 + U+ - U
// to the energy. Exactly it would be what the damper takes, which is never positive. What semi-implicit Euler
// and `coulomb` make of it, positions moved by h v+, is for a straight spring of stiffness k and length l0 +
// q
//     (h k/2) (q+ q'+ - q q')  +  the damper's,
// whatever else acts on its bodies: a state function, so that it swings and does not drift. Where the spring
// swings freely with frequency w, q q' is at most w times its energy, and it gains from the least to the most
// h w/2 of twice its largest elastic energy: so the gain over that is the law of the spring, h w/2, measured.
// A quarter (unexplained_limit) is h w = 1/2, twelve steps a period. Beyond it, and where a damper gives, the
// run is not good, however much energy the rest of the world has.
//
// While a spring leaves its rest length nobody knows yet how much energy it will have. As long as q grows,
// (h k/2) q q' = (k/2) q (q - q_before) is at most half of k q^2; so a gain of more than half counts at once,
// and others when the spring has swung out: its elastic energy falls again.
//
// Methods of several stages have their sum over the stages in place of the mean velocity, of their order.
// The method implicit_euler, whose springs take energy only, is not watched.
//
// When it fails: a spring that carries a load has the energy of that load; what swings about it by less is
// compared with that. Springs in the joints of trees, rows that give way and pairs of bodies are in the sum
// over the world alone (ledger.h).
#include "stiction/step/spring_watch.h"

#include <algorithm>
#include <cmath>

namespace stiction::step {
namespace {

constexpr double while_it_grows = 0.5 + 1e-6;  // [-] and what round-off makes of a half

}  // namespace

void watch_springs(const Model& m, const State& x, const Motions& end, Workspace& w) {
  w.springs.assign(x.springs.begin(), x.springs.end());
  for (std::size_t k = 0; k < w.springs.size(); ++k) {
    if (!w.spring_work[k].acts) continue;
    const double start = forces::spring_potential(m, k, x.position, x.orientation, x.alive),
                 stored = forces::spring_potential(m, k, end.position, end.orientation, x.alive);
    const SpringWork& work = w.spring_work[k];
    SpringMemory& s = w.springs[k];
    s.gain = std::fmax(0.0, s.gain + (work.given + (stored - start)));
    s.most = std::fmax(s.most, s.gain);
    s.largest = std::fmax(s.largest, std::fmax(2 * std::fmax(start, stored), std::fabs(work.damped)));
    const double share = s.most > 0 ? s.most / std::fmax(s.most, s.largest) : 0.0;
    if (share > while_it_grows || stored <= start) s.share = std::fmax(s.share, share);
    w.entries.spring_share = std::fmax(w.entries.spring_share, s.share);
  }
}

int worst_spring(const State& x) {
  const auto worst = std::max_element(x.springs.begin(), x.springs.end(),
                                      [](const auto& a, const auto& b) { return a.share < b.share; });
  return worst != x.springs.end() && worst->share > 0 ? int(worst - x.springs.begin()) : -1;
}

}  // namespace stiction::step
