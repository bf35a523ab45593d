# Stick and slip, from Python. Run it with
#   ./stiction python examples/python/incline.py [PICTURE.png]
# or cell by cell in an editor that knows "# %%". Every figure drawn is compared with its closed form.
# %%
import math
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")  # a file, no window
import matplotlib.pyplot as plt
import numpy as np

import stiction

g, mu, h = 9.81, 0.4, 0.01
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13, 4), constrained_layout=True)


# %% A box on a slope of any angle: scene files as dicts, constants and arithmetic included.
def box_on_slope(degrees):
    return stiction.loads({
        "stiction": 1, "gravity": [0, 0, -g], "$a": degrees, "$s": "=sin($a*deg)", "$c": "=cos($a*deg)",
        "surfaces": {"wood": {"friction": mu}},
        "bodies": {
            "slope": {"static": True, "shape": {"half_space": ["$s", 0, "$c"]}, "surface": "wood"},
            "box": {"shape": {"box": [0.2, 0.2, 0.2]}, "density": 600, "surface": "wood",
                    "at": ["=0.1*$s", 0, "=0.1*$c"], "orientation": {"axis": [0, 1, 0], "degrees": "$a"}}},
        "run": {"step": h, "tolerance": 1e-10}})


# %% Speed after a second, over the angle: below atan(mu) it sticks, exactly.
angles = np.arange(0, 46, 1.0)
speeds = []
for angle in angles:
    world = stiction.build(box_on_slope(float(angle)))
    assert world.run(until=1).converged
    speeds.append(np.linalg.norm(world.velocity[world.body("box")]))
radians = np.radians(angles)
exact = np.maximum(0, g * (np.sin(radians) - mu * np.cos(radians)))  # g (sin a - mu cos a) t, t = 1 s
error = np.abs(speeds - exact).max()
assert error < 1e-9, error  # the tolerance of a step is 1e-10; round-off is what is left
left.plot(angles, exact, color="0.7", lw=5, label="g (sin a − µ cos a) t")
left.plot(angles, speeds, "k.", ms=4, label="stiction")
left.axvline(math.degrees(math.atan(mu)), color="tab:red", lw=0.8, ls="--", label="atan µ")
left.set(xlabel="slope [degrees]", ylabel="speed after 1 s [m/s]", title=f"Stick and slip, error {error:.0e} m/s")
left.legend()

# %% Where the energy goes: one run, recorded, and its books read back as arrays.
picture = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "out/incline.png")
picture.parent.mkdir(parents=True, exist_ok=True)
world = stiction.build(box_on_slope(30))
with world.record(picture.parent / "incline", every=0) as recording:
    world.run(until=2)
books = stiction.Recording(recording.path)
ledger, booked = books.ledger, books.ledger["booked"]
assert (np.abs(ledger["imbalance"]) <= 1e-12 * ledger["scale"]).all()
distance = np.linalg.norm(books.position[:, books.body("box")] - books.position[0, books.body("box")], axis=1)
friction = -mu * world.mass[1] * g * math.cos(math.radians(30)) * distance
assert np.abs(booked["friction"] - friction).max() < 0.01 * abs(friction[-1])  # first order: the step's first half
for label, joules in [("gravity's work", booked["gravity"]), ("kinetic", ledger["kinetic"]),
                      ("friction", booked["friction"]), ("numerics", booked["numerics"])]:
    middle.plot(books.time, joules, label=label)
middle.set(xlabel="time [s]", ylabel="work and energy [J]", title="The books at 30°: every joule has a cause")
middle.legend()

# %% A crate on a floor, pushed harder and harder at its centre: which edge carries it?
width, height, mass = 0.4, 0.6, 20.0
scene = stiction.Scene(gravity=[0, 0, -g])
scene.add_surface("wood", friction=mu)
scene.add_body("floor", kind=stiction.fixed, shape=stiction.HalfSpace([0, 0, 1]), surface="wood")
crate = scene.add_body("crate", shape=stiction.Box([width, width, height]), mass=mass,
                       position=[0, 0, height / 2], surface="wood")
world = stiction.build(scene, step=h, tolerance=1e-10)
position = world.position[crate]  # a view: it follows the crate
pushes, front, rear, moved = np.linspace(0, 1.1 * mu * mass * g, 60), [], [], []
for push in pushes:
    world.input.force(crate, [push, 0, 0])
    report = world.step()
    assert report.converged, report.explain()
    contacts = world.contacts(crate)
    ahead = contacts["point"][:, 0] > position[0]
    front.append(contacts["force"][ahead, 2].sum())
    rear.append(contacts["force"][~ahead, 2].sum())
    moved.append(position[0])
sticks = pushes < mu * mass * g
assert np.abs(np.array(moved)[sticks]).max() < 1e-9 and moved[-1] > 1e-5
lean = np.minimum(pushes, mu * mass * g) * height / (2 * width)  # moments about the middle of the base
assert np.abs(np.array(front) - (mass * g / 2 + lean)).max() < 1e-6 * mass * g
right.plot(pushes, front, label="front edge")
right.plot(pushes, rear, label="rear edge")
right.axvline(mu * mass * g, color="tab:red", lw=0.8, ls="--", label="µ m g: it slides")
right.set(xlabel="push at the centre [N]", ylabel="contact force [N]", title="A pushed crate leans on its front edge")
right.legend()

# %%
figure.savefig(picture, dpi=110)
print(f"{picture}: largest error of the speeds {error:.1e} m/s; hash of the pushed crate {world.hash()}")
