// Quickhull. A hull of four points grows: each triangle keeps the points strictly outside its plane; the
// farthest of them replaces all triangles it sees by a fan over their border.
//
// Which side a point lies on is decided exactly (detail/orientation.h). So the triangles a point sees are
// connected, their border is one loop, and a point never lies on the line of a border edge (it would lie in
// the plane of the triangle it sees): no new triangle is degenerate, whatever the input. Which point is
// farthest is decided in double precision and only changes the order of work. A point in the plane of a
// triangle but beside it is found through the neighbours.
// Reference: Barber, Dobkin, Huhdanpaa, The Quickhull Algorithm for Convex Hulls, 1996. Fails for: nothing;
// the time is that of quickhull, n log n for points in general position.
#include "stiction/geometry/detail/triangle_hull.h"

#include <utility>

#include "stiction/base/assert.h"
#include "stiction/geometry/detail/orientation.h"

namespace stiction::detail {
namespace {

struct Cell {
  Triangle triangle;
  Vec3 normal;               // not unit; for choosing the farthest point only
  std::vector<int> outside;  // points strictly outside, each in one cell
  bool alive = true;
  int mark = -1;  // the point that sees it
};

struct BorderEdge {
  int from, to, beyond;  // `beyond` stays; the loop runs as in the triangle that goes
};

class Quickhull {
 public:
  explicit Quickhull(std::span<const Vec3> points) : points_(points) {}
  std::vector<Triangle> run();

 private:
  const Vec3& at(int i) const { return points_[std::size_t(i)]; }
  Cell& cell(int i) { return cells_[std::size_t(i)]; }
  bool first_four(std::array<int, 4>& corner) const;
  bool sees(int p, int c) {
    const auto& v = cell(c).triangle.vertex;
    return orientation(at(v[0]), at(v[1]), at(v[2]), at(p)) > 0;
  }
  int add_cell(int a, int b, int c);
  void grow(int start);
  void walk(int p, int start);
  void assign(std::span<const int> points, int first_cell);

  std::span<const Vec3> points_;
  std::vector<Cell> cells_;
  std::vector<int> visible_, stack_, orphans_, cell_from_;
  std::vector<BorderEdge> border_;
};

bool Quickhull::first_four(std::array<int, 4>& corner) const {
  const int n = int(points_.size());
  // the two points farthest apart among the extremes of the axes
  int extreme[6] = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      if (at(i)[k] < at(extreme[2 * k])[k]) extreme[2 * k] = i;
      if (at(i)[k] > at(extreme[2 * k + 1])[k]) extreme[2 * k + 1] = i;
    }
  double best = 0;
  for (const int i : extreme)
    for (const int j : extreme)
      if (norm2(at(j) - at(i)) > best) best = norm2(at(j) - at(i)), corner[0] = i, corner[1] = j;
  if (best == 0) return false;
  best = 0;
  const Vec3 line = at(corner[1]) - at(corner[0]);
  for (int i = 0; i < n; ++i) {
    const double a = norm2(cross(line, at(i) - at(corner[0])));
    if (a > best) best = a, corner[2] = i;
  }
  if (best == 0) return false;
  // the farthest that is off the plane exactly
  const Vec3 normal = cross(line, at(corner[2]) - at(corner[0]));
  best = -1;
  for (int i = 0; i < n; ++i) {
    const double d = std::fabs(dot(normal, at(i) - at(corner[0])));
    if (d > best && orientation(at(corner[0]), at(corner[1]), at(corner[2]), at(i)) != 0)
      best = d, corner[3] = i;
  }
  return best >= 0;
}

int Quickhull::add_cell(int a, int b, int c) {
  Cell fresh;
  fresh.triangle = {{a, b, c}, {-1, -1, -1}};
  fresh.normal = cross(at(b) - at(a), at(c) - at(a));
  cells_.push_back(std::move(fresh));
  return int(cells_.size()) - 1;
}

// Each point to the first new cell that it sees; points that see none are inside.
void Quickhull::assign(std::span<const int> points, int first_cell) {
  for (const int p : points)
    for (int c = first_cell; c < int(cells_.size()); ++c)
      if (sees(p, c)) {
        cell(c).outside.push_back(p);
        break;
      }
}

// The cells that p sees and the loop around them.
void Quickhull::walk(int p, int start) {
  visible_.clear(), border_.clear(), stack_.assign(1, start);
  cell(start).mark = p;
  while (!stack_.empty()) {
    const int c = stack_.back();
    stack_.pop_back();
    visible_.push_back(c);
    for (int k = 0; k < 3; ++k) {
      const int next = cell(c).triangle.neighbour[std::size_t(k)];
      if (cell(next).mark == p) continue;
      if (sees(p, next)) {
        cell(next).mark = p;
        stack_.push_back(next);
      } else {
        const auto& v = cell(c).triangle.vertex;
        border_.push_back({v[std::size_t(k)], v[std::size_t((k + 1) % 3)], next});
      }
    }
  }
}

void Quickhull::grow(int start) {
  int p = -1;
  double best = -1;
  for (const int i : cell(start).outside) {
    const double d = dot(cell(start).normal, at(i) - at(cell(start).triangle.vertex[0]));
    if (d > best || p < 0) best = d, p = i;
  }
  walk(p, start);
  orphans_.clear();
  for (const int c : visible_) {
    for (const int i : cell(c).outside)
      if (i != p) orphans_.push_back(i);
    cell(c).alive = false;
    cell(c).outside = {};
  }
  const int first = int(cells_.size());
  for (const BorderEdge& e : border_) {
    const int c = add_cell(e.from, e.to, p);
    cell(c).triangle.neighbour[0] = e.beyond;
    for (std::size_t k = 0; k < 3; ++k)
      if (cell(e.beyond).triangle.vertex[k] == e.to && cell(e.beyond).triangle.vertex[(k + 1) % 3] == e.from)
        cell(e.beyond).triangle.neighbour[k] = c;
    cell_from_[std::size_t(e.from)] = c;
  }
  for (int c = first; c < int(cells_.size()); ++c) {
    const int next = cell_from_[std::size_t(cell(c).triangle.vertex[1])];
    cell(c).triangle.neighbour[1] = next;
    cell(next).triangle.neighbour[2] = c;
  }
  assign(orphans_, first);
}

std::vector<Triangle> Quickhull::run() {
  std::array<int, 4> corner{};
  if (points_.size() < 4 || !first_four(corner)) return {};
  if (orientation(at(corner[0]), at(corner[1]), at(corner[2]), at(corner[3])) > 0)
    std::swap(corner[1], corner[2]);
  const auto [a, b, c, d] = corner;
  add_cell(a, b, c), add_cell(a, d, b), add_cell(b, d, c), add_cell(c, d, a);
  cell(0).triangle.neighbour = {1, 2, 3}, cell(1).triangle.neighbour = {3, 2, 0};
  cell(2).triangle.neighbour = {1, 3, 0}, cell(3).triangle.neighbour = {2, 1, 0};
  cell_from_.assign(points_.size(), -1);
  for (int i = 0; i < int(points_.size()); ++i) orphans_.push_back(i);
  assign(orphans_, 0);
  for (int i = 0; i < int(cells_.size()); ++i)
    if (cell(i).alive && !cell(i).outside.empty()) grow(i);
  // number the living ones anew
  std::vector<int> name(cells_.size(), -1);
  std::vector<Triangle> out;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].alive) name[i] = int(out.size()), out.push_back(cells_[i].triangle);
  for (Triangle& t : out)
    for (int& n : t.neighbour) {
      n = name[std::size_t(n)];
      STICTION_ASSERT(n >= 0);
    }
  return out;
}

}  // namespace

std::vector<Triangle> triangle_hull(std::span<const Vec3> points) { return Quickhull(points).run(); }

}  // namespace stiction::detail
