// `repeat` and the entries of `initial`.
// An entry with "repeat": {"count": [n0, n1, n2], "offset": [o0, o1, o2]} becomes NAME.i.j.k for 0 <= i < n0,
// 0 <= j < n1(i), 0 <= k < n2(i, j), with `at` shifted by i o0 + j o1 + k o2.
#include <algorithm>
#include <cmath>

#include "stiction/base/text.h"
#include "stiction/formats/expand.h"

namespace stiction::formats {
namespace {

bool is_vector(const Json& v) {
  return v.is(Kind::list) && v.items.size() == 3 &&
         std::all_of(v.items.begin(), v.items.end(), [](const Json& x) { return x.is(Kind::number); });
}

void add_to(Json& vector, const std::array<double, 3>& shift) {
  if (!is_vector(vector)) return;  // the check of the expanded scene says what is wrong
  for (std::size_t i = 0; i < 3; ++i) vector.items[i].number += shift[i];
}

const Section& repeat_section() { return *scene_section().find("bodies")->section->find("repeat")->section; }

}  // namespace

Json Expander::expand_named(const Json& map, const std::string& list) {
  if (!map.is(Kind::map)) return expand(map, {}, list);
  Json out = Json::map(map.place);
  std::map<std::string, Place> seen;
  for (std::size_t i = 0; i < map.items.size(); ++i) {
    Entry entry{&map.items[i],
                &map.keys[i],
                nullptr,
                joined(list, map.keys[i].name),
                list == "bodies" || list == "sensors",
                &seen,
                &out};
    entry.repeat = entry.source->is(Kind::map) ? entry.source->find("repeat") : nullptr;
    if (entry.repeat == nullptr) {
      make_entry(entry, {});
      continue;
    }
    const std::string path = joined(entry.path, "repeat");
    if (!entry.repeat->is(Kind::map)) {
      fail(*entry.repeat, path,
           "found " + describe(*entry.repeat) + ", must be a map with the keys count, offset");
      continue;
    }
    check_keys(*entry.repeat, repeat_section(), path, messages_);
    const Json* offset = entry.repeat->find("offset");
    if (offset != nullptr && !entry.moves) {
      fail(*offset, joined(path, "offset"),
           "there is nothing to shift here: only bodies and sensors have a place");
    }
    const Json* count = entry.repeat->find("count");
    if (count == nullptr) {
      fail(*entry.repeat, path, "the key `count` is missing: how many to make");
      continue;
    }
    Json expanded;  // a constant may hold the whole list
    if (count->is(Kind::text)) {
      expanded = expand(*count, {}, joined(path, "count"));
      count = &expanded;
    }
    std::vector<const Json*> counts;
    if (count->is(Kind::list)) {
      for (const Json& item : count->items) counts.push_back(&item);
    } else {
      counts.push_back(count);
    }
    if (counts.empty() || counts.size() > 3) {
      fail(*count, joined(path, "count"),
           "found " + describe(*count) + ", must be a number or one to three of them");
      continue;
    }
    repeat_level(entry, counts, {});
  }
  return out;
}

void Expander::repeat_level(const Entry& entry, const std::vector<const Json*>& counts, Indices indices) {
  if (indices.count == counts.size()) {
    if (++entries_ > most_entries) {
      fail(*entry.repeat, joined(entry.path, "repeat"),
           "the scene's repeats make more than " + std::to_string(most_entries) + " entries");
      return;
    }
    make_entry(entry, indices);
    return;
  }
  const std::size_t level = indices.count;
  const std::size_t n = count_of(entry, *counts[level], indices);
  ++indices.count;
  for (std::size_t i = 0; i < n && entries_ <= most_entries; ++i) {
    indices.value[level] = double(i);
    repeat_level(entry, counts, indices);
  }
}

/// One where the count cannot be read, so that the rest of the entry is looked at all the same.
std::size_t Expander::count_of(const Entry& entry, const Json& count, const Indices& indices) {
  const std::string path = joined(joined(entry.path, "repeat"), "count");
  const Json n = expand(count, indices, path);
  if (n.is(Kind::broken)) return 1;
  if (n.is(Kind::number) && n.number >= 0 && n.number == std::floor(n.number) &&
      n.number <= double(most_entries)) {
    return std::size_t(n.number);
  }
  fail(n, path,
       "found " + describe(n) + ", must be a whole number from 0 to " + std::to_string(most_entries));
  return 1;
}

void Expander::make_entry(const Entry& entry, const Indices& indices) {
  Key key = *entry.key;
  std::string path = entry.path;
  for (std::size_t i = 0; i < indices.count; ++i) {
    const std::string suffix = "." + std::to_string(std::size_t(indices.value[i]));
    key.name += suffix, path += suffix;
  }
  const auto [first, is_new] = entry.seen->emplace(key.name, key.place);
  if (!is_new) {
    messages_.add(
        key.place, path,
        "the name \"" + key.name + "\" is used twice, first at line " + std::to_string(first->second.line));
    return;
  }
  Json value;
  if (entry.source->is(Kind::map)) {
    value = Json::map(entry.source->place);
    for (std::size_t i = 0; i < entry.source->items.size(); ++i) {
      const Key& inner = entry.source->keys[i];
      if (inner.name != "repeat")
        value.add(inner, expand(entry.source->items[i], indices, joined(path, inner.name)));
    }
  } else {
    value = expand(*entry.source, indices, path);
  }
  if (entry.repeat != nullptr && entry.moves && value.is(Kind::map)) shift(entry, value, indices);
  if (entry.path.starts_with("bodies.")) {
    body_indices_[key.name] = indices;
    body_names_.push_back(key.name);
  }
  if (entry.path.starts_with("joints.")) {
    joint_indices_[key.name] = indices;
    joint_names_.push_back(key.name);
  }
  entry.out->add(std::move(key), std::move(value));
}

/// The sum of index times offset; false when there is none.
bool Expander::offsets(const Entry& entry, const Indices& indices, std::array<double, 3>& out) {
  const Json* given = entry.repeat->find("offset");
  if (given == nullptr) return false;
  const std::string path = joined(joined(entry.path, "repeat"), "offset");
  const Json offset = expand(*given, indices, path);
  if (offset.is(Kind::broken)) return false;
  const bool single = is_vector(offset);
  const std::size_t found = single ? 1 : offset.is(Kind::list) ? offset.items.size() : 0;
  bool fine = found == indices.count;
  for (std::size_t i = 0; i < found && !single; ++i) {
    if (offset.items[i].is(Kind::broken)) return false;
    for (const Json& x : offset.items[i].items) {
      if (x.is(Kind::broken)) return false;
    }
    fine = fine && is_vector(offset.items[i]);
  }
  if (!fine) {
    const std::string wanted = indices.count == 1 ? "a vector [x, y, z]"
                                                  : "a list of " + std::to_string(indices.count) +
                                                        " vectors [x, y, z], one for each count";
    fail(offset, path, "found " + describe(offset) + ", must be " + wanted + " [m]");
    return false;
  }
  for (std::size_t level = 0; level < indices.count; ++level) {
    const Json& vector = single ? offset : offset.items[level];
    for (std::size_t i = 0; i < 3; ++i) out[i] += indices.value[level] * vector.items[i].number;
  }
  return true;
}

void Expander::shift(const Entry& entry, Json& value, const Indices& indices) {
  std::array<double, 3> by{};
  if (!offsets(entry, indices, by)) return;
  Json* motion = value.find("motion");
  Json* rows = motion != nullptr && motion->is(Kind::map) ? motion->find("position") : nullptr;
  if (rows != nullptr && rows->is(Kind::list)) {
    for (Json& row : rows->items) add_to(row, by);
  }
  if (Json* at = value.find("at")) {
    add_to(*at, by);
  } else if (rows == nullptr) {
    const Place place = entry.repeat->place;
    Json moved = Json::list(place);
    for (const double x : by) moved.items.push_back(Json::of(x, place));
    value.add({"at", place}, std::move(moved));
  }
}

/// "ball.*" stands for all bodies and joints whose names start with "ball."; what a longer name says wins,
/// key by key.
Json Expander::expand_initial(const Json& map) {
  if (!map.is(Kind::map)) return expand(map, {}, "initial");
  std::vector<std::size_t> order(map.items.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto is_pattern = [&](std::size_t i) { return map.keys[i].name.ends_with(".*"); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (is_pattern(a) != is_pattern(b)) return is_pattern(a);
    return is_pattern(a) && map.keys[a].name.size() < map.keys[b].name.size();
  });
  std::map<std::string, std::size_t> made;
  Json out = Json::map(map.place);
  const auto indices_of = [&](const std::string& name) {
    if (const auto body = body_indices_.find(name); body != body_indices_.end()) return body->second;
    const auto joint = joint_indices_.find(name);
    return joint == joint_indices_.end() ? Indices{} : joint->second;
  };
  const auto put = [&](const std::string& body, std::size_t i) {
    Json value = expand(map.items[i], indices_of(body), joined("initial", body));
    const auto [at, is_new] = made.emplace(body, out.items.size());
    if (is_new) {
      out.add({body, map.keys[i].place}, std::move(value));
      return;
    }
    Json& old = out.items[at->second];
    if (!old.is(Kind::map) || !value.is(Kind::map)) {
      if (old.is(Kind::map)) old = std::move(value);
      return;
    }
    for (std::size_t k = 0; k < value.items.size(); ++k) {
      if (Json* same = old.find(value.keys[k].name)) {
        *same = std::move(value.items[k]);
      } else {
        old.add(std::move(value.keys[k]), std::move(value.items[k]));
      }
    }
  };
  for (const std::size_t i : order) {
    const std::string& name = map.keys[i].name;
    if (!is_pattern(i)) {
      put(name, i);
      continue;
    }
    const std::string prefix = name.substr(0, name.size() - 1);
    bool any = false;
    for (const std::string& body : body_names_) {
      if (!body.starts_with(prefix)) continue;
      any = true;
      put(body, i);
    }
    for (const std::string& joint : joint_names_) {
      if (!joint.starts_with(prefix) || body_indices_.contains(joint)) continue;
      any = true;
      put(joint, i);
    }
    if (!any) {
      messages_.add(map.keys[i].place, joined("initial", name),
                    "there is no body or joint whose name starts with \"" + prefix + "\"" +
                        did_you_mean(prefix + "0", body_names_));
    }
  }
  return out;
}

}  // namespace stiction::formats
