// What stands beside and over the picture: messages, warnings, the tables of certificate, books and picked body, the gallery.
import { certificateFields, energyLimit } from './engine.js';

export const $ = (id) => document.getElementById(id);

export function element(name, text = '', type = '') {
  const made = document.createElement(name);
  made.textContent = text, made.className = type;
  return made;
}
function row(name, text, color = '', bad = false) {
  const made = element('tr', '', bad ? 'missed' : ''), first = element('td', name);
  if (color) first.prepend(Object.assign(element('i'), { style: `background:${color}` }));
  made.append(first, element('td', text));
  return made;
}

export const hideMistakes = () => ($('mistakes').hidden = true);
/** `adds`: what is there already stays. */
export function showMistakes(mistakes, adds = false) {
  const words = mistakes.map((m) => [m.line ? `line ${m.line}, column ${m.column}` : '', m.path, m.message].filter(Boolean).join(': '));
  const before = adds && !$('mistakes').hidden ? $('mistakes').textContent.split('\n') : [];
  $('mistakes').hidden = false;
  $('mistakes').textContent = [...new Set([...before, ...words])].join('\n');
}
export const refuse = (message) => showMistakes([{ message }]);
export function showWarnings(warnings) {
  $('warnings').hidden = !warnings.length;
  $('warnings-list').replaceChildren(...warnings.map((warning) => element('li', warning)));
}
/** `count`: what changes all the time, which is seen and not read out. */
export function showWork(text, count = '') {
  $('works').hidden = !text;
  for (const [id, words] of [['work', text], ['work-count', count]]) if ($(id).textContent !== words) $(id).textContent = words;
}

const number = (x) => (x === undefined || Number.isNaN(x) ? '–' : x === 0 ? '0' : Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5 ? x.toExponential(1) : x.toPrecision(4));

/** `value`: of a number of the frame by its name; `missed`: steps so far; `step`: [s], where the engine steps here, which takes `stepMs`. */
export function fillTables(plots, value, { missed, stepMs, step }) {
  const limit = value('tolerance');
  const facts = certificateFields.map((f, i) => row(f.replace('_', ' '), number(value(f)), plots.certificateColor(i), limit > 0 && value(f) > (f === 'energy' ? energyLimit : limit)));
  facts.push(row('limit', limit > 0 ? number(limit) : '–', '#d62728'), row('contacts', value('contacts') >= 0 ? value('contacts') : '–'));
  if (missed !== undefined && value('steps') > 0) facts.push(row('steps that missed it', `${missed} of ${value('steps')}`, '', missed > 0));
  if (stepMs && step) {
    const fast = 1000 * step / stepMs;
    facts.push(row('step takes', `${stepMs.toFixed(stepMs < 10 ? 2 : 0)} ms (${fast < 10 ? fast.toPrecision(2) : Math.round(fast)}× real time)`));
  }
  $('facts').replaceChildren(...facts);
  const books = plots.causes.map((c, i) => [c, value(`booked.${c}`), i]).filter(([, joules]) => joules !== 0)
    .map(([c, joules, i]) => row(c, `${number(joules)} J`, plots.causeColor(i)));
  books.push(row('kinetic energy', `${number(value('kinetic'))} J`), row('imbalance of the books', `${number(value('imbalance'))} J`));
  $('books').replaceChildren(...books);
}

/** The body that was picked last, none: undefined; `place`: [m], not finite where it does not exist; `speed`: [m/s], undefined or not finite where it is not known. */
export function fillBody(body, place, speed) {
  $('body-panel').hidden = !body;
  if (!body) return;
  const rows = [row('name', body.name), row('position [m]', place.every(Number.isFinite) ? place.map((x) => x.toFixed(4)).join(', ') : 'it does not exist here')];
  if (Number.isFinite(speed)) rows.push(row('speed, about', `${speed.toPrecision(3)} m/s`));
  if (body.mass > 0) rows.push(row('mass', `${+body.mass.toPrecision(5)} kg`));
  $('body').replaceChildren(...rows);
}

export function fillGallery(entries, choose) {
  $('cards').replaceChildren(...entries.map(({ scene, title, watch }) => {
    const card = element('button', '', 'card'), picture = Object.assign(new Image(), { loading: 'lazy', src: `pictures/${scene}.webp`, alt: '' });
    card.dataset.scene = scene;
    card.append(picture, element('b', title), element('span', watch));
    card.onclick = () => { $('gallery').close(); choose(scene); };
    return card;
  }));
}
