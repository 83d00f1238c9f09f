import { mostTimesApart } from '../../../calculators/market/implausibleFigures.ts';
import type { HistoryRow } from './venueHistory.ts';

/** How close in time two rows are compared. */
const nearMs = 6 * 3_600_000;

/** A row with the contract's price where it has one. */
export type Level = Pick<HistoryRow, 'at' | 'price'>;

/**
 * The row by which a page that names no contract shows to be another's; null where it may be the contract's.
 *
 * The other series of the contract decide where they speak of the page's times, by most of its rows: a true move is in
 * all of them, and one odd trade makes no other contract. Where none speaks, the row just before the page does.
 */
export function foreignRow({
  rows,
  levels,
  before,
}: {
  readonly rows: readonly Level[];
  /** Prices of the contract by time, as its other series say. */
  readonly levels: ReadonlyMap<number, number>;
  readonly before: Level | null;
}): Level | null {
  const compared = rows.filter(({ at, price }) => isPrice(price) && levels.has(at));
  if (compared.length > 0) {
    const far = compared.filter(({ at, price }) => areApart(price, levels.get(at) ?? null));
    return far.length * 2 > compared.length ? (far[0] ?? null) : null;
  }
  const [first] = rows;
  if (first === undefined || before === null || first.at - before.at > nearMs) return null;
  return areApart(first.price, before.price) ? first : null;
}

function areApart(one: number | null, other: number | null): boolean {
  return isPrice(one) && isPrice(other) && Math.max(one / other, other / one) > mostTimesApart;
}

function isPrice(price: number | null): price is number {
  return price !== null && price > 0;
}
