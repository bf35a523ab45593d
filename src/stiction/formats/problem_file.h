// Complementarity problems in files: JSON with comments, constants and arithmetic (docs/problem-files.md).
// Linear ones are matrices; nonlinear ones are formulas, differentiated exactly. Frictional contact problems
// are HDF5 files (record/fclib.h).
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "stiction/base/result.h"
#include "stiction/complementarity/linear/problems.h"
#include "stiction/complementarity/nonlinear/mcp.h"

namespace stiction {

struct ProblemFile {
  std::string path{};   // as the user named it
  std::string title{};  // may be empty
  std::variant<complementarity::Lcp, complementarity::MixedLcp, complementarity::BoxedLcp,
               complementarity::Mcp>
      problem{};
};

/// Reads and checks a problem file; on failure lists *all* mistakes with file:line:column and path. What it
/// returns has no faults (complementarity::validate).
Result<ProblemFile> read_problem_file(const std::string& path);
/// The same for text in memory; `name` stands for the file in messages.
Result<ProblemFile> read_problem_text(std::string_view text, const std::string& name);

/// A problem file that reads back bit for bit.
std::string write_problem_text(const complementarity::Lcp& p, std::string_view title = "");
std::string write_problem_text(const complementarity::MixedLcp& p, std::string_view title = "");
std::string write_problem_text(const complementarity::BoxedLcp& p, std::string_view title = "");

}  // namespace stiction
