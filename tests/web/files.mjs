// Recordings for tests of the page: what is in them, and others made of them, changed or damaged.
import fs from 'node:fs';
import h5wasm from '../../web/node_modules/h5wasm/dist/node/hdf5_hl.js';

/** What `work` makes of a file, opened with `mode`. */
async function within(path, mode, work) {
  await h5wasm.ready;
  const file = new h5wasm.File(path, mode);
  try {
    return work(file);
  } finally {
    file.close();
  }
}
const whole = (table, from, to) => [[from, to], ...table.shape.slice(1).map(() => [])];
const other = (path, ending) => path.replace(/\.h5$/, `-${ending}.h5`);

/** As the page has them. */
export const posesIn = (path, frame) => within(path, 'r', (file) => {
  const [at, turn] = ['position', 'orientation'].map((name) => { const table = file.get(`bodies/${name}`); return table.slice(whole(table, frame, frame + 1)); });
  return Array.from({ length: at.length / 3 }, (_, i) => [...at.subarray(3 * i, 3 * i + 3), ...[1, 2, 3, 0].map((c) => turn[4 * i + c])].map(Math.fround)).flat();
});

/** A copy that `work` changes. */
export async function changed(path, ending, work) {
  const copy = other(path, ending);
  fs.cpSync(path, copy);
  await within(copy, 'a', work);
  return copy;
}
/** The first body that moves is not there in the first frames. */
export const bornLate = (path, frames) => changed(path, 'late', (file) => {
  const body = Array.from(file.get('revisions/0/kind').value).findIndex((kind) => Number(kind) === 0);
  for (const name of ['position', 'orientation', 'velocity', 'spin']) {
    const table = file.get(`bodies/${name}`), width = table.shape[2];
    table.write_slice([[0, frames], [body, body + 1], [0, width]], new Float64Array(frames * width).fill(NaN));
  }
});
/** Only so many of its first frames. */
export const cut = (path, frames) => changed(path, `cut-${frames}`, (file) => {
  const tables = ['', 'bodies', 'joints', 'certificate', 'solver', 'ledger', 'contacts'].flatMap((group) => (group ? file.get(group) : file).keys().map((name) => file.get(`${group}/${name}`)));
  const [all] = file.get('time').shape;
  for (const table of tables) if (table.shape?.[0] === all) table.resize([frames, ...table.shape.slice(1)]);
});
/** A copy in which the bytes of some rows of a table, as they lie in the file, are damaged; and which frames those bytes hold. */
export async function damaged(path, name, row) {
  const { readSync } = fs;
  let last = null;  // where they are is read before they are
  fs.readSync = (...of) => { last = { length: of[3], at: of[4] }; return readSync(...of); };
  const rows = await within(path, 'r', (file) => {
    const table = file.get(name), { chunks } = table.metadata;
    table.slice(whole(table, row, row + 1));
    return chunks[0];
  }).finally(() => (fs.readSync = readSync));
  const { at, length } = last, bytes = fs.readFileSync(path), copy = other(path, 'damaged');
  for (let i = 0; i < 4; ++i) bytes[at + (length >> 1) + i] ^= 0x5a;
  fs.writeFileSync(copy, bytes);
  return { copy, from: Math.floor(row / rows) * rows, rows };
}
