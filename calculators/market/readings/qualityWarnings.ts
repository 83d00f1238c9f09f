import type { Parameters } from '../../parameters/parameters.ts';
import type { FactorRow } from '../factors/factorRow.ts';

/** What a flag of a row means to its reader; loaders may set others, which are named as they are. */
const sentences: Readonly<Record<string, string>> = {
  synthetic: 'The row rests on made-up observations.',
  mark_missing: 'The bucket has no mark price.',
  index_missing: 'The bucket has no index price: no basis, no z-scores, no pressure.',
  open_interest_missing: 'The bucket has no open interest.',
  funding_missing: 'The bucket has no funding rate.',
  volume_incomplete: 'A part of the volume of 24 hours is missing: no turnover.',
  volatility_gaps: 'Days are missing in the windows of volatility or illiquidity.',
  notional_from_base: 'Notional volume is base volume at the price of its bucket.',
  insufficient_history: 'The contract has fewer available buckets than a z-score needs.',
  registry_missing: 'No registry of constituents is in force.',
  registry_stand_in: 'The constituents are those of a published list that stands for one that is not public.',
  weights_invalid: 'The weights of the registry are not complete: nothing is attributed to constituents.',
  weights_renormalised: 'The weights of the registry were divided by their sum.',
  constituent_price_missing: 'A constituent has no close now or seven days before.',
  constituent_session_closed: 'A stock carries the close of an earlier session.',
  previous_bucket_stale: 'The available bucket before it is too old to be compared with: no deltas.',
  mark_index_apart: 'The last mark and the last index are more than 15 minutes apart: no basis.',
  open_interest_apart:
    'The last open interest and the last mark are more than 15 minutes apart: its value in USD is at another time’s price.',
  price_not_positive: 'The venue gave a price of zero or less, which counts as none.',
  open_interest_not_positive: 'The venue gave an open interest of zero or less, which counts as none.',
  funding_interval_unknown: 'How often funding is paid is not known: no rate of a year.',
  volume_usd_from_close: 'Notional volume is base volume at the close of each candle.',
  index_stale: 'The index stood still while the mark moved.',
  clock_gap: 'The clock of the venue is more than two minutes off: the time is that of the request.',
  funding_interval_changed: 'The venue changed the interval of its funding rate.',
  factor_out_of_range: 'A factor is beyond what can be published.',
  stale_factor_row: 'The latest row is older than its bucket length allows.',
};

const refused = '_invalid';

/** Flags as sentences, in their order. */
export function qualityWarnings(flags: readonly string[]): string[] {
  return flags.map((flag) => {
    const words = flag.replaceAll('_', ' ');
    const sentence = sentences[flag];
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
