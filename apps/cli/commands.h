// The commands. Each add_* declares its words and options on the parser and notes in `chosen` what to do once
// the whole line has been understood; main() then calls it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "output.h"

namespace stiction::cli {

using Action = std::function<Status()>;

void add_run(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_new(CLI::App& app, Action& chosen);
void add_list(CLI::App& app, Action& chosen);
void add_report(CLI::App& app, Action& chosen);
void add_convert(CLI::App& app, Action& chosen);
void add_schema(CLI::App& app, Action& chosen);
void add_version(CLI::App& app, Action& chosen);

/// A command with --json and an example at the end of its help.
CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& about,
                      const std::string& example, Output& output);

}  // namespace stiction::cli
