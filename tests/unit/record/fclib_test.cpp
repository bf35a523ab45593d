// Frictional contact problems in FCLib's layout: there and back bit for bit, as other programs write them,
// every kind of mistake, and damaged files of every kind.
#include "stiction/record/fclib.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "stiction/record/detail/hdf5_tools.h"
#include "support/size.h"
#include "unit/record/synthetic_run.h"

namespace stiction {
namespace {

using namespace complementarity;
using namespace detail;
using synthetic::Folder;
using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;
using Integers = std::vector<int>;

/// Every second entry of a rows x columns matrix, with digits that need all bits.
SparseRows chequered(int rows, int columns) {
  SparseRows a{rows, columns, {0}, {}, {}};
  for (int i = 0; i < rows; ++i) {
    for (int j = i % 2; j < columns; j += 2) {
      a.column.push_back(j);
      a.value.push_back((i == j ? 1 : 0.1) / (1.0 + i + 7 * j));
    }
    a.start.push_back(int(a.column.size()));
  }
  return a;
}

Numbers digits(std::size_t n) {
  Numbers x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = (i % 3 == 0 ? -1 : 1) / (3.0 + double(i));
  return x;
}

LocalFriction local_problem(int rows = 3, FrictionLaw law = FrictionLaw::ellipsoid) {
  LocalFriction p;
  p.laws.rows = rows;
  p.laws.law = law;
  p.laws.mu = {0.1, 0.0, 1e300};
  if (law == FrictionLaw::discs) p.laws.mu_rolling = {0.01, 0.02, 0};
  p.W = chequered(3 * rows, 3 * rows);
  p.b = digits(std::size_t(3 * rows));
  return p;
}

GlobalFriction global_problem(int rows = 3, FrictionLaw law = FrictionLaw::ellipsoid) {
  GlobalFriction p;
  p.laws = local_problem(rows, law).laws;
  p.M = chequered(7, 7);
  p.H = chequered(7, 3 * rows);
  p.f = digits(7);
  p.b = digits(std::size_t(3 * rows));
  return p;
}

void expect_same(const SparseRows& a, const SparseRows& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.column, b.column);
  ASSERT_EQ(a.value.size(), b.value.size());
  EXPECT_EQ(std::memcmp(a.value.data(), b.value.data(), a.value.size() * sizeof(double)), 0);
}
void expect_same(const FrictionLaws& a, const FrictionLaws& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.law, b.law);
  EXPECT_EQ(a.mu, b.mu);
  EXPECT_EQ(a.mu_rolling, b.mu_rolling);
  EXPECT_EQ(a.weights, b.weights);
}

FclibFile there_and_back(const FclibFile& file) {
  const Folder folder;
  const Result<bool> written = write_fclib(folder / "p.h5", file);
  EXPECT_TRUE(written) << written.mistakes().front().text();
  EXPECT_EQ(list_folder(folder.path()).value(), Texts{"p.h5"});  // no temporary file stays
  Result<FclibFile> read = read_fclib(folder / "p.h5");
  EXPECT_TRUE(read) << (read ? "" : read.mistakes().front().text());
  return read ? std::move(read).value() : FclibFile{};
}

TEST(Fclib, LocalProblemsReadBackBitForBit) {
  for (int rows = 2; rows <= 6; ++rows) {
    for (const FrictionLaw law : {FrictionLaw::ellipsoid, FrictionLaw::discs}) {
      if (law == FrictionLaw::discs && rows < 5) continue;
      const LocalFriction p = local_problem(rows, law);
      const FclibFile file = there_and_back({.problem = p});
      const auto& q = std::get<LocalFriction>(file.problem);
      expect_same(p.laws, q.laws);
      expect_same(p.W, q.W);
      EXPECT_EQ(p.b, q.b);
      EXPECT_FALSE(file.solution);
    }
  }
  LocalFriction p = local_problem(4);
  p.laws.weights = {1, 2, 0.1, 1, 2, 0.1, 1, 1, 0.3};
  expect_same(p.laws, std::get<LocalFriction>(there_and_back({.problem = p}).problem).laws);
}

TEST(Fclib, GlobalProblemsReadBackBitForBit) {
  for (const auto& p : {global_problem(2), global_problem(3), global_problem(5, FrictionLaw::discs)}) {
    const FclibFile file = there_and_back({.title = "Kapla",
                                           .description = "tower",
                                           .math_info = "W > 0",
                                           .problem = p,
                                           .solution = FclibSolution{digits(7), p.b, p.b},
                                           .guesses = {{{}, {}, p.b}, {{}, p.b, {}}}});
    const auto& q = std::get<GlobalFriction>(file.problem);
    expect_same(p.laws, q.laws);
    expect_same(p.M, q.M);
    expect_same(p.H, q.H);
    EXPECT_EQ(p.f, q.f);
    EXPECT_EQ(p.b, q.b);
    EXPECT_EQ(file.title + file.description + file.math_info, "KaplatowerW > 0");
    ASSERT_TRUE(file.solution);
    EXPECT_EQ(file.solution->v, digits(7));
    EXPECT_EQ(file.solution->r, p.b);
    ASSERT_EQ(file.guesses.size(), 2u);
    EXPECT_EQ(file.guesses[1].u, p.b);
    EXPECT_TRUE(file.guesses[1].r.empty());
  }
}

TEST(Fclib, TheHdf5LibraryReadsWhatWeWrite) {
  const Folder folder;
  ASSERT_TRUE(write_fclib(folder / "p.h5", {.problem = global_problem()}));
  const Handle file(H5Fopen((folder / "p.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  ASSERT_TRUE(file);
  const SparseRows& H = global_problem().H;
  int n = 0, nz = 0;
  Integers p(H.column.size());
  Numbers x(H.value.size()), mu(3);
  EXPECT_TRUE(read_table(file.id(), "/fclib_global/H/n", Number::small_integer, 1, 0, &n));
  EXPECT_TRUE(read_table(file.id(), "/fclib_global/H/nz", Number::small_integer, 1, 0, &nz));
  EXPECT_TRUE(read_table(file.id(), "/fclib_global/H/p", Number::small_integer, p.size(), 0, p.data()));
  EXPECT_TRUE(read_table(file.id(), "/fclib_global/H/x", Number::real, x.size(), 0, x.data()));
  EXPECT_TRUE(read_table(file.id(), "/fclib_global/vectors/mu", Number::real, 3, 0, mu.data()));
  EXPECT_EQ(n, 9);
  EXPECT_EQ(nz, int(H.value.size()));
  EXPECT_EQ(p, H.column);
  EXPECT_EQ(x, H.value);
}

// --- files as others write them

/// A local problem of one planar contact, dataset by dataset; a test changes some of them.
struct Foreign {
  int spacedim = 2, m = 2, n = 2, nz = -1, nzmax = 4;
  Integers p{0, 2, 4}, i{0, 1, 0, 1};
  Numbers x{1, 2, 3, 4}, q{-1, 0}, mu{0.5};
  std::function<void(hid_t)> more = [](hid_t) {};
  bool without_q = false;

  std::string bytes() const {
    const Folder folder;
    {
      const Handle file(H5Fcreate((folder / "f.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
      const auto whole = [&](const char* name, int value) {
        EXPECT_TRUE(write_table(file.id(), name, Number::small_integer, 1, 0, &value));
      };
      whole("/fclib_local/spacedim", spacedim);
      whole("/fclib_local/W/m", m);
      whole("/fclib_local/W/n", n);
      whole("/fclib_local/W/nz", nz);
      whole("/fclib_local/W/nzmax", nzmax);
      EXPECT_TRUE(write_table(file.id(), "/fclib_local/W/p", Number::small_integer, p.size(), 0, p.data()));
      EXPECT_TRUE(write_table(file.id(), "/fclib_local/W/i", Number::small_integer, i.size(), 0, i.data()));
      EXPECT_TRUE(write_table(file.id(), "/fclib_local/W/x", Number::real, x.size(), 0, x.data()));
      if (!without_q) {
        EXPECT_TRUE(write_table(file.id(), "/fclib_local/vectors/q", Number::real, q.size(), 0, q.data()));
      }
      EXPECT_TRUE(write_table(file.id(), "/fclib_local/vectors/mu", Number::real, mu.size(), 0, mu.data()));
      more(file.id());
    }
    return read_file(folder / "f.h5").value();
  }
  LocalFriction problem() const {
    const Result<FclibFile> r = read_fclib_bytes(bytes(), "f");
    EXPECT_TRUE(r) << (r ? "" : r.mistakes().front().text());
    return r ? std::get<LocalFriction>(r.value().problem) : LocalFriction{};
  }
  Texts mistakes() const {
    Texts out;
    const Result<FclibFile> r = read_fclib_bytes(bytes(), "f");
    for (const Mistake& mistake : r.mistakes()) out.push_back(mistake.text());
    return out;
  }
};

TEST(Fclib, ColumnsRowsAndTriplets) {
  // W = [1 3; 2 4] by columns
  const SparseRows W = Foreign{}.problem().W;
  EXPECT_EQ(W.start, (Integers{0, 2, 4}));
  EXPECT_EQ(W.column, (Integers{0, 1, 0, 1}));
  EXPECT_EQ(W.value, (Numbers{1, 3, 2, 4}));
  expect_same((Foreign{.nz = -2, .x = {1, 3, 2, 4}}.problem().W), W);
  // triplets: i = row, p = column, in any order; room beyond nz is not looked at
  expect_same((Foreign{.nz = 4, .p = {1, 0, 1, 0}, .i = {1, 1, 0, 0}, .x = {4, 2, 3, 1}}.problem().W), W);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Foreign room{.nz = 1, .nzmax = 3, .p = {0, 9, 9}, .i = {0, 9, 9}, .x = {5, nan, nan}};
  EXPECT_EQ(room.problem().W.value, Numbers{5});
  EXPECT_EQ(room.problem().W.start, (Integers{0, 1, 1}));
  // entries of the same place add up; zeros stay
  const SparseRows sum =
      Foreign{.nz = 4, .p = {0, 0, 0, 1}, .i = {0, 0, 0, 0}, .x = {1, 2, 4, 0}}.problem().W;
  EXPECT_EQ(sum.value, (Numbers{7, 0}));
  EXPECT_EQ(sum.column, (Integers{0, 1}));
}

TEST(Fclib, OtherTypesOfNumbers) {
  Foreign f;
  f.without_q = true;
  f.more = [](hid_t file) {  // big-endian floats of 32 bits, in two dimensions
    const hsize_t dims[2] = {2, 1};
    const float q[2] = {-1.5F, 0.25F};
    const Handle space(H5Screate_simple(2, dims, nullptr));
    const Handle set(H5Dcreate2(file, "/fclib_local/vectors/q", H5T_IEEE_F32BE, space.id(), H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT));
    H5Dwrite(set.id(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, q);
    H5Ldelete(file, "/fclib_local/W/m", H5P_DEFAULT);
    const std::int64_t m = 2;
    const Handle scalar(H5Screate(H5S_SCALAR));
    const Handle whole(H5Dcreate2(file, "/fclib_local/W/m", H5T_STD_I64BE, scalar.id(), H5P_DEFAULT,
                                  H5P_DEFAULT, H5P_DEFAULT));
    H5Dwrite(whole.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &m);
  };
  EXPECT_EQ(f.problem().b, (Numbers{-1.5, 0.25}));
}

TEST(Fclib, GroupsWithManyMembers) {  // a tree of more than one level
  Foreign f;
  f.more = [](hid_t file) {
    for (int k = 0; k < 2000; ++k) make_group(file, "/a" + std::to_string(k));
  };
  EXPECT_EQ(f.problem().b, (Numbers{-1, 0}));
}

TEST(Fclib, MistakesNameTheDataset) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::string W = "f: /fclib_local/W";
  EXPECT_EQ((Foreign{.without_q = true}.mistakes()), (Texts{"f: /fclib_local/vectors/q: is missing"}));
  EXPECT_EQ((Foreign{.spacedim = 7}.mistakes()),
            (Texts{"f: /fclib_local/spacedim: found 7, must be from 2 to 6 rows per contact"}));
  EXPECT_EQ(
      (Foreign{.spacedim = 4}.mistakes()),
      (Texts{
          "f: /fclib_local/vectors: spacedim 4 needs mu_r (rolling, two discs) or weights (one ellipsoid)"}));
  EXPECT_EQ((Foreign{.q = {1, 2, 3}}.mistakes()), (Texts{"f: /fclib_local/vectors/q: found 3 numbers, must "
                                                         "be 2: spacedim per contact, one contact per entry "
                                                         "of mu"}));
  EXPECT_EQ((Foreign{.q = {0, nan}}.mistakes()),
            (Texts{"f: /fclib_local/vectors/q: entry 1 is nan, must be a finite number"}));
  EXPECT_EQ((Foreign{.mu = {-0.5}}.mistakes()),
            (Texts{"f: /fclib_local/vectors/mu: entry 0 is -0.5, must be at least 0"}));
  EXPECT_EQ((Foreign{.mu = {}}.mistakes()),
            (Texts{"f: /fclib_local/vectors/mu: is empty: there is no contact"}));
  EXPECT_EQ((Foreign{.m = 3}.mistakes()),
            (Texts{W + ": has m = 3 rows and n = 2 columns, the vectors ask for 2 and 2"}));
  EXPECT_EQ((Foreign{.m = -2}.mistakes()),
            (Texts{W + ": has m = -2 rows and n = 2 columns, the vectors ask for 2 and 2"}));
  EXPECT_EQ((Foreign{.nz = -3}.mistakes()),
            (Texts{W + "/nz: found -3, must be -1 (compressed columns), -2 (compressed "
                       "rows) or a number of triplets"}));
  EXPECT_EQ((Foreign{.p = {0, 4}}.mistakes()), (Texts{W + "/p: found 2 pointers, must be 2 + 1"}));
  EXPECT_EQ((Foreign{.p = {1, 2, 4}}.mistakes()), (Texts{W + "/p: entry 0 is 1, must be 0"}));
  EXPECT_EQ((Foreign{.p = {0, 3, 2}}.mistakes()), (Texts{W + "/p: entry 2 is 2, must be from 3 to 4"}));
  EXPECT_EQ((Foreign{.p = {0, 2, 5}}.mistakes()), (Texts{W + "/p: entry 2 is 5, must be from 2 to 4"}));
  EXPECT_EQ((Foreign{.i = {0, 1, 2, 1}}.mistakes()), (Texts{W + "/i: entry 2 is 2, must be from 0 to 1"}));
  EXPECT_EQ((Foreign{.i = {0, 1, -1, 1}}.mistakes()), (Texts{W + "/i: entry 2 is -1, must be from 0 to 1"}));
  EXPECT_EQ((Foreign{.x = {1, 2, 3}}.mistakes()),
            (Texts{W + "/x: found 3 numbers (nzmax = 4) for 4 entries"}));
  EXPECT_EQ((Foreign{.nzmax = 3}.mistakes()), (Texts{W + "/x: found 4 numbers (nzmax = 3) for 4 entries"}));
  EXPECT_EQ((Foreign{.x = {1, 2, nan, 4}}.mistakes()),
            (Texts{W + "/x: entry 2 is nan, must be a finite number"}));
  EXPECT_EQ((Foreign{.nz = 2147483646}.mistakes()),
            (Texts{W + "/p: found 3 indices for 2147483646 entries"}));
  EXPECT_EQ((Foreign{.x = {0, 2, 3, 4}}.mistakes()),
            (Texts{"f: /fclib_local: W[0][0]: singular block: contact 0 needs a normal entry > 0"}));
  // several at once
  EXPECT_EQ((Foreign{.nzmax = 3, .q = {1}}.mistakes()).size(), 2u);
}

TEST(Fclib, MistakesInWhatIsAddedToTheProblem) {
  const auto with = [](const std::string& name, const Numbers& x, int spacedim = 2) {
    return Foreign{
        .spacedim = spacedim,
        .more =
            [=](hid_t file) { EXPECT_TRUE(write_table(file, name, Number::real, x.size(), 0, x.data())); }}
        .mistakes();
  };
  EXPECT_EQ(
      with("/fclib_local/vectors/mu_r", {0.1}),
      (Texts{
          "f: /fclib_local/spacedim: found 2, must be 5 where there is a mu_r; rolling in the plane is not "
          "supported"}));
  EXPECT_EQ(with("/fclib_local/vectors/weights", {0.0}),
            (Texts{"f: /fclib_local/vectors/weights: entry 0 is 0, must be above 0"}));
  EXPECT_EQ(with("/solution/r", {1}),
            (Texts{"f: /solution/r: found 1 numbers, must be 2: one per row of the contacts"}));
  EXPECT_EQ(
      with("/fclib_local/V/x", {1}),
      (Texts{"f: /fclib_local/V: holds equations beside the contacts (V, R, s), which are not supported; "
             "eliminate them first: W - V R^-1 V^T and q - V R^-1 s"}));
  const int huge = 2000000000;
  EXPECT_EQ((Foreign{.more =
                         [&](hid_t file) {
                           write_table(file, "/guesses/number_of_guesses", Number::small_integer, 1, 0,
                                       &huge);
                         }}
                 .mistakes()),
            (Texts{"f: /guesses/number_of_guesses: found 2000000000, must be from 0 to 1000"}));
}

/// Replaces q by a dataset made in another way.
Texts with_q(const std::function<Handle(hid_t file, hid_t space)>& make) {
  return Foreign{.more =
                     [&](hid_t file) {
                       const hsize_t n = 2;
                       const double q[2] = {-1, 0};
                       const Handle space(H5Screate_simple(1, &n, nullptr));
                       const Handle set = make(file, space.id());
                       if (set) H5Dwrite(set.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q);
                     },
                 .without_q = true}
      .mistakes();
}

TEST(Fclib, OtherWaysToStoreAreRefusedWithWhatToDo) {
  const Quiet quiet;
  const char* const q = "/fclib_local/vectors/q";
  const std::string unpack =
      "is stored in a way that is not read here (chunks, compression or the newer layout of HDF5); unpack "
      "the file: "
      "h5repack -l CONTI -f NONE IN OUT";
  EXPECT_EQ(
      with_q([&](hid_t file, hid_t space) {
        const Handle how(H5Pcreate(H5P_DATASET_CREATE));
        const hsize_t chunk = 1;
        H5Pset_chunk(how.id(), 1, &chunk);
        H5Pset_deflate(how.id(), 1);
        return Handle(H5Dcreate2(file, q, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how.id(), H5P_DEFAULT));
      }),
      (Texts{"f: /fclib_local/vectors/q: " + unpack}));
  EXPECT_EQ(with_q([&](hid_t file, hid_t space) {
              const Handle how(H5Pcreate(H5P_DATASET_CREATE));
              H5Pset_external(how.id(), "/etc/passwd", 0, 16);
              Handle(H5Dcreate2(file, q, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how.id(), H5P_DEFAULT));
              return Handle();
            }),
            (Texts{"f: /fclib_local/vectors/q: is kept in another file, which is not read"}));
  EXPECT_EQ(with_q([&](hid_t file, hid_t) {
              H5Lcreate_soft("/fclib_local/vectors/mu", file, q, H5P_DEFAULT, H5P_DEFAULT);
              return Handle();
            }),
            (Texts{"f: /fclib_local/vectors/q: is missing"}));
  EXPECT_EQ(with_q([&](hid_t file, hid_t space) {
              return Handle(H5Dcreate2(file, q, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
            }),
            (Texts{"f: /fclib_local/vectors/q: must hold IEEE numbers of 64 or 32 bits"}));
  EXPECT_EQ(with_q([&](hid_t file, hid_t space) {
              Handle(H5Dcreate2(file, q, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
              return Handle();  // reserved, never written
            }),
            (Texts{"f: /fclib_local/vectors/q: was never written"}));
  EXPECT_EQ(with_q([&](hid_t file, hid_t) { return make_group(file, q); }),
            (Texts{"f: /fclib_local/vectors/q: is no dataset"}));
  EXPECT_EQ(
      with_q([&](hid_t file, hid_t) {
        const hsize_t n = std::uint64_t(1) << 40;
        const Handle space(H5Screate_simple(1, &n, nullptr));
        Handle(H5Dcreate2(file, q, H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        return Handle();
      }),
      (Texts{"f: /fclib_local/vectors/q: claims more numbers than the file can hold"}));
}

TEST(Fclib, OtherFilesAreRefused) {
  const Folder folder;
  const auto text = [](const Result<FclibFile>& r) {
    return r ? std::string() : r.mistakes().front().text();
  };
  EXPECT_EQ(text(read_fclib_bytes("{}", "f")),
            "f: is no HDF5 file. Frictional contact problems are HDF5 files in the layout of FCLib.");
  EXPECT_NE(text(read_fclib("/nowhere/p.h5")).find("No such file"), std::string::npos);
  {
    const Handle file(H5Fcreate((folder / "r.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    make_group(file.id(), "/other");
  }
  EXPECT_NE(text(read_fclib(folder / "r.h5")).find("holds no problem of FCLib"), std::string::npos);
  {
    const Handle how(H5Pcreate(H5P_FILE_ACCESS));
    H5Pset_libver_bounds(how.id(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const Handle file(H5Fcreate((folder / "n.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, how.id()));
  }
  EXPECT_NE(text(read_fclib(folder / "n.h5")).find("h5repack"), std::string::npos);
}

TEST(Fclib, WhatDoesNotFitIsNotWritten) {
  const Folder folder;
  const auto refused = [&](const FclibFile& file) {
    const Result<bool> r = write_fclib(folder / "p.h5", file);
    return r ? std::string() : r.mistakes().front().message;
  };
  LocalFriction p = local_problem();
  p.W.column[0] = 99;
  EXPECT_EQ(refused({.problem = p}), "cannot write the problem: W.column[0] does not exist");
  p = local_problem();
  p.laws.mu.pop_back();
  EXPECT_EQ(refused({.problem = p}), "cannot write the problem: b: has 9 entries, needs 6");
  GlobalFriction g = global_problem();
  g.f.pop_back();
  EXPECT_EQ(refused({.problem = g}), "cannot write the problem: f: has 6 entries, needs 7");
  EXPECT_TRUE(list_folder(folder.path()).value().empty());
  EXPECT_NE(write_fclib("/nowhere/p.h5", {.problem = local_problem()})
                .mistakes()
                .front()
                .text()
                .find("/nowhere/p.h5"),
            std::string::npos);
}

// --- damage

/// Read or refused with a reason, never more; what is read has sizes that fit together.
bool survives(const std::string& bytes) {
  const Result<FclibFile> r = read_fclib_bytes(bytes, "f");
  if (!r) {
    for (const Mistake& m : r.mistakes()) EXPECT_FALSE(m.message.empty());
    return false;
  }
  const auto check = [](const SparseRows& a) {
    EXPECT_EQ(a.start.size(), std::size_t(a.rows) + 1);
    EXPECT_EQ(std::size_t(a.start.back()), a.value.size());
    for (const int j : a.column) EXPECT_TRUE(j >= 0 && j < a.columns);
    for (const double x : a.value) EXPECT_TRUE(std::isfinite(x));
  };
  if (const auto* p = std::get_if<LocalFriction>(&r.value().problem)) {
    check(p->W);
  } else {
    check(std::get<GlobalFriction>(r.value().problem).M);
    check(std::get<GlobalFriction>(r.value().problem).H);
  }
  return true;
}

std::vector<std::string> seeds() {
  const Folder folder;
  const LocalFriction p = local_problem();
  EXPECT_TRUE(write_fclib(
      folder / "a",
      {.title = "t", .problem = p, .solution = FclibSolution{{}, p.b, p.b}, .guesses = {{{}, {}, p.b}}}));
  EXPECT_TRUE(write_fclib(folder / "b", {.problem = global_problem(5, FrictionLaw::discs)}));
  return {read_file(folder / "a").value(), read_file(folder / "b").value(), Foreign{}.bytes()};
}

TEST(FclibFuzz, CutOff) {
  for (const std::string& seed : seeds())
    for (std::size_t n = 0; n < seed.size(); n += n < 2000 ? 1 : 13)
      EXPECT_FALSE(survives(seed.substr(0, n))) << n;
}

TEST(FclibFuzz, EveryFifthByteChanged) {
  for (const std::string& seed : seeds()) {
    for (std::size_t at = seed.size() % 5; at < seed.size(); at += test::under_sanitizer ? 55 : 5) {
      for (const char with : {char(0xff), char(seed[at] + 1)}) {
        std::string bytes = seed;
        bytes[at] = with;
        survives(bytes);
      }
    }
  }
}

/// A root group whose tree has 65535 children, all the same leaf of 65535 entries: 4e9 entries to look at, in
/// a file of 4 MB. Looking has to end long before.
TEST(FclibFuzz, ATreeThatPointsToItself) {
  std::string bytes(4500000, '\0');
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t width) {
    std::memcpy(bytes.data() + at, &value, width);
  };
  const std::size_t header = 96, tree = 200, heap = 1100000, leaf = 1100100;
  std::memcpy(bytes.data(), "\x89HDF\r\n\x1a\n", 8);
  put(13, 8, 1), put(14, 8, 1), put(40, bytes.size(), 8), put(64, header, 8);
  put(header, 1, 1), put(header + 2, 1, 2), put(header + 8, 24, 4);  // object header, one message
  put(header + 16, 0x11, 2), put(header + 18, 16, 2);                // symbol table
  put(header + 24, tree, 8), put(header + 32, heap, 8);
  std::memcpy(bytes.data() + tree, "TREE", 4);
  put(tree + 6, 65535, 2);
  for (std::size_t k = 0; k < 65535; ++k) put(tree + 32 + 16 * k, leaf, 8);
  std::memcpy(bytes.data() + heap, "HEAP", 4);
  put(heap + 8, 16, 8), put(heap + 24, heap + 32, 8);
  std::memcpy(bytes.data() + leaf, "SNOD", 4);
  put(leaf + 6, 65535, 2);
  EXPECT_FALSE(survives(bytes));  // the limit of the test run would stop it otherwise
}

TEST(FclibFuzz, ManyChanges) {
  std::uint64_t state = 20260101;  // fixed, so that a failure comes back
  const auto random = [&](std::size_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return std::size_t(state >> 33) % below;
  };
  int read = 0, refused = 0;
  for (const std::string& seed : seeds()) {
    for (int round = 0; round < test::cases(4000, 4000); ++round) {
      std::string bytes = seed;
      for (std::size_t edits = 1 + random(5); edits > 0; --edits) {
        // metadata stands in front; addresses that point into the file do the most harm
        const std::size_t at =
            random(3) == 0 ? random(bytes.size()) : random(std::min<std::size_t>(4096, bytes.size()));
        const std::uint64_t choices[] = {random(bytes.size()), 8 * random(bytes.size() / 8),
                                         ~std::uint64_t(0), std::uint64_t(1) << random(64), random(256)};
        const std::uint64_t word = choices[random(5)];
        const std::size_t width = std::size_t(1) << random(4);
        std::memcpy(bytes.data() + at, &word, std::min(width, bytes.size() - at));
      }
      (survives(bytes) ? read : refused)++;
    }
  }
  EXPECT_GT(read, test::cases(500, 500));
  EXPECT_GT(refused, test::cases(500, 500));
}

}  // namespace
}  // namespace stiction
