// Frictional contact problems in HDF5: mistakes that name the file, or a problem without faults.
#include "stiction/record/fclib.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace stiction;
  const auto file = read_fclib_bytes({reinterpret_cast<const char*>(data), size}, "f");
  if (file) {
    const bool good =
        std::visit([](const auto& p) { return complementarity::validate(p).empty(); }, file.value().problem);
    fuzz::expect(good, "a problem that was read has no faults");
    return 0;
  }
  for (const Mistake& m : file.mistakes())
    fuzz::expect(m.file == "f" && !m.message.empty(), "a mistake names the file");
  return 0;
}
