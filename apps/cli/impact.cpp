// stiction impact: one impact looked into: phases, impulses, energies, its path as a picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "commands.h"
#include "png.h"
#include "stiction/base/text.h"
#include "stiction/impact/planar.h"
#include "stiction/impact/superball.h"
#include "stiction/report/impact_figures.h"

namespace stiction::cli {
namespace {

using impact::Event;
using impact::PlanarImpact;
using impact::SpatialImpact;

/// What was asked for, in the plane or in space.
struct Question {
  bool planar = true;
  PlanarImpact in_plane;
  SpatialImpact in_space;
  std::optional<double> tangential;
};

/// Reads the options, noting mistakes.
class Reader {
 public:
  explicit Reader(const ImpactOptions& o) : o_(o) {}

  Question question() {
    Question q;
    const std::vector<double> u = numbers("--velocity", o_.velocity, 2, 3);
    q.planar = u.size() != 3;
    if (u.size() == 2) q.in_plane.vn = u[0], q.in_plane.vt = u[1], q.in_space.u = {u[0], u[1], 0};
    if (u.size() == 3) q.in_space.u = {u[0], u[1], u[2]};
    if (!u.empty()) read_matrix(q);
    q.in_plane.coefficients = q.in_space.coefficients = coefficients();
    if (!o_.tangential.empty()) q.tangential = number("--tangential", o_.tangential);
    if (mistakes_.empty()) check(q);
    return q;
  }
  const std::vector<Mistake>& mistakes() const { return mistakes_; }

 private:
  void wrong(const std::string& place, const std::string& message) {
    mistakes_.push_back({place, 0, 0, "", message});
  }
  /// `few` or `many` numbers with commas between them; none if that is not what stands there.
  std::vector<double> numbers(const std::string& option, const std::string& text, std::size_t few,
                              std::size_t many) {
    const std::string place = option + " " + text;
    std::string must = std::to_string(few) + (few == many ? "" : " or " + std::to_string(many)) + " numbers";
    if (few == 1 && many == 1) must = "a number";
    std::vector<double> out;
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t comma = std::min(text.find(',', from), text.size());
      const std::string word = text.substr(from, comma - from);
      out.push_back(0);
      if (!number_from_text(word, out.back()) || !std::isfinite(out.back())) {
        wrong(place, "found the text \"" + word + "\", must be " + must + ", with commas between");
        return {};
      }
      from = comma + 1;
    }
    if (out.size() == few || out.size() == many) return out;
    wrong(place,
          "found " + std::to_string(out.size()) + " numbers, must be " + must + ", with commas between");
    return {};
  }
  double number(const std::string& option, const std::string& text) {
    const std::vector<double> out = numbers(option, text, 1, 1);
    return out.empty() ? 0 : out[0];
  }
  /// Above 0.
  std::vector<double> positive(const std::string& option, const std::string& text, std::size_t count) {
    const std::vector<double> out = numbers(option, text, count, count);
    for (const double x : out)
      if (!(x > 0)) wrong(option + " " + text, "must be above 0");
    return out;
  }

  void read_matrix(Question& q) {
    if (o_.matrix.empty()) return read_body(q);
    const std::vector<double> w = numbers("--matrix", o_.matrix, q.planar ? 3 : 6, q.planar ? 3 : 6);
    if (w.size() == 3) set_plane(q, w[0], w[1], w[2]);
    if (w.size() == 6) q.in_space.W = Mat3{{{w[0], w[1], w[2]}, {w[1], w[3], w[4]}, {w[2], w[4], w[5]}}};
  }
  /// W of a free body that touches at an offset from its centre.
  void read_body(Question& q) {
    if (o_.mass.empty()) return wrong("impact", "give --matrix, or --mass with --inertia and --offset");
    const std::vector<double> m = positive("--mass", o_.mass, 1),
                              I = positive("--inertia", o_.inertia, q.planar ? 1 : 3),
                              at = numbers("--offset", o_.offset, q.planar ? 2 : 3, q.planar ? 2 : 3);
    if (m.empty() || I.empty() || at.empty()) return;
    if (q.planar) {
      const double t = at[0], n = at[1];
      return set_plane(q, 1 / m[0] + t * t / I[0], -t * n / I[0], 1 / m[0] + n * n / I[0]);
    }
    const Vec3 offset{at[0], at[1], at[2]};
    const std::array<Vec3, 3> axes{Vec3{0, 0, 1}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const Vec3 a = cross(offset, axes[std::size_t(i)]), b = cross(offset, axes[std::size_t(j)]);
        q.in_space.W(i, j) = (i == j ? 1 / m[0] : 0) + a.x * b.x / I[0] + a.y * b.y / I[1] + a.z * b.z / I[2];
      }
  }
  /// The law for rubber is one of space: there W has a second tangent like the first.
  static void set_plane(Question& q, double nn, double nt, double tt) {
    q.in_plane.nn = nn, q.in_plane.nt = nt, q.in_plane.tt = tt;
    q.in_space.W = Mat3{{{nn, nt, 0}, {nt, tt, 0}, {0, 0, tt}}};
  }

  impact::Coefficients coefficients() {
    impact::Coefficients c;
    c.restitution = number("--restitution", o_.restitution);
    const std::vector<double> mu = numbers("--friction", o_.friction, 1, 2);
    if (!mu.empty()) c.friction_kinetic = mu[0], c.friction_static = mu.back();
    bool known = false;
    for (const impact::Law law : {impact::Law::energetic, impact::Law::poisson, impact::Law::newton})
      if (o_.law == impact::name_of(law)) c.law = law, known = true;
    if (!known)
      wrong("--law " + o_.law, unknown_word("law", o_.law, "Laws", {"energetic", "poisson", "newton"}));
    return c;
  }
  void check(const Question& q) {
    for (const std::string& fault : q.planar ? validate(q.in_plane) : validate(q.in_space))
      wrong("impact", fault);
    if (q.tangential && !(*q.tangential >= -1 && *q.tangential <= 1))
      wrong("--tangential " + o_.tangential, "must be from -1 to 1");
  }

  const ImpactOptions& o_;
  std::vector<Mistake> mistakes_;
};

struct Answer {
  impact::Outcome outcome;
  std::vector<Event> path;
  std::optional<double> tangential;  // e_t that came out, where it was asked for and did not slip
};

Answer answer_to(const Question& q) {
  Answer out;
  if (q.tangential) {
    const impact::SuperballOutcome s = solve_superball(q.in_space, *q.tangential);
    out.outcome = s.impact;
    if (!s.slips) out.tangential = s.tangential_restitution;
  } else if (q.planar) {
    out.outcome = solve(q.in_plane);
  } else {
    out.outcome = solve(q.in_space, {}, out.path);
  }
  if (out.path.empty()) out.path.assign(out.outcome.events.begin(), out.outcome.events.end());
  return out;
}

const char* name_of(impact::Slip slip) {
  return slip == impact::Slip::slide     ? "slides"
         : slip == impact::Slip::reverse ? "slips another way"
                                         : "sticks";
}

Json vector(const Vec3& v, bool planar) {
  return planar ? Json::array({v.x, v.y}) : Json::array({v.x, v.y, v.z});
}

Json to_json(const Answer& a, bool planar) {
  const impact::Outcome& o = a.outcome;
  Json out;
  out["status"] = name_of(o.status);
  out["order"] = order_of(o);
  out["modes"] = modes_of(o);
  out["impulse"] = vector(o.impulse, planar);
  out["velocity"] = vector(o.velocity, planar);
  out["stored"] = o.stored, out["released"] = o.released, out["friction"] = o.friction;
  out["restitution"] = o.restitution, out["lowered"] = o.lowered;
  if (a.tangential) out["tangential_restitution"] = *a.tangential;
  out["events"] = Json::array();
  for (const Event& e : o.events)
    out["events"].push_back({{"moment", name_of(e.moment)},
                             {"slip", name_of(e.slip)},
                             {"impulse", vector(e.impulse, planar)},
                             {"velocity", vector(e.velocity, planar)},
                             {"normal_work", e.normal_work},
                             {"friction_work", e.friction_work}});
  return out;
}

void print_table(const Answer& a, bool planar) {
  const impact::Outcome& o = a.outcome;
  print("{}, order {}, modes {}", name_of(o.status), order_of(o), modes_of(o));
  const auto cells = [&](const Vec3& v) {
    return planar ? fmt::format("{:>14.9g} {:>14.9g}", v.x, v.y)
                  : fmt::format("{:>14.9g} {:>14.9g} {:>14.9g}", v.x, v.y, v.z);
  };
  const std::string head =
      planar ? fmt::format("{:>14} {:>14}  {:>14} {:>14}", "p_n [N s]", "p_t", "v_n [m/s]", "v_t")
             : fmt::format("{:>14} {:>14} {:>14}  {:>14} {:>14} {:>14}", "p_n [N s]", "p_t1", "p_t2",
                           "v_n [m/s]", "v_t1", "v_t2");
  print("{:<20} {}  {:>14} {:>14}  then", "", head, "normal [J]", "friction [J]");
  for (const Event& e : o.events)
    print("{:<20} {}  {}  {:>14.9g} {:>14.9g}  {}", name_of(e.moment), cells(e.impulse), cells(e.velocity),
          e.normal_work, e.friction_work, e.moment == impact::Moment::end ? "" : name_of(e.slip));
  print("stored {:.9g} J, given back {:.9g} J, friction {:.9g} J: energy changes by {:.9g} J", o.stored,
        o.released, o.friction, o.energy_change());
  if (o.lowered)
    print("restitution lowered to {:.9g}: more would give back more than was stored", o.restitution);
  if (a.tangential) print("tangential restitution {:.9g}", *a.tangential);
}

Result<bool> draw(const Answer& a, bool planar, const std::string& path) {
  const std::vector<Event> fine_path = refined(a.path, a.outcome.steps == 0 ? 24 : 2);
  std::vector<Figure> figures;
  figures.push_back(planar ? impact_path(fine_path, "impact", "Velocities during the impact")
                           : impact_slip(fine_path, "slip", "Slip during the impact"));
  figures.push_back(impact_energies(fine_path, "energy", "Energy exchange"));
  return write_picture(to_svg(figures), path, figure_width, figure_height * double(figures.size()));
}

}  // namespace

Status explore_impact(const ImpactOptions& o) {
  Reader reader(o);
  const Question q = reader.question();
  if (!reader.mistakes().empty()) return reject(reader.mistakes(), o.output);
  const Answer answer = answer_to(q);
  const bool hits = answer.outcome.status != impact::Status::separating;
  const bool draws = hits && !o.out.empty();  // of what does not hit there is no path to draw
  if (draws)
    if (const auto written = draw(answer, q.planar, o.out); !written)
      return reject(written.mistakes(), o.output);
  if (o.output.json) {
    Json document = to_json(answer, q.planar);
    if (draws) document["written"] = o.out;
    print_document(document);
  } else if (!hits) {
    print("separating: v_n is not below 0, so nothing hits{}", o.out.empty() ? "" : ", and nothing is drawn");
  } else {
    print_table(answer, q.planar);
    if (draws) print("{}", o.out);
  }
  return answer.outcome.status == impact::Status::step_limit ? missed : fine;
}

}  // namespace stiction::cli
