#include "png.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <filesystem>
#include <vector>

#include "stiction/base/platform/file.h"

extern char** environ;

namespace stiction::cli {
namespace fs = std::filesystem;
namespace {

/// Runs a program of the PATH and waits for it; what it says goes nowhere. False: there is none, or it
/// failed.
bool run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {1, 2}) posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool started = posix_spawnp(&child, arguments[0], &quiet, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  return started && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_png(const std::string& path) {
  const Result<std::string> bytes = read_file(path);
  return bytes && bytes.value().starts_with("\x89PNG");
}

}  // namespace

Result<bool> write_png(const std::string& svg, const std::string& path, double width, double height) {
  const std::string source = path + ".part.svg", drawn = path + ".part.png";
  if (const auto written = write_file(source, svg); !written) return written.mistakes();
  const std::string wide = std::to_string(int(width)), tall = std::to_string(int(height));
  const std::string address = "file://" + fs::absolute(source).string();
  std::vector<std::vector<std::string>> programs{
      {"rsvg-convert", "-w", std::to_string(int(2 * width)), "-o", drawn, source}};
  for (const char* browser : {"chromium", "chromium-browser", "google-chrome"})
    programs.push_back({browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        "--force-device-scale-factor=2", "--window-size=" + wide + "," + tall,
                        "--screenshot=" + drawn, address});
  bool done = false;
  for (const auto& words : programs)
    if ((done = run_program(words) && is_png(drawn))) break;
  std::error_code error;
  fs::remove(source, error);
  if (done) fs::rename(drawn, path, error);
  if (done && !error) return true;
  fs::remove(drawn, error);
  return Mistake{
      path, 0, 0, "",
      done ? "cannot be written"
           : "no program here turns SVG into PNG; install one (Debian: librsvg2-bin, or chromium) or "
             "ask for a name that ends in .svg"};
}

Result<bool> write_picture(const std::string& svg, const std::string& path, double width, double height) {
  const std::string ending = fs::path(path).extension().string();
  if (ending != ".svg" && ending != ".png")
    return Mistake{path, 0, 0, "", "unknown kind of picture; the name must end in .svg or .png"};
  if (const std::string folder = fs::path(path).parent_path().string(); !folder.empty())
    if (const auto made = make_folders(folder); !made) return made.mistakes();
  return ending == ".png" ? write_png(svg, path, width, height) : write_file(path, svg);
}

}  // namespace stiction::cli
