import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import {
  companyfactsPath,
  edgarFiles,
  served,
  sha256Hex,
  storedZip,
} from '../../../fixtures/replicas/edgarFiles.ts';
import { edgarReplica, type Fault } from '../../../fixtures/replicas/edgarReplica.ts';
import { virtualClock } from '../../../fixtures/rigs/virtualClock.ts';
import { fetchEdgar } from '../fetchEdgar.ts';
import { hostCooldown } from '../http/hostCooldown.ts';
import { contentStore } from './contentStore.ts';
import { openFetchManifest } from './fetchManifest.ts';
import { storeText } from './storeUnwritable.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fetch-store-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('manifest', () => {
  const row = {
    url: 'https://www.sec.gov/a',
    etag: '"1"',
    last_modified: null,
    fetched_at: '2026-02-07T03:00:00.000Z',
    size: 3,
    sha256: 'a'.repeat(64),
  };

  it('keeps every row and answers with the last one of a URL', async () => {
    const manifest = await openFetchManifest(root);
    await Promise.all([1, 2, 3].map((size) => manifest.record({ ...row, size })));
    await manifest.record({ ...row, url: 'https://www.sec.gov/b' });
    const again = await openFetchManifest(root);
    expect(again.rows().map((r) => r.size)).toEqual([1, 2, 3, 3]);
    expect(again.latest(row.url)?.size).toBe(3);
    expect(again.latest('https://www.sec.gov/c')).toBeNull();
  });

  it.each(['{', '{}', 'null', JSON.stringify({ ...row, size: -1 }), JSON.stringify({ ...row, extra: 1 })])(
    'refuses a damaged line (%s) by its number and leaves the file alone',
    async (line) => {
      const path = join(root, 'manifest.ndjson');
      const text = `${JSON.stringify(row)}\n${line}\n`;
      await writeFile(path, text);
      const error = await openFetchManifest(root).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(IssuerError);
      expect((error as IssuerError).message).toContain('Line 2');
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );
});

describe('cool-down', () => {
  const o = { host: 'www.sec.gov', advice: 'check the contact' };

  it('holds for ten minutes across processes and then ends', async () => {
    const clock = virtualClock('2026-02-07T03:00:00Z');
    const error = await hostCooldown({ ...o, directory: root, clock }).refuse({
      url: 'https://www.sec.gov/a',
      status: 403,
      cause: null,
    });
    expect(error.hint).toBe('Run again after 2026-02-07T03:10:00.000Z; check the contact.');
    clock.advance(599_999);
    const next = hostCooldown({ ...o, directory: root, clock });
    await expect(next.assertOpen()).rejects.toThrow('refused');
    clock.advance(1);
    await next.assertOpen();
    expect(await readdir(root)).toEqual([]);
  });

  it('takes a damaged note as a refusal at the time it was written', async () => {
    const clock = virtualClock('2026-02-07T03:00:00Z');
    await hostCooldown({ ...o, directory: root, clock }).refuse({
      url: 'https://www.sec.gov/a',
      status: 403,
      cause: null,
    });
    const [name = ''] = await readdir(root);
    await writeFile(join(root, name), '{"host"');
    await utimes(join(root, name), clock.now(), clock.now());
    await expect(hostCooldown({ ...o, directory: root, clock }).assertOpen()).rejects.toThrow('refused');
    clock.advance(600_000);
    await hostCooldown({ ...o, directory: root, clock }).assertOpen();
  });
});

describe('content store', () => {
  it('links over an earlier link and leaves no temporary name, twice the same too', async () => {
    const store = contentStore(root);
    for (const text of ['one', 'two', 'two']) {
      const from = join(root, 'incoming');
      await writeFile(from, text);
      const sha256 = sha256Hex(Buffer.from(text));
      await store.adopt({ from, sha256 });
      await store.linkTo({ sha256, target: join(root, 'out/file') });
      await store.linkTo({ sha256, target: join(root, 'out/file') });
      expect(await readFile(join(root, 'out/file'), 'utf8')).toBe(text);
      expect(await readdir(join(root, 'out'))).toEqual(['file']);
    }
  });

  it('knows content whose bytes changed', async () => {
    const store = contentStore(root);
    const sha256 = sha256Hex(Buffer.from('abc'));
    expect(await store.verify({ sha256, size: 3 })).toBe(false);
    await writeFile(store.path(sha256), 'abc');
    expect(await store.verify({ sha256, size: 3 })).toBe(true);
    await writeFile(store.path(sha256), 'abd');
    expect(await store.verify({ sha256, size: 3 })).toBe(false);
  });

  it('copies when the target is on another file system', async (ctx) => {
    const other = await otherFileSystem();
    if (other === null) return ctx.skip('no second file system to link across');
    try {
      const store = contentStore(root);
      const sha256 = sha256Hex(Buffer.from('abc'));
      await writeFile(store.path(sha256), 'abc');
      await store.linkTo({ sha256, target: join(other, 'edgar/file') });
      expect(await readFile(join(other, 'edgar/file'), 'utf8')).toBe('abc');
      expect(await readdir(join(other, 'edgar'))).toEqual(['file']);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });
});

/** A new directory on another file system than the test's own; null when there is none. */
async function otherFileSystem(): Promise<string | null> {
  const { dev } = await stat(root);
  for (const place of ['/dev/shm', '/tmp', '/var/tmp', import.meta.dirname]) {
    const there = await stat(place).catch(() => null);
    if (there !== null && there.dev !== dev) return mkdtemp(join(place, 'fetch-store-'));
  }
  return null;
}

describe('an unwritable directory', () => {
  it('is reported with its path, before any request', async () => {
    const replica = await edgarReplica({ files: edgarFiles() });
    try {
      // a file where a directory has to be: fails for every user, root included
      await writeFile(join(root, 'raw'), '');
      const work = fetchEdgar({
        rawRoot: join(root, 'raw'),
        target: join(root, 'source'),
        contact: 'jane@fund.org',
        baseUrl: replica.origin,
        effects: { clock: virtualClock('2026-02-07T03:00:00Z'), log: () => undefined },
        signal: new AbortController().signal,
      });
      await expect(work).rejects.toMatchObject({ code: 'store_unwritable' });
      expect(replica.requests).toEqual([]);
    } finally {
      await replica.close();
    }
  });

  it('never costs the text that was there', async () => {
    const path = join(root, 'a/file');
    await storeText(path, 'old');
    await mkdir(join(root, 'a/file.partial'));
    await expect(storeText(path, 'new')).rejects.toMatchObject({ code: 'store_unwritable' });
    expect(await readFile(path, 'utf8')).toBe('old');
  });
});

describe('any sequence of faults', () => {
  const other = served(storedZip({ seed: 21, size: 90_000 }), 21);
  const fault: fc.Arbitrary<Fault> = fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), afterBytes: fc.integer({ min: 0, max: 120_000 }) }),
    fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom(429, 500, 503) }),
    fc.constant({ kind: 'ignoreRange' as const }),
    fc.record({ kind: fc.constant('wrongContentRange' as const), shift: fc.integer({ min: -5, max: 5 }) }),
    fc.record({ kind: fc.constant('lieAboutLength' as const), delta: fc.integer({ min: -400, max: 400 }) }),
    fc.record({ kind: fc.constant('overlong' as const), extraBytes: fc.integer({ min: 1, max: 400 }) }),
    fc.constant({ kind: 'noLength' as const }),
    fc.constant({ kind: 'replace' as const, file: other }),
    fc.record({ kind: fc.constant('garbage' as const), text: fc.string({ maxLength: 60 }) }),
  );

  it('ends in the served bytes or a declared error, and the store holds only what its names say', async () => {
    let run = 0;
    let finished = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 7 }), async (faults) => {
        run += 1;
        const directory = join(root, String(run));
        const files = edgarFiles({ zipBytes: 120_000 });
        const replica = await edgarReplica({ files, faults: { [companyfactsPath]: [...faults] } });
        const once = () =>
          fetchEdgar({
            rawRoot: join(directory, 'raw'),
            target: join(directory, 'source'),
            contact: 'jane@fund.org',
            baseUrl: replica.origin,
            effects: { clock: virtualClock('2026-02-07T03:00:00Z'), log: () => undefined },
            network: { random: () => 0, checkpointBytes: 8_192 },
            signal: new AbortController().signal,
          }).catch((e: unknown) => e);
        try {
          let outcome = await once();
          if (outcome instanceof IssuerError) expect(outcome.code).toBe('source_refused');
          // by now most faults are used up; a second process has to get through or say why not
          if (outcome instanceof Error) outcome = await once();
          if (!(outcome instanceof Error)) {
            finished += 1;
            expect(await readFile(join(directory, 'source/edgar/companyfacts.zip'))).toEqual(
              files[companyfactsPath]?.body,
            );
          }
          for (const name of await readdir(join(directory, 'raw/edgar'))) {
            if (!/^[0-9a-f]{64}$/.test(name)) continue;
            expect(sha256Hex(await readFile(join(directory, 'raw/edgar', name)))).toBe(name);
          }
        } finally {
          await replica.close();
        }
      }),
      { numRuns: 40 },
    );
    expect(finished).toBeGreaterThan(30);
  });
});
