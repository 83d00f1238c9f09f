import type { DuckDBConnection } from '@duckdb/node-api';
import { readRows } from '../build/readRows.ts';

/** A registrant as the inputs name it. */
export type KnownRegistrant = {
  readonly cik: string;
  /** EDGAR's list of tickers first, then its archive of facts. */
  readonly name: string | null;
  readonly tickers: readonly string[];
};

/** Selects every registrant with a listed ticker or a companyfacts file, ordered by CIK. */
export async function selectRegistrants(connection: DuckDBConnection): Promise<KnownRegistrant[]> {
  const rows = await readRows(
    connection,
    `SELECT cik, coalesce(l.name, e.name) AS name, coalesce(l.tickers, []) AS tickers
     FROM (SELECT cik, min(name) AS name, list(DISTINCT ticker ORDER BY ticker) AS tickers FROM listed_ticker GROUP BY cik) l
     FULL JOIN (SELECT cik, min(entity_name) AS name FROM fact_entity GROUP BY cik) e USING (cik)
     ORDER BY cik`,
  );
  return rows.map(({ cik, name, tickers }) => ({
    cik: String(cik),
    name: typeof name === 'string' ? name : null,
    tickers: (tickers as unknown[]).map(String),
  }));
}
