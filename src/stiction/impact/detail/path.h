// The state of an impact along p_n, and its straight pieces; shared by the closed form and the integration.
#pragma once

#include <cmath>
#include <limits>

#include "stiction/impact/impact.h"

namespace stiction::impact::detail {

inline constexpr double never = std::numeric_limits<double>::infinity();

/// What happens along the normal: compression, restitution, the end.
struct NormalPhase {
  double e = 0;
  Law law = Law::energetic;
  double v0 = 0;                    // [m/s] v_n before, < 0
  double v = 0;                     // [m/s] v_n
  double p = 0;                     // [N s] p_n
  double stored = 0, released = 0;  // [J]
  double p_compression = 0;         // [N s] p_n when compression ended last
  bool restitution = false;         // compression is over

  /// [J] that the law lets the contact give back at most.
  double budget() const { return (law == Law::energetic ? e * e : 1.0) * stored - released; }
  /// [N s] until v_n = 0, along a piece with dv_n/dp_n = k [1/kg]: compression ends, or resumes.
  double to_turn(double k) const;
  /// [N s] until the law is fulfilled or the budget is spent.
  double to_end(double k) const;
  void advance(double dp, double k);

 private:
  double to_law(double k) const;
};

/// What is constant along a straight piece.
struct Line {
  double k = 0;           // [1/kg] dv_n/dp_n
  double rate = 0;        // [1/kg] d slip/dp_n
  double c1 = 0, c2 = 0;  // [-] dp_t/dp_n
};

struct Path {
  NormalPhase normal;
  double slip = 0;        // [m/s] |v_t|
  double d1 = 1, d2 = 0;  // its direction
  double p1 = 0, p2 = 0;  // [N s] p_t
  double friction = 0;    // [J] work of friction
  Slip mode = Slip::slide;
  Outcome out;
  std::vector<Event>* trace = nullptr;  // gets every event, and points between

  Path(const Vec3& u, const Coefficients& c);
  Event event(Moment moment) const;
  void record(Moment moment);
  void advance(double dp, const Line& line);
  /// Follows the piece. True where slip stops (recorded by the caller, who knows what follows), false at the
  /// end.
  bool follow(const Line& line);
  /// Turns from compression to restitution, or back, and records it.
  void turn();
  /// Fills the outcome.
  void finish();
};

/// True where nothing hits or the input is bad; the status is then set.
bool is_no_impact(double vn, bool valid, const Vec3& u, Outcome& out);

bool are_valid(const Coefficients& c);
void list_faults(const Coefficients& c, std::vector<std::string>& out);

}  // namespace stiction::impact::detail
