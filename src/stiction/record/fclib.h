// Frictional contact problems in the HDF5 layout of FCLib, the collection of the field (Acary, Bremond,
// Koziara, Perignon 2014, "FCLIB: a collection of discrete 3D frictional contact problems", INRIA RT-0444).
//
//   /fclib_local/spacedim                     rows per contact: 2 or 3; 5 with rolling
//   /fclib_local/W/{nzmax,m,n,nz,p,i,x}       nz = -1 compressed columns, -2 compressed rows, >= 0 triplets
//                                             with i = row, p = column (as CSparse and Siconos have them)
//   /fclib_local/vectors/{q,mu}               u = W r + q
//   /fclib_global/{spacedim,M,H,vectors/{f,w,mu}}      M v = H r + f,  u = H^T v + w
//   /fclib_global_rolling/...                 the same with vectors/mu_r
//   .../info/{title,description,math_info}, /solution/{v,u,r}, /guesses/{number_of_guesses,1,2,...}
//
// Additions of ours: vectors/mu_r in a local problem (two discs, as in FCLib's global one), and spacedim 4 to
// 6 with vectors/weights (one ellipsoid). Files come from anywhere: they are read without the HDF5 library
// (detail/hdf5_image.h), and sizes, types, indices and numbers are checked before they are used.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stiction/base/result.h"
#include "stiction/complementarity/friction/problems.h"

namespace stiction {

/// A solution or a guess; empty where the file says nothing.
struct FclibSolution {
  std::vector<double> v{};  // [m/s] of the bodies; global problems
  std::vector<double> u{};  // [m/s] of the contacts
  std::vector<double> r{};  // [N s] impulses
};

struct FclibFile {
  std::string path{};  // as the user named it
  std::string title{}, description{}, math_info{};
  std::variant<complementarity::LocalFriction, complementarity::GlobalFriction> problem{};
  std::optional<FclibSolution> solution{};
  std::vector<FclibSolution> guesses{};
};

/// On failure lists the mistakes, each naming the file and the dataset.
Result<FclibFile> read_fclib(const std::string& path);
/// The same for a file in memory; `name` stands for it in messages.
Result<FclibFile> read_fclib_bytes(std::string bytes, const std::string& name);

/// Under a temporary name, then renamed. W in compressed columns, M and H as triplets: what Siconos reads.
Result<bool> write_fclib(const std::string& path, const FclibFile& file);

}  // namespace stiction
