#include "stiction/report/charts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/report/markup.h"

namespace stiction {
namespace {

constexpr std::size_t most_points = 3000;  // per curve: two per pixel of a wide screen

/// Thins columns alike: the last of each group of k frames stands for it, or the largest where peaks matter.
class Thinner {
 public:
  Thinner(const Recording& r) : r_(r), k_((r.frames() + most_points - 1) / most_points) {
    k_ = std::max<std::size_t>(1, k_);
  }
  std::size_t group() const { return k_; }
  template <class F>
  std::vector<double> last(F value) const {
    std::vector<double> out;
    for_groups([&](std::size_t, std::size_t end) { out.push_back(value(end - 1)); });
    return out;
  }
  template <class F>
  std::vector<double> largest(F value) const {
    std::vector<double> out;
    for_groups([&](std::size_t begin, std::size_t end) {
      double peak = value(begin);
      for (std::size_t f = begin + 1; f < end; ++f) peak = std::max(peak, value(f));
      out.push_back(peak);
    });
    return out;
  }

 private:
  /// The first frame, which no step led to, stands alone.
  template <class F>
  void for_groups(F call) const {
    if (r_.frames() == 0) return;
    call(0, 1);
    for (std::size_t begin = 1; begin < r_.frames(); begin += k_)
      call(begin, std::min(r_.frames(), begin + k_));
  }
  const Recording& r_;
  std::size_t k_;
};

bool is_zero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return x == 0; });
}

void add_unless_zero(Chart& chart, Curve curve) {
  if (!is_zero(curve.value)) chart.curves.push_back(std::move(curve));
}

/// Names as people read them: "natural_map_scaled" -> "natural map".
std::string words(std::string name) {
  for (const char* tail : {"_scaled", "_relative"})
    if (const std::size_t at = name.find(tail); at != std::string::npos) name.resize(at);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

Chart energy_chart(const Recording& r, const Thinner& t) {
  Chart chart{"energy", "Energy", "What the bodies hold. Potential energy counts from the start of the run.",
              "J",      false,    false,
              {},       0,        ""};
  const auto& l = r.ledger;
  chart.curves.push_back({"kinetic", t.last([&](std::size_t f) { return l[f].kinetic; }), false, false, -1});
  add_unless_zero(chart, {"potential, gravity", t.last([&](std::size_t f) { return l[f].gravity_potential; }),
                          false, false, -1});
  add_unless_zero(chart, {"potential, springs", t.last([&](std::size_t f) { return l[f].spring_potential; }),
                          false, false, -1});
  add_unless_zero(chart, {"potential, pairs", t.last([&](std::size_t f) { return l[f].pair_potential; }),
                          false, false, -1});
  if (chart.curves.size() > 1)
    chart.curves.push_back({"total", t.last([&](std::size_t f) {
                              return l[f].kinetic + l[f].gravity_potential + l[f].spring_potential +
                                     l[f].pair_potential;
                            }),
                            true, true, -2});
  return chart;
}

/// Numbers in the page's palette that keep the common causes apart.
int colour_of(Cause c) {
  switch (c) {
    case Cause::gravity:
      return 0;
    case Cause::spring:
      return 9;
    case Cause::damping:
      return 10;
    case Cause::drag:
      return 6;
    case Cause::wrench:
      return 4;
    case Cause::input:
      return 5;
    case Cause::contact:
      return 2;
    case Cause::impact:
      return 1;
    case Cause::friction:
      return 3;
    case Cause::joint:
      return 13;
    case Cause::kinematic:
      return 11;
    case Cause::stabilisation:
      return 12;
    case Cause::edit:
      return 7;
    case Cause::numerics:
      return 8;
    case Cause::gravitation:
      return 14;
    case Cause::lennard_jones:
      return 15;
    case Cause::magnus:
      return 16;
    case Cause::motor:
      return 17;
    case Cause::breaking:
      return 18;
    case Cause::surface:
      return 19;
    case Cause::spin:
      return 20;
    case Cause::rolling:
      return 21;
  }
  return -1;
}

Chart cause_chart(const Recording& r, const Thinner& t) {
  Chart chart{
      "causes",
      "Energy by cause",
      "Every joule that came or went, booked to its cause since the start. Below zero: taken from the "
      "bodies. Gravity and springs are the work they did.",
      "J",
      false,
      false,
      {},
      0,
      ""};
  for (int c = 0; c < cause_count; ++c)
    add_unless_zero(chart, {words(name(Cause(c))),
                            t.last([&](std::size_t f) { return r.ledger[f].booked[std::size_t(c)]; }),
                            is_potential(Cause(c)), false, colour_of(Cause(c))});
  return chart;
}

Chart imbalance_chart(const Recording& r, const Thinner& t) {
  Chart chart{
      "imbalance",
      "Imbalance of the books",
      "What no account explains, over the energy that was there and flowed. Rounding alone keeps it below "
      "1e-12.",
      "relative",
      true,
      false,
      {},
      1e-12,
      "limit"};
  add_unless_zero(
      chart, {"energy", t.largest([&](std::size_t f) { return r.since[f].imbalance; }), false, false, -1});
  return chart;
}

Chart certificate_chart(const Recording& r, const Thinner& t) {
  const bool contacts =
      std::any_of(r.since.begin(), r.since.end(), [](const Tally& x) { return x.contacts + x.impacts > 0; });
  Chart chart{
      "certificate",
      "Certificate",
      contacts
          ? "How well each step solves the exact contact problem, measured afterwards on the new positions "
            "by code that no solver shares. The worst of all steps between two frames is shown."
          : "Nothing touched in this run: what is shown is of joints, with their limits, motors and gears.",
      "relative",
      true,
      false,
      {},
      r.setup.run.tolerance,
      "tolerance"};
  for (const auto& [field, colour] : {std::pair{&Certificate::gap_relative, 0},
                                      {&Certificate::joint, 5},
                                      {&Certificate::cone, 1},
                                      {&Certificate::complementarity_relative, 2},
                                      {&Certificate::dissipation, 4},
                                      {&Certificate::natural_map_scaled, 3},
                                      {&Certificate::impact, 6},
                                      {&Certificate::body, 7},
                                      {&Certificate::momentum, 8},
                                      {&Certificate::energy, 9}}) {
    const auto* found =
        std::find_if(std::begin(certificate_fields), std::end(certificate_fields),
                     [member = field](const CertificateField& x) { return x.member == member; });
    add_unless_zero(chart, {words(found->name), t.largest([&r, member = field](std::size_t f) {
                              return r.since[f].worst.*member;
                            }),
                            false, false, colour});
  }
  return chart;
}

Chart contact_chart(const Recording& r, const Thinner& t) {
  Chart chart{"contacts", "Contacts", "Contact points at each frame by what they do.",
              "points",   false,      true,
              {},         0,          ""};
  for (const auto& [state, colour] : {std::pair{ContactState::sticking, 2},
                                      {ContactState::rolling, 3},
                                      {ContactState::sliding, 1},
                                      {ContactState::open, 0}})
    add_unless_zero(chart, {name(state), t.largest([&r, wanted = std::size_t(state)](std::size_t f) {
                              return double(r.contact_count[f][wanted]);
                            }),
                            false, false, colour});
  return chart;
}

/// Of all steps between two frames, whatever joints there are.
Chart joint_chart(const Recording& r, const Thinner& t) {
  Chart chart{
      "joints",
      "Joint error",
      "How far joints that hold by forces are from closing: the worst of all steps between two frames.",
      "m",
      true,
      false,
      {},
      0,
      ""};
  add_unless_zero(chart, {"joint error", t.largest([&](std::size_t f) { return r.since[f].worst.joint; }),
                          false, false, 5});
  return chart;
}

Chart reaction_chart(const Recording& r, const Thinner& t) {
  Chart chart{"reactions",
              "Forces of joints",
              "The size of the force on the body, mean over the step before a frame.",
              "N",
              false,
              false,
              {},
              0,
              ""};
  const std::vector<ReactionInfo>& joints = r.revisions.back().reactions;
  for (std::size_t c = 0; c < joints.size() && c < most_reaction_curves; ++c) {
    std::vector<int> place;  // per revision
    for (const Revision& revision : r.revisions) {
      const auto found = std::find_if(revision.reactions.begin(), revision.reactions.end(),
                                      [&](const ReactionInfo& x) { return x.name == joints[c].name; });
      place.push_back(found == revision.reactions.end() ? -1 : int(found - revision.reactions.begin()));
    }
    chart.curves.push_back({joints[c].name, t.last([&](std::size_t f) {
                              const int at = place[std::size_t(r.revision[f])];
                              return at < 0 ? std::numeric_limits<double>::quiet_NaN()
                                            : norm(r.reaction_force[f * r.reactions + std::size_t(at)]);
                            }),
                            false, false, -1});
  }
  return chart;
}

Chart effort_chart(const Recording& r, const Thinner& t) {
  Chart chart{"effort",
              "Solver effort",
              "Iterations of all solvers per step, and matrix factorisations.",
              "per step",
              false,
              false,
              {},
              0,
              ""};
  const auto per_step = [&](std::int64_t Tally::*member) {
    return t.largest([&, member](std::size_t f) {
      return r.since[f].steps > 0 ? double(r.since[f].*member) / double(r.since[f].steps) : 0.0;
    });
  };
  add_unless_zero(chart, {"iterations", per_step(&Tally::iterations), false, false, -1});
  add_unless_zero(chart, {"factorisations", per_step(&Tally::factorisations), false, false, -1});
  add_unless_zero(chart, {"escalations", per_step(&Tally::escalations), false, false, -1});
  return chart;
}

std::string list(const std::vector<double>& values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    out += json_number(values[i]);
  }
  return out + "]";
}

}  // namespace

Result<ChartSet> make_charts(const Recording& r, const std::vector<std::string>& plot) {
  const Thinner t(r);
  ChartSet set;
  set.thinning = int(t.group());
  set.time = t.last([&](std::size_t f) { return r.time[f]; });
  set.charts = {energy_chart(r, t),      cause_chart(r, t),   imbalance_chart(r, t),
                certificate_chart(r, t), contact_chart(r, t), effort_chart(r, t)};
  if (Chart joints = joint_chart(r, t); !joints.curves.empty()) set.charts.push_back(std::move(joints));
  if (!r.revisions.empty() && !r.revisions.back().reactions.empty())
    set.charts.push_back(reaction_chart(r, t));
  std::vector<Mistake> mistakes;
  for (const std::string& name : plot) {
    Result<std::vector<Trajectory>> curves = trajectories(r, name);
    if (!curves) {
      mistakes.insert(mistakes.end(), curves.mistakes().begin(), curves.mistakes().end());
      continue;
    }
    Chart chart{"plot" + std::to_string(set.charts.size()),
                name,
                "",
                curves.value().front().unit,
                false,
                false,
                {},
                0,
                ""};
    for (const Trajectory& c : curves.value())
      chart.curves.push_back({c.label == name ? c.label : c.label.substr(c.label.rfind('.') + 1),
                              t.last([&](std::size_t f) { return c.value[f]; }), false, false, -1});
    set.charts.push_back(std::move(chart));
  }
  if (!mistakes.empty()) return mistakes;
  return set;
}

std::string to_json(const ChartSet& set) {
  std::string out =
      "{\"time\":" + list(set.time) + (set.spans_gaps ? ",\"spanGaps\":true" : "") + ",\"charts\":[";
  for (std::size_t i = 0; i < set.charts.size(); ++i) {
    const Chart& c = set.charts[i];
    if (i > 0) out += ",\n";
    out += "{\"id\":" + json_string(c.id) + ",\"title\":" + json_string(c.title) +
           ",\"unit\":" + json_string(c.unit) + ",\"log\":" + (c.logarithmic ? "true" : "false") +
           ",\"filled\":" + (c.filled ? "true" : "false") + ",\"limit\":" + json_number(c.limit) +
           ",\"limitLabel\":" + json_string(c.limit_label) + ",\"curves\":[";
    for (std::size_t k = 0; k < c.curves.size(); ++k) {
      const Curve& curve = c.curves[k];
      if (k > 0) out += ',';
      out += "{\"label\":" + json_string(curve.label) + ",\"dashed\":" + (curve.dashed ? "true" : "false") +
             ",\"strong\":" + (curve.strong ? "true" : "false") +
             ",\"colour\":" + std::to_string(curve.colour) + ",\"value\":" + list(curve.value) + "}";
    }
    out += "]}";
  }
  return out + "]}";
}

}  // namespace stiction
