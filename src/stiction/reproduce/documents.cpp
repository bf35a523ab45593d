// The documents. A new one is a file of examples and a line here.
#include "stiction/reproduce/documents.h"

#include <array>

namespace stiction::reproduce {

std::span<const Document> documents() {
  static const std::array<Document, 5> all{servin(), cline_pai(), stewart_trinkle(), chakraborty(), morgan()};
  return all;
}

}  // namespace stiction::reproduce
