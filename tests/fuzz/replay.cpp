// Runs a fuzz target over the files of a folder, in order. Exit status 2: the folder holds none.
#include <cstdio>

#include "fuzz.h"
#include "stiction/base/platform/file.h"

int main(int count, char** words) {
  using namespace stiction;
  if (count != 2) return 2;
  const auto names = list_folder(words[1]).or_exit();
  for (const std::string& name : names) {
    const std::string bytes = read_file(join_path(words[1], name)).or_exit();
    std::printf("%s\n", name.c_str());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  return names.empty() ? 2 : 0;
}
