import { createPublicKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync, gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { rows } from '../../data/contract/payloads/stored.ts';
import { publishedKeys } from '../../data/store/files/publishedKeys.ts';
import { faultyFiles } from '../../fixtures/rigs/faultyFiles.ts';
import { damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';
import { type ReleasePaths, releasePaths } from '../dataLayout.ts';
import { type FileEffects, realFiles } from '../effects.ts';
import type { Artifact } from './artifact.ts';
import { openGzipBody, openZstdBody } from './openBodies.ts';
import { openRelease } from './openRelease.ts';
import { promoteRelease } from './promoteRelease.ts';
import { pruneReleases } from './pruneReleases.ts';
import { publishRelease, type ReleaseContent } from './publishRelease.ts';
import { listReleaseNames, readCurrent, readManifest, readSlices } from './releaseStore.ts';
import { rollbackRelease } from './rollbackRelease.ts';
import { rowStore } from './rowStore.ts';
import { openSigningKey, type SigningKey, signatureHolds } from './signingKey.ts';
import { verifyRelease } from './verifyRelease.ts';

let root: string;
let paths: ReleasePaths;
let key: SigningKey;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'release-'));
  paths = releasePaths(join(root, 'artifacts'));
  key = await openSigningKey({ path: join(root, 'keys/release-ed25519.pem'), files: realFiles() });
});
afterEach(() => rm(root, { recursive: true, force: true }));

function content(sourceDate: string, stress: number): ReleaseContent {
  const row = { cik: '0001050446', stress_50pct: stress };
  const single: Artifact = {
    key: `covenant/${sourceDate}/CIK0001050446.json`,
    mediaType: 'application/json',
    bytes: Buffer.from(JSON.stringify(row)),
    coded: true,
  };
  const stored = rowStore({
    store: rows({
      name: ({ slice }) => `covenant-slice/${slice}`,
      row: z.object({ cik: z.string(), stress_50pct: z.number() }),
      columns: { cik: (r) => r.cik },
    }),
    parts: { slice: sourceDate },
    rows: [row],
    meta: {},
  });
  return {
    sourceDate,
    generatedAt: `${sourceDate}T07:00:00Z`,
    sliceStatus: 'complete',
    artifacts: [single, ...stored],
    inputs: { 'universe.csv': 'a'.repeat(64) },
  };
}

const publish = ({
  content,
  files,
  moveCurrent,
}: {
  content: ReleaseContent;
  files?: FileEffects;
  moveCurrent?: boolean;
}) =>
  publishRelease({
    paths,
    key,
    content,
    moveCurrent: moveCurrent ?? true,
    files: files ?? realFiles(),
  });

const verify = (name: string) => verifyRelease({ paths, name, publicKeys: [key.publicKey] });

const packsOf = (...names: string[]) => names.flatMap((name) => [`${name}.idx`, `${name}.pack`]);

describe('publishRelease', () => {
  it('writes payloads, codings and a signed manifest, and points both pointers at them', async () => {
    const { release } = await publish({ content: content('2025-11-14', 0.25) });
    expect(release).toBe('2025-11-14.1');
    expect(await readCurrent(paths)).toBe('2025-11-14.1');
    expect(await readSlices(paths)).toEqual({ '2025-11-14': '2025-11-14.1' });
    const { manifest } = await readManifest(paths, release);
    expect(manifest.artifacts.map((entry) => [entry.key, entry.version.slice(0, 11)])).toEqual([
      ['covenant-slice/2025-11-14.ndjson', '2025-11-14+'],
      ['covenant/2025-11-14/CIK0001050446.json', '2025-11-14+'],
    ]);
    expect(manifest.previous_manifest_sha256).toBeNull();
    expect(signatureHolds(manifest)).toBe(true);
    expect(signatureHolds({ ...manifest, ...{ source_date: '2025-11-15' } })).toBe(false);
    expect((await stat(join(root, 'keys/release-ed25519.pem'))).mode & 0o777).toBe(0o600);
    const half = createPublicKey(await readFile(join(root, 'keys/release-ed25519.pub'), 'utf8'));
    expect(Buffer.from(half.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')).toBe(
      key.publicKey,
    );
    expect(await verify(release)).toMatchObject({ bytes: 81 });
  });

  it('stays good when the key is replaced: the public half of the one before is published beside it (I9.16a)', async () => {
    const { release } = await publish({ content: content('2025-11-14', 0.25) });
    await rm(join(root, 'keys/release-ed25519.pem'));
    const next = await openSigningKey({ path: join(root, 'keys/release-ed25519.pem'), files: realFiles() });
    expect(next.keyId).not.toBe(key.keyId);
    expect(publishedKeys(join(root, 'keys')).map(({ keyId }) => keyId)).toEqual([next.keyId, key.keyId]);
    expect(await readdir(join(root, 'keys'))).toContain(`release-ed25519.${key.keyId}.pub`);
    const verifyBy = (publicKeys: readonly string[]) => verifyRelease({ paths, name: release, publicKeys });
    expect(await verifyBy([next.publicKey, key.publicKey])).toMatchObject({ bytes: 81 });
    await expect(verifyBy([next.publicKey])).rejects.toThrow('no published key of this deployment');
  });

  it('gives identical content from identical inputs no second number', async () => {
    await publish({ content: content('2025-11-14', 0.25) });
    expect(await publish({ content: content('2025-11-14', 0.25) })).toMatchObject({
      release: '2025-11-14.1',
      reused: true,
    });
    expect(await publish({ content: content('2025-11-14', 0.5) })).toMatchObject({ release: '2025-11-14.2' });
    const { manifest } = await readManifest(paths, '2025-11-14.2');
    expect(manifest.previous_manifest_sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('moves only its date when an older slice is corrected (I3.28)', async () => {
    await publish({ content: content('2025-11-17', 0.25) });
    await publish({ content: content('2025-11-14', 0.25), moveCurrent: false });
    expect(await readCurrent(paths)).toBe('2025-11-17.1');
    expect(await readSlices(paths)).toEqual({ '2025-11-14': '2025-11-14.1', '2025-11-17': '2025-11-17.1' });
  });

  it.each(['before', 'after', 'torn'] as const)(
    'leaves the old release or the new one whichever effect fails (%s), and the next run completes it',
    async (when) => {
      await publish({ content: content('2025-11-14', 0.25) });
      const probe = faultyFiles(realFiles(), { at: -1, when, strike: fail });
      await publish({ content: content('2025-11-17', 0.5), files: probe });
      const effects = probe.count();
      expect(effects).toBeGreaterThan(10);
      for (let at = 1; at <= effects; at += 1) {
        await rm(paths.root, { recursive: true, force: true });
        await publish({ content: content('2025-11-14', 0.25) });
        const files = faultyFiles(realFiles(), { at, when, strike: fail });
        await expect(publish({ content: content('2025-11-17', 0.5), files })).rejects.toThrow('ENOSPC');
        const current = await readCurrent(paths);
        expect(['2025-11-14.1', '2025-11-17.1']).toContain(current);
        for (const name of [current ?? '', ...Object.values(await readSlices(paths))]) await verify(name);
        expect(await publish({ content: content('2025-11-17', 0.5) })).toMatchObject({
          release: '2025-11-17.1',
        });
        expect(await readCurrent(paths)).toBe('2025-11-17.1');
        expect(await readdir(paths.releases)).toEqual(['2025-11-14.1', '2025-11-17.1']);
        expect(await readdir(paths.packs)).toEqual(packsOf('2025-11-14.1', '2025-11-17.1'));
        await verify('2025-11-17.1');
      }
    },
  );

  it('writes the same bytes in two stores', async () => {
    const first = await publish({ content: content('2025-11-14', 0.25) });
    const other = releasePaths(join(root, 'other'));
    await publishRelease({
      paths: other,
      key,
      content: content('2025-11-14', 0.25),
      moveCurrent: true,
      files: realFiles(),
    });
    for (const file of ['packs/2025-11-14.1.pack', 'packs/2025-11-14.1.idx']) {
      expect(await readFile(join(other.root, file))).toEqual(await readFile(join(paths.root, file)));
    }
    const read = (store: ReleasePaths) => openRelease(store, first.release);
    const stored = await (await read(paths)).readCoded('covenant/2025-11-14/CIK0001050446.json');
    expect(stored?.gzip).not.toBeNull();
    expect(stored?.zstd).not.toBeNull();
  });
});

describe('verifyRelease', () => {
  it.each([
    ['covenant/2025-11-14/CIK0001050446.json', 'payload', ': its hash is not the one in the manifest'],
    ['covenant/2025-11-14/CIK0001050446.json', 'gzip', '.gz does not decode to the artifact'],
    ['covenant/2025-11-14/CIK0001050446.json', 'zstd', '.zst does not decode to the artifact'],
    ['covenant-slice/2025-11-14.ndjson', 'payload', ': its hash is not the one in the manifest'],
  ] as const)('detects one flipped bit in %s, %s', async (artifact, part, problem) => {
    const { release } = await publish({ content: content('2025-11-14', 0.25) });
    damageArtifact({ root: paths.root, release, key: artifact }, { part, at: 14 });
    await expect(verify(release)).rejects.toThrow(`${artifact}${problem}`);
  });

  it('detects a changed manifest, a missing file, a stray one and a foreign key', async () => {
    await publish({ content: content('2025-11-14', 0.25) });
    const directory = join(paths.releases, '2025-11-14.1');
    await expect(verifyRelease({ paths, name: '2025-11-14.1', publicKeys: ['AAAA'] })).rejects.toThrow(
      'no published key of this deployment',
    );
    await writeFile(join(directory, 'stray'), '');
    await expect(verify('2025-11-14.1')).rejects.toThrow('stray is no part of a release');
    await rm(join(directory, 'stray'));
    await rename(join(paths.packs, '2025-11-14.1.pack'), join(root, 'kept'));
    await expect(verify('2025-11-14.1')).rejects.toThrow('pack 2025-11-14.1 is missing');
    await rename(join(root, 'kept'), join(paths.packs, '2025-11-14.1.pack'));
    await verify('2025-11-14.1');
    const manifest = join(directory, 'manifest.json');
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"complete"', '"partial"'));
    await expect(verify('2025-11-14.1')).rejects.toThrow('signature does not hold');
  });
});

describe('rollbackRelease', () => {
  it('publishes the older slice again as a new build and points current at it (I3.28)', async () => {
    await publish({ content: content('2025-11-14', 0.25) });
    await publish({ content: content('2025-11-17', 0.5) });
    const done = await rollbackRelease({ paths, to: null, key, files: realFiles() });
    expect(done).toMatchObject({ release: '2025-11-14.2', from: '2025-11-17.1', source: '2025-11-14.1' });
    expect(await readCurrent(paths)).toBe('2025-11-14.2');
    const before = (await readManifest(paths, '2025-11-14.1')).manifest;
    const after = (await readManifest(paths, '2025-11-14.2')).manifest;
    expect(after.artifacts).toEqual(before.artifacts);
    expect(after.inputs['rollback_from']).toBe('2025-11-17.1');
    await verify('2025-11-14.2');
  });

  it('says in the selector fields that it was a rollback, with every digit and stored coding as before (I3.20, A3.9)', async () => {
    const changes = (snapshot: string): Artifact => ({
      key: 'daily-changes/2025-11-14.json',
      mediaType: 'application/json',
      bytes: Buffer.from(
        `{"daily_change_selector_status":"published_snapshot","movement_summary":{"value":9007199254740993.25},"snapshot_status":"${snapshot}","source_date":"2025-11-14"}`,
      ),
      coded: true,
    });
    const older = content('2025-11-14', 0.25);
    await publish({ content: { ...older, artifacts: [...older.artifacts, changes('published')] } });
    await publish({ content: content('2025-11-17', 0.5) });
    await rollbackRelease({ paths, to: null, key, files: realFiles() });
    const rolled = await openRelease(paths, '2025-11-14.2');
    const stored = await rolled.readCoded('daily-changes/2025-11-14.json');
    expect(stored?.payload.toString('utf8')).toBe(
      '{"daily_change_selector_basis":"The release was published by a rollback; the delta of 2025-11-14 is shown.",' +
        '"daily_change_selector_status":"rolled_back_to_promoted_issuer_delta",' +
        '"movement_summary":{"value":9007199254740993.25},' +
        '"snapshot_status":"rolled_back_to_latest_meaningful_delta","source_date":"2025-11-14"}',
    );
    expect([stored?.gzip, stored?.zstd]).not.toContain(null);
    await verify('2025-11-14.2');
  });

  it('passes over backfilled dates, which never become current, and refuses one that is named (I3.28, I4.36)', async () => {
    await publish({ content: content('2025-11-14', 0.25) });
    const backfilled = { ...content('2025-11-15', 0.3), inputs: { slice: 'backfilled' } };
    await publish({ content: backfilled, moveCurrent: false });
    await publish({ content: content('2025-11-17', 0.5) });
    for (const to of ['2025-11-15', '2025-11-15.1']) {
      await expect(rollbackRelease({ paths, to, key, files: realFiles() })).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('2025-11-15.1 was backfilled'),
      });
    }
    expect(await readCurrent(paths)).toBe('2025-11-17.1');
    const done = await rollbackRelease({ paths, to: null, key, files: realFiles() });
    expect(done).toMatchObject({ release: '2025-11-14.2', source: '2025-11-14.1' });
  });

  it('refuses when nothing is older', async () => {
    const backfilled = { ...content('2025-11-13', 0.3), inputs: { slice: 'backfilled' } };
    await publish({ content: content('2025-11-14', 0.25) });
    await publish({ content: backfilled, moveCurrent: false });
    await expect(rollbackRelease({ paths, to: null, key, files: realFiles() })).rejects.toThrow(
      'no slice before',
    );
  });
});

describe('pruneReleases', () => {
  it('removes only builds superseded more than 7 days ago, never a promoted one (A3.14)', async () => {
    for (const stress of [0.1, 0.2, 0.3]) await publish({ content: content('2025-11-14', stress) });
    await promoteRelease({ paths, name: '2025-11-14.2', moveCurrent: false, files: realFiles() });
    await publish({ content: content('2025-11-17', 0.1) });
    const built = new Date('2025-11-20T00:00:00Z');
    for (const name of await listReleaseNames(paths)) {
      await utimes(join(paths.releases, name, 'manifest.json'), built, built);
    }
    const prune = async (now: string) =>
      (await pruneReleases({ paths, now: new Date(now), files: realFiles() })).builds;
    expect(await prune('2025-11-27T00:00:00Z')).toEqual([]);
    expect(await prune('2025-11-27T00:00:01Z')).toEqual(['2025-11-14.1']);
    expect(await readdir(paths.releases)).toEqual(['2025-11-14.2', '2025-11-14.3', '2025-11-17.1']);
    expect(await publish({ content: content('2025-11-14', 0.4) })).toMatchObject({ release: '2025-11-14.4' });
  });
});

describe('open bodies', () => {
  const payload = Buffer.from(JSON.stringify({ a: 'x'.repeat(5000), b: 1 }));
  const suffix = Buffer.from(',"billing":true}');
  const whole = `${payload.subarray(0, -1)}${suffix}`;

  it('become a standard gzip stream with one more deflate block and a continued crc32', () => {
    const last = deflateRawSync(suffix);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(suffix, crc32(payload.subarray(0, -1))), 0);
    trailer.writeUInt32LE(whole.length, 4);
    expect(gunzipSync(Buffer.concat([openGzipBody(payload), last, trailer])).toString()).toBe(whole);
  });

  it('become a standard zstd stream with one more frame', () => {
    const body = Buffer.concat([openZstdBody(payload), zstdCompressSync(suffix)]);
    expect(zstdDecompressSync(body).toString()).toBe(whole);
  });
});

function fail(effect: string): never {
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${effect}`), { code: 'ENOSPC' });
}
