// Journals, in two ways. First byte even: the rest is the file. Odd: the rest is cut into blocks (kind, two
// bytes of length, payload) that get the right checksums, so that what lies behind them is reached: every
// record, the State. All readers agree on how the journal ends, and none of what they hand out is out of
// range.
#include "stiction/record/journal.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "fuzz.h"
#include "stiction/base/hash.h"
#include "stiction/record/recording.h"
#include "stiction/step/state.h"

namespace {

using namespace stiction;
using Bytes = std::vector<unsigned char>;

template <class T>
void put(Bytes& out, const T& x) {
  unsigned char bytes[sizeof x];
  std::memcpy(bytes, &x, sizeof x);
  out.insert(out.end(), bytes, bytes + sizeof x);
}

std::uint64_t checksum(const Bytes& bytes, std::size_t from) {
  Hash h;
  h.bytes(bytes.data() + from, bytes.size() - from);
  return h.result();
}

void put_block(Bytes& file, std::uint32_t kind, std::uint64_t index, const unsigned char* payload,
               std::size_t size) {
  const std::size_t start = file.size();
  put(file, std::uint32_t(0x424a5453));
  put(file, kind);
  put(file, index);
  put(file, std::uint64_t(size));
  put(file, checksum(file, start));
  file.insert(file.end(), payload, payload + size);
  put(file, checksum(file, start));
}

Bytes with_checksums(const unsigned char* data, std::size_t size) {
  Bytes file;
  for (std::uint64_t index = 0; size >= 3; ++index) {
    const std::size_t length = std::min<std::size_t>(data[1] | std::size_t(data[2]) << 8, size - 3);
    put_block(file, data[0] % 8, index, data + 3, length);
    data += 3 + length, size -= 3 + length;
  }
  return file;
}

Model two_balls() {
  Scene s;
  s.add_body("a", {.shape = Sphere{0.1}, .mass = 1});
  s.add_body("b", {.shape = Sphere{0.1}, .mass = 1, .position = {1, 0, 0}});
  return compile(s).or_exit();
}

/// Looks at everything that readers use without a further check.
struct Looker : RecordingVisitor {
  std::size_t words = 0;
  void on_revision(const Revision& x) override {
    for (const BodyInfo& b : x.bodies) words += b.name.size() + std::size_t(kind(b.shape));
  }
  void on_frame(const Frame& x) override {
    fuzz::expect(x.position.size() == x.alive.size() && x.spin.size() == x.alive.size(),
                 "columns of a frame");
    for (const Contact& c : x.contacts) words += std::strlen(name(c.state));
    words += std::strlen(solver_name(x.since.solvers));
  }
  void on_state(const StatePoint& x) override {
    static const Model model = two_balls();
    if (const Result<State> state = load(model, x.bytes)) words += std::size_t(state.value().hash() & 1);
  }
};

}  // namespace

int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes bytes = data[0] % 2 ? with_checksums(data + 1, size - 1) : Bytes(data + 1, data + size);
  const fuzz::MemoryFile file(bytes.data(), bytes.size());
  Looker looker;
  const Result<JournalEnding> ending = visit_recording(file.path(), looker);
  const Result<ResumePoint> point = find_resume_point(file.path());
  if (point) fuzz::expect(ending && !point.value().revisions.empty(), "a run that goes on can be read");
  const Result<RecordingDigest> digest =
      digest_recording(file.path(), {.scene_memory = 10'000, .curve_memory = 10'000});
  const Result<Recording> loaded = load_recording(file.path(), {.memory = 10'000});
  fuzz::expect(bool(digest) == bool(loaded), "all readers read it, or none");
  if (!loaded) {
    for (const Mistake& m : loaded.mistakes())
      fuzz::expect(m.file == file.path() && !m.message.empty(), "a mistake names the file");
    return 0;
  }
  const Recording& r = loaded.value();
  fuzz::expect(ending && ending.value().good_bytes + ending.value().lost_bytes == bytes.size(),
               "every byte counts");
  fuzz::expect(r.contact_start.size() == r.frames() + 1 && r.contact_start.back() == r.contacts.size(),
               "contacts");
  fuzz::expect(r.position.size() == r.frames() * r.stride, "positions");
  for (std::size_t f = 0; f < r.frames(); ++f)
    fuzz::expect(r.bodies(f).size() <= r.stride, "bodies of a frame");
  if (r.frames() > 0) trajectories(r, "a.position");
  r.total();
  return 0;
}
