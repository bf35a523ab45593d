// Code of the module is compiled when it is first called, and again, better, once it has been called often. A small stack in an instance of its own lets
// most of that happen before somebody waits for a step.
import { Engine } from './engine.js';

const size = [0.4, 0.2, 0.2];
const bricks = Array.from({ length: 6 }, (_, i) => [`brick${i}`, { shape: { box: size }, mass: 1, at: [0.21 * (i % 2), 0, 0.1 + 0.2005 * i], surface: 's' }]);
const stack = { stiction: 1, gravity: [0, 0, -9.81], surfaces: { s: { friction: 0.5 } }, run: { step: 1 / 60, tolerance: 1e-4 },
  bodies: { floor: { static: true, shape: { half_space: [0, 0, 1] }, surface: 's' }, ...Object.fromEntries(bricks) } };

/** `module`: a compiled WebAssembly.Module, which other instances share. Some 70 ms of this thread; the rest is compiled by threads of the browser. */
export async function warmUp(make, module) {
  const engine = await Engine.create(make, module);
  engine.load(JSON.stringify(stack));
  engine.step(60);
}
