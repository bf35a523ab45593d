"""Docstrings: everything public has one, every class and function an example, and the examples are true. Stubs: as the module."""
import ast
import doctest
import inspect
import pathlib
import shutil

import numpy as np
import pytest

import stiction

PUBLIC = sorted(stiction.__all__)
CLASSES = [name for name in PUBLIC if isinstance(getattr(stiction, name), type)]
FUNCTIONS = [name for name in PUBLIC if not isinstance(getattr(stiction, name), type) and callable(getattr(stiction, name))]


def members(cls):
    return {name: value for name, value in vars(cls).items() if not name.startswith("_")}


def methods(name):
    return {key: value for key, value in members(getattr(stiction, name)).items() if callable(value)}


def documented():
    yield "stiction", stiction.__doc__
    for name in CLASSES + FUNCTIONS:
        yield name, getattr(stiction, name).__doc__
    for name in CLASSES:
        for key, value in members(getattr(stiction, name)).items():
            yield f"{name}.{key}", value.__doc__


TEXTS = dict(documented())


@pytest.mark.parametrize("name", TEXTS)
def test_everything_is_documented(name):
    text = TEXTS[name] or ""
    owner = name.split(".")[0]
    if owner in ("BodyKind", "ContactState", "JointKind", "ConstraintKind", "CurveKind", "RollingKind", "PfaffianAxes", "ImpactLaw",
                 "Method", "SolverChoice", "Stabilisation", "Activation") and "." in name:
        return  # the values of an enumeration
    assert len(text.strip()) > 2, name
    is_call = name in CLASSES + FUNCTIONS or name.split(".")[-1] in methods(owner) if "." in name else True
    if is_call:
        assert ">>>" in text, f"{name} has no example"


@pytest.mark.parametrize("name", [name for name, text in TEXTS.items() if text and ">>>" in text])
def test_the_examples_are_true(name, starter, folder):
    scene = stiction.Scene()
    scene.add_body("box", shape=stiction.Box([1, 1, 1]), mass=1)
    shutil.copytree(starter / "out", folder / "out")
    world = stiction.build(stiction.load("my.json"))
    words = {"stiction": stiction, "np": np, "scene": scene, "world": world,
             "report": stiction.build(stiction.load("my.json")).step(),
             "recording": stiction.Recording("out/my/recording.h5")}
    if name == "RecordingInProgress.finish":
        words["recording"] = world.record("out/here")
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(TEXTS[name]), words, name, None, None)
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def stub():
    return ast.parse((pathlib.Path(stiction.__file__).parent / "__init__.pyi").read_text())


def test_the_stub_names_what_the_module_has():
    tree = stub()
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert set(classes) == set(CLASSES)
    assert functions == set(FUNCTIONS)
    values = {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert values == set(PUBLIC) - set(CLASSES) - set(FUNCTIONS) | {"__version__"}
    for name, node in classes.items():
        written = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} | {
            n.target.id for n in node.body if isinstance(n, ast.AnnAssign)} | {
            t.id for n in node.body if isinstance(n, ast.Assign) for t in n.targets}
        there = set(members(getattr(stiction, name)))
        if name == "Error":
            there = {"mistakes"}
        if name == "StepRefused":
            there = {"report", "run"}
        assert {n for n in written if not n.startswith("_")} == there, name


DESCRIBED = {"add_surface": stiction.SurfaceDescription, "add_surface_pair": stiction.SurfacePairDescription}


def test_the_stub_has_the_arguments_of_the_module():
    """Against the signature that pybind11 writes into each docstring."""
    checked = 0
    for node in stub().body:
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            if not isinstance(function, ast.FunctionDef) or function.name.startswith("__"):
                continue
            if any(isinstance(d, ast.Name) and d.id == "property" for d in function.decorator_list):
                continue
            owner = getattr(stiction, node.name) if isinstance(node, ast.ClassDef) else stiction
            text = getattr(owner, function.name).__doc__.splitlines()[0]
            if not text.startswith(function.name + "("):
                continue
            named = [p.split(":")[0].strip() for p in split_arguments(text)]
            expected = [a.arg for a in function.args.args if a.arg != "self"]
            if function.name in DESCRIBED:  # the fields of a description, by place or by name
                named = [n for n in named if not n.startswith("*")]
                named += [n for n in members(DESCRIBED[function.name]) if n not in named]
            assert [n for n in named if n not in ("self", "**kwargs")] == expected, text
            assert ("**kwargs" in named) == bool(function.args.kwonlyargs), text
            checked += 1
    assert checked > 30


def split_arguments(signature):
    inside = signature[signature.index("(") + 1:signature.rindex(") ->")]
    depth, parts, start = 0, [], 0
    for i, c in enumerate(inside):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(inside[start:i])
            start = i + 1
    return [p for p in parts + [inside[start:]] if p.strip()]


def test_fields_of_add_body_are_in_the_stub():
    tree = stub()
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    fields = set(members(stiction.BodyDescription))
    for owner in ("Scene", "World"):
        add = next(n for n in classes[owner].body if isinstance(n, ast.FunctionDef) and n.name == "add_body")
        assert {a.arg for a in add.args.kwonlyargs} == fields
    build = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "build")
    assert {a.arg for a in build.args.kwonlyargs} == set(members(stiction.RunSettings))
