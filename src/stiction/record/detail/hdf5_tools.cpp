#include "stiction/record/detail/hdf5_tools.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace stiction::detail {
namespace {

constexpr std::size_t chunk_bytes = 256 * 1024;  // [bytes] small enough for HDF5's chunk cache of 1 MiB
constexpr hsize_t most_chunk_rows = 4096;
constexpr unsigned compression = 1;  // deflate level: resting bodies compress at any level

hsize_t rows_per_chunk(std::size_t row_bytes) {
  return std::clamp<hsize_t>(chunk_bytes / std::max<std::size_t>(1, row_bytes), 1, most_chunk_rows);
}

void fill(Number number, unsigned char* data, std::size_t bytes) {
  if (number != Number::real) {
    std::memset(data, 0, bytes);
    return;
  }
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i + sizeof none <= bytes; i += sizeof none)
    std::memcpy(data + i, &none, sizeof none);
}

Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type.id(), std::max<std::size_t>(1, size));
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

Handle link_settings() {
  Handle settings(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(settings.id(), 1);
  return settings;
}

void strip(std::string& text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
}

bool is_fixed_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0; }

}  // namespace

Handle::~Handle() {
  if (id_ >= 0) H5Idec_ref(id_);
}

bool Handle::close() {
  const hid_t id = std::exchange(id_, H5I_INVALID_HID);
  return id < 0 || H5Idec_ref(id) >= 0;
}

hid_t hdf5_type(Number number) {
  switch (number) {
    case Number::real:
      return H5T_NATIVE_DOUBLE;
    case Number::integer:
      return H5T_NATIVE_INT64;
    case Number::small_integer:
      return H5T_NATIVE_INT32;
    case Number::count:
      return H5T_NATIVE_UINT64;
    case Number::index:
      return H5T_NATIVE_UINT32;
    case Number::byte:
      return H5T_NATIVE_UINT8;
  }
  return H5I_INVALID_HID;
}

std::size_t size_of(Number number) {
  switch (number) {
    case Number::real:
    case Number::integer:
    case Number::count:
      return 8;
    case Number::small_integer:
    case Number::index:
      return 4;
    case Number::byte:
      return 1;
  }
  return 0;
}

// --- columns

ColumnWriter::ColumnWriter(hid_t file, const Slot& slot, std::size_t bodies, bool per_body)
    : number_(slot.number), per_body_(per_body), bodies_(per_body ? bodies : 1), width_(slot.width) {
  const std::size_t row_bytes = std::size_t(bodies_ * width_) * size_of(number_);
  batch_ = rows_per_chunk(row_bytes);
  std::vector<hsize_t> dims{0}, most{H5S_UNLIMITED}, chunk{batch_};
  if (per_body) {
    dims.push_back(bodies_);
    most.push_back(H5S_UNLIMITED);
    chunk.push_back(std::max<hsize_t>(1, bodies_));
  }
  if (width_ > 1) {
    dims.push_back(width_);
    most.push_back(width_);
    chunk.push_back(width_);
  }
  const Handle space(H5Screate_simple(int(dims.size()), dims.data(), most.data()));
  const Handle settings(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(settings.id(), int(chunk.size()), chunk.data());
  H5Pset_shuffle(settings.id());
  H5Pset_deflate(settings.id(), compression);
  H5Pset_fletcher32(settings.id());  // a flipped bit is found when it is read
  if (number_ == Number::real) {
    const double none = std::numeric_limits<double>::quiet_NaN();
    H5Pset_fill_value(settings.id(), H5T_NATIVE_DOUBLE, &none);
  }
  set_ = Handle(H5Dcreate2(file, slot.name.c_str(), hdf5_type(number_), space.id(), link_settings().id(),
                           settings.id(), H5P_DEFAULT));
  if (set_ && slot.unit[0] != '\0') write_attribute(set_.id(), "unit", std::string(slot.unit));
}

bool ColumnWriter::append(const void* row, std::size_t bytes) {
  const std::size_t row_bytes = std::size_t(bodies_ * width_) * size_of(number_);
  const std::size_t at = buffer_.size();
  if (bytes > row_bytes) return false;
  buffer_.resize(at + row_bytes);
  if (bytes > 0) std::memcpy(buffer_.data() + at, row, bytes);
  if (bytes < row_bytes) fill(number_, buffer_.data() + at + bytes, row_bytes - bytes);
  ++rows_;
  return rows_ % batch_ != 0 || flush();
}

bool ColumnWriter::widen(std::size_t bodies) {
  if (!flush()) return false;
  bodies_ = bodies;
  batch_ = std::min(batch_, rows_per_chunk(std::size_t(bodies_ * width_) * size_of(number_)));
  std::vector<hsize_t> dims{rows_, bodies_};
  if (width_ > 1) dims.push_back(width_);
  return H5Dset_extent(set_.id(), dims.data()) >= 0;
}

bool ColumnWriter::flush() {
  const std::size_t row_bytes = std::size_t(bodies_ * width_) * size_of(number_);
  const hsize_t held = row_bytes == 0 ? 0 : buffer_.size() / row_bytes;
  std::vector<hsize_t> dims{rows_}, start{rows_ - held}, count{held};
  if (per_body_) dims.push_back(bodies_), start.push_back(0), count.push_back(bodies_);
  if (width_ > 1) dims.push_back(width_), start.push_back(0), count.push_back(width_);
  if (H5Dset_extent(set_.id(), dims.data()) < 0) return false;
  if (held == 0) return true;
  const Handle space(H5Dget_space(set_.id()));
  const Handle memory(H5Screate_simple(int(count.size()), count.data(), nullptr));
  const bool good =
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0 &&
      H5Dwrite(set_.id(), hdf5_type(number_), memory.id(), space.id(), H5P_DEFAULT, buffer_.data()) >= 0;
  buffer_.clear();
  return good;
}

ColumnReader::ColumnReader(hid_t file, const Slot& slot, bool per_body)
    : set_(H5Dopen2(file, slot.name.c_str(), H5P_DEFAULT)),
      number_(slot.number),
      per_body_(per_body),
      width_(slot.width) {
  if (!set_) return;
  const Handle space(H5Dget_space(set_.id()));
  const int rank = 1 + (per_body ? 1 : 0) + (width_ > 1 ? 1 : 0);
  hsize_t dims[3] = {0, 0, 0};
  if (H5Sget_simple_extent_ndims(space.id()) != rank) return;
  if (H5Sget_simple_extent_dims(space.id(), dims, nullptr) != rank) return;
  rows_ = dims[0];
  if (per_body) bodies_ = dims[1];
  if (width_ > 1 && dims[rank - 1] != width_) return;
  row_bytes_ = std::size_t(bodies_ * width_) * size_of(number_);
  ok_ = true;
}

bool ColumnReader::refill() {
  held_ = std::min<hsize_t>(rows_per_chunk(row_bytes_), rows_ - next_);
  if (held_ == 0) return false;
  buffer_.resize(std::size_t(held_) * row_bytes_);
  std::vector<hsize_t> start{next_}, count{held_};
  if (per_body_) start.push_back(0), count.push_back(bodies_);
  if (width_ > 1) start.push_back(0), count.push_back(width_);
  next_ += held_;
  used_ = 0;
  if (row_bytes_ == 0) return true;
  const Handle space(H5Dget_space(set_.id()));
  const Handle memory(H5Screate_simple(int(count.size()), count.data(), nullptr));
  return H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) >= 0 &&
         H5Dread(set_.id(), hdf5_type(number_), memory.id(), space.id(), H5P_DEFAULT, buffer_.data()) >= 0;
}

bool ColumnReader::read(void* row, std::size_t bytes) {
  if (!ok_ || bytes > row_bytes_) return false;
  if (used_ == held_ && !refill()) return false;
  if (bytes > 0) std::memcpy(row, buffer_.data() + std::size_t(used_) * row_bytes_, bytes);
  ++used_;
  return true;
}

// --- texts, tables, attributes

Handle make_group(hid_t at, const std::string& name) {
  return Handle(H5Gcreate2(at, name.c_str(), link_settings().id(), H5P_DEFAULT, H5P_DEFAULT));
}

bool write_text(hid_t at, const std::string& name, const std::string& text) {
  std::string padded = text;
  if (padded.empty()) padded.push_back('\0');
  const Handle type = text_type(padded.size()), space(H5Screate(H5S_SCALAR));
  const Handle set(
      H5Dcreate2(at, name.c_str(), type.id(), space.id(), link_settings().id(), H5P_DEFAULT, H5P_DEFAULT));
  return set && H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) >= 0;
}

bool read_text(hid_t at, const std::string& name, std::string& text) {
  const Handle set(H5Dopen2(at, name.c_str(), H5P_DEFAULT));
  if (!set) return false;
  const Handle type(H5Dget_type(set.id())), space(H5Dget_space(set.id()));
  if (!is_fixed_text(type.id()) || H5Sget_simple_extent_npoints(space.id()) != 1) return false;
  text.assign(H5Tget_size(type.id()), '\0');
  if (H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return false;
  strip(text);
  return true;
}

bool write_table(hid_t at, const std::string& name, Number number, hsize_t rows, hsize_t width,
                 const void* data) {
  const hsize_t dims[2] = {rows, width};
  const Handle space(H5Screate_simple(width > 0 ? 2 : 1, dims, nullptr));
  const Handle set(H5Dcreate2(at, name.c_str(), hdf5_type(number), space.id(), link_settings().id(),
                              H5P_DEFAULT, H5P_DEFAULT));
  if (!set) return false;
  return rows == 0 || H5Dwrite(set.id(), hdf5_type(number), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

bool table_rows(hid_t at, const std::string& name, hsize_t& rows) {
  const Handle set(H5Dopen2(at, name.c_str(), H5P_DEFAULT));
  if (!set) return false;
  const Handle space(H5Dget_space(set.id()));
  hsize_t dims[2] = {0, 0};
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 1 || rank > 2 || H5Sget_simple_extent_dims(space.id(), dims, nullptr) != rank) return false;
  rows = dims[0];
  return true;
}

bool read_table(hid_t at, const std::string& name, Number number, hsize_t rows, hsize_t width, void* data) {
  const Handle set(H5Dopen2(at, name.c_str(), H5P_DEFAULT));
  if (!set) return false;
  const Handle space(H5Dget_space(set.id()));
  if (H5Sget_simple_extent_npoints(space.id()) != hssize_t(rows * std::max<hsize_t>(1, width))) return false;
  return rows == 0 || H5Dread(set.id(), hdf5_type(number), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

bool write_names(hid_t at, const std::string& name, const std::vector<std::string>& names) {
  std::size_t longest = 1;
  for (const std::string& n : names) longest = std::max(longest, n.size());
  std::vector<char> padded(names.size() * longest, '\0');
  for (std::size_t i = 0; i < names.size(); ++i)
    std::copy(names[i].begin(), names[i].end(), padded.begin() + std::ptrdiff_t(i * longest));
  const hsize_t count = names.size();
  const Handle type = text_type(longest), space(H5Screate_simple(1, &count, nullptr));
  const Handle set(
      H5Dcreate2(at, name.c_str(), type.id(), space.id(), link_settings().id(), H5P_DEFAULT, H5P_DEFAULT));
  if (!set) return false;
  return count == 0 || H5Dwrite(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) >= 0;
}

bool read_names(hid_t at, const std::string& name, std::vector<std::string>& names) {
  hsize_t count = 0;
  if (!table_rows(at, name, count)) return false;
  const Handle set(H5Dopen2(at, name.c_str(), H5P_DEFAULT));
  const Handle type(H5Dget_type(set.id()));
  if (!is_fixed_text(type.id())) return false;
  const std::size_t longest = H5Tget_size(type.id());
  std::vector<char> padded(std::size_t(count) * longest);
  if (count > 0 && H5Dread(set.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) < 0)
    return false;
  names.assign(std::size_t(count), {});
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i].assign(padded.data() + i * longest, longest);
    strip(names[i]);
  }
  return true;
}

namespace {

bool write_number(hid_t at, const std::string& name, hid_t type, const void* x) {
  const Handle space(H5Screate(H5S_SCALAR));
  const Handle attribute(H5Acreate2(at, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT));
  return attribute && H5Awrite(attribute.id(), type, x) >= 0;
}

bool read_number(hid_t at, const std::string& name, hid_t type, void* x) {
  const Handle attribute(H5Aopen(at, name.c_str(), H5P_DEFAULT));
  if (!attribute) return false;
  const Handle space(H5Aget_space(attribute.id()));
  return H5Sget_simple_extent_npoints(space.id()) == 1 && H5Aread(attribute.id(), type, x) >= 0;
}

}  // namespace

bool write_attribute(hid_t at, const std::string& name, double x) {
  return write_number(at, name, H5T_NATIVE_DOUBLE, &x);
}
bool write_attribute(hid_t at, const std::string& name, std::int64_t x) {
  return write_number(at, name, H5T_NATIVE_INT64, &x);
}
bool write_attribute(hid_t at, const std::string& name, const std::string& x) {
  std::string padded = x;
  if (padded.empty()) padded.push_back('\0');
  const Handle type = text_type(padded.size());
  return write_number(at, name, type.id(), padded.data());
}
bool read_attribute(hid_t at, const std::string& name, double& x) {
  return read_number(at, name, H5T_NATIVE_DOUBLE, &x);
}
bool read_attribute(hid_t at, const std::string& name, std::int64_t& x) {
  return read_number(at, name, H5T_NATIVE_INT64, &x);
}
bool read_attribute(hid_t at, const std::string& name, std::string& x) {
  const Handle attribute(H5Aopen(at, name.c_str(), H5P_DEFAULT));
  if (!attribute) return false;
  const Handle type(H5Aget_type(attribute.id()));
  if (!is_fixed_text(type.id())) return false;
  x.assign(H5Tget_size(type.id()), '\0');
  if (H5Aread(attribute.id(), type.id(), x.data()) < 0) return false;
  strip(x);
  return true;
}

// --- errors

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}
Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

std::string last_hdf5_error() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned n, const H5E_error2_t* error, void* out) -> herr_t {
        if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
        return 0;
      },
      &text);
  return text.substr(0, text.find(", name ="));
}

}  // namespace stiction::detail
