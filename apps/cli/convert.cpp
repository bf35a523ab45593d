// stiction convert: one recording into another kind; stiction report: the page of a recording.
#include <filesystem>

#include "commands.h"
#include "report_page.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/csv.h"
#include "stiction/record/hdf5.h"

namespace stiction::cli {
namespace {

/// What a recording that was cut off has lost; nothing for a whole one.
void mention(const JournalEnding& ending, const Output& output) {
  if (!ending.message.empty() && !output.quiet) say("{}", ending.message);
}

Status finish(const char* key, const std::vector<std::string>& files, const RecordingOptions& options) {
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

}  // namespace

Status convert(const RecordingOptions& options) {
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

Status report(const RecordingOptions& options) {
  std::string page = options.out;
  if (page.empty()) page = std::filesystem::path(options.in).replace_extension(".html").string();
  if (const auto r = write_report(options.in, page); !r) return reject(r.mistakes(), options.output);
  return finish("report", {page}, options);
}

}  // namespace stiction::cli
