// Contacts whose features flip from pass to pass, or are gone at the candidate end, keep theirs: two points,
// one fixed to each body, and a normal fixed to the body that it is the face of. So they have a frame and a
// gap at every candidate pose, change with it as smoothly as the others do, and are solved and judged at the
// end of the step, not at the pose of the pass that found them: there, inertia and arms would belong to a
// pose that the body never has.
//
// Which of the two bodies has the face is not known: it is the one with which the normal turns to what is
// found of the pair at the candidate end; where nothing is, the one that does not move, or else the first.
#include <algorithm>
#include <cmath>

#include "stiction/step/mechanisms.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

/// How a body got from one pose to another.
struct Way {
  Vec3 from, to;
  Quat turn;
  Vec3 place(const Vec3& point) const { return to + rotate(turn, point - from); }
};

Way way_of(const Vec3& from, const Quat& from_q, const Vec3& to, const Quat& to_q) {
  return {from, to, normalized(to_q * conjugate(from_q))};
}

Vec3 half(const Vec3& a, const Vec3& b) { return 0.5 * (a + b); }
Quat half(const Quat& p, const Quat& q) {
  const double sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -1.0 : 1.0;
  return normalized(Quat{p.w + sign * q.w, p.x + sign * q.x, p.y + sign * q.y, p.z + sign * q.z});
}

/// From the pose of the problem to the candidate end, or between their middles.
Way way_of(const State& x, const Workspace& w, int body, bool middle) {
  const auto i = std::size_t(body);
  const Vec3 &from = w.base.position[i], &to = w.next.position[i];
  const Quat &from_q = w.base.orientation[i], &to_q = w.next.orientation[i];
  if (!middle) return way_of(from, from_q, to, to_q);
  const Vec3& p = x.position[i];
  const Quat& q = x.orientation[i];
  return way_of(half(p, from), half(q, from_q), half(p, to), half(q, to_q));
}

/// Which body's turn takes the normal nearest to one that is found of the pair.
int face_of(const Model& m, const WorkContact& c, const Way way[2], std::span<const WorkContact> found) {
  int best = can_move(m, c.point.key.a) && !can_move(m, c.point.key.b) ? 1 : 0;
  double nearest = 1e300;
  for (const WorkContact& other : found) {
    if (other.middle != c.middle) continue;
    for (const int side : {best, 1 - best}) {
      const double apart = norm(rotate(way[side].turn, c.point.normal) - other.point.normal);
      if (apart < nearest) nearest = apart, best = side;
    }
  }
  return best;
}

}  // namespace

bool goes_along(const Model& m, const WorkContact& c, const Workspace& w) {
  if (w.end_geometry || c.kept || c.gives_way()) return false;
  for (const int body : {c.point.key.a, c.point.key.b})
    if (m.mobility[std::size_t(body)] == Mobility::link) return false;
  return true;
}

WorkContact moved_along(const Model& m, const State& x, const WorkContact& c,
                        std::span<const WorkContact> found, const Workspace& w) {
  const int bodies[2] = {c.point.key.a, c.point.key.b};
  const Way end[2] = {way_of(x, w, bodies[0], false), way_of(x, w, bodies[1], false)};
  WorkContact out = c;
  const Way frame[2] = {c.middle ? way_of(x, w, bodies[0], true) : end[0],
                        c.middle ? way_of(x, w, bodies[1], true) : end[1]};
  const int face = face_of(m, c, frame, found);
  for (Vec3* axis : {&out.point.normal, &out.tangent[0], &out.tangent[1]})
    *axis = rotate(frame[face].turn, *axis);
  out.point.point_a = end[0].place(c.point.point_a), out.point.point_b = end[1].place(c.point.point_b);
  const Vec3 apart = (out.point.point_b - out.point.point_a) - (c.point.point_b - c.point.point_a);
  out.point.gap = c.point.gap + dot(out.point.normal, apart) +
                  dot(out.point.normal - c.point.normal, c.point.point_b - c.point.point_a);
  out.centre = half(out.point.point_a, out.point.point_b);
  const Vec3 there = half(frame[0].place(frame[0].from + c.arm[0]), frame[1].place(frame[1].from + c.arm[1]));
  for (const int side : {0, 1}) out.arm[side] = there - frame[side].to;
  return out;
}

void move_kept_frames(const Model& m, const State& x, Workspace& w) {
  w.kept_frames.clear();
  std::size_t first = 0, end = 0;  // contacts of the pair at the end
  for (const WorkContact& c : w.contacts) {
    if ((!c.held && c.impulse == Vec3{}) || !goes_along(m, c, w)) continue;
    const auto pair = [](const ContactKey& k) { return std::pair{k.a, k.b}; };
    while (first < w.end_contacts.size() && pair(w.end_contacts[first].point.key) < pair(c.point.key))
      ++first;
    for (end = first;
         end < w.end_contacts.size() && pair(w.end_contacts[end].point.key) == pair(c.point.key);)
      ++end;
    const std::span<const WorkContact> found(w.end_contacts.data() + first, end - first);
    const auto same = std::find_if(found.begin(), found.end(),
                                   [&](const WorkContact& o) { return o.point.key == c.point.key; });
    if (same != found.end() && !c.held) continue;
    WorkContact& moved = w.kept_frames.emplace_back(moved_along(m, x, c, found, w));
    if (same != found.end()) moved.mu = same->mu, moved.slides = same->slides;
  }
}

const WorkContact* kept_frame(const ContactKey& key, const Workspace& w) {
  const auto place =
      std::lower_bound(w.kept_frames.begin(), w.kept_frames.end(), key,
                       [](const WorkContact& c, const ContactKey& k) { return c.point.key < k; });
  return place != w.kept_frames.end() && place->point.key == key ? &*place : nullptr;
}

}  // namespace stiction::step
