import {
  add,
  compare,
  distance,
  divide,
  exactly,
  type Fraction,
  multiply,
  one,
  subtract,
  sumOfDecimals,
  zero,
} from '../../calculators/exact/fraction.ts';
import type { FactorRow } from '../../calculators/market/factors/factorRow.ts';
import { type MarketPoint, marketPoints } from '../../calculators/market/readings/marketPoints.ts';
import { marketState } from '../../calculators/market/readings/pressureHeadline.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import { bucketLengths } from '../../data/contract/values/enums.ts';
import { fieldMapRows, latestOf, type MarketContext } from './marketContext.ts';
import { rankingRows } from './rankingRows.ts';

/** What M15.50 allows of the larger of one and the amounts that are summed: they are doubles, and so were their sums. */
const summedShare = exactly(1e-9);
/** Published values are rounded to 6 decimals, by at most half of the last. */
const rounding = exactly(0.0000005);

/** One sentence a broken law of the rows of the slice's date and of the newest ones (M15.50, M15.52). */
export function rowViolations({ facts }: MarketContext): string[] {
  return bucketLengths.flatMap((length) =>
    latestOf(facts, length).flatMap(({ of, latest, version }) => {
      const rows = new Map([...of.day, latest].map((row) => [row.start, row]));
      const constituents = version?.constituents.length ?? 0;
      return [...rows.values()].flatMap((row) => [
        ...attributionFaults(row),
        ...basketFaults(row, { constituents, parameters: facts.parameters }),
      ]);
    }),
  );
}

function attributionFaults(row: FactorRow): string[] {
  const parts = row.attribution.map(({ contribution }) => contribution);
  const returns = row.returns.rows.map(({ contribution }) => contribution ?? 0);
  const { perpReturn, trackingResidual } = row.returns;
  return [
    ...faultIf(
      row.pressureUnrounded !== null && !isSumOf(parts, row.pressureUnrounded),
      row,
      'M15.50: the parts of its pressure do not sum to it',
    ),
    ...faultIf(
      trackingResidual !== null && !isSumOf([...returns, trackingResidual], perpReturn ?? 0),
      row,
      'M15.50: contributions and residual do not sum to the return',
    ),
  ];
}

function isSumOf(parts: readonly number[], total: number): boolean {
  const scale = sumOfDecimals([...parts, total].map(Math.abs));
  const allowed = multiply(summedShare, compare(scale, one) > 0 ? scale : one);
  return compare(distance(sumOfDecimals(parts), exactly(total)), allowed) <= 0;
}

function basketFaults(
  row: FactorRow,
  { constituents, parameters }: { readonly constituents: number; readonly parameters: Parameters },
): string[] {
  const { hhi, breadth } = row.factors;
  // a row of another registry version than today's has its own number of constituents
  const members = row.returns.rows.length > 0 ? row.returns.rows.length : constituents;
  // weights may miss a sum of one by their tolerance (M8.6)
  const tolerance = exactly(parameters.perps.registry.weightTolerance);
  const squared = (sum: Fraction) => multiply(sum, sum);
  const [least, most] = [squared(subtract(one, tolerance)), squared(add(one, tolerance))];
  return [
    ...faultIf(
      hhi !== null && !isBetween(hhi, { least: members > 0 ? divide(least, exactly(members)) : zero, most }),
      row,
      'M15.52: hhi is out of its bounds',
    ),
    ...faultIf(breadth !== null && (breadth < 0 || breadth > 1), row, 'M15.52: breadth is out of its bounds'),
  ];
}

function isBetween(value: number, { least, most }: { least: Fraction; most: Fraction }): boolean {
  const exact = exactly(value);
  return compare(add(exact, rounding), least) >= 0 && compare(subtract(exact, rounding), most) <= 0;
}

/** One sentence where score, band and pressure of the rankings disagree (M15.51). */
export function rankingViolations(context: MarketContext): string[] {
  const { parameters } = context.facts;
  return bucketLengths.flatMap((length) => {
    const ranked = rankingRows(context, length).filter((row) => row.ranking_band !== 'insufficient_evidence');
    const pressures = ranked.map((row) => row.factors['pressure'] ?? null);
    return ranked.flatMap((row, i) => {
      const [pressure, before] = [pressures[i] ?? null, pressures[i - 1] ?? null];
      const falls = i === 0 || (before !== null && pressure !== null && before >= pressure);
      return falls && row.ranking_band === marketState(pressure, parameters)
        ? []
        : [
            `${row.product} ${length} ${row.observed_bucket_utc}: M15.51: its band or place is not that of its pressure`,
          ];
    });
  });
}

/** One sentence a broken law of the points of the window (M15.53, M15.54). */
export function pointViolations({ facts }: MarketContext): string[] {
  const { parameters } = facts;
  return bucketLengths.flatMap((length) =>
    latestOf(facts, length).flatMap((latest) => {
      const rows = fieldMapRows(latest);
      const points = marketPoints(rows, { parameters });
      return [
        ...points.flatMap((point) =>
          pointFaults(point).map((law) => `${latest.latest.product} ${length} ${point.date}: ${law}`),
        ),
        ...faultIf(
          !isOfThePast(rows, points, parameters),
          latest.latest,
          'M15.53: a later row changes an earlier point',
        ),
      ];
    }),
  );
}

function pointFaults(point: MarketPoint): string[] {
  const { field_pressure, stored_energy, price_echo, compression, release, E_total, R_s } = point;
  const scaled = [field_pressure, stored_energy, price_echo].every((v) => v === null || (v >= 0 && v <= 1));
  const apart = (compression ?? 0) * (release ?? 0) === 0;
  const energy = E_total === null || R_s === null || isEnergyOf(E_total, R_s);
  return [
    ...(scaled ? [] : ['M15.54: a scaled curve leaves 0 to 1']),
    ...(apart ? [] : ['M15.54: compression and release at once']),
    ...(energy ? [] : ['M15.54: the energy is below twice the reinforcement']),
  ];
}

/** E ≥ 2·|R|, each rounded by half a unit, R counted twice. */
function isEnergyOf(energy: number, reinforcement: number): boolean {
  const twice = multiply(exactly(2), exactly(Math.abs(reinforcement)));
  return compare(add(exactly(energy), multiply(exactly(3), rounding)), twice) >= 0;
}

function isOfThePast(
  rows: readonly FactorRow[],
  points: readonly MarketPoint[],
  parameters: Parameters,
): boolean {
  const shorter = marketPoints(rows.slice(0, -1), { parameters });
  return shorter.every((point, i) => JSON.stringify(point) === JSON.stringify(points[i]));
}

function faultIf(
  holds: boolean,
  row: Pick<FactorRow, 'product' | 'bucketLength' | 'sourceDate'>,
  law: string,
): string[] {
  return holds ? [`${row.product} ${row.bucketLength} ${row.sourceDate}: ${law}`] : [];
}
