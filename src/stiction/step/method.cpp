#include "stiction/step/method.h"

#include <string_view>

#include "stiction/step/contact_step.h"
#include "stiction/step/event_driven.h"
#include "stiction/step/impulse_step.h"
#include "stiction/step/smooth.h"

namespace stiction::step {

namespace {

StepReport step_by(Method method, const Model& m, const CoulombSettings& s, const Input& in, State& x,
                   Workspace& w) {
  const SmoothSettings smooth{s.h, s.tolerance};
  w.end_geometry = method == Method::implicit_geometry;
  w.asleep.clear();  // only the default method has sleepers
  switch (method) {
    case Method::explicit_euler:
      return explicit_euler_step(m, smooth, in, x, w);
    case Method::semi_implicit_euler:
      return semi_implicit_euler_step(m, smooth, in, x, w);
    case Method::implicit_euler:
      return implicit_euler_step(m, smooth, in, x, w);
    case Method::velocity_verlet:
      return velocity_verlet_step(m, smooth, in, x, w);
    case Method::rk4:
      return rk4_step(m, smooth, in, x, w);
    case Method::variational:
      return variational_step(m, smooth, in, x, w);
    case Method::spook:
      return spook_step(m, smooth, held_joints(m, x, w), in, x, w);
    case Method::cline_pai:
      return cline_pai_step(m, {.smooth = smooth, .stabilisation = s.stabilisation, .gamma = s.baumgarte},
                            held_joints(m, x, w), in, x, w);
    case Method::rk4_projected:
      return rk4_projected_step(m, smooth, held_joints(m, x, w), in, x, w);
    case Method::stewart_trinkle:
      return stewart_trinkle_step(m, s, in, x, w);
    case Method::anitescu_potra:
      return anitescu_potra_step(m, s, in, x, w);
    case Method::moreau_jean:
      return moreau_jean_step(m, s, in, x, w);
    case Method::event_driven:
      return event_driven_step(m, s, in, x, w);
    case Method::coulomb:
    case Method::implicit_geometry:
      break;
  }
  return coulomb_step(m, s, in, x, w);
}

}  // namespace

StepReport take_step(Method method, const Model& m, const CoulombSettings& s, const Input& in, State& x,
                     Workspace& w) {
  if (!validate(m, in).empty()) return refused(wrong_input, -1, started());
  const auto made = [&] {
    StepReport report = step_by(method, m, s, in, x, w);
    if (report.reason == std::string_view(too_crowded))
      report.crowd = w.crowd.bodies, report.worst_body_a = w.crowd.body;
    return report;
  };
  if (w.stop.flag == nullptr) return made();
  w.unstopped = x;
  const StepReport report = made();
  if (!w.stop.asked()) return report;
  // Where the work was cut short, or whether, nobody knows: the step is as if it had not begun.
  x = w.unstopped;
  w.resting_step = -1, w.broken.clear();
  StepReport stopped = started();
  add_work(report, stopped);
  return refused(asked_to_stop, -1, stopped);
}

}  // namespace stiction::step
