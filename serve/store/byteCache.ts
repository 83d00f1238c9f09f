/** Cache bounded by the bytes its entries account for; what was not used for longest goes first. */
export type ByteCache<V> = {
  get(key: string): V | undefined;
  /** Stores a value; one larger than the whole cache is not stored. */
  set(key: string, value: V, bytes: number): void;
  readonly bytes: number;
};

type Entry<V> = {
  readonly value: V;
  readonly bytes: number;
  /** Read since it was stored, or since it was last passed over. */
  used: boolean;
};

/**
 * Makes an empty cache of at most `maxBytes`. An entry that was used is passed over once before it is dropped (the
 * clock algorithm): a hit only marks it, where moving it to the end of the map would hash its key three times.
 */
export function byteCache<V>(maxBytes: number): ByteCache<V> {
  const entries = new Map<string, Entry<V>>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  return {
    get bytes() {
      return bytes;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entry.used = true;
      return entry.value;
    },
    set(key, value, size) {
      drop(key);
      if (size > maxBytes) return;
      // an entry put back is met again at the end of the same loop, unmarked
      for (const [known, entry] of entries) {
        if (bytes + size <= maxBytes) break;
        if (!entry.used) {
          drop(known);
          continue;
        }
        entry.used = false;
        entries.delete(known);
        entries.set(known, entry);
      }
      entries.set(key, { value, bytes: size, used: false });
      bytes += size;
    },
  };
}
