#!/usr/bin/env python3
"""Checks what no compiler checks; exit status 1 with one line per fault.

  check_includes.py [ROOT]       check the tree at ROOT (default: the one this script is in)
  check_includes.py --self-test  plant one fault of each kind in a scratch tree and see that it is found

- Includes point downwards: a part of src/stiction may include itself and parts on lower levels (LEVELS below, the
  same list as in cmake/StictionParts.cmake). File formats never reach the engine. Third-party headers appear only
  where they belong.
- Documentation is alive: relative links and paths named in Markdown and in comments exist.
- Nothing is left lying about: no path of somebody's own machine, no marks of unfinished work.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

# Lower lines first. Parts on one line do not see each other.
LEVELS = [
    ["base"],
    ["math"],
    ["ledger"],  # beside math, but its books keep vectors
    ["complementarity", "geometry", "dynamics", "constraints"],
    ["model", "collision", "laws", "impact"],
    ["formats", "particles"],
    ["forces"],
    ["drivetrain"],
    ["step"],
    ["record", "gpu"],
    ["report"],  # stands beside record and reads its files
    ["world"],
    ["sweep", "reproduce"],
]
LEVEL = {part: i for i, parts in enumerate(LEVELS) for part in parts}
# The engine knows no file format.
NEVER = {(part, "formats") for part in ("particles", "constraints", "forces", "drivetrain", "step", "gpu")}
# Third-party headers: prefix of the include -> parts that may use it ("apps" = apps/, "bindings" = bindings/).
THIRD_PARTY = {
    "hdf5": {"record"},
    "H5": {"record"},
    "nlohmann/": {"record", "report", "apps"},
    "assimp/": {"formats"},
    "CLI/": {"apps"},
    "fmt/": {"apps"},
    "pybind11/": {"bindings"},
}
OUTSIDE = ("apps", "bindings")  # above all parts: they may include any
CODE = {".h", ".cpp", ".cu", ".cuh"}
TEXT = CODE | {".md", ".py", ".sh", ".cmake", ".txt", ".json", ".jsonc", ".html", ".js", ".ts", ".css", ".yml", ""}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
TOP_FOLDERS = "src|apps|docs|scenes|tools|tests|bench|cmake|examples|bindings|web|third_party|pictures|schema|problems"
PATH_IN_TEXT = re.compile(r"(?<![\w./<$}-])((?:%s)/[\w./-]*\w(?:\.\w+)?/?)" % TOP_FOLDERS)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
OWN_MACHINE = re.compile(r"(?<![\w.$}*-])/(?:work|root|home|Users)/\w")
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")


def files_of(root):
    """Tracked and new files that are not ignored; every file where there is no git."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
                             capture_output=True, check=False)
    if listing.returncode == 0:
        names = [n for n in listing.stdout.decode().split("\0") if n]
    else:
        names = [str(p.relative_to(root)) for p in root.rglob("*") if p.is_file()]
        names = [n for n in names if not n.startswith(("build/", "out/", ".git/"))]
    return sorted(n for n in set(names) if (root / n).is_file())


def part_of(name):
    """Part of a source file: a folder of src/stiction, "stiction.h" for the umbrella, "apps", "bindings", or None."""
    pieces = name.split("/")
    if pieces[:2] == ["src", "stiction"]:
        return pieces[2]
    return pieces[0] if pieces[0] in OUTSIDE else None


def include_fault(root, name, part, quote, target):
    """Why `part` may not include `target`, or None."""
    for prefix, parts in THIRD_PARTY.items():
        if target.startswith(prefix):
            if part is not None and part not in parts:
                return f"includes <{target}>, which only {', '.join(sorted(parts))} may use"
            return None
    if not target.startswith("stiction/"):
        beside = (root / name).parent / target
        if quote == '"' and part not in (None, *OUTSIDE):
            return f'includes "{target}": write "stiction/<part>/..." so that it reads the same when installed'
        if quote == '"' and not beside.exists() and not (root / "tests" / target).exists():
            return f'includes "{target}", which does not exist'
        return None
    pieces = target.split("/")
    generated = part and root / "src/stiction" / pieces[1] / "CMakeExtra.cmake"
    if not (root / "src" / target).exists():
        if not (generated and generated.exists() and pieces[-1] in generated.read_text()):
            return f'includes "{target}", which does not exist'
    if part in (None, *OUTSIDE):
        return None
    if len(pieces) == 2:
        return f'includes the umbrella "{target}", which is for users'
    other = pieces[1]
    if other not in LEVEL:
        return f'includes the unknown part "{other}"'
    if part.endswith(".h"):  # src/stiction/stiction.h stands on the level of world
        return None if LEVEL[other] <= LEVEL["world"] else f'includes "{target}" from above'
    if part not in LEVEL:
        return f"belongs to an unknown part; known: {', '.join(LEVEL)}"
    if other == part:
        return None
    if (part, other) in NEVER:
        return f'includes "{target}": {part} must not know {other}'
    if LEVEL[other] >= LEVEL[part]:
        return f'includes "{target}": {other} (level {LEVEL[other]}) is not below {part} (level {LEVEL[part]})'
    return None


def check_code(root, name, lines):
    part = part_of(name)
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            fault = include_fault(root, name, part, *match.groups())
            if fault:
                yield f"{name}:{number}: {fault}"


def check_links(root, name, lines):
    """Markdown links relative to the file, and paths from the root named in the text."""
    markdown = name.endswith(".md")
    for number, line in enumerate(lines, 1):
        links = LINK.findall(line) if markdown else []
        for link in links:
            if re.match(r"[a-z]+:|#", link):
                continue
            target = link.split("#")[0]
            if not ((root / name).parent / target).exists():
                yield f"{name}:{number}: dead link {link}"
        rest = LINK.sub("", line)
        for match in PATH_IN_TEXT.finditer(rest):
            path = match.group(1)
            following = rest[match.end():match.end() + 1]
            if following and following in "<*{$":  # a pattern, not a path
                continue
            if not (root / path).exists() and not ((root / name).parent / path).exists():
                yield f"{name}:{number}: names {path}, which does not exist"


def check_words(name, lines):
    for number, line in enumerate(lines, 1):
        if OWN_MACHINE.search(line):
            yield f"{name}:{number}: a path of somebody's own machine: {line.strip()[:100]}"
        if UNFINISHED.search(line):
            yield f"{name}:{number}: unfinished: {line.strip()[:100]}"


def check(root):
    faults = []
    for name in files_of(root):
        path = root / name
        if path.suffix not in TEXT or name.startswith(("third_party/", "LICENSE")) or "/third_party/" in name:
            continue
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        if path.suffix in CODE:
            faults += check_code(root, name, lines)
        if path.suffix in CODE or path.suffix == ".md":
            faults += check_links(root, name, lines)
        faults += check_words(name, lines)
    return faults


CLEAN = {
    "src/stiction/base/a.h": "#pragma once\n#include <vector>\n",
    "src/stiction/model/m.h": '#include "stiction/base/a.h"\n',
    "src/stiction/world/w.h": '#include "stiction/model/m.h"\n// see docs/a.md\n',
    "src/stiction/stiction.h": '#include "stiction/world/w.h"\n',
    "docs/a.md": "[source](../src/stiction/base/a.h) and `src/stiction/<part>/` and `scenes/*.json` and [web](https://a.b)\n",
}
FAULTS = {  # file -> (content, piece of the message)
    "src/stiction/base/up.h": ('#include "stiction/world/w.h"\n', "is not below base"),
    "src/stiction/math/side.h": ('#include "stiction/ledger/l.h"\n', "does not exist"),
    "src/stiction/collision/beside.h": ('#include "stiction/model/m.h"\n', "is not below collision"),
    "src/stiction/magic/n.h": ('#include "stiction/base/a.h"\n', "unknown part"),
    "src/stiction/step/third.cpp": ("#include <hdf5.h>\n", "only record may use"),
    "apps/cli/snake.cpp": ("#include <pybind11/numpy.h>\n", "only bindings may use"),
    "src/stiction/step/short.cpp": ('#include "third.h"\n', "reads the same when installed"),
    "src/stiction/model/umbrella.cpp": ('#include "stiction/stiction.h"\n', "for users"),
    "docs/dead.md": ("see [there](nowhere.md)\n", "dead link nowhere.md"),
    "docs/path.md": ("see `src/stiction/base/gone.h`.\n", "names src/stiction/base/gone.h"),
    "docs/machine.md": ("run it in /ho" "me/me/x\n", "own machine"),
    "src/stiction/base/later.h": ("// TO" "DO later\n", "unfinished"),
}


def self_test():
    failed = 0
    for fault in [None, *FAULTS]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            files = dict(CLEAN)
            if fault:
                files[fault] = FAULTS[fault][0]
            for name, content in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content)
            found = check(root)
            good = len(found) == 1 and FAULTS[fault][1] in found[0] if fault else not found
            if not good:
                failed += 1
                print(f"self-test: {fault or 'clean tree'}: found {found}")
    print(f"self-test: {len(FAULTS) + 1 - failed} of {len(FAULTS) + 1} as expected")
    return failed


def main():
    if sys.argv[1:] == ["--self-test"]:
        return 1 if self_test() else 0
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent).resolve()
    faults = check(root)
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults" if faults else "includes, links and words are fine")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
