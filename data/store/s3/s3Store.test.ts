import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitMs } from '../../../fixtures/checks/machinePace.ts';
import {
  type BucketReplica,
  bucketReplica,
  type Misbehaviour,
} from '../../../fixtures/replicas/bucketReplica.ts';
import { storeSuite } from '../../../fixtures/rigs/objectStore/storeSuite.ts';
import { openStore } from '../openStore.ts';
import { s3Patience } from './s3Client.ts';
import { s3Credentials } from './s3Credentials.ts';
import { s3Endpoint } from './s3Endpoint.ts';
import { s3Store } from './s3Store.ts';

let scratch: string;
let bucket: BucketReplica;
beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), 's3-store-'));
  bucket = await bucketReplica({ pageLength: 3 });
});
afterEach(async () => {
  await bucket.close();
  rmSync(scratch, { recursive: true, force: true });
});

const bytes = (text: string) => Buffer.from(text);
/** A store that waits a moment where the real one waits for seconds. */
const hasty = (change: { environment?: Readonly<Record<string, string>>; nowMs?: () => number } = {}) => {
  const environment = change.environment ?? bucket.environment;
  return s3Store({
    bucket: 'bucket',
    prefix: 'store/',
    endpoint: s3Endpoint({ bucket: 'bucket', environment }),
    credentials: s3Credentials(environment),
    patience: { ...s3Patience, callMs: limitMs(300), waitMs: 2, longestWaitMs: 4 },
    random: () => 0.5,
    ...(change.nowMs === undefined ? {} : { nowMs: change.nowMs }),
  });
};
/** Behaves so for the first requests, and well after them. */
const first = (count: number, wrong: Misbehaviour) => bucket.misbehave((_, n) => (n <= count ? wrong : null));

describe('a bucket that keeps its promises', () => {
  storeSuite({
    fresh: async () => openStore({ address: 's3://bucket/store', environment: bucket.environment }),
    scratch: () => scratch,
  });

  it('lists all pages', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    for (const name of names) bucket.objects.set(`store/packs/${name}`, bytes('x'));
    expect(await hasty().list('packs/')).toEqual(names);
    expect(bucket.asked).toHaveLength(3);
  });

  it('sends hashes of what it puts, and neither secret nor a request without a signature', async () => {
    await hasty().put('packs/a', bytes('some bytes'));
    const [put] = bucket.asked;
    expect(put?.headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/);
    expect(put?.headers['content-md5']).toMatch(/^[\w+/]{22}==$/);
    expect(put?.headers.authorization).toContain('Credential=id-of-the-replica/');
    expect(JSON.stringify(put)).not.toContain('secret-of-the-replica');
  });
});

describe('a bucket that fails for a while', () => {
  it.each<[string, Misbehaviour]>([
    ['503 in a burst', { status: 503, code: 'SlowDown' }],
    ['429', { status: 429 }],
    ['500 without a body', { status: 500 }],
    ['a connection that drops', 'drop'],
    ['an answer that never comes', 'hang'],
    ['a conflict of two writers', { status: 409, code: 'ConditionalRequestConflict' }],
  ])('answers after %s', async (_, wrong) => {
    const store = hasty();
    first(2, wrong);
    expect(await store.put('packs/a', bytes('whole'))).toBe('written');
    first(2, wrong);
    expect(String(await store.read('packs/a'))).toBe('whole');
    first(2, wrong);
    expect(await store.list('packs/')).toEqual(['a']);
    first(2, wrong);
    await store.remove('packs/a');
    expect(bucket.objects.size).toBe(0);
  });

  it('gives whole bytes after a body that was cut, and puts again what arrived damaged', async () => {
    const store = hasty();
    first(1, { status: 400, code: 'BadDigest' });
    await store.put('packs/a', bytes('0123456789'));
    first(2, 'cut body');
    expect(String(await store.read('packs/a'))).toBe('0123456789');
    first(2, 'cut body');
    expect(String(await store.read('packs/a', { start: 2, length: 4 }))).toBe('2345');
  });

  it('knows its own put and its own pointer again when the answer to them was lost', async () => {
    const store = hasty();
    first(1, 'done, then drop');
    // whether it was this call or another one is for the caller to prove
    expect(await store.put('packs/a', bytes('whole'))).toBe('exists');
    await store.replace('current', bytes('first\n'));
    const expected = (await store.pointer('current'))?.version ?? null;
    first(1, 'done, then drop');
    expect(await store.replace('current', bytes('second\n'), { expected })).toBe('replaced');
  });

  it('uses credentials that were renewed in their file', async () => {
    const path = join(scratch, 'credentials');
    const write = (token: string) =>
      writeFileSync(
        path,
        `[other]\naws_access_key_id = no\n[night]\naws_access_key_id = id\naws_secret_access_key=s\naws_session_token = ${token}\n`,
      );
    write('old');
    const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...rest } = bucket.environment;
    const environment = { ...rest, AWS_SHARED_CREDENTIALS_FILE: path, AWS_PROFILE: 'night' };
    const store = hasty({ environment });
    bucket.misbehave(({ headers }) =>
      headers['x-amz-security-token'] === 'new' ? null : { status: 400, code: 'ExpiredToken' },
    );
    await expect(store.put('packs/a', bytes('x'))).rejects.toMatchObject({
      code: 'configuration',
      message: 'The credentials for bucket bucket have expired.',
    });
    write('new');
    expect(await store.put('packs/a', bytes('x'))).toBe('written');
  });
});

describe('a bucket that goes on failing', () => {
  it.each<[string, Misbehaviour, object, number]>([
    [
      'forbidden',
      { status: 403, code: 'AccessDenied' },
      { code: 'configuration', message: 'Bucket bucket does not let these credentials read packs/a.' },
      1,
    ],
    [
      'gone',
      { status: 404, code: 'NoSuchBucket' },
      { code: 'configuration', message: 'There is no bucket bucket.' },
      1,
    ],
    [
      'in another region',
      { status: 301, code: 'PermanentRedirect', headers: { 'x-amz-bucket-region': 'eu-west-3' } },
      { code: 'configuration', message: 'Bucket bucket is in region eu-west-3, not in us-east-1.' },
      1,
    ],
    [
      'away',
      { status: 503 },
      { code: 'store_unavailable', message: 'Bucket bucket did not read packs/a: status 503.' },
      5,
    ],
    [
      'silent',
      'hang',
      { code: 'store_unavailable', message: 'Bucket bucket did not read packs/a: it took too long.' },
      5,
    ],
    ['cutting every body', 'cut body', { code: 'store_unavailable' }, 5],
    ['no server of this protocol', { status: 405 }, { code: 'configuration' }, 1],
  ])('says what to do when it is %s', async (_, wrong, expected, attempts) => {
    bucket.objects.set('store/packs/a', bytes('0123456789'));
    bucket.misbehave(() => wrong);
    const error = await hasty()
      .read('packs/a', { start: 0, length: 4 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(expected);
    expect((error as { hint: string }).hint).toMatch(/\w{4}/);
    expect(bucket.asked).toHaveLength(attempts);
    expect(JSON.stringify(error)).not.toContain('secret-of-the-replica');
  });

  it('says how far the clock is off', async () => {
    const date = new Date('2025-11-19T10:00:00Z');
    bucket.misbehave(() => ({
      status: 403,
      code: 'RequestTimeTooSkewed',
      headers: { date: date.toUTCString() },
    }));
    const nowMs = () => date.getTime() - 3_600_000;
    await expect(hasty({ nowMs }).read('current')).rejects.toMatchObject({
      code: 'configuration',
      message:
        'The clock of this machine is 3600 s behind the clock of the bucket’s server, which refuses it.',
    });
  });

  it('says that the bucket is full, and tries no other way', async () => {
    bucket.misbehave(() => ({ status: 403, code: 'QuotaExceeded' }));
    await expect(hasty().put('packs/a', bytes('x'))).rejects.toMatchObject({ code: 'store_unwritable' });
    expect(bucket.asked).toHaveLength(1);
  });

  it('takes no range for another one, and leaves other bytes to the hash', async () => {
    bucket.objects.set('store/packs/a', bytes('0123456789'));
    bucket.misbehave(() => ({ status: 206, headers: { 'content-range': 'bytes 4-5/10' } }));
    await expect(hasty().read('packs/a', { start: 0, length: 2 })).rejects.toMatchObject({
      message: 'Bucket bucket did not read packs/a: it answered with another range.',
    });
    bucket.misbehave(() => 'other bytes');
    expect(String(await hasty().read('packs/a', { start: 0, length: 2 }))).toBe('xx');
  });

  it('stops waiting when it is asked to', async () => {
    const stop = new AbortController();
    bucket.misbehave((_, n) => {
      if (n === 2) stop.abort();
      return { status: 503 };
    });
    const store = openStore({
      address: 's3://bucket/store',
      environment: bucket.environment,
      signal: stop.signal,
    });
    await expect(store.read('current')).rejects.toMatchObject({ code: 'interrupted' });
    await expect(store.list('packs/')).rejects.toMatchObject({ code: 'interrupted' });
    expect(bucket.asked).toHaveLength(2);
  });
});
