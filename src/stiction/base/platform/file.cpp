#include "stiction/base/platform/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace stiction {

namespace {

/// The system's reason and the remedy for the usual ones.
Mistake trouble(const std::string& path, const std::string& action, int code) {
  std::string message = "cannot " + action + ": " + std::strerror(code) + ". ";
  switch (code) {
    case ENOENT:
      message += "Check the spelling, and that the folder exists.";
      break;
    case EACCES:
    case EPERM:
      message += "Change the permissions, or choose another place.";
      break;
    case EROFS:
      message += "The disk is read-only: choose another place.";
      break;
    case ENOSPC:
    case EDQUOT:
      message += "The disk is full: free some space, or choose another place.";
      break;
    case EFBIG:
      message +=
          "A file may not become that large here: raise the limit (ulimit -f), or choose another disk.";
      break;
    case EIO:
      message += "The disk does not work as it should: copy what is left to another one.";
      break;
    case EISDIR:
      message += "It is a folder: name a file in it.";
      break;
    case ENOTDIR:
      message += "A part of the path is a file, not a folder: choose another path.";
      break;
    case EMFILE:
    case ENFILE:
      message += "Too many files are open: close some programs, or raise the limit (ulimit -n).";
      break;
    default:
      message += "Check the disk and the path, then try again.";
      break;
  }
  return Mistake{path, 0, 0, "", message};
}

Result<std::size_t> read_at(int descriptor, const std::string& path, std::uint64_t offset, void* data,
                            std::size_t size) {
  auto* p = static_cast<unsigned char*>(data);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::pread(descriptor, p + done, size - done, off_t(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return trouble(path, "read", errno);
    if (n == 0) break;
    done += std::size_t(n);
  }
  return done;
}

Result<bool> write_all(int descriptor, const std::string& path, const void* data, std::size_t size) {
  const auto* p = static_cast<const unsigned char*>(data);
  while (size > 0) {
    const ssize_t n = ::write(descriptor, p, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return trouble(path, "write", errno);
    p += n;
    size -= std::size_t(n);
  }
  return true;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// A rename is on the disk only when its folder is; systems that cannot sync folders are left to themselves.
void sync_folder(const std::string& path) {
  const int d = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (d < 0) return;
  ::fsync(d);
  ::close(d);
}

}  // namespace

Result<std::string> read_file(const std::string& path, std::uint64_t most) {
  const auto too_long = [&] {
    return Mistake{path, 0, 0, "",
                   "is longer than " + std::to_string(most) +
                       " bytes, the most that is read of such a file. Check that it is the right one."};
  };
  const int d = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (d < 0) return trouble(path, "read", errno);
  std::string out;
  struct stat info {};
  if (::fstat(d, &info) == 0 && S_ISREG(info.st_mode)) {
    if (std::uint64_t(info.st_size) > most) {
      ::close(d);
      return too_long();
    }
    out.reserve(std::size_t(info.st_size));
  }
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(d, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int code = errno;
      ::close(d);
      return trouble(path, "read", code);
    }
    if (n == 0) break;
    out.append(buffer, std::size_t(n));
    if (out.size() > most) {  // what has no size beforehand: pipes, devices
      ::close(d);
      return too_long();
    }
  }
  ::close(d);
  return out;
}

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  const std::string part = temporary_name(path);
  const int d = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (d < 0) return trouble(path, "write", errno);
  const Result<bool> written = write_all(d, path, bytes.data(), bytes.size());
  ::close(d);
  if (!written) {
    ::unlink(part.c_str());
    return written;
  }
  return publish_file(part, path);
}

Result<bool> publish_file(const std::string& from, const std::string& to) {
  const int d = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  int code = d < 0 ? errno : 0;
  if (d >= 0) {
    if (::fsync(d) != 0) code = errno;
    ::close(d);
  }
  if (code == 0 && ::rename(from.c_str(), to.c_str()) != 0) code = errno;
  if (code != 0) {
    ::unlink(from.c_str());
    return trouble(to, "write", code);
  }
  sync_folder(to);
  return true;
}

std::string temporary_name(const std::string& path) {
  return path + "." + std::to_string(::getpid()) + ".part";
}

void remove_left_parts(const std::string& folder) {
  const Result<std::vector<std::string>> names = list_folder(folder);
  if (!names) return;
  for (const std::string& name : names.value()) {
    if (!name.ends_with(".part")) continue;
    const std::size_t end = name.size() - 5, dot = name.rfind('.', end - 1);
    const bool process = dot != std::string::npos && dot > 0 && dot + 1 < end &&
                         name.find_first_not_of("0123456789", dot + 1) == end;
    if (!process) continue;
    const pid_t writer = pid_t(std::strtol(name.c_str() + dot + 1, nullptr, 10));
    const bool lives = ::kill(writer, 0) == 0 || errno == EPERM;
    if (!lives) ::unlink(join_path(folder, name).c_str());
  }
}

std::string join_path(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return folder.back() == '/' ? folder + name : folder + "/" + name;
}

Result<bool> make_folders(const std::string& path) {
  for (std::size_t end = 1; end <= path.size(); ++end) {
    if (end < path.size() && path[end] != '/') continue;
    const std::string part = path.substr(0, end);
    if (::mkdir(part.c_str(), 0777) == 0 || errno == EEXIST) continue;
    const int code = errno;
    if (is_folder(part)) continue;  // for example "/" or "..", or a parent that is read-only
    return trouble(part, "make the folder", code);
  }
  if (!is_folder(path)) return trouble(path, "make the folder", path.empty() ? ENOENT : ENOTDIR);
  return true;
}

Result<std::vector<std::string>> list_folder(const std::string& path) {
  DIR* folder = ::opendir(path.c_str());
  if (!folder) return trouble(path, "list the folder", errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  const int code = errno;
  ::closedir(folder);
  if (code != 0) return trouble(path, "list the folder", code);
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::uint64_t> file_size(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return trouble(path, "read", errno);
  if (S_ISDIR(info.st_mode)) return trouble(path, "read", EISDIR);
  return std::uint64_t(info.st_size);
}

bool file_exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

bool is_folder(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

Result<bool> remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0) return trouble(path, "remove", errno);
  return true;
}

// --- AppendFile

Result<AppendFile> AppendFile::open(const std::string& path, Start start) {
  const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | (start == Start::keep ? 0 : O_CREAT | O_TRUNC);
  const std::string name = start == Start::hidden ? temporary_name(path) : path;
  AppendFile file;
  file.path_ = path;
  file.descriptor_ = ::open(name.c_str(), flags, 0666);
  if (file.descriptor_ < 0) return trouble(path, "write", errno);
  if (start == Start::hidden) file.hidden_ = name;
  struct stat info {};
  if (::fstat(file.descriptor_, &info) != 0) return trouble(path, "write", errno);
  file.size_ = std::uint64_t(info.st_size);
  return file;
}

AppendFile::AppendFile(AppendFile&& other) noexcept { *this = std::move(other); }

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(hidden_, other.hidden_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
}

Result<bool> AppendFile::append(const void* data, std::size_t size) {
  STICTION_ASSERT(is_open());
  Result<bool> written = write_all(descriptor_, path_, data, size);
  if (written) {
    size_ += size;
  } else if (::ftruncate(descriptor_, off_t(size_)) != 0) {
    // What was written of it stays; readers of append-only files pass over it.
  }
  return written;
}

Result<bool> AppendFile::truncate(std::uint64_t size) {
  STICTION_ASSERT(is_open() && size <= size_);
  if (::ftruncate(descriptor_, off_t(size)) != 0) return trouble(path_, "shorten", errno);
  size_ = size;
  return true;
}

Result<bool> AppendFile::sync() {
  STICTION_ASSERT(is_open());
  if (::fsync(descriptor_) != 0) return trouble(path_, "write", errno);
  return true;
}

Result<bool> AppendFile::publish() {
  STICTION_ASSERT(!hidden_.empty());
  return publish_file(std::exchange(hidden_, {}), path_);
}

Result<bool> AppendFile::close() {
  STICTION_ASSERT(is_open());
  const int d = std::exchange(descriptor_, -1);
  if (::close(d) != 0) return trouble(path_, "write", errno);
  return true;
}

// --- OutputFile

Result<OutputFile> OutputFile::open(const std::string& path) {
  OutputFile file;
  file.path_ = path;
  const std::string name = temporary_name(path);
  file.descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file.descriptor_ < 0) return trouble(path, "write", errno);
  file.hidden_ = name;
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(hidden_, other.hidden_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!hidden_.empty()) ::unlink(hidden_.c_str());
}

Result<bool> OutputFile::write(std::uint64_t offset, const void* data, std::size_t size) {
  STICTION_ASSERT(descriptor_ >= 0);
  const auto* p = static_cast<const unsigned char*>(data);
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::pwrite(descriptor_, p + done, size - done, off_t(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return trouble(path_, "write", errno);
    done += std::size_t(n);
  }
  size_ = std::max(size_, offset + size);
  return true;
}

Result<std::size_t> OutputFile::read(std::uint64_t offset, void* data, std::size_t size) const {
  STICTION_ASSERT(descriptor_ >= 0);
  return read_at(descriptor_, path_, offset, data, size);
}

Result<bool> OutputFile::truncate(std::uint64_t size) {
  STICTION_ASSERT(descriptor_ >= 0);
  if (::ftruncate(descriptor_, off_t(size)) != 0) return trouble(path_, "write", errno);
  size_ = size;
  return true;
}

Result<bool> OutputFile::publish() {
  STICTION_ASSERT(!hidden_.empty());
  return publish_file(std::exchange(hidden_, {}), path_);
}

// --- InputFile

Result<InputFile> InputFile::open(const std::string& path) {
  InputFile file;
  file.path_ = path;
  file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) return trouble(path, "read", errno);
  struct stat info {};
  if (::fstat(file.descriptor_, &info) != 0) return trouble(path, "read", errno);
  if (S_ISDIR(info.st_mode)) return trouble(path, "read", EISDIR);
  file.size_ = std::uint64_t(info.st_size);
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept { *this = std::move(other); }

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::size_t> InputFile::read(std::uint64_t offset, void* data, std::size_t size) const {
  STICTION_ASSERT(descriptor_ >= 0);
  return read_at(descriptor_, path_, offset, data, size);
}

}  // namespace stiction
