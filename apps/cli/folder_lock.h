// One run at a time writes into an output folder. The lock falls with the process, however it ends.
#pragma once

#include <string>

#include "stiction/base/result.h"

namespace stiction::cli {

class FolderLock {
 public:
  /// Mistake if another process holds the folder.
  static Result<FolderLock> take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FolderLock& operator=(FolderLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace stiction::cli
