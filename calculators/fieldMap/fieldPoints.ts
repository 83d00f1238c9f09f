import type { Parameters } from '../parameters/parameters.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { difference, fellBy, product, sumOfSquares } from './publishedDecimal.ts';
import { rollingMinMax } from './rollingMinMax.ts';

/** One issuer point without its words (M9.4); flags are null while their inputs are. */
export type FieldFigures = {
  readonly date: string;
  readonly E_total: number | null;
  readonly R_s: number | null;
  readonly delta_L: number | null;
  readonly field_pressure: number | null;
  readonly stored_energy: number | null;
  readonly price_echo: number | null;
  readonly compression: 0 | 1 | null;
  readonly release: 0 | 1 | null;
  readonly volume: null;
};

/**
 * The figures of every point (M9.4). A point depends on its own and earlier rows alone (M15.53).
 *
 * @param rows one issuer, dates ascending, one row a date
 * @param o.priceEchoes where the price index stands in its range, one value a row
 */
export function fieldPoints(
  rows: readonly FieldMapRow[],
  {
    priceEchoes,
    parameters,
  }: {
    readonly priceEchoes: readonly (number | null)[];
    readonly parameters: Pick<Parameters, 'fieldMap'>;
  },
): FieldFigures[] {
  const { window, thresholds } = parameters.fieldMap;
  const energy = rows.map(({ ownZ, mpZ }) =>
    ownZ === null || mpZ === null ? null : sumOfSquares(ownZ, mpZ),
  );
  const pressure = rollingMinMax(
    rows.map(({ stZ }) => stZ),
    window,
  );
  const stored = rollingMinMax(energy, window);
  return rows.map((row, i) => {
    const [now, before] = [pressure[i] ?? null, pressure[i - 1] ?? null];
    const delta = change(row.stress, rows[i - 1]?.stress ?? null);
    const known = now !== null && delta !== null;
    return {
      date: row.date,
      E_total: energy[i] ?? null,
      R_s: row.ownZ === null || row.mpZ === null ? null : product(row.ownZ, row.mpZ),
      delta_L: delta,
      field_pressure: now,
      stored_energy: stored[i] ?? null,
      price_echo: priceEchoes[i] ?? null,
      compression: known ? flag(now >= thresholds.compression && delta > 0) : null,
      release: known && before !== null ? flag(delta < 0 && fellBy(before, now, thresholds.release)) : null,
      volume: null,
    };
  });
}

function change(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : difference(now, before);
}

function flag(holds: boolean): 0 | 1 {
  return holds ? 1 : 0;
}
