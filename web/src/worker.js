// The engine in its own thread. Messages in: { do, n, scene, ... }, first 'start' with a compiled module; out: { is: 'ready' | 'works' | 'scene' |
// 'settings' | 'mistakes' | 'frame' | 'hash' | 'stopped', ... }. While it plays it keeps in step with the clock (times `speed`); where a step takes longer
// than it lasts, it runs as fast as it can and says how slow that is. Before it steps, loads, sets or resets it says that it works: it hears nothing until that is done.
import makeStiction from 'stiction-engine';
import { certificateFields, Engine, SceneMistakes } from './engine.js';
import { warmUp } from './warm.js';

const frameTime = 16;       // [ms] between frames sent to the page
const longestStretch = 40;  // [ms] of work before messages are looked at again

let engine = null, begun = null, cold = null;  // begun: settled once there is an engine; cold: the module, until its code is warm
let playing = false, timer = 0, speed = 1, owed = 0, last = 0, stepMs = 0, scene = 0;
let command = 0;       // the last that was heard of those that start or stop something
let missed = 0;        // steps of this run that missed the tolerance
let worst = new Map(); // of the certificates since the last frame: place among the numbers, value

function sendFrame(status = '') {
  const poses = Float32Array.from(engine.poses()), contacts = Float32Array.from(engine.contacts());
  const numbers = Float64Array.from(engine.numbers());
  for (const [at, value] of worst) numbers[at] = value;
  worst.clear();
  postMessage({ is: 'frame', scene, poses, contacts, numbers, broken: Array.from(engine.broken()), status, stepMs, missed, playing, command },
    [poses.buffer, contacts.buffer, numbers.buffer]);
}

const tellWork = (loads = 0) => postMessage({ is: 'works', loads });
function takeStep() {
  const start = performance.now();
  const status = engine.step(), took = performance.now() - start, numbers = engine.numbers();
  stepMs = stepMs ? 0.9 * stepMs + 0.1 * took : took;
  if (status === 'unconverged') missed += 1;  // one that is refused is none
  for (const name of certificateFields) {
    const at = engine.description.numbers.indexOf(name);
    worst.set(at, Math.max(numbers[at], worst.get(at) ?? 0));
  }
  return status;
}
function beginRun() { owed = 0, missed = 0, worst.clear(); }

function stop() {
  playing = false;
  clearTimeout(timer);  // else a play before it fires would begin a second chain of turns
}

function turn() {
  const now = performance.now();
  const h = engine.description.settings.step;
  owed = Math.min(owed + speed * (now - last) / 1000, Math.max(0.1 * speed, h));
  last = now;
  let status = '', stepped = false;
  if (owed >= h) tellWork();
  while (owed >= h && performance.now() - now < longestStretch) {
    status = takeStep();
    owed -= h, stepped = true;
    if (status === 'refused') playing = false;
    if (!playing) break;
  }
  if (stepped) sendFrame(status);
  if (playing) timer = setTimeout(() => guarded(turn), Math.max(0, frameTime - (performance.now() - now)));
}

const actions = {
  /** `warm`: another worker has run this module. */
  async start({ module, warm = false }) {
    if (!warm) cold = module;
    engine = await Engine.create(makeStiction, module);
    postMessage({ is: 'ready' });
  },
  /** `changes`: of values, as with 'set', that hold from the start. */
  load({ text, id, changes }) {
    tellWork(id);
    const description = engine.load(text, changes);
    stop(), beginRun();
    stepMs = 0, scene = id;
    const meshes = engine.meshes();
    postMessage({ is: 'scene', scene, description, meshes }, meshes.map((m) => m.buffer));
    sendFrame();
    if (cold) warmUp(makeStiction, cold).catch(() => {});  // after the first picture; nothing is lost without
    cold = null;
  },
  set({ changes }) {
    tellWork();
    const { settings, gravity, surfaces, surface_pairs, methods, stabilisations, constants, warnings, grains } = engine.set(changes);
    postMessage({ is: 'settings', scene, settings, gravity, surfaces, surface_pairs, methods, stabilisations, constants, warnings, grains, changes });
  },
  play() {
    if (!engine.description) throw new SceneMistakes([{ message: 'there is no scene yet' }]);
    if (playing) return;
    playing = true, owed = 0, last = performance.now();
    turn();
  },
  pause() { stop(); },
  step() { stop(); tellWork(); sendFrame(takeStep()); },
  reset() { stop(), beginRun(), tellWork(); engine.reset(); sendFrame(); },
  speed({ value }) { speed = value; },
  grip({ body, point }) { engine.grip(body, point); },
  gripTo({ target }) { engine.gripTo(target); },
  release() { engine.release(); },
  push({ origin, direction, radius, strength }) { engine.push(origin, direction, radius, strength); },
  stopPushing() { engine.stopPushing(); },
  hash() { postMessage({ is: 'hash', hash: engine.hash() }); },
};

/** Mistakes of the user are told; after anything else there is no trusting this engine any more. */
async function guarded(action, data = {}) {
  try {
    await action(data);
  } catch (error) {
    if (error instanceof SceneMistakes) return postMessage({ is: 'mistakes', scene, mistakes: error.mistakes, of: data.do, id: data.id });
    stop();
    postMessage({ is: 'stopped', message: String(error?.message ?? error), id: data.id });
  }
}
onmessage = async ({ data }) => {
  if (data.do === 'start') return void (begun = guarded(actions.start, data));
  if (!begun) return;  // nothing was there yet
  await begun;
  command = data.n ?? command;
  if ((data.scene ?? scene) !== scene) return;  // meant for another one than what is here by now
  guarded(actions[data.do], data);
};
