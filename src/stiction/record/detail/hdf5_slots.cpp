// Which number of a record stands in which table: the one list that both writing and reading go by.
#include "stiction/record/detail/hdf5_tools.h"

namespace stiction::detail {

static_assert(sizeof(bool) == 1 && sizeof(ContactState) == 1 && sizeof(int) == 4);

std::vector<Slot> frame_slots(Frame& x) {
  std::vector<Slot> slots{
      {"time", "s", Number::real, 1, &x.time},
      {"step", "1", Number::integer, 1, &x.step},
      {"revision", "1", Number::small_integer, 1, &x.revision},
      {"hash", "", Number::count, 1, &x.hash},
      {"certificate/tolerance", "1", Number::real, 1, &x.since.worst.tolerance},
      {"certificate/converged", "", Number::byte, 1, &x.since.worst.converged},
      {"solver/solvers", "", Number::byte, 1, &x.since.solvers},
      {"ledger/relative_imbalance", "1", Number::real, 1, &x.since.imbalance},
      {"ledger/contact_rise", "1", Number::real, 1, &x.since.contact_rise},
      {"ledger/unexplained_rise", "1", Number::real, 1, &x.since.unexplained_rise},
      {"ledger/momentum", "kg m/s", Number::real, 3, &x.ledger.momentum},
      {"ledger/angular_momentum", "kg m^2/s", Number::real, 3, &x.ledger.angular_momentum},
      {"ledger/booked", "J", Number::real, std::size_t(cause_count), x.ledger.booked.data()},
  };
  for (const CertificateField& f : certificate_fields)
    slots.push_back(
        {std::string("certificate/") + f.name, f.unit, Number::real, 1, &(x.since.worst.*f.member)});
  for (const TallyField& f : tally_fields)
    slots.push_back({std::string("solver/") + f.name, "1", Number::integer, 1, &(x.since.*f.member)});
  for (const LedgerField& f : ledger_fields)
    slots.push_back({std::string("ledger/") + f.name, f.unit, Number::real, 1, &(x.ledger.*f.member)});
  return slots;
}

std::vector<Slot> body_slots(Frame& x) {
  return {{"bodies/position", "m", Number::real, 3, x.position.data()},
          {"bodies/orientation", "1", Number::real, 4, x.orientation.data()},
          {"bodies/velocity", "m/s", Number::real, 3, x.velocity.data()},
          {"bodies/spin", "rad/s", Number::real, 3, x.spin.data()},
          {"bodies/alive", "", Number::byte, 1, x.alive.data()}};
}

std::vector<Slot> joint_slots(Frame& x) {
  return {{"joints/position", "", Number::real, 1, x.joint_position.data()},
          {"joints/velocity", "", Number::real, 1, x.joint_velocity.data()}};
}

std::vector<Slot> reaction_slots(Frame& x) {
  return {{"joints/reaction_force", "N", Number::real, 3, x.reaction_force.data()},
          {"joints/reaction_torque", "N m", Number::real, 3, x.reaction_torque.data()}};
}

std::vector<Slot> contact_slots(Contact& x) {
  return {{"contacts/key_a", "", Number::small_integer, 1, &x.key.a},
          {"contacts/key_b", "", Number::small_integer, 1, &x.key.b},
          {"contacts/feature", "", Number::count, 1, &x.key.feature},
          {"contacts/body_a", "", Number::small_integer, 1, &x.a.index},
          {"contacts/body_a_generation", "", Number::index, 1, &x.a.generation},
          {"contacts/body_b", "", Number::small_integer, 1, &x.b.index},
          {"contacts/body_b_generation", "", Number::index, 1, &x.b.generation},
          {"contacts/point", "m", Number::real, 3, &x.point},
          {"contacts/normal", "1", Number::real, 3, &x.normal},
          {"contacts/gap", "m", Number::real, 1, &x.gap},
          {"contacts/impulse", "N s", Number::real, 3, &x.impulse},
          {"contacts/force", "N", Number::real, 3, &x.force},
          {"contacts/slip", "m/s", Number::real, 3, &x.slip},
          {"contacts/friction", "1", Number::real, 1, &x.friction},
          {"contacts/state", "", Number::byte, 1, &x.state},
          {"contacts/moment", "N m", Number::real, 3, &x.moment}};
}

std::vector<Slot> pair_slots(ContactPair& x) {
  return {{"pairs/body_a", "", Number::small_integer, 1, &x.a.index},
          {"pairs/body_a_generation", "", Number::index, 1, &x.a.generation},
          {"pairs/body_b", "", Number::small_integer, 1, &x.b.index},
          {"pairs/body_b_generation", "", Number::index, 1, &x.b.generation},
          {"pairs/contacts", "1", Number::small_integer, 1, &x.contacts},
          {"pairs/point", "m", Number::real, 3, &x.point},
          {"pairs/force", "N", Number::real, 3, &x.force},
          {"pairs/torque", "N m", Number::real, 3, &x.torque},
          {"pairs/power", "W", Number::real, 1, &x.power}};
}

std::vector<Slot> input_slots(std::int64_t& step, InputWrench& x, InputJointForce& joint) {
  return {{"input/step", "1", Number::integer, 1, &step},
          {"input/body", "", Number::small_integer, 1, &x.body},
          {"input/force", "N", Number::real, 3, &x.force},
          {"input/torque", "N m", Number::real, 3, &x.torque},
          {"input/joint", "", Number::small_integer, 1, &joint.joint},
          {"input/coordinate", "", Number::small_integer, 1, &joint.coordinate},
          {"input/joint_force", "", Number::real, 1, &joint.force}};
}

}  // namespace stiction::detail
