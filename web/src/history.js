// The frames of a run that are kept: all of them at first, then every second, fourth and so on, so that a run of any length keeps its whole course, evenly;
// and always the last one.
const sizeOf = ({ poses, contacts, numbers }) => poses.length + contacts.length + 2 * numbers.length;

export class History {
  #most; #mostNumbers; #size = 0; #every = 1; #seen = 0;
  frames = [];

  /** `most`: frames; `mostNumbers`: numbers of four bytes in all of them. */
  constructor(most = 12000, mostNumbers = 4e7) { this.#most = most, this.#mostNumbers = mostNumbers; }
  clear() { this.frames = [], this.#size = 0, this.#every = 1, this.#seen = 0; }
  get last() { return this.frames.at(-1); }
  keep(frame) {
    while (this.frames.length && (this.last.place % this.#every || this.last.numbers[0] >= frame.numbers[0])) this.#size -= sizeOf(this.frames.pop());
    frame.place = this.#seen++;
    this.frames.push(frame);
    this.#size += sizeOf(frame);
    while (this.frames.length > 2 && (this.frames.length > this.#most || this.#size > this.#mostNumbers)) {
      this.#every *= 2;
      this.frames = this.frames.filter((f) => f.place % this.#every === 0 || f === frame);
      this.#size = this.frames.reduce((sum, f) => sum + sizeOf(f), 0);
    }
  }
  /** The index of the frame that is nearest to a time. */
  at(time) {
    const { frames } = this;
    let low = 0, high = frames.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (frames[middle].numbers[0] < time) low = middle + 1;
      else high = middle;
    }
    return low > 0 && time - frames[low - 1].numbers[0] < frames[low].numbers[0] - time ? low - 1 : low;
  }
}
