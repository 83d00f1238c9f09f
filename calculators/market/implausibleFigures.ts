import type { CloseBounds } from '../prices/implausibleCloses.ts';

/** Figures that a venue states of one contract at one time; null where it does not say. */
export type VenueFigures = {
  readonly mark: number | null;
  readonly indexPrice: number | null;
  readonly last: number | null;
  readonly openInterest: number | null;
  readonly fundingRate: number | null;
};

/** Prices of one contract at one time are no further apart (M8.20). */
export const mostTimesApart = 3;

/**
 * Why figures of a venue cannot be of one contract at one time; null where they can (M8.20). A price of zero is how venues
 * write that there is none (M8.2a).
 */
export function implausibleFigures(
  figures: VenueFigures,
  { floor, ceiling }: Pick<CloseBounds, 'floor' | 'ceiling'>,
): string | null {
  const { mark, indexPrice, last, openInterest, fundingRate } = figures;
  const prices = [
    { name: 'mark', value: mark },
    { name: 'index', value: indexPrice },
    { name: 'last price', value: last },
  ].flatMap(({ name, value }) => (value === null || value === 0 ? [] : [{ name, value }]));
  for (const { name, value } of prices) {
    // written so that what is no number is outside
    if (!(value >= floor && value <= ceiling))
      return `${name} ${value} is not between ${floor} and ${ceiling}`;
  }
  // the index comes from other venues, so that it speaks against this one's own prices
  const measure = prices.find(({ name }) => name === 'index') ?? prices[0];
  for (const { name, value } of prices) {
    const ratio = measure === undefined ? 1 : value / measure.value;
    if (measure === undefined || Math.max(ratio, 1 / ratio) <= mostTimesApart) continue;
    const times = Number(ratio.toPrecision(3));
    return `${name} ${value} is ${times} times the ${measure.name} ${measure.value}`;
  }
  if (openInterest !== null && !(openInterest >= 0 && openInterest < Number.POSITIVE_INFINITY))
    return `open interest ${openInterest} is no number of coins`;
  if (fundingRate !== null && !(Math.abs(fundingRate) <= 1))
    return `funding rate ${fundingRate} is more than the whole position`;
  return null;
}
