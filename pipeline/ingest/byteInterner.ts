const empty = -1;
const maxStrings = 2_000_000;

/**
 * Gives every distinct (parent, byte string) a code, counted from 0, without making a string of bytes seen before.
 *
 * `stamp` marks a code as seen in the current file, which is how a repeated key shows.
 */
export class ByteInterner {
  private slots = new Int32Array(1024).fill(empty);
  private hashes = new Int32Array(512);
  private parents = new Int32Array(512);
  private starts = new Int32Array(513);
  private stamps = new Int32Array(512);
  private arena = Buffer.allocUnsafeSlow(16_384);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** True once so many strings are held that a further file could only exhaust memory. */
  get full(): boolean {
    return this.count >= maxStrings;
  }

  /** Code of the bytes `from`..`to` of `bytes` under `parent`. */
  code(bytes: Uint8Array, from: number, to: number, parent: number): number {
    let hash = (parent + 1) * 0x9e3779b1;
    for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const code = this.slots[slot] as number;
      if (code === empty) return this.add({ bytes, from, to, parent, hash, slot });
      if (this.hashes[code] === hash && this.parents[code] === parent && this.same(code, bytes, from, to))
        return code;
      slot = (slot + 1) & mask;
    }
  }

  /** Marks `code` with `serial`; returns false when it already carries that mark. */
  stamp(code: number, serial: number): boolean {
    if (this.stamps[code] === serial) return false;
    this.stamps[code] = serial;
    return true;
  }

  /** The string behind `code`. */
  text(code: number): string {
    return this.arena.toString('utf8', this.starts[code] as number, this.starts[code + 1] as number);
  }

  parent(code: number): number {
    return this.parents[code] as number;
  }

  private same(code: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = this.starts[code] as number;
    const length = to - from;
    if ((this.starts[code + 1] as number) - start !== length) return false;
    const arena = this.arena;
    for (let i = 0; i < length; i += 1) if (arena[start + i] !== bytes[from + i]) return false;
    return true;
  }

  private add({
    bytes,
    from,
    to,
    parent,
    hash,
    slot,
  }: {
    bytes: Uint8Array;
    from: number;
    to: number;
    parent: number;
    hash: number;
    slot: number;
  }): number {
    const code = this.count;
    if (code === this.hashes.length) this.growColumns();
    const start = this.starts[code] as number;
    const end = start + (to - from);
    if (end > this.arena.length) this.growArena(end);
    this.arena.set(bytes.subarray(from, to), start);
    this.starts[code + 1] = end;
    this.hashes[code] = hash;
    this.parents[code] = parent;
    this.slots[slot] = code;
    this.count = code + 1;
    if (this.count * 2 > this.slots.length) this.growSlots();
    return code;
  }

  private growColumns(): void {
    const grown = (old: Int32Array, length: number) => {
      const next = new Int32Array(length);
      next.set(old);
      return next;
    };
    const length = this.hashes.length * 2;
    this.hashes = grown(this.hashes, length);
    this.parents = grown(this.parents, length);
    this.stamps = grown(this.stamps, length);
    this.starts = grown(this.starts, length + 1);
  }

  private growArena(needed: number): void {
    const next = Buffer.allocUnsafeSlow(Math.max(needed, this.arena.length * 2));
    this.arena.copy(next);
    this.arena = next;
  }

  private growSlots(): void {
    const slots = new Int32Array(this.slots.length * 2).fill(empty);
    const mask = slots.length - 1;
    for (let code = 0; code < this.count; code += 1) {
      let slot = (this.hashes[code] as number) & mask;
      while (slots[slot] !== empty) slot = (slot + 1) & mask;
      slots[slot] = code;
    }
    this.slots = slots;
  }
}
