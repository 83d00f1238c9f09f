import type { StoredRows } from './artifactStore.ts';
import { type IssuerIndex, issuerIndex, type ListedIssuer } from './issuerIndex.ts';

/** Issuer look-up of a release, from the index columns of its companies store (I1.14–I1.18); no row is parsed. */
export function issuersOfRows(rows: StoredRows): IssuerIndex {
  const { columns } = rows.index;
  const issuers: ListedIssuer[] = [];
  for (let row = 0; row < rows.index.rows; row += 1) {
    const ticker = columns['ticker']?.[row];
    const aliases = columns['aliases']?.[row];
    issuers.push({
      cik: String(columns['cik']?.[row]),
      ticker: typeof ticker === 'string' ? ticker : null,
      name: String(columns['name']?.[row]),
      aliases: Array.isArray(aliases) ? aliases : [],
    });
  }
  return issuerIndex(issuers);
}
