// Files for a browser on the same machine, and for nobody else: HTTP on the loopback address.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "stiction/base/result.h"

namespace stiction::cli {

struct WebFiles {
  std::string folder;                          // what it serves
  std::map<std::string, std::string> extra{};  // "/given/recording.h5" -> a file elsewhere
  std::map<std::string, std::string> texts{};  // "/given/scene.json" -> what is sent for it, from memory
};

/// Whether the host that a request names is this machine at this port; of port 80 browsers do not say it.
bool names_this_machine(std::string_view host, int port);

/// The file that a request's target ("/scenes/first.json?x") means; empty if there is none, or if it would
/// leave the folder: by "..", by an absolute path, by a link.
std::string file_of_target(const WebFiles& files, std::string_view target);

class WebServer {
 public:
  /// Listens on 127.0.0.1; port 0 = any free one.
  static Result<WebServer> open(int port);
  WebServer(WebServer&& other) noexcept;
  ~WebServer();
  WebServer& operator=(WebServer&&) = delete;

  int port() const { return port_; }
  /// Answers GET and HEAD, parts of files too ("Range"), until the process ends. Requests that name another
  /// host than this machine are refused: a page from elsewhere must not read the files. Who takes more than
  /// 10 s for its request, or more than 16 kB, is told so; who takes nothing of the answer for 10 s is hung
  /// up on.
  [[noreturn]] void serve(const WebFiles& files) const;

 private:
  WebServer(int listener, int port) : listener_(listener), port_(port) {}
  int listener_ = -1;
  int port_ = 0;
};

}  // namespace stiction::cli
