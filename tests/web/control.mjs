// What the page does for who uses it beside playing: it answers while the engine computes, goes on after a bug, says what it refused, keeps values, saves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openPage } from './browser.mjs';

/** In the page: threads with an engine are remembered, so that a test can speak to them. */
function rememberThreads() {
  window.threads = [];
  const { Worker } = window;
  window.Worker = class extends Worker {
    constructor(...words) {
      super(...words);
      if (words[0] === 'worker.js') window.threads.push(this);
    }
    terminate() {
      window.threads = window.threads.filter((thread) => thread !== this);
      super.terminate();
    }
  };
}

export default async function test({ check, serve }) {
  const server = await serve(), { page, errors, load, close } = await openPage(server.address, { before: rememberThreads });
  page.setDefaultTimeout(120000);
  const state = (what) => page.evaluate((name) => window.stiction.state[name], what);
  const steps = () => page.evaluate(() => window.stiction.state.frame.numbers[1]);
  const reach = (count) => page.waitForFunction((n) => window.stiction.state.frame?.numbers[1] >= n, count);
  const mistakes = async () => (await page.isVisible('#mistakes') ? page.textContent('#mistakes') : '');
  const open = (...files) => page.setInputFiles('#file', files.map(([name, text]) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) })));
  const setNumber = async (key, value) => {
    await page.fill(`input[type=number][data-key="${key}"]`, value);
    await page.keyboard.press('Tab');
  };
  /** The scene whose steps take seconds, in one of them. */
  const compute = async () => {
    await load('mixed_pile');
    await page.selectOption('select[data-key="run.tolerance"]', '1e-10');
    await page.selectOption('#speed', '1000');
    await page.click('#play');
    await page.waitForFunction(() => window.stiction.state.works && performance.now() - window.stiction.state.works.since > 1500);
  };
  /** [ms] from a click until the scene with this many steps is there. */
  const wait = (id, scene) => page.evaluate(async ([button, title]) => {
    const start = performance.now(), { state } = window.stiction;
    document.querySelector(button).click();
    while (!(document.getElementById('title').textContent === title && !state.works && state.frame?.numbers[1] === 0)) await new Promise((r) => setTimeout(r, 5));
    return performance.now() - start;
  }, [id, scene]);

  await check('another scene comes while a step computes', async () => {
    await compute();
    assert.match(await page.textContent('#works'), /^computing: \d/);
    const ms = await wait('.card[data-scene=tumbling]', 'Tumbling box');
    assert.ok(ms < 5000, `${ms} ms`);
    await page.click('#step');
    await reach(1);
    assert.equal(await page.isVisible('#works'), false);
    await page.selectOption('#speed', '1');
    return `after ${ms.toFixed(0)} ms`;
  });
  await check('reset answers while a step computes, with the values as they were set', async () => {
    await compute();
    const ms = await wait('#reset', 'A pile of mixed bodies (takes minutes)');
    assert.ok(ms < 10000, `${ms} ms`);
    assert.equal(await page.inputValue('select[data-key="run.tolerance"]'), '1e-10');
    await page.selectOption('#speed', '1');
    return `after ${ms.toFixed(0)} ms`;
  });
  await check('after a pause no step comes any more', async () => {
    await load('first');
    await page.click('#play');
    await reach(3);
    await page.click('#play');
    await page.waitForTimeout(300);
    const count = await steps();
    await page.waitForTimeout(300);
    assert.deepEqual([await steps(), await state('playing')], [count, false]);
  });
  await check('a constant starts the scene anew', async () => {
    await load('pyramid');
    const bodies = () => page.evaluate(() => window.stiction.state.description.bodies.length);
    assert.equal(await bodies(), 211);
    await setNumber('surfaces.stone.friction', '0.3');
    await setNumber('$base', '4');
    await page.waitForFunction(() => window.stiction.state.description.bodies.length === 11);
    assert.equal(await page.inputValue('input[type=number][data-key="surfaces.stone.friction"]'), '0.3');  // what was set before holds
    await page.click('#step');
    await reach(1);
    await setNumber('$base', '2.5');
    await page.waitForSelector('#mistakes:not([hidden])');
    const words = await mistakes();
    assert.match(words, /count/);
    assert.deepEqual([await bodies(), await page.inputValue('input[data-key="$base"]')], [11, '4']);  // what was there goes on
    await page.keyboard.press('Escape');
    assert.equal(await page.isVisible('#mistakes'), false);
    return words;
  });
  await check('a value that is refused is told about, and the one that holds comes back', async () => {
    await load('incline_stick');
    await setNumber('surfaces.felt.friction', '-1');
    await page.waitForSelector('#mistakes:not([hidden])');
    assert.match(await mistakes(), /friction/);
    const held = await page.evaluate(() => window.stiction.state.settings.surfaces.felt.friction);
    assert.ok(held > 0);
    assert.equal(await page.inputValue('input[type=number][data-key="surfaces.felt.friction"]'), String(+held.toPrecision(12)));
    await page.click('#mistakes');
    assert.equal(await page.isVisible('#mistakes'), false);
    for (const [axis, way] of ['x', 'y', 'z'].entries()) await setNumber(`gravity.${axis}`, String(axis + 1)), assert.equal(await mistakes(), '', way);
    await page.waitForFunction(() => String(window.stiction.state.settings.gravity) === '1,2,3');
  });
  await check('warnings of a scene are listed', async () => {
    await load('four_bar');
    const words = await page.textContent('#warnings-list');
    assert.ok(await page.isVisible('#warnings') && words.length > 20, words);
    await load('tumbling');
    assert.equal(await page.isVisible('#warnings'), false);
    return words.slice(0, 80);
  });
  await check('the body that was picked is described', async () => {
    await load('tumbling');
    const place = await page.evaluate(() => {
      const { state, view } = window.stiction, box = view.canvas.getBoundingClientRect();
      const p = view.camera.position.clone().fromArray(state.frame.poses).project(view.camera);
      return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
    });
    await page.mouse.click(...place);
    const { name, mass } = await page.evaluate(() => window.stiction.state.description.bodies[0]), words = await page.textContent('#body');
    assert.ok(words.includes(name) && words.includes(`${+mass.toPrecision(5)} kg`), words);
    return words;
  });
  await check('picture and numbers are saved', async () => {
    await load('bouncing_ball');
    for (let i = 1; i <= 3; ++i) await page.click('#step'), await reach(i);
    await page.click('text=Save');
    const saved = async (button) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)]);
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const picture = await saved('#save-picture'), numbers = await saved('#save-numbers'), lines = String(numbers.bytes).trim().split('\n').map((line) => line.split(','));
    assert.match(picture.name, /^balls-that-bounce.*\.png$/);
    assert.ok(picture.bytes.subarray(1, 4).equals(Buffer.from('PNG')) && picture.bytes.length > 5000, `${picture.bytes.length} bytes`);
    assert.match(numbers.name, /^balls-that-bounce.*\.csv$/);
    assert.deepEqual(lines[0].slice(0, 2), ['time', 'steps']);
    assert.deepEqual(lines.slice(1).map((line) => Number(line[1])), [0, 1, 2, 3]);
    assert.ok(lines.every((line) => line.length === lines[0].length));
    return `${picture.name} ${picture.bytes.length} bytes, ${lines.length} lines`;
  });
  await check('after a bug of ours the page says so, and reset starts the scene again', async () => {
    await load('bouncing_ball');
    await setNumber('surface_pairs.0.restitution', '0.25');
    await page.click('#step');
    await reach(1);
    await page.evaluate(() => window.threads.forEach((thread) => thread.postMessage({ do: 'nothing that it knows' })));
    await page.waitForSelector('#mistakes:not([hidden])');
    const words = await mistakes();
    assert.match(words, /the engine stopped.*Reset/);
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.stiction.state.frame?.numbers[1] === 0 && !window.stiction.state.stopped);
    assert.equal(await page.inputValue('input[type=number][data-key="surface_pairs.0.restitution"]'), '0.25');
    await page.click('#step');
    await reach(1);
    return words;
  });
  await check('no console error until here', () => assert.deepEqual(errors, []));
  // HDF5 itself complains on the console here
  await check('what cannot be opened is told about, and what was there goes on', async () => {
    const title = await page.textContent('#title');
    await open(['run.journal', 'x']);
    assert.match(await mistakes(), /stiction convert run\.journal/);
    await open(['run.h5', 'no HDF5']);
    await page.waitForFunction(() => /cannot be opened/.test(document.getElementById('mistakes').textContent));
    assert.equal(await page.textContent('#title'), title);
    const count = await steps();
    await page.click('#step');
    await reach(count + 1);
    await open(['my.json', '{ "stiction": 1, "title": 7, "bodies": {} }']);
    await page.waitForSelector('#mistakes:not([hidden])');
    const words = await mistakes();
    await open(['my.json', '{ "stiction": 1, "title": "Mended", "bodies": { "a": { "shape": { "sphere": 1 }, "mass": 1 } } }']);  // the same file again
    await page.waitForFunction(() => document.getElementById('title').textContent === 'Mended');
    assert.equal(await mistakes(), '');
    return words;
  });
  server.stop();
  await close();
}
