// Files are read with assimp (OBJ, STL, PLY). It passes over some faults of OBJ files, so indices and numbers
// of these are checked line by line before.
#include "stiction/formats/mesh_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#ifdef STICTION_ASSIMP
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

#include "stiction/base/platform/file.h"
#include "stiction/base/text.h"
#include "stiction/formats/detail/read.h"

namespace stiction::formats {
namespace {

constexpr std::uint64_t longest_file = 256'000'000;  // [bytes]

std::string extension_of(const std::string& path) {
  std::string out = std::filesystem::path(path).extension().string();
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  return out.empty() ? out : out.substr(1);
}

std::string_view next_word(std::string_view& line) {
  const std::size_t begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return line = {};
  const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

/// The first fault of the vertices and faces of an OBJ file.
std::optional<Mistake> check_obj(const std::string& path, std::string_view text) {
  long vertices = 0;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view kind = next_word(line);
    const auto fault = [&](const std::string& message) { return Mistake{path, number, 0, "", message}; };
    if (kind == "v") {
      for (int i = 0; i < 3; ++i) {
        const std::string_view word = next_word(line);
        double x = 0;
        if (!number_from_text(word, x) || !std::isfinite(x))
          return fault("found the coordinate \"" + std::string(word) + "\", must be a finite number");
      }
      ++vertices;
    } else if (kind == "f") {
      int corners = 0;
      for (std::string_view word = next_word(line); !word.empty(); word = next_word(line), ++corners) {
        long index = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        const bool whole = error == std::errc() && (end == word.data() + word.size() || *end == '/');
        if (!whole || index == 0 || index > vertices || index < -vertices)
          return fault("found the vertex \"" + std::string(word) + "\" in a face, there are 1 to " +
                       std::to_string(vertices));
      }
      if (corners < 3)
        return fault("found a face of " + std::to_string(corners) + " vertices, at least 3 are needed");
    }
  }
  return std::nullopt;
}

#ifdef STICTION_ASSIMP
Result<TriangleMesh> imported(const std::string& path, const std::string& bytes,
                              const std::string& extension) {
  Assimp::Importer importer;
  const aiScene* scene =
      importer.ReadFileFromMemory(bytes.data(), bytes.size(), aiProcess_Triangulate, extension.c_str());
  if (scene == nullptr)
    return Mistake{path, 0, 0, "", std::string("cannot be read: ") + importer.GetErrorString()};
  TriangleMesh out;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& mesh = *scene->mMeshes[m];
    const int base = int(out.vertices.size());
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D& v = mesh.mVertices[i];
      out.vertices.push_back({double(v.x), double(v.y), double(v.z)});
    }
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& f = mesh.mFaces[i];
      if (f.mNumIndices != 3)
        return Mistake{path, 0, 0, "",
                       "holds points or lines, a mesh is made of triangles and polygons only"};
      out.triangles.push_back(
          {base + int(f.mIndices[0]), base + int(f.mIndices[1]), base + int(f.mIndices[2])});
    }
  }
  if (out.triangles.empty()) return Mistake{path, 0, 0, "", "holds no triangles"};
  return out;
}
#else
Result<TriangleMesh> imported(const std::string& path, const std::string&, const std::string&) {
  return Mistake{
      path, 0, 0, "",
      "cannot be read: this program was built without assimp. Give vertices and triangles in the scene"};
}
#endif

Json numbers_of(const Place& place, const Vec3& v) {
  Json out = Json::list(place);
  for (int i = 0; i < 3; ++i) out.items.push_back(Json::of(v[i], place));
  return out;
}

/// Whether a value has yet to be computed from constants and indices.
bool is_formula(const Json& v) {
  return v.is(Kind::text) &&
         (v.text.starts_with('$') || v.text.starts_with('=') || v.text.find('{') != std::string::npos);
}

void inline_mesh(Json& mesh, const std::string& path, bool has_file, Messages& messages) {
  const Json* name = part(mesh, "file", Kind::text);
  if (name == nullptr) return;
  for (const char* key : {"file", "unit", "flip"})
    if (const Json* v = mesh.find(key); v != nullptr && is_formula(*v)) return;
  const Place place = name->place;
  const auto fail = [&](const std::string& message) {
    messages.add(place, joined(path, "file"), message);
    mesh.remove("file");
    mesh.add({"vertices", place}, Json{Kind::broken, false, 0, place, {}, {}, {}});
    mesh.add({"triangles", place}, Json{Kind::broken, false, 0, place, {}, {}, {}});
  };
  if (mesh.find("vertices") != nullptr || mesh.find("triangles") != nullptr)
    return fail("found both `file` and `vertices` or `triangles`, keep one");
  if (!has_file) return fail("this scene is not in a file, so it cannot name files");
  const std::string file = (std::filesystem::path(messages.file(place.file)).parent_path() / name->text)
                               .lexically_normal()
                               .generic_string();
  const Result<TriangleMesh> read = read_mesh_file(file);
  if (!read) return fail(read.mistakes().front().text());
  if (read.value().triangles.size() > most_mesh_triangles)
    return fail(file + " has " + std::to_string(read.value().triangles.size()) +
                " triangles, must be at most " + std::to_string(most_mesh_triangles));
  double unit = 1;
  bool flip = false;
  formats::read(mesh, "unit", unit), formats::read(mesh, "flip", flip);
  if (!(unit > 0 && std::isfinite(unit))) return fail("`unit` must be above 0 m");
  TriangleMesh scaled = read.value();
  for (Vec3& v : scaled.vertices) v = unit * v;
  if (flip)
    for (auto& t : scaled.triangles) std::swap(t[1], t[2]);
  if (const Result<SurfaceShape> made = SurfaceShape::from(scaled); !made) {
    const Mistake& first = made.mistakes().front();
    return fail(file + ": " + first.path + ": " + first.message);
  }
  for (const char* key : {"file", "unit", "flip"}) mesh.remove(key);
  Json vertices = Json::list(place), triangles = Json::list(place);
  for (const Vec3& v : scaled.vertices) vertices.items.push_back(numbers_of(place, v));
  for (const auto& t : scaled.triangles)
    triangles.items.push_back(numbers_of(place, {double(t[0]), double(t[1]), double(t[2])}));
  mesh.add({"vertices", place}, std::move(vertices));
  mesh.add({"triangles", place}, std::move(triangles));
}

/// Whether a line of a PLY file's head is just `end_header`.
bool has_header_end(std::string_view text) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, end - from);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line == "end_header") return true;
    from = end + 1;
  }
  return false;
}

}  // namespace

Result<TriangleMesh> read_mesh_file(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension != "obj" && extension != "stl" && extension != "ply")
    return Mistake{path, 0, 0, "", "is no mesh file: .obj, .stl and .ply are read"};
  const Result<std::string> bytes = read_file(path, longest_file);
  if (!bytes) return bytes.mistakes();
  if (extension == "obj")
    if (const std::optional<Mistake> fault = check_obj(path, bytes.value())) return *fault;
  if (extension == "ply" && !has_header_end(bytes.value()))  // assimp does not come back from these
    return Mistake{path, 0, 0, "", "cannot be read: the header has no end_header"};
  return imported(path, bytes.value(), extension);
}

void inline_meshes(Json& scene, bool has_file, Messages& messages) {
  Json* bodies = scene.find("bodies");
  if (bodies == nullptr || !bodies->is(Kind::map)) return;
  for (std::size_t i = 0; i < bodies->items.size(); ++i) {
    Json* shape = bodies->items[i].is(Kind::map) ? bodies->items[i].find("shape") : nullptr;
    Json* mesh = shape != nullptr && shape->is(Kind::map) ? shape->find("mesh") : nullptr;
    if (mesh != nullptr && mesh->is(Kind::map))
      inline_mesh(*mesh, joined(joined("bodies", bodies->keys[i].name), "shape.mesh"), has_file, messages);
  }
}

}  // namespace stiction::formats
