// node compare.mjs BUILD_FOLDER [SECONDS [SCENE...]]: engines for WebAssembly side by side in Node, one thread, h = 1/100 s: processor time per step and
// errors found from positions and orientations alone (overlaps.mjs). SCENE: spheres64, spheres125, spheres1000, pyramid20 (default: the last two; a
// quarter of an hour). Engines run with their defaults, some with settings of their own for better answers too. Every run ends at SECONDS (default 5) or
// after LIMIT seconds of processor time (environment; default 120). All are compared at the end and at the times that our runs came to.
// Deepest overlap: over all steps so far. Mean: over the pairs that overlap then. Drift: how far a brick is from where it would rest. Creep: the farthest that a
// body came in the last second. One JSON line per result, then tables, and under each in words where we lose; meanwhile on stderr how far runs came.
import { resolve } from 'node:path';
import { cpuUsage } from 'node:process';
import { farthest, overlapsOf, toppled } from './overlaps.mjs';
import { tablesOf } from './table.mjs';
import { jolt, mujoco, pyramid, rapier, spheres, stiction } from './worlds.mjs';

const build = resolve(process.argv[2] ?? 'build'), seconds = Number(process.argv[3] ?? 5), limit = Number(process.env.LIMIT ?? 120);
const perSecond = 100, h = 1 / perSecond, total = Math.round(seconds * perSecond);
const round = (x, digits = 3) => +x.toPrecision(digits);

function errorsOf(scene, poses, overlaps, deepest, aSecondAgo) {
  const mean = overlaps.length ? overlaps.reduce((a, b) => a + b) / overlaps.length : 0;
  return { overlap_mm: round(1000 * deepest), mean_overlap_mm: round(1000 * mean), overlaps: overlaps.length,
    ...(scene.size && { drift_m: round(farthest(poses, (i) => scene.bodies[i].rest)), toppled: toppled(scene, poses) }),
    ...(aSecondAgo && { creep_m: round(farthest(poses, (i) => aSecondAgo.slice(7 * i, 7 * i + 3))) }) };
}

/** One run; results of every step. */
async function measure(name, make, scene) {
  const world = await make(), results = [], kept = [];  // kept: poses of the last second
  let spent = 0, deepest = 0, slowest = 0, done = 0;
  while (done < total && spent < 1000 * limit) {
    const start = cpuUsage();
    world.step();
    const { user, system } = cpuUsage(start), ms = (user + system) / 1000;
    spent += ms, slowest = Math.max(slowest, ms), done += 1;
    const poses = Float64Array.from(world.poses()), overlaps = overlapsOf(scene, poses);
    for (const depth of overlaps) deepest = Math.max(deepest, depth);
    results.push({ scene: scene.name, engine: name, steps: done, time_s: round(done * h), ms_per_step: round(spent / done), slowest_ms: round(slowest),
      ...errorsOf(scene, poses, overlaps, deepest, kept[perSecond - 1]), ...(world.missed && { unconverged: world.missed() }) });
    kept.unshift(poses);
    kept.length = Math.min(kept.length, perSecond);
  }
  console.error(`${scene.name}: ${name}: ${done} steps in ${round(spent / 1000)} s`);
  return results;
}

const scenes = { spheres64: spheres(4), spheres125: spheres(5), spheres1000: spheres(10), pyramid20: pyramid(20) };
const wanted = process.argv.length > 4 ? process.argv.slice(4) : ['spheres1000', 'pyramid20'];
for (const name of wanted.filter((n) => !scenes[n])) throw new Error(`there is no scene "${name}"; known: ${Object.keys(scenes).join(', ')}`);
for (const scene of wanted.map((n) => scenes[n])) {
  const engines = { 'stiction 1e-4': () => stiction(scene, h, build, 1e-4), 'stiction 1e-8': () => stiction(scene, h, build, 1e-8),
    'jolt-physics 1.1.0': () => jolt(scene, h), 'jolt-physics, 50 and 10 iterations, slop 1 mm': () => jolt(scene, h, true),
    'rapier3d-compat 0.21.0': () => rapier(scene, h), 'rapier3d-compat, 50 iterations': () => rapier(scene, h, 50),
    'mujoco 3.14.0': () => mujoco(scene, h), 'mujoco, conjugate gradients': () => mujoco(scene, h, 'CG') };
  const runs = new Map(), names = Object.keys(engines);
  for (const name of names)
    await measure(name, engines[name], scene).then((r) => runs.set(name, r), (error) => console.log(JSON.stringify({ scene: scene.name, engine: name, failed: String(error).slice(0, 200) })));
  const stops = new Set([total, ...names.filter((n) => n.startsWith('stiction')).map((n) => runs.get(n)?.length)]);
  const results = [...runs.values()].flatMap((run) => run.filter((r) => stops.has(r.steps) || r.steps === run.length));
  for (const result of results) console.log(JSON.stringify(result));
  console.log(`\n${tablesOf(scene, names, results, { total, limit, perSecond }).join('\n')}\n`);
}
