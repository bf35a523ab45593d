#!/usr/bin/env python3
"""Judges a recording from outside: laws of contact, momentum, angular momentum, energy, overlap.

    /usr/bin/python3 tests/agree/judge.py RECORDING.h5...

Shares nothing with the engine. It reads what a recording says of poses, velocities, masses and contact impulses (every step, and
every part of a step: "record": {"parts": true}), and computes inertia, gaps, normals, arms and all laws anew. Where the engine may
choose the frame of a contact, the kindest of many is taken: the normal and the point as recorded, turned with either body to the
start, the middle and the end of the step, or found by closed forms from poses; one for all laws of a contact and body. The end is
also that which the velocities lead to, before overlap that was left was removed. A frame that was kept from a pass whose pose is
none of these is none here.

Asked of every part of a certified step, with X the tolerance of the run, r_i the impulse of contact i, e_i = r_i - P_K(r_i - uhat_i/w_i)
its natural-map residual [N s], w_i = trace of its inverse mass / 3 [1/kg], w_ib the share of body b in that, L_b its size [m]:

    laws       d_b = sum_i w_ib |e_i| <= X (U_b + sum_i w_ib |r_i|)  and  <= sqrt(X) U_b
               U_b = h |g| + the largest free approach at its contacts + 1e-5 (|v_b| + L_b |spin_b|)      [m/s]
    momentum   |m v+ - m v0 - h m g - sum r|                  <= X (m U_b + sum |r|)
    turning    |I(q) w+ - I(q0) w0 - sum arm x r - moments|   <= X (L_b (m U_b + sum |r|) + |L0|)
    free       bodies that nothing pushes: v+ = v0 + h g and I(q+) w+ = I(q0) w0, to 1e-12 of themselves
    overlap    of pairs with closed forms: <= X times the size of the smaller moving body; none shallower than it is listed
    energy     a run without sources: kinetic and potential never rise by more than 1e-6 E, E the largest kinetic energy and the
               largest change of the potential; where all but rests, by X L_b m_b g, which places are known to

Where a box touches a box or a capsule, points of contact are cut out of faces by edges: in the middle of the step they are elsewhere than
any recorded point is that goes along with a body, so that the frame which the engine used is not among those that are tried. `laws` and
`turning` of bodies with such a contact stand under `cut laws` and `cut turning`: shown, and not decided on.

A factor of 3 is allowed for all but the last two figures (free: 1e-12, energy: 1e-6), which are as they stand; what is printed is scaled
so that 3 is the bound everywhere. What it cannot judge it leaves out and counts: bodies of joints, shapes without a closed form of
the inertia, forces other than gravity, surfaces with more than a coefficient of friction, and momentum in steps with impacts
with restitution, whose impulses no recording has.

Exit status: 0 all within 3, 1 something beyond, 2 not a recording with every step in it.
"""
import dataclasses
import json
import sys

import h5py
import numpy as np

ALLOWED = 3.0
FREE = 1e-12  # [-] of itself: what a body that nothing pushes may change its momentum and angular momentum by
RISE = 1e-6  # [-] of a run's energy: what it may rise by
SHARE = 1e-5  # [-] of a body's speed that counts as its own scale
TOUCHES = 0.1  # [-] of X L: gaps at the start below it touch
LASTS = 1e-4  # [-] of L: gaps below it may count as touching, of pairs that pressed before
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
        across = (tube * (3 * r * r + l * l) / 12 + ball * (83 / 320 * r * r + (l / 2 + 3 * r / 8) ** 2)) / (tube + ball)
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
            raise NotJudged('has steps that were made in parts, of which it has the last alone; record with "parts": true')
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
        joined = [r[n][:].astype(int) for n in ("constraint_body", "constraint_parent", "joint_body", "joint_parent") if n in r]
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


# ---- geometry -------------------------------------------------------------------------------------------------

class Pose:
    """Of the two bodies of every contact at one moment."""

    def __init__(self, x, R, t, a, b):
        self.xa, self.xb, self.Ra, self.Rb = x[t, a], x[t, b], R[t, a], R[t, b]


def closest_of_segments(c, d, e, f):
    """Points nearest to each other on the segments c + s d and e + t f, s and t in [-1, 1]."""
    w = c - e
    dd, ff, df, dw, fw = dot(d, d), dot(f, f), dot(d, f), dot(d, w), dot(f, w)
    flat = dd * ff - df * df
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.where(flat > 1e-14 * dd * ff, np.clip((df * fw - ff * dw) / flat, -1, 1), 0.0)
        for _ in range(2):
            t = np.where(ff > 0, np.clip((s * df + fw) / np.where(ff > 0, ff, 1), -1, 1), 0.0)
            s = np.where(dd > 0, np.clip((t * df - dw) / np.where(dd > 0, dd, 1), -1, 1), 0.0)
    return c + s[..., None] * d, e + t[..., None] * f


def half_axes(shape, numbers):
    """From the centre of a capsule to that of a cap, in body axes; 0 of others."""
    return np.where(shape == CAPSULE, numbers[:, 1] / 2, 0.0)[:, None] * np.array([0, 0, 1.0])


def outside(local, half):
    """[m] from a box to points in its axes; negative inside."""
    d = np.abs(local) - half
    return np.where((d > 0).any(-1), norm(np.maximum(d, 0)), d.max(-1))


def nearest_along(middle, axis, half):
    """Where on middle + t axis, t in [-1, 1], a box is nearest: the distance is convex, and quadratic between its kinks."""
    low, high = np.full(len(middle), -1.0), np.ones(len(middle))
    if not axis.any():
        return np.zeros(len(middle))
    for _ in range(90):
        third = (high - low) / 3
        left = outside(middle + (low + third)[:, None] * axis, half) < outside(middle + (high - third)[:, None] * axis, half)
        low, high = np.where(left, low, low + third), np.where(left, high - third, high)
    t = (low + high) / 2
    local = middle + t[:, None] * axis
    beyond = np.where(np.abs(local) > half, axis, 0.0)
    square = dot(beyond, beyond)
    exact = np.where(square > 0, -dot(beyond, middle - np.copysign(half, local)) / np.where(square > 0, square, 1), t)
    return np.where(np.abs(exact - t) < 1e-6, exact, np.where(np.abs(t) > 1 - 1e-9, np.sign(t), t))


class Contacts:
    """The contacts of some frames: gaps, normals and points at any pose, by closed forms where there are some."""

    def __init__(self, rec, rows, end, before):
        """end: poses as recorded; before: those that the velocities led to, before what overlap was left was removed."""
        self.a, self.b = rec.key_a[rows], rec.key_b[rows]
        self.n, self.p, self.gap = rec.normal[rows], rec.point[rows], rec.gap[rows]
        self.sa, self.sb = rec.shape[self.a], rec.shape[self.b]
        self.da, self.db = rec.numbers[self.a], rec.numbers[self.b]
        self.local_a = turned_back(end.Ra, self.p - end.xa)
        self.local_b = turned_back(end.Rb, self.p - end.xb)
        self.normal_a, self.normal_b = turned_back(end.Ra, self.n), turned_back(end.Rb, self.n)
        self.before_a = turned_back(before.Ra, self.p - before.xa)
        self.before_b = turned_back(before.Rb, self.p - before.xb)
        self.tip_a, self.radius_a = self.tips(self.sa, self.da, self.local_a)
        self.tip_b, self.radius_b = self.tips(self.sb, self.db, self.local_b)
        kinds = lambda s, *which: np.isin(s, which)
        self.flat_a, self.flat_b = kinds(self.sa, HALF_SPACE), kinds(self.sb, HALF_SPACE)
        self.round_a, self.round_b = kinds(self.sa, SPHERE, CAPSULE), kinds(self.sb, SPHERE, CAPSULE)
        self.edges = kinds(self.sa, BOX, CAPSULE) & kinds(self.sb, BOX, CAPSULE)
        self.pick_edges(end)

    @staticmethod
    def tips(shape, numbers, local):
        """The corner, or the centre of the cap, that a contact is nearest to, in body axes; its radius."""
        tip, radius = np.full(local.shape, np.nan), np.zeros(len(shape))
        box, ball, cap = shape == BOX, shape == SPHERE, shape == CAPSULE
        tip[box] = np.copysign(numbers[box, :3] / 2, local[box])
        tip[ball] = 0
        tip[cap] = 0
        tip[cap, 2] = np.copysign(numbers[cap, 1] / 2, local[cap, 2])
        radius[ball | cap] = numbers[ball | cap, 0]
        return tip, radius

    def at(self, pose):
        """Normal, point, gap by closed forms; not a number where there is none. `exact`: the gap is that of this contact."""
        N = len(self.a)
        n, p, g = np.full((N, 3), np.nan), np.full((N, 3), np.nan), np.full(N, np.nan)
        for flat, tip, radius, R, x, Rf, xf, numbers, sign in (
                (self.flat_a, self.tip_b, self.radius_b, pose.Rb, pose.xb, pose.Ra, pose.xa, self.da, 1.0),
                (self.flat_b, self.tip_a, self.radius_a, pose.Ra, pose.xa, pose.Rb, pose.xb, self.db, -1.0)):
            k = flat & np.isfinite(tip[:, 0])
            if not k.any():
                continue
            up = turned(Rf[k], numbers[k, :3] / norm(numbers[k, :3])[:, None])
            centre = x[k] + turned(R[k], tip[k])
            g[k] = dot(up, centre - xf[k]) - numbers[k, 3] - radius[k]
            n[k], p[k] = sign * up, centre - (radius[k] + g[k] / 2)[:, None] * up
        self.lowest(n, p, g, pose)
        k = self.round_a & self.round_b
        if k.any():
            c, e = closest_of_segments(pose.xa[k], turned(pose.Ra[k], half_axes(self.sa, self.da)[k]),
                                       pose.xb[k], turned(pose.Rb[k], half_axes(self.sb, self.db)[k]))
            far = norm(e - c)
            with np.errstate(divide="ignore", invalid="ignore"):
                n[k] = (e - c) / far[:, None]
            g[k] = far - self.radius_a[k] - self.radius_b[k]
            p[k] = c + (self.radius_a[k] + g[k] / 2)[:, None] * n[k]
        for box, ball, R, x, numbers, centre_x, centre_R, tip, radius, sign in (
                (self.sa == BOX, self.round_b, pose.Ra, pose.xa, self.da, pose.xb, pose.Rb, self.tip_b, self.radius_b, 1.0),
                (self.sb == BOX, self.round_a, pose.Rb, pose.xb, self.db, pose.xa, pose.Ra, self.tip_a, self.radius_a, -1.0)):
            k = box & ball
            if not k.any():
                continue
            axis = turned_back(R[k], turned(centre_R[k], half_axes(self.sb if sign > 0 else self.sa, self.db if sign > 0 else self.da)[k]))
            middle = turned_back(R[k], centre_x[k] - x[k])
            local = middle + nearest_along(middle, axis, numbers[k, :3] / 2)[:, None] * axis
            centre = x[k] + turned(R[k], local)
            near = np.clip(local, -numbers[k, :3] / 2, numbers[k, :3] / 2)
            way = turned(R[k], local - near)
            far = norm(way)
            with np.errstate(divide="ignore", invalid="ignore"):
                up = way / far[:, None]
            n[k], g[k] = sign * up, far - radius[k]
            p[k] = centre - (radius[k] + g[k] / 2)[:, None] * up
        return n, p, g

    def lowest(self, n, p, g, pose):
        """Of cylinders and ellipsoids on planes: the lowest point (of the face of the cylinder that the contact is on)."""
        for flat, shape, numbers, local, R, x, Rf, xf, plane, sign in (
                (self.flat_a, self.sb, self.db, self.local_b, pose.Rb, pose.xb, pose.Ra, pose.xa, self.da, 1.0),
                (self.flat_b, self.sa, self.da, self.local_a, pose.Ra, pose.xa, pose.Rb, pose.xb, self.db, -1.0)):
            k = flat & (((shape == CYLINDER) & (numbers[:, 3] == 0)) | (shape == ELLIPSOID))
            if not k.any():
                continue
            up = turned(Rf[k], plane[k, :3] / norm(plane[k, :3])[:, None])
            down = -turned_back(R[k], up)
            d = numbers[k]
            across = np.hypot(down[:, 0], down[:, 1])
            with np.errstate(divide="ignore", invalid="ignore"):
                rim = np.stack([d[:, 0] * down[:, 0] / across, d[:, 0] * down[:, 1] / across, np.copysign(d[:, 1] / 2, local[k, 2])], -1)
                low = np.where((shape[k] == CYLINDER)[:, None], rim, d[:, :3] ** 2 * down / norm(d[:, :3] * down)[:, None])
            at = x[k] + turned(R[k], low)
            g[k] = dot(up, at - xf[k]) - plane[k, 3]
            n[k], p[k] = sign * up, at - (g[k] / 2)[:, None] * up

    @property
    def exact(self):
        """Whether the gap of at() is that of the contact, and not of the pair."""
        ball_a, ball_b = self.sa == SPHERE, self.sb == SPHERE
        flat = (self.flat_a & np.isfinite(self.tip_b[:, 0])) | (self.flat_b & np.isfinite(self.tip_a[:, 0]))
        return flat | (self.round_a & self.round_b & (ball_a | ball_b)) | \
            ((self.sa == BOX) & ball_b) | ((self.sb == BOX) & ball_a)

    def pick_edges(self, end):
        """Of boxes and capsules: the two edges whose common normal is nearest to that of the contact, and those that are nearest
        to its point."""
        N = len(self.a)
        by_normal, best = (np.zeros(N, int), np.zeros(N, int)), np.zeros(N)
        for i in range(3):
            for j in range(3):
                c = cross(end.Ra[:, :, i], end.Rb[:, :, j])
                with np.errstate(divide="ignore", invalid="ignore"):
                    near = np.abs(dot(c, self.n)) / norm(c)
                ok = self.edges & (near > best) & ((self.sa == BOX) | (i == 2)) & ((self.sb == BOX) | (j == 2))
                by_normal[0][ok], by_normal[1][ok], best[ok] = i, j, near[ok]

        def nearest(shape, numbers, local):
            d = (np.abs(local) - numbers[:, :3] / 2) ** 2
            return np.where(shape == BOX, (d.sum(1)[:, None] - d).argmin(1), 2)
        self.crossings = (by_normal, (nearest(self.sa, self.da, self.local_a), nearest(self.sb, self.db, self.local_b)))

    def edge_frame(self, pose, crossing):
        """Normal and point of two edges that cross."""
        N = len(self.a)
        row = np.arange(N)

        def edge(shape, numbers, local, axis, R, x):
            middle = np.where((shape == BOX)[:, None], np.copysign(numbers[:, :3] / 2, local), 0.0)
            middle[row, axis] = 0
            half = np.zeros((N, 3))
            half[row, axis] = np.where(shape == BOX, numbers[row, axis], numbers[:, 1]) / 2
            return x + turned(R, middle), turned(R, half)

        c, d = edge(self.sa, self.da, self.local_a, crossing[0], pose.Ra, pose.xa)
        e, f = edge(self.sb, self.db, self.local_b, crossing[1], pose.Rb, pose.xb)
        n = cross(d, f)
        with np.errstate(divide="ignore", invalid="ignore"):
            n = n / norm(n)[:, None]
        n = np.where((dot(n, self.n) < 0)[:, None], -n, n)
        c, e = closest_of_segments(c, d, e, f)
        p = 0.5 * (c + self.radius_a[:, None] * n + e - self.radius_b[:, None] * n)
        n[~self.edges], p[~self.edges] = np.nan, np.nan
        return n, p

    def frames(self, poses):
        """Candidates for the frame: normals and arms from both centres, each [candidates, contacts, 3]; which are of the start."""
        normals, arms_a, arms_b, of_start = [], [], [], []
        for which, pose in enumerate(poses):
            pa, pb = pose.xa + turned(pose.Ra, self.local_a), pose.xb + turned(pose.Rb, self.local_b)
            own_n, own_p, _ = self.at(pose)
            (edge_n, edge_p), (_, near_p) = (self.edge_frame(pose, crossing) for crossing in self.crossings)
            for n in (self.n, turned(pose.Ra, self.normal_a), turned(pose.Rb, self.normal_b)):
                points = [self.p, pa, pb, pose.xa + turned(pose.Ra, self.before_a), pose.xb + turned(pose.Rb, self.before_b),
                          edge_p, near_p]
                for tip, radius, R, x, sign in ((self.tip_a, self.radius_a, pose.Ra, pose.xa, 1.0),
                                                (self.tip_b, self.radius_b, pose.Rb, pose.xb, -1.0)):
                    round_tip = np.where((radius > 0)[:, None], tip, np.nan)
                    points.append(x + turned(R, round_tip) + sign * (radius + self.gap / 2)[:, None] * n)
                for p in points:
                    normals.append(n), arms_a.append(p - pose.xa), arms_b.append(p - pose.xb)
            for n, p in ((own_n, own_p), (edge_n, edge_p)):
                normals.append(n), arms_a.append(p - pose.xa), arms_b.append(p - pose.xb)
            of_start += [which == 2] * (len(normals) - len(of_start))
        return np.stack(normals), np.stack(arms_a), np.stack(arms_b), np.array(of_start)


def distance(rec, a, b, x, R):
    """[m] of two bodies over some frames, by closed forms: exact where they do not overlap, and the depth of separating planes where
    they do; None where none is known. x, R: all bodies' poses [frames, bodies, ...]."""
    sa, sb = rec.shape[a], rec.shape[b]
    if sa == HALF_SPACE or (sb in (SPHERE, CAPSULE) and sa == BOX):
        a, b, sa, sb = b, a, sb, sa
    A, B = rec.numbers[a], rec.numbers[b]
    half_axis = lambda s, d: np.array([0, 0, d[1] / 2 if s == CAPSULE else 0.0])
    if sb == HALF_SPACE:
        up = turned(R[:, b], B[:3] / np.linalg.norm(B[:3]))
        centre = dot(up, x[:, a] - x[:, b]) - B[3]
        down = turned_back(R[:, a], up)
        if sa == SPHERE:
            return centre - A[0]
        if sa == BOX:
            return centre - np.abs(down) @ A[:3] / 2
        if sa == CAPSULE:
            return centre - np.abs(down[:, 2]) * A[1] / 2 - A[0]
        if sa == CYLINDER and A[3] == 0:
            return centre - np.abs(down[:, 2]) * A[1] / 2 - A[0] * np.hypot(down[:, 0], down[:, 1])
        if sa == ELLIPSOID:
            return centre - norm(down * A[:3])
        return None
    if sa in (SPHERE, CAPSULE) and sb in (SPHERE, CAPSULE):
        c, e = closest_of_segments(x[:, a], turned(R[:, a], half_axis(sa, A)), x[:, b], turned(R[:, b], half_axis(sb, B)))
        return norm(e - c) - A[0] - B[0]
    if sa in (SPHERE, CAPSULE) and sb == BOX:
        centre, way = turned_back(R[:, b], x[:, a] - x[:, b]), turned_back(R[:, b], turned(R[:, a], half_axis(sa, A)))

        return outside(centre + nearest_along(centre, way, B[:3] / 2)[:, None] * way, B[:3] / 2) - A[0]
    if sa == BOX and sb == BOX:
        way, Ra, Rb = x[:, b] - x[:, a], R[:, a], R[:, b]
        best = np.full(len(x), -np.inf)
        axes = [Ra[:, :, i] for i in range(3)] + [Rb[:, :, i] for i in range(3)] + \
            [cross(Ra[:, :, i], Rb[:, :, j]) for i in range(3) for j in range(3)]
        for axis in axes:
            length = norm(axis)
            ok = length > 1e-6
            u = axis / np.where(ok, length, 1)[:, None]
            apart = np.abs(dot(way, u)) - np.abs(turned_back(Ra, u)) @ A[:3] / 2 - np.abs(turned_back(Rb, u)) @ B[:3] / 2
            best = np.where(ok, np.maximum(best, apart), best)
        return best  # a lower bound where corners face each other
    return None


# ---- the laws -------------------------------------------------------------------------------------------------

def over(a, b):
    """a / b, and 0 where a is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(a == 0, 0.0, a / b)


def missed(r, n, mu, u, normal, w):
    """|r - P_K(r - uhat/w)| [N s]: impulse, unit normal, coefficient, velocity, what stands for the normal velocity, inverse mass."""
    slip = u - dot(u, n)[..., None] * n
    rn = dot(r, n)
    rt = r - rn[..., None] * n
    xn = rn - (normal + mu * norm(slip)) / w
    xt = rt - slip / w[..., None]
    t = norm(xt)
    inside, polar = (xn >= 0) & (t <= mu * xn), mu * t <= -xn
    keep = np.where(polar, 0.0, (xn + mu * t) / (1 + mu * mu))
    with np.errstate(divide="ignore", invalid="ignore"):
        along = np.where((t > 0)[..., None], xt / t[..., None], 0.0) * (mu * keep)[..., None]
    en = np.where(inside, rn - xn, rn - keep)
    et = np.where(inside[..., None], rt - xt, rt - along)
    return np.sqrt(en * en + dot(et, et))


@dataclasses.dataclass
class Worst:
    law: str
    factor: float  # 3 is the bound
    step: int
    time: float
    body: str


@dataclasses.dataclass
class Verdict:
    path: str
    steps: int = 0
    certified: int = 0
    parts: int = 0  # of certified steps
    judged: int = 0  # bodies times parts whose momentum was looked at
    left_out: int = 0  # and those that it was not
    worst: dict = dataclasses.field(default_factory=dict)  # by law
    failing: list = dataclasses.field(default_factory=list)  # the worst of each law in each failing step
    notes: list = dataclasses.field(default_factory=list)

    def factor(self):
        return max((w.factor for law, w in self.worst.items() if not law.startswith("cut ")), default=0.0)

    def holds(self):
        return self.factor() <= ALLOWED


LAWS = ("laws", "momentum", "turning", "free", "overlap", "energy", "listed", "cut laws", "cut turning")
BLOCK = 3000  # contacts judged at a time
POSES = 5  # at which frames are looked for: end, middle, start; and end and middle before overlap was removed


class Judge:
    def __init__(self, rec):
        self.rec = rec
        self.out = Verdict(rec.path)
        self.out.steps = int((rec.steps_in[1:] == 1).sum())
        self.out.certified = int(((rec.steps_in == 1) & rec.converged)[1:].sum())
        self.out.parts = int(rec.certified.sum())
        self.inertia = np.array([m * inertia_over_mass(s, d) for m, s, d in zip(rec.mass, rec.shape, rec.numbers)])
        self.size = np.array([size_of(s, d) for s, d in zip(rec.shape, rec.numbers)])
        self.moves = np.isin(rec.mobility, (FREE_BODY, PLANAR, PARTICLE, LINK))
        self.gravity = rec.gravity
        self.X = rec.tolerance
        self.read_scene()
        self.R = matrix(np.nan_to_num(rec.orientation, nan=0.5))

    def read_scene(self):
        """Who is pushed by more than contacts and gravity; which surfaces have more than a coefficient of friction."""
        rec, scene = self.rec, self.rec.scene
        bodies = range(len(rec.names))
        self.own_inertia = np.array(["inertia" in rec.described(i) for i in bodies])
        surfaces = scene.get("surfaces", {})
        usual = {"friction", "restitution", "impact_law", "kinetic_friction", "stribeck_speed", "viscous_friction"}
        odd = {name for name, s in surfaces.items() if set(s) - usual}
        self.odd = np.array([rec.described(i).get("surface") in odd for i in bodies])
        if any(set(p) - usual - {"between", "a", "b", "surfaces"} for p in scene.get("surface_pairs", [])):
            self.odd[:] = True
        joints, forces = scene.get("joints", {}), scene.get("forces", {})
        self.pushed = bool(forces)  # by what is not computed here
        self.joined = rec.joined | (rec.mobility == LINK)
        known = np.isfinite(self.inertia).all(1) & ~self.own_inertia | (rec.mobility == PARTICLE)
        self.plain = self.moves & ~self.joined & known  # its mass matrix is known
        self.inertia[~known] = np.nan
        self.sources = bool(forces) or bool(joints) or bool((rec.kind == 2).any()) or \
            any({"surface_velocity", "stiffness", "young"} & set(s) for s in surfaces.values()) or \
            any("stiffness" in p for p in scene.get("surface_pairs", []))
        method = rec.settings.get("method", "coulomb")
        self.by_contact = method == "coulomb"
        if not self.by_contact:
            self.out.notes.append(f"method {method}: energy and overlap alone")
        self.sleeps = bool(rec.settings.get("sleep", False))
        restitution = any(s.get("restitution", 0) != 0 for s in list(surfaces.values()) + scene.get("surface_pairs", []))
        self.hit = rec.with_impacts if restitution else np.zeros(len(rec.time), bool)

    # -- notes of what was found
    def note(self, law, factor, frames, bodies):
        """factor: [anything]; frames, bodies: the same shape."""
        factor = np.where(np.isnan(factor), np.inf, factor)
        if factor.size == 0:
            return
        rec = self.rec
        make = lambda i: Worst(law, float(factor.flat[i]), int(rec.step[rec.end[frames.flat[i]]]),
                               float(rec.time[frames.flat[i]]), rec.names[bodies.flat[i]] if bodies.flat[i] >= 0 else "all")
        worst = make(int(np.argmax(factor)))
        if law not in self.out.worst or worst.factor > self.out.worst[law].factor:
            self.out.worst[law] = worst
        bad = np.flatnonzero(factor.ravel() > ALLOWED)
        if bad.size:
            order = bad[np.argsort(-factor.ravel()[bad])]
            _, first = np.unique(frames.ravel()[order], return_index=True)
            self.out.failing += [make(i) for i in order[np.sort(first)]]

    # -- all of it
    def run(self):
        rec = self.rec
        frames = np.arange(1, len(rec.time))
        if self.by_contact and len(frames):
            start = 0
            load = np.cumsum(rec.per_frame[1:])
            while start < len(frames):
                before = load[start - 1] if start else 0
                stop = max(start + 1, int(np.searchsorted(load, before + BLOCK, side="right")))
                self.judge_parts(frames[start:stop])
                start = stop
        self.judge_overlap()
        self.judge_energy()
        return self.out

    def judge_parts(self, frames):
        rec = self.rec
        T, B = len(frames), len(rec.names)
        t = np.arange(T)
        h = rec.h[frames]
        x0, x1 = rec.position[frames - 1], rec.position[frames]
        v0, v1, w0, w1 = (a[frames + s] for a in (rec.velocity, rec.spin) for s in (-1, 0))
        q0, q1 = rec.orientation[frames - 1], rec.orientation[frames]
        R0, R1, Rm = self.R[frames - 1], self.R[frames], matrix(np.nan_to_num(halfway(q0, q1), nan=0.5))
        spinless = np.where(np.isfinite(self.inertia).all(1)[:, None], self.inertia, 1.0)
        free_q, free_w = free_turn(np.broadcast_to(spinless, w0.shape), q0, w0, h[:, None])
        turns = (rec.mobility == FREE_BODY) & self.plain
        free_w = np.where(turns[:, None], free_w, w0)
        # where bodies were before what overlap was left was removed
        xs = np.where(self.moves[:, None], x0 + h[:, None, None] * v1, x1)
        qs = product(cayley(h[:, None, None] * (w1 - free_w)), free_q)
        near = (np.abs(np.abs(dot(qs, q1)) - 1) < 1e-4) & turns
        qs = np.where(near[..., None], qs, q1)
        Rs = np.where(near[..., None, None], matrix(np.nan_to_num(qs, nan=0.5)), R1)
        v_free = v0 + h[:, None, None] * np.where(self.moves[:, None], self.gravity, 0.0)

        rows = np.flatnonzero(np.isin(rec.frame_of, frames))
        k = rec.frame_of[rows] - frames[0]
        a, b = rec.key_a[rows], rec.key_b[rows]
        r, mu = rec.impulse[rows], rec.friction[rows]
        moment = rec.moment[rows] * h[k][:, None]
        end = Pose(x1, R1, k, a, b)
        before = Pose(xs, Rs, k, a, b)
        c = Contacts(rec, rows, end, before)
        halves = matrix(np.nan_to_num(halfway(q0, qs), nan=0.5))
        n, arm_a, arm_b, of_start = c.frames([end, Pose((x0 + x1) / 2, Rm, k, a, b), Pose(x0, R0, k, a, b), before,
                                              Pose((x0 + xs) / 2, halves, k, a, b)])

        # inverse masses, by body, in the frame as recorded
        inverse_a = self.inverse_mass(a, R1[k, a], c.p - end.xa)
        inverse_b = self.inverse_mass(b, R1[k, b], c.p - end.xb)
        w = inverse_a + inverse_b
        strange = ~np.isfinite(w) | self.odd[a] | self.odd[b] | (norm(moment) > 0)

        approach = (-dot(n[:3], self.at_contact(v_free, free_w, k, a, b, arm_a[:3], arm_b[:3]))).max(0) if len(rows) else np.zeros(0)
        approach = np.maximum(approach, 0)
        e = self.residuals(frames, c, rows, k, n, arm_a, arm_b, of_start, r, mu, w, v1, w1, h,
                           before, Pose(x0, R0, k, a, b), end, strange)

        e = np.where(strange & np.isfinite(e), 0.0, e)  # of those, no frame is better than another
        push, fastest, weighted, d = np.zeros((T, B)), np.zeros((T, B)), np.zeros((T, B)), np.zeros((T, B))
        best = e.min(0) if len(rows) else np.zeros(0)
        strength = norm(r)
        for body, inverse in ((a, inverse_a), (b, inverse_b)):
            np.add.at(push, (k, body), strength)
            np.maximum.at(fastest, (k, body), approach)
            np.add.at(weighted, (k, body), np.where(strange, 0, np.nan_to_num(inverse) * strength))
            np.add.at(d, (k, body), np.where(strange, 0, np.nan_to_num(inverse) * best))
        own = h[:, None] * np.linalg.norm(self.gravity) + fastest + \
            SHARE * (np.maximum(norm(v0), norm(v1)) + np.nan_to_num(self.size) * np.maximum(norm(w0), norm(w1)))

        certified = rec.certified[frames][:, None]
        frame_of = np.broadcast_to(frames[:, None], (T, B))
        body_of = np.broadcast_to(np.arange(B), (T, B))
        alive = rec.alive_at(frames)
        known = certified & alive & self.plain
        with np.errstate(divide="ignore", invalid="ignore"):
            limit = np.minimum(self.X * (own + weighted), np.sqrt(self.X) * own)
            factor = np.where(d > 0, d / limit, 0.0)
        ok = known & (d > 0)
        shape_a, shape_b = rec.shape[a], rec.shape[b]
        is_cut = ((shape_a == BOX) & np.isin(shape_b, (BOX, CAPSULE)) | (shape_b == BOX) & np.isin(shape_a, (BOX, CAPSULE))) & (strength > 0)
        cut = np.zeros((T, B), bool)
        for body in (a, b):
            np.logical_or.at(cut, (k, body), is_cut)
        self.note("laws", factor[ok & ~cut], frame_of[ok & ~cut], body_of[ok & ~cut])
        self.note("cut laws", factor[ok & cut], frame_of[ok & cut], body_of[ok & cut])

        # momentum
        judged = known & (not self.pushed) & ~self.hit[frames][:, None] & (not self.sleeps)
        self.out.judged += int(judged.sum())
        self.out.left_out += int((certified & alive & self.moves & ~judged).sum())
        sums = np.zeros((T, B, 3))
        np.add.at(sums, (k, a), -r), np.add.at(sums, (k, b), r)
        mass = np.where(self.moves, rec.mass, 1.0)
        left = mass[:, None] * (v1 - v_free) - sums
        in_plane = rec.mobility == PLANAR
        left = np.where(in_plane[:, None], left - dot(left, rec.plane)[..., None] * rec.plane, left)
        scale = mass * own + push
        pushed = judged & (push > 0)
        self.note("momentum", norm(left)[pushed] / (self.X * scale[pushed]), frame_of[pushed], body_of[pushed])

        # angular momentum
        turn = lambda R, s: turned(R, self.inertia * turned_back(R, s))
        L0, L1 = turn(R0, w0), turn(R1, w1)
        about = judged & (rec.mobility != PARTICLE)
        alone = judged & (push == 0)
        drift = over(norm(left) / mass, norm(v0) + h[:, None] * np.linalg.norm(self.gravity))
        twist = np.where(rec.mobility == FREE_BODY, over(norm(L1 - L0), norm(L0)), 0.0)
        self.note("free", (ALLOWED * np.maximum(drift, twist) / FREE)[alone], frame_of[alone], body_of[alone])
        turning = about & pushed & (norm(L0) + norm(L1) + push * np.nan_to_num(self.size) > 0)
        if turning.any():
            gained = np.stack([L1 - L0, turn(R0, w1) - L0, turn(Rs, w1) - L0])
            np.add.at(gained, (slice(None), k, a), moment), np.add.at(gained, (slice(None), k, b), -moment)
            size = np.nan_to_num(self.size)
            bound = self.X * (size * scale + norm(L0))
            share = ALLOWED * limit
            factor = self.turning(gained, bound, turning, in_plane, k, a, b, r, arm_a, arm_b, e, inverse_a, inverse_b, share)
            for law, which in (("turning", turning & ~cut), ("cut turning", turning & cut)):
                self.note(law, factor[which], frame_of[which], body_of[which])

    def inverse_mass(self, body, R, arm):
        """Its share of trace(G M^-1 G^T)/3 at a contact; not a number where the body's mass matrix is not known."""
        rec = self.rec
        p = turned_back(R, arm)
        I = self.inertia[body]
        square = p * p
        with np.errstate(invalid="ignore", divide="ignore"):
            lever = (square[:, 1] + square[:, 2]) / I[:, 0] + (square[:, 0] + square[:, 2]) / I[:, 1] + \
                (square[:, 0] + square[:, 1]) / I[:, 2]
        mass = np.where(self.moves, rec.mass, 1.0)[body]
        out = (3 / mass + lever) / 3
        normal = rec.plane[body]
        across = cross(normal, arm)
        spin = dot(turned_back(R, normal) ** 2, I)
        with np.errstate(invalid="ignore", divide="ignore"):
            out = np.where(rec.mobility[body] == PLANAR, (2 / mass + dot(across, across) / spin) / 3, out)
        out = np.where(rec.mobility[body] == PARTICLE, 1 / mass, out)
        out = np.where(self.joined[body], np.nan, out)
        return np.where(self.moves[body], out, 0.0)

    @staticmethod
    def at_contact(v, spin, k, a, b, arm_a, arm_b):
        return (v[k, b] + cross(np.broadcast_to(spin[k, b], arm_b.shape), arm_b)) - \
            (v[k, a] + cross(np.broadcast_to(spin[k, a], arm_a.shape), arm_a))

    def residuals(self, frames, c, rows, k, n, arm_a, arm_b, of_start, r, mu, w, v1, w1, h, before, start, end, strange):
        """|e_i| of every candidate frame, the kindest of the laws that the contact may have had: [candidates, contacts]."""
        rec = self.rec
        N = len(rows)
        if N == 0:
            return np.zeros((len(n), 0))
        size = np.where(self.moves[c.a], np.where(self.moves[c.b], np.fmin(self.size[c.a], self.size[c.b]), self.size[c.a]), self.size[c.b])
        gap_start, allowed, lasts = self.known_before(frames, rows, k)
        _, _, own_start = c.at(start)
        _, _, own_end = c.at(end)
        _, _, own_before = c.at(before)
        exact = c.exact & np.isfinite(own_end)
        gap = np.where(exact, own_end, c.gap)
        gap_start = np.where(exact, own_start, gap_start)
        move = lambda x, R, x1, R1, p: x + turned(R, turned_back(R1, p - x1))
        shifted = c.gap + dot(c.n, move(before.xb, before.Rb, end.xb, end.Rb, c.p) - move(before.xa, before.Ra, end.xa, end.Ra, c.p))
        gap_before = np.where(exact, own_before, shifted)
        allowed = np.fmin(allowed, np.where(exact & (frames[k] == 1), own_start, 0.0))
        allowed = np.where(allowed < -0.9 * self.X * size, allowed, 0.0)

        surely = gap_start <= 0.9 * TOUCHES * self.X * size
        lasting = lasts & (np.fmin(gap_start, gap) <= 1.01 * LASTS * size)
        never = (gap_start > 1.1 * TOUCHES * self.X * size) & ~lasting
        u = self.at_contact(v1, w1, k, c.a, c.b, arm_a, arm_b)
        closing = dot(u, n)
        far = lambda e, ok: np.where(ok & np.isfinite(e), e, np.inf)
        W = np.broadcast_to(np.where(strange, 1.0, w), closing.shape)
        try_law = lambda normal: missed(np.broadcast_to(r, n.shape), n, mu, u, np.broadcast_to(normal, closing.shape), W)
        e = far(try_law(closing), ~never)
        for value in {"end": gap, "before": gap_before, "less end": gap - allowed, "less before": gap_before - allowed}.values():
            e = np.minimum(e, far(try_law(value / h[k]), ~surely))
        linear = (gap_start - allowed) / h[k] + closing
        return np.minimum(e, far(try_law(linear), ~surely & of_start[:, None] & np.isfinite(linear)))

    def known_before(self, frames, rows, k):
        """Of each contact: its gap in the frame before (not a number: it was not listed), the deepest overlap of its pair there, and
        whether the pair pressed."""
        rec = self.rec
        if not hasattr(self, "table"):
            self.table, self.pairs, self.pressed = {}, {}, set()
            key = list(zip(rec.frame_of.tolist(), rec.key_a.tolist(), rec.key_b.tolist(), rec.feature.tolist()))
            strength = norm(rec.impulse)
            for i, (f, a, b, feature) in enumerate(key):
                self.table[f, a, b, feature] = rec.gap[i]
                self.pairs[f, a, b] = min(self.pairs.get((f, a, b), 0.0), rec.gap[i])
                if strength[i] > 0:
                    self.pressed.add((f, a, b))
        gap, deepest, lasts = np.full(len(rows), np.nan), np.zeros(len(rows)), np.zeros(len(rows), bool)
        for i, row in enumerate(rows):
            f, a, b = int(rec.frame_of[row]) - 1, int(rec.key_a[row]), int(rec.key_b[row])
            gap[i] = self.table.get((f, a, b, rec.feature[row]), np.nan)
            deepest[i] = self.pairs.get((f, a, b), 0.0)
            lasts[i] = (f, a, b) in self.pressed
        return gap, deepest, lasts

    def turning(self, gained, bound, wanted, in_plane, k, a, b, r, arm_a, arm_b, e, inverse_a, inverse_b, share):
        """Angular momentum that impulses do not explain, over its bound: [parts, bodies]. First one candidate for all contacts of a
        body, then, where that is beyond the bound, contact by contact, each pair of bodies at one pose. A frame in which the law of
        the contact is missed by more than a body's share is none."""
        rec = self.rec
        T, B = bound.shape
        C = len(e)
        kindest = e.argmin(0)
        row = np.arange(len(k))
        total = np.zeros((C, T, B, 3))
        torques = []
        for body, inverse, arm, sign in ((a, inverse_a, arm_a, -1.0), (b, inverse_b, arm_b, 1.0)):
            torque = sign * cross(arm, np.broadcast_to(r, arm.shape))
            with np.errstate(invalid="ignore"):
                may = (np.nan_to_num(inverse) * e <= share[k, body]) & np.isfinite(e) & np.isfinite(torque).all(-1)
            none = ~may.any(0)
            may[kindest[none], row[none]] = True
            torque = np.where(np.isfinite(torque), torque, sign * cross(arm[0], r))
            np.add.at(total, (slice(None), k, body), np.where(may[..., None], torque, torque[kindest, row]))
            torques.append((body, torque, may))
        left = gained[:, None] - total
        size = np.where(in_plane, np.abs(dot(left, rec.plane)), norm(left))
        factor = over(size.min((0, 1)), bound)
        partner = np.where(np.arange(B)[:, None] == a, b, a)  # [body, contact]
        for t, body in np.argwhere(wanted & (factor > 0.5 * ALLOWED)):
            here = [np.flatnonzero((k == t) & (who == body) & (norm(r) > 0)) for who, _, _ in torques]
            choices = np.concatenate([own[:, i] for (_, own, _), i in zip(torques, here)], 1)
            may = np.concatenate([m[:, i] for (_, _, m), i in zip(torques, here)], 1)
            others = partner[body][np.concatenate(here)]
            groups = [options(choices[:, others == other], may[:, others == other], bound[t, body]) for other in np.unique(others)]
            normal = rec.plane[body] if in_plane[body] else None
            factor[t, body] = min(factor[t, body], best_sum(groups, gained[:, t, body], normal, ALLOWED * bound[t, body]) / bound[t, body])
        return factor

    # -- where bodies are
    def judge_overlap(self):
        rec = self.rec
        certified = np.flatnonzero(rec.certified)
        if not len(certified):
            return
        x, R = rec.position[certified], self.R[certified]
        reach = np.array([0 if s == HALF_SPACE else z for s, z in zip(rec.shape, self.size)])
        skip = self.never_touch()
        listed = {}
        for i in np.flatnonzero(rec.certified[rec.frame_of]):
            listed.setdefault((int(rec.key_a[i]), int(rec.key_b[i])), []).append(i)
        place = np.full(len(rec.time), -1)
        place[certified] = np.arange(len(certified))
        for a in range(len(rec.names)):
            for b in range(a + 1, len(rec.names)):
                if not (self.moves[a] or self.moves[b]) or (a, b) in skip or not np.isfinite(reach[a] + reach[b]):
                    continue
                if HALF_SPACE not in (rec.shape[a], rec.shape[b]) and (a, b) not in listed and \
                        not (norm(x[:, a] - x[:, b]) < (reach[a] + reach[b])).any():
                    continue
                apart = distance(rec, a, b, x, R)
                if apart is None:
                    continue
                size = min(s for s, m in ((self.size[a], self.moves[a]), (self.size[b], self.moves[b])) if m)
                lighter = a if self.moves[a] and (not self.moves[b] or rec.mass[a] < rec.mass[b]) else b
                self.note("overlap", np.maximum(0, -apart) / (self.X * size), certified, np.full(len(certified), lighter))
                rows = np.array(listed.get((a, b), []), int)
                deeper = np.maximum(0, apart[place[rec.frame_of[rows]]]) - rec.gap[rows]
                # round-off of places far from the origin
                noise = 1e-14 * np.abs(rec.position[rec.frame_of[rows]][:, [a, b]]).max((1, 2)) if len(rows) else 0
                self.note("listed", np.maximum(0, deeper - noise - self.X * size) / (self.X * size),
                          rec.frame_of[rows], np.full(len(rows), lighter))

    def never_touch(self):
        rec = self.rec
        group = [rec.described(i).get("group") for i in range(len(rec.names))]
        ghost = [not rec.described(i).get("collides", True) for i in range(len(rec.names))]
        pairs = {(a, b) for a in range(len(rec.names)) for b in range(a + 1, len(rec.names))
                 if ghost[a] or ghost[b] or (group[a] is not None and group[a] == group[b]) or (self.joined[a] and self.joined[b])}
        return pairs

    def judge_energy(self):
        rec = self.rec
        live = self.moves
        if self.sources or not np.isfinite(self.inertia[live & (rec.mobility != PARTICLE)]).all():
            self.out.notes.append("energy not judged: it has sources, or bodies whose inertia is not known here")
            return
        spin = turned_back(self.R, rec.spin)
        with np.errstate(invalid="ignore"):
            turning = np.where(rec.mobility == PARTICLE, 0.0, 0.5 * dot(spin * np.nan_to_num(self.inertia), spin))
        kinetic = (0.5 * rec.mass * dot(rec.velocity, rec.velocity) + turning)[:, live].sum(1)
        height = -(rec.mass * dot(rec.position - rec.position[0], self.gravity))[:, live].sum(1)
        scale = kinetic.max() + np.abs(height - height[0]).max()
        energy = kinetic + height
        if not scale > 0:
            return
        # from each frame on, while all steps are certified
        lowest, rise = energy[0], np.zeros(len(energy))
        for i in range(1, len(energy)):
            lowest = min(lowest, energy[i]) if rec.certified[i] else energy[i]
            rise[i] = energy[i] - lowest
        places = self.X * float((rec.mass * np.nan_to_num(self.size))[live].sum()) * np.linalg.norm(self.gravity)
        self.note("energy", ALLOWED * rise / (RISE * scale + places), np.arange(len(energy)), np.full(len(energy), -1))


def distinct(points, grain):
    """One of those that lie in one place, to a grain."""
    _, first = np.unique(np.round(points / grain), axis=0, return_index=True)
    return points[first]


MOST, TWO = 1000, 250  # sums of the contacts of a pair at one pose; of each of two pairs that are looked at together


def options(choices, may, bound):
    """Torques that the contacts of one pair of bodies may have together, all at one of the poses: [options, 3]."""
    found = []
    per = len(choices) // POSES
    for pose in range(POSES):
        sums = np.zeros((1, 3))
        for i in range(choices.shape[1]):
            here = np.flatnonzero(may[pose * per:(pose + 1) * per, i]) + pose * per
            if not len(here):  # a contact that was found at another pose than those of its pair
                here = np.flatnonzero(may[:, i])
            own = distinct(choices[here, i], 0.1 * bound)
            sums = distinct((sums[:, None] + own).reshape(-1, 3), 0.1 * bound)[:MOST]
        found.append(sums)
    return distinct(np.concatenate(found), 0.1 * bound)


def best_sum(groups, targets, normal, enough):
    """The smallest |target - sum of one option of each group| that is found by descent over groups and pairs of groups."""
    size = (lambda v: np.abs(v @ normal)) if normal is not None else norm
    best, kept = np.inf, None
    for target in targets:
        for start in range(4):
            pick = [g[(start * len(g)) // 4] for g in groups]
            least = descend(groups, target, pick, size, enough)
            if least < best:
                best, kept = least, (target, pick)
            if best <= enough:
                return best
    target, pick = kept
    for _ in range(2):
        before = best
        best = improve_two(groups, target, pick, size)
        if best <= enough or best >= 0.999 * before:
            break
        best = descend(groups, target, pick, size, enough)
    return best


def descend(groups, target, pick, size, enough):
    left = target - sum(pick)
    least = float(size(left))
    while True:
        before = least
        for i, g in enumerate(groups):
            others = left + pick[i]
            pick[i] = g[int(np.argmin(size(others - g)))]
            left = others - pick[i]
        least = float(size(left))
        if least <= enough or least >= 0.999 * before:
            return least


def improve_two(groups, target, pick, size):
    """Every two groups at once, as many of their options as there is room for."""
    least = float(size(target - sum(pick)))
    for i in range(len(groups)):
        for j in range(i):
            others = target - sum(p for k, p in enumerate(pick) if k not in (i, j))
            a, b = groups[i][:TWO], groups[j][:TWO]
            both = size(others - a[:, None] - b[None])
            at = np.unravel_index(int(np.argmin(both)), both.shape)
            if both[at] < least:
                pick[i], pick[j], least = a[at[0]], b[at[1]], float(both[at])
    return least


def judge(path):
    return Judge(Recording(path)).run()


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if paths else 2
    status = 0
    for path in paths:
        try:
            v = judge(path)
        except NotJudged as e:
            print(f"judge: {path}: {e}", file=sys.stderr)
            return 2
        print(f"{path}: {v.certified} of {v.steps} steps certified, {v.parts} parts; momentum of {v.judged} bodies times parts judged, "
              f"{v.left_out} left out")
        for law in LAWS:
            if law in v.worst:
                w = v.worst[law]
                print(f"  {law:9s} {w.factor:9.2e}  of 3  {'ok' if w.factor <= ALLOWED else 'BEYOND'}   step {w.step}, t = {w.time:g} s, {w.body}")
        for line in v.notes:
            print("  " + line)
        status = max(status, 0 if v.holds() else 1)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
