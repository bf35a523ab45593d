// Frictional contact as a mathematical problem: no bodies, no geometry, no units of its own.
//
//   A (v - v_free) = G^T r            velocities v in blocks, A block-diagonal, symmetric positive definite
//   u = G v + b                       local velocities, three rows a contact: normal, two tangential
//   K = {|r_t| <= mu r_n}             Coulomb's cone
//   K* contains uhat = u + mu |u_t| n,  r in K,  uhat . r = 0        for every contact
//
// A contact that gives way has u_n + give r_n in place of u_n: a positive number on its diagonal of W.
//
// The rows G are kept as a graph (each contact names at most two velocity blocks), so that no solver needs
// G A^-1 G^T formed: a block with 10,000 contacts costs 10,000. Blocks have at most `width` = 6 coordinates;
// smaller ones are padded: identity in A, zero in G and v. What has more coordinates (a tree of bodies) is a
// wide block: several blocks of six in a row, again padded, that a dense matrix couples; its contacts bring
// their rows of any length, and A^-1 G^T with them. Contacts and blocks are sorted by island; an island
// shares no block with another and is the unit of work. Reference: Acary, Bremond, Huber (2018), "On solving
// contact problems with Coulomb friction".
#pragma once

#include <string>
#include <vector>

namespace stiction::complementarity {

inline constexpr int width = 6;

/// What a row block asks for. cone: Coulomb's law, as above. equality: u_n = 0 with r_n of either sign, r_t =
/// 0. box: low <= r_n <= high, u_n >= 0 where r_n = low, u_n <= 0 where r_n = high, u_n = 0 between; r_t = 0.
/// turning: stands behind a cone on the same blocks and makes one law of six numbers with it, rows of spin s
/// and of rolling w scaled by their levers:
///     K = {|(r_t, r_s)| <= mu r_n, |r_w| <= rolling r_n},   uhat_n = u_n + mu |(u_t, u_s)| + rolling |u_w|.
enum class RowKind : int { cone, equality, box, turning };

struct ContactRows {
  int block[2] = {-1, -1};      // velocity blocks; -1 = none (something that does not move)
  double G[2][3 * width] = {};  // rows for each block, row-major 3 x 6; zero where block = -1
  int wide[2] = {-1, -1};       // rows on a wide block, whose first block `block` is: which of wide_rows
  double b[3] = {0, 0, 0};
  double mu = 0;    // [-] >= 0
  double give = 0;  // cone: >= 0, what u_n grows by with r_n beside the motion of the blocks; 0 = rigid
  RowKind kind = RowKind::cone;
  double low = 0, high = 0;  // box: bounds of r_n; either may be infinite
  double rolling = 0;        // [-] turning: >= 0; 0 = no law on its rows of rolling, r_w = 0
  double unit[2] = {0,
                    0};  // [m/s] cone: what errors of the velocity of each side are held against; 0 = nothing
};

/// Contacts [contact_begin, contact_end) and blocks [block_begin, block_end).
struct Island {
  int block_begin = 0, block_end = 0;
  int contact_begin = 0, contact_end = 0;
  int wide_begin = 0, wide_end = 0;  // wide blocks among them
};

/// Blocks [first, first + count) as one.
struct WideBlock {
  int first = 0, count = 0;
  std::size_t at = 0;  // of its A in wide_A: row-major, 6 count rows and columns
  int size() const { return width * count; }
};
/// Rows of a contact on a wide block: three of `size` numbers each, from `at` on in wide_G and in wide_Y.
struct WideRows {
  int size = 0;
  std::size_t at = 0;
};

struct FrictionProblem {
  std::vector<double> A;          // block_count x 36, row-major
  std::vector<double> A_inverse;  // likewise
  std::vector<double> v_free;     // block_count x 6
  std::vector<ContactRows> contacts;
  std::vector<Island> islands;
  // Wide blocks, sorted; in A their diagonal blocks are repeated, in A_inverse zeros stand for them.
  std::vector<WideBlock> wide;
  std::vector<WideRows> wide_rows;
  std::vector<double> wide_A, wide_G, wide_Y;  // Y = (A^-1 G^T)^T

  int block_count() const { return int(v_free.size()) / width; }
  void clear() {
    A.clear(), A_inverse.clear(), v_free.clear(), contacts.clear(), islands.clear();
    wide.clear(), wide_rows.clear(), wide_A.clear(), wide_G.clear(), wide_Y.clear();
  }
};

/// Whether row block i has a turning block behind it.
inline bool turns(const FrictionProblem& p, const Island& island, int i) {
  return i + 1 < island.contact_end && p.contacts[std::size_t(i) + 1].kind == RowKind::turning;
}

/// What is wrong with a problem, in words; empty = fine. For problems that come from outside.
std::vector<std::string> validate(const FrictionProblem& p);

/// v = v_free + A^-1 G^T r on one island; r holds three numbers per contact of the whole problem.
void velocities_from(const FrictionProblem& p, const Island& island, const double* r, double* v);
/// u = G v + b for one contact.
void local_velocity(const FrictionProblem& p, const ContactRows& c, const double* v, double u[3]);
/// What the law of a contact is about, given its impulse: u, and for one that gives way u_n + give r_n.
inline void law_velocity(const FrictionProblem& p, const ContactRows& c, const double* v, const double* r,
                         double u[3]) {
  local_velocity(p, c, v, u);
  if (c.give > 0) u[0] += c.give * r[0];
}
/// [J] v'A v/2 over all blocks.
double kinetic_energy(const FrictionProblem& p, const double* v);
double kinetic_energy(const FrictionProblem& p, const Island& island, const double* v);
/// Mean diagonal of W_ii = G_i A^-1 G_i^T: the contact's inverse mass; 1 where a box asks nothing of what
/// does not move.
double mean_diagonal(const FrictionProblem& p, const ContactRows& c);

}  // namespace stiction::complementarity
