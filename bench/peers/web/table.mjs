// What compare.mjs says of its results: tables, one for every time at which engines are compared, and in words where we lose.
const isOurs = (name) => name.startsWith('stiction');
const errors = [['overlap_mm', 'deepest overlap', 'mm'], ['mean_overlap_mm', 'mean overlap', 'mm'], ['drift_m', 'drift', 'm'], ['creep_m', 'creep', 'm']];

/** In what an engine is ahead of a run of ours at the same time: less processor time, less error, standing where ours fell. */
function losses(mine, r) {
  const faster = mine.ms_per_step / r.ms_per_step;
  return [faster > 1 && `time (${faster.toPrecision(2)} times)`, mine.toppled && !r.toppled && 'standing',
    ...errors.map(([key, words, unit]) => r[key] < mine[key] && `${words} (${r[key]} against ${mine[key]} ${unit})`)].filter(Boolean);
}

/** Why a run has no result at a time: how far it came, or that it failed. */
const end = (own, { total, limit }) =>
  own.length ? `${own.at(-1).steps} of ${total} steps (t = ${own.at(-1).time_s} s) in ${limit} s of processor time` : 'failed';

/** Markdown for one time. `all`: results of every time. */
function tableAt(scene, steps, engines, all, run) {
  const at = all.filter((r) => r.steps === steps), shown = errors.filter(([key]) => at.some((r) => r[key] !== undefined));
  const lines = [`| ${scene.name}, to t = ${steps / run.perSecond} s | ms a step (slowest) |${shown.map(([, words, unit]) => ` ${words} [${unit}] |`).join('')}${scene.size ? ' stood |' : ''} steps that missed the tolerance |`];
  lines.push(`|---|---|${'---|'.repeat(shown.length + (scene.size ? 1 : 0))}---|`);
  for (const name of engines) {
    const r = at.find((x) => x.engine === name);
    if (r) lines.push(`| ${name} | ${r.ms_per_step} (${Math.round(r.slowest_ms)}) |${shown.map(([key]) => ` ${r[key] ?? ''} |`).join('')}${scene.size ? ` ${r.toppled ? '**no**' : 'yes'} |` : ''} ${r.unconverged ?? ''} |`);
  }
  lines.push('');
  for (const name of engines.filter((n) => !at.some((r) => r.engine === n))) lines.push(`Not there: ${name}: ${end(all.filter((r) => r.engine === name), run)}`);
  const others = at.filter((r) => !isOurs(r.engine));
  for (const name of others.length ? engines.filter(isOurs) : []) {
    const mine = at.find((r) => r.engine === name);
    if (!mine) lines.push(`${name} loses to ${others.map((r) => r.engine).join('; ')}: they came to this time`);
    for (const r of mine ? others : []) {
      const lost = losses(mine, r);
      if (lost.length) lines.push(`${name} loses to ${r.engine} in ${lost.join(' and ')}`);
    }
  }
  return lines;
}

/** Lines of Markdown: a table for every time that one of our runs came to, and one for the end. `run`: steps of a whole run (`total`), steps per simulated
 * second, and the limit [s] of processor time. Engines that failed have no result. */
export function tablesOf(scene, engines, results, run) {
  if (results.length === 0) return [`${scene.name}: no engine ran`];
  const ends = engines.filter(isOurs).flatMap((name) => results.filter((r) => r.engine === name).at(-1)?.steps ?? []);
  const stops = [...new Set([...ends, run.total])].sort((a, b) => a - b);
  return stops.flatMap((steps) => [...tableAt(scene, steps, engines, results, run), '']).slice(0, -1);
}
