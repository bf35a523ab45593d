// node run.mjs PROGRAM BUILD_FOLDER [--full | PART... | pictures [SCENE...]]: the tests of the page, or only the parts that are named. The table of the comparison with other
// engines, the engine in Node, its thread as the page sees it, the server, what it hands to the page, state hashes in Chromium, the page there, fingers, recordings, also from other servers;
// with --full every scene of the gallery for 5 s.
// With the word pictures: makes those of the gallery and of the documentation instead, or only those of the scenes named.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';

const [program, build, word, ...names] = process.argv.slice(2);
export const context = { program: resolve(program), build: resolve(build), full: word === '--full' };
const children = new Set();  // a test that fails may leave its server behind
let passed = 0, failed = 0;

/** Runs `stiction view WORDS`; what it says first is its address. */
export const serve = (...words) => serveFolder(`${context.build}/web`, ...words);
/** The same with another folder in the page's place. */
export async function serveFolder(folder, ...words) {
  const child = spawn(context.program, ['view', '--no-browser', ...words], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, STICTION_WEB: folder } });
  children.add(child);
  for await (const line of createInterface(child.stdout)) return { address: line, stop: () => child.kill() };
  throw new Error('the server says nothing');
}
export async function check(name, test) {
  try {
    const figures = await test();
    passed += 1;
    console.log(`ok    ${name}${figures ? `: ${figures}` : ''}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${error.stack}`);
  }
}

if (word === 'pictures') {
  await (await import('./pictures.mjs')).default({ serve, names });
} else {
  const parts = ['table', 'engine', 'thread', 'server', 'given', 'hashes', 'page', 'control', 'hand', 'recordings', 'hosts', 'marks'], wanted = parts.filter((part) => [word, ...names].includes(part));
  for (const part of wanted.length ? wanted : parts) await (await import(`./${part}.mjs`)).default({ check, serve, serveFolder, ...context });
  console.log(`${passed} passed, ${failed} failed`);
  for (const child of children) child.kill();
  process.exit(failed ? 1 : 0);
}
