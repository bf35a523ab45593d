#!/usr/bin/env python3
"""Small random scenes for judge_scenes.py: the same scene for the same family and number on every machine.

    /usr/bin/python3 tests/agree/random_scenes.py FAMILY NUMBER       prints one as JSON
"""
import json
import math
import random
import sys

FAMILIES = ("ordinary", "six", "twelve", "rows", "pens", "wedges", "densities")
STEPS = (10, 60)
# [kg/m^3] cork, pine, ice, water in a skin, brick, glass, aluminium, steel, lead, gold
DENSITIES = (240, 500, 917, 1000, 1900, 2500, 2700, 7850, 11340, 19300)


def spread(rng, orders, middle=1.0):
    """Evenly in the logarithm, over so many orders of magnitude."""
    return middle * 10 ** rng.uniform(-orders / 2, orders / 2)


def direction(rng):
    z, angle = rng.uniform(-1, 1), rng.uniform(0, 2 * math.pi)
    s = math.sqrt(1 - z * z)
    return [s * math.cos(angle), s * math.sin(angle), z]


def turn(rng):
    q = [rng.gauss(0, 1) for _ in range(4)]
    length = math.sqrt(sum(c * c for c in q))
    return [c / length for c in q]


def shape_of(rng, size, kinds=("sphere", "box", "capsule")):
    """A shape about `size` [m] across, and the radius of a ball that holds it."""
    kind = rng.choice(kinds)
    if kind == "sphere":
        return {"sphere": size / 2}, size / 2
    if kind == "box":
        edges = [size * rng.uniform(0.4, 1) for _ in range(3)]
        return {"box": edges}, math.sqrt(sum(e * e for e in edges)) / 2
    radius, length = size * rng.uniform(0.1, 0.25), size * rng.uniform(0.3, 0.8)
    return {"capsule": {"radius": radius, "length": length}}, radius + length / 2


class Builder:
    def __init__(self, rng, gravity=9.81):
        self.rng = rng
        self.bodies, self.initial, self.surfaces = {}, {}, {}
        self.gravity = gravity
        self.held = []  # centres and radii of what is placed

    def surface(self):
        name = f"surface{len(self.surfaces)}"
        self.surfaces[name] = {"friction": self.rng.choice((0.0, 0.1, 0.3, 0.5, 0.8, 1.2))}
        return name

    def plane(self, name, normal, at, surface):
        self.bodies[name] = {"static": True, "shape": {"half_space": normal}, "at": at, "surface": surface}

    def add(self, shape, at, surface, velocity=None, spin=None, orientation=None, **weight):
        name = f"body{sum(n.startswith('body') for n in self.bodies)}"
        body = {"shape": shape, "at": at, "surface": surface, **weight}
        if orientation:
            body["orientation"] = orientation
        self.bodies[name] = body
        start = {}
        if velocity:
            start["velocity"] = velocity
        if spin:
            start["spin"] = spin
        if start:
            self.initial[name] = start
        return name

    def place(self, radius, draw):
        """A place where a ball of this radius meets nothing that was placed; None if none is found."""
        for _ in range(200):
            at = draw()
            if all(math.dist(at, c) > radius + r for c, r in self.held):
                self.held.append((at, radius))
                return at
        return None

    def document(self, h=None):
        rng = self.rng
        h = h or (0.001 if rng.random() < 0.2 else 0.01)
        steps = rng.randint(*STEPS)
        return {"stiction": 1, "gravity": [0, 0, -self.gravity], "surfaces": self.surfaces, "bodies": self.bodies,
                "initial": self.initial, "run": {"until": round(steps * h, 9), "step": h},
                "record": {"every": 0, "parts": True}}


def velocity_of(rng, fastest):
    speed = fastest * rng.random()
    return [speed * c for c in direction(rng)]


def loose(rng, b, count, size, weight, fastest=3.0, kinds=("sphere", "box", "capsule"), floor=True):
    """Bodies in the air above a floor, near enough to meet soon. size(), weight(): drawn for each."""
    surface = b.surface()
    if floor:
        b.plane("floor", [0, 0, 1], [0, 0, 0], surface)
    top = 0.0
    for _ in range(count):
        s = size()
        shape, radius = shape_of(rng, s, kinds)
        near = [r for _, r in b.held[-3:]] + [radius]
        width = 1.2 * max(near)
        low = radius * rng.uniform(1.0, 1.2)

        def draw():
            nonlocal top
            top += 0.02 * radius
            return [rng.uniform(-width, width), rng.uniform(-width, width), low + rng.uniform(0, 1) * (top + radius)]
        at = b.place(radius, draw)
        if at is None:
            continue
        other = b.surface() if rng.random() < 0.3 else surface
        b.add(shape, at, other, velocity_of(rng, fastest), velocity_of(rng, 10.0) if rng.random() < 0.6 else None,
              turn(rng), **weight())


def passing(rng, b, count):
    """Capsules that lie in layers, each a little above the one before, and pass each other closely while they turn."""
    surface = b.surface()
    z = 0.0
    for i in range(count):
        radius, length = rng.uniform(0.02, 0.05), rng.uniform(0.2, 0.5)
        speed, side = rng.uniform(0.5, 5), 1 if i % 2 else -1
        z += radius
        angle = rng.uniform(0, math.pi)  # about z, after the capsule has been laid down
        flat, half = math.sqrt(0.5), angle / 2
        q = [flat * math.cos(half), -flat * math.sin(half), flat * math.cos(half), flat * math.sin(half)]
        b.add({"capsule": {"radius": radius, "length": length}}, [side * rng.uniform(0.05, 0.5),
                                                                  0.03 * rng.uniform(-1, 1), z], surface,
              [-side * speed, 0, 0], [rng.uniform(-1, 1) * rng.choice((0, 0.01, 1)) for _ in range(2)]
              + [rng.uniform(-12, 12)], q,
              density=rng.uniform(300, 8000))
        z += radius + 10 ** rng.uniform(-6, -2)


def ordinary(rng, b):
    if rng.random() < 0.15:
        b.gravity = rng.choice((0, 9.81))
        passing(rng, b, rng.randint(2, 5))
    else:
        loose(rng, b, rng.randint(2, 10), lambda: rng.uniform(0.1, 0.4), lambda: {"density": rng.uniform(300, 3000)})


def six(rng, b):
    loose(rng, b, rng.randint(2, 8), lambda: spread(rng, 3), lambda: {"mass": spread(rng, 6)})


def twelve(rng, b):
    loose(rng, b, rng.randint(2, 8), lambda: spread(rng, 5), lambda: {"mass": spread(rng, 12)})


def rows(rng, b):
    """Blocks side by side on a floor, or one on the other, of real densities; one end is pushed in."""
    surface = b.surface()
    b.plane("floor", [0, 0, 1], [0, 0, 0], surface)
    count, upright = rng.randint(3, 10), rng.random() < 0.4
    edge = rng.choice((0.01, 0.1, 0.5))
    along = 0.0
    for i in range(count):
        size = [edge * rng.uniform(0.5, 1.5) for _ in range(3)]
        if upright:
            at = [0.1 * edge * rng.uniform(-1, 1), 0.1 * edge * rng.uniform(-1, 1), along + size[2] / 2]
            along += size[2]
        else:
            at = [along + size[0] / 2, 0.1 * edge * rng.uniform(-1, 1), size[2] / 2]
            along += size[0] + (rng.choice((0.0, 1e-9, 1e-3)) * edge)
        ball = rng.random() < 0.2 and not upright
        shape = {"sphere": size[0] / 2} if ball else {"box": size}
        if ball:
            at[2] = size[0] / 2
        push = [rng.uniform(0.5, 5), 0, 0] if i == 0 and rng.random() < 0.8 else None
        b.add(shape, at, b.surface() if rng.random() < 0.2 else surface, push, density=rng.choice(DENSITIES))


def pens(rng, b):
    """Bodies in a pen of planes that lean, or of heavy boxes that may give."""
    surface = b.surface()
    b.plane("floor", [0, 0, 1], [0, 0, 0], surface)
    half, heavy = rng.uniform(0.3, 0.8), rng.random() < 0.5
    for i, (x, y) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
        if heavy:
            edges = [0.2, 2.4 * half, 0.5] if x else [2 * half, 0.2, 0.5]
            far = half + 0.1
            b.add({"box": edges}, [x * far * (1 + 1e-3 * rng.random()), y * far * (1 + 1e-3 * rng.random()), 0.25],
                  surface,
                  [-x * rng.uniform(0, 1), -y * rng.uniform(0, 1), 0], mass=spread(rng, 4, 1e4))
        else:
            lean = rng.uniform(0, 0.3)
            b.plane(f"wall{i}", [-x * math.cos(lean), -y * math.cos(lean), math.sin(lean)], [x * half, y * half, 0],
                    surface)
    for _ in range(rng.randint(2, 7)):
        size = rng.uniform(0.05, 0.3)
        shape, radius = shape_of(rng, size)
        at = b.place(radius, lambda: [rng.uniform(-0.8, 0.8) * max(0.0, half - radius),
                                      rng.uniform(-0.8, 0.8) * max(0.0, half - radius),
                                      radius * rng.uniform(1, 1.05) + 0.6 * rng.random()])
        if at:
            b.add(shape, at, b.surface() if rng.random() < 0.3 else surface, velocity_of(rng, 4), velocity_of(rng, 8),
                  turn(rng),
                  mass=spread(rng, rng.choice((1, 3, 6))))


def wedges(rng, b):
    """A light ball or box on, under or between free blocks, up to very heavy ones."""
    surface = b.surface()
    light = 1e-3
    heavy = 10 ** rng.uniform(2, 14)
    edge = rng.uniform(0.1, 0.3)
    small = rng.choice((1.0, 0.3, 0.1)) * edge
    ball = rng.random() < 0.5
    shape = {"sphere": small / 2} if ball else {"box": [small] * 3}
    slip = lambda: rng.choice((0.0, 1e-9, 1e-4)) * edge
    floor = rng.random() < 0.7
    if floor:
        b.plane("floor", [0, 0, 1], [0, 0, 0], surface)
    where = rng.choice(("on", "under", "between", "between", "sideways", "sideways"))
    block = {"box": [edge * rng.uniform(1, 2), edge * rng.uniform(1, 2), edge]}
    width, height = block["box"][0], edge
    other = b.surface() if rng.random() < 0.5 else surface
    drop = lambda: [0, 0, -rng.random()] if rng.random() < 0.5 else None
    if where == "on":
        b.add(block, [0, 0, height / 2], surface, mass=heavy)
        b.add(shape, [0.3 * width * rng.uniform(-1, 1), 0, height + small / 2 + slip()], other,
              [rng.uniform(-1, 1), 0, 0], mass=light)
    elif where == "under":
        b.add(shape, [0.1 * width * rng.uniform(-1, 1), 0, small / 2], other, mass=light)
        b.add(block, [0, 0, small + height / 2 + slip()], surface, drop(), mass=heavy)
    elif where == "between":
        b.add(block, [0, 0, height / 2], surface, mass=heavy)
        b.add(shape, [0.1 * width * rng.uniform(-1, 1), 0, height + small / 2 + slip()], other, mass=light)
        b.add(dict(block), [0, 0, height + small + height / 2 + 2 * slip()], surface, drop(),
              mass=heavy * 10 ** rng.uniform(-2, 0))
    else:
        raised = rng.uniform(0.2, 0.8) * (height - small) + small / 2 if small < height else small / 2
        far = width / 2 + small / 2
        b.add(block, [-far - slip(), 0, height / 2], surface, [rng.uniform(0, 2), 0, 0], mass=heavy)
        b.add(dict(block), [far + slip(), 0, height / 2], surface, [-rng.uniform(0, 2), 0, 0],
              mass=heavy * 10 ** rng.uniform(-2, 0))
        b.add(shape, [0, 0.2 * edge * rng.uniform(-1, 1), raised], other, mass=light)
    for _ in range(rng.randint(0, 3)):  # others that fall on it
        size = rng.uniform(0.3, 1) * edge
        shape, radius = shape_of(rng, size)
        far = 2.5 * edge + small
        at = b.place(radius, lambda: [rng.uniform(-1, 1) * edge, rng.uniform(-1, 1) * edge,
                                      far + radius + edge * rng.random()])
        if at:
            b.add(shape, at, surface, [0, 0, -rng.uniform(0, 3)], orientation=turn(rng), mass=spread(rng, 4))


def densities(rng, b):
    """Real densities at sizes from a millimetre to a kilometre, and capsules that pass closely."""
    chance = rng.random()
    if chance < 0.25:
        passing(rng, b, rng.randint(2, 6))
    elif chance < 0.5:  # a millimetre beside a kilometre
        surface = b.surface()
        large = rng.choice((10.0, 100.0, 1000.0))
        b.gravity = rng.choice((0, 9.81))
        b.plane("floor", [0, 0, 1], [0, 0, 0], surface)
        b.add({"box": [large, large, large]}, [0, 0, -0.0 + large / 2], surface, density=rng.choice(DENSITIES))
        for i in range(rng.randint(1, 4)):
            size = rng.choice((1e-3, 1e-2, 0.1))
            shape, radius = shape_of(rng, size)
            at = [large / 2 + radius * rng.uniform(1, 3), 0.3 * i, radius * rng.uniform(1, 2)]
            b.add(shape, at, surface, [-rng.uniform(0, 1), 0, 0], velocity_of(rng, 5), turn(rng),
                  density=rng.choice(DENSITIES))
    else:
        loose(rng, b, rng.randint(3, 9), lambda: spread(rng, rng.choice((1, 3))),
              lambda: {"density": rng.choice(DENSITIES)})


def scene(family, number):
    rng = random.Random(f"{family} {number}")
    b = Builder(rng)
    {"ordinary": ordinary, "six": six, "twelve": twelve, "rows": rows, "pens": pens, "wedges": wedges,
     "densities": densities}[family](rng, b)
    document = b.document()
    document["title"] = f"Random scene {family} {number}"
    return document


def main(words):
    if len(words) != 2 or words[0] not in FAMILIES or not words[1].isdigit():
        print(f"usage: random_scenes.py FAMILY NUMBER, with a family of {', '.join(FAMILIES)}", file=sys.stderr)
        return 2
    print(json.dumps(scene(words[0], int(words[1])), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
