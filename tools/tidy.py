#!/usr/bin/env python3
"""clang-tidy (the list in .clang-tidy) over src/, apps/ and bindings/; exit status 1 with one line per finding.

  tidy.py BUILD [--budget SECONDS]   BUILD holds compile_commands.json
  tidy.py --self-test                plant faults in a scratch tree and see that they are found

A file that was clean is not read again until it, a header of ours that it includes, its compile command, .clang-tidy or
clang-tidy itself changes: BUILD/tidy.json keeps a hash of all these. The rest is read last-changed first, on all cores. With
a budget no new file is begun after that many seconds, and the number of files left for the next time is printed; without
one, and with STICTION_FULL=1 (`./stiction test --full`), everything is read.

Findings that are known to be none stand in tools/tidy_known.txt: file, check, why. They are printed and do not count.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

FOLDERS = ("src/", "apps/", "bindings/")
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
PRECOMPILED = re.compile(r" -Winvalid-pch| (-Xclang )?-include(-pch)? (-Xclang )?\S*cmake_pch\.\S+")
FINDING = re.compile(r"^(\S+?):(\d+):(\d+): (?:warning|error): (.*)$", re.MULTILINE)


def find_tool():
    for name in ("clang-tidy-14", "clang-tidy"):
        if shutil.which(name):
            return name
    sys.exit("tidy: there is no clang-tidy-14 (Debian package clang-tidy-14)")


def read_known(root):
    """{(file, check): why}"""
    out = {}
    file = root / "tools" / "tidy_known.txt"
    for line in file.read_text().splitlines() if file.is_file() else []:
        if line and not line.startswith("#"):
            name, check, why = line.split(maxsplit=2)
            out[name, check] = why
    return out


class Tree:
    """The sources, and what each of them depends on."""

    def __init__(self, root, build):
        self.root = root
        self.build = build
        self.texts = {}
        commands = build / "compile_commands.json"
        if not commands.is_file():
            sys.exit(f"tidy: {commands} is missing; configure first: cmake --preset release")
        self.commands = {}
        entries = json.loads(commands.read_text())
        for entry in entries:
            entry["command"] = PRECOMPILED.sub("", entry["command"])  # another compiler's: each file as it stands
            file = pathlib.Path(entry["directory"], entry["file"]).resolve()
            if file.is_relative_to(root) and str(file.relative_to(root)).startswith(FOLDERS):
                self.commands[file] = entry["command"].replace(str(build), "BUILD").replace(str(root), "ROOT")
        self.database = build / "tidy"
        self.database.mkdir(exist_ok=True)
        (self.database / "compile_commands.json").write_text(json.dumps(entries))

    def text(self, file):
        if file not in self.texts:
            self.texts[file] = file.read_text(encoding="utf-8", errors="replace")
        return self.texts[file]

    def sources_of(self, file):
        """The file and every header of ours that it includes, directly or not."""
        seen, todo = set(), [file]
        while todo:
            now = todo.pop()
            if now in seen:
                continue
            seen.add(now)
            for name in INCLUDE.findall(self.text(now)):
                todo += [p for p in (now.parent / name, self.root / "src" / name) if p.is_file()][:1]
        return sorted(seen)

    def key(self, file, common):
        digest = hashlib.sha256(common)
        digest.update(self.commands[file].encode())
        for source in self.sources_of(file):
            digest.update(f"\0{source.relative_to(self.root)}\0{self.text(source)}".encode())
        return digest.hexdigest()

    def last_changed_first(self, files):
        """Files with changes not committed yet, then by their last commit."""
        order = {}
        log = subprocess.run(["git", "-C", str(self.root), "log", "--format=", "--name-only", "-n", "200"],
                             capture_output=True, text=True, check=False).stdout.split("\n")
        changed = subprocess.run(["git", "-C", str(self.root), "diff", "HEAD", "--name-only"],
                                 capture_output=True, text=True, check=False).stdout.split("\n")
        for name in changed + log:
            order.setdefault(name, len(order))
        return sorted(files, key=lambda f: (order.get(str(f.relative_to(self.root)), len(order)), f))


def read(tool, tree, file):
    """Findings of one file: place and words, paths from the root; None if clang-tidy itself failed silently."""
    done = subprocess.run([tool, "--quiet", "-p", str(tree.database), str(file)], capture_output=True, text=True, check=False)
    found = {(f"{pathlib.Path(place).resolve()}".replace(str(tree.root) + "/", ""), int(line), int(column), words)
             for place, line, column, words in FINDING.findall(done.stdout + done.stderr)}
    if done.returncode != 0 and not found:
        found = {(str(file.relative_to(tree.root)), 1, 1, "clang-tidy failed: " + done.stderr.strip()[-300:])}
    return found


def run(root, build, budget, say=print):
    """Findings, and how many files were read, known to be clean, and left for the next time."""
    tool = find_tool()
    tree = Tree(root, build)
    if not tree.commands:
        sys.exit("tidy: no file of src/ or apps/ in compile_commands.json")
    version = subprocess.run([tool, "--version"], capture_output=True, check=True).stdout
    common = version + (root / ".clang-tidy").read_bytes()
    keys = {file: tree.key(file, common) for file in tree.commands}
    memory = build / "tidy.json"
    try:
        clean = set(json.loads(memory.read_text()))
    except (OSError, ValueError):
        clean = set()
    clean &= set(keys.values())
    todo = tree.last_changed_first(f for f in keys if keys[f] not in clean)
    excused = read_known(root)
    known, left, found = len(keys) - len(todo), 0, set()
    started = time.monotonic()

    def one(file):
        if budget is not None and time.monotonic() - started > budget:
            return None
        return read(tool, tree, file)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, findings in zip(todo, pool.map(one, todo)):
            if findings is None:
                left += 1
                continue
            findings = {f for f in findings if not any(f[0] == name and f"[{check}" in f[3] for name, check in excused)}
            if findings:
                found |= findings
            else:
                clean.add(keys[file])
                memory.write_text(json.dumps(sorted(clean)))
    for (name, check), why in sorted(excused.items()):
        say(f"{name}: not counted: {check}: {why}")
    for place, line, column, words in sorted(found):
        say(f"{place}:{line}:{column}: {words}")
    say(f"clang-tidy: {len(found)} findings; {len(todo) - left} files read, {known} as they were when found clean"
        + (f", {left} left for the next time: the {budget:g} s are over" if left else ""))
    return found, len(todo) - left, known, left


def self_test(source):
    """A clean tree, a fault in a source, a fault in a header, and what the memory does."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        build = root / "build"
        part = root / "src" / "stiction" / "a"
        part.mkdir(parents=True), build.mkdir()
        shutil.copy(source / ".clang-tidy", root / ".clang-tidy")
        files = [part / "one.cpp", part / "two.cpp"]
        (part / "one.h").write_text("#pragma once\ninline bool same(int a, int b) { return a == b; }\n")
        files[0].write_text('#include "stiction/a/one.h"\nbool f(int a, int b) { return same(a, b); }\n')
        files[1].write_text("int g(int a) { return a; }\n")
        (build / "compile_commands.json").write_text(json.dumps([
            {"directory": str(build), "file": str(f), "command": f"c++ -std=c++20 -I{root}/src -c {f}"} for f in files]))
        quiet = lambda _: None
        failures = []

        def expect(what, findings, read_files, known, budget=None):
            found, *counts = run(root, build, budget, quiet)
            if len(found) != findings or counts[:2] != [read_files, known]:
                failures.append(f"{what}: {len(found)} findings, {counts}; {found}")

        expect("no time", 0, 0, 0, budget=-1)
        expect("a clean tree", 0, 2, 0)
        expect("again: nothing to read", 0, 0, 2)
        files[1].write_text("int g(int a) { return a - a; }\n")
        expect("a fault in a source", 1, 1, 1)
        expect("a fault is found again", 1, 1, 1)
        files[1].write_text("int g(int a) { return a; }\n")
        (part / "one.h").write_text("#pragma once\ninline bool same(int a, int b) { return a == b || a == b; }\n")
        expect("a fault in a header", 1, 1, 1)
        (root / "tools").mkdir()
        (root / "tools" / "tidy_known.txt").write_text("src/stiction/a/one.h misc-redundant-expression on purpose\n")
        expect("a known finding", 0, 1, 1)
        files[1].write_text("int g(int a) { return a - a; }\n")
        expect("another one beside it", 1, 1, 1)
        for failure in failures:
            print("self-test:", failure)
        print(f"self-test: {8 - len(failures)} of 8 as expected")
        return 1 if failures else 0


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    if sys.argv[1:] == ["--self-test"]:
        return self_test(root)
    parser = argparse.ArgumentParser(description="clang-tidy over what has changed")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--budget", type=float)
    words = parser.parse_args()
    budget = None if os.environ.get("STICTION_FULL") else words.budget
    return 1 if run(root, words.build.resolve(), budget)[0] else 0


if __name__ == "__main__":
    sys.exit(main())
