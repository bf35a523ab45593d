#include "stiction/record/frame.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "stiction/base/text.h"
#include "stiction/step/reaction.h"

namespace stiction {
namespace {

/// The larger one; something that is not a number counts as largest of all, so that it is never overlooked.
double worse(double a, double b) { return std::isnan(a) || b <= a ? a : b; }

/// A word of the settings; `unknown` has those that nobody here knows.
template <class Choice>
void read_choice(const nlohmann::json& settings, const char* key, Choice& out,
                 std::vector<Mistake>& unknown) {
  const std::string word = settings.at(key).get<std::string>();
  if (const std::optional<Choice> found = choice_of<Choice>(word))
    out = *found;
  else
    unknown.push_back({{},
                       0,
                       0,
                       std::string("settings.") + key,
                       unknown_word(word, words_of<Choice>()) + " (another version of stiction wrote it)"});
}

}  // namespace

std::string wrong_format(std::int64_t found) {
  return "has recording format " + std::to_string(found) + ", this program reads formats " +
         std::to_string(oldest_recording_format) + " to " + std::to_string(recording_format) +
         ". Use the version of stiction that wrote it.";
}

std::string not_gone_on_with(int format) {
  return "was recorded by an earlier version (format " + std::to_string(format) +
         "), which is read but not gone on with. Run the scene from the start.";
}

std::string to_json(const RunSetup& setup) {
  nlohmann::ordered_json out;
  out["title"] = setup.title;
  out["scene"] = setup.scene;
  out["method"] = word_of(setup.run.method);
  out["solver"] = word_of(setup.run.solver);
  out["step"] = setup.run.step;
  out["tolerance"] = setup.run.tolerance;
  out["until"] = setup.run.until;
  out["threads"] = setup.run.threads;
  if (const RunSettings usual; setup.run.stabilisation != usual.stabilisation)
    out["stabilisation"] = word_of(setup.run.stabilisation), out["baumgarte"] = setup.run.baumgarte;
  if (const RunSettings usual; setup.run.directions != usual.directions)
    out["directions"] = setup.run.directions;
  if (setup.run.nonlinear) out["nonlinear"] = true;
  if (setup.run.sleep) out["sleep"] = true;
  if (setup.run.method == Method::anitescu_potra) out["activation"] = word_of(setup.run.activation);
  if (const RunSettings usual; setup.run.theta != usual.theta) out["theta"] = setup.run.theta;
  out["every"] = setup.every;
  if (setup.parts) out["parts"] = true;
  out["plot"] = setup.plot;
  if (!setup.warnings.empty()) out["warnings"] = setup.warnings;
  if (!setup.set.empty()) out["set"] = setup.set;
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<RunSetup> read_setup(const std::string& json, const std::string& file) {
  try {
    const auto in = nlohmann::json::parse(json);
    RunSetup setup;
    setup.title = in.at("title").get<std::string>();
    setup.scene = in.at("scene").get<std::string>();
    std::vector<Mistake> unknown;
    read_choice(in, "method", setup.run.method, unknown);
    read_choice(in, "solver", setup.run.solver, unknown);
    setup.run.step = in.at("step").get<double>();
    setup.run.tolerance = in.at("tolerance").get<double>();
    setup.run.until = in.at("until").get<double>();
    setup.run.threads = in.at("threads").get<int>();
    if (in.contains("stabilisation")) read_choice(in, "stabilisation", setup.run.stabilisation, unknown);
    setup.run.baumgarte = in.value("baumgarte", setup.run.baumgarte);
    setup.run.directions = in.value("directions", setup.run.directions);
    setup.run.nonlinear = in.value("nonlinear", setup.run.nonlinear);
    setup.run.sleep = in.value("sleep", setup.run.sleep);
    if (setup.run.method == Method::anitescu_potra) {
      setup.run.activation = Activation::predicted;  // what older programs left out
      if (in.contains("activation")) read_choice(in, "activation", setup.run.activation, unknown);
    }
    setup.run.theta = in.value("theta", setup.run.theta);
    setup.every = in.at("every").get<double>();
    setup.parts = in.value("parts", setup.parts);
    setup.plot = in.at("plot").get<std::vector<std::string>>();
    setup.warnings = in.value("warnings", std::vector<std::string>());
    setup.set = in.value("set", std::vector<std::string>());
    for (Mistake& m : unknown) m.file = file;
    if (!unknown.empty()) return unknown;
    return setup;
  } catch (const nlohmann::json::exception& e) {
    return Mistake{file, 0, 0, "settings",
                   std::string("the settings in this recording cannot be read (") + e.what() +
                       "). Record the run again."};
  }
}

namespace {

/// Of a description of a joint with a body, a parent, a point and an axis.
template <class Joint>
JointPlace place_of(const Model& m, const Joint& joint) {
  JointPlace out;
  out.body = m.find_body(joint.body);
  if (out.body < 0) return out;
  out.parent = joint.parent.empty() ? -1 : m.find_body(joint.parent);
  const BodyDescription& b = m.scene.bodies[std::size_t(out.body)].value;
  out.point = rotate_back(b.orientation, joint.at.value_or(b.position) - b.position);
  out.axis = rotate_back(b.orientation, normalized(joint.axis));
  return out;
}

struct KindOf {
  std::string operator()(const PlanarJoint&) const { return "planar"; }
  std::string operator()(const CoordinateJoint& j) const { return tree::name_of(j.kind); }
  std::string operator()(const ConstraintJoint& j) const { return constraints::name_of(j.kind); }
  std::string operator()(const GearJoint&) const { return "gear"; }
  std::string operator()(const RollingJoint&) const { return "rolling"; }
  std::string operator()(const KnifeEdgeJoint&) const { return "knife edge"; }
  std::string operator()(const PfaffianJoint&) const { return "pfaffian"; }
};
std::string kind_of(const JointDescription& joint) { return std::visit(KindOf{}, joint); }

}  // namespace

std::vector<ReactionInfo> reactions_of(const std::vector<ConstraintInfo>& constraints) {
  std::vector<ReactionInfo> out;
  for (const ConstraintInfo& c : constraints) out.push_back({c.name, constraints::name_of(c.kind)});
  return out;
}

Revision describe(const Model& m, double time, std::string scene_text) {
  Revision out;
  out.revision = m.revision, out.time = time, out.gravity = m.gravity, out.scene_text = std::move(scene_text);
  out.bodies.reserve(m.body_name.size());
  for (std::size_t i = 0; i < m.body_name.size(); ++i)
    out.bodies.push_back(
        {m.body_name[i], m.body_kind[i], m.mobility[i], m.shape[i], m.mass[i], m.plane_normal[i]});
  const tree::Forest& f = m.trees.forest;
  for (std::size_t i = 0; i < m.trees.joint.size(); ++i)
    if (const int joint = m.trees.joint[i]; joint >= 0) {
      const auto& [name, value] = m.scene.joints[std::size_t(joint)];
      const auto* coordinate = std::get_if<CoordinateJoint>(&value);
      out.joints.push_back({name, f.joint[i], f.q_begin[i], f.v_begin[i],
                            coordinate == nullptr ? JointPlace{} : place_of(m, *coordinate)});
    }
  for (const ReactionPlace& place : joints_with_reactions(m)) {
    const auto& [name, value] = m.scene.joints[std::size_t(place.joint)];
    out.reactions.push_back({reaction_name(m, place), kind_of(value)});
    if (const auto* joint = std::get_if<ConstraintJoint>(&value))
      out.constraints.push_back({name, joint->kind, place_of(m, *joint)});
  }
  out.joint_positions = f.q_count(), out.joint_velocities = f.v_count();
  return out;
}

const char* unit_of(const JointInfo& joint, bool velocity, int component) {
  const bool quaternion = joint.kind == tree::JointKind::spherical || joint.kind == tree::JointKind::free;
  if (!velocity && quaternion && component >= joint.positions() - 4) return "1";
  // otherwise coordinates and velocities go together
  const bool length = tree::dof_kind(joint.kind, component) == tree::DofKind::linear;
  return velocity ? (length ? "m/s" : "rad/s") : (length ? "m" : "rad");
}

std::string component_of(const JointInfo& joint, bool velocity, int component) {
  if (std::strcmp(unit_of(joint, velocity, component), "1") != 0) return std::to_string(component);
  return std::string(1, "wxyz"[component - (joint.positions() - 4)]);
}

void Tally::add(const StepReport& report, const Ledger& ledger) {
  const bool first = steps + refused == 0;
  if (report.status == StepReport::Status::refused) {
    ++refused;
    worst.converged = false;
    return;
  }
  ++steps;
  if (!report.converged) ++unconverged;
  for (const CertificateField& f : certificate_fields)
    worst.*f.member = worse(worst.*f.member, report.certificate.*f.member);
  worst.tolerance = report.certificate.tolerance;
  worst.converged = (first || worst.converged) && report.converged;
  imbalance = worse(imbalance, ledger.relative_imbalance());
  contact_rise = worse(contact_rise, ledger.contact_rise());
  unexplained_rise = worse(unexplained_rise, ledger.unexplained_rise());
  iterations += std::max(0, report.solver_iterations);
  factorisations += std::max(0, report.factorisations);
  escalations += std::max(0, report.escalations);
  contacts = std::max(contacts, std::int64_t(report.contacts));
  islands = std::max(islands, std::int64_t(report.islands));
  geometry_passes = std::max(geometry_passes, std::int64_t(report.geometry_passes));
  if (report.stabilisation_passes > 0) ++stabilised;
  if (report.start_frames) ++start_frames;
  if (report.parts > 1) ++divided;
  impacts += report.impacts, lowered_impacts += report.lowered_impacts;
  stopped_impacts += report.stopped_impacts, lasting += report.lasting;
  if (std::strstr(report.solver, "nsgs")) solvers |= 1;
  if (std::strstr(report.solver, "newton")) solvers |= 2;
  if (std::strstr(report.solver, "lemke")) solvers |= 4;
}

namespace {

/// Counts of a damaged file may be any.
std::int64_t sum_within_bounds(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

}  // namespace

void Tally::add(const Tally& later) {
  if (later.steps == 0 && later.refused == 0) return;
  const bool first = steps == 0 && refused == 0;
  for (const CertificateField& f : certificate_fields)
    worst.*f.member = worse(worst.*f.member, later.worst.*f.member);
  worst.tolerance = later.worst.tolerance;
  worst.converged = (first || worst.converged) && later.worst.converged;
  imbalance = worse(imbalance, later.imbalance);
  contact_rise = worse(contact_rise, later.contact_rise);
  unexplained_rise = worse(unexplained_rise, later.unexplained_rise);
  for (const auto member :
       {&Tally::steps, &Tally::unconverged, &Tally::refused, &Tally::iterations, &Tally::factorisations,
        &Tally::escalations, &Tally::stabilised, &Tally::start_frames, &Tally::divided, &Tally::impacts,
        &Tally::lowered_impacts, &Tally::stopped_impacts, &Tally::lasting})
    this->*member = sum_within_bounds(this->*member, later.*member);
  for (const auto member : {&Tally::contacts, &Tally::islands, &Tally::geometry_passes})
    this->*member = std::max(this->*member, later.*member);
  solvers |= later.solvers;
}

Shortfall shortfall_of(const Tally& total, bool ended, bool holds_energy) {
  if (total.refused > 0) return Shortfall::refused;
  if (total.unconverged > 0) return Shortfall::missed;
  if (!(total.imbalance <= imbalance_limit)) return Shortfall::books;
  if (holds_energy && !(total.contact_rise <= energy_limit)) return Shortfall::gained;
  if (!(total.unexplained_rise <= unexplained_limit)) return Shortfall::risen;
  return ended ? Shortfall::none : Shortfall::unended;
}

const char* solver_name(unsigned char solvers) {
  static constexpr const char* names[] = {"none",  "nsgs",       "newton",       "nsgs+newton",
                                          "lemke", "lemke+nsgs", "lemke+newton", "lemke+nsgs+newton"};
  return names[solvers & 7];
}

std::string in_words(const BrokenJoint& b) {
  return "joint " + b.joint + " broke at t = " + number_text(b.time) + " s";
}

LedgerRow ledger_row(const Ledger& ledger) {
  LedgerRow row;
  const Totals& now = ledger.now();
  row.kinetic = now.kinetic;
  row.gravity_potential = now.gravity_potential;
  row.spring_potential = now.spring_potential;
  row.pair_potential = now.pair_potential;
  row.imbalance = ledger.imbalance();
  row.scale = ledger.scale();
  row.momentum_imbalance = norm(ledger.momentum_imbalance());
  row.angular_momentum_imbalance = norm(ledger.angular_momentum_imbalance());
  row.momentum = now.momentum;
  row.angular_momentum = now.angular_momentum;
  for (int c = 0; c < cause_count; ++c) row.booked[std::size_t(c)] = ledger.booked(Cause(c));
  return row;
}

}  // namespace stiction
