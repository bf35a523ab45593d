"""What is asked of a run as a whole: no overlap, gaps that are what poses say, no energy without a source."""
import numpy as np

from contact_frames import distance
from recordings import HALF_SPACE, PARTICLE, dot, norm, turned_back

ALLOWED = 3.0
RISE = 1e-6  # [-] of a run's energy: what it may rise by


class OfTheRun:
    """Part of judge.Judge."""

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
                self.note("overlap", np.maximum(0, -apart) / (self.X * size), certified,
                          np.full(len(certified), lighter))
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
                 if ghost[a] or ghost[b] or (group[a] is not None and group[a] == group[b])
                 or (self.joined[a] and self.joined[b])}
        return pairs

    def start_overlap(self):
        """[m] by which bodies overlap in the scene itself, beyond the tolerance, all pairs together: it asks to be
        pushed apart."""
        rec, total, skip = self.rec, 0.0, self.never_touch()
        for a in range(len(rec.names)):
            for b in range(a + 1, len(rec.names)):
                if (self.moves[a] or self.moves[b]) and (a, b) not in skip:
                    apart = distance(rec, a, b, rec.position[:1], self.R[:1])
                    sizes = [s for s, m in ((self.size[a], self.moves[a]), (self.size[b], self.moves[b])) if m]
                    if apart is not None and apart[0] < -self.X * min(sizes):
                        total -= float(apart[0])
        return total

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
        places += self.start_overlap() * float(rec.mass[live].sum()) * np.linalg.norm(self.gravity)
        self.note("energy", ALLOWED * rise / (RISE * scale + places), np.arange(len(energy)), np.full(len(energy), -1))
