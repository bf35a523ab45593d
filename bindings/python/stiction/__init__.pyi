"""Types of the package stiction. The texts are in the module: help(stiction)."""
import enum
import os
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

import numpy as np
import numpy.typing as npt

__version__: str

_Vector = Union[Sequence[float], npt.NDArray[Any]]
_Quaternion = Union[Sequence[float], npt.NDArray[Any]]
_Numbers = npt.NDArray[np.float64]
_Shape = Union[
    "Sphere", "Box", "Capsule", "HalfSpace", "Cylinder", "Cone", "Ellipsoid", "Superellipsoid", "Hull",
    "Intersection", "Rounded", "Compound", "Surface"
]
_Joint = Union[
    "PlanarJoint",
    "CoordinateJoint",
    "ConstraintJoint",
    "GearJoint",
    "RollingJoint",
    "KnifeEdgeJoint",
    "PfaffianJoint",
]
_Force = Union["SpringDamper", "TorsionSpring", "Drag", "Magnus", "Gravitation", "LennardJones", "Wrench"]
_BodyLike = Union["BodyId", str, int, "np.integer[Any]"]

certificate_dtype: np.dtype[np.void]
contact_dtype: np.dtype[np.void]
dynamic: BodyKind
fixed: BodyKind
kinematic: BodyKind

class Mistake:
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...

class Error(ValueError):
    mistakes: List[Mistake]

class StepRefused(RuntimeError):
    report: StepReport
    run: Optional[RunReport]

class BodyId:
    @property
    def index(self) -> int: ...
    @property
    def generation(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __hash__(self) -> int: ...

class SensorId:
    @property
    def index(self) -> int: ...
    @property
    def generation(self) -> int: ...
    def __index__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __hash__(self) -> int: ...

class Sphere:
    radius: float
    def __init__(self, radius: float = ...) -> None: ...

class Box:
    size: Tuple[float, float, float]
    def __init__(self, size: _Vector = ...) -> None: ...

class Capsule:
    radius: float
    length: float
    def __init__(self, radius: float = ..., length: float = ...) -> None: ...

class HalfSpace:
    normal: Tuple[float, float, float]
    offset: float
    def __init__(self, normal: _Vector = ..., offset: float = ...) -> None: ...

class Cylinder:
    radius: float
    height: float
    def __init__(self, radius: float = ..., height: float = ...) -> None: ...

class Cone:
    radius: float
    height: float
    def __init__(self, radius: float = ..., height: float = ...) -> None: ...

class Ellipsoid:
    radii: _Vector
    def __init__(self, radii: _Vector = ...) -> None: ...

class Superellipsoid:
    radii: _Vector
    across: float
    along: float
    def __init__(self, radii: _Vector = ..., across: float = ..., along: float = ...) -> None: ...

class Hull:
    def __init__(self, points: Sequence[_Vector]) -> None: ...
    @property
    def vertices(self) -> List[Tuple[float, float, float]]: ...

class CurvedFace:
    @property
    def center(self) -> Tuple[float, float, float]: ...
    @property
    def radii(self) -> Tuple[float, float, float]: ...

def ball_face(center: _Vector, radius: float) -> CurvedFace: ...
def tube_face(point: _Vector, axis: _Vector, radius: float) -> CurvedFace: ...
def cone_face(apex: _Vector, axis: _Vector, slope: float) -> CurvedFace: ...
def paraboloid_face(top: _Vector, axis: _Vector, curvature_radius: float) -> CurvedFace: ...
def superellipsoid_face(
    radii: _Vector,
    across: float = ...,
    along: float = ...,
    center: _Vector = ...,
    orientation: _Quaternion = ...,
) -> CurvedFace: ...

class Intersection:
    def __init__(self, faces: Sequence[Union[HalfSpace, CurvedFace]]) -> None: ...
    @property
    def size(self) -> float: ...

class Rounded:
    def __init__(self, shape: Union[Box, Cylinder, Hull, Intersection], radius: float) -> None: ...
    @property
    def radius(self) -> float: ...

class Part:
    shape: _Shape
    position: Tuple[float, float, float]
    orientation: Tuple[float, float, float, float]
    def __init__(self, shape: _Shape = ..., position: _Vector = ..., orientation: _Quaternion = ...) -> None: ...

class Compound:
    def __init__(self, parts: Sequence[Part]) -> None: ...
    @property
    def parts(self) -> List[Part]: ...

class Surface:
    @property
    def vertices(self) -> List[Tuple[float, float, float]]: ...
    @property
    def triangles(self) -> List[List[int]]: ...
    @property
    def closed(self) -> bool: ...

def mesh(vertices: Sequence[_Vector], triangles: Sequence[Sequence[int]]) -> Surface: ...
def heightfield(heights: Sequence[Sequence[float]], dx: float, dy: float) -> Surface: ...

class BodyKind:
    dynamic: BodyKind
    fixed: BodyKind
    kinematic: BodyKind
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    @property
    def __members__(self) -> Dict[str, BodyKind]: ...

class Motion:
    time: List[float]
    position: List[Tuple[float, float, float]]
    orientation: List[Tuple[float, float, float, float]]
    def __init__(
        self, time: Sequence[float] = ..., position: Sequence[_Vector] = ..., orientation: Sequence[_Quaternion] = ...
    ) -> None: ...

class BodyDescription:
    kind: BodyKind
    shape: Optional[_Shape]
    density: float
    mass: float
    position: Tuple[float, float, float]
    orientation: Tuple[float, float, float, float]
    velocity: Tuple[float, float, float]
    spin: Tuple[float, float, float]
    surface: str
    inertia: Optional[Tuple[float, float, float]]
    particle: bool
    collides: bool
    group: str
    motion: Motion
    def __init__(
        self,
        kind: BodyKind = ...,
        shape: Optional[_Shape] = ...,
        density: float = ...,
        mass: float = ...,
        position: _Vector = ...,
        orientation: _Quaternion = ...,
        velocity: _Vector = ...,
        spin: _Vector = ...,
        surface: str = ...,
        inertia: Optional[_Vector] = ...,
        particle: bool = ...,
        collides: bool = ...,
        group: str = ...,
        motion: Motion = ...,
    ) -> None: ...

class ImpactLaw:
    newton: ImpactLaw
    poisson: ImpactLaw
    sequential: ImpactLaw
    superball: ImpactLaw
    def __init__(self, value: int) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    @property
    def __members__(self) -> Dict[str, ImpactLaw]: ...

class SurfaceDescription:
    friction: float
    kinetic_friction: Optional[float]
    stribeck_speed: float
    viscous_friction: float
    grain: Tuple[float, float, float]
    friction_along: float
    spin_length: float
    rolling_length: float
    surface_velocity: Tuple[float, float, float]
    stiffness: float
    young: float
    poisson: float
    damping_time: float
    restitution: float
    impact_law: ImpactLaw
    tangential_restitution: Optional[float]
    def __init__(
        self,
        friction: float = ...,
        kinetic_friction: Optional[float] = ...,
        stribeck_speed: float = ...,
        viscous_friction: float = ...,
        grain: _Vector = ...,
        friction_along: float = ...,
        spin_length: float = ...,
        rolling_length: float = ...,
        surface_velocity: _Vector = ...,
        stiffness: float = ...,
        young: float = ...,
        poisson: float = ...,
        damping_time: float = ...,
        restitution: float = ...,
        impact_law: ImpactLaw = ...,
        tangential_restitution: Optional[float] = ...,
    ) -> None: ...

class SurfacePairDescription:
    a: str
    b: str
    friction: float
    kinetic_friction: Optional[float]
    stribeck_speed: Optional[float]
    viscous_friction: Optional[float]
    friction_along: Optional[float]
    spin_length: Optional[float]
    rolling_length: Optional[float]
    stiffness: Optional[float]
    damping_time: Optional[float]
    restitution: Optional[float]
    impact_law: Optional[ImpactLaw]
    tangential_restitution: Optional[float]
    def __init__(
        self,
        a: str = ...,
        b: str = ...,
        friction: float = ...,
        kinetic_friction: Optional[float] = ...,
        stribeck_speed: Optional[float] = ...,
        viscous_friction: Optional[float] = ...,
        friction_along: Optional[float] = ...,
        spin_length: Optional[float] = ...,
        rolling_length: Optional[float] = ...,
        stiffness: Optional[float] = ...,
        damping_time: Optional[float] = ...,
        restitution: Optional[float] = ...,
        impact_law: Optional[ImpactLaw] = ...,
        tangential_restitution: Optional[float] = ...,
    ) -> None: ...

class PlanarJoint:
    body: str
    normal: Tuple[float, float, float]
    def __init__(self, body: str = ..., normal: _Vector = ...) -> None: ...

class JointKind:
    fixed: JointKind
    revolute: JointKind
    prismatic: JointKind
    cylindrical: JointKind
    screw: JointKind
    universal: JointKind
    spherical: JointKind
    planar: JointKind
    free: JointKind
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    @property
    def __members__(self) -> Dict[str, JointKind]: ...

class JointLimits:
    lower: List[float]
    upper: List[float]
    restitution: float
    swing: float
    def __init__(
        self,
        lower: Sequence[float] = ...,
        upper: Sequence[float] = ...,
        restitution: float = ...,
        swing: float = ...,
    ) -> None: ...

class JointMotor:
    force: List[float]
    speed: List[float]
    position: List[float]
    def __init__(
        self,
        force: Sequence[float] = ...,
        speed: Sequence[float] = ...,
        position: Sequence[float] = ...,
    ) -> None: ...

class CoordinateJoint:
    kind: JointKind
    body: str
    parent: str
    at: Optional[Tuple[float, float, float]]
    axis: Tuple[float, float, float]
    second_axis: Tuple[float, float, float]
    pitch: float
    position: List[float]
    velocity: List[float]
    stiffness: List[float]
    rest: List[float]
    damping: List[float]
    time: List[float]
    force: List[List[float]]
    limits: JointLimits
    motor: JointMotor
    friction: List[float]
    def __init__(
        self,
        kind: JointKind = ...,
        body: str = ...,
        parent: str = ...,
        at: Optional[_Vector] = ...,
        axis: _Vector = ...,
        second_axis: _Vector = ...,
        pitch: float = ...,
        position: Sequence[float] = ...,
        velocity: Sequence[float] = ...,
        stiffness: Sequence[float] = ...,
        rest: Sequence[float] = ...,
        damping: Sequence[float] = ...,
        time: Sequence[float] = ...,
        force: Sequence[Sequence[float]] = ...,
        limits: JointLimits = ...,
        motor: JointMotor = ...,
        friction: Sequence[float] = ...,
    ) -> None: ...

class ConstraintKind:
    ball: ConstraintKind
    distance: ConstraintKind
    hinge: ConstraintKind
    prismatic: ConstraintKind
    lock: ConstraintKind
    cylindrical: ConstraintKind
    universal: ConstraintKind
    planar: ConstraintKind
    screw: ConstraintKind
    point_on_line: ConstraintKind
    point_on_plane: ConstraintKind
    point_on_curve: ConstraintKind
    def __init__(self, value: int) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    @property
    def __members__(self) -> Dict[str, ConstraintKind]: ...

class CurveKind:
    polyline: CurveKind
    spline: CurveKind
    def __init__(self, value: int) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    @property
    def __members__(self) -> Dict[str, CurveKind]: ...

class ConstraintJoint:
    kind: ConstraintKind
    body: str
    parent: str
    at: Optional[Tuple[float, float, float]]
    parent_at: Optional[Tuple[float, float, float]]
    axis: Tuple[float, float, float]
    second_axis: Tuple[float, float, float]
    pitch: float
    length: float
    compliance: float
    angular_compliance: float
    damping_time: float
    stiffness: List[float]
    rest: List[float]
    damping: List[float]
    break_force: float
    break_torque: float
    points: List[Tuple[float, float, float]]
    curve: CurveKind
    closed: bool
    limits: JointLimits
    motor: JointMotor
    friction: List[float]
    def __init__(
        self,
        kind: ConstraintKind = ...,
        body: str = ...,
        parent: str = ...,
        at: Optional[_Vector] = ...,
        parent_at: Optional[_Vector] = ...,
        axis: _Vector = ...,
        second_axis: _Vector = ...,
        pitch: float = ...,
        length: float = ...,
        compliance: float = ...,
        angular_compliance: float = ...,
        damping_time: float = ...,
        stiffness: Sequence[float] = ...,
        rest: Sequence[float] = ...,
        damping: Sequence[float] = ...,
        break_force: float = ...,
        break_torque: float = ...,
        points: Sequence[_Vector] = ...,
        curve: CurveKind = ...,
        closed: bool = ...,
        limits: JointLimits = ...,
        motor: JointMotor = ...,
        friction: Sequence[float] = ...,
    ) -> None: ...

class GearJoint:
    first: str
    second: str
    first_coordinate: int
    second_coordinate: int
    ratio: float
    def __init__(
        self,
        first: str = ...,
        second: str = ...,
        first_coordinate: int = ...,
        second_coordinate: int = ...,
        ratio: float = ...,
    ) -> None: ...

class RollingKind:
    ball: RollingKind
    disc: RollingKind
    def __init__(self, value: int) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    @property
    def __members__(self) -> Dict[str, RollingKind]: ...

class RollingJoint:
    kind: RollingKind
    body: str
    parent: str
    radius: float
    normal: Tuple[float, float, float]
    at: Optional[Tuple[float, float, float]]
    axis: Tuple[float, float, float]
    def __init__(
        self,
        kind: RollingKind = ...,
        body: str = ...,
        parent: str = ...,
        radius: float = ...,
        normal: _Vector = ...,
        at: Optional[_Vector] = ...,
        axis: _Vector = ...,
    ) -> None: ...

class KnifeEdgeJoint:
    body: str
    parent: str
    at: Optional[Tuple[float, float, float]]
    across: Tuple[float, float, float]
    def __init__(
        self,
        body: str = ...,
        parent: str = ...,
        at: Optional[_Vector] = ...,
        across: _Vector = ...,
    ) -> None: ...

class PfaffianAxes:
    world: PfaffianAxes
    parent: PfaffianAxes
    body: PfaffianAxes
    def __init__(self, value: int) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __int__(self) -> int: ...
    def __index__(self) -> int: ...
    @property
    def __members__(self) -> Dict[str, PfaffianAxes]: ...

class PfaffianJoint:
    body: str
    parent: str
    linear: Tuple[float, float, float]
    angular: Tuple[float, float, float]
    parent_linear: Tuple[float, float, float]
    parent_angular: Tuple[float, float, float]
    axes: PfaffianAxes
    drift: float
    def __init__(
        self,
        body: str = ...,
        parent: str = ...,
        linear: _Vector = ...,
        angular: _Vector = ...,
        parent_linear: _Vector = ...,
        parent_angular: _Vector = ...,
        axes: PfaffianAxes = ...,
        drift: float = ...,
    ) -> None: ...

class SpringDamper:
    a: str
    b: str
    point_a: Tuple[float, float, float]
    point_b: Tuple[float, float, float]
    stiffness: float
    damping: float
    rest_length: float
    def __init__(
        self,
        a: str = ...,
        b: str = ...,
        point_a: _Vector = ...,
        point_b: _Vector = ...,
        stiffness: float = ...,
        damping: float = ...,
        rest_length: float = ...,
    ) -> None: ...

class Drag:
    body: str
    linear: float
    quadratic: float
    angular: float
    coefficient: float
    exponent: float
    def __init__(
        self,
        body: str = ...,
        linear: float = ...,
        quadratic: float = ...,
        angular: float = ...,
        coefficient: float = ...,
        exponent: float = ...,
    ) -> None: ...

class TorsionSpring:
    a: str
    b: str
    axis: Tuple[float, float, float]
    stiffness: float
    damping: float
    rest_angle: float
    def __init__(
        self,
        a: str = ...,
        b: str = ...,
        axis: Sequence[float] = ...,
        stiffness: float = ...,
        damping: float = ...,
        rest_angle: float = ...,
    ) -> None: ...

class Magnus:
    body: str
    coefficient: float
    def __init__(self, body: str = ..., coefficient: float = ...) -> None: ...

class Gravitation:
    constant: float
    bodies: List[str]
    def __init__(self, constant: float = ..., bodies: Sequence[str] = ...) -> None: ...

class LennardJones:
    depth: float
    diameter: float
    cutoff: float
    bodies: List[str]
    def __init__(
        self, depth: float = ..., diameter: float = ..., cutoff: float = ..., bodies: Sequence[str] = ...
    ) -> None: ...

class Wrench:
    body: str
    time: List[float]
    force: List[Tuple[float, float, float]]
    torque: List[Tuple[float, float, float]]
    body_frame: bool
    point: Tuple[float, float, float]
    def __init__(
        self,
        body: str = ...,
        time: Sequence[float] = ...,
        force: Sequence[_Vector] = ...,
        torque: Sequence[_Vector] = ...,
        body_frame: bool = ...,
        point: _Vector = ...,
    ) -> None: ...

class SensorDescription:
    shape: Optional[_Shape]
    position: Tuple[float, float, float]
    orientation: Tuple[float, float, float, float]
    def __init__(self, shape: Optional[_Shape] = ..., position: _Vector = ..., orientation: _Quaternion = ...) -> None: ...

class Method(str, enum.Enum):
    coulomb = "coulomb"
    explicit_euler = "explicit_euler"
    semi_implicit_euler = "semi_implicit_euler"
    implicit_euler = "implicit_euler"
    velocity_verlet = "velocity_verlet"
    rk4 = "rk4"
    variational = "variational"
    spook = "spook"
    cline_pai = "cline_pai"
    rk4_projected = "rk4_projected"
    stewart_trinkle = "stewart_trinkle"
    anitescu_potra = "anitescu_potra"
    moreau_jean = "moreau_jean"
    implicit_geometry = "implicit_geometry"
    event_driven = "event_driven"

class SolverChoice(str, enum.Enum):
    auto = "auto"
    newton = "newton"
    nsgs = "nsgs"

class Stabilisation(str, enum.Enum):
    post = "post"
    baumgarte = "baumgarte"
    none = "none"
    anitescu_hart = "anitescu_hart"

class Activation(str, enum.Enum):
    checked = "checked"
    predicted = "predicted"
    touching = "touching"

class RunSettings:
    step: float
    tolerance: float
    until: float
    threads: int
    @property
    def solver(self) -> SolverChoice: ...
    @solver.setter
    def solver(self, value: Union[SolverChoice, str]) -> None: ...
    @property
    def method(self) -> Method: ...
    @method.setter
    def method(self, value: Union[Method, str]) -> None: ...
    @property
    def stabilisation(self) -> Stabilisation: ...
    @stabilisation.setter
    def stabilisation(self, value: Union[Stabilisation, str]) -> None: ...
    baumgarte: float
    directions: int
    sleep: bool
    nonlinear: bool
    @property
    def activation(self) -> Activation: ...
    @activation.setter
    def activation(self, value: Union[Activation, str]) -> None: ...
    theta: float
    def __init__(
        self,
        step: float = ...,
        tolerance: float = ...,
        until: float = ...,
        threads: int = ...,
        solver: Union[SolverChoice, str] = ...,
        method: Union[Method, str] = ...,
        stabilisation: Union[Stabilisation, str] = ...,
        baumgarte: float = ...,
        directions: int = ...,
        sleep: bool = ...,
        nonlinear: bool = ...,
        activation: Union[Activation, str] = ...,
        theta: float = ...,
    ) -> None: ...

class SceneFile:
    @property
    def path(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def scene(self) -> Scene: ...
    @property
    def run(self) -> RunSettings: ...
    @property
    def every(self) -> float: ...
    @property
    def parts(self) -> bool: ...
    @property
    def plot(self) -> List[str]: ...

class Scene:
    gravity: Tuple[float, float, float]
    title: str
    def __init__(self, gravity: _Vector = ..., title: str = ...) -> None: ...
    @property
    def bodies(self) -> Dict[str, BodyDescription]: ...
    @property
    def surfaces(self) -> Dict[str, SurfaceDescription]: ...
    @property
    def surface_pairs(self) -> List[SurfacePairDescription]: ...
    @property
    def joints(self) -> Dict[str, _Joint]: ...
    @property
    def forces(self) -> Dict[str, _Force]: ...
    @property
    def sensors(self) -> Dict[str, SensorDescription]: ...
    def add_body(
        self,
        name: str,
        description: Optional[BodyDescription] = ...,
        *,
        kind: Optional[BodyKind] = ...,
        shape: Optional[_Shape] = ...,
        density: Optional[float] = ...,
        mass: Optional[float] = ...,
        position: Optional[_Vector] = ...,
        orientation: Optional[_Quaternion] = ...,
        velocity: Optional[_Vector] = ...,
        spin: Optional[_Vector] = ...,
        surface: Optional[str] = ...,
        inertia: Optional[_Vector] = ...,
        particle: Optional[bool] = ...,
        collides: Optional[bool] = ...,
        group: Optional[str] = ...,
        motion: Optional[Motion] = ...,
    ) -> BodyId: ...
    def add_surface(
        self,
        name: str,
        friction: float = ...,
        kinetic_friction: Optional[float] = ...,
        stribeck_speed: float = ...,
        viscous_friction: float = ...,
        grain: _Vector = ...,
        friction_along: float = ...,
        spin_length: float = ...,
        rolling_length: float = ...,
        surface_velocity: _Vector = ...,
        stiffness: float = ...,
        young: float = ...,
        poisson: float = ...,
        damping_time: float = ...,
        restitution: float = ...,
        impact_law: ImpactLaw = ...,
        tangential_restitution: Optional[float] = ...,
    ) -> None: ...
    def add_surface_pair(
        self,
        a: str,
        b: str,
        friction: float,
        kinetic_friction: Optional[float] = ...,
        stribeck_speed: Optional[float] = ...,
        viscous_friction: Optional[float] = ...,
        friction_along: Optional[float] = ...,
        spin_length: Optional[float] = ...,
        rolling_length: Optional[float] = ...,
        stiffness: Optional[float] = ...,
        damping_time: Optional[float] = ...,
        restitution: Optional[float] = ...,
        impact_law: Optional[ImpactLaw] = ...,
        tangential_restitution: Optional[float] = ...,
    ) -> None: ...
    def add_joint(self, name: str, joint: _Joint) -> None: ...
    def add_force(self, name: str, force: _Force) -> None: ...
    def add_sensor(
        self, name: str, shape: _Shape, position: _Vector = ..., orientation: _Quaternion = ...
    ) -> SensorId: ...

class ContactState(enum.IntEnum):
    open = 0
    sticking = 1
    sliding = 2
    rolling = 3

class StepReport:
    @property
    def status(self) -> str: ...
    @property
    def converged(self) -> bool: ...
    @property
    def certificate(self) -> np.void: ...
    @property
    def contacts(self) -> int: ...
    @property
    def asleep(self) -> int: ...
    @property
    def islands(self) -> int: ...
    @property
    def impacts(self) -> int: ...
    @property
    def lasting(self) -> int: ...
    @property
    def given_up(self) -> float: ...
    @property
    def impact_time(self) -> float: ...
    @property
    def geometry_passes(self) -> int: ...
    @property
    def start_frames(self) -> bool: ...
    @property
    def parts(self) -> int: ...
    @property
    def impacts(self) -> int: ...
    @property
    def lowered_impacts(self) -> int: ...
    @property
    def stopped_impacts(self) -> int: ...
    @property
    def off_body(self) -> int: ...
    @property
    def off_partner(self) -> int: ...
    @property
    def digits_body(self) -> int: ...
    @property
    def crowd(self) -> int: ...
    @property
    def broken_joints(self) -> int: ...
    @property
    def stabilisation_passes(self) -> int: ...
    @property
    def solver_iterations(self) -> int: ...
    @property
    def factorisations(self) -> int: ...
    @property
    def escalations(self) -> int: ...
    @property
    def worst_body_a(self) -> int: ...
    @property
    def worst_body_b(self) -> int: ...
    @property
    def solver(self) -> str: ...
    @property
    def reason(self) -> str: ...
    def explain(self) -> str: ...

class RunReport:
    @property
    def contact_rise(self) -> float: ...
    @property
    def unexplained_rise(self) -> float: ...
    @property
    def ending(self) -> str: ...
    @property
    def trouble(self) -> str: ...
    @property
    def wall_seconds(self) -> float: ...
    @property
    def converged(self) -> bool: ...
    @property
    def worst(self) -> np.void: ...
    @property
    def imbalance(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def unconverged(self) -> int: ...
    @property
    def refused(self) -> int: ...
    @property
    def iterations(self) -> int: ...
    @property
    def factorisations(self) -> int: ...
    @property
    def escalations(self) -> int: ...
    @property
    def contacts(self) -> int: ...
    @property
    def islands(self) -> int: ...
    @property
    def geometry_passes(self) -> int: ...
    @property
    def stabilised(self) -> int: ...
    @property
    def start_frames(self) -> int: ...
    @property
    def divided(self) -> int: ...
    @property
    def impacts(self) -> int: ...
    @property
    def lowered_impacts(self) -> int: ...
    @property
    def stopped_impacts(self) -> int: ...
    @property
    def lasting(self) -> int: ...

class ContactEvent:
    @property
    def kind(self) -> str: ...
    @property
    def a(self) -> BodyId: ...
    @property
    def b(self) -> BodyId: ...

class BodyHit:
    @property
    def body(self) -> BodyId: ...
    @property
    def distance(self) -> float: ...
    @property
    def point(self) -> _Numbers: ...
    @property
    def normal(self) -> _Numbers: ...

class Queries:
    def look(self) -> None: ...
    def ray(
        self, origin: _Vector, direction: _Vector, length: float, wanted: Optional[Callable[[BodyId], bool]] = ...
    ) -> Optional[BodyHit]: ...
    def cast(
        self,
        shape: _Shape,
        position: _Vector,
        displacement: _Vector,
        orientation: _Quaternion = ...,
        wanted: Optional[Callable[[BodyId], bool]] = ...,
    ) -> Optional[BodyHit]: ...
    def closest(
        self, point: _Vector, within: float, wanted: Optional[Callable[[BodyId], bool]] = ...
    ) -> Optional[BodyHit]: ...
    def overlapping(
        self,
        shape: _Shape,
        position: _Vector,
        orientation: _Quaternion = ...,
        wanted: Optional[Callable[[BodyId], bool]] = ...,
    ) -> List[BodyId]: ...

class JointReaction:
    @property
    def at(self) -> _Numbers: ...
    @property
    def force(self) -> _Numbers: ...
    @property
    def torque(self) -> _Numbers: ...

class SensorEvent:
    @property
    def kind(self) -> str: ...
    @property
    def sensor(self) -> SensorId: ...
    @property
    def body(self) -> BodyId: ...

class Input:
    def force(self, body: _BodyLike, newtons: Union[_Vector, float], coordinate: int = ...) -> None: ...
    def torque(self, body: _BodyLike, newton_metres: Union[_Vector, float], coordinate: int = ...) -> None: ...
    def forces(self, newtons: npt.ArrayLike) -> None: ...
    def torques(self, newton_metres: npt.ArrayLike) -> None: ...
    def clear(self) -> None: ...

class Edit:
    @property
    def position(self) -> _Numbers: ...
    @property
    def orientation(self) -> _Numbers: ...
    @property
    def velocity(self) -> _Numbers: ...
    @property
    def spin(self) -> _Numbers: ...
    def __enter__(self) -> Edit: ...
    def __exit__(self, type: Optional[Type[BaseException]], value: Any, traceback: Any) -> None: ...

class RecordingInProgress:
    @property
    def path(self) -> str: ...
    @property
    def journal(self) -> str: ...
    def finish(self, ending: str = ...) -> None: ...
    def __enter__(self) -> RecordingInProgress: ...
    def __exit__(self, type: Optional[Type[BaseException]], value: Any, traceback: Any) -> None: ...

class World:
    @property
    def time(self) -> float: ...
    @property
    def step_count(self) -> int: ...
    @property
    def position(self) -> _Numbers: ...
    @property
    def orientation(self) -> _Numbers: ...
    @property
    def velocity(self) -> _Numbers: ...
    @property
    def spin(self) -> _Numbers: ...
    @property
    def alive(self) -> npt.NDArray[np.bool_]: ...
    @property
    def names(self) -> List[str]: ...
    @property
    def mass(self) -> _Numbers: ...
    @property
    def inertia(self) -> _Numbers: ...
    @property
    def settings(self) -> RunSettings: ...
    @property
    def scene(self) -> Scene: ...
    @property
    def last_report(self) -> StepReport: ...
    @property
    def input(self) -> Input: ...
    def body(self, name: str) -> BodyId: ...
    def name_of(self, body: _BodyLike) -> str: ...
    def is_alive(self, body: BodyId) -> bool: ...
    def is_asleep(self, body: _BodyLike) -> bool: ...
    def interpolated(
        self, body: _BodyLike, alpha: float
    ) -> Tuple[Tuple[float, float, float], Tuple[float, float, float, float]]: ...
    def contacts(self, body: Optional[_BodyLike] = ...) -> npt.NDArray[np.void]: ...
    def contact_pairs(self) -> List[Dict[str, Any]]: ...
    def ledger(self) -> Dict[str, Any]: ...
    def hash(self) -> str: ...
    def warnings(self) -> List[str]: ...
    def is_broken(self, joint: str) -> bool: ...
    def broken_joints(self) -> List[str]: ...
    def contact_events(self) -> List[ContactEvent]: ...
    def sensor_events(self) -> List[SensorEvent]: ...
    def sensor(self, name: str) -> SensorId: ...
    def overlaps(self, sensor: Union[SensorId, str]) -> List[BodyId]: ...
    def queries(self) -> Queries: ...
    def step(self, *, refused: str = ...) -> StepReport: ...
    def run(self, until: Optional[float] = ..., refused: str = ...) -> RunReport: ...
    def edit(self) -> Edit: ...
    def joint_position(self, joint: str) -> _Numbers: ...
    def joint_velocity(self, joint: str) -> _Numbers: ...
    def reaction(
        self, joint: str, body: Optional[_BodyLike] = ..., point: Optional[_Vector] = ...
    ) -> JointReaction: ...
    def joint_laws(self, joint: str) -> List[Dict[str, Any]]: ...
    def set_motor(self, joint: str, target: float, coordinate: int = ...) -> None: ...
    def set_joint(self, joint: str, position: Sequence[float], velocity: Sequence[float]) -> None: ...
    def teleport(
        self,
        body: _BodyLike,
        position: _Vector,
        orientation: _Quaternion,
        velocity: _Vector = ...,
        spin: _Vector = ...,
    ) -> None: ...
    def add_body(
        self,
        name: str,
        description: Optional[BodyDescription] = ...,
        *,
        kind: Optional[BodyKind] = ...,
        shape: Optional[_Shape] = ...,
        density: Optional[float] = ...,
        mass: Optional[float] = ...,
        position: Optional[_Vector] = ...,
        orientation: Optional[_Quaternion] = ...,
        velocity: Optional[_Vector] = ...,
        spin: Optional[_Vector] = ...,
        surface: Optional[str] = ...,
        inertia: Optional[_Vector] = ...,
        particle: Optional[bool] = ...,
        collides: Optional[bool] = ...,
        group: Optional[str] = ...,
        motion: Optional[Motion] = ...,
    ) -> BodyId: ...
    def remove_body(self, body: _BodyLike) -> None: ...
    def save(self) -> bytes: ...
    def restore(self, saved: bytes) -> None: ...
    def record(
        self,
        folder: Union[str, os.PathLike[str]],
        name: str = ...,
        every: Optional[float] = ...,
        plot: Optional[Sequence[str]] = ...,
        parts: Optional[bool] = ...,
    ) -> RecordingInProgress: ...

class Recording:
    def __init__(self, path: Union[str, os.PathLike[str]], memory: int = ...) -> None: ...
    @property
    def joint_names(self) -> List[str]: ...
    @property
    def joint_positions(self) -> _Numbers: ...
    @property
    def joint_velocities(self) -> _Numbers: ...
    def joint_position(self, joint: str) -> _Numbers: ...
    def joint_velocity(self, joint: str) -> _Numbers: ...
    @property
    def constraint_names(self) -> List[str]: ...
    @property
    def reaction_names(self) -> List[str]: ...
    def reaction_force(self, joint: str) -> _Numbers: ...
    def reaction_torque(self, joint: str) -> _Numbers: ...
    def __len__(self) -> int: ...
    @property
    def path(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def scene_text(self) -> str: ...
    @property
    def program(self) -> str: ...
    @property
    def settings(self) -> RunSettings: ...
    @property
    def plot(self) -> List[str]: ...
    @property
    def thinning(self) -> int: ...
    @property
    def summary(self) -> Optional[Dict[str, Any]]: ...
    @property
    def damage(self) -> str: ...
    @property
    def names(self) -> List[str]: ...
    @property
    def time(self) -> _Numbers: ...
    @property
    def step(self) -> npt.NDArray[np.int64]: ...
    @property
    def revision(self) -> npt.NDArray[np.int32]: ...
    @property
    def hash(self) -> npt.NDArray[np.uint64]: ...
    @property
    def position(self) -> _Numbers: ...
    @property
    def orientation(self) -> _Numbers: ...
    @property
    def velocity(self) -> _Numbers: ...
    @property
    def spin(self) -> _Numbers: ...
    @property
    def alive(self) -> npt.NDArray[np.bool_]: ...
    @property
    def contacts(self) -> npt.NDArray[np.void]: ...
    @property
    def contact_start(self) -> npt.NDArray[np.uint64]: ...
    @property
    def certificate(self) -> npt.NDArray[np.void]: ...
    @property
    def tally(self) -> npt.NDArray[np.void]: ...
    @property
    def ledger(self) -> npt.NDArray[np.void]: ...
    def body(self, name: str) -> int: ...
    def contacts_of(self, frame: int) -> npt.NDArray[np.void]: ...
    def pairs_of(self, frame: int) -> List[Dict[str, Any]]: ...
    def trajectories(self, name: str) -> Dict[str, _Numbers]: ...

def build(
    scene: Union[Scene, SceneFile],
    settings: Optional[RunSettings] = ...,
    *,
    step: Optional[float] = ...,
    tolerance: Optional[float] = ...,
    until: Optional[float] = ...,
    threads: Optional[int] = ...,
    solver: Optional[Union[SolverChoice, str]] = ...,
    method: Optional[Union[Method, str]] = ...,
    stabilisation: Optional[Union[Stabilisation, str]] = ...,
    baumgarte: Optional[float] = ...,
    directions: Optional[int] = ...,
    sleep: Optional[bool] = ...,
    nonlinear: Optional[bool] = ...,
    activation: Optional[Union[Activation, str]] = ...,
    theta: Optional[float] = ...,
) -> World: ...
def load(path: Union[str, os.PathLike[str]], set: Optional[Mapping[str, Any]] = ...) -> SceneFile: ...
def loads(
    scene: Union[str, Mapping[str, Any]], set: Optional[Mapping[str, Any]] = ..., name: str = ...
) -> SceneFile: ...
