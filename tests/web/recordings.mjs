// Recordings beside what runs: scrubbed while they play, opened while something else goes on, without their scene, saved.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage } from './browser.mjs';

export default async function test({ check, serve, program, build }) {
  const folder = join(build, 'web-test/recordings'), server = await serve(), { page, errors, load, close } = await openPage(server.address);
  page.setDefaultTimeout(60000);
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
  const tumbling = record('tumbling', 6, 'tumbling'), frames = 601;

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
    await page.click('#play');
    await page.waitForFunction(() => window.stiction.state.frame.index > 0 && window.stiction.state.frame.index < 100);
    await page.click('#reset');
    await page.waitForFunction(() => window.stiction.state.frame.index === 0);
    assert.equal(await page.evaluate(() => window.stiction.state.playing), false);
  });
  await check('numbers of a recording are saved, once they are there', async () => {
    await page.waitForFunction(() => !document.getElementById('save-numbers').disabled && window.stiction.state.recording.columns);
    await page.click('text=Save');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#save-numbers')]);
    const lines = readFileSync(await download.path(), 'utf8').trim().split('\n');
    assert.equal(lines.length, 1 + 301);  // every second one: 600 at most
    assert.match(lines[0], /^time,steps,/);
  });
  await check('a mistake beside a recording brings no fields of another scene', async () => {
    await page.setInputFiles('#file', { name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{ "stiction": 1, "title": 7, "bodies": {} }') });
    await page.waitForSelector('#mistakes:not([hidden])');
    assert.deepEqual([await page.isVisible('#settings-panel'), await page.isVisible('#constants-panel')], [false, false]);
    assert.match(await page.textContent('#title'), /recording, 601 frames/);
    await page.click('#step');
    await page.waitForFunction(() => window.stiction.state.frame.index === 1);
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
    await page.setInputFiles('#file', { name: 'run.h5', mimeType: 'application/octet-stream', buffer: Buffer.from('no HDF5') });
    await page.waitForSelector('#mistakes:not([hidden])');
    await page.click('#step');
    await page.waitForFunction(() => window.stiction.state.frame.numbers[1] === 4);
    errors.length = 0;  // HDF5 itself complains on the console
  });
  await check('recordings: no console error', () => assert.deepEqual(errors, []));
  server.stop();
  await close();
}
