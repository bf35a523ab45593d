// The program `stiction`: reads the words, calls a command, returns its exit status (output.h).
#include <algorithm>
#include <cstring>
#include <exception>
#include <new>

#include "commands.h"

namespace stiction::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& about,
                      const std::string& example, Output& output) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_flag("--json", output.json, "One JSON document on stdout; messages on stderr");
  command->footer("Example:\n  " + example);
  return command;
}

namespace {

/// `--stpe`: the nearest option of the command, for the message.
std::string suggestion_for(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
    return unknown_word("command", argv[1], "Commands", commands);
  std::vector<std::string> options;
  for (const CLI::App* command : app.get_subcommands({}))
    if (argc > 1 && command->get_name() == argv[1])
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (int i = 2; i < argc; ++i) {
    const std::string word(argv[i], std::strcspn(argv[i], "="));
    if (word.starts_with("--") && std::find(options.begin(), options.end(), word) == options.end())
      return unknown_word("option", word, "Options", options);
  }
  return {};
}

int run_program(int argc, char** argv) {
  CLI::App app{"Stiction: multibody systems with exact contact. Every step certified, every joule booked."};
  app.name("stiction");
  app.require_subcommand(1);
  app.footer(
      "Start with\n  stiction run\n  stiction new pendulum my.json\nExit status: 0 fine, 1 something missed "
      "its tolerance, 2 bad input, 3 a bug of ours.");
  app.set_version_flag("--version", "stiction " STICTION_VERSION);
  app.get_formatter()->column_width(34);

  Action chosen;
  for (const auto add :
       {add_run, add_check, add_new, add_list, add_report, add_convert, add_schema, add_version})
    add(app, chosen);
  try {
    if (argc == 1) throw CLI::CallForHelp();
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    Output output;
    output.json =
        std::any_of(argv, argv + argc, [](const char* word) { return !std::strcmp(word, "--json"); });
    const std::string better = suggestion_for(app, argc, argv);
    return reject("stiction: " + (better.empty() ? std::string(e.what()) : better) + " (stiction --help)",
                  output);
  }
  return chosen();
}

}  // namespace
}  // namespace stiction::cli

int main(int argc, char** argv) {
  try {
    return stiction::cli::run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    stiction::cli::say("stiction: out of memory: make the scene smaller or record less often");
    return stiction::cli::missed;
  } catch (const std::exception& e) {
    stiction::cli::say("stiction: bug: {}. Please report it.", e.what());
    return stiction::cli::our_bug;
  }
}
