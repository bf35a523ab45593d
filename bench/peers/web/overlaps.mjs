// Errors of a state, from positions and orientations alone, in the same way for every engine. Poses: seven numbers per body that moves: position
// x y z, orientation x y z w.

/** All depths [m] > 0 of bodies in each other, the floor (z = 0) and the walls. */
export function overlapsOf(scene, poses) { return scene.radius ? ofBalls(scene, poses) : ofBoxes(scene, poses); }

function ofBalls({ radius, wall }, p) {
  const depths = [], reach = (2 * radius) ** 2, add = (depth) => { if (depth > 0) depths.push(depth); };
  for (let i = 0; i < p.length; i += 7) {
    add(radius - p[i + 2]), add(Math.abs(p[i]) + radius - wall), add(Math.abs(p[i + 1]) + radius - wall);
    for (let k = 0; k < i; k += 7) {
      const x = p[i] - p[k], y = p[i + 1] - p[k + 1], z = p[i + 2] - p[k + 2], apart = x * x + y * y + z * z;
      if (apart < reach) depths.push(2 * radius - Math.sqrt(apart));
    }
  }
  return depths;
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
/** Columns of the rotation by a quaternion x y z w: the axes of a box. */
function axesOf(q, at) {
  const [x, y, z, w] = q.slice(at, at + 4);
  return [[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]];
}
const extent = ({ axes }, half, n) => half[0] * Math.abs(dot(axes[0], n)) + half[1] * Math.abs(dot(axes[1], n)) + half[2] * Math.abs(dot(axes[2], n));

/** How far one of two equal boxes has to move until they touch no more: the least over the normals of faces and the products of edges; <= 0: they do not overlap. */
export function boxDepth(a, b, half) {
  const between = b.at.map((x, i) => x - a.at[i]);
  let least = Infinity;
  const tryOut = (n) => { least = Math.min(least, extent(a, half, n) + extent(b, half, n) - Math.abs(dot(between, n))); };
  for (const n of [...a.axes, ...b.axes]) tryOut(n);
  if (least <= 0) return least;
  for (const e of a.axes)
    for (const f of b.axes) {
      const n = cross(e, f), length = Math.hypot(...n);
      if (length > 1e-9) tryOut(n.map((x) => x / length));  // edges that are not parallel
    }
  return least;
}

function ofBoxes({ size }, p) {
  const half = size.map((x) => x / 2), reach = 4 * dot(half, half), depths = [], boxes = [];
  for (let i = 0; i < p.length; i += 7) boxes.push({ at: Array.from(p.slice(i, i + 3)), axes: axesOf(p, i + 3) });
  boxes.forEach((a, i) => {
    const below = extent(a, half, [0, 0, 1]) - a.at[2];
    if (below > 0) depths.push(below);
    for (let k = 0; k < i; ++k) {
      const x = a.at[0] - boxes[k].at[0], y = a.at[1] - boxes[k].at[1], z = a.at[2] - boxes[k].at[2];
      if (x * x + y * y + z * z > reach) continue;
      const depth = boxDepth(a, boxes[k], half);
      if (depth > 0) depths.push(depth);
    }
  });
  return depths;
}

/** The farthest that a body's centre is [m] from where it was, or from where it would rest. */
export function farthest(poses, placeOf) {
  let most = 0;
  for (let i = 0; i < poses.length; i += 7) {
    const [x, y, z] = placeOf(i / 7);
    most = Math.max(most, Math.hypot(poses[i] - x, poses[i + 1] - y, poses[i + 2] - z));
  }
  return most;
}
/** Whether a brick has come down by more than half its height. */
export const toppled = ({ bodies, size }, poses) => bodies.some(({ rest }, i) => poses[7 * i + 2] < rest[2] - size[2] / 2);
