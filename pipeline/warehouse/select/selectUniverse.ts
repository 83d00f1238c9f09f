import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../../calculators/filing/rows.ts';
import { issuerTypes } from '../../../data/contract/values/enums.ts';
import { readRows } from '../build/readRows.ts';

/** Selects the universe the build was made with, in its order. */
export async function selectUniverse(connection: DuckDBConnection): Promise<Issuer[]> {
  const rows = await readRows(
    connection,
    `SELECT cik, ticker, entity_name, aliases, exchange, issuer_type, issuer_class, primary_asset, sic
    FROM universe_issuer LEFT JOIN (SELECT cik, min(sic) AS sic FROM submission_entity GROUP BY cik) USING (cik)
    ORDER BY position`,
  );
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return rows.map((row) => ({
    cik: String(row['cik']),
    ticker: text(row['ticker']),
    entityName: String(row['entity_name']),
    aliases: (row['aliases'] as string[]).map(String),
    exchange: text(row['exchange']),
    issuerType: issuerTypes.find((type) => type === row['issuer_type']) ?? 'unresolved_identifier',
    issuerClass: text(row['issuer_class']),
    primaryAsset: text(row['primary_asset']),
    sic: text(row['sic']),
  }));
}
