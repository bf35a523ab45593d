#!/usr/bin/env python3
"""Compares the processor time of two built programs on the scenes of the gallery.

    compare_speed.py OLD NEW [--scenes A,B] [--set KEY=VALUE] [--seconds T] [--rounds N] [--instructions] [--csv FILE]

OLD and NEW: two programs stiction. Every scene is cut to a time that takes OLD about T seconds (1.5), or run to its end, as often as
needed where that is short. Both programs run in turns, N times (3), on one thread, and the least user time of each counts, less that of
a run of one step (start, reading, report). One line per scene: steps, seconds of both, ratio, steps made in parts, steps missed, and
whether the final state has the same bits; at last the geometric mean of the ratios. Where a scene takes a few milliseconds its ratio is
noise: with --instructions valgrind counts them instead, once (in 1e9; some 50 times slower, so that T is 0.2 then).

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
MOST_REPEATS = 20
COLUMNS = ["scene", "until", "steps", "repeats", "old", "new", "ratio", "old_divided", "new_divided", "old_missed", "new_missed",
           "same_state"]


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
                sys.exit(f"compare_speed: exit status {child.returncode} of {' '.join(command)}\n{said}")
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
    repeats = 1 if count else max(1, min(MOST_REPEATS, math.ceil(0.5 * wanted / max(used, 1e-3))))
    best = {(p, w): math.inf for p in (old, new) for w in ("all", "start")}
    told = {}
    for _ in range(rounds):
        for program in (old, new):
            total = start = 0.0
            for _ in range(repeats):
                seconds, told[program] = program.run(scene, until(end), count)
                total += seconds
                start += program.run(scene, until(1e-9), count)[0]
            best[program, "all"] = min(best[program, "all"], total / repeats)
            best[program, "start"] = min(best[program, "start"], start / repeats)
    seconds = [max(1e-6, best[p, "all"] - best[p, "start"]) for p in (old, new)]
    certificates = [told[p]["certificate"] for p in (old, new)]
    return {"scene": scene.stem, "until": f"{end:.6g}", "steps": told[new]["steps"], "repeats": repeats,
            "old": f"{seconds[0]:.5f}", "new": f"{seconds[1]:.5f}", "ratio": f"{seconds[1] / seconds[0]:.3f}",
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
    rounds = 1 if args.instructions else args.rounds
    rows = []
    print(" ".join(COLUMNS), flush=True)
    for name in names:
        rows.append(compare(old, new, SCENES / f"{name}.json", seconds, rounds, args.instructions))
        print(" ".join(str(rows[-1][c]) for c in COLUMNS), flush=True)
    mean = math.exp(sum(math.log(float(row["ratio"])) for row in rows) / len(rows))
    print(f"geometric mean of {len(rows)} ratios: {mean:.3f}")
    if args.csv:
        with open(args.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
