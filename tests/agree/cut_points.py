"""Contacts of boxes with boxes and capsules whose points are cut out of faces by edges: they go along with neither
body. Each gets names from where it is found, those of the features that meet in it, and with these it is found again
at any other pose.

A box on a box: the face whose normal is nearest to that of the contact, of either box, is looked at from above; on it
lie the corners of the face of the other box that looks at it, the crossings of that one's edges with its own sides,
and its own corners below the other. The point of contact is midway between the two faces. Beside these, corners of
either box with the nearest place of the other, and edges that cross. A capsule on a box: balls about points of the
capsule's axis, its ends, those of its stretch over a face or beside an edge, and where it is nearest to edges and
corners, each with the nearest place of the box.
"""
import numpy as np

from recordings import cross, dot, norm, turned, turned_back

SIGNS = ((-1, -1), (1, -1), (1, 1), (-1, 1))  # corners of a face, one after the other
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def quotient(a, b):
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(b != 0, a / np.where(b != 0, b, 1), np.nan)


def unit(v):
    return quotient(v, norm(v)[..., None])


def column(R, axis):
    """R[:, :, axis] with an axis for each."""
    return np.take_along_axis(R, axis[:, None, None].repeat(3, 1), 2)[..., 0]


def picked(v, axis):
    return np.take_along_axis(v, axis[:, None], 1)[:, 0]


def one(n, axis, value):
    """Vectors with `value` along `axis`, 0 elsewhere."""
    out = np.zeros((n, 3))
    np.put_along_axis(out, axis[:, None], np.broadcast_to(value, n)[:, None], 1)
    return out


class BoxFace:
    """The face of box p that the contact is on, and that of box q that looks at it, chosen at one pose. `sign`: of
    p's outward normal in the normal of the contact."""

    def __init__(self, half_p, Rp, half_q, Rq, normal, sign):
        self.half_p, self.half_q, self.sign = half_p, half_q, sign
        along = sign * turned_back(Rp, normal)
        self.k = np.abs(along).argmax(1)
        self.side = np.where(picked(along, self.k) < 0, -1.0, 1.0)
        facing = turned_back(Rq, self.side[:, None] * column(Rp, self.k))
        self.j = np.abs(facing).argmax(1)
        self.other_side = np.where(picked(facing, self.j) > 0, -1.0, 1.0)

    def points(self, xp, Rp, xq, Rq):
        """Normals (from a to b), points, gaps: [points, contacts, ...]."""
        N, k, j = len(self.k), self.k, self.j
        u, v, j1, j2 = (k + 1) % 3, (k + 2) % 3, (j + 1) % 3, (j + 2) % 3
        outward = self.side[:, None] * column(Rp, k)
        centre = turned_back(Rp, xq - xp)
        axis = lambda i: turned_back(Rp, column(Rq, i))
        middle = centre + (self.other_side * picked(self.half_q, j))[:, None] * axis(j)
        e1, e2 = picked(self.half_q, j1)[:, None] * axis(j1), picked(self.half_q, j2)[:, None] * axis(j2)
        hu, hv, hk = picked(self.half_p, u), picked(self.half_p, v), picked(self.half_p, k)
        flat = lambda y: (picked(y, u), picked(y, v), self.side * picked(y, k) - hk)
        corners = [flat(middle + s1 * e1 + s2 * e2) for s1, s2 in SIGNS]
        found = list(corners)
        for (pu, pv, pw), (qu, qv, qw) in zip(corners, corners[1:] + corners[:1]):
            for s in (-1, 1):
                f = quotient(s * hu - pu, qu - pu)
                found.append((s * hu, pv + f * (qv - pv), pw + f * (qw - pw)))
                f = quotient(s * hv - pv, qv - pv)
                found.append((pu + f * (qu - pu), s * hv, pw + f * (qw - pw)))
        m = axis(j)  # the other face: m.(y - middle) = 0
        mu, mv, mk = picked(m, u), picked(m, v), picked(m, k)
        bu, bv, bk = picked(middle, u), picked(middle, v), picked(middle, k)
        for s1, s2 in SIGNS:
            height = bk - quotient(mu * (s1 * hu - bu) + mv * (s2 * hv - bv), mk)
            found.append((s1 * hu, s2 * hv, self.side * height - hk))
        W = np.stack([np.broadcast_to(w, N) for _, _, w in found])
        local = np.zeros((len(found), N, 3))
        rows = np.arange(N)
        for i, (pu, pv, _) in enumerate(found):
            local[i, rows, u], local[i, rows, v] = pu, pv
            local[i, rows, k] = self.side * (hk + W[i] / 2)
        return np.broadcast_to(self.sign * outward, local.shape), xp + turned(Rp, local), W


def nearest_place(half, local):
    """Of a box, to points in its axes outside of it or inside: the place on its surface, the outward normal there,
    the distance."""
    inside = (np.abs(local) <= half).all(-1)
    near = np.clip(local, -half, half)
    k = (np.abs(local) - half).argmax(-1)
    face = np.sign(np.take_along_axis(local, k[..., None], -1))
    out = np.zeros(local.shape)
    np.put_along_axis(out, k[..., None], np.where(face == 0, 1.0, face), -1)
    depth = np.take_along_axis(np.abs(local) - half, k[..., None], -1)
    n = np.where(inside[..., None], out, unit(local - near))
    place = np.where(inside[..., None], local - depth * out, near)
    return place, n, np.where(inside, depth[..., 0], norm(local - near))


class BoxEdges:
    """Corners of either of two boxes with the nearest place of the other, and edges that cross: of each box the edges
    that are nearest to a point, one along each axis."""

    def __init__(self, half_a, half_b, local_a, local_b):
        self.half_a, self.half_b = half_a, half_b
        self.corner_a, self.corner_b = np.copysign(half_a, local_a), np.copysign(half_b, local_b)

    def points(self, xa, Ra, xb, Rb, normal):
        normals, points, gaps = [], [], []
        for half, x, R, own, ox, oR, sign in ((self.half_b, xb, Rb, self.half_a, xa, Ra, -1.0),
                                              (self.half_a, xa, Ra, self.half_b, xb, Rb, 1.0)):
            corner = ox + turned(oR, CORNERS[:, None] * own)
            place, n, distance = nearest_place(half, turned_back(R, corner - x))
            normals.append(sign * turned(R, n)), gaps.append(distance)
            points.append((corner + x + turned(R, place)) / 2)
        for i in range(3):
            for j in range(3):
                c, d = edge_of(self.corner_a, i, xa, Ra)
                e, f = edge_of(self.corner_b, j, xb, Rb)
                n = unit(cross(d, f))
                n = np.where((dot(n, normal) < 0)[:, None], -n, n)
                p, q = crossing(c, d, e, f)
                normals.append(n[None]), points.append((p + q)[None] / 2), gaps.append(dot(q - p, n)[None])
        return np.concatenate(normals), np.concatenate(points), np.concatenate(gaps)


def edge_of(corner, axis, x, R):
    middle, half = corner.copy(), np.zeros(corner.shape)
    middle[:, axis], half[:, axis] = 0, corner[:, axis]
    return x + turned(R, middle), turned(R, half)


def crossing(c, d, e, f):
    """Where the lines c + s d and e + t f are nearest to each other."""
    w = c - e
    dd, ff, df, dw, fw = dot(d, d), dot(f, f), dot(d, f), dot(d, w), dot(f, w)
    flat = dd * ff - df * df
    return c + quotient(df * fw - ff * dw, flat)[..., None] * d, e + quotient(dd * fw - df * dw, flat)[..., None] * f


class CapsuleOnBox:
    """Balls of a capsule about points of its axis. `sign`: of the box's outward normal in that of the contact."""

    def __init__(self, half, radius, length, sign):
        self.half, self.radius, self.length, self.sign = half, radius, length, sign

    def places(self, middle, way):
        """On the axis middle + t way, t in [-1, 1]."""
        half, N = self.half, len(middle)
        inside = lambda t: np.clip(np.where(np.isfinite(t), t, 0), -1, 1)
        t = [np.full(N, -1.0), np.full(N, 1.0)]
        pair = lambda u, v: [np.fmin(u, v), np.fmax(u, v)]
        sides = [pair(*(quotient(s * half[:, i] - middle[:, i], way[:, i]) for s in (-1, 1))) for i in range(3)]
        for k in range(3):  # the stretch over a face, and where the planes of its sides are
            (a0, a1), (b0, b1) = sides[(k + 1) % 3], sides[(k + 2) % 3]
            t += [a0, a1, np.fmax(np.fmax(a0, b0), -1), np.fmin(np.fmin(a1, b1), 1)]
        ways = dot(way, way)
        foot = lambda p: quotient(dot(p - middle, way), ways)
        for axis in range(3):
            for s1, s2 in SIGNS:
                at, along = np.zeros(half.shape), np.zeros(half.shape)
                at[:, (axis + 1) % 3], at[:, (axis + 2) % 3] = s1 * half[:, (axis + 1) % 3], s2 * half[:,
                                                                                                       (axis + 2) % 3]
                along[:, axis] = half[:, axis]
                t.append(foot(crossing(middle, way, at, along)[0]))  # nearest to the edge, and the stretch beside it
                t += pair(foot(at - along), foot(at + along))
        return inside(np.stack(t))

    def points(self, x, R, cx, cR):
        middle = turned_back(R, cx - x)
        way = turned_back(R, turned(cR, self.length[:, None] / 2 * np.array([0, 0, 1.0])))
        place, n, distance = nearest_place(self.half, middle + self.places(middle, way)[..., None] * way)
        gap = distance - self.radius
        return self.sign * turned(R, n), x + turned(R, place + gap[..., None] / 2 * n), gap


class Named:
    """Points of one kind of feature of some contacts: the `most` of them that are nearest to where the contact was
    recorded."""

    def __init__(self, rows, find, pose, where, most):
        self.rows, self.find = rows, find
        _, points, _ = find(pose)
        far = norm(points - where)
        far = np.where(np.isfinite(far), far, np.inf)
        self.chosen = np.argsort(far, axis=0, kind="stable")[:most]
        self.distance = np.take_along_axis(far, self.chosen, 0)

    def at(self, pose):
        normals, points, gaps = self.find(pose)
        take = lambda v: np.take_along_axis(v, self.chosen.reshape(self.chosen.shape + (1,) * (v.ndim - 2)), 0)
        return take(normals), take(points), take(gaps)
