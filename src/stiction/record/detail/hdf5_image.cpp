#include "stiction/record/detail/hdf5_image.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace stiction::detail {
namespace {

constexpr std::uint64_t undefined = std::numeric_limits<std::uint64_t>::max();
constexpr int most_visits = 1000000;          // nodes and entries of one look into a group
constexpr std::size_t most_messages = 10000;  // of one object
const char* const damaged = "is damaged";
const char* const never_written = "was never written";
const char* const unpack =
    "is stored in a way that is not read here (chunks, compression or the newer layout of HDF5); "
    "unpack the file: h5repack -l CONTI -f NONE IN OUT";

enum MessageType : unsigned {  // IV.A.2
  dataspace = 0x01,
  link_info = 0x02,
  datatype = 0x03,
  link = 0x06,
  external_files = 0x07,
  layout = 0x08,
  filters = 0x0b,
  continuation = 0x10,
  symbol_table = 0x11,
};

}  // namespace

std::uint64_t Hdf5Image::number(std::uint64_t at, unsigned width) const {
  std::uint64_t out = 0;
  if (!inside(at, width)) return 0;
  for (unsigned i = 0; i < width; ++i)
    out |= std::uint64_t(static_cast<unsigned char>(bytes_[std::size_t(at) + i])) << (8 * i);
  return out;
}

bool Hdf5Image::is_marked(std::uint64_t at, const char* mark) const {
  return inside(at, 4) && std::memcmp(bytes_.data() + at, mark, 4) == 0;
}

/// II.A, superblock.
std::optional<Hdf5Image> Hdf5Image::open(std::string bytes, std::string& why) {
  static constexpr char signature[] = "\x89HDF\r\n\x1a\n";
  Hdf5Image image;
  image.bytes_ = std::move(bytes);
  const std::uint64_t size = image.bytes_.size();
  if (size < 96 || std::memcmp(image.bytes_.data(), signature, 8) != 0) {
    why = "is no HDF5 file";
    return std::nullopt;
  }
  const std::uint64_t version = image.number(8, 1);
  if (version == 2 || version == 3) {
    why = unpack;
    return std::nullopt;
  }
  const std::uint64_t shift = version == 1 ? 4 : 0;
  const std::uint64_t base = image.number(24 + shift, 8), end = image.number(40 + shift, 8);
  if (version > 3 || image.number(13, 1) != 8 || image.number(14, 1) != 8 || base != 0) {
    why = damaged;
    return std::nullopt;
  }
  if (end > size) {
    why = "is cut off: it has " + std::to_string(size) + " of " + std::to_string(end) + " bytes";
    return std::nullopt;
  }
  image.root_ = image.number(64 + shift, 8);
  return image;
}

/// IV.A.1.a, object header of version 1, with its continuation blocks.
bool Hdf5Image::messages(std::uint64_t header, std::vector<Message>& out) const {
  out.clear();
  if (!inside(header, 16) || number(header, 1) != 1) return false;
  struct Block {
    std::uint64_t at, size;
  };
  std::vector<Block> blocks{{header + 16, number(header + 8, 4)}};
  std::size_t left = std::size_t(number(header + 2, 2));
  for (std::size_t b = 0; b < blocks.size() && left > 0; ++b) {
    const auto [begin, size] = blocks[b];
    if (!inside(begin, size)) return false;
    for (std::uint64_t at = begin; left > 0 && at + 8 <= begin + size; --left) {
      const Message m{unsigned(number(at, 2)), at + 8, number(at + 2, 2), (number(at + 4, 1) & 2) != 0};
      if (m.size > begin + size - m.at || out.size() >= most_messages) return false;
      if (m.type == continuation && m.size >= 16) blocks.push_back({number(m.at, 8), number(m.at + 8, 8)});
      out.push_back(m);
      at = m.at + m.size;
    }
  }
  return true;
}

/// III.D, local heap: the text at that offset is the name.
bool Hdf5Image::named(std::uint64_t heap, std::uint64_t offset, const std::string& name) const {
  const std::uint64_t size = number(heap + 8, 8), data = number(heap + 24, 8);
  if (!inside(data, size) || offset > size || name.size() + 1 > size - offset) return false;
  return std::memcmp(bytes_.data() + data + offset, name.c_str(), name.size() + 1) == 0;
}

/// III.B, symbol table node: hard links only.
std::optional<std::uint64_t> Hdf5Image::in_leaf(std::uint64_t node, std::uint64_t heap,
                                                const std::string& name, int& visits) const {
  if (!is_marked(node, "SNOD")) return std::nullopt;
  const std::uint64_t entries = number(node + 6, 2);
  for (std::uint64_t k = 0; k < entries && ++visits <= most_visits; ++k) {
    const std::uint64_t at = node + 8 + 40 * k;
    if (!inside(at, 40)) return std::nullopt;
    if (number(at + 16, 4) != 2 && named(heap, number(at, 8), name)) return number(at + 8, 8);
  }
  return std::nullopt;
}

/// III.A.1, B-tree of version 1.
std::optional<std::uint64_t> Hdf5Image::in_tree(std::uint64_t node, int level, std::uint64_t heap,
                                                const std::string& name, int& visits) const {
  if (++visits > most_visits || !is_marked(node, "TREE") || number(node + 4, 1) != 0) return std::nullopt;
  const int here = int(number(node + 5, 1));
  if (level >= 0 && here != level) return std::nullopt;
  const std::uint64_t entries = number(node + 6, 2);
  for (std::uint64_t k = 0; k < entries; ++k) {
    const std::uint64_t child = number(node + 24 + 16 * k + 8, 8);
    ++visits;
    const auto found =
        here == 0 ? in_leaf(child, heap, name, visits) : in_tree(child, here - 1, heap, name, visits);
    if (found || visits > most_visits) return found;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Hdf5Image::member(std::uint64_t group, const std::string& name) const {
  std::vector<Message> all;
  if (!messages(group, all)) return std::nullopt;
  for (const Message& m : all) {
    if (m.type != symbol_table || m.size < 16) continue;
    const std::uint64_t tree = number(m.at, 8), heap = number(m.at + 8, 8);
    int visits = 0;
    if (!is_marked(heap, "HEAP") || !inside(heap, 32)) return std::nullopt;
    return in_tree(tree, -1, heap, name, visits);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Hdf5Image::find(const std::string& path) const {
  std::uint64_t here = root_;
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::optional<std::uint64_t> next = member(here, path.substr(at, end - at));
    if (!next) return std::nullopt;
    here = *next;
    at = end + 1;
  }
  return here;
}

bool Hdf5Image::has(const std::string& path) const {
  const std::optional<std::uint64_t> header = find(path);
  std::vector<Message> all;
  return header && messages(*header, all);
}

bool Hdf5Image::written(const std::string& path) const {
  Dataset set;
  return has(path) && dataset(path, set) != never_written;
}

/// IV.A.2.b, dataspace.
std::string Hdf5Image::count_of(std::uint64_t at, std::uint64_t size, std::uint64_t& count) const {
  const std::uint64_t version = number(at, 1), rank = number(at + 1, 1);
  const std::uint64_t head = version == 1 ? 8 : 4;
  if (size < head || (version != 1 && version != 2) || head + 8 * rank > size) return damaged;
  if (version == 2 && number(at + 3, 1) == 2) return "is empty";
  count = 1;
  for (std::uint64_t k = 0; k < rank; ++k) {
    const std::uint64_t extent = number(at + head + 8 * k, 8);
    if (extent != 0 && count > bytes_.size() / extent) return "claims more numbers than the file can hold";
    count *= extent;
  }
  return "";
}

/// IV.A.2.i, data layout.
std::string Hdf5Image::place_of(const Message& m, Dataset& out) const {
  const std::uint64_t version = number(m.at, 1);
  const std::uint64_t kind = number(m.at + (version < 3 ? 2 : 1), 1);
  const std::uint64_t least = version < 3 ? 16 : kind == 0 ? 4 : 18;
  if (version < 1 || m.size < least) return damaged;
  if (version > 3 || kind > 1 || (version < 3 && kind != 1)) return unpack;
  if (version < 3) {  // one piece; its size is that of the numbers
    out.data = number(m.at + 8, 8);
    out.held = undefined;
  } else if (kind == 0) {  // in the message itself
    out.data = m.at + 4;
    out.held = number(m.at + 2, 2);
    if (out.held > m.size - 4) return damaged;
  } else {
    out.data = number(m.at + 2, 8);
    out.held = number(m.at + 10, 8);
  }
  return "";
}

std::string Hdf5Image::dataset(const std::string& path, Dataset& out) const {
  const std::optional<std::uint64_t> header = find(path);
  std::vector<Message> all;
  if (!header) return "is missing";
  if (!messages(*header, all)) return number(*header, 4) == 0x5244484f /* OHDR */ ? unpack : damaged;
  const auto one = [&](unsigned type) {
    const auto m = std::find_if(all.begin(), all.end(), [&](const Message& x) { return x.type == type; });
    return m == all.end() ? nullptr : &*m;
  };
  if (one(filters) != nullptr) return unpack;
  if (one(external_files) != nullptr) return "is kept in another file, which is not read";
  const Message *space = one(dataspace), *type = one(datatype), *where = one(layout);
  if (space == nullptr || type == nullptr || where == nullptr) return "is no dataset";
  if (space->shared || type->shared || where->shared || type->size < 8) return unpack;
  if (std::string why = count_of(space->at, space->size, out.count); !why.empty()) return why;
  if (std::string why = place_of(*where, out); !why.empty()) return why;
  out.type_at = type->at;
  out.element = number(type->at + 4, 4);
  if (out.count == 0) return "";
  if (out.element == 0 || out.element > bytes_.size() || out.count > bytes_.size() / out.element ||
      out.count * out.element > out.held)
    return "claims more bytes than the file holds for it";
  if (out.data == undefined) return never_written;
  return inside(out.data, out.count * out.element) ? "" : damaged;
}

/// IV.A.2.d, class 1: the two formats of IEEE 754.
std::string Hdf5Image::read(const std::string& path, std::vector<double>& out) const {
  Dataset set;
  if (std::string why = dataset(path, set); !why.empty()) return why;
  const std::uint64_t head = number(set.type_at, 1), bits = number(set.type_at + 1, 3);
  const std::uint64_t fields = number(set.type_at + 8, 8), bias = number(set.type_at + 16, 4);
  // offset 0, precision, then places and sizes of exponent and mantissa; implied leading bit; sign on top
  const bool wide = set.element == 8 && fields == 0x34000b3400400000 && bias == 1023 && bits >> 8 == 63;
  const bool narrow = set.element == 4 && fields == 0x1700081700200000 && bias == 127 && bits >> 8 == 31;
  const bool swapped = (bits & 0x41) == 1;
  if ((head & 15) != 1 || (!wide && !narrow) || (bits & 0x30) != 0x20 || (bits & 0x40) != 0)
    return "must hold IEEE numbers of 64 or 32 bits";
  out.resize(std::size_t(set.count));
  for (std::size_t k = 0; k < out.size(); ++k) {
    std::uint64_t word = number(set.data + k * set.element, unsigned(set.element));
    if (swapped) word = __builtin_bswap64(word) >> (64 - 8 * set.element);
    if (wide) {
      std::memcpy(&out[k], &word, sizeof(double));
    } else {
      const auto half = std::uint32_t(word);
      float value = 0;
      std::memcpy(&value, &half, sizeof value);
      out[k] = double(value);
    }
  }
  return "";
}

/// IV.A.2.d, class 0.
std::string Hdf5Image::read(const std::string& path, std::vector<std::int64_t>& out) const {
  Dataset set;
  if (std::string why = dataset(path, set); !why.empty()) return why;
  const std::uint64_t head = number(set.type_at, 1), bits = number(set.type_at + 1, 3);
  const std::uint64_t offset = number(set.type_at + 8, 2), precision = number(set.type_at + 10, 2);
  if ((head & 15) != 0 || set.element == 0 || set.element > 8 || offset != 0 || precision != 8 * set.element)
    return "must hold whole numbers of 8 to 64 bits";
  const bool swapped = (bits & 1) != 0, is_signed = (bits & 8) != 0;
  const unsigned spare = unsigned(64 - 8 * set.element);
  out.resize(std::size_t(set.count));
  for (std::size_t k = 0; k < out.size(); ++k) {
    std::uint64_t word = number(set.data + k * set.element, unsigned(set.element));
    if (swapped) word = __builtin_bswap64(word) >> spare;
    if (is_signed) word = std::uint64_t(std::int64_t(word << spare) >> spare);
    if (!is_signed && word >> 63 != 0) return "holds a number beyond 2^63";
    out[k] = std::int64_t(word);
  }
  return "";
}

/// IV.A.2.d, class 3: one text of fixed length.
std::string Hdf5Image::read(const std::string& path, std::string& out) const {
  Dataset set;
  if (std::string why = dataset(path, set); !why.empty()) return why;
  if ((number(set.type_at, 1) & 15) != 3 || set.count != 1) return "must hold one text of fixed length";
  out = bytes_.substr(std::size_t(set.data), std::size_t(set.element));
  out.resize(std::min(out.find('\0'), out.size()));
  return "";
}

}  // namespace stiction::detail
