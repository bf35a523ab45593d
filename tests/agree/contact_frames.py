"""Gaps, normals and points of contacts at any pose, by closed forms from shapes and poses alone."""
import numpy as np

from cut_points import BoxEdges, BoxFace, CapsuleOnBox, Named
from recordings import BOX, CAPSULE, CYLINDER, ELLIPSOID, HALF_SPACE, SPHERE, cross, dot, norm, turned, turned_back


POSES = 5  # at which frames are looked for: end, middle, start; and end and middle before overlap was removed
CUTS = 6  # points of a contact whose features are known by name
SAME_NORMAL = 1e-11


class Pose:
    """Of the two bodies of every contact at one moment."""

    def __init__(self, x, R, t, a, b):
        self.xa, self.xb, self.Ra, self.Rb = x[t, a], x[t, b], R[t, a], R[t, b]

    def of(self, rows):
        out = Pose.__new__(Pose)
        out.xa, out.xb, out.Ra, out.Rb = self.xa[rows], self.xb[rows], self.Ra[rows], self.Rb[rows]
        return out


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
    """Where on middle + t axis, t in [-1, 1], a box is nearest: the distance is convex, and quadratic between its
    kinks."""
    low, high = np.full(len(middle), -1.0), np.ones(len(middle))
    if not axis.any():
        return np.zeros(len(middle))
    for _ in range(90):
        third = (high - low) / 3
        of = lambda t: outside(middle + t[:, None] * axis, half)
        left = of(low + third) < of(high - third)
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
        """end: poses as recorded; before: those that the velocities led to, before what overlap was left was
        removed."""
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
        self.name_cuts(end)

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
        """Normal, point, gap by closed forms; not a number where there is none. `exact`: the gap is that of this
        contact."""
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
                (self.sa == BOX, self.round_b, pose.Ra, pose.xa, self.da, pose.xb, pose.Rb, self.tip_b, self.radius_b,
                 1.0),
                (self.sb == BOX, self.round_a, pose.Rb, pose.xb, self.db, pose.xa, pose.Ra, self.tip_a, self.radius_a,
                 -1.0)):
            k = box & ball
            if not k.any():
                continue
            axis = turned_back(R[k], turned(centre_R[k], half_axes(self.sb if sign > 0 else self.sa,
                                                                   self.db if sign > 0 else self.da)[k]))
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
        """Of cylinders and ellipsoids on planes: the lowest point (of the face of the cylinder that the contact is
        on)."""
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
                rim = np.stack([d[:, 0] * down[:, 0] / across, d[:, 0] * down[:, 1] / across,
                                np.copysign(d[:, 1] / 2, local[k, 2])], -1)
                low = np.where((shape[k] == CYLINDER)[:, None], rim, d[:, :3] ** 2 * down / norm(d[:, :3] * down)[:,
                                                                                                                  None])
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
        """Of boxes and capsules: the two edges whose common normal is nearest to that of the contact, and those that
        are nearest to its point."""
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

    def name_cuts(self, end):
        """Points that are cut out of faces, by their features at the end."""
        self.cuts = []
        box_a, box_b = self.sa == BOX, self.sb == BOX
        rows = np.flatnonzero(box_a & box_b)
        if len(rows):
            here, n, p = end.of(rows), self.n[rows], self.p[rows]
            half_a, half_b = self.da[rows, :3] / 2, self.db[rows, :3] / 2
            face_a, face_b = BoxFace(half_a, here.Ra, half_b, here.Rb, n, 1.0), BoxFace(half_b, here.Rb, half_a,
                                                                                        here.Ra, n, -1.0)
            edges = BoxEdges(half_a, half_b, self.local_a[rows], self.local_b[rows])
            self.cuts += [(0, Named(rows, lambda q: face_a.points(q.xa, q.Ra, q.xb, q.Rb), here, p, 2)),
                          (2, Named(rows, lambda q: face_b.points(q.xb, q.Rb, q.xa, q.Ra), here, p, 2)),
                          (4, Named(rows, lambda q: edges.points(q.xa, q.Ra, q.xb, q.Rb, n), here, p, 2))]
        for box, capsule, of_a in ((box_a, self.sb == CAPSULE, True), (box_b, self.sa == CAPSULE, False)):
            rows = np.flatnonzero(box & capsule)
            if len(rows):
                self.cuts.append((0, self.capsule_cuts(rows, end.of(rows), of_a)))

    def capsule_cuts(self, rows, here, of_a):
        box, capsule = (self.da[rows], self.db[rows]) if of_a else (self.db[rows], self.da[rows])
        balls = CapsuleOnBox(box[:, :3] / 2, capsule[:, 0], capsule[:, 1], 1.0 if of_a else -1.0)
        find = (lambda q: balls.points(q.xa, q.Ra, q.xb, q.Rb)) if of_a else (lambda q: balls.points(q.xb, q.Rb, q.xa,
                                                                                                     q.Ra))
        return Named(rows, find, here, self.p[rows], CUTS)

    def cut_frames(self, pose):
        """Normals, points and gaps of the named points: [points, contacts, ...], not a number where there is none."""
        if not self.cuts:
            return np.zeros((0, len(self.a), 3)), np.zeros((0, len(self.a), 3)), np.zeros((0, len(self.a)))
        n, p, g = (np.full((CUTS, len(self.a)) + more, np.nan) for more in ((3,), (3,), ()))
        for slot, named in self.cuts:
            own_n, own_p, own_g = named.at(pose.of(named.rows))
            place = np.ix_(slot + np.arange(len(own_n)), named.rows)
            n[place], p[place], g[place] = own_n, own_p, own_g
        return n, p, g

    def frames(self, poses, thorough):
        """Candidates for the frame: normals and arms from both centres, each [candidates, contacts, 3]; which are of
        the start; and at which poses the normal that is found is the recorded one [poses, contacts]. Poses have the
        same number of candidates each, none if not thorough; after them comes, for each pose, the most likely of all:
        the point that is found at it, or, of contacts whose normal is that of other poses, at the first of those."""
        normals, arms_a, arms_b, of_start, fits, likely = [], [], [], [], [], []
        for which, pose in enumerate(poses):
            pa, pb = pose.xa + turned(pose.Ra, self.local_a), pose.xb + turned(pose.Rb, self.local_b)
            own_n, own_p, _ = self.at(pose)
            (edge_n, edge_p), (_, near_p) = (self.edge_frame(pose, crossing) for crossing in self.crossings)
            cut_n, cut_p, _ = self.cut_frames(pose)
            for n in (self.n, turned(pose.Ra, self.normal_a), turned(pose.Rb, self.normal_b)) if thorough else ():
                points = [self.p, pa, pb, (pa + pb) / 2, pose.xa + turned(pose.Ra, self.before_a),
                          pose.xb + turned(pose.Rb, self.before_b), edge_p, near_p]
                for tip, radius, R, x, sign in ((self.tip_a, self.radius_a, pose.Ra, pose.xa, 1.0),
                                                (self.tip_b, self.radius_b, pose.Rb, pose.xb, -1.0)):
                    round_tip = np.where((radius > 0)[:, None], tip, np.nan)
                    points.append(x + turned(R, round_tip) + sign * (radius + self.gap / 2)[:, None] * n)
                for p in points:
                    normals.append(n), arms_a.append(p - pose.xa), arms_b.append(p - pose.xb)
            found = [(own_n, own_p), (edge_n, edge_p)]
            found += [(n, p) for own, p in zip(cut_n, cut_p) for n in (self.n, own)]
            for n, p in found if thorough else ():
                normals.append(n), arms_a.append(p - pose.xa), arms_b.append(p - pose.xb)
            of_start += [which == 2] * (len(normals) - len(of_start))
            near = norm(np.concatenate([own_n[None], edge_n[None], cut_n]) - self.n)
            near = np.where(np.isfinite(near), near, np.inf) <= SAME_NORMAL
            fits.append(near.any(0))
            p = self.likely_cut(cut_p, near[2:])
            for other in (own_p, (pa + pb) / 2):
                p = np.where(np.isfinite(p), p, other)
            p = self.p if which == 0 else p
            likely.append((p - pose.xa, p - pose.xb))
        fits, row = np.array(fits).reshape(len(poses), -1), np.arange(len(self.a))
        for which in range(len(poses)):
            at = np.where(fits[which] | ~fits.any(0), which, fits.argmax(0))
            normals.append(self.n)
            arms_a.append(np.stack([a for a, _ in likely])[at, row]), arms_b.append(np.stack([b for _,
                                                                                              b in likely])[at, row])
            of_start.append(which == 2)
        return np.stack(normals), np.stack(arms_a), np.stack(arms_b), np.array(of_start), fits

    def likely_cut(self, points, same_normal):
        """Of the points with names, at one pose, that which is nearest to the recorded one at the end; of those that
        tie, one with its normal."""
        out = np.full((len(self.a), 3), np.nan)
        if not self.cuts:
            return out
        far = np.full((CUTS, len(self.a)), np.inf)
        for slot, named in self.cuts:
            far[np.ix_(slot + np.arange(len(named.distance)), named.rows)] = named.distance
        nearest = far <= far.min(0) + 1e-9 * (norm(self.local_a) + norm(self.local_b))
        best = (2 * nearest + (nearest & same_normal)).argmax(0)
        return points[best, np.arange(len(self.a))]


def distance(rec, a, b, x, R):
    """[m] of two bodies over some frames, by closed forms: exact where they do not overlap, and the depth of
    separating planes where they do; None where none is known. x, R: all bodies' poses [frames, bodies, ...]."""
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
        c, e = closest_of_segments(x[:, a], turned(R[:, a], half_axis(sa, A)), x[:, b],
                                   turned(R[:, b], half_axis(sb, B)))
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
            apart = np.abs(dot(way, u)) - np.abs(turned_back(Ra, u)) @ A[:3] / 2 - np.abs(turned_back(Rb,
                                                                                                      u)) @ B[:3] / 2
            best = np.where(ok, np.maximum(best, apart), best)
        return best  # a lower bound where corners face each other
    return None
