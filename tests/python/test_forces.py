"""Every scene that comes with the program can be read, and its books add up."""

import pathlib

import pytest
import stiction

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"


@pytest.mark.parametrize("name", ["orbit", "golf_ball", "atoms", "torsion_pendulum"])
def test_forces_of_every_kind_are_seen(name):
    world = stiction.build(stiction.load(SCENES / f"{name}.json"))
    forces = world.scene.forces
    assert forces
    for force in forces.values():
        assert type(force).__name__ in repr(force)
    world.step()
    ledger = world.ledger()
    parts = ledger["gravity_potential"] + ledger["spring_potential"] + ledger["pair_potential"]
    assert ledger["potential"] == pytest.approx(parts, rel=1e-15)


def test_two_bodies_attract_each_other():
    scene = stiction.Scene(gravity=[0, 0, 0])
    for name, x in (("a", -1.0), ("b", 1.0)):
        scene.add_body(name, stiction.BodyDescription(shape=stiction.Sphere(0.1), mass=2, position=[x, 0, 0], collides=False))
    scene.add_force("pull", stiction.Gravitation(constant=1))
    world = stiction.build(scene, step=0.01)
    world.step()
    # acceleration G m / d^2 = 2 / 4, over one step of 0.01 s
    assert world.velocity[0, 0] == pytest.approx(0.005, rel=1e-12)
    assert world.ledger()["pair_potential"] < 0


def test_warnings_name_the_spring():
    scene = stiction.Scene()
    scene.add_body("weight", mass=1, particle=True, position=[0, 0, 1])
    scene.add_force("suspension", stiction.SpringDamper(b="weight", stiffness=100, rest_length=1))
    # 2 / sqrt(k / m) = 0.2 s
    assert stiction.build(scene, step=0.1).warnings() == []
    world = stiction.build(scene, step=0.3)
    assert world.warnings() == ["step 0.3 s, stable below 0.2 s for spring 'suspension'"]
    world.remove_body("weight")
    assert world.warnings() == []
