// Checks of pages: markup that is well formed, and the data in them.
#pragma once

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace stiction {

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

/// Without what the browser does not read as markup.
inline std::string markup_only(std::string html) {
  for (const auto& [open, close] :
       {std::pair{"<script>", "</script>"}, {"<style>", "</style>"}, {"<!--", "-->"}})
    for (std::size_t at; (at = html.find(open)) != std::string::npos;) {
      const std::size_t end = html.find(close, at);
      if (end == std::string::npos) return "unclosed " + std::string(open);
      html.erase(at, end + std::string(close).size() - at);
    }
  return html;
}

/// Every tag is closed, in order; attributes are quoted; ids are unique and references find them.
inline std::string well_formed(const std::string& html) {
  static const std::set<std::string> alone{"meta", "!doctype", "br"};
  static const std::regex tag("<(/?)([!a-zA-Z0-9]+)((?:\\s+[a-zA-Z0-9:-]+=\"[^\"<>]*\")*|\\s+html)\\s*(/?)>");
  std::vector<std::string> open;
  std::size_t at = 0, found = 0;
  for (std::sregex_iterator it(html.begin(), html.end(), tag), end; it != end; ++it, ++found) {
    const std::string between = html.substr(at, std::size_t(it->position()) - at);
    if (between.find_first_of("<>") != std::string::npos) return "stray bracket: " + between.substr(0, 80);
    at = std::size_t(it->position() + it->length());
    const std::string name = (*it)[2];
    if (alone.count(name) || (*it)[4] == "/") continue;
    if ((*it)[1] != "/") {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "closes " + name + " but open is " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  if (!open.empty()) return "left open: " + open.back();
  if (html.find_first_of("<>", at) != std::string::npos) return "stray bracket at the end";
  std::set<std::string> ids;
  static const std::regex id(" id=\"([^\"]*)\""), use("url\\(#([^)]*)\\)");
  for (std::sregex_iterator it(html.begin(), html.end(), id), end; it != end; ++it)
    if (!ids.insert((*it)[1]).second) return "id twice: " + (*it)[1].str();
  for (std::sregex_iterator it(html.begin(), html.end(), use), end; it != end; ++it)
    if (!ids.count((*it)[1])) return "no such id: " + (*it)[1].str();
  return found > 0 ? "" : "no tags";
}

inline nlohmann::json data_of(const std::string& html) {
  const std::string open = "const report=";
  const std::size_t from = html.find(open) + open.size();
  return nlohmann::json::parse(html.substr(from, html.find(";\n", from) - from));
}

}  // namespace stiction
