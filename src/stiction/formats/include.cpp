#include "stiction/formats/include.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "stiction/base/platform/file.h"
#include "stiction/formats/grammar.h"

namespace stiction::formats {
namespace {

std::string normal_form(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().generic_string();
}
std::string beside(const std::string& path, const std::string& other) {
  return (std::filesystem::path(path).parent_path() / other).lexically_normal().generic_string();
}

class Includer {
 public:
  explicit Includer(Messages& messages) : messages_(messages) {}

  void run(Json& tree, const std::string& path) {
    open_.push_back(normal_form(path));
    const Json* list = tree.find("include");
    if (list != nullptr) {
      check_value(*list, *scene_section().find("include"), "include", messages_);
      Json merged = Json::map(tree.place);
      for (std::size_t i = 0; list->is(Kind::list) && i < list->items.size(); ++i) {
        if (list->items[i].is(Kind::text)) include(list->items[i], joined("include", i), path, merged);
      }
      tree.remove("include");
      merge(merged, std::move(tree));
      tree = std::move(merged);
    }
    open_.pop_back();
  }

 private:
  void include(const Json& name, const std::string& where, const std::string& path, Json& merged) {
    const std::string other = beside(path, name.text);
    if (std::find(open_.begin(), open_.end(), other) != open_.end()) {
      messages_.add(name.place, where, "\"" + name.text + "\" includes itself, directly or through others");
      return;
    }
    if (!done_.insert(other).second) return;
    const Result<std::string> text = read_file(other, longest_scene);
    if (!text) {
      messages_.add(name.place, where,
                    "cannot include \"" + name.text + "\": " + text.mistakes().front().message);
      return;
    }
    const std::size_t before = messages_.size();
    Json tree = parse_json(text.value(), messages_.add_file(other), messages_);
    if (messages_.size() != before) return;
    if (!tree.is(Kind::map)) {
      messages_.add(tree.place, "", "found " + describe(tree) + ", a scene file is a map {...}");
      return;
    }
    const Rule& version = *scene_section().find("stiction");
    if (const Json* given = tree.find("stiction")) {
      check_value(*given, version, "stiction", messages_);
    } else {
      messages_.add(tree.place, "", std::string("the key `stiction` is missing: ") + version.doc);
    }
    run(tree, other);
    tree.remove("stiction");
    tree.remove("title");
    merge(merged, std::move(tree));
  }

  void merge(Json& into, Json from) {
    for (std::size_t i = 0; i < from.items.size(); ++i) {
      Key& key = from.keys[i];
      Json& value = from.items[i];
      Json* old = into.find(key.name);
      if (old == nullptr) {
        into.add(std::move(key), std::move(value));
      } else if (old->is(Kind::map) && value.is(Kind::map) && !key.name.starts_with("$")) {
        unite(*old, std::move(value), key.name);
      } else if (old->is(Kind::list) && value.is(Kind::list) && key.name == "surface_pairs") {
        for (Json& item : value.items) old->items.push_back(std::move(item));
      } else {
        twice(key, key.name, into.keys[std::size_t(old - into.items.data())].place);
      }
    }
  }

  void unite(Json& into, Json from, const std::string& path) {
    for (std::size_t i = 0; i < from.items.size(); ++i) {
      if (const Json* old = into.find(from.keys[i].name)) {
        twice(from.keys[i], joined(path, from.keys[i].name),
              into.keys[std::size_t(old - into.items.data())].place);
      } else {
        into.add(std::move(from.keys[i]), std::move(from.items[i]));
      }
    }
  }

  void twice(const Key& key, const std::string& path, const Place& first) {
    messages_.add(key.place, path,
                  "\"" + key.name + "\" is already given at " + messages_.file(first.file) + ":" +
                      std::to_string(first.line) + ":" + std::to_string(first.column) + "; keep one of them");
  }

  Messages& messages_;
  std::vector<std::string> open_{};  // the files being included, outermost first
  std::set<std::string> done_{};
};

}  // namespace

void include_files(Json& tree, const std::string& path, Messages& messages) {
  Includer(messages).run(tree, path);
}

}  // namespace stiction::formats
