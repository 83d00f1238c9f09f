import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { doubleOf, quotient } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';

/** What the price check makes of a filed quantity of coins (M2.9). */
export type PriceCheck =
  | { readonly verdict: 'accept'; readonly quantity: ExactDecimal }
  /** Corrected by 10^`power`. */
  | { readonly verdict: 'scale'; readonly quantity: ExactDecimal; readonly power: number }
  | { readonly verdict: 'reject' };

type Checked = {
  readonly fairValue: ExactDecimal;
  readonly quantity: ExactDecimal;
  readonly close: number;
  readonly parameters: Parameters;
};

const scaleSteps = [-2, -1, 1, 2];

/**
 * Compares the price a quantity implies, r = (F/Q)/P, with the close: accepted within the limit, corrected when
 * it is off by thousands, rejected otherwise (M2.8, M2.9).
 */
export function priceCheck(checked: Checked): PriceCheck {
  const limit = Math.log10(1 + checked.parameters.priceCheck);
  return check(checked, (distance) => Math.abs(distance) <= limit);
}

/**
 * As {@link priceCheck}, for coins carried at cost less impairment: the value is the lowest price since purchase,
 * so the implied price lies at or below the close (M2.1; T19: r = 0.572). Half a step of thousands below it is as
 * far as a scale error can be distinguished from a fall in price.
 */
export function boundedPriceCheck(checked: Checked): PriceCheck {
  const limit = Math.log10(1 + checked.parameters.priceCheck);
  return check(checked, (distance) => distance <= limit && distance > limit - 1.5);
}

function check({ fairValue, quantity, close }: Checked, isNear: (distance: number) => boolean): PriceCheck {
  if (fairValue.sign <= 0 || quantity.sign <= 0) return { verdict: 'reject' };
  const distance = Math.log10(doubleOf(quotient(fairValue, quantity)) / close);
  if (isNear(distance)) return { verdict: 'accept', quantity };
  const step = scaleSteps.find((k) => isNear(distance - 3 * k));
  if (step === undefined) return { verdict: 'reject' };
  const power = 3 * step;
  return { verdict: 'scale', quantity: quantity.times(ExactDecimal.parse(`1e${power}`)), power };
}
