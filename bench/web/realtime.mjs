// node realtime.mjs BUILD_FOLDER [SCENE...]: whether the page keeps up with the clock: our WebAssembly in Node, one thread, h = 1/60 s, so
// that a step has 16.7 ms; drawing is not counted. Scenes of the folder scenes/, with other constants as in 'mixed_pile $layers=1' (default: pyramid of base 20, pile of 500 mixed bodies), to
// 5 s at tolerances 1e-4 and 1e-8, or as far as they come in LIMIT seconds (environment; default 120). Times are processor times of the thread that
// steps, so that neither other work on the machine counts much nor what other threads compile meanwhile; the code is warmed up as in the page (WARM=0
// in the environment: not). One JSON line per result: mean, median, first and slowest step [ms], steps over the budget and which (the first ten), steps
// that missed the tolerance, processor time of all threads and wall time per step.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cpuUsage } from 'node:process';
import { pathToFileURL } from 'node:url';
import { Engine } from '../../web/src/engine.js';
import { warmUp } from '../../web/src/warm.js';

const [build, ...chosen] = [resolve(process.argv[2] ?? 'build'), ...process.argv.slice(3)];
const h = 1 / 60, until = 5, patience = 1000 * Number(process.env.LIMIT ?? 120), budget = 1000 * h;
const { default: make } = await import(pathToFileURL(join(build, 'wasm/bin/stiction.mjs')));
const module = await WebAssembly.compile(readFileSync(join(build, 'wasm/bin/stiction.wasm')));
/** [ms] of the processor that this thread had, and all of them. Asking for the latter brings the kernel's count of the former up to date. */
const thread = () => cpuUsage() && Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
const program = () => { const { user, system } = cpuUsage(); return (user + system) / 1000; };

if (process.env.WARM !== '0') {
  await warmUp(make, module);
  await new Promise((done) => setTimeout(done, 1000));  // as long as it takes to press a key
}

for (const words of chosen.length ? chosen : ['pyramid', 'mixed_pile']) {
  const [scene, ...constants] = words.split(' ');
  for (const tolerance of [1e-4, 1e-8]) {
    const engine = await Engine.create(make, module);
    const changes = Object.fromEntries(constants.map((word) => word.split('=')).map(([name, value]) => [name, Number(value)]));
    engine.load(readFileSync(new URL(`../../scenes/${scene}.json`, import.meta.url), 'utf8'), { ...changes, 'run.step': h, 'run.tolerance': tolerance });
    const moving = engine.description.bodies.filter((b) => b.kind === 'dynamic').length, times = [];
    let missed = 0, spent = 0;
    const start = performance.now(), all = program();
    while (times.length < Math.round(until / h) && spent < patience) {
      const before = thread();
      if (engine.step() !== 'converged') missed += 1;
      times.push(thread() - before);
      spent += times.at(-1);
    }
    const sorted = [...times].sort((a, b) => a - b), round = (x) => +x.toPrecision(3);
    const over = times.flatMap((ms, i) => (ms > budget ? [i + 1] : []));
    console.log(JSON.stringify({ scene: words, moving, tolerance, simulated_s: round(times.length * h), steps: times.length, mean_ms: round(spent / times.length),
      median_ms: round(sorted[Math.floor(sorted.length / 2)]), first_ms: round(times[0]), slowest_ms: round(sorted.at(-1)), over_budget: over.length, which: over.slice(0, 10),
      unconverged: missed, real_time: spent <= 1000 * h * times.length, all_threads_ms: round((program() - all) / times.length), wall_ms: round((performance.now() - start) / times.length) }));
  }
}
