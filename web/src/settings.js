// What may be changed while a scene runs: gravity, friction and restitution of each surface and of pairs that replace them, step, tolerance,
// method, stabilisation. And the constants of a scene, with which it starts anew.
import { refuse } from './panels.js';

const label = (text) => {
  const row = document.createElement('label');
  row.append(Object.assign(document.createElement('span'), { textContent: text }));
  return row;
};
function numberField(text, key, value, done) {
  const field = Object.assign(document.createElement('input'), { type: 'number', step: 'any', autocomplete: 'off', ariaLabel: text });
  const show = () => (field.value = +Number(value).toPrecision(12));
  field.dataset.key = key;
  field.onchange = () => {
    if (field.value !== '') return value = field.value, done(value);
    show();
    refuse(`${text}: that is no number; ${field.value} holds`);
  };
  show();
  return field;
}

/** `change`: is told { key: value } as the engine's set() has them. */
export function fillSettings(form, { gravity, surfaces, surface_pairs, settings, methods, stabilisations }, change) {
  const rows = [];
  const slider = (text, key, value, low, high, tell = (x) => ({ [key]: x })) => {
    const row = label(text), range = Object.assign(document.createElement('input'), { type: 'range', autocomplete: 'off', min: Math.min(low, value), max: Math.max(high, value), step: 0.01 });
    const field = numberField(text, key, value, (x) => {
      range.min = Math.min(range.min, x), range.max = Math.max(range.max, x);  // so that it shows what holds
      range.value = x;
      change(tell(x));
    });
    range.dataset.key = key;
    range.value = value;
    range.oninput = () => { field.value = range.value; change(tell(range.value)); };
    row.append(range, field);
    rows.push(row);
  };
  const list = (text, key, value, options) => {
    const row = label(text), select = document.createElement('select');
    select.autocomplete = 'off';
    select.append(...options.map(([name, option]) => new Option(name, option, false, String(option) === String(value))));
    select.dataset.key = key;
    select.onchange = () => change({ [key]: select.value });
    row.append(select);
    rows.push(row);
  };
  const now = [...gravity];  // scenes may not name it: only the whole of it can be set
  ['x', 'y', 'z'].forEach((axis, c) => slider(`gravity ${axis} [m/s²]`, `gravity.${c}`, gravity[c], -25, 25, (x) => {
    now[c] = Number(x);
    return { gravity: JSON.stringify(now) };
  }));
  for (const [name, { friction, restitution }] of Object.entries(surfaces)) {
    slider(`friction ${name}`, `surfaces.${name}.friction`, friction, 0, 1.5);
    slider(`restitution ${name}`, `surfaces.${name}.restitution`, restitution, 0, 1);
  }
  surface_pairs.forEach(({ between, friction, restitution }, i) => {  // for these two the pair counts, not what their surfaces say
    const names = between.join(' on ');
    slider(`friction ${names}`, `surface_pairs.${i}.friction`, friction, 0, 1.5);
    if (restitution !== undefined) slider(`restitution ${names}`, `surface_pairs.${i}.restitution`, restitution, 0, 1);
  });
  const around = (value, options) => [...new Set([...options, value])].sort((a, b) => a - b).map((x) => [x < 1e-3 ? x.toExponential() : String(+x.toPrecision(4)), x]);
  list('step [s]', 'run.step', settings.step, around(settings.step, [0.0005, 0.001, 0.002, 0.005, 0.01, 1 / 60]));
  list('tolerance', 'run.tolerance', settings.tolerance, around(settings.tolerance, [1e-10, 1e-8, 1e-6, 1e-4]));
  list('method', 'run.method', settings.method, methods.map((m) => [m, m]));
  if (stabilisations.length) list('stabilisation', 'run.stabilisation', settings.stabilisation, stabilisations.map((s) => [s, s]));
  form.replaceChildren(...rows);
  form.onsubmit = (event) => event.preventDefault();
}

/** How many there are; `change` as above. */
export function fillConstants(form, constants, change) {
  form.replaceChildren(...Object.entries(constants).map(([name, value]) => {
    const row = label(name);
    row.append(numberField(name, name, value, (x) => change({ [name]: x })));
    return row;
  }));
  form.onsubmit = (event) => event.preventDefault();
  return Object.keys(constants).length;
}
