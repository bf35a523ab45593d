// Points x_i with forces f_i on b, normals n_i. Directions of the view: up u, and the horizontal principal
// axes a, b of the points' scatter matrix S = sum (x_i - m)(x_i - m)'. Seen along the one with the least
// x'Sx; on the screen up stays up, or, seen from above, the wider horizontal axis goes to the right. Disc
// areas are in proportion to n.f, line lengths to |f - (n.f) n|. Outlines of the bodies are not drawn: the
// scene's pictures have them.
#include "stiction/report/contact_map.h"

#include <algorithm>
#include <cmath>

#include "stiction/report/markup.h"

namespace stiction {
namespace {

constexpr double margin = 34;          // [px]
constexpr double largest_radius = 14;  // [px]
constexpr double longest_line = 40;    // [px]
constexpr std::size_t most_points = 4000;
constexpr std::size_t most_pairs = 12;

struct View {
  Vec3 right, up;
  const char* from;  // in words
};

std::vector<const Contact*> loaded(const Recording& r, std::size_t frame) {
  std::vector<const Contact*> out;
  for (const Contact& c : r.contacts_of(frame))
    if (c.state != ContactState::open && norm(c.force) > 0 && is_finite(c.point) && is_finite(c.force))
      out.push_back(&c);
  std::stable_sort(out.begin(), out.end(),
                   [](const Contact* a, const Contact* b) { return norm(a->force) > norm(b->force); });
  if (out.size() > most_points) out.resize(most_points);
  return out;
}

View view_of(const std::vector<const Contact*>& contacts, const Vec3& up) {
  Vec3 mean;
  for (const Contact* c : contacts) mean += c->point / double(contacts.size());
  Vec3 e1, e2;
  if (std::fabs(up.z) > 0.999) {
    e1 = {1, 0, 0}, e2 = cross(up, e1);
  } else {
    tangents(up, e1, e2);
  }
  double s11 = 0, s12 = 0, s22 = 0, tall = 0;
  for (const Contact* c : contacts) {
    const Vec3 d = c->point - mean;
    const double a = dot(e1, d), b = dot(e2, d);
    s11 += a * a, s12 += a * b, s22 += b * b, tall += dot(up, d) * dot(up, d);
  }
  const double angle = 0.5 * std::atan2(2 * s12, s11 - s22);
  Vec3 wide = std::cos(angle) * e1 + std::sin(angle) * e2;
  const double half = 0.5 * (s11 + s22), reach = std::hypot(0.5 * (s11 - s22), s12), narrow = half - reach;
  if (dot(wide, e1) < 0) wide = -wide;
  if (tall <= narrow) return {wide, cross(up, wide), "from above"};
  return {wide, up, "from the side"};
}

/// 1, 2 or 5 times a power of ten.
double nice(double x) {
  const double power = std::pow(10, std::floor(std::log10(x))), m = x / power;
  return power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
}

struct Screen {
  double x0 = 0, y0 = 0, scale = 1, width, height;
  View view;
  Screen(const std::vector<const Contact*>& contacts, const View& v, const MapSettings& s)
      : width(s.width), height(s.height), view(v) {
    double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
    for (const Contact* c : contacts) {
      const double x = dot(v.right, c->point), y = dot(v.up, c->point);
      left = std::min(left, x), right = std::max(right, x), low = std::min(low, y), high = std::max(high, y);
    }
    const double wide = std::max({right - left, high - low, 1e-6});
    scale = std::min((width - 2 * margin) / std::max(right - left, 0.05 * wide),
                     (height - 2 * margin) / std::max(high - low, 0.05 * wide));
    x0 = 0.5 * (left + right), y0 = 0.5 * (low + high);
  }
  double x(const Vec3& p) const { return 0.5 * width + scale * (dot(view.right, p) - x0); }
  double y(const Vec3& p) const { return 0.5 * height - scale * (dot(view.up, p) - y0); }
};

std::string ruler(const Screen& s) {
  const double length = nice(0.2 * s.width / s.scale), px_length = length * s.scale, y = s.height - 14;
  return "<path class=\"ruler\" d=\"M14 " + px(y) + "h" + px(px_length) + "\"/><text x=\"" +
         px(18 + px_length) + "\" y=\"" + px(y + 4) + "\">" + short_number(length, 3) + " m, seen " +
         s.view.from + "</text>";
}

std::string name_of_body(const Recording& r, std::size_t frame, int index) {
  const std::vector<BodyInfo>& bodies = r.bodies(frame);
  return index >= 0 && std::size_t(index) < bodies.size() ? bodies[std::size_t(index)].name
                                                          : std::to_string(index);
}

}  // namespace

bool has_force(const Recording& r, std::size_t frame) { return !loaded(r, frame).empty(); }

std::string contact_map_style() {
  return ".map rect{fill:#f4f6f9}.map text{font:11px sans-serif;fill:#5a6675}.map "
         ".ruler{stroke:#5a6675;stroke-width:1.5}"
         ".map .stick{fill:#1d8f7a}.map .roll{fill:#2f6fd6}.map .slide{fill:#dd7420}.map "
         "circle{fill-opacity:.62}"
         ".map line{stroke:#10161f;stroke-width:1.1}"
         "@media(prefers-color-scheme:dark){.map rect{fill:#12161d}.map text{fill:#93a0b0}.map "
         ".ruler{stroke:#93a0b0}"
         ".map .stick{fill:#2fb598}.map .roll{fill:#6ea3f2}.map .slide{fill:#f29a4f}.map "
         "line{stroke:#e8ecf2}}";
}

std::string contact_map_svg(const Recording& r, std::size_t frame, const MapSettings& settings) {
  const std::vector<const Contact*> contacts = loaded(r, frame);
  const std::string size = px(settings.width) + " " + px(settings.height);
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size +
                    "\" class=\"map\" role=\"img\" aria-label=\"map of the contacts\">";
  if (settings.standalone) out += "<style>" + contact_map_style() + "</style>";
  out += "<rect width=\"100%\" height=\"100%\"/>";
  if (contacts.empty()) return out + "<text x=\"14\" y=\"24\">nothing carries a force</text></svg>\n";
  const Vec3 gravity = r.revisions[std::size_t(r.revision[frame])].gravity;
  const Vec3 up = norm(gravity) > 0 ? -normalized(gravity) : Vec3{0, 0, 1};
  const Screen screen(contacts, view_of(contacts, up), settings);
  double press = 0, drag = 0;
  for (const Contact* c : contacts) {
    const double normal = dot(c->normal, c->force);
    press = std::max(press, normal), drag = std::max(drag, norm(c->force - normal * c->normal));
  }
  for (const Contact* c : contacts) {
    const double normal = std::max(0.0, dot(c->normal, c->force));
    const Vec3 friction = c->force - dot(c->normal, c->force) * c->normal;
    const double x = screen.x(c->point), y = screen.y(c->point);
    out += "<g><title>" +
           escape_html(name_of_body(r, frame, c->a.index) + ", " + name_of_body(r, frame, c->b.index)) +
           ": " + short_number(normal, 4) + " N</title><circle class=\"" +
           (c->state == ContactState::sliding   ? "slide"
            : c->state == ContactState::rolling ? "roll"
                                                : "stick") +
           "\" cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"" +
           px(press > 0 ? std::max(1.0, largest_radius * std::sqrt(normal / press)) : 1.0) + "\"/>";
    const double line = drag > 1e-9 * press ? longest_line / drag : 0;
    const double dx = line * dot(screen.view.right, friction), dy = -line * dot(screen.view.up, friction);
    if (std::hypot(dx, dy) > 1)
      out += "<line x1=\"" + px(x) + "\" y1=\"" + px(y) + "\" x2=\"" + px(x + dx) + "\" y2=\"" + px(y + dy) +
             "\"/>";
    out += "</g>";
  }
  return out + ruler(screen) + "</svg>\n";
}

std::string contact_table(const Recording& r, std::size_t frame) {
  const std::span<const Vec3> spin = std::span(r.spin).subspan(r.at(frame, 0), r.stride);
  std::vector<ContactPair> pairs = sum_of_pairs(r.contacts_of(frame), spin);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const ContactPair& a, const ContactPair& b) { return norm(a.force) > norm(b.force); });
  const auto cell = [](const std::string& text) { return "<td class=\"number\">" + text + "</td>"; };
  const auto vector = [](const Vec3& v) {  // may take two lines, but not within a number
    const auto part = [](double x) { return "<span>" + short_number(x, 4) + "</span>"; };
    return "<td class=\"number three\">" + part(v.x) + ", " + part(v.y) + ", " + part(v.z) + "</td>";
  };
  std::string rows;
  for (std::size_t i = 0; i < pairs.size() && i < most_pairs; ++i) {
    const ContactPair& p = pairs[i];
    rows += "<tr><th>" + escape_html(name_of_body(r, frame, p.a.index)) + ", " +
            escape_html(name_of_body(r, frame, p.b.index)) + "</th>" + cell(short_number(norm(p.force), 4)) +
            vector(p.force) + vector(p.point) + vector(p.torque) + cell(short_number(p.power, 3)) +
            cell(std::to_string(p.contacts)) + "</tr>";
  }
  return "<div class=\"pairs\"><table class=\"final\"><thead><tr><th>" +
         std::to_string(std::min(pairs.size(), most_pairs)) + " of " + std::to_string(pairs.size()) +
         " pairs, at " + short_number(r.time[frame], 4) +
         " s</th><th>force [N]</th><th>on the second [N]</th><th>at [m]</th><th>torque there [N m]</th>"
         "<th>power of friction [W]</th><th>points</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

}  // namespace stiction
