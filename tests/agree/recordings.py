"""What tests/agree reads of recordings: poses, velocities, masses and contacts of every step, and the algebra for
them."""
import json

import h5py
import numpy as np

PARTS = 32  # shortest part of a step: its length over this

SPHERE, BOX, CAPSULE, HALF_SPACE, CYLINDER, CONE, ELLIPSOID = 1, 2, 3, 4, 8, 9, 10
FREE_BODY, PLANAR, PARTICLE, LINK = 1, 2, 3, 4  # mobility


# ---- small algebra, over any leading axes ---------------------------------------------------------------------

def dot(a, b):
    return np.einsum("...i,...i->...", a, b)


def norm(a):
    return np.sqrt(dot(a, a))


def cross(a, b):
    return np.stack([a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1], a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
                     a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]], axis=-1)


def turned(R, v):
    return np.einsum("...ij,...j->...i", R, v)


def turned_back(R, v):
    return np.einsum("...ji,...j->...i", R, v)


def matrix(q):
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    w, x, y, z = np.moveaxis(q, -1, 0)
    return np.stack([np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
                     np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
                     np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1)], -2)


def product(p, q):
    a, b = p[..., :1], q[..., :1]
    u, v = p[..., 1:], q[..., 1:]
    return np.concatenate([a * b - dot(u, v)[..., None], a * v + b * u + cross(u, v)], -1)


def cayley(a):
    return np.concatenate([np.ones(a.shape[:-1] + (1,)), a / 2], -1) / np.sqrt(1 + dot(a, a) / 4)[..., None]


def halfway(p, q):
    s = p + np.where(dot(p, q) < 0, -1.0, 1.0)[..., None] * q
    return s / np.linalg.norm(s, axis=-1, keepdims=True)


def free_turn(I, q, spin, h):
    """Implicit midpoint rule in body axes: I (w1 - w0) = h (I wm) x wm, R1 = R0 cay(h wm). Spin in world axes."""
    R = matrix(q)
    w0 = turned_back(R, spin)
    m = w0.copy()
    h = np.broadcast_to(h, m.shape[:-1])[..., None]
    for _ in range(12):
        f = 2 * I * (m - w0) - h * cross(I * m, m)
        J = np.zeros(m.shape + (3,))
        for j in range(3):
            unit = np.zeros(3)
            unit[j] = 1
            J[..., j] = 2 * I * unit - h * (cross(I * unit, m) + cross(I * m, np.broadcast_to(unit, m.shape)))
        J = np.where(np.isfinite(J), J, 0) + np.where(np.isfinite(f).all(-1)[..., None, None], 0, 1) * np.eye(3)
        try:
            m = m - np.linalg.solve(J, np.where(np.isfinite(f), f, 0)[..., None])[..., 0]
        except np.linalg.LinAlgError:
            break
    q1 = product(q, cayley(h * m))
    return q1, turned(matrix(q1), 2 * m - w0)


# ---- bodies ---------------------------------------------------------------------------------------------------

def inertia_over_mass(shape, s):
    """Principal moments over mass [m^2] of a uniform body; not a number where no closed form is known here."""
    if shape == SPHERE:
        return np.full(3, 0.4 * s[0] ** 2)
    if shape == BOX:
        x, y, z = s[:3] ** 2
        return np.array([y + z, x + z, x + y]) / 12
    if shape == CAPSULE:
        r, l = s[0], s[1]
        tube, ball = l, 4 * r / 3  # volumes over pi r^2
        along = (tube * r * r / 2 + ball * 0.4 * r * r) / (tube + ball)
        # half a ball: its centre of mass is 3/8 r from the flat side, 83/320 r^2 about it
        across = (tube * (3 * r * r + l * l) / 12 + ball * (83 / 320 * r * r + (l / 2 + 3 * r / 8) ** 2)) / (tube
                                                                                                             + ball)
        return np.array([across, across, along])
    if shape == CYLINDER and s[3] == 0:
        r, l = s[0], s[1]
        return np.array([(3 * r * r + l * l) / 12, (3 * r * r + l * l) / 12, r * r / 2])
    if shape == CONE:
        r, l = s[0], s[1]
        across = 3 / 80 * (4 * r * r + l * l)
        return np.array([across, across, 0.3 * r * r])
    if shape == ELLIPSOID:
        x, y, z = s[:3] ** 2
        return np.array([y + z, x + z, x + y]) / 5
    return np.full(3, np.nan)


def size_of(shape, s):
    """[m] the largest extent; infinite where it is not known, which is left out."""
    return {SPHERE: 2 * s[0], BOX: max(s[:3]), CAPSULE: s[1] + 2 * s[0], HALF_SPACE: 0.0,
            CYLINDER: max(2 * s[0], s[1]), CONE: max(2 * s[0], s[1]), ELLIPSOID: 2 * max(s[:3])}.get(shape, np.nan)


class NotJudged(Exception):
    """The recording is no record of every step."""


class Recording:
    """What is read of a file; `start`: index of the frame before, `h`: length of the part that ends in a frame."""

    def __init__(self, path):
        try:
            with h5py.File(path, "r") as f:
                self.read(f)
        except (OSError, KeyError, json.JSONDecodeError) as e:
            raise NotJudged(f"cannot be read as a recording ({e}); record it with stiction run") from e
        self.path = path
        self.find_steps()

    def read(self, f):
        text = lambda name: (lambda v: v.decode() if isinstance(v, bytes) else str(v))(f[name][()])
        self.settings = json.loads(text("settings"))
        self.scene = json.loads(text("scene") or "{}")
        self.time, self.step = f["time"][:], f["step"][:].astype(int)
        for name in ("position", "orientation", "velocity", "spin"):
            setattr(self, name, f["bodies/" + name][:])
        self.converged = f["certificate/converged"][:].astype(bool)
        self.tolerance = float(self.settings["tolerance"])
        self.steps_in = f["solver/steps"][:].astype(int)
        if not self.settings.get("parts", False) and (f["solver/divided"][:] > 0).any():
            raise NotJudged("has steps that were made in parts, of which it has the last alone; "
                            'record with "parts": true')
        self.impacts = f["solver/impacts"][:] if "impacts" in f["solver"] else np.zeros(len(self.time))
        c = f["contacts"]
        self.per_frame = c["per_frame"][:].astype(int)
        for name in ("key_a", "key_b", "feature", "point", "normal", "gap", "impulse", "friction", "moment"):
            setattr(self, name, c[name][:])
        self.key_a, self.key_b = self.key_a.astype(int), self.key_b.astype(int)
        if len(f["revisions"]) != 1:
            raise NotJudged("has bodies that come or go; judged are runs of one scene without edits")
        r = f["revisions/0"]
        self.names = [n.decode() if isinstance(n, bytes) else str(n) for n in r["name"][:]]
        self.kind, self.mobility = r["kind"][:].astype(int), r["mobility"][:].astype(int)
        self.shape, self.numbers = r["shape"][:].astype(int), r["shape_numbers"][:]
        self.mass, self.plane = r["mass"][:].astype(float), r["plane_normal"][:]
        self.gravity = np.array(r["gravity"][()], float).reshape(3)
        joined = [r[n][:].astype(int) for n in ("constraint_body", "constraint_parent", "joint_body", "joint_parent")
                  if n in r]
        self.joined = np.zeros(len(self.names), bool)
        for bodies in joined:
            self.joined[bodies[bodies >= 0]] = True

    def find_steps(self):
        if self.settings.get("every", 0) != 0 or (self.steps_in[1:] > 1).any():
            raise NotJudged('has not every step in it; record with "every": 0 and "parts": true')
        frames, nominal = len(self.time), float(self.settings["step"])
        self.h = np.r_[np.nan, np.round(np.diff(self.time) / nominal * PARTS) / PARTS * nominal]
        self.end = np.zeros(frames, int)  # the last frame of the step that each is a part of
        end = frames - 1
        for k in range(frames - 1, -1, -1):
            end = k if self.steps_in[k] == 1 else end
            self.end[k] = end
        self.certified = self.converged[self.end]
        self.certified[0] = False
        self.with_impacts = self.impacts[self.end] > 0
        self.frame_of = np.repeat(np.arange(frames), self.per_frame)  # of each contact

    def alive_at(self, frames):
        return np.isfinite(self.position[frames]).all(-1) & np.isfinite(self.position[frames - 1]).all(-1)

    def described(self, body):
        """What the scene says of a body; those that repeat have the numbers of their copies behind their names."""
        bodies, name = self.scene.get("bodies", {}), self.names[body]
        while name not in bodies and "." in name:
            name = name.rpartition(".")[0]
        return bodies.get(name, {})
