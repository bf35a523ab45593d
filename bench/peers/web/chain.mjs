// node chain.mjs BUILD_FOLDER [SECONDS]: the heavy chain (scene heavy_chain) in our engine, with constraint joints and with coordinate joints,
// and in jolt-physics with its defaults, with more iterations and with sub-steps; all compiled to WebAssembly, one thread, h = 0.01 s. A table:
// largest distance between the two ends of a joint over the run, total energy above and below its start over the 5126 J that the fall may set
// free, distance of the ball at the end from where converged solutions have it at 5 s, time per step. Jolt's own damping of velocities is turned off.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Engine } from '../../../web/src/engine.js';

const build = resolve(process.argv[2] ?? 'build'), seconds = Number(process.argv[3] ?? 5), h = 0.01;
const links = 50, length = 0.1, g = 9.81, fall = 5126, converged = [5.0665, 0, -0.5218];
const bodies = Array.from({ length: links + 1 }, (_, i) => i < links
  ? { mass: 0.1, at: [length * (i + 0.5), 0, 0], size: [0.1, 0.02, 0.02] }
  : { mass: 100, at: [length * links + 0.1, 0, 0], radius: 0.1 });
for (const b of bodies) {
  const [x, y, z] = b.size ?? [];
  b.inertia = b.radius ? Array(3).fill(0.4 * b.mass * b.radius ** 2) : [y * y + z * z, x * x + z * z, x * x + y * y].map((s) => b.mass / 12 * s);
}

const cross = ([a, b, c], [x, y, z]) => [b * z - c * y, c * x - a * z, a * y - b * x];
/** v turned by the quaternion x y z w. */
function turn([x, y, z, w], v) {
  const t = cross([x, y, z], v).map((e) => 2 * e), u = cross([x, y, z], t);
  return v.map((e, i) => e + w * t[i] + u[i]);
}
const length3 = (v) => Math.hypot(...v);

/** The farthest two ends of a joint are apart; at(i): place and orientation of body i. */
function apart(at) {
  let worst = 0, end = [0, 0, 0];  // where body i hangs on what is before it
  for (let i = 0; i <= links; ++i) {
    const { p, q } = at(i), half = i < links ? length / 2 : 0.1, arm = turn(q, [half, 0, 0]);
    worst = Math.max(worst, length3(end.map((e, k) => e - (p[k] - arm[k]))));
    end = p.map((e, k) => e + arm[k]);
  }
  return worst;
}

async function ours(joint) {
  const { default: make } = await import(pathToFileURL(join(build, 'wasm/bin/stiction.mjs')));
  const engine = await Engine.create(make, readFileSync(join(build, 'wasm/bin/stiction.wasm')));
  const scene = { stiction: 1, gravity: [0, 0, -g], bodies: {}, joints: {}, run: { step: h, until: seconds } };
  bodies.forEach((b, i) => {
    scene.bodies[`b${i}`] = { shape: b.radius ? { sphere: b.radius } : { box: b.size }, mass: b.mass, at: b.at, collides: false };
    scene.joints[`j${i}`] = joint({ body: `b${i}`, ...(i > 0 && { parent: `b${i - 1}` }), at: [length * i, 0, 0] });
  });
  engine.load(JSON.stringify(scene));
  const names = engine.description.numbers, number = (name) => engine.numbers()[names.indexOf(name)];
  return { step: () => engine.step(), energy: () => number('kinetic') + number('gravity'),
    at(i) { const p = engine.poses().subarray(7 * i, 7 * i + 7); return { p: [...p.subarray(0, 3)], q: [...p.subarray(3)] }; } };
}

async function jolt({ subSteps = 1, velocitySteps, positionSteps }) {
  const { default: init } = await import('jolt-physics');
  const J = await init(), settings = new J.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const filter = new J.ObjectLayerPairFilterTable(1), layers = new J.BroadPhaseLayerInterfaceTable(1, 1);  // nothing touches anything
  layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = filter, settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 1, filter, 1);
  const world = new J.JoltInterface(settings), system = world.GetPhysicsSystem(), own = system.GetBodyInterface();
  system.SetGravity(new J.Vec3(0, 0, -g));
  if (velocitySteps) {
    const physics = system.GetPhysicsSettings();
    physics.mNumVelocitySteps = velocitySteps, physics.mNumPositionSteps = positionSteps;
    system.SetPhysicsSettings(physics);
  }
  const add = (shape, [x, y, z], mass) => {
    const s = new J.BodyCreationSettings(shape, new J.RVec3(x, y, z), new J.Quat(0, 0, 0, 1), mass ? J.EMotionType_Dynamic : J.EMotionType_Static, 0);
    s.mAllowSleeping = false, s.mLinearDamping = s.mAngularDamping = 0, s.mMaxLinearVelocity = s.mMaxAngularVelocity = 1e6;
    if (mass) s.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia, s.mMassPropertiesOverride.mMass = mass;
    const body = own.CreateBody(s);
    own.AddBody(body.GetID(), J.EActivation_Activate);
    return body;
  };
  const box = (x, y, z) => new J.BoxShape(new J.Vec3(x, y, z), 0);
  const all = bodies.map((b) => add(b.radius ? new J.SphereShape(b.radius) : box(...b.size.map((e) => e / 2)), b.at, b.mass));
  let last = add(box(0.01, 0.01, 0.01), [0, 0, 1], 0);  // the world's end of the first joint
  all.forEach((body, i) => {
    const s = new J.PointConstraintSettings();
    s.mSpace = J.EConstraintSpace_WorldSpace;
    s.mPoint1 = s.mPoint2 = new J.RVec3(length * i, 0, 0);
    system.AddConstraint(s.Create(last, body));
    last = body;
  });
  const three = (v) => [v.GetX(), v.GetY(), v.GetZ()];
  return {
    step: () => world.Step(h, subSteps),
    at(i) { const q = all[i].GetRotation(); return { p: three(all[i].GetPosition()), q: [q.GetX(), q.GetY(), q.GetZ(), q.GetW()] }; },
    energy: () => all.reduce((sum, body, i) => {
      const r = body.GetRotation(), back = [-r.GetX(), -r.GetY(), -r.GetZ(), r.GetW()], w = turn(back, three(body.GetAngularVelocity()));
      const { mass, inertia } = bodies[i], v = three(body.GetLinearVelocity());
      return sum + 0.5 * mass * v.reduce((s, e) => s + e * e, 0) + 0.5 * w.reduce((s, e, k) => s + inertia[k] * e * e, 0) + mass * g * body.GetPosition().GetZ();
    }, 0),
  };
}

const runs = {
  'stiction, constraint joints': () => ours((j) => ({ constraint: { kind: 'ball', ...j } })),
  'stiction, coordinate joints': () => ours((j) => ({ spherical: j })),
  'jolt 1.1.0, defaults': () => jolt({}),
  'jolt, 50 and 10 iterations': () => jolt({ velocitySteps: 50, positionSteps: 10 }),
  'jolt, 10 sub-steps': () => jolt({ subSteps: 10 }),
  'jolt, 50 sub-steps': () => jolt({ subSteps: 50 }),
};
console.log('| | joint error [m] | energy above, below its start [%] | ball off [m] | ms per step |\n|---|---|---|---|---|');
for (const [name, make] of Object.entries(runs)) {
  const world = await make(), start = world.energy(), steps = Math.round(seconds / h);
  let worst = 0, above = 0, below = 0, spent = 0;
  for (let i = 0; i < steps; ++i) {
    const before = performance.now();
    world.step();
    spent += performance.now() - before;
    const change = (world.energy() - start) / fall;
    worst = Math.max(worst, apart(world.at)), above = Math.max(above, change), below = Math.max(below, -change);
  }
  const off = length3(world.at(links).p.map((x, k) => x - converged[k]));
  console.log(`| ${name} | ${worst.toExponential(1)} | ${(100 * above).toPrecision(2)}, ${(100 * below).toPrecision(2)} | ${seconds === 5 ? off.toPrecision(2) : ''} | ${(spent / steps).toPrecision(2)} |`);
}
