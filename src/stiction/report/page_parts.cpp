#include "stiction/report/page_parts.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/report/contact_map.h"
#include "stiction/report/embedded.h"
#include "stiction/report/markup.h"
#include "stiction/report/scene_svg.h"

namespace stiction {
namespace {

/// uPlot without its first comment, which holds an address; its licence stands in the page.
std::string plot_script() {
  std::string_view js = embedded::uplot_js();
  if (js.substr(0, 2) == "/*") js.remove_prefix(js.find("*/") + 2);
  return std::string(js);
}

}  // namespace

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

namespace {

bool has_ended(const Recording& r) { return r.summary && r.summary->ending == reached_the_end; }

/// What is to be said of a run in which nothing is wrong.
std::string praise(const Tally& total, const std::string& tolerance) {
  std::string text =
      total.impacts > 0 && total.contacts == 0
          ? "All " + plural(total.impacts, "impact") + " in " + plural(total.steps, "step") +
                " kept their laws within the tolerance " + tolerance + "; nothing stayed in contact."
      : total.contacts > 0
          ? "All " + plural(total.steps, "step") + " solved the exact contact problem within the tolerance " +
                tolerance + "."
          : "In " + plural(total.steps, "step") +
                " nothing touched; what joints ask for held within the tolerance " + tolerance +
                ", motion and energies are finite, and the books say what the method did.";
  if (total.start_frames > 0)
    text +=
        " In " + plural(total.start_frames, "step") + " some contact frames are not those of the step's end.";
  if (total.divided > 0) text += " " + plural(total.divided, "step") + " took shorter parts to get there.";
  return text;
}

/// By what is worst of the run.
Verdict verdict_on(const Recording& r, const Tally& total) {
  const std::string tolerance = short_number(r.setup.run.tolerance, 3);
  const std::string done =
      total.steps > 0 ? praise(total, tolerance) : "The recording holds the first state only.";
  switch (shortfall_of(total, has_ended(r), holds_energy(r.setup.run))) {
    case Shortfall::refused:
      return {"bad", plural(total.refused, "step") + " refused",
              "A refused step leaves the state as it was. " + plural(total.unconverged, "accepted step") +
                  " missed the tolerance " + tolerance + "."};
    case Shortfall::missed:
      return {"bad", plural(total.unconverged, "step") + " not certified",
              "Of " + plural(total.steps, "step") + ", " + std::to_string(total.unconverged) +
                  " missed the tolerance " + tolerance + "."};
    case Shortfall::books:
      return {"bad", "The books do not close",
              "What no account explains came to " + short_number(total.imbalance, 3) +
                  " of the energy that was there and flowed; rounding alone stays below " +
                  short_number(imbalance_limit, 3) + ". All " + plural(total.steps, "step") +
                  " held the tolerance " + tolerance + "."};
    case Shortfall::gained:
      return {"bad", "Contacts added energy",
              "Over the run contacts, impacts, friction and stabilisation added " +
                  short_number(total.contact_rise, 3) + " of its energy; at most " +
                  short_number(energy_limit, 3) + " is what rounding and tolerance leave."};
    case Shortfall::risen:
      return {"bad", "Energy from nowhere",
              "The energy rose by " + short_number(total.unexplained_rise, 3) +
                  " of that of the run without a source; at most " + short_number(unexplained_limit, 3) +
                  " is what a method may do by itself. Make the step shorter."};
    case Shortfall::unended:
      return {"open", "Not finished, certified so far", done};
    case Shortfall::none:
      break;
  }
  return total.steps > 0 ? Verdict{"good", "Every step certified", done}
                         : Verdict{"open", "No step yet", done};
}

}  // namespace

Verdict verdict_of(const Recording& r) {
  const Tally total = r.total();
  Verdict v = verdict_on(r, total);
  if (const std::size_t n = r.setup.warnings.size(); n > 0) {
    if (std::string(v.tone) == "good")
      v.tone = "open",
      v.headline += n == 1 ? ", with a warning" : ", with " + plural(std::int64_t(n), "warning");
    else
      v.text += n == 1 ? " There was a warning." : " There were " + plural(std::int64_t(n), "warning") + ".";
  }
  const std::string& trouble = r.summary ? r.summary->trouble : std::string();
  if (!trouble.empty()) v.text += " First: " + trouble + ".";
  if (r.summary && !r.summary->broken.empty()) {
    const std::vector<BrokenJoint>& broken = r.summary->broken;
    v.text += " " + plural(std::int64_t(broken.size()), "joint") + " broke: " + in_words(broken.front()) +
              (broken.size() > 1 ? ", the last at " + number_text(broken.back().time) + " s." : ".");
  }
  if (!has_ended(r)) {
    const bool told = r.summary && !r.summary->ending.empty();
    v.text += " The run did not come to its end" + (told ? ": " + r.summary->ending : std::string()) + ".";
  }
  if (r.ending.damaged) v.text += " Note: " + r.ending.message + ".";
  return v;
}

std::string fact(const std::string& name, const std::string& value, const std::string& note) {
  return "<div class=\"fact\"><dt>" + escape_html(name) + "</dt><dd>" + escape_html(value) +
         (note.empty() ? "" : "<small>" + escape_html(note) + "</small>") + "</dd></div>";
}

std::vector<Mistake> times_outside(const Recording& r, const std::vector<double>& times) {
  std::vector<Mistake> out;
  for (const double t : times)
    if (!(is_at_or_after(t, r.time.front()) && is_at_or_after(r.time.back(), t)))
      out.push_back({r.path, 0, 0, "at",
                     "there is no picture at " + short_number(t, 6) + " s: the recording goes from " +
                         short_number(r.time.front(), 6) + " s to " + short_number(r.time.back(), 6) + " s"});
  return out;
}

std::string warnings_part(const Recording& r) {
  if (r.setup.warnings.empty()) return "";
  std::string out = "<section class=\"warnings\"><h2>Warnings</h2><ul>";
  for (const std::string& text : r.setup.warnings) out += "<li>" + escape_html(text) + "</li>";
  return out + "</ul></section>";
}

std::string chart_box(const Chart& c) {
  std::string out = "<section class=\"chart\"><h2>" + escape_html(c.title) + "<span class=\"unit\">" +
                    escape_html(c.unit) + "</span></h2>";
  out += "<p>" + escape_html(c.text) + "</p>";
  if (c.curves.empty()) return out + "<p class=\"nothing\">Exactly zero for the whole run.</p></section>";
  return out + "<div class=\"plot\" id=\"" + escape_html(c.id) + "\"></div></section>";
}

std::string page_head(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escape_html(title) + " · Stiction</title>\n<!-- Charts: uPlot\n" +
         std::string(embedded::uplot_licence()) + "-->\n<style>" + std::string(embedded::uplot_css()) +
         scene_style() + contact_map_style() + std::string(embedded::report_css()) + "</style>\n</head>\n";
}

std::string page_scripts(const ChartSet& set) {
  return "<script>" + plot_script() + "</script>\n<script>const report=" + to_json(set) + ";\n" +
         std::string(embedded::report_js()) + "</script>\n";
}

}  // namespace stiction
