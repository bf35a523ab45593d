// log(a, b, c): one line on stdout with the values separated by blanks. A type prints if it has
// `std::string to_text(const T&)` beside it, or an operator<<.
#pragma once

#include <iostream>
#include <sstream>
#include <string>

namespace stiction {

template <class T>
void print_value(std::ostream& out, const T& value) {
  if constexpr (requires { to_text(value); }) {
    out << to_text(value);
  } else {
    out << value;
  }
}

template <class... T>
void log(const T&... values) {
  std::ostringstream line;
  const char* blank = "";
  ((line << blank, print_value(line, values), blank = " "), ...);
  line << '\n';
  std::cout << line.str();
}

}  // namespace stiction
