// A disk that is full after so many bytes, in front of the C library (LD_PRELOAD): regular files may grow by
// STICTION_TEST_ROOM bytes together, then writing gives ENOSPC, the last write in part, as on a real disk. What a file had
// once it keeps.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long long used;
static struct {
  dev_t disk;
  ino_t file;
  long long length;
} files[256];

/// How many of `count` bytes there is room for at this place of the file; -1: none.
static ssize_t room(int descriptor, size_t count, long long at) {
  struct stat info;
  if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return (ssize_t)count;
  int k = 0;
  while (k < 255 && files[k].file != 0 && (files[k].file != info.st_ino || files[k].disk != info.st_dev)) ++k;
  if (files[k].file == 0) {
    files[k].disk = info.st_dev, files[k].file = info.st_ino;
    files[k].length = info.st_size;
  }
  if (at < 0) at = info.st_size;  // appending
  const char* given = getenv("STICTION_TEST_ROOM");
  const long long end = files[k].length + (given ? atoll(given) : 0) - used;
  if (count > 0 && end <= at) return -1;
  const ssize_t fits = at + (long long)count < end ? (ssize_t)count : (ssize_t)(end - at);
  if (at + fits > files[k].length) {
    used += at + fits - files[k].length;
    files[k].length = at + fits;
  }
  return fits;
}

ssize_t write(int descriptor, const void* data, size_t count) {
  static ssize_t (*real)(int, const void*, size_t);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "write");
  const ssize_t fits = room(descriptor, count, -1);
  if (fits >= 0) return real(descriptor, data, (size_t)fits);
  errno = ENOSPC;
  return -1;
}

ssize_t pwrite64(int descriptor, const void* data, size_t count, off64_t at) {
  static ssize_t (*real)(int, const void*, size_t, off64_t);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "pwrite64");
  const ssize_t fits = room(descriptor, count, at);
  if (fits >= 0) return real(descriptor, data, (size_t)fits, at);
  errno = ENOSPC;
  return -1;
}
ssize_t pwrite(int descriptor, const void* data, size_t count, off_t at) {
  return pwrite64(descriptor, data, count, at);
}
