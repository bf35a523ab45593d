// The mouse or a finger in the scene: picks a body and pulls it, or repels bodies, or else turns the camera. Two fingers are for the camera alone.
export class Hand {
  #view; #engine; #page; #held = null;  // the body that is held: { body, local, point, pointer, target }
  #fingers = new Set();                 // what is pressed, by number
  #pusher = null;                       // the finger that repels, since it came down alone
  isInPast = false;                     // while somebody pulls at a body of an earlier moment, which nothing can move

  /** `page`: { isLive(): whether the scene runs here, isNow(): whether its last moment is shown, repels(), pick(body): the one that was clicked, -1: none }. */
  constructor(view, engine, page) {
    this.#view = view, this.#engine = engine, this.#page = page;
    const { canvas } = view;
    canvas.addEventListener('pointerdown', (event) => this.#press(event), true);
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, ({ pointerId }) => this.#lift(pointerId));
    canvas.addEventListener('pointerleave', () => engine.tell('stopPushing'));
  }
  get holds() { return this.#held !== null; }
  draw() { if (this.#held?.target) this.#view.drawHand(this.#held); }
  letGo() {
    this.#turnsCamera(true);
    this.isInPast = false;
    if (!this.#held) return;
    this.#held = null;
    this.#engine.tell('release');
    this.#view.drawHand(null);
  }

  #turnsCamera(on) { this.#view.controls.enableRotate = this.#view.controls.enablePan = on; }
  get #repels() { return this.#page.repels() && this.#page.isLive() && this.#page.isNow(); }
  #lift(pointer) {
    this.#fingers.delete(pointer);
    if (this.#pusher === pointer) this.#pusher = null;
    if (!this.#held || this.#held.pointer === pointer) this.letGo();
  }
  #press(event) {
    if (event.button !== 0) return;
    if (event.isPrimary) this.#fingers.clear();
    this.#fingers.add(event.pointerId);
    if (this.#fingers.size > 1) return this.#pusher = null, this.letGo(), this.#engine.tell('stopPushing');
    if (this.#held || !this.#view.last) return;
    if (this.#repels) {
      if (event.pointerType === 'touch') this.#pusher = event.pointerId, this.#turnsCamera(false);  // one finger cannot do both
      return;
    }
    const hit = this.#view.pick(event.clientX, event.clientY);
    this.#page.pick(hit?.body ?? -1);
    if (!hit || !this.#page.isLive() || this.#view.description.bodies[hit.body].kind !== 'dynamic') return;
    if (!this.#page.isNow()) return void (this.isInPast = true);
    this.#held = { ...hit, pointer: event.pointerId };
    this.#turnsCamera(false);
    this.#view.canvas.setPointerCapture(event.pointerId);
    this.#engine.tell('grip', { body: hit.body, point: hit.local.toArray() });
  }
  #move(event) {
    if (this.#held?.pointer === event.pointerId) {
      this.#held.target = this.#view.onPlane(event.clientX, event.clientY, this.#held.point);
      if (this.#held.target) this.#engine.tell('gripTo', { target: this.#held.target.toArray() });
    } else if (!this.#held && this.#fingers.size < 2 && this.#repels && this.#view.last && (event.pointerType !== 'touch' || event.pointerId === this.#pusher)) {
      const { origin, direction } = this.#view.ray(event.clientX, event.clientY);
      this.#engine.tell('push', { origin: origin.toArray(), direction: direction.toArray(), radius: 0.35 * this.#view.size, strength: 40 });
    }
  }
}
