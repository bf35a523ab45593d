// The engine's thread, as the page sees it. A thread hears nothing while it steps: who asks for another scene then gets it from a second one, which takes
// the place of the first once it has the scene.
export const patience = 600;  // [ms] of work after which nobody waits for a thread
const notFetched = 'worker.js cannot be fetched';

const makeWorker = () => new Worker('worker.js', { type: 'module' });

/** What the engine makes of a scene, { description, meshes }, in a thread that ends with that: what runs goes on. Rejects with the first mistake. */
export function describe(module, text) {
  const worker = makeWorker();
  return new Promise((done, fail) => {
    worker.onerror = (event) => fail(new Error(event.message || notFetched));
    worker.onmessage = ({ data }) => {
      if (data.is === 'scene') done(data);
      if (data.is === 'mistakes') fail(new Error(data.mistakes[0].message));
      if (data.is === 'stopped') fail(new Error(data.message));
    };
    worker.postMessage({ do: 'start', module, warm: true });
    worker.postMessage({ do: 'load', text, id: 0 });
  }).finally(() => worker.terminate());
}

export class EngineThread {
  #hear; #module = null; #main; #second = null; #begun = false;  // threads: { worker, isReady }
  #speed = 1; #shown = 0;                 // the number of the scene whose frames are heard
  #asked = new Map(); #last = 0;          // requests by number, until their scenes are there
  #command = 0;                           // how many of those that start or stop something were sent
  #sent = null; #waiting = {};            // changes that are not answered yet, and those that wait for that
  pending = null;                         // the last request, until it is there
  works = null;                           // { since [ms], loads } while it hears nothing
  isStopped = false;                      // after a bug of ours, until there is a scene again

  /** `hear`: { ready(), scene(request, { description, meshes }), settings(answer), frame(frame, isNews), mistakes(list, of), stopped(words, goesOn) }. */
  constructor(hear) {
    this.#hear = hear;
    this.#main = this.#make();  // its code is fetched while the module is compiled
  }
  start(module) {
    this.#module = module;
    if (this.#main) this.#begin(this.#main, false);
  }
  get workedFor() { return this.works ? performance.now() - this.works.since : 0; }  // [ms]

  /** `request`: { text, changes, ... }; `changes` of values hold from the start. Of many that are asked for, the last one stays. */
  load(request) {
    this.pending = { changes: {}, ...request, id: ++this.#last, n: ++this.#command };
    this.#asked.set(this.pending.id, this.pending);
    if (!this.#main?.isReady) return;  // it gets it once it is
    if (this.workedFor < patience && !this.#second) this.#give(this.#main);
    else this.#askSecond();
  }
  /** What was asked for does not come any more. */
  cancel() {
    this.#asked.clear();
    this.pending = null;
    this.#dropSecond();
  }
  change(changes) {
    Object.assign(this.#waiting, changes);
    if (!this.#sent) this.#sendWaiting();
  }
  get unanswered() { return { ...this.#sent, ...this.#waiting }; }
  speed(value) {
    this.#speed = value;
    for (const thread of [this.#main, this.#second]) thread?.worker.postMessage({ do: 'speed', value });
  }
  play() { this.tell('play', { n: ++this.#command }); }
  pause() { this.tell('pause', { n: ++this.#command }); }
  step() { this.tell('step', { n: ++this.#command }); }
  reset() { this.tell('reset', { n: ++this.#command }); }
  tell(what, more = {}) { this.#main?.worker.postMessage({ do: what, ...more }); }
  /** From time to time: whether what was asked for waits for a step. */
  watch() {
    if (this.pending && this.workedFor > patience && !this.works.loads && !this.#second) this.#askSecond();
  }

  #make() {
    const thread = { worker: makeWorker(), isReady: false };
    thread.worker.onmessage = ({ data }) => this.#hearFrom(thread, data);
    thread.worker.onerror = (event) => this.#takeStop(thread, { message: event.message || notFetched });
    return thread;
  }
  #begin(thread, warm) {
    thread.worker.postMessage({ do: 'start', module: this.#module, warm });
    thread.worker.postMessage({ do: 'speed', value: this.#speed });
  }
  #give(thread) {
    const { text, id, changes, n } = this.pending;
    thread.worker.postMessage({ do: 'load', text, id, changes, n });
  }
  #askSecond() {
    this.#dropSecond();
    this.#second = this.#make();
    this.#begin(this.#second, true);
    this.#give(this.#second);
  }
  #dropSecond() {
    this.#second?.worker.terminate();
    this.#second = null;
  }
  #forget(id) {
    this.#asked.delete(id);
    if (id === this.pending?.id) this.pending = null;
  }
  #sendWaiting() {
    this.#sent = Object.keys(this.#waiting).length ? this.#waiting : null, this.#waiting = {};
    if (this.#sent) this.tell('set', { changes: this.#sent });
  }

  #hearFrom(thread, data) {
    if (thread !== this.#main && thread !== this.#second) return;
    if (data.is === 'stopped') return this.#takeStop(thread, data);
    if (data.is === 'ready') thread.isReady = true;
    if (thread === this.#second) {
      if (data.is === 'mistakes') return this.#dropSecond(), this.#takeMistakes(data);  // what was there goes on
      if (data.is !== 'scene') return;
      this.#main.worker.terminate();
      this.#main = thread, this.#second = null;
    }
    this.works = data.is === 'works' ? { since: this.works?.since ?? performance.now(), loads: data.loads } : null;
    if (data.is === 'ready') this.#takeReady();
    if (data.is === 'scene') this.#takeScene(data);
    if (data.is === 'frame' && data.scene === this.#shown) this.#hear.frame(data, data.command === this.#command);
    if (data.is === 'settings') this.#hear.settings(data), this.#sendWaiting();
    if (data.is === 'mistakes') this.#takeMistakes(data);
  }
  #takeReady() {
    const isFirst = !this.#begun;
    this.#begun = true;
    if (this.pending) this.#give(this.#main);
    else if (isFirst) this.#hear.ready();
  }
  #takeScene(data) {
    const request = this.#asked.get(data.scene);
    if (!request) return;
    for (const id of this.#asked.keys()) if (id <= data.scene) this.#asked.delete(id);
    if (request === this.pending) this.pending = null, this.#dropSecond();
    this.#shown = data.scene, this.#sent = null, this.#waiting = {}, this.isStopped = false;
    this.#hear.scene(request, data);
  }
  #takeMistakes({ mistakes, of, id }) {
    if (of === 'load') this.#forget(id);
    this.#hear.mistakes(mistakes, of);
    if (of === 'set') this.#sendWaiting();
  }
  /** A bug of ours, no memory left, or a thread that cannot be started: such a one is not tried again. */
  #takeStop(thread, { message, id }) {
    if (thread !== this.#main && thread !== this.#second) return;
    thread.worker.terminate();
    this.#forget(thread === this.#second ? this.pending?.id : id);
    if (thread === this.#second) {
      this.#second = null;
      return this.#hear.stopped(`the scene cannot be loaded: ${message}`, true);
    }
    this.#main = this.works = this.#sent = null, this.#waiting = {}, this.isStopped = true;
    if (thread.isReady) this.#main = this.#make(), this.#begin(this.#main, true);
    this.#hear.stopped(thread.isReady && this.#shown ? `the engine stopped: ${message}. Reset (R) starts the scene again.`
      : `the engine cannot be started: ${message}. Reload the page.`, false);
  }
}
