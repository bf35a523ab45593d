// Broad phase: a hierarchical grid of sorted cells.
// Each proxy belongs to the level of the power of two above its largest extent, and to the cell of its centre
// there; cells are as wide as the level's largest proxy. So two overlapping proxies of one level have centres
// at most one cell apart, and a coarser proxy that overlaps a given box has its centre within half a coarse
// cell of that box: 27 cells of the own level (half of them looked at, each pair once), at most 27 of each
// coarser level that is present. Cells are not stored: proxies are radix-sorted by (level, z, y, x), over the
// bits that differ, which makes each row of cells along x one contiguous stretch, walked beside its four
// forward neighbours (z, y+1), (z+1, y-1..y+1) in one pass. A table of rows serves the look-ups. Coordinates
// wrap at 2^19 cells per axis; wrapped neighbours are only candidates, and every candidate pair is tested on
// its boxes, so the result is that of testing all pairs. Cost: linear in proxies + pairs for shapes that do
// not overlap much and are not much longer than wide; long thin proxies in bundles share cells and cost the
// square of their number per cell. Reference: Ericson, Real-Time Collision Detection, section 7.2
// (hierarchical grids).
#include <algorithm>
#include <bit>
#include <utility>

#include "stiction/base/bits.h"
#include "stiction/collision/collision.h"

namespace stiction::collision {
namespace {

constexpr int coordinate_bits = 19;
constexpr std::uint64_t coordinate_mask = (1u << coordinate_bits) - 1;
constexpr std::int64_t coordinate_origin = 1 << (coordinate_bits - 1);  // keeps the wrap away from x = 0
constexpr int smallest_exponent = -30;
constexpr double smallest_cell = 0x1p-30;  // [m] = 2^smallest_exponent
constexpr int level_count = 127;           // up to 2^96 m; larger and infinite proxies are tested against all
constexpr int few = 16;  // so many of a coarser level, or of a row, are looked at one by one

bool overlap(const Vec3& low_a, const Vec3& high_a, const Vec3& low_b, const Vec3& high_b) {
  return low_a.x <= high_b.x && low_b.x <= high_a.x && low_a.y <= high_b.y && low_b.y <= high_a.y &&
         low_a.z <= high_b.z && low_b.z <= high_a.z;
}

template <class A, class B>
void test(const A& a, const B& b, std::vector<BodyPair>& pairs) {
  if (overlap(a.low, a.high, b.low, b.high) && (a.moves || b.moves) && a.body != b.body)
    pairs.push_back({std::min(a.body, b.body), std::max(a.body, b.body)});
}

/// Both ends: a proxy may lie across two lines of the cache.
void prefetch(const Proxy& p) {
  __builtin_prefetch(&p.body);
  __builtin_prefetch(&p.high.z);
}

Vec3 centre_of(const Proxy& p) { return 0.5 * p.low + 0.5 * p.high; }

double larger(double a, double b) { return a > b ? a : b; }
double largest_of(const Vec3& v) { return larger(v.x, larger(v.y, v.z)); }

/// Largest extent, widened by the round-off of centres so that cell distances can be trusted. Of no use where
/// the box is not finite.
double extent_of(const Proxy& p, const Vec3& centre) {
  constexpr double slack = 0x1p-20, round_off = 0x1p-48;
  return largest_of(p.high - p.low) * (1 + slack) + round_off * largest_of(abs(centre));
}

/// Exponent e with 2^e > x >= 2^(e-1), for normal x > 0.
int exponent_of(double x) { return int(bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1022; }

std::int64_t cell_of(double x, double inverse) {
  const double f = x * inverse;
  const auto k = std::int64_t(f);
  return k - (f < double(k) ? 1 : 0);
}
std::uint64_t wrapped(std::int64_t cell) { return std::uint64_t(cell + coordinate_origin) & coordinate_mask; }

std::uint64_t row_key(int level, std::uint64_t z, std::uint64_t y) {
  return (std::uint64_t(level) << coordinate_bits | z) << coordinate_bits | y;
}

/// The lowest value of normal.x over the box; infinite extents allowed.
double lowest_height(const Plane& plane, const Proxy& p) {
  double height = 0;
  for (int i = 0; i < 3; ++i)
    if (plane.normal[i] != 0) height += plane.normal[i] * (plane.normal[i] > 0 ? p.low[i] : p.high[i]);
  return height;
}

// --- sorting

inline std::uint64_t key_of(std::uint64_t key) { return key; }
template <class Item>
std::uint64_t key_of(const Item& item) {
  return item.key;
}

/// Some of the bits in which keys differ, gathered from where they stand.
struct Digit {
  static constexpr int most_bits = 11;
  struct Piece {
    int shift;
    std::uint64_t mask;
    int to;
  };
  int bits = 0, pieces = 0;
  Piece piece[most_bits];

  std::size_t of(std::uint64_t key) const {
    std::uint64_t d = 0;
    for (int i = 0; i < pieces; ++i) d |= (key >> piece[i].shift & piece[i].mask) << piece[i].to;
    return std::size_t(d);
  }
};

constexpr int least_digit_bits = 5, most_digits = 13;  // 13 digits of 5 bits hold 64

/// Digits of about equal width, at most `most_bits` wide, over the bits of `differ`, from the lowest. Bits
/// that are the same in all keys say nothing about their order.
int make_digits(std::uint64_t differ, int most_bits, Digit (&out)[most_digits]) {
  const int bits = std::popcount(differ), count = (bits + most_bits - 1) / most_bits;
  const int width = count == 0 ? 0 : (bits + count - 1) / count;
  int digit = 0;
  for (int at = 0; at < 64 && differ >> at != 0;) {
    at += std::countr_zero(differ >> at);
    int run = std::countr_one(differ >> at);
    while (run > 0) {
      Digit& d = out[digit];
      const int take = std::min(run, width - d.bits);
      d.piece[d.pieces++] = {at, (std::uint64_t(1) << take) - 1, d.bits};
      d.bits += take, at += take, run -= take;
      if (d.bits == width) ++digit;
    }
  }
  return count;
}

/// By key, equal keys in their old order: radix sort over the bits that differ, insertion for a few.
template <class Item>
void sort_by_key(std::vector<Item>& items, std::vector<Item>& scratch) {
  constexpr std::size_t few_items = 32;
  if (items.size() < few_items) {
    for (std::size_t i = 1; i < items.size(); ++i)
      for (std::size_t j = i; j > 0 && key_of(items[j]) < key_of(items[j - 1]); --j)
        std::swap(items[j], items[j - 1]);
    return;
  }
  std::uint64_t differ = 0;
  for (const Item& item : items) differ |= key_of(item) ^ key_of(items[0]);
  // as wide as the number of items makes worth while: a table is run through for every digit
  const int most_bits = std::clamp(int(std::bit_width(items.size())), least_digit_bits, Digit::most_bits);
  Digit digits[most_digits];
  const int count = make_digits(differ, most_bits, digits);
  std::uint32_t tables[6u << Digit::most_bits];  // six digits of 11 bits are the largest set
  const auto table = [&](int i) { return tables + (std::size_t(i) << most_bits); };
  std::fill(tables, table(count), 0u);
  for (const Item& item : items)
    for (int i = 0; i < count; ++i) ++table(i)[digits[i].of(key_of(item))];
  scratch.resize(items.size());
  for (int i = 0; i < count; ++i) {
    std::uint32_t* const starts = table(i);
    std::uint32_t sum = 0;
    for (std::uint32_t* s = starts; s < table(i + 1); ++s) sum += std::exchange(*s, sum);
    for (const Item& item : items) scratch[starts[digits[i].of(key_of(item))]++] = item;
    items.swap(scratch);
  }
}

}  // namespace

bool BroadPhase::find_pairs(std::span<const Proxy> proxies, std::span<const Plane> planes,
                            std::vector<BodyPair>& pairs, const PairLimit& limit) {
  pairs.clear();
  limit_ = limit;
  build_grid(proxies);
  pair_within_levels(pairs);
  pair_with_coarser(pairs);
  pair_huge(proxies, pairs);
  for (const Plane& plane : planes) {
    if (limit.reached(pairs)) break;
    for (const Proxy& p : proxies)
      if ((p.moves || plane.moves) && p.body != plane.body && !(lowest_height(plane, p) > plane.offset))
        pairs.push_back({std::min(p.body, plane.body), std::max(p.body, plane.body)});
  }
  if (limit.reached(pairs)) return false;
  sort_unique(pairs);
  return true;
}

void BroadPhase::build_grid(std::span<const Proxy> proxies) {
  // levels, and the largest proxy of each
  double largest[level_count] = {};
  level_of_.resize(proxies.size());
  huge_.clear();
  for (std::size_t i = 0; i < proxies.size(); ++i) {
    const double extent = extent_of(proxies[i], centre_of(proxies[i]));
    const int level = std::max(exponent_of(extent), smallest_exponent) - smallest_exponent;
    const bool fits =
        extent >= 0 && level < level_count && is_finite(proxies[i].low) && is_finite(proxies[i].high);
    level_of_[i] = std::int16_t(fits ? level : -1);
    if (fits)
      largest[level] = larger(largest[level], extent);
    else
      huge_.push_back(std::int32_t(i));
  }
  double inverse[level_count];
  levels_.clear();
  for (double& cell : largest) cell = larger(cell, smallest_cell);
  for (int level = 0; level < level_count; ++level) inverse[level] = 1.0 / largest[level];
  // sorted by cell
  keyed_.resize(proxies.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < proxies.size(); ++i) {
    const int level = level_of_[i];
    if (level < 0) continue;
    const Vec3 c = centre_of(proxies[i]);
    const double k = inverse[level];
    const std::uint64_t row = row_key(level, wrapped(cell_of(c.z, k)), wrapped(cell_of(c.y, k)));
    keyed_[count++] = {row << coordinate_bits | wrapped(cell_of(c.x, k)), std::int32_t(i)};
  }
  keyed_.resize(count);
  sort_by_key(keyed_, scratch_);
  // fields are written in place: an entry put together elsewhere and copied costs twice as much
  constexpr std::size_t ahead = 16;  // proxies come from all over the memory
  entries_.resize(keyed_.size());
  for (std::size_t k = 0; k < keyed_.size(); ++k) {
    const Keyed& item = keyed_[k];
    if (k + ahead < keyed_.size()) prefetch(proxies[std::size_t(keyed_[k + ahead].value)]);
    const Proxy& p = proxies[std::size_t(item.value)];
    Entry& e = entries_[k];
    e.low = p.low, e.high = p.high, e.body = p.body, e.moves = p.moves;
    e.x = std::uint32_t(item.key & coordinate_mask);
    const int level = level_of_[std::size_t(item.value)];
    const auto at = std::int32_t(k);
    if (levels_.empty() || levels_.back().index != level)
      levels_.push_back({level, largest[level], inverse[level], at, at});
    levels_.back().end = at + 1;
  }
  build_rows();
}

void BroadPhase::build_rows() {
  rows_.clear();
  for (std::size_t i = 0; i < keyed_.size(); ++i) {
    const std::uint64_t key = keyed_[i].key >> coordinate_bits;
    if (rows_.empty() || rows_.back().key != key) rows_.push_back({key, std::int32_t(i), std::int32_t(i)});
    rows_.back().end = std::int32_t(i + 1);
  }
  const std::size_t size = std::bit_ceil(2 * rows_.size() + 2);
  row_shift_ = 64 - std::countr_zero(size);
  row_table_.assign(size, -1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::size_t slot = std::size_t(rows_[r].key * 0x9e3779b97f4a7c15ull >> row_shift_);
    while (row_table_[slot] >= 0) slot = (slot + 1) & (size - 1);
    row_table_[slot] = std::int32_t(r);
  }
}

const BroadPhase::Row* BroadPhase::find_row(std::uint64_t key) const {
  std::size_t slot = std::size_t(key * 0x9e3779b97f4a7c15ull >> row_shift_);
  for (; row_table_[slot] >= 0; slot = (slot + 1) & (row_table_.size() - 1)) {
    const Row& row = rows_[std::size_t(row_table_[slot])];
    if (row.key == key) return &row;
  }
  return nullptr;
}

void BroadPhase::pair_within_levels(std::vector<BodyPair>& pairs) const {
  for (const Row& row : rows_) {
    pair_row(row, pairs);
    const std::uint64_t y = row.key & coordinate_mask, z = row.key >> coordinate_bits & coordinate_mask;
    const int level = int(row.key >> 2 * coordinate_bits);
    const auto with = [&](std::uint64_t dz, std::uint64_t dy) {
      const Row* other = find_row(row_key(level, (z + dz) & coordinate_mask, (y + dy) & coordinate_mask));
      if (other != nullptr) pair_rows(row, *other, pairs);
    };
    with(0, 1), with(1, coordinate_mask), with(1, 0), with(1, 1);  // adding the mask subtracts one
  }
}

void BroadPhase::pair_row(const Row& row, std::vector<BodyPair>& pairs) const {
  const Entry* const begin = entries_.data() + row.begin;
  const Entry* const end = entries_.data() + row.end;
  for (const Entry* e = begin; e < end && !limit_.reached(pairs); ++e) {
    for (const Entry* f = e + 1; f < end && f->x <= e->x + 1; ++f) test(*e, *f, pairs);
    if (e->x == coordinate_mask)
      for (const Entry* f = begin; f < e && f->x == 0; ++f) test(*e, *f, pairs);
  }
}

void BroadPhase::pair_rows(const Row& row, const Row& other, std::vector<BodyPair>& pairs) const {
  const Entry* const begin = entries_.data() + other.begin;
  const Entry* const end = entries_.data() + other.end;
  const Entry* first = begin;
  for (std::int32_t i = row.begin; i < row.end && !limit_.reached(pairs); ++i) {
    const Entry& e = entries_[std::size_t(i)];
    while (first < end && first->x + 1 < e.x) ++first;
    for (const Entry* f = first; f < end && f->x <= e.x + 1; ++f) test(e, *f, pairs);
    // cells 0 and 2^19 - 1 are neighbours
    if (e.x == coordinate_mask)
      for (const Entry* f = begin; f < end && f->x == 0; ++f) test(e, *f, pairs);
    if (e.x == 0)
      for (const Entry* f = end; f > begin && (f - 1)->x == coordinate_mask; --f) test(e, *(f - 1), pairs);
  }
}

void BroadPhase::pair_with_coarser(std::vector<BodyPair>& pairs) const {
  for (std::size_t fine = 0; fine < levels_.size(); ++fine) {
    for (std::size_t coarse = fine + 1; coarse < levels_.size(); ++coarse) {
      const Level& l = levels_[coarse];
      const bool one_by_one = l.end - l.begin <= few;
      Cursors cursors;
      for (std::int32_t i = levels_[fine].begin; i < levels_[fine].end && !limit_.reached(pairs); ++i) {
        const Entry& e = entries_[std::size_t(i)];
        if (one_by_one)
          for (std::int32_t j = l.begin; j < l.end; ++j) test(e, entries_[std::size_t(j)], pairs);
        else
          look_up(e, l, cursors, pairs);
      }
    }
  }
}

void BroadPhase::look_up(const Entry& e, const Level& coarse, Cursors& cursors,
                         std::vector<BodyPair>& pairs) const {
  const double reach = 0.5 * coarse.cell, k = coarse.inverse;
  const std::uint64_t from = wrapped(cell_of(e.low.x - reach, k)), to = wrapped(cell_of(e.high.x + reach, k));
  const std::int64_t y_end = cell_of(e.high.y + reach, k), z_end = cell_of(e.high.z + reach, k);
  for (std::int64_t z = cell_of(e.low.z - reach, k); z <= z_end; ++z) {
    for (std::int64_t y = cell_of(e.low.y - reach, k); y <= y_end; ++y) {
      Cursor& c = cursors.at[z & 3][y & 3];
      const std::uint64_t key = row_key(coarse.index, wrapped(z), wrapped(y));
      if (c.key != key) c = at_start(key);
      if (from <= to) {
        test_range(e, c, from, to, pairs);
      } else {
        test_range(e, c, from, coordinate_mask, pairs);
        test_range(e, c, 0, to, pairs);
      }
    }
  }
}

BroadPhase::Cursor BroadPhase::at_start(std::uint64_t key) const {
  const Row* row = find_row(key);
  return row == nullptr ? Cursor{key, 0, 0, 0} : Cursor{key, row->begin, row->end, row->begin};
}

void BroadPhase::test_range(const Entry& e, Cursor& c, std::uint64_t from, std::uint64_t to,
                            std::vector<BodyPair>& pairs) const {
  const auto x = [&](std::int32_t i) { return entries_[std::size_t(i)].x; };
  const auto search = [&](std::int32_t begin, std::int32_t end) {
    const auto before = [](const Entry& entry, std::uint64_t cell) { return entry.x < cell; };
    const auto first = entries_.begin();
    return std::int32_t(std::lower_bound(first + begin, first + end, from, before) - first);
  };
  if (c.next > c.begin && x(c.next - 1) >= from) c.next = search(c.begin, c.next);
  const std::int32_t near = std::min(c.end, c.next + few);
  while (c.next < near && x(c.next) < from) ++c.next;
  if (c.next == near) c.next = search(near, c.end);
  for (std::int32_t i = c.next; i < c.end && x(i) <= to; ++i) test(e, entries_[std::size_t(i)], pairs);
}

void BroadPhase::pair_huge(std::span<const Proxy> proxies, std::vector<BodyPair>& pairs) const {
  for (const std::int32_t h : huge_) {
    if (limit_.reached(pairs)) return;
    const auto i = std::size_t(h);
    for (std::size_t j = 0; j < proxies.size(); ++j)
      if (level_of_[j] >= 0 || j > i) test(proxies[i], proxies[j], pairs);
  }
}

void BroadPhase::sort_unique(std::vector<BodyPair>& pairs) {
  constexpr std::uint32_t sign = 0x80000000u;  // flips the order of signed numbers into that of unsigned ones
  pair_keys_.clear();
  for (const BodyPair& p : pairs)
    pair_keys_.push_back(std::uint64_t(std::uint32_t(p.a) ^ sign) << 32 | (std::uint32_t(p.b) ^ sign));
  sort_by_key(pair_keys_, pair_scratch_);
  pairs.clear();
  for (const std::uint64_t key : pair_keys_) {
    const BodyPair p{std::int32_t(std::uint32_t(key >> 32) ^ sign), std::int32_t(std::uint32_t(key) ^ sign)};
    if (pairs.empty() || pairs.back() != p) pairs.push_back(p);
  }
}

}  // namespace stiction::collision
