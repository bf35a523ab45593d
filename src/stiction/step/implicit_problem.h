// The complementarity problem of implicit_contact.h: its unknowns, rows and slopes.
#pragma once

#include <span>
#include <vector>

#include "stiction/collision/collision.h"
#include "stiction/complementarity/nonlinear/mcp.h"
#include "stiction/math/dual.h"
#include "stiction/step/implicit_contact.h"

namespace stiction::step {

/// The variables of one contact: velocity and spin of f, of g, then, as unknowns follow each other, both
/// points, normal impulse, friction, in the paper's form its multiplier, and the normal where g has several
/// faces.
namespace implicit {
inline constexpr int of_f = 0, of_g = 6, at_f = 12, at_g = 15, pressing = 18, rubbing = 19, slipping = 22,
                     pointing = 23, variables = 26;
}
using Unknowns = std::vector<double>;

/// Where Newton's method begins.
struct ImplicitStart {
  enum Motion : unsigned char { last, free, likely } motion = last;  // free: without impulses
  bool last_points = false;  // carried along from the last step; else closest points there
};

/// The problem of one step: unknowns of bodies, then of contacts.
class ImplicitProblem {
 public:
  ImplicitProblem(const ImplicitSettings& settings, const ImplicitSystem& s);

  complementarity::Mcp mcp() const;
  /// Also chooses the tangents.
  void start(const ImplicitStart& from, Unknowns& x);
  /// The end of the step, from `out` as it was at the start. False, and nothing done, where x is a wrong
  /// root.
  bool take(const Unknowns& x, ImplicitSystem& out) const;

 private:
  struct Rows {
    int begin = 0;              // of the contact's unknowns and rows
    int normal = -1;            // of its normal; -1: that of g's one face
    int faces_f = 0, of_f = 0;  // how many multipliers of faces there are, and where they begin
    int faces_g = 0, of_g = 0;  // the same of g
    int axis = 0;               // that makes the first tangent, where no grain does
    bool grain = false;
    Vec3 extent{};
  };
  template <int N>
  struct Placed;
  template <int N>
  struct Lifted;
  template <int N>
  struct Frame;
  bool paper() const { return settings_.rows == FrictionRows::multiplier; }
  const ImplicitBody& body(int i) const { return s_.bodies[std::size_t(i)]; }
  int unknown(int body) const { return unknown_[std::size_t(body)]; }

  // at the end of the step, as numbers
  collision::Pose pose(int i, const Unknowns& x) const;
  Vec3 normal_at(std::size_t k, const Unknowns& x) const;
  Vec3 tangent_at(std::size_t k, const Vec3& n, const Unknowns& x) const;

  // rows, with slopes by N variables: all of them, or none where values are enough
  template <int N>
  Placed<N> placed(int i, int first, std::span<const double> x) const;
  template <int N>
  static Lifted<N> lift(const Convex& body, int index, const Placed<N>& p, const DualVec3<N>& point);
  template <int N>
  Frame<N> frame(std::size_t k, const Placed<N>& f, const Placed<N>& g, const DualVec3<N>& normal) const;
  template <int N, class Use>
  void contact(std::size_t k, std::span<const double> x, const Use& use) const;
  template <int N, class Use>
  DualVec3<N> gradients(const Convex& shape, const Placed<N>& p, const DualVec3<N>& point, int row, int first,
                        int count, double sign, std::span<const double> x, const Use& use) const;
  template <int N, class Use>
  DualVec3<N> hold_g(std::size_t k, std::span<const double> x, const Placed<N>& g, const DualVec3<N>& a2,
                     const Use& use) const;
  template <int N, class Use>
  void hold_f(std::size_t k, std::span<const double> x, const Placed<N>& f, const DualVec3<N>& a1,
              const DualVec3<N>& normal, const Frame<N>& at, const Use& use) const;
  template <int N, class Use>
  void friction(std::size_t k, const Dual<N>& limit, const DualVec3<N>& y, const DualVec3<N>& speed,
                double multiplier, const Use& use) const;
  void function(std::span<const double> x, std::span<double> out) const;
  void jacobian(std::span<const double> x, std::vector<complementarity::Triplet>& out) const;
  int column(std::size_t k, int variable) const;

  // starts and ends
  void find_points(std::size_t k, Unknowns& x) const;
  void last_points(std::size_t k, Unknowns& x) const;
  void choose_tangents(std::size_t k, const Vec3& n, const Unknowns& x);
  void start_impulses(std::size_t k, const Vec3& n, Unknowns& x) const;
  bool throws_bodies(const Unknowns& x) const;
  void take_contact(std::size_t k, const Unknowns& x, ImplicitSystem& out) const;

  const ImplicitSettings& settings_;
  const ImplicitSystem& s_;
  std::vector<int> unknown_;  // per body: its first; -1 = it does not move
  std::vector<Rows> rows_;    // per contact
  std::vector<Mat3> inertia_;
  std::vector<Vec3> free_velocity_, free_spin_;
  double mass_ = 1;  // [kg] mean
  int n_ = 0;
};

inline Vec3 three(std::span<const double> x, int at) {
  return {x[std::size_t(at)], x[std::size_t(at) + 1], x[std::size_t(at) + 2]};
}
inline Vec3 unit_vector(int axis) {
  Vec3 e;
  e[axis] = 1;
  return e;
}

}  // namespace stiction::step
