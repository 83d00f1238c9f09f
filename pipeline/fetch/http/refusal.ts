import { gunzipSync, constants as zlib } from 'node:zlib';
import type { Exchange } from './readAnswer.ts';

/**
 * Why a host refuses, as far as its own words say. `absent`: the store behind the host has no such key (yet).
 * `agent`: the client does not say who it is. `rate`: too many requests. `country`: not served where this machine
 * stands. `page`: a page for people where a document should be.
 */
export type RefusalKind = 'absent' | 'agent' | 'rate' | 'country' | 'page';

export type Refusal = {
  readonly kind: RefusalKind;
  /** A clause for a sentence that begins with the host or the answer. */
  readonly words: string;
  /** What an operator can do, a clause; null where waiting is all. */
  readonly advice: string | null;
};

/** An answer that ends all traffic to a host for a while: its status, why, and for how long the host wants to be left alone. */
export type Forbidden = {
  readonly url: string;
  readonly status: number;
  readonly cause: Refusal | null;
  readonly askedMs?: number | null;
};

const notServedHere = 'it does not serve the country of this machine';

/** Whether a reason given is that the host does not serve this country, so that asking again changes nothing. */
export const isNotServedHere = (reason: string | null): boolean => reason?.includes(notServedHere) === true;

const wordsBytes = 4096;
const wordsMs = 5_000;

/** What hosts are known to write; pipeline/ASSUMPTIONS.md says from where. */
const known: readonly (readonly [RegExp, Refusal])[] = [
  [
    /<Code>\s{0,9}(?:AccessDenied|NoSuchKey)\s{0,9}<\/Code>/,
    {
      kind: 'absent',
      words: 'its store has no such file, or not yet (AccessDenied)',
      advice: 'a file that is published later today is found then',
    },
  ],
  [
    /Undeclared Automated Tool/i,
    {
      kind: 'agent',
      words: 'it takes this machine for an undeclared automated tool',
      advice: 'give II_EDGAR_CONTACT your name and your own mail address',
    },
  ],
  [
    /Request Rate Threshold Exceeded|too many requests|rate limit/i,
    {
      kind: 'rate',
      words: 'this network has sent it too many requests',
      advice: 'stop whatever else on this network asks the same host',
    },
  ],
  [
    /restricted location|from your country|in your (?:country|region|location)/i,
    {
      kind: 'country',
      words: notServedHere,
      advice: 'run where the host serves; nights go on without this source',
    },
  ],
];

/** Names the cause of a refusal from its status and the beginning of its body; null when neither says. */
export function refusalCause({ status, text }: { status: number; text: string }): Refusal | null {
  const start = text.slice(0, wordsBytes);
  const isPage = /^\uFEFF?\s{0,200}(?:<!doctype html|<html)/i.test(start);
  // a document may speak of rates and regions
  if (status === 200 && !isPage) return null;
  for (const [pattern, refusal] of known) {
    // a store's words say that a file is missing only where nothing was sent
    if (refusal.kind === 'absent' && status !== 403 && status !== 404) continue;
    if (pattern.test(start)) return refusal;
  }
  if (status === 451) return known.find(([, { kind }]) => kind === 'country')?.[1] ?? null;
  if (status === 429) return known.find(([, { kind }]) => kind === 'rate')?.[1] ?? null;
  if (!isPage) return null;
  const title = /<title>([^<]{1,120})/i.exec(start)?.[1]?.replaceAll(/\s+/g, ' ').trim();
  return {
    kind: 'page',
    words: `it sent a page for people${title === undefined ? '' : ` ("${title}")`}`,
    advice: null,
  };
}

/** A reason and, where the answer says why, its cause. */
export function withCause(reason: string, cause: Refusal | null): string {
  return cause === null ? reason : `${reason}: ${cause.words}`;
}

/** Reads at most four kilobytes and five seconds of a refused answer, drops the rest, and names the cause. */
export async function readRefusal(exchange: Exchange): Promise<Refusal | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const late = AbortSignal.timeout(wordsMs);
  const timeout = new Promise<'late'>((resolve) =>
    late.addEventListener('abort', () => resolve('late'), { once: true }),
  );
  const body = exchange.body[Symbol.asyncIterator]();
  while (bytes < wordsBytes) {
    // a line that fails inside a refusal leaves the refusal as it is
    const next = await Promise.race([body.next(), timeout]).catch(() => 'late' as const);
    if (next === 'late' || next.done === true) break;
    chunks.push(next.value);
    bytes += next.value.length;
  }
  await exchange.drop();
  const coding = exchange.headers['content-encoding'];
  const sent = Buffer.concat(chunks);
  return refusalCause({
    status: exchange.status,
    text: (coding === 'gzip' ? inflatedStart(sent) : sent.subarray(0, wordsBytes)).toString('utf8'),
  });
}

function inflatedStart(sent: Buffer): Buffer {
  try {
    // the end is missing on purpose; what is there is enough
    return gunzipSync(sent, { finishFlush: zlib.Z_SYNC_FLUSH, maxOutputLength: 1 << 20 });
  } catch {
    return Buffer.alloc(0);
  }
}
