// Sums over bodies that the ledger needs in every step. See body_books.cpp.
#pragma once

#include <cstddef>
#include <span>

#include "stiction/base/parallel.h"
#include "stiction/model/model.h"

namespace stiction::step {

/// Where all bodies are and how fast.
struct MotionView {
  const Vec3* position;
  const Quat* orientation;
  const Vec3* velocity;
  const Vec3* spin;
};

/// Of a State or of Motions.
template <class Arrays>
MotionView view(const Arrays& q) {
  return {q.position.data(), q.orientation.data(), q.velocity.data(), q.spin.data()};
}

struct BodyBooks {
  // state functions of the end of the step
  double kinetic = 0;            // [J]
  double gravity_potential = 0;  // [J] counted from where each body started
  Vec3 momentum{};               // [kg m/s]
  Vec3 angular_momentum{};       // [kg m^2/s] about the world's origin
  // gravity in the step
  double work = 0;                        // [J] h m g.(v0 + v1)/2
  double excess = 0;                      // [J] work less m g.(x1 - x0)
  double work_flow = 0, excess_flow = 0;  // [J] sums of magnitudes
  Vec3 impulse{};                         // [kg m/s] h m g
  Vec3 angular_impulse{};                 // [kg m^2/s] x0 x h m g
};

/// Bodies are booked in chunks of this many, and chunks are added in their order: for any number of threads
/// the same sum.
constexpr std::size_t book_chunk = 1024;

/// The living ones of bodies [begin, end) in a step of h [s]. `wide`: with wider registers (math/lanes.h),
/// which must be there; the same bits.
BodyBooks book_bodies(const Model& m, std::span<const unsigned char> alive, double h, const MotionView& start,
                      const MotionView& next, std::size_t begin, std::size_t end, bool wide);

/// Calls body(chunk, begin, end) for every chunk of `count` bodies, chunks shared out among threads.
template <class Body>
void for_chunks(std::size_t count, Team& team, const Body& body) {
  team.for_ranges(count, book_chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += book_chunk)
      body(i / book_chunk, i, i + book_chunk < end ? i + book_chunk : end);
  });
}

/// If so, every number of the ends of the steps booked is finite. (If not, a sum may have overflowed.)
bool finite(std::span<const BodyBooks> chunks);

/// Sum over chunks.
BodyBooks total(std::span<const BodyBooks> chunks);

}  // namespace stiction::step
