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
bool decode(std::span<const unsigned char> in, Frame& x, int format);
bool decode(std::span<const unsigned char> in, StatePoint& x, int format);
bool decode(std::span<const unsigned char> in, RunSummary& x, int format);

/// A shape as a code, four numbers, and for some more of them (docs/formats/recording.md).
struct ShapeRecord {
  unsigned char code = 0;
  std::array<double, 4> numbers{};
  std::vector<double> more{};
};
ShapeRecord shape_record(const Shape& s);
inline constexpr unsigned char first_with_more = 5;  // codes from here on are followed by `more`
/// False where the numbers are no shape.
bool shape_from(const ShapeRecord& record, Shape& s);

/// Whether the joints of a revision lie within its coordinates.
bool fits(const Revision& x);

}  // namespace stiction::detail
