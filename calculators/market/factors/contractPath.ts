import type { PerpsParameters } from '../../parameters/perpsParameters.ts';
import type { BucketLength, ContractSeries, MarketBucket } from '../marketBucket.ts';
import { isPublishable } from './publishedFactor.ts';

/** The buckets of one contract with the look-backs of its factors. */
export type ContractPath = {
  /** Every bucket that holds a price (M8.2a), ascending, with usable values only. */
  readonly buckets: readonly MarketBucket[];
  /** Positions in `buckets` of the available ones, ascending. */
  readonly available: readonly number[];
  /** True when an available bucket starts then or before. */
  reaches(start: number): boolean;
  /** Mark of the available bucket that starts exactly then. */
  markAt(start: number): number | null;
  /** Of the available bucket that starts exactly then, since the one a day before; null without both (M8.4a). */
  dayReturn(start: number): DayReturn | null;
  /** The latest available bucket with start in (t − h − 2b, t − h] (M8.3). */
  lookBack(start: number, hours: number): MarketBucket | null;
  /**
   * Notional volume of the hours that end with the bucket; null unless every bucket of them has its volume (M8.4c).
   * `fromBase` is true where a part of it is base volume at the bucket's own price.
   */
  volumeUsd(start: number, hours: number): { readonly usd: number; readonly fromBase: boolean } | null;
};

/** A mark over that of a day before, and its logarithm. */
export type DayReturn = { readonly ratio: number; readonly log: number };

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** The return from one mark to a later one; null without both. */
export function dayReturnOf(later: number | null, earlier: number | null): DayReturn | null {
  if (later === null || earlier === null) return null;
  const ratio = later / earlier;
  return { ratio, log: Math.log(ratio) };
}

/** Opens a checked series (M8.2, M8.3). Values no venue can mean are null, and so is what needs them. */
export function contractPath(
  series: ContractSeries,
  { bucketLength, parameters }: { readonly bucketLength: BucketLength; readonly parameters: PerpsParameters },
): ContractPath {
  const lengthMs = parameters.perps.buckets[bucketLength].minutes * 60_000;
  const usable = withIntervalChanges(series.buckets.map(usableBucket));
  const buckets = usable.filter((bucket) => bucket.mark !== null || bucket.last !== null);
  const oldest = buckets.find(isAvailable);
  // by number of the bucket, not by instant: small whole numbers are found several times as fast
  const byNumber = new Map(usable.map((bucket) => [bucket.start / lengthMs, bucket]));
  const returns = new Map<number, DayReturn | null>();

  function availableAt(start: number): MarketBucket | null {
    const bucket = byNumber.get(start / lengthMs);
    return bucket !== undefined && isAvailable(bucket) ? bucket : null;
  }

  function markAt(start: number): number | null {
    return availableAt(start)?.mark ?? null;
  }

  type Volume = ReturnType<ContractPath['volumeUsd']>;
  // a day's volume is part of thirty later figures
  const volumes = new Map<number, Map<number, Volume>>();

  function sumOfVolumes(start: number, hours: number): Volume {
    let usd = 0;
    let fromBase = false;
    for (let at = start; at > start - hours * hourMs; at -= lengthMs) {
      const bucket = byNumber.get(at / lengthMs);
      const notional = bucket === undefined ? null : notionalOf(bucket);
      if (notional === null) return null;
      usd += notional;
      fromBase ||= bucket?.volumeUsd === null;
    }
    return { usd, fromBase };
  }

  return {
    buckets,
    available: buckets.flatMap((bucket, i) => (isAvailable(bucket) ? [i] : [])),
    reaches: (start) => oldest !== undefined && oldest.start <= start,
    markAt,
    dayReturn(start) {
      // a day's return is part of ninety later figures
      const number = start / lengthMs;
      const known = returns.get(number);
      if (known !== undefined) return known;
      const found = dayReturnOf(markAt(start), markAt(start - dayMs));
      returns.set(number, found);
      return found;
    },
    lookBack: (start, hours) => {
      // starts are multiples of the length: the half-open span holds two of them
      const latest = Math.floor((start - hours * hourMs) / lengthMs) * lengthMs;
      return availableAt(latest) ?? availableAt(latest - lengthMs);
    },
    volumeUsd(start, hours) {
      const known = volumes.get(hours) ?? new Map<number, Volume>();
      volumes.set(hours, known);
      const number = start / lengthMs;
      if (!known.has(number)) known.set(number, sumOfVolumes(start, hours));
      return known.get(number) ?? null;
    },
  };
}

/** A mark and an index (M8.2). */
export function isAvailable({ mark, index }: Pick<MarketBucket, 'mark' | 'index'>): boolean {
  return mark !== null && index !== null;
}

function notionalOf({ volumeUsd, volumeBase, mark, last }: MarketBucket): number | null {
  if (volumeUsd !== null) return volumeUsd;
  const price = mark ?? last;
  return volumeBase === null || price === null ? null : volumeBase * price;
}

/** Flags the bucket whose funding interval is not that of the last one before it that has one. */
function withIntervalChanges(buckets: readonly MarketBucket[]): MarketBucket[] {
  let before: number | null = null;
  return buckets.map((bucket) => {
    const { fundingIntervalHours: hours, flags } = bucket;
    const isChanged = hours !== null && before !== null && hours !== before;
    before = hours ?? before;
    return isChanged && !flags.includes('funding_interval_changed')
      ? { ...bucket, flags: [...flags, 'funding_interval_changed'] }
      : bucket;
  });
}

type Measure = Exclude<keyof MarketBucket, 'start' | 'observations' | 'synthetic' | 'flags'>;

/** What a value of each measure must be; a contract that trades has open interest, so zero is a gap and no value. */
const bounds: Readonly<Record<Measure, 'positive' | 'not_negative' | 'finite'>> = {
  mark: 'positive',
  index: 'positive',
  last: 'positive',
  openInterest: 'positive',
  fundingRate: 'finite',
  fundingIntervalHours: 'positive',
  volumeBase: 'not_negative',
  volumeUsd: 'not_negative',
  liquidationsLongUsd: 'not_negative',
  liquidationsShortUsd: 'not_negative',
};

const measures = Object.keys(bounds) as Measure[];

/** The bucket without values no venue can mean: each is null and flagged `<measure>_invalid` (M8.2a). */
export function usableBucket(bucket: MarketBucket): MarketBucket {
  const invalid = measures.filter((name) => {
    const value = bucket[name];
    return value !== null && !holds(value, bounds[name]);
  });
  return {
    ...bucket,
    // −0 is 0
    ...Object.fromEntries(measures.filter((name) => bucket[name] === 0).map((name) => [name, 0])),
    ...Object.fromEntries(invalid.map((name) => [name, null])),
    flags: [...bucket.flags, ...invalid.map((name) => `${snakeCase(name)}_invalid`)],
  };
}

function holds(value: number, bound: (typeof bounds)[Measure]): boolean {
  if (!isPublishable(value)) return false;
  return bound === 'finite' || (bound === 'positive' ? value > 0 : value >= 0);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
