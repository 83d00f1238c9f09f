import type { CanonicalValue } from '../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../data/contract/values/exactDecimal.ts';

type Source = { readonly source?: string };

/**
 * Parses JSON and keeps every digit: a number a double would print otherwise becomes an {@link ExactDecimal}, so
 * `canonicalJson(parseExact(text)) === text` for any canonical text (M10.8).
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): CanonicalValue {
  const revive = (_: string, value: unknown, { source }: Source = {}): unknown =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? ExactDecimal.parse(source)
      : value;
  return JSON.parse(text, revive) as CanonicalValue;
}
