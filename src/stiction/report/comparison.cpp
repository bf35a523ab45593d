#include "stiction/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "stiction/base/hash.h"
#include "stiction/report/charts.h"
#include "stiction/report/markup.h"
#include "stiction/report/page_parts.h"
#include "stiction/report/scene_svg.h"

namespace stiction {
namespace {

constexpr std::size_t most_rows = 20;      // of bodies, in a table of differences
constexpr std::size_t most_points = 3000;  // of all curves of a chart together
constexpr std::size_t most_drawn = 9000;   // bodies in all pictures together
constexpr std::size_t most_values = 16;    // of scenes that differ

/// "A", "B", ...: how a run is called in charts and tables.
std::string letter(std::size_t i) { return std::string(1, char('A' + i)); }

std::string file_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return path;
  const std::size_t before = path.find_last_of('/', slash - 1);  // the folder tells runs apart
  return path.substr(before == std::string::npos ? 0 : before + 1);
}

/// Every value of a scene: "/bodies/box/at/2" -> "0.1"; none if the text cannot be read.
std::map<std::string, std::string> values_of(const std::string& scene) {
  std::map<std::string, std::string> out;
  const auto tree = nlohmann::json::parse(scene, nullptr, false);
  if (!tree.is_object()) return out;
  const nlohmann::json flat = tree.flatten();
  for (const auto& [path, value] : flat.items())
    out[path] = value.is_number_float() ? short_number(value.get<double>(), 6) : value.dump();
  return out;
}

std::string cell(const std::string& text, bool missed = false) {
  return std::string("<td class=\"number") + (missed ? " missed" : "") + "\">" + escape_html(text) + "</td>";
}

class Comparison {
 public:
  Comparison(std::span<const RecordingDigest> runs, const ReportSettings& settings)
      : runs_(runs), settings_(settings) {
    end_ = std::numeric_limits<double>::infinity();
    for (const RecordingDigest& d : runs) end_ = std::min(end_, d.scenes.time.back());
  }

  std::string page() {
    const ChartSet set = charts();
    std::string out = page_head(title()) + "<body><main>" + masthead() + table() + scenes() + pictures();
    out += "<div class=\"charts\">";
    for (const Chart& c : set.charts) out += chart_box(c);
    out += "</div>" + books() + ends();
    out += "<footer><p>Drag in a chart to zoom, double-click to see all. Differences are against " +
           letter(0) + ". Written by " + escape_html(runs_[0].scenes.header.program) +
           ".</p></footer></main>\n";
    return out + page_scripts(set) + "</body>\n</html>\n";
  }

 private:
  const Recording& run(std::size_t i) const { return runs_[i].scenes; }

  std::string title() const {
    for (std::size_t i = 1; i < runs_.size(); ++i)
      if (title_of(run(i)) != title_of(run(0))) return std::to_string(runs_.size()) + " runs compared";
    return title_of(run(0)) + ": " + std::to_string(runs_.size()) + " runs";
  }

  std::string masthead() const {
    std::size_t good = 0, bad = 0;
    std::set<std::uint64_t> hashes;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::string tone = verdict_of(run(i)).tone;
      good += tone == "good", bad += tone == "bad";
      hashes.insert(run(i).summary ? run(i).summary->hash : run(i).hash.back());
    }
    const char* tone = bad > 0 ? "bad" : good == runs_.size() ? "good" : "open";
    const std::string text = hashes.size() == 1
                                 ? "All of them end in the same state, bit for bit."
                                 : "They end in " + std::to_string(hashes.size()) + " different states.";
    const std::string headline = good == runs_.size() ? "Every step of every run certified"
                                                      : std::to_string(good) + " of " +
                                                            plural(std::int64_t(runs_.size()), "run") +
                                                            " without a miss or warning";
    return "<header><p class=\"eyebrow\">Stiction comparison</p><h1>" + escape_html(title()) +
           "</h1><div class=\"verdict " + tone + "\"><strong>" + headline + "</strong><span>" + text +
           "</span></div></header>";
  }

  /// One row of the table of runs.
  template <class F>
  std::string row(const std::string& name, const F& of) const {
    std::string out = "<tr><th>" + name + "</th>";
    for (std::size_t i = 0; i < runs_.size(); ++i) out += of(run(i));
    return out + "</tr>";
  }

  std::string table() const {
    std::string out = "<div class=\"runs-scroll\"><table class=\"runs\"><tr><th>run</th>";
    for (std::size_t i = 0; i < runs_.size(); ++i)
      out +=
          "<td class=\"number name\">" + letter(i) + "<br/>" + escape_html(file_name(run(i).path)) + "</td>";
    out += "</tr>";
    const auto total = [](const Recording& r) { return r.total(); };
    const auto per_step = [&](const Recording& r, std::int64_t Tally::*member) {
      const Tally t = total(r);
      return cell(t.steps > 0 ? short_number(double(t.*member) / double(t.steps), 4) : "–");
    };
    out += row("verdict", [](const Recording& r) {
      return cell(verdict_of(r).headline, std::string(verdict_of(r).tone) == "bad");
    });
    out += row("scene", [](const Recording& r) { return cell(file_name(r.setup.scene)); });
    if (std::any_of(runs_.begin(), runs_.end(),
                    [](const RecordingDigest& d) { return !d.scenes.setup.set.empty(); }))
      out += row("replaced by --set", [](const Recording& r) {
        std::string all;
        for (const std::string& change : r.setup.set) all += (all.empty() ? "" : ", ") + change;
        return "<td class=\"number wraps\">" + escape_html(all.empty() ? "–" : all) + "</td>";
      });
    out += row("method", [](const Recording& r) { return cell(word_of(r.setup.run.method)); });
    out += row("solver", [&](const Recording& r) {
      return cell(word_of(r.setup.run.solver) + " (" + solver_name(total(r).solvers) + ")");
    });
    out += row("step [s]", [](const Recording& r) { return cell(short_number(r.setup.run.step, 4)); });
    out += row("tolerance", [](const Recording& r) { return cell(short_number(r.setup.run.tolerance, 3)); });
    out += row("simulated [s]",
               [](const Recording& r) { return cell(short_number(r.time.back() - r.time.front(), 6)); });
    out += row("steps", [&](const Recording& r) { return cell(std::to_string(total(r).steps)); });
    out += row("not certified, refused", [&](const Recording& r) {
      const Tally t = total(r);
      return cell(std::to_string(t.unconverged) + ", " + std::to_string(t.refused),
                  t.unconverged + t.refused > 0);
    });
    out += row("wall time",
               [](const Recording& r) { return cell(r.summary ? seconds(r.summary->wall_seconds) : "–"); });
    out += row("a step takes", [&](const Recording& r) {
      return cell(r.summary && total(r).steps > 0 ? seconds(r.summary->wall_seconds / double(total(r).steps))
                                                  : "–");
    });
    out += row("iterations a step", [&](const Recording& r) { return per_step(r, &Tally::iterations); });
    out +=
        row("factorisations a step", [&](const Recording& r) { return per_step(r, &Tally::factorisations); });
    out += row("deepest overlap [m]",
               [&](const Recording& r) { return cell(short_number(total(r).worst.gap, 3)); });
    out += row("joint error [m]",
               [&](const Recording& r) { return cell(short_number(total(r).worst.joint, 3)); });
    out += row("natural map",
               [&](const Recording& r) { return cell(short_number(total(r).worst.natural_map_scaled, 3)); });
    out += row("impacts", [&](const Recording& r) { return cell(short_number(total(r).worst.impact, 3)); });
    out += row("velocity of a body",
               [&](const Recording& r) { return cell(short_number(total(r).worst.body, 3)); });
    out += row("momentum of a body",
               [&](const Recording& r) { return cell(short_number(total(r).worst.momentum, 3)); });
    out += row("energy that contacts added", [&](const Recording& r) {
      return cell(short_number(total(r).worst.energy, 3), !(total(r).worst.energy <= energy_limit));
    });
    out += row("energy imbalance", [&](const Recording& r) {
      return cell(short_number(total(r).imbalance, 3), !(total(r).imbalance <= imbalance_limit));
    });
    out += row("warnings", [](const Recording& r) { return cell(std::to_string(r.setup.warnings.size())); });
    out += row("last state",
               [](const Recording& r) { return cell(hex(r.summary ? r.summary->hash : r.hash.back())); });
    return out + "</table></div>";
  }

  // --- scenes, as they were run: constants and formulas are numbers by then

  std::string scenes() const {
    std::vector<std::map<std::string, std::string>> values;
    std::set<std::string> paths;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      values.push_back(values_of(run(i).header.scene_text));
      for (const auto& [path, value] : values.back()) paths.insert(path);
    }
    const auto value = [&](std::size_t i, const std::string& path) {
      const auto found = values[i].find(path);
      return found == values[i].end() ? std::string("–") : found->second;
    };
    std::erase_if(paths, [&](const std::string& path) {
      for (std::size_t i = 1; i < runs_.size(); ++i)
        if (value(i, path) != value(0, path)) return false;
      return true;
    });
    if (paths.empty()) return "";
    std::string out =
        "<section><h2>What differs in the scenes</h2><p class=\"note\">Every value as it was run, constants "
        "and formulas replaced by numbers.</p><div class=\"runs-scroll\"><table "
        "class=\"runs\"><tr><th>value</th>";
    for (std::size_t i = 0; i < runs_.size(); ++i) out += "<td class=\"number name\">" + letter(i) + "</td>";
    out += "</tr>";
    std::size_t shown = 0;
    for (const std::string& path : paths) {
      if (++shown > most_values) break;
      std::string words = path.substr(1);
      std::replace(words.begin(), words.end(), '/', '.');
      out += "<tr><th>" + escape_html(words) + "</th>";
      for (std::size_t i = 0; i < runs_.size(); ++i) out += cell(value(i, path).substr(0, 40));
      out += "</tr>";
    }
    out += "</table></div>";
    if (paths.size() > most_values)
      out += "<p class=\"note\">The first " + std::to_string(most_values) + " of " +
             std::to_string(paths.size()) + " values that differ.</p>";
    return out + "</section>";
  }

  // --- pictures

  std::vector<double> picture_times() const {
    if (!settings_.at.empty()) return settings_.at;
    const int n = std::clamp(settings_.pictures, 0, 2);
    std::vector<double> out;
    for (int k = 0; k < n; ++k) out.push_back(end_ * double(k + 1) / n);
    return out;
  }

  const Recording& pictured(std::size_t i) const {
    return settings_.at.empty() ? runs_[i].scenes : runs_[i].chosen;
  }

  std::string pictures() const {
    std::vector<Picture> all;  // per time those of all runs
    std::vector<std::string> captions;
    std::size_t bodies = 0, most = 1;
    for (std::size_t i = 0; i < runs_.size(); ++i) most = std::max(most, pictured(i).stride);
    for (const double t : picture_times()) {
      if (bodies > 0 && bodies + most * runs_.size() > most_drawn) break;  // all of a time, or none
      bodies += most * runs_.size();
      for (std::size_t i = 0; i < runs_.size(); ++i) {
        const Recording& r = pictured(i);
        const std::size_t f = frame_at(r, t);
        all.push_back(picture_of(r, f));
        captions.push_back(letter(i) + ", " + short_number(r.time[f], 4) + " s");
      }
    }
    if (all.empty()) return "";
    SvgSettings svg{.width = 480, .height = 330, .forces = settings_.forces, .standalone = false};
    const Camera camera = camera_for(all, svg.width, svg.height);
    svg.force_scale = common_force_scale(all, svg.height);
    std::string out = "<section><h2>The scenes</h2>";
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k % runs_.size() == 0)
        out += (k > 0 ? "</div>" : "") + std::string("<div class=\"pictures side\">");
      svg.id = "p" + std::to_string(k);
      svg.label = captions[k];
      out += "<figure>" + scene_svg(all[k], camera, svg) + "<figcaption>" + escape_html(captions[k]) +
             "</figcaption></figure>";
    }
    return out + "</div></section>";
  }

  // --- charts: all runs over the union of their times

  template <class F>
  std::vector<double> sampled(std::size_t i, const F& value, bool largest) const {
    std::vector<double> out(times_.size(), std::numeric_limits<double>::quiet_NaN());
    const Recording& r = runs_[i].curves;
    for (std::size_t f = 0; f < r.frames(); ++f) {
      double& to = out[place_[i][f]];
      const double v = value(r, f);
      to = largest && to > v ? to : v;
    }
    return out;
  }

  void lay_out_times() {
    std::set<double> all;
    const std::size_t each = std::max<std::size_t>(2, most_points / runs_.size());
    std::vector<std::vector<double>> group(runs_.size());  // the time that stands for each frame
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::vector<double>& time = runs_[i].curves.time;
      const std::size_t every = (time.size() + each - 1) / each;
      for (std::size_t f = 0; f < time.size(); ++f)
        group[i].push_back(time[f == 0 ? 0 : std::min(time.size() - 1, (f - 1) / every * every + every)]);
      all.insert(group[i].begin(), group[i].end());
    }
    times_.assign(all.begin(), all.end());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      std::vector<std::size_t>& to = place_.emplace_back();
      for (const double t : group[i])
        to.push_back(std::size_t(std::lower_bound(times_.begin(), times_.end(), t) - times_.begin()));
    }
  }

  template <class F>
  Chart chart(const std::string& id, const std::string& title, const std::string& text,
              const std::string& unit, bool certificate, const F& value) const {
    Chart out{id, title, text, unit, certificate, false, {}, 0, ""};
    bool any = false;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      out.curves.push_back({letter(i) + " " + word_of(run(i).setup.run.method),
                            sampled(i, value, certificate), false, false, int(i)});
      for (const double v : out.curves.back().value) any = any || (std::isfinite(v) && v != 0);
    }
    if (!any) out.curves.clear();
    return out;
  }

  ChartSet charts() {
    lay_out_times();
    ChartSet set;
    set.time = times_;
    set.spans_gaps = true;
    const auto worst = [](double Certificate::*member) {
      return [member](const Recording& r, std::size_t f) { return r.since[f].worst.*member; };
    };
    const char* note = "The worst of all steps between two frames.";
    set.charts.push_back(
        chart("natural", "Natural map", note, "relative", true, worst(&Certificate::natural_map_scaled)));
    set.charts.push_back(
        chart("gap", "Deepest overlap", note, "of the body's size", true, worst(&Certificate::gap_relative)));
    set.charts.push_back(chart("joints", "Joint error", note, "m", true, worst(&Certificate::joint)));
    set.charts.push_back(chart("complementarity", "Complementarity", note, "relative", true,
                               worst(&Certificate::complementarity_relative)));
    set.charts.push_back(chart(
        "energy", "Energy", "Kinetic and potential energy together, counted from the start of each run.", "J",
        false, [](const Recording& r, std::size_t f) {
          const LedgerRow& l = r.ledger[f];
          return l.kinetic + l.gravity_potential + l.spring_potential + l.pair_potential;
        }));
    set.charts.push_back(chart("effort", "Solver effort", "Iterations of all solvers per step.", "per step",
                               false, [](const Recording& r, std::size_t f) {
                                 return r.since[f].steps > 0
                                            ? double(r.since[f].iterations) / double(r.since[f].steps)
                                            : 0.0;
                               }));
    std::erase_if(set.charts, [](const Chart& c) { return c.curves.empty(); });
    return set;
  }

  // --- books

  std::string books() const {
    double largest = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      for (const double joules : row_at_end(i).booked) largest = std::max(largest, std::fabs(joules));
    if (largest == 0) return "";
    std::string out = "<section><h2>The books by cause<span class=\"unit\">J, at " + short_number(end_, 5) +
                      " s</span></h2><p class=\"note\">What each cause gave to the bodies (above zero) or "
                      "took from them.</p>"
                      "<div class=\"runs-scroll\"><table class=\"runs\"><tr><th>cause</th>";
    for (std::size_t i = 0; i < runs_.size(); ++i) out += "<td class=\"number name\">" + letter(i) + "</td>";
    out += "</tr>";
    for (int c = 0; c < cause_count; ++c) {
      bool any = false;
      for (std::size_t i = 0; i < runs_.size(); ++i) any = any || row_at_end(i).booked[std::size_t(c)] != 0;
      if (!any) continue;
      out += std::string("<tr><th>") + name(Cause(c)) + "</th>";
      for (std::size_t i = 0; i < runs_.size(); ++i)
        out += cell(short_number(row_at_end(i).booked[std::size_t(c)], 6));
      out += "</tr>";
    }
    out += "<tr><th>kinetic energy</th>";
    for (std::size_t i = 0; i < runs_.size(); ++i) out += cell(short_number(row_at_end(i).kinetic, 6));
    out += "</tr><tr><th>unexplained</th>";
    for (std::size_t i = 0; i < runs_.size(); ++i) out += cell(short_number(row_at_end(i).imbalance, 3));
    return out + "</tr></table></div></section>";
  }
  const LedgerRow& row_at_end(std::size_t i) const {
    return runs_[i].curves.ledger[frame_at(runs_[i].curves, end_)];
  }

  // --- where the bodies ended

  std::string ends() const {
    std::vector<std::map<std::string, BodyDifference>> by_name(runs_.size());
    std::vector<std::string> order;
    std::set<std::string> listed;
    std::vector<double> most(runs_.size(), 0), square(runs_.size(), 0);
    std::size_t common = 0;
    for (std::size_t i = 1; i < runs_.size(); ++i) {
      const auto all = differences(run(0), frame_at(run(0), end_), run(i), frame_at(run(i), end_));
      common = std::max(common, all.size());
      for (std::size_t k = 0; k < all.size(); ++k) {
        by_name[i].emplace(all[k].name, all[k]);
        most[i] = std::max(most[i], all[k].distance),
        square[i] += all[k].distance * all[k].distance / double(all.size());
        if (k < most_rows && listed.insert(all[k].name).second) order.push_back(all[k].name);
      }
    }
    if (order.empty()) return "";
    std::string out = "<section><h2>How far the bodies are apart<span class=\"unit\">m and rad, at " +
                      short_number(end_, 5) +
                      " s</span></h2><p class=\"note\">Distance of the centres and turn between the "
                      "orientations, against " +
                      letter(0) + ": those of " + std::to_string(common) +
                      " moving bodies that are farthest off.</p>"
                      "<div class=\"runs-scroll\"><table class=\"runs\"><tr><th>body</th>";
    for (std::size_t i = 1; i < runs_.size(); ++i) out += "<td class=\"number name\">" + letter(i) + "</td>";
    out += "</tr><tr><th>largest</th>";
    for (std::size_t i = 1; i < runs_.size(); ++i) out += cell(short_number(most[i], 4));
    out += "</tr><tr><th>root of the mean square</th>";
    for (std::size_t i = 1; i < runs_.size(); ++i) out += cell(short_number(std::sqrt(square[i]), 4));
    out += "</tr>";
    for (std::size_t k = 0; k < order.size() && k < most_rows; ++k) {
      out += "<tr><th>" + escape_html(order[k]) + "</th>";
      for (std::size_t i = 1; i < runs_.size(); ++i) {
        const auto found = by_name[i].find(order[k]);
        out += cell(found == by_name[i].end() ? "–"
                                              : short_number(found->second.distance, 4) + ", " +
                                                    short_number(found->second.turn, 3));
      }
      out += "</tr>";
    }
    return out + "</table></div></section>";
  }

  std::span<const RecordingDigest> runs_;
  const ReportSettings& settings_;
  double end_;  // [s] the last time that all runs reach
  std::vector<double> times_;
  std::vector<std::vector<std::size_t>> place_;  // per run and frame: which of times_
};

}  // namespace

std::vector<BodyDifference> differences(const Recording& a, std::size_t frame_a, const Recording& b,
                                        std::size_t frame_b) {
  std::map<std::string, std::size_t> place;
  const std::vector<BodyInfo>&bodies_a = a.bodies(frame_a), &bodies_b = b.bodies(frame_b);
  for (std::size_t i = 0; i < bodies_a.size(); ++i)
    if (bodies_a[i].kind == dynamic && a.alive[a.at(frame_a, i)])
      place.emplace(bodies_a[i].name, a.at(frame_a, i));
  std::vector<BodyDifference> out;
  for (std::size_t i = 0; i < bodies_b.size(); ++i) {
    const auto found = place.find(bodies_b[i].name);
    const std::size_t k = b.at(frame_b, i);
    if (found == place.end() || bodies_b[i].kind != dynamic || !b.alive[k]) continue;
    const Quat q = conjugate(a.orientation[found->second]) * b.orientation[k];
    const double turn = 2 * std::atan2(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z), std::fabs(q.w));
    out.push_back({bodies_b[i].name, norm(b.position[k] - a.position[found->second]), turn});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const BodyDifference& x, const BodyDifference& y) { return x.distance > y.distance; });
  return out;
}

Result<std::string> html_comparison(std::span<const RecordingDigest> runs, const ReportSettings& settings) {
  std::vector<Mistake> mistakes;
  if (runs.size() < 2 || runs.size() > most_compared)
    mistakes.push_back({"", 0, 0, "recordings",
                        "found " + std::to_string(runs.size()) + " recordings; 2 to " +
                            std::to_string(most_compared) + " are compared"});
  for (const RecordingDigest& d : runs) {
    if (d.scenes.frames() == 0) {
      mistakes.push_back(
          {d.scenes.path, 0, 0, "", "holds no frame, so there is nothing to compare. Run the scene again."});
      continue;
    }
    const std::vector<Mistake> outside = times_outside(d.scenes, settings.at);
    mistakes.insert(mistakes.end(), outside.begin(), outside.end());
  }
  if (!mistakes.empty()) return mistakes;
  return Comparison(runs, settings).page();
}

}  // namespace stiction
