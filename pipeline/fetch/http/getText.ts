import type { z } from 'zod';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { HttpSession } from './httpSession.ts';
import { type Answer, ConnectionFailure, type Exchange, inflated, readAnswer } from './readAnswer.ts';
import { readRefusal, refusalCause, withCause } from './refusal.ts';
import { type Asking, type Retrier, retrier } from './retrier.ts';
import { parseRetryAfter, type RetryLimits } from './retryPolicy.ts';

type Attempt = { readonly text: string } | { readonly reason: string; readonly retryAfter: string | null };

type TextRequest = Asking & {
  readonly session: HttpSession;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Longest wait for one whole answer. */
  readonly answerMs: number;
  readonly retry: RetryLimits;
};

/** Venues say so to an address that went on after it was asked to wait. */
const banned = 418;

/**
 * Gets a small document, with the bounded retries of every download.
 *
 * @throws IssuerError `source_refused` when the host refuses or keeps failing, `validation_failed` when the answer is too
 * large; `interrupted`.
 */
export async function getText(request: TextRequest): Promise<string> {
  const retry = retrier({ ...request, limits: request.retry });
  for (;;) {
    const attempt = await tryOnce(request, retry);
    if ('text' in attempt) return attempt.text;
    await retry.after({ ...attempt, progressed: false });
  }
}

async function tryOnce(input: TextRequest, retry: Retrier): Promise<Attempt> {
  let exchange: Exchange;
  try {
    exchange = await input.session.get({
      url: input.url,
      headers: { ...input.headers, accept: 'application/json', 'accept-encoding': 'identity' },
      withinMs: input.answerMs,
      signal: input.signal,
    });
    const answer = readAnswer(exchange, { kind: 'full' });
    if (answer.kind === 'whole') {
      const text = await readText({ ...input, exchange, answer });
      const cause = text.trimStart().startsWith('<') ? refusalCause({ status: 200, text }) : null;
      if (cause === null || cause.kind === 'page') return { text };
      throw await input.session.forbidden({ url: input.url, status: exchange.status, cause });
    }
    const cause = await readRefusal(exchange);
    if ((answer.kind === 'forbidden' && cause?.kind !== 'absent') || exchange.status === banned) {
      const asked = exchange.headers['retry-after'];
      const askedMs = parseRetryAfter(typeof asked === 'string' ? asked : null, input.effects.clock.now());
      throw await input.session.forbidden({ url: input.url, status: exchange.status, cause, askedMs });
    }
    if (answer.kind === 'retry') return { ...answer, reason: withCause(answer.reason, cause) };
    const reason = 'reason' in answer ? answer.reason : `answered ${exchange.status}`;
    throw retry.giveUp(withCause(reason, cause), {
      status: exchange.status,
      ...(cause === null ? {} : { cause: cause.kind }),
    });
  } catch (error) {
    if (error instanceof ConnectionFailure) return { reason: error.message, retryAfter: null };
    throw error;
  }
}

async function readText({
  exchange,
  answer: { size, coding },
  url,
  maxBytes,
}: Pick<TextRequest, 'url' | 'maxBytes'> & {
  exchange: Exchange;
  answer: Extract<Answer, { kind: 'whole' }>;
}): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of coding === null ? exchange.body : inflated(exchange.body)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw unusableAnswer(url, `is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if (size !== null && bytes < size) throw new ConnectionFailure(`ended after ${bytes} of ${size} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

/** An answer that is none of those that are read. */
export function unusableAnswer(url: string, what: string, cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The answer of ${url} ${what}.`,
    hint: 'Nothing of it was stored; run again later, and if it persists the source has changed its format.',
    details: { url },
    cause,
  });
}

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
