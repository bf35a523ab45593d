#include "stiction/base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace stiction {
namespace {

TEST(Text, NumbersReadBackBitForBit) {
  for (const double x : {0.1, -0.0, 1e-8, 1.0 / 3, 9.81, 1e300, 5e-324, 0.1 + 0.2, 123456789.0}) {
    double back = 1;
    ASSERT_TRUE(number_from_text(number_text(x), back)) << number_text(x);
    EXPECT_EQ(std::signbit(back), std::signbit(x));
    EXPECT_EQ(back, x);
  }
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(3), "3");
}

TEST(Text, NumbersThatAreNoneAreRefused) {
  double out = 7;
  for (const char* text : {"", "x", "1x", " 1", "1e999", "--1"})
    EXPECT_FALSE(number_from_text(text, out)) << text;
}

TEST(Text, EditDistanceCountsSwapsAsOne) {
  EXPECT_EQ(edit_distance("density", "density"), 0);
  EXPECT_EQ(edit_distance("densty", "density"), 1);
  EXPECT_EQ(edit_distance("desnity", "density"), 1);
  EXPECT_EQ(edit_distance("Density", "density"), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);  // the textbook case
}

TEST(Text, NearestWordIsNearOrNothing) {
  const std::vector<std::string> words{"shape", "density", "mass", "at"};
  EXPECT_EQ(nearest_word("densty", words), "density");
  EXPECT_EQ(nearest_word("MASS", words), "mass");
  EXPECT_EQ(nearest_word("colour", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  EXPECT_EQ(did_you_mean("shpae", words), "; did you mean \"shape\"?");
}

TEST(Text, WordListReadsAsASentence) {
  const std::vector<std::string> words{"a", "b", "c"};
  EXPECT_EQ(word_list(words), "a, b or c");
  EXPECT_EQ(word_list(words, 2), "a, b, ... (3 in all)");
  EXPECT_EQ(word_list({}), "");
}

}  // namespace
}  // namespace stiction
