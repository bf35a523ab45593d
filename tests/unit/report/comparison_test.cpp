// Several recordings on one page; joints and contacts in pictures and tables.
#include "stiction/report/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stiction/report/charts.h"
#include "stiction/report/contact_map.h"
#include "stiction/report/html.h"
#include "stiction/report/markup.h"
#include "stiction/report/scene_svg.h"
#include "unit/record/synthetic_run.h"
#include "unit/report/page_checks.h"

namespace stiction {
namespace {

using synthetic::Folder;

/// Runs of the made-up scene of 1 s and of 2 s.
std::vector<RecordingDigest> two_runs(const std::vector<double>& at = {}) {
  const Folder a, b;
  std::vector<RecordingDigest> out;
  out.push_back(digest_recording(synthetic::record(a.path(), 200).hdf5, {.at = at}).or_exit());
  out.push_back(digest_recording(synthetic::record(b.path(), 100).hdf5, {.at = at}).or_exit());
  return out;
}

TEST(Comparison, HasEveryPartAndIsWellFormed) {
  std::vector<RecordingDigest> runs = two_runs();
  runs[1].scenes.setup.set = {"stewart<trinkle"};
  const std::string html = html_comparison(runs).or_exit();
  EXPECT_EQ(well_formed(markup_only(html)), "");
  for (const char* part :
       {"Bodies of every kind: 2 runs", "Natural map", "Deepest overlap", "The books by cause",
        "How far the bodies are apart", "a step takes", "stewart&lt;trinkle", "different states"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(count(html, "<figure>"), 4u);  // two times, two runs
  const nlohmann::json data = data_of(html);
  ASSERT_GE(data["charts"].size(), 4u);
  for (const auto& chart : data["charts"]) {
    ASSERT_EQ(chart["curves"].size(), 2u);
    for (const auto& curve : chart["curves"]) EXPECT_EQ(curve["value"].size(), data["time"].size());
  }
}

TEST(Comparison, CurvesKeepTheirPeaksAndTheirOwnTimes) {
  std::vector<RecordingDigest> runs = two_runs();
  for (double& t : runs[1].curves.time) t += 0.005;  // frames between those of the other
  runs[0].curves.since[37].worst.natural_map_scaled = 0.25;
  const nlohmann::json data = data_of(html_comparison(runs).or_exit());
  const auto& chart = data["charts"][0];
  ASSERT_EQ(chart["title"], "Natural map");
  double peak = 0;
  std::size_t other = 0;
  for (const auto& v : chart["curves"][0]["value"])
    if (!v.is_null()) peak = std::max(peak, v.get<double>());
  for (const auto& v : chart["curves"][1]["value"]) other += !v.is_null();
  EXPECT_EQ(peak, 0.25);
  EXPECT_EQ(other, runs[1].curves.frames());
  EXPECT_EQ(data["time"].size(), runs[0].curves.frames() + runs[1].curves.frames());
}

TEST(Comparison, PicturesOfOneTimeStandTogether) {
  const std::string html = html_comparison(two_runs()).or_exit(), row = "<div class=\"pictures side\">";
  int rows = 0;
  for (std::size_t at = html.find(row); at != std::string::npos; at = html.find(row, at + 1), ++rows) {
    const std::string one = html.substr(at, html.find("</div>", at) - at);
    EXPECT_NE(one.find("<figcaption>A, "), std::string::npos);
    EXPECT_NE(one.find("<figcaption>B, "), std::string::npos);
  }
  EXPECT_EQ(rows, 2);
}

TEST(Comparison, ToldIsWhatIsDifferent) {
  std::vector<RecordingDigest> runs = two_runs();
  Recording moved = runs[0].scenes;
  const std::size_t last = moved.frames() - 1, ball = moved.at(last, 9);
  moved.position[ball] += Vec3{0.03, 0, 0.04};
  moved.orientation[ball] = moved.orientation[ball] * Quat{std::cos(0.1), 0, 0, std::sin(0.1)};
  const std::vector<BodyDifference> found = differences(runs[0].scenes, last, moved, last);
  ASSERT_EQ(found.size(), 13u);  // six bricks, five balls, rod and speck; not what is fixed or driven
  EXPECT_EQ(found[0].name, moved.bodies(last)[9].name);
  EXPECT_NEAR(found[0].distance, 0.05, 1e-12);
  EXPECT_NEAR(found[0].turn, 0.2, 1e-12);
  EXPECT_EQ(found[1].distance, 0);
  // the same runs: the same state
  std::vector<RecordingDigest> twins{runs[0], runs[0]};
  EXPECT_NE(html_comparison(twins).or_exit().find("same state, bit for bit"), std::string::npos);
}

TEST(Comparison, WhatWasSetAndWhatDiffersInTheScenes) {
  std::vector<RecordingDigest> runs = two_runs();
  runs[0].scenes.header.scene_text = R"({"bodies": {"a": {"at": [0, 1, 2]}}, "title": "x"})";
  runs[1].scenes.header.scene_text = runs[0].scenes.header.scene_text;
  const std::string same = html_comparison(runs).or_exit();
  EXPECT_EQ(same.find("What differs"), std::string::npos);
  EXPECT_EQ(same.find("--set"), std::string::npos);
  runs[1].scenes.setup.set = {"$slope=20", "run.step=0.005"};
  runs[1].scenes.header.scene_text = R"({"bodies": {"a": {"at": [0, 1.5, 2], "mass": 3}}, "title": "x"})";
  const std::string html = html_comparison(runs).or_exit();
  EXPECT_EQ(well_formed(markup_only(html)), "");
  for (const char* part : {"What differs in the scenes", "$slope=20, run.step=0.005",
                           "<th>bodies.a.at.1</th><td class=\"number\">1</td><td class=\"number\">1.5</td>",
                           "<th>bodies.a.mass</th><td class=\"number\">–</td><td class=\"number\">3</td>"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
  EXPECT_EQ(html.find("bodies.a.at.0"), std::string::npos);
  EXPECT_NE(html_report(runs[1]).or_exit().find("--set $slope=20"), std::string::npos);
}

TEST(Comparison, AMissShowsInTheBanner) {
  std::vector<RecordingDigest> runs = two_runs();
  EXPECT_NE(html_comparison(runs).or_exit().find("class=\"verdict good\""), std::string::npos);
  runs[1].scenes.setup.warnings = {"beware"};
  EXPECT_NE(html_comparison(runs).or_exit().find("class=\"verdict open\""), std::string::npos);
  runs[1].scenes.summary->total.unconverged = 1;
  EXPECT_NE(html_comparison(runs).or_exit().find("class=\"verdict bad\""), std::string::npos);
}

TEST(Comparison, TimesThatARunDoesNotReachAreMistakes) {
  const std::vector<double> at{1.5};
  const auto refused = html_comparison(two_runs(at), {.at = at});
  ASSERT_FALSE(refused);
  ASSERT_EQ(refused.mistakes().size(), 1u);
  EXPECT_NE(refused.mistakes()[0].message.find("from 0 s to 1 s"), std::string::npos);
  EXPECT_FALSE(html_comparison(std::span<const RecordingDigest>()));
}

// --- joints

/// A pendulum of two bars on constraint joints, a wheel on a coordinate joint; made-up impulses.
Recording with_joints() {
  Scene s;
  for (const char* name : {"upper", "lower", "wheel"})
    s.add_body(name, {.shape = Box{{1, 0.1, 0.1}}, .mass = 1, .collides = false});
  s.add_joint("hook",
              ConstraintJoint{.kind = constraints::Kind::ball, .body = "upper", .at = Vec3{-0.5, 0, 0}});
  s.add_joint("knee", ConstraintJoint{.kind = constraints::Kind::hinge,
                                      .body = "lower",
                                      .parent = "upper",
                                      .at = Vec3{0.5, 0, 0},
                                      .axis = {0, 1, 0}});
  s.add_joint("axle", CoordinateJoint{.kind = tree::JointKind::revolute, .body = "wheel"});
  const Model m = compile(s).or_exit();
  const Folder folder;
  RecorderSettings settings;
  settings.folder = folder.path(), settings.name = "run";
  settings.setup.run.step = 0.01;
  Recorder recorder = Recorder::open(settings).or_exit();
  State x = initial_state(m, 0.01);
  recorder.on_start(m, x).or_exit();
  for (int i = 1; i <= 20; ++i) {
    x.step_count = i, x.time = 0.01 * i;
    x.joint_impulse[0] = i == 7 ? 0.5 : 0.1;  // 50 N at 0.07 s, 10 N else
    StepReport report = synthetic::report(i, 1e-8);
    report.certificate.joint = 1e-11 * i;
    recorder.on_step(m, x, report, {}).or_exit();
  }
  return load_recording(recorder.finish(m, x, {}, 1, "reached the end").or_exit().hdf5).or_exit();
}

TEST(Report, TellsWhatJointsBear) {
  const Recording r = with_joints();
  const std::vector<JointPeak> peaks = joint_peaks(r);
  ASSERT_EQ(peaks.size(), 3u);  // two constraints and an axle with a coordinate
  EXPECT_EQ(peaks[2].kind, "revolute");
  EXPECT_EQ(peaks[0].name, "hook");
  EXPECT_NEAR(peaks[0].force, 50, 1e-9);
  EXPECT_NEAR(peaks[0].force_time, 0.07, 1e-12);
  const std::string html = html_report(r).or_exit();
  EXPECT_EQ(well_formed(markup_only(html)), "");
  EXPECT_NE(html.find("<th>hook</th><td>ball</td><td class=\"number\">50</td><td class=\"number\">0.07</td>"),
            std::string::npos);
  EXPECT_NE(html.find("Largest joint error of any step: 2e-10 m"), std::string::npos);
  std::set<std::string> ids;
  const nlohmann::json data = data_of(html);
  for (const auto& chart : data["charts"]) ids.insert(chart["id"].get<std::string>());
  EXPECT_TRUE(ids.count("joints") && ids.count("reactions")) << ::testing::PrintToString(ids);
  // a run without joints has none of it
  const Folder folder;
  const std::string plain =
      html_report(load_recording(synthetic::record(folder.path(), 20).hdf5).or_exit()).or_exit();
  EXPECT_EQ(plain.find("<h2>Joints"), std::string::npos);
}

TEST(SceneSvg, RodsLeadToJointsOutsideOfTheirBodies) {
  Picture picture;
  picture.bodies.push_back({{"ball", dynamic, Mobility::free, Sphere{0.1}, 1, {}}, {0, 0, -1}, {}});
  picture.joints.push_back({"rod", {0, 0, 0}, {0, 1, 0}, Vec3{0, 0, -1}});
  const Camera camera = camera_for({&picture, 1}, 960, 600);
  const Point2 top = camera.project({0, 0, 0}), ball = camera.project({0, 0, -1});
  EXPECT_TRUE(top.y > 0 && ball.y < 600);  // both ends are in the picture
  const std::string svg = scene_svg(picture, camera, {});
  const std::string line = "<path class=\"rod\" d=\"M" + px(top.x) + " " + px(top.y) + "L" + px(ball.x) +
                           " " + px(ball.y) + "\"/>";
  EXPECT_NE(svg.find(line), std::string::npos) << line;
  for (const PictureJoint& j : picture_of(with_joints(), 0).joints) EXPECT_FALSE(j.rod) << j.name;  // inside
}

TEST(SceneSvg, LevelScenesWithoutAFloorAreSeenFromAbove) {
  Picture picture;
  for (int i = 0; i < 3; ++i)
    picture.bodies.push_back(
        {{"ball", dynamic, Mobility::free, Sphere{0.1}, 1, {}}, {double(i), 0.3 * i * i, 0}, {}});
  EXPECT_GT(camera_for({&picture, 1}, 960, 600).toward.z, 0.8);
  picture.bodies[0].position.z = 0.5;
  EXPECT_LT(camera_for({&picture, 1}, 960, 600).toward.z, 0.5);
  picture.bodies[0].position.z = 0;
  picture.bodies.push_back({{"floor", fixed, Mobility::free, HalfSpace{{0, 0, 1}, -0.1}, 0, {}}, {}, {}});
  EXPECT_LT(camera_for({&picture, 1}, 960, 600).toward.z, 0.5);
}

TEST(SceneSvg, BrokenJointsAreDrawnNoMore) {
  Recording r = with_joints();
  const std::size_t last = r.frames() - 1;
  ASSERT_GT(last, 0u);
  r.summary.emplace().broken = {{r.time[last], "axle"}};
  EXPECT_EQ(picture_of(r, 0).joints.size(), 3u);
  const Picture picture = picture_of(r, last);
  ASSERT_EQ(picture.joints.size(), 2u);
  for (const PictureJoint& j : picture.joints) EXPECT_NE(j.name, "axle");
}

TEST(SceneSvg, JointsAreDrawnWhereTheyAre) {
  const Recording r = with_joints();
  const Picture picture = picture_of(r, 0);
  ASSERT_EQ(picture.joints.size(), 3u);
  EXPECT_EQ(picture.joints[0].name, "axle");
  EXPECT_NEAR(norm(picture.joints[1].point - Vec3{-0.5, 0, 0}), 0, 1e-12);
  EXPECT_EQ(norm(picture.joints[1].axis), 0);  // a ball joint has none
  EXPECT_NEAR(norm(picture.joints[2].axis - Vec3{0, 1, 0}), 0, 1e-12);
  const Camera camera = camera_for({&picture, 1}, 960, 600);
  const std::string svg = scene_svg(picture, camera, {});
  EXPECT_EQ(well_formed(markup_only(svg)), "");
  EXPECT_NE(svg.find("<title>knee</title>"), std::string::npos);
  const Point2 at = camera.project(picture.joints[1].point);
  EXPECT_NE(svg.find("<circle cx=\"" + px(at.x) + "\" cy=\"" + px(at.y) + "\""), std::string::npos);
  EXPECT_EQ(scene_svg(picture, camera, {.joints = false}).find("class=\"joint\""), std::string::npos);
}

TEST(SceneSvg, JointsThatBrokeAreNotDrawn) {
  Recording r = with_joints();
  ASSERT_GT(r.time.size(), 1u);
  r.summary.emplace();
  r.summary->broken = {{r.time[1], "knee"}};
  EXPECT_EQ(picture_of(r, 0).joints.size(), 3u);  // not yet
  const std::vector<PictureJoint> after = picture_of(r, 1).joints;
  ASSERT_EQ(after.size(), 2u);
  for (const PictureJoint& j : after) EXPECT_NE(j.name, "knee");
}

// --- contacts

TEST(ContactMap, AreasAreForcesAndTheViewHasTheWidestSpread) {
  const Folder folder;
  Recording r = load_recording(synthetic::record(folder.path(), 10).hdf5).or_exit();
  const std::size_t f = r.frames() - 1, n = r.contacts_of(f).size();
  ASSERT_GE(n, 4u);
  std::vector<Contact> own(r.contacts_of(f).begin(), r.contacts_of(f).end());
  own.resize(4);
  for (std::size_t k = 0; k < 4; ++k) {  // on a floor, spread along x and y
    own[k].point = {double(k % 2), double(k / 2), 0};
    own[k].normal = {0, 0, 1};
    own[k].force = {0, 0, k == 0 ? 4.0 : 1.0};
    own[k].state = k == 3 ? ContactState::sliding : ContactState::sticking;
  }
  r.contacts.resize(r.contact_start[f]);
  r.contacts.insert(r.contacts.end(), own.begin(), own.end());
  r.contact_start[f + 1] = r.contacts.size();
  std::string svg = contact_map_svg(r, f, {});
  EXPECT_EQ(well_formed(markup_only(svg)), "");
  EXPECT_NE(svg.find("seen from above"), std::string::npos);
  EXPECT_EQ(count(svg, "<circle"), 4u);
  EXPECT_EQ(count(svg, "r=\"14\""), 1u);  // the largest
  EXPECT_EQ(count(svg, "r=\"7\""), 3u);   // a quarter of the force: half the radius
  EXPECT_EQ(count(svg, "class=\"slide\""), 1u);
  // the same on a wall
  for (std::size_t k = 0; k < 4; ++k)
    r.contacts[r.contact_start[f] + k].point = {double(k % 2), 0, double(k / 2)};
  svg = contact_map_svg(r, f, {});
  EXPECT_NE(svg.find("seen from the side"), std::string::npos);
  // nothing carries a force
  r.contact_start[f + 1] = r.contact_start[f];
  EXPECT_FALSE(has_force(r, f));
  EXPECT_NE(contact_map_svg(r, f, {}).find("nothing carries a force"), std::string::npos);
}

}  // namespace
}  // namespace stiction
