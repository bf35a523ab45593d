#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "stiction/base/text.h"

namespace stiction::cli {
namespace {

[[noreturn]] void lose_output(int error) {
  throw OutputLost(error != 0 ? std::strerror(error) : "a write failed");
}

}  // namespace

void write_out(const std::string& text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) lose_output(errno);
}

void flush_out() {  // what CLI11 prints does not come this way: errno may be of its last write
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) lose_output(errno);
}

void write_err(const std::string& text) {
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
  (void)std::fflush(stderr);
}

void print_document(const Json& document) {
  write_out(document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string unknown_word(const std::string& noun, const std::string& word, const std::string& known,
                         const std::vector<std::string>& words) {
  const std::string guess = did_you_mean(word, words);
  return fmt::format("unknown {} \"{}\"{} {}: {}", noun, word, guess.empty() ? "." : guess, known,
                     word_list(words, 30));
}

Json to_json(const Mistake& mistake) {
  Json out;
  out["file"] = mistake.file;
  out["line"] = mistake.line;
  out["column"] = mistake.column;
  out["path"] = mistake.path;
  out["message"] = mistake.message;
  return out;
}

Json to_json(const std::vector<Mistake>& mistakes) {
  Json out = Json::array();
  for (const Mistake& m : mistakes) out.push_back(to_json(m));
  return out;
}

Status reject(const std::vector<Mistake>& mistakes, const Output& output) {
  for (const Mistake& m : mistakes) say("{}", m.text());
  if (output.json) print_document({{"mistakes", to_json(mistakes)}});
  return bad_input;
}

Status reject(const std::string& message, const Output& output) {
  Mistake mistake;
  mistake.message = message;
  return reject(std::vector<Mistake>{mistake}, output);
}

}  // namespace stiction::cli
