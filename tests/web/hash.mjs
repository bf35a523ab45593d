// node hash.mjs FOLDER WORDS...: tools/hash_scenes.cpp compiled for WebAssembly (FOLDER/hash_scenes.js), with its words.
// Node reads the binary itself: this emscripten would try to fetch it over the network under newer versions of Node.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [folder, ...words] = process.argv.slice(2);
const hashScenes = createRequire(import.meta.url)(resolve(folder, 'hash_scenes.js'));
const module = await hashScenes({
  wasmBinary: readFileSync(resolve(folder, 'hash_scenes.wasm')),
  thisProgram: 'hash_scenes',
});
process.exitCode = module.callMain(words);
