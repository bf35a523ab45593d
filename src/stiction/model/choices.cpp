#include "stiction/model/choices.h"

#include <array>
#include <vector>

namespace stiction {

template <>
std::span<const std::string> words_of<Method>() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> out;
    for (const MethodTraits& t : method_traits()) out.emplace_back(t.word);
    return out;
  }();
  return words;
}

template <>
std::span<const std::string> words_of<SolverChoice>() {
  static const std::array<std::string, 3> words{"auto", "newton", "nsgs"};
  return words;
}

template <>
std::span<const std::string> words_of<Stabilisation>() {
  static const std::array<std::string, 4> words{"post", "baumgarte", "none", "anitescu_hart"};
  return words;
}

template <>
std::span<const std::string> words_of<Activation>() {
  static const std::array<std::string, 3> words{"checked", "predicted", "touching"};
  return words;
}

}  // namespace stiction
