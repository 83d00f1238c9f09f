import type { DuckDBConnection } from '@duckdb/node-api';
import type { Issuer } from '../../../calculators/filing/rows.ts';
import { readRows } from '../build/readRows.ts';

/** Selects the universe the build was made with, in its order. */
export async function selectUniverse(connection: DuckDBConnection): Promise<Issuer[]> {
  const rows = await readRows<StoredIssuer>(
    connection,
    `SELECT cik, ticker, entity_name AS "entityName", aliases, exchange, issuer_type AS "issuerType",
      issuer_class AS "issuerClass", primary_asset AS "primaryAsset", sic, status, status_date::VARCHAR AS "on", successor,
      fiscal_year_end AS "fiscalYearEnd"
    FROM universe_issuer LEFT JOIN (SELECT cik, min(sic) AS sic FROM submission_entity GROUP BY cik) USING (cik)
    ORDER BY position`,
  );
  return rows.map(({ status, on, successor, ...issuer }) =>
    status === null ? issuer : { ...issuer, ended: { status, on, successor } },
  );
}

type Ended = NonNullable<Issuer['ended']>;
type StoredIssuer = Omit<Issuer, 'ended'> &
  Omit<Ended, 'status'> & { readonly status: Ended['status'] | null };

/** A registrant as the inputs name it. */
export type KnownRegistrant = {
  readonly cik: string;
  /** EDGAR's list of tickers first, then its archive of facts. */
  readonly name: string | null;
  readonly tickers: readonly string[];
};

/** Selects every registrant with a listed ticker or a companyfacts file, ordered by CIK. */
export async function selectRegistrants(connection: DuckDBConnection): Promise<KnownRegistrant[]> {
  return readRows(
    connection,
    `SELECT cik, coalesce(l.name, e.name) AS name, coalesce(l.tickers, []) AS tickers
     FROM (SELECT cik, min(name) AS name, list(DISTINCT ticker ORDER BY ticker) AS tickers FROM listed_ticker GROUP BY cik) l
     FULL JOIN (SELECT cik, min(entity_name) AS name FROM fact_entity GROUP BY cik) e USING (cik)
     ORDER BY cik`,
  );
}

/** Selects the tickers EDGAR lists today with their CIK; a ticker listed for two registrants means neither. */
export async function selectListedTickers(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await readRows<{ ticker: string; cik: string }>(
    connection,
    'SELECT ticker, min(cik) AS cik FROM listed_ticker GROUP BY ticker HAVING count(DISTINCT cik) = 1 ORDER BY ticker',
  );
  return new Map(rows.map(({ ticker, cik }) => [ticker, cik]));
}

/** Companies of the companyfacts archive whose facts an open warehouse holds. */
export async function countCompanies(connection: DuckDBConnection): Promise<number> {
  const [row] = await readRows<{ companies: number }>(
    connection,
    'SELECT count(*)::INTEGER AS companies FROM archive_entry',
  );
  return row?.companies ?? 0;
}
