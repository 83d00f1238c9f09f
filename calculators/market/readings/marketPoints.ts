import type { FieldRead } from '../../../data/contract/values/enums.ts';
import { roundHalfUp } from '../../exact/decimals.ts';
import { readOfCurves } from '../../fieldMap/currentRead.ts';
import { type CurveInput, type FieldCurves, fieldCurves, rollingMinMax } from '../../fieldMap/fieldCurves.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { type FactorRow, type Factors, inputIds } from '../factors/factorRow.ts';
import { type PublishedInputs, publishedInputs } from '../factors/publishedFactor.ts';

/** One point of a market field map (M9.10) and the row it is of. */
export type MarketPoint = FieldCurves & {
  readonly start: number;
  readonly date: string;
  readonly current_read: FieldRead;
  /** Notional of the 24 hours that end with the bucket, whole USD. */
  readonly volume: number | null;
  readonly factors: Factors;
  /** What the point is made from and the row has. */
  readonly source_fields_used: readonly string[];
  readonly market_inputs: PublishedInputs;
  readonly quality: FactorRow['quality'];
};

const noCurves: FieldCurves = {
  E_total: null,
  R_s: null,
  delta_L: null,
  field_pressure: null,
  stored_energy: null,
  price_echo: null,
  compression: null,
  release: null,
};

/**
 * One point a row: P as pressure, carry and positioning against the market group, the log of open interest as level and
 * the index as price (M9.10). Windows count available buckets; another row has its factors and no curves (M9.10a).
 *
 * @param rows one product and length, ascending; a point needs `marketPointRows` available rows, its own among them
 */
export function marketPoints(
  rows: readonly FactorRow[],
  { parameters }: { readonly parameters: Pick<Parameters, 'fieldMap'> },
): MarketPoint[] {
  const available = rows.filter(({ isAvailable }) => isAvailable);
  const points = fieldCurves(available.map(curveInput), {
    priceEchoes: rollingMinMax(
      available.map(({ marketInputs }) => marketInputs.index),
      parameters.fieldMap.window,
    ),
    parameters,
  });
  const places = new Map(available.map((row, i) => [row.start, i]));
  return rows.map((row) => {
    const at = places.get(row.start);
    const curves = at === undefined ? undefined : points[at];
    return {
      start: row.start,
      date: row.sourceDate,
      current_read:
        at === undefined ? 'Needs Core Confirmation' : readOfCurves({ points, at, recent: 0, parameters }),
      ...(curves ?? noCurves),
      volume: row.marketInputs.volume24hUsd,
      factors: row.factors,
      source_fields_used: usedFields(row),
      market_inputs: publishedInputs(row),
      quality: row.quality,
    };
  });
}

/** How many available rows a point depends on: its window, and how the window stood some points before. */
export function marketPointRows({ fieldMap }: Pick<Parameters, 'fieldMap'>): number {
  return fieldMap.window.points + fieldMap.window.changePoints;
}

function curveInput({ pressure, groups, marketInputs }: FactorRow): CurveInput {
  const { carry, positioning, market } = groups;
  const own = carry === null || positioning === null ? null : (carry + positioning) / 2;
  const { openInterest } = marketInputs;
  return {
    pressure,
    energy: own === null || market === null ? null : roundHalfUp(own * own + market * market, 6),
    reinforcement: own === null || market === null ? null : roundHalfUp(own * market, 6),
    level: openInterest === null ? null : roundHalfUp(Math.log(openInterest), 6),
  };
}

/** Inputs with a z-score, then the observations of the level, the price and the volume. */
function usedFields({ zScores, marketInputs }: FactorRow): string[] {
  const { openInterest, index, volume24hUsd } = marketInputs;
  return [
    ...inputIds.filter((id) => zScores[id] !== null),
    ...(openInterest === null ? [] : ['open_interest']),
    ...(index === null ? [] : ['index_price']),
    ...(volume24hUsd === null ? [] : ['volume_24h_usd']),
  ];
}
