// stiction plot: curves of recordings as a picture, and their ranges.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "commands.h"
#include "file_kind.h"
#include "png.h"
#include "stiction/record/recording.h"
#include "stiction/report/figure.h"

namespace stiction::cli {
namespace fs = std::filesystem;
namespace {

bool is_recording(const std::string& word) {
  const std::string ending = fs::path(word).extension().string();
  return ending == ".h5" || ending == ".hdf5" || ending == ".journal";
}

/// A curve of one of the recordings.
struct Drawn {
  std::string recording;
  Trajectory curve;
  std::vector<double> time;  // [s]
};

struct Range {
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  double last = std::numeric_limits<double>::quiet_NaN();
};
Range range_of(const Drawn& d) {
  Range out;
  for (const double v : d.curve.value)
    if (std::isfinite(v))
      out.least = std::min(out.least, v), out.largest = std::max(out.largest, v), out.last = v;
  return out;
}

/// One figure per unit, in the order in which units come up.
std::vector<Figure> figures_of(const std::vector<Drawn>& all, bool logarithmic, std::size_t recordings) {
  std::vector<Figure> out;
  std::map<std::string, std::size_t> of_unit;
  for (const Drawn& d : all) {
    const auto [found, fresh] = of_unit.emplace(d.curve.unit, out.size());
    if (fresh)
      out.push_back(
          {"plot", "", "t [s]", d.curve.unit == "1" ? "" : "[" + d.curve.unit + "]", {}, false, logarithmic});
    Figure& f = out[found->second];
    const std::string label = d.curve.label + (recordings > 1 ? " (" + d.recording + ")" : "");
    if (f.series.empty()) f.title = label;
    f.series.push_back({label, d.time, d.curve.value});
  }
  for (Figure& f : out)
    if (f.series.size() > 1)
      f.title = recordings > 1 ? "curves of " + std::to_string(recordings) + " recordings" : "";
  return out;
}

/// Curves of the command line are not those of a scene's record.plot.
std::vector<Mistake> of_this_command(std::vector<Mistake> mistakes) {
  for (Mistake& m : mistakes) m.path.clear();
  return mistakes;
}

Result<std::vector<Drawn>> read_curves(const std::vector<std::string>& recordings,
                                       std::vector<std::string> curves) {
  const bool asked = !curves.empty();
  std::vector<Drawn> out;
  std::vector<Mistake> mistakes;
  const auto note = [&](const std::vector<Mistake>& found) {
    mistakes.insert(mistakes.end(), found.begin(), found.end());
  };
  for (const std::string& path : recordings) {
    const Result<RecordingDigest> loaded = digest_recording(path, {.plot = curves});
    if (!loaded) {
      note(loaded.mistakes());
      continue;
    }
    const Recording& r = loaded.value().curves;
    if (curves.empty()) curves = r.setup.plot;
    if (curves.empty())
      return Mistake{path, 0, 0, "",
                     "its scene asks for no curves; name some, for example BODY.position.z or JOINT.force"};
    std::string name = fs::path(path).stem().string();
    if (recordings.size() > 1 && fs::path(path).has_parent_path())
      name = (fs::path(path).parent_path().filename() / name).string();
    for (const std::string& curve : curves) {
      const auto found = trajectories(r, curve);
      if (!found) {  // of all bodies, for the sake of "did you mean"
        const auto again = trajectories(loaded.value().scenes, curve);
        const std::vector<Mistake>& wrong = again ? found.mistakes() : again.mistakes();
        note(asked ? of_this_command(wrong) : wrong);
        continue;
      }
      for (const Trajectory& t : found.value()) out.push_back({name, t, r.time});
    }
  }
  if (!mistakes.empty()) return mistakes;
  return out;
}

}  // namespace

Status plot(const PlotOptions& o) {
  std::vector<std::string> recordings, curves;
  for (const std::string& word : o.words) (is_recording(word) ? recordings : curves).push_back(word);
  std::vector<std::string> files = recordings;  // and what may be meant as one
  for (const std::string& word : curves)
    if (recordings.empty() || word.ends_with(".json")) files.push_back(word);
  if (const auto wrong = not_recordings(files); !wrong.empty()) return reject(wrong, o.output);
  if (recordings.empty())
    return reject("plot: name a recording first, a file that ends in .h5 or .journal; found only \"" +
                      o.words.front() + "\"",
                  o.output);
  const std::string out =
      o.out.empty() ? fs::path(recordings[0]).replace_filename("plot.svg").string() : o.out;
  const Result<std::vector<Drawn>> drawn = read_curves(recordings, curves);
  if (!drawn) return reject(drawn.mistakes(), o.output);
  if (o.logarithmic)
    for (const Drawn& d : drawn.value())
      if (const auto left_out = std::count_if(d.curve.value.begin(), d.curve.value.end(),
                                              [](double v) { return std::isfinite(v) && v <= 0; });
          left_out > 0)
        say("{}: {} of {} values are not above 0 and have no place on a scale of powers of ten",
            d.curve.label, left_out, d.curve.value.size());
  const std::vector<Figure> figures = figures_of(drawn.value(), o.logarithmic, recordings.size());
  if (const auto written =
          write_picture(to_svg(figures), out, figure_width, figure_height * double(figures.size()));
      !written)
    return reject(written.mistakes(), o.output);
  if (o.output.json) {
    Json document;
    document["recordings"] = recordings;
    document["curves"] = Json::array();
    for (const Drawn& d : drawn.value()) {
      const Range r = range_of(d);
      const auto number = [](double x) { return std::isfinite(x) ? Json(x) : Json(); };
      document["curves"].push_back({{"recording", d.recording},
                                    {"curve", d.curve.label},
                                    {"unit", d.curve.unit},
                                    {"least", number(r.least)},
                                    {"largest", number(r.largest)},
                                    {"last", number(r.last)}});
    }
    document["written"] = out;
    print_document(document);
    return fine;
  }
  for (const Drawn& d : drawn.value()) {
    const Range r = range_of(d);
    print("{:<32} {:>12.6g} to {:<12.6g} last {:.6g} {}",
          d.curve.label + (recordings.size() > 1 ? " (" + d.recording + ")" : ""), r.least, r.largest, r.last,
          d.curve.unit);
  }
  print("{}", out);
  return fine;
}

}  // namespace stiction::cli
