// Files and folders: the only place of the program that calls the file system (HDF5 opens its own files,
// under names that come from here). Every failure is a Mistake that names the file, gives the system's reason
// and says what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"

namespace stiction {

/// The whole file, byte for byte; a Mistake if it is longer than `most`.
Result<std::string> read_file(const std::string& path,
                              std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// Writes to a temporary name in the same folder, syncs, renames: readers see the old file or the new one,
/// never half of it.
Result<bool> write_file(const std::string& path, std::string_view bytes);

Result<bool> make_folders(const std::string& path);                     // with parents; fine if it exists
Result<std::vector<std::string>> list_folder(const std::string& path);  // names without "." and "..", sorted
Result<std::uint64_t> file_size(const std::string& path);               // [bytes]
bool file_exists(const std::string& path);                              // a file or a folder
bool is_folder(const std::string& path);
Result<bool> remove_file(const std::string& path);
/// Syncs the file `from` to the disk and gives it the name `to`, replacing what was there.
Result<bool> publish_file(const std::string& from, const std::string& to);
/// A name in the folder of `path` that no other process uses: "<path>.<process>.part".
std::string temporary_name(const std::string& path);
/// Removes what processes that were killed left under such names in a folder; for a folder that no other
/// process writes to.
void remove_left_parts(const std::string& folder);
/// folder + "/" + name, with one slash.
std::string join_path(const std::string& folder, const std::string& name);

/// A file that only grows. What append() returned for is with the operating system: it survives the death of
/// the process. sync() also makes it survive the loss of power. An append() that fails (full disk) leaves the
/// file as long as it was before.
class AppendFile {
 public:
  /// fresh: the file is emptied; keep: it must exist and is appended to; hidden: a new file under a temporary
  /// name until publish(), which replaces what has the name, and removed again if that never comes.
  enum class Start { fresh, keep, hidden };
  static Result<AppendFile> open(const std::string& path, Start start);
  AppendFile() = default;
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  ~AppendFile();

  Result<bool> append(const void* data, std::size_t size);
  Result<bool> truncate(std::uint64_t size);  // [bytes] drops what lies behind
  Result<bool> sync();
  Result<bool> publish();  // a hidden file gets its name; it stays open
  Result<bool> close();
  bool is_open() const { return descriptor_ >= 0; }
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }  // also of a hidden file: the name it is to have

 private:
  std::string path_, hidden_;  // hidden_: the temporary name; empty = it has its own
  int descriptor_ = -1;
  std::uint64_t size_ = 0;  // [bytes]
};

/// A new file that is written and read in any order, hidden under a temporary name until publish().
class OutputFile {
 public:
  static Result<OutputFile> open(const std::string& path);
  OutputFile() = default;
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  ~OutputFile();  // removes it, if it never got its name

  Result<bool> write(std::uint64_t offset, const void* data, std::size_t size);
  Result<std::size_t> read(std::uint64_t offset, void* data, std::size_t size) const;
  Result<bool> truncate(std::uint64_t size);  // [bytes]
  Result<bool> publish();                     // replaces what has the name
  std::uint64_t size() const { return size_; }
  const std::string& path() const { return path_; }           // the name it is to have
  const std::string& hidden_path() const { return hidden_; }  // the name it has until then

 private:
  std::string path_, hidden_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;  // [bytes]
};

/// Reads any part of a file.
class InputFile {
 public:
  static Result<InputFile> open(const std::string& path);
  InputFile() = default;
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  /// Up to `size` bytes from `offset`; the count read is less only at the end of the file.
  Result<std::size_t> read(std::uint64_t offset, void* data, std::size_t size) const;
  std::uint64_t size() const { return size_; }  // [bytes] when opened
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace stiction
