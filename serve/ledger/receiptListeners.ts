/** Who waits to hear that a receipt may have moved (P8.34). */
export type ReceiptListeners = {
  add(listener: (receiptId: string) => void): () => void;
  tell(receiptId: string): void;
};

/** An empty {@link ReceiptListeners}. */
export function receiptListeners(): ReceiptListeners {
  const listeners = new Set<(receiptId: string) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (receiptId) => {
      for (const listener of listeners) listener(receiptId);
    },
  };
}
