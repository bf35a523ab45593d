// Where things stand in the files of a scene, and the list of all mistakes found in them.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/base/result.h"

namespace stiction::formats {

/// A place in one of the files. Line 0: the value came from somewhere without lines (an override).
struct Place {
  int file = 0;    // index in Messages
  int line = 0;    // [-] 1-based
  int column = 0;  // [-] 1-based, in characters
};

class Messages {
 public:
  /// Registers a file by the name the user knows it by.
  int add_file(std::string name);
  const std::string& file(int index) const { return files_[std::size_t(index)]; }

  /// Whether the value that holds the place of the mistake can still be judged as a whole.
  enum class Effect : unsigned char {
    spoils_parent,  // e.g. a density that is a text: "needs a density" would be noise
    local,          // e.g. an unknown key that resembles nothing
  };
  /// The same message at the same place counts once, whichever copy of a repeated entry it comes from.
  void add(const Place& place, const std::string& path, const std::string& message,
           Effect effect = Effect::spoils_parent);

  /// Whether an earlier mistake already covers this path: itself, a part of it, or what it is a part of.
  bool covers(const std::string& path) const;

  bool empty() const { return mistakes_.empty(); }
  std::size_t size() const { return mistakes_.size(); }
  /// In the order of files, lines, columns.
  std::vector<Mistake> sorted() const;

 private:
  struct Entry {
    Place place;
    Mistake mistake;
  };
  std::vector<std::string> files_;
  std::vector<Entry> mistakes_;
  std::set<std::string> seen_;
  std::set<std::string> paths_;    // of mistakes
  std::set<std::string> parents_;  // every path above a mistake that spoils
};

/// "a" + "b" = "a.b"; nothing + "b" = "b".
std::string joined(const std::string& path, std::string_view key);
std::string joined(const std::string& path, std::size_t index);

}  // namespace stiction::formats
