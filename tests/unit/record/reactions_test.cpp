// Reactions of joints that hold by forces in recordings: journal, HDF5, columns, curves by name, CSV, digest;
// and recordings of the format before, which had none.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <sstream>

#include "stiction/base/platform/file.h"
#include "stiction/record/csv.h"
#include "stiction/record/hdf5.h"
#include "stiction/record/journal.h"
#include "stiction/record/recording.h"
#include "stiction/step/reaction.h"
#include "unit/record/synthetic_run.h"

namespace stiction {
namespace {

using constraints::Kind;
using synthetic::Folder;

constexpr double h = 0.01;  // [s]

/// A bar on a ball joint, a slider locked to the bar, and a wheel with coordinates of its own.
Scene scene() {
  Scene s;
  for (const char* name : {"bar", "slider", "wheel"})
    s.add_body(name, {.shape = Sphere{0.1}, .mass = 1, .position = {1, 0, 0}, .collides = false});
  s.add_joint("hook", ConstraintJoint{.kind = Kind::ball, .body = "bar", .at = Vec3{1, 2, 0}});
  s.add_joint("weld", ConstraintJoint{.kind = Kind::lock, .body = "slider", .parent = "bar"});
  s.add_joint("axle", CoordinateJoint{.kind = tree::JointKind::revolute, .body = "wheel", .axis = {0, 2, 0}});
  return s;
}

/// Impulse of row r after a step.
double impulse(std::int64_t step, std::size_t r) { return 0.1 * double(step) + 0.01 * double(r + 1); }

RecordedFiles record(const std::string& folder, const Model& m, int steps,
                     std::vector<State>* states = nullptr) {
  RecorderSettings settings;
  settings.folder = folder, settings.name = "recording", settings.program = "test";
  settings.setup.run.step = h;
  Recorder recorder = Recorder::open(settings).or_exit();
  State x = initial_state(m, h);
  recorder.on_start(m, x).or_exit();
  for (int i = 1; i <= steps; ++i) {
    x.step_count = i, x.time = h * i;
    for (std::size_t r = 0; r < x.joint_impulse.size(); ++r) x.joint_impulse[r] = impulse(i, r);
    x.link_reaction[0] = {{0, 2.0 * i, 0}, {0, 0, 3.0 * i}};
    recorder.on_step(m, x, synthetic::report(i, 1e-8), {}).or_exit();
    if (states != nullptr) states->push_back(x);
  }
  return recorder.finish(m, x, {}, 1, "reached the end").or_exit();
}

std::string labels(const Recording& r, const std::string& name) {
  std::string out;
  for (const Trajectory& t : trajectories(r, name).or_exit()) out += t.label + " [" + t.unit + "] ";
  return out;
}

std::string message(const Recording& r, const std::string& name) {
  const auto found = trajectories(r, name);
  return found ? std::string() : found.mistakes()[0].message;
}

TEST(RecordedReactions, AreTheSameInJournalAndHdf5) {
  const Folder folder;
  const Model m = compile(scene()).or_exit();
  std::vector<State> states;
  const RecordedFiles files = record(folder.path(), m, 40, &states);
  for (const std::string& path : {files.journal, files.hdf5}) {
    SCOPED_TRACE(path);
    const Recording r = load_recording(path).or_exit();
    ASSERT_EQ(r.frames(), 41u);
    ASSERT_EQ(r.reactions, 3u);
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_EQ(r.reaction_force[c], Vec3{});  // no step led to the first frame
    for (std::size_t f = 1; f < r.frames(); ++f)
      for (std::size_t c = 0; c < 3; ++c) {
        const JointReaction want = *reaction_of(m, states[f - 1], r.revisions[0].reactions[c].name);
        ASSERT_EQ(r.reaction_force[f * 3 + c], want.force);
        ASSERT_EQ(r.reaction_torque[f * 3 + c], want.torque);
      }
    // a ball joint's rows are the world axes: impulses over the step, no torque about its point
    EXPECT_NEAR(r.reaction_force[3 * 7].x, impulse(7, 0) / h, 1e-12 * impulse(7, 0) / h);
    EXPECT_NEAR(norm(r.reaction_torque[3 * 7]), 0, 1e-12);

    const Revision& revision = r.revisions[0];
    ASSERT_EQ(revision.constraints.size(), 2u);
    EXPECT_EQ(revision.constraints[0].name, "hook");
    EXPECT_EQ(revision.constraints[0].kind, Kind::ball);
    EXPECT_EQ(revision.constraints[0].place.body, 0);
    EXPECT_EQ(revision.constraints[0].place.parent, -1);
    EXPECT_EQ(revision.constraints[0].place.point, (Vec3{0, 2, 0}));
    EXPECT_EQ(revision.constraints[1].place.parent, 0);
    ASSERT_EQ(revision.joints.size(), 1u);
    EXPECT_EQ(revision.joints[0].place.body, 2);
    EXPECT_EQ(revision.joints[0].place.axis, (Vec3{0, 1, 0}));
  }
  // thinned as everything else is
  const Recording few = load_recording(files.hdf5, {.memory = 1}).or_exit();
  EXPECT_GT(few.thinning, 1);
  for (std::size_t f = 1; f < few.frames(); ++f)
    EXPECT_NEAR(few.reaction_force[3 * f].y, impulse(few.step[f], 1) / h, 1e-9);
}

// A rod on a hinge with coordinates whose tip a constraint keeps in a plane: a loop, held by laws of the
// contact problem.
TEST(RecordedReactions, OfConstraintsOnLinksOfTrees) {
  Scene s;
  s.add_body("rod", {.shape = Sphere{0.1}, .mass = 1, .position = {0.5, 0, 0}, .collides = false});
  s.add_joint(
      "hinge",
      CoordinateJoint{.kind = tree::JointKind::revolute, .body = "rod", .at = Vec3{}, .axis = {0, 1, 0}});
  s.add_joint(
      "rest",
      ConstraintJoint{.kind = Kind::point_on_plane, .body = "rod", .at = Vec3{1, 0, 0}, .axis = {0, 0, 1}});
  const Model m = compile(s).or_exit();
  ASSERT_TRUE(m.mechanisms.constraint.empty());
  State x = initial_state(m, h);
  ASSERT_EQ(x.law_impulse.size(), 1u);
  const Folder folder;
  RecorderSettings settings;
  settings.folder = folder.path(), settings.name = "recording";
  Recorder recorder = Recorder::open(settings).or_exit();
  recorder.on_start(m, x).or_exit();
  x.step_count = 1, x.time = h, x.law_impulse[0] = 0.05;
  recorder.on_step(m, x, synthetic::report(1, 1e-8), {}).or_exit();
  const Recording r =
      load_recording(recorder.finish(m, x, {}, 1, "reached the end").or_exit().hdf5).or_exit();
  ASSERT_EQ(r.reactions, 2u);
  EXPECT_EQ(r.revisions[0].constraints[0].name, "rest");
  EXPECT_EQ(r.revisions[0].reactions[0].name, "rest");
  EXPECT_NEAR(norm(r.reaction_force[2] - Vec3{0, 0, 5}), 0,
              1e-12);  // 0.05 N s in 0.01 s, along the plane's normal
  EXPECT_NEAR(norm(r.reaction_torque[2]), 0, 1e-12);
}

TEST(RecordedReactions, HaveCurves) {
  const Folder folder;
  const Model m = compile(scene()).or_exit();
  const Recording r = load_recording(record(folder.path(), m, 5).hdf5).or_exit();
  EXPECT_EQ(labels(r, "hook.force"), "hook.force.x [N] hook.force.y [N] hook.force.z [N] ");
  EXPECT_EQ(labels(r, "joint.hook.force.z"), "hook.force.z [N] ");
  EXPECT_EQ(labels(r, "weld.torque.magnitude"), "weld.torque.magnitude [N m] ");
  EXPECT_EQ(labels(r, "joint.axle.position"), "axle.position [rad] ");
  EXPECT_EQ(labels(r, "axle.torque.y"), "axle.torque.y [N m] ");
  EXPECT_EQ(trajectories(r, "axle.torque.y").or_exit()[0].value[3], 6);
  EXPECT_EQ(trajectories(r, "axle.force.magnitude").or_exit()[0].value[3], 9);
  const Vec3 f = r.reaction_force[3 * 3];
  EXPECT_DOUBLE_EQ(trajectories(r, "hook.force.magnitude").or_exit()[0].value[3], norm(f));

  EXPECT_NE(message(r, "hook.forc").find("did you mean \"force\""), std::string::npos)
      << message(r, "hook.forc");
  EXPECT_NE(message(r, "hook.force.w").find("components are x, y, z or magnitude"), std::string::npos)
      << message(r, "hook.force.w");
  EXPECT_NE(message(r, "hok.force").find("did you mean \"hook\""), std::string::npos)
      << message(r, "hok.force");
  EXPECT_NE(message(r, "joint.hok.force").find("no body or joint"), std::string::npos);

  const RecordingDigest digest = digest_recording(r.path, {.plot = {"joint.weld.force"}}).or_exit();
  EXPECT_EQ(digest.curves.reactions, 1u);
  EXPECT_EQ(trajectories(digest.curves, "weld.force").or_exit()[0].value,
            trajectories(r, "weld.force").or_exit()[0].value);
  const std::vector<std::string> fine{"hook.force", "weld.torque.x"}, wrong{"hook.position", "axle.spin"};
  EXPECT_TRUE(check_curves(m, fine, "scene").empty());
  EXPECT_EQ(check_curves(m, wrong, "scene").size(), 2u);
}

TEST(RecordedReactions, AreInTheTableOfJoints) {
  const Folder folder;
  const RecordedFiles files = record(folder.path(), compile(scene()).or_exit(), 2);
  const CsvFiles tables = write_csv(files.hdf5, folder / "t").or_exit();
  std::istringstream in(read_file(tables.joints).value());
  std::string line;
  std::getline(in, line);
  int lines = 0, forces = 0;
  for (; std::getline(in, line); ++lines) forces += line.find(",weld,force,") != std::string::npos;
  EXPECT_EQ(
      lines,
      3 * (2 +
           3 * 6));  // frames, times coordinate and velocity of the axle, force and torque of three joints
  EXPECT_EQ(forces, 3 * 3);
}

/// As the program before wrote it: without reactions, places and impacts; its records of the last state and
/// of the run had another layout, and are left out.
void make_format_5(const std::string& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  // the last two hold records whose layout is today's
  for (const char* name : {"joints/reaction_force", "joints/reaction_torque", "certificate/impact",
                           "solver/impacts", "certificate/body", "certificate/momentum", "certificate/energy",
                           "ledger/contact_rise", "ledger/unexplained_rise", "solver/lowered_impacts",
                           "solver/stopped_impacts", "solver/lasting", "state", "summary"})
    ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
  for (const std::string of : {"joint", "constraint"})
    for (const char* part : {"_body", "_parent", "_point", "_axis"})
      ASSERT_GE(H5Ldelete(file, ("revisions/0/" + of + part).c_str(), H5P_DEFAULT), 0);
  for (const char* name : {"revisions/0/constraint_name", "revisions/0/constraint_kind"})
    ASSERT_GE(H5Ldelete(file, name, H5P_DEFAULT), 0);
  const hid_t booked = H5Dopen2(file, "ledger/booked", H5P_DEFAULT), space = H5Dget_space(booked);
  hsize_t size[2];
  ASSERT_EQ(H5Sget_simple_extent_dims(space, size, nullptr), 2);
  size[1] = 18;  // without the account of breaking
  ASSERT_GE(H5Dset_extent(booked, size), 0);
  H5Sclose(space), H5Dclose(booked);
  const hid_t format = H5Aopen(file, "format", H5P_DEFAULT);
  const std::int64_t five = 5;
  ASSERT_GE(H5Awrite(format, H5T_NATIVE_INT64, &five), 0);
  H5Aclose(format), H5Fclose(file);
}

TEST(RecordedReactions, Format5IsStillRead) {
  const Folder folder;
  const RecordedFiles files = record(folder.path(), compile(scene()).or_exit(), 5);
  make_format_5(files.hdf5);
  const Recording r = load_recording(files.hdf5).or_exit();
  EXPECT_EQ(r.header.format, 5);
  EXPECT_EQ(r.frames(), 6u);
  EXPECT_EQ(r.reactions, 0u);
  EXPECT_EQ(labels(r, "axle.position"), "axle.position [rad] ");
  EXPECT_NE(message(r, "hook.force").find("no body or joint \"hook\""), std::string::npos);
}

// Gears have two reactions, what rolls one: in recordings under their names, and as curves.
TEST(RecordedReactions, OfGearsAndOfWhatBindsVelocities) {
  Scene s;
  for (const char* name : {"one", "two", "ball"})
    s.add_body(name, {.shape = Sphere{0.1}, .mass = 1, .collides = false});
  s.bodies[2].value.position = {0, 0, 0.1};
  for (const char* name : {"one", "two"})
    s.add_joint(std::string(name) + "_axle", CoordinateJoint{.body = name, .axis = {0, 0, 1}});
  s.add_joint("teeth", GearJoint{.first = "one_axle", .second = "two_axle", .ratio = 3});
  s.add_joint("rolls", RollingJoint{.body = "ball", .radius = 0.1});
  const Model m = compile(s).or_exit();
  State x = initial_state(m, h);
  ASSERT_EQ(x.law_impulse.size(), 5u);  // the gear and its partner, three rows of the ball
  const Folder folder;
  RecorderSettings settings;
  settings.folder = folder.path(), settings.name = "recording";
  Recorder recorder = Recorder::open(settings).or_exit();
  recorder.on_start(m, x).or_exit();
  x.step_count = 1, x.time = h, x.law_impulse = {0.02, 0, 0, 0, 0.05};
  recorder.on_step(m, x, synthetic::report(1, 1e-8), {}).or_exit();
  const Recording r =
      load_recording(recorder.finish(m, x, {}, 1, "reached the end").or_exit().hdf5).or_exit();
  std::string names;
  for (const ReactionInfo& i : r.revisions[0].reactions) names += i.name + " (" + i.kind + ") ";
  EXPECT_EQ(names,
            "one_axle (revolute) two_axle (revolute) teeth (gear) teeth.second (gear) rolls (rolling) ");
  const auto last = [&](const std::string& name) { return trajectories(r, name).or_exit()[0].value[1]; };
  EXPECT_NEAR(last("teeth.torque.z"), 2, 1e-12);         // 0.02 N m s in 0.01 s
  EXPECT_NEAR(last("teeth.second.torque.z"), 6, 1e-12);  // times the ratio
  EXPECT_NEAR(last("rolls.force.z"), 5, 1e-12);
  EXPECT_NE(message(r, "rolls.position").find("Known are force and torque"), std::string::npos)
      << message(r, "rolls.position");
}

// Written by the program before trees had reactions, and cut off: an arm on a hinge with coordinates, and a
// lamp of 3 kg at g = 10 m/s^2 on a constraint.
TEST(RecordedReactions, AJournalOfFormat7HasThoseOfConstraints) {
  const Folder folder;
  const std::string hdf5 = folder / "now.h5",
                    journal = STICTION_SOURCE_DIR "/tests/unit/record/data/format_7.journal";
  ASSERT_TRUE(write_hdf5(journal, hdf5));
  for (const std::string& path : {journal, hdf5}) {
    const Recording r = load_recording(path).or_exit();
    ASSERT_GT(r.frames(), 2u);
    EXPECT_EQ(r.reactions, 1u);
    EXPECT_EQ(r.revisions[0].reactions[0].kind, "lock");
    EXPECT_NEAR(trajectories(r, "hook.force.z").or_exit()[0].value[2], 30, 1e-9);
    EXPECT_NE(trajectories(r, "hinge.position").or_exit()[0].value[2], 0);
    EXPECT_NE(message(r, "hinge.force").find("Known are position or velocity"), std::string::npos)
        << message(r, "hinge.force");
  }
}

// Written by the program before impacts were certified and counted: a ball that is dropped from 0.05 m at g =
// 10 m/s^2 and bounces, a frame every 0.05 s.
TEST(RecordedImpacts, AFileOfFormat8HasNone) {
  const Recording r = load_recording(STICTION_SOURCE_DIR "/tests/unit/record/data/format_8.h5").or_exit();
  EXPECT_EQ(r.header.format, 8);
  ASSERT_EQ(r.frames(), 5u);
  EXPECT_NEAR(r.position[r.at(1, 1)].z, 0.15 - 5 * 0.05 * (0.05 + 0.01), 1e-12);  // five steps of 0.01 s
  ASSERT_TRUE(r.summary.has_value());
  EXPECT_EQ(r.summary->hash, 0x96bd76034fd47452u);
  EXPECT_EQ(r.since[4].worst.impact, 0);
  EXPECT_EQ(r.since[4].impacts, 0);
}

// Written by the program before certificates had numbers of bodies, momentum and energy: the same ball.
TEST(RecordedImpacts, AFileOfFormat9HasThemAndNoneOfBodiesAndEnergy) {
  const Recording r = load_recording(STICTION_SOURCE_DIR "/tests/unit/record/data/format_9.h5").or_exit();
  EXPECT_EQ(r.header.format, 9);
  ASSERT_EQ(r.frames(), 5u);
  ASSERT_TRUE(r.summary.has_value());
  EXPECT_EQ(r.summary->hash, 0x96bd76034fd47452u);
  EXPECT_EQ(r.summary->total.impacts, 2);
  EXPECT_EQ(r.since[4].worst.energy, 0);
  EXPECT_GT(r.since[4].worst.tolerance, 0);
}

// Written by the program before reactions were recorded: three bodies of a slider-crank, a frame every 0.25
// s.
TEST(RecordedReactions, AJournalOfFormat4IsReadConvertedAndNotGoneOnWith) {
  const Folder folder;
  const std::string journal = STICTION_SOURCE_DIR "/tests/unit/record/data/format_4.journal";
  const Recording r = load_recording(journal).or_exit();
  EXPECT_EQ(r.header.format, 4);
  EXPECT_GT(r.frames(), 2u);
  EXPECT_TRUE(r.revisions[0].constraints.empty());
  // the crank is 0.3 m long, its middle stays 0.15 m from the origin; the books have 17 accounts and close
  for (std::size_t f = 0; f < r.frames(); ++f) {
    EXPECT_NEAR(norm(r.position[r.at(f, 0)]), 0.15, 1e-9);
    double booked = r.ledger[0].kinetic - r.ledger[f].kinetic;
    for (const double joules : r.ledger[f].booked) booked += joules;
    EXPECT_NEAR(booked, 0, 1e-11);
  }

  const std::string hdf5 = folder / "now.h5";
  ASSERT_TRUE(write_hdf5(journal, hdf5));
  const Recording again = load_recording(hdf5).or_exit();
  EXPECT_EQ(again.header.format, recording_format);
  EXPECT_EQ(again.position, r.position);
  EXPECT_EQ(again.hash, r.hash);

  const auto point = find_resume_point(journal);
  ASSERT_FALSE(point);
  EXPECT_NE(point.mistakes()[0].message.find("earlier version (format 4)"), std::string::npos);
}

// A count that the columns do not have never reaches a visitor.
TEST(RecordedReactions, FramesHaveTheReactionsOfTheirRevision) {
  const Folder folder;
  const Model m = compile(scene()).or_exit();
  const Recording good = load_recording(record(folder.path(), m, 1).journal).or_exit();
  for (const std::size_t count : {3u, 2u, 4u, 0u}) {
    SCOPED_TRACE(count);
    Frame frame;
    frame.position.resize(3), frame.orientation.resize(3), frame.velocity.resize(3), frame.spin.resize(3);
    frame.alive.resize(3);
    frame.joint_position.resize(1), frame.joint_velocity.resize(1);
    frame.reaction_force.resize(count), frame.reaction_torque.resize(count);
    const std::string path = folder / "made.journal";
    JournalWriter writer = JournalWriter::create(path, good.header).or_exit();
    ASSERT_TRUE(writer.append(describe(m, 0, {})) && writer.append(frame));
    EXPECT_EQ(bool(load_recording(path)), count == 3);
    EXPECT_EQ(bool(digest_recording(path, {.plot = {"weld.force"}})), count == 3);
  }
}

}  // namespace
}  // namespace stiction
