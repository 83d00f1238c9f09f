import type { DuckDBConnection } from '@duckdb/node-api';
import type {
  Confidence,
  DateBasis,
  Place,
  Statement,
  StatementKind,
  StatementNote,
} from '../../../calculators/currentReports/statement.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { readRows } from '../build/readRows.ts';

/** A statement as the warehouse holds it. */
export type StoredStatement = {
  readonly statement: Statement;
  /** Its place among those of its filing. */
  readonly position: number;
  readonly knownFrom: string;
};

type Row = Readonly<Record<string, unknown>>;

/** The statements known on or before a day, in the order of issuer, acceptance, filing and place; all without a day. */
export async function storedStatements(
  connection: DuckDBConnection,
  until: string | null,
): Promise<StoredStatement[]> {
  const rows = await readRows(
    connection,
    `SELECT * REPLACE (filed::VARCHAR AS filed, known_from::VARCHAR AS known_from, period_from::VARCHAR AS period_from,
        as_of::VARCHAR AS as_of, strftime(accepted_at, '%Y-%m-%dT%H:%M:%SZ') AS accepted_at,
        to_json(items)::VARCHAR AS items, to_json(notes)::VARCHAR AS notes)
    FROM coin_statement WHERE $until IS NULL OR known_from <= $until::DATE
    ORDER BY cik, coalesce(coin_statement.accepted_at, coin_statement.filed), accession, position`,
    { until },
  );
  return rows.map((row) => ({
    statement: statementOf(row),
    position: Number(row['position']),
    knownFrom: String(row['known_from']),
  }));
}

/** Names one statement of the warehouse. */
export function statementKey({
  statement,
  position,
}: Pick<StoredStatement, 'statement' | 'position'>): string {
  const { cik, accession } = statement.source;
  return `${cik}/${accession}/${position}`;
}

function statementOf(row: Row): Statement {
  const text = (name: string) => (typeof row[name] === 'string' ? row[name] : null);
  const exact = (name: string) => {
    const digits = text(name);
    return digits === null ? null : ExactDecimal.parse(digits);
  };
  const number = (name: string) => (typeof row[name] === 'number' ? row[name] : null);
  const required = (name: string) => String(row[name]);
  const accession = required('accession');
  const filed = required('filed');
  const furnished = row['furnished'];
  const place: Place = {
    ...{ accession, type: required('type'), document: required('document'), block: Number(row['block']) },
    ...{ row: number('table_row'), column: number('table_column') },
  };
  return {
    kind: required('kind') as StatementKind,
    asset: required('asset'),
    units: exact('units'),
    ...{
      periodFrom: text('period_from'),
      asOf: text('as_of'),
      usd: exact('usd'),
      avgPrice: exact('avg_price'),
      netProceeds: exact('net_proceeds'),
      capacityLeft: exact('capacity_left'),
    },
    security: text('security'),
    confidence: required('confidence') as Confidence,
    dateBasis: required('date_basis') as DateBasis,
    fromTable: row['from_table'] === true,
    isApproximate: row['is_approximate'] === true,
    furnished: typeof furnished === 'boolean' ? furnished : null,
    place,
    alsoAt: JSON.parse(required('also_at')) as Place[],
    quote: required('quote'),
    notes: JSON.parse(required('notes')) as StatementNote[],
    source: {
      ...{ cik: required('cik'), accession, form: required('form'), filed },
      items: JSON.parse(required('items')) as string[],
      acceptedAt: text('accepted_at') ?? filed,
    },
  };
}

/**
 * What the issuers of the universe had stated in current reports that were accepted on or before a day, by CIK (M17.36). A
 * later report about an earlier day is not there; an issuer without statements is absent, which is not a stock of zero.
 */
export async function selectStatements(
  connection: DuckDBConnection,
  sourceDate: string,
): Promise<ReadonlyMap<string, readonly Statement[]>> {
  const ciks = await readRows(connection, 'SELECT cik FROM universe_issuer');
  const universe = new Set(ciks.map(({ cik }) => cik));
  const marked = await readRows(
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
