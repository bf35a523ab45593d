// Records to bytes and back. Every decode() checks that the bytes hold exactly one record.
#pragma once

#include <span>
#include <vector>

#include "stiction/record/frame.h"

namespace stiction::detail {

using Bytes = std::vector<unsigned char>;

void encode(const RunHeader& x, Bytes& out);  // appends, as all of these
void encode(const Revision& x, Bytes& out);
void encode(const InputRecord& x, Bytes& out);
void encode(const Frame& x, Bytes& out);
void encode(const StatePoint& x, Bytes& out);
void encode(const RunSummary& x, Bytes& out);

bool decode(std::span<const unsigned char> in, RunHeader& x);
bool decode(std::span<const unsigned char> in, Revision& x);
bool decode(std::span<const unsigned char> in, InputRecord& x);
bool decode(std::span<const unsigned char> in, Frame& x);
bool decode(std::span<const unsigned char> in, StatePoint& x);
bool decode(std::span<const unsigned char> in, RunSummary& x);

/// Whether the joints of a revision lie within its coordinates.
bool fits(const Revision& x);

/// A shape as its kind and four numbers: radius | size x y z | radius length | normal x y z offset.
std::array<double, 4> shape_numbers(const Shape& s);
bool shape_from(ShapeKind kind, const std::array<double, 4>& numbers, Shape& s);

}  // namespace stiction::detail
