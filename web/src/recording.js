// Recordings (HDF5) in a thread of their own, read by blocks: the file is mounted, not loaded, whatever its length.
// Messages in: { do: 'open', file | url }, { do: 'frame', index }, { do: 'curves' }; out: { is: 'recording' | 'frame' | 'columns' | 'failed' | 'trouble', ... }. The
// columns of the plots, for which all of the file's tables are gone through, come last and in pieces: frames do not wait for them, nor do they need them: where columns
// cannot be read that is 'trouble', and the recording plays all the same. With 'curves' they are read once more, and so are blocks whose numbers were damaged.
import h5wasm from 'h5wasm';
import { Blocks, framesOfBlock } from './blocks.js';
import { certificateFields } from './engine.js';

const oldestFormat = 4, newestFormat = 10;  // that are read
const pieceBytes = 1 << 20, mostPieces = 64;  // of a file that a server has
const firstWithMore = 5;  // codes of shapes from here on have a place in shape_more_count
let file = null, times = null, broken = [], frames = 0, bodies = 0, contactStart = null, missed = null, wanted = -1, present = [], causes = [], frameBytes = 0, blockFrames = 1;
let lost = '';  // why bytes of the file could not be had
const blocks = new Blocks();

const numberPaths = [  // name in the page, dataset; recordings of older formats lack some
  ['time', 'time'], ['steps', 'step'], ['contacts', 'solver/contacts'], ['islands', 'solver/islands'], ['iterations', 'solver/iterations'],
  ['gap', 'certificate/gap_relative'], ['joint', 'certificate/joint'], ['cone', 'certificate/cone'],
  ['complementarity', 'certificate/complementarity_relative'], ['dissipation', 'certificate/dissipation'],
  ['natural_map', 'certificate/natural_map_scaled'], ['impact', 'certificate/impact'], ['body', 'certificate/body'], ['momentum', 'certificate/momentum'],
  ['energy', 'certificate/energy'], ['tolerance', 'certificate/tolerance'], ['kinetic', 'ledger/kinetic'],
  ['gravity', 'ledger/gravity_potential'], ['springs', 'ledger/spring_potential'], ['pairs', 'ledger/pair_potential'],
  ['imbalance', 'ledger/imbalance'], ['ledger_scale', 'ledger/scale']];

const contactFields = ['point', 'normal', 'force', 'slip', 'gap', 'friction', 'state', 'body_a', 'body_b'];
const contactBytes = 4 * 24 + 2 * 8 + 1 + 2 * 4;

class Lost extends Error {}
/** Where bytes could not be had, what HDF5 made of that is not believed. */
function reading(work) {
  try {
    const found = work();
    if (!lost) return found;
  } catch (error) {
    if (!lost) throw error;
  }
  const why = lost;
  lost = '';
  throw new Lost(why);
}
function table(path) {
  const found = file.get(path);
  if (!found?.shape) throw new Error(`the file is damaged: it has no ${path}`);
  return found;
}
/** Rows of a table, every one or one of every `stride`. */
const rows = (path, from, to, stride = 1) => reading(() => {
  const data = table(path), [length, ...rest] = data.shape;
  if (length < to) throw new Error(`the file is damaged: ${path} ends at row ${length}`);
  return data.slice([[from, to, stride], ...rest.map(() => [])]);
});

/** The same of numbers that only stand beside the picture: where they are damaged there are none, and the picture is seen all the same. */
function numbersIn(path, from, to, width = 1) {
  try {
    return rows(path, from, to);
  } catch (error) {
    if (error instanceof Lost) throw error;
    return new Float64Array(width * (to - from)).fill(NaN);
  }
}

const triples = (n) => Array.from({ length: n.length / 3 }, (_, i) => [...n.slice(3 * i, 3 * i + 3)]);
/** The z axis of a frame that is turned by the quaternion w x y z. */
const axisOf = ([w, x, y, z]) => [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];

/** One inequality of an intersection, 13 numbers; undefined for elliptic ones, which scenes do not have. */
function faceOf([kind, ...n]) {
  if (kind === 0) return { half_space: { normal: n.slice(0, 3), offset: n[3] } };
  const place = n.slice(0, 3), orientation = n.slice(3, 7), radii = n.slice(7, 10), [a, b, c] = radii, axis = axisOf(orientation);
  if (kind === 1) return { ellipsoid: { radii, centre: place, orientation } };
  if (kind === 5) return { superellipsoid: { radii, across: n[10], along: n[11], centre: place, orientation } };
  if (a !== b) return undefined;
  if (kind === 2) return { tube: { radius: a, axis, point: place } };
  if (kind === 3) return { cone: { slope: a / c, axis, apex: place } };
  return kind === 4 ? { paraboloid: { curvature_radius: a * a / (2 * c), axis, top: place } } : undefined;
}
function intersectionOf(more, rounding) {
  const faces = Array.from({ length: more.length / 13 }, (_, i) => faceOf(more.slice(13 * i, 13 * i + 13)));
  return faces.includes(undefined) ? undefined : { intersection: { faces, ...(rounding && { rounding }) } };
}

/** Of every part: position, orientation, code, four numbers, how many more, and those. */
function compoundOf(more) {
  const parts = [];
  for (let at = 0; at < more.length;) {
    const head = more.slice(at, at + 13), end = at + 13 + head[12];
    const shape = shapeOf(head[7], head.slice(8, 12), more.slice(at + 13, end));
    if (!shape || !(end > at)) return undefined;
    parts.push({ shape, at: [...head.slice(0, 3)], orientation: [...head.slice(3, 7)] });
    at = end;
  }
  return { compound: parts };
}

/** A shape as scenes have it, from the numbers of a recording; undefined where they do not have it. */
function shapeOf(kind, n, more) {
  const [a, b, c, rounding] = n;
  switch (kind) {
    case 1: return { sphere: a };
    case 2: return { box: [a, b, c] };
    case 3: return { capsule: { radius: a, length: b } };
    case 4: return { half_space: { normal: [a, b, c], offset: rounding } };
    case 5: return { rounded_box: { size: [a, b, c], radius: rounding } };
    case 8: return { cylinder: { radius: a, height: b, ...(rounding && { rounding }) } };
    case 9: return { cone: { radius: a, height: b } };
    case 10: return { ellipsoid: [a, b, c] };
    case 11: return { superellipsoid: { radii: [a, b, c], across: more[0], along: more[1] } };
    case 12: return { hull: { points: triples(more), ...(rounding && { rounding }) } };
    case 13: return intersectionOf(Array.from(more), rounding);
    case 40: return compoundOf(Array.from(more));
    case 41: return { mesh: { vertices: triples(more.slice(0, 3 * a)), triangles: triples(more.slice(3 * a)) } };
    case 42: return { heightfield: { heights: Array.from({ length: b }, (_, j) => [...more.slice(a * j, a * j + a)]), spacing: [c, rounding] } };
    default: return undefined;
  }
}

/** The bodies of the last revision: the scene they are from, if it is told, and `plain`, one in which nothing moves and nothing holds them, for when it is not, or
 *  is not understood any more. The engine makes the meshes from either. */
function sceneOfBodies() {
  const revision = `revisions/${file.get('revisions').keys().length - 1}`;
  const get = (name) => file.get(`${revision}/${name}`)?.value;
  const kinds = get('shape'), numbers = get('shape_numbers'), counts = get('shape_more_count'), more = get('shape_more') ?? [], unknown = [];
  const scene = { stiction: 1, bodies: {} }, told = JSON.parse(get('scene') || '{}'), surfaces = Object.entries(told.surfaces ?? {});
  const grained = surfaces.some(([, surface]) => surface.grain);  // friction then depends on the direction: the cones have to know
  if (grained) {
    scene.surfaces = Object.fromEntries(surfaces.map(([name, { friction, grain, friction_along }]) => [name, { friction, grain, friction_along }]));
    scene.surface_pairs = (told.surface_pairs ?? []).map(({ between, friction, friction_along }) => ({ between, friction, friction_along }));
  }
  let at = 0, counted = 0;
  const names = get('name');
  names.forEach((name, i) => {  // b0, b1: names of digits alone would change places
    const kind = Number(kinds[i]), extra = kind >= firstWithMore ? Number(counts[counted++]) : 0;
    const shape = shapeOf(kind, numbers.slice(4 * i, 4 * i + 4), more.slice(at, at + extra));
    at += extra;
    if (kind > 0 && !shape) unknown.push(name);
    scene.bodies[`b${i}`] = { static: true, ...(shape && { shape }), at: [0, 0, 0], ...(grained && { surface: told.bodies?.[name]?.surface }) };
  });
  return { scene: get('scene') || '', plain: JSON.stringify(scene), names, unknown, kinds: Array.from(get('kind'), (kind) => ['dynamic', 'static', 'kinematic'][Number(kind)]) };
}

/** Joints of the last revision, of either kind, as the engine describes those of a scene; none in old recordings. */
function joints() {
  const revision = `revisions/${file.get('revisions').keys().length - 1}`;
  const get = (name) => file.get(`${revision}/${name}`)?.value;
  return ['joint', 'constraint'].flatMap((of) => {
    const bodies = get(`${of}_body`);
    if (!bodies || bodies.length === 0) return [];
    const names = get(`${of}_name`), points = triples(get(`${of}_point`)), axes = triples(get(`${of}_axis`)), parents = get(`${of}_parent`);
    return Array.from(bodies, (body, i) => ({ name: names[i], body: Number(body), parent: Number(parents[i]), constraint: of === 'constraint' ? 1 : 0,
      at: points[i], axis: axes[i] }));
  }).map((joint, index) => ({ ...joint, index })).filter(({ body }) => body >= 0);
}
/** When which joints broke. */
function findBroken() {
  const words = file.get('summary')?.attrs.broken?.value ?? '';
  return [...words.matchAll(/joint (.+?) broke at t = (\S+) s(?:; |$)/g)].map(([, name, time]) => ({ time: Number(time), name }));
}

/** Of the whole file; none where it is not told. */
const sizeIn = (range) => Number(/\/(\d+)$/.exec(range ?? '')?.[1] ?? NaN);

/** Bytes of a file that a server gives in parts, piece by piece as they are asked for; the pieces used last are kept. */
class Pieces {
  constructor(url, size) { this.url = url, this.size = size, this.kept = new Map(); }
  #piece(k) {
    let bytes = this.kept.get(k);
    if (!bytes) {
      const request = new XMLHttpRequest(), from = k * pieceBytes;
      request.open('GET', this.url, false);  // HDF5 waits for what it reads; this thread may
      request.responseType = 'arraybuffer';
      request.setRequestHeader('Range', `bytes=${from}-${Math.min(from + pieceBytes, this.size) - 1}`);
      try { request.send(); } catch { throw new Error('the server does not answer'); }
      const isWhole = request.status === 200;  // a server need not give parts, even if it did before
      if (!isWhole && request.status !== 206) throw new Error(`the server answers ${request.status}`);
      bytes = new Uint8Array(request.response);
      const size = isWhole ? bytes.length : sizeIn(request.getResponseHeader('Content-Range'));
      if (isWhole) bytes = bytes.slice(from, from + pieceBytes);
      if (size !== this.size || bytes.length !== Math.min(pieceBytes, this.size - from)) throw new Error('the file changed while it was read');
    }
    this.kept.delete(k), this.kept.set(k, bytes);
    if (this.kept.size > mostPieces) this.kept.delete(this.kept.keys().next().value);
    return bytes;
  }
  read(to, offset, length, position) {
    const end = Math.min(position + length, this.size);
    for (let at = position; at < end;) {
      const k = Math.floor(at / pieceBytes), bytes = this.#piece(k).subarray(at - k * pieceBytes).subarray(0, end - at);
      to.set(bytes, offset + at - position);
      at += bytes.length;
    }
    return Math.max(0, end - position);
  }
}
/** A file of a server: mounted where it gives parts, else fetched as a whole. */
async function mountUrl(FS, folder, url) {
  const answer = await fetch(url, { headers: { Range: 'bytes=0-0' } }).catch(() => { throw new Error(`${url}: the server does not answer`); });
  if (!answer.ok) throw new Error(`${url}: the server answers ${answer.status} ${answer.statusText}`);
  const size = sizeIn(answer.headers.get('Content-Range'));
  if (answer.status !== 206) return mountBlob(FS, folder, await answer.blob());
  if (!(size > 0)) return mountBlob(FS, folder, await (await fetch(url)).blob());
  const pieces = new Pieces(url, size), node = FS.createFile(folder, 'recording.h5', {}, true, false);
  Object.defineProperty(node, 'usedBytes', { get: () => pieces.size });
  node.stream_ops = { ...node.stream_ops, read: (_, buffer, offset, length, position) => pieces.read(buffer, offset, length, position) };
}
const mountBlob = (FS, folder, data) => FS.mount(FS.filesystems.WORKERFS, { blobs: [{ name: 'recording.h5', data }] }, folder);

/** A read that fails throws once HDF5 is through with it: in its midst HDF5 would be left out of order, and the error handler of h5wasm that throws leaves its stack
 *  where it was, so that there is none left after 2000 failures. h5wasm itself does not ask whether a read failed. */
function watchReads(module, path) {
  const { FS, get_dataset_data: getData } = module, { node } = FS.lookupPath(path), { read } = node.stream_ops;
  node.stream_ops = { ...node.stream_ops, read(...of) {
    try {
      return read(...of);
    } catch (error) {
      lost = error instanceof DOMException ? 'the file changed or went away' : error.message;  // a local one
      throw new FS.ErrnoError(29);  // EIO
    }
  } };
  module.get_dataset_data = (id, name, ...more) => { if (getData(id, name, ...more) < 0) throw new Error(`the file is damaged (${name.slice(1)})`); };
}

async function open({ file: blob, url }) {
  const module = await h5wasm.ready, { FS } = module, folder = '/recording', path = `${folder}/recording.h5`;
  FS.mkdir(folder);
  if (blob) mountBlob(FS, folder, blob);
  else await mountUrl(FS, folder, url);
  watchReads(module, path);
  postMessage(reading(() => describe(path)));
  setTimeout(sendCurves, 200);  // the first frame first
}
function describe(path) {
  file = new h5wasm.File(path, 'r');
  if (file.file_id < 0) throw new Error('it is no HDF5 file, or a part of one');
  const { kind, format } = file.attrs;
  if (kind?.value !== 'stiction recording') throw new Error('this HDF5 file is no recording of Stiction');
  if (!(format?.value >= oldestFormat && format.value <= newestFormat))
    throw new Error(`it has recording format ${format?.value}, this page reads formats ${oldestFormat} to ${newestFormat}: use the version of Stiction that wrote it`);
  times = Float64Array.from(table('time').value);
  frames = times.length, bodies = table('bodies/position').shape[1];
  if (frames === 0) throw new Error('it has no frames');
  const perFrame = rows('contacts/per_frame', 0, frames);
  contactStart = new Float64Array(frames + 1);
  for (let i = 0; i < frames; ++i) contactStart[i + 1] = contactStart[i] + Number(perFrame[i]);
  causes = table('ledger/booked').attrs.causes.value.split(' ');
  present = numberPaths.filter(([, path]) => file.get(path));
  frameBytes = 56 * bodies + 8 * (present.length + causes.length);
  blockFrames = framesOfBlock(frameBytes + contactBytes * perFrame.reduce((most, n) => Math.max(most, Number(n)), 0));
  const numberNames = [...present.map(([name]) => name), ...causes.map((c) => `booked.${c}`)];
  broken = findBroken();
  return { is: 'recording', times, frames, numberNames, title: JSON.parse(table('scene').value || '{}').title ?? '', joints: joints(), ...sceneOfBodies() };
}

async function sendCurves() {
  await tryTo('the curves cannot be read', sendColumns, 'trouble');
  await tryTo('steps that missed the tolerance cannot be counted', countMissed, 'trouble');
}
function countMissed() {
  let sum = 0;
  missed = Float64Array.from(rows('solver/unconverged', 0, frames), (count) => (sum += Number(count)));
}
/** At most 600 rows of every table, evenly, for the plots; of the certificate the worst of those that one stands for. */
async function sendColumns() {
  const stride = Math.max(1, Math.ceil(frames / 600)), piece = stride * Math.ceil(16384 / stride);
  const thinned = async (path, worst = false) => {
    const out = [];
    for (let from = 0; from < frames; from += piece) {
      const found = rows(path, from, Math.min(frames, from + piece), worst ? 1 : stride);
      for (let i = 0; i < found.length; ++i) {
        const x = Number(found[i]);
        if (!worst || i % stride === 0) out.push(x);
        else if (x > out.at(-1)) out[out.length - 1] = x;
      }
      await new Promise((go) => setTimeout(go));  // frames that were asked for meanwhile
    }
    return out;
  };
  const columns = [];
  for (const [name, path] of present) columns.push(Float64Array.from(await thinned(path, certificateFields.includes(name))));
  const booked = await thinned('ledger/booked');
  causes.forEach((_, c) => columns.push(Float64Array.from(columns[0], (_, i) => booked[i * causes.length + c])));
  postMessage({ is: 'columns', columns });
}

const lacksNumbers = ({ numbers, booked }) => [...numbers, booked].some(([first]) => Number.isNaN(first));
const firstOfBlock = (index) => index - index % blockFrames, endOfBlock = (index) => Math.min(frames, firstOfBlock(index) + blockFrames);
function readBlock(index) {
  const from = firstOfBlock(index), to = endOfBlock(index), first = contactStart[from], last = contactStart[to];
  const block = { bytes: (to - from) * frameBytes + (last - first) * contactBytes, position: rows('bodies/position', from, to), orientation: rows('bodies/orientation', from, to),
    numbers: present.map(([, path]) => numbersIn(path, from, to)), booked: numbersIn('ledger/booked', from, to, causes.length), contacts: {} };
  for (const field of contactFields) block.contacts[field] = last > first ? rows(`contacts/${field}`, first, last) : [];
  return block;
}

function frame(index) {
  const from = firstOfBlock(index), k = index - from, block = blocks.take(from, () => readBlock(index));
  const poses = new Float32Array(7 * bodies);
  for (let i = 0; i < bodies; ++i) {
    const p = 3 * (k * bodies + i), q = 4 * (k * bodies + i);
    poses.set(block.position.subarray(p, p + 3), 7 * i);
    for (let c = 0; c < 4; ++c) poses[7 * i + 3 + c] = block.orientation[q + (c + 1) % 4];  // w x y z -> x y z w
  }
  const base = contactStart[from], list = [];
  for (let i = contactStart[index] - base; i < contactStart[index + 1] - base; ++i) {
    const c = block.contacts;
    if (Number(c.state[i]) === 0) continue;
    const three = (field) => Array.from(c[field].subarray(3 * i, 3 * i + 3));
    list.push(...three('point'), ...three('normal'), ...three('force'), ...three('slip'), c.gap[i], c.friction[i], Number(c.state[i]),
      Number(c.body_a[i]), Number(c.body_b[i]));
  }
  const contacts = Float32Array.from(list), n = causes.length;
  const numbers = Float64Array.from([...block.numbers.map((column) => Number(column[k])), ...block.booked.subarray(n * k, n * (k + 1))]);
  postMessage({ is: 'frame', index, poses, contacts, numbers, missed: missed?.[index], broken: broken.filter(({ time }) => time <= times[index]).map((b) => b.name) }, [poses.buffer, contacts.buffer, numbers.buffer]);
}
/** In words, which frames are in the block of this one. */
function whereIs(index) {
  const [from, last] = [firstOfBlock(index), endOfBlock(index) - 1], time = (i) => +times[i].toPrecision(6);
  return from === last ? `frame ${from} (${time(from)} s)` : `frames ${from} to ${last} (${time(from)} to ${time(last)} s)`;
}

async function tryTo(what, work, otherwise = 'failed') {
  try {
    await work();
  } catch (error) {
    postMessage({ is: otherwise, message: `${what}: ${error.message ?? error}` });
  }
}
onmessage = ({ data }) => {
  if (data.do === 'open') return tryTo('the recording cannot be opened', () => open(data));
  if (data.do === 'curves') return blocks.drop(lacksNumbers), sendCurves();
  // of many frames asked for while one was read, only the last is answered
  const waiting = wanted >= 0;
  wanted = data.index;
  if (!waiting) setTimeout(() => { const index = wanted; wanted = -1; tryTo(`${whereIs(index)} cannot be read`, () => frame(index)); });
};
