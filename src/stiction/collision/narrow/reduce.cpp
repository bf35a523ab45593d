// At most four (or eight) of many points: the points near the least gap carry load now or next, so they come
// first; among more than four of them, and to fill up, those that span most area keep the support wide.
// Order: the least gap; then the point farthest from it; then the one farthest from the line of the two; then
// the one that adds most area to the triangle. Every comparison needs a lead above the tolerance, and
// candidates come in the order of their features, so that a set within noise of a tie always gives the same
// choice. The deepest of all comes beside them where it leads by a thousandth of that, so that no overlap is
// hidden by a tie: this one may come and go under noise, and where all places are taken it replaces the one
// that was chosen last. Fails to keep all of an octagon's corners: two faces twisted against each other rest
// on a quadrilateral inside it.
#include "stiction/collision/narrow/reduce.h"

#include <algorithm>

#include "stiction/collision/narrow/insertion_sort.h"

namespace stiction::collision::narrow {
namespace {

constexpr int most_candidates = 256, most_chosen = 8;
constexpr double ties = 1e-3;  // [-] of the tolerance: a deeper point is taken in by itself

class Choice {
 public:
  Choice(double tolerance, int most) : tolerance_(tolerance), most_(most) {}

  int count() const { return count_; }
  void take(const Point& p) { chosen_[count_++] = &p; }
  void take_or_replace(const Point& p) { chosen_[count_ < most_chosen ? count_++ : count_ - 1] = &p; }
  bool has(const Point& p) const { return std::find(chosen_, chosen_ + count_, &p) != chosen_ + count_; }
  const Point& operator[](int i) const { return *chosen_[i]; }

  /// Takes the best of the candidates until there are four or none is left.
  void fill(const Point* const* candidates, int n) {
    while (count_ < most_) {
      const Point* best = nullptr;
      double best_worth = 0;
      for (int i = 0; i < n; ++i) {
        if (has(*candidates[i])) continue;
        const double w = worth(*candidates[i]);
        if (best == nullptr || w > best_worth + tolerance_) best = candidates[i], best_worth = w;
      }
      if (best == nullptr) return;
      take(*best);
    }
  }

 private:
  /// How much a candidate adds [m].
  double worth(const Point& p) const {
    const Vec3& x = p.point_a;
    if (count_ == 0) return -p.gap;
    const Vec3& a = chosen_[0]->point_a;
    if (count_ == 1) return norm(x - a);
    const Vec3& b = chosen_[1]->point_a;
    if (count_ == 2) return beyond(x, a, b, nullptr);
    if (count_ > 3) {
      double nearest = norm(x - a);
      for (int i = 1; i < count_; ++i) nearest = std::fmin(nearest, norm(x - chosen_[i]->point_a));
      return nearest;
    }
    const Vec3& c = chosen_[2]->point_a;
    return std::fmax(beyond(x, a, b, &c), std::fmax(beyond(x, b, c, &a), beyond(x, c, a, &b)));
  }
  /// Distance of x from the line a b, counted positive on the side away from `inner` (either side if null).
  static double beyond(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3* inner) {
    const Vec3 ab = b - a, up = cross(ab, x - a);
    const double length = norm(ab);
    if (!(length > 0)) return norm(x - a);
    const double height = norm(up) / length;
    return inner != nullptr && dot(up, cross(ab, *inner - a)) > 0 ? -height : height;
  }

  double tolerance_;
  int most_, count_ = 0;
  const Point* chosen_[most_chosen] = {};
};

/// The deepest of all, beside those that were chosen, where it leads by more than `lead` [m].
void take_deepest(const Point* const* all, int n, double lead, Choice& choice) {
  const Point* deepest = all[0];
  for (int i = 1; i < n; ++i)
    if (all[i]->gap < deepest->gap) deepest = all[i];
  for (int i = 0; i < choice.count(); ++i)
    if (choice[i].gap <= deepest->gap + lead) return;
  choice.take_or_replace(*deepest);
}

}  // namespace

void add_reduced(std::span<const Point> candidates, int fixed, double near, double tolerance, Manifold& out,
                 int most) {
  STICTION_ASSERT(candidates.size() <= most_candidates && most <= most_chosen);
  if (candidates.size() <= std::size_t(most)) {
    for (const Point& p : candidates) out.add(p);
    return;
  }
  // those below the margin, by feature
  const Point* all[most_candidates];
  int n = 0;
  double least = out.margin();
  for (const Point& p : candidates) {
    if (!(p.gap < out.margin())) continue;
    all[n++] = &p;
    least = std::fmin(least, p.gap);
  }
  if (n == 0) return;  // all just beyond the margin
  Choice choice(tolerance, most);
  if (n <= most) {
    for (int i = 0; i < n; ++i) choice.take(*all[i]);
  } else {
    for (std::size_t i = 0; i < std::size_t(fixed); ++i)
      if (candidates[i].gap < out.margin()) choice.take(candidates[i]);
    // active ones first, each group by feature
    const auto earlier = [&](const Point* x, const Point* y) {
      const bool far_x = x->gap > least + near, far_y = y->gap > least + near;
      if (far_x != far_y) return far_y;
      return x->feature < y->feature;
    };
    insertion_sort(all, n, earlier);
    int active = 0;
    while (active < n && all[active]->gap <= least + near) ++active;
    choice.fill(all, active);
    choice.fill(all, n);
  }
  take_deepest(all, n, ties * tolerance, choice);
  for (int i = 0; i < choice.count(); ++i) out.add(choice[i]);
}

}  // namespace stiction::collision::narrow
