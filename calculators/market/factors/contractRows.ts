import { compareText } from '../../../data/contract/values/compareText.ts';
import { roundHalfUp } from '../../exact/decimals.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { type Basket, basketsOf } from '../baskets/basketsOf.ts';
import type { Closes } from '../baskets/constituentPrice.ts';
import type { Product } from '../baskets/product.ts';
import type { BucketLength, MarketBucket } from '../marketBucket.ts';
import {
  type ContractFactors,
  constituentReturns,
  contractFactors,
  contractInputs,
} from './contractFactors.ts';
import { contractPath, isAvailable } from './contractPath.ts';
import { appliedInputs, coverageOf, supportsPressure } from './coverageOf.ts';
import {
  type FactorRow,
  type Factors,
  factorIds,
  type Inputs,
  inputIds,
  type PublishedSeries,
} from './factorRow.ts';
import { pressureOf } from './pressureOf.ts';
import { factorDeltas, isPublishable, publishedFactor } from './publishedFactor.ts';
import { type WindowScores, windowScores } from './windowScores.ts';

/** The rows one contract can give, by bucket. */
export type ContractRows = {
  /** Starts of the buckets that hold a price, ascending, and whether each is available. */
  readonly starts: readonly { readonly start: number; readonly isAvailable: boolean }[];
  rowAt(start: number): FactorRow | null;
};

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const noScores = Object.fromEntries(inputIds.map((id) => [id, null])) as Inputs;

/** Every row of one contract, each from its own bucket and earlier ones (M8.2–M8.13, M15.53); fastest in order. */
export function contractRows(
  series: PublishedSeries,
  {
    product,
    closes,
    bucketLength,
    parameters,
  }: {
    readonly product: Product;
    readonly closes: Closes;
    readonly bucketLength: BucketLength;
    readonly parameters: Parameters;
  },
): ContractRows {
  const { windows, buckets: lengths } = parameters.perps;
  const lengthMs = lengths[bucketLength].minutes * 60_000;
  const path = contractPath(series, { bucketLength, parameters });
  const positions = new Map(path.buckets.map(({ start }, i) => [start, i]));
  const baskets = basketsOf({ product, closes, parameters });
  const basketOf = ({ start }: MarketBucket) => baskets({ sourceDate: dateOf(start), end: start + lengthMs });
  const inputs = new Map<number, Inputs>();
  const scoresAt = windowScores(inputsAt, { bucketLength, parameters });
  const known = new Map<number, Factors>();

  function availableAt(k: number): MarketBucket {
    const bucket = path.buckets[path.available[k] ?? -1];
    if (bucket === undefined) throw new RangeError(`there is no available bucket ${k}`);
    return bucket;
  }

  function inputsAt(k: number): Inputs {
    const found = inputs.get(k);
    if (found !== undefined) return found;
    const bucket = availableAt(k);
    const published = series.published?.get(bucket.start);
    if (published !== undefined) return published;
    const raw = {
      ...contractInputs(bucket, { path, parameters }),
      breadth: basketOf(bucket)?.figures?.breadth ?? null,
    };
    const made = Object.fromEntries(inputIds.map((id) => [id, publishedFactor(id, raw[id])])) as Inputs;
    inputs.set(k, made);
    return made;
  }

  /** How many available buckets start before an instant. */
  function availableBefore(start: number): number {
    let [low, high] = [0, path.available.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (availableAt(middle).start < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function judged(bucket: MarketBucket) {
    const k = availableBefore(bucket.start);
    const scores: WindowScores = isAvailable(bucket)
      ? scoresAt(k)
      : {
          zScores: noScores,
          historyRows: Math.min(k, lengths[bucketLength].window),
          breadthSection: null,
        };
    const basket = basketOf(bucket);
    const own = contractFactors(bucket, { path, parameters });
    const coverage = coverageOf({
      weights: basket?.weights ?? null,
      prices: basket?.prices ?? [],
      zScores: scores.zScores,
      historyRows: scores.historyRows,
      bucketLength,
      parameters,
    });
    const { groups, unrounded, attribution } = pressureOf(scores.zScores);
    const isSupported = supportsPressure(coverage) && unrounded !== null;
    const raw = { ...rawFactors(own, basket), pressure: isSupported ? unrounded : null };
    const factors = publishedFactors(raw);
    return {
      k,
      scores,
      basket,
      own,
      coverage,
      groups,
      raw,
      factors,
      pressureUnrounded: isSupported ? unrounded : null,
      attribution: isSupported ? attribution : [],
    };
  }

  function factorsOf(bucket: MarketBucket): Factors {
    const found = known.get(bucket.start) ?? judged(bucket).factors;
    known.set(bucket.start, found);
    return found;
  }

  function rowAt(start: number): FactorRow | null {
    const position = positions.get(start);
    const bucket = position === undefined ? undefined : path.buckets[position];
    if (bucket === undefined) return null;
    const before = availableBefore(start);
    const newest = before === 0 ? null : availableAt(before - 1);
    const isOld = newest !== null && start - newest.start > lengths[bucketLength].staleHours * hourMs;
    const previous = isOld || !isAvailable(bucket) ? null : newest;
    const factorsBefore = previous === null ? null : factorsOf(previous);
    const now = judged(bucket);
    known.set(start, now.factors);
    const { scores, basket, own, factors, pressureUnrounded } = now;
    // closes are of days: at another time the rest would be what the price moved since the close
    const isAttributed = isAvailable(bucket) && (start + lengthMs) % dayMs === 0;
    const then = path.lookBack(start, windows.breadthDays * 24)?.mark ?? null;
    const perpReturn = !isAttributed || bucket.mark === null || then === null ? null : bucket.mark / then - 1;
    const windowFirst = now.k + (isAvailable(bucket) ? 1 : 0) - scores.historyRows;
    const flags = rowFlags({
      bucket,
      basket,
      own,
      factors,
      raw: now.raw,
      isPreviousOld: isOld,
      historyRows: scores.historyRows,
      minBuckets: lengths[bucketLength].minBuckets,
    });
    const isWhole =
      pressureUnrounded !== null &&
      appliedInputs(basket?.weights ?? null).every((id) => scores.zScores[id] !== null);
    const sourceDate = dateOf(start);
    const { volume24hUsd } = own;
    return {
      product: product.product,
      contract: series.contract,
      bucketLength,
      start,
      previousStart: previous?.start ?? null,
      sourceDate,
      isAvailable: isAvailable(bucket),
      factors,
      deltas: factorDeltas(factors, factorsBefore),
      zScores: scores.zScores,
      quality: {
        status: isWhole ? 'ok' : 'partial',
        flags,
        historyRows: scores.historyRows,
        rowAgeMinutes: (Date.parse(`${sourceDate}T00:00:00Z`) + dayMs - start - lengthMs) / 60_000,
      },
      marketInputs: {
        ...bucket,
        volume24hUsd:
          volume24hUsd !== null && isPublishable(volume24hUsd) ? roundHalfUp(volume24hUsd, 0) : null,
      },
      lineage: {
        ...series.contract,
        registryEffectiveDate: basket?.version.effectiveDate ?? null,
        registrySource: basket?.version.source ?? null,
        registryMethod: basket?.version.method ?? null,
        weightsRenormalised: basket?.weights.isRenormalised ?? false,
        window: {
          firstStart: scores.historyRows === 0 ? null : availableAt(windowFirst).start,
          buckets: scores.historyRows,
        },
      },
      groups: now.groups,
      pressureUnrounded,
      pressure: factors.pressure,
      attribution: now.attribution,
      ...constituentReturns(basket, {
        zScores: scores.zScores,
        pressureUnrounded,
        breadthSection: scores.breadthSection,
        perpReturn: perpReturn !== null && isPublishable(perpReturn) ? perpReturn : null,
        parameters,
      }),
      coverage: now.coverage,
    };
  }

  return {
    starts: path.buckets.map((bucket) => ({ start: bucket.start, isAvailable: isAvailable(bucket) })),
    rowAt,
  };
}

function rawFactors({ values }: ContractFactors, basket: Basket | null) {
  const figures = basket?.figures ?? null;
  return {
    ...values,
    breadth: figures?.breadth ?? null,
    breadth_count: figures?.breadthCount ?? null,
    hhi: figures?.hhi ?? null,
    n_eff: figures?.nEff ?? null,
    dispersion: figures?.dispersion ?? null,
  };
}

function publishedFactors(raw: Factors): Factors {
  return Object.fromEntries(factorIds.map((id) => [id, publishedFactor(id, raw[id])])) as Factors;
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** What a reader of the row must know: missing inputs, refused values, a short history, a doubtful basket (M8.4d). */
function rowFlags({
  bucket,
  basket,
  own,
  factors,
  raw,
  isPreviousOld,
  historyRows,
  minBuckets,
}: {
  readonly bucket: MarketBucket;
  readonly basket: Basket | null;
  readonly own: ContractFactors;
  /** Published. */
  readonly factors: Factors;
  readonly raw: Factors;
  /** True where the available bucket before it is too old for a difference (M8.8b). */
  readonly isPreviousOld: boolean;
  readonly historyRows: number;
  readonly minBuckets: number;
}): string[] {
  const isSessionClosed = basket?.version.constituents.some(
    ({ kind }, i) => kind === 'stock' && (basket.prices[i]?.staleMinutes ?? 0) > 1440,
  );
  const found: readonly (readonly [string, boolean | undefined])[] = [
    ['synthetic', bucket.synthetic],
    ['mark_missing', bucket.mark === null],
    ['index_missing', bucket.index === null],
    ['open_interest_missing', bucket.openInterest === null],
    ['funding_missing', factors.funding_annualized === null],
    ['previous_bucket_stale', isPreviousOld],
    ['insufficient_history', historyRows < minBuckets],
    ['registry_missing', basket === null],
    ['registry_stand_in', basket?.version.standIn],
    ['weights_invalid', basket !== null && !basket.weights.isValid],
    ['weights_renormalised', basket?.weights.isRenormalised],
    ['constituent_price_missing', basket?.prices.some((price) => (price?.return7d ?? null) === null)],
    ['constituent_session_closed', isSessionClosed],
    ['factor_out_of_range', factorIds.some((id) => raw[id] !== null && factors[id] === null)],
  ];
  const all = [...bucket.flags, ...own.flags, ...found.flatMap(([flag, holds]) => (holds ? [flag] : []))];
  return [...new Set(all)].sort(compareText);
}
