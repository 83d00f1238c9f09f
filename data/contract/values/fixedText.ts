import { ExactDecimal } from './exactDecimal.ts';

/**
 * A number at a fixed number of decimals, as every text of the service prints it: the digits of its shortest decimal
 * form rounded half away from zero (M0.4, M11.8), so that 17.65 is `17.7` and not what its binary form is nearest to.
 * Zero has no sign.
 *
 * @param value a finite number
 */
export function fixedText(value: number | ExactDecimal, digits: number): string {
  const decimal = typeof value === 'number' ? ExactDecimal.fromNumber(value) : value;
  const { units, scale } = decimal.rounded(digits);
  const text = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).padEnd(digits, '0');
  return `${units < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${fraction}`}`;
}
