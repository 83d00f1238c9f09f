import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer, IssuerInputs } from '../../calculators/rows.ts';
import { dropVintages, selectVintages } from './selectVintages.ts';
import { openVintageInputs } from './vintageInputs.ts';

/**
 * Selects, for every issuer that has one, the filing in force on `sourceDate` with its facts and the contents of its
 * files where they are at hand (M1.39, M1.44, M10.3).
 *
 * Only facts filed and filings accepted on or before `sourceDate` are seen (M10.2). Issuers without an eligible
 * filing are left out; the order is that of `issuers`.
 */
export async function selectIssuerInputs(
  connection: DuckDBConnection,
  o: { readonly sourceDate: string; readonly issuers: readonly Issuer[] },
): Promise<IssuerInputs[]> {
  const { sourceDate } = o;
  const ciks = o.issuers.map((issuer) => issuer.cik);
  const vintages = await selectVintages(connection, { from: sourceDate, to: sourceDate, ciks });
  const opened = await openVintageInputs(connection, vintages);
  const contents = await opened.read(new Set());
  await dropVintages(connection);
  const byCik = new Map(vintages.map((vintage) => [vintage.filing.cik, vintage]));
  return o.issuers.flatMap((issuer) => {
    const vintage = byCik.get(issuer.cik);
    const found = vintage === undefined ? undefined : contents.get(vintage.id);
    return vintage === undefined || found === undefined ? [] : [{ issuer, filing: vintage.filing, ...found }];
  });
}
