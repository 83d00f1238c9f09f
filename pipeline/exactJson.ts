import type { z } from 'zod';
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

/** Text as JSON; null for text that is none. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Text as a JSON document of a schema; null for any other text. */
export function parsedOrNull<S extends z.ZodType>(schema: S, text: string): z.output<S> | null {
  const parsed = schema.safeParse(jsonOrNull(text));
  return parsed.success ? parsed.data : null;
}
