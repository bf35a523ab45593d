// Curves of a recording by their names: of bodies, of joints with coordinates, of what joints do.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "stiction/base/text.h"
#include "stiction/record/recording.h"

namespace stiction {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Quantity {
  const char* name;
  const char* unit;
  const char* components;  // one letter each; empty = a single number
};
constexpr Quantity quantities[] = {{"position", "m", "xyz"}, {"velocity", "m/s", "xyz"},
                                   {"spin", "rad/s", "xyz"}, {"orientation", "1", "wxyz"},
                                   {"speed", "m/s", ""},     {"height", "m", ""}};

double value_of(const Recording& r, const Quantity& q, std::size_t component, std::size_t i) {
  const std::string name = q.name;
  if (name == "position") return r.position[i][int(component)];
  if (name == "velocity") return r.velocity[i][int(component)];
  if (name == "spin") return r.spin[i][int(component)];
  if (name == "speed") return norm(r.velocity[i]);
  if (name == "height") return r.position[i].z;
  const Quat& o = r.orientation[i];
  return component == 0 ? o.w : component == 1 ? o.x : component == 2 ? o.y : o.z;
}

/// Names may hold dots, so the name is the longest of a list that is followed by a dot.
template <class Info>
std::string first_part(const Recording& r, std::vector<Info> Revision::*list, const std::string& name) {
  std::string best;
  for (const Revision& revision : r.revisions)
    for (const Info& x : revision.*list)
      if (x.name.size() > best.size() && name.size() > x.name.size() && name[x.name.size()] == '.' &&
          name.compare(0, x.name.size(), x.name) == 0)
        best = x.name;
  return best;
}

std::string hint(const std::string& word, const std::vector<std::string>& names) {
  const std::string nearest = did_you_mean(word, names);
  return nearest.empty() ? "." : nearest;
}

/// Names of a list of all revisions, sorted.
template <class Info>
std::set<std::string> names_of(const Recording& r, std::vector<Info> Revision::*list) {
  std::set<std::string> out;
  for (const Revision& revision : r.revisions)
    for (const Info& x : revision.*list) out.insert(x.name);
  return out;
}

Mistake unknown_body(const Recording& r, const std::string& name) {
  const std::set<std::string> bodies = names_of(r, &Revision::bodies),
                              coordinates = names_of(r, &Revision::joints),
                              reactions = names_of(r, &Revision::reactions);
  const bool joints = !coordinates.empty() || !reactions.empty();
  std::vector<std::string> all(bodies.begin(), bodies.end());
  all.insert(all.end(), coordinates.begin(), coordinates.end());
  all.insert(all.end(), reactions.begin(), reactions.end());
  std::string thing = name;
  std::vector<std::string> words{"force", "torque"};
  for (const Quantity& q : quantities) words.push_back(q.name);
  for (const std::string& word : words)
    if (const std::size_t at = name.find("." + word); at != std::string::npos) thing = name.substr(0, at);
  const std::vector<std::string> parts{"certificate", "ledger", "booked", "solver"};
  const std::string of_run = did_you_mean(name.substr(0, name.find('.')), parts);
  const std::string there_are =
      all.empty() ? "" : std::string(joints ? " BODY or JOINT is " : " BODY is ") + word_list(all) + ".";
  const std::string example = !coordinates.empty() ? *coordinates.begin() + ".position"
                              : joints             ? *reactions.begin() + ".force"
                                                   : "";
  return {r.path, 0, 0, "record.plot",
          "\"" + name + "\": there is no body" + (joints ? " or joint" : "") + " \"" + thing + "\"" +
              (of_run.empty() ? hint(thing, all) : of_run) + " A curve is named BODY.QUANTITY" +
              (joints ? " or JOINT.QUANTITY" : "") + ", for example \"" +
              (bodies.empty() ? "ball" : *bodies.begin()) + ".position.z\"" +
              (joints ? " or \"" + example + "\"" : "") +
              "; those of the run begin with certificate, ledger, booked or solver." + there_are};
}

/// Splits "QUANTITY.COMPONENT" off a name that starts with `thing` and a dot.
struct Asked {
  std::string quantity, component;
  Asked(const std::string& name, std::size_t thing) {
    quantity = name.substr(thing + 1);
    if (const std::size_t dot = quantity.find('.'); dot != std::string::npos)
      component = quantity.substr(dot + 1), quantity.resize(dot);
  }
};

/// What a joint does: "hinge.force", "hinge.torque.y", "rope.force.magnitude".
Result<std::vector<Trajectory>> reaction_trajectories(const Recording& r, const std::string& joint,
                                                      const std::string& name) {
  const Asked asked(name, joint.size());
  const auto mistake = [&](const std::string& words) {
    return Mistake{r.path, 0, 0, "record.plot", "\"" + name + "\": " + words};
  };
  const bool torque = asked.quantity == "torque";
  if (!torque && asked.quantity != "force")
    return mistake("a joint without coordinates has no \"" + asked.quantity + "\"" +
                   hint(asked.quantity, {"force", "torque"}) + " Known are force and torque.");
  const std::vector<std::string> components{"x", "y", "z", "magnitude"};
  if (!asked.component.empty() &&
      std::find(components.begin(), components.end(), asked.component) == components.end())
    return mistake(asked.quantity + " has no component \"" + asked.component + "\"; its components are " +
                   word_list(components) + ".");
  std::vector<int> row;  // per revision
  for (const Revision& revision : r.revisions) {
    const auto found = std::find_if(revision.reactions.begin(), revision.reactions.end(),
                                    [&](const ReactionInfo& c) { return c.name == joint; });
    row.push_back(found == revision.reactions.end() ? -1 : int(found - revision.reactions.begin()));
  }
  std::vector<Trajectory> out;
  for (std::size_t c = 0; c < components.size(); ++c) {
    if (asked.component.empty() ? c == 3 : components[c] != asked.component) continue;
    Trajectory t{joint + "." + asked.quantity + "." + components[c], torque ? "N m" : "N", {}};
    t.value.reserve(r.frames());
    for (std::size_t f = 0; f < r.frames(); ++f) {
      const int at = row[std::size_t(r.revision[f])];
      const auto i = f * r.reactions + std::size_t(std::max(0, at));
      const Vec3 v = at < 0 ? Vec3{nan, nan, nan} : torque ? r.reaction_torque[i] : r.reaction_force[i];
      t.value.push_back(c == 3 ? norm(v) : v[int(c)]);
    }
    out.push_back(std::move(t));
  }
  return out;
}

/// Curves of a joint: "hinge.position", "ball.velocity.1". `reacts`: it has a reaction too.
Result<std::vector<Trajectory>> joint_trajectories(const Recording& r, const std::string& joint, bool reacts,
                                                   const std::string& name) {
  std::vector<std::string> known_of_joint{"position", "velocity"};
  if (reacts) known_of_joint.insert(known_of_joint.end(), {"force", "torque"});
  const auto [rest, wanted] = Asked(name, joint.size());
  const auto mistake = [&](const std::string& words) {
    return Mistake{r.path, 0, 0, "record.plot", "\"" + name + "\": " + words};
  };
  const bool velocity = rest == "velocity";
  if (!velocity && rest != "position")
    return mistake("a joint has no \"" + rest + "\"" + hint(rest, known_of_joint) + " Known are " +
                   word_list(known_of_joint) + ".");
  std::vector<const JointInfo*> by_revision;
  const JointInfo* any = nullptr;
  for (const Revision& revision : r.revisions) {
    const auto found = std::find_if(revision.joints.begin(), revision.joints.end(),
                                    [&](const JointInfo& j) { return j.name == joint; });
    by_revision.push_back(found == revision.joints.end() ? nullptr : &*found);
    if (any == nullptr) any = by_revision.back();
  }
  if (any == nullptr) return mistake("there is no joint \"" + joint + "\".");
  const int count = velocity ? any->velocities() : any->positions();
  std::vector<std::string> known;
  for (int c = 0; c < count; ++c) known.push_back(component_of(*any, velocity, c));
  if (count == 0) return mistake("a fixed joint has no coordinates.");
  if (!wanted.empty() && std::find(known.begin(), known.end(), wanted) == known.end())
    return mistake(rest + " has no component \"" + wanted + "\"; its components are " + word_list(known) +
                   ".");
  std::vector<Trajectory> out;
  for (int c = 0; c < count; ++c) {
    if (!wanted.empty() && known[std::size_t(c)] != wanted) continue;
    Trajectory t{
        joint + "." + rest + (count == 1 ? "" : "." + known[std::size_t(c)]), unit_of(*any, velocity, c), {}};
    for (std::size_t f = 0; f < r.frames(); ++f) {
      const JointInfo* j = by_revision[std::size_t(r.revision[f])];
      t.value.push_back(j == nullptr || j->kind != any->kind ? nan
                        : velocity ? r.joint_velocity[f * r.velocities + std::size_t(j->velocity_begin + c)]
                                   : r.joint_position[f * r.positions + std::size_t(j->position_begin + c)]);
    }
    out.push_back(std::move(t));
  }
  return out;
}

/// Curves of the run as a whole: "certificate.joint", "ledger.kinetic", "booked.friction",
/// "solver.iterations".
std::optional<Trajectory> run_trajectory(const Recording& r, const std::string& name) {
  const auto curve = [&](const char* unit, const auto& value) {
    Trajectory t{name, unit, {}};
    for (std::size_t f = 0; f < r.frames(); ++f) t.value.push_back(value(f));
    return t;
  };
  for (const CertificateField& x : certificate_fields)
    if (name == std::string("certificate.") + x.name)
      return curve(x.unit, [&](std::size_t f) { return r.since[f].worst.*x.member; });
  for (const LedgerField& x : ledger_fields)
    if (name == std::string("ledger.") + x.name)
      return curve(x.unit, [&](std::size_t f) { return r.ledger[f].*x.member; });
  for (const TallyField& x : tally_fields)
    if (name == std::string("solver.") + x.name)
      return curve("1", [&](std::size_t f) { return double(r.since[f].*x.member); });
  for (int c = 0; c < cause_count; ++c)
    if (name == std::string("booked.") + stiction::name(Cause(c)))
      return curve("J", [&](std::size_t f) { return r.ledger[f].booked[std::size_t(c)]; });
  return std::nullopt;
}

/// What the part of the run that a name begins with has no curve for; none where it begins with no such part.
std::optional<Mistake> unknown_of_run(const Recording& r, const std::string& name) {
  std::vector<std::string> known;
  const std::string part = name.substr(0, name.find('.'));
  if (part == "certificate")
    for (const CertificateField& x : certificate_fields) known.push_back(x.name);
  if (part == "ledger")
    for (const LedgerField& x : ledger_fields) known.push_back(x.name);
  if (part == "solver")
    for (const TallyField& x : tally_fields) known.push_back(x.name);
  if (part == "booked")
    for (int c = 0; c < cause_count; ++c) known.push_back(stiction::name(Cause(c)));
  if (known.empty()) return std::nullopt;
  const std::string rest = part.size() < name.size() ? name.substr(part.size() + 1) : "";
  return Mistake{r.path, 0, 0, "record.plot",
                 "\"" + name + "\": " + part + " has no curve \"" + rest + "\"" + hint(rest, known) +
                     " Known are " + word_list(known) + "."};
}

/// Per frame the column of the body's number, or -1 where there is no such body.
std::vector<int> rows_of(const Recording& r, const std::string& body) {
  std::vector<int> by_revision;
  for (const Revision& revision : r.revisions) {
    const auto found = std::find_if(revision.bodies.begin(), revision.bodies.end(),
                                    [&](const BodyInfo& b) { return b.name == body; });
    by_revision.push_back(found == revision.bodies.end() ? -1 : int(found - revision.bodies.begin()));
  }
  return by_revision;
}

/// [-] Letters of the joint that a curve is of; 0 = of none.
std::size_t longest_joint(const Recording& r, const std::string& name) {
  return std::max(first_part(r, &Revision::joints, name).size(),
                  first_part(r, &Revision::reactions, name).size());
}

/// Of a joint that has both, coordinates and a reaction, the quantity says which is asked for.
Result<std::vector<Trajectory>> curves_of_joint(const Recording& r, const std::string& name) {
  const std::string joint = first_part(r, &Revision::joints, name),
                    reaction = first_part(r, &Revision::reactions, name);
  if (reaction.size() < joint.size()) return joint_trajectories(r, joint, false, name);
  const std::string quantity = Asked(name, reaction.size()).quantity;
  const bool forces = quantity == "force" || quantity == "torque";
  return forces || reaction.size() > joint.size() ? reaction_trajectories(r, reaction, name)
                                                  : joint_trajectories(r, joint, true, name);
}

}  // namespace

Result<std::vector<Trajectory>> trajectories(const Recording& r, const std::string& name) {
  const std::string body = first_part(r, &Revision::bodies, name);
  if (longest_joint(r, name) > body.size()) return curves_of_joint(r, name);
  if (body.empty()) {
    if (auto of_run = run_trajectory(r, name)) return std::vector<Trajectory>{*std::move(of_run)};
    if (const auto mistake = unknown_of_run(r, name)) return *mistake;
    if (!name.starts_with(joint_prefix)) return unknown_body(r, name);
    const std::string own = name.substr(joint_prefix.size());
    return longest_joint(r, own) == 0 ? unknown_body(r, name) : curves_of_joint(r, own);
  }
  const auto [rest, component] = Asked(name, body.size());
  const auto* q = std::find_if(std::begin(quantities), std::end(quantities),
                               [wanted = rest](const Quantity& x) { return wanted == x.name; });
  if (q == std::end(quantities)) {
    std::vector<std::string> names;
    for (const Quantity& x : quantities) names.push_back(x.name);
    return Mistake{r.path, 0, 0, "record.plot",
                   "\"" + name + "\": a body has no \"" + rest + "\"" + hint(rest, names) + " Known are " +
                       word_list(names) + "."};
  }
  const std::string components = q->components;
  if (!component.empty() && (component.size() != 1 || components.find(component) == std::string::npos))
    return Mistake{
        r.path, 0, 0, "record.plot",
        "\"" + name + "\": " + rest + " has no component \"" + component + "\"" +
            (components.empty() ? "; it is one number." : "; its components are " + components + ".")};

  const std::vector<int> rows = rows_of(r, body);
  std::vector<Trajectory> out;
  for (std::size_t c = 0; c < std::max<std::size_t>(1, components.size()); ++c) {
    if (!component.empty() && components[c] != component[0]) continue;
    Trajectory t{
        body + "." + rest + (components.empty() ? "" : std::string(".") + components[c]), q->unit, {}};
    t.value.reserve(r.frames());
    for (std::size_t f = 0; f < r.frames(); ++f) {
      const int row = rows[std::size_t(r.revision[f])];
      t.value.push_back(row < 0 || !r.alive[r.at(f, std::size_t(row))]
                            ? nan
                            : value_of(r, *q, c, r.at(f, std::size_t(row))));
    }
    out.push_back(std::move(t));
  }
  return out;
}

std::vector<Mistake> check_curves(const Model& m, std::span<const std::string> names,
                                  const std::string& file) {
  std::vector<Mistake> mistakes;
  if (names.empty()) return mistakes;
  Recording empty;
  empty.path = file;
  empty.revisions.push_back(describe(m, 0, {}));
  for (const std::string& name : names)
    if (const auto found = trajectories(empty, name); !found)
      for (Mistake mistake : found.mistakes()) {
        mistake.file = file;
        mistakes.push_back(std::move(mistake));
      }
  return mistakes;
}

}  // namespace stiction
