// CSV export: files beside each other, one line per (frame, body), per frame, per (frame, contact), per
// (frame, pair of bodies that press on each other) and, where bodies are joined by coordinates, per (frame,
// coordinate or velocity of a joint). The header line names every column with its unit in brackets; numbers
// read back as the same doubles.
#pragma once

#include <string>

#include "stiction/base/result.h"
#include "stiction/record/journal.h"

namespace stiction {

struct CsvFiles {
  std::string bodies;    // STEM.bodies.csv
  std::string books;     // STEM.books.csv: certificate, solver and ledger
  std::string contacts;  // STEM.contacts.csv
  std::string pairs;     // STEM.pairs.csv: sums over the contacts of a pair
  std::string joints;    // STEM.joints.csv; empty: there are no joints with coordinates
  JournalEnding ending;  // how reading the recording ended
};
/// Writes STEM.*.csv from a journal or an HDF5 recording, frame by frame.
Result<CsvFiles> write_csv(const std::string& recording, const std::string& stem);

}  // namespace stiction
