// Frictional contact with the bodies condensed away (local form) or kept (global form), as plain data.
//
// local:   u = W r + b
// global:  M v = H r + f,   u = H^T v + b          (the same with W = H^T M^-1 H, b_local = H^T M^-1 f + b)
//
// A contact has `rows` entries: normal first, then friction: 2 planar (t), 3 (t t), 4 with spin (t t s),
// 5 rolling (t t, w w), 6 all (t t s, w w). Two laws:
//   ellipsoid:  K = {|E^-1 r_f| <= mu r_n},                   uhat_n = u_n + mu |E u_f|
//   discs:      K = {|r_t| <= mu r_n, |r_w| <= mu_r r_n},     uhat_n = u_n + mu |u_t| + mu_r |u_w|
// both with  K* contains uhat _|_ r in K. E is diagonal: `weights`, [-] and [m] for spin and rolling rows.
// The first disc holds the tangential rows t (one or two), the second all others w (spin, rolling).
// Coulomb's law is the ellipsoid with E = 1 and 3 rows. Only W as stored counts: it may be unsymmetric
// and singular. References: Acary, Bremond, Huber (2018), "On solving contact problems with Coulomb
// friction"; Trinkle, Berard, Pang (2005) for the ellipsoid; Acary, Bourrier (2021) for rolling discs.
#pragma once

#include <string>
#include <vector>

namespace stiction::complementarity {

enum class FrictionLaw : unsigned char { ellipsoid, discs };

/// Compressed rows: entries of row i are [start[i], start[i + 1]), columns ascending.
struct SparseRows {
  int rows = 0, columns = 0;
  std::vector<int> start;   // rows + 1
  std::vector<int> column;  // one per entry
  std::vector<double> value;
};

/// What both forms say of a contact.
struct FrictionLaws {
  int rows = 3;  // per contact, 2 to 6
  FrictionLaw law = FrictionLaw::ellipsoid;
  std::vector<double> mu;          // [-] one per contact, >= 0
  std::vector<double> mu_rolling;  // [m] one per contact with `discs`, else empty
  std::vector<double> weights;     // rows - 1 per contact with `ellipsoid`, > 0; empty = 1
};

struct LocalFriction {
  FrictionLaws laws;
  SparseRows W;
  std::vector<double> b;  // rows per contact
};

struct GlobalFriction {
  FrictionLaws laws;
  SparseRows M, H;        // H: one column per contact row
  std::vector<double> f;  // one per row of M
  std::vector<double> b;
};

/// All mistakes, each naming the field; empty = fine.
std::vector<std::string> validate(const LocalFriction& p);
std::vector<std::string> validate(const GlobalFriction& p);

}  // namespace stiction::complementarity
