// What fuzz targets share.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);

namespace stiction::fuzz {

/// A claim about what a reader did; false is a finding.
inline void expect(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", claim);
  std::abort();
}

/// A file in memory with the bytes of the input.
class MemoryFile {
 public:
  MemoryFile(const void* data, std::size_t size) : descriptor_(::memfd_create("fuzz", 0)) {
    expect(descriptor_ >= 0 && ::write(descriptor_, data, size) == ::ssize_t(size), "a file in memory");
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

}  // namespace stiction::fuzz
