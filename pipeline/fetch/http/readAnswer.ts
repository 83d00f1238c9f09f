import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** What a request asked for: nothing special, whether the stored copy is still current, or the rest of a part. */
export type Plan =
  | { readonly kind: 'full' }
  | { readonly kind: 'revalidate'; readonly etag: string | null; readonly lastModified: string | null }
  | {
      readonly kind: 'resume';
      readonly offset: number;
      readonly size: number | null;
      readonly validator: string;
      readonly etag: string | null;
    };

type Validators = { readonly etag: string | null; readonly lastModified: string | null };

/** What an answer's head means for the download in hand. */
export type Answer =
  | { readonly kind: 'unchanged' }
  /** A whole body follows, from byte 0; `size` is null when the server does not say, or codes the body. */
  | {
      readonly kind: 'whole';
      readonly size: number | null;
      readonly coding: 'gzip' | null;
      readonly validators: Validators;
    }
  /** The rest of the part follows; `size` is the size of the complete file. */
  | { readonly kind: 'rest'; readonly size: number }
  /** The part cannot be continued; ask again for everything. */
  | { readonly kind: 'restart'; readonly reason: string }
  | { readonly kind: 'retry'; readonly reason: string; readonly retryAfter: string | null }
  | { readonly kind: 'forbidden' }
  /** `status` only where the answer itself is the refusal. */
  | { readonly kind: 'refused'; readonly reason: string; readonly status?: number };

type Head = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

/** An answer whose body has not been read; it must be read to its end or dropped. */
export type Exchange = Head & { readonly body: AsyncIterable<Uint8Array>; drop(): Promise<void> };

/** The connection failed before or inside an answer: refused, cut, timed out or not HTTP. */
export class ConnectionFailure extends Error {}

/** Request headers of a plan; identity coding always, so that byte offsets mean the file's own bytes. */
export function planHeaders(plan: Plan): Record<string, string> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (plan.kind === 'revalidate') {
    if (plan.etag !== null) headers['if-none-match'] = plan.etag;
    if (plan.lastModified !== null) headers['if-modified-since'] = plan.lastModified;
  } else if (plan.kind === 'resume') {
    headers['range'] = `bytes=${plan.offset}-`;
    headers['if-range'] = plan.validator;
  }
  return headers;
}

/**
 * The `If-Range` value that proves two answers are the same bytes: a strong ETag, else the modification
 * date; null when the server gives neither, and then nothing can be resumed (RFC 9110 §13.1.5).
 */
export function rangeValidator(v: Validators): string | null {
  if (v.etag !== null) return v.etag.startsWith('"') ? v.etag : null;
  return v.lastModified;
}

/** Reads the head of an answer against what was asked. */
export function readAnswer(head: Head, plan: Plan): Answer {
  const coding = header(head, 'content-encoding');
  const coded = coding !== null && coding !== 'identity';
  // whole bodies may come as gzip all the same: caches do that; offsets inside a coded body mean nothing
  if (coded && head.status >= 200 && head.status < 300 && !(head.status === 200 && coding === 'gzip')) {
    return { kind: 'refused', reason: `sent the body as ${coding} although identity was asked for` };
  }
  switch (head.status) {
    case 200:
      return readWhole(head, coded ? 'gzip' : null);
    case 206:
      return readRest(head, plan);
    case 304:
      return plan.kind === 'revalidate'
        ? { kind: 'unchanged' }
        : { kind: 'refused', reason: 'answered 304 to a request that was not conditional' };
    case 403:
      return { kind: 'forbidden' };
    case 416:
      return plan.kind === 'resume'
        ? { kind: 'restart', reason: 'the server has fewer bytes than were already stored (416)' }
        : { kind: 'refused', reason: 'answered 416 to a request without a range' };
    case 408:
    case 429:
      return { kind: 'retry', reason: `answered ${head.status}`, retryAfter: header(head, 'retry-after') };
    default:
  }
  if (head.status >= 500) {
    return { kind: 'retry', reason: `answered ${head.status}`, retryAfter: header(head, 'retry-after') };
  }
  if (head.status >= 300 && head.status < 400) {
    const to = header(head, 'location') ?? 'nowhere';
    return {
      kind: 'refused',
      reason: `redirects (${head.status}) to ${to.slice(0, 200)}, which is not followed`,
    };
  }
  return { kind: 'refused', reason: `answered ${head.status}`, status: head.status };
}

function readWhole(head: Head, coding: 'gzip' | null): Answer {
  const length = header(head, 'content-length');
  if (length !== null && !/^\d{1,15}$/.test(length)) {
    return { kind: 'retry', reason: 'sent a Content-Length that is not a number', retryAfter: null };
  }
  return {
    kind: 'whole',
    size: length === null || coding !== null ? null : Number(length),
    coding,
    validators: { etag: entityTag(head), lastModified: modificationDate(head) },
  };
}

function readRest(head: Head, plan: Plan): Answer {
  if (plan.kind !== 'resume') return { kind: 'refused', reason: 'answered 206 to a request without a range' };
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header(head, 'content-range') ?? '');
  if (range === null) return { kind: 'restart', reason: 'the Content-Range is missing or unreadable' };
  const [first, last, size] = [Number(range[1]), Number(range[2]), Number(range[3])];
  if (first !== plan.offset || last !== size - 1) {
    return { kind: 'restart', reason: `bytes ${first}-${last}/${size} are not the ones asked for` };
  }
  if (plan.size !== null && size !== plan.size) {
    return { kind: 'restart', reason: `the file is now ${size} bytes instead of ${plan.size}` };
  }
  const etag = entityTag(head);
  if (etag !== null && plan.etag !== null && etag !== plan.etag) {
    return { kind: 'restart', reason: 'the ETag changed between two parts' };
  }
  const length = header(head, 'content-length');
  if (length !== null && Number(length) !== size - first) {
    return { kind: 'restart', reason: `Content-Length ${length} contradicts the Content-Range` };
  }
  return { kind: 'rest', size };
}

// both are sent back verbatim in later requests, so only well-formed ones are kept
function entityTag(head: Head): string | null {
  const value = header(head, 'etag');
  return value !== null && /^(W\/)?"[\x21\x23-\x7e]{0,256}"$/.test(value) ? value : null;
}

function modificationDate(head: Head): string | null {
  const value = header(head, 'last-modified');
  return value !== null && /^[A-Za-z0-9,: -]{10,40}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? value
    : null;
}

function header(head: Head, name: string): string | null {
  const value = head.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/**
 * The bytes of a body that came as gzip although identity was asked for; the reader bounds what it takes.
 *
 * @throws ConnectionFailure when the line fails or the coding is damaged.
 */
export async function* inflated(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  pipeline(Readable.from(body, { objectMode: false }), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (error) {
    if (error instanceof ConnectionFailure) throw error;
    throw new ConnectionFailure('the gzip coding of the body is damaged or ends early', { cause: error });
  }
}
