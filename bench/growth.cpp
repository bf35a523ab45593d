// Growth with the number of contacts, 1,000 to 100,000: a sweep of Gauss-Seidel, its memory, and the
// factorisation of Newton's matrix.
//
//   chain   balls in a row, each touching the next, the first one a wall: contacts = bodies
//   pile    balls on a cubic lattice above a floor, each touching six others: three contacts a body
//   hub     balls around a heavy one, which all of them touch: W would have contacts^2 blocks
//
// No stepping: the problems are written down as they are, in graph form, and brought to global form by
// global_form() and to local form by local_form(). What is timed: sweeps of the engine's Gauss-Seidel
// (`step`); sweeps, gradient steps and splitting steps of friction/ on the global form as a graph (`sweep`,
// `gradient`, `splitting`), which need no W; sweeps on W (`local`, not for the hub). Time per sweep: that of
// 2 + 20 sweeps less that of 2, processor time, repeated for half a second. Memory: what the heap holds for
// the problem and its solver, per contact. Factorisation: BlockLu of
// the graph form (blocks of 6 per body) and FrontLu of the local form (blocks of 3 per contact), both for
// the chain; order (of two patterns in turn, memory kept) and values apart.
// Bars: time and memory per contact, largest over smallest at most 2. The word `--quick`: a fifth of the
// time.
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

#include "bench.h"
#include "stiction/complementarity/block_lu.h"
#include "stiction/complementarity/friction/admm.h"
#include "stiction/complementarity/friction/detail/front_lu.h"
#include "stiction/complementarity/friction/from_graph.h"
#include "stiction/complementarity/friction/nsgs.h"
#include "stiction/complementarity/friction/prepare_graph.h"
#include "stiction/complementarity/friction/projected_gradient.h"
#include "stiction/complementarity/nsgs.h"

namespace stiction::bench {
namespace {

using namespace complementarity;

constexpr double bar = 2;         // [-]
constexpr double radius = 0.1;    // [m]
constexpr double never = 1e-300;  // [-] a tolerance that is not reached
constexpr int sweeps = 20;
constexpr int contact_counts[] = {1000, 3000, 10000, 30000, 100000};

/// [s] of processor time of one call, repeated for `seconds` once it is warm.
template <class Call>
double mean_seconds(double seconds, const Call& call) {
  call();
  const double begin = processor_seconds();
  int calls = 0;
  for (; calls == 0 || processor_seconds() - begin < seconds; ++calls) call();
  return (processor_seconds() - begin) / calls;
}

// [bytes] that the heap holds
double heap() {
  const struct mallinfo2 m = mallinfo2();
  return double(m.uordblks + m.hblkhd);
}

void add_ball(FrictionProblem& p) {
  const int i = p.block_count();
  const double mass = i % 4 == 3 ? 20 : 5, inertia = 0.4 * mass * radius * radius;
  for (int row = 0; row < width; ++row)
    for (int column = 0; column < width; ++column) {
      const double entry = row != column ? 0 : row < 3 ? mass : inertia;
      p.A.push_back(entry), p.A_inverse.push_back(entry > 0 ? 1 / entry : 0);
    }
  // falling, and moving about a little
  const double v[width] = {0.01 * (i * 7 % 11 - 5), 0.01 * (i * 5 % 11 - 5), -0.1, 0.1 * (i % 3), 0, 0};
  p.v_free.insert(p.v_free.end(), v, v + width);
}

/// Between ball `a` (-1: what stands still) and ball `b`; the normal points along `axis` from a to b.
void add_contact(FrictionProblem& p, int a, int b, int axis) {
  ContactRows c;
  c.block[0] = b, c.block[1] = a;
  c.mu = 0.5;
  for (int row = 0; row < 3; ++row) {
    double direction[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    direction[(axis + row) % 3] = 1, normal[axis] = 1;
    for (int side = 0; side < 2; ++side) {
      if (c.block[side] < 0) continue;
      const double sign = side == 0 ? 1 : -1;  // u = v_b - v_a at the point of contact
      const double arm = -radius * sign;       // along the normal, from the ball's centre to that point
      double* G = c.G[side] + row * width;
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        G[k] = sign * direction[k];
        G[3 + k] = sign * arm * (normal[i] * direction[j] - normal[j] * direction[i]);
      }
    }
  }
  p.contacts.push_back(c);
}

FrictionProblem finished(FrictionProblem p) {
  p.islands.push_back({0, p.block_count(), 0, int(p.contacts.size())});
  return p;
}

FrictionProblem chain(int contacts) {
  FrictionProblem p;
  for (int i = 0; i < contacts; ++i) add_ball(p), add_contact(p, i - 1, i, 0);
  return finished(std::move(p));
}

FrictionProblem pile(int contacts) {
  const int side = std::max(2, int(std::lround(std::cbrt(contacts / 3.0))));
  FrictionProblem p;
  for (int i = 0; i < side * side * side; ++i) {
    const int x = i % side, y = i / side % side, z = i / (side * side);
    add_ball(p);
    if (x > 0) add_contact(p, i - 1, i, 0);
    if (y > 0) add_contact(p, i - side, i, 1);
    add_contact(p, z > 0 ? i - side * side : -1, i, 2);
  }
  return finished(std::move(p));
}

FrictionProblem hub(int contacts) {
  FrictionProblem p;
  add_ball(p);
  for (int k = 0; k < width; ++k) {  // as heavy as a tenth of the others: they push it about
    const std::size_t at = std::size_t(k * width + k);
    p.A[at] *= 0.1 * contacts, p.A_inverse[at] /= 0.1 * contacts;
  }
  for (int i = 1; i <= contacts; ++i) {
    add_ball(p), add_contact(p, 0, i, i % 3);
    p.v_free[std::size_t(width * i + i % 3)] = -0.1 - 0.01 * (i % 7);  // towards the hub
  }
  return finished(std::move(p));
}

/// One solver on one form of the problem: what a sweep and a contact cost.
struct Way {
  const char* name;
  double bytes = 0;                  // per contact
  std::function<void(int)> sweep{};  // from rest, so many times
  double seconds = 1e300;            // per contact and sweep
};

/// What a scene is measured with besides graphs: W itself; factors of a matrix with a block per body, which
/// fill up in a pile (their number grows faster than the contacts in three dimensions), but not in a chain or
/// around a hub.
struct Forms {
  bool w, factors;
};

/// One problem in all forms, with what the solvers keep.
class Size {
 public:
  Size(FrictionProblem (*scene)(int), int contacts, const Forms& forms) {
    const double empty = heap();
    graph_ = scene(contacts);
    r_.assign(3 * graph_.contacts.size(), 0.0);
    add("step", empty, [this](int most) {
      nsgs(graph_, graph_.islands[0], {.tolerance = never, .max_sweeps = most, .window = 0}, r_.data(),
           step_memory_);
    });
    const double before = heap();
    friction_r_.assign(r_.size(), 0.0);
    {
      const GlobalFriction global = global_form(graph_).value();
      MassFactors factors;
      if (!factors.factor(global.M)) std::fprintf(stderr, "M is singular\n"), std::exit(3);
      friction::prepare(global, factors, by_graph_);
    }  // the solvers need neither of them any more
    const friction::Range all{0, by_graph_.contacts};
    add("sweep", before, [this, all](int most) {
      friction::nsgs(by_graph_, all, {never}, {.max_sweeps = most, .window = 0}, friction_r_.data(), nsgs_);
    });
    add("gradient", before, [this, all](int most) {
      friction::projected_gradient(by_graph_, all, {never}, {.max_steps = most}, friction_r_.data(),
                                   gradient_);
    });
    if (forms.factors)
      add("splitting", before, [this, all](int most) {
        friction::admm(by_graph_, all, {never}, {.max_steps = most, .window = 0}, friction_r_.data(), admm_);
      });
    if (!forms.w) return;
    const double last = heap();
    friction::prepare(local_form(graph_).value(), local_);
    add("local", last, [this, all](int most) {
      friction::nsgs(local_, all, {never}, {.max_sweeps = most, .window = 0}, friction_r_.data(), nsgs_);
    });
  }
  Size(const Size&) = delete;
  double count() const { return double(graph_.contacts.size()); }
  double blocks_of_w() const { return double(local_.column.size()) / count(); }
  const std::vector<Way>& ways() const { return ways_; }

  void take_turn(double seconds) {
    for (Way& way : ways_) {
      const double all = mean_seconds(seconds, [&] { from_rest(way, 2 + sweeps); });
      const double start = mean_seconds(seconds, [&] { from_rest(way, 2); });
      way.seconds = std::min(way.seconds, (all - start) / sweeps / count());
    }
  }

 private:
  void add(const char* name, double bytes_before, std::function<void(int)> sweep) {
    ways_.push_back({name, 0, std::move(sweep)});
    from_rest(ways_.back(), 2);
    ways_.back().bytes = (heap() - bytes_before) / count();
  }
  void from_rest(Way& way, int most) {
    std::fill(r_.begin(), r_.end(), 0.0), std::fill(friction_r_.begin(), friction_r_.end(), 0.0);
    way.sweep(most);
  }

  FrictionProblem graph_;
  NsgsMemory step_memory_;
  std::vector<double> r_, friction_r_;
  friction::Prepared by_graph_, local_;
  friction::NsgsMemory nsgs_;
  friction::GradientMemory gradient_;
  friction::AdmmMemory admm_;
  std::vector<Way> ways_;
};

/// Largest over smallest.
struct Spread {
  double least = 1e300, most = 0;
  void see(double x) { least = std::min(least, x), most = std::max(most, x); }
  double ratio() const { return most / least; }
};

bool measure_sweeps(const char* name, FrictionProblem (*scene)(int), const Forms& forms, double seconds) {
  std::vector<std::unique_ptr<Size>> sizes;
  for (const int contacts : contact_counts) sizes.push_back(std::make_unique<Size>(scene, contacts, forms));
  for (int turn = 0; turn < 2; ++turn)
    for (const auto& s : sizes) s->take_turn(0.5 * seconds);
  std::vector<Spread> time(sizes[0]->ways().size()), memory(time.size());
  for (const auto& s : sizes) {
    Line line(std::string("growth/") + name);
    line.whole("contacts", (long long)s->count());
    for (std::size_t k = 0; k < time.size(); ++k) {
      const Way& way = s->ways()[k];
      line.number(std::string(way.name) + "_ns", 1e9 * way.seconds);
      line.number(std::string(way.name) + "_bytes", way.bytes);
      time[k].see(way.seconds), memory[k].see(way.bytes);
    }
    if (forms.w) line.number("blocks_of_w", s->blocks_of_w());
    line.print();
  }
  bool pass = true;
  Line line(std::string("growth/") + name);
  for (std::size_t k = 0; k < time.size(); ++k) {
    const std::string way = sizes[0]->ways()[k].name;
    line.number(way + "_time_ratio", time[k].ratio()).number(way + "_memory_ratio", memory[k].ratio());
    pass = pass && time[k].least > 0 && time[k].ratio() <= bar && memory[k].ratio() <= bar;
  }
  line.number("bar", bar).flag("pass", pass).print();
  return pass;
}

// ---- factorisation of a chain -----------------------------------------------------------------------------

struct Factorisation {
  double order = 0, values = 0;    // [s]
  double bytes = 0, products = 0;  // of blocks, as the class counts them
};

void check(bool factorised) {
  if (!factorised) std::fprintf(stderr, "a pivot is singular\n"), std::exit(3);
}

/// Tridiagonal by blocks of 6, as A + G^T D G of a chain.
Factorisation by_blocks(int n, double seconds) {
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
  const double empty = heap();
  BlockLu lu;
  lu.analyse(n, pairs);
  Factorisation out{.products = lu.cost()};
  const auto other =
      std::vector(pairs.begin() + 1, pairs.end());  // in turn, since a known pattern costs nothing
  out.order = 0.5 * mean_seconds(seconds, [&] { lu.analyse(n, other), lu.analyse(n, pairs); });
  out.values = mean_seconds(seconds, [&] {
    lu.set_zero();
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < width; ++k) lu.diagonal(i)[k * width + k] = 4;
    for (const auto& [i, j] : pairs)
      for (int k = 0; k < width; ++k)
        lu.off_diagonal(i, j)[k * width + k] = lu.off_diagonal(j, i)[k * width + k] = -1;
    check(lu.factorise());
  });
  out.bytes = heap() - empty;
  return out;
}

/// The pattern of W of a chain: each contact and its two neighbours.
Factorisation by_fronts(int n, double seconds) {
  std::vector<int> start{0}, column;
  for (int i = 0; i < n; ++i) {
    if (i > 0) column.push_back(i - 1);
    if (i + 1 < n) column.push_back(i + 1);
    start.push_back(int(column.size()));
  }
  std::vector<int> widths(std::size_t(n), 3), other = widths;
  other[0] = 2;
  const double empty = heap();
  friction::FrontLu lu;
  lu.analyse(widths, start, column);
  Factorisation out{.products = lu.cost()};
  out.order = 0.5 * mean_seconds(seconds, [&] {
                lu.analyse(other, start, column), lu.analyse(widths, start, column);
              });
  const auto fill = [](int i, int j, double* to, int ld) {
    for (int k = 0; k < 3; ++k) to[k * ld + k] += i == j ? 4 : -1;
  };
  out.values = mean_seconds(seconds, [&] { check(lu.factor(fill)); });
  out.bytes = heap() - empty;
  return out;
}

bool measure_factors(const char* name, Factorisation (*make)(int, double), double seconds) {
  Spread order, values, memory;
  for (const int n : contact_counts) {
    const Factorisation f = make(n, seconds);
    order.see(f.order / n), values.see(f.values / n), memory.see(f.bytes / n);
    Line(std::string("growth/chain/") + name)
        .whole("contacts", n)
        .number("order_ns", 1e9 * f.order / n)
        .number("factor_ns", 1e9 * f.values / n)
        .number("bytes", f.bytes / n)
        .number("products", f.products / n)
        .print();
  }
  const bool pass = order.ratio() <= bar && values.ratio() <= bar && memory.ratio() <= bar;
  Line(std::string("growth/chain/") + name)
      .number("order_ratio", order.ratio())
      .number("factor_ratio", values.ratio())
      .number("memory_ratio", memory.ratio())
      .number("bar", bar)
      .flag("pass", pass)
      .print();
  return pass;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  using namespace stiction::bench;
  const double seconds = has_word(argc, argv, "--quick") ? 0.1 : 0.5;
  bool pass = measure_sweeps("chain", chain, {.w = true, .factors = true}, seconds);
  pass = measure_sweeps("pile", pile, {.w = true, .factors = false}, seconds) && pass;
  pass = measure_sweeps("hub", hub, {.w = false, .factors = true}, seconds) && pass;
  pass = measure_factors("block_lu", by_blocks, seconds) && pass;
  pass = measure_factors("front_lu", by_fronts, seconds) && pass;
  return pass ? 0 : 1;
}
