// What `stiction view` gives out, and what it does not.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kilobytes, weighPage } from '../../web/weigh.mjs';

/** Sends the beginning of a request, then a byte now and then and never the end; what the other side says, and how long [s] it bears it. */
function dawdle(port, beginning) {
  const start = Date.now();
  return new Promise((done) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(beginning));
    const timer = setInterval(() => beginning && socket.write('x'), 200);
    const over = () => { clearInterval(timer); socket.destroy(); done({ said, seconds: (Date.now() - start) / 1000 }); };
    socket.on('data', (data) => { said += data; }).on('end', over).on('error', over);
  });
}

/** Sends these bytes, all of them before it looks for an answer; one that is torn off is none. */
function send(port, bytes) {
  return new Promise((done, fail) => {
    const chunks = [];
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(bytes, 'latin1', () =>
      socket.on('data', (data) => chunks.push(data)).on('end', () => { socket.end(); done(Buffer.concat(chunks).toString('latin1')); })));
    socket.on('error', fail);
  });
}
/** One request, byte for byte: browsers and fetch would tidy up the path. */
const ask = (port, target, headers = '', host = `127.0.0.1:${port}`, method = 'GET') => send(port, `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`);

const bodyOf = (answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4);

export default async function test({ check, serve, serveFolder, build }) {
  const server = await serve();
  const port = Number(new URL(server.address).port);
  await check('the page is served', async () => assert.match(await ask(port, '/'), /^HTTP\/1.1 200 OK[^]*<title>Stiction/));
  await check('nothing outside of the folder is served', async () => {
    for (const target of ['//etc/passwd', '/%2fetc/passwd', '/scenes/%00', '/%', 'etc/passwd', '/given/recording.h5'])
      assert.match(await ask(port, target), /^HTTP\/1.1 404/, target);
  });
  await check('nor by names that lead up, however they are written, nor by links', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'stiction-test-')), folder = join(outside, 'web');
    mkdirSync(join(folder, 'sub'), { recursive: true });
    for (const file of ['secret', 'web-secret', 'web/index.html', 'web/file', 'web/sub/index.html']) writeFileSync(join(outside, file), file);
    for (const [link, to] of [['link', join(outside, 'secret')], ['up', outside], ['relative', '../secret'], ['sub/index', '../../secret'], ['beside', '../web-secret'], ['loop', 'loop'],
      ['inner', 'file'], ['around', '../web/sub']]) symlinkSync(to, join(folder, link));
    const own = await serveFolder(folder), ownPort = Number(new URL(own.address).port);
    try {
      for (const [target, file] of [['/file', 'web/file'], ['/sub', 'web/sub/index.html'], ['/inner', 'web/file'], ['/around', 'web/sub/index.html'], ['/%66ile', 'web/file']])
        assert.equal(bodyOf(await ask(ownPort, target)), file, target);  // what is inside is served, by a link too
      const ups = ['..', '%2e%2e', '%2E%2E', '.%2e', '%2e.', '%252e%252e', '%25252e%25252e', '%c0%ae%c0%ae', '..;', '..%00'], slashes = ['/', '%2f', '%2F', '\\', '%5c', '%5C', '%252f', '%255c', '%c0%af', '//'];
      const ways = ups.flatMap((up) => slashes.flatMap((slash) => [`/${up}${slash}secret`, `/sub${slash}${up}${slash}${up}${slash}secret`, `${slash}${up}${slash}secret`, `/${up}${slash}web-secret`]));
      for (const target of [...ways, '/link', '/up/secret', '/up', '/relative', '/sub/index', '/beside', '/loop', '/up%2fsecret', join(outside, 'secret'), `/${join(outside, 'secret')}`])
        assert.match(await ask(ownPort, target), /^HTTP\/1.1 404[^]*\r\n\r\n404 Not Found\n$/, target);
      return `${ways.length} ways up`;
    } finally {
      own.stop();
      rmSync(outside, { recursive: true });
    }
  });
  await check('another host name is refused', async () => {
    for (const host of [`evil.example:${port}`, 'evil.example', '127.0.0.1', '']) assert.match(await ask(port, '/', '', host), /^HTTP\/1.1 403/, host);
  });
  await check('two hosts are too many, and the one of an address is the one that counts', async () => {
    const own = `127.0.0.1:${port}`;
    for (const other of [own, 'evil.example']) assert.match(await ask(port, '/', `Host: ${other}\r\n`), /^HTTP\/1.1 400/, other);
    for (const target of [`http://${own}/`, `http://${own}`, `http://localhost:${port}/index.html?x`]) assert.match(await ask(port, target, '', 'evil.example'), /^HTTP\/1.1 200 [^]*<title>Stiction/, target);
    assert.match(await ask(port, 'http://evil.example/'), /^HTTP\/1.1 403/);
    for (const target of [`http://${own}/../secret`, `http://${own}//etc/passwd`, `http://${own}?x`]) assert.match(await ask(port, target), /^HTTP\/1.1 40[34]/, target);
  });
  await check('what follows the head says nothing about the host', async () => {
    for (const first of ['Host: evil.example\r\n', '']) assert.match(await send(port, `GET / HTTP/1.1\r\n${first}\r\nHost: 127.0.0.1:${port}\r\n\r\n`), /^HTTP\/1.1 403/, first);
  });
  await check('a head of more than 16 kB is told to be too long', async () => {
    const head = (size) => { const start = `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: `; return `${start.padEnd(size, 'x')}\r\n\r\n`; };
    assert.match(await send(port, head(16384)), /^HTTP\/1.1 200 /);
    for (const size of [16385, 17000, 20481, 1e6]) assert.match(await send(port, head(size)), /^HTTP\/1.1 431 [^]*\r\nConnection: close\r\n/, `${size} bytes`);
  });
  await check('who sends more than is read hears the answer all the same', async () => {
    const body = 'x'.repeat(1e6), post = (host) => `POST / HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (let i = 0; i < 10; ++i) {
      assert.match(await send(port, post(`127.0.0.1:${port}`)), /^HTTP\/1.1 405 [^]*\r\nAllow: GET, HEAD\r\n/);
      assert.match(await send(port, post('evil.example')), /^HTTP\/1.1 403 /);
    }
  });
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
  await check('who never ends a request is told so after 10 s, who begins none is hung up on', async () => {
    const [slow, silent] = await Promise.all([dawdle(port, 'GET / HTTP/1.1\r\n'), dawdle(port, '')]);
    for (const { seconds } of [slow, silent]) assert.ok(seconds > 9 && seconds < 15, `${seconds} s`);
    assert.match(slow.said, /^HTTP\/1.1 408 /);
    assert.equal(silent.said, '');
    assert.match(await ask(port, '/'), /^HTTP\/1.1 200/);
  });
  server.stop();
  await check('an empty file is served whole, whatever part is asked for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stiction-test-'));
    writeFileSync(join(folder, 'index.html'), '');
    const own = await serveFolder(folder), ownPort = Number(new URL(own.address).port);
    for (const range of ['0-0', '0-', '-1']) assert.match(await ask(ownPort, '/', `Range: bytes=${range}\r\n`), /^HTTP\/1.1 200 [^]*\r\nContent-Length: 0\r\n/);
    own.stop();
    rmSync(folder, { recursive: true });
  });
}
