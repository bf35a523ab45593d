// stiction run: reads a scene, steps it to its end, records, reports.
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <initializer_list>
#include <optional>

#include "commands.h"
#include "dump_problems.h"
#include "folder_lock.h"
#include "prepare.h"
#include "progress.h"
#include "report_page.h"
#include "scene_path.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/csv.h"
#include "stiction/record/recorder.h"
#include "stiction/record/recording.h"
#include "stiction/record/reopen.h"
#include "stiction/world/world.h"
#include "summary.h"

namespace stiction::cli {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers may write to no other");

/// Once: a second signal of the kind ends the program at once.
void on_signals(std::initializer_list<int> signals, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : signals) sigaction(signal, &action, nullptr);
}

/// The first signal ends the run with the last whole step.
void end_with_the_last_step(int) { interrupted = true; }

/// While recording and report are written, which may take long: the journal has all that they are made of.
void end_at_once(int) {
  static constexpr char text[] =
      "stiction: ended before recording and report were written; the same command with --resume goes on "
      "there\n";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  _exit(missed);
}

/// The steps are made: a signal from now on ends the program at once, and so does the one that ended the run
/// if what is left takes more than this [s] of processor time.
void listen_while_writing() {
  constexpr itimerval patience{{0, 0}, {1, 0}};
  if (!interrupted) return on_signals({SIGINT, SIGTERM}, end_at_once);
  on_signals({SIGPROF}, end_at_once);
  setitimer(ITIMER_PROF, &patience, nullptr);
}

/// All is written.
void listen_no_more() {
  constexpr itimerval never{};
  setitimer(ITIMER_PROF, &never, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGPROF}) std::signal(signal, SIG_DFL);
}

Result<SceneFile> read_scene(const RunOptions& options) {
  const Result<std::string> path = find_scene(options.scene);
  if (!path) return path.mistakes();
  Result<Overrides> overrides = read_overrides(options.set);
  if (!overrides) return overrides.mistakes();
  const std::pair<const char*, const std::optional<std::string>*> settings[] = {
      {"until", &options.until},   {"step", &options.step},           {"method", &options.method},
      {"solver", &options.solver}, {"tolerance", &options.tolerance}, {"threads", &options.threads}};
  for (const auto& [name, value] : settings)
    if (*value) overrides.value().emplace_back(std::string("run.") + name, **value);
  Result<SceneFile> file = read_scene_file(path.value(), overrides.value());
  if (file) return file;
  // A mistake in an option names the option, not what it stands for.
  std::vector<Mistake> mistakes = file.mistakes();
  for (Mistake& m : mistakes) {
    for (const auto& [name, value] : settings)
      if (*value && m.file == std::string("--set run.") + name + "=" + **value)
        m.file = std::string("--") + name + " " + **value;
    if (m.path == "run.method" && m.message.find(" in all)") != std::string::npos)
      m.message += " (stiction list methods)";
  }
  return mistakes;
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
  std::optional<RunResult::Resumed> resumed{};
};

Result<Job> start(World world, const RecorderSettings& settings) {
  Result<Recorder> recorder = Recorder::open(settings);
  if (!recorder) return recorder.mistakes();
  if (const auto r = recorder.value().on_start(world.model(), world.state()); !r) return r.mistakes();
  return Job{std::move(world), std::move(recorder).value()};
}

Mistake another_run(const std::string& recording) {
  Mistake m;
  m.file = recording;
  m.message =
      "this run was of another scene or had other settings, so it cannot be continued with these; "
      "run without --resume to start from the beginning, which replaces it, or choose another --out";
  return m;
}

/// The world as the recording left it. The hash beside the State is that of what was saved: anything else is
/// not gone on from.
Result<bool> restore(World& world, const StatePoint& point, const std::string& recording) {
  const Result<bool> restored = world.restore(point.bytes);
  if (restored && world.hash() == point.hash) return true;
  Mistake m;
  m.file = recording;
  m.message = "the state to go on from is damaged, or of another version of the program";
  if (!restored) m.message += " (" + restored.mistakes().front().message + ")";
  m.message += "; run without --resume to start from the beginning, which replaces it";
  return m;
}

Result<Job> resume(World world, const RecorderSettings& settings, const Output& output) {
  const std::string journal = Recorder::journal_path(settings);
  const Result<ResumePoint> point = find_resume_point(journal);
  if (!point) return point.mistakes();
  if (!same_run(point.value().scene_text, settings.scene_text)) return another_run(journal);
  if (const auto r = restore(world, point.value().state, journal); !r) return r.mistakes();
  Result<Recorder> recorder = Recorder::resume(settings, point.value());
  if (!recorder) return recorder.mistakes();
  if (!output.quiet && !point.value().ending.message.empty())
    say("{}: {}", journal, point.value().ending.message);
  const bool behind = world.state().step_count >= steps_until(world.settings());
  if (!output.quiet && behind)
    say("{}: the run is at t = {:g} s already, --until {:g} asks for no further step; it ends there", journal,
        world.time(), world.settings().until);
  else if (!output.quiet)
    say("{}: going on at t = {:g} s, step {} of {}", journal, world.time(), world.state().step_count,
        steps_until(world.settings()));
  const RunResult::Resumed resumed{journal, world.time(), world.state().step_count};
  return Job{std::move(world), std::move(recorder).value(), resumed};
}

/// What a recording without a journal says of its run: it came to an end.
struct Finished : RecordingVisitor {
  std::string scene_text;
  std::optional<StatePoint> state;
  std::optional<RunSummary> summary;
  void on_revision(const Revision& x) override { scene_text = x.scene_text; }
  void on_state(const StatePoint& x) override { state = x; }
  void on_summary(const RunSummary& x) override { summary = x; }
};

Result<Finished> read_finished(const RecorderSettings& settings) {
  const std::string recording = Recorder::hdf5_path(settings);
  Finished finished;
  if (const auto r = visit_recording(recording, finished); !r) return r.mistakes();
  if (!same_run(finished.scene_text, settings.scene_text)) return another_run(recording);
  if (!finished.state || !finished.summary) {
    Mistake m;
    m.file = recording;
    m.message = "holds no end of a run to go on from; run without --resume to start from the beginning";
    return m;
  }
  return finished;
}

/// Steps until the end, an interruption, a refused step or a full disk. Says which.
Result<std::string> advance(Job& job, ProblemDump& dump, const Output& output) {
  World& world = job.world;
  const std::int64_t steps = steps_until(world.settings());
  Progress progress(world.time(), world.settings().until, output.quiet);
  world.stop_when(&interrupted);
  if (job.recorder.follows_parts())
    world.follow_parts([&](const State& x, std::span<const Contact> contacts) {
      job.recorder.on_part(world.model(), x, contacts);
    });
  while (world.state().step_count < steps) {
    if (interrupted) return std::string("interrupted");
    const StepReport report = world.step();
    if (interrupted && report.status == StepReport::Status::refused) return std::string("interrupted");
    if (const auto r = job.recorder.on_step(world.model(), world.state(), report, world.contacts()); !r)
      return r.mistakes();
    if (report.status == StepReport::Status::refused) return std::string("stopped at a refused step");
    if (const auto r = dump.after_step(world, world.state().step_count == steps); !r) return r.mistakes();
    progress.step(world.time(), report);
  }
  return std::string(reached_the_end);
}

/// Report and, where asked for, CSV, beside the recording.
Result<bool> write_pages(const RunOptions& options, const std::string& folder, RunResult& result) {
  if (options.csv) {
    const Result<CsvFiles> tables = write_csv(result.recording, join_path(folder, "recording"));
    if (!tables) return tables.mistakes();
    result.csv = {tables.value().bodies, tables.value().books, tables.value().contacts, tables.value().pairs};
    if (!tables.value().joints.empty()) result.csv.push_back(tables.value().joints);
  }
  result.report = join_path(folder, "report.html");
  if (const auto page = write_report(result.recording, result.report); !page) return page.mistakes();
  return true;
}

/// For a run that cannot write any more: what is not lost.
std::vector<Mistake> with_what_is_kept(std::vector<Mistake> mistakes, const std::string& journal) {
  if (!file_exists(journal)) return mistakes;
  mistakes.back().message += " What was recorded before is kept in " + journal +
                             "; the same command with --resume goes on from there.";
  return mistakes;
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
  result.broken = job.recorder.broken();
  result.wall_seconds = seconds;
  result.ending = ending;
  result.resumed = job.resumed;
  result.complete = ending == reached_the_end;
  result.recording = files.value().hdf5;
  if (result.complete)
    if (const auto r = remove_file(files.value().journal); !r) return r.mistakes();
  if (const auto r = write_pages(options, folder, result); !r) return r.mistakes();
  return result;
}

void print_result(const RunResult& result, const World& world, const Output& output) {
  if (output.json)
    print_document(summary_document(result, world));
  else
    print_summary(result, world);
}

/// --resume of a run that needs no further step: says so, shows its summary again, changes no recording.
Status show_finished(World world, const Finished& finished, const std::string& name,
                     const std::string& folder, const RecorderSettings& settings, const RunOptions& options) {
  if (const auto r = restore(world, *finished.state, Recorder::hdf5_path(settings)); !r)
    return reject(r.mistakes(), options.output);
  RunResult result;
  result.scene = name;
  result.total = finished.summary->total;
  result.wall_seconds = finished.summary->wall_seconds;
  result.ending = finished.summary->ending;
  result.complete = true;
  result.trouble = finished.summary->trouble;
  result.broken = finished.summary->broken;
  result.recording = Recorder::hdf5_path(settings);
  if (const auto r = write_pages(options, folder, result); !r) return reject(r.mistakes(), options.output);
  if (!options.output.quiet)
    say("{}: this run is finished, at t = {:g} s; a larger --until goes on from there", result.recording,
        world.time());
  print_result(result, world, options.output);
  return status_of(result, world.settings());
}

RecorderSettings recorder_settings(const SceneFile& file, const World& world, const std::string& folder) {
  RecorderSettings settings;
  settings.folder = folder;
  settings.name = "recording";
  settings.setup = {.title = file.scene.title,
                    .scene = file.path,
                    .run = file.run,
                    .every = file.record.every,
                    .parts = file.record.parts,
                    .plot = file.record.plot,
                    .warnings = {world.warnings().begin(), world.warnings().end()}};
  for (const auto& [key, value] : file.overrides) settings.setup.set.push_back(key + "=" + value);
  settings.scene_text = file.text;
  settings.program = "stiction " STICTION_VERSION;
  return settings;
}

}  // namespace

Status run(const RunOptions& options) {
  const Result<SceneFile> file = read_scene(options);
  if (!file) return reject(file.mistakes(), options.output);
  Result<World> world = prepare(file.value());
  if (!world) return reject(world.mistakes(), options.output);
  if (!options.output.quiet) warn(world.value());

  Result<ProblemDump> dump = ProblemDump::prepare(options.problems, options.problem_steps, file.value().path);
  if (!dump) return reject(dump.mistakes(), options.output);

  const std::string name = scene_name(file.value().path);
  const std::string folder = options.out.empty() ? join_path("out", name) : options.out;
  if (const auto r = make_folders(folder); !r) return reject(r.mistakes(), options.output);
  const Result<FolderLock> lock = FolderLock::take(folder);
  if (!lock) return reject(lock.mistakes(), options.output);
  remove_left_parts(folder);

  const RecorderSettings settings = recorder_settings(file.value(), world.value(), folder);
  const std::string journal = Recorder::journal_path(settings), recording = Recorder::hdf5_path(settings);
  if (options.resume && !file_exists(journal) && file_exists(recording)) {
    const Result<Finished> finished = read_finished(settings);
    if (!finished) return reject(finished.mistakes(), options.output);
    if (finished.value().state->step >= steps_until(file.value().run))
      return show_finished(std::move(world).value(), finished.value(), name, folder, settings, options);
    if (const auto r = reopen_recording(recording, journal); !r) return reject(r.mistakes(), options.output);
  }

  on_signals({SIGINT, SIGTERM}, end_with_the_last_step);
  const bool going_on = options.resume && file_exists(journal);
  if (options.resume && !going_on && !options.output.quiet)
    say("{}: nothing to resume, starting from the beginning", folder);
  Result<Job> job = going_on ? resume(std::move(world).value(), settings, options.output)
                             : start(std::move(world).value(), settings);
  if (!job) return reject(job.mistakes(), options.output);

  const auto began = std::chrono::steady_clock::now();
  const Result<std::string> ending = advance(job.value(), dump.value(), options.output);
  if (!ending) return reject(with_what_is_kept(ending.mistakes(), journal), options.output);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  listen_while_writing();
  Result<RunResult> result = conclude(job.value(), options, folder, ending.value(), seconds);
  listen_no_more();
  if (!result) return reject(with_what_is_kept(result.mistakes(), journal), options.output);
  result.value().scene = name;
  result.value().problems = dump.value().files();

  print_result(result.value(), job.value().world, options.output);
  if (interrupted)
    say("interrupted at t = {:g} s; the same command with --resume goes on from here",
        job.value().world.time());
  return status_of(result.value(), job.value().world.settings());
}

}  // namespace stiction::cli
