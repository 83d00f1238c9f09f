import { ExactDecimal } from '../../../contract/values/exactDecimal.ts';
import type { PrintedNumbers } from './briefText.ts';

/** A number of an evidence: a double, or money as decimal text; null for any other value. */
export function numberOf(value: unknown): ExactDecimal | null {
  if (typeof value === 'number') return ExactDecimal.fromNumber(value);
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? ExactDecimal.parse(value) : null;
}

/** Numbers as a text may print them; each is rounded once for each precision that is asked for. */
export function printedNumbers(numbers: Iterable<ExactDecimal>): PrintedNumbers {
  const all = [...new Map(Array.from(numbers, (number) => [number.toString(), number])).values()];
  const counts = new Set(all.filter(({ scale }) => scale === 0).map(({ units }) => units));
  const known = new Map<string, ReadonlySet<string>>();
  return {
    isCount: (value) => counts.has(value),
    printsAs({ units, digits, exponent }) {
      const key = `${digits} ${exponent}`;
      const printed = known.get(key) ?? new Set(all.map((number) => printedAs(number, { digits, exponent })));
      known.set(key, printed);
      return printed.has(new ExactDecimal(units, digits).toString());
    },
  };
}

function printedAs(number: ExactDecimal, { digits, exponent }: { digits: number; exponent: number }): string {
  const factor =
    exponent > 0 ? new ExactDecimal(1n, exponent) : new ExactDecimal(10n ** BigInt(-exponent), 0);
  return number.times(factor).rounded(digits).toString();
}
