"""Every test runs in an empty folder that holds my.json, the box on an incline of `stiction new box`.

PYTHONPATH finds the module; STICTION_PROGRAM is the program.
"""
import os
import pathlib
import shutil
import subprocess

import pytest

import stiction

PROGRAM = os.path.abspath(os.environ["STICTION_PROGRAM"])
SOURCE = pathlib.Path(os.environ.get("STICTION_SOURCE", pathlib.Path(__file__).parents[2]))


def program(*words, status=0):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def starter(tmp_path_factory):
    """A folder with my.json and the recording that `stiction run my.json` made of it."""
    path = tmp_path_factory.mktemp("starter")
    program("new", "box", str(path / "my.json"), "--json")
    program("run", str(path / "my.json"), "--out", str(path / "out/my"), "--json")
    return path


@pytest.fixture(autouse=True)
def folder(starter, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(starter / "my.json", tmp_path)
    return tmp_path


@pytest.fixture
def world():
    """The box on its incline, at rest: bodies `slope` and `box`."""
    return stiction.build(stiction.load("my.json"))


def drop_scene(count=1):
    """Balls of 0.1 m radius and 1 kg, 0.5 m above a floor and a metre apart."""
    scene = stiction.Scene(gravity=[0, 0, -9.81])
    scene.add_body("floor", kind=stiction.fixed, shape=stiction.HalfSpace([0, 0, 1]))
    for i in range(count):
        scene.add_body(f"ball.{i}", shape=stiction.Sphere(0.1), mass=1, position=[i, 0, 0.6])
    return scene


@pytest.fixture
def drop():
    return stiction.build(drop_scene(3), step=0.01)
