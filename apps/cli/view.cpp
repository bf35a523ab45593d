// `stiction view`: the page in the browser of this machine, with a scene or a recording.
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "commands.h"
#include "scene_path.h"
#include "stiction/base/platform/file.h"
#include "stiction/record/hdf5.h"
#include "stiction/record/journal.h"
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

/// Up to the separator, which goes too.
std::string_view take_up_to(char separator, std::string_view& text) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}
bool is_program(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}
/// The words of a command, or of a path with spaces that is a program; what stands in quotes is one word, and
/// "%s" stands for the address, which else comes last.
std::vector<std::string> words_of(std::string_view command, const std::string& address) {
  if (is_program(std::string(command))) return {std::string(command), address};
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const std::size_t end = c == '\'' || c == '"' ? command.find(c, i + 1) : std::string_view::npos;
    if (end != std::string_view::npos) {
      words.back() += command.substr(i + 1, end - i - 1);
      i = end;
    } else if (c == ' ') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  std::erase(words, "");
  bool placed = false;
  for (std::string& word : words)
    if (const std::size_t at = word.find("%s"); at != std::string::npos)
      word.replace(at, 2, address), placed = true;
  if (!placed && !words.empty()) words.push_back(address);
  return words;
}
/// Whether there is such a program. It is not waited for, what it says is not heard, as our own output may be
/// a document, and what we are told is not for it.
bool start(std::vector<std::string> words) {
  if (words.empty()) return false;
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  for (const int stream : {0, 1, 2})
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const bool started =
      posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  return started;
}

/// Where there is a screen: the first that can be started of the commands that BROWSER names, with ":"
/// between them, or else xdg-open.
bool open_browser(const std::string& address) {
  const auto given = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  if (!given("DISPLAY") && !given("WAYLAND_DISPLAY") && !given("BROWSER")) return false;
  for (std::string_view browsers = given("BROWSER") ? std::getenv("BROWSER") : ""; !browsers.empty();)
    if (start(words_of(take_up_to(':', browsers), address))) return true;
  return start({"xdg-open", address});
}

/// Why the page cannot show a file that is no scene; none if it can.
std::optional<Mistake> not_a_recording_for_the_page(const std::string& path) {
  const auto wrong = [&](const std::string& what) { return Mistake{path, 0, 0, "", what}; };
  const std::string remedy = "; `stiction run SCENE` makes recordings, out/NAME/recording.h5";
  if (!file_exists(path)) return wrong("there is no such file" + remedy);
  if (path.ends_with(".journal") || is_journal(path))
    return wrong("this is the journal of a run, and the page reads HDF5: `stiction convert " + path +
                 " run.h5` makes it");
  if (const auto file = InputFile::open(path); !file) return file.mistakes().front();
  if (!is_hdf5(path)) return wrong("this is no HDF5 file, or its beginning is lost" + remedy);
  return cut_hdf5(path);
}

bool is_recording(const std::string& word) {
  return word.ends_with(".h5") || word.ends_with(".hdf5") || word.ends_with(".journal") || is_hdf5(word) ||
         is_journal(word);
}

/// Puts a scene or a recording among the files; what the page's address says of it.
Result<std::string> give(const std::string& what, WebFiles& files) {
  if (what.empty()) return std::string();
  if (is_recording(what)) {
    if (const auto wrong = not_a_recording_for_the_page(what)) return *wrong;
    files.extra["/given/recording.h5"] = what;
    return std::string("?recording=given/recording.h5");
  }
  const Result<std::string> path = find_scene(what);
  if (!path) return path.mistakes();
  Result<std::string> scene = self_contained_text(path.value());
  if (!scene) return scene.mistakes();
  files.texts["/given/scene.json"] = std::move(scene).value();
  return std::string("?scene=given/scene.json");
}

}  // namespace

Status view(const ViewOptions& o) {
  WebFiles files{.folder = web_folder()};
  const Result<std::string> query = give(o.what, files);
  if (!query) return reject(query.mistakes(), o.output);
  if (files.folder.empty())
    return reject(
        "view: the page is not built; ./stiction web builds it (or name its folder in STICTION_WEB)",
        o.output);
  if (!file_exists(join_path(files.folder, "index.html")))
    return reject("view: STICTION_WEB: there is no page (index.html) in " + files.folder +
                      "; ./stiction web builds it into build/web",
                  o.output);
  Result<WebServer> server = WebServer::open(o.port);
  if (!server) return reject(server.mistakes(), o.output);
  const std::string address =
      "http://127.0.0.1:" + std::to_string(server.value().port()) + "/" + query.value();
  if (o.output.json)
    print_document({{"address", address}, {"folder", files.folder}});
  else
    print("{}", address);
  flush_out();
  if (!o.no_browser && !open_browser(address)) say("open this address in a browser; Ctrl+C ends");
  server.value().serve(files);
}

}  // namespace stiction::cli
