#!/usr/bin/env python3
"""Compares the cost of two built programs on the scenes of the gallery.

    compare_speed.py OLD NEW [--scenes A,B] [--set KEY=VALUE] [--seconds T] [--rounds N] [--instructions] [--csv FILE]

OLD and NEW: two programs stiction. Every scene is cut to a time that takes OLD about T seconds (1.5), or run to its end. Both programs run
in turns, N times (3), on one thread; the least user time of each counts, less that of a run of one step (start, reading, report). Where
that is below 0.1 s, or with --instructions everywhere (T is 0.2 then), it would be noise: valgrind counts instructions instead, once.
One line per scene: steps, cost of both and its unit (s, or 1e9 instructions), ratio, steps made in parts, steps missed, and whether the
final state has the same bits; at last the geometric mean of the ratios.

Exit status: 0, 2 where a program did not run.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCENES = pathlib.Path(__file__).resolve().parents[1] / "scenes"
UNRECORDED = ["--set", "record.every=1e6"]
LEAST_SECONDS = 0.1
COLUMNS = ["scene", "until", "steps", "unit", "old", "new", "ratio", "old_divided", "new_divided", "old_missed", "new_missed",
           "same_state"]


class Failed(Exception):
    pass


class Program:
    def __init__(self, path, words):
        self.path = os.path.abspath(path)
        self.words = words

    def run(self, scene, words, count=False):
        """One run -> (user seconds, or 1e9 instructions, its JSON)."""
        with tempfile.TemporaryDirectory() as folder, open(os.path.join(folder, "stdout"), "w+b") as out:
            command = [self.path, "run", str(scene), "--json", "--quiet", "--threads", "1", "--out", folder, *UNRECORDED, *self.words, *words]
            if count:
                command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command]
            child = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE)
            said = child.stderr.read().decode()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode not in (0, 1):
                raise Failed(f"compare_speed: exit status {child.returncode} of {' '.join(command)}\n{said}")
            out.seek(0)
            used = int(re.search(r"Collected : (\d+)", said)[1]) / 1e9 if count else usage.ru_utime
            return used, json.load(out)


def until(seconds):
    return ["--until", repr(seconds)]


def cut(program, scene, wanted):
    """-> (end [s], user seconds of that run): as long as wanted, but not beyond the scene's own end."""
    step = program.run(scene, until(1e-9))[1]["time"]
    end = float(re.search(r'"until": *([0-9.e+-]+)', scene.read_text())[1])
    steps = 16
    while True:
        time = min(end, steps * step)
        used, _ = program.run(scene, until(time))
        if used >= 0.6 * wanted or time >= end:
            return time, used
        growth = 4.0 if used < 0.02 * wanted else 1.5  # where bodies come together steps get dear at once
        steps = math.ceil(steps * max(1.1, min(growth, wanted / max(used, 1e-3))))


def compare(old, new, scene, wanted, rounds, count):
    end, used = cut(old, scene, wanted)
    count = count or used - old.run(scene, until(1e-9))[0] < LEAST_SECONDS
    best = {(p, t): math.inf for p in (old, new) for t in (end, 1e-9)}
    told = {}
    for _ in range(1 if count else rounds):
        for program in (old, new):
            for time in (1e-9, end):
                cost, told[program] = program.run(scene, until(time), count)
                best[program, time] = min(best[program, time], cost)
    cost = [max(1e-6, best[p, end] - best[p, 1e-9]) for p in (old, new)]
    certificates = [told[p]["certificate"] for p in (old, new)]
    return {"scene": scene.stem, "until": f"{end:.6g}", "steps": told[new]["steps"], "unit": "1e9" if count else "s",
            "old": f"{cost[0]:.5f}", "new": f"{cost[1]:.5f}", "ratio": f"{cost[1] / cost[0]:.3f}",
            "old_divided": certificates[0].get("divided_steps"), "new_divided": certificates[1].get("divided_steps"),
            "old_missed": certificates[0].get("unconverged_steps"), "new_missed": certificates[1].get("unconverged_steps"),
            "same_state": int(told[old]["final"] == told[new]["final"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--scenes", default="", help="names, separated by commas; all without")
    parser.add_argument("--set", action="append", default=[], dest="values", help="for both programs")
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--csv")
    args = parser.parse_args()
    words = [word for value in args.values for word in ("--set", value)]
    old, new = Program(args.old, words), Program(args.new, words)
    names = args.scenes.split(",") if args.scenes else sorted(path.stem for path in SCENES.glob("*.json"))
    seconds = args.seconds or (0.2 if args.instructions else 1.5)
    rows = []
    print(" ".join(COLUMNS), flush=True)
    for name in names:
        rows.append(compare(old, new, SCENES / f"{name}.json", seconds, args.rounds, args.instructions))
        print(" ".join(str(rows[-1][c]) for c in COLUMNS), flush=True)
    mean = math.exp(sum(math.log(float(row["ratio"])) for row in rows) / len(rows))
    print(f"geometric mean of {len(rows)} ratios: {mean:.3f}")
    if args.csv:
        with open(args.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    try:
        main()
    except Failed as failure:
        print(failure, file=sys.stderr)
        sys.exit(2)
