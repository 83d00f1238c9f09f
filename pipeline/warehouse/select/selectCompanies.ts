import type { DuckDBConnection } from '@duckdb/node-api';
import { endedStatuses, type Issuer } from '../../../calculators/filing/rows.ts';
import { issuerTypes } from '../../../data/contract/values/enums.ts';
import { readRows } from '../build/readRows.ts';

/** Selects the universe the build was made with, in its order. */
export async function selectUniverse(connection: DuckDBConnection): Promise<Issuer[]> {
  const rows = await readRows(
    connection,
    `SELECT cik, ticker, entity_name, aliases, exchange, issuer_type, issuer_class, primary_asset, sic,
      status, status_date::VARCHAR AS status_date, successor, fiscal_year_end
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
    ...endedOf(row),
    fiscalYearEnd: text(row['fiscal_year_end']),
  }));
}

function endedOf(row: Readonly<Record<string, unknown>>): Pick<Issuer, 'ended'> {
  const status = endedStatuses.find((one) => one === row['status']);
  if (status === undefined) return {};
  const successor = typeof row['successor'] === 'string' ? row['successor'] : null;
  return { ended: { status, on: String(row['status_date']), successor } };
}

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

/** Selects the tickers EDGAR lists today with their CIK; a ticker listed for two registrants means neither. */
export async function selectListedTickers(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await readRows(
    connection,
    'SELECT ticker, min(cik) AS cik FROM listed_ticker GROUP BY ticker HAVING count(DISTINCT cik) = 1 ORDER BY ticker',
  );
  return new Map(rows.map((row) => [String(row['ticker']), String(row['cik'])]));
}

/** Companies of the companyfacts archive whose facts an open warehouse holds. */
export async function countCompanies(connection: DuckDBConnection): Promise<number> {
  const [row] = await readRows(connection, 'SELECT count(*) AS companies FROM archive_entry');
  return Number(row?.['companies']);
}
