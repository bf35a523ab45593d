// The report of a run: one HTML file that needs nothing else. Verdict, warnings, settings, pictures, map of
// the contacts, energies by cause, certificate, contacts, joints, chosen trajectories, final positions.
#pragma once

#include <string>
#include <vector>

#include "stiction/record/recording.h"

namespace stiction {

struct ReportSettings {
  int pictures = 6;                 // [-] 0 to 24; fewer when the scene has thousands of bodies
  bool forces = false;              // arrows for contact forces in the pictures
  std::vector<std::string> plot{};  // empty = what the scene asked for
  std::vector<double> at{};  // [s] increasing: times of the pictures; empty = evenly over the run. A digest
                             // must have been made for the same times
};

/// Mistakes: no frames, a curve that is not there, or a time that the recording does not reach.
Result<std::string> html_report(const Recording& recording, const ReportSettings& settings = {});
/// The same of a recording that was not loaded as a whole.
Result<std::string> html_report(const RecordingDigest& digest, const ReportSettings& settings = {});

}  // namespace stiction
