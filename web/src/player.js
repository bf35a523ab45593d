// A recording that is opened, and then played by the clock. Its frames are read by a thread of their own (recording.js), one at a time.
import { describe } from './thread.js';

let spare = null;  // a thread that can read recordings, made when a file is likely to come: it takes a moment to start
export function prepareReader() {
  if (spare) return spare;
  spare = new Worker('recording.js', { type: 'module' });
  spare.onerror = () => (spare = null);
  return spare;
}

export class Player {
  #reader; #module; #hear; #waits = false; #jumps = false; #gone = ''; #clock = 0; #before = 0;
  index = 0;       // of the frame that was asked for last
  columns = null;  // of all numbers, at most 600 rows, once they are there
  trouble = [];    // words: what of these, or of the steps that missed the tolerance, cannot be read

  /** `source`: { file } or { url }; `module`: of the engine, compiled or to be; `hear`: { opened(player, description, meshes, warnings), frame(data, broken, isJump),
   *  curves(): there are columns now, or trouble, failed(message) }; `isJump`: of a frame that does not come after the one before. */
  constructor(source, module, hear) {
    this.#module = module, this.#hear = hear;
    this.#reader = prepareReader();
    spare = null;
    this.#reader.onerror = (event) => this.#fail(this.#gone = event.message ? `recording.js stopped: ${event.message}. Open the recording again.` : 'recording.js cannot be fetched');
    this.#reader.onmessage = ({ data }) => this.#hearFrom(data);
    this.#reader.postMessage({ do: 'open', ...source });
  }
  close() {
    this.#reader.terminate();
    this.#reader = null;
  }
  get isAtEnd() { return this.index === this.frames - 1; }
  seek(index) {
    const to = Math.max(0, Math.min(this.frames - 1, index));
    this.#jumps ||= to < this.index || to > this.index + 1;
    this.index = to;
    this.#clock = this.times[this.index], this.#before = performance.now();
    this.#ask();
  }
  /** Once more, where they could not be read, and the frame that is shown, whose numbers may be damaged too. */
  readCurves() {
    if (this.#gone) return this.#fail(this.#gone);
    this.trouble = [];
    this.#reader.postMessage({ do: 'curves' });
    this.#ask();
  }
  /** From where it is, or from the start if that is the end. */
  play() { this.seek(this.isAtEnd ? 0 : this.index); }
  /** At every picture, while it plays; false: that was the end. */
  turn(now, speed) {
    if (this.#waits) return true;
    this.#clock = Math.min(this.end, this.#clock + speed * Math.max(0, now - this.#before) / 1000), this.#before = now;
    let { index } = this;
    while (index + 1 < this.frames && this.times[index + 1] <= this.#clock) ++index;
    if (index !== this.index) this.index = index, this.#ask();
    return !this.isAtEnd;
  }

  #ask() {
    if (this.#gone) return this.#fail(this.#gone);
    this.#waits = true;
    this.#reader.postMessage({ do: 'frame', index: this.index });
  }
  #hearFrom(data) {
    if (!this.#reader) return;
    if (data.is === 'recording') this.#open(data).catch((error) => this.#fail(`the recording cannot be opened: ${error.message}`));
    if (data.is === 'columns') this.columns = data.columns, this.#hear.curves();
    if (data.is === 'trouble') this.trouble.push(data.message), this.#hear.curves();
    if (data.is === 'frame') this.#takeFrame(data);
    if (data.is === 'failed') this.#fail(data.message);
  }
  #takeFrame(data) {
    const isJump = this.#jumps;
    if (data.index === this.index) this.#jumps = false;
    this.#waits = false;
    this.#hear.frame(data, data.broken.map((name) => this.#joints.get(name)), isJump);
  }
  #fail(message) {
    this.#waits = false;
    if (this.#reader) this.#hear.failed(message);
  }
  #joints = new Map();  // indices by name
  async #open({ times, frames, numberNames, title, ...bodies }) {
    Object.assign(this, { times, frames, numberNames, title, end: times[frames - 1] });
    const module = await this.#module, { description, meshes, warnings } = await this.#told(module, bodies);
    if (!this.#reader) return;
    for (const { name, index } of description.joints) this.#joints.set(name, index);
    this.#hear.opened(this, description, meshes, warnings);
    this.seek(0);
  }
  /** The bodies with all that the scene says of them; or, where it is not there or not theirs any more, as they were recorded. */
  async #told(module, { scene, names, ...recorded }) {
    if (!scene) return this.#plain(module, names, recorded, 'this recording has no scene');
    try {
      const { description, meshes } = await describe(module, scene), { bodies } = description;
      if (names.length === bodies.length && bodies.every(({ name }, i) => name === names[i])) return { description, meshes, warnings: [] };
    } catch (error) {
      return this.#plain(module, names, recorded, `the scene of this recording is not understood: ${error.message}`);
    }
    return this.#plain(module, names, recorded, 'bodies came or went while it was recorded');
  }
  async #plain(module, names, { plain, kinds, joints, unknown }, why) {
    const { description, meshes } = await describe(module, plain);
    description.bodies.forEach((body, i) => Object.assign(body, { name: names[i], kind: kinds[i] }));
    return { description: { ...description, joints }, meshes,
      warnings: [...unknown.map((name) => `the shape of ${name} is not known here; a dot is drawn`), `${why}: springs, rods and wires are not drawn`] };
  }
}
