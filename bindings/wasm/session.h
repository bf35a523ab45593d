// What the page does with the engine: one scene that runs, its meshes, its numbers, hands in it. Nothing here
// knows a browser; exports.cpp hands it to JavaScript.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stiction/formats/scene_file.h"
#include "stiction/world/grip.h"
#include "stiction/world/world.h"

namespace stiction::web {

/// Before the first load() that is good, whatever needs a scene does nothing, and answer() says so as a
/// mistake.
class Session {
 public:
  /// Reads and builds a scene, with values replaced. False: answer() lists all mistakes, and what ran before
  /// goes on.
  bool load(const std::string& text, const std::string& name, Overrides changes = {});
  /// Replaces values of the scene ("gravity.2" = "-1.6", "surfaces.wood.friction" = "0.1", "run.step" = ...)
  /// while it runs. False as above.
  bool set(const Overrides& changes);
  /// Back to the start, with the values set since.
  bool reset();
  /// Up to n steps, with the hands in place; stops at one that is refused. The status of the last; not_run
  /// without a scene.
  StepReport::Status step(int n);

  /// Draws a point [m, body coordinates] of a body; nothing without a body that moves.
  void grip(int body, const Vec3& point);
  void grip_to(const Vec3& target);
  void release() { grip_.reset(); }
  void push(const Push& push) { push_ = push; }
  void stop_pushing() { push_.reset(); }

  /// JSON of the last load(), set() or hash(): the description of the scene, {"mistakes": [...]} or the hash.
  const std::string& answer() const { return answer_; }
  bool tell_hash();

  // --- numbers, valid until the next call that changes them; none without a scene
  const std::vector<double>& poses();     // per body: position x y z, orientation x y z w
  const std::vector<double>& contacts();  // per contact that carries a force: contact_width numbers
  const std::vector<double>& numbers();   // as number_names() has them
  const std::vector<double>& broken();    // joints that broke: their places among those of the scene
  const std::vector<std::vector<float>>& meshes() const { return meshes_; }  // corners of triangles, x y z

  /// point, normal, force on b, slip (3 each), gap, friction, state, bodies a and b
  static constexpr int contact_width = 17;
  static std::vector<std::string> number_names();

 private:
  void describe();
  bool has_scene();
  bool refuse(const std::vector<Mistake>& mistakes);

  std::string text_, name_;
  Overrides overrides_;
  SceneFile file_;
  std::optional<World> world_;
  std::optional<Grip> grip_;
  std::optional<Push> push_;
  std::string answer_;
  std::vector<double> poses_, contacts_, numbers_, broken_;
  std::vector<std::vector<float>> meshes_;
};

}  // namespace stiction::web
