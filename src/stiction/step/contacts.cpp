// From poses to contacts. A pair is looked at if the reaches of its two bodies bridge the distance between
// them at the start of the step. A reach [m] bounds the displacement of every surface point from the start
// pose to the end pose: the shift of the centre, plus the chord 2 R |sin(turn / 2)| at the bounding radius R
// (none for spheres and half-spaces). It is set from free motion and a slack; where the motion found goes
// further, advance() sets it to twice that motion and the step looks for pairs again.
// As far as reaches hold, no pair that touches at the end of a step is missed. It fails where
// - the path leaves the chord: a body that turns far in one step (beyond half a turn its chord even shrinks)
//   may sweep over something and be clear of it at both ends;
// - a kinematic half-space turns: only its shift counts;
// - the passes are used up (coulomb_step.cpp limits them): the step then goes on with the pairs it has.
#include <algorithm>
#include <cmath>
#include <variant>

#include "stiction/math/spatial.h"
#include "stiction/step/friction_laws.h"
#include "stiction/step/mechanisms.h"
#include "stiction/step/sleep.h"
#include "stiction/step/stages.h"

namespace stiction::step {
namespace {

/// [-] of the tolerated overlap: a contact whose gap is below it at the start of the step touches.
constexpr double touching = 0.1;
/// [-] of the body's size: contacts of a pair that carried an impulse in the last step still touch below this
/// gap, if they carried it themselves or are about to close.
constexpr double lasting = 1e-4;

/// [-] of the body's size: contacts of a pair this near to each other are in one place.
constexpr double one_place = 0.01;

// Memory: a contact takes some 5 kB with the problem that it is part of (measured: 80,000 of spheres in one
// heap take 0.4 GB), so that this many fit into 1 GB. Larger scenes have a number per body: dense heaps have
// some 10 pairs and 30 contacts for each.
constexpr std::size_t most_pairs = 200'000, most_pairs_per_body = 32;
constexpr std::size_t most_contacts = 200'000, most_contacts_per_body = 128;
/// Before those of a group or a joint are taken out, at 8 B each.
constexpr std::size_t most_candidates = std::size_t{1} << 24;

std::size_t limit_of(const Model& m, std::size_t most, std::size_t per_body) {
  return std::max(most, per_body * m.colliding.size());
}

/// w.pairs are too many, or lead to too many contacts -> w.crowd; none are left. The step will be refused.
void tell_crowd(const Model& m, Workspace& w) {
  std::vector<int> count(std::size_t(m.body_count()), 0);
  for (const collision::BodyPair& p : w.pairs) ++count[std::size_t(p.a)], ++count[std::size_t(p.b)];
  w.crowd = {};
  for (const int body : m.colliding)
    if (can_move(m, body) && count[std::size_t(body)] > w.crowd.bodies)
      w.crowd = {body, count[std::size_t(body)]};
  w.pairs.clear(), w.contacts.clear();
}

/// [m] bound on the motion of a body's surface between two poses.
double surface_motion(const Model& m, std::size_t i, const Vec3& p0, const Quat& q0, const Vec3& p1,
                      const Quat& q1) {
  double bound = norm(p1 - p0);
  if (kind(m.shape[i]) != ShapeKind::sphere && kind(m.shape[i]) != ShapeKind::half_space) {
    const Quat turn = q1 * conjugate(q0);
    bound += 2 * m.radius[i] * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);  // chord
  }
  return bound;
}

/// Where bodies may sleep, what is driven and stands still does not count.
bool moves(const Model& m, const State& x, const Workspace& w, std::size_t i) {
  if (!x.alive[i] || sleeps(w, i)) return false;
  if (m.mobility[i] != Mobility::none) return true;
  return m.body_kind[i] == kinematic &&
         (w.asleep.empty() || w.free.velocity[i] != Vec3{} || w.free.spin[i] != Vec3{});
}

double margin_of(const Workspace& w, const collision::BodyPair& p) {
  return w.reach[std::size_t(p.a)] + w.reach[std::size_t(p.b)];
}

double pair_size(const Model& m, const collision::BodyPair& p) {
  const auto a = std::size_t(p.a), b = std::size_t(p.b);
  if (!can_move(m, p.a)) return m.size[b];
  if (!can_move(m, p.b)) return m.size[a];
  return std::fmin(m.size[a], m.size[b]);
}

/// Appends the contact points of one pair, sorted by feature.
void find_points(const Model& m, std::span<const Vec3> position, std::span<const Quat> orientation,
                 const collision::BodyPair& p, const Workspace& w, std::vector<ContactPoint>& out) {
  const auto a = std::size_t(p.a), b = std::size_t(p.b);
  const auto first = std::ptrdiff_t(out.size());
  collision::find_contacts(p.a, m.shape[a], {position[a], orientation[a]}, p.b, m.shape[b],
                           {position[b], orientation[b]}, margin_of(w, p), out);
  std::sort(out.begin() + first, out.end(),
            [](const ContactPoint& l, const ContactPoint& r) { return l.key < r.key; });
}

/// The contacts of a pair with these points.
void add_contacts(const Model& m, std::span<const Vec3> position, std::span<const Quat> orientation,
                  const collision::BodyPair& p, double allowed, std::span<const ContactPoint> points,
                  std::vector<WorkContact>& out) {
  const auto a = std::size_t(p.a), b = std::size_t(p.b);
  for (const ContactPoint& point : points) {
    WorkContact c;
    c.point = point;
    c.centre = 0.5 * (point.point_a + point.point_b);
    c.arm[0] = c.centre - position[a], c.arm[1] = c.centre - position[b];
    set_law(m, orientation, c);
    c.allowed = allowed;
    c.size = pair_size(m, p);
    out.push_back(c);
  }
}

/// Appends the contacts of one pair, sorted by feature.
void detect_pair(const Model& m, std::span<const Vec3> position, std::span<const Quat> orientation,
                 const collision::BodyPair& p, double allowed, Workspace& w, std::vector<WorkContact>& out) {
  w.points.clear();
  find_points(m, position, orientation, p, w, w.points);
  add_contacts(m, position, orientation, p, allowed, w.points, out);
}

/// No body of the pair has another pose than when w.found was.
bool stands_still(const collision::BodyPair& p, const Workspace& w) {
  const auto still = [&](int body) {
    const auto i = std::size_t(body);
    return w.next.position[i] == w.found.position[i] && w.next.orientation[i] == w.found.orientation[i] &&
           w.reach[i] == w.found.reach[i];
  };
  return still(p.a) && still(p.b);
}

/// Contact points of all pairs at the poses of w.next -> w.found.
void find_end_points(const Model& m, Workspace& w) {
  FoundPoints& f = w.found;
  f.begin.resize(w.pairs.size() + 1);
  f.next.clear();
  std::size_t from = 0;  // what is known of the pair
  for (std::size_t k = 0; k < w.pairs.size(); ++k) {
    const std::size_t to = f.begin[k + 1];
    f.begin[k] = f.next.size();
    if (f.known && stands_still(w.pairs[k], w))
      f.next.insert(f.next.end(), f.points.begin() + std::ptrdiff_t(from),
                    f.points.begin() + std::ptrdiff_t(to));
    else if (!w.stop.asked())
      find_points(m, w.next.position, w.next.orientation, w.pairs[k], w, f.next);
    from = to;
  }
  f.begin.back() = f.next.size();
  swap_alike(f.points, f.next);
  f.position = w.next.position, f.orientation = w.next.orientation, f.reach = w.reach;
  f.known = !w.stop.asked();
}

/// Whether a contact found at the start of the step touches. Of a pair that lasts, a feature that comes near
/// but is not there within the step has nothing to stop yet: a point of a rim on which the body rolls.
bool touches_at_start(const WorkContact& c, bool pair_lasts, double h, double tolerance, const Workspace& w) {
  if (c.point.gap <= touching * tolerance * c.size) return true;
  if (!pair_lasts || c.point.gap > lasting * c.size) return false;
  return c.touched || c.point.gap + h * dot(c.point.normal, relative_velocity(w.free, c)) <= 0;
}

/// What a contact of w.contacts leaves to the same one at another pose.
void take_known(const WorkContact& known, WorkContact& c) {
  c.impulse = known.impulse, c.touched = known.touched, c.touches = known.touches, c.held = known.held;
  c.moment = known.moment, c.mu = c.solved_mu = known.mu, c.slides = known.slides, c.idle = known.idle;
}

}  // namespace

void first_reach(const Model& m, const State& x, double h, Workspace& w) {
  w.reach.resize(std::size_t(m.body_count()));
  // a little more than free motion asks for: bodies that are held up or pushed stay inside it
  const double fall = 0.5 * h * h * norm(m.gravity);
  for (const int body : m.colliding) {
    const auto i = std::size_t(body);
    w.reach[i] = 0;
    if (moves(m, x, w, i) || sleeps(w, i))
      w.reach[i] =
          surface_motion(m, i, x.position[i], x.orientation[i], w.free.position[i], w.free.orientation[i]) +
          (1e-3 * m.size[i] + fall);
  }
}

void detect_pairs(const Model& m, const State& x, Workspace& w) {
  w.found.known = false;
  w.proxies.resize(m.colliding.size()), w.planes.clear();
  std::size_t count = 0;
  for (const int body : m.colliding) {
    const auto i = std::size_t(body);
    if (!x.alive[i]) continue;
    const bool mobile = moves(m, x, w, i);
    if (const auto* half = std::get_if<HalfSpace>(&m.shape[i])) {
      const Vec3 n = rotate(x.orientation[i], half->normal);
      w.planes.push_back({body, mobile, n, dot(n, x.position[i]) + half->offset + w.reach[i]});
      continue;
    }
    const Vec3 half = kind(m.shape[i]) == ShapeKind::sphere
                          ? Vec3{m.radius[i], m.radius[i], m.radius[i]}
                          : bounding_half_extents(m.shape[i], rotation_matrix(x.orientation[i]));
    const Vec3 grown = half + Vec3{w.reach[i], w.reach[i], w.reach[i]};
    collision::Proxy& p = w.proxies[count++];
    p.body = body, p.moves = mobile, p.low = x.position[i] - grown, p.high = x.position[i] + grown;
  }
  w.proxies.resize(count);
  w.pairs.clear();
  const collision::PairLimit limit{limit_of(m, most_candidates, most_pairs_per_body), w.stop};
  if (w.proxies.size() + w.planes.size() > 1 &&
      !w.broad_phase.find_pairs(w.proxies, w.planes, w.pairs, limit)) {
    if (w.stop.asked()) return w.pairs.clear();
    return tell_crowd(m, w);
  }
  // prescribed bodies do not answer each other, nor do bodies that a joint holds together or that share a
  // group
  std::erase_if(w.pairs, [&](const collision::BodyPair& p) {
    return (!can_move(m, p.a) && !can_move(m, p.b)) || m.share_group(p.a, p.b) ||
           (m.joined(p.a, p.b) && !is_parted(m, x, p.a, p.b));
  });
  if (w.pairs.size() > limit_of(m, most_pairs, most_pairs_per_body)) return tell_crowd(m, w);
  wake_touched(m, x, w);
}

namespace {

/// Contacts of w.pairs at the start of the step -> w.contacts.
void find_start_contacts(const Model& m, const State& x, double h, double tolerance, Workspace& w) {
  w.contacts.clear(), w.touched_at_start.clear();
  w.pair_allowed.assign(w.pairs.size(), 0.0), w.pair_lasts.assign(w.pairs.size(), 0);
  auto memory = x.contacts.begin();
  const std::size_t most = limit_of(m, most_contacts, most_contacts_per_body);
  for (std::size_t k = 0; k < w.pairs.size() && !w.stop.asked(); ++k) {
    const std::size_t first = w.contacts.size();
    if (first > most) {
      tell_crowd(m, w);
      w.pair_allowed.clear(), w.pair_lasts.clear();
      return;
    }
    detect_pair(m, x.position, x.orientation, w.pairs[k], 0.0, w, w.contacts);
    const auto before = [&](const ContactMemory& c) {
      return c.key.a != w.pairs[k].a ? c.key.a < w.pairs[k].a : c.key.b < w.pairs[k].b;
    };
    while (memory != x.contacts.end() && before(*memory)) ++memory;
    w.pair_lasts[k] =
        memory != x.contacts.end() && memory->key.a == w.pairs[k].a && memory->key.b == w.pairs[k].b;
    double overlap = 0;
    for (std::size_t i = first; i < w.contacts.size(); ++i) {
      WorkContact& c = w.contacts[i];
      if (c.point.gap < -tolerance * c.size && !c.gives_way()) overlap = std::fmin(overlap, c.point.gap);
      while (memory != x.contacts.end() && memory->key < c.point.key) ++memory;
      if (memory != x.contacts.end() && memory->key == c.point.key) {
        c.impulse = (h / x.step) * memory->impulse;
        c.touched = memory->state != 0;
        c.slides = memory->state == std::int64_t(ContactState::sliding);
      }
      c.touches = !w.end_geometry && !c.gives_way() && touches_at_start(c, w.pair_lasts[k], h, tolerance, w);
      if (m.friction_varies) start_friction(m, x, c);
    }
    for (std::size_t i = first; i < w.contacts.size(); ++i) w.contacts[i].allowed = overlap;
    w.pair_allowed[k] = overlap;
  }
  for (const WorkContact& c : w.contacts)
    if (c.touches) w.touched_at_start.push_back(c.point.key);
}

}  // namespace

void detect_contacts(const Model& m, const State& x, double h, double tolerance, Workspace& w) {
  find_start_contacts(m, x, h, tolerance, w);
  w.end_contacts.reserve(2 * w.contacts.size());  // room for those that are kept
  w.touched_at_start.reserve(w.contacts.capacity());
  grow_alike(w.contacts, w.end_contacts), grow_alike(w.contacts, w.earlier_contacts);
  grow_alike(w.pairs, w.earlier_pairs);
  if (w.contacts.empty() && m.laws.empty()) return;
  w.base.position = x.position, w.base.orientation = x.orientation;
  w.mass_pose =
      w.end_geometry ? x.orientation : w.free.orientation;  // where v_free is that of the free motion: a body
                                                            // that nothing touches stays on it
  w.base.velocity.assign(x.position.size(), {}), w.base.spin.assign(x.position.size(), {});
  w.base.joint_position = x.joint_position, w.base.joint_velocity.assign(x.joint_velocity.size(), 0.0);
}

void widen_pairs(const Model& m, const State& x, double h, double tolerance, Workspace& w) {
  swap_alike(w.contacts, w.earlier_contacts), swap_alike(w.pairs, w.earlier_pairs);
  detect_pairs(m, x, w);
  find_start_contacts(m, x, h, tolerance, w);
  const auto by_pair = [](const collision::BodyPair& l, const collision::BodyPair& r) {
    return l.a != r.a ? l.a < r.a : l.b < r.b;
  };
  std::erase_if(w.contacts, [&](const WorkContact& c) {
    const collision::BodyPair pair{c.point.key.a, c.point.key.b};
    return std::binary_search(w.earlier_pairs.begin(), w.earlier_pairs.end(), pair, by_pair);
  });
  for (WorkContact& c : w.contacts) c.kept = true;
  w.contacts.insert(w.contacts.end(), w.earlier_contacts.begin(), w.earlier_contacts.end());
  sort_by_key(w.contacts);
  grow_alike(w.pairs, w.earlier_pairs), grow_alike(w.contacts, w.earlier_contacts);
  for (std::size_t i = 0; i < w.contacts.size(); ++i)
    if (const WorkContact& c = w.contacts[i]; c.row >= 0)
      for (int row = c.row; row <= c.row + int(c.turns()); ++row) w.contact_of_row[std::size_t(row)] = int(i);
}

void detect_resting_contacts(const Model& m, const State& x, Workspace& w) {
  const auto stays = [&](int body) { return w.rest_through[std::size_t(body)] != 0; };
  const auto stands = [&](int body) { return m.mobility[std::size_t(body)] == Mobility::none; };
  w.resting.clear();
  for (auto memory = x.contacts.begin(); memory != x.contacts.end();) {
    const collision::BodyPair pair{memory->key.a, memory->key.b};
    auto next = memory;
    while (next != x.contacts.end() && next->key.a == pair.a && next->key.b == pair.b) ++next;
    const bool rests = (stays(pair.a) || stands(pair.a)) && (stays(pair.b) || stands(pair.b));
    if (rests && (stays(pair.a) || stays(pair.b)))
      detect_pair(m, x.position, x.orientation, pair, 0.0, w, w.resting);
    memory = next;
  }
}

void detect_end_contacts(const Model& m, Workspace& w) {
  find_end_points(m, w);
  w.end_contacts.clear();
  auto known = w.contacts.begin();
  for (std::size_t k = 0; k < w.pairs.size(); ++k) {
    const std::size_t first = w.end_contacts.size();
    const std::span<const ContactPoint> points(w.found.points.data() + w.found.begin[k],
                                               w.found.begin[k + 1] - w.found.begin[k]);
    add_contacts(m, w.next.position, w.next.orientation, w.pairs[k], w.pair_allowed[k], points,
                 w.end_contacts);
    for (std::size_t i = first; i < w.end_contacts.size(); ++i) {
      WorkContact& c = w.end_contacts[i];
      c.touches = !w.end_geometry && !c.gives_way() && w.pair_lasts[k] &&
                  c.point.gap <= lasting * c.size;  // a feature that is new to a lasting pair
      while (known != w.contacts.end() && known->point.key < c.point.key) ++known;
      if (known != w.contacts.end() && known->point.key == c.point.key)
        take_known(*known, c);
      else
        c.touches |= std::binary_search(w.touched_at_start.begin(), w.touched_at_start.end(), c.point.key);
    }
  }
}

void renew_impulses(Workspace& w) {
  auto known = w.contacts.begin();
  for (WorkContact& c : w.end_contacts) {
    while (known != w.contacts.end() && known->point.key < c.point.key) ++known;
    if (known != w.contacts.end() && known->point.key == c.point.key) take_known(*known, c);
  }
}

namespace {

/// [m] of a contact whose features are gone: as its frame moved with the bodies. A kept one has the gap of no
/// motion, or, where its law is on the velocity, none.
double gap_in_its_frame(const Model& m, const WorkContact& c, double h, const Workspace& w) {
  if (c.kept) return (c.touches ? 0 : c.point.gap) + h * dot(c.point.normal, base_velocity(m, c, w));
  const auto way = [&](int body, const Vec3& arm) {
    const auto i = std::size_t(body);
    const Quat turn = w.next.orientation[i] * conjugate(w.base.orientation[i]);
    return w.next.position[i] - w.base.position[i] + rotate(turn, arm) - arm;
  };
  return c.point.gap + dot(c.point.normal, way(c.point.key.b, c.arm[1]) - way(c.point.key.a, c.arm[0]));
}

/// Null of none.
const WorkContact* nearest_to(const WorkContact& c, std::span<const WorkContact> found) {
  const WorkContact* nearest = nullptr;
  for (const WorkContact& other : found)
    if (!nearest || norm(other.centre - c.centre) < norm(nearest->centre - c.centre)) nearest = &other;
  return nearest;
}

/// [m] the gap of the nearest contact of the pair at the end of the step; of a pair without any that of its
/// frame. `found`: contacts of the pair at the end.
double gap_at_end(const Model& m, const WorkContact& c, double h, std::span<const WorkContact> found,
                  const Workspace& w) {
  const WorkContact* nearest = nearest_to(c, found);
  return nearest ? nearest->point.gap : gap_in_its_frame(m, c, h, w);
}

}  // namespace

double gap_found(const WorkContact& c, const Workspace& w) {
  const auto by_pair = [](const WorkContact& l, const WorkContact& r) {
    return std::pair{l.point.key.a, l.point.key.b} < std::pair{r.point.key.a, r.point.key.b};
  };
  const auto [first, last] = std::equal_range(w.end_contacts.begin(), w.end_contacts.end(), c, by_pair);
  if (first == last) return std::fmax(c.point.gap, margin_of(w, {c.point.key.a, c.point.key.b}));
  return nearest_to(c, {first, last})->point.gap;
}

void list_what_pressed(const Model& m, double h, Workspace& w) {
  const std::size_t found = w.end_contacts.size();
  const auto pair_of = [&](std::size_t i) {
    const ContactKey& key = w.end_contacts[i].point.key;
    return std::pair{key.a, key.b};
  };
  std::size_t first = 0, end = 0;  // of the pair, in what was found
  for (const WorkContact& c : w.contacts) {
    const std::pair pair{c.point.key.a, c.point.key.b};
    if (first == end || pair_of(first) != pair) {
      for (first = end; first < found && pair_of(first) < pair;) ++first;
      for (end = first; end < found && pair_of(end) == pair;) ++end;
    }
    const std::span<WorkContact> there(w.end_contacts.data() + first, end - first);
    const auto same = std::find_if(there.begin(), there.end(),
                                   [&](const WorkContact& o) { return o.point.key == c.point.key; });
    if (c.impulse == Vec3{} || (same != there.end() && !c.held)) continue;
    const WorkContact* own = kept_frame(c.point.key, w);
    WorkContact shown = own ? *own : c;
    shown.point.gap = same != there.end() ? same->point.gap : gap_at_end(m, c, h, there, w);
    if (same != there.end())
      *same = shown;
    else
      w.end_contacts.push_back(shown);
  }
  if (w.end_contacts.size() > found) sort_by_key(w.end_contacts);
}

void find_bearing(Workspace& w) {
  std::vector<WorkContact>& all = w.end_contacts;
  for (WorkContact& c : all) c.bears = false;
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    const auto of_pair = [&](std::size_t i) {
      return all[i].point.key.a == all[first].point.key.a && all[i].point.key.b == all[first].point.key.b;
    };
    while (end < all.size() && of_pair(end)) ++end;
    for (std::size_t i = first; i < end; ++i) {
      const WorkContact& c = all[i];
      const bool pressed = (c.touches || w.end_geometry || w.close_pressed) && !c.gives_way() &&
                           dot(c.impulse, c.point.normal) > 0;
      if (!pressed) continue;
      std::size_t lowest = i;
      for (std::size_t k = first; k < end; ++k)
        if (all[k].point.gap < all[lowest].point.gap && norm(all[k].centre - c.centre) <= one_place * c.size)
          lowest = k;
      all[lowest].bears = true;
    }
  }
}

/// Pairs are those of w.pairs, in their order, and so are the contacts.
void take_middle_frames(const Model& m, const State& x, Workspace& w) {
  const auto turned = [](const Quat& p, const Quat& q) {
    const double sign = p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z < 0 ? -1.0 : 1.0;
    return normalized(Quat{p.w + sign * q.w, p.x + sign * q.x, p.y + sign * q.y, p.z + sign * q.z});
  };
  w.middle_position.resize(x.position.size()), w.middle_orientation.resize(x.position.size());
  if (!m.trees.empty()) find_middle_of_trees(m, x, w);
  auto end = w.end_contacts.begin();
  while (end != w.end_contacts.end()) {
    const collision::BodyPair pair{end->point.key.a, end->point.key.b};
    auto next = end;
    bool lasts = false;
    for (; next != w.end_contacts.end() && next->point.key.a == pair.a && next->point.key.b == pair.b; ++next)
      lasts |= next->touches;
    if (lasts) {
      for (const int body : {pair.a, pair.b}) {
        const auto i = std::size_t(body);
        w.middle_position[i] = 0.5 * (x.position[i] + w.next.position[i]);
        w.middle_orientation[i] = turned(x.orientation[i], w.next.orientation[i]);
        if (const int link = m.link[i]; link >= 0) {
          w.middle_position[i] = w.trees.middle_position[std::size_t(link)];
          w.middle_orientation[i] = w.trees.middle_orientation[std::size_t(link)];
        }
      }
      w.middle_contacts.clear();
      detect_pair(m, w.middle_position, w.middle_orientation, pair, 0.0, w, w.middle_contacts);
      auto middle = w.middle_contacts.begin();
      for (auto c = end; c != next; ++c) {
        while (middle != w.middle_contacts.end() && middle->point.key < c->point.key) ++middle;
        if (!c->touches || middle == w.middle_contacts.end() || middle->point.key != c->point.key) continue;
        c->middle = true;
        c->point.normal = middle->point.normal;
        std::copy(middle->tangent, middle->tangent + 2, c->tangent);
        std::copy(middle->arm, middle->arm + 2, c->arm);
        c->stretch = middle->stretch, c->belt = middle->belt;
      }
    }
    end = next;
  }
}

namespace {

/// [m] the gap that the relative velocity `u` leads to; for a contact that touches, what it opens.
double predicted_gap(const WorkContact& c, const Vec3& u, double h, const Workspace& w) {
  if (c.touches) return h * dot(c.point.normal, u);
  return gap_in_frame(c, u, h, w);
}

}  // namespace

int choose_contacts(const Model& m, double h, Workspace& w) {
  const auto moves_by_stages = [&](int body) {
    const int link = m.link[std::size_t(body)];
    return link >= 0 && flows(m, w, link);
  };
  int count = 0;
  for (WorkContact& c : w.contacts) {
    const bool late = moves_by_stages(c.point.key.a) || moves_by_stages(c.point.key.b);
    const double near =
        late ? 0.0 : 0.25 * (w.reach[std::size_t(c.point.key.a)] + w.reach[std::size_t(c.point.key.b)]);
    c.in_problem = c.impulse != Vec3{} || (!c.touches && c.point.gap <= c.allowed) ||
                   predicted_gap(c, relative_velocity(w.free, c), h, w) < near;
    count += c.in_problem;
  }
  return count;
}

int add_violated_contacts(const Model& m, double h, double tolerance, Workspace& w) {
  int added = 0;
  for (WorkContact& c : w.contacts) {
    if (c.in_problem || c.idle) continue;
    if (predicted_gap(c, base_velocity(m, c, w), h, w) >= -0.5 * tolerance * c.size) continue;
    c.in_problem = true;
    ++added;
  }
  return added;
}

namespace {

/// How a body moves with its velocities.
Carry carry_of(const Model& m, const Workspace& w, std::size_t i) {
  return !m.mechanisms.empty() && m.mechanisms.mechanism_of[i] >= 0 ? Carry{} : w.carry;
}

/// A body of `out` to where its velocity and spin lead to; its orientation from that of the free motion.
void carry_body(const Model& m, const State& x, double h, const Carry& by, std::size_t i, const Workspace& w,
                Motions& out) {
  const auto mean = [&](const Vec3& end, const Vec3& start) {
    return by.theta == 1 ? end : by.theta * end + (1 - by.theta) * start;
  };
  out.position[i] = x.position[i] + h * mean(out.velocity[i], x.velocity[i]);
  if (m.mobility[i] == Mobility::particle) return;
  if (w.end_geometry)
    out.orientation[i] = normalized(cayley(h * out.spin[i]) * x.orientation[i]);
  else if (by.angles && m.mobility[i] == Mobility::planar)
    out.orientation[i] = normalized(exponential(h * mean(out.spin[i], x.spin[i])) * x.orientation[i]);
  else
    out.orientation[i] =
        normalized(cayley(h * by.theta * (out.spin[i] - w.free.spin[i])) * w.free.orientation[i]);
}

}  // namespace

void carry_free(const Model& m, const State& x, double h, Workspace& w) {
  for (std::size_t i = 0; i < w.free.position.size(); ++i) {
    const bool moves_alone = m.mobility[i] != Mobility::none && m.mobility[i] != Mobility::link && x.alive[i];
    if (moves_alone && (m.mechanisms.empty() || m.mechanisms.mechanism_of[i] < 0))
      carry_body(m, x, h, w.carry, i, w, w.free);
  }
}

bool advance(const Model& m, const State& x, double h, Workspace& w) {
  bool inside = true;
  const auto look = [&](std::size_t i) {
    const double moved =
        surface_motion(m, i, x.position[i], x.orientation[i], w.next.position[i], w.next.orientation[i]);
    if (!(moved <= w.reach[i])) w.reach[i] = 2 * moved, inside = false;
  };
  for (const int body : w.moved) {
    const auto i = std::size_t(body);
    carry_body(m, x, h, carry_of(m, w, i), i, w, w.next);
    look(i);
  }
  if (m.trees.empty()) return inside;
  advance_trees(m, x, h, w);
  for (std::size_t k = 0; k < m.trees.body.size(); ++k)
    if (const int body = m.trees.body[k]; m.collides[std::size_t(body)] && has_touched(m, w, int(k)))
      look(std::size_t(body));
  return inside;
}

}  // namespace stiction::step
