import type { z } from 'zod';
import { IssuerError } from '../../../contract/errors/issuerError.ts';
import type { Effects } from '../../effects.ts';
import { ConnectionFailure, type Exchange, type HttpSession } from './httpSession.ts';
import { readAnswer } from './readAnswer.ts';
import { type Retrier, retrier } from './retrier.ts';
import type { RetryLimits } from './retryPolicy.ts';

type Attempt = { readonly text: string } | { readonly reason: string; readonly retryAfter: string | null };

/**
 * Gets a small JSON document and parses it by its schema, with the bounded retries of every download.
 *
 * @throws IssuerError `source_refused` when the host refuses or keeps failing, `validation_failed` when the
 * answer is too large, not JSON or not of the schema; `interrupted`.
 */
export async function getJson<T>(request: {
  session: HttpSession;
  url: string;
  headers: Readonly<Record<string, string>>;
  schema: z.ZodType<T>;
  maxBytes: number;
  retry: RetryLimits;
  random: () => number;
  effects: Effects;
  signal: AbortSignal;
}): Promise<T> {
  const retry = retrier({ ...request, limits: request.retry });
  for (;;) {
    const attempt = await tryOnce(request, retry);
    if ('text' in attempt) return parse({ ...request, text: attempt.text });
    await retry.after({ ...attempt, progressed: false });
  }
}

async function tryOnce(
  input: {
    session: HttpSession;
    url: string;
    headers: Readonly<Record<string, string>>;
    maxBytes: number;
    signal: AbortSignal;
  },
  retry: Retrier,
): Promise<Attempt> {
  let exchange: Exchange;
  try {
    exchange = await input.session.get({
      url: input.url,
      headers: { ...input.headers, accept: 'application/json', 'accept-encoding': 'identity' },
      signal: input.signal,
    });
    const answer = readAnswer(exchange, { kind: 'full' });
    if (answer.kind === 'whole') return { text: await readText({ ...input, exchange, size: answer.size }) };
    await exchange.drop();
    if (answer.kind === 'retry') return answer;
    if (answer.kind === 'forbidden') throw await input.session.forbidden(input.url);
    throw retry.giveUp('reason' in answer ? answer.reason : `answered ${exchange.status}`, {
      status: exchange.status,
    });
  } catch (error) {
    if (error instanceof ConnectionFailure) return { reason: error.message, retryAfter: null };
    throw error;
  }
}

async function readText({
  exchange,
  size,
  url,
  maxBytes,
}: {
  exchange: Exchange;
  size: number | null;
  url: string;
  maxBytes: number;
}): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of exchange.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw unusable(url, `is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if (size !== null && bytes < size) throw new ConnectionFailure(`ended after ${bytes} of ${size} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

function parse<T>({ url, text, schema }: { url: string; text: string; schema: z.ZodType<T> }): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw unusable(url, 'is not JSON', cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unusable(url, `is not of the documented shape (${issue?.path.join('.')}: ${issue?.message})`);
}

function unusable(url: string, what: string, cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The answer of ${url} ${what}.`,
    hint: 'Nothing of it was stored; run again later, and if it persists the source has changed its format.',
    details: { url },
    cause,
  });
}
