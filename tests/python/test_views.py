"""Views of the State: no copy, never dangling, written inside edit() only."""
import gc
import weakref

import numpy as np
import pytest

import stiction

COLUMNS = {"position": 3, "orientation": 4, "velocity": 3, "spin": 3}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_view_is_no_copy(drop, name):
    first, second = getattr(drop, name), getattr(drop, name)
    assert first.shape == (4, COLUMNS[name]) and first.dtype == np.float64
    assert first.__array_interface__["data"][0] == second.__array_interface__["data"][0]
    assert first.flags.c_contiguous and not first.flags.owndata


def test_views_follow_the_steps(drop):
    z, v = drop.position[:, 2], drop.velocity
    before = z.copy()
    drop.step()
    assert (z[1:] < before[1:]).all() and z[0] == before[0]
    assert v[1, 2] == pytest.approx(-0.0981, abs=1e-15)  # v = -g h, one product


def test_written_rows_are_the_state(drop):
    """What is written is seen by other views, by the hash and by the next step, and is booked."""
    ball = drop.body("ball.0")
    velocity, before = drop.velocity, drop.hash()
    with drop.edit() as rows:
        assert rows.velocity.__array_interface__["data"][0] == velocity.__array_interface__["data"][0]
        rows.velocity[ball] = [1, 2, 3]
        assert tuple(velocity[ball]) == (1, 2, 3)
        assert drop.hash() != before
    assert tuple(drop.velocity[ball]) == (1, 2, 3)
    assert drop.ledger()["booked"]["edit"] == pytest.approx(0.5 * (1 + 4 + 9), rel=1e-14)  # m v^2 / 2, m = 1 kg
    assert drop.ledger()["booked_momentum"]["edit"] == pytest.approx((1, 2, 3), rel=1e-14)
    x = drop.position[ball, 0]
    drop.step()
    assert drop.position[ball, 0] == pytest.approx(x + 0.01, abs=1e-15)  # x + h v, nothing else acts along x
    assert drop.ledger()["relative_imbalance"] < 1e-12


def test_an_edit_equals_a_teleport():
    def made():
        world = stiction.build(stiction.load("my.json"))
        world.run(until=0.1)
        return world
    written, moved = made(), made()
    with written.edit() as rows:
        rows.position[1] = [0, 0, 2]
        rows.orientation[1] = [2, 0, 0, 0]  # any length
        rows.velocity[1] = 0
        rows.spin[1] = 0
    moved.teleport("box", [0, 0, 2], [1, 0, 0, 0])
    assert written.hash() == moved.hash()


def test_views_cannot_be_written_outside(drop):
    with pytest.raises(ValueError, match="read-only"):
        drop.position[1] = 0
    with pytest.raises(ValueError):
        drop.position.flags.writeable = True
    with drop.edit() as rows:
        kept = rows.position
    assert not kept.flags.writeable
    with pytest.raises(stiction.Error, match="inside the block"):
        rows.position  # pylint: disable=pointless-statement


def test_a_wrong_edit_puts_everything_back(drop):
    before = drop.hash()
    with pytest.raises(stiction.Error) as error:
        with drop.edit() as rows:
            rows.position[1] = np.nan
            rows.orientation[2] = 0
            rows.velocity[0] = 1
            rows.spin[3] = 1  # this one is fine
    assert [m.path for m in error.value.mistakes] == ["bodies.floor", "bodies.ball.0", "bodies.ball.1"]
    assert drop.hash() == before
    with pytest.raises(ZeroDivisionError):
        with drop.edit() as rows:
            rows.position[1] = 7
            1 / 0  # pylint: disable=pointless-statement
    assert drop.hash() == before
    with drop.edit():
        pass
    assert drop.hash() == before


def test_nothing_else_while_editing(drop):
    saved = drop.save()
    with drop.edit():
        for call in (drop.step, drop.run, drop.edit().__enter__, lambda: drop.remove_body("ball.0"),
                     lambda: drop.restore(saved), lambda: drop.add_body("x", mass=1, particle=True),
                     lambda: drop.teleport("ball.0", [0, 0, 1], [1, 0, 0, 0]), drop.save):
            with pytest.raises(stiction.Error, match="being edited"):
                call()
        assert len(drop.contacts()) == 0 and drop.time == 0  # reading goes on
    assert drop.step().converged


def test_an_edit_that_was_never_left(drop):
    before = drop.hash()
    edit = drop.edit()
    edit.__enter__().position[1] = 9
    del edit
    gc.collect()
    assert drop.hash() == before and drop.step().converged


def test_rows_of_an_edit_that_was_never_left_are_read_only(drop):
    edit = drop.edit()
    rows = edit.__enter__()
    kept = [rows.position, rows.orientation, rows.velocity, rows.spin]
    del edit, rows
    gc.collect()
    before = drop.hash()
    for row in kept:
        assert not row.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            row[1] = 9
    assert drop.hash() == before and drop.step().converged


def test_an_edit_without_memory_is_not_begun(drop):
    testcapi = pytest.importorskip("_testcapi")  # not in every Python
    raised = 0
    for allocation in range(40):  # the one that fails
        edit = drop.edit()
        testcapi.set_nomemory(allocation, allocation + 1)
        try:
            edit.__enter__()
        except MemoryError:
            raised += 1
            testcapi.remove_mem_hooks()
            assert drop.step().converged  # not "being edited", though `edit` is still there
        else:
            testcapi.remove_mem_hooks()
            edit.__exit__(None, None, None)
        finally:
            testcapi.remove_mem_hooks()
    assert raised > 0


def test_a_view_keeps_the_world_alive():
    world = stiction.build(stiction.load("my.json"))
    gone = weakref.ref(world)
    row, expected = world.position[1], world.position[1].copy()
    del world
    gc.collect()
    assert gone() is None
    junk = [np.full(1000, 7.0) for _ in range(1000)]  # would land in freed memory
    assert (row == expected).all() and len(junk) == 1000


def test_views_survive_all_edits_but_adding(drop):
    position, alive = drop.position, drop.alive
    saved = drop.save()
    drop.step()
    drop.teleport("ball.1", [0, 5, 1], [1, 0, 0, 0])
    assert position[2, 1] == 5
    drop.restore(saved)
    assert position[2, 1] == 0 and position[1, 2] == 0.6
    drop.remove_body("ball.2")
    assert list(alive) == [True, True, True, False]
    assert position.__array_interface__["data"][0] == drop.position.__array_interface__["data"][0]


def test_after_adding_old_views_keep_the_old_numbers(drop):
    old = drop.position
    drop.step()
    then = old.copy()
    for i in range(100):  # many times beyond what the arrays had room for
        drop.add_body(f"new.{i}", shape=stiction.Sphere(0.1), mass=1, position=[i, 9, 1])
    drop.run(until=0.1)
    assert old.shape == (4, 3) and (old == then).all()
    assert drop.position.shape == (104, 3) and drop.position[1, 2] < then[1, 2]


def test_adding_that_fails_leaves_views_current(drop):
    position = drop.position
    with pytest.raises(stiction.Error):
        drop.add_body("ball.0", mass=1)
    drop.step()
    assert (position == drop.position).all()


def test_no_leak():
    """A hundred worlds of 10,000 bodies with views: memory is given back."""
    import resource
    scene = stiction.Scene()
    for i in range(10000):
        scene.add_body(f"b{i}", mass=1, particle=True, position=[i, 0, 0])

    def use():
        world = stiction.build(scene)
        views = [world.position, world.velocity]
        with world.edit() as rows:
            rows.velocity[:] = 1
        return views[0][0, 0]
    use()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(20):
        use()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # [KiB]
    assert grown < 5 * 1024  # one world alone has more than 10 MB; 20 leaked ones would have 200
