// What `stiction view` hands to the page: scenes with their constants, in the user's own lines where they can be.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Engine, SceneMistakes } from '../../web/src/engine.js';

const scenes = join(dirname(fileURLToPath(import.meta.url)), '../../scenes');
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('stiction-view'));

const row = `// balls in a row, as a user may write it
{ "stiction": 1, "$n": 3, "$r": 0.1,
  "bodies": { "ball": { "repeat": { "count": "$n", "offset": ["=2*$r", 0, 0] },
                        "shape": { "sphere": "$r" }, "mass": 1 } } }
`;

export default async function test({ check, serve, build }) {
  const { default: make } = await import(pathToFileURL(join(build, 'wasm/bin/stiction.mjs')));
  const engine = await Engine.create(make, readFileSync(join(build, 'wasm/bin/stiction.wasm')));
  const folder = mkdtempSync(join(tmpdir(), 'stiction-test-')), own = (name) => join(folder, name);
  /** What the page gets of a scene; `look` may fetch it in other ways too. */
  const given = async (scene, look = () => {}) => {
    const server = await serve(scene);
    try {
      const address = new URL('/given/scene.json', server.address);
      await look(address);
      return await (await fetch(address)).text();
    } finally {
      server.stop();
    }
  };

  await check('a scene that names no other file is served letter for letter', async () => {
    writeFileSync(own('row.json'), row);
    const text = await given(own('row.json'));
    assert.equal(text, row);
    assert.deepEqual(engine.load(text).constants, { $n: 3, $r: 0.1 });
    assert.equal(engine.load(text, { $n: 5 }).bodies.length, 5);
    assert.throws(() => engine.load(text, { $r: -1 }), (error) => error instanceof SceneMistakes && error.mistakes.every((m) => m.line === 4 || m.line === 0));
  });
  await check('what it includes is in it, with its constants', async () => {
    const text = await given('marble_run');
    assert.deepEqual(engine.load(text).constants, { $slope: 12, $marbles: 6, $r: 0.03 });
    const { bodies } = engine.load(text, { $marbles: 2, $slope: 20 });
    assert.equal(bodies.filter(({ name }) => name.startsWith('marble.')).length, 2);
    assert.equal(readFileSync(join(build, 'web/scenes/marble_run.json'), 'utf8'), text);  // the gallery has the same
    assert.equal(readFileSync(join(build, 'web/scenes/pyramid.json'), 'utf8'), readFileSync(join(scenes, 'pyramid.json'), 'utf8'));
  });
  await check('triangles of mesh files are in it, from memory, whole and in parts', async () => {
    const before = leftovers(), text = await given('terrain', async (address) => {
      const whole = await fetch(address), part = await fetch(address, { headers: { Range: 'bytes=5-14' } });
      assert.equal(whole.headers.get('content-type'), 'application/json');
      assert.equal(part.status, 206);
      assert.equal(await part.text(), (await whole.text()).slice(5, 15));
    });
    assert.equal(JSON.parse(text).title, 'Bodies on rough ground');
    assert.doesNotMatch(text, /rock\.obj/);
    assert.ok(engine.load(text).bodies.some(({ name }) => name === 'rock'));
    assert.deepEqual(leftovers(), before);
  });
  rmSync(folder, { recursive: true });
}
