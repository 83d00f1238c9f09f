import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { quotient, toDouble } from '../fraction.ts';
import type { Parameters } from '../parameters.ts';

/** What the price check makes of a filed quantity of coins (M2.9). */
export type PriceCheck =
  | { readonly verdict: 'accept' | 'scale'; readonly quantity: ExactDecimal }
  | { readonly verdict: 'reject' };

const scaleSteps = [-2, -1, 1, 2];

/**
 * Compares the price a quantity implies, r = (F/Q)/P, with the close: accepted within the limit, corrected when
 * it is off by thousands, rejected otherwise (M2.8, M2.9).
 */
export function priceCheck(o: {
  fairValue: ExactDecimal;
  quantity: ExactDecimal;
  close: number;
  parameters: Parameters;
}): PriceCheck {
  if (o.fairValue.sign <= 0 || o.quantity.sign <= 0) return { verdict: 'reject' };
  const ratio = toDouble(quotient(o.fairValue, o.quantity)) / o.close;
  const limit = Math.log10(1 + o.parameters.priceCheck);
  const distance = Math.log10(ratio);
  if (Math.abs(distance) <= limit) return { verdict: 'accept', quantity: o.quantity };
  const step = scaleSteps.find((k) => Math.abs(distance - 3 * k) <= limit);
  if (step === undefined) return { verdict: 'reject' };
  return { verdict: 'scale', quantity: o.quantity.times(ExactDecimal.parse(`1e${3 * step}`)) };
}
