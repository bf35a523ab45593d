// The page in Chromium: loads, runs every scene of the gallery, drags, repels, plots, changes, plays a recording. No console error.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage } from './browser.mjs';

export default async function test({ check, serve, program, build, full }) {
  const server = await serve(), { page, errors, close, load } = await openPage(server.address);
  const folder = join(build, 'web-test');
  mkdirSync(folder, { recursive: true });
  const frame = () => page.evaluate(() => ({ poses: Array.from(window.stiction.state.frame.poses), numbers: Array.from(window.stiction.state.frame.numbers),
    at: window.stiction.state.at }));
  const clock = () => page.evaluate(() => window.stiction.state.frame?.numbers[0] ?? 0);
  const play = async (until, patience = 60) => {  // simulated seconds; those to wait for them
    await page.click('#play');
    await page.waitForFunction((t) => window.stiction.state.frame.numbers[0] >= t - 1e-9, until, { timeout: 1000 * patience });
    await page.click('#play');
  };
  const restart = async () => {
    await page.click('#reset');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 0);
  };
  /** After a restart; one by one, so that two runs can be compared step by step. */
  const takeSteps = async (count) => {
    await page.evaluate((n) => { for (let i = 0; i < n; ++i) document.getElementById('step').click(); }, count);
    await page.waitForFunction((n) => window.stiction.state.frame.numbers[1] === n, count, { timeout: 60000 });
    return frame();
  };
  const goOn = async (seconds) => {  // simulated ones, while it plays
    const until = await clock() + seconds;
    await page.waitForFunction((t) => window.stiction.state.frame.numbers[0] >= t, until, { timeout: 60000 });
  };
  const setNumber = async (key, value) => {
    await page.fill(`input[type=number][data-key="${key}"]`, value);
    await page.keyboard.press('Tab');
  };
  /** Of a body that moves, the first whose name begins so: its index and where its centre is on the screen. */
  const find = (name = '') => page.evaluate((start) => {
    const { state, view } = window.stiction, body = state.description.bodies.findIndex((b) => b.kind === 'dynamic' && b.mesh !== undefined && b.name.startsWith(start));
    const p = view.camera.position.clone().fromArray(state.frame.poses, 7 * body).project(view.camera), box = view.canvas.getBoundingClientRect();
    return { body, x: box.left + (p.x + 1) / 2 * box.width, y: box.top + (1 - p.y) / 2 * box.height };
  }, name);
  const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

  const ink = () => page.evaluate(() => [...document.querySelectorAll('.plot canvas')].map((canvas) => {  // colours in the plots
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data, colors = new Set();
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] > 200) colors.add(`${pixels[i]},${pixels[i + 1]},${pixels[i + 2]}`);
    return colors.size;
  }));

  await check('first paint', async () => {
    const ms = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    assert.ok(ms < 1000, `${ms} ms`);
    return `${Math.round(ms)} ms`;
  });
  await page.setViewportSize({ width: 800, height: 520 });  // drawing is in software here
  // with --full as long as it takes to see a scene come to rest, or go wrong
  const seconds = full ? 5 : 0.2;
  page.setDefaultTimeout(full ? 600000 : 120000);  // a step of a pile may take seconds, and a click waits for frames
  if (full) await page.selectOption('#speed', '5');
  for (const { scene } of JSON.parse(readFileSync(join(build, 'web/gallery.json'), 'utf8')))
    await check(`scene ${scene} runs`, async () => {
      await load(scene);
      const before = await frame();
      await play(seconds, full ? 3600 : 300);  // mixed_pile: some 20 minutes for 5 s on a quiet machine
      const after = await frame();
      const moved = Math.max(...after.poses.map((x, i) => Math.abs(x - before.poses[i])));
      assert.ok(moved > (['pyramid', 'heavy_stack', 'incline_stick', 'card_house'].includes(scene) ? 0 : 1e-4), `moved ${moved}`);  // those are to stand
      assert.ok(after.poses.every(Number.isFinite));
      assert.ok(Math.abs(after.numbers[after.at.imbalance]) <= 1e-12 * after.numbers[after.at.ledger_scale], 'the books do not close');
      assert.equal(await page.isVisible('#mistakes'), false);
      assert.deepEqual(errors, []);
      await page.screenshot({ path: join(folder, `${scene}.png`) });
      return `${moved.toExponential(1)} in ${seconds} s, ${(await page.evaluate(() => window.stiction.state.stepMs)).toFixed(2)} ms a step`;
    });
  await page.selectOption('#speed', '1');
  await page.setViewportSize({ width: 1280, height: 800 });
  await check('plots fill', async () => {
    await load('first');
    await play(0.3);
    const points = await page.evaluate(() => document.querySelectorAll('.plot canvas').length);
    assert.equal(points, 2);
    assert.ok((await ink()).every((count) => count >= 3), String(await ink()));
    assert.match(await page.textContent('#books'), /gravity/);
  });
  await check('the certificate holds and the books close', async () => {
    const { numbers, at } = await frame();
    assert.ok(numbers[at.natural_map] <= numbers[at.tolerance]);
    assert.ok(Math.abs(numbers[at.imbalance]) <= 1e-12 * numbers[at.ledger_scale]);
  });
  await check('a hand changes the path of a body, and its line goes with the body', async () => {
    await load('pendulum');
    const { body, x, y } = await find();
    const local = await page.evaluate(([px, py]) => window.stiction.view.pick(px, py).local.toArray(), [x, y]);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y - 60, { steps: 4 });
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[0] > 0.4, null, { timeout: 30000 });
    await page.keyboard.press(' ');
    await page.waitForTimeout(300);
    const line = await page.evaluate(([i, point]) => {
      const { state, view } = window.stiction, { poses } = state.frame, place = view.camera.position.clone().fromArray(point);
      place.applyQuaternion(view.camera.quaternion.clone().fromArray(poses, 7 * i + 3)).add(view.camera.position.clone().fromArray(poses, 7 * i));
      return { shown: view.hand.visible, from: Array.from(view.hand.geometry.attributes.position.array.slice(0, 3)), place: place.toArray() };
    }, [body, local]);
    await page.screenshot({ path: join(folder, 'hand.png') });
    await page.mouse.up();
    assert.ok(line.shown && distance(line.from, line.place) < 1e-4, `the line starts at ${line.from}, the body is held at ${line.place}`);
    const { poses, numbers, at } = await frame();
    await restart();
    const free = await takeSteps(numbers[1]);
    const apart = distance(poses.slice(7 * body, 7 * body + 3), free.poses.slice(7 * body, 7 * body + 3));
    assert.ok(apart > 0.01, `${apart} m from where it goes without the hand`);
    assert.ok(Math.abs(numbers[at['booked.input']]) > 1e-6, 'no work of the hand is booked');
    assert.equal(free.numbers[at['booked.input']], 0);
    return `${apart.toFixed(3)} m from where it goes alone after ${numbers[1]} steps, ${numbers[at['booked.input']].toFixed(3)} J`;
  });
  await check('the cursor repels bodies, booked as input', async () => {
    await load('first');
    const { body, x, y } = await find('ball'), cursor = [x + 15, y + 5], steps = 15;
    const away = ({ poses }) => page.evaluate(([[px, py], p]) => {  // [m] from the line of sight through the cursor
      const { view } = window.stiction;
      return view.ray(px, py).distanceToPoint(view.camera.position.clone().fromArray(p));
    }, [cursor, poses.slice(7 * body, 7 * body + 3)]);
    const start = await away(await frame()), free = await takeSteps(steps), alone = await away(free);
    await restart();
    await page.check('#repel');
    await page.mouse.move(...cursor, { steps: 2 });
    const pushed = await takeSteps(steps), now = await away(pushed), { numbers, at } = pushed;
    await page.screenshot({ path: join(folder, 'repel.png') });
    await page.uncheck('#repel');
    assert.ok(now > start + 0.02 && now > alone + 0.02, `${start} m at first, ${now} m, without the cursor ${alone} m`);
    assert.ok(Math.abs(numbers[at['booked.input']]) > 1e-6, 'no work of the cursor is booked');
    assert.equal(free.numbers[at['booked.input']], 0);
    assert.ok(Math.abs(numbers[at.imbalance]) <= 1e-12 * numbers[at.ledger_scale], 'the books do not close');
    return `${now.toFixed(3)} m away, without it ${alone.toFixed(3)} m, ${numbers[at['booked.input']].toFixed(3)} J`;
  });
  await check('friction, restitution and tolerance change while it runs', async () => {
    await load('incline_stick');
    await page.click('#play');
    await goOn(0.05);
    await setNumber('surfaces.felt.restitution', '0.5');
    await setNumber('surfaces.felt.friction', '0');
    await page.selectOption('select[data-key="run.tolerance"]', '0.0001');
    const before = await frame();
    await goOn(0.4);
    const { poses, numbers, at } = await frame();
    await page.click('#play');
    assert.equal(await page.isVisible('#mistakes'), false);
    assert.ok(Math.max(...poses.map((x, i) => Math.abs(x - before.poses[i]))) > 0.01, 'it does not slide');
    assert.equal(numbers[at.tolerance], 1e-4);
  });
  await check('gravity, step and method change while it runs', async () => {
    await load('first');
    const bodies = await page.evaluate(() => window.stiction.state.description.bodies.map(({ kind }, i) => (kind === 'dynamic' ? i : -1)).filter((i) => i >= 0));
    const height = ({ poses }) => bodies.reduce((sum, i) => sum + poses[7 * i + 2], 0) / bodies.length;
    const sound = async () => {
      const { poses, numbers, at } = await frame();
      assert.ok(poses.every(Number.isFinite));
      assert.equal(numbers[at.status], 1);  // converged
      assert.ok(Math.abs(numbers[at.imbalance]) <= 1e-12 * numbers[at.ledger_scale], 'the books do not close');
      assert.equal(await page.isVisible('#mistakes'), false);
    };
    await page.click('#play');
    await goOn(0.2);
    await setNumber('gravity.2', '20');
    await goOn(0.1);
    const low = await frame();
    await goOn(0.2);
    const high = await frame();
    assert.ok(height(high) > height(low) + 0.05, `${height(low)} m, then ${height(high)} m`);
    assert.notEqual(high.numbers[high.at['booked.edit']], 0);
    await sound();
    await setNumber('gravity.2', '-9.81');
    await page.selectOption('select[data-key="run.step"]', '0.005');
    await goOn(0.2);
    const [one, two] = [await frame(), await goOn(0.1).then(frame)].map(({ numbers }) => numbers);
    assert.ok(Math.abs((two[0] - one[0]) / (two[1] - one[1]) - 0.005) < 1e-9, `${(two[0] - one[0]) / (two[1] - one[1])} s a step`);
    await sound();
    await page.selectOption('select[data-key="run.method"]', 'moreau_jean');
    await page.waitForSelector('select[data-key="run.stabilisation"]');  // which the method before has not
    await goOn(0.1);
    await sound();
    await page.click('#play');
    return `up by ${(height(high) - height(low)).toFixed(2)} m`;
  });
  await check('a pair of surfaces has sliders of its own', async () => {
    await load('bouncing_ball');
    await setNumber('surface_pairs.0.restitution', '0');
    await play(1);
    const { poses } = await frame(), { body } = await find('ball');
    assert.ok(Math.abs(poses[7 * body + 2] - 0.1) < 1e-6, `at a height of ${poses[7 * body + 2]} m`);  // else it would hop for 4 s
    await page.screenshot({ path: join(folder, 'pair.png') });
  });
  await check('joints drift without stabilisation, and stay together with it', async () => {
    await load('drifting_chain');
    await play(2);
    const drifted = (await frame()).numbers, { at } = await frame();
    await page.selectOption('select[data-key="run.stabilisation"]', 'post');
    await play(drifted[0] + 0.5);
    const held = (await frame()).numbers;
    assert.ok(drifted[at.joint] > 1e-3 && held[at.joint] < 1e-6, `${drifted[at.joint]}, then ${held[at.joint]}`);
    await page.selectOption('select[data-key="run.method"]', 'coulomb');  // which has no such choice
    await page.waitForFunction(() => !document.querySelector('select[data-key="run.stabilisation"]'));
    await play(held[0] + 0.1);
    const { poses, numbers } = await frame();
    assert.ok(poses.every(Number.isFinite) && numbers[at.status] === 1 && numbers[1] > held[1], `status ${numbers[at.status]} after the change of method`);
    return `${drifted[at.joint].toExponential(1)}, then ${held[at.joint].toExponential(1)}`;
  });
  await check('rods and wires are drawn', async () => {
    await load('newtons_cradle');
    assert.equal(await page.evaluate(() => window.stiction.view.rods.length), 5);
    await load('bead_on_wire');
    const { far, near } = await page.evaluate(() => {
      const { view, state } = window.stiction, [{ points }] = view.wires, bead = view.camera.position.clone().fromArray(state.frame.poses);
      return { far: Math.max(...points.map((p) => p.distanceTo(bead))), near: Math.min(...points.map((p) => p.distanceTo(bead))) };
    });
    assert.ok(near < 0.05 && far > 2, `${near}, ${far}`);
    await page.evaluate(() => (window.stiction.view.wish = { size: 3 * window.stiction.view.size }));
    await page.keyboard.press('v');
    const { thick, size } = await page.evaluate(() => ({ thick: window.stiction.view.wires[0].mesh.geometry.parameters.radius, size: window.stiction.view.size }));
    assert.ok(Math.abs(thick / size - 0.008) < 1e-9, `${thick} m thick where ${size} m are seen`);
  });
  await check('keys: step, reset, overlays, look', async () => {
    await load('first');
    await page.focus('#picture');
    await page.keyboard.press('.');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 1);
    for (const key of ['c', 'f', 'j', 't', 'l']) await page.keyboard.press(key);
    await play(0.3);
    const heads = await page.evaluate(() => {  // of the arrows: along the force, from the point of contact
      const { heads, last: { contacts } } = window.stiction.view, width = contacts.length / heads.count;
      return Array.from({ length: heads.count }, (_, i) => {
        const head = heads.instanceMatrix.array.slice(16 * i + 12, 16 * i + 15), [point, force] = [0, 6].map((k) => contacts.slice(width * i + k, width * i + k + 3));
        const to = head.map((x, c) => x - point[c]), dot = to.reduce((sum, x, c) => sum + x * force[c], 0);
        return dot / (Math.hypot(...to) * Math.hypot(...force));
      });
    });
    assert.ok(heads.length > 10 && heads.filter((cosine) => cosine > 0.999).length > 10, `${heads}`);
    await page.screenshot({ path: join(folder, 'overlays-dark.png') });
    await page.keyboard.press('l');
    for (const key of ['c', 'f', 'j', 't']) await page.keyboard.press(key);
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 0);
  });
  await check('keys: also from the timeline and from lists, not from numbers', async () => {
    const playing = () => page.evaluate(() => window.stiction.state.playing), trails = () => page.isChecked('[data-show=trails]');
    await page.focus('#timeline');
    await page.keyboard.press(' ');
    assert.equal(await playing(), true);
    await page.keyboard.press(' ');
    assert.equal(await playing(), false);
    await page.keyboard.press('t');
    assert.equal(await trails(), true);
    await page.focus('select[data-key="run.method"]');
    await page.keyboard.press('t');
    assert.equal(await trails(), false);
    await page.focus('input[type=number][data-key="gravity.2"]');
    await page.keyboard.press('t');
    assert.equal(await trails(), false);
    await page.focus('[data-show=trails]');
    await page.keyboard.press(' ');
    assert.deepEqual([await trails(), await playing()], [true, false]);
    await page.keyboard.press('t');
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 0);
  });
  await check('joints that hold by forces have frames, at their bodies', async () => {
    await load('slider_crank');
    await page.keyboard.press('j');
    await play(0.3);
    const { frames, poses, names } = await page.evaluate(() => ({ names: window.stiction.view.description.bodies.map((b) => b.name),
      poses: Array.from(window.stiction.state.frame.poses),
      frames: window.stiction.view.frames.map(({ frame, joint }) => ({ name: joint.name, kind: joint.kind, shown: frame.visible, place: frame.matrix.elements.slice(12, 15) })) }));
    assert.deepEqual(frames.map((f) => `${f.name} ${f.kind} ${f.shown}`), ['main hinge true', 'pin hinge true', 'wrist hinge true', 'bore prismatic true']);
    // the crank is 0.3 m long and hangs on the origin: the pin is twice as far from it as the crank's middle
    const crank = names.indexOf('crank'), [main, pin] = frames;
    for (let c = 0; c < 3; ++c) {
      assert.ok(Math.abs(main.place[c]) < 1e-6, `main at ${main.place}`);
      assert.ok(Math.abs(pin.place[c] - 2 * poses[7 * crank + c]) < 1e-6, `pin at ${pin.place}`);
    }
    await page.screenshot({ path: join(folder, 'joints.png') });
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 0);
  });
  await check('the timeline goes back', async () => {
    await play(0.3);
    await page.evaluate(() => { const t = document.getElementById('timeline'); t.value = 0.06; t.dispatchEvent(new Event('input')); });
    const time = await clock();
    assert.ok(time > 0.02 && time < 0.1, `${time} s`);
  });
  await check('mistakes of a scene are shown with their place', async () => {
    await page.setInputFiles('#file', { name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{ "stiction": 1,\n "bodies": { "a": { "shape": { "sphere": -1 } } } }') });
    await page.waitForSelector('#mistakes:not([hidden])');
    assert.match(await page.textContent('#mistakes'), /line 2.*bodies\.a\.shape\.sphere/);
  });
  await check('a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await load('shapes');
    await play(0.3);
    const tooWide = () => page.evaluate(() => ['html', 'main', 'header', '#stage', '#transport', '#side', '#settings', '#show', '#save'].filter((name) => {
      const { scrollWidth, clientWidth } = document.querySelector(name);
      return scrollWidth > clientWidth;
    }));
    assert.deepEqual(await tooWide(), []);
    await page.screenshot({ path: join(folder, 'phone.png') });
    await page.setViewportSize({ width: 320, height: 640 });
    await page.waitForTimeout(300);
    assert.deepEqual(await tooWide(), []);
    await page.screenshot({ path: join(folder, 'phone-small.png') });
    const field = page.locator('#settings input[type=number][data-key$=friction]').last(), before = await field.inputValue();
    await field.fill('-1');  // far below the picture
    await page.keyboard.press('Tab');
    await page.waitForSelector('#mistakes:not([hidden])');
    const { top, bottom } = await page.evaluate(() => document.getElementById('mistakes').getBoundingClientRect());
    assert.ok(top >= 0 && bottom <= 640, `the message from ${top} to ${bottom}`);
    assert.equal(await field.inputValue(), before);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  await check('the gallery', async () => {
    await page.click('#open-gallery');
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, 'gallery.png') });
    await page.click('.card[data-scene=pyramid]');
    await page.waitForFunction(() => location.hash === '#pyramid');
  });
  const recording = join(folder, 'first/recording.h5');
  execFileSync(program, ['run', 'first', '--until', '1', '--quiet', '--json', '--out', join(folder, 'first')]);
  const scrub = () => page.evaluate(async () => {  // [ms] until each frame is there
    const t = document.getElementById('timeline'), times = [];
    for (const part of [0.5, 0.1, 0.77, 0.3, 1]) {
      const start = performance.now(), wanted = Math.round(part * t.max);
      t.value = wanted, t.dispatchEvent(new Event('input'));
      while (window.stiction.state.frame.index !== wanted) await new Promise((r) => setTimeout(r, 1));
      times.push(performance.now() - start);
    }
    return times;
  });
  const plays = async (name) => {
    await page.waitForFunction(() => window.stiction.state.recording?.frames > 0 && window.stiction.state.frame?.index === 0, null, { timeout: 20000 });
    const before = await frame(), times = await scrub(), last = await frame();
    assert.ok(Math.max(...times) < 1000, `frames after ${times} ms`);
    assert.ok(Math.max(...last.poses.map((x, i) => Math.abs(x - before.poses[i]))) > 0.1);
    assert.ok(Math.abs(last.numbers[0] - 1) < 1e-9);
    await page.waitForFunction(() => window.stiction.state.recording.columns, null, { timeout: 20000 });
    await page.waitForTimeout(200);
    assert.ok((await ink()).every((count) => count >= 3), `plots: ${await ink()}`);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    return `frames after ${times.map((x) => x.toFixed(0)).join(', ')} ms`;
  };
  await check('a recording is dropped and scrubbed', async () => {
    const mouse = await page.context().newCDPSession(page), data = { items: [], files: [recording], dragOperationsMask: 1 };
    const drag = (type) => mouse.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
    await drag('dragEnter');
    await drag('dragOver');
    await page.waitForSelector('body.over');
    await drag('dragOver');  // over what says that it may be dropped
    await drag('drop');
    await page.waitForSelector('body:not(.over)');
    return plays('recording');
  });
  if (full) await check('a recording of 10^5 frames of 100 bodies (1 GB) is opened in 2 s and scrubbed', async () => {
    const [scene, large] = [join(folder, 'large.json'), join(folder, 'large/recording.h5')];
    const bodies = Array.from({ length: 100 }, (_, i) => i), named = (name, value) => Object.fromEntries(bodies.map((i) => [`${name}.${i}`, value(i)]));
    writeFileSync(scene, JSON.stringify({ stiction: 1, run: { step: 0.001, until: 100, method: 'velocity_verlet' }, record: { every: 0.001 },
      bodies: named('box', (i) => ({ shape: { box: [0.1, 0.2, 0.15] }, mass: 1, collides: false, at: [0.3 * i, 0.3, 0] })),
      initial: named('box', (i) => ({ spin: [1 + i / 7, 2 - i / 9, 3 + i / 11], velocity: [Math.sin(i), 0, Math.cos(i)] })),
      forces: named('hold', (i) => ({ spring: { b: `box.${i}`, stiffness: 10 + i, rest_length: 0.1, point_a: [0.3 * i, 0, 0] } })) }));
    execFileSync(program, ['run', scene, '--quiet', '--json', '--out', join(folder, 'large')]);
    await page.evaluate(() => document.getElementById('file').addEventListener('change', () => (window.chosen = performance.now()), { capture: true, once: true }));
    await page.setInputFiles('#file', large);
    const opened = await page.evaluate(async () => {
      while (!(window.stiction.state.recording?.frames > 100000 && window.stiction.state.frame?.index === 0)) await new Promise((r) => setTimeout(r, 1));
      return performance.now() - window.chosen;
    });
    const places = await scrub(), bytes = statSync(large).size;
    assert.ok(bytes > 8e8, `${bytes} bytes`);  // 1.0 GB before it is compressed
    assert.ok(opened < 2000, `opened in ${opened} ms`);
    assert.ok(Math.max(...places) < 2000, `frames after ${places} ms`);
    return `${(bytes / 1e9).toFixed(2)} GB, opened in ${opened.toFixed(0)} ms, frames after ${places.map((x) => x.toFixed(0)).join(', ')} ms`;
  });
  server.stop();
  await check('view RECORDING, read in parts over HTTP', async () => {
    const other = await serve(recording);
    await page.goto(other.address);
    const figures = await plays('recording-served');
    assert.deepEqual([await page.isVisible('#settings-panel'), await page.isDisabled('#repel')], [false, true]);  // no scene is there
    other.stop();
    return figures;
  });
  rmSync(join(folder, 'large'), { recursive: true, force: true });  // the page reads its curves until it goes to another address
  const shown = () => page.evaluate(() => window.stiction.view.description.bodies.map(({ name, mesh, normal }) => {
    const corners = mesh === undefined ? [] : Array.from(window.stiction.view.meshes[mesh]);
    return { name, triangles: corners.length / 9, low: Math.min(...corners), high: Math.max(...corners), normal };
  }));
  for (const scene of ['terrain', 'dome', 'shapes'])
    await check(`scene ${scene}: the recording shows the shapes of the scene`, async () => {
      execFileSync(program, ['run', scene, '--until', '0.1', '--quiet', '--json', '--out', join(folder, scene)]);
      const live = await serve(scene);
      await page.goto(live.address);
      await page.waitForFunction(() => window.stiction?.state.frame, null, { timeout: 30000 });
      const bodies = await shown();
      live.stop();
      const other = await serve(join(folder, scene, 'recording.h5'));
      await page.goto(other.address);
      await page.waitForFunction(() => window.stiction?.state.recording?.frames > 0 && window.stiction.state.frame?.index === 0, null, { timeout: 30000 });
      const recorded = await shown();
      await page.screenshot({ path: join(folder, `recording-${scene}.png`) });
      other.stop();
      assert.equal(recorded.length, bodies.length);
      bodies.forEach((body, i) => {
        assert.equal(recorded[i].triangles, body.triangles, body.name);
        assert.ok(body.normal || body.triangles >= 4, body.name);
        if (!body.normal) for (const side of ['low', 'high']) assert.ok(Math.abs(recorded[i][side] - body[side]) < 1e-6, body.name);
      });
      return bodies.map((b) => `${b.name} ${b.triangles}`).join(', ');
    });
  await check('no console error', () => assert.deepEqual(errors, []));
  // HDF5 itself complains on the console here
  await check('a recording that was cut off is told about', async () => {
    const bytes = readFileSync(recording), damaged = join(folder, 'damaged.h5');
    writeFileSync(damaged, bytes.subarray(0, bytes.length / 2));
    const other = await serve();
    await page.goto(other.address);
    await page.waitForFunction(() => window.stiction?.state.frame, null, { timeout: 30000 });
    await page.setInputFiles('#file', damaged);
    await page.waitForSelector('#mistakes:not([hidden])', { timeout: 20000 });
    const words = await page.textContent('#mistakes');
    assert.match(words, /cannot be opened: it is no HDF5 file/);
    other.stop();
    return words.slice(0, 80);
  });
  await close();
}
