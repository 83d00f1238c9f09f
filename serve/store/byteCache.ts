/** Least-recently-used cache bounded by the bytes its entries account for. */
export type ByteCache<V> = {
  get(key: string): V | undefined;
  /** Keeps a value; one larger than the whole cache is not kept. */
  set(key: string, value: V, bytes: number): void;
  readonly bytes: number;
};

/** Makes an empty cache of at most `maxBytes`. */
export function byteCache<V>(maxBytes: number): ByteCache<V> {
  // insertion order of a Map is the order of use, oldest first
  const entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  let bytes = 0;
  const drop = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get bytes() {
      return bytes;
    },
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size) {
      drop(key);
      if (size > maxBytes) return;
      entries.set(key, { value, bytes: size });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
