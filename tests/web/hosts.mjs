// The built folder from other places than `stiction view`: a server that knows nothing of parts of files, below a path; one that fails for a while; a plain file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, openPage } from './browser.mjs';
import { posesIn } from './files.mjs';

const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.webp': 'image/webp' };

/** Whole files of `folder` below /deep/er/, and `extra`, { name: path }, beside them; the latter in parts where `parts` says so: 'given', or, for a while, 'refused' or 'cut'. */
function serveWhole(folder, extra, parts = {}) {
  const server = createServer(({ url, headers: { range } }, answer) => {
    const path = decodeURIComponent(url.split('?')[0]).replace(/^\/deep\/er\//, ''), file = extra[path] ?? join(folder, normalize(path || 'index.html'));
    const [, from, to] = parts.are && extra[path] ? /^bytes=(\d+)-(\d+)$/.exec(range) : [];
    if (!existsSync(file)) answer.writeHead(404).end();
    else if (from && parts.are === 'refused') answer.writeHead(503).end();
    else if (from && parts.are === 'cut') answer.destroy();
    else if (from) answer.writeHead(206, { 'Content-Range': `bytes ${from}-${to}/${statSync(file).size}` }).end(readFileSync(file).subarray(+from, +to + 1));
    else answer.writeHead(200, { 'Content-Type': kinds[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done({ address: `http://127.0.0.1:${server.address().port}/deep/er/`, stop: () => server.close() })));
}

export default async function test({ check, program, build }) {
  const folder = join(build, 'web-test'), recording = join(folder, 'hosts/recording.h5');
  execFileSync(program, ['run', 'tumbling', '--until', '0.5', '--quiet', '--json', '--out', join(folder, 'hosts')]);
  const server = await serveWhole(join(build, 'web'), { 'run.h5': recording }), { page, errors, load, close } = await openPage(server.address);
  await check('any web server will do: scenes', async () => {
    await load('tumbling');
    await page.click('#step');
    await page.waitForFunction(() => window.stiction.state.frame?.numbers[1] === 1);
    assert.deepEqual(errors, []);
  });
  await check('any web server will do: a recording, also without parts of files', async () => {
    await page.goto(`${server.address}?recording=run.h5`);
    await page.waitForFunction(() => window.stiction?.state.recording?.columns && window.stiction.state.frame?.index === 0, null, { timeout: 30000 });
    const { frames, end } = await page.evaluate(() => window.stiction.state.recording);
    await page.evaluate(() => { const t = document.getElementById('timeline'); t.value = t.max, t.dispatchEvent(new Event('input')); });
    await page.waitForFunction((n) => window.stiction.state.frame.index === n - 1, frames, { timeout: 20000 });
    assert.ok(Math.abs(end - 0.5) < 1e-9 && Math.abs(await page.evaluate(() => window.stiction.state.frame.numbers[0]) - end) < 1e-9);
    assert.deepEqual(errors, []);
  });
  await check('what the server has not is told about', async () => {
    for (const [wish, words] of [['?recording=none.h5', /404/], ['?recording=http://', /http:\/\/ is no address/], ['?scene=none.json', /none\.json cannot be read/], ['#none', /no scene "none"/]]) {
      await page.goto('about:blank');
      await page.goto(server.address + wish);
      await page.waitForSelector('#mistakes:not([hidden])', { timeout: 30000 });
      assert.match(await page.textContent('#mistakes'), words);
    }
  });
  server.stop();
  await check('a server that fails for a while is told about, and read on once it works again', async () => {
    const scene = join(folder, 'hosts/many.json'), many = join(folder, 'hosts/many/recording.h5'), bodies = Array.from({ length: 400 }, (_, i) => i);
    const named = (name, value) => Object.fromEntries(bodies.map((i) => [`${name}.${i}`, value(i)]));
    writeFileSync(scene, JSON.stringify({ stiction: 1, gravity: [0, 0, 0], run: { step: 0.01, until: 4 }, record: { every: 0.01 },
      bodies: named('box', (i) => ({ shape: { box: [0.1, 0.2, 0.15] }, mass: 1, collides: false, at: [0.3 * (i % 20), 0.3 * Math.floor(i / 20), 0] })),
      initial: named('box', (i) => ({ spin: [1 + i / 7, 2 - i / 9, 3 + i / 11] })) }));
    execFileSync(program, ['run', scene, '--quiet', '--json', '--out', join(folder, 'hosts/many')]);
    const parts = { are: 'given' }, failing = await serveWhole(join(build, 'web'), { 'run.h5': many }, parts), words = [];
    await page.goto(`${failing.address}?recording=run.h5`);
    await page.waitForFunction(() => window.stiction?.state.recording?.columns && window.stiction.state.frame?.index === 0, null, { timeout: 30000 });
    const seek = (i) => page.evaluate((to) => { const t = document.getElementById('timeline'); t.value = to, t.dispatchEvent(new Event('input')); }, i);
    const show = async (i) => {
      await seek(i);
      await page.waitForFunction((n) => window.stiction.state.frame.index === n, i, { timeout: 20000 });
      assert.deepEqual(await page.evaluate(() => Array.from(window.stiction.state.frame.poses)), await posesIn(many, i), `frame ${i}`);
    };
    await show(20);
    await page.click('#play');
    for (const [how, expected, again] of [['refused', /^frames \d+ to \d+ \(.*\) cannot be read: the server answers 503$/, 10], ['cut', /cannot be read: the server does not answer$/, 330]]) {
      parts.are = how;
      await page.waitForSelector('#mistakes:not([hidden])', { timeout: 20000 });
      words.push(await page.textContent('#mistakes'));
      assert.match(words.at(-1), expected);
      assert.equal(await page.evaluate(() => window.stiction.state.playing), false);
      const { asked, shown } = await page.evaluate(() => ({ asked: window.stiction.state.recording.index, shown: window.stiction.state.frame.index }));
      assert.ok(shown < asked, `${shown}, ${asked}`);
      parts.are = 'given';
      for (const i of [again, asked, asked + 1]) await show(i);
      await page.click('#play');
    }
    failing.stop();
    return words.join('; ');
  });
  await close();
  await check('opened as a file, it says what to do', async () => {
    const browser = await launch(), plain = await browser.newPage();
    await plain.goto(String(pathToFileURL(join(build, 'web/index.html'))));
    await plain.waitForSelector('#mistakes:not([hidden])', { timeout: 30000 });
    const words = await plain.textContent('#mistakes');
    await browser.close();
    assert.match(words, /web server.*stiction view/);
    return words;
  });
}
