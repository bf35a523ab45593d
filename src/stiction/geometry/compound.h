// A body of several convex parts. All lengths in metres, body coordinates.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stiction/geometry/bounds_tree.h"
#include "stiction/geometry/convex.h"

namespace stiction {

struct CompoundPart;  // shape.h: a shape, and where it is in the body

/// The union of convex parts: CompoundShape({{Box{a}, p}, {Sphere{r}, q}}). What it holds never changes, and
/// copies share it. Mass is that of the parts added up: where two of them overlap it counts twice.
class CompoundShape {
 public:
  explicit CompoundShape(std::vector<CompoundPart> parts);

  std::span<const CompoundPart> parts() const;
  const Solid& solid() const;      // of density 1
  const BoundingBox& box() const;  // in body axes
  const BoundsTree& tree() const;  // over the boxes of the parts, in body axes
  double size() const;             // [m] the largest side of box()
  double radius() const;           // [m] of a ball about the origin that contains it

 private:
  struct Data;
  std::shared_ptr<const Data> data_;
};

/// What is wrong with it, in words that follow the path of the shape (" 2: a half_space ..."); empty if
/// nothing is.
std::string fault_of(const CompoundShape& shape);

}  // namespace stiction
