// An HDF5 file being written: under a temporary name, on a disk that may become full at any time, sealed at
// its end.
//
// The HDF5 library (1.10) does not survive a failed write: what it still holds it tries to write again and
// again when the program ends, and may crash there. So it writes through a driver of ours which never fails:
// from the first failure on it keeps what should be written in memory, and shows it to the library as if it
// were in the file. Whoever writes asks failed() now and then, and stops.
//
// The seal: 32 bytes behind what HDF5 wrote (which readers pass over) with a checksum of everything before
// it. Damage is found before the library, which does not survive all of it either, sees any of it.
#pragma once

#include <hdf5.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/base/platform/file.h"
#include "stiction/base/result.h"
#include "stiction/record/detail/hdf5_tools.h"

namespace stiction::detail {

class Hdf5Output {
 public:
  /// Mistake: why the system lets no file be made there.
  static Result<std::unique_ptr<Hdf5Output>> create(const std::string& path);
  ~Hdf5Output();
  Hdf5Output(const Hdf5Output&) = delete;
  Hdf5Output& operator=(const Hdf5Output&) = delete;

  hid_t id() const { return file_.id(); }
  bool failed() const { return trouble_.has_value(); }
  /// Closes, seals if asked to, and gives the file its name. `good`: everything that was to be written was
  /// accepted by the library. Otherwise, and after a failure, there is a Mistake and no file.
  enum class Seal : bool { no, yes };
  Result<bool> finish(bool good, Seal seal);

 private:
  Hdf5Output() = default;
  friend struct OutputDriver;
  Result<bool> put_seal();

  OutputFile disk_;
  std::optional<Mistake> trouble_;                                       // the first failure
  std::vector<std::pair<haddr_t, std::vector<unsigned char>>> missing_;  // writes since then, in order
  Handle driver_, file_;
};

/// Mistake: there is a seal, and it does not fit. A file without one is fine: other programs drop it when
/// they write.
Result<bool> check_seal(const std::string& path);

}  // namespace stiction::detail
