// One function object of several, for std::visit over the alternatives of a variant.
#pragma once

namespace stiction {

template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

}  // namespace stiction
