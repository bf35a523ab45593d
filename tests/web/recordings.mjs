// Recordings beside what runs: scrubbed while they play, opened while something else goes on, without their scene, with bodies that come later, damaged, saved.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Blocks, framesOfBlock } from '../../web/src/blocks.js';
import { openPage } from './browser.mjs';
import { bornLate, changed, cut, damaged, posesIn } from './files.mjs';

/** In the page: threads that read recordings are remembered, and frames of the engine's are counted; curves do not come where the test says so. */
function rememberThreads() {
  window.readers = [], window.engineFrames = 0, window.holdsCurves = false;
  const { Worker } = window;
  window.Worker = class extends Worker {
    constructor(...words) {
      super(...words);
      if (words[0] === 'recording.js') {
        window.readers.push(this);
        this.addEventListener('message', (event) => { if (window.holdsCurves && event.data.is === 'columns') event.stopImmediatePropagation(); });
      } else this.addEventListener('message', ({ data }) => { if (data.is === 'frame') window.engineFrames += 1; });
    }
  };
}
/** HDF5 itself complains on the console. */
const isOfHdf5 = (line) => /^HDF5-DIAG|^ +#\d+: |^ +(major|minor): |^, filename = /.test(line);

export default async function test({ check, serve, program, build }) {
  const folder = join(build, 'web-test/recordings'), server = await serve(), { page, errors, load, close } = await openPage(server.address, { before: rememberThreads });
  page.setDefaultTimeout(60000);
  mkdirSync(folder, { recursive: true });
  const record = (scene, until, name) => {
    execFileSync(program, ['run', scene, '--until', String(until), '--quiet', '--json', '--out', join(folder, name)]);
    return join(folder, name, 'recording.h5');
  };
  /** The same recording without a word of its scene. */
  const withoutScene = (path) => {
    const bytes = readFileSync(path), other = path.replace(/\.h5$/, '-alone.h5');
    let found = 0;
    for (let key = bytes.indexOf('"stiction"'); key >= 0; key = bytes.indexOf('"stiction"', key), ++found)
      for (let at = bytes.lastIndexOf('{', key), depth = 0; ; bytes[at++] = 0) {
        if (bytes[at] === 123) ++depth;
        if (bytes[at] === 125 && --depth === 0) break;
      }
    assert.ok(found > 0);
    writeFileSync(other, bytes);
    return other;
  };
  const index = () => page.evaluate(() => window.stiction.state.frame.index);
  const seek = (to) => page.evaluate((i) => { const t = document.getElementById('timeline'); t.value = i, t.dispatchEvent(new Event('input')); }, to);
  const opened = (frames) => page.waitForFunction((n) => window.stiction.state.recording?.frames === n && window.stiction.state.frame?.index === 0, frames);
  const openFile = async (path) => {
    const before = await page.evaluate(() => window.stiction.state.sceneId);
    await page.setInputFiles('#file', path);
    await page.waitForFunction((id) => window.stiction.state.sceneId > id && window.stiction.state.frame?.index === 0, before);
  };
  const poses = () => page.evaluate(() => Array.from(window.stiction.state.frame.poses)), state = (what) => page.evaluate((name) => window.stiction.state[name], what);
  const mistakes = async () => (await page.isVisible('#mistakes') ? page.textContent('#mistakes') : '');
  const show = async (i) => {
    await seek(i);
    await page.waitForFunction((n) => window.stiction.state.frame?.index === n, i);
    return poses();
  };
  const expectComplaints = () => { for (let i = errors.length; i-- > 0;) if (isOfHdf5(errors[i])) errors.splice(i, 1); };
  const tumbling = record('tumbling', 6, 'tumbling'), frames = 601;
  const named = (name, value) => Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${name}.${i}`, value(i)])), spinning = join(folder, 'spinning.json');
  writeFileSync(spinning, JSON.stringify({ stiction: 1, gravity: [0, 0, 0], run: { step: 0.01, until: 6 }, record: { every: 0.01 },
    bodies: named('box', (i) => ({ shape: { box: [0.1, 0.2, 0.15] }, mass: 1, collides: false, at: [0.3 * (i % 10), 0.3 * Math.floor(i / 10), 0] })),
    initial: named('box', (i) => ({ spin: [1 + i / 7, 2 - i / 9, 3 + i / 11] })) }));
  const boxes = record(spinning, 6, 'boxes');

  await check('a recording is scrubbed while it plays, and goes on from there', async () => {
    await page.setInputFiles('#file', tumbling);
    await page.evaluate(() => document.getElementById('play').click());  // it is not there yet: nothing that lasts
    await opened(frames);
    assert.equal(await page.evaluate(() => window.stiction.state.playing), false);
    await page.selectOption('#speed', '0.25');
    await page.click('#play');
    await page.waitForFunction(() => window.stiction.state.frame.index > 2);
    await seek(270);
    await page.waitForFunction(() => window.stiction.state.frame.index > 272);
    await seek(3);
    await page.waitForFunction(() => window.stiction.state.frame.index < 100);
    await page.waitForTimeout(300);
    const later = await index();
    assert.ok(later > 3 && later < 40, `frame ${later}`);
    await page.click('#play');
    await page.selectOption('#speed', '1');
    return `frame ${later} after 0.3 s from frame 3 at a quarter of the speed`;
  });
  await check('it plays to its end, and then from its start', async () => {
    await seek(frames - 20);
    await page.click('#play');
    await page.waitForFunction((n) => window.stiction.state.frame.index === n - 1 && !window.stiction.state.playing, frames);
    await page.check('[data-show=trails]');
    await page.evaluate(() => (window.last = window.stiction.state.frame.poses));
    await page.click('#play');
    await page.waitForFunction(() => window.stiction.state.frame.index > 0 && window.stiction.state.frame.index < 100);
    assert.equal(await page.evaluate(() => window.stiction.view.trail.includes(window.last)), false);  // no trail leads from the end to the start
    await page.click('#reset');
    await page.waitForFunction(() => window.stiction.state.frame.index === 0);
    assert.equal(await page.evaluate(() => window.stiction.state.playing), false);
    await page.uncheck('[data-show=trails]');
  });
  await check('the thumb stays where it was drawn to while frames come', async () => {
    await openFile(boxes);
    const back = await page.evaluate(async () => {
      const line = document.getElementById('timeline'), { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      let asked = 0, found = [];
      Object.defineProperty(line, 'value', { configurable: true, get: () => get.call(line), set(to) { if (Number(to) < asked) found.push(`${to} after ${asked}`); set.call(line, to); } });
      for (let i = 10; i < 600; i += 10) {
        line.value = asked = i, line.dispatchEvent(new Event('input'));
        await new Promise((go) => setTimeout(go, 3));
      }
      delete line.value;
      return found;
    });
    assert.deepEqual(back, []);
    await page.waitForFunction(() => window.stiction.state.frame.index === 590);
  });
  await check('arrow keys go one frame on or back', async () => {
    const press = async (key, to) => {
      await page.press('#timeline', key);
      await page.waitForFunction((i) => window.stiction.state.frame.index === i, to, { timeout: 5000 });
      assert.equal(Number(await page.inputValue('#timeline')), to);
    };
    await press('ArrowRight', 591);
    await press('ArrowLeft', 590);
    await press('End', 600);
    await press('ArrowUp', 600);
    await press('Home', 0);
    await openFile(await cut(boxes, 11));
    await press('ArrowRight', 1);
    await press('ArrowUp', 2);
    await press('ArrowDown', 1);
    await load('tumbling');
    for (let i = 1; i <= 4; ++i) await page.click('#step'), await page.waitForFunction((n) => window.stiction.state.frame.numbers[1] === n, i);
    for (const [key, steps] of [['ArrowLeft', 3], ['ArrowDown', 2], ['ArrowRight', 3], ['ArrowUp', 4], ['ArrowRight', 4], ['Home', 0], ['ArrowLeft', 0]]) {
      await page.press('#timeline', key);
      assert.equal(await page.evaluate(() => window.stiction.state.frame.numbers[1]), steps, key);
    }
  });
  await check('the engine does not go on behind a recording', async () => {
    const count = () => page.evaluate(() => window.engineFrames), still = await count();
    await page.click('#play');
    await page.waitForFunction((n) => window.engineFrames > n + 3, still);
    await openFile(tumbling);
    await page.waitForTimeout(300);
    const before = await count();
    await page.waitForTimeout(500);
    assert.equal(await count(), before);
  });
  await check('numbers of a recording are saved, once they are there', async () => {
    await page.waitForFunction(() => !document.getElementById('save-numbers').disabled && window.stiction.state.recording.columns);
    await page.click('text=Save');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-numbers')]);
    const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
    assert.equal(lines.length, 1 + 301);  // every second one: 600 at most
    assert.match(lines[0], /^time,steps,/);
  });
  await check('they can be saved of a scene that is chosen before those of a recording came', async () => {
    await page.evaluate(() => (window.holdsCurves = true));
    await openFile(tumbling);
    await page.waitForTimeout(500);
    assert.equal(await page.isDisabled('#save-numbers'), true);
    await load('tumbling');
    assert.equal(await page.isDisabled('#save-numbers'), false);
    await page.evaluate(() => (window.holdsCurves = false));
  });
  await check('curves of a recording show the worst certificate of the frames that a point stands for, and steps that were refused are none that missed', async () => {
    await openFile(await changed(tumbling, 'missed', (file) => {
      file.get('certificate/natural_map_scaled').write_slice([[301, 302]], new Float64Array([0.5]));  // every second one is drawn
      file.get('solver/refused').write_slice([[302, 303]], new BigInt64Array([7n]));
    }));
    await page.waitForFunction(() => window.stiction.state.recording.columns);
    const worst = await page.evaluate(() => { const { columns, numberNames } = window.stiction.state.recording; return Math.max(...columns[numberNames.indexOf('natural_map')]); });
    assert.equal(worst, 0.5);
    await page.waitForTimeout(200);  // they are counted last
    await show(600);
    assert.equal(await page.evaluate(() => window.stiction.state.frame.missed), 0);
  });
  await check('a recording is one by what it holds, whatever its name', async () => {
    const path = join(folder, 'recording.bin');
    cpSync(tumbling, path);
    await openFile(path);
    await opened(frames);
  });
  await check('a mistake beside a recording brings no fields of another scene', async () => {
    await page.setInputFiles('#file', { name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{ "stiction": 1, "title": 7, "bodies": {} }') });
    await page.waitForSelector('#mistakes:not([hidden])');
    assert.deepEqual([await page.isVisible('#settings-panel'), await page.isVisible('#constants-panel')], [false, false]);
    assert.match(await page.textContent('#title'), /recording, 601 frames/);
    await page.click('#step');
    await page.waitForFunction(() => window.stiction.state.frame.index === 1);
  });
  await check('one frame, no frame, no body', async () => {
    await openFile(await cut(boxes, 1));
    await page.click('#play');
    await page.waitForFunction(() => !window.stiction.state.playing);
    await page.press('#timeline', 'ArrowRight');
    await page.click('#step');
    await page.waitForFunction(() => window.stiction.state.recording.columns);
    await page.waitForTimeout(200);
    assert.deepEqual([await index(), await mistakes(), await page.inputValue('#timeline')], [0, '', '0']);
    assert.deepEqual(await poses(), await posesIn(boxes, 0));
    const title = await page.textContent('#title');
    await page.setInputFiles('#file', await cut(boxes, 0));
    await page.waitForSelector('#mistakes:not([hidden])');
    assert.match(await mistakes(), /cannot be opened: it has no frames/);
    assert.equal(await page.textContent('#title'), title);
    const empty = join(folder, 'empty.json');
    writeFileSync(empty, '{ "stiction": 1, "run": { "until": 0.1, "step": 0.01 }, "bodies": {} }');
    await openFile(record(empty, 0.1, 'empty'));
    assert.equal(await page.evaluate(() => window.stiction.state.description.bodies.length), 0);
    await page.click('#play');
    await page.waitForFunction(() => window.stiction.state.recording.isAtEnd && !window.stiction.state.playing);
    assert.equal(await mistakes(), '');
  });
  await check('a format that the page does not know is refused, and what was there goes on', async () => {
    await openFile(tumbling);
    for (const format of [3, 11]) {
      const path = await changed(tumbling, `format-${format}`, (file) => { file.delete_attribute('format'), file.create_attribute('format', format); });
      await page.evaluate(() => document.getElementById('mistakes').click());
      await page.setInputFiles('#file', path);
      await page.waitForSelector('#mistakes:not([hidden])');
      assert.match(await mistakes(), new RegExp(`cannot be opened: it has recording format ${format}, this page reads formats 4 to 10`));
    }
    await show(5);
    return mistakes();
  });
  await check('a block that is damaged is told about and not drawn; the other frames are', async () => {
    const { copy, from, rows } = await damaged(boxes, 'bodies/position', 300);
    assert.ok(from > 100 && from + rows < 500, `${from}, ${rows}`);
    await openFile(copy);
    assert.deepEqual(await show(frames - 1), await posesIn(boxes, frames - 1));
    await show(from - 45);
    await page.click('#play');
    await page.waitForSelector('#mistakes:not([hidden])');
    const words = await mistakes(), [, first, last, begin] = /frames (\d+) to (\d+) \((\S+) to \S+ s\) cannot be read: the file is damaged \(bodies\/position\)$/.exec(words) ?? assert.fail(words);
    assert.ok(first <= from && from <= last && last < from + 32 && Math.abs(begin - 0.01 * first) < 1e-9, words);
    assert.equal(await state('playing'), false);
    assert.deepEqual(await poses(), await posesIn(boxes, await index()));
    assert.ok(await index() < first);
    await seek(300);
    await page.waitForFunction((before) => document.getElementById('mistakes').textContent !== before, words);
    assert.ok(await index() < first);
    for (const i of [from - 33, from + rows + 32, 0]) assert.deepEqual(await show(i), await posesIn(boxes, i));
    assert.equal(await mistakes(), '');  // this one can be
    const { copy: beginning } = await damaged(boxes, 'bodies/orientation', 0);
    await page.setInputFiles('#file', beginning);
    await page.waitForFunction(() => /^frames 0 to 31 .*bodies\/orientation/.test(document.getElementById('mistakes').textContent));
    assert.equal(await state('frame'), null);
    for (const button of ['#play', '#look', '#step', '#look']) await page.click(button);
    assert.deepEqual(await show(400), await posesIn(boxes, 400));
    expectComplaints();
    return words;
  });
  await check('curves that are damaged are told about; all frames can be seen, and the curves can be read once they are mended', async () => {
    const { copy } = await damaged(boxes, 'ledger/kinetic', 300), words = () => page.waitForFunction(() => /^the curves cannot be read: the file is damaged \(ledger\/kinetic\)$/.test(document.getElementById('mistakes').textContent));
    utimesSync(copy, 1e9, 1e9);
    await page.route('**/worker.js', async (route) => { await new Promise((go) => setTimeout(go, 1500)); await route.continue(); });  // it is opened after that is known
    await openFile(copy);
    await page.unroute('**/worker.js');
    await words();
    assert.deepEqual(await show(300), await posesIn(boxes, 300));
    await page.waitForFunction(() => /kinetic energy– J/.test(document.getElementById('books').textContent));
    await page.click('#mistakes');
    await page.click('#play');
    await page.click('#save-numbers');  // once more
    await words();
    assert.equal(await state('playing'), true);
    const now = await index();
    await page.waitForFunction((i) => window.stiction.state.frame.index > i + 2, now);
    await page.click('#play');
    await show(300);
    cpSync(boxes, copy);
    utimesSync(copy, 1e9, 1e9);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-numbers')]);
    assert.equal(readFileSync(await download.path(), 'utf8').trim().split('\n').length, 1 + 301);
    assert.equal(await mistakes(), '');
    const books = (number) => page.waitForFunction((words) => new RegExp(`kinetic energy${words} J`).test(document.getElementById('books').textContent), number, { timeout: 5000 });
    await books('[0-9.e+]+');
    await show(0);
    await show(300);
    await books('[0-9.e+]+');
    const { copy: uncounted } = await damaged(boxes, 'solver/unconverged', 300);
    await openFile(uncounted);
    await page.waitForSelector('#mistakes:not([hidden])');
    assert.match(await mistakes(), /^steps that missed the tolerance cannot be counted: .*unconverged\)$/);
    assert.ok(await page.evaluate(() => window.stiction.state.recording.columns));
    expectComplaints();
    return mistakes();
  });
  await check('a file that changes while it is open is told about, and read again once it is as it was', async () => {
    const path = join(folder, 'changes.h5');
    cpSync(boxes, path);
    utimesSync(path, 1e9, 1e9);
    await openFile(path);
    await page.waitForFunction(() => window.stiction.state.recording.columns);
    utimesSync(path, 1e9, 1e9 + 60);
    await seek(400);
    await page.waitForSelector('#mistakes:not([hidden])');
    const words = await mistakes();
    assert.match(words, /^frames \d+ to \d+ .* cannot be read: the file changed or went away$/);
    utimesSync(path, 1e9, 1e9);
    for (const i of [401, 200]) assert.deepEqual(await show(i), await posesIn(boxes, i));
    expectComplaints();
    return words;
  });
  await check('a reader that stops is told about', async () => {
    await page.click('#play');
    await page.evaluate(() => window.readers.forEach((reader) => { reader.terminate(), reader.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })); }));
    for (let i = 0; i < 2; ++i) {
      await page.waitForSelector('#mistakes:not([hidden])', { timeout: 5000 });
      assert.match(await mistakes(), /recording\.js stopped: out of memory\. Open the recording again/);
      assert.equal(await state('playing'), false);
      if (i === 0) await page.click('#mistakes'), await page.click('#play');
    }
    await openFile(tumbling);
  });
  await check('blocks that are kept have a bound in bytes', () => {
    assert.deepEqual([1, 56e2, 56e4, 1e9].map(framesOfBlock), [32, 32, 7, 1]);
    const blocks = new Blocks(1000), read = [], take = (number, bytes) => blocks.take(number, () => (read.push(number), { bytes }));
    for (let i = 0; i < 50; ++i) take(i, 100), take(0, 100), assert.ok(blocks.size <= 1000);
    assert.deepEqual([blocks.size, read.length], [1000, 50]);  // the first one was used all the time
    take(99, 5000), take(99, 5000);
    assert.deepEqual([blocks.size, read.length], [5000, 51]);  // alone
    take(1, 100), take(2, 50);
    blocks.drop(({ bytes }) => bytes === 50), take(1, 100);
    assert.deepEqual([blocks.size, read.at(-1)], [100, 2]);
    take(2, 50);
    assert.equal(read.length, 54);
  });
  const apart = join(folder, 'apart.json');
  writeFileSync(apart, JSON.stringify({ stiction: 1, gravity: [0, 0, 0], run: { step: 0.01, until: 0.5 }, record: { every: 0.01 },
    bodies: Object.fromEntries(['late', 'left', 'right'].map((name, i) => [name, { shape: { sphere: 0.1 }, mass: 1, at: [[0, -1, 1][i], 0, 0] }])),
    initial: { late: { velocity: [0, 0.1, 0] } }, forces: { band: { spring: { b: 'late', a: 'left', stiffness: 1, rest_length: 1 } } } }));
  for (const [scene, name] of [[apart, 'apart'], ['tumbling', 'tumbling-short'], ['newtons_cradle', 'cradle'], ['bead_on_wire', 'bead']])
    await check(`a body that comes later: ${name}`, async () => {
      await openFile(await bornLate(record(scene, 0.5, name), 10));
      await page.evaluate(() => { for (const box of document.querySelectorAll('[data-show]')) if (!box.checked) box.click(); });
      const notFinite = () => page.evaluate(() => {
        const { view } = window.stiction, { camera, sun, controls } = view, found = [];
        const expect = (name, numbers) => { if (!Array.from(numbers).every(Number.isFinite)) found.push(name); };
        for (const [name, place] of Object.entries({ camera: camera.position, target: controls.target, sun: sun.position, under: sun.target.position })) expect(name, place.toArray());
        expect('sizes', [view.size, camera.near, camera.far, sun.shadow.camera.right]);
        view.content.traverseVisible((thing) => {
          expect(`matrix of ${thing.type}`, thing.matrix.elements);
          if (thing.isInstancedMesh) expect('instances', thing.instanceMatrix.array.subarray(0, 16 * thing.count));
          if (thing.geometry) expect(`corners of ${thing.type}`, thing.geometry.attributes.position.array.subarray(0, 3 * Math.min(1e9, thing.geometry.drawRange.count)));
        });
        return found;
      });
      assert.equal((await poses()).filter(Number.isNaN).length, 7);
      assert.deepEqual(await notFinite(), []);
      for (const i of [8, 9, 10, 11, 12, 9]) await show(i), assert.deepEqual(await notFinite(), [], `frame ${i}`);
      await page.evaluate(() => { for (const box of document.querySelectorAll('[data-show]')) box.click(); });
      if (scene !== apart) return;
      const click = async (body) => page.mouse.click(...await page.evaluate((i) => {
        const { state, view } = window.stiction, p = view.camera.position.clone().fromArray(state.frame.poses, 7 * i).project(view.camera), box = view.canvas.getBoundingClientRect();
        return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
      }, body));
      const panel = (words) => page.waitForFunction((found) => new RegExp(found).test(document.getElementById('body').textContent), words, { timeout: 5000 }).catch(async () => assert.fail(`${words} in ${await page.textContent('#body')}`));
      await click(1);
      await panel('left.*-1\\.0000');
      await show(20);
      await click(0);
      await panel('late.*0\\.0');
      await show(5);
      await panel('late.*does not exist here');
    });
  const alone = withoutScene(record('heavy_stack', 0.2, 'stack'));
  await check('a recording that has no scene shows its bodies, and says what is not drawn', async () => {
    await page.setInputFiles('#file', alone);
    await page.waitForFunction(() => window.stiction.state.frame?.index === 0 && window.stiction.state.description.bodies.length === 21);
    const warning = await page.textContent('#warnings-list'), names = await page.evaluate(() => window.stiction.state.description.bodies.map(({ name }) => name));
    assert.match(warning, /has no scene/);
    assert.ok(names.includes('floor') && names.includes('cube.19'), names.join(' '));
    return warning;
  });
  await check('names of digits change no places', async () => {
    const scene = join(folder, 'digits.json');
    writeFileSync(scene, `{ "stiction": 1, "title": "Digits", "gravity": [0, 0, 0], "run": { "until": 0.1, "step": 0.01 },
      "bodies": { "2": { "shape": { "sphere": 0.1 }, "mass": 1, "at": [0, 0, 0] }, "1": { "shape": { "box": [1, 1, 1] }, "mass": 1, "at": [3, 0, 0] } } }`);
    await page.setInputFiles('#file', withoutScene(record(scene, 0.1, 'digits')));
    await page.waitForFunction(() => window.stiction.state.frame?.index === 0 && window.stiction.state.description.bodies.length === 2);
    const found = await page.evaluate(() => window.stiction.view.description.bodies.map(({ name, mesh }, i) => [name, window.stiction.view.meshes[mesh].length > 400, window.stiction.state.frame.poses[7 * i]]));
    assert.deepEqual(found, [['2', true, 0], ['1', false, 3]]);  // the sphere has many facets
  });
  await check('what runs goes on while a recording is opened that is none', async () => {
    await load('first');
    for (let i = 0; i < 3; ++i) await page.click('#step');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 3);
    await page.click('#play');
    await page.setInputFiles('#file', { name: 'run.h5', mimeType: 'application/octet-stream', buffer: Buffer.from('no HDF5') });
    await page.waitForSelector('#mistakes:not([hidden])');
    const now = await page.evaluate(() => window.stiction.state.frame.numbers[1]);
    await page.waitForFunction((n) => window.stiction.state.frame.numbers[1] > n + 3, now, { timeout: 5000 });
    assert.equal(await state('playing'), true);
    await page.click('#play');
    expectComplaints();
  });
  await check('recordings: no console error', () => assert.deepEqual(errors, []));
  server.stop();
  await close();
}
