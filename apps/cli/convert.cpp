// stiction convert: one recording into another kind.
#include <filesystem>

#include "commands.h"
#include "file_kind.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/csv.h"
#include "stiction/record/hdf5.h"

namespace stiction::cli {
namespace {

/// Says what a recording that was cut off has lost; nothing of a whole one. Damage in the middle is no way
/// for a run to end: what could be read was written, but the status says so, too.
Status judge(const JournalEnding& ending, const RecordingOptions& options) {
  if (ending.message.empty()) return fine;
  if (!options.output.quiet)
    say("{}: {}; the run goes on from its last full state before that with `stiction run SCENE --resume`",
        options.in, ending.message);
  return ending.in_the_middle ? bad_input : fine;
}

Status finish(const char* key, const std::vector<std::string>& files, const JournalEnding& ending,
              const RecordingOptions& options) {
  const Status status = judge(ending, options);
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
  return status;
}

}  // namespace

Status convert(const RecordingOptions& options) {
  if (const auto wrong = not_recordings({options.in}); !wrong.empty()) return reject(wrong, options.output);
  const std::filesystem::path out(options.out);
  if (const std::string folder = out.parent_path().string(); !folder.empty())
    if (const auto r = make_folders(folder); !r) return reject(r.mistakes(), options.output);
  if (out.extension() == ".h5" || out.extension() == ".hdf5") {
    const Result<JournalEnding> ending = write_hdf5(options.in, options.out);
    if (!ending) return reject(ending.mistakes(), options.output);
    return finish("written", {options.out}, ending.value(), options);
  }
  if (out.extension() == ".csv") {
    std::filesystem::path stem = out;
    const Result<CsvFiles> files = write_csv(options.in, stem.replace_extension().string());
    if (!files) return reject(files.mistakes(), options.output);
    std::vector<std::string> written{files.value().bodies, files.value().books, files.value().contacts,
                                     files.value().pairs};
    if (!files.value().joints.empty()) written.push_back(files.value().joints);
    return finish("written", written, files.value().ending, options);
  }
  Mistake m;
  m.file = options.out;
  m.message = "unknown kind of recording; the name must end in .h5 (HDF5) or .csv (tables)";
  return reject({m}, options.output);
}

}  // namespace stiction::cli
