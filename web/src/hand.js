// The mouse or a finger in the scene: picks a body and pulls it, or repels bodies, or else turns the camera.
export class Hand {
  #view; #engine; #held = null;  // the body that is held: { body, local, point, pointer, target }

  /** `page`: { isLive(): whether there is a scene that can be pulled at, repels(), pick(body): the one that was clicked, -1: none }. */
  constructor(view, engine, page) {
    this.#view = view, this.#engine = engine;
    const { canvas } = view;
    canvas.addEventListener('pointerdown', (event) => this.#press(event, page), true);
    canvas.addEventListener('pointermove', (event) => this.#move(event, page));
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, ({ pointerId }) => { if (!this.#held || this.#held.pointer === pointerId) this.letGo(); });
    canvas.addEventListener('pointerleave', () => engine.tell('stopPushing'));
  }
  get holds() { return this.#held !== null; }
  draw() { if (this.#held?.target) this.#view.drawHand(this.#held); }
  letGo() {
    this.#view.controls.enabled = true;
    if (!this.#held) return;
    this.#held = null;
    this.#engine.tell('release');
    this.#view.drawHand(null);
  }

  #press(event, page) {
    if (event.button !== 0 || this.#held || !this.#view.last) return;
    const repels = page.repels() && page.isLive();
    if (repels && event.pointerType === 'touch') this.#view.controls.enabled = false;  // one finger cannot do both
    if (repels) return;
    const hit = this.#view.pick(event.clientX, event.clientY);
    page.pick(hit?.body ?? -1);
    if (!hit || !page.isLive() || this.#view.description.bodies[hit.body].kind !== 'dynamic') return;
    this.#held = { ...hit, pointer: event.pointerId };
    this.#view.controls.enabled = false;
    this.#view.canvas.setPointerCapture(event.pointerId);
    this.#engine.tell('grip', { body: hit.body, point: hit.local.toArray() });
  }
  #move(event, page) {
    if (this.#held?.pointer === event.pointerId) {
      this.#held.target = this.#view.onPlane(event.clientX, event.clientY, this.#held.point);
      if (this.#held.target) this.#engine.tell('gripTo', { target: this.#held.target.toArray() });
    } else if (!this.#held && page.repels() && page.isLive() && this.#view.last) {
      const { origin, direction } = this.#view.ray(event.clientX, event.clientY);
      this.#engine.tell('push', { origin: origin.toArray(), direction: direction.toArray(), radius: 0.35 * this.#view.size, strength: 40 });
    }
  }
}
