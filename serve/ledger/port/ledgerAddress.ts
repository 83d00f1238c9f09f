/** Where a deployment keeps its ledger (`II_LEDGER`, P0.6). */
export type LedgerAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgres';
      readonly connection: string;
      /** file of this machine that remembers how new the ledger was (S38) */
      readonly markPath: string;
    };

/** An address as it may be shown: no user, no password. */
export function shownAddress(address: LedgerAddress): string {
  if (address.kind === 'sqlite') return address.path;
  const { host, pathname } = new URL(address.connection);
  return `postgres://${host}${pathname}`;
}
