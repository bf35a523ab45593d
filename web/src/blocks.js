// Blocks of frames that were read from a recording: those used last are kept, as many as there is room for. Where frames are large, few of them make a block.
const mostFrames = 32, mostBytes = 1 << 22;  // of a block

/** How many frames make a block, if each takes so many bytes at most. */
export const framesOfBlock = (bytes) => Math.max(1, Math.min(mostFrames, Math.floor(mostBytes / bytes)));

export class Blocks {
  #most; #kept = new Map(); #size = 0;  // by number, the one used last at the end

  constructor(most = 96 << 20) { this.#most = most; }
  get size() { return this.#size; }  // [bytes]
  /** Those that are so are read again when they are asked for again. */
  drop(isSo) {
    for (const [number, block] of this.#kept) if (isSo(block)) this.#kept.delete(number), this.#size -= block.bytes;
  }
  /** The block of this number, { bytes, ... }, which is read if it is not there. */
  take(number, read) {
    const block = this.#kept.get(number) ?? read();
    if (!this.#kept.delete(number)) this.#size += block.bytes;
    this.#kept.set(number, block);
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#size <= this.#most || oldest === number) break;
      this.#kept.delete(oldest), this.#size -= bytes;
    }
    return block;
  }
}
