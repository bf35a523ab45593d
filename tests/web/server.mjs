// What `stiction view` gives out, and what it does not.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';

const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('stiction-view'));

/** Sends a request that never ends, byte by byte; how long [s] the other side bears it. */
function dawdle(port) {
  const start = Date.now();
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n'));
    const timer = setInterval(() => socket.write('x'), 200);
    const over = () => { clearInterval(timer); socket.destroy(); done((Date.now() - start) / 1000); };
    socket.on('data', () => {}).on('end', over).on('error', over);
  });
}

/** One request, byte for byte: browsers and fetch would tidy up the path. */
function ask(port, target, headers = '', host = `127.0.0.1:${port}`) {
  return new Promise((done, fail) => {
    const chunks = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`));
    socket.on('data', (data) => chunks.push(data)).on('end', () => done(Buffer.concat(chunks).toString('latin1'))).on('error', fail);
  });
}

export default async function test({ check, serve }) {
  const server = await serve();
  const port = Number(new URL(server.address).port);
  await check('the page is served', async () => assert.match(await ask(port, '/'), /^HTTP\/1.1 200 OK[^]*<title>Stiction/));
  await check('nothing outside of the folder is served', async () => {
    for (const target of ['/../wasm/CMakeCache.txt', '/..%2fwasm/CMakeCache.txt', '/%2e%2e/wasm/CMakeCache.txt', '/scenes/../../wasm/CMakeCache.txt',
      '//etc/passwd', '/%2fetc/passwd', '/..\\wasm', '/scenes/%00', '/%', 'etc/passwd', '/given/recording.h5'])
      assert.match(await ask(port, target), /^HTTP\/1.1 404/, target);
  });
  await check('another host name is refused', async () => assert.match(await ask(port, '/', '', `evil.example:${port}`), /^HTTP\/1.1 403/));
  await check('parts of files', async () => {
    assert.match(await ask(port, '/stiction.wasm', 'Range: bytes=0-3\r\n'), /^HTTP\/1.1 206[^]*Content-Range: bytes 0-3\/[^]*\r\n\r\n\0asm$/);
    assert.match(await ask(port, '/index.html', 'Range: bytes=99999999-\r\n'), /^HTTP\/1.1 416/);
    assert.match(await ask(port, '/index.html', 'Range: bytes=0-99999999\r\n'), /^HTTP\/1.1 206[^]*Content-Range: bytes 0-(\d+)\/[^]*<\/html>\n$/);  // all of it is a part too
  });
  await check('who never ends a request is hung up on after 10 s', async () => {
    const seconds = await dawdle(port);
    assert.ok(seconds > 9 && seconds < 15, `${seconds} s`);
    assert.match(await ask(port, '/'), /^HTTP\/1.1 200/);
  });
  server.stop();
  await check('a scene is served from memory, whole and in parts', async () => {
    const before = leftovers(), own = await serve('terrain'), ownPort = Number(new URL(own.address).port);
    const whole = await ask(ownPort, '/given/scene.json'), text = whole.slice(whole.indexOf('\r\n\r\n') + 4);
    assert.match(whole, /^HTTP\/1.1 200 OK[^]*application\/json/);
    assert.equal(JSON.parse(text).title, 'Bodies on rough ground');
    assert.doesNotMatch(text, /rock\.obj/);  // the triangles are in it
    assert.ok((await ask(ownPort, '/given/scene.json', 'Range: bytes=5-14\r\n')).endsWith(`\r\n\r\n${text.slice(5, 15)}`));
    assert.deepEqual(leftovers(), before);
    own.stop();
  });
}
