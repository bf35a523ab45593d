// MuJoCo's model and data of a tree, through an in-memory file.
#pragma once

#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <string>

#include "support/mjcf.h"

namespace stiction::test {

class MujocoTree {
 public:
  explicit MujocoTree(const tree::Description& description) {
    const std::string text = Mjcf(description).text();
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    const int at = mj_makeEmptyFileVFS(files.get(), "tree.xml", int(text.size()));
    STICTION_ASSERT(at == 0);
    std::memcpy(files->filedata[at], text.data(), text.size());
    char error[1000] = "";
    model_ = mj_loadXML("tree.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    error_ = error;
    if (model_) data_ = mj_makeData(model_);
  }
  ~MujocoTree() {
    if (data_) mj_deleteData(data_);
    if (model_) mj_deleteModel(model_);
  }
  MujocoTree(const MujocoTree&) = delete;
  MujocoTree& operator=(const MujocoTree&) = delete;

  bool loaded() const { return model_ != nullptr; }
  const std::string& error() const { return error_; }
  const mjModel* model() const { return model_; }
  mjData* data() const { return data_; }

  /// State and forces from ours; `k` after update_positions(q). Generalised forces are dual to velocities, so
  /// they turn with them.
  void set(const tree::Compiled& c, const tree::Kinematics& k, std::span<const double> q,
           std::span<const double> v, std::span<const double> tau) {
    const std::vector<double> qpos = mujoco_positions(c, k, q), qvel = mujoco_velocities(c, k, v),
                              force = mujoco_velocities(c, k, tau);
    std::copy(qpos.begin(), qpos.end(), data_->qpos);
    std::copy(qvel.begin(), qvel.end(), data_->qvel);
    std::copy(force.begin(), force.end(), data_->qfrc_applied);
  }

  /// Smooth dynamics, contacts, constraints, actuators and passive forces left out:
  /// qacc = M^-1 (qfrc_applied - bias).
  void smooth_dynamics() {
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_crb(model_, data_);
    mj_factorM(model_, data_);
    mj_comVel(model_, data_);
    mj_rne(model_, data_, 0, data_->qfrc_bias);
    mju_sub(data_->qfrc_smooth, data_->qfrc_applied, data_->qfrc_bias, model_->nv);
    mj_solveM(model_, data_, data_->qacc, data_->qfrc_smooth, 1);
  }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
  std::string error_{};
};

}  // namespace stiction::test
