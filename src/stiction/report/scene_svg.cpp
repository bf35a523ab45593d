// Draws far to near: ground planes with their grid, shadows on them, then the bodies in painter's order.
// Light comes from the upper left, from the eye's side; faces are shaded by the cosine of their angle to it.
#include "stiction/report/scene_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include "stiction/geometry/facets.h"
#include "stiction/report/markup.h"

namespace stiction {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr Colour white{1, 1, 1};
constexpr Colour ink{0.06, 0.09, 0.16};
// Mid-tones that hold on light and dark grounds, told apart by readers with colour-blindness too.
constexpr Colour palette[] = {{0.18, 0.44, 0.78}, {0.90, 0.49, 0.13}, {0.16, 0.60, 0.52}, {0.78, 0.29, 0.36},
                              {0.51, 0.40, 0.76}, {0.82, 0.66, 0.17}, {0.36, 0.62, 0.86}, {0.60, 0.42, 0.30}};
constexpr Colour fixed_colour{0.56, 0.60, 0.66};
constexpr Colour kinematic_colour{0.36, 0.44, 0.54};
constexpr std::size_t most_stripes = 400;  // spheres that show how they turn; more are too small to see it

/// "ball.12" -> "ball": bodies of a repeat share a colour.
std::string stem(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
  return end > 1 && end < name.size() && name[end - 1] == '.' ? name.substr(0, end - 1) : name;
}

class Painter {
 public:
  Painter(const Picture& picture, const Camera& camera, const SvgSettings& settings)
      : picture_(picture), camera_(camera), settings_(settings) {
    light_ = normalized(0.85 * picture.up + 0.5 * camera.toward - 0.45 * camera.right);
    for (const PictureBody& b : picture.bodies)
      if (b.info.kind == dynamic) stems_.emplace(stem(b.info.name), int(stems_.size()));
  }

  std::string draw() {
    std::string body;
    for (const PictureBody& b : picture_.bodies) {
      const auto* h = std::get_if<HalfSpace>(&b.info.shape);
      if (h && is_finite(b.position) && is_finite(b.orientation) && norm(h->normal) > 0)
        planes_.push_back(plane_of(b, *h));
    }
    for (std::size_t k = 0; k < planes_.size(); ++k) body += ground(planes_[k], k);
    if (settings_.joints) body += rods();
    for (const std::size_t i : paint_order(picture_, camera_)) body += solid(picture_.bodies[i]);
    if (settings_.joints) body += joints();
    if (settings_.forces) body += arrows();

    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(settings_.width) + " " +
                      px(settings_.height) + "\" class=\"scene\" role=\"img\" aria-label=\"" +
                      escape_html(settings_.label.empty() ? "picture of the scene" : settings_.label) + "\">";
    if (settings_.standalone) out += "<style>" + scene_style() + "</style>";
    out += "<defs>" + definitions() + "</defs>";
    out += "<rect class=\"sky\" width=\"100%\" height=\"100%\"/>";
    return out + body + "</svg>\n";
  }

 private:
  Colour colour(const PictureBody& b) const {
    if (b.info.kind == fixed) return fixed_colour;
    if (b.info.kind == kinematic) return kinematic_colour;
    const std::string family = stem(b.info.name);
    const Colour base = palette[std::size_t(stems_.at(family)) % std::size(palette)];
    if (family.size() == b.info.name.size()) return base;
    // Members of a repeat differ a little, so that each can be seen among the others.
    static constexpr double tones[] = {0, 0.16, -0.12, 0.28, 0.07};
    const double tone =
        tones[std::size_t(std::atoi(b.info.name.c_str() + family.size() + 1)) % std::size(tones)];
    return tone >= 0 ? mix(base, white, tone) : mix(base, ink, -tone);
  }

  Colour shaded(const Colour& base, const Vec3& normal) const {
    const double cosine = dot(normal, light_);
    return cosine > 0 ? mix(mix(base, ink, 0.30), mix(base, white, 0.30), cosine)
                      : mix(base, ink, 0.30 - 0.2 * cosine);
  }

  std::string point(const Vec3& p) const {
    const Point2 q = camera_.project(p);
    return px(q.x) + "," + px(q.y);
  }

  // --- solids

  std::string solid(const PictureBody& b) {
    std::string out;
    if (const auto* s = std::get_if<Sphere>(&b.info.shape)) out = sphere(b, s->radius);
    if (const auto* s = std::get_if<Box>(&b.info.shape)) out = box(b, s->size);
    if (const auto* s = std::get_if<Capsule>(&b.info.shape)) out = capsule(b, *s);
    if (const auto* s = std::get_if<ConvexShape>(&b.info.shape)) out = convex(b, *s);
    if (std::holds_alternative<NoShape>(b.info.shape)) out = dot_mark(b);
    return "<g><title>" + escape_html(b.info.name) + "</title>" + out + "</g>";
  }

  /// Gradients are shared by all bodies of a colour.
  std::string gradient(const Colour& c) {
    const std::string key = hex_colour(c);
    const auto [found, fresh] =
        gradients_.emplace(key, settings_.id + "-g" + std::to_string(gradients_.size()));
    if (fresh) {
      gradient_text_ += "<radialGradient id=\"" + found->second +
                        "\" cx=\".5\" cy=\".5\" r=\".5\" fx=\".33\" fy=\".27\">" +
                        stop("0", mix(c, white, 0.58)) + stop(".35", mix(c, white, 0.14)) +
                        stop(".75", mix(c, ink, 0.14)) + stop("1", mix(c, ink, 0.44)) + "</radialGradient>";
    }
    return "url(#" + found->second + ")";
  }
  static std::string stop(const char* at, const Colour& c) {
    return std::string("<stop offset=\"") + at + "\" stop-color=\"" + hex_colour(c) + "\"/>";
  }

  std::string sphere(const PictureBody& b, double radius) {
    const Point2 c = camera_.project(b.position);
    const double r = camera_.scale * radius;
    std::string out = "<circle cx=\"" + px(c.x) + "\" cy=\"" + px(c.y) + "\" r=\"" + px(r) + "\" fill=\"" +
                      gradient(colour(b)) + "\"/>";
    if (b.info.mobility == Mobility::particle || r < 5 || ++stripes_ > most_stripes) return out;
    const std::string arcs = great_circle(b, radius, {1, 0, 0}) + great_circle(b, radius, {0, 1, 0}) +
                             great_circle(b, radius, {0, 0, 1});
    return out + "<path d=\"" + arcs + "\" fill=\"none\" stroke=\"" + hex_colour(mix(colour(b), ink, 0.55)) +
           "\" stroke-opacity=\".45\" stroke-width=\"" + px(std::clamp(0.045 * r, 0.6, 2.5)) + "\"/>";
  }

  /// The half of a great circle that faces the eye: half an ellipse.
  std::string great_circle(const PictureBody& b, double radius, const Vec3& body_axis) const {
    const Vec3 n = rotate(b.orientation, body_axis);
    const Vec3 flat = cross(n, camera_.toward);
    if (norm(flat) < 0.02) return "";  // seen from its pole: the outline itself
    const Vec3 u = normalized(flat);
    Vec3 v = cross(n, u);
    if (dot(v, camera_.toward) < 0) v = -v;
    const Point2 start = camera_.project(b.position + radius * u),
                 end = camera_.project(b.position - radius * u);
    const double minor =
        radius * std::sqrt(std::max(0.0, 1 - dot(v, camera_.toward) * dot(v, camera_.toward)));
    const Point2 middle = camera_.project(b.position + radius * v), centre = camera_.project(b.position);
    const double turn = (end.x - start.x) * (middle.y - centre.y) - (end.y - start.y) * (middle.x - centre.x);
    const double angle = std::atan2(end.y - start.y, end.x - start.x) * 180 / pi;
    return "M" + px(start.x) + " " + px(start.y) + "A" + px(camera_.scale * radius) + " " +
           px(camera_.scale * minor) + " " + px(angle) + " 0 " + (turn < 0 ? "1" : "0") + " " + px(end.x) +
           " " + px(end.y);
  }

  std::string box(const PictureBody& b, const Vec3& size) const {
    const Mat3 r = rotation_matrix(b.orientation);
    std::string out;
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        const Vec3 n = side * r.column(axis);
        if (dot(n, camera_.toward) <= 1e-6) continue;
        const int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const Vec3 c = b.position + 0.5 * size[axis] * n;
        const Vec3 u = 0.5 * size[i] * r.column(i), v = 0.5 * size[j] * r.column(j);
        const Colour fill = shaded(colour(b), n);
        out += "<polygon points=\"" + point(c - u - v) + " " + point(c + u - v) + " " + point(c + u + v) +
               " " + point(c - u + v) + "\" fill=\"" + hex_colour(fill) + "\" stroke=\"" +
               hex_colour(mix(fill, ink, 0.22)) + "\"/>";
      }
    return "<g stroke-width=\".8\" stroke-linejoin=\"round\">" + out + "</g>";
  }

  /// Thick lines with round ends, each lighter, thinner and nearer to the light.
  std::string capsule(const PictureBody& b, const Capsule& s) const {
    constexpr int layers = 9;
    const Vec3 axis = rotate(b.orientation, {0, 0, 0.5 * s.length});
    const Point2 p = camera_.project(b.position - axis), q = camera_.project(b.position + axis);
    const double r = camera_.scale * s.radius;
    const Colour base = colour(b);
    std::string out = "<g stroke-linecap=\"round\">";
    for (int k = 0; k < layers; ++k) {
      const double t = double(k) / (layers - 1);
      const Colour c =
          t < 0.5 ? mix(mix(base, ink, 0.36), base, 2 * t) : mix(base, mix(base, white, 0.50), 2 * t - 1);
      const double width = 2 * r * (1 - 0.9 * t), dx = -0.30 * r * t, dy = -0.40 * r * t;
      out += "<line x1=\"" + px(p.x + dx) + "\" y1=\"" + px(p.y + dy) + "\" x2=\"" + px(q.x + dx + 0.01) +
             "\" y2=\"" + px(q.y + dy) + "\" stroke=\"" + hex_colour(c) + "\" stroke-width=\"" + px(width) +
             "\"/>";
    }
    return out + "</g>";
  }

  /// Its facets that face the eye; those of round bodies without lines between them.
  std::string convex(const PictureBody& b, const ConvexShape& s) const {
    const Mat3 r = rotation_matrix(b.orientation);
    const bool sharp = std::holds_alternative<Polyhedron>(s.body().core) && s.body().rounding == 0;
    std::string out;
    for (const Facet& facet : facets_of(s.body(), camera_.scale * s.size())) {
      const Vec3 n = r * facet.normal;
      if (dot(n, camera_.toward) <= 1e-6) continue;
      const Colour fill = shaded(colour(b), n);
      std::string points;
      for (const Vec3& x : facet.corners) points += (points.empty() ? "" : " ") + point(b.position + r * x);
      out += "<polygon points=\"" + points + "\" fill=\"" + hex_colour(fill) + "\" stroke=\"" +
             hex_colour(sharp ? mix(fill, ink, 0.22) : fill) + "\"/>";
    }
    return "<g stroke-width=\"" + std::string(sharp ? ".8" : ".5") + "\" stroke-linejoin=\"round\">" + out +
           "</g>";
  }

  std::string dot_mark(const PictureBody& b) const {
    const Point2 c = camera_.project(b.position);
    return "<circle cx=\"" + px(c.x) + "\" cy=\"" + px(c.y) + "\" r=\"4\" fill=\"" + hex_colour(colour(b)) +
           "\" stroke=\"#fff\" stroke-width=\"1\"/>";
  }

  // --- ground

  struct Plane {
    std::string name;
    Vec3 normal, point, t1, t2, centre;  // centre: where the middle of the picture meets it
  };

  Plane plane_of(const PictureBody& b, const HalfSpace& h) const {
    Plane p;
    p.name = b.info.name;
    const Vec3 n = normalized(h.normal);
    p.normal = rotate(b.orientation, n);
    p.point = b.position + h.offset * p.normal;
    const Vec3 x = Vec3{1, 0, 0} - p.normal.x * p.normal;
    if (norm(x) > 0.3) {
      p.t1 = normalized(x);
      p.t2 = cross(p.normal, p.t1);
    } else {
      tangents(p.normal, p.t1, p.t2);
    }
    // Down the line of sight from the middle of the picture to the plane, if it is met there; else straight.
    const double height = dot(p.normal, camera_.centre - p.point), facing = dot(p.normal, camera_.toward);
    p.centre = facing > 0.2 && std::fabs(height) < camera_.radius * 2 * facing
                   ? camera_.centre - (height / facing) * camera_.toward
                   : camera_.centre - height * p.normal;
    return p;
  }

  /// 1, 2 or 5 times a power of ten.
  static double nice(double x) {
    const double power = std::pow(10, std::floor(std::log10(x)));
    const double m = x / power;
    return power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
  }

  /// The disk of a plane, cut where it would lie inside another half-space: floors end at walls. Walls
  /// without a floor are low, so that one can look over them.
  std::string clipped_disk(const Plane& p, double radius) const {
    constexpr int corners = 72;
    std::vector<Vec3> polygon, next;
    for (int k = 0; k < corners; ++k) {
      const double a = 2 * pi * k / corners;
      polygon.push_back(p.centre + radius * (std::cos(a) * p.t1 + std::sin(a) * p.t2));
    }
    std::vector<Plane> cuts = planes_;
    if (!has_floor(picture_))
      for (const double side : {1.0, -1.0})
        cuts.push_back({"",
                        side * picture_.up,
                        camera_.centre - 0.05 * side * camera_.radius * picture_.up,
                        {},
                        {},
                        {}});
    for (const Plane& cut : cuts) {
      if (std::fabs(dot(cut.normal, p.normal)) > 0.999) continue;
      next.clear();
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec3 &from = polygon[k], &to = polygon[(k + 1) % polygon.size()];
        const double a = dot(cut.normal, from - cut.point), b = dot(cut.normal, to - cut.point);
        if (a >= 0) next.push_back(from);
        if ((a < 0) != (b < 0)) next.push_back(from + (a / (a - b)) * (to - from));
      }
      polygon.swap(next);
    }
    if (polygon.size() < 3) return "";
    std::string points;
    for (const Vec3& q : polygon) points += (points.empty() ? "" : " ") + point(q);
    return points;
  }

  std::string ground(const Plane& p, std::size_t number) const {
    const bool from_behind = dot(p.normal, camera_.toward) < 0.02;
    const double radius = 1.55 * camera_.radius;
    const std::string clip = clipped_disk(p, radius);
    if (clip.empty()) return "";
    const std::string mask = settings_.id + "-m" + std::to_string(number);
    const std::string cut = settings_.id + "-c" + std::to_string(number);
    const Point2 c = camera_.project(p.centre), e1 = camera_.project(p.centre + radius * p.t1),
                 e2 = camera_.project(p.centre + radius * p.t2);
    std::string out =
        "<clipPath id=\"" + cut + "\"><polygon points=\"" + clip + "\"/></clipPath><mask id=\"" + mask +
        "\" maskUnits=\"userSpaceOnUse\" x=\"0\" y=\"0\" width=\"" + px(settings_.width) + "\" height=\"" +
        px(settings_.height) + "\"><circle r=\"1\" transform=\"matrix(" + px(e1.x - c.x) + " " +
        px(e1.y - c.y) + " " + px(e2.x - c.x) + " " + px(e2.y - c.y) + " " + px(c.x) + " " + px(c.y) +
        ")\" fill=\"url(#" + settings_.id + "-fade)\"/></mask><g mask=\"url(#" + mask + ")\"" +
        (from_behind ? " opacity=\".2\"" : "") + "><title>" + escape_html(p.name) +
        "</title><g clip-path=\"url(#" + cut + ")\"><polygon class=\"ground\" points=\"" + clip + "\"/>" +
        grid(p, radius);
    if (!from_behind) out += shadows(p);
    return out + "</g></g>";
  }

  std::string grid(const Plane& p, double radius) const {
    const double spacing = nice(radius / 9);
    std::string fine, bold;
    for (int direction = 0; direction < 2; ++direction) {
      const Vec3 along = direction == 0 ? p.t1 : p.t2, across = direction == 0 ? p.t2 : p.t1;
      const double middle = dot(across, p.centre - p.point);
      for (double k = std::ceil((middle - radius) / spacing); k * spacing <= middle + radius; k += 1) {
        const double off = k * spacing - middle;
        const double half = std::sqrt(std::max(0.0, radius * radius - off * off));
        const Point2 a = camera_.project(p.centre + off * across - half * along),
                     z = camera_.project(p.centre + off * across + half * along);
        (std::fmod(std::fabs(k), 5) == 0 ? bold : fine) +=
            "M" + px(a.x) + " " + px(a.y) + "L" + px(z.x) + " " + px(z.y);
      }
    }
    return "<path class=\"grid\" d=\"" + fine + "\"/><path class=\"grid bold\" d=\"" + bold + "\"/>";
  }

  /// Points whose shadows' hull is the shadow.
  std::vector<Vec3> outline(const PictureBody& b) const {
    std::vector<Vec3> points;
    const auto ring = [&](const Vec3& centre, double r) {
      Vec3 u, v;
      tangents(light_, u, v);
      for (int k = 0; k < 24; ++k) {
        const double a = 2 * pi * k / 24;
        points.push_back(centre + r * std::cos(a) * u + r * std::sin(a) * v);
      }
    };
    if (const auto* s = std::get_if<Sphere>(&b.info.shape)) ring(b.position, s->radius);
    if (const auto* s = std::get_if<Capsule>(&b.info.shape)) {
      const Vec3 axis = rotate(b.orientation, {0, 0, 0.5 * s->length});
      ring(b.position - axis, s->radius);
      ring(b.position + axis, s->radius);
    }
    if (const auto* s = std::get_if<Box>(&b.info.shape))
      for (int k = 0; k < 8; ++k)
        points.push_back(b.position + rotate(b.orientation, {(k & 1 ? 0.5 : -0.5) * s->size.x,
                                                             (k & 2 ? 0.5 : -0.5) * s->size.y,
                                                             (k & 4 ? 0.5 : -0.5) * s->size.z}));
    if (const auto* s = std::get_if<ConvexShape>(&b.info.shape);
        s != nullptr && !std::holds_alternative<Triangle>(s->body().core))
      for (const Facet& facet : facets_of(s->body(), camera_.scale * s->size()))
        for (const Vec3& x : facet.corners) points.push_back(b.position + rotate(b.orientation, x));
    return points;
  }

  std::string shadows(const Plane& p) const {
    const double slope = dot(p.normal, light_);
    if (slope < 0.15) return "";
    std::string out;
    for (const PictureBody& b : picture_.bodies) {
      if (!is_finite(b.position) || !is_finite(b.orientation)) continue;
      std::vector<Point2> flat;
      for (const Vec3& x : outline(b)) {
        const double height = std::max(0.0, dot(p.normal, x - p.point));
        flat.push_back(camera_.project(x - (height / slope) * light_));
      }
      out += hull_path(std::move(flat));
    }
    return out.empty() ? "" : "<path class=\"shadow\" d=\"" + out + "\"/>";
  }

  /// Convex hull (Andrew's monotone chain) as a closed path.
  static std::string hull_path(std::vector<Point2> p) {
    if (p.size() < 3) return "";
    std::sort(p.begin(), p.end(),
              [](const Point2& a, const Point2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<Point2> hull;
    const auto left = [](const Point2& a, const Point2& b, const Point2& c) {
      return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    };
    for (int pass = 0; pass < 2; ++pass) {
      const std::size_t base = hull.size();
      for (const Point2& q : p) {
        while (hull.size() >= base + 2 && left(hull[hull.size() - 2], hull.back(), q) <= 0) hull.pop_back();
        hull.push_back(q);
      }
      hull.pop_back();
      std::reverse(p.begin(), p.end());
    }
    std::string out;
    for (std::size_t k = 0; k < hull.size(); ++k)
      out += (k ? "L" : "M") + px(hull[k].x) + " " + px(hull[k].y);
    return out + "Z";
  }

  // --- joints

  /// From bodies to joints outside of them, behind all bodies.
  std::string rods() const {
    std::string lines;
    for (const PictureJoint& j : picture_.joints) {
      if (!j.rod) continue;
      const Point2 a = camera_.project(j.point), b = camera_.project(*j.rod);
      lines += "M" + px(a.x) + " " + px(a.y) + "L" + px(b.x) + " " + px(b.y);
    }
    return lines.empty() ? "" : "<path class=\"rod\" d=\"" + lines + "\"/>";
  }

  /// A ring at the joint's point and a short line along its axis, over the bodies: they lie inside of them.
  std::string joints() const {
    if (picture_.joints.empty()) return "";
    // rings of neighbours do not touch where there are many
    const double r = std::clamp(60.0 / std::sqrt(double(picture_.joints.size())), 2.0, 5.0);
    std::string out = "<g class=\"joint\">";
    for (const PictureJoint& j : picture_.joints) {
      const Point2 c = camera_.project(j.point);
      out += "<g><title>" + escape_html(j.name) + "</title>";
      if (norm2(j.axis) > 0) {
        const Vec3 reach = (3 * r / camera_.scale) * j.axis;
        const Point2 a = camera_.project(j.point - reach), b = camera_.project(j.point + reach);
        out += "<path d=\"M" + px(a.x) + " " + px(a.y) + "L" + px(b.x) + " " + px(b.y) + "\"/>";
      }
      out += "<circle cx=\"" + px(c.x) + "\" cy=\"" + px(c.y) + "\" r=\"" + px(r) + "\"/></g>";
    }
    return out + "</g>";
  }

  // --- contact forces

  std::string arrows() const {
    double largest = 0;
    for (const PictureForce& f : picture_.forces) largest = std::max(largest, norm(f.force));
    if (!(largest > 0)) return "";
    const double scale = settings_.force_scale > 0 ? settings_.force_scale : 0.2 * settings_.height / largest;
    std::string out = "<g class=\"force\">";
    for (const PictureForce& f : picture_.forces) {
      const Point2 a = camera_.project(f.point),
                   b = camera_.project(f.point + (scale / camera_.scale) * f.force);
      const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
      if (!(length > 2)) continue;
      const double head = std::min(9.0, 0.5 * length), ux = dx / length, uy = dy / length;
      out += "<path d=\"M" + px(a.x) + " " + px(a.y) + "L" + px(b.x - 0.8 * head * ux) + " " +
             px(b.y - 0.8 * head * uy) + "\"/><path class=\"tip\" d=\"M" + px(b.x) + " " + px(b.y) + "L" +
             px(b.x - head * ux - 0.4 * head * uy) + " " + px(b.y - head * uy + 0.4 * head * ux) + "L" +
             px(b.x - head * ux + 0.4 * head * uy) + " " + px(b.y - head * uy - 0.4 * head * ux) + "Z\"/>";
    }
    return out + "</g>";
  }

  std::string definitions() const {
    return gradient_text_ + "<radialGradient id=\"" + settings_.id +
           "-fade\"><stop offset=\".35\" stop-color=\"#fff\"/><stop offset=\"1\" stop-color=\"#fff\" "
           "stop-opacity=\"0\"/></radialGradient>";
  }

  const Picture& picture_;
  const Camera& camera_;
  const SvgSettings& settings_;
  Vec3 light_;
  std::vector<Plane> planes_;
  std::map<std::string, int> stems_;              // number in the order of their bodies
  std::map<std::string, std::string> gradients_;  // colour -> id
  std::string gradient_text_;
  std::size_t stripes_ = 0;
};

}  // namespace

std::string scene_style() {
  return ".sky{fill:#f4f6f9}.ground{fill:#e3e7ee}.grid{fill:none;stroke:#b9c2cf;stroke-width:.8}"
         ".grid.bold{stroke:#9aa6b6;stroke-width:1.1}.shadow{fill:#0b1220;fill-opacity:.17}"
         ".force path{fill:none;stroke:#c2185b;stroke-width:2}.force .tip{fill:#c2185b;stroke:none}"
         ".rod{fill:none;stroke:#7d8896;stroke-width:2.2;stroke-linecap:round}"
         ".joint circle{fill:#fff;fill-opacity:.85;stroke:#10161f;stroke-width:1.4}.joint "
         "path{stroke:#10161f;stroke-width:1.4}"
         "@media(prefers-color-scheme:dark){.sky{fill:#12161d}.ground{fill:#1c232d}.grid{stroke:#323d4b}"
         ".grid.bold{stroke:#465467}.shadow{fill:#000;fill-opacity:.42}.force path{stroke:#ff6f9f}"
         ".force .tip{fill:#ff6f9f;stroke:none}.joint circle{fill:#12161d;stroke:#e8ecf2}.joint "
         "path{stroke:#e8ecf2}}";
}

double common_force_scale(std::span<const Picture> pictures, double height) {
  double largest = 0;
  for (const Picture& p : pictures)
    for (const PictureForce& f : p.forces) largest = std::max(largest, norm(f.force));
  return largest > 0 ? 0.2 * height / largest : 0;
}

std::string scene_svg(const Picture& picture, const Camera& camera, const SvgSettings& settings) {
  return Painter(picture, camera, settings).draw();
}

std::string scene_svg(const Recording& recording, std::size_t frame, const SvgSettings& settings,
                      const std::optional<Camera>& camera) {
  const Picture picture = picture_of(recording, frame);
  return scene_svg(picture, camera ? *camera : camera_for({&picture, 1}, settings.width, settings.height),
                   settings);
}

}  // namespace stiction
