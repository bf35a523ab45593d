// Problem files: what they mean, every mistake with its place, and back again bit for bit.
#include "stiction/formats/problem_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "stiction/complementarity/linear/solve_linear.h"
#include "stiction/complementarity/nonlinear/solve_mcp.h"

namespace stiction {
namespace {

using namespace complementarity;
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;
constexpr double infinity = std::numeric_limits<double>::infinity();

Texts mistakes_in(const std::string& text) {
  const Result<ProblemFile> result = read_problem_text(text, "t");
  Texts out;
  for (const Mistake& m : result.mistakes()) out.push_back(m.text().substr(2));
  return out;
}
Texts in_lcp(const std::string& inside) {
  return mistakes_in("{\"stiction\": 1, \"lcp\":\n{" + inside + "}}");
}
Texts in_mcp(const std::string& inside) {
  return mistakes_in("{\"stiction\": 1, \"mcp\":\n{" + inside + "}}");
}

template <class Problem>
Problem good(const std::string& text) {
  Result<ProblemFile> r = read_problem_text(text, "t");
  EXPECT_TRUE(r) << testing::PrintToString(mistakes_in(text));
  return r ? std::get<Problem>(std::move(r).value().problem) : Problem{};
}

TEST(ProblemFile, Lcp) {
  const Lcp p = good<Lcp>(R"({ "stiction": 1, "$a": 2, "$b": "=1/4", // a comment
    "lcp": { "M": [["$a", "=-$a/2"], [-1, 2]], "q": ["$b", -1e-3,], } })");
  EXPECT_EQ(p.n, 2);
  EXPECT_EQ(p.M, (Numbers{2, -1, -1, 2}));
  EXPECT_EQ(p.q, (Numbers{0.25, -1e-3}));
  const Lcp sparse = good<Lcp>(R"({ "stiction": 1,
    "lcp": { "q": [1, 2], "M": {"entries": [[0, 0, 3], [1, 0, 4], [0, 0, 0.5]]} } })");
  EXPECT_EQ(sparse.M, (Numbers{3.5, 0, 4, 0}));
  const Lcp lists =
      good<Lcp>(R"({ "stiction": 1, "$q": [1], "lcp": { "q": "$q", "M": [["=$q2"]] }, "$q2": 5 })");
  EXPECT_EQ(lists.M, Numbers{5});
}

TEST(ProblemFile, MixedAndBoxed) {
  const MixedLcp mixed = good<MixedLcp>(
      R"({ "stiction": 1, "title": "m", "mixed_lcp": { "M": [[1, 2], [3, 4]], "q": [5, 6], "free": 1 } })");
  EXPECT_EQ(mixed.free, 1);
  EXPECT_EQ(mixed.M, (Numbers{1, 2, 3, 4}));
  const BoxedLcp boxed = good<BoxedLcp>(R"({ "stiction": 1, "boxed_lcp": { "M": [[1, 2], [3, 4]], "q": [5, 6],
    "lower": [-1, null], "upper": 3 } })");
  EXPECT_EQ(boxed.lower, (Numbers{-1, -infinity}));
  EXPECT_EQ(boxed.upper, (Numbers{3, 3}));
  const BoxedLcp open =
      good<BoxedLcp>(R"({ "stiction": 1, "boxed_lcp": { "M": [[1]], "q": [5], "upper": null } })");
  EXPECT_EQ(open.lower, Numbers{-infinity});
  EXPECT_EQ(open.upper, Numbers{infinity});
}

TEST(ProblemFile, McpIsSolvedFromItsFormulas) {
  // Kojima and Shindo (1986): solutions (sqrt(6)/2, 0, 0, 1/2) and (1, 0, 3, 0)
  const Mcp p = good<Mcp>(R"({ "stiction": 1, "mcp": { "F": [
      "3*x[0]^2 + 2*x[0]*x[1] + 2*x[1]^2 + x[2] + 3*x[3] - 6",
      "2*x[0]^2 + x[0] + x[1]^2 + 10*x[2] + 2*x[3] - 2",
      "3*x[0]^2 + x[0]*x[1] + 2*x[1]^2 + 2*x[2] + 9*x[3] - 9",
      "x[0]^2 + 3*x[1]^2 + 2*x[2] + 3*x[3] - 3"], "lower": 0, "start": 1 } })");
  EXPECT_EQ(p.n, 4);
  EXPECT_EQ(p.upper, Numbers(4, infinity));
  EXPECT_LT(jacobian_error(p, {0.3, 0.4, 0.5, 0.6}), 1e-9);
  std::vector<double> x;
  const McpReport report = solve(p, 1e-10, x);
  ASSERT_EQ(report.status, McpStatus::solved);
  const double first = std::fabs(x[0] - std::sqrt(1.5)) + std::fabs(x[3] - 0.5);
  const double second = std::fabs(x[0] - 1) + std::fabs(x[2] - 3);
  EXPECT_LT(std::min(first, second), 1e-9);
}

TEST(ProblemFile, RepeatedFormulas) {
  // a string over an obstacle, n points, h = 1/(n+1): -(x_{i-1} - 2 x_i + x_{i+1}) + 8 h^2 >= 0, x >= -0.5;
  // where it hangs free it is the parabola 4 t (t - a) up to the obstacle, which it meets at slope 0:
  // 4 t^2 - c t with minimum -c^2/16 = -0.5 at t = c/8: c = sqrt(8), contact from t = 0.3536 on
  const Mcp p = good<Mcp>(R"json({ "stiction": 1, "$n": 99, "$h": "=1/($n+1)", "mcp": {
  "F": [
      "2*x[0] - x[1] + 8*$h^2",
      {"repeat": "=$n-2", "F": "-x[$i] + 2*x[$i+1] - x[$i+2] + 8*$h^2"},
      "2*x[$n-1] - x[$n-2] + 8*$h^2"], "lower": -0.5, "start": 0 } })json");
  ASSERT_EQ(p.n, 99);
  std::vector<double> x;
  ASSERT_EQ(solve(p, 1e-10, x).status, McpStatus::solved);
  EXPECT_EQ(x[49], -0.5);
  const double t = 0.2, exact = 4 * t * t - std::sqrt(8.0) * t;
  EXPECT_NEAR(x[19], exact, 1e-4);  // h^2: the free boundary lies between two points
  EXPECT_NEAR(x[19], x[79], 1e-14);
}

TEST(ProblemFile, HeaderMistakes) {
  EXPECT_EQ(mistakes_in("[1]"), (Texts{"1:1: found a list of 1 entry, a problem file is a map {...}"}));
  EXPECT_EQ(mistakes_in("{}"), (Texts{"1:1: the key `stiction` is missing: Version of the format: 1."}));
  EXPECT_EQ(mistakes_in("{\"stiction\": 2, \"lcp\": {\"M\": [[1]], \"q\": [1]}}"),
            (Texts{"1:14: stiction: found 2, must be 1"}));
  EXPECT_EQ(mistakes_in("{\"stiction\": 1}"),
            (Texts{"1:1: holds no problem, must be exactly one of lcp, mixed_lcp, boxed_lcp or mcp"}));
  EXPECT_EQ(mistakes_in("{\"stiction\": 1, \"bodies\": {}}"),
            (Texts{"1:1: is a scene, not a problem; run it with: stiction run FILE"}));
  EXPECT_EQ(
      mistakes_in("{\"stiction\": 1, \"title\": 3,\n\"lpc\": {}, \"$a\": \"=1/0\"}"),
      (Texts{"1:26: title: found 3, must be a text",
             "2:1: lpc: unknown key \"lpc\", allowed: stiction, title, lcp, mixed_lcp, boxed_lcp or mcp; did "
             "you mean \"lcp\"?",
             "2:21: $a: division by zero"}));
  EXPECT_EQ(
      mistakes_in("{\"stiction\": 1, \"lcp\": {\"M\": [[1]], \"q\": [1]},\n\"mcp\": {\"F\": [\"x[0]\"]}}"),
      (Texts{"2:1: mcp: a second problem; a file holds one, the first is `lcp`"}));
  EXPECT_EQ(mistakes_in("{\"stiction\": 1, \"lcp\": 3}"), (Texts{"1:24: lcp: found 3, must be a map {...}"}));
  EXPECT_EQ(mistakes_in("{\"stiction\": 1, \"lcp\": {\"M\": [[1]], \"q\": [1]}").size(), 1u);  // not closed
}

TEST(ProblemFile, LinearMistakes) {
  EXPECT_EQ(in_lcp(""), (Texts{"2:1: lcp: the key `q` is missing: A list of numbers, one per row.",
                               "2:1: lcp: the key `M` is missing: A list of rows, each a list of numbers."}));
  EXPECT_EQ(in_lcp(R"("M": [[1, 2], [3]], "q": [1, 2], "quick": 1)"),
            (Texts{"2:16: lcp.M.1: found a list of 1 entry, must be a list of 2 numbers, one per row",
                   "2:35: lcp.quick: unknown key \"quick\", allowed: M or q"}));
  EXPECT_EQ(in_lcp(R"("M": [[1]], "q": [1, 2])"),
            (Texts{"2:7: lcp.M: found a list of 1 entry, must be a list of 2 rows, as q has entries"}));
  EXPECT_EQ(in_lcp(R"("M": [["one"]], "q": [true])"),
            (Texts{"2:9: lcp.M.0.0: found the text \"one\", must be a number",
                   "2:24: lcp.q.0: found true, must be a number"}));
  EXPECT_EQ(in_lcp(R"("M": [], "q": [])"),
            (Texts{"2:16: lcp.q: found a list of 0 entries, must be a list of numbers, at least one"}));
  EXPECT_EQ(in_lcp(R"("M": 1, "q": [1])"),
            (Texts{"2:7: lcp.M: found 1, must be a list of 1 rows, as q has entries"}));
  EXPECT_EQ(in_lcp(R"("M": {"entries": [[0, 1, 1], [0.5, 0, 1], [0, 0], [0, 0, null]]}, "q": [1])"),
            (Texts{"2:24: lcp.M.entries.0.1: found 1, must be a whole number from 0 to 0",
                   "2:32: lcp.M.entries.1.0: found 0.5, must be a whole number from 0 to 0",
                   "2:44: lcp.M.entries.2: found a list of 2 entries, must be [row, column, value]",
                   "2:59: lcp.M.entries.3.2: found null, must be a number"}));
  EXPECT_EQ(
      in_lcp(R"("M": [["$b"]], "q": ["=1 +"])"),
      (Texts{"2:9: lcp.M.0.0: there is no constant \"$b\"",
             "2:28: lcp.q.0: found the end of the expression, expected a number, a $constant, a function or "
             "'('"}));
  EXPECT_EQ(mistakes_in("{\"stiction\": 1, \"mixed_lcp\":\n{\"M\": [[1]], \"q\": [1], \"free\": 2}}"),
            (Texts{"2:32: mixed_lcp.free: found 2, must be a whole number from 0 to 1"}));
  EXPECT_EQ(
      mistakes_in(
          "{\"stiction\": 1, \"boxed_lcp\":\n{\"M\": [[1]], \"q\": [1], \"lower\": [2], \"upper\": 1}}"),
      (Texts{"2:34: boxed_lcp.lower: lower[0] is above upper[0]"}));
  EXPECT_EQ(
      mistakes_in("{\"stiction\": 1, \"boxed_lcp\":\n{\"M\": [[1]], \"q\": [1], \"upper\": [\"big\"]}}"),
      (Texts{"2:34: boxed_lcp.upper.0: found the text \"big\", must be a number, or null for no bound"}));
}

TEST(ProblemFile, LinearProblemsHaveALargestSize) {
  std::string q = "[0";
  for (int i = 0; i < 10000; ++i) q += ",0";
  EXPECT_EQ(in_lcp("\"q\": " + q + "], \"M\": {\"entries\": []}"),
            (Texts{"2:7: lcp.q: found 10001 rows; linear problems are dense matrices of up to 10000"}));
}

TEST(ProblemFile, McpMistakes) {
  const std::string operand = "expected a number, a $constant, a function or '('";
  EXPECT_EQ(in_mcp(""), (Texts{"2:1: mcp: the key `F` is missing: A list of formulas, one per unknown."}));
  EXPECT_EQ(in_mcp(R"("F": "x[0]")"),
            (Texts{"2:7: mcp.F: found the text \"x[0]\", must be a list of formulas, one per unknown"}));
  EXPECT_EQ(in_mcp(R"("F": ["x[0] + ", "x[2] - $c"], "Lower": 0)"),
            (Texts{"2:16: mcp.F.0: found the end of the expression, " + operand,
                   "2:20: mcp.F.1: there is no x[2]; the unknowns are x[0] to x[1], one per formula",
                   "2:33: mcp.Lower: unknown key \"Lower\", allowed: F, lower, upper or start; did you mean "
                   "\"lower\"?"}));
  EXPECT_EQ(in_mcp(R"("F": [1])"),
            (Texts{"2:8: mcp.F.0: found 1, must be a formula such as \"x[0]^2 + x[1] - 1\", "
                   "or {\"repeat\": 10, \"F\": \"x[$i] - 1\"}"}));
  EXPECT_EQ(in_mcp(R"("F": [{"repeat": 2.5, "F": "x[$i]"}])"),
            (Texts{"2:19: mcp.F.0.repeat: found 2.5, must be a whole number from 0 to 100000"}));
  EXPECT_EQ(in_mcp(R"("F": [{"repeat": 100000, "F": "1"}, {"repeat": 1, "F": "1"}])"),
            (Texts{"2:49: mcp.F.1.repeat: the problem has more than 100000 formulas"}));
  EXPECT_EQ(in_mcp(R"("F": ["x[$i]"])"), (Texts{"2:11: mcp.F.0: \"$i\" is an index, it exists only in an "
                                                "entry with that many counts in `repeat`"}));
  EXPECT_EQ(in_mcp(R"json("F": ["sqrt(x[0])"], "start": -1)json"),
            (Texts{"2:8: mcp.F.0: F[0] is not finite at the start; give another `start`",
                   "2:8: mcp.F.0: a derivative of F[0] is not finite at the start; give another `start`"}));
  EXPECT_EQ(
      in_mcp(R"("F": ["x[0]", "x[1]"], "lower": [0])"),
      (Texts{"2:34: mcp.lower: found a list of 1 entry, must be a number or a list of 2 numbers; null where "
             "there is no bound"}));
}

TEST(ProblemFile, WrittenProblemsReadBackBitForBit) {
  std::uint64_t state = 7;
  const auto random = [&] {  // all magnitudes, both signs
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return std::ldexp(double(std::int64_t(state)), int(state >> 40) % 200 - 160);
  };
  Numbers M(25), q(5), lower(5), upper(5);
  for (double& x : M) x = random();
  for (double& x : q) x = random();
  M[3] = -0.0, M[4] = 5e-324, M[5] = 1.7976931348623157e308;
  for (std::size_t i = 0; i < 5; ++i)
    lower[i] = i == 2 ? -infinity : -double(i), upper[i] = i == 3 ? infinity : double(i);
  const auto same = [](const Numbers& a, const Numbers& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
             return x == y && std::signbit(x) == std::signbit(y);
           });
  };
  const Lcp lcp = good<Lcp>(write_problem_text(Lcp{5, M, q}, "a \"title\"\n"));
  EXPECT_TRUE(same(lcp.M, M) && same(lcp.q, q));
  const MixedLcp mixed = good<MixedLcp>(write_problem_text(MixedLcp{5, 2, M, q}));
  EXPECT_TRUE(same(mixed.M, M) && same(mixed.q, q) && mixed.free == 2);
  const BoxedLcp boxed = good<BoxedLcp>(write_problem_text(BoxedLcp{5, M, q, lower, upper}));
  EXPECT_TRUE(same(boxed.M, M) && same(boxed.lower, lower) && same(boxed.upper, upper));
  EXPECT_EQ(read_problem_text(write_problem_text(lcp, "a \"title\"\n"), "t").value().title, "a \"title\"\n");
}

/// Damaged files are refused with places inside them, or read; never a crash.
TEST(ProblemFile, SurvivesDamage) {
  const Texts seeds = {
      R"json({ "stiction": 1, "$a": 2, "title": "t", "boxed_lcp": { "M": [["$a", "=-$a/2"], [-1, 2]], "q": [1, 2],
  "lower": [0, null], "upper": 3 } } // end)json",
      R"json({ "stiction": 1, "$n": 5, "mcp": { "F": [ "2*x[0] - x[1]",
  {"repeat": "=$n-2", "F": "-x[$i] + exp(x[$i+1]) - sum($k, 0, $n-1, x[$k]^2)"}, "x[$n-1]^2" ],
  "lower": -0.5, "start": [1, 1, 1, 1, 1] } })json",
      R"json({ "stiction": 1, "lcp": { "M": {"entries": [[0, 0, 1e3], [1, 1, 2]]}, "q": [1, -2] } })json"};
  std::uint64_t state = 99;
  const auto random = [&](std::size_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return std::size_t(state >> 33) % below;
  };
  const std::string bytes = std::string("{}[]\",:=$.-+*^()/0123456789eExikMqF\\ \n") + '\0' + '\xff';
  int read = 0, refused = 0;
  for (const std::string& seed : seeds) {
    for (std::size_t n = 0; n < seed.rfind('}'); ++n) EXPECT_FALSE(mistakes_in(seed.substr(0, n)).empty());
    for (int round = 0; round < 2000; ++round) {
      std::string text = seed;
      for (std::size_t edits = 1 + random(3); edits > 0; --edits) {
        const std::size_t at = random(text.size());
        if (const std::size_t kind = random(4); kind == 0)
          text.erase(at, 1 + random(4));
        else if (kind == 1)
          text.insert(at, 1, bytes[random(bytes.size())]);
        else if (kind == 2)
          text.insert(at, text.substr(random(text.size()), random(30)));
        else
          text[at] = bytes[random(bytes.size())];
      }
      const Result<ProblemFile> result = read_problem_text(text, "t");
      const int lines = 1 + int(std::count(text.begin(), text.end(), '\n'));
      for (const Mistake& m : result.mistakes())
        EXPECT_TRUE(m.line >= 1 && m.line <= lines && m.column >= 1 && !m.message.empty())
            << text << m.text();
      (result ? read : refused)++;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace stiction
