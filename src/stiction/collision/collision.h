// Finding contacts. Broad phase: which pairs can come near each other within one step. Narrow phase: their
// contact points. Geometry and indices only: no masses, no laws.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "stiction/base/stop.h"
#include "stiction/collision/contact.h"
#include "stiction/geometry/shape.h"

namespace stiction::collision {

/// A shape somewhere in the world.
struct Pose {
  Vec3 position;
  Quat orientation;
};

/// Appends the contact points of shapes a and b (keys: body indices as given, a < b) whose gap is below
/// `margin` [m]. Faces give up to four points, lines two, curved pairs one; the set is stable from step to
/// step. Pairs without an entry in the table (half-space against half-space, NoShape) give none.
void find_contacts(int a, const Shape& shape_a, const Pose& pose_a, int b, const Shape& shape_b,
                   const Pose& pose_b, double margin, std::vector<ContactPoint>& out);

/// One collision proxy: an axis-aligned box that covers the shape over the whole step.
struct Proxy {
  int body = -1;
  bool moves = false;  // pairs of two proxies that do not move are skipped
  Vec3 low, high;      // [m] world
};
/// A static or kinematic half-space: normal.x <= offset is solid.
struct Plane {
  int body = -1;
  bool moves = false;
  Vec3 normal;        // unit, world
  double offset = 0;  // [m]
};
struct BodyPair {
  int a = -1, b = -1;  // a < b
  friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// When a search for pairs is given up: too many of them, or somebody asks to stop.
struct PairLimit {
  std::size_t most = std::numeric_limits<std::size_t>::max();
  Stop stop{};

  bool reached(const std::vector<BodyPair>& pairs) const { return pairs.size() > most || stop.asked(); }
};

/// Hierarchical grid over the proxies: cost grows linearly with the number of bodies, whatever their sizes.
/// Keeps its memory between calls; the result depends on its arguments only.
class BroadPhase {
 public:
  /// All pairs whose boxes overlap (or box against plane), sorted, each once; touching counts. `pairs` is
  /// emptied first. Proxies may be of any size, infinite ones too; a proxy that is not a number pairs with no
  /// other proxy. False if the limit was reached: `pairs` are then some of them, in no order.
  bool find_pairs(std::span<const Proxy> proxies, std::span<const Plane> planes, std::vector<BodyPair>& pairs,
                  const PairLimit& limit = {});

 private:
  struct Keyed {
    std::uint64_t key;
    std::int32_t value;
  };
  struct Entry {  // a proxy in grid order
    Vec3 low, high;
    std::int32_t body;
    std::uint32_t x;  // cell coordinate within its row
    bool moves;
  };
  struct Row {  // entries in cells of equal level, z and y, in the order of x
    std::uint64_t key;
    std::int32_t begin, end;
  };
  struct Level {
    int index;             // power of two of the size class, counted from the smallest one
    double cell, inverse;  // [m], [1/m]: as large as the largest proxy of the level
    std::int32_t begin, end;
  };

  struct Cursor {  // where the last look into a row began; neighbours look near it
    std::uint64_t key = ~std::uint64_t(0);
    std::int32_t begin = 0, end = 0, next = 0;
  };
  struct Cursors {  // rows around a box, by the last bits of z and y
    Cursor at[4][4];
  };

  void build_grid(std::span<const Proxy> proxies);
  void build_rows();
  const Row* find_row(std::uint64_t key) const;
  void pair_within_levels(std::vector<BodyPair>& pairs) const;
  void pair_row(const Row& row, std::vector<BodyPair>& pairs) const;
  void pair_rows(const Row& row, const Row& other, std::vector<BodyPair>& pairs) const;
  void pair_with_coarser(std::vector<BodyPair>& pairs) const;
  void look_up(const Entry& e, const Level& coarse, Cursors& cursors, std::vector<BodyPair>& pairs) const;
  Cursor at_start(std::uint64_t row) const;
  void test_range(const Entry& e, Cursor& c, std::uint64_t from, std::uint64_t to,
                  std::vector<BodyPair>& pairs) const;
  void pair_huge(std::span<const Proxy> proxies, std::vector<BodyPair>& pairs) const;
  void sort_unique(std::vector<BodyPair>& pairs);

  std::vector<Keyed> keyed_, scratch_;
  std::vector<std::uint64_t> pair_keys_, pair_scratch_;
  std::vector<std::int16_t> level_of_;  // per proxy; -1 = huge
  std::vector<std::int32_t> huge_;      // proxies tested against all
  std::vector<Entry> entries_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> row_table_;  // open addressing, -1 = free
  std::vector<Level> levels_;            // present ones, from the smallest
  int row_shift_ = 63;
  PairLimit limit_;
};

}  // namespace stiction::collision
