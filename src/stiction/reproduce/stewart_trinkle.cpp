#include "stiction/reproduce/stewart_trinkle.h"

#include <array>

#include "stiction/reproduce/documents.h"

namespace stiction::reproduce {

Document stewart_trinkle() {
  static constexpr std::array<Example, 4> examples{{
      {"rod", "a falling, spinning rod, linear method; Figures 2 to 5", stewart_trinkle_rod},
      {"methods", "the rod with the nonlinear method and with Anitescu and Potra's", stewart_trinkle_methods},
      {"painleve", "the rod after its first impact: no accelerations, but impulses",
       stewart_trinkle_painleve},
      {"balls", "a ball thrown into a row of three; Table 1, Figures 6 to 8", stewart_trinkle_balls},
  }};
  return {"stewart-trinkle",
          "D. Stewart, J. Trinkle, An implicit time-stepping scheme for rigid body dynamics with Coulomb "
          "friction "
          "(2000)",
          examples};
}

}  // namespace stiction::reproduce
