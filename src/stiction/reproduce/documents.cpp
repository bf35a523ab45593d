// The documents. A new one is a file of examples and a line here.
#include "stiction/reproduce/documents.h"

#include <array>

namespace stiction::reproduce {

std::span<const Document> documents() {
  static const std::array<Document, 1> all{servin()};
  return all;
}

}  // namespace stiction::reproduce
