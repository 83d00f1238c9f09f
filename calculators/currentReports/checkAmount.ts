import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { absolute } from '../exact/decimals.ts';
import { halfOfLastDigit } from './chainStocks.ts';
import type { Statement } from './statement.ts';

/** Lowest and highest close of a coin over the days of a statement; null where there is none. */
export type CloseRange = { readonly low: ExactDecimal; readonly high: ExactDecimal } | null;

const beside = ExactDecimal.parse('0.15');
const one = ExactDecimal.parse('1');
const agreement = ExactDecimal.parse('0.01');

/**
 * A purchase or sale whose amount fits its coins; one that does not keeps its coins and loses the amount (M17.22).
 * Catches millions read as units.
 */
export function checkAmount(statement: Statement, closes: CloseRange): Statement {
  const { kind, units, usd, avgPrice } = statement;
  if ((kind !== 'purchase' && kind !== 'sale') || units === null || units.sign <= 0) return statement;
  const fitsCloses = (amount: ExactDecimal, count: ExactDecimal) => {
    if (closes === null) return true;
    const lowest = closes.low.times(one.minus(beside)).times(count);
    const highest = closes.high.times(one.plus(beside)).times(count);
    // an amount in tenths of a million says little of three coins
    const rounding = count.equals(one) ? ExactDecimal.zero : halfOfLastDigit(amount);
    return amount.plus(rounding).compare(lowest) >= 0 && amount.minus(rounding).compare(highest) <= 0;
  };
  const fits =
    (usd === null || fitsCloses(usd, units)) &&
    (avgPrice === null || fitsCloses(avgPrice, one)) &&
    (usd === null || avgPrice === null || agree(usd, avgPrice.times(units)));
  return fits
    ? statement
    : { ...statement, usd: null, avgPrice: null, notes: [...statement.notes, 'price_mismatch'] };
}

/** Equal within 1 %, or within the rounding of the printed amount. */
function agree(usd: ExactDecimal, product: ExactDecimal): boolean {
  const distance = absolute(usd.minus(product));
  return distance.compare(usd.times(agreement)) <= 0 || distance.compare(halfOfLastDigit(usd)) <= 0;
}
