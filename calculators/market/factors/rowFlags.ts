import { compareText } from '../../../data/contract/values/compareText.ts';
import type { Basket } from '../baskets/basketsOf.ts';
import type { MarketBucket } from '../marketBucket.ts';
import type { ContractFactors } from './contractFactors.ts';
import { type Factors, factorIds } from './factorRow.ts';

/** What a reader of the row must know: missing inputs, refused values, a short history, a doubtful basket (M8.4d). */
export function rowFlags({
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
