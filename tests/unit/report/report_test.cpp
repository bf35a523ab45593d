#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "stiction/base/hash.h"
#include "stiction/report/charts.h"
#include "stiction/report/embedded.h"
#include "stiction/report/html.h"
#include "stiction/report/markup.h"
#include "stiction/report/scene_svg.h"
#include "unit/record/synthetic_run.h"
#include "unit/report/page_checks.h"

namespace stiction {
namespace {

using synthetic::Folder;

Recording recorded(std::int64_t steps = 200) {
  const Folder folder;
  return load_recording(synthetic::record(folder.path(), steps).hdf5).or_exit();
}

TEST(Report, NeedsNothingFromOutside) {
  std::string html = html_report(recorded()).or_exit();
  const std::string space = "http://www.w3.org/2000/svg";
  for (std::size_t at; (at = html.find(space)) != std::string::npos;) html.erase(at, space.size());
  EXPECT_EQ(count(html, "http://"), 0u);
  EXPECT_EQ(count(html, "https://"), 0u);
  EXPECT_EQ(count(html, "src="), 0u);
  EXPECT_EQ(count(html, "<link"), 0u);
  EXPECT_EQ(count(html, "@import"), 0u);
  EXPECT_NE(html.find("The MIT License (MIT)"), std::string::npos);  // uPlot's licence goes with it
  EXPECT_LT(html.size(), 400'000u);
}

TEST(Report, IsWellFormedAndHasEveryPart) {
  const Recording r = recorded();
  const std::string html = html_report(r).or_exit();
  EXPECT_EQ(well_formed(markup_only(html)), "");
  EXPECT_EQ(count(html, "<figure>"), 7u);  // six pictures and a map of the contacts
  EXPECT_NE(html.find("Every step certified"), std::string::npos);
  EXPECT_NE(html.find(hex(r.summary->hash)), std::string::npos);
  EXPECT_NE(html.find("0.0-test"), std::string::npos);
  EXPECT_NE(html.find("&lt;&amp;&gt; &#39;quotes&#39;"), std::string::npos);  // the scene text, escaped
  EXPECT_NE(html.find(short_number(r.position[r.at(r.frames() - 1, 9)].x, 7)), std::string::npos);
  EXPECT_NE(html.find(short_number(r.ledger.back().booked[std::size_t(Cause::friction)], 6)),
            std::string::npos);
}

TEST(Report, ChartsHoldTheNumbers) {
  const Recording r = recorded();
  const std::string html = html_report(r).or_exit();
  const nlohmann::json data = data_of(html);
  ASSERT_EQ(data["time"].size(), r.frames());
  std::set<std::string> titles;
  for (const auto& chart : data["charts"]) {
    titles.insert(chart["title"].get<std::string>());
    if (!chart["curves"].empty()) {
      EXPECT_NE(html.find("id=\"" + chart["id"].get<std::string>() + "\""), std::string::npos);
    }
    for (const auto& curve : chart["curves"]) EXPECT_EQ(curve["value"].size(), r.frames());
    if (chart["id"] == "causes") {
      for (const auto& curve : chart["curves"])
        if (curve["label"] == "friction") {
          EXPECT_NEAR(curve["value"].back().get<double>(),
                      r.ledger.back().booked[std::size_t(Cause::friction)], 1e-8);
        }
    }
    if (chart["id"] == "certificate") {
      EXPECT_TRUE(chart["log"].get<bool>());
      EXPECT_EQ(chart["limit"].get<double>(), 1e-8);
      EXPECT_EQ(chart["curves"].size(), 5u);  // no joints in this run
    }
  }
  for (const char* title : {"Energy", "Energy by cause", "Imbalance of the books", "Certificate", "Contacts",
                            "ball.0.velocity", "rod.position", "speck.height"})
    EXPECT_TRUE(titles.count(title)) << title;
}

/// Distance of two colours "#rrggbb" as people see it: CIE 1976, in L*a*b* under D65. 2.3 is just noticeable.
double colour_distance(const std::string& a, const std::string& b) {
  const auto lab = [](const std::string& text) {
    const auto linear = [&](std::size_t at) {
      const double c = double(std::stoi(text.substr(at, 2), nullptr, 16)) / 255;
      return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double red = linear(1), green = linear(3), blue = linear(5);
    const double x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
    const double y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const double z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
    return Vec3{116 * y - 16, 500 * (x - y), 200 * (y - z)};
  };
  return norm(lab(a) - lab(b));
}

// Every cause has a colour of its own, and any two of them can be told apart, on light and on dark ground.
TEST(Report, CausesCanBeToldApart) {
  const std::string css(embedded::report_css());
  const std::size_t dark = css.find("prefers-color-scheme: dark");
  ASSERT_NE(dark, std::string::npos);
  EXPECT_NEAR(colour_distance("#000000", "#ffffff"), 100, 0.01);
  for (const std::string& part : {css.substr(0, dark), css.substr(dark)}) {
    std::vector<std::string> palette;
    for (int i = 0; i < cause_count; ++i) {
      const std::string key = "--c" + std::to_string(i) + ": #";
      const std::size_t at = part.find(key);
      ASSERT_NE(at, std::string::npos) << key;
      palette.push_back(part.substr(at + key.size() - 1, 7));
    }
    for (std::size_t i = 0; i < palette.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        EXPECT_GT(colour_distance(palette[i], palette[k]), 20) << palette[i] << " and " << palette[k];
  }
  const Folder folder;
  Recording r = load_recording(synthetic::record(folder.path(), 20).journal).or_exit();
  for (LedgerRow& row : r.ledger) row.booked.fill(1);  // so that no curve is left out
  const ChartSet set = make_charts(r, {}).or_exit();
  const auto chart =
      std::find_if(set.charts.begin(), set.charts.end(), [](const Chart& c) { return c.id == "causes"; });
  ASSERT_NE(chart, set.charts.end());
  std::set<int> colours;
  for (const Curve& c : chart->curves) colours.insert(c.colour);
  EXPECT_EQ(colours.size(), std::size_t(cause_count));
  EXPECT_GE(*colours.begin(), 0);
  EXPECT_LT(*colours.rbegin(), cause_count);
}

TEST(Report, TellsTroubleInRed) {
  Recording r = recorded(50);
  r.summary->total.unconverged = 7;
  r.summary->trouble = "at 0.3 s a step missed the tolerance: cone (a, b)";
  const std::string html = html_report(r).or_exit();
  EXPECT_NE(html.find("class=\"verdict bad\""), std::string::npos);
  EXPECT_NE(html.find("7 steps not certified"), std::string::npos);
  EXPECT_NE(html.find("at 0.3 s a step missed"), std::string::npos);
  r.summary->total.refused = 1;
  EXPECT_NE(html_report(r).or_exit().find("1 step refused"), std::string::npos);
  r.summary.reset();
  r.ending.damaged = true;
  r.ending.message = "the journal ends in a broken block";
  const std::string cut = html_report(r).or_exit();
  EXPECT_NE(cut.find("class=\"verdict open\""), std::string::npos);
  EXPECT_NE(cut.find("broken block"), std::string::npos);
}

TEST(Report, IsGreenOnlyIfTheBooksCloseAndNothingWarns) {
  Recording r = recorded(50);
  EXPECT_NE(html_report(r).or_exit().find("class=\"verdict good\""), std::string::npos);
  r.setup.warnings = {"step 0.01 s, stable below 0.004 s for spring 'a<b'"};
  const std::string warned = html_report(r).or_exit();
  EXPECT_NE(warned.find("class=\"verdict open\""), std::string::npos);
  EXPECT_NE(warned.find("Every step certified, with a warning"), std::string::npos);
  EXPECT_NE(warned.find("<li>step 0.01 s, stable below 0.004 s for spring &#39;a&lt;b&#39;</li>"),
            std::string::npos);
  EXPECT_EQ(well_formed(markup_only(warned)), "");
  for (const double imbalance : {1.1e-12, std::nan("")}) {  // the limit is 1e-12
    r.summary->total.imbalance = imbalance;
    const std::string open_books = html_report(r).or_exit();
    EXPECT_NE(open_books.find("class=\"verdict bad\""), std::string::npos);
    EXPECT_NE(open_books.find("The books do not close"), std::string::npos);
    EXPECT_NE(open_books.find("There was a warning."), std::string::npos);
  }
}

TEST(Report, IsGreenOnlyIfTheRunReachedItsEnd) {
  Recording r = recorded(50);
  for (const char* ending : {"interrupted", "stopped at a refused step"}) {
    r.summary->ending = ending;
    const std::string html = html_report(r).or_exit();
    EXPECT_EQ(html.find("class=\"verdict good\""), std::string::npos);
    EXPECT_NE(html.find("class=\"verdict open\""), std::string::npos);
    EXPECT_NE(html.find("Not finished, certified so far"), std::string::npos);
    EXPECT_NE(html.find(std::string("did not come to its end: ") + ending), std::string::npos);
  }
}

TEST(Report, PicturesAreOfTheTimesAskedFor) {
  const Folder folder;
  const std::string path = synthetic::record(folder.path(), 200).hdf5;  // 2 s, a frame every 0.02 s
  const std::vector<double> at{0.5, 1, 1.99};
  const Recording whole = load_recording(path).or_exit();
  const RecordingDigest digest = digest_recording(path, {.scene_memory = 1, .at = at}).or_exit();
  ASSERT_EQ(digest.chosen.frames(), 3u);
  EXPECT_NEAR(digest.chosen.time[1], 1, 1e-12);
  EXPECT_NEAR(digest.chosen.time[2], 2, 1e-12);  // the first frame at or after
  for (const std::string& html :
       {html_report(whole, {.at = at}).or_exit(), html_report(digest, {.at = at}).or_exit()}) {
    EXPECT_EQ(well_formed(markup_only(html)), "");
    EXPECT_EQ(count(html, "<figcaption>"), 3u + 3u);  // a picture and a map of each
    for (const char* time : {">0.5 s<", ">1 s<", ">2 s<"})
      EXPECT_EQ(count(html, std::string("<figcaption") + time), 2u);
  }
  for (const double outside : {-0.1, 2.5}) {
    const auto refused = html_report(whole, {.at = {outside}});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.mistakes()[0].message.find("from 0 s to 2 s"), std::string::npos);
  }
}

TEST(Report, NamesAreNeverMarkup) {
  Recording r = recorded(50);
  r.setup.title = "</title><script>alert(1)</script>";
  for (Revision& revision : r.revisions) revision.bodies[9].name = "a\"<b>&'</script>";
  const std::string html = html_report(r, {.plot = {"a\"<b>&'</script>.position"}}).or_exit();
  EXPECT_EQ(count(html, "<script>"), 2u);
  EXPECT_EQ(count(html, "</script>"), 2u);
  EXPECT_EQ(well_formed(markup_only(html)), "");
  EXPECT_NO_THROW(data_of(html));
}

TEST(Report, UnknownCurvesAndEmptyRecordingsAreMistakes) {
  const Recording r = recorded(20);
  const auto unknown = html_report(r, {.plot = {"rodd.position", "rod.colour"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.mistakes().size(), 2u);
  EXPECT_FALSE(html_report(Recording{}));
}

TEST(Report, LongRunsAreThinnedButKeepTheirPeaks) {
  Recording r = recorded(20);
  const std::size_t frames = 20'000, last = r.frames() - 1;
  const auto grow = [&](auto& column, std::size_t width) {
    const std::vector row(column.begin() + std::ptrdiff_t(last * width), column.end());
    while (column.size() < frames * width) column.insert(column.end(), row.begin(), row.end());
  };
  grow(r.position, r.stride), grow(r.orientation, r.stride), grow(r.velocity, r.stride),
      grow(r.spin, r.stride);
  grow(r.alive, r.stride), grow(r.time, 1), grow(r.step, 1), grow(r.revision, 1), grow(r.hash, 1);
  grow(r.since, 1), grow(r.ledger, 1);
  r.contact_start.resize(frames + 1, r.contact_start.back());
  for (std::size_t f = 0; f < frames; ++f) r.time[f] = 0.02 * double(f);
  r.since[12'345].worst.cone = 0.5;
  const nlohmann::json data = data_of(html_report(r).or_exit());
  EXPECT_LE(data["time"].size(), 3001u);
  double peak = 0;
  for (const auto& chart : data["charts"])
    if (chart["id"] == "certificate")
      for (const auto& curve : chart["curves"])
        for (const auto& v : curve["value"]) peak = std::max(peak, v.get<double>());
  EXPECT_EQ(peak, 0.5);
}

// --- pictures

TEST(SceneSvg, DrawsEveryShape) {
  const Recording r = recorded(100);
  const std::string svg = scene_svg(r, r.frames() - 1, {.forces = true});
  EXPECT_EQ(well_formed(markup_only(svg)), "");
  EXPECT_EQ(count(svg, "<g><title>"), 15u);  // all but the floor
  EXPECT_EQ(count(svg, "<g><title>ball."), 5u);
  EXPECT_EQ(count(svg, "class=\"ground\""), 1u);
  EXPECT_EQ(count(svg, "class=\"shadow\""), 1u);
  EXPECT_GT(count(svg, "class=\"tip\""), 0u);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SceneSvg, EverythingThatMovesIsInThePicture) {
  const Recording r = recorded(100);
  const Picture picture = picture_of(r, 10);
  const Camera camera = camera_for({&picture, 1}, 800, 500);
  EXPECT_NEAR(norm(camera.right), 1, 1e-14);
  EXPECT_NEAR(dot(camera.right, camera.up), 0, 1e-14);
  EXPECT_NEAR(norm(cross(camera.right, camera.up) - camera.toward), 0, 1e-14);
  for (const PictureBody& b : picture.bodies) {
    if (kind(b.info.shape) == ShapeKind::half_space) continue;
    const Point2 p = camera.project(b.position);
    EXPECT_TRUE(p.x > 0 && p.x < 800 && p.y > 0 && p.y < 500) << b.info.name;
  }
}

TEST(SceneSvg, NearBodiesArePaintedLast) {
  Picture picture;
  const auto add = [&](const char* name, const Shape& shape, const Vec3& p, const Quat& q = {}) {
    picture.bodies.push_back({{name, dynamic, Mobility::free, shape, 1, {}}, p, q});
  };
  Camera camera;  // looks along +y: smaller y is nearer
  // A long plate whose middle is nearer to the eye than the ball that lies on top of it, in front of its far
  // half.
  add("ball", Sphere{0.1}, {0, 2, 0.2});
  add("plate", Box{{1, 6, 0.2}}, {0, 0, 0});
  camera.toward = normalized(Vec3{0, -1, 1});
  camera.up = normalized(Vec3{0, 1, 1});
  EXPECT_LT(camera.depth(picture.bodies[0].position), camera.depth(picture.bodies[1].position));
  EXPECT_EQ(paint_order(picture, camera), (std::vector<std::size_t>{1, 0}));

  // A stack seen from above is painted from below, in whatever order the bodies come.
  picture.bodies.clear();
  for (const int k : {3, 0, 4, 1, 2})
    add("box", Box{{1, 1, 0.2}}, {0, 0, 0.2 * k}, synthetic::about({0, 0, 1}, 0.3 * k));
  EXPECT_EQ(paint_order(picture, camera), (std::vector<std::size_t>{1, 3, 4, 0, 2}));

  // Three bars that cover each other in a ring: all are painted, once.
  picture.bodies.clear();
  for (int k = 0; k < 3; ++k) {
    const Quat turn = synthetic::about({0, 0, 1}, 2.0943951023931953 * k);
    add("bar", Box{{3, 0.2, 0.2}}, rotate(turn, {0, 0.6, 0}), turn * synthetic::about({0, 1, 0}, 0.15));
  }
  EXPECT_EQ(paint_order(picture, camera).size(), 3u);
}

TEST(SceneSvg, NumbersThatAreNoneAreLeftOut) {
  Recording r = recorded(20);
  r.position[r.at(3, 9)] = {std::nan(""), 0, 0};
  const std::string svg = scene_svg(r, 3, {});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(count(svg, "<g><title>"), 14u);
}

TEST(Markup, NumbersForPeople) {
  EXPECT_EQ(short_number(1e-8), "1e-8");
  EXPECT_EQ(short_number(-2.5e+20), "-2.5e20");
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(1e100), "1e100");
  EXPECT_EQ(px(-0.04), "0");
  EXPECT_EQ(px(12.06), "12.1");
  EXPECT_EQ(json_number(std::nan("")), "null");
  EXPECT_EQ(json_string("a\"</b>\n"), "\"a\\\"\\u003c/b\\u003e\\u000a\"");
}

// A recording that fits is reported the same, read as a whole or digested; of one that does not, the curves
// stay.
TEST(Report, OfADigestIsThatOfTheWhole) {
  const Folder folder;
  const std::string path = synthetic::record(folder.path(), 900, 0).hdf5;
  const std::string whole = html_report(load_recording(path).or_exit()).or_exit();
  EXPECT_EQ(html_report(digest_recording(path).or_exit()).or_exit(), whole);

  const RecordingDigest small = digest_recording(path, {.scene_memory = 100'000}).or_exit();
  EXPECT_LT(small.scenes.frames(), 60u);
  EXPECT_EQ(small.curves.frames(), 901u);
  EXPECT_EQ(small.curves.stride, 3u);  // ball.0, rod, speck: what the scene asks curves of
  EXPECT_TRUE(small.curves.contacts.empty());
  EXPECT_EQ(data_of(html_report(small).or_exit()), data_of(whole));

  const auto unknown = html_report(small, {.plot = {"rodd.position"}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.mistakes()[0].message.find("did you mean \"rod\"?"), std::string::npos);
}

}  // namespace
}  // namespace stiction
