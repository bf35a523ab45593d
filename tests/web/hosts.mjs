// The built folder from other places than `stiction view`: a server that knows nothing of parts of files, below a path; a plain file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, openPage } from './browser.mjs';

const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.webp': 'image/webp' };

/** Whole files of `folder` below /deep/er/, and `extra`, { name: path }, beside them. */
function serveWhole(folder, extra) {
  const server = createServer(({ url }, answer) => {
    const path = decodeURIComponent(url.split('?')[0]).replace(/^\/deep\/er\//, ''), file = extra[path] ?? join(folder, normalize(path || 'index.html'));
    if (!existsSync(file)) answer.writeHead(404).end();
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
    for (const [wish, words] of [['?recording=none.h5', /404/], ['?scene=none.json', /none\.json cannot be read/], ['#none', /no scene "none"/]]) {
      await page.goto('about:blank');
      await page.goto(server.address + wish);
      await page.waitForSelector('#mistakes:not([hidden])', { timeout: 30000 });
      assert.match(await page.textContent('#mistakes'), words);
    }
  });
  server.stop();
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
