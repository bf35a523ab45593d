// node run_wasm.mjs FOLDER/NAME.js WORDS...: a tool compiled for WebAssembly, with its words and this machine's files.
// Node hands it the binary: this emscripten would try to fetch it over the network under newer versions of Node.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [file, ...words] = process.argv.slice(2);
const makeTool = createRequire(import.meta.url)(resolve(file));
const module = await makeTool({ wasmBinary: readFileSync(resolve(file).replace(/\.js$/, '.wasm')), thisProgram: file });
process.exitCode = module.callMain(words);
