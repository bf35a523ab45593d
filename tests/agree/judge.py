#!/usr/bin/env python3
"""Judges a recording from outside: laws of contact, momentum, angular momentum, energy, overlap.

    /usr/bin/python3 tests/agree/judge.py RECORDING.h5...

Shares nothing with the engine. It reads what a recording says of poses, velocities, masses and contact impulses
(every step, and every part of a step: "record": {"parts": true}), and computes inertia, gaps, normals, arms and all
laws anew. Where the engine may choose the frame of a contact, the kindest of many is taken: the normal and the point
as recorded, turned with either body to the start, the middle and the end of the step, or found by closed forms from
poses; one for all laws of a contact and body. The end is also that which the velocities lead to, before overlap that
was left was removed. A frame that was kept from a pass whose pose is none of these is none here.

Asked of every part of a certified step, with X the tolerance of the run, r_i the impulse of contact i, e_i = r_i -
P_K(r_i - uhat_i/w_i) its natural-map residual [N s], w_i = trace of its inverse mass / 3 [1/kg], w_ib the share of
body b in that, L_b its size [m]:

    laws       d_b = sum_i w_ib |e_i| <= X (U_b + sum_i w_ib |r_i|)  and  <= sqrt(X) U_b, beside the round-off of
               places: 4 2^-53 (|v_b| + (|x_b| + L_b) |spin_b|)
               U_b = h |g| + the largest free approach at its contacts + 1e-5 (|v_b| + L_b |spin_b|)      [m/s]
    momentum   |m v+ - m v0 - h m g - sum r|                  <= X (m U_b + sum |r|)
    turning    |I(q) w+ - I(q0) w0 - sum arm x r - moments|   <= X (L_b (m U_b + sum |r|) + |L0|)
    free       bodies that nothing pushes: v+ = v0 + h g and I(q+) w+ = I(q0) w0, to 1e-12 of themselves
    overlap    of pairs with closed forms: <= X times the size of the smaller moving body; none shallower than it is
               listed
    energy     a run without sources: kinetic and potential never rise by more than 1e-6 E, E the largest kinetic
               energy and the largest change of the potential; where all but rests, by X L_b m_b g, which places are
               known to; and by what lifts all bodies by the overlap that the scene begins with

A factor of 3 is allowed for all but the last two figures (free: 1e-12, energy: 1e-6), which are as they stand; what
is printed is scaled so that 3 is the bound everywhere. What it cannot judge it leaves out and counts: bodies of
joints, shapes without a closed form of the inertia, forces other than gravity, surfaces with more than a coefficient
of friction, and momentum in steps with impacts with restitution, whose impulses no recording has.

Exit status: 0 all within 3, 1 something beyond, 2 not a recording with every step in it.
"""
import dataclasses
import sys

import numpy as np

from contact_frames import Contacts, Pose
from of_the_run import ALLOWED, OfTheRun
from recordings import (FREE_BODY, LINK, PARTICLE, PLANAR, NotJudged, Recording, cayley, cross, dot, free_turn,
                        halfway, inertia_over_mass, matrix, norm, product, size_of, turned, turned_back)
from torque_sums import MIXED, best_sum, likely_options, options

FREE = 1e-12  # [-] of itself: what a body that nothing pushes may change its momentum and angular momentum by
ROUND_OFF = 4 * 2.0**-53  # [-] of places and velocities
SHARE = 1e-5  # [-] of a body's speed that counts as its own scale
TOUCHES = 0.1  # [-] of X L: gaps at the start below it touch
LASTS = 1e-4  # [-] of L: gaps below it may count as touching, of pairs that pressed before

# ---- the laws -------------------------------------------------------------------------------------------------

def over(a, b):
    """a / b, and 0 where a is 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(a == 0, 0.0, a / b)


def missed(r, n, mu, u, normal, w):
    """|r - P_K(r - uhat/w)| [N s]: impulse, unit normal, coefficient, velocity, what stands for the normal velocity,
    inverse mass."""
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
        return max((w.factor for w in self.worst.values()), default=0.0)

    def holds(self):
        return self.factor() <= ALLOWED


LAWS = ("laws", "momentum", "turning", "free", "overlap", "energy", "listed")
BLOCK = 3000  # contacts judged at a time


class Judge(OfTheRun):
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
        laws = list(surfaces.values()) + scene.get("surface_pairs", [])
        restitution = any(s.get("restitution", 0) != 0 for s in laws)
        self.hit = rec.with_impacts if restitution else np.zeros(len(rec.time), bool)

    # -- notes of what was found
    def note(self, law, factor, frames, bodies):
        """factor: [anything]; frames, bodies: the same shape."""
        factor = np.where(np.isnan(factor), np.inf, factor)
        if factor.size == 0:
            return
        rec = self.rec
        make = lambda i: Worst(law, float(factor.flat[i]), int(rec.step[rec.end[frames.flat[i]]]),
                               float(rec.time[frames.flat[i]]), rec.names[bodies.flat[i]]
                               if bodies.flat[i] >= 0 else "all")
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

    def judge_parts(self, frames, thorough=False):
        """First with the most likely frame of each contact at each pose; parts in which that comes near the bound, with
        all frames."""
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
        k = np.searchsorted(frames, rec.frame_of[rows])
        a, b = rec.key_a[rows], rec.key_b[rows]
        r, mu = rec.impulse[rows], rec.friction[rows]
        moment = rec.moment[rows] * h[k][:, None]
        end = Pose(x1, R1, k, a, b)
        before = Pose(xs, Rs, k, a, b)
        c = Contacts(rec, rows, end, before)
        halves = matrix(np.nan_to_num(halfway(q0, qs), nan=0.5))
        middle, middle_before = Pose((x0 + x1) / 2, Rm, k, a, b), Pose((x0 + xs) / 2, halves, k, a, b)
        poses = [end, middle, Pose(x0, R0, k, a, b), before, middle_before]
        n, arm_a, arm_b, of_start, fits = c.frames(poses, thorough)

        # inverse masses, by body, in the frame as recorded
        inverse_a = self.inverse_mass(a, R1[k, a], c.p - end.xa)
        inverse_b = self.inverse_mass(b, R1[k, b], c.p - end.xb)
        w = inverse_a + inverse_b
        strange = ~np.isfinite(w) | self.odd[a] | self.odd[b] | (norm(moment) > 0)

        closing = -dot(c.n, self.at_contact(v_free, free_w, k, a, b, c.p - end.xa, c.p - end.xb))
        approach = np.maximum(closing, 0)
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

        # what round-off of places makes of velocities
        turns_by, far = np.maximum(norm(w0), norm(w1)), np.nan_to_num(norm(x1))
        noise = ROUND_OFF * (np.maximum(norm(v0), norm(v1)) + turns_by * (far + np.nan_to_num(self.size)))
        certified = rec.certified[frames][:, None]
        alive = rec.alive_at(frames)
        known = certified & alive & self.plain
        with np.errstate(divide="ignore", invalid="ignore"):
            limit = np.minimum(self.X * (own + weighted), np.sqrt(self.X) * own) + noise
            factor = np.where(d > 0, d / limit, 0.0)
        judged = known & (not self.pushed) & ~self.hit[frames][:, None] & (not self.sleeps)

        # momentum
        sums = np.zeros((T, B, 3))
        np.add.at(sums, (k, a), -r), np.add.at(sums, (k, b), r)
        mass = np.where(self.moves, rec.mass, 1.0)
        left = mass[:, None] * (v1 - v_free) - sums
        in_plane = rec.mobility == PLANAR
        left = np.where(in_plane[:, None], left - dot(left, rec.plane)[..., None] * rec.plane, left)
        scale = mass * own + push
        pushed = judged & (push > 0)

        # angular momentum
        turn = lambda R, s: turned(R, self.inertia * turned_back(R, s))
        L0, L1 = turn(R0, w0), turn(R1, w1)
        about = judged & (rec.mobility != PARTICLE)
        alone = judged & (push == 0)
        drift = over(norm(left) / mass, norm(v0) + h[:, None] * np.linalg.norm(self.gravity))
        twist = np.where(rec.mobility == FREE_BODY, over(norm(L1 - L0), norm(L0)), 0.0)
        turning = about & pushed & (norm(L0) + norm(L1) + push * np.nan_to_num(self.size) > 0)
        unexplained = np.zeros((T, B))
        if turning.any():
            gained = np.stack([L1 - L0, turn(R0, w1) - L0, turn(Rs, w1) - L0])
            np.add.at(gained, (slice(None), k, a), moment), np.add.at(gained, (slice(None), k, b), -moment)
            size = np.nan_to_num(self.size)
            bound = self.X * (size * scale + norm(L0))
            share = ALLOWED * limit
            unexplained = self.turning(gained, bound, turning, in_plane, k, a, b, r, arm_a, arm_b, e, fits, inverse_a,
                                       inverse_b, share, thorough)

        good = np.ones(T, bool)
        if not thorough:
            near_bound = lambda values, where: (where & ~(values <= 0.5 * ALLOWED)).any(1)
            good = ~(near_bound(factor, known & (d > 0)) | near_bound(unexplained, turning))
            if not good.all():
                self.judge_parts(frames[~good], True)
        frame_of, body_of = np.broadcast_to(frames[:, None], (T, B)), np.broadcast_to(np.arange(B), (T, B))

        def note(law, values, where):
            where = where & good[:, None]
            self.note(law, values[where], frame_of[where], body_of[where])
        self.out.judged += int((judged & good[:, None]).sum())
        self.out.left_out += int((certified & alive & self.moves & ~judged & good[:, None]).sum())
        note("laws", factor, known & (d > 0))
        note("momentum", over(norm(left), self.X * scale), pushed)
        note("free", ALLOWED * np.maximum(drift, twist) / FREE, alone)
        note("turning", unexplained, turning)

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

    def residuals(self, frames, c, rows, k, n, arm_a, arm_b, of_start, r, mu, w, v1, w1, h, before, start, end,
                  strange):
        """|e_i| of every candidate frame, the kindest of the laws that the contact may have had: [candidates,
        contacts]."""
        rec = self.rec
        N = len(rows)
        if N == 0:
            return np.zeros((len(n), 0))
        size_a, size_b = (np.where(self.moves[body], self.size[body], np.inf) for body in (c.a, c.b))
        size = np.fmin(size_a, size_b)
        gap_start, allowed, lasts = self.known_before(frames, rows, k)
        _, _, own_start = c.at(start)
        _, _, own_end = c.at(end)
        _, _, own_before = c.at(before)
        exact = c.exact & np.isfinite(own_end)
        gap = np.where(exact, own_end, c.gap)
        gap_start = np.where(exact, own_start, gap_start)
        move = lambda x, R, x1, R1, p: x + turned(R, turned_back(R1, p - x1))
        moved_a = move(before.xa, before.Ra, end.xa, end.Ra, c.p)
        moved_b = move(before.xb, before.Rb, end.xb, end.Rb, c.p)
        shifted = c.gap + dot(c.n, moved_b - moved_a)
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
        shape = closing.shape
        try_law = lambda normal: missed(np.broadcast_to(r, n.shape), n, mu, u, np.broadcast_to(normal, shape), W)
        e = far(try_law(closing), ~never)
        for value in (gap, gap_before, gap - allowed, gap_before - allowed):
            e = np.minimum(e, far(try_law(value / h[k]), ~surely))
        linear = (gap_start - allowed) / h[k] + closing
        return np.minimum(e, far(try_law(linear), ~surely & of_start[:, None] & np.isfinite(linear)))

    def known_before(self, frames, rows, k):
        """Of each contact: its gap in the frame before (not a number: it was not listed), the deepest overlap of its
        pair there, and whether the pair pressed."""
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

    def turning(self, gained, bound, wanted, in_plane, k, a, b, r, arm_a, arm_b, e, fits, inverse_a, inverse_b, share,
                thorough):
        """Angular momentum that impulses do not explain, over its bound: [parts, bodies]. First one candidate for all
        contacts of a body, then, where that is beyond the bound, contact by contact, each pair of bodies at one pose.
        A frame in which the law of the contact is missed by more than a body's share is none."""
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
        for t, body in np.argwhere(wanted & (factor > 0.5 * ALLOWED) & thorough):
            here = [np.flatnonzero((k == t) & (who == body) & (norm(r) > 0)) for who, _, _ in torques]
            choices = np.concatenate([own[:, i] for (_, own, _), i in zip(torques, here)], 1)
            may = np.concatenate([m[:, i] for (_, _, m), i in zip(torques, here)], 1)
            contacts = np.concatenate(here)
            others = partner[body][contacts]
            pairs = [others == other for other in np.unique(others)]
            normal = rec.plane[body] if in_plane[body] else None
            limit = ALLOWED * bound[t, body]
            look = lambda groups: best_sum(groups, gained[:, t, body], normal, limit) / bound[t, body]
            for poses in MIXED:
                if factor[t, body] > 0.5 * ALLOWED:
                    factor[t, body] = min(factor[t, body],
                                          look([likely_options(choices[:, own], poses, bound[t, body])
                                                for own in pairs]))
            if factor[t, body] > ALLOWED:
                groups = [options(choices[:, own], may[:, own], fits[:, contacts[own]], bound[t, body])
                          for own in pairs]
                factor[t, body] = min(factor[t, body], look(groups))
        return factor


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
        print(f"{path}: {v.certified} of {v.steps} steps certified, {v.parts} parts; "
              f"momentum of {v.judged} bodies times parts judged, "
              f"{v.left_out} left out")
        for law in LAWS:
            if law in v.worst:
                w = v.worst[law]
                word = "ok" if w.factor <= ALLOWED else "BEYOND"
                print(f"  {law:9s} {w.factor:9.2e}  of 3  {word}   step {w.step}, t = {w.time:g} s, {w.body}")
        for line in v.notes:
            print("  " + line)
        status = max(status, 0 if v.holds() else 1)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
