import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BucketReplica, bucketReplica } from '../../fixtures/replicas/bucketReplica.ts';
import { issuerCommand } from '../../fixtures/rigs/commandTrees.ts';
import { type SmallStore, smallStore } from '../../fixtures/rigs/smallStore.ts';
import { programRoot } from '../programRoot.ts';
import { readCurrent } from '../release/releaseStore.ts';

const address = 's3://bucket/store';
let bucket: BucketReplica;
let own: SmallStore;
let scratch: string;
beforeEach(async () => {
  bucket = await bucketReplica();
  own = await smallStore();
  scratch = mkdtempSync(join(tmpdir(), 'copy-commands-'));
});
afterEach(async () => {
  await bucket.close();
  await own.close();
  rmSync(scratch, { recursive: true, force: true });
});

const issuer = (args: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  issuerCommand(args, { ...bucket.environment, ...environment });

describe('issuer release push and pull', () => {
  it('moves a store into a bucket, and brings up a fresh machine from it', async () => {
    await own.publish('2025-11-18', { text: 'one' });
    await own.publish('2025-11-19', { text: 'two' });
    const said = await issuer(['release', 'push', address, '--data', own.root, '--dry-run']);
    expect(said).toMatchObject({
      code: 0,
      out: 'Would copy 2 releases in 2 new packs from this store to s3://bucket/store.\n',
    });
    expect(bucket.objects.size).toBe(0);
    const pushed = await issuer(['release', 'push', address, '--data', own.root]);
    expect(pushed.code).toBe(0);
    expect(pushed.out.replaceAll('\n', ' ')).toMatch(
      /^Copied 2 releases in 2 new packs \([\d,]+ bytes\) from this store to s3:\/\/bucket\/store, read it again there, and moved the pointers\. $/,
    );
    const again = await issuer(['release', 'push', address, '--data', own.root]);
    expect(again.out).toBe('Nothing to copy: this store and s3://bucket/store say the same.\n');
    const data = join(scratch, 'fresh');
    const pulled = await issuer(['release', 'pull', address, '--data', data, '--json']);
    expect(JSON.parse(pulled.out.trim().split('\n').at(-1) ?? '')).toMatchObject({
      direction: 'pull',
      store: address,
      dry_run: false,
      releases: ['2025-11-18.1', '2025-11-19.1'],
      packs: ['2025-11-18.1', '2025-11-19.1'],
    });
    expect((await issuer(['release', 'fsck', '--data', data])).code).toBe(0);
    expect((await issuer(['release', 'verify', '--data', data])).out).toContain('2025-11-19.1 verifies');
  });

  it('publishes what a command changes where II_STORE names a bucket, and refuses a second publisher', async () => {
    await own.publish('2025-11-18', { text: 'one' });
    await own.publish('2025-11-18', { text: 'corrected' });
    const environment = { II_STORE: address };
    const promote = ['release', 'promote', '2025-11-18.1', '--data', own.root];
    expect((await issuer(promote, environment)).code).toBe(0);
    expect(bucket.objects.get('store/current')?.toString()).toBe('2025-11-18.1\n');
    const lease = JSON.parse(bucket.objects.get('store/publisher.json')?.toString() ?? '');
    const held = { ...lease, holder: { ...lease.holder, host: 'another-machine' } };
    const document = JSON.stringify({ ...held, expires_at_utc: '2999-01-01T00:00:00Z' });
    bucket.objects.set('store/publisher.json', Buffer.from(document));
    const refused = await issuer(['release', 'promote', '2025-11-18.2', '--data', own.root], environment);
    expect(refused.code).toBe(75);
    expect(refused.err.replaceAll(/\s+/g, ' ')).toContain('on another-machine, until 2999-01-01T00:00:00Z');
    expect(await readCurrent(own.paths)).toBe('2025-11-18.1');
    expect((await issuer(['release', 'push', address, '--data', own.root])).out).toBe('');
  });

  it('verifies a release in the bucket, and finds bytes that changed there', async () => {
    await own.publish('2025-11-18', { text: 'one' });
    await issuer(['release', 'push', address, '--data', own.root]);
    const verify = ['release', 'verify', '--store', address, '--data', own.root];
    expect((await issuer(verify)).out).toMatch(/^2025-11-18\.1 verifies: 1 artifacts, \d+ bytes/);
    const pack = 'store/packs/2025-11-18.1.pack';
    bucket.objects.set(pack, Buffer.alloc(bucket.objects.get(pack)?.length ?? 0, 'x'));
    expect(await issuer(verify)).toMatchObject({ code: 5, err: expect.stringContaining('its hash is not') });
    expect((await issuer([...verify, '2025-11-19.1'])).code).toBe(3);
  });

  it('says what is wrong with an address, a bucket and a store that is not there', async () => {
    const wrong = await issuer(['release', 'push', 'https://bucket', '--data', own.root]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('s3://<bucket>/<prefix>') });
    bucket.misbehave(() => ({ status: 403, code: 'AccessDenied' }));
    const forbidden = await issuer(['release', 'pull', address, '--data', join(scratch, 'fresh')]);
    expect(forbidden).toMatchObject({ code: 2, err: expect.stringContaining('s3:GetObject') });
    expect(forbidden.err).not.toContain('secret-of-the-replica');
  });

  it('leaves nothing that answers when the disk is full, and goes on when there is room', async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 8 }, (_, i) => [`a/${i}`, randomBytes(60_000).toString('hex')]),
    );
    await own.publish('2025-11-18', texts);
    const data = join(scratch, 'fresh');
    // no file may grow beyond 256 KiB
    const full = spawnSync(
      'bash',
      [
        ...['-c', 'ulimit -f 256; exec "$0" "$@"', process.execPath, join(programRoot, 'pipeline/cli.ts')],
        ...['release', 'pull', own.paths.root, '--data', data],
      ],
      { env: { PATH: process.env['PATH'] }, encoding: 'utf8' },
    );
    expect(full.stderr.replaceAll(/\s+/g, ' ')).toContain('could not be written (EFBIG). Free disk space');
    expect(full.status).toBe(1);
    expect(existsSync(join(data, 'artifacts/current'))).toBe(false);
    expect(readdirSync(join(data, 'artifacts')).sort()).toEqual(['copies.json', 'layout.json']);
    expect((await issuer(['release', 'pull', own.paths.root, '--data', data])).code).toBe(0);
    expect((await issuer(['release', 'fsck', '--data', data])).code).toBe(0);
  });
});

describe('issuer release list', () => {
  it('shows whole releases beside a damaged one and a broken pointer, and promote mends the pointer', async () => {
    await own.publish('2025-11-18', { text: 'one' });
    await own.publish('2025-11-19', { text: 'two' });
    writeFileSync(join(own.paths.releases, '2025-11-18.1', 'manifest.json'), 'null');
    writeFileSync(own.paths.current, 'garbage');
    const data = ['--data', own.root];
    const { code, out } = await issuer(['release', 'list', ...data]);
    expect([code, out.replaceAll(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringMatching(/^2025-11-18\.1 damaged .*expected object.* 2025-11-19\.1 promoted /),
    ]);
    expect((await issuer(['release', 'promote', '2025-11-19.1', ...data])).code).toBe(0);
    expect(await readCurrent(own.paths)).toBe('2025-11-19.1');
    rmSync(join(own.paths.releases, '2025-11-18.1', 'manifest.json'));
    expect((await issuer(['release', 'list', ...data])).out).toContain('There is no release 2025-11-18.1.');
  });
});

describe('issuer release extract', () => {
  it('writes a release whole into a directory, or nothing when a byte of it is lost', async () => {
    await own.publish('2025-11-18', { text: 'one' });
    const extract = (name: string) =>
      issuer(['release', 'extract', '2025-11-18.1', join(scratch, name), '--data', own.root]);
    mkdirSync(join(scratch, 'empty'));
    expect((await extract('empty')).code).toBe(0);
    expect(readdirSync(join(scratch, 'empty'))).toContain('manifest.json');
    expect((await extract('empty')).code).toBe(2);
    writeFileSync(join(own.paths.packs, '2025-11-18.1.pack'), '');
    expect((await extract('new')).code).toBe(5);
    expect(readdirSync(scratch)).toEqual(['empty']);
  });
});
