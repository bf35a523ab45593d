"""Building, stepping, reading, saving: the same world that the command and C++ see."""
import json
import math
import threading
import time

import numpy as np
import pytest
from conftest import drop_scene, program

import stiction


def test_the_same_bits_as_the_command(world):
    said = json.loads(program("run", "my.json", "--json"))
    run = world.run()
    assert world.hash() == said["hash"]
    assert (run.steps, run.ending, world.time) == (said["steps"], said["ending"], said["time"])
    assert list(world.position[1]) == said["final"]["box"]["position"]
    books = world.ledger()
    assert books["booked"] == said["ledger"]["booked"] and books["imbalance"] == said["ledger"]["imbalance"]
    for name in run.worst.dtype.names[:9]:
        assert run.worst[name] == said["certificate"][name]


def test_steps_and_runs_are_the_same(world):
    other = stiction.build(stiction.load("my.json"))
    while world.step_count < 50:
        report = world.step()
        assert report.converged and report.status == "converged" and report.contacts == 4
    assert other.run(until=0.5).steps == 50
    assert world.hash() == other.hash()
    assert other.run(until=0.5).steps == 0  # it is there already


def test_a_scene_built_here_equals_the_file(world):
    slope = math.radians(25)
    s, c = math.sin(slope), math.cos(slope)
    scene = stiction.Scene(gravity=[0, 0, -9.81], title="Box on an incline")
    scene.add_surface("wood", friction=0.4)
    scene.add_body("slope", kind=stiction.fixed, shape=stiction.HalfSpace([s, 0, c]), surface="wood")
    box = scene.add_body("box", shape=stiction.Box([0.2] * 3), density=600, surface="wood",
                         position=np.array([0.1 * s, 0, 0.1 * c]),
                         orientation=[math.cos(slope / 2), 0, math.sin(slope / 2), 0])
    mine = stiction.build(scene, step=0.01, tolerance=1e-8)
    mine.run(until=2)
    world.run(until=2)
    # libm's sine and ours may differ in the last bit: no equal hash, but the same motion to round-off
    assert mine.position[box] == pytest.approx(world.position[box], abs=1e-12)


def test_set_replaces_values():
    file = stiction.load("my.json", set={"$slope": 20, "run.step": np.float64(0.005), "gravity": [0, 0, -1.62]})
    assert file.run.step == 0.005 and file.scene.gravity == (0, 0, -1.62)
    world = stiction.build(file)
    world.run()
    assert np.abs(world.velocity).max() < 1e-9  # tan 20 degrees < 0.4: it sticks
    assert stiction.build(file, step=0.02).settings.step == 0.02
    assert stiction.build(file, stiction.RunSettings(step=0.04), tolerance=1e-6).settings.step == 0.04


def test_every_description_reaches_the_engine():
    scene = drop_scene()
    scene.add_surface("a", friction=0.4, kinetic_friction=0.3, grain=[1, 0, 0], friction_along=0.2, surface_velocity=[0, 1, 0])
    scene.add_surface_pair("a", "a", 0.1, rolling_length=0.02, stiffness=1e4)
    scene.add_surface("gum", young=1e6, poisson=0.45, damping_time=1e-3)
    assert scene.surface_pairs[0].stiffness == 1e4 and scene.surfaces["gum"].young == 1e6
    assert scene.surfaces["a"].kinetic_friction == 0.3 and scene.surfaces["a"].surface_velocity == (0, 1, 0)
    assert scene.surface_pairs[0].rolling_length == 0.02 and scene.surface_pairs[0].kinetic_friction is None
    scene.add_body("rod", shape=stiction.Capsule(0.05, 0.4), mass=2, position=[0, 3, 2], inertia=[1, 1, 0.5])
    scene.add_body("lift", kind=stiction.kinematic, shape=stiction.Box([1, 1, 0.1]), position=[5, 0, 0],
                   motion=stiction.Motion(time=[0, 1], position=[[5, 0, 0], [5, 0, 1]]))
    scene.add_joint("flat", stiction.PlanarJoint("rod"))
    scene.add_force("hook", stiction.SpringDamper(b="rod", point_a=[0, 3, 3], stiffness=10, damping=1, rest_length=1))
    scene.add_force("air", stiction.Drag(linear=0.1))
    scene.add_force("push", stiction.Wrench("rod", time=[0, 1], force=[[1, 0, 0], [0, 0, 0]], torque=[[0, 0, 0]] * 2))
    gate = scene.add_sensor("gate", stiction.Sphere(0.5))
    assert set(scene.joints) == {"flat"} and set(scene.forces) == {"hook", "air", "push"}
    assert scene.bodies["rod"].shape == stiction.Capsule(0.05, 0.4) and scene.bodies["rod"].inertia == (1, 1, 0.5)
    assert scene.surface_pairs[0].friction == 0.1 and scene.sensors["gate"].shape == stiction.Sphere(0.5)
    world = stiction.build(scene)
    assert world.run(until=0.5).converged
    booked = world.ledger()["booked"]
    assert all(booked[cause] != 0 for cause in ("gravity", "spring", "damping", "drag", "wrench"))
    assert world.position[world.body("lift"), 2] == pytest.approx(0.5)
    assert world.overlaps(gate) and world.sensor("gate") == gate
    assert world.scene.bodies.keys() == scene.bodies.keys()


def test_descriptions_are_plain_values():
    bare = stiction.BodyDescription()
    assert bare.shape is None and bare.inertia is None and repr(bare) == "BodyDescription()"
    ball = stiction.BodyDescription(shape=stiction.Sphere(0.1), mass=2, inertia=[1, 1, 1])
    assert ball != bare and ball == stiction.BodyDescription(shape=stiction.Sphere(0.1), mass=2, inertia=(1, 1, 1))
    assert repr(ball) == "BodyDescription(shape=Sphere(radius=0.1), mass=2.0, inertia=(1.0, 1.0, 1.0))"
    ball.shape, ball.inertia, ball.mass = None, None, None  # None is no mass: it stays
    assert ball.shape is None and ball.inertia is None and ball.mass == 2
    ball.kind = stiction.fixed
    assert stiction.SensorDescription().shape is None and repr(stiction.RunSettings(step=1)) == "RunSettings(step=1.0)"
    scene = stiction.Scene()
    scene.add_body("point", mass=1, particle=True)
    scene.bodies["point"].mass = 7  # of a copy
    assert scene.bodies["point"].mass == 1 and scene.bodies["point"].shape is None


def test_inputs(drop):
    ball = drop.body("ball.0")
    drop.input.force(ball, [2, 0, 0])
    drop.input.force("ball.0", np.array([1.0, 0, 0]))
    drop.input.torque(ball, (0, 0, 1))
    drop.step()
    assert drop.velocity[ball, 0] == pytest.approx(3 * 0.01, rel=1e-14)  # f h / m, m = 1 kg
    inertia = 0.4 * 0.1 ** 2  # 2/5 m r^2
    assert drop.spin[ball, 2] == pytest.approx(0.01 / inertia, rel=1e-12)
    drop.step()
    assert drop.velocity[ball, 0] == pytest.approx(3 * 0.01, rel=1e-14)  # forgotten after its step
    all_forces = np.zeros((4, 3))
    all_forces[:, 1] = [9, 1, 2, 3]
    drop.input.forces(all_forces)
    drop.input.torques(np.zeros((4, 3), dtype=np.float32))
    drop.step()
    assert drop.velocity[:, 1] == pytest.approx([0, 0.01, 0.02, 0.03], rel=1e-12)
    drop.input.force(ball, [1e9, 0, 0])
    drop.input.clear()
    drop.step()
    assert drop.velocity[ball, 0] < 1


def test_contacts_and_certificate(world):
    report = world.step()
    assert report.certificate.dtype == stiction.certificate_dtype
    assert report.certificate["converged"] and report.certificate["tolerance"] == 1e-8
    contacts = world.contacts("box")
    assert contacts.dtype == stiction.contact_dtype and len(contacts) == 4
    assert (contacts["a"] == 0).all() and (contacts["b"] == 1).all()
    # the floor carries the weight's normal part: m g cos 25
    weight = world.mass[1] * 9.81
    normal = np.einsum("ij,ij->i", contacts["force"], contacts["normal"]).sum()
    assert normal == pytest.approx(weight * math.cos(math.radians(25)), rel=1e-9)
    tangential = contacts["force"].sum(axis=0) - normal * contacts["normal"][0]
    assert np.linalg.norm(tangential) == pytest.approx(0.4 * normal, rel=1e-9)
    assert (contacts["state"] == stiction.ContactState.sliding).all()
    assert len(np.array([world.step().certificate for _ in range(3)])) == 3
    kept = world.contacts()
    world.run(until=0.3)
    assert (kept["force"] != 0).any()  # a copy


def test_events_and_sensors():
    scene = drop_scene()
    scene.add_sensor("near", stiction.Box([1, 1, 0.3]))
    world = stiction.build(scene)
    seen = []
    while world.time < 0.5:
        world.step()
        seen += [(e.kind, world.name_of(e.a), world.name_of(e.b)) for e in world.contact_events()]
        seen += [(e.kind, world.name_of(e.body)) for e in world.sensor_events()]
    assert seen == [("enter", "ball.0"), ("begin", "floor", "ball.0")]
    ball = world.body("ball.0")
    assert world.overlaps("near") == [world.body("floor"), ball]
    world.remove_body(ball)
    assert not world.is_alive(ball) and world.name_of(ball) == "ball.0"
    world.step()
    assert [(e.kind, world.name_of(e.b)) for e in world.contact_events()] == [("end", "ball.0")]
    assert [(e.kind, e.body == ball) for e in world.sensor_events()] == [("leave", True)]


def test_ids(drop):
    a, b = drop.body("ball.0"), drop.body("ball.1")
    assert a != b and a == drop.body("ball.0") and len({a, b, drop.body("ball.0")}) == 2 and a
    assert drop.position[a].tolist() == drop.position[1].tolist()
    assert drop.name_of(np.int32(1)) == "ball.0"  # as contacts have them
    assert a != 1 and repr(a) == "BodyId(1)"


def test_save_and_restore(world):
    world.run(until=0.2)
    saved, there = world.save(), world.hash()
    world.run(until=0.4)
    then = world.hash()
    world.restore(saved)
    assert world.hash() == there and world.time == pytest.approx(0.2)
    world.run(until=0.4)
    assert world.hash() == then
    other = stiction.build(stiction.load("my.json"))
    other.restore(saved)
    assert other.hash() == there


def test_interpolated(drop):
    high = drop.position[1, 2]
    drop.step()
    low = drop.position[1, 2]
    position, orientation = drop.interpolated("ball.0", 0.25)
    assert position[2] == pytest.approx(0.75 * high + 0.25 * low) and orientation == (1, 0, 0, 0)


def test_threads_change_no_bit():
    hashes = set()
    for threads in (1, 2):
        world = stiction.build(drop_scene(50), threads=threads)
        world.run(until=0.5)
        hashes.add(world.hash())
    assert len(hashes) == 1


def test_run_lets_other_threads_go_on():
    """run() holds no GIL; whoever touches the world meanwhile is told so."""
    world = stiction.build(drop_scene(300))
    done = threading.Event()
    runner = threading.Thread(target=lambda: (world.run(until=2), done.set()))
    counted, refused, z = 0, 0, world.position[1]
    runner.start()
    while not done.is_set():
        counted += 1
        assert z[2] > 0  # views may be read
        for call in (world.step, world.contacts, world.hash, lambda: world.time, lambda: world.body("ball.0")):
            try:
                call()
            except stiction.Error as error:
                assert "another thread" in str(error)
                refused += 1
        time.sleep(0.001)
    runner.join()
    assert counted > 5 and refused > 5
    assert world.time == pytest.approx(2) or world.time > 2


def test_an_exception_in_a_signal_handler_ends_the_run():
    import signal

    class Enough(Exception):
        pass

    def stop(*_):
        raise Enough
    world = stiction.build(drop_scene(200))
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        start = time.perf_counter()
        with pytest.raises(Enough):
            world.run(until=1e6)
        assert time.perf_counter() - start < 10
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert world.time > 0 and world.step().status != "refused"  # it stands between two steps


def test_a_refused_step_ends_the_run(drop):
    before = drop.hash()
    drop.input.force("ball.0", [math.nan, 0, 0])
    run = drop.run(until=1, refused="report")
    assert run.ending == "stopped at a refused step" and run.refused == 1 and not run.converged
    assert "ball.0" in run.trouble and drop.hash() == before
    assert drop.last_report.status == "refused" and "not finite" in drop.last_report.reason


def test_a_refused_step_raises_unless_asked_not_to(drop):
    """`while world.time < 3: world.step()` comes to an end."""
    drop.step()
    before = drop.hash()
    steps = 0
    with pytest.raises(stiction.StepRefused, match="at 0.01 s: step refused, state untouched.*ball.1") as refused:
        while drop.time < 3:
            drop.input.force("ball.1", [math.inf, 0, 0])
            drop.step()
            steps += 1
    assert steps == 0 and drop.hash() == before and isinstance(refused.value, RuntimeError)
    assert refused.value.report.status == "refused" and refused.value.run is None
    assert drop.names[refused.value.report.worst_body_a] == "ball.1"
    drop.input.force("ball.1", [math.inf, 0, 0])
    assert drop.step(refused="report").status == "refused"
    drop.input.force("ball.1", [math.inf, 0, 0])
    with pytest.raises(stiction.StepRefused) as refused:
        drop.run(until=1)
    assert refused.value.run.refused == 1 and refused.value.report.status == "refused"
    assert drop.hash() == before and drop.step(refused="raise").converged
    for call in (drop.step, drop.run):
        with pytest.raises(stiction.Error, match='found "never", must be "raise" or "report"'):
            call(refused="never")
        with pytest.raises(TypeError):
            call(refused=3)
        with pytest.raises(TypeError):
            call(refusd="raise")
    with pytest.raises(TypeError):
        drop.step("raise")


def test_crowds_and_absurd_threads_are_mistakes():
    def crowd(count, **fields):
        scene = stiction.Scene()
        for i in range(count):
            scene.add_body(f"ball.{i}", shape=stiction.Sphere(0.1), mass=1, position=[0, 0, 1], **fields)
        return scene
    with pytest.raises(stiction.Error, match='bodies.ball.0: 101 bodies that move are in one place: "ball.0", "ball.1"'):
        stiction.build(crowd(101))
    assert stiction.build(crowd(101, group="swarm")).warnings() == []
    assert "3 bodies of the same shape are in the same place" in stiction.build(crowd(3)).warnings()[0]
    with pytest.raises(stiction.Error, match="run.threads: found 40000, must be 1 or more and at most 1024"):
        stiction.build(drop_scene(), threads=40000)
    assert "1000 threads were asked for" in stiction.build(drop_scene(), threads=1000).warnings()[-1]
    with pytest.raises(stiction.Error, match="run.tolerance: found 9e-14, must be 1e-13 or more"):
        stiction.build(drop_scene(), tolerance=9e-14)
    assert stiction.build(drop_scene(), tolerance=1e-13).step().converged


def test_a_pendulum_by_its_joint():
    scene = stiction.Scene(gravity=[0, 0, -9.81])
    scene.add_body("rod", shape=stiction.Capsule(0.02, 0.96), mass=1, position=[0, 0, -0.5])
    scene.add_joint("hinge", stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", at=[0, 0, 0],
                                                      axis=[0, 1, 0], position=[0.5], damping=[0.1]))
    world = stiction.build(scene, step=0.002)
    assert world.joint_position("hinge") == [0.5] and world.joint_velocity("hinge") == [0]
    assert np.allclose(world.position[0], [-0.5 * np.sin(0.5), 0, -0.5 * np.cos(0.5)], atol=1e-15)
    world.run(until=60)  # e^(-60 d / 2 I) = 1e-4
    assert abs(world.joint_position("hinge")[0]) < 1e-3
    world.set_joint("hinge", [1.0], [0.0])
    assert np.allclose(world.position[0], [-0.5 * np.sin(1), 0, -0.5 * np.cos(1)], atol=1e-15)
    assert world.ledger()["booked"]["edit"] > 0
    with pytest.raises(stiction.Error, match="there is no joint \"hing\""):
        world.joint_position("hing")
    with pytest.raises(stiction.Error, match="hangs on the joint \"hinge\""):
        world.teleport("rod", [0, 0, 0], [1, 0, 0, 0])
    with pytest.raises(stiction.Error, match="a revolute joint has 1 coordinates"):
        world.set_joint("hinge", [1, 2], [0])


def test_mistakes_of_joints_carry_their_paths():
    scene = stiction.Scene()
    scene.add_body("rod", shape=stiction.Sphere(0.1), mass=1)
    scene.add_joint("j", stiction.CoordinateJoint(stiction.JointKind.screw, "rod", parent="rot", stiffness=[-1]))
    with pytest.raises(stiction.Error) as caught:
        stiction.build(scene)
    assert "joints.j.screw.stiffness: found -1, must be 0 or more" in str(caught.value)
    assert 'joints.j.screw.parent: there is no body "rot"; did you mean "rod"?' in str(caught.value)


def arm():
    scene = stiction.Scene(gravity=[0, 0, -9.81])
    scene.add_body("rod", shape=stiction.Capsule(0.02, 1), mass=2, position=[0, 0, -0.5])
    scene.add_joint("hinge", stiction.CoordinateJoint(stiction.JointKind.revolute, "rod", at=[0, 0, 0],
                                                      axis=[0, 1, 0]))
    return scene


@pytest.mark.parametrize("method", ["coulomb", "rk4", "variational"])
def test_a_motor_at_a_joint(method):
    world = stiction.build(arm(), step=0.002, method=method)
    for _ in range(500):
        world.input.torque("hinge", 3)
        assert world.step().converged
    angle = world.joint_position("hinge")[0]
    assert abs(angle) > 0.1
    assert world.ledger()["booked"]["input"] == pytest.approx(3 * angle, abs=1e-4)  # torque times angle
    for wrong, words in ((("hing", 3), 'there is no joint "hing"'), (("hinge", 3, 1), "has 1 velocity, counted from 0"),
                         (("hinge", float("nan")), "finite")):
        with pytest.raises(stiction.Error, match=words):
            world.input.torque(*wrong)
    with pytest.raises(stiction.Error, match="three numbers"):
        world.input.torque(world.body("rod"), 3)


def two_arms():
    """Two pendulums; removing the first moves the second one's joint and coordinate to its place."""
    scene = stiction.Scene(gravity=[0, 0, -9.81])
    for name, x in (("left", 0), ("right", 5)):
        scene.add_body(name, shape=stiction.Capsule(0.02, 1), mass=2, position=[x, 0, -0.5])
        scene.add_joint("hinge_" + name, stiction.CoordinateJoint(stiction.JointKind.revolute, name, at=[x, 0, 0],
                                                                  axis=[0, 1, 0]))
    return scene


def test_input_of_joints_given_before_a_removal():
    worlds = [stiction.build(two_arms(), step=0.002) for _ in range(2)]
    worlds[0].input.torque("hinge_right", 3)
    worlds[0].input.torque("hinge_left", 50)  # goes with the body
    for world in worlds:
        world.remove_body("left")
    worlds[1].input.torque("hinge_right", 3)
    assert all(world.step().converged for world in worlds)
    assert worlds[0].joint_velocity("hinge_right") == worlds[1].joint_velocity("hinge_right") != [0]
    with pytest.raises(stiction.Error, match='there is no joint "hinge_left"'):
        worlds[0].input.torque("hinge_left", 3)


def test_joints_of_a_recording_with_an_edit(tmp_path):
    world = stiction.build(two_arms(), step=0.01)
    world.set_joint("hinge_left", [1.0], [0.0])
    world.set_joint("hinge_right", [-0.5], [0.25])
    seen = {(joint, what): [] for joint in ("hinge_left", "hinge_right") for what in ("position", "velocity")}

    def look():
        for (joint, what), values in seen.items():
            if joint == "hinge_left" and not world.is_alive(left):
                values.append(np.nan)
            else:
                values.append(getattr(world, "joint_" + what)(joint)[0])

    left = world.body("left")
    look()
    with world.record(tmp_path / "out") as making:
        for i in range(20):
            if i == 10:
                world.remove_body("left")
            world.step()
            look()
    r = stiction.Recording(making.path)
    assert r.joint_names == ["hinge_right"]
    for (joint, what), values in seen.items():
        found = getattr(r, "joint_" + what)(joint)
        assert found.shape == (21, 1) and not found.flags.writeable
        np.testing.assert_array_equal(found[:, 0], values)
        np.testing.assert_array_equal(r.trajectories(f"{joint}.{what}")[f"{joint}.{what}"], values)


def test_joints_of_a_recording(tmp_path):
    world = stiction.build(arm(), step=0.01)
    world.set_joint("hinge", [1.0], [0.0])
    angles = [1.0]
    with world.record(tmp_path / "out") as making:
        for _ in range(20):
            world.step()
            angles.append(world.joint_position("hinge")[0])
    r = stiction.Recording(making.path)
    assert r.joint_names == ["hinge"] and r.joint_positions.shape == (21, 1) and r.joint_velocities.shape == (21, 1)
    assert r.joint_position("hinge")[:, 0].tolist() == angles
    assert (r.trajectories("hinge.velocity")["hinge.velocity"] == r.joint_velocity("hinge")[:, 0]).all()
    with pytest.raises(stiction.Error, match='did you mean "hinge"'):
        r.joint_position("hing")


def test_a_joint_gives_way_and_breaks(tmp_path):
    mass, compliance, g = 2.0, 1e-3, 9.81
    scene = stiction.Scene(gravity=[0, 0, -g])
    scene.add_body("load", shape=stiction.Sphere(0.1), mass=mass, collides=False)
    scene.add_joint(
        "rod",
        stiction.ConstraintJoint(
            stiction.ConstraintKind.ball, "load", at=[0, 0, 0], compliance=compliance, damping_time=0.1, break_force=30
        ),
    )
    world = stiction.build(scene, step=0.005)
    world.run(until=5)
    assert world.position[0, 2] == pytest.approx(-compliance * mass * g, rel=1e-9)
    assert not world.is_broken("rod") and world.broken_joints() == []
    with world.record(tmp_path / "out") as making:
        world.input.force("load", [0, 0, -300])
        assert world.step().broken_joints == 1
        assert world.is_broken("rod") and world.broken_joints() == ["rod"]
    assert world.ledger()["booked"]["breaking"] < 0
    assert stiction.Recording(making.path).summary["broken"] == [(world.time, "rod")]
    with pytest.raises(stiction.Error, match='did you mean "rod"'):
        world.is_broken("rot")


def test_a_gear_turns_the_other_wheel():
    scene = stiction.Scene(gravity=[0, 0, 0])
    for x, name in enumerate(["one", "two"]):
        scene.add_body(name, shape=stiction.Sphere(0.1), mass=1, position=[x, 0, 0])
        motor = stiction.JointMotor(force=[5], speed=[2]) if x == 0 else stiction.JointMotor()
        scene.add_joint(name + "_axle", stiction.CoordinateJoint(stiction.JointKind.revolute, name, motor=motor))
    scene.add_joint("teeth", stiction.GearJoint("one_axle", "two_axle", ratio=4))
    world = stiction.build(scene, step=0.01)
    assert world.run(until=1).converged
    assert world.joint_velocity("two_axle")[0] == pytest.approx(-0.5, rel=1e-11)
    assert [law["kind"] for law in world.joint_laws("teeth")] == ["gear"]


def test_a_ball_rolls_down_an_incline():
    slope, r, g = 0.3, 0.1, 9.81
    normal = np.array([np.sin(slope), 0, np.cos(slope)])
    scene = stiction.Scene(gravity=[0, 0, -g])
    scene.add_body("ball", shape=stiction.Sphere(r), mass=2, position=r * normal)
    scene.add_joint("rolls", stiction.RollingJoint(stiction.RollingKind.ball, "ball", radius=r, normal=normal))
    world = stiction.build(scene, step=0.01)
    world.run(until=1)
    assert np.linalg.norm(world.velocity[0]) == pytest.approx(5 / 7 * g * np.sin(slope), rel=1e-9)
    assert [law["kind"] for law in world.joint_laws("rolls")] == ["slip", "slip", "hold"]
    with pytest.raises(stiction.Error, match="above 0"):
        scene.add_joint("wrong", stiction.RollingJoint(body="ball"))
        stiction.build(scene)
