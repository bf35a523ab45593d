// Surfaces of triangles, for bodies that do not move: meshes and heightfields. All lengths in metres, body
// coordinates.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/geometry/bounds_tree.h"

namespace stiction {

/// Triangles over vertices, counter-clockwise seen from outside.
struct TriangleMesh {
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
};

/// Heights over a grid: vertex (i, j) is at (i dx, j dy, heights[j * columns + i]), the outside above.
struct HeightGrid {
  int columns = 0, rows = 0;    // [-] vertices along x and y, >= 2
  double dx = 0, dy = 0;        // [m] > 0
  std::vector<double> heights;  // [m]
};

/// One triangle with what its neighbours leave of its edges and corners. Edge k runs from corner k to the
/// next.
struct SurfaceTriangle {
  std::array<int, 3> vertex;
  std::array<Vec3, 3> corner;  // [m]
  Vec3 normal;                 // [-] unit, outward; the same for all triangles of a facet
  int facet = 0;               // adjoining triangles in one plane: the lowest of them
  std::array<int, 3> edge;     // names: the same from both sides
  std::array<bool, 3> edge_touches, corner_touches;  // false where the surface is flat or concave
};

/// A mesh or a heightfield with its adjacency and a tree of boxes. What it holds never changes, and copies
/// share it.
class SurfaceShape {
 public:
  enum class Kind : unsigned char { mesh, heightfield };

  /// Every fault: indices, numbers that are not finite, triangles without area, edges of three triangles,
  /// triangles wound against each other, a closed mesh inside out. Vertices at the same place count as one.
  static Result<SurfaceShape> from(TriangleMesh mesh);
  static Result<SurfaceShape> from(HeightGrid grid);

  Kind kind() const;
  const TriangleMesh& mesh() const;  // of a heightfield: the triangles it stands for
  const HeightGrid& grid() const;    // of a heightfield
  int count() const;                 // of triangles
  SurfaceTriangle triangle(int index) const;
  bool closed() const;             // no edge has one triangle only
  int open_edges() const;          // how many have
  const BoundingBox& box() const;  // in body axes
  double size() const;             // [m] the largest side of box()
  double radius() const;           // [m] of a ball about the origin that contains it

  /// Whether n (unit, outward) can be the normal of a contact at edge k of a triangle: it leads into neither
  /// neighbour by more than `sine`.
  bool edge_allows(int index, int k, const Vec3& n, double sine) const;
  bool corner_allows(int index, int k, const Vec3& n, double sine) const;
  /// A direction out of the solid at a triangle, at its edge k, or at its corner k (the other one -1).
  Vec3 outward(int index, int edge, int corner) const;

  /// `use(index)` for the triangles whose boxes overlap a box, in a fixed order.
  template <class Use>
  void visit(const BoundingBox& box, const Use& use) const {
    if (kind() == Kind::heightfield) return visit_cells(box, use);
    tree().visit([&](const BoundingBox& b) { return b.overlaps(box) ? 0.0 : 2.0; }, [] { return 1.0; }, use);
  }

 private:
  SurfaceShape() = default;
  struct Data;
  static Result<SurfaceShape> joined(Data data);
  const BoundsTree& tree() const;
  struct Cells {
    int i0, i1, j0, j1;  // from, and behind the last
  };
  Cells cells_in(const BoundingBox& box) const;
  template <class Use>
  void visit_cells(const BoundingBox& box, const Use& use) const {
    const Cells c = cells_in(box);
    for (int j = c.j0; j < c.j1; ++j)
      for (int i = c.i0; i < c.i1; ++i)
        for (int half = 0; half < 2; ++half) use(2 * (j * (grid().columns - 1) + i) + half);
  }

  std::shared_ptr<const Data> data_;
};

}  // namespace stiction
