import type { FieldPoint } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { currentRead, type FieldEvent } from './currentRead.ts';
import { fieldPoints, placeOfLast } from './fieldCurves.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { pointRead } from './mapWords.ts';

/** How many rows before its own a point depends on: its window, and how it stood some points before. */
export function fieldPointReach({ fieldMap }: Pick<Parameters, 'fieldMap'>): number {
  return fieldMap.window.points + fieldMap.window.changePoints;
}

/**
 * The points of the field map of one issuer, one a row from row `from` on (I2.59, M9.4, M9.7). A point depends on its
 * own row, the `fieldPointReach` before it, closes up to its day and filings known on its day, on nothing later (M15.53).
 *
 * @param rows one row a date, dates ascending
 */
export function issuerPoints(
  rows: readonly FieldMapRow[],
  {
    events,
    prices,
    parameters,
    from = 0,
  }: {
    readonly events: readonly FieldEvent[];
    readonly prices: PriceBook;
    readonly parameters: Pick<Parameters, 'fieldMap'>;
    readonly from?: number;
  },
): FieldPoint[] {
  const { window } = parameters.fieldMap;
  // a read looks back at the pressure of some points before its own
  const since = from - Math.max(1, window.changePoints);
  const echoes = priceEchoes(rows, { window, prices, from });
  const points = fieldPoints(rows, { parameters, priceEchoes: echoes, from: since });
  return rows.flatMap((row, at) => {
    const point = points[at];
    if (point === undefined || at < from) return [];
    const read = currentRead({ points, at, row, events, parameters });
    return { ...point, current_read: read, read: pointRead(point, parameters) };
  });
}

/**
 * Where the price index of every row stands in the range of its own window (M9.2, M9.3). The index is linked again in
 * each window: a range does not know the scale, and a point then needs no row before its window.
 *
 * @param from the first row whose place is asked for; those before it are null
 */
export function priceEchoes(
  rows: readonly FieldMapRow[],
  input: {
    readonly window: { readonly points: number; readonly minPoints: number };
    readonly prices: PriceBook;
    readonly from?: number;
  },
): (number | null)[] {
  return rows.map((_, i) => {
    if (i < (input.from ?? 0)) return null;
    const window = rows.slice(Math.max(0, i - input.window.points + 1), i + 1);
    return placeOfLast(chainedPriceIndex(window, input.prices), input.window);
  });
}

/**
 * The price index of every row (M9.2): that of the filing in force, linked where another filing comes into force, so
 * that the index moves there by prices alone. A row without a fresh close of every asset has none.
 *
 * The new basket is priced on the day of the row before; where that cannot be, the index stays as it was there.
 */
export function chainedPriceIndex(rows: readonly FieldMapRow[], prices: PriceBook): (number | null)[] {
  let link = 1;
  let before: FieldMapRow | null = null;
  let indexBefore = 1;
  const found: (number | null)[] = [];
  // a window of every point of a long history comes by here: nothing is made for a row
  for (const row of rows) {
    if (row.priceIndex === null) {
      found.push(null);
      continue;
    }
    if (before !== null && before.accession !== row.accession) {
      const then = indexOn(row, { date: before.date, prices }) ?? row.priceIndex;
      link = indexBefore / then;
    }
    indexBefore = link * row.priceIndex;
    before = row;
    found.push(indexBefore);
  }
  return found;
}

/** Σ wₐ·Pₐ/Pₐ,ref of the row's filing on an earlier day; null when a close is missing or none is known. */
function indexOn(
  row: FieldMapRow,
  { date, prices }: { readonly date: string; readonly prices: PriceBook },
): number | null {
  let sum = 0;
  for (const { asset, weight, reference } of row.basket) {
    const close = prices.close(asset, date);
    if (close === null || !(reference > 0)) return null;
    sum += (weight * close.close) / reference;
  }
  return sum > 0 ? sum : null;
}
