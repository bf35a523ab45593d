#include "stiction/report/html.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/hash.h"
#include "stiction/report/charts.h"
#include "stiction/report/embedded.h"
#include "stiction/report/markup.h"
#include "stiction/report/scene_svg.h"

namespace stiction {
namespace {

constexpr std::size_t most_table_rows = 500;
constexpr std::size_t most_drawn =
    9000;  // bodies in all pictures together: keeps the file below some megabytes

std::string plural(std::int64_t n, const std::string& noun) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3 + (n < 0 ? 1u : 0u); at -= 3) digits.insert(at - 3, "\u2009");
  return digits + " " + noun + (n == 1 ? "" : "s");
}

std::string seconds(double x) {
  if (x < 1e-3) return short_number(1e6 * x, 3) + " µs";
  if (x < 1) return short_number(1e3 * x, 3) + " ms";
  if (x < 120) return short_number(x, 4) + " s";
  return std::to_string(int(x / 60)) + " min " + std::to_string(int(std::fmod(x, 60))) + " s";
}

std::string title_of(const Recording& r) {
  if (!r.setup.title.empty()) return r.setup.title;
  std::string name = r.setup.scene.substr(r.setup.scene.find_last_of('/') + 1);
  name = name.substr(0, name.find('.'));
  std::replace(name.begin(), name.end(), '_', ' ');
  std::replace(name.begin(), name.end(), '-', ' ');
  return name.empty() ? "Simulation" : name;
}

// --- verdict

struct Verdict {
  const char* tone;  // good | bad | open
  std::string headline, text;
};

Verdict verdict(const Recording& r) {
  const Tally total = r.total();
  const std::string tolerance = short_number(r.setup.run.tolerance, 3);
  Verdict v;
  if (total.refused > 0) {
    v = {"bad", plural(total.refused, "step") + " refused",
         "A refused step leaves the state as it was. " + plural(total.unconverged, "accepted step") +
             " missed the tolerance " + tolerance + "."};
  } else if (total.unconverged > 0) {
    v = {"bad", plural(total.unconverged, "step") + " not certified",
         "Of " + plural(total.steps, "step") + ", " + std::to_string(total.unconverged) +
             " missed the tolerance " + tolerance + "."};
  } else if (total.steps == 0) {
    v = {"open", "No step yet", "The recording holds the first state only."};
  } else {
    v = {"good", "Every step certified",
         total.contacts > 0
             ? "All " + plural(total.steps, "step") +
                   " solved the exact contact problem within the tolerance " + tolerance + "."
             : "In " + plural(total.steps, "step") +
                   " nothing touched, so that there was no contact problem "
                   "to solve; motion and energies are finite, and the books say what the method did."};
    if (total.start_frames > 0)
      v.text +=
          " In " + plural(total.start_frames, "step") + " the contact frames are those of the step's start.";
    if (total.divided > 0)
      v.text += " " + plural(total.divided, "step") + " took shorter parts to get there.";
  }
  const std::string& trouble = r.summary ? r.summary->trouble : std::string();
  if (!trouble.empty()) v.text += " First: " + trouble + ".";
  if (!r.summary) {
    if (std::string(v.tone) == "good") v = {"open", "Not finished, certified so far", v.text};
    v.text += " The run did not come to its end.";
  }
  if (r.ending.damaged) v.text += " Note: " + r.ending.message + ".";
  return v;
}

// --- facts

std::string fact(const std::string& name, const std::string& value, const std::string& note = "") {
  return "<div class=\"fact\"><dt>" + escape_html(name) + "</dt><dd>" + escape_html(value) +
         (note.empty() ? "" : "<small>" + escape_html(note) + "</small>") + "</dd></div>";
}

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
  out += fact("Method", run.method);
  out += fact("Solver", solver_name(total.solvers), run.solver + " asked for");
  out += fact("Tolerance", short_number(run.tolerance, 3));
  out += fact("Deepest overlap", short_number(total.worst.gap, 3) + " m",
              short_number(total.worst.gap_relative, 2) + " of the body's size");
  out += fact("Natural map", short_number(total.worst.natural_map_scaled, 3), "worst, unit-free");
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

std::string pictures(const Recording& r, const ReportSettings& settings) {
  std::vector<Picture> all;
  const std::vector<std::size_t> frames = picture_frames(r, settings.pictures);
  for (const std::size_t f : frames) all.push_back(picture_of(r, f));
  if (all.empty()) return "";
  SvgSettings svg{.width = 480, .height = 330, .forces = settings.forces, .standalone = false};
  const Camera camera = camera_for(all, svg.width, svg.height);
  double largest = 0;
  for (const Picture& p : all)
    for (const PictureForce& f : p.forces) largest = std::max(largest, norm(f.force));
  if (largest > 0) svg.force_scale = 0.2 * svg.height / largest;
  std::string out = "<section><h2>The scene</h2><div class=\"pictures\">";
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string time = short_number(r.time[frames[k]], 4) + " s";
    svg.id = "p" + std::to_string(k);
    svg.label = "the scene at " + time;
    out += "<figure>" + scene_svg(all[k], camera, svg) + "<figcaption>" + time + "</figcaption></figure>";
  }
  return out + "</div></section>";
}

// --- charts

std::string chart_box(const Chart& c) {
  std::string out = "<section class=\"chart\"><h2>" + escape_html(c.title) + "<span class=\"unit\">" +
                    escape_html(c.unit) + "</span></h2>";
  out += "<p>" + escape_html(c.text) + "</p>";
  if (c.curves.empty()) return out + "<p class=\"nothing\">Exactly zero for the whole run.</p></section>";
  return out + "<div class=\"plot\" id=\"" + escape_html(c.id) + "\"></div></section>";
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

/// uPlot without its first comment, which holds an address; its licence stands in the page.
std::string plot_script() {
  std::string_view js = embedded::uplot_js();
  if (js.substr(0, 2) == "/*") js.remove_prefix(js.find("*/") + 2);
  return std::string(js);
}

std::string head(const Recording& r) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escape_html(title_of(r)) + " · Stiction</title>\n<!-- Charts: uPlot\n" +
         std::string(embedded::uplot_licence()) + "-->\n<style>" + std::string(embedded::uplot_css()) +
         scene_style() + std::string(embedded::report_css()) + "</style>\n</head>\n";
}

std::string masthead(const Recording& r) {
  const Verdict v = verdict(r);
  const std::uint64_t hash = r.summary ? r.summary->hash : r.hash.back();
  return "<header><p class=\"eyebrow\">Stiction report</p><h1>" + escape_html(title_of(r)) +
         "</h1><p class=\"from\">" + escape_html(r.setup.scene) +
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
Result<std::string> report_of(const Recording& r, const Recording& curves, const ReportSettings& settings) {
  if (r.frames() == 0)
    return Mistake{r.path, 0, 0, "", "holds no frame, so there is nothing to report. Run the scene again."};
  const std::vector<std::string>& plot = settings.plot.empty() ? r.setup.plot : settings.plot;
  const Result<ChartSet> made = make_charts(curves, plot);
  if (!made) {  // of all bodies, for the sake of "did you mean"
    const Result<ChartSet> again = make_charts(r, plot);
    return again ? made.mistakes() : again.mistakes();
  }
  const ChartSet& set = made.value();

  std::string out = head(r) + "<body><main>" + masthead(r) + facts(r) + pictures(r, settings);
  std::string chosen, rest;
  for (const Chart& c : set.charts) {
    if (c.id == "causes") {
      rest += chart_box(c) + books(r);
    } else {
      (c.id.rfind("plot", 0) == 0 ? chosen : rest) += chart_box(c);
    }
  }
  out += "<div class=\"charts\">" + chosen + rest + "</div>" + final_table(r) + details(r);
  out += "<footer><p>Drag in a chart to zoom, double-click to see all. Curves show " +
         std::string(set.thinning * curves.thinning > 1
                         ? "every " + std::to_string(set.thinning * curves.thinning) + "th frame"
                         : "every frame") +
         " of " + std::to_string(curves.frames()) + ". Written by " + escape_html(r.header.program) +
         ".</p></footer>";
  out += "</main>\n<script>" + plot_script() + "</script>\n<script>const report=" + to_json(set) + ";\n" +
         std::string(embedded::report_js()) + "</script>\n</body>\n</html>\n";
  return out;
}

}  // namespace

Result<std::string> html_report(const Recording& r, const ReportSettings& settings) {
  return report_of(r, r, settings);
}

Result<std::string> html_report(const RecordingDigest& d, const ReportSettings& settings) {
  return report_of(d.scenes, d.curves, settings);
}

}  // namespace stiction
