// A convex polyhedron with its faces, edges and vertices. All lengths in metres, body coordinates.
#pragma once

#include <span>
#include <vector>

#include "stiction/math/vec3.h"

namespace stiction {

/// Faces of a body's shape have at most so many vertices: contacts of faces are found without allocation.
inline constexpr int most_face_vertices = 64;

/// Made by convex_hull(): no vertex inside a face or an edge, no two adjacent faces in one plane.
struct Polyhedron {
  struct Face {
    Vec3 normal;               // [-] unit, outward
    double offset = 0;         // [m] normal.x = offset on the plane
    int first = 0, count = 0;  // its vertices in `loops`, counter-clockwise seen from outside
    friend bool operator==(const Face&, const Face&) = default;
  };
  struct Edge {
    int from = -1, to = -1;     // vertices, from < to
    int left = -1, right = -1;  // faces whose loops run from -> to, and to -> from
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<Vec3> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<int> loops;  // vertex indices of all faces, one after the other

  std::span<const int> loop(int face) const {
    return {loops.data() + faces[std::size_t(face)].first, std::size_t(faces[std::size_t(face)].count)};
  }
  friend bool operator==(const Polyhedron&, const Polyhedron&) = default;
};

}  // namespace stiction
