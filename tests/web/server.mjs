// What `stiction view` gives out, and what it does not.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kilobytes, weighPage } from '../../web/weigh.mjs';

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
function ask(port, target, headers = '', host = `127.0.0.1:${port}`, method = 'GET') {
  return new Promise((done, fail) => {
    const chunks = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`));
    socket.on('data', (data) => chunks.push(data)).on('end', () => done(Buffer.concat(chunks).toString('latin1'))).on('error', fail);
  });
}

const bodyOf = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

export default async function test({ check, serve, build }) {
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
    const text = bodyOf(await ask(port, '/index.html')), size = text.length;
    const part = async (range, first, last) => {
      const answer = await ask(port, '/index.html', `Range: ${range}\r\n`);
      assert.match(answer, /^HTTP\/1.1 206 /, range);
      assert.ok(answer.includes(`\r\nContent-Range: bytes ${first}-${last}/${size}\r\n`), range);
      assert.ok(answer.includes(`\r\nContent-Length: ${last - first + 1}\r\n`), range);
      assert.equal(bodyOf(answer), text.slice(first, last + 1), range);
    };
    assert.match(await ask(port, '/stiction.wasm', 'Range: bytes=0-3\r\n'), /^HTTP\/1.1 206[^]*Content-Range: bytes 0-3\/[^]*\r\n\r\n\0asm$/);
    await part('bytes=7-7', 7, 7);
    await part('bytes=0-0 ', 0, 0);
    await part('bytes=100-', 100, size - 1);
    await part(`bytes=${size - 1}-`, size - 1, size - 1);
    for (const end of ['', size - 1, size, 99999999, '18446744073709551615', '99999999999999999999999']) await part(`bytes=0-${end}`, 0, size - 1);  // all of it is a part too
    await part('bytes=-500', size - 500, size - 1);
    for (const count of [size, size + 1, '99999999999999999999999']) await part(`bytes=-${count}`, 0, size - 1);
  });
  await check('parts that are not there', async () => {
    const size = bodyOf(await ask(port, '/index.html')).length;
    for (const range of [`${size}-`, `${size}-${size}`, '99999999-', '18446744073709551615-18446744073709551615', '99999999999999999999999-', '-0']) {
      const answer = await ask(port, '/index.html', `Range: bytes=${range}\r\n`);
      assert.match(answer, /^HTTP\/1.1 416 /, range);
      assert.ok(answer.includes(`\r\nContent-Range: bytes */${size}\r\n`), range);
    }
  });
  await check('ranges that are ignored: several, rubbish, backwards', async () => {
    const whole = await ask(port, '/index.html');
    for (const range of ['bytes=0-1,5-6', 'bytes=0-0,-1', 'bytes=0-5xyz', 'bytes=x0-5', 'bytes=0x-5', 'bytes=5-2', 'bytes=99999999-2', 'bytes=-', 'bytes=--5', 'bytes=-5-', 'bytes=+1-5',
      'bytes=0--5', 'bytes=', 'bytes=5', 'bytes', '-5', '', 'lines=0-5'])
      assert.equal(await ask(port, '/index.html', `Range: ${range}\r\n`), whole, range);
  });
  await check('HEAD: the head of GET and nothing else, whatever the answer', async () => {
    const headOf = (answer) => answer.slice(0, answer.indexOf('\r\n\r\n') + 4);
    for (const [target, status, host] of [['/', 200], ['/stiction.wasm', 200], ['/nothing', 404], ['/', 403, 'evil.example']]) {
      const got = await ask(port, target, '', host), head = headOf(got);
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} [^]*\r\nContent-Length: ${got.length - head.length}\r\n`));
      for (const range of host ? [''] : ['', 'Range: bytes=0-3\r\n', 'Range: bytes=99999999-\r\n']) assert.equal(await ask(port, target, range, host, 'HEAD'), head, target + range);
    }
    assert.match(await ask(port, '/', 'Range: bytes=0-3\r\n', undefined, 'POST'), /^HTTP\/1.1 405 /);
  });
  await check('what travels compressed is below 3 MB, without the gallery', () => {
    const { page, recordings } = weighPage(join(build, 'web'));
    assert.ok(page > 0 && page + recordings < 3e6, `${page} bytes, ${recordings} more with recordings`);
    return `${kilobytes(page)}, with recordings ${kilobytes(page + recordings)}`;
  });
  await check('who never ends a request is hung up on after 10 s', async () => {
    const seconds = await dawdle(port);
    assert.ok(seconds > 9 && seconds < 15, `${seconds} s`);
    assert.match(await ask(port, '/'), /^HTTP\/1.1 200/);
  });
  server.stop();
  await check('an empty file is served whole, whatever part is asked for', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'stiction-test-')), 'empty.h5');
    writeFileSync(file, '');
    const own = await serve(file), ownPort = Number(new URL(own.address).port);
    for (const range of ['0-0', '0-', '-1']) assert.match(await ask(ownPort, '/given/recording.h5', `Range: bytes=${range}\r\n`), /^HTTP\/1.1 200 [^]*\r\nContent-Length: 0\r\n/);
    own.stop();
    rmSync(dirname(file), { recursive: true });
  });
  await check('a scene is served from memory, whole and in parts', async () => {
    const before = leftovers(), own = await serve('terrain'), ownPort = Number(new URL(own.address).port);
    const whole = await ask(ownPort, '/given/scene.json'), text = bodyOf(whole);
    assert.match(whole, /^HTTP\/1.1 200 OK[^]*application\/json/);
    assert.equal(JSON.parse(text).title, 'Bodies on rough ground');
    assert.doesNotMatch(text, /rock\.obj/);  // the triangles are in it
    assert.ok((await ask(ownPort, '/given/scene.json', 'Range: bytes=5-14\r\n')).endsWith(`\r\n\r\n${text.slice(5, 15)}`));
    assert.deepEqual(leftovers(), before);
    own.stop();
  });
}
