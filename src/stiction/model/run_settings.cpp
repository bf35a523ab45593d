#include "stiction/model/run_settings.h"

#include <cmath>

#include "stiction/base/text.h"
#include "stiction/model/scene.h"

namespace stiction {
namespace {

void check_what_methods_know(const RunSettings& s, std::vector<Mistake>& out) {
  if (s.directions < 4 || s.directions > most_directions || s.directions % 2 != 0)
    out.push_back({{},
                   0,
                   0,
                   "run.directions",
                   "found " + std::to_string(s.directions) + ", must be even, 4 to " +
                       std::to_string(most_directions)});
  if (!(s.theta >= 0.5 && s.theta <= 1))
    out.push_back({{}, 0, 0, "run.theta", "found " + number_text(s.theta) + ", must be 0.5 to 1"});
  if (s.nonlinear && !traits_of(s.method).nonlinear)
    out.push_back({{},
                   0,
                   0,
                   "run.nonlinear",
                   "true, which only the methods " +
                       methods_that([](const MethodTraits& t) { return t.nonlinear; }, " and ") +
                       " know, not \"" + word_of(s.method) + "\": leave it out, or use one of them"});
  if (traits_of(s.method).stabilisation == MethodTraits::Stabilisations::post_or_none &&
      s.stabilisation != Stabilisation::post && s.stabilisation != Stabilisation::none)
    out.push_back({{},
                   0,
                   0,
                   "run.stabilisation",
                   "found \"" + word_of(s.stabilisation) + "\", which the method \"" + word_of(s.method) +
                       "\" does not have: use \"post\" or \"none\""});
}

}  // namespace

std::vector<Mistake> validate(const RunSettings& s) {
  std::vector<Mistake> out;
  const auto positive = [&](const char* path, double x, const char* unit) {
    if (std::isfinite(x) && x > 0) return;
    out.push_back({{}, 0, 0, path, "found " + number_text(x) + ", must be above 0" + unit});
  };
  positive("run.until", s.until, " s");
  positive("run.step", s.step, " s");
  if (out.empty() && !(s.until / s.step <= most_steps))
    out.push_back({{},
                   0,
                   0,
                   "run.until",
                   "found " + number_text(s.until) + ", which takes " + number_text(s.until / s.step) +
                       " steps of " + number_text(s.step) + " s; at most " + number_text(most_steps) +
                       " can be counted: end earlier, or make the step larger"});
  if (!(s.tolerance >= smallest_tolerance && s.tolerance <= largest_tolerance)) {
    out.push_back({{},
                   0,
                   0,
                   "run.tolerance",
                   "found " + number_text(s.tolerance) + ", must be " + number_text(smallest_tolerance) +
                       " or more and at most " + number_text(largest_tolerance)});
  }
  if (s.threads < 1 || s.threads > most_threads) {
    out.push_back({{},
                   0,
                   0,
                   "run.threads",
                   "found " + std::to_string(s.threads) + ", must be 1 or more and at most " +
                       std::to_string(most_threads) + "; more than the machine has cores are of no use"});
  }
  if (!(s.baumgarte >= 0 && s.baumgarte <= largest_number))
    out.push_back(
        {{}, 0, 0, "run.baumgarte", "found " + number_text(s.baumgarte) + ", must not be below 0 1/s"});
  else if (s.stabilisation == Stabilisation::baumgarte && s.baumgarte == 0)
    out.push_back({{},
                   0,
                   0,
                   "run.baumgarte",
                   "is missing: the stabilisation \"baumgarte\" has a constant [1/s] to choose; "
                   "\"post\" has none"});
  check_what_methods_know(s, out);
  if (s.sleep && !traits_of(s.method).sleep)
    out.push_back({{},
                   0,
                   0,
                   "run.sleep",
                   "only the method " + methods_that([](const MethodTraits& t) { return t.sleep; }) +
                       " proves rest; found the method \"" + word_of(s.method) + "\": leave `sleep` out"});
  return out;
}

std::int64_t steps_until(const RunSettings& settings) {
  const double steps = std::ceil(settings.until / settings.step - 1e-6);
  if (!(steps > 1)) return 1;
  return std::int64_t(std::fmin(steps, most_steps));
}

namespace {

bool counts(MethodTraits::Counts when, const RunSettings& s) {
  using Counts = MethodTraits::Counts;
  const bool post = s.stabilisation == Stabilisation::post;
  switch (when) {
    case Counts::no:
      return false;
    case Counts::yes:
      return true;
    case Counts::with_post:
      return post;
    case Counts::with_post_or_nonlinear:
      return post || s.nonlinear;
  }
  return true;
}

}  // namespace

bool holds_joints(const RunSettings& settings) { return counts(traits_of(settings.method).joints, settings); }
bool holds_gaps(const RunSettings& settings) { return counts(traits_of(settings.method).gaps, settings); }
bool has_round_cones(const RunSettings& settings) {
  return traits_of(settings.method).contact != MethodTraits::Contact::corners;
}
bool holds_energy(const RunSettings& settings) { return traits_of(settings.method).energy; }

}  // namespace stiction
