// The same bodies in every engine. A world has step() and poses(): seven numbers for every body that moves, position x y z and orientation x y z w.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Engine } from '../../../web/src/engine.js';

/** Balls of radius 0.1 on a lattice, jittered, falling into an open box. */
export function spheres(n) {
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 1073741824 - 1;  // [-1, 1)
  const side = n * 0.21 + 0.2, bodies = [];
  for (let k = 0; k < n; ++k)
    for (let j = 0; j < n; ++j)
      for (let i = 0; i < n; ++i)
        bodies.push({ at: [(i - (n - 1) / 2) * 0.21 + 0.002 * random(), (j - (n - 1) / 2) * 0.21 + 0.002 * random(), 0.2 + 0.21 * k] });
  return { name: `P1, ${n ** 3} spheres`, radius: 0.1, mass: 1000 * 4 / 3 * Math.PI * 1e-3, friction: 0.5, wall: side / 2, bodies };
}
/** Bricks of 1 kg, row upon row; `rest` is where each stands once the gaps of 0.5 mm between rows have closed. */
export function pyramid(base) {
  const bodies = [];
  for (let row = 0; row < base; ++row)
    for (let i = 0; i < base - row; ++i) {
      const x = (i - (base - row - 1) / 2) * 0.402;
      bodies.push({ at: [x, 0, 0.1 + row * 0.2005], rest: [x, 0, 0.1 + row * 0.2] });
    }
  return { name: `P2, pyramid ${base}`, size: [0.4, 0.2, 0.2], mass: 1, friction: 0.6, bodies };
}
const walls = (w) => [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([x, y]) => ({ normal: [-x, -y, 0], at: [x * w, y * w, 0] }));

export async function stiction(scene, h, build, tolerance) {
  const { default: make } = await import(pathToFileURL(join(build, 'wasm/bin/stiction.mjs')));
  const engine = await Engine.create(make, readFileSync(join(build, 'wasm/bin/stiction.wasm')));
  const bodies = { floor: { static: true, shape: { half_space: [0, 0, 1] }, surface: 's' } };
  if (scene.wall) walls(scene.wall).forEach(({ normal, at }, i) => (bodies[`wall${i}`] = { static: true, shape: { half_space: normal }, at, surface: 's' }));
  const still = Object.keys(bodies).length;
  scene.bodies.forEach(({ at }, i) => (bodies[`b${i}`] = { shape: scene.radius ? { sphere: scene.radius } : { box: scene.size }, mass: scene.mass, at, surface: 's' }));
  engine.load(JSON.stringify({ stiction: 1, gravity: [0, 0, -9.81], surfaces: { s: { friction: scene.friction } }, bodies, run: { step: h, until: 5, tolerance } }));
  const at = engine.description.numbers.indexOf('status');
  let missed = 0;
  return {
    step() { engine.step(); if (engine.numbers()[at] !== 1) missed += 1; },
    poses: () => engine.poses().slice(7 * still, 7 * (still + scene.bodies.length)),
    missed: () => missed,
  };
}

export async function rapier(scene, h, iterations) {
  const { default: R } = await import('@dimforge/rapier3d-compat');
  await R.init();
  const world = new R.World({ x: 0, y: 0, z: -9.81 });
  world.timestep = h;
  if (iterations) world.integrationParameters.numSolverIterations = iterations;
  const collide = (desc, body) => world.createCollider(desc.setFriction(scene.friction).setRestitution(0), body);
  collide(R.ColliderDesc.cuboid(50, 50, 1).setTranslation(0, 0, -1));
  if (scene.wall) for (const { normal, at } of walls(scene.wall))
    collide(R.ColliderDesc.cuboid(normal[0] ? 1 : 50, normal[1] ? 1 : 50, 50).setTranslation(at[0] - normal[0], at[1] - normal[1], 0));
  const bodies = scene.bodies.map(({ at }) => {
    const body = world.createRigidBody(R.RigidBodyDesc.dynamic().setTranslation(...at).setCanSleep(false));
    collide((scene.radius ? R.ColliderDesc.ball(scene.radius) : R.ColliderDesc.cuboid(...scene.size.map((x) => x / 2))).setMass(scene.mass), body);
    return body;
  });
  return { step: () => world.step(), poses: () => bodies.flatMap((b) => { const p = b.translation(), q = b.rotation(); return [p.x, p.y, p.z, q.x, q.y, q.z, q.w]; }) };
}

/** `exact`: more iterations and less slop than by default. */
export async function jolt(scene, h, exact = false) {
  const { default: init } = await import('jolt-physics');
  const J = await init(), settings = new J.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const objectFilter = new J.ObjectLayerPairFilterTable(2), layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
  objectFilter.EnableCollision(0, 1), objectFilter.EnableCollision(1, 1);
  layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0)), layers.MapObjectToBroadPhaseLayer(1, new J.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = objectFilter, settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, objectFilter, 2);
  const world = new J.JoltInterface(settings), system = world.GetPhysicsSystem(), own = system.GetBodyInterface();
  system.SetGravity(new J.Vec3(0, 0, -9.81));
  if (exact) {
    const physics = system.GetPhysicsSettings();
    physics.mNumVelocitySteps = 50, physics.mNumPositionSteps = 10, physics.mPenetrationSlop = 1e-3;
    system.SetPhysicsSettings(physics);
  }
  const add = (shape, [x, y, z], moves) => {
    const s = new J.BodyCreationSettings(shape, new J.RVec3(x, y, z), new J.Quat(0, 0, 0, 1), moves ? J.EMotionType_Dynamic : J.EMotionType_Static, moves ? 1 : 0);
    s.mFriction = scene.friction, s.mRestitution = 0, s.mAllowSleeping = false;
    if (moves) s.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia, s.mMassPropertiesOverride.mMass = scene.mass;
    const body = own.CreateBody(s);
    own.AddBody(body.GetID(), J.EActivation_Activate);
    return body;
  };
  const box = (x, y, z) => new J.BoxShape(new J.Vec3(x, y, z), 0);
  add(box(50, 50, 1), [0, 0, -1], false);
  if (scene.wall) for (const { normal, at } of walls(scene.wall)) add(box(normal[0] ? 1 : 50, normal[1] ? 1 : 50, 50), [at[0] - normal[0], at[1] - normal[1], 0], false);
  const shape = scene.radius ? new J.SphereShape(scene.radius) : box(...scene.size.map((x) => x / 2));
  const bodies = scene.bodies.map(({ at }) => add(shape, at, true));
  return { step: () => world.Step(h, 1), 
    poses: () => bodies.flatMap((b) => { const p = b.GetPosition(), q = b.GetRotation(); return [p.GetX(), p.GetY(), p.GetZ(), q.GetX(), q.GetY(), q.GetZ(), q.GetW()]; }) };
}

export async function mujoco(scene, h, solver = 'Newton') {
  const { default: load } = await import('@mujoco/mujoco');
  const M = await load();
  const half = scene.size?.map((x) => x / 2).join(' ');
  const geom = scene.radius ? `type="sphere" size="${scene.radius}"` : `type="box" size="${half}"`;
  const xml = `<mujoco><option timestep="${h}" gravity="0 0 -9.81" solver="${solver}"/><default><geom friction="${scene.friction} 0 0" condim="3"/></default><worldbody>
    <geom type="plane" size="50 50 1"/>${scene.wall ? walls(scene.wall).map(({ normal, at }) => `<geom type="plane" size="50 50 1" pos="${at.join(' ')}" zaxis="${normal.join(' ')}"/>`).join('') : ''}
    ${scene.bodies.map(({ at }) => `<body pos="${at.join(' ')}"><freejoint/><geom ${geom} mass="${scene.mass}"/></body>`).join('')}</worldbody></mujoco>`;
  const model = M.MjModel.from_xml_string ? M.MjModel.from_xml_string(xml) : M.MjModel.loadFromXML(xml), data = new M.MjData(model);
  return { step: () => M.mj_step(model, data), 
    poses: () => scene.bodies.flatMap((_, i) => { const [x, y, z, w, a, b, c] = data.qpos.slice(7 * i, 7 * i + 7); return [x, y, z, a, b, c, w]; }) };
}
