#include "output.h"

#include "stiction/base/text.h"

namespace stiction::cli {

void print_document(const Json& document) {
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
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
