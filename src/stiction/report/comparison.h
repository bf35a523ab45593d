// Several runs side by side in one HTML file: settings and costs, certificates over time, energies and books
// by cause, where the bodies ended and how far apart, pictures at the same times.
#pragma once

#include <span>
#include <string>

#include "stiction/record/recording.h"
#include "stiction/report/html.h"

namespace stiction {

inline constexpr std::size_t most_compared = 12;

/// Two to most_compared recordings; the first is what the others are compared with. Of the settings `at`,
/// `pictures` (1 to 4 times, unless `at` has more) and `forces` count. Mistakes: no frames, times that a
/// recording does not reach.
Result<std::string> html_comparison(std::span<const RecordingDigest> runs,
                                    const ReportSettings& settings = {});

/// How far a body is from where it is in another run.
struct BodyDifference {
  std::string name{};
  double distance = 0;  // [m] of the centres
  double turn = 0;      // [rad] between the orientations
};
/// Of the bodies that both have and that move, at a frame of each, the largest distance first.
std::vector<BodyDifference> differences(const Recording& a, std::size_t frame_a, const Recording& b,
                                        std::size_t frame_b);

}  // namespace stiction
