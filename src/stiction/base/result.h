// What a function returns when the user's input may be wrong: a value, or the list of all mistakes found.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stiction/base/assert.h"

namespace stiction {

/// One mistake in something the user gave us. Empty strings and line 0 mean "does not apply".
struct Mistake {
  std::string file;     // the file as the user named it
  int line = 0;         // [-] 1-based
  int column = 0;       // [-] 1-based
  std::string path;     // the value's place in the scene, e.g. "bodies.cart.density"
  std::string message;  // what was found, what is allowed, what to do

  /// "file:line:column: path: message" with the parts that apply.
  std::string text() const;
};

[[noreturn]] void print_and_exit(const std::vector<Mistake>& mistakes);  // to stderr, exit status 2

template <class T>
class Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(std::vector<Mistake> mistakes) : mistakes_(std::move(mistakes)) {
    STICTION_ASSERT(!mistakes_.empty());
  }
  Result(Mistake mistake) : mistakes_{std::move(mistake)} {}

  explicit operator bool() const { return value_.has_value(); }
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

  T& value() & {
    STICTION_ASSERT(value_.has_value());
    return *value_;
  }
  const T& value() const& {
    STICTION_ASSERT(value_.has_value());
    return *value_;
  }
  T&& value() && {
    STICTION_ASSERT(value_.has_value());
    return std::move(*value_);
  }

  /// The value, or all mistakes on stderr and exit status 2: for small programs and tests.
  T or_exit() && {
    if (!value_) print_and_exit(mistakes_);
    return std::move(*value_);
  }

 private:
  std::optional<T> value_;
  std::vector<Mistake> mistakes_;
};

}  // namespace stiction
