// What `stiction view` hands to the page: scenes with their constants, in the user's own lines where they can be; and what it refuses.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

export default async function test({ check, serve, program, build }) {
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
  await check('a recording is one by what it holds, whatever its name', async () => {
    const run = spawnSync(program, ['run', own('row.json'), '--until', '0.01', '--quiet', '--out', own('run')], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    copyFileSync(own('run/recording.h5'), own('recording.bin'));
    const server = await serve(own('recording.bin')), { search } = new URL(server.address);
    const got = Buffer.from(await (await fetch(new URL('/given/recording.h5', server.address))).arrayBuffer());
    server.stop();
    assert.equal(search, '?recording=given/recording.h5');
    assert.deepEqual(got, readFileSync(own('recording.bin')));
  });
  await check('what cannot be shown is refused in one line that names it, with exit status 2', async () => {
    const files = { 'broken.json': '{ "stiction": 1,\n  "bodies": 3', 'empty.json': '', 'text.h5': 'no HDF5', 'empty.h5': '', 'run.journal': 'no journal', 'two.json': row, 'row.json': row };
    for (const [name, text] of Object.entries(files)) writeFileSync(own(name), text);
    mkdirSync(own('folder.h5')), mkdirSync(own('folder'));
    const whole = readFileSync(own('recording.bin'));
    writeFileSync(own('cut.h5'), whole.subarray(0, whole.length / 2));
    const other = await serve(), taken = new URL(other.address).port;
    for (const [words, said] of [
      [['nosuch'], /^nosuch: there is no such file, and no scene of that name .*stiction list scenes/], [['pyramyd'], /did you mean "pyramid"/],
      [['broken.json'], /^broken\.json:2:14: the file ends/], [['empty.json'], /^empty\.json:1:1: the file is empty/],
      [['folder'], /^folder: this is a folder/], [['folder.h5'], /^folder\.h5: .*folder: name a file in it/],
      [['none.h5'], /^none\.h5: there is no such file.*stiction run/], [['none.journal'], /^none\.journal: there is no such file/],
      [['text.h5'], /^text\.h5: this is no HDF5 file.*stiction run/], [['empty.h5'], /^empty\.h5: this is no HDF5 file/],
      [['cut.h5'], new RegExp(`^cut\\.h5: is cut off, or damaged: it has ${Math.floor(whole.length / 2)} of [0-9]+ bytes`)],
      [['run.journal'], /^run\.journal: .*stiction convert run\.journal run\.h5/],
      [['row.json', 'two.json'], /found the word "two\.json"/],
      [['--port', taken], new RegExp(`port ${taken}: Address already in use; name another with --port`)],
    ]) {
      const { status, stdout, stderr } = spawnSync(program, ['view', '--no-browser', ...words], { cwd: folder, encoding: 'utf8', timeout: 10000, env: { ...process.env, STICTION_WEB: join(build, 'web') } });
      assert.deepEqual([status, stdout], [2, ''], `${words}: ${stderr}`);
      assert.match(stderr, said, words);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
    }
    other.stop();
  });
  await check('a folder without the page is told about, after wrong words', () => {
    const view = (...words) => spawnSync(program, ['view', '--no-browser', ...words], { encoding: 'utf8', timeout: 10000, env: { ...process.env, STICTION_WEB: folder } });
    for (const [words, said] of [[['nosuch'], /^nosuch: there is no such file/], [[], /STICTION_WEB: .*index\.html/], [['first'], /STICTION_WEB: .*stiction web/]]) {
      const { status, stdout, stderr } = view(...words);
      assert.deepEqual([status, stdout], [2, ''], stderr);
      assert.match(stderr, said);
    }
  });
  await check('the browser is the first that there is of those named, its path may have spaces, and it says and hears nothing in our place', async () => {
    const said = own('said'), browser = own('browser'), spaced = own('my browser');
    writeFileSync(browser, `#!/bin/sh\ncat\necho chatter\necho chatter >&2\necho "$@" > ${said}.part\nmv ${said}.part ${said}\n`, { mode: 0o755 });
    copyFileSync(browser, spaced);
    for (const [named, expected] of [[`${own('nosuch')} %s:${browser} --new %s -x`, /^--new (http\S+) -x$/], [browser, /^(http\S+)$/], [`:${browser} -x`, /^-x (http\S+)$/],
      [`${own('nosuch')}:${spaced}`, /^(http\S+)$/], [`"${spaced}" -x '%s'`, /^-x (http\S+)$/], [`${browser} it's %s`, /^it's (http\S+)$/]]) {
      rmSync(said, { force: true });
      const child = spawn(program, ['view', '--json'], { env: { ...process.env, STICTION_WEB: join(build, 'web'), BROWSER: named } }), heard = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr']) child[stream].on('data', (data) => (heard[stream] += data));
      for (const start = Date.now(); !existsSync(said) && Date.now() - start < 10000;) await new Promise((go) => setTimeout(go, 20));
      await new Promise((done) => { child.on('close', done), child.kill(); });
      assert.equal(JSON.parse(heard.stdout).address, expected.exec(readFileSync(said, 'utf8').trim())?.[1], named);
      assert.equal(heard.stderr, '');
    }
  });
  rmSync(folder, { recursive: true });
}
