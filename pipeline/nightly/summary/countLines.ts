import { existsSync } from 'node:fs';
import { openForReading } from '../../warehouse/build/openDatabase.ts';
import { readRows } from '../../warehouse/build/readRows.ts';

/** What was read of current reports, and what was not: what a new layout costs (M17.41). */
export type ReportCount = {
  /** Canonical ticker, else the CIK. */
  readonly ticker: string;
  readonly form: string;
  readonly reports: number;
  /** Documents read. */
  readonly read: number;
  readonly statements: number;
  /** Numbers refused with a reason. */
  readonly refused: number;
  /** Exhibits that are pictures or over a bound, and reports whose exhibits are not available. */
  readonly unread: number;
};

/** Counts the current reports of the warehouse known on a day, by issuer and form; null without a warehouse. */
export async function readReportCounts(path: string, day: string): Promise<readonly ReportCount[] | null> {
  if (!existsSync(path)) return null;
  const { connection, close } = await openForReading(path);
  try {
    return await readRows(
      connection,
      `WITH documents AS (
        SELECT cik, form, accession, count(*) FILTER (status = 'read') AS read, count(*) FILTER (status <> 'read') AS unread,
          bool_and(is_whole) AS is_whole
        FROM internal.report_document WHERE known_from <= $day::DATE GROUP BY ALL),
      statements AS (SELECT cik, accession, count(*) AS n FROM internal.coin_statement GROUP BY ALL),
      refused AS (SELECT cik, accession, count(*) AS n, bool_or(reason = 'exhibit_title') AS names_exhibit
        FROM internal.refused_statement GROUP BY ALL)
      SELECT coalesce(any_value(u.ticker), d.cik) AS ticker, d.form, count(*)::INTEGER AS reports, sum(d.read)::INTEGER AS read,
        coalesce(sum(s.n), 0)::INTEGER AS statements, coalesce(sum(r.n), 0)::INTEGER AS refused,
        sum(d.unread + if(NOT d.is_whole AND coalesce(r.names_exhibit, false), 1, 0))::INTEGER AS unread
      FROM documents d
      LEFT JOIN statements s USING (cik, accession) LEFT JOIN refused r USING (cik, accession)
      LEFT JOIN internal.universe_issuer u USING (cik)
      GROUP BY d.cik, d.form ORDER BY ticker, d.form`,
      { day },
    );
  } finally {
    close();
  }
}

const shownIssuers = 5;

/** The lines of the summary: one a form, then the issuers of which most was not read or refused. */
export function reportCountWords(counts: readonly ReportCount[]): readonly string[] {
  const forms = [...Map.groupBy(counts, ({ form }) => form)].map(([form, of]) => line(form, summed(of)));
  const issuers = [...Map.groupBy(counts, ({ ticker }) => ticker)]
    .map(([ticker, of]) => ({ ticker, ...summed(of) }))
    .filter(({ unread, refused }) => unread + refused > 0)
    .toSorted((a, b) => b.unread - a.unread || b.refused - a.refused || (a.ticker < b.ticker ? -1 : 1));
  return [...forms, ...issuers.slice(0, shownIssuers).map((issuer) => line(issuer.ticker, issuer))];
}

type Sum = Pick<ReportCount, 'reports' | 'read' | 'statements' | 'refused' | 'unread'>;

function summed(of: readonly ReportCount[]): Sum {
  const sum = (name: keyof Sum) => of.reduce((total, one) => total + one[name], 0);
  return {
    ...{ reports: sum('reports'), read: sum('read'), statements: sum('statements') },
    ...{ refused: sum('refused'), unread: sum('unread') },
  };
}

function line(name: string, { reports, read, statements, refused, unread }: Sum): string {
  const n = (value: number) => value.toLocaleString('en');
  return `${name.padEnd(6)} ${n(reports)} reports: ${n(read)} documents, ${n(statements)} taken, ${n(refused)} refused, ${n(unread)} unread`;
}

/** The daily row of one product, as the summary prints it. */
export type MarketLine = {
  readonly product: string;
  readonly pressure: number | null;
  readonly state: string;
  readonly funding_annualized: number | null;
  readonly basis_bps: number | null;
  readonly synthetic: boolean;
};

/** The daily market rows of a slice's date in the warehouse, the highest pressure first; empty without any. */
export async function readMarketLines(
  path: string,
  { sourceDate }: { readonly sourceDate: string },
): Promise<readonly MarketLine[]> {
  if (!existsSync(path)) return [];
  const database = await openForReading(path);
  try {
    return await readRows(
      database.connection,
      `SELECT product, p.pressure, p.state, f.funding_annualized, f.basis_bps,
        list_contains(string_split(f.flags, '|'), 'synthetic') AS synthetic
      FROM main.pressure p JOIN main.market_factors f USING (product, bucket_length, bucket_utc, method_version)
      WHERE bucket_length = '1d' AND p.source_date = $date::DATE
      ORDER BY p.pressure DESC NULLS LAST, product`,
      { date: sourceDate },
    );
  } finally {
    database.close();
  }
}

/** The market half of a night in a few lines: what has a pressure, and what has none. */
export function marketWords(lines: readonly MarketLine[]): readonly string[] {
  const known = lines.filter(({ pressure }) => pressure !== null);
  const unknown = lines.filter(({ pressure }) => pressure === null).map(nameOf);
  const made = lines.some(({ synthetic }) => synthetic) ? ['made-up observations, marked synthetic'] : [];
  return [
    ...known.map((line) =>
      [
        `${nameOf(line)} pressure ${fixed(line.pressure, 2)} ${line.state}`,
        ...(line.funding_annualized === null
          ? []
          : [`funding ${fixed(line.funding_annualized * 100, 0)} % a year`]),
        ...(line.basis_bps === null ? [] : [`basis ${fixed(line.basis_bps, 1)} bp`]),
      ].join(', '),
    ),
    ...(unknown.length === 0 ? [] : [`not enough evidence for a pressure: ${unknown.join(', ')}`]),
    ...made,
  ];
}

/** BTC-PERP-INTX as BTC. */
function nameOf({ product }: MarketLine): string {
  return product.split('-')[0] ?? product;
}

function fixed(value: number | null, digits: number): string {
  return (value ?? 0).toFixed(digits).replace(/^-(0(\.0+)?)$/, '$1');
}
