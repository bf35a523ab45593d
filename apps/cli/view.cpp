// `stiction view`: the page in the browser of this machine, with a scene or a recording.
#include <spawn.h>

#include <cstdlib>
#include <filesystem>

#include "commands.h"
#include "scene_path.h"
#include "stiction/base/platform/file.h"
#include "web_server.h"

extern char** environ;

namespace stiction::cli {
namespace fs = std::filesystem;
namespace {

/// $STICTION_WEB, ../share/stiction/web beside the installed program, or build/web of the source tree.
std::string web_folder() {
  std::error_code error;
  if (const char* given = std::getenv("STICTION_WEB"); given && *given) return given;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return {};
  for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    for (const char* place : {"share/stiction/web", "build/web"})
      if (fs::is_regular_file(folder / place / "index.html", error)) return (folder / place).string();
  return {};
}

/// Where there is a screen and a program that opens addresses; it is not waited for.
bool open_browser(const std::string& address) {
  const auto given = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  if (!given("DISPLAY") && !given("WAYLAND_DISPLAY") && !given("BROWSER")) return false;
  const char* browser = given("BROWSER") ? std::getenv("BROWSER") : "xdg-open";
  std::string program = browser, argument = address;
  char* words[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  return posix_spawnp(&child, program.c_str(), nullptr, nullptr, words, environ) == 0;
}

bool is_recording(const std::string& word) { return word.ends_with(".h5") || word.ends_with(".hdf5"); }

}  // namespace

Status view(const ViewOptions& o) {
  WebFiles files{.folder = web_folder()};
  if (files.folder.empty())
    return reject(
        "view: the page is not built; ./stiction web builds it (or name its folder in STICTION_WEB)",
        o.output);
  std::string query;
  if (o.what.ends_with(".journal"))
    return reject(
        "view: the page reads HDF5; turn the journal into it first: stiction convert " + o.what + " run.h5",
        o.output);
  if (is_recording(o.what)) {
    if (!file_exists(o.what) || is_folder(o.what))
      return reject("view: there is no recording " + o.what, o.output);
    files.extra["/given/recording.h5"] = o.what, query = "?recording=given/recording.h5";
  } else if (!o.what.empty()) {
    const Result<std::string> path = find_scene(o.what);
    if (!path) return reject(path.mistakes(), o.output);
    Result<std::string> scene = self_contained_text(path.value());
    if (!scene) return reject(scene.mistakes(), o.output);
    files.texts["/given/scene.json"] = std::move(scene).value(), query = "?scene=given/scene.json";
  }
  Result<WebServer> server = WebServer::open(o.port);
  if (!server) return reject(server.mistakes(), o.output);
  const std::string address = "http://127.0.0.1:" + std::to_string(server.value().port()) + "/" + query;
  if (o.output.json)
    print_document({{"address", address}, {"folder", files.folder}});
  else
    print("{}", address);
  std::fflush(stdout);
  if (!o.no_browser && !open_browser(address)) say("open this address in a browser; Ctrl+C ends");
  server.value().serve(files);
}

}  // namespace stiction::cli
