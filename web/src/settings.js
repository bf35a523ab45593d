// What may be changed while a scene runs: gravity, friction and restitution of each surface and of pairs that replace them, step, tolerance,
// method, stabilisation.
export function fillSettings(form, { gravity, surfaces, surface_pairs, settings, methods, stabilisations }, change) {
  const rows = [];
  const slider = (label, key, value, low, high, step) => {
    const row = document.createElement('label');
    row.innerHTML = `<span></span><input type="range" min="${low}" max="${high}" step="${step}"><input type="number" step="any">`;
    row.firstChild.textContent = label;
    const [, range, number] = row.children;
    range.value = number.value = value;
    range.dataset.key = number.dataset.key = key;
    range.oninput = () => (number.value = range.value);
    range.onchange = () => change({ [key]: range.value });
    number.onchange = () => { range.value = number.value; change({ [key]: number.value }); };
    rows.push(row);
  };
  const list = (label, key, value, options) => {
    const row = document.createElement('label'), select = document.createElement('select');
    row.innerHTML = '<span></span>';
    row.firstChild.textContent = label;
    select.append(...options.map(([text, option]) => new Option(text, option, false, String(option) === String(value))));
    select.dataset.key = key;
    select.onchange = () => change({ [key]: select.value });
    row.append(select);
    rows.push(row);
  };
  slider('gravity z [m/s²]', 'gravity.2', gravity[2], -25, 25, 0.01);
  for (const [name, { friction, restitution }] of Object.entries(surfaces)) {
    slider(`friction ${name}`, `surfaces.${name}.friction`, friction, 0, 1.5, 0.01);
    slider(`restitution ${name}`, `surfaces.${name}.restitution`, restitution, 0, 1, 0.01);
  }
  surface_pairs.forEach(({ between, friction, restitution }, i) => {  // for these two the pair counts, not what their surfaces say
    const names = between.join(' on ');
    slider(`friction ${names}`, `surface_pairs.${i}.friction`, friction, 0, 1.5, 0.01);
    if (restitution !== undefined) slider(`restitution ${names}`, `surface_pairs.${i}.restitution`, restitution, 0, 1, 0.01);
  });
  const around = (value, options) => [...new Set([...options, value])].sort((a, b) => a - b).map((x) => [x < 1e-3 ? x.toExponential() : String(+x.toPrecision(4)), x]);
  list('step [s]', 'run.step', settings.step, around(settings.step, [0.0005, 0.001, 0.002, 0.005, 0.01, 1 / 60]));
  list('tolerance', 'run.tolerance', settings.tolerance, around(settings.tolerance, [1e-10, 1e-8, 1e-6, 1e-4]));
  list('method', 'run.method', settings.method, methods.map((m) => [m, m]));
  if (stabilisations.length) list('stabilisation', 'run.stabilisation', settings.stabilisation, stabilisations.map((s) => [s, s]));
  form.replaceChildren(...rows);
  form.onsubmit = (event) => event.preventDefault();
}
