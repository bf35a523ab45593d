// Recursive descent over RFC 8259 JSON plus comments and trailing commas. After a mistake the parser skips to
// the next comma or closing bracket of the value it is in and goes on, so that one run shows several
// mistakes.
#include <cstdint>
#include <set>

#include "stiction/base/text.h"
#include "stiction/formats/json.h"

namespace stiction::formats {
namespace {

constexpr std::size_t most_mistakes = 20;  // later ones are mostly echoes
constexpr const char* value_words = "a value: a number, a \"text\", true, false, a [list] or a {map}";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Length of the number at the front of `s` by the JSON grammar, 0 if there is none.
std::size_t number_length(std::string_view s) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < s.size() && is_digit(s[i])) ++i;
    return i - begin;
  };
  if (i < s.size() && s[i] == '-') ++i;
  const std::size_t first = i;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && s[first] == '0')) return 0;
  if (i < s.size() && s[i] == '.') {
    ++i;
    if (digits() == 0) return 0;
  }
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    if (digits() == 0) return 0;
  }
  return i;
}

/// Bytes of the UTF-8 character at the front of `s`, 0 if it is not one.
std::size_t utf8_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const unsigned lead = byte(0);
  const std::size_t n = lead < 0x80                   ? 1
                        : lead >= 0xc2 && lead < 0xe0 ? 2
                        : lead >= 0xe0 && lead < 0xf0 ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  for (std::size_t i = 1; i < n; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool outside = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);
  return overlong || outside ? 0 : n;
}

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xc0 | (c >> 6)), out += char(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += char(0xe0 | (c >> 12)), out += char(0x80 | ((c >> 6) & 0x3f)), out += char(0x80 | (c & 0x3f));
  } else {
    out += char(0xf0 | (c >> 18)), out += char(0x80 | ((c >> 12) & 0x3f));
    out += char(0x80 | ((c >> 6) & 0x3f)), out += char(0x80 | (c & 0x3f));
  }
}

class Parser {
 public:
  Parser(std::string_view text, int file, Messages& messages) : text_(text), messages_(messages) {
    here_.file = file, here_.line = 1, here_.column = 1;
  }

  Json document() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    if (!valid_utf8()) return {};
    const std::size_t before = messages_.size();
    skip_blank();
    if (at_end()) {
      error(here_, std::string("the file is empty, expected ") + value_words);
      return {};
    }
    Json value = this->value("");
    skip_blank();
    if (!at_end() && messages_.size() == before) {
      error(here_, "found " + found() + " after the end of the scene, expected nothing more");
    }
    return value;
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void next() {
    if (at_end()) return;  // also after too many mistakes, which end the text wherever it is
    const char c = text_[at_++];
    if (c == '\n') {
      ++here_.line, here_.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      ++here_.column;  // continuation bytes belong to the character before
    }
  }
  void next(std::size_t count) {
    while (count-- > 0) next();
  }
  void error(const Place& place, const std::string& message, const std::string& path) {
    if (++errors_ <= most_mistakes) messages_.add(place, path, message);
    if (errors_ >= most_mistakes) at_ = text_.size();
  }
  void error(const Place& place, const std::string& message) { error(place, message, path_); }

  bool valid_utf8() {
    Place place = here_;
    for (std::size_t i = at_; i < text_.size();) {
      const std::size_t n = utf8_length(text_.substr(i));
      if (n == 0) {
        error(place, "found a byte that is not UTF-8 text; save the file as UTF-8");
        return false;
      }
      if (text_[i] == '\n') {
        ++place.line, place.column = 1;
      } else {
        ++place.column;
      }
      i += n;
    }
    return true;
  }

  std::string found() const {
    if (at_end()) return "the end of the file";
    const char c = peek();
    std::size_t n = 1;
    if (is_word(c)) {
      while (n < 30 && is_word(peek(n))) ++n;
      while (n > 1 && (static_cast<unsigned char>(peek(n)) & 0xc0) == 0x80) --n;  // whole characters
    } else if (c == '"') {
      return "a text";
    }
    if (static_cast<unsigned char>(c) < 0x20) return "a control character";
    return "'" + std::string(text_.substr(at_, n)) + "'";
  }

  void skip_blank() {
    for (;;) {
      const char c = peek();
      if (at_end()) return;
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        next();
      } else if (c == '/' && peek(1) == '/') {
        while (!at_end() && peek() != '\n') next();
      } else if (c == '/' && peek(1) == '*') {
        const Place start = here_;
        next(2);
        while (!at_end() && !(peek() == '*' && peek(1) == '/')) next();
        if (at_end()) {
          error(start, "the comment that opens here is not closed, expected */");
          return;
        }
        next(2);
      } else {
        return;
      }
    }
  }

  /// Skips the rest of a value that cannot be read: to after the next comma, or to the bracket that closes.
  void recover() {
    int depth = 0;
    while (!at_end()) {
      const char c = peek();
      if (c == '"') {
        next();
        while (!at_end() && peek() != '"' && peek() != '\n') next(peek() == '\\' ? 2 : 1);
        if (peek() == '"') next();
        continue;
      }
      if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
        skip_blank();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
      }
      next();
      if (c == ',' && depth == 0) return;
    }
  }

  Json broken(const Place& place) {
    Json v;
    v.kind = Kind::broken, v.place = place;
    return v;
  }

  Json value(const std::string& path) {
    const Place place = here_;
    const char c = peek();
    if (c == '{' || c == '[') {
      if (depth_ >= deepest_nesting) {
        error(place, "lists and maps are nested deeper than " + std::to_string(deepest_nesting) + " levels",
              path);
        recover();
        return broken(place);
      }
      const std::string outer = path_;
      path_ = path;
      ++depth_;
      Json v = c == '{' ? map() : list();
      --depth_;
      path_ = outer;
      return v;
    }
    if (c == '"') {
      Json v;
      v.place = place, v.kind = Kind::text;
      if (!string(v.text)) v.kind = Kind::broken;
      return v;
    }
    if (is_digit(c) || c == '-' || c == '+' || c == '.') return number(path);
    return word(path);
  }

  Json number(const std::string& path) {
    const Place place = here_;
    const std::size_t begin = at_;
    while (is_word(peek()) || peek() == '+' || peek() == '-' || peek() == '.') next();
    const std::string_view digits = text_.substr(begin, at_ - begin);
    if (number_length(digits) != digits.size()) {
      error(place, "found '" + std::string(digits) + "', expected a number such as 2, -0.5 or 1e-3", path);
      return broken(place);
    }
    Json v = Json::of(0.0, place);
    if (!number_from_text(digits, v.number)) {
      error(
          place,
          "found " + std::string(digits) + ", which is outside the range of numbers (about 1e-308 to 1e308)",
          path);
      return broken(place);
    }
    return v;
  }

  Json word(const std::string& path) {
    const Place place = here_;
    std::size_t n = 0;
    while (is_word(peek(n))) ++n;
    const std::string_view w = text_.substr(at_, n);
    Json v;
    v.place = place;
    if (w == "true" || w == "false") {
      v.kind = Kind::boolean, v.boolean = w == "true";
    } else if (w != "null") {
      std::string hint = peek() == '\'' ? "; texts are written in double quotes" : "";
      if (n > 0) hint = "; texts are written in double quotes: \"" + std::string(w.substr(0, 40)) + "\"";
      error(place, "found " + found() + ", expected " + value_words + hint, path);
      v.kind = Kind::broken;
      lost_ = n == 0;
    }
    next(n);
    return v;
  }

  /// A text in double quotes; the cursor is on the first quote.
  bool string(std::string& out) {
    const Place start = here_;
    bool fine = true;
    next();
    while (peek() != '"' || at_end()) {
      const char c = peek();
      if (at_end() || c == '\n' || c == '\r') {
        error(start, "the text that opens here is not closed on its line, expected \"");
        return false;
      }
      if (c == '\\') {
        fine = escape(out) && fine;
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20 && c != '\t') {
        error(here_, "found a control character inside a text, expected an escape such as \\n");
        fine = false;
      }
      out += c;
      next();
    }
    next();
    return fine;
  }

  bool hex4(std::uint32_t& out) {
    out = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const char c = peek(i);
      const int digit = is_digit(c)            ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      out = out * 16 + std::uint32_t(digit);
    }
    next(4);
    return true;
  }

  bool escape(std::string& out) {
    const Place start = here_;
    next();
    const char c = peek();
    static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const std::size_t i = letters.find(c); i != std::string_view::npos && !at_end()) {
      out += meanings[i];
      next();
      return true;
    }
    std::uint32_t code = 0, low = 0;
    if (c == 'u') {
      next();
      if (hex4(code)) {
        if (code < 0xd800 || code > 0xdfff) {
          append_utf8(out, code);
          return true;
        }
        if (code < 0xdc00 && peek() == '\\' && peek(1) == 'u') {
          next(2);
          if (hex4(low) && low >= 0xdc00 && low <= 0xdfff) {
            append_utf8(out, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
            return true;
          }
        }
      }
    }
    error(start, "found an escape that is not known, allowed: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    return false;
  }

  Json map() {
    const Place open = here_;
    Json out = Json::map(open);
    std::set<std::string> seen;
    next();
    for (;;) {
      skip_blank();
      if (closed('}', open)) return out;
      Key key{{}, here_};
      if (peek() != '"') {
        error(here_, "found " + found() + ", expected a key in double quotes or '}'");
        recover();
        continue;
      }
      if (!string(key.name)) {
        recover();
        continue;
      }
      skip_blank();
      if (peek() != ':') {
        error(here_, "found " + found() + ", expected ':' after the key \"" + key.name + "\"");
        recover();
        continue;
      }
      next();
      skip_blank();
      const std::string path = joined(path_, key.name);
      const bool empty = peek() == ',' || peek() == '}' || peek() == ']';
      if (empty) error(here_, "found " + found() + ", expected " + value_words, path);
      Json v = empty ? broken(here_) : value(path);
      if (!seen.insert(key.name).second) {
        const std::size_t first = std::size_t(out.find(key.name) - out.items.data());
        error(key.place,
              "the key \"" + key.name + "\" was already given at line " +
                  std::to_string(out.keys[first].place.line) + "; keep one of them",
              path);
      } else {
        out.add(std::move(key), std::move(v));
      }
      separator('}');
    }
  }

  Json list() {
    const Place open = here_;
    Json out = Json::list(open);
    next();
    for (;;) {
      skip_blank();
      if (closed(']', open)) return out;
      if (peek() == ',') {
        error(here_, std::string("found ',', expected ") + value_words);
        next();
        continue;
      }
      out.items.push_back(value(joined(path_, out.items.size())));
      separator(']');
    }
  }

  /// True when the list or map ends here: at its bracket, at somebody else's, or with the file.
  bool closed(char bracket, const Place& open) {
    if (peek() == bracket && !at_end()) {
      next();
      return true;
    }
    const std::string opened = " to close the " + std::string(bracket == '}' ? "map" : "list") + " of line " +
                               std::to_string(open.line);
    if (at_end()) {
      if (!cut_off_) error(here_, "the file ends, expected '" + std::string(1, bracket) + "'" + opened);
      cut_off_ = true;  // said once, not for every level
      return true;
    }
    if (peek() == '}' || peek() == ']') {
      error(here_, "found " + found() + ", expected '" + std::string(1, bracket) + "'" + opened);
      return true;
    }
    return false;
  }

  void separator(char bracket) {
    if (lost_) {
      lost_ = false;
      recover();
      return;
    }
    skip_blank();
    if (at_end() || peek() == '}' || peek() == ']') return;
    if (peek() == ',') {
      next();
      return;
    }
    error(here_, "found " + found() + ", expected ',' or '" + std::string(1, bracket) + "'");
    const bool goes_on = peek() == '"' || (bracket == ']' && (is_digit(peek()) || peek() == '-'));
    if (!goes_on) recover();  // otherwise only the comma is missing
  }

  std::string_view text_;
  Messages& messages_;
  std::size_t at_ = 0;
  Place here_{};
  std::string path_{};
  int depth_ = 0;
  std::size_t errors_ = 0;
  bool lost_ = false;     // the last value was not even a word
  bool cut_off_ = false;  // the end of the file came too early, and was reported
};

}  // namespace

Json parse_json(std::string_view text, int file, Messages& messages) {
  return Parser(text, file, messages).document();
}

}  // namespace stiction::formats
