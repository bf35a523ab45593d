// Compounds, meshes and heightfields in scene files, and every way to get them wrong.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "unit/formats/support.h"

namespace stiction::test {
namespace {

std::string scene(const std::string& shape, const std::string& more = "\"static\": true") {
  return "{\"stiction\": 1, \"bodies\": {\"b\": {" + more + ", \"shape\": " + shape + "}}}";
}

void expect_said(const std::string& text, const std::string& words) {
  const Texts all = mistakes_in(text);
  bool found = false;
  for (const std::string& m : all) found = found || m.find(words) != std::string::npos;
  EXPECT_TRUE(found) << words << "\n" << testing::PrintToString(all);
}

const std::string square = R"("vertices": [[0,0,0],[1,0,0],[1,1,0],[0,1,0]])";

TEST(CompositeShapes, AreRead) {
  const SceneFile two = good(scene(R"({"compound": [{"shape": {"sphere": 0.1}, "at": [0,0,1]},
    {"shape": {"box": [1,2,3]}, "orientation": {"axis": [0,0,1], "degrees": 90}}]})",
                                   "\"mass\": 2"));
  const auto& compound = std::get<CompoundShape>(body(two, "b").shape);
  ASSERT_EQ(compound.parts().size(), 2u);
  EXPECT_EQ(compound.parts()[0].position, (Vec3{0, 0, 1}));
  const SceneFile mesh = good(scene("{\"mesh\": {" + square + ", \"triangles\": [[0,1,2],[0,2,3]]}}"));
  EXPECT_EQ(std::get<SurfaceShape>(body(mesh, "b").shape).count(), 2);
  const SceneFile field =
      good(scene(R"({"heightfield": {"heights": [[0,1,2],[3,4,5]], "spacing": [0.5, 2]}})"));
  EXPECT_EQ(std::get<SurfaceShape>(body(field, "b").shape).grid().heights[4], 4);
  const SceneFile wave =
      good(scene(R"({"heightfield": {"function": "2*$x+$y^2", "count": [4, 3], "spacing": 0.5}})"));
  const HeightGrid& grid = std::get<SurfaceShape>(body(wave, "b").shape).grid();
  EXPECT_EQ(grid.heights[2 * 4 + 3], 2 * 1.5 + 1);
  // the expanded scene stands alone
  EXPECT_EQ(std::get<SurfaceShape>(body(good(wave.text), "b").shape).grid().heights, grid.heights);
}

TEST(CompositeShapes, MistakesAreNamed) {
  expect_said(scene(R"({"compound": []})", "\"mass\": 1"), "found no part");
  expect_said(scene(R"({"compound": [{"shape": {"half_space": [0,0,1]}}]})"),
              "compound.0.shape: found half_space");
  expect_said(scene(R"({"compound": [{"shape": {"sphere": -1}}]})"), "shape.compound.0.shape.sphere");
  expect_said(scene(R"({"compound": [{"at": [0,0,0]}]})"), "`shape` is missing");
  expect_said(scene(R"({"mesh": {}})"), "give `file`, or `vertices` and `triangles`");
  expect_said(scene("{\"mesh\": {" + square + ", \"triangles\": [[0,1,9]]}}"),
              "triangles.0: found the vertices 0, 1, 9");
  expect_said(scene("{\"mesh\": {" + square + ", \"triangles\": [[0,1,1.5]]}}"), "whole number");
  expect_said(scene("{\"mesh\": {" + square + ", \"triangles\": [[0,1,1]]}}"), "has no area");
  expect_said(scene("{\"mesh\": {" + square + ", \"triangles\": [[0,1,2],[0,3,2]]}}"), "wound against");
  expect_said(scene("{\"mesh\": {" + square + ", \"triangles\": [[0,1,2]]}}", "\"mass\": 1"),
              "on a body that moves");
  expect_said(scene(R"({"mesh": {"file": "x.obj"}})"), "not in a file");
  expect_said(scene(R"({"heightfield": {"heights": [[0,1],[2]], "spacing": 1}})"), "heights.1: found");
  expect_said(scene(R"({"heightfield": {"heights": [[0,1]], "spacing": 1}})"), "at least 2 of 2");
  expect_said(scene(R"({"heightfield": {"spacing": 1}})"), "found no heights");
  expect_said(scene(R"({"heightfield": {"function": "$z", "count": [3,3], "spacing": 1}})"), "z");
  expect_said(scene(R"({"heightfield": {"function": "1", "spacing": 1}})"), "needs `count`");
  expect_said("{\"stiction\": 1, \"sensors\": {\"s\": {\"shape\": {\"mesh\": {" + square +
                  ", \"triangles\": [[0,1,2]]}}}}}",
              "a sensor's region is a convex shape or a compound");
}

/// A folder of its own, with a scene that names the mesh file.
Texts read_with(const std::string& name, const std::string& content, const std::string& more = "") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("stiction_mesh_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name) << content;
  std::ofstream(folder / "s.json") << scene("{\"mesh\": {\"file\": \"" + name + "\"" + more + "}}");
  const Result<SceneFile> r = read_scene_file((folder / "s.json").string());
  const Texts out = r ? Texts{} : mistakes_of(r);
  if (r) {
    const auto& mesh = std::get<SurfaceShape>(body(r.value(), "b").shape);
    EXPECT_EQ(mesh.count(), 1);
    EXPECT_NEAR(mesh.size(), more.empty() ? 2 : 0.002, 1e-12);
    EXPECT_EQ(r.value().text.find(name), std::string::npos);  // the recording plays without it
  }
  std::filesystem::remove_all(folder);
  return out;
}

TEST(CompositeShapes, MeshFilesAreRead) {
  const std::string obj = "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(read_with("a.obj", obj), Texts{});
  EXPECT_EQ(read_with("a.obj", obj, ", \"unit\": 0.001"), Texts{});
  EXPECT_EQ(read_with("a.stl",
                      "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\nvertex 0 1 0\n"
                      "endloop\nendfacet\nendsolid a\n"),
            Texts{});
  EXPECT_EQ(
      read_with(
          "a.ply",
          "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
          "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
          "0 0 0\n2 0 0\n0 1 0\n3 0 1 2\n"),
      Texts{});
}

TEST(CompositeShapes, FaultsOfMeshFilesAreNamed) {
  const auto said = [](const Texts& all, const std::string& words) {
    ASSERT_EQ(all.size(), 1u) << testing::PrintToString(all);
    EXPECT_NE(all[0].find(words), std::string::npos) << all[0];
  };
  said(read_with("a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 7\n"), "a.obj:4: found the vertex \"7\"");
  said(read_with("a.obj", "v 0 0 0\nv 2 nan 0\nv 0 1 0\nf 1 2 3\n"), "a.obj:2: found the coordinate \"nan\"");
  said(read_with("a.obj", "v 0 0 0\nv 2 0 0\nv 4 0 0\nf 1 2 3\n"), "triangles.0: has no area");
  said(read_with("a.stl", "no mesh"), "a.stl");
  said(read_with("a.txt", ""), ".obj, .stl and .ply are read");
  said(read_with("a.ply", "ply\nformat ascii 1.0\nelement vertex 0\n"), "a.ply");
}

}  // namespace
}  // namespace stiction::test
