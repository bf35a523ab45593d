"""Which of the torques that contacts may have exerted explain what a body gained: sums of one option of each
contact."""
import numpy as np

from contact_frames import POSES
from recordings import norm

def distinct(points, grain):
    """One of those that lie in one place, to a grain."""
    _, first = np.unique(np.round(points / grain), axis=0, return_index=True)
    return points[first]


MOST, TWO = 1000, 250  # sums of the contacts of a pair at one pose; of each of two pairs that are looked at together


MIXED = (1, 0), (4, 3)  # middle and end, as recorded and before overlap was removed


def options(choices, may, fits, bound):
    """Torques that the contacts of one pair of bodies may have together: [options, 3]. All are at one of the poses,
    but for those whose normal is that of other poses."""
    found = []
    per = len(choices) // POSES - 1  # the last of all are repeated there
    for pose in range(POSES):
        sums = np.zeros((1, 3))
        for i in range(choices.shape[1]):
            at = pose if fits[pose, i] or not fits[:, i].any() else int(fits[:, i].argmax())
            here = np.flatnonzero(may[at * per:(at + 1) * per, i]) + at * per
            if not len(here):  # a contact that was found at another pose than those of its pair
                here = np.flatnonzero(may[:, i])
            own = distinct(choices[here, i], 0.1 * bound)
            sums = distinct((sums[:, None] + own).reshape(-1, 3), 0.1 * bound)[:MOST]
        found.append(sums)
    return distinct(np.concatenate(found), 0.1 * bound)


def likely_options(choices, poses, bound):
    """The same with each contact at the most likely point of one of the poses: those of the middle and of the end
    belong together, as a feature that is there at the end alone has the frame of the end."""
    sums = np.zeros((1, 3))
    for likely in choices[[pose - POSES for pose in poses]].swapaxes(0, 1):
        sums = distinct((sums[:, None] + distinct(likely, 0.1 * bound)).reshape(-1, 3), 0.1 * bound)[:MOST]
    return sums


def best_sum(groups, targets, normal, enough):
    """The smallest |target - sum of one option of each group| that is found by descent over groups and pairs of
    groups."""
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
