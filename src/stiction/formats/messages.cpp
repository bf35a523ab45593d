#include "stiction/formats/messages.h"

#include <algorithm>
#include <tuple>

namespace stiction::formats {

int Messages::add_file(std::string name) {
  files_.push_back(std::move(name));
  return int(files_.size()) - 1;
}

void Messages::add(const Place& place, const std::string& path, const std::string& message, Effect effect) {
  paths_.insert(path);
  if (effect == Effect::spoils_parent) {
    for (std::size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0;
         dot = path.rfind('.', dot - 1)) {
      if (!parents_.insert(path.substr(0, dot)).second) break;
    }
  }
  const std::string key = std::to_string(place.file) + ":" + std::to_string(place.line) + ":" +
                          std::to_string(place.column) + ":" + message;
  if (!seen_.insert(key).second) return;
  mistakes_.push_back({place, {file(place.file), place.line, place.column, path, message}});
}

bool Messages::covers(const std::string& path) const {
  if (parents_.contains(path)) return true;
  for (std::size_t end = path.size(); end != std::string::npos && end > 0; end = path.rfind('.', end - 1)) {
    if (paths_.contains(path.substr(0, end))) return true;
  }
  return false;
}

std::vector<Mistake> Messages::sorted() const {
  std::vector<Entry> entries = mistakes_;
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.place.file, a.place.line, a.place.column) <
           std::tie(b.place.file, b.place.line, b.place.column);
  });
  std::vector<Mistake> out;
  out.reserve(entries.size());
  for (Entry& e : entries) out.push_back(std::move(e.mistake));
  return out;
}

std::string joined(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}
std::string joined(const std::string& path, std::size_t index) { return joined(path, std::to_string(index)); }

}  // namespace stiction::formats
