// A picture of a scene as SVG: shaded boxes, spheres and capsules over a ground with grid and shadows.
#pragma once

#include <optional>
#include <string>

#include "stiction/report/picture.h"

namespace stiction {

struct SvgSettings {
  double width = 960, height = 600;  // [px] of the view box; the picture scales to any size
  bool forces = false;               // arrows for the contact forces
  double force_scale = 0;            // [px/N]; 0 = the largest arrow takes a fifth of the height
  bool joints = true;                // rings at the joints, lines along their axes
  bool standalone = true;            // carries its own colours for light and dark; false: the page has them
  std::string id = "scene";          // prefix of the ids inside; unique within a page
  std::string label = "";            // what the picture shows, for readers who cannot see it
};

std::string scene_svg(const Picture& picture, const Camera& camera, const SvgSettings& settings);
/// One frame of a recording, with a camera made for it unless one is given.
std::string scene_svg(const Recording& recording, std::size_t frame, const SvgSettings& settings,
                      const std::optional<Camera>& camera = {});

/// The scale at which the largest force of all pictures takes a fifth of the height; 0 without forces.
double common_force_scale(std::span<const Picture> pictures, double height);

/// The colours that standalone pictures carry and pages must have: light, then dark by media query.
std::string scene_style();

}  // namespace stiction
