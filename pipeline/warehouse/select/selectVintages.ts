import type { DuckDBConnection } from '@duckdb/node-api';
import type { Filing } from '../../../calculators/filing/rows.ts';
import { insertRows } from '../build/insertRows.ts';
import { readRows, readSql } from '../build/readRows.ts';

/** A filing in force, and the days on which nothing a resolver looks at differs. */
export type Vintage = {
  readonly id: number;
  readonly filing: Filing;
  /** The first day, within the days asked for. */
  readonly since: string;
  /** The day after the last; null when it is in force at the end of the days asked for. */
  readonly until: string | null;
};

/**
 * Lists, by registrant and day, the filings in force from day `from` to day `to` (M1.39, M10.3). A filing is listed
 * again where a fact of the issuer that a resolver looks at was filed while it was in force (M2.6a, M1.37).
 *
 * Leaves temporary table `vintage`, which {@link selectIssuerInputs} and its kin read; `dropVintages` removes it.
 */
export async function selectVintages(
  connection: DuckDBConnection,
  { from, to, ciks }: { readonly from: string; readonly to: string; readonly ciks: readonly string[] },
): Promise<Vintage[]> {
  await askFor(connection, ciks);
  await connection.run(await readSql('supportingSeries.sql'));
  await connection.run(await readSql('issuerVintages.sql'), { first: from, last: to });
  await connection.run('DROP TABLE asked');
  // within one day nothing becomes known
  if (from < to) await connection.run(await readSql('splitVintages.sql'), { last: to });
  return readVintages(connection);
}

/** Leaves temporary table `asked` with the registrants that the statements after it are about. */
export async function askFor(connection: DuckDBConnection, ciks: Iterable<string>): Promise<void> {
  await connection.run('CREATE OR REPLACE TEMP TABLE asked (cik VARCHAR NOT NULL)');
  const rows = [...new Set(ciks)].sort().map((cik) => [cik]);
  await insertRows(connection, { table: 'asked', rows });
}

type StoredVintage = Vintage & {
  readonly filing_date_statutory: boolean | null;
  readonly passed_over: string | null;
  readonly is_pending: boolean | null;
};

/** Reads temporary table `vintage`, in its order. */
export async function readVintages(connection: DuckDBConnection): Promise<Vintage[]> {
  const rows = await readRows<StoredVintage>(
    connection,
    `SELECT vintage::INTEGER AS id, {cik: cik, accession: accession, "accessionStatus": accession_status, form: form,
        filed: filed::VARCHAR, "acceptedAt": strftime(accepted_at, '%Y-%m-%dT%H:%M:%SZ'),
        "acceptanceEstimated": acceptance_estimated, period: period::VARCHAR} AS filing,
      filing_date_statutory, passed_over, is_pending, since::VARCHAR AS since,
      nullif(until, DATE 'infinity')::VARCHAR AS until
    FROM vintage ORDER BY vintage`,
  );
  return rows.map(({ filing, filing_date_statutory, passed_over, is_pending, ...vintage }) => ({
    ...vintage,
    filing: {
      ...filing,
      ...(filing_date_statutory === true ? { filingDateStatutory: true } : {}),
      ...(passed_over === null ? {} : { passedOver: passed_over }),
      ...(is_pending === true ? { isPending: true } : {}),
    },
  }));
}

/** Removes what {@link selectVintages} left. */
export async function dropVintages(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    'DROP TABLE IF EXISTS vintage; DROP TABLE IF EXISTS supporting_series; DROP TABLE IF EXISTS late_code',
  );
}
