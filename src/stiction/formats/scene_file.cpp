// The stages of reading a scene, each working on the tree the one before left:
// parse -> include -> overrides -> expand -> check against the table -> bind -> validate.
#include "stiction/formats/scene_file.h"

#include <charconv>

#include "stiction/base/platform/file.h"
#include "stiction/formats/bind.h"
#include "stiction/formats/expand.h"
#include "stiction/formats/grammar.h"
#include "stiction/formats/include.h"
#include "stiction/formats/mesh_file.h"
#include "stiction/formats/override.h"

namespace stiction {
namespace formats {
namespace {

/// The key of the map that `rest` starts with; names may hold dots, the longest wins. Null if there is none.
const Key* leading_key(const Json& map, std::string_view rest) {
  const Key* best = nullptr;
  for (const Key& key : map.keys) {
    const bool leads =
        rest.starts_with(key.name) && (rest.size() == key.name.size() || rest[key.name.size()] == '.');
    if (leads && (best == nullptr || key.name.size() > best->name.size())) best = &key;
  }
  return best;
}

/// The value at a path, or the one nearest to it on the way from the root.
const Json& deepest(const Json& tree, std::string_view path) {
  const Json* v = &tree;
  while (!path.empty()) {
    std::size_t used = 0;
    if (v->is(Kind::map)) {
      const Key* key = leading_key(*v, path);
      if (key == nullptr) break;
      used = key->name.size();
      v = v->find(key->name);
    } else if (v->is(Kind::list)) {
      std::size_t index = 0;
      const std::string_view part = path.substr(0, path.find('.'));
      const auto end = std::from_chars(part.data(), part.data() + part.size(), index);
      if (part.empty() || end.ptr != part.data() + part.size() || index >= v->items.size()) break;
      used = part.size();
      v = &v->items[index];
    } else {
      break;
    }
    path.remove_prefix(std::min(path.size(), used + 1));
  }
  return *v;
}

/// The same for what joints have: joints.J.KIND.position is initial.J.joint_position.
std::string joint_path(const std::string& entry, const std::string& name, const std::string& rest) {
  const std::size_t dot = rest.find('.');
  const std::string kind = rest.substr(0, dot), key = dot == std::string::npos ? "" : rest.substr(dot + 1);
  const std::string word = key.substr(0, key.find('.')), tail = key.substr(word.size());
  if (word == "position" || word == "velocity") return "initial." + name + ".joint_" + key;
  if (kind == "planar" && word == "axis") return entry + ".planar.normal" + tail;
  return entry + "." + rest;
}

/// Scene members that stand elsewhere in files: bodies.B.velocity is initial.B.velocity, position is `at`.
std::string file_path(const Json& tree, const std::string& path) {
  const std::size_t dot = path.find('.');
  const std::string list = path.substr(0, dot);
  const Json* map = tree.find(list);
  if (dot == std::string::npos || map == nullptr ||
      (list != "bodies" && list != "sensors" && list != "joints"))
    return path;
  const Key* name = leading_key(*map, std::string_view(path).substr(dot + 1));
  if (name == nullptr) return path;
  const std::string entry = list + "." + name->name;
  if (path.size() <= entry.size()) return path;
  const std::string rest = path.substr(entry.size() + 1);
  if (list == "joints") return joint_path(entry, name->name, rest);
  const std::string key = rest.substr(0, rest.find('.')), tail = rest.substr(key.size());
  if (list == "bodies" && (key == "velocity" || key == "spin")) return "initial." + name->name + "." + rest;
  if (list == "bodies" && (key == "position" || key == "orientation")) {
    const Json* initial = tree.find("initial");
    const Json* body = initial != nullptr ? initial->find(name->name) : nullptr;
    if (body != nullptr && body->find(key) != nullptr) return "initial." + name->name + "." + rest;
  }
  return key == "position" ? entry + ".at" + tail : path;
}

/// The scene as it is written, with what it includes; no map after mistakes that leave nothing to go on with.
Json read_tree(std::string_view text, const std::string& name, bool includes, Messages& messages) {
  Json tree = parse_json(text, messages.add_file(name), messages);
  if (!messages.empty()) return {};
  if (!tree.is(Kind::map)) {
    messages.add(tree.place, "", "found " + describe(tree) + ", a scene file is a map {...}");
    return {};
  }
  if (includes) {
    include_files(tree, name, messages);
  } else if (const Json* list = tree.find("include")) {
    messages.add(list->place, "include", "this scene is not in a file, so it cannot include files");
    tree.remove("include");
  }
  return tree;
}

Result<SceneFile> read(std::string_view text, const std::string& name, const Overrides& overrides,
                       bool includes) {
  Messages messages;
  Json tree = read_tree(text, name, includes, messages);
  if (!tree.is(Kind::map)) return messages.sorted();

  std::vector<Override> late;  // those that name entries which only the expansion makes
  for (const auto& [key, value] : overrides) {
    Override change = make_override(key, value, messages);
    if (!apply_override(tree, change)) late.push_back(std::move(change));
  }
  SceneFile out;
  for (std::size_t i = 0; i < tree.keys.size(); ++i)
    if (tree.keys[i].name.starts_with('$') && tree.items[i].is(Kind::number))
      out.constants.emplace_back(tree.keys[i].name, tree.items[i].number);
  Expander expander(tree, messages);
  Json expanded = expander.run();
  for (Override& change : late) {
    change.value = expander.value(change.value, change.path);
    const bool is_constant = change.path.starts_with("$");  // there are none any more
    if (is_constant || !apply_override(expanded, change))
      messages.add(change.place, change.path, change.trouble);
  }

  inline_meshes(expanded, includes, messages);
  check_section(expanded, scene_section(), "", messages);
  out.path = name, out.overrides = overrides;
  bind(expanded, out, messages);
  const std::vector<Mistake> of_scene = validate(out.scene), of_run = validate(out.run);
  report_semantics(expanded, of_scene, messages);
  report_semantics(expanded, of_run, messages);
  if (of_scene.empty() && of_run.empty())  // whether they fit together is asked of a scene that is right
    report_semantics(expanded, validate(out.scene, out.run), messages);
  if (!messages.empty()) return messages.sorted();
  out.text = write_json(expanded);
  return out;
}

/// The scene as it is written, with what other files hold in their place; empty if that cannot be had.
std::string with_files_in(std::string_view text, const std::string& path, const Overrides& overrides) {
  Messages messages;
  Json tree = read_tree(text, path, true, messages);
  for (const auto& [key, value] : overrides) {
    Override change = make_override(key, value, messages);
    if (!apply_override(tree, change)) return {};  // it names what only the expansion makes
  }
  inline_meshes(tree, true, messages);
  return messages.empty() ? write_json(tree) : std::string();
}

}  // namespace

void report_semantics(const Json& tree, const std::vector<Mistake>& mistakes, Messages& messages) {
  std::vector<std::pair<std::string, const Mistake*>> fresh;  // judged before any of them is added
  for (const Mistake& m : mistakes) {
    std::string path = file_path(tree, m.path);
    if (!messages.covers(path)) fresh.emplace_back(std::move(path), &m);
  }
  for (const auto& [path, m] : fresh) messages.add(deepest(tree, path).place, path, m->message);
}

}  // namespace formats

Result<SceneFile> read_scene_file(const std::string& path, const Overrides& overrides) {
  const Result<std::string> text = read_file(path, formats::longest_scene);
  if (!text) return text.mistakes();
  return formats::read(text.value(), path, overrides, true);
}

Result<SceneFile> read_scene_text(std::string_view text, const std::string& name,
                                  const Overrides& overrides) {
  return formats::read(text, name, overrides, false);
}

Result<std::string> self_contained_text(const std::string& path, const Overrides& overrides) {
  Result<std::string> text = read_file(path, formats::longest_scene);
  if (!text) return text.mistakes();
  const Result<SceneFile> scene = formats::read(text.value(), path, overrides, true);
  if (!scene) return scene.mistakes();
  if (overrides.empty() && read_scene_text(text.value(), path)) return text;
  std::string together = formats::with_files_in(text.value(), path, overrides);
  const Result<SceneFile> again = read_scene_text(together, path);
  return again && again.value().text == scene.value().text ? together : scene.value().text;
}

}  // namespace stiction
