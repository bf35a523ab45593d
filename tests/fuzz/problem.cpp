// Complementarity problems in JSON: mistakes with places, or a problem.
#include <string_view>

#include "fuzz.h"
#include "stiction/formats/problem_file.h"

int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace stiction;
  const auto file = read_problem_text({reinterpret_cast<const char*>(data), size}, "f");
  if (!file)
    for (const Mistake& m : file.mistakes())
      fuzz::expect(m.file == "f" && m.line >= 1 && !m.message.empty(), "a mistake has its place and words");
  return 0;
}
