// Mesh files: OBJ, STL, PLY.
#pragma once

#include <string>

#include "stiction/formats/json.h"
#include "stiction/geometry/surface.h"

namespace stiction::formats {

/// Scenes may hold meshes of at most so many triangles: recordings carry them as text.
inline constexpr std::size_t most_mesh_triangles = 300'000;

/// The triangles of a file as they stand there; polygons are cut into triangles. Mistakes name file and,
/// where the format has lines, the line.
Result<TriangleMesh> read_mesh_file(const std::string& path);

/// Replaces `file`, `unit` and `flip` of every mesh of the scene by its vertices and triangles, so that the
/// scene stands alone. Paths count from the file they are written in. In a scene that is not expanded yet,
/// meshes whose `file`, `unit` or `flip` is a formula stay as they are.
void inline_meshes(Json& scene, bool has_file, Messages& messages);

}  // namespace stiction::formats
