"""Wrong input: the messages of the command, and never a crash."""
import json
import pickle
import random

import numpy as np
import pytest
from conftest import drop_scene, program

import stiction

BROKEN = [
    '{"stiction": 1, "bodies": {"box": {"shape": {"sphere": -1}, "mass": 1}}}',
    '{"stiction": 1, "gravty": [0, 0, 1], "bodies": {"a": {"density": "x"}}}',
    '{"stiction": 1, "bodies": {"a": {"mass": 1, "mass": 2}}}',
    '{"stiction": 2}',
    '{"stiction": 1, "bodies": {"b": {"mass": 1, "shape": {"sphere": 1}}}, "run": {"step": 0, "solver": "magic"}}',
    '{"stiction": 1, "bodies": {"b": {"mass": 1, "shape": {"sphere": 1}}}, "record": {"plot": ["c.position"]}}',
    '{"stiction": 1, "joints": {"j": {"planar": {"body": "nobody"}}}}',
    '{', '', '[1, 2', '\x00' * 100, '{"stiction": 1, "a": 1e999}',
]


@pytest.mark.parametrize("text", BROKEN)
def test_the_messages_of_the_command(text, folder):
    (folder / "broken.json").write_text(text)
    said = json.loads(program("check", "broken.json", "--json", status=2))["mistakes"]
    with pytest.raises(stiction.Error) as error:
        stiction.build(stiction.load("broken.json"))
    found = [{key: getattr(m, key) for key in ("file", "line", "column", "path", "message")}
             for m in error.value.mistakes]
    assert found == said
    assert str(error.value) == "\n".join(str(m) for m in error.value.mistakes)
    assert isinstance(error.value, ValueError)


def test_bytes_that_are_no_text(folder):
    (folder / "bytes.json").write_bytes(b'{"stiction": 1, "\xff\xfe": {"b\xc3": 1}, "bodies": {"\xe9": {"mass": 1}}}')
    with pytest.raises(stiction.Error) as error:
        stiction.build(stiction.load("bytes.json"))
    assert str(error.value) and all(m.message + m.path for m in error.value.mistakes) and repr(error.value.mistakes)
    with pytest.raises((ValueError, TypeError)):
        stiction.Scene().add_body("\ud800", mass=1)
    with pytest.raises(ValueError):
        stiction.build(stiction.load("my.json")).contacts("\ud800")


def test_set_as_the_command():
    said = program("check", "my.json", "--set", "run.step=-1", "--set", "bodies.bx.density=3", "--json", status=2)
    with pytest.raises(stiction.Error) as error:
        stiction.load("my.json", set={"run.step": -1, "bodies.bx.density": 3})
    assert [m.message for m in error.value.mistakes] == [m["message"] for m in json.loads(said)["mistakes"]]


@pytest.mark.parametrize("setting", ["method", "solver", "stabilisation", "activation"])
def test_settings_that_are_one_of_a_few(setting):
    """Values are enums and texts at once; an unknown word is told as the command tells it."""
    said = program("check", "my.json", "--set", f"run.{setting}=magic", "--json", status=2)
    message = json.loads(said)["mistakes"][0]["message"]
    assert message.startswith('unknown word "magic", allowed: ')
    settings = stiction.RunSettings()
    with pytest.raises(stiction.Error) as error:
        setattr(settings, setting, "magic")
    assert [(m.path, m.message) for m in error.value.mistakes] == [(f"RunSettings.{setting}", message)]
    with pytest.raises(stiction.Error) as error:
        stiction.build(stiction.load("my.json"), **{setting: "magic"})
    assert [(m.path, m.message) for m in error.value.mistakes] == [(f"run.{setting}", message)]
    with pytest.raises(stiction.Error, match="its word, such as stiction"):
        setattr(settings, setting, 3)
    kind = type(getattr(settings, setting))
    assert kind is getattr(stiction, kind.__name__) and kind.__module__ == "stiction"
    for value in kind:
        for given in (value, value.value):
            setattr(settings, setting, given)
            found = getattr(settings, setting)
            assert found is value and found == value.value and str(found) == f"{found}" == value.value
            assert {value.value: 1}[found] == 1 and json.dumps(found) == f'"{value.value}"'
            assert pickle.loads(pickle.dumps(found)) is value


def test_all_mistakes_of_a_scene_at_once():
    scene = stiction.Scene()
    scene.add_body("a", shape=stiction.Sphere(-1), mass=-2)
    scene.add_body("a", shape=stiction.Box([1, 0, 1]), density=1, surface="none")
    with pytest.raises(stiction.Error) as error:
        stiction.build(scene, step=-1, tolerance=1)
    paths = [m.path for m in error.value.mistakes]
    assert {"run.step", "run.tolerance", "bodies.a.shape.sphere"} <= set(paths) or len(paths) >= 5, paths


def test_fields_by_name():
    scene = stiction.Scene()
    with pytest.raises(stiction.Error) as error:
        scene.add_body("a", densty=1, mass="heavy", position=[1, 2], shape=3, particle=1)
    assert [(m.path, m.message.split(";")[0]) for m in error.value.mistakes] == [
        ("bodies.a.densty", "is not known here"),
        ("bodies.a.mass", "found 'heavy', must be a number"),
        ("bodies.a.position", "found [1, 2], must be three numbers"),
        ("bodies.a.shape", "found 3, must be a shape such as Sphere, Box, Capsule, Cylinder, Hull, Compound or HalfSpace, or None"),
        ("bodies.a.particle", "found 1, must be True or False")]
    assert 'did you mean "density"?' in error.value.mistakes[0].message
    assert not scene.bodies
    with pytest.raises(stiction.Error, match="at most 1 values"):
        stiction.Sphere(1, 2)
    with pytest.raises(stiction.Error, match="is given twice"):
        stiction.Sphere(1, radius=2)
    ball = stiction.Sphere(1)
    with pytest.raises(stiction.Error, match="Sphere.radius"):
        ball.radius = "wide"
    with pytest.raises(stiction.Error, match="BodyDescription"):
        scene.add_body("a", stiction.Sphere(1))


def test_bodies_that_are_not_there(drop):
    for which, words in (("bal.0", 'did you mean "ball.0"'), (99, "index 99"), (-1, "index -1"), (10 ** 30, "index")):
        with pytest.raises(stiction.Error, match=words):
            drop.input.force(which, [0, 0, 0])
    with pytest.raises(TypeError, match="a BodyId, a name or an index"):
        drop.contacts(1.5)
    ball = drop.body("ball.0")
    drop.remove_body(ball)
    for call in (lambda: drop.input.force(ball, [1, 0, 0]), lambda: drop.remove_body(ball), lambda: drop.contacts(1),
                 lambda: drop.teleport(ball, [0, 0, 0], [1, 0, 0, 0]), lambda: drop.interpolated(ball, 0),
                 lambda: drop.body("ball.0")):
        with pytest.raises(stiction.Error):
            call()
    assert drop.step().converged


def test_ids_of_other_worlds(drop):
    many = stiction.build(drop_scene(50))
    stranger = many.body("ball.40")
    for call in (drop.name_of, drop.contacts, drop.remove_body, lambda b: drop.input.force(b, [0, 0, 1])):
        with pytest.raises(stiction.Error, match="does not exist"):
            call(stranger)
    assert not drop.is_alive(stranger)
    scene = drop_scene()
    sensors = [scene.add_sensor(f"s{i}", stiction.Sphere(1)) for i in range(3)]
    with pytest.raises(stiction.Error, match="sensor does not exist"):
        drop.overlaps(sensors[2])


@pytest.mark.parametrize("rows", [np.zeros((3, 3)), np.zeros((4, 2)), np.zeros(4), np.zeros((4, 3, 1)), [[0, 0, 0]]])
def test_inputs_of_the_wrong_shape(drop, rows):
    with pytest.raises(stiction.Error, match="each of the 4 bodies"):
        drop.input.forces(rows)


def test_what_cannot_be(drop):
    with pytest.raises(TypeError):
        stiction.World()
    with pytest.raises(TypeError):
        stiction.build("my.json")
    with pytest.raises(TypeError):
        drop.restore("text")
    with pytest.raises(stiction.Error):
        drop.run(until=-1)
    with pytest.raises(stiction.Error):
        drop.run(until=float("nan"))
    with pytest.raises(stiction.Error):
        stiction.load("no.json")
    with pytest.raises(stiction.Error):
        stiction.load(".")
    with pytest.raises(stiction.Error):
        stiction.Recording("my.json")
    with pytest.raises(stiction.Error):
        stiction.Recording("no.h5", memory=1)
    with pytest.raises(TypeError):
        stiction.loads({"a": object()})
    import copy
    import pickle
    for clone in (copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            clone(drop)


def test_damaged_states_are_refused_or_harmless(drop):
    """A thousand states with flipped bytes: restore() says no, or the world steps on."""
    drop.run(until=0.5)  # with contacts
    whole, rng = drop.save(), random.Random(1)
    taken = 0
    for _ in range(1000):
        bad = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        try:
            drop.restore(bytes(bad[:rng.randrange(len(bad))] if rng.random() < 0.1 else bad))
            taken += 1
        except stiction.Error:
            continue
        if taken % 20 == 0:
            assert drop.step(refused="report").status in ("converged", "unconverged", "refused")
            drop.contact_events()
    assert taken > 100
    drop.restore(whole)
    assert drop.step().converged


def test_any_argument_anywhere(drop):
    """Every method with every kind of nonsense: exceptions, no crash."""
    recording = None
    with drop.record("out/x") as made:
        drop.run(until=0.05)
    recording = stiction.Recording(made.path)
    scene = drop_scene()
    nonsense = [None, 0, -1, 2 ** 70, 1.5, float("nan"), "", "x", "\ud800", b"\0", [], [1, 2, 3], [[1]], {}, object(),
                np.zeros((2, 2)), np.zeros(0), drop, scene, drop.body("ball.0"), stiction.Sphere(1), ValueError]
    rng = random.Random(2)
    calls = 0
    for owner in (drop, scene, recording, drop.input, stiction):
        for name in dir(owner):
            member = getattr(owner, name, None)
            if name.startswith("_") or not callable(member) or name in ("record", "run", "edit"):
                continue
            for _ in range(60):
                arguments = [rng.choice(nonsense) for _ in range(rng.randrange(4))]
                calls += 1
                try:
                    member(*arguments)
                except (ValueError, TypeError, IndexError, OverflowError, AttributeError, OSError):
                    pass
    assert calls > 1000
    drop.step()


def test_a_list_of_names_says_what_it_wants():
    with pytest.raises(stiction.Error, match=r"Gravitation.bodies: found 3, must be a list of texts"):
        stiction.Gravitation(bodies=3)
