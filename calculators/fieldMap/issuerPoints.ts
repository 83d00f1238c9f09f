import type { FieldPoint } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import { currentRead, type FieldEvent } from './currentRead.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { fieldPoints } from './fieldPoints.ts';
import { pointRead } from './mapWords.ts';
import { priceEchoes } from './priceIndex.ts';

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
