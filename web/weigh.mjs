// How much of the built page travels: compressed, without the gallery.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** [bytes] of the page in this folder, and how many more once a recording is read. */
export function weighPage(folder) {
  const weigh = (...names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  return { page: weigh('index.html', 'style.css', 'plots.css', 'main.js', 'worker.js', 'stiction.wasm'), recordings: weigh('recording.js') };
}
export const kilobytes = (bytes) => `${Math.round(bytes / 1024)} kB`;
