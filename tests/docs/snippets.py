#!/usr/bin/env python3
"""The programs in the documentation are true.

  snippets.py extract PAGE OUT      writes the C++ program (the block with main) of a page of Markdown to a file
  snippets.py run PROGRAM...        runs such programs beside the scene they read; each must exit with 0
  snippets.py python PAGE           runs the Python of a page on a recording, and compares what it read
  snippets.py problems PAGE         solves the problems (jsonc blocks) of a page; those that say "// no solution" have none
  snippets.py module PAGE           runs the Python of a page with the module stiction (STICTION_PYTHON, PYTHONPATH)
  snippets.py shows PAGE FILE       the program of the page is that file, to the letter
  snippets.py readme                the README shows examples/first.cpp and the project in tests/install/consumer

STICTION_PROGRAM: the program; STICTION_SOURCE: the source tree.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("STICTION_SOURCE", pathlib.Path(__file__).parents[2]))
PROGRAM = os.path.abspath(os.environ.get("STICTION_PROGRAM", SOURCE / "build/release/bin/stiction"))


def blocks(page, language):
    text = pathlib.Path(page).read_text(encoding="utf-8")
    return re.findall(r"^```%s\n(.*?)^```" % language, text, re.MULTILINE | re.DOTALL)


def one(found, what):
    if len(found) != 1:
        sys.exit(f"{what}: found {len(found)}, expected one")
    return found[0]


def extract(page, out):
    program = one([b for b in blocks(page, "cpp") if "int main" in b], f"programs in {page}")
    pathlib.Path(out).write_text(program, encoding="utf-8")


def box_scene(folder):
    """my.json, as the pages say: ./stiction new box my.json"""
    subprocess.run([PROGRAM, "new", "box", "my.json", "--json"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def run(programs):
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            box_scene(folder)
            done = subprocess.run([os.path.abspath(program)], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
            print(done.stdout + done.stderr)
            if done.returncode != 0:
                sys.exit(f"{program}: exit status {done.returncode}")


def interpreter_with_h5py():
    for python in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([python, "-c", "import h5py"], capture_output=True, check=False).returncode == 0:
            return python
    sys.exit("no Python here has h5py (Debian package python3-h5py)")


def run_python(page):
    python = interpreter_with_h5py()
    code = "\n".join(blocks(page, "python")) or sys.exit(f"{page}: no Python in it")
    with tempfile.TemporaryDirectory() as folder:
        box_scene(folder)
        done = subprocess.run([PROGRAM, "run", "my.json", "--json"], cwd=folder, check=True, capture_output=True, text=True)
        result = json.loads(done.stdout)
        code += "\nimport json; print(json.dumps([t[-1], z[-1], work[-1], len(t), len(work)]))\n"
        printed = subprocess.run([python, "-c", code], cwd=folder, check=True, capture_output=True, text=True).stdout
        time, height, work, frames, rows = json.loads(printed)
        expected = (result["time"], result["final"]["box"]["position"][2], result["ledger"]["booked"]["friction"], 101, 101)
        if (time, height, work, frames, rows) != expected:
            sys.exit(f"{page}: read {printed.strip()}, the run said {expected}")
        print(f"{page}: height {height} m at {time} s, friction's work {work} J")


def run_module(page):
    """All blocks as one program, beside my.json; a block may not leave anything to be guessed."""
    code = "\n".join(blocks(page, "python")) or sys.exit(f"{page}: no Python in it")
    with tempfile.TemporaryDirectory() as folder:
        box_scene(folder)
        done = subprocess.run([os.environ["STICTION_PYTHON"], "-W", "error", "-c", code], cwd=folder, capture_output=True,
                              text=True, timeout=120, check=False)
        print(done.stdout + done.stderr)
        if done.returncode != 0:
            sys.exit(f"{page}: exit status {done.returncode}")


def readme():
    page = SOURCE / "README.md"
    example = (SOURCE / "examples/first.cpp").read_text(encoding="utf-8")
    shown = one([b for b in blocks(page, "cpp") if "int main" in b], "programs in the README")
    if shown not in example:
        sys.exit("README.md: its program is not examples/first.cpp")
    project = (SOURCE / "tests/install/consumer/CMakeLists.txt").read_text(encoding="utf-8")
    if one(blocks(page, "cmake"), "CMake projects in the README") != project:
        sys.exit("README.md: its CMake project is not tests/install/consumer/CMakeLists.txt")
    needed = "cmake ninja-build g++ libhdf5-dev nlohmann-json3-dev"
    if needed not in page.read_text(encoding="utf-8"):
        sys.exit(f"README.md does not name what a project needs: {needed}")
    print("README: as the files are")


def problems(page):
    found = blocks(page, "jsonc")
    if len(found) < 5:
        sys.exit(f"{page}: only {len(found)} problems")
    for number, text in enumerate(found):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "p.json").write_text(text, encoding="utf-8")
            done = subprocess.run([PROGRAM, "solve", "p.json"], cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != (1 if text.startswith("// no solution") else 0):
                sys.exit(f"{page}: problem {number}: exit status {done.returncode}\n{text}{done.stdout}{done.stderr}")
    print(f"{page}: {len(found)} problems")


def shows(page, file):
    program = one([b for b in blocks(page, "cpp") if "int main" in b], f"programs in {page}")
    if program != pathlib.Path(file).read_text(encoding="utf-8"):
        sys.exit(f"{page}: its program is not {file}")
    print(f"{page}: shows {file}")


def main():
    word, *rest = sys.argv[1:] or [""]
    if word == "extract" and len(rest) == 2:
        extract(*rest)
    elif word == "run" and rest:
        run(rest)
    elif word == "python" and len(rest) == 1:
        run_python(rest[0])
    elif word == "problems" and len(rest) == 1:
        problems(rest[0])
    elif word == "module" and len(rest) == 1:
        run_module(rest[0])
    elif word == "shows" and len(rest) == 2:
        shows(*rest)
    elif word == "readme" and not rest:
        readme()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
