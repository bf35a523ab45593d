#include "stiction/complementarity/friction/from_graph.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace stiction::complementarity {
namespace {

constexpr auto six = std::size_t(width);

/// The problem as one island, whatever islands it names.
Island whole(const FrictionProblem& p) {
  return {0, p.block_count(), 0, int(p.contacts.size()), 0, int(p.wide.size())};
}

std::span<const ContactRows> contacts_of(const FrictionProblem& p, const Island& island) {
  return std::span(p.contacts)
      .subspan(std::size_t(island.contact_begin), std::size_t(island.contact_end - island.contact_begin));
}

bool all_cones(std::span<const ContactRows> contacts) {
  return std::all_of(contacts.begin(), contacts.end(),
                     [](const ContactRows& c) { return c.kind == RowKind::cone; });
}

/// A box that pushes one way only is a contact without friction.
bool is_limit(const ContactRows& c) { return c.kind == RowKind::box && c.low == 0 && c.high == HUGE_VAL; }

bool any_gives_way(std::span<const ContactRows> contacts) {
  return std::any_of(contacts.begin(), contacts.end(), [](const ContactRows& c) { return c.give > 0; });
}

FrictionLaws laws_of(std::span<const ContactRows> contacts) {
  FrictionLaws laws;
  for (const ContactRows& c : contacts) laws.mu.push_back(c.mu);
  return laws;
}

/// One side of a contact: the contact, and which of its two blocks.
struct Side {
  std::size_t contact;
  int side;
};

/// By block of the island, counted from its first.
std::vector<std::vector<Side>> sides_of_blocks(const FrictionProblem& p, const Island& island) {
  std::vector<std::vector<Side>> out(std::size_t(island.block_end - island.block_begin));
  for (auto c = std::size_t(island.contact_begin); c < std::size_t(island.contact_end); ++c)
    for (int side = 0; side < 2; ++side)
      if (const int block = p.contacts[c].block[side]; block >= 0)
        out[std::size_t(block - island.block_begin)].push_back({c, side});
  return out;
}

/// The rows of one side; `wide`: wide_G or wide_Y, for those on a wide block.
const double* rows_of(const FrictionProblem& p, const Side& s, const std::vector<double>& wide) {
  const ContactRows& c = p.contacts[s.contact];
  return c.wide[s.side] < 0 ? c.G[s.side] : wide.data() + p.wide_rows[std::size_t(c.wide[s.side])].at;
}

/// The blocks that a block is one with, and their part of A.
struct Span {
  std::size_t first, count;
  const double* A;
};
std::vector<Span> spans_of_blocks(const FrictionProblem& p) {
  std::vector<Span> out;
  for (std::size_t b = 0; b < std::size_t(p.block_count()); ++b) out.push_back({b, 1, p.A.data() + 36 * b});
  for (const WideBlock& w : p.wide)
    for (int k = 0; k < w.count; ++k)
      out[std::size_t(w.first + k)] = {std::size_t(w.first), std::size_t(w.count), p.wide_A.data() + w.at};
  return out;
}

/// out[3 x 3] += G_i Y_j^T on a wide block; `turned`: the transpose of it.
void add_wide_product(int size, const double* Gi, const double* Yj, bool turned, double* out) {
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      double sum = 0;
      for (int k = 0; k < size; ++k) sum += Gi[a * size + k] * Yj[b * size + k];
      out[turned ? 3 * b + a : 3 * a + b] += sum;
    }
}

/// out[3 x 3] += G_i A^-1 G_j^T for one block; `turned`: the transpose of it.
void add_product(const double* Gi, const double* A_inverse, const double* Gj, bool turned, double* out) {
  double AG[3 * width];  // rows of G_j times A^-1 (symmetric)
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < six; ++k) {
      double sum = 0;
      for (std::size_t l = 0; l < six; ++l) sum += Gj[r * six + l] * A_inverse[l * six + k];
      AG[r * six + k] = sum;
    }
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      double sum = 0;
      for (std::size_t k = 0; k < six; ++k) sum += Gi[a * six + k] * AG[b * six + k];
      out[turned ? 3 * b + a : 3 * a + b] += sum;
    }
}

}  // namespace

std::optional<GlobalFriction> global_form(const FrictionProblem& p) {
  if (!all_cones(p.contacts) || any_gives_way(p.contacts)) return std::nullopt;
  GlobalFriction out;
  out.laws = laws_of(p.contacts);
  const auto blocks = std::size_t(p.block_count()), columns = 3 * p.contacts.size();
  out.M.rows = out.M.columns = out.H.rows = int(six * blocks);
  out.H.columns = int(columns);
  out.M.start = out.H.start = {0};
  const std::vector<std::vector<Side>> sides = sides_of_blocks(p, whole(p));
  const std::vector<Span> spans = spans_of_blocks(p);
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t row = 0; row < six; ++row) {
      const Span& span = spans[block];
      const std::size_t size = six * span.count, place = six * (block - span.first) + row;
      double f = 0;
      for (std::size_t k = 0; k < size; ++k) {
        const double a = span.A[size * place + k];
        f += a * p.v_free[six * span.first + k];
        if (a == 0) continue;
        out.M.column.push_back(int(six * span.first + k));
        out.M.value.push_back(a);
      }
      out.f.push_back(f);
      out.M.start.push_back(int(out.M.column.size()));
      for (const Side& s : sides[span.first])  // contacts ascending, so columns are
        for (std::size_t k = 0; k < 3; ++k) {
          const double g = rows_of(p, s, p.wide_G)[k * size + place];
          if (g == 0) continue;
          out.H.column.push_back(int(3 * s.contact + k));
          out.H.value.push_back(g);
        }
      out.H.start.push_back(int(out.H.column.size()));
    }
  for (const ContactRows& c : p.contacts) out.b.insert(out.b.end(), c.b, c.b + 3);
  return out;
}

std::optional<LocalFriction> local_form(const FrictionProblem& p) { return local_form(p, whole(p)); }

std::optional<LocalFriction> local_form(const FrictionProblem& p, const Island& island) {
  const std::span<const ContactRows> contacts = contacts_of(p, island);
  for (const ContactRows& c : contacts)
    if (c.kind != RowKind::cone && !is_limit(c)) return std::nullopt;
  LocalFriction out;
  out.laws = laws_of(contacts);
  out.W.rows = out.W.columns = int(3 * contacts.size());
  out.W.start = {0};
  const std::vector<std::vector<Side>> sides = sides_of_blocks(p, island);
  const auto first = std::size_t(island.contact_begin);
  std::vector<std::size_t> others;
  std::vector<double> row;  // 3 x 3 per contact in `others`
  for (std::size_t c = first; c < std::size_t(island.contact_end); ++c) {
    const ContactRows& contact = p.contacts[c];
    others.clear();
    for (const int block : contact.block)
      if (block >= 0)
        for (const Side& s : sides[std::size_t(block - island.block_begin)]) others.push_back(s.contact);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    if (others.empty()) others.push_back(c);  // nothing that moves: a row of zeros
    row.assign(9 * others.size(), 0);
    for (int side = 0; side < 2; ++side) {
      const int block = contact.block[side];
      if (block < 0) continue;
      for (const Side& s : sides[std::size_t(block - island.block_begin)]) {
        const auto place = std::lower_bound(others.begin(), others.end(), s.contact) - others.begin();
        const bool turned = s.contact < c;  // one order of sums for both halves: W is symmetric to the bit
        if (contact.wide[side] >= 0) {
          const Side own{c, side};
          add_wide_product(p.wide_rows[std::size_t(contact.wide[side])].size,
                           rows_of(p, turned ? s : own, p.wide_G), rows_of(p, turned ? own : s, p.wide_Y),
                           turned, &row[9 * std::size_t(place)]);
          continue;
        }
        const double *here = contact.G[side], *there = p.contacts[s.contact].G[s.side];
        add_product(turned ? there : here, &p.A_inverse[36 * std::size_t(block)], turned ? here : there,
                    turned, &row[9 * std::size_t(place)]);
      }
    }
    double* const own =
        &row[9 * std::size_t(std::lower_bound(others.begin(), others.end(), c) - others.begin())];
    own[3] = own[1], own[6] = own[2], own[7] = own[5];
    if (contact.give > 0) own[0] += contact.give;
    if (is_limit(contact) && own[4] == 0) own[4] = own[8] = own[0];  // no tangents: u_t = W_nn r_t = 0
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t k = 0; k < others.size(); ++k)
        for (std::size_t b = 0; b < 3; ++b) {
          out.W.column.push_back(int(3 * (others[k] - first) + b));
          out.W.value.push_back(row[9 * k + 3 * a + b]);
        }
      out.W.start.push_back(int(out.W.column.size()));
    }
    double u[3];
    local_velocity(p, contact, p.v_free.data(), u);
    out.b.insert(out.b.end(), u, u + 3);
  }
  return out;
}

}  // namespace stiction::complementarity
