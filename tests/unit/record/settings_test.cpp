// Settings in recordings: words, in the form of ever, whatever they are inside.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "stiction/record/frame.h"

namespace stiction {
namespace {

RunSetup read_back(const RunSetup& setup) { return read_setup(to_json(setup), "file").or_exit(); }

TEST(RecordedSettings, ComeBack) {
  for (const MethodTraits& t : method_traits()) {
    RunSetup setup;
    setup.run.method = t.method;
    EXPECT_EQ(nlohmann::json::parse(to_json(setup)).at("method"), t.word);
    EXPECT_EQ(read_back(setup).run.method, t.method) << t.word;
  }
  for (const SolverChoice solver : {SolverChoice::automatic, SolverChoice::newton, SolverChoice::nsgs})
    EXPECT_EQ(read_back({.run = {.solver = solver}}).run.solver, solver) << word_of(solver);
  for (const std::string& word : words_of<Stabilisation>()) {
    const Stabilisation s = choice_of<Stabilisation>(word).value();
    EXPECT_EQ(read_back({.run = {.stabilisation = s, .baumgarte = 3}}).run.stabilisation, s) << word;
  }
  for (const std::string& word : words_of<Activation>()) {
    const Activation a = choice_of<Activation>(word).value();
    const RunSetup setup{.run = {.method = Method::anitescu_potra, .activation = a}};
    EXPECT_EQ(nlohmann::json::parse(to_json(setup)).at("activation"), word);
    EXPECT_EQ(read_back(setup).run.activation, a) << word;
  }
}

TEST(RecordedSettings, OfOlderProgramsAreRead) {
  nlohmann::json in = nlohmann::json::parse(to_json({.run = {.method = Method::anitescu_potra}}));
  in.erase("activation");  // there was but one
  EXPECT_EQ(read_setup(in.dump(), "file").or_exit().run.activation, Activation::predicted);
  in.erase("method");  // never left out
  const Result<RunSetup> found = read_setup(in.dump(), "file");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.mistakes().front().path, "settings");
}

TEST(RecordedSettings, UnknownWordsAreNamed) {
  nlohmann::json in = nlohmann::json::parse(to_json({}));
  in["method"] = "of tomorrow", in["solver"] = "newtn";
  const Result<RunSetup> found = read_setup(in.dump(), "file");
  ASSERT_FALSE(found);
  ASSERT_EQ(found.mistakes().size(), 2u);
  EXPECT_EQ(found.mistakes()[0].path, "settings.method");
  EXPECT_TRUE(found.mistakes()[0].message.starts_with("unknown word \"of tomorrow\", allowed: coulomb, "));
  EXPECT_EQ(found.mistakes()[1].text(),
            "file: settings.solver: unknown word \"newtn\", allowed: auto, newton or nsgs; did you mean "
            "\"newton\"? (another version of stiction wrote it)");
}

}  // namespace
}  // namespace stiction
