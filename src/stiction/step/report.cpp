#include "stiction/step/report.h"

#include <array>
#include <cstdio>
#include <string_view>

#include "stiction/step/coulomb_step.h"
#include "stiction/step/energy_watch.h"

namespace stiction {
namespace {

constexpr const char* off_body = "error of a body's velocity";
constexpr const char* off_momentum = "momentum that no impulse explains";

struct Field {
  const char* words;
  double value;
  double limit = 0;  // [-] 0 = the tolerance
};

std::array<Field, 10> fields_of(const Certificate& c) {
  return {{{"overlap over body size", c.gap_relative},
           {"joint violation", c.joint},
           {"impulse outside the friction cone", c.cone},
           {"complementarity", c.complementarity_relative},
           {"friction not against slip", c.dissipation},
           {"natural-map error", c.natural_map_scaled},
           {broken_impact_law, c.impact},
           {off_body, c.body},
           {off_momentum, c.momentum},
           {step::added_by_contacts, c.energy, energy_limit}}};
}

/// Of those that count, over its limit.
Field worst_field(const Certificate& c, const step::Promises& counts) {
  const std::array<Field, 10> fields = fields_of(c);
  const std::array<bool, 10> counted{counts.gap,         counts.joint, true, true,
                                     counts.dissipation, true,         true, counts.body,
                                     counts.momentum,    counts.energy};
  const auto share = [&](const Field& f) { return f.value / (f.limit > 0 ? f.limit : c.tolerance); };
  Field worst = fields[2];
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (counted[i] && !(share(fields[i]) <= share(worst))) worst = fields[i];
  return worst;
}

Field field_of(const Certificate& c, std::string_view words) {
  for (const char* cause : {step::added_by_friction, step::added_by_stabilisation})
    if (words == cause) return {cause, c.energy, energy_limit};
  for (const Field& f : fields_of(c))
    if (words == f.words) return f;
  return {"", -1};
}

}  // namespace

namespace {

/// ", body 3 at body 1 off by 2.1e-10 of its scale"
std::string off_most(const StepReport& r) {
  if (r.off_body < 0 || !(r.certificate.body > 0)) return "";
  char text[96];
  std::snprintf(text, sizeof text, ", body %d at body %d off by %.1e of its scale", r.off_body, r.off_partner,
                r.certificate.body);
  return text;
}

}  // namespace

std::string StepReport::explain() const {
  char line[300], in_parts[24] = "";
  switch (status) {
    case Status::not_run:
      return "no step has been made yet";
    case Status::refused:
      if (crowd > 0) {
        std::snprintf(line, sizeof line,
                      "step refused, state untouched: %d bodies or more crowd round body %d, and their "
                      "contacts would take more memory than a step is given. Move bodies apart; where they "
                      "are fast, make the step shorter",
                      crowd, worst_body_a);
        return line;
      }
      if (worst_body_a < 0) return std::string("step refused, state untouched: ") + reason;
      std::snprintf(line, sizeof line, "step refused, state untouched: %s (body %d)", reason, worst_body_a);
      return line;
    case Status::converged:
      if (parts > 1) std::snprintf(in_parts, sizeof in_parts, " in %d parts", parts);
      std::snprintf(line, sizeof line,
                    "certified%s%s: natural map %.1e, overlap %.1e m, %d contacts, %d iterations", in_parts,
                    start_frames ? " with earlier contact frames" : "", certificate.natural_map_scaled,
                    certificate.gap, contacts, solver_iterations);
      return line + off_most(*this) +
             (impacts > 0 ? ", " + std::to_string(impacts) + " impacts" : std::string()) +
             (lowered_impacts > 0 ? ", " + std::to_string(lowered_impacts) + " sets of them by another law"
                                  : std::string()) +
             (asleep > 0 ? ", " + std::to_string(asleep) + " bodies asleep" : std::string());
    case Status::unconverged:
      if (stopped_impacts > 0 && certificate.converged)
        return "not certified: " + std::to_string(stopped_impacts) +
               " contacts should have rebounded and were stopped: they are hit again and again within the "
               "shortest part of a step, or their impact was not solved. Make the step shorter";
      if (reason == lost_digits)
        return "not certified: " + std::string(reason) + " (body " + std::to_string(worst_body_a) + ")";
      if (certificate.converged || field_of(certificate, reason).value < 0)
        return std::string("not certified: ") + reason + ". Make the step shorter";
      break;
  }
  const Field field = field_of(certificate, reason);
  std::snprintf(line, sizeof line,
                "not certified: %s is %.2e, %s %.1e (bodies %d and %d; %d contacts, %d geometry passes, "
                "%d iterations of %s)",
                reason, field.value, field.limit > 0 ? "limit" : "tolerance",
                field.limit > 0 ? field.limit : certificate.tolerance, worst_body_a, worst_body_b, contacts,
                geometry_passes, solver_iterations, solver);
  return line;
}

namespace step {

void blame(const Workspace& w, StepReport& report) {
  report.reason = worst_field(w.certificate, w.promises).words;
  const int own = report.reason == off_body       ? w.bodies.worst
                  : report.reason == off_momentum ? w.bodies.unbalanced
                                                  : -1;
  double worst = -1;
  for (const WorkContact& c : w.end_contacts) {
    if (own >= 0 && c.point.key.a != own && c.point.key.b != own) continue;
    const double badness = norm(c.impulse) * std::fabs(c.point.gap) + std::fmax(0.0, -c.point.gap) * 1e9;
    if (badness > worst)
      worst = badness, report.worst_body_a = c.point.key.a, report.worst_body_b = c.point.key.b;
  }
}

}  // namespace step
}  // namespace stiction
