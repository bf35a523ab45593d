#include "stiction/report/html.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/hash.h"
#include "stiction/base/text.h"
#include "stiction/report/charts.h"
#include "stiction/report/contact_map.h"
#include "stiction/report/markup.h"
#include "stiction/report/page_parts.h"
#include "stiction/report/scene_svg.h"

namespace stiction {
namespace {

constexpr std::size_t most_table_rows = 500;
constexpr std::size_t most_joint_rows = 40;
constexpr std::size_t most_maps = 6;
constexpr std::size_t most_drawn =
    9000;  // bodies in all pictures together: keeps the file below some megabytes

std::string facts(const Recording& r) {
  const Tally total = r.total();
  const RunSettings& run = r.setup.run;
  const double end = r.time.back(), length = end - r.time.front();
  const std::vector<BodyInfo>& bodies = r.bodies(r.frames() - 1);
  const auto moving =
      std::count_if(bodies.begin(), bodies.end(), [](const BodyInfo& b) { return b.kind == dynamic; });
  std::string out = "<dl class=\"facts\">";
  out += fact("Simulated", short_number(length, 6) + " s",
              plural(total.steps, "step") + " of " + short_number(run.step, 4) + " s");
  if (r.summary && r.summary->wall_seconds > 0) {
    const double wall = r.summary->wall_seconds;
    out += fact("Wall time", seconds(wall),
                length >= wall ? short_number(length / wall, 3) + "× faster than real time"
                               : short_number(wall / length, 3) + "× slower than real time");
  }
  out += fact("Bodies", std::to_string(bodies.size()), std::to_string(moving) + " moving");
  out += fact("Contacts", std::to_string(total.contacts), "most at a time");
  out += fact("Method", word_of(run.method));
  const std::string tolerance = short_number(run.tolerance, 3);
  const bool joints = total.worst.joint > 0;
  out += fact("Solver", solver_name(total.solvers),
              word_of(run.solver) + " asked for" + (joints ? ", to " + tolerance : ""));
  if (!joints) out += fact("Tolerance", tolerance);
  out += fact("Deepest overlap", short_number(total.worst.gap, 3) + " m",
              short_number(total.worst.gap_relative, 2) + " of the body's size");
  out += fact("Natural map", short_number(total.worst.natural_map_scaled, 3), "worst, unit-free");
  out += fact("Velocity of a body", short_number(total.worst.body, 3), "worst, of its own scale");
  out += fact("Momentum of a body", short_number(total.worst.momentum, 3), "worst, of its own scale");
  out += fact("Energy added", short_number(total.worst.energy, 3),
              "by contacts, worst, of the run's; limit " + short_number(energy_limit, 3));
  if (total.worst.impact > 0)
    out += fact("Laws of impact", short_number(total.worst.impact, 3), "worst, unit-free");
  if (joints) out += fact("Joint error", short_number(total.worst.joint, 3) + " m", "worst of any step");
  out += fact("Energy imbalance", short_number(total.imbalance, 3), "relative, worst");
  return out + "</dl>";
}

// --- pictures

std::vector<std::size_t> picture_frames(const Recording& r, int wanted) {
  const std::size_t bodies = std::max<std::size_t>(1, r.stride);
  std::size_t n = std::size_t(std::clamp(wanted, 0, 24));
  n = std::min({n, std::max<std::size_t>(1, most_drawn / bodies), r.frames()});
  std::vector<std::size_t> frames;
  for (std::size_t k = 0; k < n; ++k) {
    // evenly in time, first and last included
    const double t = n == 1 ? r.time.back()
                            : r.time.front() + (r.time.back() - r.time.front()) * double(k) / double(n - 1);
    const auto next = std::lower_bound(r.time.begin(), r.time.end(), t - 1e-9 * std::fabs(t));
    const std::size_t f = std::min(std::size_t(next - r.time.begin()), r.frames() - 1);
    if (frames.empty() || frames.back() != f) frames.push_back(f);
  }
  return frames;
}

/// The frames that pictures are of.
struct Shown {
  const Recording& r;
  std::vector<std::size_t> frames;
  bool asked_for = false;  // by their times
};

std::vector<std::size_t> frames_at(const Recording& r, const std::vector<double>& times) {
  std::vector<std::size_t> frames;
  for (const double t : times)
    if (const std::size_t f = frame_at(r, t); frames.empty() || frames.back() != f) frames.push_back(f);
  return frames;
}

std::string pictures(const Shown& shown, const ReportSettings& settings) {
  const auto& [r, frames, asked_for] = shown;
  std::vector<Picture> all;
  for (const std::size_t f : frames) all.push_back(picture_of(r, f));
  if (all.empty()) return "";
  SvgSettings svg{.width = 480, .height = 330, .forces = settings.forces, .standalone = false};
  const Camera camera = camera_for(all, svg.width, svg.height);
  svg.force_scale = common_force_scale(all, svg.height);
  std::string out = "<section><h2>The scene</h2><div class=\"pictures\">";
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string time = short_number(r.time[frames[k]], 4) + " s";
    svg.id = "p" + std::to_string(k);
    svg.label = "the scene at " + time;
    out += "<figure>" + scene_svg(all[k], camera, svg) + "<figcaption>" + time + "</figcaption></figure>";
  }
  return out + "</div></section>";
}

/// Where the bodies touch, at the times chosen or at the end, and which pairs press hardest.
std::string contact_part(const Shown& shown) {
  const Recording& r = shown.r;
  std::vector<std::size_t> frames;
  for (const std::size_t f : shown.frames)
    if ((shown.asked_for || f + 1 == r.frames()) && frames.size() < most_maps && has_force(r, f))
      frames.push_back(f);
  if (frames.empty()) return "";
  std::string out =
      "<section><h2>Contacts<span class=\"unit\">map</span></h2><p class=\"note\">Each point of contact that "
      "carries a force: "
      "the area of its disc is the normal force, the line is the friction on the second body of the pair. "
      "Green sticks, blue rolls, "
      "orange slides.</p><div class=\"maps\">";
  for (std::size_t k = 0; k < frames.size(); ++k)
    out += "<figure>" + contact_map_svg(r, frames[k], {.standalone = false, .id = "m" + std::to_string(k)}) +
           "<figcaption>" + short_number(r.time[frames[k]], 4) + " s</figcaption></figure>";
  return out + contact_table(r, frames.back()) + "</div></section>";
}

/// The accounts at the end, as bars to the left (taken) and to the right (given).
std::string books(const Recording& r) {
  const LedgerRow& end = r.ledger.back();
  double largest = 0;
  for (const double joules : end.booked) largest = std::max(largest, std::fabs(joules));
  if (largest == 0) return "";
  std::string out =
      "<section class=\"books\"><h2>The books at the end<span class=\"unit\">J</span></h2><p>Left: taken "
      "from the "
      "bodies. Right: given to them. What no account explains is rounding.</p><table>";
  for (int c = 0; c < cause_count; ++c) {
    const double joules = end.booked[std::size_t(c)];
    if (joules == 0) continue;
    const double width = 50 * std::fabs(joules) / largest;
    out += std::string("<tr><th>") + name(Cause(c)) + "</th><td class=\"bar\"><i class=\"" +
           (joules < 0 ? "out" : "in") + "\" style=\"width:" + px(width) + "%;" +
           (joules < 0 ? "right:50%" : "left:50%") + "\"></i></td><td class=\"number\">" +
           short_number(joules, 6) + "</td></tr>";
  }
  out += "<tr class=\"sum\"><th>unexplained</th><td class=\"bar\"></td><td class=\"number\">" +
         short_number(end.imbalance, 3) + "</td></tr></table>";
  return out + "</section>";
}

// --- joints

std::string joint_table(const std::vector<JointPeak>& peaks, const Recording& r) {
  if (peaks.empty()) return "";
  std::vector<const JointPeak*> order;
  for (const JointPeak& p : peaks) order.push_back(&p);
  std::stable_sort(order.begin(), order.end(),
                   [](const JointPeak* a, const JointPeak* b) { return a->force > b->force; });
  std::string rows;
  const std::size_t shown = std::min(order.size(), most_joint_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const JointPeak& p = *order[i];
    const auto cell = [](const std::string& text) { return "<td class=\"number\">" + text + "</td>"; };
    rows += "<tr><th>" + escape_html(p.name) + "</th><td>" + escape_html(p.kind) + "</td>" +
            cell(short_number(p.force, 5)) + cell(short_number(p.force_time, 4)) +
            cell(short_number(p.torque, 5)) + cell(short_number(p.torque_time, 4)) + "</tr>";
  }
  std::string out =
      "<section><h2>Joints<span class=\"unit\">largest reactions</span></h2><p class=\"note\">Force and "
      "torque on the body, at "
      "the joint's point, mean over the step before a recorded frame. Largest joint error of any step: " +
      short_number(r.total().worst.joint, 3) +
      " m.</p><div class=\"scroll\"><table class=\"final\"><thead><tr><th>joint</th><th>kind</th><th>force "
      "[N]</th><th>at [s]</th>"
      "<th>torque [N m]</th><th>at [s]</th></tr></thead><tbody>" +
      rows + "</tbody></table></div>";
  if (order.size() > shown)
    out += "<p class=\"note\">The " + std::to_string(shown) + " with the largest forces of " +
           std::to_string(order.size()) + " joints.</p>";
  return out + "</section>";
}

// --- final positions

std::string vector_cells(const Vec3& v) {
  std::string out;
  for (int i = 0; i < 3; ++i) out += "<td class=\"number\">" + short_number(v[i], 7) + "</td>";
  return out;
}

std::string final_table(const Recording& r) {
  const std::size_t f = r.frames() - 1;
  const std::vector<BodyInfo>& bodies = r.bodies(f);
  std::string rows;
  std::size_t shown = 0, moving = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::size_t i = r.at(f, b);
    if (!r.alive[i] || bodies[b].kind == fixed) continue;
    ++moving;
    if (shown == most_table_rows) continue;
    ++shown;
    rows += "<tr><th>" + escape_html(bodies[b].name) + "</th>" + vector_cells(r.position[i]) +
            "<td class=\"number\">" + short_number(norm(r.velocity[i]), 4) + "</td><td class=\"number\">" +
            short_number(norm(r.spin[i]), 4) + "</td></tr>";
  }
  if (shown == 0) return "";
  std::string out =
      "<section><h2>Where everything ended<span class=\"unit\">at " + short_number(r.time[f], 6) +
      " s</span></h2><div class=\"scroll\"><table class=\"final\"><thead><tr><th>body</th><th>x [m]</th>"
      "<th>y [m]</th><th>z [m]</th><th>speed [m/s]</th><th>spin [rad/s]</th></tr></thead><tbody>" +
      rows + "</tbody></table></div>";
  if (moving > shown)
    out += "<p>The first " + std::to_string(shown) + " of " + std::to_string(moving) +
           " moving bodies; the recording holds all of them.</p>";
  return out + "</section>";
}

std::string masthead(const Recording& r) {
  const Verdict v = verdict_of(r);
  const std::uint64_t hash = r.summary ? r.summary->hash : r.hash.back();
  std::string set;
  for (const std::string& change : r.setup.set) set += " <code>--set " + escape_html(change) + "</code>";
  return "<header><p class=\"eyebrow\">Stiction report</p><h1>" + escape_html(title_of(r)) +
         "</h1><p class=\"from\">" + escape_html(r.setup.scene) + set +
         "<span class=\"hash\" title=\"hash of the last state: the same on every machine\">" + hex(hash) +
         "</span></p><div class=\"verdict " + v.tone + "\"><strong>" + escape_html(v.headline) +
         "</strong><span>" + escape_html(v.text) + "</span></div></header>";
}

std::string details(const Recording& r) {
  return "<section class=\"source\"><details><summary>Scene</summary><pre>" +
         escape_html(r.header.scene_text) + "</pre></details><details><summary>Settings</summary><pre>" +
         escape_html(r.header.settings) + "</pre></details></section>";
}

/// `r`: all bodies, of some frames or all; `curves`: all frames that curves are made of.
Result<std::string> report_of(const Recording& r, const Recording& curves, const Shown& shown,
                              const std::vector<JointPeak>& peaks, const ReportSettings& settings) {
  if (r.frames() == 0)
    return Mistake{r.path, 0, 0, "", "holds no frame, so there is nothing to report. Run the scene again."};
  if (const auto mistakes = times_outside(r, settings.at); !mistakes.empty()) return mistakes;
  const std::vector<std::string>& plot = settings.plot.empty() ? r.setup.plot : settings.plot;
  const Result<ChartSet> made = make_charts(curves, plot);
  if (!made) {  // of all bodies, for the sake of "did you mean"
    const Result<ChartSet> again = make_charts(r, plot);
    return again ? made.mistakes() : again.mistakes();
  }
  const ChartSet& set = made.value();

  std::string out = page_head(title_of(r)) + "<body><main>" + masthead(r) + warnings_part(r) + facts(r) +
                    pictures(shown, settings) + contact_part(shown);
  std::string chosen, rest;
  for (const Chart& c : set.charts) {
    if (c.id == "causes") {
      rest += chart_box(c) + books(r);
    } else {
      (c.id.rfind("plot", 0) == 0 ? chosen : rest) += chart_box(c);
    }
  }
  out += "<div class=\"charts\">" + chosen + rest + "</div>" + joint_table(peaks, r) + final_table(r) +
         details(r);
  out += "<footer><p>Drag in a chart to zoom, double-click to see all. Curves show " +
         std::string(set.thinning * curves.thinning > 1
                         ? "every " + std::to_string(set.thinning * curves.thinning) + "th frame"
                         : "every frame") +
         " of " + std::to_string(curves.frames()) + ". Written by " + escape_html(r.header.program) +
         ".</p></footer>";
  out += "</main>\n" + page_scripts(set) + "</body>\n</html>\n";
  return out;
}

}  // namespace

Result<std::string> html_report(const Recording& r, const ReportSettings& settings) {
  Shown shown{r, {}, !settings.at.empty()};
  if (r.frames() > 0)
    shown.frames = shown.asked_for ? frames_at(r, settings.at) : picture_frames(r, settings.pictures);
  return report_of(r, r, shown, joint_peaks(r), settings);
}

Result<std::string> html_report(const RecordingDigest& d, const ReportSettings& settings) {
  Shown shown{settings.at.empty() ? d.scenes : d.chosen, {}, !settings.at.empty()};
  if (shown.r.frames() > 0)
    shown.frames =
        shown.asked_for ? frames_at(d.chosen, settings.at) : picture_frames(d.scenes, settings.pictures);
  return report_of(d.scenes, d.curves, shown, d.peaks, settings);
}

}  // namespace stiction
