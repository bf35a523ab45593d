#!/usr/bin/env python3
"""Keeps what a program answers, to the bit, and compares two such answers: the oracle for changes that must not change any.

    /usr/bin/python3 tools/freeze.py keep FILE [--program P] [--only WORDS] [--random N] [--jobs J] [--seconds S]
    /usr/bin/python3 tools/freeze.py compare FILE FILE [--all]
    /usr/bin/python3 tools/freeze.py check FILE [--program P] [--only WORDS]         runs what FILE has, and compares
    /usr/bin/python3 tools/freeze.py time OLD NEW [--only WORDS] [--repeats N] [--count] [--mean X] [--worst X]   two programs, turn by turn
    /usr/bin/python3 tools/freeze.py list

keep runs every scene of scenes/ (cut as CUT below says), methods and settings that no scene has (VARIANTS), and 300 random scenes of
tests/agree/random_scenes.py. It keeps, per step, the first digits of the hash of the State and of digests of certificate, solver's
counters and ledger; one digest of all these numbers of all steps; of some steps the numbers themselves; digests of all contacts, pairs,
joints and whatever else the run lists, whole and at some times; and the report of `run --json` without times and paths. FILE is text, one
line of JSON per scene, compressed if its name ends in .gz.

compare names the first step and field that differ, scene by scene. A scene that was not done in time is a difference, in both files too.
Processor times [s] of the two files are told, never judged: they are of two runs. `time` measures: geometric mean and worst of new over
old, the least of N runs of each, and the largest memory; exit status 1 where the mean is above --mean or a scene above --worst. With
--count scenes that take less than 0.5 s are not timed: their instructions are counted, by valgrind.

The program: --program, else STICTION_PROGRAM, else build/release/bin/stiction.
Exit status: 0 all equal, 1 something differs or did not run, 2 bad words.
"""
import argparse
import csv
import gzip
import hashlib
import json
import math
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(os.environ.get("STICTION_SOURCE", pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(ROOT / "tests/agree"))
import random_scenes  # noqa: E402

RANDOM = 300
TABLES = ("bodies", "books")  # tables not kept besides: in the hash, and step by step
TIMES = 8  # at which a table's digests are kept
SHORT = 0.5  # [s] processor times below it are too coarse for some per cent
ROWS = 3  # steps of a scene whose numbers are kept, the last among them
# Steps and overrides of the scenes; LONGER times as many, but no more than MOST steps where that is not what the file asks for.
CUT = ROOT / "tests/agree/hash_scenes.txt"
LONGER, MOST = 6, 1200
# Scene, steps, overrides: what no scene of the gallery asks for.
VARIANTS = (
    *(("spheres", 60, "$n=2", f"run.method={m}", "run.tolerance=1e-6") for m in ("moreau_jean", "anitescu_potra", "stewart_trinkle")),
    ("planar_rod", 100, "run.method=implicit_geometry"),
    ("planar_rod", 100, "run.method=anitescu_potra", "run.activation=predicted"),
    ("planar_rod", 100, "run.method=stewart_trinkle", "run.nonlinear=true"),
    ("planar_rod", 100, "run.method=moreau_jean", "run.stabilisation=none", "run.theta=1"),
    *(("spring_mass", 100, f"run.method={m}") for m in ("coulomb", "explicit_euler", "semi_implicit_euler", "implicit_euler", "velocity_verlet", "variational")),
    *(("tumbling", 100, f"run.method={m}") for m in ("explicit_euler", "semi_implicit_euler", "implicit_euler", "rk4")),
    *(("pendulum", 60, f"run.method={m}") for m in ("explicit_euler", "semi_implicit_euler", "velocity_verlet", "rk4", "variational", "event_driven")),
    *(("drifting_chain", 40, f"run.method={m}") for m in ("coulomb", "spook", "rk4_projected")),
    *(("drifting_chain", 40, f"run.stabilisation={w}") for w in ("post", "anitescu_hart")),
    ("drifting_chain", 40, "run.stabilisation=baumgarte", "run.baumgarte=20"),
    ("slider_crank", 40, "run.method=moreau_jean"),
    ("pyramid", 500), ("spheres", 500), ("spheres", 100, "$n=6"), ("mixed_pile", 40), ("heavy_chain", 500),  # whole, or larger
    ("card_house", 200, "run.tolerance=1e-4"),
    ("pyramid", 60, "$base=4", "run.sleep=true"),
    ("pyramid", 60, "$base=4", "run.solver=newton"),
    ("pyramid", 60, "$base=4", "run.solver=nsgs", "run.tolerance=1e-5"),
    ("pyramid", 60, "$base=5", "run.threads=2"),
    ("spheres", 60, "$n=3", "run.threads=3"),
)
GROUPS = ("state", "certificate", "solver", "ledger")
NOT_COMPARED = {"wall_seconds", "recording", "report", "csv", "problems", "resumed"}


def step_of(text):
    """[s] run.step of a scene, as its text says it."""
    run = re.search(r'"run"\s*:\s*\{[^}]*\}', text)
    found = run and re.search(r'"step"\s*:\s*(?:"=\s*([\d.eE+-]+)\s*/\s*([\d.eE+-]+)\s*"|([\d.eE+-]+))', run.group())
    if not found:
        return 0.01
    over, under, number = found.groups()
    return float(number) if number else float(over) / float(under)


def tasks(count, only):
    """(name, path of a scene or family and number, words)"""
    named = {}
    for line in CUT.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            words = line.split()
            steps = int(words[1])
            named.setdefault(words[0], []).append((max(steps, min(LONGER * steps, MOST)), words[3:]))
    out = []
    for path in sorted((ROOT / "scenes").glob("*.json")):
        lines = named.get(path.stem, [(None, [])])
        lines = lines + [(v[1], list(v[2:])) for v in VARIANTS if v[0] == path.stem]
        for steps, overrides in lines:
            words = [w for o in overrides for w in ("--set", o)]
            if steps is not None:
                words += ["--until", repr(steps * step_of(path.read_text()))]
            out.append((" ".join([path.stem, *overrides]), str(path), words))
    for k in range(count):
        family, number = random_scenes.FAMILIES[k % len(random_scenes.FAMILIES)], k // len(random_scenes.FAMILIES)
        out.append((f"random {family} {number}", (family, number), []))
    return [t for t in out if not only or any(o in t[0] for o in only)]


def group_of(column):
    if column == "hash":
        return "state"
    if column.startswith("certificate") or column in ("tolerance", "converged"):
        return "certificate"
    ledger = ("kinetic", "potential", "booked", "momentum", "imbalance", "scale", "rise")
    return "ledger" if any(w in column for w in ledger) else "solver"


def digest(text, digits=8):
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


def without_paths(report):
    kept = {k: v for k, v in report.items() if k not in NOT_COMPARED}
    kept["final"] = {body: digest(json.dumps(motion)) for body, motion in report["final"].items()}
    return kept


def run(program, path, words, folder, seconds):
    """Exit status (None: not done in time), output, user time [s], largest memory [kB]."""
    command = [program, "run", path, "--out", folder, "--json", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    late = threading.Event()

    def stop():
        late.set()
        process.kill()

    timer = threading.Timer(seconds, stop)
    timer.start()
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    timer.cancel()
    process.stdout.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return (None if late.is_set() else process.returncode), output, used.ru_utime, used.ru_maxrss


def scene_file(which, folder):
    if isinstance(which, str):
        return which
    path = os.path.join(folder, "scene.json")
    with open(path, "w") as out:
        json.dump(random_scenes.scene(*which), out)
    return path


def table_digests(path):
    """Of a table with the time in its first column: one digest of all, and those of the lines of some times."""
    whole, at, last = hashlib.sha256(), {}, None
    with open(path, "rb") as lines:
        whole.update(next(lines, b""))
        for line in lines:
            whole.update(line)
            time = line[: line.index(b",")].decode()
            if time != last:
                now, last = at.setdefault(time, hashlib.sha256()), time
            now.update(line)
    times = list(at)
    chosen = sorted({round(k * (len(times) - 1) / (TIMES - 1)) for k in range(TIMES)}) if times else []
    return {"all": whole.hexdigest()[:16], "at": {times[i]: at[times[i]].hexdigest()[:8] for i in chosen}}


def keep_one(task):
    program, seconds, (name, which, words) = task
    with tempfile.TemporaryDirectory() as folder:
        path = scene_file(which, folder)
        status, output, used, _ = run(program, path, [*words, "--csv", "--quiet", "--set", "record.every=0"], folder, seconds)
        kept = {"scene": name, "status": status, "seconds": round(used, 2)}
        if status not in (0, 1):
            return kept
        report = json.loads(output)
        table = next((p for p in report["csv"] if p.endswith(".books.csv")), None)
        with open(table, newline="") as lines:
            rows = list(csv.reader(lines))
        names = {p.rsplit(".", 2)[-2]: p for p in report["csv"]}
        kept["tables"] = {n: table_digests(p) for n, p in sorted(names.items()) if n not in TABLES}
    columns, rows = [c.split(" [")[0] for c in rows[0]], rows[1:]
    groups = [group_of(c) for c in columns]
    kept["columns"], kept["report"] = columns, without_paths(report)
    steps = []
    for row in rows:
        digests = []
        for g in GROUPS:
            part = [v for v, of in zip(row, groups) if of == g]
            digests.append(part[0][:6] if g == "state" else digest("\n".join(part), 2))
        steps.append(" ".join(digests))
    kept["steps"], kept["all"] = steps, digest("\n".join(map(",".join, rows)), 64)
    chosen = sorted({round(k * (len(rows) - 1) / max(1, ROWS - 1)) for k in range(ROWS)}) if rows else []
    kept["rows"] = {str(i): rows[i] for i in chosen}
    return kept


def opened(path, mode):
    if str(path).endswith(".gz"):
        return gzip.open(path, mode + "t", encoding="utf8")
    return open(path, mode, encoding="utf8")


def load(path):
    with opened(path, "r") as lines:
        return {one["scene"]: one for one in map(json.loads, lines)}


def keep(o):
    todo = [(o.program, o.seconds, t) for t in tasks(o.random, o.only)]
    out = []
    with multiprocessing.Pool(o.jobs) as pool:
        for one in pool.imap(keep_one, todo):
            out.append(one)
            if o.loud or one["status"] not in (0, 1):
                why = "not done in time" if one["status"] is None else f"exit status {one['status']}"
                print(f"{one['scene']:60s} {one['seconds']:7.2f} s  {len(one.get('steps', [])):5d} steps  {why}", flush=True)
    with opened(o.file, "w") as f:
        for one in out:
            f.write(json.dumps(one, separators=(",", ":")) + "\n")
    bad = sum(one["status"] not in (0, 1) for one in out)
    print(f"{len(out)} scenes, {sum(len(x.get('steps', [])) for x in out)} steps, {sum(x['seconds'] for x in out):.0f} s of processor time, "
          f"{bad} without an answer; {o.file}: {os.path.getsize(o.file) / 1000:.0f} kB")
    return int(bad > 0)


def flat(value, path=""):
    if isinstance(value, dict):
        for k, v in value.items():
            yield from flat(v, f"{path}.{k}" if path else k)
    elif isinstance(value, list):
        for i, v in enumerate(value):
            yield from flat(v, f"{path}.{i}")
    else:
        yield path, value


def numbers_that_differ(a, b, step):
    """Fields and their two values at the first kept step from `step` on, in words."""
    for i in sorted(map(int, a["rows"].keys() & b["rows"].keys())):
        if i < step:
            continue
        found = [(c, x, y) for c, x, y in zip(a["columns"], a["rows"][str(i)], b["rows"][str(i)]) if x != y]
        if found:
            return f"; numbers of step {i}: " + ", ".join(f"{c} {x} now {y}" for c, x, y in found[:3]) + (", ..." if len(found) > 3 else "")
    return ""


def difference(a, b):
    """The first difference of two answers to one scene, in words; empty = none. Steps count from 0, the start."""
    if a["status"] is None or b["status"] is None:
        return "not done in time: " + ("in both" if a["status"] == b["status"] else "the first" if a["status"] is None else "now")
    if a["status"] != b["status"]:
        return f"exit status {a['status']} now {b['status']}"
    if "steps" not in a:
        return ""
    if a["columns"] != b["columns"]:
        return f"columns of the books: {sorted(set(a['columns']) ^ set(b['columns']))}"
    for i, (x, y) in enumerate(zip(a["steps"], b["steps"])):
        if x != y:
            fields = [g for g, p, q in zip(GROUPS, x.split(), y.split()) if p != q]
            return f"step {i}: {', '.join(fields)}" + numbers_that_differ(a, b, i)
    if len(a["steps"]) != len(b["steps"]):
        return f"{len(a['steps'])} steps now {len(b['steps'])}"
    if a["all"] != b["all"]:
        return "some step" + (numbers_that_differ(a, b, 0) or ": its digest of two digits is the same by chance")
    for name in sorted(a.get("tables", {}).keys() | b.get("tables", {}).keys()) if "tables" in a and "tables" in b else []:
        x, y = a["tables"].get(name), b["tables"].get(name)
        if x is None or y is None:
            return f"table of {name}: only in one"
        if x["all"] != y["all"]:
            first = next((t for t in x["at"] if x["at"][t] != y["at"].get(t)), None)
            return f"table of {name}: " + ("between the times that are kept" if first is None else f"at {first} s or before")
    x, y = dict(flat(a["report"])), dict(flat(b["report"]))
    for field in [*x, *(k for k in y if k not in x)]:
        if x.get(field) != y.get(field):
            return f"report: {field} {x.get(field)} now {y.get(field)}"
    return ""


def compare_answers(old, new, whole, every):
    differ = 0
    missing = [s for s in old if s not in new] if whole else []
    added = [s for s in new if s not in old]
    for s in missing:
        print(f"{s}: not in the second file")
    for s in added:
        print(f"{s}: not in the first file")
    shared = [s for s in old if s in new]
    for s in shared:
        if why := difference(old[s], new[s]):
            differ += 1
            if every or differ <= 20:
                print(f"{s}: {why}")
    if differ > 20 and not every:
        print(f"... and {differ - 20} more: --all")
    a, b = (sum(x[s]["seconds"] for s in shared) for x in (old, new))
    print(f"{len(shared)} scenes compared, {differ} differ, {len(missing) + len(added)} only in one; processor time {a:.0f} s now {b:.0f} s")
    return int(differ + len(missing) + len(added) > 0 or not shared)


def compare(o):
    return compare_answers(load(o.file), load(o.second), True, o.every)


def check(o):
    with tempfile.TemporaryDirectory() as folder:
        old, o.file = load(o.file), os.path.join(folder, "now.json")
        o.random = sum(s.startswith("random ") for s in old)
        failed = keep(o)
        return max(failed, compare_answers(old, load(o.file), not o.only, o.every))


def instructions(program, path, words, folder):
    """That a run takes; None: valgrind did not say."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "run", path, "--out", folder, "--json", *words]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found.group(1)) if found else None


def time_both(o):
    ratios, memory = [], []
    for name, which, words in tasks(o.random, o.only):
        least, most = [math.inf] * 2, [0] * 2
        with tempfile.TemporaryDirectory() as folder:
            path = scene_file(which, folder)
            for turn in range(2 * o.repeats):
                i = (turn + turn // 2) % 2  # old new, new old, ...
                status, _, used, size = run((o.file, o.second)[i], path, [*words, "--quiet"], os.path.join(folder, "out"), o.seconds)
                if status not in (0, 1):
                    print(f"{name}: {(o.file, o.second)[i]} gave no answer")
                    return 1
                least[i], most[i] = min(least[i], used), max(most[i], size)
            if o.count and least[0] < SHORT:
                counted = [instructions(p, path, [*words, "--quiet"], os.path.join(folder, "out")) for p in (o.file, o.second)]
                if None in counted:
                    print(f"{name}: valgrind gave no count")
                    return 1
                least = [c * 1e-9 for c in counted]
            elif least[0] < 0.05:
                continue  # starting the program is most of it
        ratios.append((least[1] / least[0], name, *least))
        memory.append((most[1] / most[0], name))
        print(f"{name:60s} {least[0]:8.3f} {least[1]:8.3f}  {ratios[-1][0]:6.3f}  memory {memory[-1][0]:6.3f}", flush=True)
    if not ratios:
        print("no scene takes long enough to be timed")
        return 1
    mean = math.exp(sum(math.log(r[0]) for r in ratios) / len(ratios))
    print(f"{len(ratios)} scenes: new over old {mean:.3f} in the geometric mean, worst {max(ratios)[0]:.3f} ({max(ratios)[1]}); "
          f"memory at most {max(memory)[0]:.3f} ({max(memory)[1]})")
    return int(mean > o.mean or max(ratios)[0] > o.worst)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=("keep", "compare", "check", "time", "list"))
    parser.add_argument("file", nargs="?")
    parser.add_argument("second", nargs="?")
    parser.add_argument("--program", default=os.environ.get("STICTION_PROGRAM", ROOT / "build/release/bin/stiction"))
    parser.add_argument("--only", type=lambda s: s.split(","), default=[], help="parts of names of scenes, with commas between")
    parser.add_argument("--random", type=int, default=RANDOM, help="how many random scenes")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120, help="that a scene may take")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--count", action="store_true", help="time: count instructions of short runs [1e9] instead of timing them")
    parser.add_argument("--mean", type=float, default=1.0, help="time: what the geometric mean may be")
    parser.add_argument("--worst", type=float, default=1.03, help="time: what any scene may take, new over old")
    parser.add_argument("--all", dest="every", action="store_true", help="names every scene that differs")
    parser.add_argument("--loud", action="store_true", help="a line for every scene")
    o = parser.parse_args(words)
    files = {"keep": 1, "compare": 2, "check": 1, "time": 2, "list": 0}[o.what]
    if [o.file, o.second].count(None) != 2 - files:
        parser.error(f"{o.what}: takes {files} files")
    if o.what == "list":
        print("\n".join(f"{name}    {' '.join(w)}" for name, _, w in tasks(o.random, o.only)))
        return 0
    if o.count and not shutil.which("valgrind"):
        parser.error("--count needs valgrind")
    for path in [o.file, o.second] if o.what == "time" else [o.program] if o.what != "compare" else []:
        if not os.access(path, os.X_OK):
            parser.error(f"{path} is no program: build it first")
    o.program = os.path.abspath(o.program)
    return {"keep": keep, "compare": compare, "check": check, "time": time_both}[o.what](o)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
