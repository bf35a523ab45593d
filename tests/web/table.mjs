// What the comparison with other engines measures, and what it says of runs that failed or were cut off (bench/peers/web).
import assert from 'node:assert/strict';
import { farthest, overlapsOf, toppled } from '../../bench/peers/web/overlaps.mjs';
import { tablesOf } from '../../bench/peers/web/table.mjs';

const balls = { name: 'balls', radius: 0.1, wall: 1 }, bricks = { name: 'bricks', size: [0.4, 0.2, 0.2], bodies: [{ rest: [0, 0, 0.1] }] };
const limits = { total: 300, perSecond: 100, limit: 60 };
const names = ['stiction 1e-4', 'stiction 1e-8', 'jolt', 'jolt, slow', 'rapier'];
const run = (engine, ms, overlap, steps = 300, more = {}) => ({ engine, steps, time_s: steps / 100, ms_per_step: ms, slowest_ms: ms, overlap_mm: overlap, mean_overlap_mm: overlap / 2, ...more });
const lost = (scene, ...results) => tablesOf(scene, names, results, limits).filter((line) => / loses to /.test(line));
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a}, not ${b}`);

export default async function ({ check }) {
  await check('overlaps of balls, floor and walls', () => {
    const depths = overlapsOf(balls, [0, 0, 0.5, 0, 0, 0, 1, 0.19, 0, 0.5, 0, 0, 0, 1, -0.95, 0.92, 0.08, 0, 0, 0, 1, 0.5, 0, 0.1, 0, 0, 0, 1]).sort();
    assert.equal(depths.length, 4);
    [0.01, 0.02, 0.02, 0.05].forEach((depth, i) => near(depths[i], depth));
  });
  await check('overlaps of boxes: faces, edges, corners, none', () => {
    const two = (...second) => overlapsOf(bricks, [0, 0, 1, 0, 0, 0, 1, ...second]), half = Math.SQRT1_2;
    near(two(0, 0, 1.19, 0, 0, 0, 1)[0], 0.01);            // face on face
    near(two(0, 0, 1.29, 0, 0, half, half)[0] ?? 0, 0);    // crosswise, apart
    near(two(0, 0, 1.2 - 0.003, 0, 0, half, half)[0], 0.003);  // crosswise
    const turned = [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)];  // by 45 degrees about its length: stands on an edge
    near(two(0, 0, 1.1 + 0.1 * Math.SQRT2 - 0.005, ...turned)[0], 0.005);
    assert.deepEqual(two(0, 0, 1.1 + 0.1 * Math.SQRT2 + 1e-9, ...turned), []);
    // both on edge, the upper one also turned about z: edge across edge, which no face sees
    const across = [turned[0] * half, turned[0] * half, turned[3] * half, turned[3] * half];
    near(overlapsOf(bricks, [0, 0, 1, ...turned, 0, 0, 1 + 0.2 * Math.SQRT2 - 0.004, ...across])[0], 0.004);
    assert.deepEqual(overlapsOf(bricks, [0, 0, 0.1, 0, 0, 0, 1]), []);
    near(overlapsOf(bricks, [0, 0, 0.1 * Math.SQRT2 - 0.001, ...turned])[0], 0.001);  // in the floor
  });
  await check('drift, and what has toppled', () => {
    const poses = [0.03, 0, 0.14, 0, 0, 0, 1];
    near(farthest(poses, () => [0, 0, 0.1]), 0.05);
    assert.equal(toppled(bricks, poses), false);
    assert.equal(toppled(bricks, [0, 0, -0.01, 0, 0, 0, 1]), true);
  });
  await check('table: where we lose', () => {
    assert.deepEqual(lost(balls, run('stiction 1e-4', 1, 0.01), run('stiction 1e-8', 2, 1e-6), run('jolt', 1, 10), run('jolt, slow', 3, 2e-3), run('rapier', 4, 1e-7)), [
      'stiction 1e-4 loses to jolt, slow in deepest overlap (0.002 against 0.01 mm) and mean overlap (0.001 against 0.005 mm)',
      'stiction 1e-4 loses to rapier in deepest overlap (1e-7 against 0.01 mm) and mean overlap (5e-8 against 0.005 mm)',
      'stiction 1e-8 loses to jolt in time (2.0 times)',
      'stiction 1e-8 loses to rapier in deepest overlap (1e-7 against 0.000001 mm) and mean overlap (5e-8 against 5e-7 mm)']);
    assert.deepEqual(lost(balls, run('stiction 1e-4', 1, 0.01), run('stiction 1e-8', 2, 1e-6)), []);
  });
  await check('table: drift, creep and standing count', () => {
    const brick = (engine, drift, creep, fell) => run(engine, 1, 1, 300, { drift_m: drift, creep_m: creep, toppled: fell });
    assert.deepEqual(lost(bricks, brick('stiction 1e-8', 0.5, 1e-3, true), brick('jolt', 0.1, 2e-3, false)), ['stiction 1e-8 loses to jolt in standing and drift (0.1 against 0.5 m)', 'stiction 1e-4 loses to jolt: they came to this time'].sort());
    assert.deepEqual(lost(bricks, brick('stiction 1e-4', 1, 1e-3, false), brick('stiction 1e-8', 1, 1e-3, false), brick('jolt', 2, 1e-4, true)),
      ['stiction 1e-4 loses to jolt in creep (0.0001 against 0.001 m)', 'stiction 1e-8 loses to jolt in creep (0.0001 against 0.001 m)']);
  });
  await check('table: our run failed', () =>
    assert.deepEqual(lost(balls, run('stiction 1e-4', 1, 0.01), run('jolt', 2, 10), run('rapier', 3, 9)), ['stiction 1e-8 loses to jolt; rapier: they came to this time']));
  await check('table: our run was cut off: compared where it ended, and the end is lost', () => {
    const lines = tablesOf(balls, names, [run('stiction 1e-8', 900, 1e-6, 37), run('jolt', 1, 1e-7, 37), run('jolt', 1, 1e-7), run('rapier', 950, 1e-7, 35)], limits);
    assert.ok(lines.includes('stiction 1e-8 loses to jolt in time (9.0e+2 times) and deepest overlap (1e-7 against 0.000001 mm) and mean overlap (5e-8 against 5e-7 mm)'), lines.join('\n'));
    assert.ok(lines.includes('stiction 1e-8 loses to jolt: they came to this time'));
    assert.ok(lines.includes('Not there: stiction 1e-8: 37 of 300 steps (t = 0.37 s) in 60 s of processor time'));
    assert.ok(lines.includes('Not there: rapier: 35 of 300 steps (t = 0.35 s) in 60 s of processor time'));
    assert.ok(lines.includes('Not there: jolt, slow: failed'));
    assert.equal(lines.filter((line) => line.startsWith('|---')).length, 2);
  });
  await check('table: both of ours were cut off, one earlier: it is there where the other ends', () => {
    const lines = tablesOf(balls, names, [run('stiction 1e-4', 9, 1e-3, 35), run('stiction 1e-4', 9, 1e-3, 37), run('stiction 1e-8', 9, 1e-6, 35), run('jolt', 10, 1, 35), run('jolt', 10, 1, 37), run('jolt', 10, 1)], limits);
    const [first] = lines.join('\n').split('\n\n| balls, to t = 0.37 s');
    assert.match(first, /to t = 0.35 s[^]*\| stiction 1e-4 \| 9 /);
    assert.doesNotMatch(first, /Not there: stiction|loses/);
    assert.equal(lines.filter((line) => line.startsWith('Not there: stiction 1e-4')).length, 1);  // at the end
  });
  await check('table: nobody ran', () => assert.deepEqual(tablesOf(balls, names, [], limits), ['balls: no engine ran']));
}
