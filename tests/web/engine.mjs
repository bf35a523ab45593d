// The engine in Node, through the same wrapper as in the page; what the page keeps of a run.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Engine, SceneMistakes } from '../../web/src/engine.js';
import { History } from '../../web/src/history.js';

const falling = JSON.stringify({ stiction: 1, gravity: [0, 0, -10], bodies: { ball: { shape: { sphere: 0.1 }, mass: 2, at: [0, 0, 5] } },
  run: { step: 0.01, until: 5 } });

export default async function test({ check, build }) {
  const { default: make } = await import(pathToFileURL(join(build, 'wasm/bin/stiction.mjs')));
  const engine = await Engine.create(make, readFileSync(join(build, 'wasm/bin/stiction.wasm')));
  const number = (name) => engine.numbers()[engine.description.numbers.indexOf(name)];

  await check('mistakes come with line, column and field', () => {
    assert.throws(() => engine.load('{ "stiction": 1,\n  "gravity": [0, 0, "down"],\n "bodies": {} }'), (error) => {
      assert.ok(error instanceof SceneMistakes);
      assert.equal(error.mistakes[0].line, 2);
      assert.match(error.mistakes[0].path, /^gravity/);
      return true;
    });
  });
  await check('without a scene nothing runs, and it says so', () => {
    for (const act of [() => engine.step(), () => engine.reset(), () => engine.set({ 'gravity.2': 0 }), () => engine.hash()])
      assert.throws(act, (error) => error instanceof SceneMistakes && /no scene/.test(error.message));
    engine.grip(0, [0, 0, 0]), engine.gripTo([1, 0, 0]), engine.release();
    assert.equal(engine.poses().length + engine.numbers().length + engine.contacts().length, 0);
  });
  await check('a body falls as it should, and gravity is booked', () => {
    engine.load(falling);
    for (let i = 0; i < 100; ++i) assert.equal(engine.step(), 'converged');
    assert.ok(Math.abs(number('time') - 1) < 1e-12);
    assert.ok(Math.abs(engine.poses()[2] - (5 - 5)) <= 10 * 0.01 / 2 + 1e-12);  // g h t / 2 is the error of first order
    assert.ok(Math.abs(number('kinetic') - 100) < 1e-9);  // m (g t)^2 / 2
    assert.ok(Math.abs(number('imbalance')) < 1e-12 * number('ledger_scale'));
  });
  await check('gravity changes while it runs; the books close', () => {
    const before = engine.poses()[2];
    engine.set({ 'gravity.2': 0 });
    engine.step(10);
    assert.ok(Math.abs(before - engine.poses()[2] - 10 * 0.1) < 1e-9);  // no force: 10 m/s for 0.1 s
    assert.ok(Math.abs(number('booked.edit') - 2 * 10 * (5 - before)) < 1e-9);  // the potential energy that went with gravity
    assert.ok(Math.abs(number('imbalance')) < 1e-12 * number('ledger_scale'));
  });
  await check('what cannot be is refused, and the world runs on', () => {
    assert.throws(() => engine.set({ 'run.step': -1 }), SceneMistakes);
    assert.equal(engine.step(), 'converged');
  });
  await check('a hand draws a body to its target with a bounded force, booked as input', () => {
    engine.load(falling);
    engine.set({ 'gravity.2': 0 });
    engine.grip(0, [0, 0, 0]);
    engine.gripTo([1, 0, 5]);
    engine.step();
    const speed = Math.sqrt(number('kinetic'));  // m = 2
    assert.ok(speed > 0 && speed <= 50 * 0.01 + 1e-12);
    engine.step(300);
    assert.ok(Math.abs(engine.poses()[0] - 1) < 1e-6);
    assert.notEqual(number('booked.input'), 0);
    engine.release();
  });
  await check('reset goes back to the start', () => {
    engine.reset();
    const fresh = engine.hash();
    engine.load(falling);
    engine.set({ 'gravity.2': 0 });
    engine.reset();
    assert.equal(engine.hash(), fresh);
    assert.equal(engine.poses()[2], 5);
  });
  await check('restitution changes while it runs', () => {
    engine.load(JSON.stringify({ stiction: 1, gravity: [0, 0, -10], surfaces: { s: { friction: 0 } }, bodies: {
      floor: { static: true, shape: { half_space: [0, 0, 1] }, surface: 's' }, ball: { shape: { sphere: 0.1 }, mass: 1, at: [0, 0, 1.35], surface: 's' } } }));
    engine.step(20);
    assert.equal(engine.set({ 'surfaces.s.restitution': 1 }).surfaces.s.restitution, 1);
    engine.step(80);  // it is back where it was after 1 s, but for g h t / 2 of first order and the way v h of the step of the impact
    assert.ok(Math.abs(engine.poses()[9] - 1.35) < 10 * 0.01 * 1 / 2 + 5 * 0.01, `${engine.poses()[9]}`);
  });
  await check('contacts, cones and meshes', () => {
    engine.load(JSON.stringify({ stiction: 1, gravity: [0, 0, -10], surfaces: { s: { friction: 0.3 } }, bodies: {
      floor: { static: true, shape: { half_space: [0, 0, 1] }, surface: 's' },
      box: { shape: { box: [0.2, 0.2, 0.2] }, mass: 1, at: [0, 0, 0.1], surface: 's' }, twin: { shape: { box: [0.2, 0.2, 0.2] }, mass: 1, at: [1, 0, 0.1], surface: 's' } } }));
    engine.step(5);
    const contacts = engine.contacts();
    assert.equal(contacts.length, 17 * 8);
    let weight = 0;
    for (let i = 0; i < 8; ++i) weight += contacts[17 * i + 8];
    assert.ok(Math.abs(weight - 20) < 1e-6);  // two bodies of 10 N
    assert.equal(contacts[13], 0.3);
    const [mesh, ...more] = engine.meshes();
    assert.equal(more.length, 0);  // both boxes share one
    for (const x of mesh) assert.ok(Math.abs(Math.abs(x) - 0.1) < 1e-6);
  });
  await check('a module that cannot be instantiated is told about', async () => {
    const module = await WebAssembly.compile(readFileSync(join(build, 'wasm/bin/stiction.wasm'))), { instantiate } = WebAssembly;
    WebAssembly.instantiate = () => Promise.reject(new RangeError('no memory'));
    try {
      await assert.rejects(Engine.create(make, module), /no memory/);
    } finally {
      WebAssembly.instantiate = instantiate;
    }
  });
  await check('frames of a run are thinned out evenly, the last one is kept, and the nearest is found', () => {
    const history = new History(100), frame = (i) => ({ poses: [], contacts: [], numbers: [0.01 * i] });
    for (let i = 0; i <= 1000; ++i) history.keep(frame(i));
    const times = history.frames.map(({ numbers }) => numbers[0]), gaps = times.slice(1, -1).map((t, i) => t - times[i]);
    assert.ok(times.length > 40 && times.length <= 100 && times[0] === 0 && times.at(-1) === 10, `${times}`);
    assert.ok(Math.max(...gaps) - Math.min(...gaps) < 1e-9 && gaps[0] < 0.33, `${gaps}`);
    for (const time of [-1, 0, 3.33, 7.77, 99]) {
      const nearest = Math.min(...times.map((t) => Math.abs(t - time)));
      assert.equal(Math.abs(times[history.at(time)] - time), nearest);
    }
    history.keep(frame(500));  // back in time: what comes after it was another run
    assert.equal(history.last.numbers[0], 5);
    assert.ok(history.frames.every(({ numbers }) => numbers[0] <= 5));
    const small = new History(100, 1000);
    for (let i = 0; i < 50; ++i) small.keep({ ...frame(i), poses: new Array(70) });
    assert.ok(small.frames.length > 5 && small.frames.length <= 1000 / 72 && small.last.numbers[0] === 0.49, `${small.frames.length}`);
  });
}
