#include "stiction/formats/json.h"

#include <gtest/gtest.h>

#include <vector>

namespace stiction::formats {
namespace {

using Texts = std::vector<std::string>;

Json parsed(std::string_view text) {
  Messages messages;
  Json v = parse_json(text, messages.add_file("f"), messages);
  for (const Mistake& m : messages.sorted()) ADD_FAILURE() << m.text();
  return v;
}
Texts mistakes(std::string_view text) {
  Messages messages;
  parse_json(text, messages.add_file("f"), messages);
  Texts out;
  for (const Mistake& m : messages.sorted()) out.push_back(m.text());
  return out;
}

TEST(Json, ReadsValuesWithPlaces) {
  const Json v = parsed("{ // c\n  \"a\": [1, -2.5e3, true,],\n  /* x\n */ \"b\": {\"c\": null}, }");
  ASSERT_EQ(v.keys.size(), 2u);
  EXPECT_EQ(v.keys[0].place.line, 2);
  EXPECT_EQ(v.keys[0].place.column, 3);
  const Json& a = *v.find("a");
  EXPECT_EQ(a.place.column, 8);
  ASSERT_EQ(a.items.size(), 3u);
  EXPECT_EQ(a.items[1].number, -2500);
  EXPECT_EQ(a.items[1].place.line, 2);
  EXPECT_EQ(a.items[1].place.column, 12);
  EXPECT_TRUE(a.items[2].boolean);
  EXPECT_EQ(v.keys[1].place.line, 4);
  EXPECT_EQ(v.find("b")->find("c")->kind, Kind::null);
  EXPECT_EQ(v.find("d"), nullptr);
}

TEST(Json, ColumnsCountCharactersNotBytes) {
  const Json v = parsed("{\"grüße…\": 1, \"x\": 2}");
  EXPECT_EQ(v.keys[1].place.column, 15);
}

TEST(Json, TextsWithEscapes) {
  EXPECT_EQ(parsed(R"("a\"\\\/\b\f\n\r\tA\u00e9\u20ac\ud83d\ude00")").text,
            "a\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST(Json, ByteOrderMarkAndWindowsLineEnds) {
  const Json v = parsed("\xef\xbb\xbf{\r\n\"a\": 1\r\n}");
  EXPECT_EQ(v.keys[0].place.line, 2);
  EXPECT_EQ(v.keys[0].place.column, 1);
}

TEST(Json, NumbersRoundTrip) {
  for (const char* text : {"0.1", "1e-08", "-0", "123456.789", "5e-324", "1.7976931348623157e+308"}) {
    EXPECT_EQ(write_json(parsed(text)), std::string(text) + "\n");
  }
}

TEST(Json, WritesWhatItReads) {
  const std::string text =
      write_json(parsed(R"({"a": {"b": {"c": [1, {"d": "x\ny\u0001"}]}, "e": false}, "f": {}})"));
  EXPECT_EQ(text,
            "{\n  \"a\": {\n    \"b\": {\"c\": [1, {\"d\": \"x\\ny\\u0001\"}]},\n    \"e\": false\n  },\n  "
            "\"f\": {}\n}\n");
  EXPECT_EQ(write_json(parsed(text)), text);
}

constexpr const char* value = "a value: a number, a \"text\", true, false, a [list] or a {map}";

struct Bad {
  const char* text;
  Texts expected;
};

TEST(Json, SyntaxMistakes) {
  const std::string v = value;
  const std::vector<Bad> cases{
      {"", {"f:1:1: the file is empty, expected " + v}},
      {"// only\n", {"f:2:1: the file is empty, expected " + v}},
      {"{\"a\": 1", {"f:1:8: the file ends, expected '}' to close the map of line 1"}},
      {"{\n\"a\": [1, 2}\n", {"f:2:11: a: found '}', expected ']' to close the list of line 2"}},
      {"{\"a\" 1}", {"f:1:6: found '1', expected ':' after the key \"a\""}},
      {"{a: 1}", {"f:1:2: found 'a', expected a key in double quotes or '}'"}},
      {"{\"a\": }", {"f:1:7: a: found '}', expected " + v}},
      {"{\"a\": 1 \"b\": 2}", {"f:1:9: found a text, expected ',' or '}'"}},
      {"[1 2]", {"f:1:4: found '2', expected ',' or ']'"}},
      {"[1,,2]", {"f:1:4: found ',', expected " + v}},
      {"{\"a\": 1, \"a\": 2}", {"f:1:10: a: the key \"a\" was already given at line 1; keep one of them"}},
      {"{\"a\": 01}", {"f:1:7: a: found '01', expected a number such as 2, -0.5 or 1e-3"}},
      {"{\"a\": .5}", {"f:1:7: a: found '.5', expected a number such as 2, -0.5 or 1e-3"}},
      {"{\"a\": +1}", {"f:1:7: a: found '+1', expected a number such as 2, -0.5 or 1e-3"}},
      {"{\"a\": 1.}", {"f:1:7: a: found '1.', expected a number such as 2, -0.5 or 1e-3"}},
      {"{\"a\": -}", {"f:1:7: a: found '-', expected a number such as 2, -0.5 or 1e-3"}},
      {"{\"a\": 1e999}",
       {"f:1:7: a: found 1e999, which is outside the range of numbers (about 1e-308 to 1e308)"}},
      {"{\"a\": NaN}",
       {"f:1:7: a: found 'NaN', expected " + v + "; texts are written in double quotes: \"NaN\""}},
      {"{\"a\": 'x'}", {"f:1:7: a: found ''', expected " + v + "; texts are written in double quotes"}},
      {"{\"a\": \"x\n}", {"f:1:7: the text that opens here is not closed on its line, expected \""}},
      {"{\"a\": \"\\q\"}",
       {"f:1:8: found an escape that is not known, allowed: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"}},
      {"{\"a\": \"\\ud800x\"}",
       {"f:1:8: found an escape that is not known, allowed: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"}},
      {"{} x", {"f:1:4: found 'x' after the end of the scene, expected nothing more"}},
      {"{} /* x", {"f:1:4: the comment that opens here is not closed, expected */"}},
      {"{\"a\": \"\xff\"}", {"f:1:8: found a byte that is not UTF-8 text; save the file as UTF-8"}},
  };
  for (const Bad& bad : cases) EXPECT_EQ(mistakes(bad.text), bad.expected) << bad.text;
}

TEST(Json, GoesOnAfterAMistake) {
  EXPECT_EQ(mistakes("{\n \"a\": 01,\n \"b\": nope,\n \"c\": {\"d\" 1, \"e\": .5},\n \"f\": [1 2]\n}").size(),
            5u);
}

TEST(Json, NestingHasALimit) {
  const std::string deep(100, '['), end(100, ']');
  EXPECT_EQ(
      mistakes(deep + end).front(), "f:1:65: 0" + [] {
        std::string path;
        for (int i = 1; i < 64; ++i) path += ".0";
        return path;
      }() + ": lists and maps are nested deeper than 64 levels");
  const std::string huge(1000000, '[');
  EXPECT_FALSE(mistakes(huge).empty());
}

}  // namespace
}  // namespace stiction::formats
