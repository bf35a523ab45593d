// A 64-bit hash of raw bytes (FNV-1a over 8-byte words, then the total length, then a finaliser). Used for
// the state hash that every run prints and for the block checksums of journals. The same on every machine
// that is little-endian. Pieces whose size is not a multiple of 8 end a word: where they are cut counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <vector>

namespace stiction {

class Hash {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    length_ += size;
    for (; size >= 8; p += 8, size -= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, p, 8);
      state_ = mixed(state_, word);
    }
    if (size > 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, p, size);
      state_ = mixed(state_, word ^ (std::uint64_t(size) << 56));
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
    std::uint64_t h = mixed(state_, length_);
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93ull;
    h ^= h >> 32;
    return h;
  }

 private:
  static std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
    h ^= word;
    h *= 0x100000001b3ull;
    h ^= h >> 29;
    return h;
  }
  std::uint64_t state_ = 0xcbf29ce484222325ull;
  std::uint64_t length_ = 0;  // [bytes] so far
};

/// 16 hexadecimal digits.
std::string hex(std::uint64_t hash);

/// A hash as programs hold it: compares and converts like its number, and prints as 16 hexadecimal digits.
struct StateHash {
  std::uint64_t value = 0;
  operator std::uint64_t() const { return value; }
  friend bool operator==(StateHash a, StateHash b) { return a.value == b.value; }
};
std::string to_text(StateHash hash);
std::ostream& operator<<(std::ostream& out, StateHash hash);

}  // namespace stiction
