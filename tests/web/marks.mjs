// Cones of surfaces with a grain and joints that broke, in a scene that runs and in its recording.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { openPage } from './browser.mjs';

/** Of every contact: its bodies, the first axis of its cone and how long that is over the second. */
const conesOf = (page) => page.evaluate(() => {
  const { cones, last: { contacts }, description: { bodies } } = window.stiction.view, width = contacts.length / cones.count, { array } = cones.instanceMatrix;
  return Array.from({ length: cones.count }, (_, i) => {
    const [x, y] = [0, 4].map((k) => Array.from(array.slice(16 * i + k, 16 * i + k + 3))), long = Math.hypot(...x);
    return { between: [15, 16].map((k) => bodies[contacts[width * i + k]].name).sort().join(' '), axis: x.map((e) => e / long), ratio: long / Math.hypot(...y) };
  });
});
function checkCones(cones) {
  const onBoard = cones.filter(({ between }) => between === 'board box'), others = cones.filter(({ between }) => between !== 'board box');
  assert.ok(onBoard.length >= 3 && others.length >= 1, JSON.stringify(cones));
  for (const { ratio, axis } of onBoard) {  // friction 0.6, along the grain, which is x, 0.15
    assert.ok(Math.abs(ratio - 0.25) < 1e-5, `${ratio}`);
    assert.ok(Math.abs(Math.abs(axis[0]) - 1) < 1e-5, `${axis}`);
  }
  for (const { ratio } of others) assert.ok(Math.abs(ratio - 1) < 1e-5, `${ratio}`);
  return `${onBoard.length} elliptic, ${others.length} round`;
}
const jointsShown = (page) => page.evaluate(() => {
  const { frames } = window.stiction.view, names = (on) => frames.filter(({ frame }) => frame.visible === on).map(({ joint }) => joint.name);
  return { shown: names(true), hidden: names(false) };
});

export default async function test({ check, serve, program, build }) {
  const folder = join(build, 'web-test'), server = await serve(), { page, errors, load, close } = await openPage(server.address);
  const play = async (until) => {
    await page.click('#play');
    await page.waitForFunction((t) => window.stiction.state.frame.numbers[0] >= t - 1e-9, until, { timeout: 60000 });
    await page.click('#play');
  };
  const openRecorded = async (scene, until) => {
    execFileSync(program, ['run', scene, '--until', String(until), '--quiet', '--json', '--out', join(folder, scene)]);
    const other = await serve(join(folder, scene, 'recording.h5'));
    await page.goto(other.address);
    await page.waitForFunction(() => window.stiction?.state.recording?.frames > 0 && window.stiction.state.frame?.index === 0, null, { timeout: 30000 });
    return other;
  };
  const goTo = async (time) => {
    const index = await page.evaluate((t) => {
      const { times } = window.stiction.state.recording, line = document.getElementById('timeline'), at = times.findIndex((x) => x >= t - 1e-9);
      line.value = at, line.dispatchEvent(new Event('input'));
      return at;
    }, time);
    await page.waitForFunction((i) => window.stiction.state.frame.index === i, index, { timeout: 20000 });
  };

  await check('friction cones follow the grain', async () => {
    await load('bowls');
    await page.keyboard.press('f');
    await play(0.2);
    await page.screenshot({ path: join(folder, 'grain.png') });
    const figures = checkCones(await conesOf(page));
    await page.click('#play');  // with the slider of friction across, the ellipse changes
    await page.fill('input[type=number][data-key="surfaces.board.friction"]', '0.3');
    await page.keyboard.press('Tab');
    const now = await page.evaluate(() => window.stiction.state.frame.numbers[0]);
    await page.waitForFunction((t) => window.stiction.state.frame.numbers[0] > t + 0.05, now, { timeout: 60000 });
    await page.click('#play');
    for (const { between, ratio } of await conesOf(page)) if (between === 'board box') assert.ok(Math.abs(ratio - 0.5) < 1e-5, `${ratio}`);
    await page.keyboard.press('f');
    return figures;
  });
  let broken = [];
  await check('joints that broke are not drawn', async () => {
    await load('breakable_bridge');
    await page.keyboard.press('j');
    await play(0.7);
    const { shown, hidden } = await jointsShown(page);
    await page.screenshot({ path: join(folder, 'broken.png') });
    assert.ok(hidden.length >= 1 && shown.length >= 1 && shown.length + hidden.length === 9, `shown ${shown}, hidden ${hidden}`);
    broken = hidden;
    await page.evaluate(() => {  // back to a moment before
      const line = document.getElementById('timeline');
      line.value = 0.5, line.dispatchEvent(new Event('input'));
    });
    assert.ok(await page.evaluate(() => window.stiction.state.frame.numbers[0]) < 0.6);
    assert.deepEqual((await jointsShown(page)).hidden, []);
    await page.click('#reset');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 0);
    assert.equal((await jointsShown(page)).shown.length, 9);
    await page.keyboard.press('j');
    return hidden.join(', ');
  });
  server.stop();
  await check('a recording: friction cones follow the grain', async () => {
    const other = await openRecorded('bowls', 0.3);
    await page.keyboard.press('f');
    await goTo(0.2);
    const figures = checkCones(await conesOf(page));
    other.stop();
    return figures;
  });
  await check('a recording: joints that broke are not drawn', async () => {
    const other = await openRecorded('breakable_bridge', 0.8);
    await page.keyboard.press('j');
    await goTo(0.5);
    assert.equal((await jointsShown(page)).shown.length, 9);
    await goTo(0.7);
    assert.deepEqual((await jointsShown(page)).hidden.sort(), [...broken].sort());
    await goTo(0.1);
    assert.equal((await jointsShown(page)).shown.length, 9);
    other.stop();
    return broken.join(', ');
  });
  await check('one body that goes its way is seen to move, then the camera and the ground go with it', async () => {
    const other = await serve('incline_slide');
    await page.goto(other.address);
    await page.waitForFunction(() => window.stiction?.state.frame, null, { timeout: 30000 });
    const look = (slides) => page.evaluate((way) => {
      const { view, state } = window.stiction, { poses, contacts, broken } = state.frame, moved = Float32Array.from(poses), body = view.follows[0], { group, normal, inner } = view.grounds[0];
      const down = { x: normal.z, z: -normal.x };
      moved[7 * body] += way * view.size * down.x, moved[7 * body + 2] += way * view.size * down.z;
      view.setFrame(moved, contacts, broken);
      view.scene.updateMatrixWorld();
      const { target } = view.controls, ground = inner.getWorldPosition(target.clone());
      const from = (place) => Math.hypot(moved[7 * body] - place.x, moved[7 * body + 1] - place.y, moved[7 * body + 2] - place.z) / view.size;
      return { camera: from(target), ground: from(ground), height: ground.sub(group.position).dot(normal) / view.size };
    }, slides);
    const [near, , far] = [await look(0.3), await look(20), await look(20)];
    assert.ok(Math.abs(near.camera - 0.3) < 0.05, `${near.camera}`);
    assert.ok(Math.abs(far.camera - 0.5) < 0.05 && far.ground < 2, `${far.camera}, ${far.ground}`);
    assert.ok(Math.abs(far.height - near.height) < 1e-6, 'it stays in its plane');
    other.stop();
  });
  await check('cones and joints: no console error', () => assert.deepEqual(errors, []));
  await close();
}
