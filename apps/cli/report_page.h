// Recording in, page out.
#pragma once

#include <string>

#include "stiction/base/result.h"

namespace stiction::cli {

Result<bool> write_report(const std::string& recording, const std::string& page);

}  // namespace stiction::cli
