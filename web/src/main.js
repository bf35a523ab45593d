// The page: what the user does goes to the engine's worker, what comes back goes to picture, plots and tables.
import { certificateFields } from './engine.js';
import { fillConstants, fillSettings } from './settings.js';
import { Plots } from './plots.js';
import { View } from './view.js';

const $ = (id) => document.getElementById(id);
const view = makeView(), plots = new Plots($('certificate'), $('ledger'));

const mostFrames = 12000, mostNumbers = 4e7;  // of the history: when there is more, every other frame goes
const longestScene = 64e6;                    // [bytes] of a file that is read as a text
const state = { description: null, names: [], at: {}, history: [], shown: -1, playing: false, sceneId: 0, recording: null, picked: -1 };
window.stiction = { state, view };  // for tests and the curious
function makeView() {
  try {
    return new View($('picture'));
  } catch (error) {
    showMistakes([{ message: 'this browser cannot draw in three dimensions (WebGL 2 is missing or switched off)' }]);
    throw error;
  }
}

// ---- the engine ---------------------------------------------------------------------------------------------

// A worker hears nothing while it steps. Who asks for another scene then gets it from a second worker, which takes the place of the first once it has the scene.
let engine = null, successor = null, module = null, started = false;
let command = 0;       // how many of those that start or stop something were sent: frames from before the last say nothing of what plays now
const patience = 600;  // [ms] of work after which the page says that it works
const worksFor = () => (state.works ? performance.now() - state.works.since : 0);  // [ms]

function tell(what, more = {}) {
  if (['play', 'pause', 'step', 'reset'].includes(what)) more.n = ++command;
  engine?.postMessage({ do: what, ...more });
}
function makeEngine() {
  const worker = new Worker('worker.js', { type: 'module' });
  worker.onmessage = ({ data }) => hear(worker, data);
  worker.onerror = (event) => takeStop(worker, event);
  return worker;
}
function startEngine(worker, warm) {
  worker.postMessage({ do: 'start', module, warm });
  worker.postMessage({ do: 'speed', value: Number($('speed').value) });
}
function hear(worker, data) {
  if (worker !== engine && worker !== successor) return;
  if (data.is === 'stopped') return takeStop(worker, data);
  if (data.is === 'mistakes') takeMistakes(data);
  if (worker === successor && data.is === 'mistakes') dropSuccessor();  // what was there goes on
  if (worker === successor && data.is === 'scene') engine.terminate(), engine = successor, successor = null;
  if (worker !== engine) return;
  state.works = data.is === 'works' ? { since: state.works?.since ?? performance.now(), loads: data.loads } : null;
  if (data.is === 'scene') takeScene(data);
  if (data.is === 'frame') takeFrame(data);
  if (data.is === 'settings') takeSettings(data);
  if (data.is === 'ready' && !started) started = true, start();
}
function takeMistakes({ mistakes, of, id }) {
  if (of === 'load' && id === state.opening?.id && !state.opening.isPlain) return askPlain(`the scene of this recording is not understood: ${mistakes[0].message}`);
  showMistakes(mistakes);
  if (of === 'play') setPlaying(false);
  if (of === 'load') {
    if (id === state.opening?.id) stopOpening();
    if (id === pending?.id) pending = null;
  }
  if (['load', 'set'].includes(of) && state.settings) showSettings();  // what holds, instead of what was refused
  if (of === 'set') sendWaiting();
}
/** A bug of ours, or no memory left. */
function takeStop(worker, { message, id }) {
  if (id && id === state.opening?.id) stopOpening();
  showMistakes([{ message: `the engine stopped: ${message}. ${state.description ? 'Reset (R) starts the scene again' : 'Reload the page'}.` }]);
  worker.terminate();
  if (id && id === pending?.id) pending = null;
  if (worker === successor) return void (successor = null);
  engine = sent = state.works = null, state.stopped = true;
  setPlaying(false);
  if (!started) return;
  engine = makeEngine();
  startEngine(engine, true);
  if (pending) engine.postMessage(pending);
}
function dropSuccessor() {
  successor?.terminate();
  successor = null;
}
function watchEngine() {
  const long = worksFor(), words = $('works');
  if (pending && long > patience && !state.works.loads && !successor) askSuccessor();
  const text = long > patience ? `computing: ${(long / 1000).toFixed(long < 9950 ? 1 : 0)} s`
    : held && !state.playing ? 'paused: press space, and the hand pulls' : '';
  words.hidden = !text;
  if (words.textContent !== text) words.textContent = text;
}

// ---- scenes -------------------------------------------------------------------------------------------------

const asked = new Map();  // scenes that an engine was asked to load: their texts, and what the gallery says of them
let lastAsked = 0, pending = null;  // the message that asked for the last one, until it is there

/** `changes`: of values, that hold from the start. Returns the scene's number. */
function ask({ text, watch = '', look = null, changes = {} }) {
  asked.set(++lastAsked, { text, watch, look, changes });
  pending = { do: 'load', text, id: lastAsked, changes, n: ++command };
  if (!engine || !started) return lastAsked;  // start() will
  if (worksFor() < patience && !successor) engine.postMessage(pending);
  else askSuccessor();
  return lastAsked;
}
function askSuccessor() {
  dropSuccessor();
  successor = makeEngine();
  startEngine(successor, true);
  successor.postMessage(pending);
}
/** What was chosen before and is not there yet does not come any more. */
function newWish() {
  stopOpening();
  return (state.wish = Symbol());
}
function load(text, { watch, view: look } = {}) {
  newWish();
  ask({ text, watch, look });
}
/** The text at an address; none, but a message, where there is none. */
async function textAt(address, otherwise) {
  const answer = await fetch(address).catch(() => null);
  if (answer?.ok) return answer.text();
  showMistakes([{ message: answer ? otherwise : `${otherwise}: the server does not answer` }]);
  return null;
}
async function loadFromGallery(name) {
  const entry = state.gallery.find((e) => e.scene === name), wish = newWish(), missing = `there is no scene "${name}" in the gallery`;
  if (!entry) return showMistakes([{ message: missing }]);
  const text = await textAt(`scenes/${name}.json`, missing);
  if (text === null || wish !== state.wish) return;
  history.replaceState(null, '', `${location.pathname}#${name}`);
  load(text, entry);
}

function takeScene({ scene, description, meshes }) {
  const { text, watch, look, changes } = asked.get(scene);
  for (const id of asked.keys()) if (id <= scene) asked.delete(id);
  if (scene === pending?.id) pending = null, dropSuccessor();
  state.sceneId = scene, state.stopped = false, sent = null, waiting = {};
  if (scene === state.opening?.id) return takeBodiesOfRecording(description, meshes);
  closeRecording();
  Object.assign(state, { description, text, watch, look, changes: { ...changes }, settings: description });
  startShowing(description, meshes, description.numbers);
  $('title').textContent = description.title;
  showSettings();
  showWarnings(description.warnings);
  $('settings-panel').hidden = false, $('repel').disabled = false;
  setPlaying(false);
}
function startShowing(description, meshes, names) {
  letGo();
  state.names = names, state.at = Object.fromEntries(names.map((n, i) => [n, i]));
  forgetHistory();
  state.frame = null, state.tables = false, state.picked = -1;
  view.last = null;
  view.setScene(description, meshes, state.recording ? null : state.look);
  plots.start(names);
  $('watch').textContent = state.recording ? '' : state.watch;
  hideMistakes();
  document.documentElement.dataset.ready = state.sceneId;
}

const hideMistakes = () => ($('mistakes').hidden = true);
function showMistakes(mistakes) {
  $('mistakes').hidden = false;
  $('mistakes').textContent = mistakes.map((m) => [m.line ? `line ${m.line}, column ${m.column}` : '', m.path, m.message].filter(Boolean).join(': ')).join('\n');
}
function showWarnings(warnings) {
  $('warnings').hidden = !warnings.length;
  $('warnings-list').replaceChildren(...warnings.map((warning) => element('li', warning)));
}
function element(name, text = '', type = '') {
  const made = document.createElement(name);
  made.textContent = text, made.className = type;
  return made;
}

// ---- settings -----------------------------------------------------------------------------------------------

let sent = null, waiting = {};  // changes that the engine has not answered, and those that wait for that
function change(changes) {
  Object.assign(waiting, changes);
  if (!sent) sendWaiting();
}
function sendWaiting() {
  sent = Object.keys(waiting).length ? waiting : null, waiting = {};
  if (sent) tell('set', { changes: sent });
}
/** The same scene from its start, with all that was changed. */
const startAnew = (changes = {}) => void ask({ ...state, changes: { ...state.changes, ...sent, ...waiting, ...changes } });
function takeSettings({ changes, ...settings }) {
  Object.assign(state.changes, changes);
  state.settings = { ...state.settings, ...settings };
  hideMistakes();
  showWarnings(settings.warnings);
  view.setGrains(settings.grains);
  if ('run.method' in changes) {  // another method has other settings
    showSettings();
    $('settings').querySelector('[data-key="run.method"]').focus();
  }
  sendWaiting();
}
function showSettings() {
  fillSettings($('settings'), state.settings, change);
  $('constants-panel').hidden = !fillConstants($('constants'), state.settings.constants, startAnew);
}

// ---- frames -------------------------------------------------------------------------------------------------

const numbersOf = ({ poses, contacts, numbers }) => poses.length + contacts.length + 2 * numbers.length;
function forgetHistory() { state.history = [], state.shown = -1, state.numbers = 0; }
function keep(frame) {
  const { history } = state;
  while (history.length && history.at(-1).numbers[0] >= frame.numbers[0]) state.numbers -= numbersOf(history.pop());
  history.push(frame);
  state.numbers += numbersOf(frame);
  if (history.length <= mostFrames && state.numbers <= mostNumbers) return;
  state.history = history.filter((_, i) => i % 2 === 0 || i === history.length - 1);
  state.shown = Math.floor(state.shown / 2);
  state.numbers = state.history.reduce((sum, f) => sum + numbersOf(f), 0);
}
function takeFrame(frame) {
  if (frame.scene !== state.sceneId || state.recording) return;
  const live = state.shown === state.history.length - 1;
  keep(frame);
  if (state.history.length === 1) view.forgetTrails();
  plots.add(frame.numbers);
  state.stepMs = frame.stepMs;
  if (frame.status === 'refused') showMistakes([{ message: 'a step was refused: the numbers left what can be computed. Reset the scene.' }]);
  if (frame.command === command && frame.playing !== state.playing) setPlaying(frame.playing);
  $('timeline').max = frame.numbers[0];
  if (live || state.shown >= state.history.length || state.playing) show(state.history.length - 1);
}
function show(index) {
  state.shown = index;
  const frame = state.history[index];
  if (frame) showFrame(frame, frame.numbers[0]);
}
function showFrame(frame, place) {
  state.before = state.frame, state.frame = frame;
  const time = `${frame.numbers[0].toFixed(frame.numbers[0] < 10 ? 3 : 2)} s`;
  $('timeline').value = place, $('timeline').ariaValueText = time;
  $('clock').textContent = time;
  view.setFrame(frame.poses, frame.contacts, frame.broken);
  state.tables = true;
}
/** The frame of the history that is nearest to a time. */
function frameAt(time) {
  const { history } = state;
  let low = 0, high = history.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history[middle].numbers[0] < time) low = middle + 1;
    else high = middle;
  }
  return low > 0 && time - history[low - 1].numbers[0] < history[low].numbers[0] - time ? low - 1 : low;
}

function row(name, text, color = '', bad = false) {
  const made = element('tr', '', bad ? 'missed' : ''), first = element('td', name);
  if (color) first.prepend(Object.assign(element('i'), { style: `background:${color}` }));
  made.append(first, element('td', text));
  return made;
}
function fillTables() {
  const value = (name) => state.frame.numbers[state.at[name]], limit = value('tolerance'), { missed } = state.frame;
  const number = (x) => (x === undefined ? '–' : x === 0 ? '0' : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5 ? x.toExponential(1) : x.toPrecision(4));
  const facts = certificateFields.map((f, i) => row(f.replace('_', ' '), number(value(f)), plots.certificateColor(i), limit > 0 && value(f) > limit));
  facts.push(row('limit', limit > 0 ? number(limit) : '–', '#d62728'), row('contacts', value('contacts') >= 0 ? value('contacts') : '–'));
  if (missed !== undefined && value('steps') > 0) facts.push(row('steps that missed it', `${missed} of ${value('steps')}`, '', missed > 0));
  if (state.stepMs && !state.recording) {
    const fast = 1000 * state.settings.settings.step / state.stepMs;
    facts.push(row('step takes', `${state.stepMs.toFixed(state.stepMs < 10 ? 2 : 0)} ms (${fast < 10 ? fast.toPrecision(2) : Math.round(fast)}× real time)`));
  }
  $('facts').replaceChildren(...facts);
  const books = plots.causes.map((c, i) => [c, value(`booked.${c}`), i]).filter(([, joules]) => joules !== 0)
    .map(([c, joules, i]) => row(c, `${number(joules)} J`, plots.causeColor(i)));
  books.push(row('kinetic energy', `${number(value('kinetic'))} J`), row('imbalance of the books', `${number(value('imbalance'))} J`));
  $('books').replaceChildren(...books);
  fillBody();
}
/** The body that was picked last: its name, place and, from the frame before, speed. */
function fillBody() {
  const { picked, frame, before } = state, body = view.description.bodies[picked];
  $('body-panel').hidden = !body;
  if (!body) return;
  const at = (f) => Array.from(f.poses.slice(7 * picked, 7 * picked + 3)), now = at(frame), time = before ? frame.numbers[0] - before.numbers[0] : 0;
  const rows = [row('name', body.name), row('position [m]', now.map((x) => x.toFixed(4)).join(', '))];
  if (time > 0 && time < 0.2) rows.push(row('speed, about', `${(Math.hypot(...at(before).map((x, c) => now[c] - x)) / time).toPrecision(3)} m/s`));
  if (body.mass > 0 && !state.recording) rows.push(row('mass', `${+body.mass.toPrecision(5)} kg`));
  $('body').replaceChildren(...rows);
}

// ---- recordings ---------------------------------------------------------------------------------------------

let reader = null;  // a thread that can read recordings, made when a file is likely to come: it takes a moment to start
const prepareReader = () => (reader ??= new Worker('recording.js', { type: 'module' }));

/** Until its first frame can be shown, what was there before goes on. */
function openRecording(source) {
  newWish();
  const opened = (state.opening = { worker: prepareReader(), index: 0 });
  reader = null;
  setPlaying(false);
  if (!state.recording) tell('pause');
  opened.worker.onerror = (event) => hearRecording(opened, { is: 'failed', message: event.message });
  opened.worker.onmessage = ({ data }) => hearRecording(opened, data);
  opened.worker.postMessage({ do: 'open', ...source });
}
function hearRecording(from, data) {
  if (from !== state.opening && from !== state.recording) return;
  if (data.is === 'failed') {
    showMistakes([{ message: data.message }]);
    if (from === state.opening) return stopOpening();
    setPlaying(false);
    from.waiting = false;
  }
  if (data.is === 'recording') {
    Object.assign(from, data, { notes: data.unknown.map((name) => `the shape of ${name} is not known here; a dot is drawn`) });
    if (data.scene) from.id = ask({ text: data.scene });
    else askPlain('this recording has no scene');
  }
  if (data.is === 'columns') {
    from.columns = data.columns;
    drawRecordedCurves();
  }
  if (data.is === 'frame') {
    from.waiting = false;
    const broken = state.description.joints.filter(({ name }) => data.broken.includes(name)).map(({ index }) => index);
    showFrame({ ...data, broken }, data.index);
  }
}
function stopOpening() {
  state.opening?.worker.terminate();
  state.opening = null;
}
function closeRecording() {
  state.recording?.worker.terminate();
  state.recording = null;
}
/** The bodies as they were recorded, without what the scene says of them. */
function askPlain(why) {
  state.opening.isPlain = true;
  state.opening.notes.push(`${why}: springs, rods and wires are not drawn`);
  state.opening.id = ask({ text: state.opening.plain });
}
function takeBodiesOfRecording(description, meshes) {
  const { times, frames, numberNames, names, kinds, isPlain, title, joints, notes } = state.opening;
  const same = names.length === description.bodies.length && description.bodies.every(({ name }, i) => name === names[i]);
  if (!same) return askPlain('bodies came or went while it was recorded');
  closeRecording();
  state.recording = state.opening, state.opening = null;
  if (isPlain) description.bodies.forEach((body, i) => (body.kind = kinds[i])), description.joints = joints;
  state.description = description;
  startShowing(description, meshes, numberNames);
  showWarnings(isPlain ? notes : []);
  $('title').textContent = `${title} · recording, ${frames} frames`;
  $('settings-panel').hidden = $('constants-panel').hidden = true, $('repel').disabled = true;
  $('timeline').max = frames - 1;
  state.recording.end = times[frames - 1];
  drawRecordedCurves();
  askFrame(0);
}
/** Once both are there, whichever comes last: the plots of this recording, and its columns. */
function drawRecordedCurves() {
  const columns = state.recording?.columns;
  if (!columns) return;
  for (let i = 0; i < columns[0].length; ++i) plots.add(columns.map((column) => column[i]));
  state.recording.curves = true;
}
function askFrame(index) {
  const r = state.recording;
  r.index = Math.max(0, Math.min(r.frames - 1, index));
  r.waiting = true;
  r.worker.postMessage({ do: 'frame', index: r.index });
}
function playRecording(now) {
  const r = state.recording;
  if (!state.playing || !r || r.waiting) return;
  r.clock = Math.min(r.end, r.clock + Number($('speed').value) * (now - r.before) / 1000), r.before = now;
  let index = r.index;
  while (index + 1 < r.frames && r.times[index + 1] <= r.clock) ++index;
  if (index !== r.index) askFrame(index);
  if (index === r.frames - 1) setPlaying(false);
}

// ---- what the user does -------------------------------------------------------------------------------------

function setPlaying(on) {
  state.playing = on;
  $('play').toggleAttribute('data-on', on);
  $('play').ariaPressed = String(on);
}
const actions = {
  play() {
    if (state.stopped) return actions.reset();
    hideMistakes();
    setPlaying(!state.playing);
    const r = state.recording;
    if (!r) return tell(state.playing ? 'play' : 'pause');
    if (r.index === r.frames - 1) r.index = 0;
    r.clock = r.times[r.index], r.before = performance.now();
  },
  step() {
    if (state.stopped) return actions.reset();
    hideMistakes();
    setPlaying(false);
    if (state.recording) return askFrame(state.recording.index + 1);
    state.shown = state.history.length - 1;
    tell('step');
  },
  reset() {
    hideMistakes();
    letGo();
    view.forgetTrails();
    if (state.recording) return setPlaying(false), askFrame(0);
    if (!state.description) return;
    if (state.stopped || worksFor() > patience) return startAnew();  // at once
    forgetHistory();
    tell('reset');
  },
  gallery() { $('gallery').showModal(); },
  open() { $('file').click(); },
  look() {
    const root = document.documentElement, dark = root.dataset.look !== 'dark';
    root.dataset.look = dark ? 'dark' : 'light';
    localStorage.setItem('look', root.dataset.look);
    view.setLook(root.dataset.look);
    plots.certificate?.redraw(), plots.ledger?.redraw();
  },
  savePicture() { $('picture').toBlob((picture) => save(picture, 'png')); },
  saveNumbers() {
    const { recording, names } = state, columns = recording?.columns;
    const rows = columns ? Array.from(columns[0], (_, i) => columns.map((c) => c[i])) : recording ? [] : state.history.map((f) => Array.from(f.numbers));
    save(new Blob([[names, ...rows].map((r) => r.join(',')).join('\n'), '\n'], { type: 'text/csv' }), 'csv');
  },
};
function save(blob, ending) {
  const name = $('title').textContent.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'stiction';
  const link = Object.assign(element('a'), { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
for (const [id, action] of [['play', 'play'], ['step', 'step'], ['reset', 'reset'], ['open-gallery', 'gallery'], ['open', 'open'], ['look', 'look'],
  ['save-picture', 'savePicture'], ['save-numbers', 'saveNumbers']])
  $(id).onclick = actions[action];
$('mistakes').onclick = hideMistakes;
$('close-gallery').onclick = () => $('gallery').close();
$('speed').onchange = () => tell('speed', { value: Number($('speed').value) });
$('timeline').oninput = () => {
  const place = Number($('timeline').value);
  view.forgetTrails();
  if (state.recording) return askFrame(Math.round(place));
  if (state.playing) actions.play();
  const index = frameAt(place);
  showTrailsUpTo(index);
  show(index);
};
const showTrailsUpTo = (index) => view.rememberTrails(state.history.slice(Math.max(0, index - view.trailLength), index).map((frame) => frame.poses));
for (const box of document.querySelectorAll('[data-show]'))
  box.onchange = () => {
    view.show[box.dataset.show] = box.checked;
    if (box.dataset.show === 'trails' && !state.recording) showTrailsUpTo(state.shown);
    if (state.frame) view.setFrame(state.frame.poses, state.frame.contacts, state.frame.broken);
  };

const keys = { ' ': 'play', '.': 'step', r: 'reset', g: 'gallery', o: 'open', l: 'look' }, boxes = { c: 'contacts', f: 'cones', j: 'joints', t: 'trails' };
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.type === 'number' || $('gallery').open) return;
  const key = event.key.toLowerCase();
  if (key === ' ' && event.target.matches('button, select, summary, [type=checkbox]')) return;  // their own
  if (keys[key] || boxes[key] || key === 'p') event.preventDefault();  // a list would look for the letter
  if (event.key === 'Escape') hideMistakes();
  if (event.repeat && (key !== '.' || state.works)) return;  // a key that is held steps again once the step before is there
  if (keys[key]) actions[keys[key]]();
  if (boxes[key]) document.querySelector(`[data-show=${boxes[key]}]`).click();
  if (key === 'p') $('repel').click();
});

async function openFiles(files) {
  const [file] = files, refuse = (message) => showMistakes([{ message }]);
  if (!file) return;
  if (files.length > 1) return refuse(`one file at a time: these are ${files.length}`);
  if (/\.(h5|hdf5)$/i.test(file.name)) return openRecording({ file });
  if (/\.journal$/i.test(file.name)) return refuse(`${file.name}: the page reads HDF5; stiction convert ${file.name} run.h5 makes it from a journal`);
  if (file.size > longestScene) return refuse(`${file.name} is no scene: ${Math.round(file.size / 1e6)} MB`);
  const wish = newWish(), text = await file.text().catch(() => null);
  if (text === null) refuse(`${file.name} cannot be read`);
  else if (wish === state.wish) load(text);
}
$('file').onchange = () => openFiles($('file').files).finally(() => ($('file').value = ''));  // so that the same file can be chosen again
$('open').onpointerenter = $('open').onfocus = $('file').onclick = prepareReader;
addEventListener('dragenter', prepareReader);
addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.add('over'); });
addEventListener('dragleave', (event) => { if (!event.relatedTarget) document.body.classList.remove('over'); });
addEventListener('drop', (event) => { event.preventDefault(); document.body.classList.remove('over'); openFiles(event.dataTransfer.files); });

// the mouse or a finger in the scene: pulls a body, else turns the camera
let held = null;
const canvas = $('picture');
canvas.addEventListener('pointerdown', (event) => {
  if (event.button !== 0 || held || !state.frame) return;
  const repels = $('repel').checked && !state.recording;
  if (repels && event.pointerType === 'touch') view.controls.enabled = false;  // one finger cannot do both
  if (repels) return;
  const hit = view.pick(event.clientX, event.clientY);
  state.picked = hit?.body ?? -1;
  fillBody();
  if (!hit || state.recording || state.description.bodies[hit.body].kind !== 'dynamic') return;
  held = { ...hit, pointer: event.pointerId };
  view.controls.enabled = false;
  canvas.setPointerCapture(event.pointerId);
  tell('grip', { body: hit.body, point: hit.local.toArray() });
}, true);
canvas.addEventListener('pointermove', (event) => {
  if (held?.pointer === event.pointerId) {
    held.target = view.onPlane(event.clientX, event.clientY, held.point);
    if (held.target) tell('gripTo', { target: held.target.toArray() });
  } else if (!held && $('repel').checked && state.frame && !state.recording) {
    const { origin, direction } = view.ray(event.clientX, event.clientY);
    tell('push', { origin: origin.toArray(), direction: direction.toArray(), radius: 0.35 * view.size, strength: 40 });
  }
});
function letGo() {
  view.controls.enabled = true;
  if (!held) return;
  held = null;
  tell('release');
  view.drawHand(null);
}
const liftFinger = (event) => { if (!held || held.pointer === event.pointerId) letGo(); };
canvas.addEventListener('pointerup', liftFinger);
canvas.addEventListener('pointercancel', liftFinger);
canvas.addEventListener('pointerleave', () => tell('stopPushing'));
$('repel').onchange = () => { if (!$('repel').checked) tell('stopPushing'); };

// ---- start --------------------------------------------------------------------------------------------------

async function start() {
  if (pending) return engine.postMessage(pending);
  if (state.opening) return;
  const wish = new URLSearchParams(location.search);
  if (wish.has('recording')) return openRecording({ url: new URL(wish.get('recording'), location.href).href });
  if (wish.has('scene')) {
    const text = await textAt(wish.get('scene'), `${wish.get('scene')} cannot be read`);
    return text === null ? undefined : load(text);
  }
  loadFromGallery(location.hash.slice(1) || 'first');
}
addEventListener('hashchange', () => { if (location.hash.length > 1) loadFromGallery(location.hash.slice(1)); });
function fillGallery() {
  $('cards').replaceChildren(...state.gallery.map(({ scene, title, watch }) => {
    const card = element('button', '', 'card'), picture = Object.assign(new Image(), { loading: 'lazy', src: `pictures/${scene}.webp`, alt: '' });
    card.dataset.scene = scene;
    card.append(picture, element('b', title), element('span', watch));
    card.onclick = () => { $('gallery').close(); loadFromGallery(scene); };
    return card;
  }));
}
function turn(now) {
  playRecording(now);
  watchEngine();
  if (held?.target && state.frame) view.drawHand(held);
  if (state.tables && state.frame && now - (state.tablesAt ?? 0) > 120) fillTables(), state.tables = false, state.tablesAt = now;
  plots.draw();
  view.draw();
  requestAnimationFrame(turn);
}
async function get(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer;
}

new ResizeObserver(() => { view.resize(); plots.resize(); }).observe($('stage'));
const dark = localStorage.getItem('look') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
document.documentElement.dataset.look = dark;
view.setLook(dark);
view.resize();
requestAnimationFrame(turn);
const first = makeEngine();  // its code is fetched meanwhile
try {
  [state.gallery, module] = await Promise.all([get('gallery.json').then((r) => r.json()), get('stiction.wasm').then(async (r) => WebAssembly.compile(await r.arrayBuffer()))]);
  fillGallery();
  engine = first;
  startEngine(engine);
} catch (error) {
  showMistakes([{ message: `the page cannot be started: ${error.message}` }]);
}
