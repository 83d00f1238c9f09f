import type { Parameters } from '../parameters/parameters.ts';
import { type CurveInput, type FieldCurves, fieldCurves } from './fieldCurves.ts';
import type { FieldMapRow } from './fieldMapRow.ts';
import { product, sumOfSquares } from './publishedDecimal.ts';

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
