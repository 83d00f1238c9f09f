import { type Buffer, Buffer as Bytes } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as startTimer, clearTimeout as stopTimer } from 'node:timers';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, request } from 'undici';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import type { PutBody } from '../storePort.ts';
import type { S3Credentials, S3Keys } from './s3Credentials.ts';
import type { S3Endpoint } from './s3Endpoint.ts';
import { type S3Asked, s3Failure, s3Unavailable } from './s3Failure.ts';
import { xmlValue } from './s3Listing.ts';

/** One request to a bucket. */
export type S3Call = {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly asked: S3Asked;
  /** Key of the object; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: PutBody;
  /** Most bytes the answer may have. */
  readonly mostBytes: number;
  /** Statuses that are an answer and no failure. */
  readonly answers: readonly number[];
  /** An answer 404 that names no missing bucket is one too. */
  readonly missing?: boolean;
};

export type S3Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** From 1; what an earlier attempt did may have happened all the same. */
  readonly attempts: number;
};

export type S3Client = { call(call: S3Call): Promise<S3Answer>; close(): void };

/** How long is waited for what, and how often it is tried. */
export type S3Patience = {
  readonly attempts: number;
  readonly connectMs: number;
  /** For one attempt, beside the time its bytes take at the slowest rate. */
  readonly callMs: number;
  readonly slowestBytesPerSecond: number;
  /** The first wait between attempts; each further one is up to twice as long. */
  readonly waitMs: number;
  readonly longestWaitMs: number;
};

export const s3Patience: S3Patience = {
  attempts: 5,
  connectMs: 5_000,
  callMs: 20_000,
  slowestBytesPerSecond: 128 * 1024,
  waitMs: 200,
  longestWaitMs: 5_000,
};

/** A single put takes no more (5 GiB); a pack of a night is a thousandth of it. */
const mostPutBytes = 5 * 1024 ** 3;
const connections = 16;

/** Where and as whom requests are sent; a signal stops what runs, and every later call. */
export type S3Input = {
  endpoint: S3Endpoint;
  credentials: S3Credentials;
  patience?: S3Patience;
  signal?: AbortSignal;
  nowMs?: () => number;
  random?: () => number;
};

/** Sends signed requests: every call has a time limit, what may pass is tried again after a wait with jitter. */
export function s3Client({
  endpoint,
  credentials,
  patience = s3Patience,
  signal,
  nowMs = Date.now,
  random = Math.random,
}: S3Input): S3Client {
  const agent = new Agent({
    connections,
    pipelining: 1,
    connect: { timeout: patience.connectMs },
    // the whole attempt has one time limit
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });
  const pause = async (attempt: number): Promise<void> => {
    const most = Math.min(patience.longestWaitMs, patience.waitMs * 2 ** attempt);
    await wait(Math.ceil(most * (0.5 + random() / 2)), undefined, signal === undefined ? {} : { signal });
  };
  async function once(
    call: S3Call,
    o: { keys: S3Keys; sent: Sent | null },
  ): Promise<Omit<S3Answer, 'attempts'>> {
    const { url, headers } = await signed(call, { endpoint, keys: o.keys, sent: o.sent, nowMs });
    // what is sent and what arrives may take its time, at the slowest rate
    const timeOf = (bytes: number) => (bytes / patience.slowestBytesPerSecond) * 1000;
    const limit = timeLimit(patience.callMs + timeOf(o.sent?.length ?? 0), signal);
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method: call.method,
        headers,
        body: bodyOf(call.body),
        signal: limit.signal,
      });
      const body = await wholeBody(answer.body, {
        headers: answer.headers,
        mostBytes: call.mostBytes,
        onBytes: (length) => limit.extend(timeOf(length)),
      });
      return { status: answer.statusCode, headers: answer.headers, body };
    } catch (cause) {
      throw limit.isOver() ? new Error('it took too long') : cause;
    } finally {
      limit.end();
    }
  }
  return {
    async call(call) {
      const sent = call.body === undefined ? null : await measure(call.body, call.asked);
      let isFresh = false;
      for (let attempt = 1; ; attempt += 1) {
        stopIfAsked(signal);
        const keys = await credentials({ fresh: isFresh });
        const outcome = await once(call, { keys, sent }).catch((cause: unknown) => {
          stopIfAsked(signal);
          return s3Unavailable(call.asked, whyBroken(cause));
        });
        if (!(outcome instanceof IssuerError) && isAnswer(outcome, call))
          return { ...outcome, attempts: attempt };
        const failure =
          outcome instanceof IssuerError
            ? { retry: 'again' as const, error: outcome }
            : refusal(outcome, { asked: call.asked, nowMs: nowMs() });
        const mayPass = failure.retry === 'again' || (failure.retry === 'credentials' && !isFresh);
        if (!mayPass || attempt >= patience.attempts) throw failure.error;
        if (failure.retry === 'credentials') isFresh = true;
        else await pause(attempt - 1).catch(() => stopIfAsked(signal));
      }
    },
    close: () => void agent.destroy(),
  };
}

/** What is known of a body before it is sent. */
type Sent = { readonly length: number; readonly sha256: string; readonly md5: string };

async function measure(body: PutBody, asked: S3Asked): Promise<Sent> {
  const length = body instanceof Uint8Array ? body.length : (await stat(body.path)).size;
  if (length > mostPutBytes) {
    throw new IssuerError({
      code: 'store_unwritable',
      message: `${asked.name} has ${length} bytes, more than one put takes (${mostPutBytes}).`,
      hint: 'Publish in smaller steps, as `issuer backfill` over fewer dates.',
    });
  }
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  const parts = body instanceof Uint8Array ? [body] : createReadStream(body.path);
  for await (const part of parts) {
    sha256.update(part);
    md5.update(part);
  }
  return { length, sha256: sha256.digest('hex'), md5: md5.digest('base64') };
}

const emptySha256 = createHash('sha256').digest('hex');

/** The server refuses a body that is not the one these headers name, so that what it stored is what was sent. */
async function signed(
  { method, key, query = {}, headers = {} }: S3Call,
  {
    endpoint,
    keys,
    sent,
    nowMs,
  }: { endpoint: S3Endpoint; keys: S3Keys; sent: Sent | null; nowMs: () => number },
): Promise<{ url: string; headers: Record<string, string> }> {
  const url = new URL(key === '' ? endpoint.url : `${endpoint.url}/${key}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: {
      ...headers,
      'x-amz-content-sha256': sent?.sha256 ?? emptySha256,
      ...(sent === null ? {} : { 'content-md5': sent.md5 }),
    },
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey,
    ...(keys.sessionToken === null ? {} : { sessionToken: keys.sessionToken }),
    service: 's3',
    region: endpoint.region,
    datetime: new Date(nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  });
  const result = await signer.sign();
  return {
    url: result.url.href,
    headers: {
      ...Object.fromEntries(result.headers),
      'accept-encoding': 'identity',
      ...(sent === null ? {} : { 'content-length': String(sent.length) }),
    },
  };
}

function bodyOf(body: PutBody | undefined): Uint8Array | ReturnType<typeof createReadStream> | null {
  if (body === undefined) return null;
  return body instanceof Uint8Array ? body : createReadStream(body.path);
}

async function wholeBody(
  body: AsyncIterable<Uint8Array>,
  {
    headers,
    mostBytes,
    onBytes,
  }: { headers: S3Answer['headers']; mostBytes: number; onBytes: (length: number) => void },
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    onBytes(part.length);
    if (length > mostBytes) throw new Error(`the answer has more than ${mostBytes} bytes`);
    parts.push(part);
  }
  const told = headers['content-length'];
  if (told !== undefined && Number(told) !== length) throw new Error('the answer is cut short');
  return Bytes.concat(parts, length);
}

function isAnswer({ status, body }: Omit<S3Answer, 'attempts'>, { answers, missing }: S3Call): boolean {
  if (status === 404) return missing === true && codeOf(body) !== 'NoSuchBucket';
  return answers.includes(status);
}

function codeOf(body: Buffer): string {
  const code = xmlValue(body.toString('utf8', 0, 4096), 'Code') ?? '';
  return /^[A-Za-z]{1,60}$/.test(code) ? code : '';
}

function refusal(
  { status, headers, body }: Omit<S3Answer, 'attempts'>,
  { asked, nowMs }: { asked: S3Asked; nowMs: number },
): ReturnType<typeof s3Failure> {
  const text = body.toString('utf8', 0, 4096);
  const date = Date.parse(String(headers['date'] ?? ''));
  const region = headers['x-amz-bucket-region'];
  return s3Failure({
    asked,
    status,
    code: codeOf(body),
    region: typeof region === 'string' ? region : xmlValue(text, 'Region'),
    serverTime: Number.isNaN(date) ? null : date,
    nowMs,
  });
}

function whyBroken(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  return code === '' ? message : `the connection failed (${code})`;
}

function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof IssuerError) throw signal.reason;
  throw new IssuerError({
    code: 'interrupted',
    message: 'Work on the store was interrupted.',
    hint: 'Run again; it goes on where it stopped.',
  });
}

/** A limit on how long something may take, as a signal. */
type TimeLimit = {
  readonly signal: AbortSignal;
  /** Moves the limit further away. */
  extend(ms: number): void;
  /** Whether it was the limit that ended it. */
  isOver(): boolean;
  /** Nothing is limited any more. */
  end(): void;
};

/** Aborts after `ms`, or when `outer` does. */
function timeLimit(ms: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const stop = () => controller.abort();
  let until = performance.now() + ms;
  let over = false;
  const expire = (): void => {
    const left = until - performance.now();
    if (left > 0) {
      timer = startTimer(expire, Math.ceil(left));
      return;
    }
    over = true;
    stop();
  };
  let timer = startTimer(expire, Math.ceil(ms));
  if (outer?.aborted === true) stop();
  outer?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    extend: (more) => {
      until += more;
    },
    isOver: () => over,
    end() {
      stopTimer(timer);
      outer?.removeEventListener('abort', stop);
    },
  };
}
