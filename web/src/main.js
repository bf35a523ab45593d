// The page: what the user does goes to the engine's thread or to the player of a recording; what comes back goes to picture, plots and tables.
import { Hand } from './hand.js';
import { History } from './history.js';
import { $, element, fillBody, fillGallery, fillTables, hideMistakes, refuse, showMistakes, showWarnings, showWork } from './panels.js';
import { Player, prepareReader } from './player.js';
import { Plots } from './plots.js';
import { fillConstants, fillSettings } from './settings.js';
import { EngineThread, patience } from './thread.js';
import { View } from './view.js';

const longestScene = 64e6;  // [bytes] of a file that is read as a text
const signature = '\ufffdHDF\r\n\x1a\n';  // what HDF5 begins with, as a text: the first byte is no letter
const state = {
  scene: null,              // what was asked for: { text, changes, watch, look, ... }; the engine has it, also while a recording is shown
  settings: null,           // as the engine describes them
  sceneId: 0,               // one more with every scene and recording that is shown; the same scene from its start is none
  description: null, names: [], at: {},  // of what is shown: bodies, joints and the rest; the numbers of a frame, and where they are
  frame: null, earlier: null,            // what is shown, and the last one with another time
  recording: null, opening: null,        // players: of what is shown, and of what will be once its first frame can be
  playing: false, picked: -1, gallery: [], wish: null,
  refused: false,           // a value was, and the fields do not show yet what holds
  saves: null,              // the recording whose numbers are saved once they are there
  stepMs: 0, tables: false, tablesAt: 0, // [ms] a step takes; whether the tables are of another frame, and when they were filled
};
const view = makeView(), plots = new Plots($('certificate'), $('ledger')), history = new History();
const engine = new EngineThread({ ready: start, scene: takeScene, settings: takeSettings, frame: takeFrame, mistakes: takeMistakes, stopped: takeStop });
const hand = new Hand(view, engine, { isLive: () => !!state.frame && !state.recording, isNow: () => state.frame === history.last, repels: () => $('repel').checked, pick(body) { state.picked = body, describeBody(); } });
const module = fetchModule();
window.stiction = { state, view, engine };  // for tests and the curious

function makeView() {
  try {
    return new View($('picture'));
  } catch (error) {
    refuse('this browser cannot draw in three dimensions (WebGL 2 is missing or switched off)');
    throw error;
  }
}

// ---- scenes -------------------------------------------------------------------------------------------------

/** What was chosen before and is not there yet does not come any more. */
function newWish() {
  stopOpening();
  return (state.wish = Symbol());
}
function load(text, { watch = '', view: look = null, changes = {} } = {}) {
  newWish();
  engine.load({ text, watch, look, changes: { ...changes } });
}
/** The text at an address, to be loaded if nothing else was chosen meanwhile; a message where there is none. */
async function loadFrom(address, otherwise, entry) {
  const wish = newWish(), answer = await fetch(address).catch(() => null), text = answer?.ok ? await answer.text() : null;
  if (wish !== state.wish) return false;
  if (text === null) return refuse(answer ? otherwise : `${otherwise}: the server does not answer`), false;
  load(text, entry);
  return true;
}
async function loadFromGallery(name) {
  const entry = state.gallery.find(({ scene }) => scene === name), missing = `there is no scene "${name}" in the gallery`;
  if (!entry) return refuse(missing);
  if (await loadFrom(`scenes/${name}.json`, missing, entry)) window.history.replaceState(null, '', `${location.pathname}#${name}`);
}
/** The scene that is shown, from its start, with all that was changed, also what has no answer yet. */
function loadAgain(changes, sameAs = null) {
  const { text, watch, look } = state.scene, { unanswered } = engine, has = Object.keys(unanswered).length > 0;
  engine.load({ text, watch, look, sameAs, changes: { ...state.scene.changes, ...unanswered, ...changes }, without: has ? { ...state.scene.changes, ...changes } : null });
}
const backToStart = () => loadAgain({}, state.sceneId);
/** With other constants, and with what was asked for just before. */
function startAnew(changes) {
  const { pending } = engine;
  if (pending?.text === state.scene.text) engine.load({ ...pending, changes: { ...pending.changes, ...changes }, without: pending.without && { ...pending.without, ...changes }, sameAs: null });
  else loadAgain(changes);
}
function change(changes) {
  hideMistakes();
  if (engine.pending?.text === state.scene.text) engine.changePending(changes);
  else engine.change(changes);
}

function takeScene(scene, { description, meshes }) {
  const isSame = scene.sameAs === state.sceneId;  // its bodies are those that are shown: the camera stays
  closeRecording();
  Object.assign(state, { scene, settings: description });
  startShowing(description, meshes, description.numbers, scene.look, isSame);
  $('title').textContent = description.title, $('watch').textContent = scene.watch;
  showSettings();
  showWarnings(description.warnings);
}
function startShowing(description, meshes, names, look, isSame = false) {
  hand.letGo();
  setPlaying(false);
  Object.assign(state, { description, names, at: Object.fromEntries(names.map((n, i) => [n, i])), frame: null, earlier: null, picked: -1, sceneId: state.sceneId + !isSame });
  history.clear();
  view.setScene(description, meshes, look, isSame);
  plots.start(names);
  hideMistakes();
}
function takeSettings({ changes, ...settings }) {
  Object.assign(state.scene.changes, changes);
  Object.assign(state.settings, settings);
  if (state.recording) return;
  showWarnings(settings.warnings);
  view.setGrains(settings.grains);
  if ('run.method' in changes) showSettings();  // another method has other settings
  else mendSettings();
}
/** The fields of the scene, if it is what is shown; who was in one of them still is. */
function showSettings() {
  const { dataset: { key }, type } = document.activeElement, isLive = !state.recording;
  $('settings-panel').hidden = !isLive, $('repel').disabled = !isLive;
  $('constants-panel').hidden = !isLive || !fillConstants($('constants'), state.settings.constants, startAnew);
  if (isLive) fillSettings($('settings'), state.settings, change);
  if (key) [...document.querySelectorAll('#side form [data-key]')].find((field) => field.dataset.key === key && field.type === type)?.focus();
}
/** The fields show what holds, instead of what was refused, once nothing is on its way any more. */
function mendSettings() {
  if (!state.refused || !state.settings || Object.keys(engine.unanswered).length) return;
  state.refused = false;
  showSettings();
}
function takeMistakes(mistakes, of) {
  showMistakes(mistakes, of === 'set');
  if (of === 'play') setPlaying(false);
  state.refused = true;
  mendSettings();
}
function takeStop(words, goesOn) {
  refuse(words);
  if (!goesOn && !state.recording) setPlaying(false);
}

// ---- frames -------------------------------------------------------------------------------------------------

const valueOf = (name, frame = state.frame) => frame.numbers[state.at[name]];

/** `isNews`: it knows of all that was asked for. */
function takeFrame(frame, isNews) {
  if (state.recording) return;
  const goesOn = state.playing || !state.frame || state.frame === history.last;
  history.keep(frame);
  if (history.frames.length === 1) view.forgetTrails();
  plots.add(frame.numbers);
  state.stepMs = frame.stepMs;
  if (frame.status === 'refused') refuse('a step was refused: the numbers left what can be computed. Reset the scene.');
  if (isNews && frame.playing !== state.playing) setPlaying(frame.playing);
  $('timeline').max = frame.numbers[0];
  if (goesOn || history.frames.length === 1) showFrame(frame, frame.numbers[0]);
}
function showFrame(frame, place) {
  if (state.frame && state.frame.numbers[0] !== frame.numbers[0]) state.earlier = state.frame;
  state.frame = frame, state.tables = true;
  const time = `${frame.numbers[0].toFixed(frame.numbers[0] < 10 ? 3 : 2)} s`;
  $('timeline').value = place, $('timeline').ariaValueText = time;
  $('clock').textContent = time;
  view.setFrame(frame.poses, frame.contacts, frame.broken);
}
function describeFrame() {
  const { frame, stepMs, settings, recording } = state;
  fillTables(plots, valueOf, { missed: frame.missed, stepMs, step: recording ? 0 : settings.settings.step });
  describeBody();
}
function describeBody() {
  const { picked, frame, earlier, recording } = state, body = state.description.bodies[picked];
  if (!body || !frame) return fillBody();
  const placeIn = ({ poses }) => Array.from(poses.slice(7 * picked, 7 * picked + 3)), place = placeIn(frame);
  const time = earlier ? frame.numbers[0] - earlier.numbers[0] : 0;
  const speed = time > 0 && time < 0.2 ? Math.hypot(...placeIn(earlier).map((x, c) => place[c] - x)) / time : undefined;
  fillBody(recording ? { ...body, mass: 0 } : body, place, speed);  // bodies as they were recorded have no mass
}
const trailUpTo = (index) => view.rememberTrails(history.frames.slice(Math.max(0, index - view.trailLength), index).map(({ poses }) => poses));
function drawAgain() {
  if (!state.frame) return;
  if (!state.recording) trailUpTo(history.frames.indexOf(state.frame));
  view.setFrame(state.frame.poses, state.frame.contacts, state.frame.broken);
}

// ---- recordings ---------------------------------------------------------------------------------------------

/** Until its first frame can be shown, what was there before goes on. */
function openRecording(source) {
  newWish();
  let told = '';  // why a frame was not shown
  const player = new Player(source, module, { opened: takeRecording, curves() { if (player === state.recording) drawRecordedCurves(); }, frame(data, broken, isJump) {
      if (told && $('mistakes').textContent === told) hideMistakes();
      told = '';
      if (isJump) view.forgetTrails();
      showFrame({ ...data, broken }, player.index);  // which may be further on than this one
    }, failed(message) {
      refuse(told = message);
      if (player === state.opening) stopOpening();
      else setPlaying(false);
    } });
  state.opening = player;
}
function stopOpening() {
  state.opening?.close();
  state.opening = null;
}
function closeRecording() {
  state.recording?.close();
  state.recording = state.saves = null;
  $('timeline').step = 'any', $('save-numbers').disabled = false;
}
function takeRecording(player, description, meshes, warnings) {
  engine.cancel();
  engine.pause();
  closeRecording();
  state.recording = player, state.opening = null;
  startShowing(description, meshes, player.numberNames, null);
  $('title').textContent = `${player.title} · recording, ${player.frames} frames`, $('watch').textContent = '';
  showSettings();
  showWarnings(warnings);
  $('timeline').max = player.frames - 1, $('timeline').step = 1;
  drawRecordedCurves();
}
/** Once both are there, whichever comes last: the plots of this recording, and its columns; or why there are none. */
function drawRecordedCurves() {
  const { columns, trouble } = state.recording;
  $('save-numbers').disabled = !columns && !trouble.length;
  if (trouble.length) showMistakes(trouble.map((message) => ({ message })), true);
  if (!columns) return;
  columns[0].forEach((_, i) => plots.add(columns.map((column) => column[i])));
  if (state.saves === state.recording) actions.saveNumbers();
}

// ---- what the user does -------------------------------------------------------------------------------------

function setPlaying(on) {
  state.playing = on;
  $('play').toggleAttribute('data-on', on);
  $('play').ariaPressed = String(on);
}
/** Where the engine has stopped, unless a scene is on its way. */
function startAgain() { if (!engine.pending) actions.reset(); }
const actions = {
  play() {
    const { recording, scene } = state;
    if (!recording && !scene) return;
    if (!recording && engine.isStopped) return startAgain();
    hideMistakes();
    if (!recording && !state.playing) showLast();
    setPlaying(!state.playing);
    if (recording) return state.playing && recording.play();
    if (state.playing) engine.play();
    else engine.pause();
  },
  step() {
    const { recording, scene } = state;
    if (!recording && !scene) return;
    if (!recording && engine.isStopped) return startAgain();
    hideMistakes();
    setPlaying(false);
    if (recording) return recording.seek(recording.index + 1);
    showLast();
    engine.step();
  },
  reset() {
    if (!state.scene && !state.recording) return;
    hideMistakes();
    hand.letGo();
    setPlaying(false);
    view.forgetTrails();
    if (state.recording) return state.recording.seek(0);
    if (engine.isStopped || engine.workedFor > patience || engine.pending?.text === state.scene.text) return backToStart();  // at once
    history.clear();
    engine.reset(backToStart);
  },
  frameScene() { view.frameAgain(); drawAgain(); },
  gallery() { $('gallery').showModal(); },
  open() { $('file').click(); },
  look() {
    setLook(document.documentElement.dataset.look === 'dark' ? 'light' : 'dark');
    rememberLook();
    drawAgain();
  },
  savePicture() { $('picture').toBlob((picture) => (picture ? save(picture, 'png') : refuse('the browser cannot make a picture of this size'))); },
  saveNumbers() {
    const { names, recording } = state, columns = recording?.columns;
    if (recording && !columns) return $('save-numbers').disabled = true, state.saves = recording, hideMistakes(), recording.readCurves();  // perhaps they can be by now
    state.saves = null;
    const rows = columns ? Array.from(columns[0], (_, i) => columns.map((column) => column[i])) : history.frames.map(({ numbers }) => Array.from(numbers));
    save(new Blob([[names, ...rows].map((row) => row.join(',')).join('\n'), '\n'], { type: 'text/csv' }), 'csv');
  },
};
/** For a year, as a cookie, which is there at every port; index.html reads it. */
function rememberLook() {
  try {
    document.cookie = `look=${document.documentElement.dataset.look}; max-age=31536000; samesite=strict`;
  } catch { /* the browser keeps nothing for this page: for this visit alone, then */ }
}
function setLook(name) {
  document.documentElement.dataset.look = name;
  view.setLook(name);
  plots.redraw();
}
function save(blob, ending) {
  const name = $('title').textContent.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'stiction';
  const link = Object.assign(element('a'), { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
for (const [id, action] of [['play', 'play'], ['step', 'step'], ['reset', 'reset'], ['open-gallery', 'gallery'], ['open', 'open'], ['look', 'look'],
  ['frame-scene', 'frameScene'], ['save-picture', 'savePicture'], ['save-numbers', 'saveNumbers']])
  $(id).onclick = actions[action];
$('mistakes').onclick = hideMistakes;
$('picture').addEventListener('webglcontextlost', () => refuse('the browser took the graphics away: the picture stands still until it gives them back, or until the page is loaded again'));
$('picture').addEventListener('webglcontextrestored', () => { hideMistakes(); drawAgain(); });
$('close-gallery').onclick = () => $('gallery').close();
$('speed').onchange = () => engine.speed(Number($('speed').value));
$('repel').onchange = () => { if (!$('repel').checked) engine.tell('stopPushing'); };
$('timeline').oninput = () => {
  const place = Number($('timeline').value);
  view.forgetTrails();
  if (state.recording) return state.recording.seek(Math.round(place));
  if (history.last) showKept(history.at(place));
};
/** A frame of the run. */
function showKept(index) {
  const frame = history.frames[index];
  if (state.playing) actions.play();
  trailUpTo(index);
  showFrame(frame, frame.numbers[0]);
}
/** What runs goes on from its end, whatever was looked at. */
function showLast() { if (history.last && state.frame !== history.last) showKept(history.frames.length - 1); }
$('timeline').onkeydown = (event) => {
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || state.recording || !history.last) return;
  event.preventDefault();  // the browser would go one hundredth of the length
  const index = history.at(Number($('timeline').value)) + step;
  if (index >= 0 && index < history.frames.length) view.forgetTrails(), showKept(index);
};
for (const box of document.querySelectorAll('[data-show]'))
  box.onchange = () => {
    view.show[box.dataset.show] = box.checked;
    drawAgain();
  };

const keys = { ' ': 'play', '.': 'step', r: 'reset', g: 'gallery', o: 'open', l: 'look', v: 'frameScene' }, boxes = { c: 'contacts', f: 'cones', j: 'joints', t: 'trails' };
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hideMistakes();
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.type === 'number' || $('gallery').open) return;
  const key = event.key.toLowerCase();
  if (key === ' ' && event.target.matches('button, select, summary, [type=checkbox]')) return;  // their own
  if (keys[key] || boxes[key] || key === 'p') event.preventDefault();  // a list would look for the letter
  if (event.repeat && (key !== '.' || engine.works)) return;  // a key that is held steps again once the step before is there
  if (keys[key]) actions[keys[key]]();
  if (boxes[key]) document.querySelector(`[data-show=${boxes[key]}]`).click();
  if (key === 'p') $('repel').click();
});

async function openFiles([file, ...others]) {
  if (!file) return;
  if (others.length) return refuse(`one file at a time: these are ${others.length + 1}`);
  if (/\.journal$/i.test(file.name)) return refuse(`${file.name}: the page reads HDF5; stiction convert ${file.name} run.h5 makes it from a journal`);
  const wish = newWish(), isRecording = /\.(h5|hdf5)$/i.test(file.name) || await file.slice(0, signature.length).text().then((start) => start === signature, () => false);
  if (wish !== state.wish) return;
  if (isRecording) return openRecording({ file });
  if (file.size > longestScene) return refuse(`${file.name} is no scene: ${Math.round(file.size / 1e6)} MB`);
  const text = await file.text().catch(() => null);
  if (text === null) refuse(`${file.name} cannot be read`);
  else if (wish === state.wish) load(text);
}
$('file').onchange = () => openFiles($('file').files).finally(() => ($('file').value = ''));  // so that the same file can be chosen again
$('open').onpointerenter = $('open').onfocus = $('file').onclick = prepareReader;
addEventListener('dragenter', prepareReader);
addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.add('over'); });
addEventListener('dragleave', (event) => { if (!event.relatedTarget) document.body.classList.remove('over'); });
addEventListener('drop', (event) => { event.preventDefault(); document.body.classList.remove('over'); openFiles(event.dataTransfer.files); });

// ---- start --------------------------------------------------------------------------------------------------

function addressOf(words) {
  try {
    return new URL(words, location.href).href;
  } catch {
    return null;
  }
}
/** Once the engine is there. */
function start() {
  if (state.opening || state.wish) return;  // somebody was faster
  const wish = new URLSearchParams(location.search);
  if (wish.has('recording')) {
    const url = addressOf(wish.get('recording'));
    if (url) openRecording({ url });
    else refuse(`${wish.get('recording')} is no address of a recording`);
  }
  else if (wish.has('scene')) loadFrom(wish.get('scene'), `${wish.get('scene')} cannot be read`);
  else loadFromGallery(location.hash.slice(1) || 'first');
}
addEventListener('hashchange', () => { if (location.hash.length > 1) loadFromGallery(location.hash.slice(1)); });
function turn(now) {
  if (state.playing && state.recording && !state.recording.turn(now, Number($('speed').value))) setPlaying(false);
  engine.watch();
  const long = state.recording && !engine.pending ? 0 : engine.busyFor;
  if (long > patience) showWork('computing', `: ${(long / 1000).toFixed(long < 9950 ? 1 : 0)} s`);
  else showWork(hand.isInPast ? 'an earlier moment: play, then pull' : hand.holds && !state.playing ? 'paused: press space, and the hand pulls' : '');
  if (state.frame) hand.draw();
  if (state.tables && state.frame && now - state.tablesAt > 120) describeFrame(), state.tables = false, state.tablesAt = now;
  plots.draw();
  view.draw();
  requestAnimationFrame(turn);
}
async function get(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${answer.statusText}`);
  return answer;
}
async function fetchModule() { return WebAssembly.compile(await (await get('stiction.wasm')).arrayBuffer()); }

new ResizeObserver(() => view.resize()).observe($('stage'));
setLook(document.documentElement.dataset.look);
view.resize();
requestAnimationFrame(turn);
try {
  const [gallery, compiled] = await Promise.all([get('gallery.json').then((answer) => answer.json()), module]);
  fillGallery(state.gallery = gallery, loadFromGallery);
  engine.start(compiled);
} catch (error) {
  refuse(`the page cannot be started: ${error.message}`);
}
