// stiction run: reads a scene, steps it to its end, records, reports.
#include <signal.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>

#include "commands.h"
#include "folder_lock.h"
#include "prepare.h"
#include "progress.h"
#include "report_page.h"
#include "scene_path.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/csv.h"
#include "stiction/record/recorder.h"
#include "stiction/world/world.h"
#include "summary.h"

namespace stiction::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

/// The first signal ends the run after the step it is in; a second one ends the program at once.
void end_after_the_step(int) { interrupted = 1; }
void listen_to_interrupts() {
  struct sigaction action {};
  action.sa_handler = end_after_the_step;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

Result<SceneFile> read_scene(const RunOptions& options) {
  const Result<std::string> path = find_scene(options.scene);
  if (!path) return path.mistakes();
  Result<Overrides> overrides = read_overrides(options.set);
  if (!overrides) return overrides.mistakes();
  const std::pair<const char*, const std::string*> settings[] = {
      {"run.until", &options.until},         {"run.step", &options.step},
      {"run.method", &options.method},       {"run.solver", &options.solver},
      {"run.tolerance", &options.tolerance}, {"run.threads", &options.threads}};
  for (const auto& [key, value] : settings)
    if (!value->empty()) overrides.value().emplace_back(key, *value);
  return read_scene_file(path.value(), overrides.value());
}

/// Two scenes that a run may be continued with: all the same but how long, and with how many threads.
bool same_run(const std::string& a, const std::string& b) {
  Json scenes[] = {Json::parse(a, nullptr, false), Json::parse(b, nullptr, false)};
  for (Json& scene : scenes) {
    if (!scene.is_object()) return false;
    if (const auto run = scene.find("run"); run != scene.end() && run->is_object()) {
      run->erase("until");
      run->erase("threads");
      if (run->empty()) scene.erase("run");
    }
  }
  return scenes[0] == scenes[1];
}

/// A world and its recording, ready for the next step.
struct Job {
  World world;
  Recorder recorder;
};

Result<Job> start(World world, const RecorderSettings& settings) {
  Result<Recorder> recorder = Recorder::open(settings);
  if (!recorder) return recorder.mistakes();
  if (const auto r = recorder.value().on_start(world.model(), world.state()); !r) return r.mistakes();
  return Job{std::move(world), std::move(recorder).value()};
}

Result<Job> resume(World world, const RecorderSettings& settings, const Output& output) {
  const std::string journal = Recorder::journal_path(settings);
  const Result<ResumePoint> point = find_resume_point(journal);
  if (!point) return point.mistakes();
  if (!same_run(point.value().scene_text, settings.scene_text)) {
    Mistake m;
    m.file = journal;
    m.message =
        "this run was of another scene or had other settings, so it cannot be continued with these; "
        "run without --resume to start from the beginning";
    return m;
  }
  if (const auto r = world.restore(point.value().state.bytes); !r) return r.mistakes();
  Result<Recorder> recorder = Recorder::resume(settings, point.value());
  if (!recorder) return recorder.mistakes();
  if (!output.quiet) say("{}: going on at t = {:g} s", journal, world.time());
  return Job{std::move(world), std::move(recorder).value()};
}

/// Steps until the end, an interruption, a refused step or a full disk. Says which.
Result<std::string> advance(Job& job, const Output& output) {
  World& world = job.world;
  const double until = world.settings().until - 0.5 * world.settings().step;
  Progress progress(world.time(), world.settings().until, output.quiet);
  while (world.time() < until) {
    if (interrupted) return std::string("interrupted");
    const StepReport report = world.step();
    if (const auto r = job.recorder.on_step(world.model(), world.state(), report, world.contacts()); !r)
      return r.mistakes();
    if (report.status == StepReport::Status::refused) return std::string("stopped at a refused step");
    progress.step(world.time(), report);
  }
  return std::string("reached the end");
}

/// Closes the recording, writes report and CSV. A run that can go on keeps its journal.
Result<RunResult> conclude(Job& job, const RunOptions& options, const std::string& folder,
                           const std::string& ending, double seconds) {
  const World& world = job.world;
  const Result<RecordedFiles> files =
      job.recorder.finish(world.model(), world.state(), world.contacts(), seconds, ending);
  if (!files) return files.mistakes();
  RunResult result;
  result.total = job.recorder.total();
  result.trouble = job.recorder.trouble();
  result.wall_seconds = seconds;
  result.ending = ending;
  result.complete = ending == "reached the end";
  result.recording = files.value().hdf5;
  if (result.complete)
    if (const auto r = remove_file(files.value().journal); !r) return r.mistakes();
  if (options.csv) {
    const Result<CsvFiles> tables = write_csv(result.recording, join_path(folder, "recording"));
    if (!tables) return tables.mistakes();
    result.csv = {tables.value().bodies, tables.value().books, tables.value().contacts};
  }
  result.report = join_path(folder, "report.html");
  if (const auto r = write_report(result.recording, result.report); !r) return r.mistakes();
  return result;
}

}  // namespace

Status run(const RunOptions& options) {
  const Result<SceneFile> file = read_scene(options);
  if (!file) return reject(file.mistakes(), options.output);
  Result<World> world = prepare(file.value());
  if (!world) return reject(world.mistakes(), options.output);

  const std::string name = scene_name(file.value().path);
  const std::string folder = options.out.empty() ? join_path("out", name) : options.out;
  if (const auto r = make_folders(folder); !r) return reject(r.mistakes(), options.output);
  const Result<FolderLock> lock = FolderLock::take(folder);
  if (!lock) return reject(lock.mistakes(), options.output);

  RecorderSettings settings;
  settings.folder = folder;
  settings.name = "recording";
  settings.setup = {.title = file.value().scene.title,
                    .scene = file.value().path,
                    .run = file.value().run,
                    .every = file.value().record.every,
                    .plot = file.value().record.plot};
  settings.scene_text = file.value().text;
  settings.program = "stiction " STICTION_VERSION;

  listen_to_interrupts();
  const bool going_on = options.resume && file_exists(Recorder::journal_path(settings));
  if (options.resume && !going_on && !options.output.quiet)
    say("{}: nothing to resume, starting from the beginning", folder);
  Result<Job> job = going_on ? resume(std::move(world).value(), settings, options.output)
                             : start(std::move(world).value(), settings);
  if (!job) return reject(job.mistakes(), options.output);

  const auto began = std::chrono::steady_clock::now();
  const Result<std::string> ending = advance(job.value(), options.output);
  if (!ending) return reject(ending.mistakes(), options.output);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  Result<RunResult> result = conclude(job.value(), options, folder, ending.value(), seconds);
  if (!result) return reject(result.mistakes(), options.output);
  result.value().scene = name;

  if (options.output.json)
    print_document(summary_document(result.value(), job.value().world));
  else
    print_summary(result.value(), job.value().world);
  if (interrupted)
    say("interrupted at t = {:g} s; the same command with --resume goes on from here",
        job.value().world.time());
  return status_of(result.value());
}

}  // namespace stiction::cli
