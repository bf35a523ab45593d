// A run without an engine: bodies of every shape on prescribed paths, with made-up but plausible
// certificates, books and contacts, so that recordings and reports are tested apart from the mechanics.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "stiction/base/platform/file.h"
#include "stiction/model/model.h"
#include "stiction/record/recorder.h"
#include "stiction/step/contact_result.h"
#include "stiction/step/report.h"
#include "stiction/step/state.h"

namespace stiction::synthetic {

inline Scene scene() {
  Scene s;
  s.gravity = {0, 0, -9.81};
  s.title = "Bodies of every kind";
  s.add_body("floor", {.kind = fixed, .shape = HalfSpace{{0, 0, 1}, 0}});
  s.add_body("ramp", {.kind = fixed,
                      .shape = Box{{1.6, 0.9, 0.06}},
                      .position = {-0.9, 0.2, 0.33},
                      .orientation = normalized(Quat{1, 0, 0.19, 0})});
  s.add_body("lift", {.kind = kinematic,
                      .shape = Box{{0.5, 0.5, 0.1}},
                      .position = {1.1, 0.8, 0.3},
                      .motion = {{0, 1}, {{1.1, 0.8, 0.3}, {1.1, 0.8, 0.6}}, {}}});
  for (int k = 0; k < 6; ++k)
    s.add_body("brick." + std::to_string(k),
               {.shape = Box{{0.3, 0.2, 0.12}}, .density = 800, .position = {0.4, -0.5, 0.06 + 0.12 * k}});
  for (int k = 0; k < 5; ++k)
    s.add_body("ball." + std::to_string(k),
               {.shape = Sphere{0.09}, .density = 1200, .position = {0, 0, 0.09}});
  s.add_body("rod", {.shape = Capsule{0.06, 0.5}, .density = 900, .position = {0, 0, 0.06}});
  s.add_body("speck", {.mass = 0.01, .position = {0.8, 0, 0.5}, .particle = true});
  return s;
}

inline Model model() { return compile(scene()).or_exit(); }

inline Quat about(const Vec3& axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/// The state after so many steps of h.
inline State state(const Model& m, std::int64_t steps, double h, Ledger& ledger) {
  State x = initial_state(m, h);
  x.time = double(steps) * h;
  x.step_count = steps;
  const double t = x.time;
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    const std::string& name = m.body_name[i];
    Vec3& p = x.position[i];
    Vec3& v = x.velocity[i];
    if (name.rfind("ball.", 0) == 0) {
      const int k = name[5] - '0';
      const double along = -1.5 + 0.62 * t * (1 + 0.12 * k),
                   fall = std::max(0.0, 0.67 - 0.42 * (along + 1.4));
      p = {along, -0.1 + 0.17 * k, 0.09 + std::min(0.62, fall)};
      v = {0.62 * (1 + 0.12 * k), 0, along < 0.1 ? -0.26 : 0};
      x.spin[i] = {0, v.x / 0.09, 0};
      x.orientation[i] = about({0, 1, 0}, (along + 1.5) / 0.09);
    } else if (name == "rod") {
      p = {0.9 - 0.25 * t, -1.0 + 0.1 * t, 0.06 + std::fabs(0.8 * std::exp(-0.8 * t) * std::cos(3 * t))};
      x.orientation[i] = normalized(about({0.6, 0.8, 0}, 1.2 + 1.1 * t) * about({0, 0, 1}, 0.4));
      x.spin[i] = {0.66, 0.88, 0};
    } else if (name.rfind("brick.", 0) == 0) {
      const int k = name[6] - '0';
      x.orientation[i] = about({0, 0, 1}, 0.25 * k * std::min(1.0, 0.4 * t));
    } else if (name == "lift") {
      p.z = 0.3 + 0.3 * std::min(1.0, t);
    } else if (name == "speck") {
      p.z = 0.5 + 0.3 * std::sin(2 * t);
      v.z = 0.6 * std::cos(2 * t);
    }
  }
  // The books close: what kinetic energy lacks, friction and impact took.
  Totals now = ledger.now();
  Entries e;
  if (steps == 0) {
    ledger = x.ledger;
  } else {
    const double heat = 0.4 * h * std::exp(-t), hit = 0.2 * h * (1 + std::sin(4 * t));
    e.book(Cause::friction, -heat);
    e.book(Cause::impact, -hit);
    e.book(Cause::gravity, 0.9 * h * std::cos(t));
    e.book(Cause::numerics, 1e-9 * h);
    now.gravity_potential -= 0.9 * h * std::cos(t);
    now.kinetic += 0.9 * h * std::cos(t) - heat - hit + 1e-9 * h;
    ledger.post(e, now);
  }
  x.ledger = ledger;
  x.contacts.assign(2, {{0, 3, 7}, {0, 0, 1.25 + t}, 1});
  x.contacts[1].key = {0, 4, 9};
  return x;
}

inline StepReport report(std::int64_t steps, double tolerance) {
  StepReport r;
  r.status = StepReport::Status::converged;
  r.converged = true;
  const double wave = 1 + std::sin(0.13 * double(steps));
  r.certificate.gap = 1e-12 * wave;
  r.certificate.gap_relative = 3e-12 * wave;
  r.certificate.cone = 2e-13 * (2 - wave);
  r.certificate.complementarity = 4e-11;
  r.certificate.complementarity_relative = 8e-11 * (1.1 + std::cos(0.031 * double(steps)));
  r.certificate.dissipation = 1e-10 * wave;
  r.certificate.natural_map = 5e-10;
  r.certificate.natural_map_scaled = 2e-9 * (1.2 + std::sin(0.05 * double(steps)));
  r.certificate.tolerance = tolerance;
  r.certificate.converged = true;
  r.contacts = 14 + int(steps % 5);
  r.islands = 3;
  r.geometry_passes = 1;
  r.stabilisation_passes = 0;
  r.solver_iterations = 12 + int(steps % 7);
  r.factorisations = int(steps % 3);
  r.escalations = 0;
  r.solver = steps % 3 ? "nsgs+newton" : "nsgs";
  return r;
}

inline std::vector<Contact> contacts(const State& x) {
  std::vector<Contact> out;
  const int n = 4 + int(x.step_count / 40 % 4);
  for (int k = 0; k < n; ++k) {
    Contact c;
    c.key = {0, 3 + k, std::uint64_t(100 + k)};
    c.a = {0, 0};
    c.b = {3 + k, 1};
    c.point = x.position[std::size_t(3 + k)] - Vec3{0, 0, 0.06};
    c.normal = {0, 0, 1};
    c.gap = 1e-13 * k;
    c.impulse = {0.001, 0, 0.05 * (6 - k)};
    c.force = c.impulse / 0.01;
    c.slip = {0, k % 3 == 0 ? 0.2 : 0, 0};
    c.friction = 0.4;
    c.state = k % 3 == 0 ? ContactState::sliding : k % 3 == 1 ? ContactState::sticking : ContactState::open;
    out.push_back(c);
  }
  return out;
}

inline RecorderSettings settings(const std::string& folder, double every = 0.02) {
  RecorderSettings s{.folder = folder, .name = "run"};
  s.setup.title = "Bodies of every kind";
  s.setup.scene = "every_kind.json";
  s.setup.run.step = 0.01;
  s.setup.run.until = 4;
  s.setup.every = every;
  s.setup.plot = {"ball.0.velocity", "rod.position", "speck.height"};
  s.scene_text = "{ \"stiction\": 1, \"note\": \"<&> 'quotes' \\\"too\\\"\" }";
  s.program = "0.0-test";
  s.state_every = 50;
  s.state_seconds = std::numeric_limits<double>::infinity();  // the same journal on a slow machine
  return s;
}

/// Steps `from + 1` to `to` on an open recorder. `ledger` carries the books from part to part.
inline void drive(Recorder& recorder, const Model& m, std::int64_t from, std::int64_t to, Ledger& ledger) {
  for (std::int64_t k = from + 1; k <= to; ++k) {
    const State x = state(m, k, 0.01, ledger);
    Input input;
    if (k % 10 == 3) input.force({5, 0}, {1, 2, 3 + 0.1 * double(k)});
    recorder.on_step(m, x, report(k, 1e-8), contacts(x), input).value();
  }
}

/// A whole run; returns its files.
inline RecordedFiles record(const std::string& folder, std::int64_t steps, double every = 0.02) {
  const Model m = model();
  Ledger ledger;
  Recorder recorder = Recorder::open(settings(folder, every)).or_exit();
  State x = state(m, 0, 0.01, ledger);
  recorder.on_start(m, x).value();
  drive(recorder, m, 0, steps, ledger);
  Ledger copy = ledger;
  x = state(m, steps, 0.01, copy);
  x.ledger = ledger;
  return recorder.finish(m, x, contacts(x), 1.5, "reached the end").or_exit();
}

/// A folder of its own for one test, removed with its files at the end.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/stiction_record_XXXXXX";
    path_ = ::mkdtemp(name);
  }
  ~Folder() {
    if (const auto names = list_folder(path_))
      for (const std::string& n : names.value()) remove_file(join_path(path_, n));
    ::rmdir(path_.c_str());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return join_path(path_, name); }

 private:
  std::string path_;
};

}  // namespace stiction::synthetic
