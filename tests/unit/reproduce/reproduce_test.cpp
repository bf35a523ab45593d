// The documents' claims hold; names are understood; bands judge as they say.
#include "stiction/reproduce/reproduce.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/reproduce/elliptic.h"

namespace stiction::reproduce {
namespace {

std::vector<std::string> example_names() {
  std::vector<std::string> out;
  for (const Document& d : documents())
    for (const Example& e : d.examples) out.push_back(std::string(d.name) + "/" + e.name);
  return out;
}

class Examples : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Examples, testing::ValuesIn(example_names()), [](const auto& e) {
  std::string name = e.param;
  for (char& c : name)
    if (c == '/' || c == '-') c = '_';
  return name;
});

TEST_P(Examples, EveryClaimIsInItsBand) {
  const Outcome out = reproduce({GetParam()}).or_exit();
  EXPECT_GT(out.claims().size(), 5u);
  EXPECT_FALSE(out.figures().empty());
  for (const Claim& c : out.claims()) {
    EXPECT_EQ(c.example, GetParam());
    EXPECT_TRUE(c.pass) << c.claim << ": measured " << c.measured << ", reference " << c.reference
                        << ", band " << c.band.text();
    RecordProperty(c.claim, std::to_string(c.measured));
  }
}

TEST(Reproduce, KnowsDocumentsAndExamples) {
  const Outcome ball = reproduce({"servin/ball", "servin/ball"}).or_exit();
  EXPECT_EQ(ball.claims().front().document, "servin");
  EXPECT_EQ(ball.claims().back().example, "servin/ball");
  const auto wrong = reproduce({"servin/bal", "serwin"});
  ASSERT_FALSE(wrong);
  ASSERT_EQ(wrong.mistakes().size(), 2u);
  EXPECT_NE(wrong.mistakes()[0].message.find("did you mean \"servin/ball\"?"), std::string::npos);
  EXPECT_NE(wrong.mistakes()[1].message.find("did you mean \"servin\"?"), std::string::npos);
}

TEST(Band, JudgesAsItSays) {
  const double nan = std::nan("");
  EXPECT_TRUE(Band::relative(0.01).holds(-100, -100.9));
  EXPECT_FALSE(Band::relative(0.01).holds(-100, -101.1));
  EXPECT_FALSE(Band::relative(0.01).holds(0, 1e-9));
  EXPECT_TRUE(Band::absolute(0.5).holds(0, -0.5));
  EXPECT_FALSE(Band::absolute(0.5).holds(0, 0.6));
  EXPECT_TRUE(Band::at_most(2).holds(nan, 2));
  EXPECT_FALSE(Band::at_most(2).holds(nan, 2.1));
  EXPECT_FALSE(Band::between(1, 2).holds(nan, 0.9));
  for (const Band& b : {Band::relative(1), Band::absolute(1), Band::at_most(1), Band::between(-1e300, 1e300)})
    EXPECT_FALSE(b.holds(1, nan)) << b.text();
  EXPECT_EQ(Band::relative(1e-9).text(), "1e-09 relative");
  EXPECT_EQ(Band::between(1, 2).text(), "1 to 2");
  Outcome out;
  out.claim("good", "", 1, 1, Band::absolute(0));
  EXPECT_TRUE(out.all_pass());
  out.claim("bad", "", nan, Band::at_most(1));
  EXPECT_FALSE(out.all_pass());
  EXPECT_STREQ(out.claims()[1].verdict(), "fail");
}

// Against the circular and hyperbolic limits, the sum of squares, and tabulated values (Abramowitz and Stegun
// 17.2: F(pi/4 \ 30 degrees) = 0.80436610; K(m = 1/2) = 1.85407468, where cn is 0).
TEST(Elliptic, KnownValues) {
  EXPECT_NEAR(double(incomplete_f(0.7L, 0)), 0.7, 1e-17);
  EXPECT_NEAR(double(incomplete_f(std::acos(-1.0L) / 4, 0.25L)), 0.80436610, 1e-8);
  EXPECT_NEAR(double(jacobi(1.854074677301371918L, 0.5L).cn), 0, 1e-17);
  EXPECT_NEAR(double(jacobi(0.9L, 0).sn), std::sin(0.9), 1e-16);
  EXPECT_NEAR(double(jacobi(0.9L, 1 - 1e-18L).sn), std::tanh(0.9), 1e-15);
  for (const double m : {0.1, 0.5, 0.9998})
    for (const double phi : {-1.2, 0.3, 1.5}) {
      const Jacobi j = jacobi(incomplete_f(phi, m), m);
      EXPECT_NEAR(double(j.sn), std::sin(phi), 1e-15);
      EXPECT_NEAR(double(j.dn * j.dn + m * j.sn * j.sn), 1, 1e-15);
    }
}

TEST(Reproduce, PrintedNumbersAreMetToTheirDigits) {
  const auto verdict = [](const char* printed, double measured) {
    Claim c;
    c.printed = printed, c.measured = measured;
    return against_print(c);
  };
  EXPECT_EQ(verdict("", 1), Print::none);
  EXPECT_EQ(verdict("grows indefinitely", 1), Print::words);
  EXPECT_EQ(verdict("0.001, 0.0005 and 0.0001 alike", 6.6), Print::words);
  EXPECT_EQ(verdict("0.383", 0.3834), Print::met);
  EXPECT_EQ(verdict("0.383", 0.3836), Print::not_met);
  EXPECT_EQ(verdict("19.4046", 19.40459681769528), Print::met);
  EXPECT_EQ(verdict("about 3.2", 3.21), Print::met);
  EXPECT_EQ(verdict("around 20 mm, in stairs", 2.9), Print::not_met);
  EXPECT_EQ(verdict("never above 3 mm", 2.7), Print::met);
  EXPECT_EQ(verdict("never above 3 mm", 3.1), Print::not_met);
  EXPECT_EQ(verdict("0", 1e-15), Print::met);
}

}  // namespace
}  // namespace stiction::reproduce
