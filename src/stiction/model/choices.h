// Settings of a run that are one of a few, and the word of each. Inside the engine they are values; words
// stand where users write or read: scene files, options, recordings, --json, messages, Python.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stiction/complementarity/solver_choice.h"
#include "stiction/model/methods.h"

namespace stiction {

using complementarity::SolverChoice;

/// How cline_pai keeps joints from drifting apart: docs/theory/integrators.md. Of stewart_trinkle,
/// anitescu_potra and moreau_jean, which take post or none: whether overlap that is left is removed.
enum class Stabilisation : unsigned char { post, baumgarte, none, anitescu_hart };

/// Contacts of anitescu_potra. touching: closed at the start of a step; predicted: closed at the end with the
/// velocities of the start; checked: those of predicted, all but closed at the start (100 times the gap of
/// closed), and those that its solution violates.
enum class Activation : unsigned char { checked, predicted, touching };

/// All words of one kind of choice, in the order of its values.
template <class Choice>
std::span<const std::string> words_of() = delete;
template <>
std::span<const std::string> words_of<Method>();  // from the table of methods.h
template <>
std::span<const std::string> words_of<SolverChoice>();
template <>
std::span<const std::string> words_of<Stabilisation>();
template <>
std::span<const std::string> words_of<Activation>();

/// "rk4" of Method::rk4.
template <class Choice>
const std::string& word_of(Choice choice) {
  return words_of<Choice>()[std::size_t(choice)];
}

/// Method::rk4 of "rk4"; none where there is no such word: unknown_word (base/text.h) says so.
template <class Choice>
std::optional<Choice> choice_of(std::string_view word) {
  const std::span<const std::string> words = words_of<Choice>();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == word) return Choice(i);
  return std::nullopt;
}

}  // namespace stiction
