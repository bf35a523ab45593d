"""Recordings: made here or by the command, read into arrays."""
import json

import numpy as np
import pytest
from conftest import drop_scene, program

import stiction


@pytest.fixture
def said():
    return json.loads(program("run", "my.json", "--json"))


def test_a_recording_of_the_command(said):
    r = stiction.Recording(said["recording"])
    box = r.body("box")
    assert len(r) == 101 and r.position.shape == (101, 2, 3) and r.thinning == 1 and r.damage == ""
    assert r.time[-1] == said["time"] and r.step[-1] == said["steps"]
    assert r.position[-1, box].tolist() == said["final"]["box"]["position"]
    assert r.orientation[-1, box].tolist() == said["final"]["box"]["orientation"]
    assert r.velocity[-1, box].tolist() == said["final"]["box"]["velocity"]
    assert r.spin[-1, box].tolist() == said["final"]["box"]["spin"]
    assert f"{r.hash[-1]:016x}" == said["hash"] == r.summary["hash"]
    for cause, joules in said["ledger"]["booked"].items():
        assert r.ledger["booked"][cause][-1] == joules
    assert r.certificate["natural_map"].max() == said["certificate"]["natural_map"]
    assert r.tally["steps"].sum() == said["steps"] and r.tally["unconverged"].sum() == 0
    assert r.alive.all() and r.alive.shape == (101, 2)
    assert len(r.contacts) == r.contact_start[-1] and (r.contacts_of(-1) == r.contacts_of(100)).all()
    # every frame's contacts carry the normal part of the weight
    for frame in (5, 50, 100):
        c = r.contacts_of(frame)
        assert np.einsum("ij,ij->", c["force"], c["normal"]) == pytest.approx(0.2 ** 3 * 600 * 9.81 * np.cos(np.radians(25)))
    curves = r.trajectories("box.velocity")
    assert (curves["box.velocity.x"] == r.velocity[:, box, 0]).all()
    assert r.title == "Box on an incline" and r.settings.step == 0.01 and r.plot


def test_arrays_keep_the_recording_alive(said):
    z = stiction.Recording(said["recording"]).position[:, 1, 2]
    junk = [np.full(10000, 7.0) for _ in range(100)]
    assert z[-1] == said["final"]["box"]["position"][2] and not z.flags.writeable and junk


def test_the_same_file_through_h5py(said):
    h5py = pytest.importorskip("h5py")
    r = stiction.Recording(said["recording"])
    with h5py.File(said["recording"]) as file:
        assert (file["bodies/position"][:] == r.position).all()
        again = stiction.Recording(said["recording"])  # both libraries in one process
    assert (again.position == r.position).all()


def test_sums_of_pairs_are_those_of_the_world(world, folder):
    h5py = pytest.importorskip("h5py")
    with world.record(folder / "out/pairs") as making:
        world.run(until=0.2)
    (pair,), (recorded,) = world.contact_pairs(), stiction.Recording(making.path).pairs_of(-1)
    with h5py.File(making.path) as file:
        assert file["pairs/per_frame"][-1] == 1 and file["pairs/contacts"][-1] == pair["contacts"] == recorded["contacts"]
        for field in ("point", "force", "torque"):
            assert np.array_equal(file["pairs"][field][-1], pair[field]) and np.array_equal(recorded[field], pair[field])
        assert file["pairs/power"][-1] == pair["power"] == recorded["power"] < 0
    assert (recorded["a"], recorded["b"]) == ("slope", "box")


def test_recording_from_here(world, said, folder):
    with world.record(folder / "out/mine") as making:
        assert stiction.Recording(making.journal).summary is None  # readable while it is made
        world.run()
    r, other = stiction.Recording(making.path), stiction.Recording(said["recording"])
    assert (r.hash == other.hash).all() and (r.contacts["force"] == other.contacts["force"]).all()
    assert r.scene_text == other.scene_text and r.summary["ending"] == "reached the end"
    assert not (folder / "out/mine/recording.journal").exists()
    program("report", making.path, "--json")
    finished = json.loads(program("run", "my.json", "--resume", "--out", "out/mine", "--json"))
    assert finished["hash"] == said["hash"]


def test_the_command_goes_on_where_we_stopped(folder):
    world = stiction.build(stiction.load("my.json"), step=0.005, until=1)
    with pytest.raises(KeyboardInterrupt):
        with world.record("out/mine"):
            world.run(until=0.5)
            raise KeyboardInterrupt
    words = ("run", "my.json", "--step", "0.005", "--until", "1", "--json")
    resumed = json.loads(program(*words, "--resume", "--out", "out/mine"))
    assert resumed["hash"] == json.loads(program(*words, "--out", "out/whole"))["hash"]


def test_recording_a_scene_built_here(drop):
    making = drop.record("out/drop", name="balls", every=0.1, plot=["ball.0.position.z"])
    drop.input.force("ball.1", [1, 0, 0])
    drop.run(until=0.3)
    drop.add_body("late", shape=stiction.Sphere(0.1), mass=1, position=[9, 0, 1])
    drop.remove_body("ball.2")
    drop.run(until=0.6)
    making.finish()
    making.finish()  # once is enough
    r = stiction.Recording(making.path)
    assert making.path.endswith("out/drop/balls.h5") and r.plot == ["ball.0.position.z"]
    assert r.time == pytest.approx(np.arange(7) / 10)
    late, gone = r.body("late"), r.body("ball.2")
    assert np.isnan(r.position[0, late]).all() and r.position[-1, late, 2] < 1
    assert r.alive[0, gone] and not r.alive[-1, gone] and r.position.shape == (7, 5, 3)


def test_finishing_may_be_tried_again(drop, folder):
    making = drop.record("out/drop", every=0.1)
    drop.run(until=0.3)
    with drop.edit():
        with pytest.raises(stiction.Error, match="being edited"):
            making.finish()
    assert not (folder / "out/drop/recording.h5").exists()
    (folder / "out/drop/recording.h5/full").mkdir(parents=True)  # in the way
    with pytest.raises(stiction.Error, match="recording.h5"):
        making.finish()
    with pytest.raises(stiction.Error, match="already"):
        drop.record("out/y")
    (folder / "out/drop/recording.h5/full").rmdir()
    (folder / "out/drop/recording.h5").rmdir()
    drop.run(until=0.5)  # it went on being recorded
    making.finish()
    r = stiction.Recording(making.path)
    assert r.time[-1] == pytest.approx(0.5) and r.hash[-1] == int(drop.hash(), 16)
    assert r.summary is not None and not (folder / "out/drop/recording.journal").exists()


def test_mistakes_of_recording(drop):
    with pytest.raises(stiction.Error, match='ball.0'):
        drop.record("out/x", plot=["bll.0.position"])
    with pytest.raises(stiction.Error, match="record.every"):
        drop.record("out/x", every=-1)
    with pytest.raises(stiction.Error, match="record.parts"):
        drop.record("out/x", every=0.02, parts=True)
    with pytest.raises(stiction.Error):
        drop.record("/proc/nowhere/x")
    with drop.record("out/x"):
        with pytest.raises(stiction.Error, match="already"):
            drop.record("out/y")
    assert drop.step().converged


def test_a_broken_journal_is_read_up_to_there(folder):
    world = stiction.build(drop_scene())
    making = world.record("out/x")
    world.run(until=0.5)
    whole = (folder / "out/x/recording.journal").read_bytes()
    making.finish()
    for size in (len(whole) - 1, len(whole) // 2):
        (folder / "cut.journal").write_bytes(whole[:size])
        r = stiction.Recording("cut.journal")
        assert r.summary is None and 0 < len(r) <= 51 and (size % 2 or r.damage is not None)
    assert "lost" in r.damage or "broken" in r.damage or "cut" in r.damage, r.damage


def test_little_memory_thins(said):
    r = stiction.Recording(said["recording"], memory=20000)
    assert r.thinning > 1 and len(r) < 101


def test_reactions(folder):
    """A lamp of 2 kg on an arm of 1 m: its weight, and its weight times the arm."""
    scene = stiction.Scene(gravity=[0, 0, -10])
    scene.add_body("lamp", shape=stiction.Sphere(0.1), mass=2)
    scene.add_joint("hook", stiction.ConstraintJoint(stiction.ConstraintKind.lock, "lamp", at=[1, 0, 0]))
    world = stiction.build(scene, step=0.01)
    with world.record(folder / "out/lamp") as making:
        world.run(until=0.2)
    now = world.reaction("hook")
    assert now.at.tolist() == pytest.approx([1, 0, 0])
    assert now.force.tolist() == pytest.approx([0, 0, 20], abs=1e-9)
    assert now.torque.tolist() == pytest.approx([0, 20, 0], abs=1e-9)  # against (1, 0, 0) x (0, 0, 20)
    r = stiction.Recording(making.path)
    assert r.constraint_names == ["hook"] and r.joint_names == []
    force, torque = r.reaction_force("hook"), r.reaction_torque("hook")
    assert force.shape == (21, 3) and (force[0] == 0).all()  # no step led to the first frame
    assert (force[-1] == now.force).all() and (torque[-1] == now.torque).all()
    assert (r.trajectories("hook.force.z")["hook.force.z"] == force[:, 2]).all()
    assert r.trajectories("joint.hook.torque.magnitude")["hook.torque.magnitude"][-1] == pytest.approx(20)
    for ask in (world.reaction, r.reaction_force):
        with pytest.raises(stiction.Error, match='with a reaction.*did you mean "hook"'):
            ask("hok")


def test_reactions_of_coordinates_and_in_other_frames(folder):
    """The same arm on a hinge along itself, with coordinates: about other points, in the axes of the lamp."""
    scene = stiction.Scene(gravity=[0, 0, -10])
    half = 0.5**0.5
    scene.add_body("lamp", shape=stiction.Sphere(0.1), mass=2, orientation=[half, 0, 0, half])  # x axis along y
    scene.add_joint("arm", stiction.CoordinateJoint(stiction.JointKind.revolute, "lamp", at=[1, 0, 0], axis=[1, 0, 0]))
    world = stiction.build(scene, step=0.01)
    with world.record(folder / "out/arm") as making:
        world.run(until=0.1)
    own = world.reaction("arm")
    assert own.force.tolist() == pytest.approx([0, 0, 20], abs=1e-9)
    assert own.torque.tolist() == pytest.approx([0, 20, 0], abs=1e-9)
    assert world.reaction("arm", point=[0, 0, 0]).torque.tolist() == pytest.approx([0, 0, 0], abs=1e-9)
    seen = world.reaction("arm", body="lamp")
    assert seen.at.tolist() == pytest.approx([1, 0, 0]) and seen.force.tolist() == pytest.approx([0, 0, 20], abs=1e-9)
    assert seen.torque.tolist() == pytest.approx([20, 0, 0], abs=1e-9)
    centre = world.reaction("arm", body=world.body("lamp"), point=[0, 0, 0])
    assert centre.torque.tolist() == pytest.approx([0, 0, 0], abs=1e-9)
    r = stiction.Recording(making.path)
    assert r.reaction_names == ["arm"] and r.constraint_names == []
    assert (r.reaction_torque("arm")[-1] == own.torque).all()
    with pytest.raises(stiction.Error):
        world.reaction("arm", body="lampe")
