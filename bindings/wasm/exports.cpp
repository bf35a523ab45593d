// The engine for JavaScript: plain functions over one Session. Texts go in through a buffer of this side,
// answers come back as JSON, numbers as views into the memory of the module (web/src/engine.js wraps all of
// it).
#include <emscripten.h>

#include <string_view>

#include "session.h"

namespace {

stiction::web::Session session;
std::string input;

/// KEY, line end, VALUE, line end, and so on, up to an empty key or the end; `rest`: what follows.
stiction::Overrides take_changes(std::string_view& rest) {
  stiction::Overrides changes;
  const auto line = [&] {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string out(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return out;
  };
  for (std::string key = line(); !key.empty(); key = line()) changes.emplace_back(std::move(key), line());
  return changes;
}

}  // namespace

extern "C" {

/// Memory for a text of this many bytes; read by the next load or set.
EMSCRIPTEN_KEEPALIVE char* stiction_input(int size) {
  input.assign(std::size_t(size), '\0');
  return input.data();
}
EMSCRIPTEN_KEEPALIVE const char* stiction_answer() { return session.answer().c_str(); }

/// The input is changes as for stiction_set, an empty line and the text of the scene.
EMSCRIPTEN_KEEPALIVE int stiction_load() {
  std::string_view rest = input;
  stiction::Overrides changes = take_changes(rest);
  return session.load(std::string(rest), "scene", std::move(changes));
}
/// The input is KEY, line end, VALUE, line end, and so on.
EMSCRIPTEN_KEEPALIVE int stiction_set() {
  std::string_view rest = input;
  return session.set(take_changes(rest));
}
EMSCRIPTEN_KEEPALIVE int stiction_reset() { return session.reset(); }
EMSCRIPTEN_KEEPALIVE int stiction_step(int n) { return int(session.step(n)); }
EMSCRIPTEN_KEEPALIVE int stiction_hash() { return session.tell_hash(); }

EMSCRIPTEN_KEEPALIVE void stiction_grip(int body, double x, double y, double z) {
  session.grip(body, {x, y, z});
}
EMSCRIPTEN_KEEPALIVE void stiction_grip_to(double x, double y, double z) { session.grip_to({x, y, z}); }
EMSCRIPTEN_KEEPALIVE void stiction_release() { session.release(); }
EMSCRIPTEN_KEEPALIVE void stiction_push(double x, double y, double z, double dx, double dy, double dz,
                                        double radius, double strength) {
  session.push({{x, y, z}, {dx, dy, dz}, radius, strength});
}
EMSCRIPTEN_KEEPALIVE void stiction_stop_pushing() { session.stop_pushing(); }

EMSCRIPTEN_KEEPALIVE const double* stiction_poses() { return session.poses().data(); }
EMSCRIPTEN_KEEPALIVE const double* stiction_numbers() { return session.numbers().data(); }
EMSCRIPTEN_KEEPALIVE int stiction_find_contacts() {
  return int(session.contacts().size()) / stiction::web::Session::contact_width;
}
EMSCRIPTEN_KEEPALIVE const double* stiction_contacts() { return session.contacts().data(); }
EMSCRIPTEN_KEEPALIVE int stiction_find_broken() { return int(session.broken().size()); }
EMSCRIPTEN_KEEPALIVE const double* stiction_broken() { return session.broken().data(); }
EMSCRIPTEN_KEEPALIVE int stiction_mesh_count() { return int(session.meshes().size()); }
EMSCRIPTEN_KEEPALIVE int stiction_mesh_size(int i) { return int(session.meshes()[std::size_t(i)].size()); }
EMSCRIPTEN_KEEPALIVE const float* stiction_mesh(int i) { return session.meshes()[std::size_t(i)].data(); }

}  // extern "C"
