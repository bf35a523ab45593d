"""Stiction from Python: multibody systems with exact contact.

Every step is certified against the laws of Signorini and Coulomb, every joule is booked to its cause.

>>> scene = stiction.Scene(gravity=[0, 0, -9.81])
>>> floor = scene.add_body("floor", kind=stiction.fixed, shape=stiction.HalfSpace([0, 0, 1]))
>>> box = scene.add_body("box", shape=stiction.Box([.2, .2, .2]), density=500, position=[0, 0, 1])
>>> world = stiction.build(scene, step=0.01, tolerance=1e-8)
>>> world.run(until=2).converged
True
>>> abs(float(world.position[box, 2]) - 0.1) < 1e-9
True

Views. `world.position`, `.orientation`, `.velocity`, `.spin` and `.alive` are read-only views of the State, without a
copy: they show every step, and keep the world alive as long as they live. step(), run(), teleport(), remove_body() and
restore() leave them valid. add_body() moves the arrays: views taken before keep the numbers from before it and
follow no further; take new ones. While another thread runs the world, views may be read, but may show half a step.

Writing. Inside `with world.edit() as rows:` the same memory is open for writing as rows.position and so on. Whatever is
written is in the State at once, hash() included. At the end of the block it is checked and booked under `edit`.

Errors. What is wrong in the input raises stiction.Error, with the messages of the command. A step that is refused raises
stiction.StepRefused, unless refused="report" is asked for; one that misses its tolerance is taken, and its StepReport says so.
"""
import enum as _enum
import json as _json
import os as _os

from . import _core
from ._core import *  # noqa: F401,F403
from ._core import __version__  # noqa: F401


class ContactState(_enum.IntEnum):
    """What a contact does; the field `state` of contacts compares with it.

    >>> stiction.ContactState(2).name
    'sliding'
    """

    open = 0
    sticking = 1
    sliding = 2
    rolling = 3


def _plain(value):
    """NumPy numbers and arrays as JSON takes them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{value!r} cannot stand in a scene")


def _overrides(changes):
    return [(str(key), value if isinstance(value, str) else _json.dumps(value, default=_plain))
            for key, value in (changes or {}).items()]


def load(path, set=None):  # pylint: disable=redefined-builtin
    """Reads a scene file. `set` replaces values by their paths, as --set does: numbers, lists, texts.

    >>> file = stiction.load("my.json", set={"$slope": 20, "run.step": 0.005})
    >>> world = stiction.build(file)
    >>> world.settings.step
    0.005
    """
    return _core._read_file(_os.fspath(path), _overrides(set))


def loads(scene, set=None, name="<text>"):  # pylint: disable=redefined-builtin
    """Reads a scene from a text, or from the same as dicts and lists; `name` stands for the file in messages.

    >>> file = stiction.loads({"stiction": 1, "bodies": {"ball": {"shape": {"sphere": 0.1}, "mass": 1}}})
    >>> file.scene.bodies["ball"].mass
    1.0
    """
    text = scene if isinstance(scene, str) else _json.dumps(scene, default=_plain)
    return _core._read_text(text, name, _overrides(set))


__all__ = [_name for _name in dir(_core) if not _name.startswith("_")] + ["ContactState", "load", "loads"]
for _name in __all__:  # shown and pickled under the public name
    _thing = globals()[_name]
    if isinstance(_thing, type) and _thing.__module__ == "stiction._core":
        _thing.__module__ = "stiction"
del _name, _thing
