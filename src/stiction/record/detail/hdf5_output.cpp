#include "stiction/record/detail/hdf5_output.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "stiction/base/hash.h"
#include "stiction/record/detail/bytes.h"

namespace stiction::detail {

// --- the driver

struct OutputDriver {
  /// What the library holds of a file; begins with its own part.
  struct File {
    H5FD_t base;
    Hdf5Output* out;
    haddr_t end_of_use;  // [bytes] as far as the library has given space away
  };
  static File& of(H5FD_t* file) { return *reinterpret_cast<File*>(file); }
  static const File& of(const H5FD_t* file) { return *reinterpret_cast<const File*>(file); }

  static H5FD_t* open(const char*, unsigned, hid_t settings, haddr_t) {
    const auto* out = static_cast<Hdf5Output* const*>(H5Pget_driver_info(settings));
    auto* file = static_cast<File*>(std::calloc(1, sizeof(File)));
    if (!out || !file) return nullptr;
    file->out = *out;
    return &file->base;
  }
  static herr_t close(H5FD_t* file) {
    std::free(file);
    return 0;
  }
  /// As the library's own driver for files: metadata is gathered before it is written.
  static herr_t query(const H5FD_t*, unsigned long* flags) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
  }
  static haddr_t get_eoa(const H5FD_t* file, H5FD_mem_t) { return of(file).end_of_use; }
  static herr_t set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t at) {
    of(file).end_of_use = at;
    return 0;
  }
  static haddr_t get_eof(const H5FD_t* file, H5FD_mem_t) {
    const Hdf5Output& out = *of(file).out;
    haddr_t end = out.disk_.size();
    for (const auto& [at, bytes] : out.missing_) end = std::max<haddr_t>(end, at + bytes.size());
    return end;
  }
  static herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* buffer) {
    Hdf5Output& out = *of(file).out;
    auto* to = static_cast<unsigned char*>(buffer);
    const Result<std::size_t> n = out.disk_.read(at, to, size);
    if (!n && !out.trouble_) out.trouble_ = n.mistakes().front();
    const std::size_t got = n ? n.value() : 0;
    std::memset(to + got, 0, size - got);
    for (const auto& [start, bytes] : out.missing_) {
      const haddr_t from = std::max(at, start), end = std::min<haddr_t>(at + size, start + bytes.size());
      if (from < end) std::memcpy(to + (from - at), bytes.data() + (from - start), std::size_t(end - from));
    }
    return 0;
  }
  static herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* buffer) {
    Hdf5Output& out = *of(file).out;
    if (!out.trouble_) {
      const Result<bool> written = out.disk_.write(at, buffer, size);
      if (written) return 0;
      out.trouble_ = written.mistakes().front();
    }
    const auto* bytes = static_cast<const unsigned char*>(buffer);
    out.missing_.emplace_back(at, std::vector<unsigned char>(bytes, bytes + size));
    return 0;
  }
  static herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
    Hdf5Output& out = *of(file).out;
    if (out.trouble_ || out.disk_.size() == of(file).end_of_use) return 0;
    if (const Result<bool> cut = out.disk_.truncate(of(file).end_of_use); !cut)
      out.trouble_ = cut.mistakes().front();
    return 0;
  }

  static hid_t make() {
    H5FD_class_t c{};
    c.name = "stiction_output";
    c.maxaddr = (haddr_t(1) << 62) - 1;
    c.fc_degree = H5F_CLOSE_WEAK;
    c.fapl_size = sizeof(void*);
    c.open = open;
    c.close = close;
    c.query = query;
    c.get_eoa = get_eoa;
    c.set_eoa = set_eoa;
    c.get_eof = get_eof;
    c.read = read;
    c.write = write;
    c.truncate = truncate;
    static constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), c.fl_map);
    return H5FDregister(&c);
  }
};

// --- the file

Result<std::unique_ptr<Hdf5Output>> Hdf5Output::create(const std::string& path) {
  Result<OutputFile> disk = OutputFile::open(path);
  if (!disk) return disk.mistakes();
  std::unique_ptr<Hdf5Output> out(new Hdf5Output);
  out->disk_ = std::move(disk).value();
  out->driver_ = Handle(OutputDriver::make());
  const Handle settings(H5Pcreate(H5P_FILE_ACCESS));
  Hdf5Output* self = out.get();
  if (H5Pset_driver(settings.id(), out->driver_.id(), static_cast<const void*>(&self)) >= 0)
    out->file_ =
        Handle(H5Fcreate(out->disk_.hidden_path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, settings.id()));
  if (!out->file_)
    return Mistake{path, 0, 0, "",
                   "cannot make an HDF5 file (" + last_hdf5_error() + "). Check the HDF5 library."};
  return out;
}

Hdf5Output::~Hdf5Output() { file_.close(); }

Result<bool> Hdf5Output::finish(bool good, Seal seal) {
  const std::string reason = good ? "" : last_hdf5_error();
  if (!file_.close()) good = false;
  if (trouble_) return *trouble_;
  if (!good)
    return Mistake{disk_.path(), 0, 0, "",
                   "cannot write it as HDF5" + (reason.empty() ? "" : " (" + reason + ")") +
                       ". Check the disk, then try again."};
  if (seal == Seal::yes)
    if (const Result<bool> sealed = put_seal(); !sealed) return sealed;
  return disk_.publish();
}

// --- the seal

namespace {

constexpr std::uint64_t magic = 0x314c414553544953ull;  // "SITSEAL1" in the file
constexpr std::size_t seal_bytes = 32;                  // magic, length, checksum, checksum of these

std::uint64_t checksum(const void* data, std::size_t size) {
  Hash h;
  h.bytes(data, size);
  return h.result();
}

/// Of the first `length` bytes, in pieces.
template <class File>
Result<std::uint64_t> checksum_of(const File& file, std::uint64_t length) {
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

Result<bool> Hdf5Output::put_seal() {
  const Result<std::uint64_t> sum = checksum_of(disk_, disk_.size());
  if (!sum) return sum.mistakes();
  std::vector<unsigned char> bytes;
  ByteWriter w(bytes);
  w.put(magic);
  w.put(disk_.size());
  w.put(sum.value());
  w.put(checksum(bytes.data(), bytes.size()));
  return disk_.write(disk_.size(), bytes.data(), bytes.size());
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
  const Result<std::uint64_t> now = checksum_of(file.value(), length);
  if (!now) return now.mistakes();
  if (now.value() == sum && r.get<std::uint64_t>() == checksum(bytes, seal_bytes - 8)) return true;
  return Mistake{
      path, 0, 0, "",
      "is damaged: its checksum does not fit what it holds. Take a copy of it, convert the journal of "
      "the run again, or run the scene again."};
}

}  // namespace stiction::detail
