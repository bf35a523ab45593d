#include "session.h"

#include <utility>

#include "describe.h"

namespace stiction::web {

bool Session::refuse(const std::vector<Mistake>& mistakes) {
  answer_ = describe_mistakes(mistakes);
  return false;
}

bool Session::has_scene() {
  if (!world_) refuse({Mistake{{}, 0, 0, {}, "there is no scene yet"}});
  return world_.has_value();
}

bool Session::load(const std::string& text, const std::string& name, Overrides changes) {
  Result<SceneFile> file = read_scene_text(text, name, changes);
  if (!file) return refuse(file.mistakes());
  Result<World> world = build(file.value().scene, file.value().run);
  if (!world) return refuse(world.mistakes());
  text_ = text, name_ = name, overrides_ = std::move(changes);
  file_ = std::move(file).value();
  world_ = std::move(world).value();
  grip_.reset(), push_.reset();
  describe();
  return true;
}

bool Session::set(const Overrides& changes) {
  if (!has_scene()) return false;
  Overrides all = overrides_;
  for (const auto& change : changes) {
    std::erase_if(all, [&](const auto& old) { return old.first == change.first; });
    all.push_back(change);
  }
  Result<SceneFile> file = read_scene_text(text_, name_, all);
  if (!file) return refuse(file.mistakes());
  if (const Result<bool> done = world_->change(file.value().scene, file.value().run); !done)
    return refuse(done.mistakes());
  file_ = std::move(file).value();
  overrides_ = std::move(all);
  describe();
  return true;
}

bool Session::reset() {
  if (!has_scene()) return false;
  world_ = build(file_.scene, file_.run).or_exit();  // world_ has taken the same scene before
  grip_.reset(), push_.reset();
  return true;
}

StepReport::Status Session::step(int n) {
  if (!has_scene()) return StepReport::Status::not_run;
  for (int i = 0; i < n; ++i) {
    if (grip_) apply(*grip_, *world_);
    if (push_) apply(*push_, *world_);
    if (world_->step().status == StepReport::Status::refused) break;
  }
  return world_->last_report().status;
}

void Session::grip(int body, const Vec3& point) {
  grip_.reset();
  if (!has_scene()) return;
  if (body < 0 || body >= world_->model().body_count()) return;
  const BodyId id = world_->body(world_->model().body_name[std::size_t(body)]);
  if (world_->is_alive(id)) grip_ = grip_of(*world_, id, point);
}
void Session::grip_to(const Vec3& target) {
  if (grip_) grip_->target = target;
}

const std::vector<double>& Session::poses() {
  poses_.clear();
  if (!has_scene()) return poses_;
  const State& x = world_->state();
  for (std::size_t i = 0; i < x.position.size(); ++i) {
    const Vec3& p = x.position[i];
    const Quat& q = x.orientation[i];
    poses_.insert(poses_.end(), {p.x, p.y, p.z, q.x, q.y, q.z, q.w});
  }
  return poses_;
}

const std::vector<double>& Session::contacts() {
  contacts_.clear();
  if (!has_scene()) return contacts_;
  for (const Contact& c : world_->contacts()) {
    if (c.state == ContactState::open) continue;
    contacts_.insert(contacts_.end(), {c.point.x, c.point.y, c.point.z, c.normal.x, c.normal.y, c.normal.z,
                                       c.force.x, c.force.y, c.force.z, c.slip.x, c.slip.y, c.slip.z, c.gap,
                                       c.friction, double(c.state), double(c.a.index), double(c.b.index)});
  }
  return contacts_;
}

std::vector<std::string> Session::number_names() {
  std::vector<std::string> names = {
      "time",         "steps", "status",    "parts",       "contacts",        "islands",     "iterations",
      "start_frames", "gap",   "joint",     "cone",        "complementarity", "dissipation", "natural_map",
      "impact",       "body",  "momentum",  "energy",      "tolerance",       "kinetic",     "gravity",
      "springs",      "pairs", "imbalance", "ledger_scale"};
  for (int i = 0; i < cause_count; ++i) names.push_back(std::string("booked.") + name(Cause(i)));
  return names;
}

const std::vector<double>& Session::numbers() {
  numbers_.clear();
  if (!has_scene()) return numbers_;
  const StepReport& r = world_->last_report();
  const Certificate& c = r.certificate;
  const Ledger& l = world_->ledger();
  const Totals& now = l.now();
  numbers_ = {world_->time(),
              double(world_->state().step_count),
              double(r.status),
              double(r.parts),
              double(r.contacts),
              double(r.islands),
              double(r.solver_iterations),
              double(r.start_frames),
              c.gap_relative,
              c.joint,
              c.cone,
              c.complementarity_relative,
              c.dissipation,
              c.natural_map_scaled,
              c.impact,
              c.body,
              c.momentum,
              c.energy,
              world_->settings().tolerance,
              now.kinetic,
              now.gravity_potential,
              now.spring_potential,
              now.pair_potential,
              l.imbalance(),
              l.scale()};
  for (int i = 0; i < cause_count; ++i) numbers_.push_back(l.booked(Cause(i)));
  return numbers_;
}

const std::vector<double>& Session::broken() {
  broken_.clear();
  if (!has_scene()) return broken_;
  const std::vector<unsigned char>& flags = world_->state().joint_broken;
  for (std::size_t j = 0; j < flags.size(); ++j)
    if (flags[j]) broken_.push_back(world_->model().mechanisms.constraint[j].joint);
  return broken_;
}

bool Session::tell_hash() {
  if (!has_scene()) return false;
  answer_ = '"' + hex(world_->hash()) + '"';
  return true;
}

void Session::describe() { answer_ = describe_world(*world_, file_, number_names(), meshes_); }

}  // namespace stiction::web
