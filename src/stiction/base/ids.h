// Typed ids for the border of the engine: two integers by value, a type of its own for each noun, so that a
// BodyId cannot be compared with a JointId. The default id is null. Inside the engine there are dense
// indices.
#pragma once

#include <cstdint>

namespace stiction {

template <class Tag>
struct Id {
  std::int32_t index = -1;       // [-] slot in the dense arrays; -1 = null
  std::uint32_t generation = 0;  // [-] a removed body's slot counts up: its id is stale (slots are not
                                 //     re-used today)

  friend bool operator==(const Id&, const Id&) = default;
  explicit operator bool() const { return index >= 0; }
};

using BodyId = Id<struct BodyTag>;
using SurfaceId = Id<struct SurfaceTag>;
using JointId = Id<struct JointTag>;
using ForceId = Id<struct ForceTag>;
using SensorId = Id<struct SensorTag>;

}  // namespace stiction
