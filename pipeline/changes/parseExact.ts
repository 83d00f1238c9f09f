import type { CanonicalValue } from '../../contract/canonicalJson.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';

/** Parses published JSON; a number that is no safe integer keeps its digits (M10.8). */
export function parseExact(json: string): CanonicalValue {
  // the reviver is handed the number's own text, which the lib types do not know yet
  const exact = (_: string, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value)
      ? ExactDecimal.parse(source)
      : value;
  return JSON.parse(json, exact as never) as CanonicalValue;
}
