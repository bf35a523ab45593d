// Examples of published documents, computed again: each yields claims (what the document prints, what an
// independent solution says, what this engine measures, the band, the verdict) and figures. A document is a
// list of examples; documents.cpp names them all.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/report/figure.h"

namespace stiction::reproduce {

/// How far a measured value may be from the reference.
struct Band {
  enum class Kind : unsigned char { relative, absolute, at_most, between };
  Kind kind = Kind::relative;
  double low = 0, high = 0;  // relative, absolute: high is the distance

  static Band relative(double part) { return {Kind::relative, 0, part}; }
  static Band absolute(double distance) { return {Kind::absolute, 0, distance}; }
  static Band at_most(double limit) { return {Kind::at_most, 0, limit}; }
  static Band between(double low, double high) { return {Kind::between, low, high}; }
  /// Never for a measured value that is not a number.
  bool holds(double reference, double measured) const;
  std::string text() const;  // "1e-09 relative", "at most 0.1", ...
};

struct Claim {
  std::string document, example;  // "servin", "servin/spring"
  std::string claim;              // in words, with unit
  std::string printed;            // what the document says; empty = nothing
  double reference = 0;           // not a number: none, the band says it all
  double measured = 0;
  Band band;
  bool pass = false;
  const char* verdict() const { return pass ? "pass" : "fail"; }
};

/// How a measured value stands to what the document prints: `words` where that is no number.
enum class Print : unsigned char { none, words, met, not_met };
/// Numbers ("0.383", "about 3.2", "around 20 mm") are met where the measured value rounds to their digits,
/// limits ("never above 3 mm") where it is not above them.
Print against_print(const Claim& claim);

/// What an example fills in.
class Outcome {
 public:
  void begin(std::string document, std::string example);
  void claim(std::string words, std::string printed, double reference, double measured, Band band);
  void claim(std::string words, std::string printed, double measured, Band band);
  void figure(Figure f);

  const std::vector<Claim>& claims() const { return claims_; }
  const std::vector<Figure>& figures() const { return figures_; }
  bool all_pass() const;

 private:
  std::string document_, example_;
  std::vector<Claim> claims_;
  std::vector<Figure> figures_;
};

struct Example {
  const char* name = "";  // "spring"
  const char* about = "";
  void (*run)(Outcome& out) = nullptr;
};
struct Document {
  const char* name = "";   // "servin"
  const char* title = "";  // as one would cite it
  std::span<const Example> examples;
};
std::span<const Document> documents();

/// Runs documents ("servin") or single examples ("servin/spring"); none = all. Unknown names are mistakes,
/// and nothing is run.
Result<Outcome> reproduce(const std::vector<std::string>& names);

}  // namespace stiction::reproduce
