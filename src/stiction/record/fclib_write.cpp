#include <memory>

#include "stiction/record/detail/hdf5_output.h"
#include "stiction/record/detail/hdf5_tools.h"
#include "stiction/record/fclib.h"

namespace stiction {
namespace {

using namespace detail;
using namespace complementarity;

bool write_whole(hid_t at, const std::string& name, int x) {
  return write_table(at, name, Number::small_integer, 1, 0, &x);
}
bool write_integers(hid_t at, const std::string& name, const std::vector<int>& x) {
  return write_table(at, name, Number::small_integer, x.size(), 0, x.data());
}
bool write_reals(hid_t at, const std::string& name, const std::vector<double>& x) {
  return write_table(at, name, Number::real, x.size(), 0, x.data());
}

bool write_matrix(hid_t at, const std::string& name, const SparseRows& A, int nz, const std::vector<int>& p,
                  const std::vector<int>& i, const std::vector<double>& x) {
  return write_whole(at, name + "/nzmax", int(x.size())) && write_whole(at, name + "/m", A.rows) &&
         write_whole(at, name + "/n", A.columns) && write_whole(at, name + "/nz", nz) &&
         write_integers(at, name + "/p", p) && write_integers(at, name + "/i", i) &&
         write_reals(at, name + "/x", x);
}

bool write_columns(hid_t at, const std::string& name, const SparseRows& A) {
  std::vector<int> p(std::size_t(A.columns) + 1, 0), i(A.column.size());
  std::vector<double> x(A.value.size());
  for (const int j : A.column) ++p[std::size_t(j) + 1];
  for (std::size_t j = 1; j < p.size(); ++j) p[j] += p[j - 1];
  std::vector<int> next(p.begin(), p.end() - 1);
  for (int row = 0; row < A.rows; ++row)
    for (int k = A.start[std::size_t(row)]; k < A.start[std::size_t(row) + 1]; ++k) {
      const auto to = std::size_t(next[std::size_t(A.column[std::size_t(k)])]++);
      i[to] = row, x[to] = A.value[std::size_t(k)];
    }
  return write_matrix(at, name, A, -1, p, i, x);
}

bool write_triplets(hid_t at, const std::string& name, const SparseRows& A) {
  std::vector<int> row;
  for (int r = 0; r < A.rows; ++r) row.resize(std::size_t(A.start[std::size_t(r) + 1]), r);
  return write_matrix(at, name, A, int(A.value.size()), A.column, row, A.value);
}

bool write_laws(hid_t at, const std::string& group, const FrictionLaws& laws) {
  std::vector<double> weights = laws.weights;
  if (laws.law == FrictionLaw::ellipsoid && laws.rows > 3 && weights.empty())
    weights.assign(laws.mu.size() * std::size_t(laws.rows - 1), 1);
  return write_whole(at, group + "/spacedim", laws.rows) && write_reals(at, group + "/vectors/mu", laws.mu) &&
         (laws.law != FrictionLaw::discs || write_reals(at, group + "/vectors/mu_r", laws.mu_rolling)) &&
         (weights.empty() || write_reals(at, group + "/vectors/weights", weights));
}

bool write_problem(hid_t at, const LocalFriction& p, std::string& group) {
  group = "/fclib_local";
  return write_laws(at, group, p.laws) && write_columns(at, group + "/W", p.W) &&
         write_reals(at, group + "/vectors/q", p.b);
}

bool write_problem(hid_t at, const GlobalFriction& p, std::string& group) {
  group = p.laws.law == FrictionLaw::discs ? "/fclib_global_rolling" : "/fclib_global";
  return write_laws(at, group, p.laws) && write_triplets(at, group + "/M", p.M) &&
         write_triplets(at, group + "/H", p.H) && write_reals(at, group + "/vectors/f", p.f) &&
         write_reals(at, group + "/vectors/w", p.b);
}

bool write_solution(hid_t at, const std::string& group, const FclibSolution& s) {
  const Handle made = make_group(at, group);
  return made && (s.v.empty() || write_reals(at, group + "/v", s.v)) &&
         (s.u.empty() || write_reals(at, group + "/u", s.u)) &&
         (s.r.empty() || write_reals(at, group + "/r", s.r));
}

bool write_all(hid_t at, const FclibFile& file) {
  std::string group;
  bool good = std::visit([&](const auto& p) { return write_problem(at, p, group); }, file.problem);
  const std::pair<const char*, const std::string*> texts[] = {
      {"title", &file.title}, {"description", &file.description}, {"math_info", &file.math_info}};
  for (const auto& [name, text] : texts)
    good = good && (text->empty() || write_text(at, group + "/info/" + name, *text));
  if (file.solution) good = good && write_solution(at, "/solution", *file.solution);
  if (file.guesses.empty()) return good;
  good = good && write_whole(at, "/guesses/number_of_guesses", int(file.guesses.size()));
  for (std::size_t k = 0; k < file.guesses.size(); ++k)
    good = good && write_solution(at, "/guesses/" + std::to_string(k + 1), file.guesses[k]);
  return good;
}

}  // namespace

Result<bool> write_fclib(const std::string& path, const FclibFile& file) {
  std::vector<Mistake> mistakes;
  for (const std::string& fault : std::visit([](const auto& p) { return validate(p); }, file.problem))
    mistakes.push_back({path, 0, 0, "", "cannot write the problem: " + fault});
  if (!mistakes.empty()) return mistakes;
  const Quiet quiet;
  const Result<std::unique_ptr<Hdf5Output>> out = Hdf5Output::create(path);
  if (!out) return out.mistakes();
  return out.value()->finish(write_all(out.value()->id(), file), Hdf5Output::Seal::no);
}

}  // namespace stiction
