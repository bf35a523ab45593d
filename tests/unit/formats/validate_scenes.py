#!/usr/bin/env python3
"""Validates every scene and every starter scene against schema/scene.schema.json, and every problem against
schema/problem.schema.json, with an independent validator.

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

LCP = {"M": [[1]], "q": [1]}
BAD_PROBLEMS = [
    {"lcp": LCP},
    {"stiction": 2, "lcp": LCP},
    {"stiction": 1},
    {"stiction": 1, "lcp": LCP, "mcp": {"F": ["x[0]"]}},
    {"stiction": 1, "lpc": LCP},
    {"stiction": 1, "lcp": {"M": [[1]]}},
    {"stiction": 1, "lcp": {**LCP, "free": 1}},
    {"stiction": 1, "mixed_lcp": {**LCP, "free": 0.5}},
    {"stiction": 1, "boxed_lcp": {**LCP, "lower": ["low"]}},
    {"stiction": 1, "lcp": {"M": {"entries": [[0, 0]]}, "q": [1]}},
    {"stiction": 1, "mcp": {"F": [1]}},
    {"stiction": 1, "mcp": {"F": [{"repeat": -1, "F": "x[0]"}]}},
]


def check(schema, texts, bad, fewest):
    """Number of failures: texts that the schema refuses, bad documents that it accepts."""
    schema = json.loads(schema.read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    if len(texts) < fewest:
        sys.exit(f"found only {len(texts)} files")
    failures = 0
    for name, text in texts.items():
        for error in validator.iter_errors(plain(text)):
            failures += 1
            print(f"{name}: {'.'.join(map(str, error.absolute_path))}: {error.message}")
    for document in bad:
        if validator.is_valid(document):
            failures += 1
            print(f"the schema accepts {json.dumps(document)}")
    if failures == 0:
        print(f"{schema['title']}: {len(texts)} valid, {len(bad)} bad ones refused")
    return failures


def files_in(root, folder):
    return {str(p.relative_to(root)): p.read_text(encoding="utf-8") for p in sorted((root / folder).rglob("*.json"))}


def main():
    root = pathlib.Path(sys.argv[1])
    scenes = files_in(root, "scenes")
    source = (root / "src/stiction/formats/starter.cpp").read_text(encoding="utf-8")
    for i, text in enumerate(re.findall(r'R"scene\((.*?)\)scene"', source, re.S)):
        scenes[f"starter {i}"] = text
    failures = check(root / "schema/scene.schema.json", scenes, BAD, 17)
    failures += check(root / "schema/problem.schema.json", files_in(root, "problems"), BAD_PROBLEMS, 6)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
