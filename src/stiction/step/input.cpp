#include "stiction/step/input.h"

#include <string>

#include "stiction/model/model.h"

namespace stiction {

std::vector<Mistake> validate(const Model& m, const Input& in) {
  std::vector<Mistake> mistakes;
  const auto wrong = [&](const std::string& what) { mistakes.push_back({{}, 0, 0, {}, "input: " + what}); };
  for (const InputWrench& i : in.wrenches)
    if (i.body < 0 || i.body >= m.body_count())
      wrong("there is no body " + std::to_string(i.body) + " (-1 is the null id)");
  const tree::Forest& f = m.trees.forest;
  for (const InputJointForce& i : in.joints) {
    if (i.joint < 0 || std::size_t(i.joint) >= m.scene.joints.size()) {
      wrong("there is no joint " + std::to_string(i.joint) + " (-1 is the null id)");
      continue;
    }
    const auto joint = std::size_t(i.joint);
    const std::string& name = m.scene.joints[joint].name;
    const int link = joint < m.trees.link_of_joint.size() ? m.trees.link_of_joint[joint] : -1;
    if (link < 0) {
      wrong("the joint \"" + name + "\" has no coordinates of its own");
      continue;
    }
    const int count = f.v_begin[std::size_t(link) + 1] - f.v_begin[std::size_t(link)];
    if (i.coordinate < 0 || i.coordinate >= count)
      wrong("the joint \"" + name + "\" has " + std::to_string(count) +
            (count == 1 ? " velocity, " : " velocities, ") + "counted from 0; found " +
            std::to_string(i.coordinate));
  }
  return mistakes;
}

}  // namespace stiction
