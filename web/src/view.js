// The picture: bodies as instances of the engine's own meshes, ground, contacts, joints, springs, trails.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { toCreasedNormals } from 'three/addons/utils/BufferGeometryUtils.js';
import { contactWidth } from './engine.js';

const palette = [0x4c78a8, 0xf58518, 0x54a24b, 0xe45756, 0x72b7b2, 0xeeca3b, 0xb279a2, 0xff9da6, 0x9d755d, 0x8cb369];
const looks = {
  light: { background: 0xf2f4f7, ground: 0xdde2e8, line: 0xb9c2cd, still: 0xaab3be, trail: 0x335577 },
  dark: { background: 0x14181d, ground: 0x20262d, line: 0x36404b, still: 0x56606c, trail: 0x88bbee },
};
const fewestRound = 60;  // triangles of a body that is round, more or less
const trailLength = 240, mostTrails = 60;
const up = new THREE.Vector3(0, 0, 1);

export class View {
  constructor(canvas) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.localClippingEnabled = true;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.copy(up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.listenToKeyEvents(canvas);
    this.controls.addEventListener('change', () => (this.dirty = true));
    canvas.addEventListener('webglcontextrestored', () => (this.dirty = true));
    this.sun = new THREE.DirectionalLight(0xffffff, 2.6);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sky = new THREE.HemisphereLight(0xffffff, 0x99aabb, 2.1);
    this.scene.add(this.sun, this.sun.target, this.sky);
    this.trailLength = trailLength;
    this.show = { contacts: false, cones: false, joints: false, trails: false };
    this.raycaster = new THREE.Raycaster();
    this.content = new THREE.Group();
    this.scene.add(this.content);
    this.setLook('light');
  }

  setLook(name) {
    this.look = looks[name];
    this.scene.background = new THREE.Color(this.look.background);
    if (this.description) this.#build();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  /** A new scene; poses follow with setFrame. `wish`: { at, size, from } where the camera is to stand; what is not said is chosen. `isSame`: as the one that is shown. */
  setScene(description, meshes, wish = null, isSame = false) {
    this.description = description, this.meshes = meshes, this.wish = wish ?? {};
    if (!isSame) this.last = null, this.follows = [], this.toFrame = true;
    this.setGrains(description.grains);
    this.#build();
  }
  /** Of pairs of surfaces: where friction has a grain, whose it is, its direction there and friction along it over that across. */
  setGrains(grains) { this.grains = new Map(grains.map((grain) => [`${grain.a},${grain.b}`, grain])); }
  #build() {
    empty(this.content);
    this.groups = [], this.grounds = [];
    const { description, meshes, toFrame: frame } = this;
    const members = meshes.map(() => []), points = [];
    description.bodies.forEach((body, i) => {
      if (body.mesh !== undefined) members[body.mesh].push(i);
      else if (body.kind !== 'static') points.push(i);  // without a shape: a dot
      if (body.normal) this.#addGround(body, i);
    });
    members.forEach((bodies, k) => this.#addGroup(this.#geometryOf(meshes[k]), bodies));
    this.#addGroup(new THREE.SphereGeometry(1, 16, 12), points, 0.025);
    this.#addOverlays();
    if (!frame && this.size) {
      this.#fillGrounds(this.size);
      if (this.follows.length) this.#moveGrounds();
      this.scene.fog.color.set(this.look.background);
    }
    if (this.last) this.setFrame(this.last.poses, this.last.contacts, this.last.broken);
  }

  #geometryOf(corners) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(corners, 3));
    return toCreasedNormals(geometry, 0.55);
  }
  /** Bodies of one shape; `dot`: their size is this part of the scene's. */
  #addGroup(geometry, bodies, dot = 0) {
    if (bodies.length === 0) return;
    const material = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.05 });
    if (!dot && bodies.some((i) => this.description.bodies[i].kind !== 'static') && geometry.attributes.position.count / 3 >= fewestRound) drawQuarters(material);
    const mesh = new THREE.InstancedMesh(geometry, material, bodies.length);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    const color = new THREE.Color();
    bodies.forEach((body, k) => {
      const { kind, name } = this.description.bodies[body];
      const family = [...name.replace(/[.\d]+$/, '')].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7) >>> 0;
      color.set(kind === 'dynamic' ? palette[family % palette.length] : this.look.still);
      // neighbours of one family differ a little, so that they can be told apart
      color.offsetHSL(0, 0, kind === 'dynamic' ? 0.05 * ((k * 7) % 5 - 2) / 2 : 0);
      mesh.setColorAt(k, color);
    });
    this.groups.push({ mesh, bodies, dot });
    this.content.add(mesh);
  }

  #addGround(body, index) {
    const group = new THREE.Group();
    this.grounds.push({ group, index, normal: new THREE.Vector3(...body.normal).normalize(), offset: body.offset });
    this.content.add(group);
  }

  /** Half-spaces are as large as the scene asks for, once that is known; what lies inside of another one is not seen. Walls without a floor are low. */
  #fillGrounds(size) {
    const { poses } = this.last, upright = (normal) => normal.z > 0.5;
    const planes = this.grounds.map(({ index, normal, offset }) => {
      const n = normal.clone().applyQuaternion(turn.fromArray(poses, 7 * index + 3));
      return new THREE.Plane(n, -offset - n.dot(position.fromArray(poses, 7 * index)));
    });
    const low = !planes.some(({ normal }) => normal.z > 0.1), still = (k) => this.description.bodies[this.grounds[k].index].kind === 'static';
    this.grounds.forEach(({ group, normal, offset }, i) => {
      const floor = upright(normal);  // walls are seen from the inside only, so that they hide nothing
      const wide = 12 * size, cell = 10 ** Math.round(Math.log10(size / 3));
      const cuts = planes.filter((plane, k) => k !== i && plane.normal.dot(planes[i].normal) < 0.99 && still(i) && still(k));
      const plane = new THREE.Mesh(new THREE.PlaneGeometry(wide, low ? 0.12 * size : wide), new THREE.MeshStandardMaterial({ color: floor ? this.look.ground : this.look.still,
        roughness: 0.95, transparent: !floor, opacity: floor ? 1 : low ? 0.8 : 0.25, clippingPlanes: cuts, side: low ? THREE.DoubleSide : THREE.FrontSide }));
      plane.receiveShadow = true;
      plane.castShadow = false;
      const lines = Math.min(200, 2 * Math.round(wide / cell / 2));
      const grid = new THREE.GridHelper(lines * cell, lines, this.look.line, this.look.line);
      grid.rotation.x = Math.PI / 2;
      grid.position.z = 0.0005 * size;
      grid.material.transparent = true, grid.material.opacity = 0.6, grid.material.clippingPlanes = cuts;
      const inner = new THREE.Group();
      inner.add(plane);
      if (floor) inner.add(grid);
      // walls: x level, y upwards
      const y = floor ? null : up.clone().addScaledVector(normal, -normal.z);
      if (!y || y.length() < 0.1) inner.quaternion.setFromUnitVectors(up, normal);
      else inner.quaternion.setFromRotationMatrix(matrix.makeBasis(scale.copy(y.normalize()).cross(normal), y, normal));
      inner.position.copy(normal).multiplyScalar(offset);
      Object.assign(this.grounds[i], { inner, cell });
      group.add(inner);
    });
  }

  #addOverlays() {
    this.points = null;
    this.#addMarks(1000);
    this.frames = this.description.joints.map((joint) => {
      const frame = new THREE.AxesHelper(1);
      this.content.add(frame);
      return { frame, joint };
    });
    const lines = (count, color) => {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * count), 3));
      const segments = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color }));
      segments.frustumCulled = false;
      this.content.add(segments);
      return segments;
    };
    this.#addRods();
    this.springs = lines(2 * this.description.springs.length, 0xcc8800);
    this.hand = lines(2, 0xff00aa);
    this.hand.visible = false;
    this.trailBodies = this.description.bodies.map((b, i) => (b.kind === 'dynamic' ? i : -1)).filter((i) => i >= 0)
      .slice(0, mostTrails);
    this.trails = lines(2 * trailLength * this.trailBodies.length, this.look.trail);
    this.trail = [];
  }

  /** Of contacts: points, arrows with heads, cones; room for this many. */
  #addMarks(room) {
    const unlit = (color, opacity = 1) => new THREE.MeshBasicMaterial({ color, transparent: opacity < 1, opacity });
    const instanced = (geometry, material) => {
      const mesh = new THREE.InstancedMesh(geometry, material, room);
      mesh.count = 0, mesh.frustumCulled = false;
      this.content.add(mesh);
      return mesh;
    };
    if (this.points)
      for (const mesh of [this.points, this.arrows, this.heads, this.cones]) this.content.remove(mesh), dispose(mesh);
    const arrow = new THREE.CylinderGeometry(0.5, 0.5, 1, 8).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const head = new THREE.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const cone = new THREE.ConeGeometry(1, 1, 24, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    this.points = instanced(new THREE.SphereGeometry(1, 10, 8), unlit(0xd62728));
    this.arrows = instanced(arrow, unlit(0xd62728));
    this.heads = instanced(head, unlit(0xd62728));
    for (const { material } of [this.points, this.arrows, this.heads]) material.depthTest = false;  // most forces point into a body
    this.points.renderOrder = this.arrows.renderOrder = this.heads.renderOrder = 1;
    this.cones = instanced(cone, unlit(0x2ca02c, 0.25));
    this.cones.material.side = THREE.DoubleSide, this.cones.material.depthWrite = false;
    this.room = room;
  }

  /** What holds bodies and is none: rods from a body to a joint that lies outside of it, and the wires of beads. */
  #addRods() {
    const { bodies, joints } = this.description;
    this.rods = [], this.wires = [];
    for (const { kind, body, parent, at, parent_at, curve, index } of joints) {
      if (curve) this.wires.push({ points: curve.map((p) => new THREE.Vector3(...p)), parent, group: new THREE.Group() });
      else if (kind === 'distance') this.rods.push({ a: body, at, b: parent, to: parent_at ?? at, index });
      else if (bodies[body].mesh !== undefined && !this.#boxOf(bodies[body].mesh).containsPoint(position.fromArray(at))) this.rods.push({ a: body, at, b: body, to: [0, 0, 0], index });
    }
    this.rodMesh = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2), this.#rodMaterial(), Math.max(1, this.rods.length));
    this.rodMesh.count = this.rods.length, this.rodMesh.frustumCulled = false, this.rodMesh.castShadow = true;
    this.content.add(this.rodMesh, ...this.wires.map(({ group }) => group));
  }
  #boxOf(mesh) {
    const box = new THREE.Box3().setFromArray(this.meshes[mesh]);
    return box.expandByScalar(0.01 * box.getSize(scale).length());
  }
  #rodMaterial() { return new THREE.MeshStandardMaterial({ color: this.look.still, roughness: 0.5 }); }
  #drawRods(poses) {
    this.rods.forEach(({ a, at, b, to, index }, i) => {
      if (!exists(poses, a, b)) return this.rodMesh.setMatrixAt(i, matrix.makeScale(0, 0, 0));
      const from = this.#pointOf(poses, a, at).clone(), end = this.#pointOf(poses, b, to);
      const along = normal.copy(end).sub(from), length = along.length();
      turn2.setFromUnitVectors(up, length > 0 ? along.divideScalar(length) : up);
      from.add(end).multiplyScalar(0.5);
      const thick = this.last.broken.has(index) ? 0 : 0.006 * this.size;
      this.rodMesh.setMatrixAt(i, matrix.compose(from, turn2, scale.set(thick, thick, thick && length)));
    });
    this.rodMesh.instanceMatrix.needsUpdate = true;
    for (const wire of this.wires) {
      if (!wire.mesh) {  // once it is known how thick
        const path = new THREE.CatmullRomCurve3(wire.points);
        wire.mesh = new THREE.Mesh(new THREE.TubeGeometry(path, 2 * wire.points.length, 0.008 * this.size, 8), this.#rodMaterial());
        wire.mesh.castShadow = true;
        wire.group.add(wire.mesh);
      }
      if (wire.parent >= 0) this.#moveWith(wire.mesh, poses, wire.parent);
    }
  }

  /** With the next frame the camera goes where it sees all of the scene. */
  frameAgain() { this.toFrame = true; }
  forgetTrails() { this.trail = []; }
  rememberTrails(poses) { if (this.show.trails) this.trail = poses.slice(-trailLength); }

  /** `broken`: indices of joints that do not hold any more. */
  setFrame(poses, contacts, broken) {
    this.last = { poses, contacts, broken: new Set(broken) };
    this.dirty = true;
    if (this.toFrame) this.frameScene();
    else if (this.follows.length) this.#follow();
    const place = (i, large = one) => {
      if (!exists(poses, i)) return matrix.makeScale(0, 0, 0);  // neither seen nor hit
      position.fromArray(poses, 7 * i), turn.fromArray(poses, 7 * i + 3);
      return matrix.compose(position, turn, large);
    };
    for (const { mesh, bodies, dot } of this.groups) {
      const large = dot ? scale.setScalar(dot * this.size) : one;
      bodies.forEach((body, k) => mesh.setMatrixAt(k, place(body, large)));
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
    for (const { group, index } of this.grounds) this.#moveWith(group, poses, index);
    this.#drawContacts(contacts);
    this.#drawJoints(place);
    this.#drawSprings(poses);
    this.#drawRods(poses);
    this.#drawTrails(poses);
  }

  #moveWith(thing, poses, body) {
    thing.visible = exists(poses, body);
    if (thing.visible) thing.position.fromArray(poses, 7 * body), thing.quaternion.fromArray(poses, 7 * body + 3);
  }

  /** What the picture has to hold: the bodies that move, how far joints and springs let them, and what is not much larger. */
  #extent() {
    const { bodies, joints, springs, gravity } = this.description, { poses } = this.last, box = new THREE.Box3();
    const add = (i) => { if (exists(poses, i)) box.union(cubeOf(position.fromArray(poses, 7 * i), Math.min(bodies[i].radius, 1e9))); };
    bodies.forEach((body, i) => { if (body.kind === 'dynamic') add(i); });
    for (const joint of joints) {
      if (joint.constraint && bodies[joint.parent]?.kind === 'dynamic') continue;  // others hold it
      const { body, at } = joint;
      if (!exists(poses, body)) continue;
      const anchor = this.#pointOf(poses, body, at).clone();
      const hanging = this.#hangingOn(joint);
      if (!hanging) box.union(cubeOf(anchor, anchor.distanceTo(force.fromArray(poses, 7 * body)) + bodies[body].radius));
      for (const i of hanging ?? []) {  // down and over to the other side
        if (!exists(poses, i)) continue;
        const from = force.fromArray(poses, 7 * i).sub(anchor), down = normal.fromArray(gravity).normalize();
        box.union(cubeOf(scale.copy(anchor).addScaledVector(down, from.length()), bodies[i].radius));
        box.union(cubeOf(scale.copy(anchor).sub(from).addScaledVector(down, 2 * from.dot(down)), bodies[i].radius));
      }
    }
    for (const { curve, parent } of joints) if (exists(poses, parent)) for (const point of curve ?? []) box.expandByPoint(this.#pointOf(poses, parent, point));
    for (const { a, point_a } of springs) if (exists(poses, a)) box.expandByPoint(this.#pointOf(poses, a, point_a));
    const size = box.isEmpty() ? Infinity : box.getSize(scale).length();
    bodies.forEach((body, i) => { if (body.kind !== 'dynamic' && body.mesh !== undefined && body.radius < 1.5 * size) add(i); });
    if (box.isEmpty()) box.set(scale.set(0, 0, 0), scale);
    return box.getSize(scale).length() > 0 ? box : box.expandByScalar(1);  // one dot
  }
  /** Bodies that constraint joints hang on the world by this one alone: a chain swings as far as it is long. */
  #hangingOn(joint) {
    const { joints, bodies } = this.description, still = (i) => i < 0 || bodies[i].kind !== 'dynamic';
    if (!joint.constraint || !still(joint.parent)) return null;
    const found = new Set([joint.body]);
    for (const i of found)
      for (const other of joints) {
        if (!other.constraint || other === joint || (other.body !== i && other.parent !== i)) continue;
        if (still(other.parent)) return null;  // held in two places
        found.add(other.body === i ? other.parent : other.body);
      }
    return found;
  }
  /** A few bodies that nothing holds: the camera goes with them once they are on their way, and the ground with the camera. */
  #follow() {
    if (!exists(this.last.poses, ...this.follows)) return;
    force.copy(this.#middle()).sub(this.middle);
    const far = force.length(), room = 0.5 * this.size;
    if (far <= room) return;
    force.multiplyScalar(1 - room / far);
    for (const place of [this.middle, this.camera.position, this.controls.target, this.sun.position, this.sun.target.position]) place.add(force);
    this.#moveGrounds();
  }
  /** By whole cells of their grids, so that nobody sees it. */
  #moveGrounds() {
    for (const { group, normal: n, offset, inner, cell } of this.grounds) {
      const home = scale.copy(n).multiplyScalar(offset), back = turn.copy(group.quaternion).invert();
      const { x, y } = position.copy(this.controls.target).sub(group.position).applyQuaternion(back).sub(home).applyQuaternion(turn.copy(inner.quaternion).invert());
      inner.position.set(cell * Math.round(x / cell), cell * Math.round(y / cell), 0).applyQuaternion(inner.quaternion).add(home);
    }
  }
  #middle() {
    const sum = new THREE.Vector3();
    for (const i of this.follows) sum.add(position.fromArray(this.last.poses, 7 * i));
    return sum.divideScalar(Math.max(1, this.follows.length));
  }

  frameScene() {
    this.toFrame = false;
    const box = this.#extent(), { bodies, joints, springs } = this.description;
    const loose = bodies.map((body, i) => (body.kind === 'dynamic' ? i : -1)).filter((i) => i >= 0);
    this.follows = loose.length <= 2 && joints.length + springs.length === 0 && !this.wish.at ? loose.filter((i) => exists(this.last.poses, i)) : [];
    this.middle = this.#middle();
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const still = bodies.some(({ kind, mesh, radius }) => kind !== 'dynamic' && mesh !== undefined && radius > sphere.radius / 3);
    const few = loose.length <= 4 && joints.length + springs.length === 0 && !still;  // they go somewhere
    const roomy = !few ? 1 : loose.length > 1 && this.grounds.length === 0 ? 2.6 : 1.5;
    const size = this.size = Math.max(this.wish.size ?? roomy * sphere.radius, 1e-9), centre = this.wish.at ? new THREE.Vector3(...this.wish.at) : sphere.center;
    this.grounds.forEach(({ group }) => empty(group));
    this.#fillGrounds(size);
    for (const wire of this.wires) empty(wire.group), wire.mesh = null;  // they are as thick as the scene asks for
    const toward = new THREE.Vector3(...(this.wish.from ?? [0.75, -1, 0.5])).normalize();
    const shown = this.wish.size ? cubeOf(centre, 0.55 * size) : box;
    const away = (this.wish.size ? 1 : roomy) * this.#distance(shown, centre, toward);
    this.camera.near = away / 1000, this.camera.far = away * 100;
    this.camera.position.copy(centre).addScaledVector(toward, away);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.sun.position.copy(centre).add(new THREE.Vector3(-0.7, -1.5, 2.1).multiplyScalar(size));
    this.sun.target.position.copy(centre);
    const shadow = this.sun.shadow, reach = 1.9 * size;
    Object.assign(shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.05 * size, far: 8 * size });
    shadow.normalBias = 0.0015 * size, shadow.bias = -0.0003;
    shadow.camera.updateProjectionMatrix();
    this.scene.fog = new THREE.Fog(this.look.background, away + 2 * size, away + 9 * size);
  }

  /** How far from `centre` the camera has to be to see all of a box, with a margin. */
  #distance(box, centre, toward) {
    const tall = 0.86 * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)), wide = tall * this.camera.aspect;
    const right = new THREE.Vector3().crossVectors(up, toward).normalize(), above = new THREE.Vector3().crossVectors(toward, right);
    let away = 0;
    for (let i = 0; i < 8; ++i) {
      position.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(centre);
      away = Math.max(away, position.dot(toward) + Math.max(Math.abs(position.dot(right)) / wide, Math.abs(position.dot(above)) / tall));
    }
    return away;
  }

  #drawContacts(contacts) {
    const count = contacts.length / contactWidth, size = this.size;
    if (count > this.room) this.#addMarks(2 * count);
    let largest = 0;
    for (let i = 0; i < count; ++i) largest = Math.max(largest, Math.hypot(...contacts.subarray(contactWidth * i + 6, contactWidth * i + 9)));
    this.unit = largest > 0 ? 0.35 * size / largest : 0;
    const thick = size * Math.min(1, 8 / Math.sqrt(count));  // many arrows are thin, or they would hide each other
    for (let i = 0; i < count; ++i) {
      const at = contactWidth * i;
      position.fromArray(contacts, at), normal.fromArray(contacts, at + 3), force.fromArray(contacts, at + 6);
      this.points.setMatrixAt(i, matrix.compose(position, none, scale.setScalar(0.008 * thick)));
      const length = force.length() * this.unit, tip = Math.min(0.05 * thick, length / 2);
      turn.setFromUnitVectors(up, length > 0 ? force.normalize() : up);
      this.arrows.setMatrixAt(i, matrix.compose(position, turn, scale.set(0.009 * thick, 0.009 * thick, length - tip)));
      force.multiplyScalar(length - tip).add(position);
      this.heads.setMatrixAt(i, matrix.compose(force, turn, scale.set(0.35 * tip, 0.35 * tip, tip)));
      const along = this.#turnToGrain(contacts[at + 15], contacts[at + 16]);
      const tall = 0.08 * size, wide = Math.min(3, contacts[at + 13]) * tall;
      this.cones.setMatrixAt(i, matrix.compose(position, turn, scale.set(along * wide, wide, tall)));
    }
    for (const [mesh, shown] of [[this.points, this.show.contacts], [this.arrows, this.show.contacts], [this.heads, this.show.contacts], [this.cones, this.show.cones]]) {
      mesh.count = shown ? count : 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  /** `turn`: z to `normal` and x along the grain of two bodies' surfaces; friction that way over friction across, 1 without a grain. */
  #turnToGrain(a, b) {
    turn.setFromUnitVectors(up, normal);
    const { bodies } = this.description, grain = this.grains.get(`${bodies[a]?.surface},${bodies[b]?.surface}`);
    if (!grain) return 1;
    turn2.fromArray(this.last.poses, 7 * (grain.whose === 0 ? a : b) + 3);
    const flat = force.fromArray(grain.direction).normalize().applyQuaternion(turn2).addScaledVector(normal, -force.dot(normal));
    if (flat.length() < 1e-6) return 1;  // it stands on the surface
    flat.normalize();
    turn.setFromRotationMatrix(matrix.makeBasis(flat, scale.copy(normal).cross(flat), normal));
    return grain.along;
  }

  #drawJoints(place) {
    for (const { frame, joint } of this.frames) {
      frame.visible = this.show.joints && !this.last.broken.has(joint.index) && exists(this.last.poses, joint.body);
      frame.matrixAutoUpdate = false;
      turn2.setFromUnitVectors(up, normal.fromArray(joint.axis));
      frame.matrix.copy(place(joint.body)).multiply(matrix2.compose(force.fromArray(joint.at), turn2, scale.setScalar(Math.min(0.18 * this.size, 1.5 * this.description.bodies[joint.body].radius))));
    }
  }

  #pointOf(poses, body, local) {
    position.fromArray(local);
    if (body < 0) return position;
    return position.applyQuaternion(turn.fromArray(poses, 7 * body + 3)).add(force.fromArray(poses, 7 * body));
  }
  #drawSprings(poses) {
    const attribute = this.springs.geometry.attributes.position;
    this.description.springs.forEach((spring, i) => {
      if (!exists(poses, spring.a, spring.b)) return attribute.array.fill(0, 6 * i, 6 * i + 6);  // no length
      this.#pointOf(poses, spring.a, spring.point_a).toArray(attribute.array, 6 * i);
      this.#pointOf(poses, spring.b, spring.point_b).toArray(attribute.array, 6 * i + 3);
    });
    attribute.needsUpdate = true;
  }

  #drawTrails(poses) {
    this.trails.visible = this.show.trails;
    if (!this.show.trails) return;
    this.trail.push(poses);
    if (this.trail.length > trailLength) this.trail.shift();
    const { array } = this.trails.geometry.attributes.position;
    let at = 0;
    for (const body of this.trailBodies)
      for (let k = 1; k < this.trail.length; ++k) {
        if (!exists(this.trail[k - 1], body) || !exists(this.trail[k], body)) continue;
        for (const old of [k - 1, k])
          for (let c = 0; c < 3; ++c) array[at++] = this.trail[old][7 * body + c];
      }
    this.trails.geometry.setDrawRange(0, at / 3);
    this.trails.geometry.attributes.position.needsUpdate = true;
  }

  /** The body under the cursor: its index, the point in world and in body coordinates. */
  pick(x, y) {
    this.#aim(x, y);
    let best = null;
    for (const { mesh, bodies } of this.groups) {
      const [hit] = this.raycaster.intersectObject(mesh, false);
      if (hit && (!best || hit.distance < best.distance)) best = { distance: hit.distance, point: hit.point, body: bodies[hit.instanceId] };
    }
    if (!best) return null;
    position.fromArray(this.last.poses, 7 * best.body), turn.fromArray(this.last.poses, 7 * best.body + 3);
    const local = best.point.clone().sub(position).applyQuaternion(turn.invert());
    return { ...best, local };
  }
  /** Where the cursor is in the plane through `point` that faces the camera. */
  onPlane(x, y, point) {
    this.#aim(x, y);
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(normal), point);
    return this.raycaster.ray.intersectPlane(plane, new THREE.Vector3());
  }
  ray(x, y) {
    this.#aim(x, y);
    return this.raycaster.ray;
  }
  #aim(x, y) {
    const box = this.canvas.getBoundingClientRect();
    this.raycaster.setFromCamera(new THREE.Vector2(2 * (x - box.left) / box.width - 1, 1 - 2 * (y - box.top) / box.height), this.camera);
  }
  /** From where the body is held, which moves with it, to where it is drawn; null: no hand. */
  drawHand(hand) {
    this.hand.visible = !!hand;
    this.dirty = true;
    if (!hand) return;
    const attribute = this.hand.geometry.attributes.position;
    this.#pointOf(this.last.poses, hand.body, hand.local.toArray()).toArray(attribute.array, 0);
    hand.target.toArray(attribute.array, 3);
    attribute.needsUpdate = true;
  }
  /** Only when something has changed. */
  draw() {
    this.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
  }
}

/** What the graphics hold of a thing goes; nothing else frees it. */
function dispose(thing) {
  thing.geometry?.dispose(), thing.material?.dispose();
  if (thing.isInstancedMesh) thing.dispose();
}
function empty(group) {
  group.traverse(dispose);
  group.clear();
}
/** Whether all of these bodies, -1: the world, have places: those that came later or went have none in a recording. */
function exists(poses, ...bodies) {
  for (const body of bodies) for (let k = 7 * body; body >= 0 && k < 7 * body + 7; ++k) if (!Number.isFinite(poses[k])) return false;
  return true;
}
/** Every other quarter about z is a little darker, so that it is seen how round bodies turn. */
function drawQuarters(material) {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace('void main() {', 'varying vec2 vAcross;\nvoid main() {\n  vAcross = position.xy;');
    shader.fragmentShader = shader.fragmentShader.replace('void main() {', 'varying vec2 vAcross;\nvoid main() {')
      .replace('#include <color_fragment>', '#include <color_fragment>\n  if (vAcross.x * vAcross.y < 0.0) diffuseColor.rgb *= 0.75;');
  };
}
const cubeOf = (centre, half) => new THREE.Box3().setFromCenterAndSize(centre, new THREE.Vector3(2 * half, 2 * half, 2 * half));
const position = new THREE.Vector3(), normal = new THREE.Vector3(), force = new THREE.Vector3(), scale = new THREE.Vector3();
const one = new THREE.Vector3(1, 1, 1), none = new THREE.Quaternion(), turn = new THREE.Quaternion(), turn2 = new THREE.Quaternion();
const matrix = new THREE.Matrix4(), matrix2 = new THREE.Matrix4();
