import type { MarketBucket } from '../marketBucket.ts';
import { isPublishable } from './publishedFactor.ts';

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
