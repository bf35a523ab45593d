// What stands in for <charconv> where it has no doubles gives the same characters and the same bits.
#include "stiction/base/detail/portable_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "stiction/base/bits.h"
#include "stiction/base/text.h"

namespace stiction {
namespace {

TEST(PortableNumbers, TheSameCharactersAsTheStandardLibrary) {
  for (const double x : {0.0, -0.0, 0.1, 1e-8, 1e22, 1e5, 100000.0, 123456789012345680000.0, 5e-324,
                         1.7976931348623157e308, 9.81, -1.0 / 3})
    EXPECT_EQ(detail::portable_number_text(x), number_text(x));
  std::uint64_t bits = 88172645463325252ull;  // xorshift: doubles of every size
  for (int i = 0; i < 20000; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    const double x = bit_cast<double>(
        i % 2 ? bits : (bits & 0x800fffffffffffffull) | std::uint64_t(1023 + i % 90 - 45) << 52);
    if (!std::isfinite(x)) continue;
    ASSERT_EQ(detail::portable_number_text(x), number_text(x));
    double back = 0;
    ASSERT_TRUE(detail::portable_number_from_text(number_text(x), back));
    ASSERT_EQ(bit_cast<std::uint64_t>(back), bit_cast<std::uint64_t>(x));
  }
}

TEST(PortableNumbers, TheSameTextsAreNumbers) {
  for (const char* text : {"", "-", "x", "1x", " 1", "+1", "1e999", "1e-999", "--1", "0x10", ".", ".5", "5.",
                           "1e", "1e5", "-0", "0e-999", "1 ", "1,5"}) {
    double a = 7, b = 7;
    const bool portable = detail::portable_number_from_text(text, a);
    EXPECT_EQ(portable, number_from_text(text, b)) << text;
    if (portable) {
      EXPECT_EQ(a, b) << text;
    }
  }
}

}  // namespace
}  // namespace stiction
