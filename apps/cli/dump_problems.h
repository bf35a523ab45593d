// stiction run --problems: the contact problems of chosen steps as files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/world/world.h"

namespace stiction::cli {

class ProblemDump {
 public:
  /// `steps`: "10,20,50", counted from 1; empty = the last step of the run. An empty folder: nothing is
  /// written.
  static Result<ProblemDump> prepare(const std::string& folder, const std::string& steps,
                                     const std::string& scene);

  /// After every step; writes NAME-STEP-CONTACTS.h5 (FCLib, local form) where the step is one of those asked
  /// for and had contacts.
  Result<bool> after_step(const World& world, bool is_last);
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::string folder_, scene_;
  std::vector<std::int64_t> steps_;
  std::vector<std::string> files_;
};

}  // namespace stiction::cli
