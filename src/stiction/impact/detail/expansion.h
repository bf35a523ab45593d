// Poisson's restitution with friction: contacts that have got a normal impulse already.
//
//   0 <= q_n  _|_  u_n >= 0,   |r_t| <= mu (c + q_n), against the slip,   u = W (q_n, r_t) + b
//
// c is the normal impulse given before; it is part of b. Gauss-Seidel over contacts, each exactly: shifted by
// c it is a contact of its own (complementarity/local_solver.h) if that presses more than c, else q_n = 0 and
// r_t lies on a disc of fixed radius.
#pragma once

#include <span>

namespace stiction::impact::detail {

/// r: 3 per contact, start and result; false where the sweeps did not come to rest. W: dense, row-major, of
/// r.size() rows.
bool expand(std::span<const double> W, std::span<const double> b, std::span<const double> mu,
            std::span<const double> given, double tolerance, std::span<double> r);

}  // namespace stiction::impact::detail
