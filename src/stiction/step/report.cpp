#include "stiction/step/report.h"

#include <cstdio>

#include "stiction/step/coulomb_step.h"

namespace stiction {
namespace {

struct Field {
  const char* words;
  double value;
};

Field worst_field(const Certificate& c) {
  const Field fields[] = {
      {"overlap over body size", c.gap_relative},    {"joint violation", c.joint},
      {"impulse outside the friction cone", c.cone}, {"complementarity", c.complementarity_relative},
      {"friction not against slip", c.dissipation},  {"natural-map error", c.natural_map_scaled}};
  Field worst = fields[0];
  for (const Field& f : fields)
    if (!(f.value <= worst.value)) worst = f;
  return worst;
}

}  // namespace

std::string StepReport::explain() const {
  char line[300], in_parts[24] = "";
  switch (status) {
    case Status::not_run:
      return "no step has been made yet";
    case Status::refused:
      if (worst_body_a < 0) return std::string("step refused, state untouched: ") + reason;
      std::snprintf(line, sizeof line, "step refused, state untouched: %s (body %d)", reason, worst_body_a);
      return line;
    case Status::converged:
      if (parts > 1) std::snprintf(in_parts, sizeof in_parts, " in %d parts", parts);
      std::snprintf(line, sizeof line,
                    "certified%s%s: natural map %.1e, overlap %.1e m, %d contacts, %d iterations", in_parts,
                    start_frames ? " with earlier contact frames" : "", certificate.natural_map_scaled,
                    certificate.gap, contacts, solver_iterations);
      return line;
    case Status::unconverged:
      break;
  }
  std::snprintf(
      line, sizeof line,
      "not certified: %s is %.2e, tolerance %.1e (bodies %d and %d; %d contacts, %d geometry passes, "
      "%d iterations of %s)",
      reason, worst_field(certificate).value, certificate.tolerance, worst_body_a, worst_body_b, contacts,
      geometry_passes, solver_iterations, solver);
  return line;
}

namespace step {

void blame(const Workspace& w, StepReport& report) {
  report.reason = worst_field(w.certificate).words;
  double worst = -1;
  for (const WorkContact& c : w.end_contacts) {
    const double badness = norm(c.impulse) * std::fabs(c.point.gap) + std::fmax(0.0, -c.point.gap) * 1e9;
    if (badness > worst)
      worst = badness, report.worst_body_a = c.point.key.a, report.worst_body_b = c.point.key.b;
  }
}

}  // namespace step
}  // namespace stiction
