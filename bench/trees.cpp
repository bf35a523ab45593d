// Forward dynamics of trees.
//
//   chain     revolute chains of 10 to 10,000 links: time per link. The sizes take turns. Bar: largest over
//             smallest at most 2, for medians and for best times.
//   humanoid  13 bodies, 27 velocity coordinates: dv/dt from q, v and tau, everything from scratch, beside
//             MuJoCo where it is installed, in one run, turn by turn. Bar: at most 0.6 of MuJoCo's time.
//             Ours:   forward_dynamics(), which is update_positions, update_velocities, bias_wrenches,
//                     factorise and solve in one call.
//             Theirs: mj_kinematics, mj_comPos, mj_crb, mj_factorM, mj_comVel, mj_rne (without
//                     accelerations: the bias), the difference of forces, mj_solveM. Left out: contacts,
//                     constraints, actuators, tendons, cameras, passive forces, sensors.
//             Both get a new random state at every call (256 of them, prepared in both conventions), and
//             their accelerations are compared.
#include "support/trees.h"

#include <algorithm>

#include "bench.h"
#include "stiction/dynamics/tree/forward_dynamics.h"
#include "support/tree_state.h"
#ifdef STICTION_MUJOCO
#include "support/mujoco.h"
#endif

namespace stiction::bench {
namespace {

constexpr double chain_bar = 2, humanoid_bar = 0.6;

bool measure_chains(int rounds) {
  struct Size {
    int links;
    test::TreeState state;
    std::vector<double> seconds{};
  };
  std::vector<Size> sizes;
  for (const int links : {10, 100, 1000, 10000})
    sizes.push_back({links, test::TreeState(test::chain(links))});
  for (Size& s : sizes) s.state.randomise(1, 0), s.state.forward();
  for (int i = 0; i < rounds; ++i) {
    for (Size& s : sizes) {
      const int calls = 20000 / s.links;
      const double each = seconds_of([&] {
        for (int k = 0; k < calls; ++k) s.state.forward();
      });
      s.seconds.push_back(each / calls);
    }
  }
  std::vector<double> medians, best;  // [ns] per link
  for (Size& s : sizes) {
    medians.push_back(1e9 * median(s.seconds) / s.links);
    best.push_back(1e9 * *std::min_element(s.seconds.begin(), s.seconds.end()) / s.links);
    const std::vector<double> back = s.state.inverse_of(s.state.dv);
    double error = 0;
    for (const double x : back) error = std::max(error, std::fabs(x));
    Hash hash;
    for (const double x : s.state.dv) hash.number(x);
    Line line("trees/chain_" + std::to_string(s.links));
    line.whole("links", s.links).number("ns_per_link", medians.back());
    line.number("ns_per_link_best", best.back()).number("force_error", error);
    line.hash(hash.result()).print();
  }
  const auto spread = [](const std::vector<double>& x) {
    return *std::max_element(x.begin(), x.end()) / *std::min_element(x.begin(), x.end());
  };
  const bool pass = spread(medians) <= chain_bar && spread(best) <= chain_bar;
  Line line("trees/chain");
  line.number("largest_over_smallest", spread(medians)).number("of_best", spread(best));
  line.number("bar", chain_bar).flag("pass", pass).print();
  return pass;
}

// States that take turns, so that no branch predictor knows them by heart.
constexpr std::size_t state_count = 256;

bool measure_humanoid(int rounds) {
  test::TreeState s(test::humanoid());
  std::vector<std::vector<double>> q, v, tau;
  for (std::size_t i = 0; i < state_count; ++i) {
    s.randomise(i);
    q.push_back(s.q), v.push_back(s.v), tau.push_back(s.tau);
  }
  const auto ours = [&] {
    for (std::size_t i = 0; i < state_count; ++i)
      tree::forward_dynamics(s.f(), s.p(), q[i], v[i], tau[i], {}, s.d, s.dv);
  };
  ours();
  std::vector<double> our_seconds;
  Line line("trees/humanoid");
  line.whole("links", s.f().link_count()).whole("velocities", s.f().v_count());
#ifdef STICTION_MUJOCO
  test::MujocoTree peer(test::humanoid());
  STICTION_ASSERT(peer.loaded());
  std::vector<std::vector<double>> peer_q, peer_v, peer_tau;
  double difference = 0;
  for (std::size_t i = 0; i < state_count; ++i) {
    tree::forward_dynamics(s.f(), s.p(), q[i], v[i], tau[i], {}, s.d, s.dv);
    peer.set(s.c, s.k(), q[i], v[i], tau[i]);
    peer.smooth_dynamics();
    mjData* d = peer.data();
    peer_q.emplace_back(d->qpos, d->qpos + peer.model()->nq);
    peer_v.emplace_back(d->qvel, d->qvel + peer.model()->nv);
    peer_tau.emplace_back(d->qfrc_applied, d->qfrc_applied + peer.model()->nv);
    const std::vector<double> theirs(d->qacc, d->qacc + peer.model()->nv);
    difference =
        std::max(difference, test::relative_error(test::mujoco_velocities(s.c, s.k(), s.dv), theirs));
  }
  const auto theirs = [&] {
    mjData* d = peer.data();
    for (std::size_t i = 0; i < state_count; ++i) {
      std::copy(peer_q[i].begin(), peer_q[i].end(), d->qpos);
      std::copy(peer_v[i].begin(), peer_v[i].end(), d->qvel);
      std::copy(peer_tau[i].begin(), peer_tau[i].end(), d->qfrc_applied);
      peer.smooth_dynamics();
    }
  };
  std::vector<double> their_seconds, ratios;
  for (int i = 0; i < rounds; ++i) {
    our_seconds.push_back(seconds_of(ours) / double(state_count));
    their_seconds.push_back(seconds_of(theirs) / double(state_count));
    ratios.push_back(our_seconds.back() / their_seconds.back());
  }
  const double ratio = median(ratios);
  const bool pass = ratio <= humanoid_bar && difference <= 1e-9;
  line.number("ratio", ratio).number("bar", humanoid_bar);
  line.number("ratio_of_best", *std::min_element(our_seconds.begin(), our_seconds.end()) /
                                   *std::min_element(their_seconds.begin(), their_seconds.end()));
  line.number("us", 1e6 * median(our_seconds)).number("us_mujoco", 1e6 * median(their_seconds));
  line.text("mujoco", mj_versionString()).number("difference", difference);
#else
  for (int i = 0; i < rounds; ++i) our_seconds.push_back(seconds_of(ours) / double(state_count));
  const bool pass = true;
  line.text("mujoco", "not installed: no bar").number("us", 1e6 * median(our_seconds));
#endif
  line.flag("pass", pass).print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  const int rounds = stiction::bench::has_word(argc, argv, "--quick") ? 20 : 200;
  const bool chains = stiction::bench::measure_chains(rounds);
  const bool humanoid = stiction::bench::measure_humanoid(5 * rounds);
  return chains && humanoid ? 0 : 1;
}
