#include "stiction/formats/starter.h"

namespace stiction {
namespace {

constexpr const char* pendulum =
    R"scene(// A pendulum: a rod on a hinge.
// Run it:      stiction run pendulum.json
// Try:         stiction run pendulum.json --set '$angle=90' --set '$length=0.5'
{
  "stiction": 1,                        // version of the format
  "title": "Pendulum",
  "gravity": [0, 0, -9.81],             // [m/s^2] z points up

  // Constants: any name that starts with $. A text that starts with = is arithmetic.
  "$length": 1,                         // [m]
  "$angle": 40,                         // [degrees] from the vertical
  "$height": 1.5,                       // [m] of the hinge

  "bodies": {
    "rod": {                            // as it hangs where the hinge is at 0
      "shape": { "box": [0.04, 0.04, "$length"] },
      "mass": 1,                        // [kg]
      "at": [0, 0, "=$height - $length/2"]
    }
  },

  // A joint holds a body to the world, or to another body: add "parent" and a second rod.
  "joints": {
    "hinge": { "revolute": {
      "body": "rod",
      "at": [0, 0, "$height"],
      "axis": [0, 1, 0],
      "damping": 0.01                   // [N m s/rad]
    } }
  },
  "initial": { "hinge": { "joint_position": "=$angle*deg" } },

  "forces": { "air": { "drag": { "body": "rod", "quadratic": 0.01 } } },

  "run":    { "until": 10, "step": 0.01, "tolerance": 1e-8 },
  "record": { "every": 0.02, "plot": ["rod.position", "rod.spin"] }
}
)scene";

constexpr const char* box =
    R"scene(// A box on an incline. With tan(slope) below the friction coefficient it sticks, above it slides.
// Try:         stiction run box.json --set '$slope=20'     (tan 20 degrees = 0.36)
{
  "stiction": 1,                        // version of the format
  "title": "Box on an incline",
  "gravity": [0, 0, -9.81],             // [m/s^2] z points up

  // Constants: any name that starts with $. A text that starts with = is arithmetic.
  "$slope": 25,                         // [degrees]
  "$mu": 0.4,                           // coefficient of friction
  "$edge": 0.2,                         // [m]
  "$s": "=sin($slope*deg)",
  "$c": "=cos($slope*deg)",

  "surfaces": { "wood": { "friction": "$mu" } },

  "bodies": {
    // Everything below a plane through the origin with this normal; the slope falls towards +x.
    "slope": { "static": true, "shape": { "half_space": ["$s", 0, "$c"] }, "surface": "wood" },
    "box": {
      "shape": { "box": ["$edge", "$edge", "$edge"] },
      "density": 600,                   // [kg/m^3]
      "surface": "wood",
      "at": ["=$edge/2*$s", 0, "=$edge/2*$c"],                       // half an edge above the slope
      "orientation": { "axis": [0, 1, 0], "degrees": "$slope" }
    }
  },

  "run":    { "until": 2, "step": 0.01, "tolerance": 1e-8 },
  "record": { "every": 0.02, "plot": ["box.position", "box.velocity"] }
}
)scene";

constexpr const char* stack = R"scene(// A stack of boxes, and a ball that is thrown at it.
// Try:         stiction run stack.json --set '$n=10' --set initial.ball.velocity=[6,0,2]
{
  "stiction": 1,                        // version of the format
  "title": "Stack of boxes",
  "gravity": [0, 0, -9.81],             // [m/s^2] z points up

  "$n": 6,                              // boxes
  "$edge": 0.2,                         // [m]

  "surfaces": {
    "wood":   { "friction": 0.5 },
    "rubber": { "friction": 0.9 }
  },
  // Between two surfaces friction is the geometric mean, unless a pair says otherwise.
  "surface_pairs": [{ "between": ["wood", "rubber"], "friction": 0.7 }],

  "bodies": {
    "floor": { "static": true, "shape": { "half_space": [0, 0, 1] }, "surface": "wood" },
    "box": {                            // box.0 (lowest), box.1, ...
      "repeat": { "count": "$n", "offset": [0, 0, "$edge"] },
      "shape": { "box": ["$edge", "$edge", "$edge"] },
      "density": 600,                   // [kg/m^3]
      "surface": "wood",
      "at": [0, 0, "=$edge/2"]
    },
    "ball": { "shape": { "sphere": 0.1 }, "mass": 3, "surface": "rubber", "at": [-2, 0, 0.8] }
  },

  "initial": { "ball": { "velocity": [4, 0, 1.5] } },   // [m/s]
  "run":    { "until": 3, "step": 0.01, "tolerance": 1e-8 },
  "record": { "every": 0.02, "plot": ["ball.position", "box.0.position", "box.5.position"] }
}
)scene";

constexpr const char* marbles = R"scene(// A lattice of marbles falls into a corner. One entry makes them all.
// Try:         stiction run marbles.json --set '$n=4'          (takes longer)
{
  "stiction": 1,                        // version of the format
  "title": "Marbles",
  "gravity": [0, 0, -9.81],             // [m/s^2] z points up

  "$n": 3,                              // marbles along each edge
  "$r": 0.05,                           // [m]

  "surfaces": { "glass": { "friction": 0.2 } },

  "bodies": {
    "floor": { "static": true, "shape": { "half_space": [0.1, 0.1, 1] }, "surface": "glass" },  // falls to the corner
    "left":  { "static": true, "shape": { "half_space": [-1, 0, 0] }, "at": [1, 0, 0], "surface": "glass" },
    "back":  { "static": true, "shape": { "half_space": [0, -1, 0] }, "at": [0, 1, 0], "surface": "glass" },
    "marble": {                         // marble.0.0.0 ... marble.2.2.2
      "repeat": {
        "count":  ["$n", "$n", "$n"],
        "offset": [["=2.2*$r", 0, 0], [0, "=2.2*$r", 0], [0, 0, "=2.2*$r"]]
      },
      "shape": { "sphere": "$r" },
      "density": 2500,                  // [kg/m^3]
      "surface": "glass",
      // $i, $j, $k are the indices; rand() shakes every marble a little, the same way in every run
      "at": ["=0.1*$r*rand($i, $j, $k, 1)", "=0.1*$r*rand($i, $j, $k, 2)", 0.3]
    }
  },

  "initial": { "marble.*": { "velocity": [0.5, 0, 0] } },   // for all of them
  "run":    { "until": 2, "step": 0.01, "tolerance": 1e-8 },
  "record": { "every": 0.02, "plot": ["marble.0.0.0.position", "marble.0.0.0.velocity"] }
}
)scene";

constexpr const char* conveyor =
    R"scene(// A pusher moves to and fro as its table says, whatever it meets, and shoves boxes along the floor. The report
// shows how much work it does.
// Try:         stiction run conveyor.json --set '$mu=0.6'
{
  "stiction": 1,                        // version of the format
  "title": "Pusher",
  "gravity": [0, 0, -9.81],             // [m/s^2] z points up

  "$mu": 0.3,                           // coefficient of friction

  "surfaces": { "steel": { "friction": "$mu" } },

  "bodies": {
    "floor": { "static": true, "shape": { "half_space": [0, 0, 1] }, "surface": "steel" },
    "pusher": {
      "shape": { "box": [0.1, 0.6, 0.2] },
      "surface": "steel",
      // A body with a motion table is kinematic: linear between the rows, at rest before and after.
      "motion": {
        "time":     [0, 0.5, 2.5, 3.0, 4.0],                                     // [s]
        "position": [[-1, 0, 0.11], [-1, 0, 0.11], [0.5, 0, 0.11], [0.5, 0, 0.11], [-1, 0, 0.11]]   // [m]
      }
    },
    "box": {                            // box.0, box.1, box.2 side by side
      "repeat": { "count": 3, "offset": [0, 0.18, 0] },
      "shape": { "box": [0.12, 0.12, 0.12] },
      "density": 600,                   // [kg/m^3]
      "surface": "steel",
      "at": ["=-0.6 + 0.25*$i", -0.18, 0.06]
    }
  },

  // Reports which bodies are inside; pushes nothing.
  "sensors": { "end_of_line": { "shape": { "box": [0.4, 1, 0.4] }, "at": [0.7, 0, 0.2] } },

  "run":    { "until": 4, "step": 0.01, "tolerance": 1e-8 },
  "record": { "every": 0.02, "plot": ["pusher.position.x", "box.0.position.x", "box.2.position.x"] }
}
)scene";

struct Starter {
  const char* name;
  const char* summary;
  const char* text;
};
constexpr Starter all[] = {
    {"pendulum", "a rod on a hinge", pendulum},
    {"box", "a box on an incline: sticks or slides", box},
    {"stack", "a stack of boxes and a ball thrown at it", stack},
    {"marbles", "a lattice of marbles made by one entry", marbles},
    {"conveyor", "a pusher that moves by a table and shoves boxes", conveyor},
};

}  // namespace

std::vector<StarterInfo> starters() {
  std::vector<StarterInfo> out;
  for (const Starter& s : all) out.push_back({s.name, s.summary});
  return out;
}

std::string starter_text(std::string_view name, std::string_view command) {
  for (const Starter& s : all) {
    if (name != s.name) continue;
    std::string text = s.text;
    const std::string placeholder = "stiction run " + std::string(name) + ".json";
    if (command.empty()) return text;
    for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += command.size())
      text.replace(at, placeholder.size(), command);
    return text;
  }
  return {};
}

}  // namespace stiction
