// The same bits in Chromium as natively: every scene of tests/agree/hash_scenes.txt in the page's own worker, against build/wasm/native.txt, which
// tools/web_hashes.sh has just written for them (lines "name steps contacts hash", in the same order).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPage } from './browser.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const linesOf = (file) => readFileSync(file, 'utf8').split('\n').filter((line) => line && !line.startsWith('#')).map((line) => line.trim().split(/\s+/));

export default async function test({ check, serve, build }) {
  const listed = linesOf(join(root, 'tests/agree/hash_scenes.txt')), native = linesOf(join(build, 'wasm/native.txt'));
  const server = await serve(), { page, errors, close } = await openPage(server.address);
  const begin = () => page.evaluate(async () => {
    const module = await WebAssembly.compile(await (await fetch('stiction.wasm')).arrayBuffer()), worker = new Worker('worker.js', { type: 'module' });
    const answer = (kind) => new Promise((done, fail) => {
      worker.onmessage = ({ data }) => {
        if (data.is === kind) done(data);
        if (data.is === 'mistakes') fail(new Error(JSON.stringify(data.mistakes)));
        if (data.is === 'stopped') fail(new Error(`the engine stopped: ${data.message}`));
      };
      worker.onerror = ({ message }) => fail(new Error(`the worker failed: ${message ?? 'it cannot be loaded'}`));
    });
    worker.postMessage({ do: 'start', module });
    await answer('ready');
    window.hashOf = async (text, steps) => {
      worker.postMessage({ do: 'load', text, id: 1 });
      for (let i = 0; i < steps; ++i) worker.postMessage({ do: 'step' });
      worker.postMessage({ do: 'hash' });
      return (await answer('hash')).hash;
    };
  });
  await check('native and Chromium: state hashes of scenes', async () => {
    assert.ok(listed.length > 50 && native.length >= listed.length, `${native.length} hashes for ${listed.length} scenes: run tools/web_hashes.sh`);
    const start = performance.now(), apart = [];
    await begin();
    for (const [i, [scene, , , ...overrides]] of listed.entries()) {
      const [name, steps, , hash] = native[i];
      assert.equal(name, scene, 'build/wasm/native.txt has other scenes: run tools/web_hashes.sh');
      const text = execFileSync(join(build, 'release/bin/expand_scene'), [join(root, `scenes/${scene}.json`), ...overrides], { encoding: 'utf8' });
      const found = await page.evaluate(([words, count]) => window.hashOf(words, count), [text, Number(steps)]);
      if (found !== hash) apart.push(`${scene} after ${steps} steps: ${found}, natively ${hash}`);
    }
    assert.deepEqual(apart, []);
    assert.deepEqual(errors, []);
    return `${listed.length} agree, in ${((performance.now() - start) / 1000).toFixed(0)} s`;
  });
  await close();
  server.stop();
}
