// The page: what the user does goes to the engine's worker, what comes back goes to picture, plots and tables.
import { fillSettings } from './settings.js';
import { Plots, certificateFields } from './plots.js';
import { View } from './view.js';

const $ = (id) => document.getElementById(id);
const view = new View($('picture')), plots = new Plots($('certificate'), $('ledger'));
const engine = new Worker('worker.js', { type: 'module' });
const tell = (what, more = {}) => engine.postMessage({ do: what, ...more });

const mostFrames = 12000, mostNumbers = 4e7;  // of the history: when there is more, every other frame goes
const state = { description: null, names: [], at: {}, history: [], shown: -1, playing: false, sceneId: 0, recording: null, watch: '' };
window.stiction = { state, view };  // for tests and the curious

// ---- scenes -------------------------------------------------------------------------------------------------

function load(text, { watch = '', view: look = null } = {}) {
  closeRecording();
  state.watch = watch, state.look = look;
  tell('load', { text, id: ++state.sceneId });
}
async function loadFromGallery(name) {
  const entry = state.gallery.find((e) => e.scene === name);
  const answer = await fetch(`scenes/${name}.json`);
  if (!answer.ok) return showMistakes([{ message: `there is no scene "${name}" in the gallery` }]);
  history.replaceState(null, '', `#${name}`);
  load(await answer.text(), entry);
}

function takeScene({ description, meshes }) {
  if (state.recording) return takeRecordedBodies(description, meshes);
  state.description = description;
  startShowing(description, meshes, description.numbers);
  $('title').textContent = description.title;
  showSettings(description);
  $('settings-panel').hidden = false, $('repel').disabled = false;
  setPlaying(false);
}
function takeSettings(data) {
  $('mistakes').hidden = !data.warnings.length;
  if (data.warnings.length) showMistakes(data.warnings.map((message) => ({ message })));
  view.setGrains(data.grains);
  if (!data.keys.includes('run.method')) return;
  showSettings(data);  // another method has other settings
  $('settings').querySelector('[data-key="run.method"]').focus();
}
const showSettings = (description) => fillSettings($('settings'), description, (changes) => tell('set', { changes }));
function startShowing(description, meshes, names) {
  letGo();
  state.names = names, state.at = Object.fromEntries(names.map((n, i) => [n, i]));
  state.history = [], state.shown = -1, state.frame = null, state.tables = false;
  view.last = null;
  view.setScene(description, meshes, state.recording ? null : state.look);
  plots.start(names);
  $('watch').textContent = state.watch;
  $('mistakes').hidden = true;
  document.documentElement.dataset.ready = state.sceneId;
}

function showMistakes(mistakes) {
  $('mistakes').hidden = false;
  $('mistakes').textContent = mistakes.map((m) => [m.line ? `line ${m.line}, column ${m.column}` : '', m.path, m.message].filter(Boolean).join(': ')).join('\n');
}

// ---- frames -------------------------------------------------------------------------------------------------

function takeFrame(frame) {
  if (frame.scene !== state.sceneId || state.recording) return;
  const live = state.shown === state.history.length - 1, time = frame.numbers[0];
  while (state.history.length && state.history.at(-1).numbers[0] >= time) state.history.pop();
  if (state.history.length === 0) view.forgetTrails();
  state.history.push(frame);
  if (state.history.length > mostFrames || state.history.length * frame.poses.length > mostNumbers)
    state.history = state.history.filter((_, i) => i % 2 === 0 || i === state.history.length - 1);
  plots.add(frame.numbers);
  state.stepMs = frame.stepMs;
  if (frame.status === 'refused') showMistakes([{ message: 'a step was refused: the numbers left what can be computed. Reset the scene.' }]);
  if (frame.playing !== state.playing && !frame.playing) setPlaying(false);
  $('timeline').max = state.history.length - 1;
  if (live || state.shown >= state.history.length || state.playing) show(state.history.length - 1);
}
function show(index) {
  state.shown = index;
  const frame = state.history[index];
  if (frame) showFrame(frame, index);
}
function showFrame(frame, index) {
  state.frame = frame;
  $('timeline').value = index;
  $('clock').textContent = `${frame.numbers[0].toFixed(2)} s`;
  view.setFrame(frame.poses, frame.contacts, frame.broken);
  state.tables = true;
}

function fillTables() {
  const value = (name) => state.frame.numbers[state.at[name]];
  const row = (name, text, color = '', bad = false) =>
    `<tr${bad ? ' class="missed"' : ''}><td>${color ? `<i style="background:${color}"></i>` : ''}${name}</td><td>${text}</td></tr>`;
  const limit = value('tolerance'), number = (x) => (x === 0 ? '0' : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5 ? x.toExponential(1) : x.toPrecision(4));
  const facts = certificateFields.map((f, i) => row(f.replace('_', ' '), number(value(f) ?? 0), plots.certificateColor(i), limit > 0 && value(f) > limit));
  facts.push(row('limit', limit > 0 ? number(limit) : '–', '#d62728'), row('contacts', value('contacts') < 0 ? '–' : value('contacts')));
  if (state.stepMs && !state.recording) facts.push(row('step takes', `${state.stepMs.toFixed(state.stepMs < 10 ? 2 : 0)} ms`));
  $('facts').innerHTML = facts.join('');
  const books = plots.causes.map((c, i) => [c, value(`booked.${c}`), i]).filter(([, joules]) => joules !== 0)
    .map(([c, joules, i]) => row(c, `${number(joules)} J`, plots.causeColor(i)));
  books.push(row('kinetic energy', `${number(value('kinetic'))} J`), row('imbalance of the books', `${number(value('imbalance'))} J`));
  $('books').innerHTML = books.join('');
}

// ---- recordings ---------------------------------------------------------------------------------------------

let reader = null;  // a thread that can read recordings, made when a file is likely to come: it takes a moment to start
const prepareReader = () => (reader ??= new Worker('recording.js', { type: 'module' }));

function openRecording(source) {
  closeRecording();
  const worker = prepareReader();
  reader = null;
  state.recording = { worker, index: 0, playing: false };
  setPlaying(false);
  tell('pause');
  worker.onerror = (event) => showMistakes([{ message: event.message }]);
  worker.onmessage = ({ data }) => {
    if (data.is === 'failed') {
      showMistakes([{ message: data.message }]);
      setPlaying(false);
      if (!state.recording.times) return closeRecording();  // what was there before goes on
      state.recording.waiting = false;
    }
    if (data.is === 'recording') {
      Object.assign(state.recording, data);
      tell('load', { text: data.scene, id: ++state.sceneId });
    }
    if (data.is === 'columns') {
      state.recording.columns = data.columns;
      drawRecordedCurves();
    }
    if (data.is === 'frame') {
      state.recording.waiting = false;
      showFrame(data, data.index);
    }
  };
  worker.postMessage({ do: 'open', ...source });
}
function takeRecordedBodies(description, meshes) {
  const { times, frames, numberNames, kinds, title, joints } = state.recording;
  description.bodies.forEach((body, i) => (body.kind = ['dynamic', 'static', 'kinematic'][kinds[i]]));
  description.joints = joints;
  state.watch = '';
  startShowing(description, meshes, numberNames);
  $('title').textContent = `${title} · recording, ${frames} frames`;
  $('settings-panel').hidden = true, $('repel').disabled = true;
  $('timeline').max = frames - 1;
  state.recording.end = times[frames - 1];
  state.recording.shown = true;
  drawRecordedCurves();
  askFrame(0);
}
/** Once both are there, whichever comes last: the plots of this recording, and its columns. */
function drawRecordedCurves() {
  const { columns, shown } = state.recording;
  if (!columns || !shown) return;
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
  if (!state.playing || !r?.times || r.waiting) return;
  r.clock = Math.min(r.end, r.clock + Number($('speed').value) * (now - r.before) / 1000), r.before = now;
  let index = r.index;
  while (index + 1 < r.frames && r.times[index + 1] <= r.clock) ++index;
  if (index !== r.index) askFrame(index);
  if (index === r.frames - 1) setPlaying(false);
}
function closeRecording() {
  state.recording?.worker.terminate();
  state.recording = null;
}

// ---- what the user does -------------------------------------------------------------------------------------

function setPlaying(on) {
  state.playing = on;
  $('play').toggleAttribute('data-on', on);
}
const actions = {
  play() {
    setPlaying(!state.playing);
    const r = state.recording;
    if (!r) return tell(state.playing ? 'play' : 'pause');
    if (r.index === r.frames - 1) r.index = 0;
    r.clock = r.times[r.index], r.before = performance.now();
  },
  step() {
    setPlaying(false);
    if (state.recording) return askFrame(state.recording.index + 1);
    state.shown = state.history.length - 1;
    tell('step');
  },
  reset() {
    letGo();
    view.forgetTrails();
    if (state.recording) return setPlaying(false), askFrame(0);
    state.history = [], state.shown = -1;
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
};
for (const [id, action] of [['play', 'play'], ['step', 'step'], ['reset', 'reset'], ['open-gallery', 'gallery'], ['open', 'open'], ['look', 'look']])
  $(id).onclick = actions[action];
$('close-gallery').onclick = () => $('gallery').close();
$('speed').onchange = () => tell('speed', { value: Number($('speed').value) });
$('timeline').oninput = () => {
  const index = Number($('timeline').value);
  view.forgetTrails();
  if (state.recording) return askFrame(index);
  if (state.playing) actions.play();
  view.rememberTrails(state.history.slice(0, index).map((frame) => frame.poses));
  show(index);
};
for (const box of document.querySelectorAll('[data-show]'))
  box.onchange = () => { view.show[box.dataset.show] = box.checked; view.forgetTrails(); if (state.frame) view.setFrame(state.frame.poses, state.frame.contacts); };

const keys = { ' ': 'play', '.': 'step', r: 'reset', g: 'gallery', o: 'open', l: 'look' }, boxes = { c: 'contacts', f: 'cones', j: 'joints', t: 'trails' };
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.type === 'number' || $('gallery').open) return;
  const key = event.key.toLowerCase();
  if (key === ' ' && event.target.matches('button, select, summary, [type=checkbox]')) return;  // their own
  if (keys[key] || boxes[key] || key === 'p') event.preventDefault();  // a list would look for the letter
  if (keys[key]) actions[keys[key]]();
  if (boxes[key]) document.querySelector(`[data-show=${boxes[key]}]`).click();
  if (key === 'p') $('repel').click();
});

function openFile(file) {
  if (!file) return;
  if (/\.(h5|hdf5)$/i.test(file.name)) openRecording({ file });
  else file.text().then((text) => load(text));
}
$('file').onchange = () => openFile($('file').files[0]);
$('open').onpointerenter = $('open').onfocus = $('file').onclick = prepareReader;
addEventListener('dragenter', prepareReader);
addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.add('over'); });
addEventListener('dragleave', (event) => { if (!event.relatedTarget) document.body.classList.remove('over'); });
addEventListener('drop', (event) => { event.preventDefault(); document.body.classList.remove('over'); openFile(event.dataTransfer.files[0]); });

// the mouse in the scene: pulls a body, else turns the camera
let held = null;
const canvas = $('picture');
canvas.addEventListener('pointerdown', (event) => {
  if (event.button !== 0 || state.recording || !state.frame || $('repel').checked) return;
  const hit = view.pick(event.clientX, event.clientY);
  if (!hit || state.description.bodies[hit.body].kind !== 'dynamic') return;
  held = hit;
  view.controls.enabled = false;
  canvas.setPointerCapture(event.pointerId);
  tell('grip', { body: hit.body, point: hit.local.toArray() });
}, true);
canvas.addEventListener('pointermove', (event) => {
  if (held) {
    held.target = view.onPlane(event.clientX, event.clientY, held.point);
    if (held.target) tell('gripTo', { target: held.target.toArray() });
  } else if ($('repel').checked && state.frame && !state.recording) {
    const { origin, direction } = view.ray(event.clientX, event.clientY);
    tell('push', { origin: origin.toArray(), direction: direction.toArray(), radius: 0.35 * view.size, strength: 40 });
  }
});
function letGo() {
  if (!held) return;
  held = null;
  tell('release');
  view.controls.enabled = true;
  view.drawHand(null);
}
canvas.addEventListener('pointerup', letGo);
canvas.addEventListener('pointercancel', letGo);
canvas.addEventListener('pointerleave', () => tell('stopPushing'));
$('repel').onchange = () => { if (!$('repel').checked) tell('stopPushing'); };

// ---- start --------------------------------------------------------------------------------------------------

engine.onmessage = ({ data }) => {
  if (data.is === 'scene') takeScene(data);
  if (data.is === 'frame') takeFrame(data);
  if (data.is === 'mistakes') {
    showMistakes(data.mistakes);
    if (data.of === 'play') setPlaying(false);
  }
  if (data.is === 'settings') takeSettings(data);
  if (data.is === 'ready') start();
};
engine.onerror = (event) => showMistakes([{ message: `the engine stopped: ${event.message}` }]);

async function start() {
  const wish = new URLSearchParams(location.search);
  if (wish.has('recording')) return openRecording({ url: new URL(wish.get('recording'), location.href).href });
  if (wish.has('scene')) {
    const answer = await fetch(wish.get('scene'));
    return answer.ok ? load(await answer.text()) : showMistakes([{ message: `${wish.get('scene')} cannot be read` }]);
  }
  loadFromGallery(location.hash.slice(1) || 'first');
}
function fillGallery() {
  $('cards').replaceChildren(...state.gallery.map(({ scene, title, watch }) => {
    const card = document.createElement('button');
    card.className = 'card';
    card.dataset.scene = scene;
    card.innerHTML = `<img src="pictures/${scene}.webp" alt="" loading="lazy"><b></b><span></span>`;
    card.querySelector('b').textContent = title, card.querySelector('span').textContent = watch;
    card.onclick = () => { $('gallery').close(); loadFromGallery(scene); };
    return card;
  }));
}
function turn(now) {
  playRecording(now);
  if (held?.target && state.frame) view.drawHand(held);
  if (state.tables && state.frame && now - (state.tablesAt ?? 0) > 120) fillTables(), state.tables = false, state.tablesAt = now;
  plots.draw();
  view.draw();
  requestAnimationFrame(turn);
}
new ResizeObserver(() => { view.resize(); plots.resize(); }).observe($('stage'));
const dark = localStorage.getItem('look') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
document.documentElement.dataset.look = dark;
view.setLook(dark);
view.resize();
requestAnimationFrame(turn);
const [gallery, binary] = await Promise.all([fetch('gallery.json').then((r) => r.json()), fetch('stiction.wasm').then((r) => r.arrayBuffer())]);
state.gallery = gallery;
fillGallery();
engine.postMessage({ do: 'start', binary }, [binary]);
