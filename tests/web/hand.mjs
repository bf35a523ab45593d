// Fingers in the page, as a phone sends them: one pulls, two are for the camera; and what a hand cannot do.
import assert from 'node:assert/strict';
import { openPage } from './browser.mjs';

export default async function test({ check, serve }) {
  const server = await serve(), { page, errors, load, close } = await openPage(server.address, { size: { width: 390, height: 780 }, touch: true });
  const client = await page.context().newCDPSession(page);
  const send = (type, touchPoints) => client.send('Input.dispatchTouchEvent', { type: `touch${type}`, touchPoints });
  const touch = (type, ...points) => send(type, points.map(([x, y], id) => ({ x, y, id })));
  const input = () => page.evaluate(() => window.stiction.state.frame.numbers[window.stiction.state.at['booked.input']]);
  const away = () => page.evaluate(() => window.stiction.view.camera.position.distanceTo(window.stiction.view.controls.target));
  /** From what the camera looks at, which may move with the body, to where it stands, in micrometres. */
  const camera = () => page.evaluate(() => window.stiction.view.camera.position.clone().sub(window.stiction.view.controls.target).toArray().map((x) => Math.round(1e6 * x)));
  const takeSteps = async (count) => {
    const until = await page.evaluate((n) => window.stiction.state.frame.numbers[1] + n, count);
    await page.evaluate((n) => { for (let i = 0; i < n; ++i) document.getElementById('step').click(); }, count);
    await page.waitForFunction((n) => window.stiction.state.frame.numbers[1] >= n, until);
  };
  /** Where the first body that moves is on the screen. */
  const find = () => page.evaluate(() => {
    document.getElementById('stage').scrollIntoView();  // the switches are below
    const { state, view } = window.stiction, body = state.description.bodies.findIndex((b) => b.kind === 'dynamic' && b.mesh !== undefined);
    const p = view.camera.position.clone().fromArray(state.frame.poses, 7 * body).project(view.camera), box = view.canvas.getBoundingClientRect();
    return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
  });

  await check('a finger pulls a body, and the view stays', async () => {
    await load('tumbling');
    const [x, y] = await find(), before = await camera();
    await touch('Start', [x, y]);
    await touch('Move', [x + 40, y - 60]);
    await takeSteps(5);
    await touch('End');
    assert.ok(Math.abs(await input()) > 1e-9, 'no work of the hand is booked');
    assert.deepEqual(await camera(), before);
  });
  await check('two fingers zoom, also where the first meets a body, which is let go', async () => {
    await load('tumbling');
    const [x, y] = await find(), before = await away();
    await touch('Start', [x, y]);
    await touch('Start', [x, y], [x + 40, y]);
    for (let i = 1; i <= 6; ++i) await touch('Move', [x - 10 * i, y], [x + 40 + 10 * i, y]);
    await page.waitForFunction((d) => window.stiction.view.camera.position.distanceTo(window.stiction.view.controls.target) < 0.8 * d, before);
    await touch('End', [x - 60, y]);
    await touch('End');
    const booked = await input();
    await takeSteps(5);
    assert.deepEqual([await input(), await page.evaluate(() => window.stiction.view.hand.visible)], [booked, false]);
    return `${before.toFixed(2)} m away, then ${(await away()).toFixed(2)} m`;
  });
  await check('V shows the whole scene again', async () => {
    const near = await away();
    await page.keyboard.press('v');
    assert.ok(await away() > 1.2 * near, `${await away()} m after ${near} m`);
  });
  await check('a finger that repels does not turn the view; two do not repel', async () => {
    await load('first');
    await page.check('#repel');
    const [x, y] = await find(), before = await camera();
    await touch('Start', [x + 15, y + 5]);
    await touch('Move', [x + 40, y + 5]);  // browsers do not tell of less
    await touch('Move', [x + 20, y + 5]);
    await takeSteps(3);
    const pushed = await input();
    await touch('End');
    assert.ok(Math.abs(pushed) > 1e-9, 'no work of the finger is booked');
    assert.deepEqual(await camera(), before);
    await takeSteps(1);
    const rest = await input();
    await touch('Start', [x + 15, y + 5]);
    await touch('Start', [x + 15, y + 5], [x + 60, y]);
    await touch('Move', [x - 10, y + 5], [x + 90, y]);
    await touch('Move', [x + 10, y + 5], [x + 70, y]);
    await takeSteps(3);
    assert.equal(await input(), rest);
    await touch('End', [x + 10, y + 5]);  // the finger that stays does not repel either
    for (const place of [x + 40, x + 15, x + 20]) await send('Move', [{ x: place, y: y + 5, id: 1 }]);
    await takeSteps(3);
    await touch('End');
    assert.equal(await input(), rest);
    await page.uncheck('#repel');
  });
  await check('an earlier moment is looked at, not pulled', async () => {
    await load('tumbling');
    await takeSteps(20);
    await page.$eval('#timeline', (line) => { line.value = 0, line.dispatchEvent(new Event('input')); });
    const [x, y] = await find();
    await touch('Start', [x, y]);
    await touch('Move', [x + 30, y - 30]);
    await page.waitForSelector('#works:not([hidden])');
    assert.match(await page.textContent('#works'), /earlier moment/);
    await touch('End');
    await page.waitForSelector('#works', { state: 'hidden' });
    await takeSteps(5);
    assert.equal(await input(), 0);
  });
  await check('fingers: no console error', () => assert.deepEqual(errors, []));
  server.stop();
  await close();
}
