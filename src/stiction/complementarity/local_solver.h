// One contact alone, solved exactly: find r with u = W r + b and K* contains u + mu|u_t| n, r in K,
// orthogonal.
#pragma once

namespace stiction::complementarity {

enum class LocalCase : unsigned char { open, sticking, sliding };

/// W symmetric positive semidefinite, row-major 3x3, W[0] > 0. Terminates with the bracketed root of one
/// scalar equation found to round-off. A tangential direction that W does not see gets no impulse.
LocalCase solve_one_contact(const double W[9], const double b[3], double mu, double r[3]);

}  // namespace stiction::complementarity
