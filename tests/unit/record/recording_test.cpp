#include "stiction/record/recording.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <sstream>

#include "stiction/base/text.h"
#include "stiction/record/csv.h"
#include "stiction/record/hdf5.h"
#include "unit/record/synthetic_run.h"

// HDF5 1.10 loses 192 bytes of its own when it gives up on some damaged files. That we leave nothing open is
// tested below, so the leak checker may pass over the library.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace stiction {
namespace {

using synthetic::Folder;

std::vector<std::vector<std::string>> table(const std::string& path) {
  std::istringstream in(read_file(path).value());
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

std::size_t column(const std::vector<std::vector<std::string>>& t, const std::string& name) {
  const auto found = std::find(t[0].begin(), t[0].end(), name);
  EXPECT_NE(found, t[0].end()) << name;
  return std::size_t(found - t[0].begin());
}

TEST(Recording, ThinningKeepsTheEndAndForgetsNoStep) {
  const Folder folder;
  const RecordedFiles files = synthetic::record(folder.path(), 317, 0);
  const Recording all = load_recording(files.journal).or_exit();
  ASSERT_EQ(all.frames(), 318u);
  EXPECT_EQ(all.thinning, 1);
  for (const std::size_t memory : {300'000u, 120'000u, 1u}) {
    Recording few = load_recording(files.hdf5, {.memory = memory}).or_exit();
    few.summary.reset();  // total() from the frames alone
    EXPECT_GT(few.thinning, 1);
    EXPECT_LT(few.frames(), 170u);
    EXPECT_EQ(few.step.back(), 317);
    const Tally a = few.total(), b = files.summary.total;
    for (const TallyField& f : tally_fields) EXPECT_EQ(a.*f.member, b.*f.member) << f.name;
    for (const CertificateField& f : certificate_fields)
      EXPECT_EQ(a.worst.*f.member, b.worst.*f.member) << f.name;
    for (std::size_t f = 0; f < few.frames(); ++f) {  // what is kept stands in its place
      const auto k = std::size_t(few.step[f]);
      EXPECT_EQ(few.time[f], all.time[k]);
      EXPECT_EQ(few.position[few.at(f, 9)], all.position[all.at(k, 9)]);
      EXPECT_EQ(few.ledger[f].kinetic, all.ledger[k].kinetic);
      ASSERT_EQ(few.contacts_of(f).size(), all.contacts_of(k).size());
      if (!few.contacts_of(f).empty()) {
        EXPECT_EQ(few.contacts_of(f).back().point, all.contacts_of(k).back().point);
      }
    }
  }
}

TEST(Recording, CurvesByName) {
  const Folder folder;
  const Recording r = load_recording(synthetic::record(folder.path(), 50).hdf5).or_exit();
  const auto all = trajectories(r, "ball.3.velocity").or_exit();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2].label, "ball.3.velocity.z");
  EXPECT_EQ(all[2].unit, "m/s");
  EXPECT_NEAR(all[0].value.back(), 0.62 * 1.36, 1e-15);  // what synthetic_run.h gives ball.3
  EXPECT_EQ(trajectories(r, "rod.orientation").or_exit().size(), 4u);
  EXPECT_EQ(trajectories(r, "rod.position.y").or_exit().size(), 1u);
  EXPECT_EQ(trajectories(r, "speck.height").or_exit()[0].value.front(), 0.5);

  const auto message = [&](const std::string& name) { return trajectories(r, name).mistakes()[0].message; };
  EXPECT_NE(message("bal.3.velocity").find("did you mean \"ball.3\"?"), std::string::npos);
  EXPECT_NE(message("rod.velocty").find("did you mean \"velocity\"?"), std::string::npos);
  EXPECT_NE(message("rod.position.w").find("its components are xyz"), std::string::npos);
  EXPECT_NE(message("rod.speed.x").find("one number"), std::string::npos);
}

TEST(Recording, MissingAndDamagedFilesAreMistakes) {
  const Folder folder;
  EXPECT_EQ(load_recording(folder / "none.h5").mistakes()[0].file, folder / "none.h5");
  const RecordedFiles files = synthetic::record(folder.path(), 60);
  std::string bytes = read_file(files.hdf5).value();
  ASSERT_TRUE(write_file(folder / "cut.h5", bytes.substr(0, bytes.size() / 2)));
  EXPECT_FALSE(load_recording(folder / "cut.h5"));
  // Zeros in the middle never crash: either it still reads, or it says that it is damaged.
  int refused = 0;
  for (std::size_t at = 0; at + 512 < bytes.size(); at += bytes.size() / 97) {
    std::string hurt = bytes;
    std::fill_n(hurt.begin() + std::ptrdiff_t(at), 512, '\0');
    ASSERT_TRUE(write_file(folder / "hurt.h5", hurt));
    if (const auto r = load_recording(folder / "hurt.h5"); !r) ++refused;
  }
  EXPECT_GT(refused, 10);
  EXPECT_EQ(H5Fget_obj_count(hid_t(H5F_OBJ_ALL), H5F_OBJ_ALL), 0);  // nothing is left open
  EXPECT_FALSE(write_hdf5(folder / "none", folder / "x.h5"));
  EXPECT_FALSE(file_exists(folder / "x.h5"));
  const auto nowhere = write_hdf5(files.journal, "/nowhere/x.h5");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.mistakes()[0].file, "/nowhere/x.h5");
}

TEST(Recording, OneThatIsCutOffSaysByHowMuch) {
  const Folder folder;
  const RecordedFiles files = synthetic::record(folder.path(), 40);
  const auto whole = std::filesystem::file_size(files.hdf5);
  for (const auto size : {whole / 2, whole / 3, std::uintmax_t(60)}) {
    std::filesystem::resize_file(files.hdf5, size);
    const Result<Recording> r = load_recording(files.hdf5);
    ASSERT_FALSE(r);
    EXPECT_NE(r.mistakes()[0].message.find("is cut off, or damaged: it has " + std::to_string(size) + " of "),
              std::string::npos)
        << r.mistakes()[0].message;
  }
}

TEST(Csv, ColumnsHaveUnitsAndNumbersReadBack) {
  const Folder folder;
  const RecordedFiles files = synthetic::record(folder.path(), 40);
  const CsvFiles csv = write_csv(files.hdf5, folder / "run").or_exit();
  const Recording r = load_recording(files.journal).or_exit();

  const auto bodies = table(csv.bodies);
  ASSERT_EQ(bodies.size(), 1 + r.frames() * r.stride);
  EXPECT_EQ(bodies[0][0], "time [s]");
  const std::size_t z = column(bodies, "position_z [m]"), spin = column(bodies, "spin_y [rad/s]");
  for (std::size_t f = 0; f < r.frames(); ++f)
    for (std::size_t b = 0; b < r.stride; ++b) {
      const auto& row = bodies[1 + r.at(f, b)];
      ASSERT_EQ(row.size(), bodies[0].size());
      ASSERT_EQ(row[1], r.bodies(f)[b].name);
      ASSERT_EQ(std::stod(row[z]), r.position[r.at(f, b)].z);
      ASSERT_EQ(std::stod(row[spin]), r.spin[r.at(f, b)].y);
    }
  const auto books = table(csv.books);
  ASSERT_EQ(books.size(), 1 + r.frames());
  const std::size_t friction = column(books, "booked_friction [J]"),
                    map = column(books, "certificate_natural_map [1]");
  EXPECT_EQ(std::stod(books.back()[friction]), r.ledger.back().booked[std::size_t(Cause::friction)]);
  EXPECT_EQ(std::stod(books.back()[map]), r.since.back().worst.natural_map);
  const auto contacts = table(csv.contacts);
  ASSERT_EQ(contacts.size(), 1 + r.contacts.size());
  EXPECT_EQ(contacts[1][column(contacts, "state")], "sliding");
  EXPECT_EQ(contacts[1][column(contacts, "body_b")], "brick.0");
  EXPECT_EQ(std::stod(contacts[1][column(contacts, "force_z [N]")]), r.contacts[0].force.z);
  const auto pairs = table(csv.pairs);
  std::vector<ContactPair> sums;
  for (std::size_t f = 0; f < r.frames(); ++f)
    for (const ContactPair& p : r.pairs_of(f)) sums.push_back(p);
  ASSERT_GT(sums.size(), 0u);
  ASSERT_EQ(pairs.size(), 1 + sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(std::stod(pairs[1 + i][column(pairs, "force_z [N]")]), sums[i].force.z);
    EXPECT_EQ(std::stod(pairs[1 + i][column(pairs, "torque_x [N m]")]), sums[i].torque.x);
    EXPECT_EQ(std::stod(pairs[1 + i][column(pairs, "friction_power [W]")]), sums[i].power);
    EXPECT_EQ(std::stoi(pairs[1 + i][column(pairs, "contacts [1]")]), sums[i].contacts);
  }
  EXPECT_EQ(list_folder(folder.path()).value().size(), 6u);  // no temporary file stays
  EXPECT_FALSE(write_csv(files.hdf5, "/nowhere/run"));
}

/// All numbers of a table.
template <class T>
std::vector<T> numbers(hid_t file, const char* name, hid_t type) {
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set);
  std::vector<T> out(std::size_t(H5Sget_simple_extent_npoints(space)));
  EXPECT_GE(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << name;
  H5Sclose(space), H5Dclose(set);
  return out;
}

// What other programs find in the file are the sums that ours make, bit by bit.
TEST(Recording, HasTheSumsOfPairs) {
  const Folder folder;
  const RecordedFiles files = synthetic::record(folder.path(), 20, 0);
  const Recording r = load_recording(files.hdf5).or_exit();
  const hid_t file = H5Fopen(files.hdf5.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto per_frame = numbers<std::uint64_t>(file, "pairs/per_frame", H5T_NATIVE_UINT64);
  const auto a = numbers<int>(file, "pairs/body_a", H5T_NATIVE_INT),
             b = numbers<int>(file, "pairs/body_b", H5T_NATIVE_INT),
             contacts = numbers<int>(file, "pairs/contacts", H5T_NATIVE_INT);
  const auto point = numbers<double>(file, "pairs/point", H5T_NATIVE_DOUBLE),
             force = numbers<double>(file, "pairs/force", H5T_NATIVE_DOUBLE),
             torque = numbers<double>(file, "pairs/torque", H5T_NATIVE_DOUBLE),
             power = numbers<double>(file, "pairs/power", H5T_NATIVE_DOUBLE);
  H5Fclose(file);
  ASSERT_EQ(per_frame.size(), r.frames());
  std::size_t row = 0;
  const auto vector = [&](const std::vector<double>& x) {
    return Vec3{x[3 * row], x[3 * row + 1], x[3 * row + 2]};
  };
  for (std::size_t f = 0; f < r.frames(); ++f) {
    const std::vector<ContactPair> pairs = r.pairs_of(f);
    ASSERT_EQ(per_frame[f], pairs.size()) << f;
    for (const ContactPair& p : pairs) {
      ASSERT_LT(row, power.size());
      EXPECT_EQ(a[row], p.a.index);
      EXPECT_EQ(b[row], p.b.index);
      EXPECT_EQ(contacts[row], p.contacts);
      EXPECT_EQ(vector(point), p.point);
      EXPECT_EQ(vector(force), p.force);
      EXPECT_EQ(vector(torque), p.torque);
      EXPECT_EQ(power[row], p.power);
      ++row;
    }
  }
  EXPECT_EQ(row, power.size());
  EXPECT_GT(row, 0u);
}

}  // namespace
}  // namespace stiction
