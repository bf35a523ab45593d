#include "summary.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "stiction/base/hash.h"

namespace stiction::cli {
namespace {

Json to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }
Json to_json(const Quat& q) { return Json::array({q.w, q.x, q.y, q.z}); }

/// The joint that a body hangs on, if it has coordinates: name, kind, position, velocity.
Json final_joint(const World& world, std::size_t body) {
  const Model& m = world.model();
  const int link = m.link.empty() ? -1 : m.link[body];
  const int joint = link < 0 ? -1 : m.trees.joint[std::size_t(link)];
  if (joint < 0) return {};
  const tree::Forest& f = m.trees.forest;
  const auto i = std::size_t(link);
  const auto part = [](const std::vector<double>& all, const std::vector<int>& begin, std::size_t at) {
    return std::vector<double>(all.begin() + begin[at], all.begin() + begin[at + 1]);
  };
  Json out;
  out["name"] = m.scene.joints[std::size_t(joint)].name;
  out["kind"] = tree::name_of(f.joint[i]);
  out["position"] = part(world.state().joint_position, f.q_begin, i);
  out["velocity"] = part(world.state().joint_velocity, f.v_begin, i);
  return out;
}

/// By name. Appended without looking for the name, which would take the square of the number of bodies.
Json final_states(const World& world) {
  Json out = Json::object();
  auto& entries = out.get_ref<Json::object_t&>();
  const State& x = world.state();
  const std::vector<std::string>& names = world.model().body_name;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!x.alive[i]) continue;
    Json body;
    body["position"] = to_json(x.position[i]);
    body["orientation"] = to_json(x.orientation[i]);
    body["velocity"] = to_json(x.velocity[i]);
    body["spin"] = to_json(x.spin[i]);
    if (Json joint = final_joint(world, i); !joint.is_null()) body["joint"] = std::move(joint);
    entries.emplace_back(names[i], std::move(body));
  }
  return out;
}

struct CertificateRow {
  const char* name;
  double absolute;  // in `unit`; NaN = the relative number is the measure itself
  const char* unit;
  double relative;  // compared with the tolerance
  bool counts = true;
  double limit = 0;  // [-] 0 = the tolerance
};

bool has_impacts(const Tally& total) { return total.impacts + total.stopped_impacts > 0; }

void print_impacts(const Tally& total) {
  if (!has_impacts(total)) return;
  std::string also;
  if (total.lowered_impacts > 0)
    also += fmt::format(", {} sets with restitution lowered or by another law", total.lowered_impacts);
  if (total.lasting > 0) also += fmt::format(", {} ended in lasting contact", total.lasting);
  if (total.stopped_impacts > 0) also += fmt::format(", {} STOPPED", total.stopped_impacts);
  print("Impacts    {} contact{} hit{}", total.impacts, total.impacts == 1 ? "" : "s", also);
}

void print_certificate(const Tally& total, const RunSettings& settings) {
  const Certificate& c = total.worst;
  const double none = std::nan("");
  const CertificateRow rows[] = {
      {"gap", c.gap, "m", c.gap_relative, holds_gaps(settings)},
      {"joint", none, "", c.joint, holds_joints(settings)},
      {"cone", none, "", c.cone},
      {"complementarity", c.complementarity, "J", c.complementarity_relative},
      {"dissipation", none, "", c.dissipation, has_round_cones(settings)},
      {"natural map", none, "", c.natural_map_scaled},
      {"impact", none, "", c.impact},
      {"body", none, "", c.body, has_round_cones(settings)},
      // where it counts (docs/methods.md), a step that is beyond has missed
      {"momentum", none, "", c.momentum, settings.method == Method::coulomb && total.unconverged > 0},
      {"energy", none, "", c.energy, holds_energy(settings), energy_limit},
  };
  print("Certificate       worst      limit");
  for (const CertificateRow& row : rows) {
    if (row.name == std::string_view("impact") && !has_impacts(total)) continue;
    const std::string also =
        std::isnan(row.absolute) ? "" : fmt::format("   ({:.2e} {})", row.absolute, row.unit);
    const double limit = row.limit > 0 ? row.limit : c.tolerance;
    print("  {:<15} {:>9.2e}  {:>8.1e}  {}{}", row.name, row.relative, limit,
          row.relative <= limit ? "ok"
          : row.counts          ? "MISSED"
                                : "does not count with this method",
          also);
  }
  if (total.unconverged > 0) print("  {} of {} steps missed the tolerance", total.unconverged, total.steps);
  if (total.start_frames > 0)
    print("  {} of {} steps are certified with some contact frames of before their end (docs/step.md)",
          total.start_frames, total.steps);
  if (total.divided > 0)
    print("  {} of {} steps were made in shorter parts ({})", total.divided, total.steps,
          settings.method == Method::event_driven ? "docs/theory/event-driven.md" : "docs/step.md");
}

/// A rise of the energy over the run, from any time to any later one.
void print_rise(const char* what, double rise, double limit, bool counts) {
  print("  {:<13} {:>11.2e}   limit {:.2g}  {}", what, rise, limit,
        rise <= limit ? "ok"
        : counts      ? "MISSED"
                      : "does not count with this method");
}

void print_ledger(const Ledger& ledger, double worst_imbalance) {
  const Totals& now = ledger.now();
  const Totals& start = ledger.start();
  print("{:<16}{:>11} {:>11}", "Ledger [J]", "start", "now");
  print("  {:<13} {:>11.4g} {:>11.4g}", "kinetic", start.kinetic, now.kinetic);
  print("  {:<13} {:>11.4g} {:>11.4g}", "gravity", start.gravity_potential, now.gravity_potential);
  print("  {:<13} {:>11.4g} {:>11.4g}", "springs", start.spring_potential, now.spring_potential);
  if (start.pair_potential != 0 || now.pair_potential != 0)
    print("  {:<13} {:>11.4g} {:>11.4g}", "pairs", start.pair_potential, now.pair_potential);
  print("  {:<13} {:>11.4g} {:>11.4g}", "energy", start.energy(), now.energy());
  print("Work since the start, by cause [J]");
  for (int i = 0; i < cause_count; ++i) {
    const Cause cause{static_cast<unsigned char>(i)};
    if (const double joules = ledger.booked(cause); joules != 0)
      print("  {:<13} {:>11.4g}", name(cause), joules);
  }
  print("  {:<13} {:>11.4g}   worst step {:.1e} of {:.3g} J, limit {:.0e}  {}", "imbalance",
        ledger.imbalance(), worst_imbalance, ledger.scale(), imbalance_limit,
        worst_imbalance <= imbalance_limit ? "ok" : "MISSED");
}

void print_rises(const Tally& total, const RunSettings& settings) {
  print("Energy that rose without a source, over that of the run");
  print_rise("contacts", total.contact_rise, energy_limit, holds_energy(settings));
  print_rise("all", total.unexplained_rise, unexplained_limit, true);
}

}  // namespace

Status status_of(const RunResult& result, const RunSettings& settings) {
  return shortfall_of(result.total, result.complete, holds_energy(settings)) == Shortfall::none ? fine
                                                                                                : missed;
}

void print_summary(const RunResult& result, const World& world) {
  const Tally& total = result.total;
  print("{}: {} step{} of {:g} s to t = {:g} s, {}; {:.2f} s, method {}, solver {}", result.scene,
        total.steps, total.steps == 1 ? "" : "s", world.settings().step, world.time(), result.ending,
        result.wall_seconds, word_of(world.settings().method), solver_name(total.solvers));
  if (!result.trouble.empty()) print("First trouble: {}", result.trouble);
  constexpr std::size_t most_named = 8;
  for (std::size_t i = 0; i < std::min(result.broken.size(), most_named); ++i)
    print("Event: {}", in_words(result.broken[i]));
  if (result.broken.size() > most_named)
    print("       and {} more joints, the last at t = {:g} s", result.broken.size() - most_named,
          result.broken.back().time);
  if (total.steps > 0) print_certificate(total, world.settings());
  print_impacts(total);
  print_ledger(world.ledger(), total.imbalance);
  print_rises(total, world.settings());
  if (world.settings().sleep) print("Asleep     {} bodies at the end", world.last_report().asleep);
  print("Hash       {}", hex(world.hash()));
  if (!result.recording.empty()) print("Recording  {}", result.recording);
  for (const std::string& table : result.csv) print("Table      {}", table);
  for (const std::string& problem : result.problems) print("Problem    {}", problem);
  if (!result.report.empty()) print("Report     {}", result.report);
}

Json summary_document(const RunResult& result, const World& world) {
  const Tally& total = result.total;
  const Certificate& c = total.worst;
  const Ledger& ledger = world.ledger();
  Json out;
  out["scene"] = result.scene;
  out["method"] = word_of(world.settings().method);
  out["solver"] = word_of(world.settings().solver);
  out["solvers_used"] = solver_name(total.solvers);
  out["ending"] = result.ending;
  if (const auto& r = result.resumed)
    out["resumed"] = {{"from", r->from}, {"time", r->time}, {"step", r->step}};
  out["steps"] = total.steps;
  out["time"] = world.time();
  out["wall_seconds"] = result.wall_seconds;
  out["hash"] = hex(world.hash());
  if (world.settings().sleep) out["asleep"] = world.last_report().asleep;
  Json& certificate = out["certificate"];
  for (const CertificateField& field : certificate_fields) certificate[field.name] = c.*field.member;
  certificate["tolerance"] = c.tolerance;
  certificate["unconverged_steps"] = total.unconverged;
  certificate["refused_steps"] = total.refused;
  certificate["start_frame_steps"] = total.start_frames;
  certificate["divided_steps"] = total.divided;
  out["impacts"] = {{"hit", total.impacts},
                    {"lowered_sets", total.lowered_impacts},
                    {"stopped", total.stopped_impacts},
                    {"lasting", total.lasting}};
  Json& books = out["ledger"];
  books["kinetic"] = ledger.now().kinetic;
  books["potential"] = ledger.now().potential();
  Json& booked = books["booked"];
  for (int i = 0; i < cause_count; ++i) {
    const Cause cause{static_cast<unsigned char>(i)};
    booked[name(cause)] = ledger.booked(cause);
  }
  books["numerics"] = ledger.booked(Cause::numerics);
  books["imbalance"] = ledger.imbalance();
  books["scale"] = ledger.scale();
  books["worst_relative_imbalance"] = total.imbalance;
  books["contact_rise"] = total.contact_rise;
  books["unexplained_rise"] = total.unexplained_rise;
  out["final"] = final_states(world);
  if (!result.trouble.empty()) out["trouble"] = result.trouble;
  Json& broken = out["broken"] = Json::array();
  for (const BrokenJoint& b : result.broken) broken.push_back({{"joint", b.joint}, {"time", b.time}});
  out["warnings"] = std::vector<std::string>(world.warnings().begin(), world.warnings().end());
  out["recording"] = result.recording;
  if (!result.csv.empty()) out["csv"] = result.csv;
  if (!result.problems.empty()) out["problems"] = result.problems;
  out["report"] = result.report;
  return out;
}

}  // namespace stiction::cli
