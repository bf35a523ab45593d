#include "siconos_friction.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <RollingFrictionContactProblem.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <cstdlib>

namespace stiction::bench {
namespace {

using complementarity::FrictionLaw;
using complementarity::LocalFriction;
using complementarity::SparseRows;

template <class T>
T* allocated(std::size_t count) {  // Siconos frees it
  return static_cast<T*>(std::calloc(std::max<std::size_t>(count, 1), sizeof(T)));
}

// Block columns of a block row, ascending, with the diagonal.
std::vector<std::size_t> block_columns(const SparseRows& W, int rows, int i) {
  std::vector<std::size_t> out{std::size_t(i)};
  for (int row = i * rows; row < (i + 1) * rows; ++row)
    for (int k = W.start[std::size_t(row)]; k < W.start[std::size_t(row) + 1]; ++k)
      out.push_back(std::size_t(W.column[std::size_t(k)] / rows));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

NumericsMatrix* in_blocks(const SparseRows& W, int rows) {
  const int count = W.rows / rows;
  std::vector<std::size_t> start{0}, column;
  for (int i = 0; i < count; ++i) {
    const std::vector<std::size_t> more = block_columns(W, rows, i);
    column.insert(column.end(), more.begin(), more.end());
    start.push_back(column.size());
  }
  SparseBlockStructuredMatrix* out = SBM_new();
  out->nbblocks = unsigned(column.size());
  out->blocknumber0 = out->blocknumber1 = unsigned(count);
  out->blocksize0 = allocated<unsigned>(std::size_t(count));
  out->blocksize1 = allocated<unsigned>(std::size_t(count));
  for (int i = 0; i < count; ++i) out->blocksize0[i] = out->blocksize1[i] = unsigned((i + 1) * rows);
  out->filled1 = start.size(), out->filled2 = column.size();
  out->index1_data = allocated<std::size_t>(start.size());
  out->index2_data = allocated<std::size_t>(column.size());
  std::copy(start.begin(), start.end(), out->index1_data);
  std::copy(column.begin(), column.end(), out->index2_data);
  out->block = allocated<double*>(column.size());
  for (std::size_t k = 0; k < column.size(); ++k) out->block[k] = allocated<double>(std::size_t(rows * rows));
  for (int row = 0; row < W.rows; ++row)
    for (int k = W.start[std::size_t(row)]; k < W.start[std::size_t(row) + 1]; ++k) {
      const int there = W.column[std::size_t(k)], i = row / rows;
      const auto begin = column.begin() + std::ptrdiff_t(start[std::size_t(i)]);
      const auto end = column.begin() + std::ptrdiff_t(start[std::size_t(i) + 1]);
      const auto at = std::lower_bound(begin, end, std::size_t(there / rows)) - column.begin();
      out->block[at][row % rows + there % rows * rows] = W.value[std::size_t(k)];  // by columns
    }
  return NM_new_SBM(W.rows, W.columns, out);
}

NumericsMatrix* stored(const SparseRows& W, int rows, Storage storage) {
  if (storage == Storage::blocks) return in_blocks(W, rows);
  const bool sparse = storage == Storage::sparse;
  NumericsMatrix* out = NM_create(sparse ? NM_SPARSE : NM_DENSE, W.rows, W.columns);
  if (sparse) {
    NM_triplet_alloc(out, std::ptrdiff_t(W.value.size()));
    out->matrix2->origin = NSM_TRIPLET;
  } else {
    std::fill_n(out->matrix0, std::size_t(W.rows) * std::size_t(W.columns), 0.0);
  }
  for (int row = 0; row < W.rows; ++row)
    for (int k = W.start[std::size_t(row)]; k < W.start[std::size_t(row) + 1]; ++k) {
      const int column = W.column[std::size_t(k)];
      if (sparse)
        NM_entry(out, row, column, W.value[std::size_t(k)]);
      else
        out->matrix0[std::size_t(column) * std::size_t(W.rows) + std::size_t(row)] = W.value[std::size_t(k)];
    }
  if (sparse) NM_csc(out);
  return out;
}

SolverOptions* options_of(const Rival& rival, double tolerance) {
  SolverOptions* out = solver_options_create(rival.solver);
  if (rival.inside != 0) solver_options_update_internal(out, 0, rival.inside);
  out->dparam[SICONOS_DPARAM_TOL] = tolerance;
  out->iparam[SICONOS_IPARAM_MAX_ITER] = rival.most_steps;
  if (rival.solver == SICONOS_FRICTION_3D_NSGS) {
    // its default stops on increments, often far from the tolerance
    out->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
    out->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = 10;
  }
  return out;
}

}  // namespace

std::vector<Rival> rivals_for(const LocalFriction& p) {
  constexpr int many = 10000000;
  const bool coulomb = p.laws.law == FrictionLaw::ellipsoid && p.laws.weights.empty();
  std::vector<Rival> out;
  if (p.laws.rows == 3 && coulomb)
    out = {{"nsgs_quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, Storage::blocks,
            many},
           {"nsgs_hybrid", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN_GP_HYBRID,
            Storage::blocks, many},
           {"nsn_ac", SICONOS_FRICTION_3D_NSN_AC, 0, Storage::sparse, 2000},
           {"nsn_ac_dense", SICONOS_FRICTION_3D_NSN_AC, 0, Storage::dense, 2000},
           {"nsn_fb", SICONOS_FRICTION_3D_NSN_FB, 0, Storage::sparse, 2000},
           {"nsn_fb_dense", SICONOS_FRICTION_3D_NSN_FB, 0, Storage::dense, 2000},
           {"prox_nsn_ac", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC, Storage::sparse, 10000},
           {"prox_nsn_ac_dense", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC, Storage::dense, 10000},
           {"admm", SICONOS_FRICTION_3D_ADMM, 0, Storage::sparse, many},
           {"vi_eg", SICONOS_FRICTION_3D_VI_EG, 0, Storage::blocks, many}};
  if (p.laws.rows == 2 && coulomb)
    out = {{"nsgs_2d", SICONOS_FRICTION_2D_NSGS, 0, Storage::blocks, many},
           {"nsgs_2d_dense", SICONOS_FRICTION_2D_NSGS, 0, Storage::dense, many},
           {"cpg_2d", SICONOS_FRICTION_2D_CPG, 0, Storage::dense, many},
           {"lemke_2d", SICONOS_FRICTION_2D_LEMKE, 0, Storage::dense, many}};
  if (p.laws.rows == 5 && p.laws.law == FrictionLaw::discs)
    out = {{"rolling_nsgs", SICONOS_ROLLING_FRICTION_3D_NSGS, 0, Storage::sparse, many},
           {"rolling_nsgs_dense", SICONOS_ROLLING_FRICTION_3D_NSGS, 0, Storage::dense, many},
           {"rolling_admm_dense", SICONOS_ROLLING_FRICTION_3D_ADMM, 0, Storage::dense, many}};
  const int most = p.laws.rows == 3 ? 450 : 3000;  // rows; above it dense storage only costs time
  const auto too_large = [&](const Rival& r) { return r.storage == Storage::dense && p.W.rows > most; };
  out.erase(std::remove_if(out.begin(), out.end(), too_large), out.end());
  return out;
}

void solve_by(const Rival& rival, const LocalFriction& p, double tolerance, Answer& out) {
  numerics_set_verbose(0);
  const int rows = p.laws.rows, contacts = int(p.laws.mu.size());
  NumericsMatrix* W = stored(p.W, rows, rival.storage);
  std::vector<double> q = p.b, mu = p.laws.mu, mu_rolling = p.laws.mu_rolling, u(q.size(), 0.0);
  out.r.assign(q.size(), 0.0);
  out.solver = rival.name;
  SolverOptions* options = options_of(rival, tolerance);
  int info = 1;
  const Clock clock;
  if (rows == 5) {
    RollingFrictionContactProblem problem{rows, contacts, W, q.data(), mu.data(), mu_rolling.data()};
    info = rolling_fc3d_driver(&problem, out.r.data(), u.data(), options);
  } else {
    FrictionContactProblem problem{rows, contacts, W, q.data(), mu.data()};
    info = (rows == 2 ? fc2d_driver : fc3d_driver)(&problem, out.r.data(), u.data(), options);
  }
  clock.read(out);
  out.claimed = info == 0;
  solver_options_delete(options);
  NM_free(W);
}

}  // namespace stiction::bench
