// Every shape comes back from a journal and from HDF5 as it was.
#include <gtest/gtest.h>

#include "stiction/geometry/hull.h"
#include "stiction/record/detail/encode.h"
#include "stiction/record/hdf5.h"
#include "stiction/record/recording.h"
#include "unit/record/synthetic_run.h"

namespace stiction {
namespace {

Scene every_shape() {
  Scene s = synthetic::scene();
  const Polyhedron wedge =
      convex_hull(std::vector<Vec3>{{0, 0, 0}, {0.3, 0, 0}, {0, 0.2, 0}, {0, 0, 0.15}, {0.3, 0.2, 0.1}})
          .or_exit();
  s.add_body("cylinder", {.shape = ConvexShape(Cylinder{0.1, 0.3}, 0.02), .density = 1});
  s.add_body("cone", {.shape = Cone{0.1, 0.3}, .density = 1});
  s.add_body("egg", {.shape = Ellipsoid{{0.1, 0.2, 0.3}}, .density = 1});
  s.add_body("pillow", {.shape = Superellipsoid{{0.1, 0.2, 0.3}, 3.5, 7}, .density = 1});
  s.add_body("soap", {.shape = ConvexShape(Box{{0.1, 0.2, 0.3}}, 0.05), .density = 1});
  s.add_body("wedge", {.shape = ConvexShape(wedge, 0.01), .density = 1});
  s.add_body("sharp", {.kind = fixed, .shape = wedge});
  s.add_body("compound", {.shape = CompoundShape({{Sphere{0.1}, {0, 0, 0.3}, {}},
                                                  {ConvexShape(wedge, 0.01), {}, {0.6, 0, 0.8, 0}}}),
                          .density = 1});
  s.add_body("mesh", {.kind = fixed,
                      .shape = SurfaceShape::from(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.2}},
                                                               {{0, 1, 2}, {1, 3, 2}}})
                                   .or_exit()});
  s.add_body("field",
             {.kind = fixed,
              .shape = SurfaceShape::from(HeightGrid{3, 2, 0.5, 0.25, {0, 1, 2, 3, 4, 5}}).or_exit()});
  s.add_body("dome",
             {.shape = ConvexShape(
                  intersection({ball_face({0.1, 0, 0}, 0.2), HalfSpace{{0, 1, 2}, 0.05}}).or_exit(), 0.01),
              .density = 1});
  s.add_body("cut",
             {.shape = intersection({tube_face({}, {1, 2, 3}, 0.2), cone_face({0, 0, 0.3}, {0, 0.1, 1}, 0.8),
                                     paraboloid_face({0, 0, -0.3}, {0.1, 0, -1}, 0.5)})
                           .or_exit(),
              .density = 1});
  s.add_body("bean", {.shape = intersection({CurvedFace{CurvedFace::Kind::superellipsoid,
                                                        {{0.3, 0.2, 0.3}, 3, 5},
                                                        {0.1, 0, 0},
                                                        normalized(Quat{1, 0.2, 0.3, 0.1})}})
                                   .or_exit(),
                      .density = 1});
  return s;
}

void expect_same(const Shape& a, const Shape& b) {
  const detail::ShapeRecord x = detail::shape_record(a), y = detail::shape_record(b);
  EXPECT_STREQ(name_of(a), name_of(b));
  EXPECT_EQ(x.code, y.code);
  EXPECT_EQ(x.numbers, y.numbers);
  EXPECT_EQ(x.more, y.more);
  EXPECT_EQ(volume(a), volume(b));
}

TEST(RecordedShapes, ComeBackFromJournalAndHdf5) {
  const synthetic::Folder folder;
  const Model m = compile(every_shape()).or_exit();
  Recorder recorder = Recorder::open(synthetic::settings(folder.path())).or_exit();
  State x = initial_state(m, 0.01);
  recorder.on_start(m, x).value();
  const RecordedFiles files = recorder.finish(m, x, {}, 1.5, "reached the end").or_exit();
  for (const std::string& file : {files.journal, files.hdf5}) {
    const Recording r = load_recording(file).or_exit();
    ASSERT_EQ(r.bodies(0).size(), m.shape.size());
    for (std::size_t i = 0; i < m.shape.size(); ++i) expect_same(r.bodies(0)[i].shape, m.shape[i]);
  }
}

TEST(RecordedShapes, NumbersThatAreNoShapeAreRefused) {
  Shape s;
  EXPECT_FALSE(detail::shape_from({8, {-1, 1, 0, 0}, {}}, s));
  EXPECT_FALSE(detail::shape_from({11, {1, 1, 1, 0}, {3}}, s));
  EXPECT_FALSE(detail::shape_from({12, {0, 0, 0, 0}, {1, 2, 3, 4}}, s));
  EXPECT_FALSE(detail::shape_from({12, {0, 0, 0, 0}, {1, 2, 3}}, s));
  EXPECT_FALSE(detail::shape_from({13, {0, 0, 0, 0}, {1, 2, 3}}, s));
  EXPECT_FALSE(
      detail::shape_from({13, {0, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}}, s));  // not bounded
  EXPECT_FALSE(detail::shape_from({13, {0, 0, 0, 0}, {6, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 2, 2}}, s));
  EXPECT_TRUE(detail::shape_from({13, {0, 0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 2, 2}}, s));
  EXPECT_FALSE(detail::shape_from({77, {0, 0, 0, 0}, {}}, s));
  EXPECT_FALSE(detail::shape_from({40, {0, 0, 0, 0}, {}}, s));                          // no part
  EXPECT_FALSE(detail::shape_from({40, {0, 0, 0, 0}, std::vector<double>(12, 1)}, s));  // cut off
  EXPECT_FALSE(detail::shape_from({41, {3, 0, 0, 0}, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 3}}, s));
  EXPECT_FALSE(detail::shape_from({42, {3, 2, 1, 1}, {0, 1}}, s));
}

}  // namespace
}  // namespace stiction
