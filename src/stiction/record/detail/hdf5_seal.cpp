#include <algorithm>
#include <vector>

#include "stiction/base/hash.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/detail/bytes.h"
#include "stiction/record/detail/hdf5_tools.h"

namespace stiction::detail {
namespace {

constexpr std::uint64_t magic = 0x3153444c41455353ull;  // "SSEALDS1" in the file
constexpr std::size_t seal_bytes = 32;                  // magic, length, checksum, checksum of these

std::uint64_t checksum(const void* data, std::size_t size) {
  Hash h;
  h.bytes(data, size);
  return h.result();
}

/// Of the first `length` bytes, in pieces.
Result<std::uint64_t> checksum(const InputFile& file, std::uint64_t length) {
  std::vector<unsigned char> piece(std::size_t(std::min<std::uint64_t>(length, 1 << 20)));
  Hash h;
  for (std::uint64_t at = 0; at < length;) {
    const Result<std::size_t> n =
        file.read(at, piece.data(), std::size_t(std::min<std::uint64_t>(length - at, piece.size())));
    if (!n) return n.mistakes();
    if (n.value() == 0) return Mistake{file.path(), 0, 0, "", "became shorter while it was read. Try again."};
    h.bytes(piece.data(), n.value());
    at += n.value();
  }
  return h.result();
}

}  // namespace

Result<bool> seal_file(const std::string& path) {
  Result<AppendFile> out = AppendFile::open(path, AppendFile::Start::keep);
  if (!out) return out.mistakes();
  const Result<InputFile> in = InputFile::open(path);
  if (!in) return in.mistakes();
  const Result<std::uint64_t> sum = checksum(in.value(), in.value().size());
  if (!sum) return sum.mistakes();
  std::vector<unsigned char> seal;
  ByteWriter w(seal);
  w.put(magic);
  w.put(in.value().size());
  w.put(sum.value());
  w.put(checksum(seal.data(), seal.size()));
  return out.value().append(seal.data(), seal.size());
}

Result<bool> check_seal(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.mistakes();
  const std::uint64_t size = file.value().size();
  unsigned char bytes[seal_bytes] = {};
  if (size < seal_bytes) return true;
  const Result<std::size_t> n = file.value().read(size - seal_bytes, bytes, seal_bytes);
  if (!n) return n.mistakes();
  ByteReader r(bytes);
  const auto found = r.get<std::uint64_t>(), length = r.get<std::uint64_t>(), sum = r.get<std::uint64_t>();
  if (found != magic || length != size - seal_bytes) return true;
  const Result<std::uint64_t> now = checksum(file.value(), length);
  if (!now) return now.mistakes();
  if (now.value() == sum && r.get<std::uint64_t>() == checksum(bytes, seal_bytes - 8)) return true;
  return Mistake{
      path, 0, 0, "",
      "is damaged: its checksum does not fit what it holds. Take a copy of it, convert the journal of "
      "the run again, or run the scene again."};
}

void give_up(const Handle& file) {
  void* held = nullptr;
  if (file && H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &held) >= 0 && held != nullptr)
    send_nowhere(*static_cast<int*>(held));
}

}  // namespace stiction::detail
