// A list of at most `most` plain values in place: no allocation, and no time spent on slots that stay empty.
#pragma once

#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "stiction/base/assert.h"

namespace stiction {

template <class T, int most>
class FixedList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  static constexpr int capacity = most;

  FixedList() {}
  FixedList(const FixedList& other) { *this = other; }
  FixedList& operator=(const FixedList& other) {
    if (this == &other) return *this;
    clear();
    for (const T& x : other) add(x);
    return *this;
  }

  int count() const { return count_; }
  void clear() { count_ = 0; }
  void add(const T& x) {
    STICTION_ASSERT(count_ < most);
    std::construct_at(items_ + count_++, x);
  }
  /// Adds T{members...}, made in its place: a value made elsewhere and copied waits for its own stores.
  template <class... Members>
  T& make(Members... members) {
    STICTION_ASSERT(count_ < most);
    return *::new (static_cast<void*>(items_ + count_++)) T{members...};
  }

  const T& operator[](int i) const { return items_[i]; }
  T& operator[](int i) { return items_[i]; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + count_; }
  T* begin() { return items_; }
  T* end() { return items_ + count_; }
  std::span<const T> span() const { return {items_, std::size_t(count_)}; }

 private:
  union {
    T items_[most];
  };
  int count_ = 0;
};

}  // namespace stiction
