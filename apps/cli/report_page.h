// Recording in, page out.
#pragma once

#include <string>

#include "stiction/base/result.h"
#include "stiction/record/journal.h"

namespace stiction::cli {

/// Says how reading the recording ended.
Result<JournalEnding> write_report(const std::string& recording, const std::string& page);

}  // namespace stiction::cli
