// Beside Bullet (Debian's, single precision) and, where it is installed, ODE (Debian's, double precision):
// spheres that fall into a box (scenes/spheres.json, P1) and a pyramid of bricks (scenes/pyramid.json, P2).
// 64 spheres and a base of 20; with the word `full` P1 with 1000 and 4096 spheres, P2 with bases of 20
// and 40. All for 5 s, but that we stop where a scene has taken `seconds=N` of processor time (150: in the
// jam of spheres our steps take minutes); `reached` is the simulated time at which an engine's figures were
// read. One JSON line per result, then one table of all. All engines get the same compiled scene; errors are
// recomputed from positions by the same code for all:
//   spheres   overlap [mm] of all pairs and walls: largest of the run (every 10th step), largest and mean at
//             the end
//   pyramid   distance [m] of a brick from where it belongs (z = 0.1 + 0.2 row, x and y as started), largest
//             at the end; "stood" if below half a brick's height
// Bullet: sequential impulses with 10 (its default) and 100 iterations, no sleeping, friction such that its
// product rule gives our coefficient. Half-spaces stand as planes for spheres and as large boxes for bricks,
// since a brick on Bullet's plane gets one contact point and creeps. ODE: ode_world.h, 20 (its default) and
// 200 iterations.
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>

#include "../bench.h"
#ifdef STICTION_ODE_VERSION
#include "ode_world.h"
#endif

namespace stiction::bench {
namespace {

using Positions = std::vector<Vec3>;

btVector3 vector(const Vec3& v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

class BulletWorld {
 public:
  BulletWorld(const Model& m, int iterations) : dispatcher_(&configuration_) {
    world_ =
        std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broad_phase_, &solver_, &configuration_);
    world_->setGravity(vector(m.gravity));
    world_->getSolverInfo().m_numIterations = iterations;
    const bool bricks = std::any_of(m.shape.begin(), m.shape.end(),
                                    [](const Shape& s) { return std::holds_alternative<Box>(s); });
    for (std::size_t i = 0; i < std::size_t(m.body_count()); ++i) add(m, i, bricks);
  }
  ~BulletWorld() {
    for (const auto& body : bodies_) world_->removeRigidBody(body.get());
  }
  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void step(double h) { world_->stepSimulation(btScalar(h), 0); }
  Positions positions() const {
    Positions out;
    for (const auto& body : bodies_) {
      const btVector3& p = body->getWorldTransform().getOrigin();
      out.push_back({p.x(), p.y(), p.z()});
    }
    return out;
  }

 private:
  void add(const Model& m, std::size_t i, bool bricks) {
    btTransform pose = btTransform::getIdentity();
    pose.setOrigin(vector(m.start_position[i]));
    if (const auto* sphere = std::get_if<Sphere>(&m.shape[i])) {
      shapes_.push_back(std::make_unique<btSphereShape>(btScalar(sphere->radius)));
    } else if (const auto* box = std::get_if<Box>(&m.shape[i])) {
      shapes_.push_back(std::make_unique<btBoxShape>(vector(0.5 * box->size)));
    } else if (const auto* half = std::get_if<HalfSpace>(&m.shape[i]); half && bricks) {
      shapes_.push_back(std::make_unique<btBoxShape>(btVector3(100, 100, 1)));
      pose.setOrigin(vector(m.start_position[i] + (half->offset - 1) * normalized(half->normal)));
    } else if (half) {
      shapes_.push_back(
          std::make_unique<btStaticPlaneShape>(vector(normalized(half->normal)), btScalar(half->offset)));
    } else {
      STICTION_ASSERT(!"a shape that these scenes do not have");
    }
    states_.push_back(std::make_unique<btDefaultMotionState>(pose));
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(m.mass[i]), states_.back().get(),
                                                  shapes_.back().get(), vector(m.inertia[i]));
    info.m_friction = btScalar(std::sqrt(m.friction(int(i), int(i))));
    info.m_restitution = 0;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_->addRigidBody(bodies_.back().get());
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btMotionState>> states_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
};

struct Overlap {
  double largest = 0, mean = 0;  // [m]; mean over the pairs that overlap
};
Overlap sphere_overlap(const Model& m, const Positions& p) {
  Overlap out;
  double sum = 0;
  int count = 0;
  const auto see = [&](double gap) {
    if (gap < 0) sum -= gap, ++count, out.largest = std::max(out.largest, -gap);
  };
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto* a = std::get_if<Sphere>(&m.shape[i]);
    if (!a) continue;
    for (std::size_t j = 0; j < p.size(); ++j) {
      if (const auto* half = std::get_if<HalfSpace>(&m.shape[j])) {
        see(dot(normalized(half->normal), p[i] - m.start_position[j]) - half->offset - a->radius);
      } else if (const auto* b = std::get_if<Sphere>(&m.shape[j]); b && j < i) {
        see(norm(p[i] - p[j]) - a->radius - b->radius);
      }
    }
  }
  out.mean = count > 0 ? sum / count : 0;
  return out;
}

constexpr double no_limit = 1e300;  // [s]

/// Three digits.
std::string in_digits(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", x);
  return text.data();
}

double brick_drift(const Model& m, const Positions& p) {
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const auto* box = std::get_if<Box>(&m.shape[i]);
    if (!box) continue;
    const Vec3& start = m.start_position[i];
    const double row = std::floor((start.z - 0.1) / 0.2 + 1e-9);  // rows start less than 0.2 m / 20 too high
    largest = std::max(largest, norm(p[i] - Vec3{start.x, start.y, 0.1 + 0.2 * row}));
  }
  return largest;
}

/// One line of the table.
struct Row {
  std::string scene{}, engine{};
  double reached = 0, until = 0;      // [s]
  double mean_ms = 0, median_ms = 0;  // a step
  std::string error{};
};

// Runs one engine and writes its figures; `most` [s] of processor time. step() makes one step, positions()
// reads the present ones.
Row run(Line& line, const Model& m, const RunSettings& settings, double most,
        const std::function<void()>& step, const std::function<Positions()>& positions) {
  const int steps = int(std::lround(settings.until / settings.step));
  const bool spheres = std::any_of(m.shape.begin(), m.shape.end(),
                                   [](const Shape& s) { return std::holds_alternative<Sphere>(s); });
  double seconds = 0, worst = 0;
  std::vector<double> each;
  const double start = processor_seconds();
  for (int i = 1; i <= steps && processor_seconds() - start < most; ++i) {
    each.push_back(seconds_of(step));
    seconds += each.back();
    if (spheres && i % 10 == 0) worst = std::max(worst, sphere_overlap(m, positions()).largest);
  }
  Row row{.reached = double(each.size()) * settings.step,
          .until = settings.until,
          .mean_ms = 1e3 * seconds / double(each.size()),
          .median_ms = 1e3 * median(each)};
  line.number("until", row.until)
      .number("reached", row.reached)
      .number("ms_per_step", row.mean_ms)
      .number("ms_per_step_median", row.median_ms);
  if (spheres) {
    const Overlap end = sphere_overlap(m, positions());
    worst = std::max(worst, end.largest);
    line.number("overlap_run_mm", 1e3 * worst).number("overlap_end_mm", 1e3 * end.largest);
    line.number("overlap_mean_mm", 1e3 * end.mean);
    row.error = "overlap " + in_digits(1e3 * worst) + " mm, " + in_digits(1e3 * end.largest) + " at the end";
  } else {
    const double drift = brick_drift(m, positions());
    line.number("drift_m", drift).flag("stood", drift < 0.1);
    row.error = "drift " + in_digits(drift) + " m, " + (drift < 0.1 ? "stands" : "fallen");
  }
  return row;
}

void print_table(const std::vector<Row>& rows) {
  std::printf("%-14s %-22s %13s %12s %12s  %s\n", "scene", "engine", "reached [s]", "mean [ms]",
              "median [ms]", "error");
  for (const Row& r : rows)
    std::printf("%-14s %-22s %5.3g of %4.3g %12.4g %12.4g  %s\n", r.scene.c_str(), r.engine.c_str(),
                r.reached, r.until, r.mean_ms, r.median_ms, r.error.c_str());
}

/// One peer, for a number of iterations.
template <class Peer>
Row run_peer(const std::string& name, const char* version, int iterations, const Model& model,
             const RunSettings& settings) {
  Peer world(model, iterations);
  Line line(name);
  line.text("version", version).whole("iterations", iterations).whole("bodies", model.body_count());
  Row row = run(
      line, model, settings, no_limit, [&] { world.step(settings.step); }, [&] { return world.positions(); });
  Hash hash;
  for (const Vec3& p : world.positions()) hash.number(p.x), hash.number(p.y), hash.number(p.z);
  line.hash(hash.result()).print();
  row.engine = name.substr(name.find('/') + 1) + ", " + std::to_string(iterations) + " iterations";
  return row;
}

/// One scene with all engines; `most` [s] of processor time for ours. False: a step of ours missed its
/// tolerance.
bool compare(const std::string& name, const std::string& title, const Overrides& overrides, double most,
             std::vector<Row>& table) {
  const SceneFile file =
      read_scene_file(std::string(STICTION_SCENES) + "/" + name + ".json", overrides).or_exit();
  const Model model = compile(file.scene).or_exit();
  const std::size_t first = table.size();
  for (const int iterations : {10, 100})
    table.push_back(
        run_peer<BulletWorld>(name + "/bullet", STICTION_BULLET_VERSION, iterations, model, file.run));
#ifdef STICTION_ODE_VERSION
  for (const int iterations : {20, 200})
    table.push_back(run_peer<OdeWorld>(name + "/ode", STICTION_ODE_VERSION, iterations, model, file.run));
#endif
  World world = build(file.scene, file.run).or_exit();
  Quality quality;
  Line line(name + "/stiction");
  line.number("tolerance", file.run.tolerance).whole("bodies", model.body_count());
  table.push_back(run(
      line, model, file.run, most, [&] { world.step(), quality.see(world.last_report(), world); },
      [&] { return world.state().position; }));
  quality.write(line);
  line.hash(world.hash()).print();
  table.back().engine = "stiction, " + in_digits(file.run.tolerance);
  table.back().error += "; " + std::to_string(quality.unconverged) + " steps missed";
  for (std::size_t i = first; i < table.size(); ++i) table[i].scene = title;
  return quality.unconverged == 0;
}

}  // namespace
}  // namespace stiction::bench

int main(int argc, char** argv) {
  using stiction::bench::compare, stiction::bench::has_word;
  const bool both = !has_word(argc, argv, "spheres") && !has_word(argc, argv, "pyramid");
  const bool full = has_word(argc, argv, "full");
  double most = 150;  // [s]
  for (int i = 1; i < argc; ++i)
    if (const std::string_view word = argv[i]; word.starts_with("seconds=")) most = std::atof(argv[i] + 8);
  if (!(most > 0)) {
    std::fprintf(stderr, "bench bullet: seconds= takes a number above 0\n");
    return 2;
  }
  std::vector<stiction::bench::Row> table;
  bool good = true;
  if (both || has_word(argc, argv, "spheres")) {
    if (!full) good = compare("spheres", "P1 64", {}, most, table) && good;
    if (full) good = compare("spheres", "P1 1000", {{"$n", "10"}, {"run.until", "5"}}, most, table) && good;
    if (full) good = compare("spheres", "P1 4096", {{"$n", "16"}, {"run.until", "5"}}, most, table) && good;
  }
  if (both || has_word(argc, argv, "pyramid")) {
    good = compare("pyramid", "P2 20", {}, most, table) && good;
    if (full) good = compare("pyramid", "P2 40", {{"$base", "40"}}, most, table) && good;
  }
  print_table(table);
  return good ? 0 : 1;
}
