import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  companyfactsPath,
  edgarFiles,
  served,
  sha256Hex,
  storedZip,
  tickersPath,
} from '../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness, failureOf } from '../../fixtures/replicas/edgarHarness.ts';
import type { ServedFile } from '../../fixtures/replicas/edgarReplica.ts';

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

const hashOf = (files: Record<string, ServedFile>) =>
  sha256Hex(files[companyfactsPath]?.body ?? Buffer.alloc(0));

describe('resuming', () => {
  it('continues a download that was cut three times, byte for byte', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: [500_000, 300_000, 400_000].map((afterBytes) => ({ kind: 'cut', afterBytes })),
    });
    const report = await t.run(replica);
    expect(report.files[1]).toMatchObject({
      status: 'resumed',
      requests: 4,
      bytes: files[companyfactsPath]?.body.length,
    });
    expect(await t.archiveHash()).toBe(hashOf(files));
    // what a stream still buffers when its line is cut is lost, at most a few buffers of 64 KiB
    const [, ...later] = replica.requestsOf(companyfactsPath);
    let reached = 0;
    for (const [i, request] of later.entries()) {
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1]);
      const cutAt = reached + ([500_000, 300_000, 400_000][i] ?? 0);
      expect(from).toBeGreaterThan(cutAt - 262_144);
      expect(from).toBeLessThanOrEqual(cutAt);
      expect(request.headers['if-range']).toBe(files[companyfactsPath]?.etag);
      reached = from;
    }
  });

  it('continues by date when the server gives no ETag', async () => {
    const files = edgarFiles();
    for (const file of Object.values(files)) file.etag = null;
    const replica = await t.start(files, { [companyfactsPath]: [{ kind: 'cut', afterBytes: 700_000 }] });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'resumed' });
    expect(replica.requestsOf(companyfactsPath)[1]?.headers['if-range']).toBe(
      files[companyfactsPath]?.lastModified,
    );
  });

  it.each([
    ['no validator', null, null],
    ['only a weak ETag', 'W/"7"', 'Sat, 07 Feb 2026 00:00:00 GMT'],
  ])('starts over after a cut when the server gives %s', async (_, etag, lastModified) => {
    const files = edgarFiles();
    Object.assign(files[companyfactsPath] ?? {}, { etag, lastModified });
    const replica = await t.start(files, { [companyfactsPath]: [{ kind: 'cut', afterBytes: 700_000 }] });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 2 });
    expect(replica.requestsOf(companyfactsPath)[1]?.headers.range).toBeUndefined();
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('starts over with the new file when the ETag changes between two attempts', async () => {
    const changed = served(storedZip({ seed: 99, size: 1_600_000 }), 99);
    const replica = await t.start(edgarFiles(), {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'replace', file: changed },
      ],
    });
    const report = await t.run(replica);
    expect(report.files[1]).toMatchObject({
      requests: 2,
      sha256: sha256Hex(changed.body),
      etag: changed.etag,
    });
    expect(report.files[1]?.bytes).toBeGreaterThan(changed.body.length);
    expect(await t.archiveHash()).toBe(sha256Hex(changed.body));
  });

  it('starts over when the server ignores the range', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: [{ kind: 'cut', afterBytes: 700_000 }, { kind: 'ignoreRange' }],
    });
    expect((await t.run(replica)).files[1]).toMatchObject({ requests: 2 });
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('starts over when a 206 brings other bytes than asked for', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'wrongContentRange', shift: 10 },
      ],
    });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 3 });
    expect(replica.requestsOf(companyfactsPath)[2]?.headers.range).toBeUndefined();
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('starts over when the file shrank below what is stored (416)', async () => {
    const small = served(storedZip({ seed: 3, size: 1_000 }), 3);
    const files = edgarFiles();
    const etag = files[companyfactsPath]?.etag ?? null;
    const replica = await t.start(files, {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        // same ETag, so that the range is honoured and found unsatisfiable
        { kind: 'replace', file: { ...small, etag } },
      ],
    });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 3 });
    expect(await t.archiveHash()).toBe(sha256Hex(small.body));
  });

  it('resumes in a later run what an interrupted one left', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: [{ kind: 'stall', afterBytes: 1_000_000 }],
    });
    const stop = new AbortController();
    const running = failureOf(t.run(replica, {}, { signal: stop.signal }));
    await until(async () => t.log.some((e) => e.message.includes('companyfacts.zip')));
    stop.abort();
    expect((await running).toCli()).toMatchObject({ code: 'interrupted', exitCode: 130 });
    const second = await t.run(replica);
    expect(second.files[1]?.status).toBe('resumed');
    expect(second.files[1]?.bytes).toBeLessThan(files[companyfactsPath]?.body.length ?? 0);
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('finishes without downloading when a process died between the last byte and the manifest', async () => {
    const files = edgarFiles();
    const replica = await t.start(files);
    const first = await t.run(replica);
    // the state such a crash leaves: content in place, sidecar naming it, no manifest row
    const file = first.files[1];
    const manifest = join(t.root, 'raw/edgar/manifest.ndjson');
    const rows = (await readFile(manifest, 'utf8')).split('\n').filter((r) => !r.includes('companyfacts'));
    await writeFile(manifest, rows.join('\n'));
    const { createHash } = await import('node:crypto');
    const stem = createHash('sha256')
      .update(file?.url ?? '')
      .digest('hex')
      .slice(0, 16);
    const sidecar = {
      url: file?.url,
      etag: file?.etag,
      last_modified: file?.lastModified,
      size: file?.size,
      offset: file?.size,
      sha256: file?.sha256,
    };
    await writeFile(join(t.root, `raw/edgar/partial/${stem}.json`), JSON.stringify(sidecar));
    const second = await t.run(replica);
    expect(second.files[1]).toMatchObject({ status: 'resumed', bytes: 0, requests: 1 });
    // the same crash one step earlier: the part is complete but not yet moved
    await writeFile(manifest, '');
    await writeFile(join(t.root, `raw/edgar/partial/${stem}.json`), JSON.stringify(sidecar));
    await writeFile(
      join(t.root, `raw/edgar/partial/${stem}.part`),
      await readFile(join(t.root, 'source/edgar/companyfacts.zip')),
    );
    await rm(join(t.root, 'raw/edgar', file?.sha256 ?? ''));
    const third = await t.run(replica);
    expect(third.files[1]).toMatchObject({ status: 'resumed', bytes: 0, requests: 1 });
    expect(await t.partials()).toEqual([]);
  });

  it.each(['', '{', '{"url":1}', '[]'])('ignores a damaged sidecar (%j) and starts over', async (text) => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [tickersPath]: [{ kind: 'none' }, { kind: 'none' }],
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'status', status: 404 },
      ],
    });
    await failureOf(t.run(replica));
    for (const name of await t.partials()) {
      if (name.endsWith('.json')) await writeFile(join(t.root, 'raw/edgar/partial', name), text);
    }
    const second = await t.run(replica);
    expect(second.files[1]?.bytes).toBe(files[companyfactsPath]?.body.length);
    expect(await t.archiveHash()).toBe(hashOf(files));
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
