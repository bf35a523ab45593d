// A compiled scene of spheres, boxes and half-spaces in ODE: quickstep with a number of iterations, contacts
// as its manual makes them (friction pyramid scaled by the normal force), everything else at its defaults.
#pragma once

#include <memory>
#include <vector>

#include "stiction/model/model.h"

namespace stiction::bench {

class OdeWorld {
 public:
  OdeWorld(const Model& m, int iterations);
  ~OdeWorld();
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;

  void step(double h);
  std::vector<Vec3> positions() const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace stiction::bench
