// stiction report: the page of a recording, or of several side by side; their pictures as files.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "commands.h"
#include "file_kind.h"
#include "png.h"
#include "report_page.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/recording.h"
#include "stiction/report/comparison.h"
#include "stiction/report/contact_map.h"
#include "stiction/report/html.h"
#include "stiction/report/scene_svg.h"

namespace stiction::cli {
namespace fs = std::filesystem;
namespace {

/// "0.5,1,2": increasing, each once.
Result<std::vector<double>> read_times(const std::string& text) {
  std::vector<double> out;
  for (std::size_t from = 0; !text.empty() && from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, comma - from);
    double t = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), t);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(t))
      return Mistake{
          "--at " + text, 0, 0, "",
          "\"" + word + "\" is no time; give seconds with commas between them, as in --at 0.5,1,2"};
    out.push_back(t);
    from = comma + 1;
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// "picture-A-0.5s": letters only where there are several recordings.
std::string picture_name(const char* what, std::size_t run, std::size_t runs, double time) {
  return fmt::format("{}{}-{:g}s", what, runs > 1 ? fmt::format("-{}", char('A' + int(run))) : "", time);
}

/// The scene and the map of the contacts at every time asked for, or at the end.
Result<std::vector<std::string>> write_pictures(const std::vector<RecordingDigest>& runs,
                                                const ReportOptions& o) {
  std::vector<std::string> files;
  std::vector<Picture> all;
  for (const RecordingDigest& d : runs) {
    const Recording& r = o.at.empty() ? d.scenes : d.chosen;
    for (std::size_t f = o.at.empty() ? r.frames() - 1 : 0; f < r.frames(); ++f)
      all.push_back(picture_of(r, f));
  }
  SvgSettings svg{.forces = o.forces};
  const Camera camera = camera_for(all, svg.width, svg.height);
  svg.force_scale = common_force_scale(all, svg.height);
  const auto write = [&](const std::string& name, const std::string& text, double width, double height) {
    files.push_back(join_path(o.pictures, name + (o.png ? ".png" : ".svg")));
    return write_picture(text, files.back(), width, height);
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Recording& r = o.at.empty() ? runs[i].scenes : runs[i].chosen;
    for (std::size_t f = o.at.empty() ? r.frames() - 1 : 0; f < r.frames(); ++f) {
      const auto name = [&](const char* what) { return picture_name(what, i, runs.size(), r.time[f]); };
      if (const auto w = write(name("scene"), scene_svg(all[next++], camera, svg), svg.width, svg.height); !w)
        return w.mistakes();
      if (!has_force(r, f)) continue;
      const MapSettings map{.width = 720, .height = 480};
      if (const auto w = write(name("contacts"), contact_map_svg(r, f, map), map.width, map.height); !w)
        return w.mistakes();
    }
  }
  return files;
}

/// Damage of the recordings on stderr; what to return for it.
Status judge(const std::vector<RecordingDigest>& runs, const Output& output) {
  Status status = fine;
  for (const RecordingDigest& d : runs) {
    const JournalEnding& ending = d.scenes.ending;
    if (ending.message.empty()) continue;
    if (!output.quiet)
      say("{}: {}; the run goes on from its last full state before that with `stiction run SCENE --resume`",
          d.scenes.path, ending.message);
    if (ending.in_the_middle) status = bad_input;
  }
  return status;
}

}  // namespace

Status report(const ReportOptions& o) {
  const Result<std::vector<double>> at = read_times(o.at);
  if (!at) return reject(at.mistakes(), o.output);
  if (o.png && o.pictures.empty())
    return reject("report: --png is for --pictures DIR; name the folder that the pictures go to", o.output);
  if (const auto wrong = not_recordings(o.in); !wrong.empty()) return reject(wrong, o.output);
  std::vector<RecordingDigest> runs;
  std::vector<Mistake> mistakes;
  for (const std::string& path : o.in) {
    Result<RecordingDigest> loaded = digest_recording(path, {.plot = {}, .at = at.value()});
    if (loaded)
      runs.push_back(std::move(loaded).value());
    else
      mistakes.insert(mistakes.end(), loaded.mistakes().begin(), loaded.mistakes().end());
  }
  if (!mistakes.empty()) return reject(mistakes, o.output);
  const ReportSettings settings{.forces = o.forces, .at = at.value()};
  const Result<std::string> html =
      runs.size() == 1 ? html_report(runs[0], settings) : html_comparison(runs, settings);
  if (!html) return reject(html.mistakes(), o.output);
  std::string page = o.out;
  if (page.empty())
    page = runs.size() == 1 ? fs::path(o.in[0]).replace_extension(".html").string() : "comparison.html";
  if (const auto written = write_file(page, html.value()); !written)
    return reject(written.mistakes(), o.output);
  std::vector<std::string> pictures;
  if (!o.pictures.empty()) {
    const Result<std::vector<std::string>> written = write_pictures(runs, o);
    if (!written) return reject(written.mistakes(), o.output);
    pictures = written.value();
  }
  const Status status = judge(runs, o.output);
  if (o.output.json) {
    Json out;
    if (o.in.size() == 1)
      out["recording"] = o.in[0];
    else
      out["recordings"] = o.in;
    out["report"] = page;
    if (!o.pictures.empty()) out["pictures"] = pictures;
    print_document(out);
  } else {
    print("{}", page);
    for (const std::string& file : pictures) print("{}", file);
  }
  return status;
}

}  // namespace stiction::cli
