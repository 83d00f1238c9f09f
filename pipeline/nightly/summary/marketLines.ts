import { existsSync } from 'node:fs';
import { openForReading } from '../../warehouse/build/openDatabase.ts';
import { readRows } from '../../warehouse/build/readRows.ts';

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
    const rows = await readRows(
      database.connection,
      `SELECT product, p.pressure, p.state, f.funding_annualized, f.basis_bps,
        list_contains(string_split(f.flags, '|'), 'synthetic') AS synthetic
      FROM main.pressure p JOIN main.market_factors f USING (product, bucket_length, bucket_utc, method_version)
      WHERE bucket_length = '1d' AND p.source_date = $date::DATE
      ORDER BY p.pressure DESC NULLS LAST, product`,
      { date: sourceDate },
    );
    return rows as MarketLine[];
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
