// Joints as coordinates in scene files.
#include "support.h"

namespace stiction {
namespace {

using test::good;
using test::mistakes_in;
using test::Texts;
using tree::JointKind;

const std::string bodies = R"("bodies": {
  "a": {"shape": {"box": [1, 1, 1]}, "mass": 1}, "b": {"shape": {"box": [1, 1, 1]}, "mass": 1, "at": [2, 0, 0]}},
)";
std::string scene(const std::string& rest) { return "{\"stiction\": 1, " + bodies + rest + "}"; }
CoordinateJoint only(const SceneFile& file) {
  return std::get<CoordinateJoint>(file.scene.joints.at(0).value);
}

TEST(JointFiles, EveryKey) {
  const SceneFile f = good(scene(R"("joints": {"j": {"screw": {
    "body": "b", "parent": "a", "at": [1, 0, 0], "axis": [2, 0, 0], "pitch": 0.1, "stiffness": 5, "rest": 0.2,
    "damping": [0.3], "force": [1, 2, 3], "time": [0, 1, 2]}}},
    "initial": {"j": {"joint_position": 0.4, "joint_velocity": [0.5]}})"));
  const CoordinateJoint j = only(f);
  EXPECT_EQ(j.kind, JointKind::screw);
  EXPECT_EQ(j.body, "b");
  EXPECT_EQ(j.parent, "a");
  EXPECT_EQ(j.at, (Vec3{1, 0, 0}));
  EXPECT_EQ(j.axis, (Vec3{2, 0, 0}));
  EXPECT_EQ(j.pitch, 0.1);
  using Numbers = std::vector<double>;
  EXPECT_EQ(j.stiffness, Numbers{5});
  EXPECT_EQ(j.rest, Numbers{0.2});
  EXPECT_EQ(j.damping, Numbers{0.3});
  EXPECT_EQ(j.time, (Numbers{0, 1, 2}));
  EXPECT_EQ(j.force, (std::vector<Numbers>{{1}, {2}, {3}}));
  EXPECT_EQ(j.position, Numbers{0.4});
  EXPECT_EQ(j.velocity, Numbers{0.5});
}

TEST(JointFiles, EveryKind) {
  for (int i = 0; i < tree::joint_kind_count; ++i) {
    const auto kind = JointKind(i);
    if (kind == JointKind::free) continue;
    const std::string extra = kind == JointKind::planar ? ", \"parent\": \"a\"" : "";
    EXPECT_EQ(only(good(scene("\"joints\": {\"j\": {\"" + std::string(tree::name_of(kind)) +
                              "\": {\"body\": \"b\"" + extra + "}}}")))
                  .kind,
              kind);
  }
}

TEST(JointFiles, OtherWordsForAKindAreUnderstoodInTheHint) {
  for (const auto& [word, kind] :
       {std::pair{"hinge", "revolute"}, {"slider", "prismatic"}, {"ball", "spherical"}}) {
    const Texts said =
        mistakes_in(scene("\"joints\": {\"j\": {\"" + std::string(word) + "\": {\"body\": \"b\"}}}"));
    ASSERT_EQ(said.size(), 1u);  // one mistake, one message
    EXPECT_NE(said[0].find("did you mean \"" + std::string(kind) + "\"?"), std::string::npos) << said[0];
  }
}

TEST(JointFiles, CurvesOfJoints) {
  const std::string joints =
      R"("joints": {"j": {"spherical": {"body": "b"}}, "k.0": {"fixed": {"body": "a"}}},)";
  const auto plot = [&](const std::string& curve) {
    return mistakes_in(scene(joints + "\"record\": {\"plot\": [\"" + curve + "\"]}"));
  };
  for (const char* curve : {"j.position", "j.velocity", "j.position.w", "j.velocity.2", "b.position.x"})
    EXPECT_EQ(plot(curve), Texts{}) << curve;
  for (const auto& [curve, words] : {std::pair{"j.velocity.w", "must be 0, 1 or 2"},
                                     {"j.position.0", "must be w, x, y or z"},
                                     {"j.spin", "must be position, velocity, force or torque"},
                                     {"k.0.position", "no coordinates"},
                                     {"i.position", "there is no body or joint \"i\""},
                                     {"b.position.1", "no component \"1\""}}) {
    ASSERT_EQ(plot(curve).size(), 1u) << curve;
    EXPECT_NE(plot(curve)[0].find(words), std::string::npos) << plot(curve)[0];
  }
}

TEST(JointFiles, AForceIsOneRowOrATable) {
  const auto rows = [](const std::string& force) {
    return only(good(scene("\"joints\": {\"j\": {\"universal\": {\"body\": \"b\", " + force + "}}}"))).force;
  };
  using Rows = std::vector<std::vector<double>>;
  EXPECT_EQ(rows("\"force\": [1, 2]"), (Rows{{1, 2}}));
  EXPECT_EQ(rows("\"force\": [[1, 2], [3, 4]], \"time\": [0, 1]"), (Rows{{1, 2}, {3, 4}}));
}

TEST(JointFiles, APlainPlanarJointIsNoTree) {
  const SceneFile f = good(scene(R"("joints": {"j": {"planar": {"body": "b", "normal": [0, 0, 1]}}})"));
  EXPECT_EQ(std::get<PlanarJoint>(f.scene.joints[0].value).normal, (Vec3{0, 0, 1}));
  const SceneFile damped =
      good(scene(R"("joints": {"j": {"planar": {"body": "b", "normal": [0, 0, 1], "damping": 1}}})"));
  EXPECT_EQ(only(damped).axis, (Vec3{0, 0, 1}));
}

TEST(JointFiles, InitialTakesPatternsOfJoints) {
  const SceneFile f = good(R"({"stiction": 1,
    "initial": {"j.*": {"joint_position": "=0.1*$i+0.1"}, "j.1": {"joint_velocity": 7}},
    "bodies": {"b": {"repeat": {"count": 3, "offset": [1, 0, 0]}, "shape": {"sphere": 0.1}, "mass": 1}},
    "joints": {"j": {"repeat": {"count": 3}, "revolute": {"body": "b.{$i}"}}}})");
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& j = std::get<CoordinateJoint>(f.scene.joints[i].value);
    EXPECT_DOUBLE_EQ(j.position.at(0), 0.1 * double(i + 1));
    EXPECT_EQ(j.velocity, i == 1 ? std::vector<double>{7} : std::vector<double>{});
  }
}

TEST(JointFiles, Mistakes) {
  EXPECT_EQ(
      mistakes_in(scene("\"joints\": {\"j\": {\"revolut\": {\"body\": \"b\"}}}")),
      (Texts{"3:18: joints.j.revolut: unknown key \"revolut\", allowed: planar, fixed, revolute, prismatic, "
             "cylindrical, screw, universal, spherical, constraint, gear, rolling, knife_edge, pfaffian or "
             "repeat; did you mean \"revolute\"?"}));
  EXPECT_EQ(
      mistakes_in(scene("\"joints\": {\"j\": {\"revolute\": {\"parent\": \"b\"}}}")),
      (Texts{"3:30: joints.j.revolute: the key `body` is missing: Name of the body that hangs on it."}));
  EXPECT_EQ(mistakes_in(scene("\"joints\": {\"j\": {\"revolute\": {\"body\": \"b\", \"stiffness\": -1}}}")),
            (Texts{"3:57: joints.j.revolute.stiffness: found -1, must be 0 N/m, N m/rad or more"}));
  EXPECT_EQ(
      mistakes_in(scene("\"joints\": {\"j\": {\"revolute\": {\"body\": \"b\", \"force\": \"x\"}}}")),
      (Texts{"3:53: joints.j.revolute.force: found the text \"x\", must be a number or a list [N, N m]"}));
  EXPECT_EQ(mistakes_in(scene("\"joints\": {\"j\": {\"revolute\": {\"body\": \"b\"}}},\n"
                              "\"initial\": {\"j\": {\"joint_position\": [1, 2]}}")),
            (Texts{"4:37: initial.j.joint_position: found 2 numbers, a revolute joint has 1 coordinate"}));
  EXPECT_EQ(
      mistakes_in(scene("\"joints\": {\"j\": {\"revolute\": {\"body\": \"b\"}}},\n"
                        "\"initial\": {\"j\": {\"velocity\": [1, 2, 3]}}")),
      (Texts{
          "4:31: initial.j.velocity: \"j\" is a joint: it starts with joint_position and joint_velocity"}));
  EXPECT_EQ(mistakes_in(scene("\"joints\": {\"j\": {\"revolute\": {\"body\": \"b\"}}},\n"
                              "\"initial\": {\"b\": {\"joint_velocity\": 1}}")),
            (Texts{"4:18: initial.b: \"b\" is a body: joint_position and joint_velocity belong to a joint"}));
  EXPECT_EQ(
      mistakes_in(scene("\"joints\": {\"j\": {\"planar\": {\"body\": \"b\"}}},\n"
                        "\"initial\": {\"j\": {\"joint_velocity\": 1}}")),
      (Texts{"4:18: initial.j: the joint \"j\" has no coordinates of its own: say how its body starts"}));
  EXPECT_EQ(
      mistakes_in(scene("\"joints\": {\"j\": {\"revolute\": {\"body\": \"b\"}}},\n"
                        "\"initial\": {\"b\": {\"velocity\": [1, 0, 0]}}")),
      (Texts{"4:31: initial.b.velocity: found [1, 0, 0] m/s, but the joint \"j\" gives it [0, 0, 0]: say how "
             "the joint starts instead (initial.j.joint_velocity)"}));
  EXPECT_EQ(
      mistakes_in(scene("\"run\": {\"method\": \"implicit_euler\"}, \"joints\": {\"j\": {\"revolute\": "
                        "{\"body\": \"b\"}}}")),
      (Texts{"3:19: run.method: found \"implicit_euler\", which does not know trees, but the revolute joint "
             "\"j\" makes one: use \"coulomb\", \"rk4\" or \"variational\""}));
}

}  // namespace
}  // namespace stiction
