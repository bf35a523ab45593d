// Adjacency of triangles, and which normals it leaves to edges and corners.
//
// The solid lies behind the triangles. Its normal cone at a point x of the surface is
//   { n : n.(y - x) <= 0 for the vertices y of all triangles that meet at x },  and n outward,
// since every direction of the solid at x is a positive combination of edges there. At an edge that is flat
// or concave the cone is no more than the normals of its triangles: only convex edges, and edges of one
// triangle, touch. Outward: n.m > 0 with m the sum of the normals, at corners weighted by the angle of each
// triangle (Baerentzen and Aanaes 2005, whose m tells inside from outside for every closed mesh).
//
// Facets: triangles that adjoin and whose normals agree to 1e-9 with that of the first; they share its
// normal. Symbols: x, y [m]; n, m [-]. Fails to see neighbours that share a place but no vertices
// (T-junctions): the edges there count as open ones.
#include "stiction/geometry/surface.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/text.h"
#include "stiction/math/elementary.h"

namespace stiction {
namespace {

constexpr double flat = 1e-9;      // [-] normals, and heights over widths
constexpr double no_area = 1e-14;  // [-] twice the area over the square of the longest side

struct HalfEdge {
  int low, high;  // vertices
  int triangle, k;
  bool forward;  // from low to high
};

bool before(const HalfEdge& a, const HalfEdge& b) {
  if (a.low != b.low) return a.low < b.low;
  if (a.high != b.high) return a.high < b.high;
  return a.triangle != b.triangle ? a.triangle < b.triangle : a.k < b.k;
}

Mistake fault(const std::string& path, const std::string& message) { return {"", 0, 0, path, message}; }
std::string of(const char* list, std::size_t i) { return std::string(list) + "." + std::to_string(i); }

/// Vertices at the same place get one number.
std::vector<int> first_of_place(const std::vector<Vec3>& v) {
  std::vector<int> order(v.size()), first(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) order[i] = int(i);
  const auto less = [&](int a, int b) {
    const Vec3 &x = v[std::size_t(a)], &y = v[std::size_t(b)];
    if (x.x != y.x) return x.x < y.x;
    if (x.y != y.y) return x.y < y.y;
    return x.z != y.z ? x.z < y.z : a < b;
  };
  std::sort(order.begin(), order.end(), less);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && v[std::size_t(order[i])] == v[std::size_t(order[i - 1])];
    first[std::size_t(order[i])] = same ? first[std::size_t(order[i - 1])] : order[i];
  }
  return first;
}

}  // namespace

struct SurfaceShape::Data {
  Kind kind = Kind::mesh;
  TriangleMesh mesh;
  HeightGrid grid;
  std::vector<Vec3> normal;  // per triangle
  std::vector<int> facet;    // per triangle
  std::vector<std::array<int, 3>> edge,
      other;  // per triangle: names of its edges; the triangle beyond, or -1
  std::vector<std::array<char, 3>> edge_touches;
  std::vector<char> vertex_touches;
  std::vector<Vec3> vertex_normal;        // m, of any length
  std::vector<int> around_begin, around;  // the vertices that each vertex has edges to
  int open_edges = 0;
  BoundingBox box;
  BoundsTree tree;
  double size = 0, radius = 0;

  const Vec3& corner(int t, int k) const {
    return mesh.vertices[std::size_t(mesh.triangles[std::size_t(t)][std::size_t(k)])];
  }
  /// The vertex of triangle t that edge `name` does not have.
  const Vec3& opposite(int t, int name) const {
    for (int k = 0; k < 3; ++k)
      if (edge[std::size_t(t)][std::size_t(k)] == name) return corner(t, (k + 2) % 3);
    return corner(t, 0);
  }

  std::vector<Mistake> check() const;
  std::vector<Mistake> join_edges();
  void find_facets();
  void find_cones();
  void find_bounds();
};

std::vector<Mistake> SurfaceShape::Data::check() const {
  constexpr std::size_t most = 10;  // faults of one kind that are worth reading
  std::vector<Mistake> out;
  const auto n = mesh.vertices.size();
  if (mesh.triangles.empty()) out.push_back(fault("triangles", "found none, at least one is needed"));
  if (std::max(n, mesh.triangles.size()) > 100'000'000)
    out.push_back(fault("triangles", "found more than a hundred million"));
  for (std::size_t i = 0; i < n && out.size() < most; ++i)
    if (!is_finite(mesh.vertices[i]) || !(norm(mesh.vertices[i]) < 1e9))
      out.push_back(
          fault(of("vertices", i), "found " + to_text(mesh.vertices[i]) +
                                       ", must be three finite numbers within 1e9 m of the origin"));
  for (std::size_t t = 0; t < mesh.triangles.size() && out.size() < most; ++t) {
    const auto& v = mesh.triangles[t];
    bool inside = true;
    for (const int i : v) inside = inside && i >= 0 && std::size_t(i) < n;
    if (!inside) {
      out.push_back(fault(of("triangles", t), "found the vertices " + std::to_string(v[0]) + ", " +
                                                  std::to_string(v[1]) + ", " + std::to_string(v[2]) +
                                                  ", there are 0 to " + std::to_string(int(n) - 1)));
      continue;
    }
    const Vec3 a = mesh.vertices[std::size_t(v[0])], b = mesh.vertices[std::size_t(v[1])],
               c = mesh.vertices[std::size_t(v[2])];
    const double longest2 = std::fmax(norm2(b - a), std::fmax(norm2(c - b), norm2(a - c)));
    if (!(norm(cross(b - a, c - a)) > no_area * longest2))
      out.push_back(fault(of("triangles", t), "has no area: its corners lie on a line or on each other"));
  }
  return out;
}

std::vector<Mistake> SurfaceShape::Data::join_edges() {
  const std::vector<int> first = first_of_place(mesh.vertices);
  for (auto& v : mesh.triangles)
    for (int& i : v) i = first[std::size_t(i)];
  std::vector<HalfEdge> half;
  half.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[t][std::size_t(k)], b = mesh.triangles[t][std::size_t((k + 1) % 3)];
      half.push_back({std::min(a, b), std::max(a, b), int(t), k, a < b});
    }
  std::sort(half.begin(), half.end(), before);
  edge.assign(mesh.triangles.size(), {}), other.assign(mesh.triangles.size(), {-1, -1, -1});
  std::vector<Mistake> out;
  for (std::size_t i = 0; i < half.size() && out.size() < 10;) {
    std::size_t end = i + 1;
    while (end < half.size() && half[end].low == half[i].low && half[end].high == half[i].high) ++end;
    const auto where = [&](const HalfEdge& h) { return of("triangles", std::size_t(h.triangle)); };
    if (end - i > 2) {
      out.push_back(fault(where(half[i + 2]),
                          "shares an edge with triangles " + std::to_string(half[i].triangle) + " and " +
                              std::to_string(half[i + 1].triangle) + ", an edge has at most two"));
    } else if (end - i == 2 && half[i].forward == half[i + 1].forward) {
      out.push_back(
          fault(where(half[i + 1]), "is wound against triangle " + std::to_string(half[i].triangle) +
                                        ", with which it shares an edge: one of them looks inwards"));
    }
    for (std::size_t j = i; j < end; ++j) {
      const auto t = std::size_t(half[j].triangle), k = std::size_t(half[j].k);
      edge[t][k] = 3 * half[i].triangle + half[i].k;
      if (end - i == 2) other[t][k] = half[j == i ? i + 1 : i].triangle;
    }
    open_edges += end - i == 1;
    i = end;
  }
  return out;
}

void SurfaceShape::Data::find_facets() {
  const std::size_t count = mesh.triangles.size();
  std::vector<Vec3> own(count);
  for (std::size_t t = 0; t < count; ++t)
    own[t] = normalized(cross(corner(int(t), 1) - corner(int(t), 0), corner(int(t), 2) - corner(int(t), 0)));
  normal = own;
  facet.assign(count, -1);
  std::vector<int> stack;
  for (std::size_t t = 0; t < count; ++t) {
    if (facet[t] >= 0) continue;
    facet[t] = int(t);
    stack.push_back(int(t));
    while (!stack.empty()) {
      const auto here = std::size_t(stack.back());
      stack.pop_back();
      for (const int next : other[here]) {
        if (next < 0 || facet[std::size_t(next)] >= 0 || !(norm(own[std::size_t(next)] - own[t]) <= flat))
          continue;
        facet[std::size_t(next)] = int(t), normal[std::size_t(next)] = own[t];
        stack.push_back(next);
      }
    }
  }
}

void SurfaceShape::Data::find_cones() {
  const std::size_t count = mesh.triangles.size();
  edge_touches.assign(count, {1, 1, 1});
  vertex_touches.assign(mesh.vertices.size(), 0);
  vertex_normal.assign(mesh.vertices.size(), {});
  std::vector<std::array<int, 2>> pairs;
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto v = std::size_t(mesh.triangles[t][k]), w = std::size_t(mesh.triangles[t][(k + 1) % 3]);
      const Vec3 x = mesh.vertices[v], a = mesh.vertices[w] - x, b = corner(int(t), int(k + 2) % 3) - x;
      vertex_normal[v] += elementary::atan2(norm(cross(a, b)), dot(a, b)) * normal[t];
      if (const int beyond = other[t][k]; beyond >= 0) {
        const Vec3 y = opposite(beyond, edge[t][k]) - x;
        const bool same = facet[t] == facet[std::size_t(beyond)];
        edge_touches[t][k] = !same && dot(normal[t], y) < -flat * norm(y);
      }
      if (edge_touches[t][k]) vertex_touches[v] = vertex_touches[w] = 1;
      pairs.push_back({int(v), int(w)}), pairs.push_back({int(w), int(v)});
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  around_begin.assign(mesh.vertices.size() + 1, 0);
  for (const auto& p : pairs) ++around_begin[std::size_t(p[0]) + 1], around.push_back(p[1]);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) around_begin[i + 1] += around_begin[i];
}

void SurfaceShape::Data::find_bounds() {
  std::vector<BoundingBox> boxes;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    BoundingBox b{corner(int(t), 0), corner(int(t), 0)};
    for (int k = 0; k < 3; ++k) {
      b.include({corner(int(t), k), corner(int(t), k)});
      radius = std::fmax(radius, norm(corner(int(t), k)));
    }
    boxes.push_back(b);
  }
  box = boxes.front();
  for (const BoundingBox& b : boxes) box.include(b);
  size = max_component(box.high - box.low);
  if (kind == Kind::mesh) tree.build(boxes);
}

Result<SurfaceShape> SurfaceShape::joined(Data data) {
  std::vector<Mistake> faults = data.check();
  if (faults.empty()) faults = data.join_edges();
  if (!faults.empty()) return faults;
  data.find_facets();
  data.find_cones();
  data.find_bounds();
  if (data.open_edges == 0) {
    double volume = 0;  // six times that of the tetrahedra to a point of the mesh
    const Vec3 from = data.corner(0, 0);
    for (int t = 0; t < int(data.mesh.triangles.size()); ++t)
      volume += dot(data.corner(t, 0) - from, cross(data.corner(t, 1) - from, data.corner(t, 2) - from));
    if (volume < 0)
      return fault("triangles",
                   "the mesh is closed and inside out: its triangles must be counter-clockwise seen from "
                   "outside; `flip` turns them over");
  }
  SurfaceShape out;
  out.data_ = std::make_shared<const Data>(std::move(data));
  return out;
}

Result<SurfaceShape> SurfaceShape::from(TriangleMesh mesh) {
  Data data;
  data.mesh = std::move(mesh);
  return joined(std::move(data));
}

Result<SurfaceShape> SurfaceShape::from(HeightGrid grid) {
  std::vector<Mistake> faults;
  if (grid.columns < 2 || grid.rows < 2)
    faults.push_back(fault("heights", "found " + std::to_string(grid.rows) + " rows of " +
                                          std::to_string(grid.columns) +
                                          " heights, at least 2 of 2 are needed"));
  else if (grid.heights.size() != std::size_t(grid.columns) * std::size_t(grid.rows))
    faults.push_back(fault("heights", "rows are not equally long"));
  for (const double d : {grid.dx, grid.dy})
    if (!(d > 0 && std::isfinite(d)))
      faults.push_back(fault("spacing", "found " + number_text(d) + ", must be above 0 m"));
  if (!faults.empty()) return faults;
  Data data;
  data.kind = Kind::heightfield;
  for (int j = 0; j < grid.rows; ++j)
    for (int i = 0; i < grid.columns; ++i)
      data.mesh.vertices.push_back(
          {i * grid.dx, j * grid.dy, grid.heights[std::size_t(j * grid.columns + i)]});
  for (int j = 0; j + 1 < grid.rows; ++j)
    for (int i = 0; i + 1 < grid.columns; ++i) {
      const int a = j * grid.columns + i, b = a + 1, c = a + grid.columns, d = c + 1;
      data.mesh.triangles.push_back({a, b, d});
      data.mesh.triangles.push_back({a, d, c});
    }
  data.grid = std::move(grid);
  return joined(std::move(data));
}

SurfaceShape::Kind SurfaceShape::kind() const { return data_->kind; }
const TriangleMesh& SurfaceShape::mesh() const { return data_->mesh; }
const HeightGrid& SurfaceShape::grid() const { return data_->grid; }
int SurfaceShape::count() const { return int(data_->mesh.triangles.size()); }
bool SurfaceShape::closed() const { return data_->open_edges == 0; }
int SurfaceShape::open_edges() const { return data_->open_edges; }
const BoundingBox& SurfaceShape::box() const { return data_->box; }
double SurfaceShape::size() const { return data_->size; }
double SurfaceShape::radius() const { return data_->radius; }
const BoundsTree& SurfaceShape::tree() const { return data_->tree; }

SurfaceTriangle SurfaceShape::triangle(int index) const {
  const auto t = std::size_t(index);
  SurfaceTriangle out;
  out.vertex = data_->mesh.triangles[t];
  out.normal = data_->normal[t], out.facet = data_->facet[t], out.edge = data_->edge[t];
  for (std::size_t k = 0; k < 3; ++k) {
    out.corner[k] = data_->corner(index, int(k));
    out.edge_touches[k] = data_->edge_touches[t][k] != 0;
    out.corner_touches[k] = data_->vertex_touches[std::size_t(out.vertex[k])] != 0;
  }
  return out;
}

bool SurfaceShape::edge_allows(int index, int k, const Vec3& n, double sine) const {
  const auto t = std::size_t(index);
  const Vec3& x = data_->corner(index, k);
  const int name = data_->edge[t][std::size_t(k)], beyond = data_->other[t][std::size_t(k)];
  const auto leads_out = [&](int triangle) {
    const Vec3 y = data_->opposite(triangle, name) - x;
    return dot(n, y) <= sine * norm(y);
  };
  if (!leads_out(index)) return false;
  if (beyond >= 0) {
    if (!leads_out(beyond)) return false;
  }
  return dot(n, outward(index, k, -1)) > 0;
}

Vec3 SurfaceShape::outward(int index, int edge, int corner) const {
  const auto t = std::size_t(index);
  if (corner >= 0) return data_->vertex_normal[std::size_t(data_->mesh.triangles[t][std::size_t(corner)])];
  const int beyond = edge >= 0 ? data_->other[t][std::size_t(edge)] : -1;
  return beyond >= 0 ? data_->normal[t] + data_->normal[std::size_t(beyond)] : data_->normal[t];
}

bool SurfaceShape::corner_allows(int index, int k, const Vec3& n, double sine) const {
  const auto v = std::size_t(data_->mesh.triangles[std::size_t(index)][std::size_t(k)]);
  const Vec3& x = data_->mesh.vertices[v];
  for (int i = data_->around_begin[v]; i < data_->around_begin[v + 1]; ++i) {
    const Vec3 y = data_->mesh.vertices[std::size_t(data_->around[std::size_t(i)])] - x;
    if (!(dot(n, y) <= sine * norm(y))) return false;
  }
  return dot(n, outward(index, -1, k)) > 0;
}

SurfaceShape::Cells SurfaceShape::cells_in(const BoundingBox& b) const {
  const HeightGrid& g = data_->grid;
  const auto from = [](double x, int most) {  // the cell that x is in, kept inside
    return x >= most ? most : x > 0 ? int(std::floor(x)) : 0;
  };
  const int last_i = g.columns - 2, last_j = g.rows - 2;
  if (!b.overlaps(data_->box)) return {0, 0, 0, 0};
  return {from(b.low.x / g.dx, last_i), from(b.high.x / g.dx, last_i) + 1, from(b.low.y / g.dy, last_j),
          from(b.high.y / g.dy, last_j) + 1};
}

}  // namespace stiction
