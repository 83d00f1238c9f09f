import { Buffer } from 'node:buffer';
import type { Store } from '../storePort.ts';
import type { ByteRange } from '../storeReads.ts';
import { type S3Answer, type S3Client, type S3Input, s3Client } from './s3Client.ts';
import { type S3Asked, s3Unavailable } from './s3Failure.ts';
import { s3Listing } from './s3Listing.ts';

/** Most bytes of an object that is read at once: manifests and indexes, never a pack. */
const mostWhole = 256 * 1024 * 1024;
const mostPage = 8 * 1024 * 1024;
const mostText = 64 * 1024;
const mustBeNew = { 'if-none-match': '*' } as const;

/**
 * A store in a bucket of any S3-compatible service (STORE ST14). Bytes of a put carry their SHA-256 (signed) and MD5, so
 * that the server refuses what was damaged on its way; bytes that are read are counted, and proved by the caller's hash.
 */
export function s3Store({
  bucket,
  prefix,
  ...input
}: S3Input & {
  bucket: string;
  /** Empty, or ending in a slash. */
  prefix: string;
}): Store {
  const client = s3Client(input);
  const held: Bucket = { client, bucket, prefix, region: input.endpoint.region };
  return {
    address: `s3://${bucket}/${prefix.replace(/\/$/, '')}`,
    read: async (name, range) =>
      range === undefined ? ((await whole(held, name))?.body ?? null) : ranged(held, name, range),
    list: (below) => listed(held, below),
    async put(name, body) {
      const { status } = await write(held, { name, body, headers: mustBeNew, answers: [412] });
      return status === 412 ? 'exists' : 'written';
    },
    async pointer(name) {
      const answer = await whole(held, name);
      if (answer === null) return null;
      const version = answer.headers['etag'];
      if (typeof version !== 'string')
        throw s3Unavailable(asked(held, 'read', name), 'it names no version of it');
      return { bytes: answer.body, version };
    },
    replace: (name, bytes, o) => replaced(held, { name, body: bytes, expected: o?.expected }),
    async remove(name) {
      await client.call({
        method: 'DELETE',
        asked: asked(held, 'remove', name),
        key: key(held, name),
        mostBytes: mostText,
        answers: [200, 204],
        missing: true,
      });
    },
    forget() {},
    close: () => client.close(),
  };
}

/** A bucket and the objects of one prefix in it. */
type Bucket = {
  readonly client: S3Client;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
};

function asked({ bucket, region }: Bucket, act: S3Asked['act'], name: string): S3Asked {
  return { act, bucket, name, region };
}

function key({ prefix }: Bucket, name: string): string {
  return `${prefix}${name}`;
}

async function whole(from: Bucket, name: string): Promise<S3Answer | null> {
  const answer = await from.client.call({
    method: 'GET',
    asked: asked(from, 'read', name),
    key: key(from, name),
    mostBytes: mostWhole,
    answers: [200],
    missing: true,
  });
  return answer.status === 404 ? null : answer;
}

async function ranged(bucket: Bucket, name: string, { start, length }: ByteRange): Promise<Buffer | null> {
  // no range of HTTP is empty
  const last = start + Math.max(length, 1) - 1;
  const answer = await bucket.client.call({
    method: 'GET',
    asked: asked(bucket, 'read', name),
    key: key(bucket, name),
    headers: { range: `bytes=${start}-${last}` },
    mostBytes: Math.max(length, mostText),
    answers: [206, 416],
    missing: true,
  });
  if (answer.status === 404) return null;
  if (answer.status === 416) return Buffer.alloc(0);
  const [, from, to] = /^bytes (\d+)-(\d+)\//.exec(String(answer.headers['content-range'])) ?? [];
  if (Number(from) !== start || Number(to) - start + 1 !== answer.body.length || Number(to) > last) {
    throw s3Unavailable(asked(bucket, 'read', name), 'it answered with another range');
  }
  return answer.body.subarray(0, length);
}

async function listed(from: Bucket, below: string): Promise<string[]> {
  const names: string[] = [];
  const start = key(from, below);
  const seen = new Set<string>();
  for (let token: string | null = ''; token !== null; ) {
    seen.add(token);
    const answer = await from.client.call({
      method: 'GET',
      asked: asked(from, 'list', below),
      key: '',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        delimiter: '/',
        prefix: start,
        ...(token === '' ? {} : { 'continuation-token': token }),
      },
      mostBytes: mostPage,
      answers: [200],
    });
    const page = s3Listing(answer.body.toString('utf8'));
    if (page === null || (page.next !== null && seen.has(page.next))) {
      throw s3Unavailable(asked(from, 'list', below), 'its list cannot be read');
    }
    for (const found of page.keys) names.push(found.slice(start.length).replace(/\/$/, ''));
    token = page.next;
  }
  return names.filter((name) => name !== '');
}

type Written = {
  name: string;
  body: Parameters<Store['put']>[1];
  headers: Readonly<Record<string, string>>;
  answers: readonly number[];
  missing?: boolean;
};

async function write(
  to: Bucket,
  { name, body, headers, answers, missing = false }: Written,
): Promise<S3Answer> {
  return to.client.call({
    method: 'PUT',
    asked: asked(to, 'write', name),
    key: key(to, name),
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body,
    mostBytes: mostText,
    answers: [200, ...answers],
    missing,
  });
}

/** Without an expected version the pointer is overwritten unconditionally. */
async function replaced(
  to: Bucket,
  { name, body, expected }: { name: string; body: Uint8Array; expected: string | null | undefined },
): Promise<'replaced' | 'changed'> {
  if (expected === undefined) {
    await write(to, { name, body, headers: {}, answers: [] });
    return 'replaced';
  }
  for (const headers of conditionsOf(expected)) {
    const { status, attempts } = await write(to, { name, body, headers, answers: [412], missing: true });
    if (status === 200) return 'replaced';
    const there = await whole(to, name);
    // the answer to an earlier attempt may have been lost after it had been done
    if (attempts > 1 && there?.body.equals(body) === true) return 'replaced';
    if ((there?.headers['etag'] ?? null) !== expected) return 'changed';
  }
  return 'changed';
}

/** The header of a version that is expected; Ceph compares it without the quotes it sends. */
function conditionsOf(expected: string | null): Readonly<Record<string, string>>[] {
  if (expected === null) return [mustBeNew];
  return [expected, expected.replaceAll('"', '')].map((version) => ({ 'if-match': version }));
}
