import type { CalculationHistoryIndex } from '../../contract/payloads/calculationHistory.ts';
import type { Page } from './page.ts';

/** Where one calculation row lies; `end` is behind its line end. */
export type CalculationPlace = {
  readonly cik: string;
  readonly date: string;
  readonly start: number;
  readonly end: number;
};

/** Rows of a range, counted; their places are listed for one page only. */
export type CalculationSelection = {
  readonly total: number;
  /** Every stored date of the issuers in scope, ascending. */
  readonly dates: readonly string[];
  places(page: Page): CalculationPlace[];
};

type RowOfDate = { readonly issuer: number; readonly row: number };

const byDates = new WeakMap<CalculationHistoryIndex, readonly (readonly RowOfDate[])[]>();

/** Selects by the index alone, source date descending, CIK ascending (I2.54); no row is read. */
export function selectCalculations({
  index,
  cik,
  mode,
  from,
  to,
}: {
  index: CalculationHistoryIndex;
  cik: string | null;
  mode: 'compact' | 'full';
  from: string;
  to: string;
}): CalculationSelection {
  const rowsOf = rowsByDate(index).map((rows) =>
    cik === null ? rows : rows.filter(({ issuer }) => index.issuers[issuer]?.cik === cik),
  );
  const newestFirst = index.source_dates
    .map((date, position) => ({ date, rows: rowsOf[position] ?? [] }))
    .filter(({ rows }) => rows.length > 0)
    .reverse();
  const inRange = newestFirst.filter(({ date }) => date >= from && date <= to);
  return {
    total: inRange.reduce((sum, { rows }) => sum + rows.length, 0),
    dates: newestFirst.map(({ date }) => date).reverse(),
    places({ limit, offset }) {
      const places: CalculationPlace[] = [];
      let before = 0;
      for (const { date, rows } of inRange) {
        const skipped = Math.max(0, offset - before);
        for (const row of rows.slice(skipped, skipped + limit - places.length))
          places.push(placeOf(index, row, { date, mode }));
        before += rows.length;
        if (places.length === limit) break;
      }
      return places;
    },
  };
}

// of each date the compact row comes first, then the full one
function placeOf(
  index: CalculationHistoryIndex,
  { issuer, row }: RowOfDate,
  { date, mode }: { date: string; mode: 'compact' | 'full' },
): CalculationPlace {
  const { cik, offsets } = index.issuers[issuer] ?? { cik: '', offsets: [] };
  const line = 2 * row + (mode === 'full' ? 1 : 0);
  return { cik, date, start: offsets[line] ?? 0, end: offsets[line + 1] ?? 0 };
}

function rowsByDate(index: CalculationHistoryIndex): readonly (readonly RowOfDate[])[] {
  const known = byDates.get(index);
  if (known !== undefined) return known;
  const rows: RowOfDate[][] = index.source_dates.map(() => []);
  index.issuers.forEach(({ dates }, issuer) => {
    dates.forEach((position, row) => {
      rows[position]?.push({ issuer, row });
    });
  });
  byDates.set(index, rows);
  return rows;
}
