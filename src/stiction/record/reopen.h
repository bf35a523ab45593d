// A recording that came to its end, made ready to go on.
#pragma once

#include <string>

#include "stiction/base/result.h"

namespace stiction {

/// Writes the journal of a run again, from its recording (HDF5), up to the last full State, so that
/// find_resume_point() and Recorder::resume() can go on from there. A last frame that only the end of the run
/// asked for is left out: a longer run does not have it. The journal appears when it is whole.
Result<bool> reopen_recording(const std::string& recording, const std::string& journal);

}  // namespace stiction
