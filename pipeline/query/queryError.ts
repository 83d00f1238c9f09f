import type { DuckDBConnection } from '@duckdb/node-api';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** The views of the warehouse; their names are stable. */
export const warehouseViews = [
  'alpha',
  'arcs',
  'candidates',
  'changes',
  'claims',
  'coin_events',
  'coin_flows',
  'coins',
  'concepts',
  'constituents',
  'coverage',
  'cross_sections',
  'crypto_holdings',
  'daily_changes',
  'debt_resolution',
  'evidence',
  'facilities',
  'facility_history',
  'fact_vintages',
  'facts',
  'filing_documents',
  'filing_events',
  'filings',
  'fundamentals',
  'holders',
  'holdings',
  'holdings_statements',
  'instance_facts',
  'instruments',
  'issuers',
  'latest',
  'market_buckets',
  'market_factors',
  'market_observations',
  'maturities',
  'nav',
  'notes',
  'preferred',
  'presentations',
  'pressure',
  'prices',
  'record',
  'refused_statements',
  'resolution_roots',
  'roles',
  'runway',
  'scans',
  'shares',
  'stress',
] as const;

/** Table functions of a day, each with the view whose columns it has. */
export const asOfViews = [
  { name: 'facts_as_of', of: 'facts' },
  { name: 'stress_as_of', of: 'stress' },
  { name: 'units_as_of', of: 'holdings_statements' },
] as const;

const viewsHint =
  `The views are ${warehouseViews.join(', ')}, ${asOfViews.map(({ name }) => `${name}('YYYY-MM-DD')`).join(', ')}; ` +
  '`issuer query --list` says what each holds, `issuer query "describe stress"` lists columns.';

/** The column that a query names and its views lack; null for any other error. */
function unknownColumn(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const named =
    /Binder Error: (?:Referenced column|[A-Z][a-z ]+ "[^"]*" does not have a column named) "([^"]+)"/;
  return named.exec(error.message)?.[1] ?? null;
}

/** Columns of the views a text names whose last word, then any word, is the unknown name; then those spelled like it. */
export async function nearestColumns(
  connection: DuckDBConnection,
  { sql, error }: { readonly sql: string; readonly error: unknown },
): Promise<readonly string[]> {
  const column = unknownColumn(error);
  if (column === null) return [];
  const words = new Set(sql.toLowerCase().match(/[a-z_]+/g));
  const views = [
    ...warehouseViews.filter((view) => words.has(view)),
    ...asOfViews.flatMap(({ name, of }) => (words.has(name) ? [of] : [])),
  ];
  const rows = await readRows<{ name: string }>(
    connection,
    `SELECT column_name AS name FROM duckdb_columns()
    WHERE schema_name = 'main' AND list_contains(string_split($views, ' '), table_name)
    GROUP BY column_name
    ORDER BY ends_with(column_name, '_' || lower($column)) DESC,
      list_contains(string_split(column_name, '_'), lower($column)) DESC,
      jaro_winkler_similarity(column_name, lower($column)) DESC, column_name LIMIT 5`,
    { views: views.join(' '), column },
  );
  return rows.map(({ name }) => name);
}

/**
 * Turns what the database says about a query into an error with a next step; other errors come back as they are.
 *
 * @param nearest columns of the views asked whose names come next to one that is unknown
 */
export function queryError(error: unknown, nearest: readonly string[] = []): unknown {
  if (error instanceof IssuerError || !(error instanceof Error)) return error;
  const [kind = '', text = ''] =
    /^(?:Failed to [a-z ]+: )?([A-Za-z ]+) Error: ([\s\S]*)$/.exec(error.message)?.slice(1) ?? [];
  if (kind === '') return error;
  const first = (text.split('\n')[0] ?? '').trim();
  const usage = (message: string, hint: string) =>
    new IssuerError({ code: 'usage', message, hint, details: { database: error.message }, cause: error });
  const unknown =
    /^(Table|Table Function|Scalar Function|View)\b.* with name "?([^"\s]+)"? does not exist/.exec(first);
  if (kind === 'Catalog' && unknown !== null) {
    const meant = /Did you mean "(?:[a-z]+\.)*(\w+)/.exec(error.message)?.[1];
    const isView = warehouseViews.some((view) => view === meant);
    return usage(
      `The warehouse has no ${(unknown[1] ?? 'table').toLowerCase()} ${unknown[2]}.`,
      isView ? `Did you mean ${meant}? ${viewsHint}` : viewsHint,
    );
  }
  const column = unknownColumn(error);
  if (column !== null && nearest.length > 0) {
    return usage(
      `No view of this query has a column ${column}.`,
      `The nearest are ${nearest.join(', ')}; \`issuer query "describe <view>"\` lists them all.`,
    );
  }
  switch (kind) {
    case 'Parser':
    case 'Syntax':
      return usage(
        `The query is not SQL the warehouse reads: ${first}.`,
        'Quote the whole query for the shell.',
      );
    case 'Binder':
    case 'Catalog':
      return usage(`The query does not fit the warehouse: ${first}.`, viewsHint);
    case 'Permission':
      return usage(
        `The query reaches outside the warehouse: ${first}.`,
        'A query reads the views only; use --output to write a file.',
      );
    case 'Out of Memory':
      return usage(
        `The query needs more memory or spill than a question may take: ${first}.`,
        'Narrow it with WHERE or LIMIT, or ask DuckDB itself: `duckdb -readonly`.',
      );
    case 'IO':
    case 'Internal':
    case 'Fatal':
    case 'INTERRUPT':
      return error;
    default:
      return usage(`The query failed: ${first}.`, 'Check the values and types it compares.');
  }
}
