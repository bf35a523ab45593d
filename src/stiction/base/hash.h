// A 64-bit hash of raw bytes (FNV-1a over 8-byte words, then a finaliser). Used for the state hash that every
// run prints and for the block checksums of journals. The same on every machine that is little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace stiction {

class Hash {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; size >= 8; p += 8, size -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, p, 8);
      mix(word);
    }
    if (size > 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, p, size);
      mix(word ^ (std::uint64_t(size) << 56));
    }
  }
  template <class T>
  void value(const T& x) {
    static_assert(std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>,
                  "hash padding-free types only; doubles go through number()");
    bytes(&x, sizeof x);
  }
  void number(double x) { bytes(&x, sizeof x); }

  std::uint64_t result() const {
    std::uint64_t h = state_;
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ull;
    h ^= h >> 32;
    return h;
  }

 private:
  void mix(std::uint64_t word) {
    state_ ^= word;
    state_ *= 0x100000001b3ull;
    state_ ^= state_ >> 29;
  }
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

/// 16 hexadecimal digits.
std::string hex(std::uint64_t hash);

}  // namespace stiction
