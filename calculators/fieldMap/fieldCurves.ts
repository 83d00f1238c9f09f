import { roundHalfUp } from '../exact/decimals.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { difference, fellBy, product, sumOfSquares } from './publishedDecimal.ts';

/** What the curves of one point are made from, as published; null is a value its row does not have (M9.4, M9.10). */
export type CurveInput = {
  readonly pressure: number | null;
  readonly energy: number | null;
  readonly reinforcement: number | null;
  readonly level: number | null;
};

/** The curves of one point; flags are null while their inputs are. */
export type FieldCurves = {
  readonly E_total: number | null;
  readonly R_s: number | null;
  readonly delta_L: number | null;
  readonly field_pressure: number | null;
  readonly stored_energy: number | null;
  readonly price_echo: number | null;
  readonly compression: 0 | 1 | null;
  readonly release: 0 | 1 | null;
};

/**
 * The curves of every point, oldest first, from its own and earlier rows alone (M9.4, M15.53).
 *
 * @param from the first row whose places in their windows are asked for; those before it are null
 */
export function fieldCurves(
  rows: readonly CurveInput[],
  {
    priceEchoes,
    parameters,
    from = 0,
  }: {
    /** Where the price index stands in its range, one value a row. */
    readonly priceEchoes: readonly (number | null)[];
    readonly parameters: Pick<Parameters, 'fieldMap'>;
    readonly from?: number;
  },
): FieldCurves[] {
  const { window, thresholds } = parameters.fieldMap;
  const column = (name: keyof CurveInput) => rows.map((row) => row[name]);
  const pressure = rollingMinMax(column('pressure'), { ...window, from });
  const stored = rollingMinMax(column('energy'), { ...window, from });
  return rows.map((row, i) => {
    const [now, before] = [pressure[i] ?? null, pressure[i - 1] ?? null];
    const delta = change(row.level, rows[i - 1]?.level ?? null);
    const known = now !== null && delta !== null;
    return {
      E_total: row.energy,
      R_s: row.reinforcement,
      delta_L: delta,
      field_pressure: now,
      stored_energy: stored[i] ?? null,
      price_echo: priceEchoes[i] ?? null,
      compression: known ? flag(now >= thresholds.compression && delta > 0) : null,
      release: known && before !== null ? flag(delta < 0 && fellBy(before, now, thresholds.release)) : null,
    };
  });
}

function change(now: number | null, before: number | null): number | null {
  return now === null || before === null ? null : difference(now, before);
}

function flag(holds: boolean): 0 | 1 {
  return holds ? 1 : 0;
}

/** One issuer point without its words (M9.4). */
export type FieldFigures = FieldCurves & {
  readonly date: string;
  readonly volume: null;
};

/**
 * The figures of every point (M9.4). A point depends on its own and earlier rows alone (M15.53).
 *
 * @param rows one issuer, dates ascending, one row a date
 * @param priceEchoes where the price index stands in its range, one value a row
 * @param from the first row whose places in their windows are asked for; those before it are null
 */
export function fieldPoints(
  rows: readonly FieldMapRow[],
  input: {
    readonly priceEchoes: readonly (number | null)[];
    readonly parameters: Pick<Parameters, 'fieldMap'>;
    readonly from?: number;
  },
): FieldFigures[] {
  const curves = fieldCurves(
    rows.map(({ stZ, ownZ, mpZ, stress }): CurveInput => {
      const hasBoth = ownZ !== null && mpZ !== null;
      return {
        pressure: stZ,
        energy: hasBoth ? sumOfSquares(ownZ, mpZ) : null,
        reinforcement: hasBoth ? product(ownZ, mpZ) : null,
        level: stress,
      };
    }),
    input,
  );
  return curves.map((curve, i) => ({ date: rows[i]?.date ?? '', ...curve, volume: null }));
}

type Window = { readonly points: number; readonly minPoints: number };

/**
 * Where a value stands between the least and the greatest of the last `points` points, its own included, 6 decimals
 * (M9.3); 0 where they are equal, null without a value or with fewer than `minPoints` values.
 *
 * @param from the first value whose place is asked for; those before it are null
 */
export function rollingMinMax(
  values: readonly (number | null)[],
  { from = 0, ...window }: Window & { readonly from?: number },
): (number | null)[] {
  return values.map((_, i) =>
    i < from ? null : placeOfLast(values.slice(Math.max(0, i - window.points + 1), i + 1), window),
  );
}

/** The place of the last value of one window. */
export function placeOfLast(window: readonly (number | null)[], { minPoints }: Window): number | null {
  const value = window.at(-1) ?? null;
  const known = window.filter((v) => v !== null);
  if (value === null || known.length < minPoints) return null;
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  return greatest === least ? 0 : roundHalfUp((value - least) / (greatest - least), 6);
}
