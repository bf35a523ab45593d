// Books of a run. With E = KE + PE_gravity + PE_spring [J], p [kg m/s], L [kg m^2/s] of the State:
//     imbalance          = E(now) - E(start) - sum of work over the causes that are not potentials
//     momentum imbalance = p(now) - p(start) - sum of impulses over all causes (likewise L)
// The scales are KE + |PE_gravity| + |PE_spring| + sum |work entries|, and |p| + sum |impulse entries|.
// Every difference is taken with compensated sums, so that an imbalance shows what was booked wrongly and not
// what was lost in adding it up. Reference: A. Neumaier, ZAMM 54 (1974) 39-51.
// When it fails: the scale of momentum is that of the whole system. Bodies whose momenta cancel may leave it
// smaller than the round-off of the totals.
#include "stiction/ledger/ledger.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace stiction {
namespace {

constexpr double round_off = 1e-9;  // [-] of all that is there and flowed: what says nothing

void add_energy(CompensatedSum& sum, const Totals& t, double sign) {
  sum.add(sign * t.kinetic);
  sum.add(sign * t.gravity_potential);
  sum.add(sign * t.spring_potential);
  sum.add(sign * t.pair_potential);
}

void subtract(CompensatedSum& sum, const CompensatedSum& account) {
  sum.add(-account.sum);
  sum.add(-account.carry);
}

Vec3 vector_imbalance(const Vec3& start, const Vec3& now,
                      const std::array<CompensatedVec3, cause_count>& accounts) {
  CompensatedVec3 sum;
  sum.add(now);
  sum.add(-start);
  for (const CompensatedVec3& account : accounts) {
    subtract(sum.x, account.x);
    subtract(sum.y, account.y);
    subtract(sum.z, account.z);
  }
  return sum.value();
}

}  // namespace

const char* name(Cause c) {
  switch (c) {
    case Cause::gravity:
      return "gravity";
    case Cause::spring:
      return "spring";
    case Cause::damping:
      return "damping";
    case Cause::drag:
      return "drag";
    case Cause::wrench:
      return "wrench";
    case Cause::input:
      return "input";
    case Cause::contact:
      return "contact";
    case Cause::impact:
      return "impact";
    case Cause::friction:
      return "friction";
    case Cause::joint:
      return "joint";
    case Cause::kinematic:
      return "kinematic";
    case Cause::stabilisation:
      return "stabilisation";
    case Cause::edit:
      return "edit";
    case Cause::numerics:
      return "numerics";
    case Cause::gravitation:
      return "gravitation";
    case Cause::lennard_jones:
      return "lennard_jones";
    case Cause::magnus:
      return "magnus";
    case Cause::motor:
      return "motor";
    case Cause::breaking:
      return "breaking";
    case Cause::surface:
      return "surface";
    case Cause::spin:
      return "spin";
    case Cause::rolling:
      return "rolling";
  }
  return "unknown";
}

void Ledger::open(const Totals& start) {
  *this = Ledger{};
  start_ = start;
  now_ = start;
  largest_kinetic_ = start.kinetic;
  lowest_potential_ = highest_potential_ = start.potential();
}

void Ledger::watch(const Entries& e, const Totals& now) {
  double unexplained = -e.from_overlap;
  for (std::size_t i = 0; i < std::size_t(cause_count); ++i) {
    if (is_source(Cause(i)))
      source_flow_ += std::fabs(e.work[i]);
    else if (!is_potential(Cause(i)))
      unexplained += e.work[i];
  }
  largest_kinetic_ = std::fmax(largest_kinetic_, e.free);
  contact_rise_ = std::fmax(0.0, contact_rise_ + e.added);
  if (const double rise = contact_rise_ - e.slack; rise > 0)
    contact_share_ = std::fmax(contact_share_, rise / std::fmax(rise, energy_of_run()));
  largest_kinetic_ = std::fmax(largest_kinetic_, now.kinetic);
  lowest_potential_ = std::fmin(lowest_potential_, now.potential());
  highest_potential_ = std::fmax(highest_potential_, now.potential());
  unexplained_rise_ = std::fmax(0.0, unexplained_rise_ + unexplained);
  const double held = now.kinetic + std::fabs(now.gravity_potential) + std::fabs(now.spring_potential) +
                      std::fabs(now.pair_potential);
  const double known = energy_of_run() + source_flow_ + round_off * (held + flow_);
  spring_share_ = std::fmax(spring_share_, e.spring_share);
  if (unexplained_rise_ > 0) unexplained_share_ = std::fmax(unexplained_share_, unexplained_rise_ / known);
}

void Ledger::post(const Entries& e, const Totals& now) {
  for (std::size_t i = 0; i < std::size_t(cause_count); ++i) {
    work_[i].add(e.work[i]);
    momentum_[i].add(e.momentum[i]);
    angular_momentum_[i].add(e.angular_momentum[i]);
    momentum_flow_ += norm(e.momentum[i]);
    angular_momentum_flow_ += norm(e.angular_momentum[i]);
  }
  flow_ += e.flow;
  watch(e, now);
  now_ = now;
}

double Ledger::imbalance() const {
  CompensatedSum sum;
  add_energy(sum, now_, 1.0);
  add_energy(sum, start_, -1.0);
  for (std::size_t i = 0; i < std::size_t(cause_count); ++i)
    if (!is_potential(Cause(i))) subtract(sum, work_[i]);
  return sum.value();
}

double Ledger::scale() const {
  return now_.kinetic + std::fabs(now_.gravity_potential) + std::fabs(now_.spring_potential) +
         std::fabs(now_.pair_potential) + flow_;
}

double Ledger::relative_imbalance() const {
  const double difference = std::fabs(imbalance());
  return difference == 0 ? 0 : difference / scale();
}

Vec3 Ledger::momentum_imbalance() const {
  return vector_imbalance(start_.momentum, now_.momentum, momentum_);
}

Vec3 Ledger::angular_momentum_imbalance() const {
  return vector_imbalance(start_.angular_momentum, now_.angular_momentum, angular_momentum_);
}

double Ledger::momentum_scale() const { return norm(now_.momentum) + momentum_flow_; }
double Ledger::angular_momentum_scale() const { return norm(now_.angular_momentum) + angular_momentum_flow_; }

void Ledger::add_to(Hash& hash) const {
  static_assert(std::end(hashed_cause_counts)[-1] == std::size_t(cause_count));
  for (const Totals* t : {&start_, &now_}) {
    hash.number(t->kinetic), hash.number(t->gravity_potential), hash.number(t->spring_potential);
    hash.bytes(&t->momentum, sizeof t->momentum),
        hash.bytes(&t->angular_momentum, sizeof t->angular_momentum);
  }
  const auto add = [&](std::size_t begin, std::size_t end) {
    hash.bytes(work_.data() + begin, (end - begin) * sizeof work_[0]);
    hash.bytes(momentum_.data() + begin, (end - begin) * sizeof momentum_[0]);
    hash.bytes(angular_momentum_.data() + begin, (end - begin) * sizeof angular_momentum_[0]);
  };
  const auto is_used = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      if (work_[i].value() != 0 || momentum_[i].value() != Vec3{} || angular_momentum_[i].value() != Vec3{})
        return true;
    return false;
  };
  add(0, hashed_cause_counts[0]);
  hash.number(flow_), hash.number(momentum_flow_), hash.number(angular_momentum_flow_);
  for (const double number : {largest_kinetic_, lowest_potential_, highest_potential_, contact_rise_,
                              unexplained_rise_, contact_share_, unexplained_share_, source_flow_})
    hash.number(number);
  if (spring_share_ != 0) hash.number(spring_share_);
  for (std::size_t k = 1; k < std::size(hashed_cause_counts); ++k) {
    const std::size_t begin = hashed_cause_counts[k - 1], end = hashed_cause_counts[k];
    const bool pairs = k == 1 && (start_.pair_potential != 0 || now_.pair_potential != 0);
    if (!pairs && !is_used(begin, end)) continue;
    if (k == 1) hash.number(start_.pair_potential), hash.number(now_.pair_potential);
    add(begin, end);
  }
}

bool Ledger::is_finite() const {
  static_assert(sizeof(Ledger) % sizeof(double) == 0, "holds numbers only");
  std::array<double, sizeof(Ledger) / sizeof(double)> numbers{};
  std::memcpy(numbers.data(), this, sizeof *this);
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace stiction
