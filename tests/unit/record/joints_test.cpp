// Coordinates of joints in recordings: journal, HDF5, columns, curves by name, CSV, inputs.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "stiction/base/platform/file.h"
#include "stiction/record/csv.h"
#include "stiction/record/hdf5.h"
#include "stiction/record/journal.h"
#include "stiction/record/recording.h"
#include "unit/record/synthetic_run.h"

namespace stiction {
namespace {

using synthetic::Folder;
using tree::JointKind;

/// A hinge, a ball on it, and a slider on a free body: coordinates of every unit.
Scene arm() {
  Scene s;
  for (const char* name : {"upper", "lower", "boat", "mast"})
    s.add_body(name, {.shape = Sphere{0.1}, .mass = 1, .collides = false});
  s.add_joint("hinge", CoordinateJoint{.kind = JointKind::revolute, .body = "upper"});
  s.add_joint("ball", CoordinateJoint{.kind = JointKind::spherical, .body = "lower", .parent = "upper"});
  s.add_joint("sleeve", CoordinateJoint{.kind = JointKind::cylindrical, .body = "mast", .parent = "boat"});
  return s;
}

/// Number k of coordinates or velocities after a step.
double number(std::int64_t step, std::size_t k, bool velocity) {
  return double(step) + 0.01 * double(k) + (velocity ? 0.5 : 0.0);
}

RecordedFiles record(const std::string& folder, const Model& m, int steps) {
  RecorderSettings settings;
  settings.folder = folder, settings.name = "recording", settings.program = "test";
  settings.setup.run.step = 0.01;
  Recorder recorder = Recorder::open(settings).or_exit();
  State x = initial_state(m, 0.01);
  const auto set = [&](std::int64_t step) {
    x.step_count = step, x.time = 0.01 * double(step);
    for (std::size_t k = 0; k < x.joint_position.size(); ++k) x.joint_position[k] = number(step, k, false);
    for (std::size_t k = 0; k < x.joint_velocity.size(); ++k) x.joint_velocity[k] = number(step, k, true);
  };
  set(0);
  recorder.on_start(m, x).or_exit();
  for (int i = 1; i <= steps; ++i) {
    set(i);
    Input input;
    if (i == 2) {
      input.force(BodyId{1, 0}, {1, 2, 3});
      input.torque(JointId{0, 0}, 2.5);
      input.torque(JointId{1, 0}, -1.5, 2);
    }
    recorder.on_step(m, x, synthetic::report(i, 1e-8), {}, input).or_exit();
  }
  return recorder.finish(m, x, {}, 1, "reached the end").or_exit();
}

struct Inputs : RecordingVisitor {
  std::vector<InputRecord> all;
  void on_input(const InputRecord& x) override { all.push_back(x); }
};

TEST(RecordedJoints, AreTheSameInJournalAndHdf5) {
  const Folder folder;
  const Model m = compile(arm()).or_exit();
  const RecordedFiles files = record(folder.path(), m, 40);
  for (const std::string& path : {files.journal, files.hdf5}) {
    SCOPED_TRACE(path);
    const Recording r = load_recording(path).or_exit();
    ASSERT_EQ(r.frames(), 41u);
    EXPECT_EQ(r.positions, 1u + 4 + 7 + 2);
    EXPECT_EQ(r.velocities, 1u + 3 + 6 + 2);
    for (std::size_t f = 0; f < r.frames(); ++f) {
      for (std::size_t k = 0; k < r.positions; ++k)
        ASSERT_EQ(r.joint_position[f * r.positions + k], number(r.step[f], k, false));
      for (std::size_t k = 0; k < r.velocities; ++k)
        ASSERT_EQ(r.joint_velocity[f * r.velocities + k], number(r.step[f], k, true));
    }
    ASSERT_EQ(r.revisions[0].joints.size(), 3u);
    Inputs inputs;
    visit_recording(path, inputs).or_exit();
    ASSERT_EQ(inputs.all.size(), 1u);
    EXPECT_EQ(inputs.all[0].step, 2);
    ASSERT_EQ(inputs.all[0].wrenches.size(), 1u);
    EXPECT_EQ(inputs.all[0].wrenches[0].force, (Vec3{1, 2, 3}));
    ASSERT_EQ(inputs.all[0].joints.size(), 2u);
    EXPECT_EQ(inputs.all[0].joints[0].joint, 0);
    EXPECT_EQ(inputs.all[0].joints[0].force, 2.5);
    EXPECT_EQ(inputs.all[0].joints[1].coordinate, 2);
  }
  // thinned as everything else is
  const Recording few = load_recording(files.hdf5, {.memory = 1}).or_exit();
  EXPECT_GT(few.thinning, 1);
  for (std::size_t f = 0; f < few.frames(); ++f)
    EXPECT_EQ(few.joint_position[f * few.positions + 3], number(few.step[f], 3, false));
}

TEST(RecordedJoints, HaveCurves) {
  const Folder folder;
  const Model m = compile(arm()).or_exit();
  const Recording r = load_recording(record(folder.path(), m, 5).hdf5).or_exit();
  const auto labels = [&](const std::string& name) {
    std::string out;
    for (const Trajectory& t : trajectories(r, name).or_exit()) out += t.label + " [" + t.unit + "] ";
    return out;
  };
  EXPECT_EQ(labels("hinge.position"), "hinge.position [rad] ");
  EXPECT_EQ(labels("hinge.velocity"), "hinge.velocity [rad/s] ");
  EXPECT_EQ(labels("ball.position"),
            "ball.position.w [1] ball.position.x [1] ball.position.y [1] ball.position.z [1] ");
  EXPECT_EQ(labels("ball.velocity.1"), "ball.velocity.1 [rad/s] ");
  EXPECT_EQ(labels("sleeve.position"), "sleeve.position.0 [m] sleeve.position.1 [rad] ");
  EXPECT_EQ(labels("sleeve.velocity"), "sleeve.velocity.0 [m/s] sleeve.velocity.1 [rad/s] ");
  const JointInfo& hinge = *std::find_if(r.revisions[0].joints.begin(), r.revisions[0].joints.end(),
                                         [](const JointInfo& j) { return j.name == "hinge"; });
  const Trajectory curve = trajectories(r, "hinge.velocity").or_exit()[0];
  for (std::size_t f = 0; f < r.frames(); ++f)
    EXPECT_EQ(curve.value[f], number(r.step[f], std::size_t(hinge.velocity_begin), true));

  const auto message = [&](const std::string& name) {
    const auto found = trajectories(r, name);
    return found ? std::string() : found.mistakes()[0].message;
  };
  EXPECT_NE(message("hinge.positio").find("\"position\""), std::string::npos) << message("hinge.positio");
  EXPECT_NE(message("ball.velocity.w").find("components are 0, 1 or 2"), std::string::npos)
      << message("ball.velocity.w");
  EXPECT_NE(message("hing.position").find("did you mean \"hinge\""), std::string::npos)
      << message("hing.position");

  // curves of a digest, and what a scene may ask for
  const RecordingDigest digest = digest_recording(r.path, {.plot = {"hinge.position"}}).or_exit();
  EXPECT_EQ(trajectories(digest.curves, "hinge.position").or_exit()[0].value.size(), r.frames());
  const std::vector<std::string> fine{"hinge.position", "upper.position"}, wrong{"hinge.spin"};
  EXPECT_TRUE(check_curves(m, fine, "scene").empty());
  EXPECT_EQ(check_curves(m, wrong, "scene").size(), 1u);
}

TEST(RecordedJoints, HaveATableOfTheirOwn) {
  const Folder folder;
  const RecordedFiles files = record(folder.path(), compile(arm()).or_exit(), 2);
  const CsvFiles tables = write_csv(files.hdf5, folder.path() + "/t").or_exit();
  std::istringstream in(read_file(tables.joints).value());
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "time [s],joint,quantity,component,unit,value");
  int lines = 0;
  bool seen = false;
  for (; std::getline(in, line); ++lines) seen |= line.starts_with("0.02,sleeve,velocity,0,m/s,2.");
  // frames, times the numbers of hinge, ball and sleeve, and force and torque of each
  EXPECT_EQ(lines, 3 * (1 + 1 + 4 + 3 + 2 + 2 + 3 * 6));
  EXPECT_TRUE(seen);
}

TEST(RecordedJoints, NoTableWithoutJoints) {
  const Folder folder;
  const RecordedFiles files = synthetic::record(folder.path(), 3, 0);
  const CsvFiles tables = write_csv(files.hdf5, folder.path() + "/t").or_exit();
  EXPECT_TRUE(tables.joints.empty());
  EXPECT_FALSE(file_exists(folder.path() + "/t.joints.csv"));
}

/// Another value for a number of the first revision; the seal goes with the change.
void damage(const std::string& path, const char* attribute, std::int64_t value) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t group = H5Gopen2(file, "revisions/0", H5P_DEFAULT);
  const hid_t at = H5Aopen(group, attribute, H5P_DEFAULT);
  ASSERT_GE(at, 0);
  ASSERT_GE(H5Awrite(at, H5T_NATIVE_INT64, &value), 0);
  H5Aclose(at);
  H5Gclose(group);
  H5Fclose(file);
}

struct Revisions : RecordingVisitor {
  int count = 0;
  void on_revision(const Revision&) override { ++count; }
};

// One more number than the columns have, a flipped high bit, and the largest number: none reaches a visitor,
// who would take memory for it (2^31 coordinates of one frame are 16 GB).
TEST(RecordedJoints, DamagedCountsAreToldBeforeMemoryIsTaken) {
  const Folder folder;
  const RecordedFiles files = record(folder.path(), compile(arm()).or_exit(), 5);
  const std::string whole = read_file(files.hdf5).value();
  for (const char* attribute : {"joint_positions", "joint_velocities"})
    for (const std::int64_t value :
         {std::int64_t(15), std::int64_t(14) | 1 << 30, std::int64_t(std::numeric_limits<int>::max())}) {
      SCOPED_TRACE(std::string(attribute) + " " + std::to_string(value));
      const std::string path = folder / "hurt.h5";
      ASSERT_TRUE(write_file(path, whole));
      damage(path, attribute, value);
      Revisions seen;
      const auto visited = visit_recording(path, seen);
      ASSERT_FALSE(visited);
      EXPECT_EQ(seen.count, 0);
      EXPECT_NE(visited.mistakes()[0].text().find("is damaged"), std::string::npos);
      EXPECT_FALSE(load_recording(path));
    }
}

// The same in a journal, which has no columns to compare with: frames must have what their revision says.
TEST(RecordedJoints, FramesHaveTheCoordinatesOfTheirRevision) {
  const Folder folder;
  const Model m = compile(arm()).or_exit();
  const RecordedFiles files = record(folder.path(), m, 1);
  const Recording good = load_recording(files.journal).or_exit();
  for (const int more : {0, 1, std::numeric_limits<int>::max() - 14}) {
    SCOPED_TRACE(more);
    Revision revision = describe(m, 0, {});
    revision.joint_positions += more;
    Frame frame;
    frame.position.resize(4), frame.orientation.resize(4), frame.velocity.resize(4), frame.spin.resize(4);
    frame.alive.resize(4);
    frame.joint_position.resize(14), frame.joint_velocity.resize(12);
    frame.reaction_force.resize(3), frame.reaction_torque.resize(3);
    const std::string path = folder / "made.journal";
    JournalWriter writer = JournalWriter::create(path, good.header).or_exit();
    ASSERT_TRUE(writer.append(revision) && writer.append(frame));
    const auto loaded = load_recording(path);
    EXPECT_EQ(bool(loaded), more == 0);
    if (!loaded) {
      EXPECT_NE(loaded.mistakes()[0].text().find("frames that do not fit"), std::string::npos);
    }
    EXPECT_EQ(bool(digest_recording(path, {.plot = {"hinge.position"}})), more == 0);
  }
}

}  // namespace
}  // namespace stiction
