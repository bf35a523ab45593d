#!/usr/bin/env python3
"""tools/freeze.py sees every kind of difference, names it, and finds none where there is none."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("STICTION_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
FREEZE = str(SOURCE / "tools/freeze.py")
SCENES = "incline_stick,spring_mass run.method=rk4,spring_mass run.method=implicit_euler,random six 0"


def freeze(*words):
    done = subprocess.run([sys.executable, FREEZE, *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def changed(old, folder, change):
    """A copy of the file with one scene changed."""
    scenes = [json.loads(line) for line in pathlib.Path(old).read_text().splitlines()]
    change(scenes)
    path = os.path.join(folder, "changed.jsonl")
    pathlib.Path(path).write_text("".join(json.dumps(s) + "\n" for s in scenes))
    return path


def hash_of_step(scenes):
    digests = scenes[0]["steps"][7].split()
    scenes[0]["steps"][7] = " ".join(["000000", *digests[1:]])


def certificate_of_step(scenes):
    digests = scenes[0]["steps"][9].split()
    scenes[0]["steps"][9] = " ".join([digests[0], "zz", *digests[2:]])
    last = max(scenes[0]["rows"], key=int)
    scenes[0]["rows"][last][scenes[0]["columns"].index("certificate_gap")] = "12345"


def energy_in_report(scenes):
    scenes[1]["report"]["ledger"]["kinetic"] *= 1 + 2**-52


def a_digest_that_agrees_by_chance(scenes):
    scenes[0]["all"] = "0"


def a_step_less(scenes):
    scenes[0]["steps"].pop()


def a_scene_less(scenes):
    scenes.pop()


def no_answer(scenes):
    scenes[0]["status"] = 3


def not_done_in_time(scenes):
    scenes[0] = {"scene": scenes[0]["scene"], "status": None, "seconds": 120.0}


def a_contact(scenes):
    scenes[0]["tables"]["contacts"]["all"] = "0"
    last = list(scenes[0]["tables"]["contacts"]["at"])[-1]
    scenes[0]["tables"]["contacts"]["at"][last] = "0"


def a_table_less(scenes):
    del scenes[0]["tables"]["pairs"]


FAULTS = {  # what is said of each
    hash_of_step: "incline_stick: step 7: state",
    certificate_of_step: "incline_stick: step 9: certificate; numbers of step",
    energy_in_report: "report: ledger.kinetic",
    a_digest_that_agrees_by_chance: "incline_stick: some step",
    a_step_less: "steps now",
    a_scene_less: "not in the second file",
    not_done_in_time: "incline_stick: not done in time: now",
    a_contact: "incline_stick: table of contacts: at ",
    a_table_less: "incline_stick: table of pairs: only in one",
    no_answer: "incline_stick: exit status 0 now 3",
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        old = os.path.join(folder, "old.jsonl")
        code, said = freeze("keep", old, "--only", SCENES, "--random", "7")
        assert code == 0 and "0 without an answer" in said, said
        code, said = freeze("check", old, "--only", SCENES)
        assert code == 0 and " 0 differ" in said, said
        zipped = os.path.join(folder, "old.jsonl.gz")
        code, said = freeze("keep", zipped, "--only", SCENES, "--random", "7", "--jobs", "2")
        assert code == 0, said
        code, said = freeze("compare", old, zipped)
        assert code == 0 and " 0 differ" in said, said
        for change, words in FAULTS.items():
            code, said = freeze("compare", old, changed(old, folder, change))
            assert code == 1 and words in said, f"{change.__name__}: {code} {said}"
        late = changed(old, folder, not_done_in_time)
        code, said = freeze("compare", late, late)
        assert code == 1 and "not done in time: in both" in said, said
        program = os.environ.get("STICTION_PROGRAM", str(SOURCE / "build/release/bin/stiction"))
        if shutil.which("valgrind"):
            timed = ("time", program, program, "--only", "incline_stick", "--random", "0", "--repeats", "1", "--count")
            code, said = freeze(*timed, "--worst", "0.1")
            assert code == 1 and "in the geometric mean" in said, said
            code, said = freeze(*timed, "--mean", "1.01")
            assert code == 0, said
        assert freeze("keep")[0] == 2 and freeze("keep", old, "--program", "/nowhere/at/all")[0] == 2
    print(f"{len(FAULTS)} planted differences found and named")


if __name__ == "__main__":
    main()
