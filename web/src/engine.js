// The engine, wrapped: texts as strings, numbers as typed arrays. Works in workers and in Node alike. `make` is the
// function of stiction.mjs, `binary` the bytes of stiction.wasm or what WebAssembly.compile made of them, which several engines may share.
export const contactWidth = 17;  // point, normal, force on b, slip (3 each), gap, friction, state, bodies a and b
export const certificateFields = ['gap', 'joint', 'cone', 'complementarity', 'dissipation', 'natural_map', 'impact', 'body', 'momentum', 'energy'];
export const energyLimit = 1e-6;  // of `energy`, whatever the tolerance
export const statusWords = ['not run', 'converged', 'unconverged', 'refused'];

export class SceneMistakes extends Error {
  constructor(mistakes) {
    super(mistakes.map((m) => `${m.line ? `line ${m.line}:${m.column}: ` : ''}${m.path ? m.path + ': ' : ''}${m.message}`)
      .join('\n'));
    this.mistakes = mistakes;
  }
}

const linesOf = (changes) => Object.entries(changes).map(([key, value]) => `${key}\n${value}\n`).join('');
/** Emscripten itself would wait for ever for a module that is compiled already and cannot be instantiated (no memory). */
const instantiate = (make, module) => new Promise((done, fail) => make({ instantiateWasm(imports, take) {
  WebAssembly.instantiate(module, imports).then((instance) => take(instance, module)).catch(fail);
  return {};
} }).then(done, fail));

export class Engine {
  static async create(make, binary) {
    const engine = new Engine();
    engine.module = await (binary instanceof WebAssembly.Module ? instantiate(make, binary) : make({ wasmBinary: binary }));
    return engine;
  }

  /** Reads and builds a scene, with values replaced as set() does; throws SceneMistakes. Returns its description. */
  load(text, changes = {}) {
    this.#give(`${linesOf(changes)}\n${text}`);
    return this.#taken(this.module._stiction_load());
  }
  /** Replaces values of the scene while it runs: { 'gravity.2': -1.6, 'surfaces.wood.friction': 0.1 }. */
  set(changes) {
    this.#give(linesOf(changes));
    return this.#taken(this.module._stiction_set());
  }
  reset() { this.#good(this.module._stiction_reset()); }
  /** Up to n steps; the word for how the last one ended. */
  step(n = 1) {
    const status = this.module._stiction_step(n);
    if (status === 0 && n > 0) this.#good(false);  // not run: there is no scene
    return statusWords[status];
  }
  hash() { return this.#good(this.module._stiction_hash(), true); }

  grip(body, [x, y, z]) { this.module._stiction_grip(body, x, y, z); }
  gripTo([x, y, z]) { this.module._stiction_grip_to(x, y, z); }
  release() { this.module._stiction_release(); }
  push([x, y, z], [dx, dy, dz], radius, strength) { this.module._stiction_push(x, y, z, dx, dy, dz, radius, strength); }
  stopPushing() { this.module._stiction_stop_pushing(); }

  /** Seven numbers per body: position x y z, orientation x y z w. A view: copy what is to be kept. */
  poses() { return this.#view(this.module._stiction_poses(), 7 * (this.description?.bodies.length ?? 0)); }
  /** In the order of description.numbers; like poses and contacts, none before the first scene. */
  numbers() { return this.#view(this.module._stiction_numbers(), this.description?.numbers.length ?? 0); }
  contacts() {
    const count = this.module._stiction_find_contacts();
    return this.#view(this.module._stiction_contacts(), contactWidth * count);
  }
  /** Joints that broke, by their `index` in the description. */
  broken() {
    const count = this.module._stiction_find_broken();
    return this.#view(this.module._stiction_broken(), count);
  }
  meshes() {
    return Array.from({ length: this.module._stiction_mesh_count() }, (_, i) => {
      const at = this.module._stiction_mesh(i) / 4;
      return this.module.HEAPF32.slice(at, at + this.module._stiction_mesh_size(i));
    });
  }

  #view(pointer, count) { return this.module.HEAPF64.subarray(pointer / 8, pointer / 8 + count); }
  #give(text) {
    const size = this.module.lengthBytesUTF8(text);
    const at = this.module._stiction_input(size);
    this.module.stringToUTF8(text, at, size + 1);  // the string of the other side ends with a zero too
  }
  #answer() { return this.module.UTF8ToString(this.module._stiction_answer()); }
  #taken(good) { return (this.description = this.#good(good, true)); }
  /** The answer, where there is one; throws what is wrong. */
  #good(good, answers = false) {
    if (!good) throw new SceneMistakes(JSON.parse(this.#answer()).mistakes);
    return answers ? JSON.parse(this.#answer()) : undefined;
  }
}
