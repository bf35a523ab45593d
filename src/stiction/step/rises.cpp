// Which account holds most of the energy that no source explains, and which force it is likely to be of: the
// spring or damper whose stable step is the shortest, or the fastest body that drag acts on.
#include "stiction/step/rises.h"

#include <cstdio>

#include "stiction/step/report.h"
#include "stiction/step/spring_watch.h"
#include "stiction/step/stability.h"

namespace stiction::step {
namespace {

constexpr double near_limit = 8;  // [-] of a spring's stable step: above it no spring is to blame

std::string part_text(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", part);
  return text;
}

Cause most_gaining(const Ledger& ledger) {
  Cause most = Cause::numerics;
  for (int i = 0; i < cause_count; ++i)
    if (const Cause c{static_cast<unsigned char>(i)};
        !is_source(c) && !is_potential(c) && ledger.booked(c) > ledger.booked(most))
      most = c;
  return most;
}

std::string spring_in_words(const Model& m, const State& x, const RunSettings& settings) {
  const std::vector<std::string> found =
      step_warnings(m, x, settings.method, settings.step, near_limit * settings.step);
  return found.empty() ? "" : "; " + found.front();
}

const std::string& spring_name(const Model& m, std::size_t k) {
  return k < m.springs.size() ? m.spring_name[k] : m.torsion_name[k - m.springs.size()];
}

std::string drag_in_words(const Model& m, const State& x) {
  int fastest = -1;
  for (const ModelDrag& d : m.drags)
    if (x.alive[std::size_t(d.body)] &&
        (fastest < 0 || norm2(x.velocity[std::size_t(d.body)]) > norm2(x.velocity[std::size_t(fastest)])))
      fastest = d.body;
  return fastest < 0 ? "" : " on '" + m.body_name[std::size_t(fastest)] + "'";
}

}  // namespace

std::string rise_in_words(const Model& m, const State& x, const RunSettings& settings) {
  const Ledger& l = x.ledger;
  if (holds_energy(settings) && !(l.contact_rise() <= energy_limit))
    return "contacts, impacts, friction and stabilisation had added " + part_text(l.contact_rise()) +
           " of the energy of the run";
  if (l.unexplained_rise() <= unexplained_limit) return "";
  if (const int k = worst_spring(x); k >= 0 && l.world_rise() <= unexplained_limit)
    return "the energy of spring '" + spring_name(m, std::size_t(k)) + "' had risen by " +
           part_text(l.spring_rise()) + " of it without a source" + spring_in_words(m, x, settings);
  const Cause cause = most_gaining(l);
  const std::string text = "the energy had risen by " + part_text(l.unexplained_rise()) +
                           " of that of the run without a source, by " + name(cause);
  if (cause == Cause::drag) return text + drag_in_words(m, x);
  return text + spring_in_words(m, x, settings);
}

}  // namespace stiction::step
