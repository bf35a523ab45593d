// The policy for frictional contact: picks solvers island by island and hands over until the tolerance holds.
//
// - Contacts that do not influence each other are solved apart (islands), small ones first; what they leave
//   of the tolerance goes to the large ones.
// - One contact: exactly. Others: sweeps while they gain, then the proximal Newton; where it does not get
//   through, it starts again from splitting steps, from the interior point, from more sweeps, with growing
//   budgets.
// - A global problem in which bodies have hundreds of contacts is solved as a graph, without W: every solver
//   works on either form.
// - What decides is size, structure and what the solvers report, never time; a memory that the caller keeps
//   tells whether the first sweeps were of use last time.
// The last word has friction_residual(), which no solver shares: `solved` means that its natural_map, the
// measure of FCLib, is within the tolerance.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/complementarity/friction/admm.h"
#include "stiction/complementarity/friction/condense.h"
#include "stiction/complementarity/friction/interior_point.h"
#include "stiction/complementarity/friction/newton.h"
#include "stiction/complementarity/friction/nsgs.h"
#include "stiction/complementarity/friction/prepare_graph.h"
#include "stiction/complementarity/friction/prepared.h"
#include "stiction/complementarity/friction/problems.h"
#include "stiction/complementarity/friction/projected_gradient.h"
#include "stiction/complementarity/friction/residual.h"

namespace stiction::complementarity {

enum class FrictionSolver : unsigned char {
  automatic,
  nsgs,
  newton,
  admm,
  projected_gradient,
  interior_point
};
/// All of them, in the order of the enumeration.
const std::vector<FrictionSolver>& friction_solvers();
/// The word for a solver, as the enumeration spells it.
const char* name_of(FrictionSolver solver);
std::optional<FrictionSolver> friction_solver_named(std::string_view name);

enum class FrictionStatus : unsigned char {
  not_run,    // nothing was done yet
  bad_input,  // validate() has something to say, or the start has the wrong size; see FrictionReport::faults
  solved,     // natural_map is within the tolerance
  iteration_limit,  // all budgets are spent; r is the best found
  singular_mass     // global form: M cannot be factorised
};
const char* name_of(FrictionStatus status);

struct FrictionReport {
  FrictionStatus status = FrictionStatus::not_run;
  std::vector<std::string> faults;
  std::string solver;              // those that improved r, in the order of first use, joined by +
  int iterations = 0;              // [-] sweeps and steps of all islands
  int factorisations = 0;          // [-]
  int escalations = 0;             // [-] how often a solver had to hand over
  int islands = 0, unsolved = 0;   // [-]
  double natural_map = -1;         // [-] by friction_residual()
  double natural_map_scaled = -1;  // [-] likewise
  double dynamics = -1;            // [-] global form: |M v - H r - f| / (|H r| + |f|)
  std::vector<double>
      residual_history;  // [-] the solvers' own account of natural_map, at each of their checks
};

/// How a global problem is held while it is solved.
enum class GlobalRoute : unsigned char {
  automatic,  // condensed, unless W were large: bodies with hundreds of contacts
  condensed,  // W = H^T M^-1 H: a body with m contacts costs m^2
  graph       // H and the blocks of M, no W: a body with m contacts costs m; blocks of up to 64 rows
};

struct FrictionSolveSettings {
  double tolerance = 1e-8;  // [-] on natural_map; > 0
  FrictionSolver solver = FrictionSolver::automatic;
  GlobalRoute route = GlobalRoute::automatic;
  bool warm_start = false;  // r holds a guess
  Stop stop{};
};

/// Scratch and history that the caller keeps between solves.
struct FrictionMemory {
  friction::Prepared prepared;
  friction::NsgsMemory nsgs;
  friction::NewtonMemory newton;
  friction::AdmmMemory admm;
  friction::GradientMemory gradient;
  friction::InteriorPointMemory interior_point;
  MassFactors mass;
  LocalFriction local;                   // global form, condensed
  std::vector<double> r, best, swept_r;  // by places
  int swept = 0,
      tried =
          0;  // [-] islands of several contacts that the first sweeps solved in the last solve, of how many
};

/// r: rows per contact.
FrictionReport solve(const LocalFriction& p, const FrictionSolveSettings& s, std::vector<double>& r,
                     FrictionMemory& memory);
/// Also the velocities v of the bodies.
FrictionReport solve(const GlobalFriction& p, const FrictionSolveSettings& s, std::vector<double>& r,
                     std::vector<double>& v, FrictionMemory& memory);

/// Cold, with memory of its own.
FrictionReport solve(const LocalFriction& p, double tolerance, std::vector<double>& r);
FrictionReport solve(const GlobalFriction& p, double tolerance, std::vector<double>& r,
                     std::vector<double>& v);

}  // namespace stiction::complementarity
