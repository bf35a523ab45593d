// How commands speak: results on stdout (text, or one JSON document), everything else on stderr.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
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

/// Stdout takes no more: what is left of the command has nobody to read it, main() says so and ends.
struct OutputLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Text on stdout; throws OutputLost.
void write_out(const std::string& text);
/// All that was written is through; throws OutputLost.
void flush_out();
/// Text on stderr; where that is closed or full there is nobody to tell.
void write_err(const std::string& text);

/// One line on stderr.
template <class... T>
void say(fmt::format_string<T...> text, T&&... values) {
  write_err(fmt::format(text, std::forward<T>(values)...) + "\n");
}
/// One line on stdout.
template <class... T>
void print(fmt::format_string<T...> text, T&&... values) {
  write_out(fmt::format(text, std::forward<T>(values)...) + "\n");
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
