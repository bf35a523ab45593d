// Every value of a setting has one word, and every word one value; what users may write is in the scene
// format.
#include "stiction/model/choices.h"

#include <gtest/gtest.h>

#include <set>

#include "stiction/base/text.h"
#include "stiction/model/run_settings.h"

namespace stiction {
namespace {

template <class Choice>
void expect_one_word_each(Choice last) {
  const std::span<const std::string> words = words_of<Choice>();
  ASSERT_EQ(words.size(), std::size_t(last) + 1);
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(choice_of<Choice>(words[i]), Choice(i)) << words[i];
    EXPECT_EQ(word_of(Choice(i)), words[i]);
  }
  for (const char* word : {"", "of nobody", "Post", "auto "})
    EXPECT_EQ(choice_of<Choice>(word), std::nullopt) << word;
}

TEST(Choices, HaveOneWordEach) {
  expect_one_word_each(Method::event_driven);
  expect_one_word_each(SolverChoice::nsgs);
  expect_one_word_each(Stabilisation::anitescu_hart);
  expect_one_word_each(Activation::touching);
}

// The words are in files of users: one that is lost or goes to another value breaks them.
TEST(Choices, KeepTheirWords) {
  EXPECT_EQ(word_of(SolverChoice::automatic), "auto");
  EXPECT_EQ(word_of(SolverChoice::newton), "newton");
  EXPECT_EQ(word_of(SolverChoice::nsgs), "nsgs");
  EXPECT_EQ(word_of(Stabilisation::post), "post");
  EXPECT_EQ(word_of(Stabilisation::baumgarte), "baumgarte");
  EXPECT_EQ(word_of(Stabilisation::none), "none");
  EXPECT_EQ(word_of(Stabilisation::anitescu_hart), "anitescu_hart");
  EXPECT_EQ(word_of(Activation::checked), "checked");
  EXPECT_EQ(word_of(Activation::predicted), "predicted");
  EXPECT_EQ(word_of(Activation::touching), "touching");
  EXPECT_EQ(word_of(Method::implicit_geometry), "implicit_geometry");
}

TEST(Choices, AreTheUsualOnesWhereNothingIsSaid) {
  const RunSettings s;
  EXPECT_EQ(word_of(s.method), "coulomb");
  EXPECT_EQ(word_of(s.solver), "auto");
  EXPECT_EQ(word_of(s.stabilisation), "post");
  EXPECT_EQ(word_of(s.activation), "checked");
}

TEST(Choices, UnknownWordsAreNamedWithTheKnownOnes) {
  EXPECT_EQ(unknown_word("newtn", words_of<SolverChoice>()),
            "unknown word \"newtn\", allowed: auto, newton or nsgs; did you mean \"newton\"?");
  EXPECT_EQ(unknown_word("euler", words_of<Method>()),
            "unknown word \"euler\", allowed: coulomb, explicit_euler, semi_implicit_euler, implicit_euler, "
            "velocity_verlet, rk4, variational, spook, cline_pai, rk4_projected, stewart_trinkle, "
            "anitescu_potra, ... (15 in all)");
}

}  // namespace
}  // namespace stiction
