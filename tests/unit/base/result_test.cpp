#include "stiction/base/result.h"

#include <gtest/gtest.h>

#include <memory>

#include "stiction/base/ids.h"
#include "stiction/base/log.h"

namespace stiction {
namespace {

const Mistake first{"cart.json", 3, 14, "bodies.cart.density", "must be positive"};
const Mistake second{"", 0, 0, "", "the scene has no bodies"};

TEST(Mistake, TextHasThePartsThatApply) {
  EXPECT_EQ(first.text(), "cart.json:3:14: bodies.cart.density: must be positive");
  EXPECT_EQ(second.text(), "the scene has no bodies");
  EXPECT_EQ((Mistake{"a.json", 7, 0, "", "m"}.text()), "a.json:7: m");
  EXPECT_EQ((Mistake{"a.json", 0, 5, "", "m"}.text()), "a.json: m");
  EXPECT_EQ((Mistake{"", 7, 5, "gravity", "m"}.text()), "gravity: m");
}

TEST(Result, HoldsAValue) {
  Result<std::unique_ptr<int>> r(std::make_unique<int>(7));
  ASSERT_TRUE(r);
  EXPECT_EQ(*r.value(), 7);
  EXPECT_TRUE(r.mistakes().empty());
  const std::unique_ptr<int> moved = std::move(r).value();
  EXPECT_EQ(*moved, 7);
}

TEST(Result, HoldsAllMistakes) {
  const Result<int> r(std::vector<Mistake>{first, second});
  EXPECT_FALSE(r);
  ASSERT_EQ(r.mistakes().size(), 2u);
  EXPECT_EQ(r.mistakes()[1].message, "the scene has no bodies");
}

TEST(ResultDeathTest, OrExitPrintsAllAndEndsWithTwo) {
  EXPECT_EXIT(Result<int>(std::vector<Mistake>{first, second}).or_exit(), testing::ExitedWithCode(2),
              "cart.json:3:14: bodies.cart.density: must be positive\nthe scene has no bodies");
  EXPECT_EQ(Result<int>(5).or_exit(), 5);
}

TEST(ResultDeathTest, AskingAFailureForItsValueIsABug) {
  const Result<int> r(first);
  EXPECT_EXIT(r.value(), testing::ExitedWithCode(3), "bug");
}

TEST(Ids, DefaultIsNullAndGenerationsDiffer) {
  EXPECT_FALSE(BodyId{});
  EXPECT_TRUE((BodyId{0, 0}));
  EXPECT_NE((BodyId{4, 0}), (BodyId{4, 1}));
  static_assert(!std::is_convertible_v<BodyId, JointId>);
}

struct Printed {};
std::string to_text(const Printed&) { return "printed"; }

TEST(Log, OneLineWithBlanks) {
  testing::internal::CaptureStdout();
  log("a", 2, Printed{});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "a 2 printed\n");
}

}  // namespace
}  // namespace stiction
