import { ExactDecimal } from '../../contract/values/exactDecimal.ts';

/** Rounds the decimal a double prints as, half up with ties away from zero (M0.4); −0 is 0. */
export function roundHalfUp(value: number, digits: number): number {
  return ExactDecimal.fromNumber(value).rounded(digits).toNumber();
}
