#!/usr/bin/env python3
"""shape_pictures.py DRAW_SHAPES: docs/shapes.md shows what draw_shapes draws, all of it. Places may differ by a rounding of the picture's
units, as between machines; nothing else may."""
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).parents[2] / "docs"


NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
ROUNDING = 0.11  # [units of the picture] places have one digit behind the point


def outline(path):
    """What is drawn without its numbers, and these."""
    drawn = re.sub(r"<style>.*?</style>", "", path.read_text(encoding="utf-8"))  # colours are no matter
    return NUMBER.sub("#", drawn), [float(x) for x in NUMBER.findall(drawn)]


def same(a, b):
    return a[0] == b[0] and all(abs(x - y) <= ROUNDING for x, y in zip(a[1], b[1]))


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], folder], check=True, stdout=subprocess.DEVNULL)
    drawn = {p.name: outline(p) for p in pathlib.Path(folder).glob("*.svg")}
kept = {p.name: outline(p) for p in (DOCS / "images/shapes").glob("*.svg")}
shown = set(re.findall(r"images/shapes/([\w-]+\.svg)", (DOCS / "shapes.md").read_text(encoding="utf-8")))
wrong = [f"{name}: drawn {name in drawn}, kept {name in kept}, shown {name in shown}"
         for name in sorted(drawn.keys() | kept.keys() | shown) if not (name in drawn and name in kept and name in shown)]
wrong += [f"{name}: no body is drawn" for name, (text, _) in sorted(drawn.items()) if re.search(r"<title>above</title>\s*</g>", text)]
wrong += [f"{name}: not what draw_shapes draws" for name in sorted(drawn.keys() & kept.keys()) if not same(drawn[name], kept[name])]
sys.exit("\n".join(wrong + ["see docs/shapes.md for the command that draws them"]) if wrong else 0)
