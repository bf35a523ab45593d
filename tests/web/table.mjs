// What the comparison with other engines says of runs that failed or were cut off (bench/peers/web/table.mjs).
import assert from 'node:assert/strict';
import { tableOf } from '../../bench/peers/web/table.mjs';

const balls = { name: 'balls', radius: 0.1 };
const run = (engine, ms, overlap, steps = 300) => ({ engine, steps, whole: steps === 300, ms_per_step: ms, slowest_ms: ms, overlap_mm: overlap });
const lostTo = (...results) => tableOf(balls, results, 300).filter((line) => line.startsWith('We lose'));

export default async function ({ check }) {
  await check('table: where we lose', () => {
    const rough = run('stiction 1e-4', 1, 0.01), exact = run('stiction 1e-8', 2, 1e-6), jolt = run('jolt', 1, 10), rapier = run('rapier', 4, 1e-7);
    assert.deepEqual(lostTo(rough, exact, jolt, rapier),
      ['We lose to jolt in time (2.0 times)', 'We lose to rapier in overlap (1e-7 against 0.000001 mm)']);
    assert.deepEqual(lostTo(rough, exact), []);
  });
  await check('table: our exact run failed', () =>
    assert.deepEqual(lostTo(run('stiction 1e-4', 1, 0.01), run('jolt', 2, 10), run('rapier', 3, 9)), ['We lose to jolt, rapier: stiction 1e-8 failed']));
  await check('table: our exact run was cut off', () => {
    const cut = run('stiction 1e-8', 900, 1e-6, 37);
    assert.deepEqual(lostTo(cut, run('jolt', 1, 1e-7)), ['We lose to jolt in time (9.0e+2 times) and reaching the end (we made 37 of 300 steps)']);
    assert.deepEqual(lostTo(cut, run('mujoco', 950, 1e-7, 35)), []);  // neither came to the end, and it came less far
  });
  await check('table: theirs was cut off', () => assert.deepEqual(lostTo(run('stiction 1e-8', 2, 1e-6), run('mujoco', 3, 1e-7, 35)), []));
  await check('table: nobody ran', () => assert.deepEqual(tableOf(balls, [], 300), ['balls: no engine ran']));
}
