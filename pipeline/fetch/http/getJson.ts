import type { z } from 'zod';
import { getText, type TextRequest, unusableAnswer } from './getText.ts';

/**
 * Gets a small JSON document and parses it by its schema, with the bounded retries of every download.
 *
 * @throws IssuerError `source_refused` when the host refuses or keeps failing, `validation_failed` when the
 * answer is too large, not JSON or not of the schema; `interrupted`.
 */
export async function getJson<T>(request: TextRequest & { readonly schema: z.ZodType<T> }): Promise<T> {
  return parseAnswer({ ...request, text: await getText(request) });
}

/** @throws IssuerError `validation_failed` when a text is not JSON of the schema. */
export function parseAnswer<T>({
  url,
  text,
  schema,
}: {
  readonly url: string;
  readonly text: string;
  readonly schema: z.ZodType<T>;
}): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unusableAnswer(url, 'is not JSON', cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unusableAnswer(url, `is not of the documented shape (${issue?.path.join('.')}: ${issue?.message})`);
}
