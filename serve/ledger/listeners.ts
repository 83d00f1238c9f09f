/** Who waits to hear that a row may have moved (P8.18, P8.34). */
export type IdListeners = {
  add(listener: (id: string) => void): () => void;
  tell(id: string): void;
};

/** An empty {@link IdListeners}. */
export function idListeners(): IdListeners {
  const listeners = new Set<(id: string) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (id) => {
      for (const listener of listeners) listener(id);
    },
  };
}
