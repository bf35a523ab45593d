// Formulas of unknowns x[0], x[1], ... in problem files: value and exact derivatives.
//
// The text (the grammar of expression.h, with x[index] and sum($k, first, last, term)) becomes a tape of
// operations. The value is one pass over it; the gradient is a second pass backwards (reverse accumulation:
// each operation passes its derivative on to its arguments), exact up to round-off, no difference quotients.
// Where a function has a kink (abs, min, max) the derivative of one side is taken. Values that are not finite
// are handed on as such.
// Reference: Griewank, Walther (2008), "Evaluating Derivatives", chapter 3.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "stiction/complementarity/nonlinear/mcp.h"
#include "stiction/formats/expression.h"

namespace stiction::formats {

class Formula {
 public:
  enum class Op : unsigned char {
    constant,
    unknown,
    sum,
    difference,
    product,
    quotient,
    negative,
    power,
    sqrt,
    abs,
    min,
    max,
    sin,
    cos,
    tan,
    asin,
    acos,
    atan,
    atan2,
    exp,
    log,
  };

  /// Scratch is resized as needed; x must have as many entries as the formula was compiled for.
  double value(std::span<const double> x, std::vector<double>& scratch) const;
  /// Appends one entry {row, j, dF/dx_j} for every x[j] that the formula mentions.
  void gradient(std::span<const double> x, std::vector<double>& scratch, int row,
                std::vector<complementarity::Triplet>& entries) const;
  std::size_t operations() const { return nodes_.size(); }

 private:
  friend class Tape;
  struct Node {
    Op op = Op::constant;
    int a = -1, b = -1;  // arguments, earlier on the tape; of `unknown`: a is its index
    double number = 0;   // of `constant`
  };
  static double apply(Op op, double a, double b);
  void forward(std::span<const double> x, double* value) const;

  std::vector<Node> nodes_;  // the last one is the result
};

/// `unknowns`: how many x there are. None after filling `mistake`.
std::optional<Formula> compile_formula(std::string_view text, int unknowns, const ConstantLookup& constants,
                                       ExpressionMistake& mistake);

}  // namespace stiction::formats
