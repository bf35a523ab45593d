// From the scene as written to the scene as meant: constants and expressions become numbers, `repeat` becomes
// many entries, "ball.*" in `initial` becomes one entry per body. The result is plain data.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>

#include "stiction/formats/grammar.h"
#include "stiction/formats/json.h"

namespace stiction::formats {

inline constexpr std::size_t most_entries = 100000;  // of all repeats together
inline constexpr std::size_t most_values = 3000000;  // of the expanded scene

class Expander {
 public:
  Expander(const Json& tree, Messages& messages);

  /// The expanded scene: no constants, no expressions, no repeat.
  Json run();
  /// One value outside of any repeat, for overrides of the expanded scene.
  Json value(const Json& v, const std::string& path) { return expand(v, {}, path); }
  /// The number of a constant (name without "$"); none after writing why into `message`, which stays empty
  /// where the mistake was reported at the constant itself.
  std::optional<double> number(std::string_view name, std::string& message) {
    return number_of(name, {}, message);
  }

 private:
  /// $i, $j, $k of the entry being made.
  struct Indices {
    std::array<double, 3> value{};
    std::size_t count = 0;
  };
  struct Constant {
    const Json* raw = nullptr;
    Place place{};
    Json value{};
    enum class State : unsigned char { fresh, open, done } state = State::fresh;
  };
  struct Entry {  // of a named map: what to make copies of, and where they go
    const Json* source = nullptr;
    const Key* key = nullptr;
    const Json* repeat = nullptr;
    std::string path{};
    bool moves = false;  // has an `at`
    std::map<std::string, Place>* seen = nullptr;
    Json* out = nullptr;
  };

  void collect_constants();
  const Json* constant(std::string_view name, std::string& message);
  bool index_of(std::string_view name, const Indices& indices, double& out) const;
  std::optional<double> number_of(std::string_view name, const Indices& indices, std::string& message);

  Json expand(const Json& v, const Indices& indices, const std::string& path);
  Json expand_text(const Json& v, const Indices& indices, const std::string& path);
  Json expand_names(const Json& v, const Indices& indices, const std::string& path);
  std::optional<double> arithmetic(const Json& v, std::size_t begin, std::size_t end, const Indices& indices,
                                   const std::string& path);
  void tabulate(Json& field, const Indices& indices, const std::string& path);
  Json fail(const Json& v, const std::string& path, const std::string& message, std::size_t offset = 0);

  Json too_many();

  Json expand_named(const Json& map, const std::string& list);
  void repeat_level(const Entry& entry, const std::vector<const Json*>& counts, Indices indices);
  std::size_t count_of(const Entry& entry, const Json& count, const Indices& indices);
  void make_entry(const Entry& entry, const Indices& indices);
  void shift(const Entry& entry, Json& value, const Indices& indices);
  bool offsets(const Entry& entry, const Indices& indices, std::array<double, 3>& out);
  Json expand_initial(const Json& map);

  const Json& tree_;
  Messages& messages_;
  std::map<std::string, Constant, std::less<>> constants_{};
  std::map<std::string, Indices> body_indices_{}, joint_indices_{};
  std::vector<std::string> body_names_{}, joint_names_{};
  std::size_t entries_ = 0, values_ = 0;
};

}  // namespace stiction::formats
