// The narrow phase, one function and one file per pair of shapes: contact points of a and b below the margin.
#pragma once

#include "stiction/collision/narrow/manifold.h"
#include "stiction/geometry/shape.h"

namespace stiction::collision::narrow {

void sphere_sphere(const Sphere& a, const Frame& frame_a, const Sphere& b, const Frame& frame_b,
                   Manifold& out);
void sphere_box(const Sphere& a, const Frame& frame_a, const Box& b, const Frame& frame_b, Manifold& out);
void sphere_capsule(const Sphere& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b,
                    Manifold& out);
void box_box(const Box& a, const Frame& frame_a, const Box& b, const Frame& frame_b, Manifold& out);
void capsule_box(const Capsule& a, const Frame& frame_a, const Box& b, const Frame& frame_b, Manifold& out);
void capsule_capsule(const Capsule& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b,
                     Manifold& out);
void half_space_sphere(const HalfSpace& a, const Frame& frame_a, const Sphere& b, const Frame& frame_b,
                       Manifold& out);
void half_space_box(const HalfSpace& a, const Frame& frame_a, const Box& b, const Frame& frame_b,
                    Manifold& out);
void half_space_capsule(const HalfSpace& a, const Frame& frame_a, const Capsule& b, const Frame& frame_b,
                        Manifold& out);

}  // namespace stiction::collision::narrow
