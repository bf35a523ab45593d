// What the page does for who uses it beside playing: it answers while the engine computes, goes on after a bug, says what it refused, keeps values, saves.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openPage } from './browser.mjs';

/** In the page: threads with an engine are remembered, so that a test can speak to them, and counted, and what they say; so is who listens for another screen, which
 *  plots do. A scene with `neverLoads` bricks never comes. */
function rememberThreads() {
  window.threads = [], window.made = 0, window.said = [], window.listeners = 0, window.neverLoads = '';
  for (const [name, change] of [['addEventListener', 1], ['removeEventListener', -1]]) {
    const plain = window[name];
    window[name] = (kind, ...more) => {
      if (kind === 'dppxchange') window.listeners += change;
      plain.call(window, kind, ...more);
    };
  }
  const { Worker } = window;
  window.Worker = class extends Worker {
    constructor(...words) {
      super(...words);
      if (words[0] !== 'worker.js') return;
      window.threads.push(this), window.made += 1;
      this.addEventListener('message', ({ data }) => window.said.push(data.is));
    }
    postMessage(message) { if (!message.changes?.$base || message.changes.$base !== window.neverLoads) super.postMessage(message); }
    /** What it says is heard once it is released. */
    hold() {
      const { onmessage } = this, kept = [];
      this.onmessage = (event) => kept.push(event);
      this.release = () => { this.onmessage = onmessage, kept.forEach(onmessage); };
    }
    /** As in a step without an end: hears nothing and says nothing. */
    compute() {
      const { onmessage } = this;
      onmessage({ data: { is: 'works', loads: 0 } });
      this.onmessage = () => {}, this.postMessage = () => {};
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
  /** A scene that plays, in a step that takes for ever. */
  const compute = async () => {
    await load('pyramid');
    await page.selectOption('select[data-key="run.tolerance"]', '1e-10');
    await page.selectOption('#speed', '1000');
    await page.click('#play');
    await reach(2);
    await page.evaluate(() => (window.computing = window.threads[0]).compute());
    await page.waitForFunction(() => window.stiction.engine.workedFor > 1500);
  };
  /** What did not come is no error of the page. */
  const forgive = (words) => { for (let i = errors.length; i-- > 0;) if (words.test(errors[i])) errors.splice(i, 1); };
  const hasGone = () => page.evaluate(() => !window.threads.includes(window.computing));
  /** [ms] from a click until the scene with this many steps is there. */
  const wait = (id, scene) => page.evaluate(async ([button, title]) => {
    const start = performance.now(), { state, engine } = window.stiction;
    document.querySelector(button).click();
    while (performance.now() - start < 20000 && !(document.getElementById('title').textContent === title && !engine.works && state.frame?.numbers[1] === 0)) await new Promise((r) => setTimeout(r, 5));
    return performance.now() - start;
  }, [id, scene]);

  await check('another scene comes while a step computes', async () => {
    await compute();
    assert.match(await page.textContent('#works'), /^computing: \d/);
    const ms = await wait('.card[data-scene=tumbling]', 'Tumbling box');
    assert.ok(ms < 5000 && await hasGone(), `${ms} ms`);  // it did not wait for the step
    await page.click('#step');
    await reach(1);
    assert.equal(await page.isVisible('#works'), false);
    await page.selectOption('#speed', '1');
    return `after ${ms.toFixed(0)} ms`;
  });
  await check('reset answers while a step computes, with the values as they were set, and the camera stays', async () => {
    await compute();
    const camera = () => page.evaluate(() => window.stiction.view.camera.position.toArray().map((x) => x.toFixed(6)));
    await page.evaluate(() => window.stiction.view.camera.position.multiplyScalar(1.5));
    const title = await page.textContent('#title'), before = await camera(), ms = await wait('#reset', title);
    assert.ok(ms < 5000 && await hasGone(), `${ms} ms`);
    assert.deepEqual(await camera(), before);
    assert.equal(await page.inputValue('select[data-key="run.tolerance"]'), '1e-10');
    await page.selectOption('#speed', '1');
    return `after ${ms.toFixed(0)} ms`;
  });
  await check('so it is with a pile whose steps do take seconds, whenever a step ends', async () => {
    await load('mixed_pile');
    await page.selectOption('select[data-key="run.tolerance"]', '1e-10');
    await page.selectOption('#speed', '1000');
    await page.click('#play');
    await page.waitForFunction(() => window.stiction.engine.workedFor > 1000);
    const ms = await wait('#reset', await page.textContent('#title'));
    assert.ok(ms < 10000, `${ms} ms`);
    await page.selectOption('#speed', '1');
    return `after ${ms.toFixed(0)} ms`;
  });
  await check('the speed that was chosen last holds, also for a scene that was not there yet', async () => {
    await compute();
    await page.evaluate(() => document.querySelector('.card[data-scene=tumbling]').click());
    await page.waitForFunction(() => window.threads.length === 2);
    await page.selectOption('#speed', '0.1');
    await page.waitForFunction(() => document.getElementById('title').textContent === 'Tumbling box' && window.stiction.state.frame);
    await page.click('#play');
    await page.waitForTimeout(1000);
    await page.click('#play');
    const seconds = await page.evaluate(() => window.stiction.state.frame.numbers[0]);
    await page.selectOption('#speed', '1');
    assert.ok(seconds < 0.4, `${seconds} s in one`);
  });
  await check('where no second thread can be had, the page says so, once, and the step goes on', async () => {
    await compute();
    await page.route('**/worker.js', (route) => route.abort());
    const before = await page.evaluate(() => window.made);
    await page.evaluate(() => document.querySelector('#reset').click());
    await page.waitForSelector('#mistakes:not([hidden])');
    await page.waitForTimeout(500);
    assert.deepEqual([await page.evaluate(() => window.made) - before, await hasGone()], [1, false]);
    const words = await mistakes();
    assert.match(words, /cannot be loaded: worker\.js cannot be fetched/);
    await page.unroute('**/worker.js');
    await load('tumbling');
    await page.selectOption('#speed', '1');
    forgive(/ERR_FAILED/);
    return words;
  });
  await check('reset beside a constant that is too large brings back the scene that was there', async () => {
    await load('pyramid');
    await page.evaluate(() => (window.neverLoads = '400'));
    for (const long of [false, true]) {
      await setNumber('$base', '400');
      if (long) {
        await page.evaluate(() => window.threads[0].onmessage({ data: { is: 'works', loads: 0 } }));
        await page.waitForFunction(() => window.stiction.engine.workedFor > 700 && window.threads.length === 2);
      }
      await page.click('#reset');
      await page.waitForFunction(() => !window.stiction.engine.pending && window.stiction.state.frame?.numbers[1] === 0);
      assert.deepEqual([await page.evaluate(() => window.stiction.state.description.bodies.length), await page.inputValue('input[data-key="$base"]')], [211, '20']);
    }
    await page.evaluate(() => (window.neverLoads = ''));
  });
  await check('reset beside a value that is refused, and has no answer yet, answers too', async () => {
    await compute();
    const held = await page.inputValue('input[type=number][data-key="surfaces.stone.friction"]');
    await setNumber('surfaces.stone.friction', '-1');
    await setNumber('gravity.2', '-5');
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.stiction.state.frame?.numbers[1] === 0 && window.stiction.state.settings.gravity[2] === -5);  // what is good holds
    await page.waitForSelector('#mistakes:not([hidden])');
    assert.match(await mistakes(), /friction/);
    await page.waitForFunction((value) => document.querySelector('input[type=number][data-key="surfaces.stone.friction"]').value === value, held);
    assert.ok(await hasGone());
    await page.keyboard.press('Escape');
    await page.selectOption('#speed', '1');
  });
  /** One right after the other: buttons by their names, and numbers, [key, value]. */
  const quickly = (...what) => page.evaluate((list) => {
    for (const one of list) {
      if (typeof one === 'string') document.getElementById(one).click();
      else Object.assign(document.querySelector(`input[type=number][data-key="${one[0]}"]`), { value: one[1] }).dispatchEvent(new Event('change'));
    }
  }, what);
  await check('a second reset comes with what was set after the first, and without what is refused', async () => {
    const key = 'surfaces.stone.friction', friction = () => page.evaluate(() => window.stiction.state.settings.surfaces.stone.friction);
    const isBack = () => page.waitForFunction(() => !window.stiction.engine.pending && window.stiction.state.frame?.numbers[1] === 0 && !Object.keys(window.stiction.engine.unanswered).length);
    await compute();
    await quickly('reset', [key, 0.9], 'reset');
    await isBack();
    assert.deepEqual([await friction(), await hasGone(), await mistakes()], [0.9, true, '']);
    await compute();
    const held = await friction();
    await quickly('reset', ['gravity.2', -5], [key, -1]);
    await isBack();
    const words = await mistakes();
    assert.match(words, /friction/);
    assert.deepEqual([await friction(), await page.inputValue(`input[type=number][data-key="${key}"]`), await state('settings').then(({ gravity }) => gravity[2]), await hasGone()], [held, String(held), -5, true]);
    await page.keyboard.press('Escape');
    await page.selectOption('#speed', '1');
    return words;
  });
  await check('a scene that is on its way after a bug is not replaced by play or step', async () => {
    await load('pyramid');
    await page.evaluate(() => window.threads.forEach((thread) => thread.postMessage({ do: 'nothing that it knows' })));
    await page.waitForFunction(() => window.stiction.engine.isStopped);
    await quickly(['$base', 4], 'play', 'step');
    await page.waitForFunction(() => !window.stiction.engine.isStopped && window.stiction.state.frame);
    assert.deepEqual(await page.evaluate(() => [window.stiction.state.description.bodies.length, window.stiction.state.playing]), [11, false]);
  });
  await check('a scene that comes late, before the one that was asked for last, does not keep its camera', async () => {
    await load('pyramid');
    const camera = () => page.evaluate(() => window.stiction.view.camera.position.toArray().map((x) => x.toFixed(6))), before = await camera();
    await page.evaluate(() => { window.threads[0].hold(), document.querySelector('.card[data-scene=tumbling]').click(); });
    await page.waitForFunction(() => window.stiction.engine.pending);
    await page.evaluate(() => (window.stiction.engine.works = { since: performance.now() - 5000, loads: 0 }));
    await page.evaluate(() => { document.getElementById('reset').click(), window.threads.at(-1).hold(); });
    await page.waitForTimeout(1500);
    await page.evaluate(() => window.threads[0].release());
    assert.equal(await page.textContent('#title'), 'Tumbling box');
    await page.evaluate(() => window.threads.at(-1).release());
    await page.waitForFunction(() => /^Pyramid/.test(document.getElementById('title').textContent) && window.stiction.state.frame && !window.stiction.view.toFrame);
    assert.deepEqual(await camera(), before);
  });
  await check('whoever sets values or resets says that it works', async () => {
    await load('tumbling');
    const said = () => page.evaluate(() => window.said.splice(0));
    await said();
    await setNumber('gravity.2', '-5');
    await page.waitForFunction(() => window.said.length === 2);
    assert.deepEqual(await said(), ['works', 'settings']);
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.said.length === 2);
    assert.deepEqual(await said(), ['works', 'frame']);
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
  await check('reset is back at the start, and waits there', async () => {
    await page.click('#play');
    await reach(await steps() + 3);
    await page.click('#reset');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 0);
    await page.waitForTimeout(300);
    assert.deepEqual([await steps(), await state('playing')], [0, false]);
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
  await check('values that are changed one right after the other all hold, and the focus stays', async () => {
    await load('pyramid');
    await page.evaluate(() => {
      const set = (key, value) => Object.assign(document.querySelector(`input[type=number][data-key="${key}"]`), { value }).dispatchEvent(new Event('change'));
      document.querySelector('input[data-key="$gap"]').focus();
      set('$base', 4), set('$gap', 0.001), set('surfaces.stone.friction', 0.25);
    });
    await page.waitForFunction(() => window.stiction.state.settings.surfaces.stone.friction === 0.25 && !window.stiction.engine.pending);
    const { constants, bodies } = await page.evaluate(() => ({ constants: window.stiction.state.settings.constants, bodies: window.stiction.state.description.bodies.length }));
    assert.deepEqual([constants.$base, constants.$gap, bodies], [4, 0.001, 11]);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), '$gap');
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
    for (const axis of [0, 1, 2]) await setNumber(`gravity.${axis}`, String(axis + 1));
    await page.waitForFunction(() => String(window.stiction.state.settings.gravity) === '1,2,3');
    assert.equal(await mistakes(), '');
  });
  await check('of values that are set one right after the other those that are good hold, and all others are named', async () => {
    await load('bouncing_balls');
    const keys = await page.evaluate(() => {
      const fields = [...document.querySelectorAll('#settings input[type=number]')], surface = (what) => fields.find(({ dataset: { key } }) => key.startsWith('surface') && key.endsWith(what)).dataset.key;
      const found = [surface('friction'), 'gravity.2', surface('restitution')];
      found.forEach((key, i) => Object.assign(fields.find((field) => field.dataset.key === key), { value: [-1, -5, 7][i] }).dispatchEvent(new Event('change')));
      return found;
    });
    await page.waitForFunction(() => window.stiction.state.settings.gravity[2] === -5 && !Object.keys(window.stiction.engine.unanswered).length);
    const words = await mistakes(), values = await Promise.all(keys.map((key) => page.inputValue(`input[type=number][data-key="${key}"]`)));
    assert.ok(/friction/.test(words) && /restitution/.test(words), words);
    assert.ok(Number(values[0]) >= 0 && values[1] === '-5' && Number(values[2]) <= 1, String(values));
    await page.keyboard.press('Escape');
  });
  await check('what is no number is told about, and the one that holds comes back', async () => {
    await load('tumbling');
    await page.focus('input[type=number][data-key="gravity.2"]');
    const before = await page.inputValue('input[type=number][data-key="gravity.2"]');
    for (const words of ['-', '1e999']) {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
      await page.waitForSelector('#mistakes:not([hidden])');
      assert.match(await mistakes(), /gravity z .* is no number|gravity z .*no number/);
      assert.equal(await page.inputValue('input[type=number][data-key="gravity.2"]'), before);
      await page.keyboard.press('Escape');
    }
  });
  await check('what is changed while another scene comes does not land in it', async () => {
    await load('first');
    await page.evaluate(() => {
      const { engine } = window.stiction, { load } = engine;
      engine.load = function (request) {  // right behind the request, as from a quick hand
        engine.load = load;
        load.call(engine, request);
        engine.change({ gravity: '[0, 0, 5]' });
      };
      document.querySelector('.card[data-scene=pyramid]').click();
    });
    await page.waitForFunction(() => document.getElementById('title').textContent.startsWith('Pyramid') && window.stiction.state.frame);
    await page.click('#step');
    await reach(1);
    const { gravity, changes } = await page.evaluate(() => ({ gravity: window.stiction.state.settings.gravity, changes: window.stiction.state.scene.changes }));
    assert.deepEqual([gravity[2] < -9, changes, await mistakes()], [true, { 'run.tolerance': 1e-4 }, '']);  // the gallery's own, whatever was changed in it before
  });
  await check('a step that is asked for before there is a frame is taken', async () => {
    await load('tumbling');
    await page.evaluate(() => { document.getElementById('reset').click(), document.getElementById('step').click(); });
    await reach(1);
    assert.equal(await steps(), 1);
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
    await page.click('#play');
    await reach(20);
    await page.click('#play');
    await page.waitForTimeout(400);
    assert.match(await page.textContent('#body'), /speed, about/);  // it is still there in the pause
    return words;
  });
  await check('trails stay when the look changes', async () => {
    await page.keyboard.press('t');
    const trail = () => page.evaluate(() => window.stiction.view.trail.length), before = await trail();
    await page.keyboard.press('l');
    assert.ok(before > 3 && await trail() === before, `${before} places, then ${await trail()}`);
    await page.keyboard.press('l');
    await page.keyboard.press('t');
  });
  await check('trails go on from the end, whatever was looked at', async () => {
    await load('first');
    await page.keyboard.press('t');
    const gap = () => page.evaluate(() => {  // [m] the longest way between two places of a trail
      const { trail, trailBodies } = window.stiction.view;
      return Math.max(...trailBodies.flatMap((body) => trail.slice(1).map((now, i) => Math.hypot(...[0, 1, 2].map((c) => now[7 * body + c] - trail[i][7 * body + c])))));
    });
    await page.click('#play');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[0] > 0.6);
    await page.click('#play');
    await page.waitForFunction(() => !window.stiction.engine.works);
    const before = await gap();
    for (const button of ['#step', '#play']) {
      await page.evaluate(() => { const t = document.getElementById('timeline'); t.value = 0.1, t.dispatchEvent(new Event('input')); });
      const now = await page.evaluate(() => Number(document.getElementById('timeline').max));
      await page.click(button);
      await page.waitForFunction((t) => window.stiction.state.frame.numbers[0] > t, now);
      assert.ok(await gap() < 2 * before + 0.01, `${button}: ${await gap()} m after ${before} m`);
    }
    await page.click('#play');
    await page.keyboard.press('t');
  });
  await check('the whole scene, again and again, takes no memory of the graphics', async () => {
    for (const scene of ['bead_on_wire', 'first']) {
      await load(scene);
      const geometries = () => page.evaluate(async () => {
        for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
        return window.stiction.view.renderer.info.memory.geometries;
      }), before = await geometries();
      for (let i = 0; i < 10; ++i) await page.keyboard.press('v'), await geometries();
      assert.equal(await geometries(), before, scene);
    }
  });
  await check('a plot whose panel was closed while the page changed its size is there when it opens', async () => {
    const panel = (display) => page.evaluate((how) => (document.getElementById('certificate').style.display = how), display);  // as browsers do that leave it out then
    const { width, height } = page.viewportSize(), widths = () => page.evaluate(() => [...document.querySelectorAll('.plot canvas')].map((canvas) => canvas.clientWidth));
    const before = await widths();
    await panel('none');
    await page.setViewportSize({ width: width - 100, height });
    await page.waitForTimeout(200);
    await page.setViewportSize({ width, height });
    await page.waitForTimeout(200);
    await panel('');
    await page.waitForTimeout(200);
    assert.deepEqual(await widths(), before);
    assert.ok(before.every((x) => x > 200), String(before));
  });
  await check('a body that is clicked before the first frame of its scene is there is described later', async () => {
    await load('tumbling');
    await page.evaluate(() => { window.first = window.stiction.state.frame, window.stiction.state.frame = null; });
    const { x, y, width, height } = await page.locator('#picture').boundingBox();
    await page.mouse.click(x + width / 2, y + height / 2);
    assert.deepEqual(errors, []);
    await page.evaluate(() => (window.stiction.state.frame = window.first));
  });
  await check('plots that are replaced go', async () => {
    const before = await page.evaluate(() => window.listeners);
    for (const scene of ['first', 'tumbling', 'orbit']) await load(scene);
    assert.ok(before >= 2);
    assert.equal(await page.evaluate(() => window.listeners), before);
  });
  await check('one dot is seen', async () => {
    await open(['dot.json', '{ "stiction": 1, "title": "A dot", "bodies": { "f": { "mass": 1, "inertia": [1, 1, 1] } } }']);
    await page.waitForFunction(() => document.getElementById('title').textContent === 'A dot' && window.stiction.state.frame);
    const { near, away } = await page.evaluate(() => ({ near: window.stiction.view.camera.near, away: window.stiction.view.camera.position.length() }));
    assert.ok(near > 0 && away > 1, `${near}, ${away}`);
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
    await page.evaluate(() => { document.getElementById('picture').toBlob = (done) => done(null); });
    await page.click('#save-picture');
    assert.match(await mistakes(), /cannot make a picture/);
    await page.evaluate(() => delete document.getElementById('picture').toBlob);
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
    await page.waitForFunction(() => window.stiction.state.frame?.numbers[1] === 0 && !window.stiction.engine.isStopped);
    assert.equal(await page.inputValue('input[type=number][data-key="surface_pairs.0.restitution"]'), '0.25');
    await page.click('#step');
    await reach(1);
    return words;
  });
  await check('who cannot start the engine again is told each time, until it can', async () => {
    await page.route('**/worker.js', (route) => route.abort());
    await page.evaluate(() => window.threads.forEach((thread) => thread.postMessage({ do: 'nothing that it knows' })));
    const told = () => page.waitForFunction(() => /cannot be started.*Reset/.test(document.getElementById('mistakes').textContent) && !document.getElementById('mistakes').hidden);
    await told();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await told();
    await page.unroute('**/worker.js');
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.stiction.state.frame?.numbers[1] === 0 && !window.stiction.engine.isStopped);
    await page.click('#step');
    await reach(1);
    forgive(/ERR_FAILED/);
  });
  await check('graphics that the browser takes away are told about, and come back', async () => {
    await page.evaluate(() => (window.context = window.stiction.view.renderer.getContext().getExtension('WEBGL_lose_context')).loseContext());
    await page.waitForFunction(() => /took the graphics away/.test(document.getElementById('mistakes').textContent));
    await page.evaluate(() => window.context.restoreContext());
    await page.waitForFunction(() => document.getElementById('mistakes').hidden);
    const ink = await page.evaluate(async () => {
      const { view } = window.stiction, gl = view.renderer.getContext(), pixels = new Uint8Array(4 * 64 * 64);
      await new Promise((done) => setTimeout(done, 500));
      gl.readPixels(gl.drawingBufferWidth / 2 - 32, gl.drawingBufferHeight / 2 - 32, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return new Set(new Uint32Array(pixels.buffer)).size;
    });
    assert.ok(ink > 3, `${ink} colours`);
  });
  await check('where the browser keeps nothing for the page, the page works', async () => {
    const no = () => Object.defineProperty(document, 'cookie', { get() { throw new DOMException('no', 'SecurityError'); }, set() { throw new DOMException('no', 'SecurityError'); } });
    const shut = await openPage(server.address, { before: no });
    await shut.page.keyboard.press('l');
    assert.equal(await shut.page.evaluate(() => document.documentElement.dataset.look), 'dark');
    assert.deepEqual(shut.errors, []);
    await shut.close();
  });
  await check('light or dark comes back at another port, before the page has begun; other words for it are none', async () => {
    const other = await serve(), { page: next, errors: wrong, close: shut } = await openPage(server.address), look = () => next.evaluate(() => document.documentElement.dataset.look);
    await next.keyboard.press('l');
    await next.route('**/main.js', (route) => route.abort());
    await next.goto(other.address);
    assert.equal(await look(), 'dark');
    await next.unroute('**/main.js');
    await next.context().addCookies([{ name: 'look', value: 'blue', url: other.address }]);
    wrong.length = 0;
    await next.goto(other.address);
    await next.waitForFunction(() => window.stiction?.state.frame);
    assert.deepEqual([await look(), wrong], ['light', []]);
    await shut();
    other.stop();
  });
  await check('a scene that comes late does not replace what was chosen meanwhile', async () => {
    await page.route('**/slow.json', async (route) => {
      await new Promise((r) => setTimeout(r, 1500));
      await route.fulfill({ body: '{ "stiction": 1, "title": "Slow", "bodies": {} }' }).catch(() => {});
    });
    await page.goto(`${server.address}?scene=slow.json`);
    await page.waitForFunction(() => window.stiction?.state.wish);
    await page.evaluate(() => document.querySelector('.card[data-scene=tumbling]').click());
    await page.waitForFunction(() => document.getElementById('title').textContent === 'Tumbling box');
    await page.waitForTimeout(2000);
    assert.equal(await page.textContent('#title'), 'Tumbling box');
    await page.goto(`${server.address}?scene=slow.json`);
    await page.waitForFunction(() => document.getElementById('title').textContent === 'Slow');
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
