// How commands speak: results on stdout (text, or one JSON document), everything else on stderr.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stiction/base/result.h"

namespace stiction::cli {

using Json = nlohmann::ordered_json;

/// Exit status of every command.
enum Status : int {
  fine = 0,
  missed = 1,     // it ran, but something missed its tolerance
  bad_input = 2,  // the user's input
  our_bug = 3,
};

/// Switches that every command takes.
struct Output {
  bool json = false;
  bool quiet = false;
};

/// One line on stderr.
template <class... T>
void say(fmt::format_string<T...> text, T&&... values) {
  fmt::print(stderr, "{}\n", fmt::format(text, std::forward<T>(values)...));
}
/// One line on stdout.
template <class... T>
void print(fmt::format_string<T...> text, T&&... values) {
  fmt::print("{}\n", fmt::format(text, std::forward<T>(values)...));
}
void print_document(const Json& document);

/// `unknown command "chekc"; did you mean "check"? Commands: run, check or ...` (`known`: "Commands")
std::string unknown_word(const std::string& noun, const std::string& word, const std::string& known,
                         const std::vector<std::string>& words);

Json to_json(const Mistake& mistake);
Json to_json(const std::vector<Mistake>& mistakes);

/// All mistakes on stderr, with --json also as a document; the status to return.
Status reject(const std::vector<Mistake>& mistakes, const Output& output);
Status reject(const std::string& message, const Output& output);

}  // namespace stiction::cli
