// node build.mjs WASM_FOLDER EXPAND_SCENE OUT: bundles the page into the folder OUT, which any web server may serve. WASM_FOLDER
// holds stiction.mjs and stiction.wasm; EXPAND_SCENE is the program (tools/) that puts what a scene takes from other files into it.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { kilobytes, weighPage } from './weigh.mjs';

const here = dirname(fileURLToPath(import.meta.url)), root = dirname(here);
const [wasm, expandScene, out] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(join(out, 'scenes'), { recursive: true });

await build({
  entryPoints: { main: join(here, 'src/main.js'), worker: join(here, 'src/worker.js'), recording: join(here, 'src/recording.js') },
  bundle: true, minify: true, format: 'esm', target: 'es2022', outdir: out, logLevel: 'warning', legalComments: 'external',
  alias: { 'stiction-engine': join(wasm, 'stiction.mjs') },
  external: ['fs', 'path', 'crypto', 'module', 'worker_threads', 'node:*'],
});
await build({ entryPoints: [join(here, 'node_modules/uplot/dist/uPlot.min.css')], minify: true, outfile: join(out, 'plots.css') });
for (const file of ['index.html', 'style.css', 'gallery.json']) cpSync(join(here, file), join(out, file));
if (existsSync(join(here, 'pictures'))) cpSync(join(here, 'pictures'), join(out, 'pictures'), { recursive: true });
cpSync(join(wasm, 'stiction.wasm'), join(out, 'stiction.wasm'));
cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));

for (const { scene } of JSON.parse(readFileSync(join(here, 'gallery.json'), 'utf8'))) {
  writeFileSync(join(out, 'scenes', `${scene}.json`), execFileSync(expandScene, [join(root, 'scenes', `${scene}.json`)]));
}
const { page, recordings } = weighPage(out);
console.error(`page: ${kilobytes(page)} compressed, with recordings ${kilobytes(recordings)} more`);
