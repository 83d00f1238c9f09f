import { roundHalfUp } from '../../exact/decimals.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { Yardstick } from '../../standing/standings.ts';
import { breadthWithout } from '../baskets/basketFigures.ts';
import type { Basket } from '../baskets/basketsOf.ts';
import type { MarketBucket } from '../marketBucket.ts';
import { type ContractPath, type DayReturn, dayReturnOf, isAvailable } from './contractPath.ts';
import type { ConstituentReturn, FactorId, FactorRow, InputId, ZScores } from './factorRow.ts';
import { pressureOf } from './pressureOf.ts';
import { isPublishable } from './publishedFactor.ts';
import { publishedZ } from './windowScores.ts';

/** The factors a contract has by itself; those of its basket and the pressure come elsewhere. */
export type ContractFactorId = Exclude<
  FactorId,
  'breadth' | 'breadth_count' | 'hhi' | 'n_eff' | 'dispersion' | 'pressure'
>;

export type ContractFactors = {
  /** Unrounded; null where an input is missing. */
  readonly values: Readonly<Record<ContractFactorId, number | null>>;
  readonly volume24hUsd: number | null;
  readonly flags: readonly string[];
};

const dayMs = 86_400_000;
const [hoursOfDay, daysOfYear] = [24, 365];
/** Flag of a bucket whose last mark and last index are of different times (M8.2c). */
const apart = 'mark_index_apart';
/** Flag of a bucket whose open interest is of another time than its mark (M8.2d). */
const interestApart = 'open_interest_apart';

type Context = { readonly path: ContractPath; readonly parameters: PerpsParameters };

/** The inputs of pressure a contract has by itself, unrounded (M8.4, M8.9). */
export type ContractInputs = Pick<ContractFactors['values'], Exclude<InputId, 'breadth'>>;

/** The inputs alone: a window has thousands of buckets whose other factors are not asked for. */
export function contractInputs(bucket: MarketBucket, given: Context): ContractInputs {
  const context = contextOf(bucket, given);
  return inputsOf(bucket, measured(bucket, context), context);
}

/** A bucket that is not available looks back to none: the time of its last mark may be another than theirs (M8.2a). */
function contextOf(bucket: MarketBucket, { path, parameters }: Context): Context {
  return isAvailable(bucket)
    ? { path, parameters }
    : { path: { ...path, reaches: () => false, lookBack: () => null }, parameters };
}

/** The factors of one bucket of a contract from it and earlier available buckets (M8.4). */
export function contractFactors(bucket: MarketBucket, given: Context): ContractFactors {
  const context = contextOf(bucket, given);
  const { path, parameters } = context;
  const { windows } = parameters.perps;
  const { start, mark } = bucket;
  const from = measured(bucket, context);
  const { returns, short, long, volume } = from;
  const hasGap = (rv: number | null, days: number) => rv !== null && returns.slice(0, days).includes(null);
  return {
    values: {
      ...inputsOf(bucket, from, context),
      oi_usd: from.interest,
      rv_30d: short,
      rv_90d: long,
      momentum_7d: momentum(path, { start, mark, days: windows.shortMomentumDays }),
      amihud_30d: !path.reaches(start - windows.amihudDays * dayMs)
        ? null
        : illiquidity(
            returns.slice(0, windows.amihudDays).map((one, k) => ({
              ratio: one?.ratio ?? null,
              volume: path.volumeUsd(start - k * dayMs, hoursOfDay)?.usd ?? null,
            })),
            enough(windows.amihudDays, parameters),
          ),
      liquidation_imbalance: imbalance(bucket),
    },
    volume24hUsd: volume?.usd ?? null,
    flags: [
      ...(hasGap(short, windows.shortVolatilityDays) || hasGap(long, windows.longVolatilityDays)
        ? ['volatility_gaps']
        : []),
      ...(volume === null ? ['volume_incomplete'] : []),
      ...(volume?.fromBase ? ['notional_from_base'] : []),
    ],
  };
}

function measured({ start, mark, openInterest }: MarketBucket, { path, parameters }: Context) {
  const { windows } = parameters.perps;
  const returns = dailyReturns(path, { start, mark, days: windows.longVolatilityDays });
  const volatility = (days: number) =>
    path.reaches(start - days * dayMs)
      ? annualVolatility(returns, { days, least: enough(days, parameters) })
      : null;
  return {
    returns,
    short: volatility(windows.shortVolatilityDays),
    long: volatility(windows.longVolatilityDays),
    volume: path.volumeUsd(start, windows.turnoverHours),
    interest: openInterest === null || mark === null ? null : openInterest * mark,
  };
}

function inputsOf(
  bucket: MarketBucket,
  { short, long, volume, interest }: ReturnType<typeof measured>,
  { path, parameters }: Context,
): ContractInputs {
  const { windows } = parameters.perps;
  const { start, mark, index, openInterest: contracts } = bucket;
  const then = path.lookBack(start, windows.openInterestHours);
  const isAlike = then?.flags.includes(interestApart) === bucket.flags.includes(interestApart);
  const before = isAlike ? (then?.openInterest ?? null) : null;
  return {
    funding_annualized: annualFunding(bucket),
    basis_bps:
      mark === null || index === null || bucket.flags.includes(apart)
        ? null
        : (10_000 * (mark - index)) / index,
    oi_change_24h: contracts === null || before === null ? null : contracts / before - 1,
    turnover: volume === null || interest === null ? null : volume.usd / interest,
    vol_ratio: short === null || long === null || long === 0 ? null : short / long,
    momentum_30d: momentum(path, { start, mark, days: windows.longMomentumDays }),
  };
}

/** How many daily returns a figure over these days must have (M8.4a). */
function enough(days: number, { perps }: PerpsParameters): number {
  return Math.ceil(days * perps.coverage.inputs);
}

function annualFunding({ fundingRate, fundingIntervalHours: hours }: MarketBucket): number | null {
  return fundingRate === null || hours === null ? null : fundingRate * (hoursOfDay / hours) * daysOfYear;
}

type Since = { readonly start: number; readonly mark: number | null; readonly days: number };

/** ln(P_t/P_t−n) with the look-back of M8.3. */
function momentum(path: ContractPath, { start, mark, days }: Since): number | null {
  const then = path.lookBack(start, days * hoursOfDay)?.mark ?? null;
  return mark === null || then === null ? null : Math.log(mark / then);
}

/** Returns since the mark a day before, at the bucket's time of day, newest first; null without both marks (M8.4a). */
function dailyReturns(path: ContractPath, { start, mark, days }: Since): (DayReturn | null)[] {
  const found = [dayReturnOf(mark, path.markAt(start - dayMs))];
  for (let k = 1; k < days; k += 1) found.push(path.dayReturn(start - k * dayMs));
  return found;
}

/** Sample standard deviation of the log returns there are in the days, a year of it; null with fewer than `least` (M8.4a). */
function annualVolatility(
  returns: readonly (DayReturn | null)[],
  { days, least }: { readonly days: number; readonly least: number },
): number | null {
  const logs: number[] = [];
  for (let k = 0; k < days; k += 1) {
    const one = returns[k] ?? null;
    if (one !== null) logs.push(one.log);
  }
  if (logs.length < Math.max(2, least)) return null;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  return Math.sqrt(squares / (logs.length - 1)) * Math.sqrt(daysOfYear);
}

/** mean(|simple return| / volume in millions of USD) of the days that have both and traded (M8.4a). */
function illiquidity(
  days: readonly { readonly ratio: number | null; readonly volume: number | null }[],
  least: number,
): number | null {
  const known = days.flatMap(({ ratio, volume }) =>
    ratio === null || volume === null || volume === 0 ? [] : [Math.abs(ratio - 1) / (volume / 1e6)],
  );
  if (known.length < least) return null;
  return known.reduce((sum, day) => sum + day, 0) / known.length;
}

function imbalance({ liquidationsLongUsd: long, liquidationsShortUsd: short }: MarketBucket): number | null {
  return long === null || short === null || long + short === 0 ? null : (long - short) / (long + short);
}

type Pressed = {
  readonly zScores: ZScores;
  /** P of the row, null while it may not be published. */
  readonly pressureUnrounded: number | null;
  /** What the z of breadth is measured by. */
  readonly breadthSection: Yardstick | null;
  readonly parameters: Parameters;
};

/**
 * What each constituent adds to the return of the basket, what the contract did beside it (M8.12), and how far P
 * would move without each (M8.13).
 *
 * @param perpReturn the contract's simple return over the same days; null without both marks
 */
export function constituentReturns(
  basket: Basket | null,
  input: Pressed & { readonly perpReturn: number | null },
): Pick<FactorRow, 'returns' | 'maxLeaveOneOut'> {
  const { perpReturn } = input;
  const rows = (basket?.weights.rows ?? []).map(({ constituent, weight }, i): ConstituentReturn => {
    const price = basket?.prices[i] ?? null;
    const simple = price?.return7d ?? null;
    const return7d = simple !== null && isPublishable(simple) ? simple : null;
    return {
      ticker: constituent.ticker,
      cik: constituent.cik,
      name: constituent.name,
      weight,
      return7d,
      contribution:
        basket?.members === null || weight === null || return7d === null ? null : weight * return7d,
      staleMinutes: price?.staleMinutes ?? null,
      leaveOneOut: basket === null ? null : leaveOneOut(basket, { ...input, left: i }),
    };
  });
  const contributions = rows.flatMap(({ contribution }) => (contribution === null ? [] : [contribution]));
  const isAttributed = basket !== null && basket.members !== null && perpReturn !== null;
  const bounds = rows.flatMap((row) => (row.leaveOneOut === null ? [] : [Math.abs(row.leaveOneOut)]));
  return {
    returns: {
      rows,
      perpReturn,
      trackingResidual: isAttributed ? perpReturn - contributions.reduce((sum, c) => sum + c, 0) : null,
    },
    maxLeaveOneOut: bounds.length === 0 ? null : Math.max(...bounds),
  };
}

/** P − P of the basket without one constituent: only its breadth moves, on the published yardstick (M8.13a). */
function leaveOneOut(
  { members }: Basket,
  {
    left,
    zScores,
    pressureUnrounded,
    breadthSection,
    parameters,
  }: Pressed & {
    readonly left: number;
  },
): number | null {
  if (members === null || pressureUnrounded === null || members[left]?.return7d === null) return null;
  const breadth = breadthWithout(members, left);
  if (breadth === null) return null;
  if (zScores.breadth === null || breadthSection === null) return 0;
  const without = pressureOf({
    ...zScores,
    breadth: publishedZ(roundHalfUp(breadth, 6), { section: breadthSection, parameters }),
  });
  return without.unrounded === null ? null : roundHalfUp(pressureUnrounded - without.unrounded, 6);
}
