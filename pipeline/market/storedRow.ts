import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';

/** Version of the rules the factor rows follow (M8); a row of another version stays beside its own (M10.4). */
export const factorMethod = 'mcore-1.0';

/** The row as the warehouse keeps it: whole, numbers exact, members in the order of the type. */
export function storedRow(row: FactorRow): string {
  return JSON.stringify(row);
}

/** The row that {@link storedRow} wrote. */
export function rowOfStored(payload: string): FactorRow {
  return JSON.parse(payload) as FactorRow;
}
