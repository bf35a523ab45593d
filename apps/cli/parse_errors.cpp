#include "parse_errors.h"

#include <algorithm>

#include "output.h"
#include "stiction/base/text.h"

namespace stiction::cli {
namespace {

using Words = std::vector<std::string>;

/// "--step" for "--step=0.1".
std::string name_of(const std::string& word) { return word.substr(0, word.find('=')); }

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

Words commands_of(const CLI::App& app) {
  Words out;
  for (const CLI::App* command : app.get_subcommands({})) out.push_back(command->get_name());
  return out;
}

/// "--json", "-h" and so on, as they may be typed.
Words options_of(const CLI::App& command) {
  Words out;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
    for (const std::string& name : option->get_snames()) out.push_back("-" + name);
  }
  return out;
}

Words positionals_of(const CLI::App& command) {
  Words out;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) out.push_back(option->get_name(true));
  return out;
}

/// What stands for an option: behind "=", or the next word; empty if there is none.
std::string value_of(const std::string& name, const Words& words) {
  const auto found = std::find_if(words.begin(), words.end(),
                                  [&](const std::string& word) { return name_of(word) == name; });
  if (found == words.end()) return {};
  if (found->size() > name.size()) return found->substr(name.size() + 1);
  return found + 1 == words.end() ? std::string() : found[1];
}

/// An option without its value, with two of them, with one though it takes none, or with a wrong one.
std::string explain_value(const CLI::App& command, const CLI::ParseError& error, const Words& words) {
  const std::string text = error.what();
  std::string name = text.substr(0, text.find_first_of(": "));
  if (!is_option(name)) name = "--" + name;
  const CLI::Option* option = command.get_option_no_throw(name);
  if (option == nullptr) return text;
  const auto of_it = [&](const std::string& word) { return name_of(word) == name; };
  if (option->get_expected_max() == 0) {
    const auto found = std::find_if(words.begin(), words.end(),
                                    [&](const std::string& word) { return of_it(word) && word != name; });
    const std::string value = found == words.end() ? "" : found->substr(name.size() + 1);
    return fmt::format("{}: found the value \"{}\", must have none", name, value);
  }
  const bool is_wrong = dynamic_cast<const CLI::ValidationError*>(&error) != nullptr ||
                        dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
  if (text.find("but received") != std::string::npos)
    return fmt::format("{}: found {} times, must stand there once", name,
                       std::count_if(words.begin(), words.end(), of_it));
  return fmt::format("{}: found {}, must be {}: {}", name,
                     is_wrong ? "\"" + value_of(name, words) + "\"" : "no value", option->get_type_name(),
                     option->get_description());
}

std::string explain_extra(const CLI::App& command, const Words& words) {
  const Words options = options_of(command);
  for (const std::string& word : words)
    if (is_option(word) && std::find(options.begin(), options.end(), name_of(word)) == options.end())
      return unknown_word("option", name_of(word), "Options", options);
  const Words extra = command.remaining(), takes = positionals_of(command);
  return fmt::format("found the word \"{}\", must be {} only", extra.empty() ? "" : extra.front(),
                     takes.empty() ? "options" : word_list(takes, 9) + " and options");
}

std::string explain_in(const CLI::App& command, const CLI::ParseError& error, const Words& words) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return explain_extra(command, words);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string name = text.substr(0, text.find(' '));
    if (const CLI::Option* option = command.get_option_no_throw(name); option != nullptr)
      return fmt::format("{}: found none, must be given: {}", name, option->get_description());
  }
  return explain_value(command, error, words);
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error, const Words& words) {
  const Words commands = commands_of(app);
  const std::string first = words.empty() ? "" : words.front();
  if (is_option(first) || first.empty())
    return fmt::format("found \"{}\", must begin with a command: {}; see stiction --help", first,
                       word_list(commands, 30));
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == first)
      return fmt::format("{0}: {1}; see stiction {0} --help", first,
                         explain_in(*command, error, Words(words.begin() + 1, words.end())));
  return unknown_word("command", first, "Commands", commands) + "; see stiction --help";
}

}  // namespace stiction::cli
