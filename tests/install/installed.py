"""The installed Python package, found by PYTHONPATH alone: installed.py PREFIX"""
import os
import sys

import stiction

folder = os.path.dirname(stiction.__file__)
assert folder.startswith(sys.argv[1]), folder
assert {"__init__.py", "__init__.pyi", "py.typed"} <= set(os.listdir(folder)), os.listdir(folder)
scene = stiction.Scene(gravity=[0, 0, -9.81])
scene.add_body("ball", shape=stiction.Sphere(0.1), mass=1)
assert stiction.build(scene).run(until=1).converged
print("installed and running")
