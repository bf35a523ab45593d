#include "stiction/record/recorder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stiction/record/detail/encode.h"
#include "stiction/record/hdf5.h"
#include "stiction/record/recording.h"
#include "stiction/record/reopen.h"
#include "unit/record/synthetic_run.h"

namespace stiction {
namespace {

using synthetic::Folder;

/// All records as bytes, one string for each.
struct Collector : RecordingVisitor {
  std::vector<std::string> in_order, states;
  template <class Record>
  static std::string text(char kind, const Record& x) {
    std::vector<unsigned char> out;
    detail::encode(x, out);
    return kind + std::string(out.begin(), out.end());
  }
  void on_header(const RunHeader& x) override { in_order.push_back(text('h', x)); }
  void on_revision(const Revision& x) override { in_order.push_back(text('r', x)); }
  void on_input(const InputRecord& x) override { in_order.push_back(text('i', x)); }
  void on_frame(const Frame& x) override { in_order.push_back(text('f', x)); }
  void on_state(const StatePoint& x) override { states.push_back(text('s', x)); }
  void on_summary(const RunSummary& x) override { in_order.push_back(text('e', x)); }
};

std::vector<std::string> frames_of(const std::string& path) {
  Collector c;
  visit_recording(path, c).value();
  std::vector<std::string> out;
  for (std::string& s : c.in_order)
    if (s[0] == 'f' || s[0] == 'i') out.push_back(std::move(s));
  return out;
}

/// Steps, of which every third has two parts before its last; the tenth is refused after its parts.
RecordedFiles record_parts(const std::string& folder, bool parts) {
  RecorderSettings settings = synthetic::settings(folder, 0);
  settings.setup.parts = parts;
  const Model m = synthetic::model();
  Recorder recorder = Recorder::open(settings).or_exit();
  Ledger ledger;
  State x = synthetic::state(m, 0, 0.01, ledger);
  recorder.on_start(m, x).value();
  for (std::int64_t k = 1; k <= 12; ++k) {
    const double before = x.time;
    if (k % 3 == 0 || k == 10)
      for (const double part : {0.25, 0.5}) {
        State there = x;
        there.time = before + part * 0.01;
        recorder.on_part(m, there, synthetic::contacts(there));
      }
    StepReport report = synthetic::report(k, 1e-8);
    if (k == 10) {
      report.status = StepReport::Status::refused, report.converged = false;
      recorder.on_step(m, x, report, {}).value();
      continue;
    }
    x = synthetic::state(m, k, 0.01, ledger);
    recorder.on_step(m, x, report, synthetic::contacts(x)).value();
  }
  return recorder.finish(m, x, synthetic::contacts(x), 0, "reached the end").value();
}

TEST(Recorder, PartsAreFramesWithoutATally) {
  const Folder folder, other;
  const RecordedFiles with = record_parts(folder.path(), true), without = record_parts(other.path(), false);
  for (const std::string& path : {with.journal, with.hdf5}) {
    const Recording r = load_recording(path).or_exit();
    EXPECT_TRUE(r.setup.parts);
    ASSERT_EQ(r.frames(), 12u + 2u * 4u);  // the start, 11 steps, parts of four of them; none of the refused
    for (std::size_t f = 1; f < r.frames(); ++f) {
      EXPECT_GT(r.time[f], r.time[f - 1]);
      EXPECT_EQ(r.since[f].steps, r.step[f] - r.step[f - 1] > 0 ? 1 : 0);
      EXPECT_FALSE(r.contacts_of(f).empty());
    }
    EXPECT_EQ(r.total().steps, 11);
  }
  EXPECT_EQ(load_recording(without.hdf5).or_exit().frames(), 12u);
  EXPECT_EQ(with.summary.hash, without.summary.hash);
}

TEST(Recorder, PartsAskForEveryStep) {
  const Folder folder;
  RecorderSettings settings = synthetic::settings(folder.path(), 0.02);
  settings.setup.parts = true;
  const Result<Recorder> r = Recorder::open(settings);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.mistakes().front().path, "record.parts");
  EXPECT_NE(r.mistakes().front().message.find("every = 0.02"), std::string::npos);
}

TEST(Tally, ShortfallIsTheWorstThatIsWrong) {
  Tally total;
  total.steps = 10;
  EXPECT_EQ(shortfall_of(total, true), Shortfall::none);
  EXPECT_EQ(shortfall_of(total, false), Shortfall::unended);
  for (const double imbalance : {1.1e-12, std::nan("")}) {  // the limit is 1e-12
    total.imbalance = imbalance;
    EXPECT_EQ(shortfall_of(total, true), Shortfall::books);
  }
  total.unconverged = 1;
  EXPECT_EQ(shortfall_of(total, true), Shortfall::missed);
  total.refused = 1;
  EXPECT_EQ(shortfall_of(total, true), Shortfall::refused);
}

TEST(Recorder, FramesLieAtMultiplesOfEvery) {
  const Folder folder;
  const RecordedFiles files = synthetic::record(folder.path(), 103, 0.05);
  const Recording r = load_recording(files.journal).or_exit();
  // 0, 0.05, ..., 1.0, and the last state, 1.03
  ASSERT_EQ(r.frames(), 22u);
  for (std::size_t f = 0; f < 21; ++f) EXPECT_EQ(r.step[f], std::int64_t(5 * f));
  EXPECT_EQ(r.step.back(), 103);
  EXPECT_EQ(files.summary.total.steps, 103);
  std::int64_t steps = 0;
  double worst = 0;
  for (const Tally& t : r.since) steps += t.steps, worst = std::max(worst, t.worst.natural_map_scaled);
  EXPECT_EQ(steps, 103);  // every step is in exactly one frame
  EXPECT_EQ(worst, files.summary.total.worst.natural_map_scaled);
}

TEST(Recorder, Hdf5HoldsWhatTheJournalHolds) {
  const Folder folder;
  const RecordedFiles files = synthetic::record(folder.path(), 300);
  Collector journal, hdf5;
  ASSERT_TRUE(visit_journal(files.journal, journal));
  ASSERT_TRUE(visit_hdf5(files.hdf5, hdf5));
  ASSERT_EQ(journal.in_order.size(), hdf5.in_order.size());
  for (std::size_t i = 0; i < journal.in_order.size(); ++i)
    ASSERT_EQ(journal.in_order[i], hdf5.in_order[i]) << i;
  ASSERT_EQ(hdf5.states.size(), 1u);
  EXPECT_EQ(hdf5.states.back(), journal.states.back());
  // and converting HDF5 again changes nothing
  ASSERT_TRUE(write_hdf5(files.hdf5, folder / "again.h5"));
  Collector again;
  ASSERT_TRUE(visit_hdf5(folder / "again.h5", again));
  EXPECT_EQ(again.in_order, hdf5.in_order);
}

TEST(Recorder, ResumedRunIsTheSameFile) {
  const Folder whole, broken;
  const std::string expected = read_file(synthetic::record(whole.path(), 220, 0.03).journal).value();

  const RecorderSettings settings = synthetic::settings(broken.path(), 0.03);
  const Model m = synthetic::model();
  {
    Ledger ledger;
    Recorder recorder = Recorder::open(settings).or_exit();
    const State x = synthetic::state(m, 0, 0.01, ledger);
    recorder.on_start(m, x).value();
    synthetic::drive(recorder, m, 0, 137, ledger);
  }  // the process dies here: no finish()
  AppendFile torn = AppendFile::open(Recorder::journal_path(settings), AppendFile::Start::keep).or_exit();
  ASSERT_TRUE(torn.truncate(torn.size() - 333));

  const ResumePoint point = find_resume_point(Recorder::journal_path(settings)).or_exit();
  EXPECT_TRUE(point.ending.damaged);
  EXPECT_EQ(point.state.step, 100);  // a State every 50 steps
  EXPECT_EQ(point.setup.every, 0.03);
  EXPECT_EQ(point.scene_text, settings.scene_text);
  State x = load(m, point.state.bytes).or_exit();
  EXPECT_EQ(x.hash(), point.state.hash);
  Recorder recorder = Recorder::resume(settings, point).or_exit();
  Ledger ledger = x.ledger;
  synthetic::drive(recorder, m, point.state.step, 220, ledger);
  Ledger copy = ledger;
  x = synthetic::state(m, 220, 0.01, copy);
  x.ledger = ledger;
  const RecordedFiles files = recorder.finish(m, x, synthetic::contacts(x), 1.5, "reached the end").or_exit();
  EXPECT_EQ(read_file(files.journal).value(), expected);
}

TEST(Recorder, FinishedRunGoesOnWithTheSameFrames) {
  const Folder longer, extended;
  const RecordedFiles expected = synthetic::record(longer.path(), 200, 0.05);
  const RecordedFiles first =
      synthetic::record(extended.path(), 123, 0.05);  // its last frame, 1.23 s, is not due
  const Model m = synthetic::model();
  const ResumePoint point = find_resume_point(first.journal).or_exit();
  ASSERT_EQ(point.state.step, 123);
  ASSERT_TRUE(point.summary);
  Recorder recorder = Recorder::resume(synthetic::settings(extended.path(), 0.05), point).or_exit();
  Ledger ledger = load(m, point.state.bytes).or_exit().ledger;
  synthetic::drive(recorder, m, 123, 200, ledger);
  Ledger copy = ledger;
  State x = synthetic::state(m, 200, 0.01, copy);
  x.ledger = ledger;
  const RecordedFiles files = recorder.finish(m, x, synthetic::contacts(x), 1.5, "reached the end").or_exit();
  EXPECT_EQ(frames_of(files.journal), frames_of(expected.journal));
  EXPECT_EQ(frames_of(files.hdf5), frames_of(expected.hdf5));
  EXPECT_EQ(files.summary.hash, expected.summary.hash);
  EXPECT_EQ(files.summary.total.iterations, expected.summary.total.iterations);
}

// The journal of a finished run is gone; made again from the HDF5 file, the run goes on with the same frames.
TEST(Recorder, ReopenedRunGoesOnWithTheSameFrames) {
  for (const int first_steps : {123, 120}) {  // at 1.23 s no frame is due, at 1.2 s one is
    const Folder longer, extended;
    const RecordedFiles expected = synthetic::record(longer.path(), 200, 0.05);
    const RecordedFiles first = synthetic::record(extended.path(), first_steps, 0.05);
    const std::string journal = read_file(first.journal).value();
    ASSERT_TRUE(remove_file(first.journal));
    ASSERT_TRUE(reopen_recording(first.hdf5, first.journal));
    EXPECT_LT(read_file(first.journal).value().size(),
              journal.size());  // of the States only the last is left
    const Model m = synthetic::model();
    const ResumePoint point = find_resume_point(first.journal).or_exit();
    ASSERT_EQ(point.state.step, first_steps);
    EXPECT_FALSE(point.summary);
    Recorder recorder = Recorder::resume(synthetic::settings(extended.path(), 0.05), point).or_exit();
    Ledger ledger = load(m, point.state.bytes).or_exit().ledger;
    synthetic::drive(recorder, m, first_steps, 200, ledger);
    Ledger copy = ledger;
    State x = synthetic::state(m, 200, 0.01, copy);
    x.ledger = ledger;
    const RecordedFiles files =
        recorder.finish(m, x, synthetic::contacts(x), 1.5, "reached the end").or_exit();
    EXPECT_EQ(frames_of(files.hdf5), frames_of(expected.hdf5));
    EXPECT_EQ(files.summary.hash, expected.summary.hash);
    EXPECT_EQ(files.summary.total.iterations, expected.summary.total.iterations);
  }
}

TEST(Recorder, ReopeningWhatIsNoRecordingLeavesNothingBehind) {
  const Folder folder;
  ASSERT_TRUE(write_file(folder / "no.h5", "nothing of the kind"));
  EXPECT_FALSE(reopen_recording(folder / "no.h5", folder / "no.journal"));
  EXPECT_FALSE(reopen_recording(folder / "missing.h5", folder / "no.journal"));
  EXPECT_EQ(list_folder(folder.path()).value(), std::vector<std::string>{"no.h5"});
}

// Full States also by wall time, so that a slow run loses little when it dies; nothing else depends on it.
TEST(Recorder, StatesAreWrittenByWallTimeToo) {
  const auto record = [](const Folder& folder, double seconds) {
    RecorderSettings settings = synthetic::settings(folder.path(), 0.05);
    settings.state_every = 1'000'000;
    settings.state_seconds = seconds;
    const Model m = synthetic::model();
    Ledger ledger;
    Recorder recorder = Recorder::open(settings).or_exit();
    State x = synthetic::state(m, 0, 0.01, ledger);
    recorder.on_start(m, x).value();
    for (int k = 0; k < 40; ++k) {
      ::usleep(1000);
      synthetic::drive(recorder, m, k, k + 1, ledger);
    }
    Ledger copy = ledger;
    x = synthetic::state(m, 40, 0.01, copy);
    x.ledger = ledger;
    return recorder.finish(m, x, synthetic::contacts(x), 1.5, "reached the end").or_exit();
  };
  const Folder never, always, sometimes;
  const RecordedFiles by_steps = record(never, std::numeric_limits<double>::infinity());
  const RecordedFiles by_time = record(always, 0.001);
  const RecordedFiles rarely = record(sometimes, 0.01);
  Collector a, b, c;
  ASSERT_TRUE(visit_journal(by_steps.journal, a));
  ASSERT_TRUE(visit_journal(by_time.journal, b));
  ASSERT_TRUE(visit_journal(rarely.journal, c));
  EXPECT_EQ(a.states.size(), 2u);   // the first and the last
  EXPECT_EQ(b.states.size(), 41u);  // each step took more than a millisecond
  EXPECT_GE(c.states.size(), 5u);   // 40 ms at least, one in 10 ms and a bit
  EXPECT_LE(c.states.size(), 41u);
  EXPECT_EQ(a.in_order, b.in_order);
  EXPECT_EQ(a.in_order, c.in_order);
  EXPECT_EQ(frames_of(by_steps.hdf5), frames_of(by_time.hdf5));
}

TEST(Recorder, KilledProcessLeavesAReadableJournal) {
  for (const int delay_us : {0, 700, 1900, 3100, 5300}) {
    const Folder folder;
    const RecorderSettings settings = synthetic::settings(folder.path(), 0);
    const std::string path = Recorder::journal_path(settings);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const Model m = synthetic::model();
      Ledger ledger;
      Recorder recorder = Recorder::open(settings).or_exit();
      const State x = synthetic::state(m, 0, 0.01, ledger);
      recorder.on_start(m, x).value();
      synthetic::drive(recorder, m, 0, 100'000'000, ledger);
      ::_exit(0);
    }
    for (int wait = 0; wait < 20000; ++wait) {
      const auto size = file_size(path);
      if (size && size.value() > 400'000) break;
      ::usleep(1000);
    }
    ::usleep(useconds_t(delay_us));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));

    const Recording r = load_recording(path).or_exit();
    EXPECT_GT(r.frames(), 100u);
    EXPECT_FALSE(r.summary);
    EXPECT_FALSE(r.ending.in_the_middle);
    EXPECT_EQ(r.step.back(), std::int64_t(r.frames()) - 1);  // no frame is missing
    const ResumePoint point = find_resume_point(path).or_exit();
    EXPECT_LE(r.step.back() - point.state.step, settings.state_every);
    ASSERT_TRUE(write_hdf5(path, folder / "rescued.h5"));
    EXPECT_EQ(frames_of(folder / "rescued.h5"), frames_of(path));
  }
}

TEST(Recorder, TroubleIsCountedAndNamed) {
  const Folder folder;
  const Model m = synthetic::model();
  Ledger ledger;
  Recorder recorder = Recorder::open(synthetic::settings(folder.path(), 0)).or_exit();
  State x = synthetic::state(m, 0, 0.01, ledger);
  recorder.on_start(m, x).value();
  x = synthetic::state(m, 1, 0.01, ledger);
  StepReport bad = synthetic::report(1, 1e-8);
  bad.status = StepReport::Status::unconverged;
  bad.converged = bad.certificate.converged = false;
  bad.certificate.cone = std::numeric_limits<double>::quiet_NaN();
  bad.reason = "cone";
  bad.worst_body_a = 3, bad.worst_body_b = 14;
  recorder.on_step(m, x, bad, {}).value();
  bad.status = StepReport::Status::refused;
  recorder.on_step(m, x, bad, {}).value();  // leaves the state: no frame
  x = synthetic::state(m, 2, 0.01, ledger);
  recorder.on_step(m, x, synthetic::report(2, 1e-8), {}).value();
  const RecordedFiles files = recorder.finish(m, x, {}, 0.1, "reached the end").or_exit();
  EXPECT_EQ(files.summary.total.steps, 2);
  EXPECT_EQ(files.summary.total.unconverged, 1);
  EXPECT_EQ(files.summary.total.refused, 1);
  EXPECT_FALSE(files.summary.total.worst.converged);
  EXPECT_TRUE(std::isnan(files.summary.total.worst.cone));  // not a number is the worst of all
  EXPECT_EQ(files.summary.trouble,
            "at 0.01 s a step missed the tolerance: cone (brick.0, rod); at 0.01 s a step was refused: cone "
            "(brick.0, rod)");
  const Recording r = load_recording(files.hdf5).or_exit();
  ASSERT_EQ(r.frames(), 3u);
  EXPECT_FALSE(r.since[1].worst.converged);
  EXPECT_EQ(r.since[2].refused, 1);
}

TEST(Recorder, EditedModelsAreRecordedButNotResumed) {
  const Folder folder;
  Scene scene = synthetic::scene();
  const Model before = compile(scene, 0).or_exit();
  scene.add_body("late", {.shape = Sphere{0.2}, .density = 100, .position = {0, 0, 3}});
  const Model after = compile(scene, 1).or_exit();
  Recorder recorder = Recorder::open(synthetic::settings(folder.path(), 0)).or_exit();
  Ledger ledger;
  State x = synthetic::state(before, 0, 0.01, ledger);
  recorder.on_start(before, x).value();
  synthetic::drive(recorder, before, 0, 5, ledger);
  synthetic::drive(recorder, after, 5, 9, ledger);
  x = synthetic::state(after, 9, 0.01, ledger);
  const RecordedFiles files = recorder.finish(after, x, {}, 0.1, "reached the end").or_exit();
  Collector journal, hdf5;
  ASSERT_TRUE(visit_journal(files.journal, journal));
  ASSERT_TRUE(visit_hdf5(files.hdf5, hdf5));
  EXPECT_EQ(journal.in_order, hdf5.in_order);
  const Recording r = load_recording(files.hdf5).or_exit();
  EXPECT_EQ(r.revisions.size(), 2u);
  const auto curve = trajectories(r, "late.position.z").or_exit();
  EXPECT_TRUE(std::isnan(curve[0].value[5]));
  EXPECT_EQ(curve[0].value[6], 3);
  const auto resume = find_resume_point(files.journal);
  ASSERT_FALSE(resume);
  EXPECT_NE(resume.mistakes()[0].message.find("edited"), std::string::npos);
}

TEST(Recorder, BadSettingsAreAllListed) {
  RecorderSettings s = synthetic::settings("/tmp");
  s.name = "a/b";
  s.setup.every = -1;
  s.state_every = 0;
  s.state_seconds = 0;
  const auto r = Recorder::open(s);
  ASSERT_FALSE(r);
  EXPECT_EQ(r.mistakes().size(), 4u);
}

}  // namespace
}  // namespace stiction
