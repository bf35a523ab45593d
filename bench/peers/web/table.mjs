// What compare.mjs says of its results: a table, and in words where we lose.
const ours = 'stiction 1e-8';
const errorOf = (r) => (r.overlap_mm !== undefined ? ['overlap', r.overlap_mm, 'mm'] : ['drift', r.drift_m, 'm']);

/** In what an engine is ahead of our most exact run. Errors are compared where both went equally far: less time, less error. */
function losses(mine, r, steps) {
  const faster = mine.ms_per_step / r.ms_per_step, [what, theirs, unit] = errorOf(r), own = errorOf(mine)[1];
  return [faster > 1 && `time (${faster.toPrecision(2)} times)`,
    r.whole && !mine.whole && `reaching the end (we made ${mine.steps} of ${steps} steps)`,
    r.steps === mine.steps && theirs < own && `${what} (${theirs} against ${own} ${unit})`].filter(Boolean);
}

/** Lines of Markdown. `steps`: of a whole run. Engines that failed have no result. */
export function tableOf(scene, results, steps) {
  if (results.length === 0) return [`${scene.name}: no engine ran`];
  const [what, , unit] = errorOf(results[0]), creeps = !scene.radius;
  const lines = [`| ${scene.name} | ms a step (slowest) | ${what} [${unit}] |${creeps ? ' creep [m/s] |' : ''} steps |`, `|---|---|---|---|${creeps ? '---|' : ''}`];
  for (const r of results)
    lines.push(`| ${r.engine} | ${+r.ms_per_step.toPrecision(3)} (${Math.round(r.slowest_ms)}) | ${errorOf(r)[1]} |${creeps ? ` ${r.creep_m_per_s ?? ''} |` : ''} ${r.steps}${r.whole ? '' : ' (limit)'}${r.unconverged ? `, ${r.unconverged} missed` : ''} |`);
  const mine = results.find((r) => r.engine === ours), others = results.filter((r) => !r.engine.startsWith('stiction'));
  if (!mine && others.length) lines.push(`We lose to ${others.map((r) => r.engine).join(', ')}: ${ours} failed`);
  for (const r of mine ? others : []) {
    const lost = losses(mine, r, steps);
    if (lost.length) lines.push(`We lose to ${r.engine} in ${lost.join(' and ')}`);
  }
  return lines;
}
