// N. Chakraborty, S. Berard, S. Akella, J. Trinkle, An implicit time-stepping method for multibody systems
// with intermittent contact (2007). Its step is step/implicit_contact.h; the cases go beyond the paper's
// three: ellipsoids, which it names as what its method can do, and intersections of inequalities (its
// appendix, with the errors of Equation 22 corrected). The paper prints curves and sentences but no tables:
// references come from an independent program for the same equations, or from exact solutions.
#include "stiction/reproduce/chakraborty.h"

#include <array>

namespace stiction::reproduce {

Document chakraborty() {
  static constexpr std::array<Example, 8> examples{{
      {"disc", "a rolling disc keeps its energy; one that slides comes to roll", chakraborty_disc},
      {"polygons", "what a polygon in the disc's place loses; Figure 1", chakraborty_polygons},
      {"sphere", "a sphere that spins on a plane; Figures 3 and 4", chakraborty_sphere},
      {"two-spheres", "a sphere on two spheres; Figures 6 to 8", chakraborty_two_spheres},
      {"rocking", "an ellipsoid that rocks on a plane", chakraborty_rocking},
      {"rolling", "an ellipsoid that rolls on a plane", chakraborty_rolling},
      {"ellipsoids", "an ellipsoid on an ellipsoid", chakraborty_ellipsoids},
      {"dome", "a half ball on its round side, on its rim and on its face", chakraborty_dome},
  }};
  return {"chakraborty",
          "N. Chakraborty, S. Berard, S. Akella, J. Trinkle, An implicit time-stepping method for multibody "
          "systems with intermittent contact (2007)",
          examples};
}

}  // namespace stiction::reproduce
