// How a pair of surfaces rubs, as compile() combines it: docs/theory/contact.md.
#pragma once

#include <span>
#include <string>

namespace stiction {

/// How impacts at several contacts at once come out: docs/theory/impacts.md. Where the contacts of one impact
/// differ, the last of this list that one of them has holds for all.
enum class ImpactLaw : unsigned char { newton, poisson, sequential, superball };
std::span<const std::string> impact_law_words();  // in the order of the values

struct ContactLaw {
  double friction = 0.5;      // [-] at rest, across the grain
  double kinetic = 0.5;       // [-] in sliding, <= friction
  double stribeck_speed = 0;  // [m/s] 0 = the coefficient jumps from one to the other
  double viscous = 0;         // [s/m]
  double along = 1;           // [-] friction along the grain over that across
  int grain = -1;             // whose grain: 0 the first body's, 1 the second's, -1 none
  double spin = 0;            // [m]
  double rolling = 0;         // [m]
  double stiffness = 0;       // [N/m] of a contact point; 0 = it does not give way so
  double modulus = 0;         // [Pa] E* of Hertz's law; 0 = none; not both
  double damping_time = 0;    // [s]
  double restitution = 0;     // [-] 0 to 1
  ImpactLaw impact_law = ImpactLaw::newton;
  double tangential = 1;  // [-] -1 to 1, of the law superball: slip thrown back over slip before

  bool gives_way() const { return stiffness > 0 || modulus > 0; }
  /// The coefficient depends on the slip.
  bool varies() const { return viscous > 0 || (stribeck_speed > 0 && kinetic < friction); }
  /// The coefficient falls once the contact slides.
  bool jumps() const { return stribeck_speed == 0 && kinetic < friction; }
};

/// [-] the coefficient at a slip [m/s]; `slides`: in this step or in the last.
double friction_at(const ContactLaw& law, bool slides, double slip);
/// [s/m] and how it changes with the slip.
double friction_slope(const ContactLaw& law, double slip);

}  // namespace stiction
