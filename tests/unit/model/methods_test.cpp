// The table of methods: what a line of it says is what validate() does.
#include "stiction/model/methods.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "stiction/model/model.h"
#include "stiction/model/run_settings.h"

namespace stiction {
namespace {

RunSettings by(const MethodTraits& t) { return {.method = t.method}; }

/// A ball beside a plane that it may touch, or not.
Scene ball(bool may_touch) {
  Scene s;
  s.add_surface("glass", {.friction = 0.3});
  BodyDescription b;
  b.shape = Sphere{0.1}, b.mass = 1, b.position = {0, 0, 1}, b.collides = may_touch, b.surface = "glass";
  s.add_body("ball", b);
  BodyDescription other = b;
  other.position = {1, 0, 1};
  s.add_body("other", other);
  BodyDescription floor;
  floor.kind = fixed, floor.shape = HalfSpace{}, floor.surface = "glass";
  s.add_body("floor", floor);
  return s;
}

ConstraintJoint hinge(const std::string& body) {
  ConstraintJoint c;
  c.kind = constraints::Kind::hinge, c.body = body;
  return c;
}

struct Ability {
  const char* what;
  std::function<Scene()> scene;
  std::function<bool(const MethodTraits&)> known;
};

const std::vector<Ability>& abilities() {
  using T = MethodTraits;
  static const auto with = [](auto joint) {
    Scene s = ball(false);
    s.add_joint("joint", joint);
    return s;
  };
  static const auto on_glass = [](auto change) {
    Scene s = ball(true);
    change(s.surfaces[0].value);
    return s;
  };
  static const std::vector<Ability> all{
      {"nothing", [] { return ball(false); }, [](const T&) { return true; }},
      {"contact", [] { return ball(true); }, [](const T& t) { return t.handles_contact(); }},
      {"restitution", [] { return on_glass([](SurfaceDescription& s) { s.restitution = 0.5; }); },
       [](const T& t) { return t.handles_contact() && t.restitution; }},
      {"grain",
       [] { return on_glass([](SurfaceDescription& s) {
              s.grain = {1, 0, 0}, s.friction_along = 0.1;
            }); },
       [](const T& t) { return t.handles_contact() && t.surfaces != T::Surfaces::one_coefficient; }},
      {"kinetic friction", [] { return on_glass([](SurfaceDescription& s) { s.kinetic_friction = 0.2; }); },
       [](const T& t) { return t.handles_contact() && t.surfaces == T::Surfaces::all; }},
      {"rolling friction", [] { return on_glass([](SurfaceDescription& s) { s.rolling_length = 0.001; }); },
       [](const T& t) { return t.handles_contact() && t.surfaces == T::Surfaces::all; }},
      {"a tree",
       [] {
         CoordinateJoint j;
         j.kind = tree::JointKind::revolute, j.body = "ball";
         return with(j);
       },
       [](const T& t) { return t.trees; }},
      {"a motor",
       [] {
         CoordinateJoint j;
         j.kind = tree::JointKind::revolute, j.body = "ball", j.motor.force = {1}, j.motor.speed = {1};
         return with(j);
       },
       [](const T& t) { return t.laws; }},
      {"a constraint", [] { return with(hinge("ball")); }, [](const T& t) { return t.constraints; }},
      {"a limit of a constraint",
       [] {
         ConstraintJoint c = hinge("ball");
         c.limits.lower = {-1};
         return with(c);
       },
       [](const T& t) { return t.constraints && t.laws; }},
      {"a constraint that gives way",
       [] {
         ConstraintJoint c = hinge("ball");
         c.compliance = 1e-6;
         return with(c);
       },
       [](const T& t) { return t.soft_joints; }},
      {"a blade",
       [] {
         KnifeEdgeJoint k;
         k.body = "ball";
         return with(k);
       },
       [](const T& t) { return t.couplings; }},
      {"a constraint on a link",
       [] {
         CoordinateJoint j;
         j.kind = tree::JointKind::revolute, j.body = "ball";
         Scene s = with(j);
         ConstraintJoint c = hinge("other");
         c.parent = "ball";
         s.add_joint("second", c);
         return s;
       },
       [](const T& t) { return t.couplings && t.trees; }},
  };
  return all;
}

TEST(Methods, RefuseWhatTheirLineSays) {
  for (const Ability& a : abilities()) {
    const Scene scene = a.scene();
    const std::vector<Mistake> wrong = validate(scene);
    ASSERT_TRUE(wrong.empty()) << a.what << ": " << wrong.front().text();
    for (const MethodTraits& t : method_traits()) {
      const std::vector<Mistake> found = validate(scene, by(t));
      EXPECT_EQ(found.empty(), a.known(t)) << t.word << ", " << a.what;
      for (const Mistake& m : found)
        EXPECT_NE(m.message.find(t.word), std::string::npos) << m.message;  // who refuses is named
    }
  }
}

TEST(Methods, TakeTheSettingsThatTheirLineSays) {
  using T = MethodTraits;
  for (const T& t : method_traits()) {
    RunSettings s = by(t);
    EXPECT_TRUE(validate(s).empty()) << t.word;
    s.sleep = true;
    EXPECT_EQ(validate(s).empty(), t.sleep) << t.word;
    s = by(t), s.nonlinear = true;
    EXPECT_EQ(validate(s).empty(), t.nonlinear) << t.word;
    s = by(t), s.stabilisation = Stabilisation::anitescu_hart;
    EXPECT_EQ(validate(s).empty(), t.stabilisation != T::Stabilisations::post_or_none) << t.word;
    s.stabilisation = Stabilisation::none;
    EXPECT_TRUE(validate(s).empty()) << t.word;
  }
}

TEST(Methods, WhatCountsFollowsFromTheTable) {
  const auto counts = [](RunSettings s) {
    return std::string(holds_gaps(s) ? "g" : "-") + (holds_joints(s) ? "j" : "-") +
           (has_round_cones(s) ? "r" : "-") + (holds_energy(s) ? "e" : "-");
  };
  EXPECT_EQ(counts({.method = Method::coulomb}), "gjre");
  EXPECT_EQ(counts({.method = Method::implicit_geometry}), "gjr-");
  EXPECT_EQ(counts({.method = Method::event_driven}), "g-re");
  EXPECT_EQ(counts({.method = Method::moreau_jean}), "gjr-");
  EXPECT_EQ(counts({.method = Method::moreau_jean, .stabilisation = Stabilisation::none}), "--r-");
  EXPECT_EQ(counts({.method = Method::stewart_trinkle, .stabilisation = Stabilisation::none}), "----");
  EXPECT_EQ(
      counts({.method = Method::stewart_trinkle, .stabilisation = Stabilisation::none, .nonlinear = true}),
      "g---");
  EXPECT_EQ(
      counts({.method = Method::anitescu_potra, .stabilisation = Stabilisation::none, .nonlinear = true}),
      "----");
  EXPECT_EQ(counts({.method = Method::rk4_projected}), "gjre");
  EXPECT_EQ(counts({.method = Method::cline_pai}), "gjre");
  EXPECT_EQ(counts({.method = Method::cline_pai, .stabilisation = Stabilisation::none}), "g-re");
  for (const Method m : {Method::explicit_euler, Method::semi_implicit_euler, Method::implicit_euler,
                         Method::velocity_verlet, Method::rk4, Method::variational, Method::spook})
    EXPECT_EQ(counts({.method = m}), "g-re") << word_of(m);
}

TEST(Methods, AreFoundByTheirWords) {
  const std::span<const std::string> words = words_of<Method>();
  ASSERT_EQ(words.size(), method_traits().size());
  for (std::size_t i = 0; i < method_traits().size(); ++i) {
    const MethodTraits& t = method_traits()[i];
    EXPECT_EQ(words[i], t.word);
    EXPECT_EQ(choice_of<Method>(t.word), t.method);
    EXPECT_EQ(word_of(t.method), t.word);
    EXPECT_EQ(&traits_of(t.method), &t);
    EXPECT_GT(std::string(t.about).size(), 20u);
  }
  EXPECT_EQ(choice_of<Method>("of nobody"), std::nullopt);
  EXPECT_EQ(methods_that([](const MethodTraits& t) { return t.restitution; }),
            "\"coulomb\", \"moreau_jean\" or \"event_driven\"");
  EXPECT_EQ(methods_that([](const MethodTraits&) { return false; }), "");
}

/// Cells of the first table of docs/methods.md, by method.
TEST(Methods, ThePageSaysTheSame) {
  std::ifstream page(std::string(STICTION_SOURCE_DIR) + "/docs/methods.md");
  ASSERT_TRUE(page.is_open());
  std::map<std::string, std::vector<std::string>> rows;
  for (std::string line; std::getline(page, line) && rows.size() < method_traits().size();) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream in(line.substr(2));
    for (std::string cell; std::getline(in, cell, '|');) {
      const auto end = cell.find_last_not_of(' '), begin = cell.find_first_not_of(' ');
      cells.push_back(end == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
    }
    rows[cells[0].substr(1, cells[0].size() - 2)] = cells;
  }
  for (const MethodTraits& t : method_traits()) {
    ASSERT_TRUE(rows.contains(t.word)) << t.word;
    const std::vector<std::string>& row = rows[t.word];
    ASSERT_EQ(row.size(), 13u) << t.word;
    const auto word = [](bool can) { return can ? "yes" : "no"; };
    const char* contact[] = {"none", "round", "corners"};
    EXPECT_EQ(row[1], contact[int(t.contact)]) << t.word;
    if (t.handles_contact()) {
      const char* surfaces[] = {"all", "one coefficient, or a grain", "one coefficient"};
      EXPECT_EQ(row[3], word(t.restitution)) << t.word;
      EXPECT_EQ(row[4], surfaces[int(t.surfaces)]) << t.word;
    }
    EXPECT_EQ(row[5], t.trees ? "yes" : "planar alone") << t.word;
    EXPECT_EQ(row[6], word(t.constraints)) << t.word;
    EXPECT_EQ(row[7], word(t.laws)) << t.word;
    EXPECT_EQ(row[8], word(t.couplings)) << t.word;
    EXPECT_EQ(row[9], word(t.soft_joints)) << t.word;
    if (t.stabilisation == MethodTraits::Stabilisations::post_or_none) {
      EXPECT_EQ(row[10], "post, none") << t.word;
    }
    if (t.stabilisation == MethodTraits::Stabilisations::any) {
      EXPECT_EQ(row[10], "post, baumgarte, none, anitescu_hart") << t.word;
    }
    EXPECT_EQ(row[11], word(t.sleep)) << t.word;
  }
}

}  // namespace
}  // namespace stiction
