// HDF5's C interface behind a few words: handles that close themselves, columns that are written and read in
// batches of rows, texts and attributes. Only record/*.cpp includes this.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stiction/record/frame.h"

namespace stiction::detail {

/// Closes what it holds; every HDF5 object can be closed through its identifier.
class Handle {
 public:
  Handle() = default;
  explicit Handle(hid_t id) : id_(id) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Handle();
  hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  bool close();  // false when that failed

 private:
  hid_t id_ = H5I_INVALID_HID;
};

enum class Number : unsigned char {
  real,
  integer,
  small_integer,
  count,
  index,
  byte
};  // f64 i64 i32 u64 u32 u8
hid_t hdf5_type(Number number);
std::size_t size_of(Number number);  // [bytes]

/// One number, or a few that belong together, of every row: where it stands in the file, and in memory.
struct Slot {
  std::string name;  // "ledger/kinetic"
  const char* unit;
  Number number;
  std::size_t width;  // numbers per row (per body, for columns of bodies)
  void* data;         // of one row
};
std::vector<Slot> frame_slots(Frame& x);       // one row per frame
std::vector<Slot> body_slots(Frame& x);        // one row per frame, one entry per body
std::vector<Slot> joint_slots(Frame& x);       // one row per frame, one entry per coordinate or velocity
std::vector<Slot> reaction_slots(Frame& x);    // one row per frame, one entry per reaction
std::vector<Slot> contact_slots(Contact& x);   // one row per contact
std::vector<Slot> pair_slots(ContactPair& x);  // one row per pair of bodies that press
/// One row per wrench, or per force of a joint: body or joint is then -1.
std::vector<Slot> input_slots(std::int64_t& step, InputWrench& x, InputJointForce& joint);

/// A table that grows row by row: shape [rows, width], or [rows, bodies, width].
class ColumnWriter {
 public:
  ColumnWriter(hid_t file, const Slot& slot, std::size_t bodies, bool per_body);
  bool append(const void* row, std::size_t bytes);  // missing bytes are filled: NaN, 0 for integers
  bool widen(std::size_t bodies);
  bool flush();
  bool ok() const { return bool(set_); }

 private:
  Handle set_;
  Number number_;
  bool per_body_;
  hsize_t rows_ = 0, bodies_, width_;
  hsize_t batch_ = 1;  // rows per chunk
  std::vector<unsigned char> buffer_;
};

class ColumnReader {
 public:
  ColumnReader(hid_t file, const Slot& slot, bool per_body);
  bool ok() const { return ok_; }
  hsize_t rows() const { return rows_; }
  std::size_t bodies() const { return std::size_t(bodies_); }
  bool read(void* row, std::size_t bytes);  // the next row; `bytes` of it

 private:
  bool refill();
  Handle set_;
  Number number_;
  bool per_body_, ok_ = false;
  hsize_t rows_ = 0, bodies_ = 1, width_, next_ = 0, held_ = 0, used_ = 0;
  std::size_t row_bytes_ = 0;
  std::vector<unsigned char> buffer_;
};

Handle make_group(hid_t at, const std::string& name);
bool write_text(hid_t at, const std::string& name, const std::string& text);
bool read_text(hid_t at, const std::string& name, std::string& text);
/// A fixed table in one go; dims[0] x dims[1] numbers (dims[1] = 0: a list).
bool write_table(hid_t at, const std::string& name, Number number, hsize_t rows, hsize_t width,
                 const void* data);
bool read_table(hid_t at, const std::string& name, Number number, hsize_t rows, hsize_t width, void* data);
bool table_rows(hid_t at, const std::string& name, hsize_t& rows);
bool write_names(hid_t at, const std::string& name, const std::vector<std::string>& names);
bool read_names(hid_t at, const std::string& name, std::vector<std::string>& names);
bool write_attribute(hid_t at, const std::string& name, double x);
bool write_attribute(hid_t at, const std::string& name, std::int64_t x);
bool write_attribute(hid_t at, const std::string& name, const std::string& x);
bool read_attribute(hid_t at, const std::string& name, double& x);
bool read_attribute(hid_t at, const std::string& name, std::int64_t& x);
bool read_attribute(hid_t at, const std::string& name, std::string& x);

/// While it lives HDF5 prints nothing.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};
std::string last_hdf5_error();  // the innermost message, cleaned of file names

}  // namespace stiction::detail
