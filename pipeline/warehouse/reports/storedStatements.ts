import type { DuckDBConnection } from '@duckdb/node-api';
import type { Statement } from '../../../calculators/currentReports/statement.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { readRows } from '../build/readRows.ts';

/** A statement as the warehouse holds it. */
export type StoredStatement = {
  readonly statement: Statement;
  /** Its place among those of its filing. */
  readonly position: number;
  readonly knownFrom: string;
};

/** As stored: amounts are filed digits, other places are JSON. */
type Row = Omit<Statement, Amount | 'alsoAt'> & { readonly [amount in Amount]: string | null } & {
  readonly alsoAt: string;
  readonly position: number;
  readonly knownFrom: string;
};
type Amount = 'units' | 'usd' | 'avgPrice' | 'netProceeds' | 'capacityLeft';

/** The statements known on or before a day, in the order of issuer, acceptance, filing and place; all without a day. */
export async function storedStatements(
  connection: DuckDBConnection,
  until: string | null,
): Promise<StoredStatement[]> {
  const rows = await readRows<Row>(
    connection,
    `SELECT kind, asset, units, period_from::VARCHAR AS "periodFrom", as_of::VARCHAR AS "asOf", usd, avg_price AS "avgPrice",
      net_proceeds AS "netProceeds", capacity_left AS "capacityLeft", security, confidence, date_basis AS "dateBasis",
      from_table AS "fromTable", is_approximate AS "isApproximate", furnished,
      {accession: accession, type: type, document: document, block: block, "row": table_row, "column": table_column} AS place,
      also_at AS "alsoAt", quote, notes,
      {cik: cik, accession: accession, form: form, filed: filed::VARCHAR, items: items,
        "acceptedAt": coalesce(strftime(accepted_at, '%Y-%m-%dT%H:%M:%SZ'), filed::VARCHAR)} AS source,
      position, known_from::VARCHAR AS "knownFrom"
    FROM coin_statement WHERE $until IS NULL OR known_from <= $until::DATE
    ORDER BY cik, coalesce(accepted_at, filed), accession, position`,
    { until },
  );
  const exact = (digits: string | null) => (digits === null ? null : ExactDecimal.parse(digits));
  return rows.map(
    ({ position, knownFrom, units, usd, avgPrice, netProceeds, capacityLeft, alsoAt, ...row }) => ({
      statement: {
        ...row,
        ...{ units: exact(units), usd: exact(usd), avgPrice: exact(avgPrice) },
        ...{ netProceeds: exact(netProceeds), capacityLeft: exact(capacityLeft) },
        alsoAt: JSON.parse(alsoAt),
      },
      position,
      knownFrom,
    }),
  );
}

/** Names one statement of the warehouse. */
export function statementKey({
  statement,
  position,
}: Pick<StoredStatement, 'statement' | 'position'>): string {
  const { cik, accession } = statement.source;
  return `${cik}/${accession}/${position}`;
}

/**
 * What the issuers of the universe had stated in current reports that were accepted on or before a day, by CIK (M17.36). A
 * later report about an earlier day is not there; an issuer without statements is absent, which is not a stock of zero.
 */
export async function selectStatements(
  connection: DuckDBConnection,
  sourceDate: string,
): Promise<ReadonlyMap<string, readonly Statement[]>> {
  const ciks = await readRows<{ cik: string }>(connection, 'SELECT cik FROM universe_issuer');
  const universe = new Set(ciks.map(({ cik }) => cik));
  const marked = await readRows<{ key: string }>(
    connection,
    "SELECT concat(cik, '/', accession, '/', position) AS key FROM amount_mismatch",
  );
  const mismatched = new Set(marked.map(({ key }) => key));
  const known = await storedStatements(connection, sourceDate);
  const statements = known.flatMap((stored): Statement[] => {
    if (!universe.has(stored.statement.source.cik)) return [];
    if (!mismatched.has(statementKey(stored))) return [stored.statement];
    const notes = [...stored.statement.notes, 'price_mismatch' as const];
    return [{ ...stored.statement, usd: null, avgPrice: null, notes }];
  });
  return Map.groupBy(statements, ({ source }) => source.cik);
}
