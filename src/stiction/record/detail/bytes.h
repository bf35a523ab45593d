// Plain little-endian bytes: what records are written to and read from. A reader that runs past its end stays
// at the end, hands out zeros, and says so through ok().
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace stiction::detail {

static_assert(std::endian::native == std::endian::little, "recordings are little-endian");

class ByteWriter {
 public:
  explicit ByteWriter(std::vector<unsigned char>& out) : out_(out) {}

  template <class T>
  void put(const T& x) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    raw(&x, sizeof x);
  }
  void raw(const void* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t at = out_.size();
    out_.resize(at + size);
    std::memcpy(out_.data() + at, data, size);
  }
  void text(const std::string& s) {
    put(std::uint64_t(s.size()));
    raw(s.data(), s.size());
  }
  /// Count, then the elements as they lie in memory; for types without padding.
  template <class T>
  void array(const std::vector<T>& a) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::uint64_t(a.size()));
    raw(a.data(), a.size() * sizeof(T));
  }

 private:
  std::vector<unsigned char>& out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const unsigned char> in) : in_(in) {}

  template <class T>
  T get() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T x{};
    raw(&x, sizeof x);
    return x;
  }
  template <class T>
  void get(T& x) {
    x = get<T>();
  }
  void raw(void* data, std::size_t size) {
    if (size == 0) return;
    if (size > in_.size() - at_) {
      ok_ = false;
      at_ = in_.size();
      std::memset(data, 0, size);
      return;
    }
    std::memcpy(data, in_.data() + at_, size);
    at_ += size;
  }
  void text(std::string& s) {
    s.resize(count(1));
    raw(s.data(), s.size());
  }
  template <class T>
  void array(std::vector<T>& a) {
    static_assert(std::is_trivially_copyable_v<T>);
    a.resize(count(sizeof(T)));
    raw(a.data(), a.size() * sizeof(T));
  }
  /// A count of elements of at least `size` bytes each, refused when that many cannot follow.
  std::size_t count(std::size_t size) {
    const auto n = get<std::uint64_t>();
    if (n > (in_.size() - at_) / size) {
      ok_ = false;
      at_ = in_.size();
      return 0;
    }
    return std::size_t(n);
  }
  /// Everything was there, and nothing is left.
  bool finished() const { return ok_ && at_ == in_.size(); }
  bool ok() const { return ok_; }

 private:
  std::span<const unsigned char> in_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace stiction::detail
