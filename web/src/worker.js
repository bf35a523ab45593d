// The engine in its own thread. Messages in: { do, ... }; out: { is: 'ready' | 'scene' | 'mistakes' | 'frame', ... }.
// While it plays it keeps in step with the clock (times `speed`); where a step takes longer than it lasts, it runs as
// fast as it can and says how slow that is.
import makeStiction from 'stiction-engine';
import { Engine, SceneMistakes } from './engine.js';
import { warmUp } from './warm.js';

const frameTime = 16;       // [ms] between frames sent to the page
const longestStretch = 40;  // [ms] of work before messages are looked at again

let engine = null, cold = null;  // cold: the module, until its code is warm
let playing = false, timer = 0, speed = 1, owed = 0, last = 0, stepMs = 0, scene = 0;

function sendFrame(status = '') {
  const poses = Float32Array.from(engine.poses()), contacts = Float32Array.from(engine.contacts());
  const numbers = Float64Array.from(engine.numbers());
  postMessage({ is: 'frame', scene, poses, contacts, numbers, broken: Array.from(engine.broken()), status, stepMs, playing },
    [poses.buffer, contacts.buffer, numbers.buffer]);
}

function takeStep() {
  const start = performance.now();
  const status = engine.step();
  stepMs = 0.9 * stepMs + 0.1 * (performance.now() - start);
  return status;
}

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
  while (owed >= h && performance.now() - now < longestStretch) {
    status = takeStep();
    owed -= h, stepped = true;
    if (status === 'refused') playing = false;
    if (!playing) break;
  }
  if (stepped) sendFrame(status);
  if (playing) timer = setTimeout(turn, Math.max(0, frameTime - (performance.now() - now)));
}

const actions = {
  async start({ binary }) {
    cold = await WebAssembly.compile(binary);
    engine = await Engine.create(makeStiction, cold);
    postMessage({ is: 'ready' });
  },
  load({ text, id }) {
    const description = engine.load(text);
    stop();
    owed = 0, stepMs = 0, scene = id;
    const meshes = engine.meshes();
    postMessage({ is: 'scene', scene, description, meshes }, meshes.map((m) => m.buffer));
    sendFrame();
    if (cold) warmUp(makeStiction, cold).catch(() => {});  // after the first picture; nothing is lost without
    cold = null;
  },
  set({ changes }) {
    const { settings, gravity, surfaces, surface_pairs, methods, stabilisations, warnings, grains } = engine.set(changes);
    postMessage({ is: 'settings', settings, gravity, surfaces, surface_pairs, methods, stabilisations, warnings, grains, keys: Object.keys(changes) });
  },
  play() {
    if (!engine.description) throw new SceneMistakes([{ message: 'there is no scene yet' }]);
    if (playing) return;
    playing = true, owed = 0, last = performance.now();
    turn();
  },
  pause() {
    stop();
    if (engine.description) sendFrame();
  },
  step() { stop(); sendFrame(takeStep()); },
  reset() { engine.reset(); owed = 0; sendFrame(); },
  speed({ value }) { speed = value; },
  grip({ body, point }) { engine.grip(body, point); },
  gripTo({ target }) { engine.gripTo(target); },
  release() { engine.release(); },
  push({ origin, direction, radius, strength }) { engine.push(origin, direction, radius, strength); },
  stopPushing() { engine.stopPushing(); },
  hash() { postMessage({ is: 'hash', hash: engine.hash() }); },
};

onmessage = async ({ data }) => {
  if (!engine && !['start', 'speed'].includes(data.do)) return;  // the module is still being compiled
  try {
    await actions[data.do](data);
  } catch (error) {
    if (!(error instanceof SceneMistakes)) throw error;
    postMessage({ is: 'mistakes', mistakes: error.mistakes, of: data.do });
  }
};
