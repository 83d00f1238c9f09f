import type { Parameters } from '../parameters/parameters.ts';
import { difference, fellBy } from './publishedDecimal.ts';
import { rollingMinMax } from './rollingMinMax.ts';

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
