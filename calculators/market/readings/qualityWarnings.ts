import { marketFlagMeanings } from '../../../data/contract/meanings/noteMeanings.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import type { FactorRow } from '../factors/factorRow.ts';

const refused = '_invalid';

/** Flags as sentences, in their order. */
export function qualityWarnings(flags: readonly string[]): string[] {
  return flags.map((flag) => {
    const words = flag.replaceAll('_', ' ');
    const sentence = marketFlagMeanings[flag];
    if (sentence !== undefined) return sentence;
    return flag.endsWith(refused)
      ? `The venue gave a value that cannot be: ${words.slice(0, -refused.length)}.`
      : `The observations are marked: ${words}.`;
  });
}

export type LatestQuality = {
  readonly status: 'ok' | 'partial' | 'stale';
  /** Minutes from the end of the bucket to the end of the slice's date. */
  readonly rowAgeMinutes: number;
  readonly historyRows: number;
  readonly flags: readonly string[];
};

/**
 * The quality of a row as the latest of a slice: stale when its bucket ended longer ago than its length allows (M8.7).
 *
 * @param at end of the slice's date, epoch milliseconds
 */
export function latestQuality(
  { start, bucketLength, quality }: Pick<FactorRow, 'start' | 'bucketLength' | 'quality'>,
  { at, parameters: { perps } }: { readonly at: number; readonly parameters: Parameters },
): LatestQuality {
  const { minutes, staleHours } = perps.buckets[bucketLength];
  const rowAgeMinutes = (at - start) / 60_000 - minutes;
  const isStale = rowAgeMinutes > staleHours * 60;
  return {
    status: isStale ? 'stale' : quality.status,
    rowAgeMinutes,
    historyRows: quality.historyRows,
    flags: isStale ? [...quality.flags, 'stale_factor_row'] : quality.flags,
  };
}
