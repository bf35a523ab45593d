// StepReport and RunReport. Both are copies and stay as they are.
#include "dtypes.h"
#include "parts.h"
#include "reports.h"
#include "stiction/base/text.h"
#include "stiction/world/world.h"

namespace stiction::python {
namespace {

const char* status_word(StepReport::Status s) {
  switch (s) {
    case StepReport::Status::converged:
      return "converged";
    case StepReport::Status::unconverged:
      return "unconverged";
    case StepReport::Status::refused:
      return "refused";
    case StepReport::Status::not_run:
      break;
  }
  return "not_run";
}

}  // namespace

void bind_reports(py::module_& m) {
  m.attr("certificate_dtype") = certificate_dtype();
  m.attr("contact_dtype") = contact_dtype();
  py::class_<StepReport>(m, "StepReport",
                         R"(What one step says about itself. Counters are -1 if no step was made.

>>> report = world.step()
>>> report.status, report.converged, report.contacts
('converged', True, 4))")
      .def_property_readonly(
          "status", [](const StepReport& r) { return status_word(r.status); },
          "not_run, converged, unconverged (taken, but not certified) or refused (state untouched).")
      .def_readonly("converged", &StepReport::converged, "The certificate is within the tolerance.")
      .def_property_readonly(
          "certificate", [](const StepReport& r) { return record(certificate_dtype(), &r.certificate); },
          R"(The certificate as a NumPy record (stiction.certificate_dtype).

>>> bool(report.certificate["natural_map_scaled"] <= report.certificate["tolerance"])
True)")
      .def_readonly("contacts", &StepReport::contacts, "Contact points in the problem.")
      .def_readonly("asleep", &StepReport::asleep, "Bodies that rest and are left alone from now on.")
      .def_readonly("islands", &StepReport::islands, "Groups of bodies that touch.")
      .def_readonly("geometry_passes", &StepReport::geometry_passes,
                    "How often the geometry of the end of the step was looked at again.")
      .def_readonly("start_frames", &StepReport::start_frames,
                    "The geometry did not settle: some contact frames are of before the end.")
      .def_readonly("parts", &StepReport::parts,
                    "1, or the number of shorter steps it took where the whole missed the tolerance.")
      .def_readonly("impacts", &StepReport::impacts,
                    "Contacts that were hit; but for event_driven: with a rebound.")
      .def_readonly("lasting", &StepReport::lasting,
                    "event_driven: of these, whose hops were too small and ended in lasting contact.")
      .def_readonly("given_up", &StepReport::given_up, "[J] what their restitution would have given back.")
      .def_readonly("impact_time", &StepReport::impact_time,
                    "[s] event_driven: of the last impact in the step; -1: none.")
      .def_readonly("lowered_impacts", &StepReport::lowered_impacts,
                    "Sets of them that did not get what their law says, so that energy does not grow.")
      .def_readonly("stopped_impacts", &StepReport::stopped_impacts,
                    "Contacts that should have rebounded and were stopped.")
      .def_readonly("off_body", &StepReport::off_body,
                    "Index of the body of certificate.body, the one most off in its own scale, or -1.")
      .def_readonly("off_partner", &StepReport::off_partner, "Index of whom it touches where it is off most.")
      .def_readonly(
          "digits_body", &StepReport::digits_body,
          "Index of a body that bears more than doubles can tell: the step is not certified; or -1.")
      .def_readonly("crowd", &StepReport::crowd,
                    "Refused: so many bodies in reach of worst_body_a are more than memory is given for.")
      .def_readonly("broken_joints", &StepReport::broken_joints, "How many joints broke at its end.")
      .def_readonly("stabilisation_passes", &StepReport::stabilisation_passes, "0: nothing was left to do.")
      .def_readonly("solver_iterations", &StepReport::solver_iterations, "Of all islands and passes.")
      .def_readonly("factorisations", &StepReport::factorisations, "Of Newton's matrix.")
      .def_readonly("escalations", &StepReport::escalations, "How often one solver handed over to the next.")
      .def_readonly("worst_body_a", &StepReport::worst_body_a, "Index of a body of the worst contact, or -1.")
      .def_readonly("worst_body_b", &StepReport::worst_body_b, "Index of the other, or -1.")
      .def_readonly("solver", &StepReport::solver, "none, nsgs, newton or nsgs+newton.")
      .def_readonly("reason", &StepReport::reason, "Why it was refused or missed; else empty.")
      .def("explain", &StepReport::explain, R"(One sentence.

>>> report.explain().startswith("certified")
True)")
      .def("__repr__", [](const StepReport& r) { return "<StepReport: " + r.explain() + ">"; });

  const auto vector = [](const Vec3& v) { return py::array_t<double>(3, &v.x); };
  py::class_<JointReaction>(m, "JointReaction",
                            R"(What a joint did to its body, world axes: see World.reaction.

>>> scene = stiction.Scene(gravity=[0, 0, -10])
>>> lamp = scene.add_body("lamp", shape=stiction.Sphere(0.1), mass=2)
>>> scene.add_joint("hook", stiction.ConstraintJoint(stiction.ConstraintKind.lock, "lamp", at=[1, 0, 0]))
>>> hanging = stiction.build(scene, step=0.01)
>>> report = hanging.step()
>>> hanging.reaction("hook").torque.round(9) + 0.0
array([ 0., 20.,  0.]))")
      .def_property_readonly(
          "at", [vector](const JointReaction& r) { return vector(r.at); },
          "[m] the joint's point on the body.")
      .def_property_readonly(
          "force", [vector](const JointReaction& r) { return vector(r.force); }, "[N]")
      .def_property_readonly(
          "torque", [vector](const JointReaction& r) { return vector(r.torque); }, "[N m] about `at`.")
      .def("__repr__", [](const JointReaction& r) {
        return "<JointReaction: " + number_text(norm(r.force)) + " N, " + number_text(norm(r.torque)) +
               " N m>";
      });

  py::class_<RunReport> run(m, "RunReport", R"(What World.run says of its steps.

>>> run = world.run(until=0.5)
>>> run.ending, run.converged
('reached the end', True))");
  run.def_readonly("ending", &RunReport::ending, "\"reached the end\" or \"stopped at a refused step\".")
      .def_readonly("trouble", &RunReport::trouble,
                    "The first step that missed or was refused, in words; or empty.")
      .def_readonly("wall_seconds", &RunReport::wall_seconds, "[s] that it took.")
      .def_property_readonly(
          "converged", [](const RunReport& r) { return r.total.unconverged + r.total.refused == 0; },
          "Every step was certified.")
      .def_property_readonly(
          "contact_rise", [](const RunReport& r) { return r.total.contact_rise; },
          "[-] the most that contacts added to the energy over the run, over that of the run; at most 1e-6.")
      .def_property_readonly(
          "unexplained_rise", [](const RunReport& r) { return r.total.unexplained_rise; },
          "[-] the most that the energy rose by without a source, likewise; at most 0.25.")
      .def_property_readonly(
          "worst", [](const RunReport& r) { return record(certificate_dtype(), &r.total.worst); },
          "The worst of all certificates, number by number, as a NumPy record.")
      .def_property_readonly(
          "imbalance", [](const RunReport& r) { return r.total.imbalance; },
          "[-] largest relative imbalance of the ledger.")
      .def("__repr__", [](const RunReport& r) {
        return "<RunReport: " + std::to_string(r.total.steps) + " steps, " +
               std::to_string(r.total.unconverged) + " unconverged, " + r.ending + ">";
      });
  for (const TallyField& f : tally_fields)
    run.def_property_readonly(
        f.name, [f](const RunReport& r) { return r.total.*f.member; },
        "Of the steps of this call: see docs/commands.md and StepReport.");
}

}  // namespace stiction::python
