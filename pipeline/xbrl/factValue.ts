import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

const maxLength = 64;
const maxExponent = 30;
const integer = /^[+-]?\d{1,4}$/;
const exponentPattern = /[eE]([+-]?\d+)$/;

/** Amount of a fact as filed (`6000000000.0`, `7.00`, `-3E2`), exact; null when the text is no decimal of sane size. */
export function factValue(text: string): ExactDecimal | null {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return null;
  const exponent = exponentPattern.exec(trimmed)?.[1];
  if (exponent !== undefined && !(Math.abs(Number(exponent)) <= maxExponent)) return null;
  return ExactDecimal.tryParse(trimmed);
}

/** What a fact states about its accuracy; `unknown` is precision 0, `invalid` is neither, both or nonsense. */
export type Accuracy = { readonly decimals: number | 'INF' } | 'unknown' | 'invalid';

/**
 * Decimals of a fact, stated or inferred from `precision` by the magnitude of its value (XBRL 2.1 §4.6.6). A zero has
 * no magnitude: at any precision it is exact.
 */
export function accuracyOf(input: {
  decimals: string | null;
  precision: string | null;
  value: ExactDecimal;
}): Accuracy {
  const decimals = input.decimals?.trim() ?? null;
  const precision = input.precision?.trim() ?? null;
  if ((decimals === null) === (precision === null)) return 'invalid';
  if (decimals === 'INF' || precision === 'INF') return { decimals: 'INF' };
  const stated = decimals ?? precision ?? '';
  if (!integer.test(stated)) return 'invalid';
  const n = Number(stated);
  if (decimals !== null) return Math.abs(n) > maxExponent ? 'invalid' : { decimals: n };
  if (n < 0 || n > maxLength) return 'invalid';
  if (n === 0) return 'unknown';
  return { decimals: input.value.sign === 0 ? 'INF' : n - magnitude(input.value) - 1 };
}

/** floor(log10 |value|) of a value other than zero. */
function magnitude(value: ExactDecimal): number {
  const digits = value.units.toString().replace('-', '').length;
  return digits - 1 - value.scale;
}
