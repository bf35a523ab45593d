#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "stiction/base/platform/file.h"
#include "stiction/base/text.h"
#include "stiction/record/detail/hdf5_image.h"
#include "stiction/record/fclib.h"

namespace stiction {
namespace {

using namespace detail;
using namespace complementarity;

class Reader {
 public:
  Reader(std::string path, const Hdf5Image& image) : path_(std::move(path)), image_(image) {}

  std::vector<Mistake> mistakes{};

  void read(FclibFile& out);

 private:
  bool has(const std::string& name) const { return image_.has(name); }
  void wrong(const std::string& name, std::string message) {
    mistakes.push_back({path_, 0, 0, name, std::move(message)});
  }
  std::optional<int> whole(const std::string& name);
  bool integers(const std::string& name, std::vector<int>& out);
  bool reals(const std::string& name, std::vector<double>& out);
  bool reals(const std::string& name, std::size_t count, const std::string& because,
             std::vector<double>& out);
  bool finite(const std::string& name, const std::vector<double>& values, std::size_t count);
  void at_least(const std::string& name, const std::vector<double>& values, double low, bool open);
  void matrix(const std::string& name, std::size_t rows, std::size_t columns, SparseRows& out);
  bool indices_in(const std::string& name, const std::vector<int>& values, std::size_t count, int below);
  bool pointers(const std::string& name, const std::vector<int>& p, int lines, std::size_t held);
  void laws(const std::string& group, FrictionLaws& out, std::size_t& contacts);
  void local(LocalFriction& p);
  void global(const std::string& group, GlobalFriction& p);
  void info(const std::string& group, FclibFile& out);
  FclibSolution solution(const std::string& group, std::size_t v, std::size_t r);
  void solutions(std::size_t v, std::size_t r, FclibFile& out);

  std::string path_;
  const Hdf5Image& image_;
};

// --- datasets

std::optional<int> Reader::whole(const std::string& name) {
  std::vector<int> values;
  if (!integers(name, values)) return std::nullopt;
  if (values.size() == 1) return values.front();
  wrong(name, "found " + std::to_string(values.size()) + " numbers, must be one");
  return std::nullopt;
}

bool Reader::integers(const std::string& name, std::vector<int>& out) {
  std::vector<std::int64_t> wide;
  if (const std::string why = image_.read(name, wide); !why.empty()) {
    wrong(name, why);
    return false;
  }
  out.resize(wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (wide[i] < std::numeric_limits<int>::min() || wide[i] >= std::numeric_limits<int>::max()) {
      wrong(name, "entry " + std::to_string(i) + " is " + std::to_string(wide[i]) + ", must be below 2^31");
      return false;
    }
    out[i] = int(wide[i]);
  }
  return true;
}

bool Reader::reals(const std::string& name, std::vector<double>& out) {
  const std::string why = image_.read(name, out);
  if (!why.empty()) wrong(name, why);
  return why.empty();
}

bool Reader::reals(const std::string& name, std::size_t count, const std::string& because,
                   std::vector<double>& out) {
  if (!reals(name, out)) return false;
  if (out.size() != count) {
    wrong(name, "found " + std::to_string(out.size()) + " numbers, must be " + std::to_string(count) + ": " +
                    because);
    return false;
  }
  return finite(name, out, count);
}

bool Reader::finite(const std::string& name, const std::vector<double>& values, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    if (std::isfinite(values[k])) continue;
    wrong(name, "entry " + std::to_string(k) + " is " + number_text(values[k]) + ", must be a finite number");
    return false;
  }
  return true;
}

void Reader::at_least(const std::string& name, const std::vector<double>& values, double low, bool open) {
  const auto bad =
      std::find_if(values.begin(), values.end(), [&](double x) { return open ? !(x > low) : !(x >= low); });
  if (bad == values.end()) return;
  wrong(name, "entry " + std::to_string(bad - values.begin()) + " is " + number_text(*bad) + ", must be " +
                  (open ? "above " : "at least ") + number_text(low));
}

// --- matrices

bool Reader::indices_in(const std::string& name, const std::vector<int>& values, std::size_t count,
                        int below) {
  if (values.size() < count) {
    wrong(name,
          "found " + std::to_string(values.size()) + " indices for " + std::to_string(count) + " entries");
    return false;
  }
  for (std::size_t k = 0; k < count; ++k) {
    if (values[k] >= 0 && values[k] < below) continue;
    wrong(name, "entry " + std::to_string(k) + " is " + std::to_string(values[k]) + ", must be from 0 to " +
                    std::to_string(below - 1));
    return false;
  }
  return true;
}

/// Begins at 0, never falls, ends within the entries there are.
bool Reader::pointers(const std::string& name, const std::vector<int>& p, int lines, std::size_t held) {
  if (p.size() != std::size_t(lines) + 1) {
    wrong(name, "found " + std::to_string(p.size()) + " pointers, must be " + std::to_string(lines) + " + 1");
    return false;
  }
  for (std::size_t k = 0; k < p.size(); ++k) {
    const int low = k == 0 ? 0 : p[k - 1];
    const bool good = p[k] >= low && std::size_t(p[k]) <= held && (k > 0 || p[k] == 0);
    if (good) continue;
    wrong(name, "entry " + std::to_string(k) + " is " + std::to_string(p[k]) + ", must be " +
                    (k == 0 ? "0" : "from " + std::to_string(low) + " to " + std::to_string(held)));
    return false;
  }
  return true;
}

/// Triplets in the order given to compressed rows; entries of the same place add up.
SparseRows compressed(int rows, int columns, const std::vector<int>& row, const std::vector<int>& column,
                      const std::vector<double>& value, std::size_t count) {
  SparseRows out{rows, columns, std::vector<int>(std::size_t(rows) + 1, 0), {}, {}};
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(row[a], column[a], a) < std::tie(row[b], column[b], b);
  });
  std::size_t last = count;  // the entry before, in the order
  for (const std::size_t k : order) {
    if (last < count && row[k] == row[last] && column[k] == column[last]) {
      out.value.back() += value[k];
    } else {
      out.column.push_back(column[k]);
      out.value.push_back(value[k]);
      ++out.start[std::size_t(row[k]) + 1];
    }
    last = k;
  }
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  return out;
}

void Reader::matrix(const std::string& name, std::size_t rows, std::size_t columns, SparseRows& out) {
  const std::optional<int> m = whole(name + "/m"), n = whole(name + "/n"), nz = whole(name + "/nz"),
                           nzmax = whole(name + "/nzmax");
  std::vector<int> p, i;
  std::vector<double> x;
  if (!m || !n || !nz || !nzmax || !integers(name + "/p", p) || !integers(name + "/i", i) ||
      !reals(name + "/x", x))
    return;
  if (*m < 0 || std::size_t(*m) != rows || *n < 0 || std::size_t(*n) != columns)
    return wrong(name, "has m = " + std::to_string(*m) + " rows and n = " + std::to_string(*n) +
                           " columns, the vectors ask for " + std::to_string(rows) + " and " +
                           std::to_string(columns));
  if (*nz < -2)
    return wrong(name + "/nz",
                 "found " + std::to_string(*nz) +
                     ", must be -1 (compressed columns), -2 (compressed rows) or a number of triplets");
  std::size_t count = 0;
  if (*nz >= 0) {
    count = std::size_t(*nz);
    if (!indices_in(name + "/p", p, count, *n) || !indices_in(name + "/i", i, count, *m)) return;
  } else {
    const int lines = *nz == -1 ? *n : *m;
    if (!pointers(name + "/p", p, lines, i.size())) return;
    count = std::size_t(p.back());
    if (!indices_in(name + "/i", i, count, *nz == -1 ? *m : *n)) return;
    std::vector<int> line(count);
    for (std::size_t l = 0; l + 1 < p.size(); ++l)
      std::fill(line.begin() + p[l], line.begin() + p[l + 1], int(l));
    p.swap(line);
    if (*nz == -2) p.swap(i);  // now p = column, i = row
  }
  if (*nzmax < 0 || x.size() < count || std::size_t(*nzmax) < count)
    return wrong(name + "/x", "found " + std::to_string(x.size()) + " numbers (nzmax = " +
                                  std::to_string(*nzmax) + ") for " + std::to_string(count) + " entries");
  if (!finite(name + "/x", x, count)) return;
  out = compressed(*m, *n, i, p, x, count);
}

// --- problems

void Reader::laws(const std::string& group, FrictionLaws& out, std::size_t& contacts) {
  const std::optional<int> rows = whole(group + "/spacedim");
  if (!rows) return;
  const std::string mu = group + "/vectors/mu", mu_r = group + "/vectors/mu_r",
                    weights = group + "/vectors/weights";
  const bool rolls = has(mu_r), weighs = has(weights);
  if (*rows < 2 || *rows > 6)
    return wrong(group + "/spacedim",
                 "found " + std::to_string(*rows) + ", must be from 2 to 6 rows per contact");
  if (rolls && *rows < 5)
    return wrong(group + "/spacedim",
                 "found " + std::to_string(*rows) +
                     ", must be 5 where there is a mu_r; rolling in the plane is not supported");
  if (!rolls && !weighs && *rows > 3)
    return wrong(group + "/vectors", "spacedim " + std::to_string(*rows) +
                                         " needs mu_r (rolling, two discs) or weights (one ellipsoid)");
  out.rows = *rows;
  out.law = rolls ? FrictionLaw::discs : FrictionLaw::ellipsoid;
  if (!reals(mu, out.mu)) return;
  contacts = out.mu.size();
  if (contacts == 0) return wrong(mu, "is empty: there is no contact");
  if (contacts > std::size_t(std::numeric_limits<int>::max() / 6))
    return wrong(mu, "holds too many contacts");
  if (!finite(mu, out.mu, contacts)) return;
  at_least(mu, out.mu, 0, false);
  const std::string count = "one per contact, as mu has";
  if (rolls && reals(mu_r, contacts, count, out.mu_rolling)) at_least(mu_r, out.mu_rolling, 0, false);
  if (rolls || !weighs) return;
  if (!reals(weights, contacts * std::size_t(*rows - 1), "spacedim - 1 per contact", out.weights)) return;
  at_least(weights, out.weights, 0, true);
  const bool ones = std::all_of(out.weights.begin(), out.weights.end(), [](double x) { return x == 1; });
  if (ones) out.weights.clear();
}

void Reader::local(LocalFriction& p) {
  const std::string group = "/fclib_local";
  std::size_t contacts = 0;
  if (has(group + "/V") || has(group + "/R"))
    wrong(group + "/V",
          "holds equations beside the contacts (V, R, s), which are not supported; eliminate "
          "them first: W - V R^-1 V^T and q - V R^-1 s");
  laws(group, p.laws, contacts);
  if (!mistakes.empty()) return;
  const std::size_t size = contacts * std::size_t(p.laws.rows);
  reals(group + "/vectors/q", size, "spacedim per contact, one contact per entry of mu", p.b);
  matrix(group + "/W", size, size, p.W);
}

void Reader::global(const std::string& group, GlobalFriction& p) {
  std::size_t contacts = 0;
  if (has(group + "/G"))
    wrong(group + "/G",
          "holds equations beside the contacts (G, b), which are not supported; eliminate them "
          "first, or take the local form");
  laws(group, p.laws, contacts);
  if (!reals(group + "/vectors/f", p.f) || !mistakes.empty()) return;
  const std::size_t size = contacts * std::size_t(p.laws.rows);
  finite(group + "/vectors/f", p.f, p.f.size());
  reals(group + "/vectors/w", size, "spacedim per contact, one contact per entry of mu", p.b);
  matrix(group + "/M", p.f.size(), p.f.size(), p.M);
  matrix(group + "/H", p.f.size(), size, p.H);
}

void Reader::info(const std::string& group, FclibFile& out) {
  const std::pair<const char*, std::string*> texts[] = {
      {"title", &out.title}, {"description", &out.description}, {"math_info", &out.math_info}};
  for (const auto& [name, text] : texts)  // for people; a file without them is fine
    if (!image_.read(group + "/info/" + name, *text).empty()) text->clear();
}

FclibSolution Reader::solution(const std::string& group, std::size_t v, std::size_t r) {
  FclibSolution out;
  if (v > 0 && image_.written(group + "/v")) reals(group + "/v", v, "one per row of M", out.v);
  if (image_.written(group + "/u")) reals(group + "/u", r, "one per row of the contacts", out.u);
  if (image_.written(group + "/r")) reals(group + "/r", r, "one per row of the contacts", out.r);
  return out;
}

void Reader::solutions(std::size_t v, std::size_t r, FclibFile& out) {
  if (image_.written("/solution/r")) out.solution = solution("/solution", v, r);
  const std::string count = "/guesses/number_of_guesses";
  if (!has(count)) return;
  const std::optional<int> n = whole(count);
  if (!n || *n < 0 || *n > 1000) {
    if (n) wrong(count, "found " + std::to_string(*n) + ", must be from 0 to 1000");
    return;
  }
  for (int k = 1; k <= *n && mistakes.empty(); ++k) {
    const std::string group = "/guesses/" + std::to_string(k);
    if (!has(group)) return wrong(group, "the guess is missing or damaged");
    out.guesses.push_back(solution(group, v, r));
  }
}

void Reader::read(FclibFile& out) {
  std::string group = "/fclib_local";
  std::size_t velocities = 0, impulses = 0;
  if (has(group)) {
    auto& p = out.problem.emplace<LocalFriction>();
    local(p);
    impulses = p.b.size();
  } else {
    group = has("/fclib_global_rolling") ? "/fclib_global_rolling" : "/fclib_global";
    if (!has(group))
      return wrong("",
                   "holds no problem of FCLib: neither /fclib_local nor /fclib_global nor "
                   "/fclib_global_rolling");
    auto& p = out.problem.emplace<GlobalFriction>();
    global(group, p);
    velocities = p.f.size(), impulses = p.b.size();
  }
  if (!mistakes.empty()) return;
  for (const std::string& fault : std::visit([](const auto& p) { return validate(p); }, out.problem))
    wrong(group, fault);
  info(group, out);
  solutions(velocities, impulses, out);
}

}  // namespace

Result<FclibFile> read_fclib_bytes(std::string bytes, const std::string& name) {
  std::string why;
  const std::optional<Hdf5Image> image = Hdf5Image::open(std::move(bytes), why);
  if (!image)
    return Mistake{name, 0, 0, "",
                   why + ". Frictional contact problems are HDF5 files in the layout of FCLib."};
  FclibFile out;
  out.path = name;
  Reader reader(name, *image);
  reader.read(out);
  if (!reader.mistakes.empty()) return reader.mistakes;
  return out;
}

Result<FclibFile> read_fclib(const std::string& path) {
  Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.mistakes();
  return read_fclib_bytes(std::move(bytes).value(), path);
}

}  // namespace stiction
