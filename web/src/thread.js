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
  #hear; #module = null; #main; #second = null; #begun = false;  // threads: { worker, isReady, since [ms] }; the second one has the request that is pending
  #speed = 1; #shown = 0;                 // the number of the scene whose frames are heard
  #asked = new Map(); #last = 0;          // requests by number, until their scenes are there
  #command = 0;                           // how many of those that start or stop something were sent
  #back = null;                           // a reset without an answer: { n, otherwise }
  #sent = null; #waiting = {};            // changes without an answer, and those that wait for it
  #single = [];                           // of several that were refused together: [key, value], to be asked for one by one
  pending = null;                         // the last request, until it is there
  works = null;                           // { since [ms], loads: the request's number or 0 } while it hears nothing
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
  #startAnew() {
    this.#main = this.#make();
    this.#begin(this.#main, true);
  }
  get workedFor() { return this.works ? performance.now() - this.works.since : 0; }  // [ms]
  /** [ms] the same, also of a scene that the second one loads. */
  get busyFor() { return Math.max(this.workedFor, this.#second ? performance.now() - this.#second.since : 0); }

  /** `request`: { text, changes, without, ... }; `changes` of values hold from the start. `without`: those of them that have an answer, where others have none; if the
   *  scene is refused it is loaded with these alone, and with those that were found good meanwhile; the others are asked for again once it is there. Of many that are
   *  asked for, the last one stays. */
  load(request) {
    this.pending = { changes: {}, good: {}, ...request, id: ++this.#last, n: ++this.#command, isGiven: false, isAlone: false };
    this.#asked.set(this.pending.id, this.pending);
    if (!this.#main && this.#module) this.#startAnew();   // the one before could not be started: perhaps this one can
    if (!this.#main?.isReady) return this.#dropSecond();  // it gets it once it is
    if (this.workedFor < patience && !this.#second) this.#give(this.#main);
    else this.#askSecond();
  }
  /** What was asked for does not come any more. */
  cancel() {
    this.#asked.clear();
    this.pending = null;
    this.#dropSecond();
    this.#sendWaiting();
  }
  /** Where the engine has stopped they wait for the scene that starts again, with what is not answered. */
  change(changes) {
    Object.assign(this.#waiting, changes);
    this.#sendWaiting();
  }
  /** The same where the scene that is shown is pending, from its start: it comes with them, or without if they are refused. */
  changePending(changes) {
    const { pending } = this;
    Object.assign(this.#waiting, changes);
    this.load({ ...pending, changes: { ...pending.changes, ...changes }, without: pending.without ?? pending.changes });
  }
  get unanswered() { return { ...this.#sent, ...Object.fromEntries(this.#single), ...this.#waiting }; }
  speed(value) {
    this.#speed = value;
    for (const thread of [this.#main, this.#second]) thread?.worker.postMessage({ do: 'speed', value });
  }
  play() { this.tell('play', { n: ++this.#command }); }
  pause() { this.tell('pause', { n: ++this.#command }); }
  step() { this.tell('step', { n: ++this.#command }); }
  /** `otherwise`: is called where a step takes too long to be waited for. */
  reset(otherwise) {
    this.#back = { n: ++this.#command, otherwise };
    this.tell('reset', { n: this.#command });
  }
  /** To the scene that is shown: one that is there by the time this is heard does not take it for its own. */
  tell(what, more = {}) { this.#main?.worker.postMessage({ do: what, scene: this.#shown, ...more }); }
  /** From time to time: whether what was asked for waits for a step, or for a scene that nobody wants any more. */
  watch() {
    if (this.workedFor <= patience) return;
    const { pending } = this, back = this.#back;
    this.#back = null;
    if (back && !pending) back.otherwise();
    else if (pending && !pending.isAlone && this.works.loads !== pending.id && !this.#second) this.#askSecond();
  }

  #make() {
    const thread = { worker: makeWorker(), isReady: false, since: performance.now() };
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
    if (thread === this.#main) this.pending.isGiven = true;
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
    if (id === this.pending?.id) this.pending = null, this.#dropSecond();
  }
  /** Whether what has no answer is asked for with a scene that is pending, and not of the one that is shown. */
  get #goesAlong() { return !!(this.pending?.without || this.pending?.asksAgain); }
  #sendWaiting() {
    if (this.#sent || this.isStopped || this.#goesAlong) return;
    const one = this.#single.shift(), changes = one ? Object.fromEntries([one]) : this.#waiting;
    if (!one) this.#waiting = {};
    if (!Object.keys(changes).length) return;
    this.#sent = changes;
    this.tell('set', { changes });
  }

  #hearFrom(thread, data) {
    if (thread !== this.#main && thread !== this.#second) return;
    if (data.is === 'stopped') return this.#takeStop(thread, data);
    if (data.is === 'ready') thread.isReady = true;
    if (thread === this.#second) {
      if (data.is === 'mistakes') return this.#dropSecond(), this.#takeMistakes(data);  // what was there goes on
      if (data.is !== 'scene') return;
      this.#main?.worker.terminate();
      this.#main = thread, this.#second = null;
    }
    this.works = data.is === 'works' ? { since: this.works?.since ?? performance.now(), loads: data.loads } : null;
    if (data.is === 'ready') this.#takeReady();
    if (data.is === 'scene') this.#takeScene(data);
    if (data.is === 'mistakes') this.#takeMistakes(data);
    if (data.scene !== this.#shown) return;  // of a scene that is not shown any more
    if (data.is === 'frame') this.#takeFrame(data);
    if (data.is === 'settings') this.#takeSettings(data);
  }
  #takeReady() {
    const isFirst = !this.#begun;
    this.#begun = true;
    if (this.pending && !this.#second) this.#give(this.#main);
    else if (isFirst) this.#hear.ready();
  }
  #takeScene(data) {
    const request = this.#asked.get(data.scene);
    if (!request) return;
    for (const id of this.#asked.keys()) if (id <= data.scene) this.#asked.delete(id);
    if (request === this.pending) this.pending = null, this.#dropSecond();
    this.#waiting = request.asksAgain || this.#goesAlong ? { ...request.good, ...this.unanswered } : {};
    this.#shown = data.scene, this.#back = this.#sent = null, this.#single = [], this.isStopped = false;
    this.#hear.scene(request, data);
    this.#sendWaiting();
  }
  #takeFrame(frame) {
    if (frame.command >= this.#back?.n) this.#back = null;
    this.#hear.frame(frame, frame.command === this.#command);
  }
  #takeSettings(answer) {
    this.#sent = null;
    Object.assign(this.pending?.good ?? {}, answer.changes);
    this.#hear.settings(answer);
    this.#sendWaiting();
  }
  #takeMistakes({ mistakes, of, id, scene }) {
    if (of === 'load' ? !this.#asked.has(id) : scene !== this.#shown) return;
    if (of === 'load' && this.pending?.id === id && this.pending.without) return this.load({ ...this.pending, changes: { ...this.pending.without, ...this.pending.good }, without: null, asksAgain: true });
    if (of === 'load') this.#forget(id);
    const refused = of === 'set' ? Object.entries(this.#sent ?? {}) : [];
    if (of === 'set') this.#sent = null;
    if (refused.length && this.#goesAlong) this.#waiting = { ...Object.fromEntries(refused), ...this.#waiting };  // told about once the scene is there, which would hide it
    else if (refused.length > 1) this.#single.push(...refused);  // one by one, so that what is good of them holds
    else this.#hear.mistakes(mistakes, of);
    this.#sendWaiting();
  }
  /** A bug of ours, no memory left, or a thread that cannot be started: such a one is not tried again. */
  #takeStop(thread, { message, id }) {
    if (thread !== this.#main && thread !== this.#second) return;
    thread.worker.terminate();
    if (thread === this.#second) return this.#takeStopOfSecond(message);
    if (!this.#second) this.#forget(thread.isReady ? id : this.pending?.id);
    else this.pending.isGiven = false;  // it comes from the second one alone
    this.#waiting = this.unanswered, this.#main = this.works = this.#back = this.#sent = null, this.#single = [], this.isStopped = true;
    if (thread.isReady) this.#startAnew();
    const remedy = this.pending ? '' : this.#shown ? ' Reset (R) starts the scene again.' : ' Choose a scene to try again.';  // nothing has to be done for what is on its way
    this.#hear.stopped(`the engine ${thread.isReady ? 'stopped' : 'cannot be started'}: ${message}.${remedy}`, false);
  }
  #takeStopOfSecond(message) {
    const { pending } = this;
    this.#second = null;
    if (!pending) return;
    if (pending.isGiven) return void (pending.isAlone = true);  // the first one has it too, and comes to it
    this.#forget(pending.id);
    this.#hear.stopped(`the scene cannot be loaded: ${message}`, true);
    this.#sendWaiting();
  }
}
