#include "stiction/reproduce/reproduce.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "stiction/base/text.h"

namespace stiction::reproduce {

bool Band::holds(double reference, double measured) const {
  switch (kind) {
    case Kind::relative:
      return std::fabs(measured - reference) <= high * std::fabs(reference);
    case Kind::absolute:
      return std::fabs(measured - reference) <= high;
    case Kind::at_most:
      return measured <= high;
    case Kind::between:
      return measured >= low && measured <= high;
  }
  return false;
}

std::string Band::text() const {
  switch (kind) {
    case Kind::relative:
      return number_text(high) + " relative";
    case Kind::absolute:
      return number_text(high) + " absolute";
    case Kind::at_most:
      return "at most " + number_text(high);
    case Kind::between:
      return number_text(low) + " to " + number_text(high);
  }
  return "";
}

Print against_print(const Claim& claim) {
  if (claim.printed.empty()) return Print::none;
  std::string_view text = claim.printed;
  bool limit = false;
  for (const std::string_view word : {"about ", "around ", "never above "})
    if (text.starts_with(word)) limit = word == "never above ", text.remove_prefix(word.size());
  const std::string_view number = text.substr(0, text.find_first_not_of("-0123456789."));
  const std::string_view rest = text.substr(number.size());
  const bool unit = rest.empty() || rest == " mm" || rest.starts_with(" mm,");
  if (number.empty() || !unit) return Print::words;
  const double value = std::strtod(std::string(number).c_str(), nullptr);
  if (limit) return claim.measured <= value ? Print::met : Print::not_met;
  const std::size_t point = number.find('.');
  double last = 1;  // [-] the last digit's
  for (std::size_t i = point == number.npos ? number.size() : point + 1; i < number.size(); ++i) last /= 10;
  // a little more: the measured value may end in a 5
  return std::fabs(claim.measured - value) <= 0.5000001 * last ? Print::met : Print::not_met;
}

void Outcome::begin(std::string document, std::string example) {
  document_ = std::move(document), example_ = std::move(example);
}

void Outcome::claim(std::string words, std::string printed, double reference, double measured, Band band) {
  claims_.push_back({document_, example_, std::move(words), std::move(printed), reference, measured, band,
                     band.holds(reference, measured)});
}

void Outcome::claim(std::string words, std::string printed, double measured, Band band) {
  claim(std::move(words), std::move(printed), std::numeric_limits<double>::quiet_NaN(), measured, band);
}

void Outcome::figure(Figure f) { figures_.push_back(std::move(f)); }

bool Outcome::all_pass() const {
  return std::all_of(claims_.begin(), claims_.end(), [](const Claim& c) { return c.pass; });
}

Result<Outcome> reproduce(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Document& d : documents()) {
    known.emplace_back(d.name);
    for (const Example& e : d.examples) known.push_back(std::string(d.name) + "/" + e.name);
  }
  std::vector<Mistake> mistakes;
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      mistakes.push_back({{},
                          0,
                          0,
                          {},
                          "reproduce: unknown name \"" + name + "\", known: " + word_list(known, 60) +
                              did_you_mean(name, known)});
  if (!mistakes.empty()) return mistakes;
  Outcome out;
  for (const Document& d : documents())
    for (const Example& e : d.examples) {
      const std::string name = std::string(d.name) + "/" + e.name;
      const auto asked = [&](const std::string& n) { return n == d.name || n == name; };
      if (!names.empty() && std::none_of(names.begin(), names.end(), asked)) continue;
      out.begin(d.name, name);
      e.run(out);
    }
  return out;
}

}  // namespace stiction::reproduce
