#!/usr/bin/env python3
"""shape_pictures.py DRAW_SHAPES: docs/shapes.md shows what draw_shapes draws, all of it. Numbers may differ in their last digit between
machines, so they are left out of the comparison; what is drawn may not."""
import pathlib
import re
import subprocess
import sys
import tempfile

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def outline(path):
    drawn = re.sub(r"<style>.*?</style>", "", path.read_text(encoding="utf-8"))  # colours are no matter
    return re.sub(r"-?\d+(\.\d+)?", "#", drawn)


with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.argv[1], folder], check=True, stdout=subprocess.DEVNULL)
    drawn = {p.name: outline(p) for p in pathlib.Path(folder).glob("*.svg")}
kept = {p.name: outline(p) for p in (DOCS / "images/shapes").glob("*.svg")}
shown = set(re.findall(r"images/shapes/([\w-]+\.svg)", (DOCS / "shapes.md").read_text(encoding="utf-8")))
wrong = [f"{name}: drawn {name in drawn}, kept {name in kept}, shown {name in shown}"
         for name in sorted(drawn.keys() | kept.keys() | shown) if not (name in drawn and name in kept and name in shown)]
wrong += [f"{name}: no body is drawn" for name, text in sorted(drawn.items()) if re.search(r"<title>above</title>\s*</g>", text)]
wrong += [f"{name}: not what draw_shapes draws" for name in sorted(drawn.keys() & kept.keys()) if drawn[name] != kept[name]]
sys.exit("\n".join(wrong + ["see docs/shapes.md for the command that draws them"]) if wrong else 0)
