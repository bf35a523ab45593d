// Broad phase of many moving boxes beside Bullet's dbvt: sizes mixed 1 : 4, about one overlap per box, every
// box moving by 5 to 10 % of its size in every step and bouncing back from the walls of its cube. The sets of
// pairs must be the same: Bullet keeps pairs of enlarged boxes, so its list is cut to the true overlaps first
// (outside the measured time), and at the smallest size all pairs are tested one by one as well. Coordinates
// are those of single precision, which Bullet computes in. Bars: at most 0.7 of Bullet's time per step at the
// largest size, and time per box of ours within 1.5 over all sizes.
//   bench_broad_phase_bullet [--quick]    --quick: 10,000 and 100,000 boxes; else up to 1,000,000
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "../bench.h"
#include "stiction/collision/collision.h"

namespace stiction::bench {
namespace {

constexpr double time_bar = 0.7, flat_bar = 1.5;

using Pairs = std::vector<collision::BodyPair>;

/// The boxes, and how they move.
class Crowd {
 public:
  explicit Crowd(int count) : random_(12) {
    std::uniform_real_distribution<float> u(0, 1);
    // edges of 1 to 4: a box of mean edge 2.5 overlaps 8 * 2.5^3 / volume others for each one in the cube, or
    // so
    side_ = float(std::cbrt(72.0 * count));
    boxes.resize(std::size_t(count)), velocity_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      float size[3], v[3];
      for (float& s : size) s = 1 + 3 * u(random_);
      float length = 0;
      for (float& x : v) x = u(random_) - 0.5f, length += x * x;
      const float speed = (0.05f + 0.05f * u(random_)) * std::max({size[0], size[1], size[2]});
      for (int k = 0; k < 3; ++k) {
        const float low = side_ * u(random_);
        boxes[i].low[k] = low, boxes[i].high[k] = low + size[k];
        velocity_[i][k] = v[k] / std::sqrt(length) * speed;
      }
      boxes[i].body = int(i), boxes[i].moves = true;
    }
  }
  void step() {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const float low = float(boxes[i].low[k]), high = float(boxes[i].high[k]), v = velocity_[i][k];
        if ((low < 0 && v < 0) || (low > side_ && v > 0)) velocity_[i][k] = -v;
        boxes[i].low[k] = low + velocity_[i][k], boxes[i].high[k] = high + velocity_[i][k];
        boxes[i].low[k] = float(boxes[i].low[k]), boxes[i].high[k] = float(boxes[i].high[k]);
      }
  }
  bool overlap(int a, int b) const {
    const collision::Proxy &x = boxes[std::size_t(a)], &y = boxes[std::size_t(b)];
    for (int k = 0; k < 3; ++k)
      if (x.low[k] > y.high[k] || y.low[k] > x.high[k]) return false;
    return true;
  }

  std::vector<collision::Proxy> boxes;

 private:
  struct Velocity {
    float v[3];
    float& operator[](int k) { return v[k]; }
  };
  std::mt19937_64 random_;
  std::vector<Velocity> velocity_;
  float side_ = 0;
};

class BulletBroadPhase {
 public:
  explicit BulletBroadPhase(const Crowd& crowd) {
    for (const collision::Proxy& p : crowd.boxes)
      proxies_.push_back(broad_phase_.createProxy(
          of(p.low), of(p.high), 0, reinterpret_cast<void*>(std::size_t(p.body)), 1, 1, nullptr));
  }
  ~BulletBroadPhase() {
    for (btBroadphaseProxy* p : proxies_) broad_phase_.destroyProxy(p, nullptr);
  }
  BulletBroadPhase(const BulletBroadPhase&) = delete;
  BulletBroadPhase& operator=(const BulletBroadPhase&) = delete;

  void step(const Crowd& crowd) {
    for (std::size_t i = 0; i < proxies_.size(); ++i)
      broad_phase_.setAabb(proxies_[i], of(crowd.boxes[i].low), of(crowd.boxes[i].high), nullptr);
    broad_phase_.calculateOverlappingPairs(nullptr);
  }
  Pairs pairs(const Crowd& crowd) {
    Pairs out;
    btBroadphasePairArray& list = broad_phase_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < list.size(); ++i) {
      const auto id = [](const btBroadphaseProxy* p) {
        return int(reinterpret_cast<std::size_t>(p->m_clientObject));
      };
      const int a = id(list[i].m_pProxy0), b = id(list[i].m_pProxy1);
      if (crowd.overlap(a, b)) out.push_back({std::min(a, b), std::max(a, b)});
    }
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  static btVector3 of(const Vec3& v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
  btDbvtBroadphase broad_phase_;
  std::vector<btBroadphaseProxy*> proxies_;
};

Pairs all_pairs(const Crowd& crowd) {
  Pairs out;
  for (int a = 0; a < int(crowd.boxes.size()); ++a)
    for (int b = a + 1; b < int(crowd.boxes.size()); ++b)
      if (crowd.overlap(a, b)) out.push_back({a, b});
  return out;
}

/// [s] of processor time, so that other programs of the machine count less.
template <class Call>
double processor_time_of(const Call& call) {
  const double start = processor_seconds();
  call();
  return processor_seconds() - start;
}

struct Outcome {
  double ours = 0, ratio = 0;  // [s] per box; ours over Bullet's
  bool same = true;
};

Outcome compare(int count, int steps) {
  Crowd crowd(count);
  collision::BroadPhase ours;
  BulletBroadPhase bullet(crowd);
  Pairs pairs;
  std::vector<double> time_ours, time_bullet;
  Outcome out;
  for (int i = 0; i < steps + 2; ++i) {  // the first two are not counted
    crowd.step();
    const double t = processor_time_of([&] { ours.find_pairs(crowd.boxes, {}, pairs); });
    const double s = processor_time_of([&] { bullet.step(crowd); });
    if (i >= 2) time_ours.push_back(t), time_bullet.push_back(s);
  }
  out.same = pairs == bullet.pairs(crowd);
  if (count <= 10000) out.same = out.same && pairs == all_pairs(crowd);
  // the best of the steps: what else the machine does only adds
  const double best = *std::min_element(time_ours.begin(), time_ours.end());
  const double other = *std::min_element(time_bullet.begin(), time_bullet.end());
  out.ours = best / count, out.ratio = best / other;
  Line("broad_phase/" + std::to_string(count))
      .whole("boxes", count)
      .whole("pairs", (long long)(pairs.size()))
      .number("ms", 1e3 * best)
      .number("bullet_ms", 1e3 * other)
      .number("ms_median", 1e3 * median(time_ours))
      .number("bullet_ms_median", 1e3 * median(time_bullet))
      .number("ratio", out.ratio)
      .number("ns_per_box", 1e9 * out.ours)
      .flag("same_pairs", out.same)
      .print();
  return out;
}

bool measure(bool quick) {
  double least = 1e300, most = 0, ratio = 0;
  bool same = true;
  for (const int count : {10000, 100000, 1000000}) {
    if (quick && count > 100000) break;
    const Outcome o = compare(count, count >= 1000000 ? 6 : 20);
    least = std::min(least, o.ours), most = std::max(most, o.ours), ratio = o.ratio, same = same && o.same;
  }
  const bool pass = same && ratio <= time_bar && most / least <= flat_bar;
  Line("broad_phase")
      .number("ratio", ratio)
      .number("bar", time_bar)
      .number("flatness", most / least)
      .number("flat_bar", flat_bar)
      .flag("same_pairs", same)
      .flag("pass", pass)
      .print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  return stiction::bench::measure(stiction::bench::has_word(argc, argv, "--quick")) ? 0 : 1;
}
