import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** Up to here the double nearest to `value · 10^digits` is less than {@link nearTie} away from it. */
const greatestScaled = 2 ** 40;
const nearTie = 0.001;

/** Rounds the decimal a double prints as, half up with ties away from zero (M0.4); −0 is 0. */
export function roundHalfUp(value: number, digits: number): number {
  // away from a tie the nearest whole number of units is the same, whatever the last bits of the product are
  const unit = 10 ** digits;
  const scaled = value * unit;
  const isClear = Math.abs(Math.abs(scaled % 1) - 0.5) > nearTie && Math.abs(scaled) < greatestScaled;
  if (isClear && digits >= 0 && digits <= 12) return Math.round(scaled) / unit + 0;
  return ExactDecimal.fromNumber(value).rounded(digits).toNumber();
}
