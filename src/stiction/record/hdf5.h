// HDF5 recordings: the same records as a journal, as tables that other programs read (h5py, MATLAB, h5wasm).
// Layout: record/README.md. Written to a temporary name and renamed, row by row; read the same way.
#pragma once

#include <optional>
#include <string>

#include "stiction/base/result.h"
#include "stiction/record/frame.h"
#include "stiction/record/journal.h"

namespace stiction {

/// Writes the recording `from` (a journal, or HDF5) as HDF5. Says how reading `from` ended.
Result<JournalEnding> write_hdf5(const std::string& from, const std::string& to);

/// Hands all records to the visitor; of the full States only the last one is kept in HDF5.
Result<JournalEnding> visit_hdf5(const std::string& path, RecordingVisitor& visitor);

bool is_hdf5(const std::string& path);  // by its first bytes
/// Why a file that begins as HDF5 is not whole, by its size; nothing: it may be.
std::optional<Mistake> cut_hdf5(const std::string& path);
/// The largest number of bodies of its frames; 0: no recording.
std::size_t most_bodies_in_hdf5(const std::string& path);

}  // namespace stiction
