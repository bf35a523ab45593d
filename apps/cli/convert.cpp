// stiction convert: one recording into another kind; stiction report: the page of a recording.
#include <filesystem>
#include <memory>

#include "commands.h"
#include "report_page.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/csv.h"
#include "stiction/record/hdf5.h"

namespace stiction::cli {
namespace {

struct Options {
  Output output;
  std::string in, out;
};

/// What a recording that was cut off has lost; nothing for a whole one.
void mention(const JournalEnding& ending, const Output& output) {
  if (!ending.message.empty() && !output.quiet) say("{}", ending.message);
}

Status finish(const char* key, const std::vector<std::string>& files, const Options& options) {
  if (options.output.json) {
    Json out;
    out["recording"] = options.in;
    if (files.size() == 1)
      out[key] = files.front();
    else
      out[key] = files;
    print_document(out);
  } else {
    for (const std::string& file : files) print("{}", file);
  }
  return fine;
}

Status convert(const Options& options) {
  const std::filesystem::path out(options.out);
  if (const std::string folder = out.parent_path().string(); !folder.empty())
    if (const auto r = make_folders(folder); !r) return reject(r.mistakes(), options.output);
  if (out.extension() == ".h5" || out.extension() == ".hdf5") {
    const Result<JournalEnding> ending = write_hdf5(options.in, options.out);
    if (!ending) return reject(ending.mistakes(), options.output);
    mention(ending.value(), options.output);
    return finish("written", {options.out}, options);
  }
  if (out.extension() == ".csv") {
    std::filesystem::path stem = out;
    const Result<CsvFiles> files = write_csv(options.in, stem.replace_extension().string());
    if (!files) return reject(files.mistakes(), options.output);
    mention(files.value().ending, options.output);
    return finish("written", {files.value().bodies, files.value().books, files.value().contacts}, options);
  }
  Mistake m;
  m.file = options.out;
  m.message = "unknown kind of recording; the name must end in .h5 (HDF5) or .csv (tables)";
  return reject({m}, options.output);
}

Status report(const Options& options) {
  std::string page = options.out;
  if (page.empty()) page = std::filesystem::path(options.in).replace_extension(".html").string();
  if (const auto r = write_report(options.in, page); !r) return reject(r.mistakes(), options.output);
  return finish("report", {page}, options);
}

}  // namespace

void add_convert(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<Options>();
  CLI::App* command =
      add_command(app, "convert", "Turn a recording (journal or HDF5) into HDF5 or CSV tables",
                  "stiction convert out/first/recording.journal first.h5", o->output);
  command->add_option("IN", o->in, "A recording: .journal or .h5")->required();
  command->add_option("OUT", o->out, "NAME.h5, or NAME.csv for NAME.bodies.csv and its companions")
      ->required();
  command->callback([o, &chosen] { chosen = [o] { return convert(*o); }; });
}

void add_report(CLI::App& app, Action& chosen) {
  const auto o = std::make_shared<Options>();
  CLI::App* command = add_command(app, "report", "Write the page (HTML, self-contained) of a recording",
                                  "stiction report out/first/recording.h5 --out first.html", o->output);
  command->add_option("RECORDING", o->in, "A recording: .h5 or .journal")->required();
  command->add_option("--out", o->out, "The page (default: beside the recording)")->type_name("FILE");
  command->callback([o, &chosen] { chosen = [o] { return report(*o); }; });
}

}  // namespace stiction::cli
