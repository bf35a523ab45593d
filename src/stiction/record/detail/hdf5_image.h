// Reads plain HDF5 files from memory, without the HDF5 library: for files that come from strangers. Every
// offset is checked against the bytes there are, every walk has an end, nothing outside of the file is read.
// (The library, version 1.10.8, crashes on one in some thousand files with changed bytes; recordings are ours
// and are read with it.)
//
// Plain: the layout that HDF5 writes unless told otherwise (superblock 0 or 1, groups as symbol tables),
// datasets in one piece, IEEE numbers, integers of 1 to 8 bytes, texts of fixed length. What is chunked,
// compressed or in the newer layout is refused with the command that unpacks it.
// Reference: "HDF5 File Format Specification Version 2.0", The HDF Group; section numbers in the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stiction::detail {

class Hdf5Image {
 public:
  /// None after writing why not.
  static std::optional<Hdf5Image> open(std::string bytes, std::string& why);

  /// Whether there is a group or a dataset of that path, "/a/b/c".
  bool has(const std::string& path) const;

  /// Whether a dataset of that path was ever given its numbers; some programs only reserve them.
  bool written(const std::string& path) const;

  /// What keeps the dataset from being read, in words; empty = it was read.
  std::string read(const std::string& path, std::vector<double>& out) const;
  std::string read(const std::string& path, std::vector<std::int64_t>& out) const;
  std::string read(const std::string& path, std::string& out) const;

 private:
  struct Message {
    unsigned type = 0;
    std::uint64_t at = 0, size = 0;  // [bytes] of its data
    bool shared = false;
  };
  struct Dataset {  // what is common to all types
    std::uint64_t count = 0;
    std::uint64_t type_at = 0;
    std::uint64_t element = 0;         // [bytes]
    std::uint64_t data = 0, held = 0;  // [bytes] where the numbers stand, and how many bytes
  };

  bool inside(std::uint64_t at, std::uint64_t size) const {
    return at <= bytes_.size() && size <= bytes_.size() - at;
  }
  std::uint64_t number(std::uint64_t at, unsigned width) const;  // little-endian; 0 outside of the file
  bool is_marked(std::uint64_t at, const char* mark) const;
  bool messages(std::uint64_t header, std::vector<Message>& out) const;
  std::optional<std::uint64_t> member(std::uint64_t group, const std::string& name) const;
  std::optional<std::uint64_t> in_tree(std::uint64_t node, int level, std::uint64_t heap,
                                       const std::string& name, int& visits) const;
  std::optional<std::uint64_t> in_leaf(std::uint64_t node, std::uint64_t heap, const std::string& name,
                                       int& visits) const;
  bool named(std::uint64_t heap, std::uint64_t offset, const std::string& name) const;
  std::optional<std::uint64_t> find(const std::string& path) const;
  std::string dataset(const std::string& path, Dataset& out) const;
  std::string count_of(std::uint64_t at, std::uint64_t size, std::uint64_t& count) const;
  std::string place_of(const Message& layout, Dataset& out) const;

  std::string bytes_{};
  std::uint64_t root_ = 0;  // object header of "/"
};

}  // namespace stiction::detail
