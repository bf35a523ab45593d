// Coordinates of laws: rows of constraints/rows.h, or velocity rows (constraints/velocity_rows.h), whose
// values are 0 but for the height of what rolls.
#include "stiction/step/law_coordinates.h"

namespace stiction::step {
namespace {

using constraints::Jacobian;
using constraints::Pose;
using constraints::Row;
using constraints::VelocityRow;

struct RowOf {
  int which;
  const Pose &a, &b;
  template <class Rolling>
  Jacobian operator()(const Rolling& r) const {
    VelocityRow rows[3];
    constraints::rolling_rows(r, a, b, rows);
    return rows[which].jacobian;
  }
  Jacobian operator()(const constraints::KnifeEdge& e) const { return velocity_row(e, a, b).jacobian; }
  Jacobian operator()(const constraints::Pfaffian& p) const { return velocity_row(p, a, b).jacobian; }
};

struct HeightOf {
  const Pose &a, &b;
  template <class Rolling>
  double operator()(const Rolling& r) const {
    return constraints::height(r, a, b);
  }
  double operator()(const constraints::KnifeEdge&) const { return 0; }
  double operator()(const constraints::Pfaffian&) const { return 0; }
};

}  // namespace

double part_value(const Model& m, const ModelLaw& law, const Row& row, const Pose& a, const Pose& b) {
  if (law.velocity < 0) return constraints::evaluate(row, a, b).value;
  if (law.kind == ModelLaw::Kind::slip) return 0;
  return std::visit(HeightOf{a, b}, m.velocity_rows[std::size_t(law.velocity)]);
}

Jacobian part_gradient(const Model& m, const ModelLaw& law, const Row& row, const Pose& a, const Pose& b) {
  if (law.velocity < 0) return constraints::evaluate(row, a, b).jacobian;
  return std::visit(RowOf{law.which, a, b}, m.velocity_rows[std::size_t(law.velocity)]);
}

Jacobian part_mean_gradient(const Model& m, const ModelLaw& law, const Row& row, const Pose& a0,
                            const Pose& b0, const Pose& a1, const Pose& b1) {
  if (law.velocity < 0) return constraints::mean_jacobian(row, a0, b0, a1, b1);
  return part_gradient(m, law, row, middle(a0, a1), middle(b0, b1));
}

}  // namespace stiction::step
