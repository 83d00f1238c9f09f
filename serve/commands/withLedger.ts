/** Runs work on an open ledger, and closes it whatever comes of the work. */
export async function withLedger<Books extends { close(): Promise<void> }, T>(
  effects: { readonly openLedger: () => Promise<Books> },
  work: (ledger: Books) => Promise<T>,
): Promise<T> {
  const ledger = await effects.openLedger();
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}
