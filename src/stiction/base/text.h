// Words and numbers for messages and files.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stiction {

/// The fewest digits that read back as the same double, the same on every machine: "0.1", "1e-08", "-3".
std::string number_text(double x);

/// Reads all of `text` as a double, correctly rounded, whatever the locale; false when it is not a number or
/// does not fit.
bool number_from_text(std::string_view text, double& out);

/// Number of single-character insertions, deletions, replacements and swaps of neighbours from a to b,
/// small and capital letters counting as equal.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, the first of equals; empty when none is near enough to be meant.
std::string nearest_word(std::string_view word, std::span<const std::string> candidates);

/// `; did you mean "friction"?`, or nothing when no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// `unknown word "newtn", allowed: auto, newton or nsgs; did you mean "newton"?`
std::string unknown_word(std::string_view word, std::span<const std::string> allowed);

/// "a, b or c"; long lists are cut after `most` entries.
std::string word_list(std::span<const std::string> words, std::size_t most = 12);

}  // namespace stiction
