// node compare.mjs BUILD_FOLDER [SECONDS [SCENE...]]: engines for WebAssembly side by side in Node, one thread, h = 1/60 s, defaults of every engine:
// processor time per step and errors. SCENE: pyramid20, spheres64, spheres125, spheres1000 (default: the first and the last; minutes).
// Overlap: the deepest of balls against each other, floor and walls, over the run. Drift: how far a brick of the pyramid is from where it would rest,
// at the end. Creep: the fastest brick over the last half second. Stops after LIMIT seconds (environment; default 120) of one run.
// One JSON line per result, then a table, then in words where we lose.
import { resolve } from 'node:path';
import { cpuUsage } from 'node:process';
import { tableOf } from './table.mjs';
import { jolt, mujoco, pyramid, rapier, spheres, stiction } from './worlds.mjs';

const build = resolve(process.argv[2] ?? 'build'), seconds = Number(process.argv[3] ?? 5), h = 1 / 60, patience = 1000 * Number(process.env.LIMIT ?? 120);

function overlap(scene, p) {
  let deepest = 0;
  for (let i = 0; i < p.length; i += 3) {
    deepest = Math.max(deepest, scene.radius - p[i + 2], Math.abs(p[i]) + scene.radius - scene.wall, Math.abs(p[i + 1]) + scene.radius - scene.wall);
    for (let k = 0; k < i; k += 3) deepest = Math.max(deepest, 2 * scene.radius - Math.hypot(p[i] - p[k], p[i + 1] - p[k + 1], p[i + 2] - p[k + 2]));
  }
  return deepest;
}
async function measure(name, make, scene) {
  const world = await make(), steps = Math.round(seconds / h);
  let spent = 0, worst = 0, slowest = 0, done = 0, before = null, creep = 0;
  while (done < steps && spent < patience) {
    const start = cpuUsage();
    world.step();
    const { user, system } = cpuUsage(start), ms = (user + system) / 1000;
    spent += ms, slowest = Math.max(slowest, ms), done += 1;
    if (scene.radius) worst = Math.max(worst, overlap(scene, world.positions()));
    else if (done === steps - 30) before = world.positions();
  }
  if (before && done === steps) {
    const after = world.positions(), speed = (i) => Math.hypot(...[0, 1, 2].map((c) => after[i + c] - before[i + c])) / (30 * h);
    for (let i = 0; i < after.length; i += 3) creep = Math.max(creep, speed(i));
  }
  const drift = scene.radius ? 0 : Math.max(...world.positions().map((x, i) => Math.abs(x - scene.bodies[Math.floor(i / 3)].rest[i % 3])));
  const result = { scene: scene.name, engine: name, steps: done, whole: done === steps, ms_per_step: +(spent / done).toFixed(3), slowest_ms: +slowest.toFixed(1),
    ...(scene.radius ? { overlap_mm: +(1000 * worst).toPrecision(3) } : { drift_m: +drift.toPrecision(3), ...(before && { creep_m_per_s: +creep.toPrecision(3) }) }),
    ...(world.missed && { unconverged: world.missed() }) };
  console.log(JSON.stringify(result));
  return result;
}

const scenes = { pyramid20: pyramid(20), spheres64: spheres(4), spheres125: spheres(5), spheres1000: spheres(10) };
const wanted = process.argv.length > 4 ? process.argv.slice(4) : ['pyramid20', 'spheres1000'];
for (const name of wanted.filter((n) => !scenes[n])) throw new Error(`there is no scene "${name}"; known: ${Object.keys(scenes).join(', ')}`);
for (const scene of wanted.map((n) => scenes[n])) {
  const engines = { 'stiction 1e-4': () => stiction(scene, h, build, 1e-4), 'stiction 1e-8': () => stiction(scene, h, build, 1e-8),
    'jolt-physics 1.1.0': () => jolt(scene, h), 'rapier3d-compat 0.21.0': () => rapier(scene, h), 'mujoco 3.14.0': () => mujoco(scene, h) };
  const results = [];
  for (const [name, make] of Object.entries(engines))
    await measure(name, make, scene).then((r) => results.push(r), (error) => console.log(JSON.stringify({ scene: scene.name, engine: name, failed: String(error).slice(0, 200) })));
  console.log(`\n${tableOf(scene, results, Math.round(seconds / h)).join('\n')}\n`);
}
