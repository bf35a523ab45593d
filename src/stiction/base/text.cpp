#include "stiction/base/text.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <vector>

#include "stiction/base/detail/portable_numbers.h"

namespace stiction {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

}  // namespace

#ifdef __cpp_lib_to_chars

std::string number_text(double x) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x);
  return std::string(buffer, end.ptr);
}

bool number_from_text(std::string_view text, double& out) {
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, out);
  return result.ec == std::errc{} && result.ptr == end;
}

#else

std::string number_text(double x) { return detail::portable_number_text(x); }
bool number_from_text(std::string_view text, double& out) {
  return detail::portable_number_from_text(text, out);
}

#endif

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), last(n + 1), row(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = int(i);
    for (std::size_t j = 1; j <= n; ++j) {
      const char p = lower(a[i - 1]), q = lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (p == q ? 0 : 1)});
      if (i > 1 && j > 1 && p == lower(b[j - 2]) && lower(a[i - 2]) == q) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[n];
}

std::string nearest_word(std::string_view word, std::span<const std::string> candidates) {
  int best = int(std::max<std::size_t>(2, word.size() / 2)) + 1;  // farther than this is another word
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter >= std::size_t(best)) continue;  // a lower bound of the distance
    const int distance = edit_distance(word, candidate);
    if (distance < best && std::size_t(distance) < longer) best = distance, nearest = candidate;
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?";
}

std::string unknown_word(std::string_view word, std::span<const std::string> allowed) {
  return "unknown word \"" + std::string(word) + "\", allowed: " + word_list(allowed) +
         did_you_mean(word, allowed);
}

std::string word_list(std::span<const std::string> words, std::size_t most) {
  std::string out;
  const std::size_t shown = std::min(words.size(), most);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += shown == words.size() && i + 1 == shown ? " or " : ", ";
    out += words[i];
  }
  if (shown < words.size()) out += ", ... (" + std::to_string(words.size()) + " in all)";
  return out;
}

}  // namespace stiction
