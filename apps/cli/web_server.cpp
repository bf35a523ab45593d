#include "web_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "stiction/base/platform/file.h"

namespace stiction::cli {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view empty_line = "\r\n\r\n";  // ends the head of a request
constexpr std::size_t longest_request = 16384;       // [bytes] of its head
constexpr std::size_t piece = 1 << 18;               // [bytes] read and sent at once
constexpr int most_connections = 64;
constexpr std::chrono::seconds patience{
    10};  // for the whole head of a request; for a browser that takes nothing
constexpr std::chrono::seconds farewell{2};      // for what it still sends after its answer
constexpr std::chrono::milliseconds breath{50};  // before the next try, when the system has no sockets left

const char* type_of(const std::string& path) {
  static const std::pair<const char*, const char*> types[] = {{".html", "text/html; charset=utf-8"},
                                                              {".js", "text/javascript"},
                                                              {".css", "text/css"},
                                                              {".json", "application/json"},
                                                              {".wasm", "application/wasm"},
                                                              {".svg", "image/svg+xml"},
                                                              {".webp", "image/webp"},
                                                              {".png", "image/png"}};
  for (const auto& [ending, type] : types)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}
/// %20 and the like; nothing where a code is broken or means a zero.
std::optional<std::string> decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1,
              low = high < 0 ? -1 : hex_digit(text[i + 2]);
    if (low < 0 || high * 16 + low == 0) return {};
    out += char(high * 16 + low), i += 2;
  }
  return out;
}
/// The path in a request's target, without what follows "?" or "#".
std::optional<std::string> path_in(std::string_view target) {
  return decoded(target.substr(0, target.find_first_of("?#")));
}

struct Request {
  std::string_view method, target;
  std::string host, range;
  int hosts = 0;  // lines that name one
};
std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}
Request parse(std::string_view head) {
  Request out;
  bool first = true;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find("\r\n"), head.size());
    std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    if (std::exchange(first, false)) {
      out.method = take_word(line), out.target = take_word(line);
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string key(line.substr(0, colon)), value(line.substr(colon + 1));
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    value.erase(0, value.find_first_not_of(" \t"));
    value.erase(value.find_last_not_of(" \t") + 1);
    if (key == "host") out.host = value, ++out.hosts;
    if (key == "range") out.range = value;
  }
  return out;
}

/// "http://host/path", as proxies are asked: then this host counts, whatever the line "Host" says.
void take_host_of_target(Request& request) {
  constexpr std::string_view scheme = "http://";
  if (!request.target.starts_with(scheme)) return;
  request.target.remove_prefix(scheme.size());
  const std::size_t path = std::min(request.target.find('/'), request.target.size());
  request.host = request.target.substr(0, path);
  request.target.remove_prefix(path);
  if (request.target.empty()) request.target = "/";
}

/// Digits and nothing else; what is too large is the largest there is.
std::optional<std::uint64_t> whole_number(std::string_view digits) {
  std::uint64_t number = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, number);
  if (error == std::errc::invalid_argument || end != last) return {};
  return error == std::errc{} ? number : std::numeric_limits<std::uint64_t>::max();
}

enum class Range { whole, part, absent };
/// "bytes=100-199", "bytes=100-", "bytes=-500" (the last 500). Anything else means the whole file; so does
/// any range of an empty one.
Range read_range(std::string_view range, std::uint64_t size, std::uint64_t& begin, std::uint64_t& end) {
  const std::size_t dash = range.find('-');
  if (!range.starts_with("bytes=") || dash == std::string_view::npos || size == 0) return Range::whole;
  const std::string_view first = range.substr(6, dash - 6), last = range.substr(dash + 1);
  const std::optional<std::uint64_t> from = whole_number(first), to = whole_number(last);
  if (first.empty() && to) {
    if (*to == 0) return Range::absent;
    begin = size - std::min(*to, size);
    return Range::part;
  }
  if (!from || (!to && !last.empty()) || (to && *to < *from)) return Range::whole;
  if (*from >= size) return Range::absent;
  begin = *from;
  if (to) end = std::min(*to, size - 1) + 1;
  return Range::part;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes.remove_prefix(std::size_t(sent));
  }
  return true;
}
/// `more`: lines of the head besides.
void send_status(int socket, const Request& request, const std::string& status,
                 const std::string& more = {}) {
  const std::string text = status + "\n";
  send_all(socket, "HTTP/1.1 " + status +
                       "\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(text.size()) +
                       "\r\n" + more + "Connection: close\r\n\r\n" + (request.method == "HEAD" ? "" : text));
}

/// The head, and of `size` bytes those that are asked for: `read(offset, buffer, count)` says how many it
/// got.
template <class Read>
void send_content(int socket, const std::string& path, std::uint64_t size, const Request& request,
                  const Read& read) {
  std::uint64_t begin = 0, end = size;
  const Range range = request.method == "GET" ? read_range(request.range, size, begin, end) : Range::whole;
  if (range == Range::absent)
    return send_status(socket, request, "416 Range Not Satisfiable",
                       "Content-Range: bytes */" + std::to_string(size) + "\r\n");
  const bool part = range == Range::part;
  std::string head = part ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n";
  if (part)
    head += "Content-Range: bytes " + std::to_string(begin) + "-" + std::to_string(end - 1) + "/" +
            std::to_string(size) + "\r\n";
  head += std::string("Content-Type: ") + type_of(path) +
          "\r\nContent-Length: " + std::to_string(end - begin) +
          "\r\nAccept-Ranges: bytes\r\nCache-Control: no-cache\r\nX-Content-Type-Options: "
          "nosniff\r\nConnection: close\r\n\r\n";
  if (!send_all(socket, head) || request.method == "HEAD") return;
  std::string buffer(std::size_t(std::min<std::uint64_t>(piece, end - begin)), '\0');
  while (begin < end) {
    const auto count = std::size_t(std::min<std::uint64_t>(buffer.size(), end - begin));
    const std::size_t got = read(begin, buffer.data(), count);
    if (got == 0 || !send_all(socket, {buffer.data(), got})) return;
    begin += got;
  }
}

void send_file(int socket, const std::string& path, const Request& request) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return send_status(socket, request, "404 Not Found");
  send_content(socket, path, file.value().size(), request,
               [&](std::uint64_t at, char* to, std::size_t count) {
                 const Result<std::size_t> got = file.value().read(at, to, count);
                 return got ? got.value() : 0;
               });
}

void send_text(int socket, const std::string& path, const std::string& text, const Request& request) {
  send_content(socket, path, text.size(), request, [&](std::uint64_t at, char* to, std::size_t count) {
    return text.copy(to, count, std::size_t(at));
  });
}

enum class Arrived { bytes, end, nothing };
/// Waits until the deadline for what comes next, and appends it.
Arrived receive(int socket, Clock::time_point deadline, std::string& to) {
  char buffer[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Arrived::nothing;
    pollfd ready{socket, POLLIN, 0};
    if (::poll(&ready, 1, int(left)) <= 0) continue;
    const ssize_t got = ::recv(socket, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return Arrived::end;
    to.append(buffer, std::size_t(got));
    return Arrived::bytes;
  }
}

enum class Head { whole, too_long, too_slow, none };
/// Up to the empty line, without it and what is behind it. None from who asks nothing: browsers open
/// connections in advance.
Head receive_head(int socket, std::string& head) {
  const Clock::time_point deadline = Clock::now() + patience;
  for (;;) {
    const std::size_t end = head.find(empty_line);
    const std::size_t least =
        end != std::string::npos ? end : head.size() - std::min(head.size(), empty_line.size() - 1);
    if (least > longest_request) return Head::too_long;
    if (end != std::string::npos) {
      head.resize(end);
      return Head::whole;
    }
    const Arrived arrived = receive(socket, deadline, head);
    if (arrived == Arrived::nothing && !head.empty()) return Head::too_slow;
    if (arrived != Arrived::bytes) return Head::none;
  }
}

void answer(int socket, int port, const WebFiles& files) {
  std::string head;
  const Head received = receive_head(socket, head);
  if (received == Head::none) return;
  if (received == Head::too_long) return send_status(socket, {}, "431 Request Header Fields Too Large");
  if (received == Head::too_slow) return send_status(socket, {}, "408 Request Timeout");
  Request request = parse(head);
  if (request.hosts > 1) return send_status(socket, request, "400 Bad Request");
  take_host_of_target(request);
  if (!names_this_machine(request.host, port)) return send_status(socket, request, "403 Forbidden");
  if (request.method != "GET" && request.method != "HEAD")
    return send_status(socket, request, "405 Method Not Allowed", "Allow: GET, HEAD\r\n");
  if (const std::optional<std::string> path = path_in(request.target); path)
    if (const auto text = files.texts.find(*path); text != files.texts.end())
      return send_text(socket, *path, text->second, request);
  const std::string path = file_of_target(files, request.target);
  if (path.empty()) return send_status(socket, request, "404 Not Found");
  send_file(socket, path, request);
}

/// Says that nothing more comes, and lets the other side finish: a socket that is closed over bytes nobody
/// read takes back the answer.
void hang_up(int socket) {
  const Clock::time_point deadline = Clock::now() + farewell;
  ::shutdown(socket, SHUT_WR);
  std::string rest;
  while (receive(socket, deadline, rest) == Arrived::bytes) rest.clear();
  ::close(socket);
}

}  // namespace

bool names_this_machine(std::string_view host, int port) {
  const std::string own = ":" + std::to_string(port);
  if (host.ends_with(own))
    host.remove_suffix(own.size());
  else if (port != 80)
    return false;
  return host == "127.0.0.1" || host == "localhost";
}

std::string file_of_target(const WebFiles& files, std::string_view target) {
  const std::optional<std::string> path = path_in(target);
  if (!path || path->empty() || path->front() != '/' || path->find('\\') != std::string::npos) return {};
  if (const auto extra = files.extra.find(*path); extra != files.extra.end()) return extra->second;
  const fs::path relative = path->substr(1);
  if (relative.is_absolute()) return {};
  for (const fs::path& name : relative)
    if (name == ".." || name == ".") return {};
  std::error_code error;
  const fs::path root = fs::canonical(files.folder, error);
  if (error) return {};
  fs::path file = fs::canonical(root / relative, error);
  if (!error && fs::is_directory(file, error)) file = fs::canonical(file / "index.html", error);
  if (error || !fs::is_regular_file(file, error)) return {};
  const auto [end, inside] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  return end == root.end() && inside != file.end() ? file.string() : std::string();
}

Result<WebServer> WebServer::open(int port) {
  const auto wrong = [](const std::string& what) {
    return Mistake{{}, 0, 0, {}, "cannot listen on 127.0.0.1: " + what + ": " + std::strerror(errno)};
  };
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return wrong("socket");
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(std::uint16_t(port));
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener, any, size) != 0 || ::listen(listener, most_connections) != 0 ||
      ::getsockname(listener, any, &size) != 0) {
    Mistake mistake = wrong("port " + std::to_string(port));
    if (port != 0) mistake.message += "; name another with --port, or none for any free one";
    ::close(listener);
    return mistake;
  }
  return WebServer(listener, ntohs(address.sin_port));
}

WebServer::WebServer(WebServer&& other) noexcept
    : listener_(std::exchange(other.listener_, -1)), port_(other.port_) {}
WebServer::~WebServer() {
  if (listener_ >= 0) ::close(listener_);
}

void WebServer::serve(const WebFiles& files) const {
  static std::atomic<int> connections{0};
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno != EINTR && errno != ECONNABORTED) std::this_thread::sleep_for(breath);
      continue;
    }
    if (connections.load() >= most_connections) {
      ::close(socket);
      continue;
    }
    const timeval limit{patience.count(), 0};
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    ++connections;
    try {
      std::thread([socket, port = port_, &files] {
        answer(socket, port, files);
        hang_up(socket);
        --connections;
      }).detach();
    } catch (const std::system_error&) {  // no threads left: the browser asks again
      ::close(socket);
      --connections;
    }
  }
}

}  // namespace stiction::cli
