#include "stiction/base/hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>
#include <vector>

namespace stiction {
namespace {

std::uint64_t hash_of(const std::vector<unsigned char>& bytes) {
  Hash h;
  h.bytes(bytes.data(), bytes.size());
  return h.result();
}

// Every single bit of a message counts, and its length does.
TEST(Hash, EveryBitCounts) {
  std::set<std::uint64_t> all;
  std::size_t expected = 0;
  for (std::size_t size = 0; size <= 40; ++size) {
    std::vector<unsigned char> message(size, 0);
    std::set<std::uint64_t> here{hash_of(message)};
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      message[bit / 8] = static_cast<unsigned char>(1u << bit % 8);
      here.insert(hash_of(message));
      message[bit / 8] = 0;
    }
    EXPECT_EQ(here.size(), 8 * size + 1) << size;
    all.merge(here), expected += 8 * size + 1;
  }
  EXPECT_EQ(all.size(), expected);
}

// A short last word is told from a whole one of the same bytes with the short one's mark on top.
TEST(Hash, LengthCounts) {
  for (unsigned char size = 1; size < 8; ++size) {
    std::vector<unsigned char> part(size, 0xa5), whole = part;
    whole.resize(8), whole[7] = size;
    EXPECT_NE(hash_of(part), hash_of(whole)) << int(size);
  }
}

TEST(Hash, OrderCounts) {
  Hash a, b;
  a.number(1), a.number(2);
  b.number(2), b.number(1);
  EXPECT_NE(a.result(), b.result());
}

TEST(Hash, NumbersAreTheirBits) {
  Hash plus, minus, bits;
  plus.number(0.0);
  minus.number(-0.0);
  bits.value(std::bit_cast<std::uint64_t>(-0.0));
  EXPECT_NE(plus.result(), minus.result());
  EXPECT_EQ(minus.result(), bits.result());
}

// A changed bit turns over half of the result's bits; over 64 x 64 trials the mean is 32 with a deviation of
// 4/64.
TEST(Hash, SpreadsOverAllBits) {
  double flipped = 0;
  for (std::uint64_t word = 0; word < 64; ++word) {
    Hash a;
    a.value(word * 0x9e3779b97f4a7c15u);
    for (int bit = 0; bit < 64; ++bit) {
      Hash b;
      b.value((word * 0x9e3779b97f4a7c15u) ^ (std::uint64_t{1} << bit));
      flipped += std::popcount(a.result() ^ b.result());
    }
  }
  EXPECT_NEAR(flipped / (64 * 64), 32, 8);  // one round of mixing: not perfect, and not needed
}

TEST(Hash, Hexadecimal) {
  EXPECT_EQ(hex(0), "0000000000000000");
  EXPECT_EQ(hex(0x0123456789abcdef), "0123456789abcdef");
  EXPECT_EQ(hex(~std::uint64_t{0}), "ffffffffffffffff");
}

// Journals and published hashes outlive versions: the function itself must never change.
TEST(Hash, StaysTheSame) {
  Hash h;
  for (int i = 0; i < 10; ++i) h.number(0.1 * i);
  h.bytes("stiction", 5);
  EXPECT_EQ(hex(h.result()), "e96470d8224fe541");
}

}  // namespace
}  // namespace stiction
