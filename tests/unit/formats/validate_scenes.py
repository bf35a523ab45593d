#!/usr/bin/env python3
"""Validates every scene and every starter scene against schema/scene.schema.json with an independent validator.

usage: validate_scenes.py ROOT
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("validate_scenes.py needs the Debian package python3-jsonschema")


def plain(text):
    """JSON without comments and trailing commas; texts are left alone."""
    out, i = [], 0
    while i < len(text):
        if text[i] == '"':
            end = re.compile(r'"(\\.|[^"\\])*"').match(text, i).end()
            out.append(text[i:end])
            i = end
        elif text.startswith("//", i):
            i = text.find("\n", i) if "\n" in text[i:] else len(text)
        elif text.startswith("/*", i):
            i = text.index("*/", i) + 2
        elif text[i] == "," and re.match(r",(\s|//[^\n]*\n)*[}\]]", text[i:]):
            i += 1
        else:
            out.append(text[i])
            i += 1
    return json.loads("".join(out))


BAD = [
    {},
    {"stiction": 2},
    {"stiction": 1, "gravty": [0, 0, 0]},
    {"stiction": 1, "gravity": [0, 0]},
    {"stiction": 1, "bodies": {"a": {"densty": 1}}},
    {"stiction": 1, "bodies": {"a": {"mass": -1}}},
    {"stiction": 1, "bodies": {"a": {"shape": {"sphere": 1, "box": [1, 1, 1]}}}},
    {"stiction": 1, "bodies": {"a": {"orientation": {"axis": [1, 0, 0]}}}},
    {"stiction": 1, "run": {"solver": "newtn"}},
    {"stiction": 1, "run": {"step": "0.1"}},
    {"stiction": 1, "forces": {"f": {}}},
]


def main():
    root = pathlib.Path(sys.argv[1])
    schema = json.loads((root / "schema/scene.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    scenes = {str(p.relative_to(root)): p.read_text(encoding="utf-8") for p in sorted((root / "scenes").rglob("*.json"))}
    source = (root / "src/stiction/formats/starter.cpp").read_text(encoding="utf-8")
    for i, text in enumerate(re.findall(r'R"scene\((.*?)\)scene"', source, re.S)):
        scenes[f"starter {i}"] = text
    if len(scenes) < 17:
        sys.exit(f"found only {len(scenes)} scenes")
    failures = 0
    for name, text in scenes.items():
        for error in validator.iter_errors(plain(text)):
            failures += 1
            print(f"{name}: {'.'.join(map(str, error.absolute_path))}: {error.message}")
    for scene in BAD:
        if validator.is_valid(scene):
            failures += 1
            print(f"the schema accepts {json.dumps(scene)}")
    print(f"{len(scenes)} scenes valid, {len(BAD)} bad ones refused" if failures == 0 else f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
