"""Rays, casts, the nearest body and overlaps, against closed forms."""
import math

import pytest

import stiction


@pytest.fixture
def room():
    scene = stiction.Scene(gravity=[0, 0, -10])
    scene.add_body("floor", kind=stiction.fixed, shape=stiction.HalfSpace([0, 0, 1]))
    scene.add_body("ball", shape=stiction.Sphere(0.5), mass=1, position=[0, 0, 2])
    scene.add_body("box", shape=stiction.Box([1, 1, 1]), mass=1, position=[3, 0, 0.5])
    return stiction.build(scene, step=0.01)


def test_a_ray_meets_a_sphere_where_it_should(room):
    hit = room.queries().ray([-2, 0, 2.3], [3, 0, 0], length=5)
    assert room.name_of(hit.body) == "ball"
    assert hit.distance == pytest.approx(2 - math.sqrt(0.5**2 - 0.3**2), abs=1e-9)  # first contact's own tolerance
    assert hit.point == pytest.approx([-0.4, 0, 2.3], abs=1e-9)
    assert hit.normal == pytest.approx([-0.8, 0, 0.6], abs=1e-8)
    assert room.queries().ray([-2, 0, 2.3], [3, 0, 0], length=1.5) is None


def test_a_cast_box_stops_at_the_other(room):
    hit = room.queries().cast(stiction.Box([0.5, 0.5, 0.5]), [0.6, 0, 0.5], [4, 0, 0])
    assert room.name_of(hit.body) == "box"
    assert hit.distance == pytest.approx(3 - 0.5 - 0.25 - 0.6, abs=1e-9)
    assert hit.normal == pytest.approx([-1, 0, 0], abs=1e-12)


def test_the_nearest_body_and_the_depth_inside(room):
    asked = room.queries()
    hit = asked.closest([0, 0, 3], within=1)
    assert (room.name_of(hit.body), hit.distance) == ("ball", pytest.approx(0.5, abs=1e-12))
    assert asked.closest([0, 0, 3], within=0.4) is None
    assert asked.closest([3, 0, 0.9], within=1).distance == pytest.approx(-0.1, abs=1e-12)


def test_overlaps_are_asked_of_whom_one_wants(room):
    asked = room.queries()
    everything = stiction.Sphere(4)
    names = [room.name_of(body) for body in asked.overlapping(everything, [1, 0, 1])]
    assert names == ["floor", "ball", "box"]
    box = room.body("box")
    assert asked.overlapping(everything, [1, 0, 1], wanted=lambda body: body == box) == [box]


def test_queries_see_the_world_as_it_was_at_the_last_look(room):
    asked = room.queries()
    room.run(until=0.3)
    z = float(room.position[room.body("ball"), 2])
    assert z < 1.7
    assert asked.ray([0, 0, 9], [0, 0, -1], length=9).distance == pytest.approx(6.5, abs=1e-9)
    asked.look()
    assert asked.ray([0, 0, 9], [0, 0, -1], length=9).distance == pytest.approx(9 - z - 0.5, abs=1e-9)


@pytest.mark.parametrize("ask, words", [
    (lambda q: q.ray([0, 0, 1], [0, 0, 0], length=1), "must not be zero"),
    (lambda q: q.ray([0, 0, math.nan], [0, 0, 1], length=1), "three finite numbers"),
    (lambda q: q.ray([0, 0, 1], [0, 0, 1], length=-1), "a length in m"),
    (lambda q: q.closest([0, 0, 1], within=math.inf), "a length in m"),
    (lambda q: q.overlapping(stiction.HalfSpace([0, 0, 1]), [0, 0, 1]), "convex and bounded"),
    (lambda q: q.cast(stiction.Sphere(-1), [0, 0, 3], [0, 0, -1]), "radius"),
    (lambda q: q.cast(stiction.Box([0, -1, math.nan]), [0, 0, 3], [0, 0, -1]), "box"),
    (lambda q: q.cast(stiction.Sphere(1), [0, 0, 3], [0, 0, -1], orientation=[0, 0, 0, 0]), "orientation"),
])
def test_what_cannot_be_asked(room, ask, words):
    with pytest.raises(stiction.Error, match=words):
        ask(room.queries())


def test_a_filter_that_raises_is_heard(room):
    def broken(body):
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        room.queries().ray([0, 0, 9], [0, 0, -1], length=9, wanted=broken)
