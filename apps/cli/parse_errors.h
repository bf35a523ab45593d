// What is wrong with a command line, in words: the command, the option, what was found, what is allowed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace stiction::cli {

/// One sentence for an error that CLI11 found; `words` is the command line without the program.
std::string explain(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words);

}  // namespace stiction::cli
