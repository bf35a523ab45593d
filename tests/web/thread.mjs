// The engine's thread as the page sees it, with threads that say what the test wants when it wants it: what is late, what fails, what crosses on its way.
import assert from 'node:assert/strict';
import { EngineThread, patience } from '../../web/src/thread.js';

let clock = 0, threads = [];
class Thread {
  heard = []; isGone = false;
  constructor() { threads.push(this); }
  postMessage(message) { this.heard.push(message); }
  terminate() { this.isGone = true; }
  say(is, more = {}) { if (!this.isGone) this.onmessage({ data: { is, ...more } }); }
  fail(message = '') { if (!this.isGone) this.onerror({ message }); }
  words(what) { return this.heard.filter((message) => message.do === what); }
  get last() { return this.heard.at(-1); }
}

/** An engine with scene A, and what the page heard since. */
function begin() {
  threads = [], clock = 0;
  const heard = [], tell = (kind) => (...what) => heard.push([kind, ...what]);
  const engine = new EngineThread(Object.fromEntries(['ready', 'scene', 'settings', 'frame', 'mistakes', 'stopped'].map((kind) => [kind, tell(kind)])));
  engine.start('the module');
  const [main] = threads;
  main.say('ready');
  engine.load({ text: 'A' });
  main.say('scene', { scene: main.last.id });
  heard.length = 0;
  const of = (kind) => heard.filter(([which]) => which === kind);
  const work = (ms, loads = 0) => { main.say('works', { loads }), clock += ms, engine.watch(); };
  return { engine, main, heard, of, work, shown: main.words('load')[0].id };
}

export default async function test({ check }) {
  const { Worker, performance } = globalThis;
  globalThis.Worker = Thread;
  Object.defineProperty(globalThis, 'performance', { value: { now: () => clock }, configurable: true, writable: true });

  await check('thread: a reset waits for a short step, and not for a long one', () => {
    const { engine, main, work, shown } = begin();
    let otherwise = 0;
    work(10), engine.reset(() => ++otherwise), work(patience / 2);
    main.say('frame', { scene: shown, command: main.last.n });
    work(2 * patience);
    assert.equal(otherwise, 0);
    engine.reset(() => ++otherwise);
    engine.watch(), engine.watch();
    assert.equal(otherwise, 1);
  });
  await check('thread: a reset beside a scene that was chosen does not take its place', () => {
    const { engine, work } = begin();
    let otherwise = 0;
    work(10), engine.load({ text: 'B' }), engine.reset(() => ++otherwise), work(2 * patience);
    assert.equal(otherwise, 0);
    assert.equal(engine.pending.text, 'B');
  });
  await check('thread: where no second one can be had, the scene comes from the first', () => {
    const { engine, main, of, work } = begin();
    work(10), engine.load({ text: 'B' }), work(2 * patience);
    assert.equal(threads.length, 2);
    threads[1].fail('no memory');
    engine.watch(), engine.watch();
    assert.deepEqual([threads.length, of('stopped').length], [2, 0]);  // it is not tried again, nor is anything lost
    main.say('scene', { scene: main.words('load').at(-1).id });
    assert.deepEqual(of('scene').map(([, { text }]) => text), ['B']);
    assert.equal(engine.pending, null);
    const [[, request]] = of('scene');
    work(2 * patience), engine.load({ ...request });  // it starts anew: the first one has not been asked this time
    threads[2].fail('no memory');
    assert.deepEqual([of('stopped').length, engine.pending], [1, null]);
  });
  await check('thread: a scene that is chosen does not wait for one that it replaces', () => {
    const { engine, main, of, work } = begin();
    engine.load({ text: 'slow' }), work(10, main.last.id), engine.load({ text: 'B' }), work(2 * patience, main.words('load')[1].id);
    assert.deepEqual(threads[1]?.words('load').map(({ text }) => text), ['B']);
    threads[1].say('scene', { scene: threads[1].last.id });
    assert.deepEqual([main.isGone, of('scene').map(([, { text }]) => text)], [true, ['B']]);
  });
  await check('thread: what is meant for one scene says so, and answers for another are not heard', () => {
    const { engine, main, heard, of, shown } = begin();
    engine.load({ text: 'B' });
    const id = main.last.id;
    engine.change({ 'gravity.2': '1' });
    assert.equal(main.last.scene, shown);
    main.say('scene', { scene: id });
    heard.length = 0;
    main.say('settings', { scene: shown, changes: {} }), main.say('mistakes', { scene: shown, of: 'set', mistakes: [] }), main.say('frame', { scene: shown });
    assert.deepEqual(heard, []);
    engine.change({ 'gravity.2': '2' });  // it does not wait for the answer that does not come
    assert.deepEqual([main.last.scene, main.last.changes], [id, { 'gravity.2': '2' }]);
    assert.equal(of('settings').length, 0);
  });
  await check('thread: of several changes that are refused together the good ones hold', () => {
    const { engine, main, of, shown } = begin();
    engine.change({ a: 'bad' }), engine.change({ b: 'good' }), engine.change({ c: 'bad' });
    main.say('mistakes', { scene: shown, of: 'set', mistakes: ['a'] });
    assert.deepEqual(main.last.changes, { b: 'good', c: 'bad' });
    main.say('mistakes', { scene: shown, of: 'set', mistakes: ['c'] });
    assert.deepEqual(main.last.changes, { b: 'good' });
    engine.change({ d: 'good' });
    assert.deepEqual(engine.unanswered, { b: 'good', c: 'bad', d: 'good' });
    main.say('settings', { scene: shown, changes: main.last.changes });
    assert.deepEqual(main.last.changes, { c: 'bad' });
    main.say('mistakes', { scene: shown, of: 'set', mistakes: ['c'] });
    assert.deepEqual(main.last.changes, { d: 'good' });
    main.say('settings', { scene: shown, changes: main.last.changes });
    assert.deepEqual(of('mistakes').map(([, mistakes]) => mistakes), [['a'], ['c']]);
    assert.deepEqual(engine.unanswered, {});
  });
  await check('thread: what has no answer when the engine stops is not lost', () => {
    const { engine, of, main } = begin();
    engine.change({ a: '1' }), engine.change({ b: '2' });
    main.fail('a bug');
    assert.match(of('stopped')[0][1], /the engine stopped: a bug\. Reset/);
    engine.change({ c: '3' });
    assert.deepEqual(engine.unanswered, { a: '1', b: '2', c: '3' });
    const [, second] = threads;
    second.say('ready');
    assert.equal(second.words('set').length, 0);  // there is no scene yet
    engine.load({ text: 'A', changes: engine.unanswered });
    second.say('scene', { scene: second.last.id });
    assert.deepEqual(engine.unanswered, {});
  });
  await check('thread: who asks again after a thread that could not be started gets another try, and an answer', () => {
    const { engine, of, main } = begin();
    main.fail('a bug'), threads[1].fail();
    assert.match(of('stopped')[1][1], /cannot be started: worker\.js cannot be fetched/);
    engine.load({ text: 'A' });
    threads[2].fail();
    assert.equal(of('stopped').length, 3);
    engine.load({ text: 'A' });
    threads[3].say('ready');
    assert.equal(threads[3].last.text, 'A');
    threads[3].say('scene', { scene: threads[3].last.id });
    assert.equal(engine.isStopped, false);
  });
  await check('thread: a scene that the second one loads comes also when the first stops, and cannot be started again', () => {
    const { engine, main, of, work } = begin();
    work(2 * patience), engine.load({ text: 'B' });
    const [, second] = threads, [{ id }] = second.words('load');
    main.fail('a bug'), threads[2].fail();
    assert.deepEqual([of('stopped').length, engine.pending.text], [2, 'B']);
    second.say('scene', { scene: id });
    assert.deepEqual([of('scene').map(([, { text }]) => text), engine.pending, engine.isStopped], [['B'], null, false]);
  });
  await check('thread: nor is it lost when the first stops over it', () => {
    const { engine, main, of, work } = begin();
    engine.load({ text: 'B' });
    const { id } = main.last;
    work(2 * patience);
    const [, second] = threads;
    assert.deepEqual(second.words('load').map((load) => load.id), [id]);
    main.say('stopped', { message: 'a bug', id });
    threads[2].say('ready');
    assert.equal(threads[2].words('load').length, 0);  // one is enough
    second.say('scene', { scene: id });
    assert.deepEqual([of('scene').map(([, { text }]) => text), threads[2].isGone, engine.isStopped], [['B'], true, false]);
    engine.step();
    assert.equal(second.last.do, 'step');
  });
  await check('thread: where it stops the second too, that is told, and another scene comes', () => {
    const { engine, main, of, work } = begin();
    engine.load({ text: 'B' });
    const { id } = main.last;
    work(2 * patience), main.say('stopped', { message: 'a bug', id }), threads[1].say('stopped', { message: 'a bug', id });
    assert.deepEqual([of('stopped').map(([, words]) => words.split(':')[0]), engine.pending], [['the engine stopped', 'the scene cannot be loaded'], null]);
    engine.load({ text: 'C' });
    threads[2].say('ready');
    assert.equal(threads[2].last.text, 'C');
  });
  await check('thread: what is asked for while the first starts again does not stay behind what the second had', () => {
    const { engine, main, work } = begin();
    work(2 * patience), engine.load({ text: 'B' }), main.fail('a bug'), engine.load({ text: 'C' });
    assert.equal(threads[1].isGone, true);
    threads[2].say('ready');
    assert.equal(threads[2].last.text, 'C');
  });
  await check('thread: a scene that is refused with values that have no answer comes without them, and they are asked for again', () => {
    const { engine, main, heard, of, work } = begin();
    engine.change({ a: 'bad', b: 'good' }), work(2 * patience);
    engine.load({ text: 'A', changes: { c: '1', ...engine.unanswered }, without: { c: '1' } });
    threads[1].say('mistakes', { of: 'load', id: threads[1].last.id, mistakes: ['a'] });
    const last = threads.at(-1);
    assert.deepEqual([last.last.changes, heard], [{ c: '1' }, []]);
    last.say('scene', { scene: last.last.id });
    assert.deepEqual([last.last.do, last.last.changes], ['set', { a: 'bad', b: 'good' }]);
    last.say('mistakes', { of: 'set', scene: last.last.scene, mistakes: ['a'] });
    assert.deepEqual(last.last.changes, { a: 'bad' });
    last.say('mistakes', { of: 'set', scene: last.last.scene, mistakes: ['a'] }), last.say('settings', { scene: last.last.scene, changes: last.last.changes });
    assert.deepEqual([of('mistakes').length, engine.unanswered, main.isGone], [1, {}, true]);
  });
  await check('thread: so it is after a stop, and a scene that is refused all the same sends nothing to who has none', () => {
    const { engine, main, of } = begin();
    engine.change({ a: 'bad' }), main.fail('a bug');
    const [, again] = threads;
    again.say('ready');
    engine.load({ text: 'A', changes: engine.unanswered, without: {} });
    for (let i = 0; i < 2; ++i) again.say('mistakes', { of: 'load', id: again.last.id, mistakes: ['a'] });
    assert.deepEqual([again.words('load').map(({ changes }) => changes), again.words('set'), of('mistakes').length], [[{ a: 'bad' }, {}], [], 1]);
    engine.load({ text: 'A', changes: engine.unanswered, without: {} });
    again.say('mistakes', { of: 'load', id: again.last.id, mistakes: ['a'] }), again.say('scene', { scene: again.last.id });
    assert.deepEqual([again.last.do, again.last.changes], ['set', { a: 'bad' }]);
  });
  await check('thread: a value that is set while the scene comes again, and is refused, leaves the scene and what was set with it', () => {
    const { engine, of, work } = begin();
    work(2 * patience), engine.load({ text: 'A', changes: { c: '1' }, without: null });
    engine.changePending({ a: 'good' }), engine.changePending({ b: 'bad' });
    assert.deepEqual([threads.at(-1).last.changes, engine.unanswered], [{ c: '1', a: 'good', b: 'bad' }, { a: 'good', b: 'bad' }]);
    threads.at(-1).say('mistakes', { of: 'load', id: threads.at(-1).last.id, mistakes: ['b'] });
    const last = threads.at(-1);
    assert.deepEqual([last.last.changes, of('mistakes')], [{ c: '1' }, []]);
    last.say('scene', { scene: last.last.id });
    assert.deepEqual(last.last.changes, { a: 'good', b: 'bad' });
    last.say('mistakes', { of: 'set', scene: last.last.scene, mistakes: ['b'] });  // one by one, then
    last.say('settings', { scene: last.last.scene, changes: last.last.changes });
    assert.deepEqual(last.last.changes, { b: 'bad' });
    last.say('mistakes', { of: 'set', scene: last.last.scene, mistakes: ['b'] });
    assert.deepEqual([of('mistakes').length, engine.unanswered], [1, {}]);
  });
  await check('thread: what is answered while the scene comes again is in it, and mistakes wait for it', () => {
    const { engine, main, of, shown } = begin();
    engine.change({ a: 'good' }), engine.change({ b: 'bad' });
    engine.load({ text: 'A', changes: engine.unanswered, without: {} });
    main.say('settings', { scene: shown, changes: { a: 'good' } });
    assert.equal(main.last.do, 'load');  // b goes along
    main.say('mistakes', { of: 'load', id: main.last.id, mistakes: ['b'] });
    assert.deepEqual(main.last.changes, { a: 'good' });
    main.say('scene', { scene: main.last.id });
    assert.deepEqual([main.last.do, main.last.changes], ['set', { a: 'good', b: 'bad' }]);
    const again = begin();
    again.engine.change({ b: 'bad' }), again.engine.load({ text: 'A', changes: { b: 'bad' }, without: {} });
    again.main.say('mistakes', { of: 'set', scene: again.shown, mistakes: ['b'] }), again.main.say('mistakes', { of: 'load', id: again.main.last.id, mistakes: ['b'] });
    again.main.say('scene', { scene: again.main.last.id });
    assert.deepEqual([again.of('mistakes'), again.main.last.changes, of('mistakes')], [[], { b: 'bad' }, []]);
  });
  await check('thread: where the scene does not come again, what was set holds in the one that is shown', () => {
    for (const end of [({ main }) => main.say('mistakes', { of: 'load', id: main.last.id, mistakes: ['c'] }), ({ engine }) => engine.cancel()]) {
      const run = begin(), { engine, main, shown } = run;
      engine.load({ text: 'A', changes: { c: 'bad' } }), engine.changePending({ a: '1' });
      end(run);
      if (engine.pending) end(run);
      assert.deepEqual([main.last.do, main.last.scene, main.last.changes], ['set', shown, { a: '1' }]);
    }
  });
  await check('thread: who stops while a scene is on its way does not ask for a reset', () => {
    const { engine, main, of } = begin();
    engine.load({ text: 'B' }), main.say('stopped', { message: 'a bug' });
    assert.deepEqual([of('stopped')[0][1], engine.pending.text], ['the engine stopped: a bug.', 'B']);
  });
  await check('thread: a scene that the second one loads counts as work', () => {
    const { engine, main, work } = begin();
    work(2 * patience), engine.load({ text: 'B' }), main.say('frame'), clock += 100;
    assert.deepEqual([engine.workedFor, engine.busyFor], [0, 100]);
    threads[1].say('scene', { scene: threads[1].last.id });
    assert.equal(engine.busyFor, 0);
  });
  globalThis.Worker = Worker;
  Object.defineProperty(globalThis, 'performance', { value: performance, configurable: true, writable: true });
}
