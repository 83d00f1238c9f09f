import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  companyfactsPath,
  edgarFiles,
  served,
  sha256Hex,
  storedZip,
  submissionsPath,
  tickersPath,
} from '../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness, failureOf } from '../../fixtures/replicas/edgarHarness.ts';
import type { Fault, ServedFile } from '../../fixtures/replicas/edgarReplica.ts';
import type { FetchReport } from './fetchEdgar.ts';
import { defaultRetryLimits } from './http/retryPolicy.ts';

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

const statuses = (report: FetchReport) => report.files.map((f) => f.status);
const hashOf = (files: Record<string, ServedFile>) =>
  sha256Hex(files[companyfactsPath]?.body ?? Buffer.alloc(0));

describe('fetching EDGAR', () => {
  it('makes no request without a contact address', async () => {
    const replica = await t.start(edgarFiles());
    const error = await failureOf(t.run(replica, {}, { contact: undefined }));
    expect(error.toCli()).toMatchObject({ code: 'configuration', exitCode: 2 });
    expect(replica.requests).toEqual([]);
  });

  it('stores each file under its hash, records it, and links the documented layout', async () => {
    const files = edgarFiles();
    const replica = await t.start(files);
    const report = await t.run(replica);
    expect(report).toMatchObject({ source: 'edgar', sourceDirectory: join(t.root, 'source'), requests: 3 });
    expect(report.files.map((f) => [f.path, f.status, f.bytes, f.sha256])).toEqual(
      [tickersPath, companyfactsPath, submissionsPath].map((path) => {
        const body = files[path]?.body ?? Buffer.alloc(0);
        return [`edgar/${path.split('/').at(-1)}`, 'downloaded', body.length, sha256Hex(body)];
      }),
    );
    for (const file of report.files) {
      const linked = await stat(join(t.root, 'source', file.path));
      const stored = await stat(join(t.root, 'raw/edgar', file.sha256));
      expect(linked.ino).toBe(stored.ino);
      expect(stored.mode & 0o777).toBe(0o444);
    }
    const rows = readFileSync(join(t.root, 'raw/edgar/manifest.ndjson'), 'utf8').trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toContainEqual({
      url: `${replica.origin}${companyfactsPath}`,
      etag: files[companyfactsPath]?.etag,
      last_modified: files[companyfactsPath]?.lastModified,
      fetched_at: expect.stringMatching(/^2026-02-07T03:00:/),
      size: files[companyfactsPath]?.body.length,
      sha256: sha256Hex(files[companyfactsPath]?.body ?? Buffer.alloc(0)),
    });
    expect(await t.partials()).toEqual([]);
    expect((await readdir(join(t.root, 'source/edgar'))).sort()).toEqual(
      ['companyfacts.zip', 'company_tickers_exchange.json', 'submissions.zip'].sort(),
    );
  });

  it('declares who asks and asks for identity coding', async () => {
    const replica = await t.start(edgarFiles());
    await t.run(replica);
    for (const request of replica.requests) {
      expect(request.headers).toMatchObject({
        'user-agent': 'issuer-intelligence/1.0 Jane Roe jane@fund.org',
        'accept-encoding': 'identity',
      });
    }
  });

  it('never exceeds eight requests a second', async () => {
    const busy: Fault[] = Array.from({ length: 4 }, () => ({ kind: 'status', status: 503 }));
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: [...busy],
      [companyfactsPath]: [...busy],
      [submissionsPath]: [...busy],
    });
    // the moment of sending, not of arrival: the virtual clock moves while a request is on its way
    const at: number[] = [];
    const onRequest = () => at.push(t.clock.now().getTime());
    subscribe('undici:request:create', onRequest);
    await t.run(replica, { random: () => 0 });
    unsubscribe('undici:request:create', onRequest);
    expect(at).toHaveLength(15);
    for (const [i, from] of at.entries()) {
      expect(at.filter((t, j) => j >= i && t < from + 1000).length).toBeLessThanOrEqual(8);
    }
  });

  it('asks once per address when nothing changed, and reuses what is stored', async () => {
    const replica = await t.start(edgarFiles());
    const first = await t.run(replica);
    const before = replica.bytesSent();
    const second = await t.run(replica);
    expect(statuses(second)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(second.bytes).toBe(0);
    expect(second.requests).toBe(3);
    expect(replica.bytesSent()).toBe(before);
    expect(second.files.map((f) => f.sha256)).toEqual(first.files.map((f) => f.sha256));
    expect(replica.requests.slice(3).map((r) => typeof r.headers['if-none-match'])).toEqual(
      Array(3).fill('string'),
    );
  });

  it('revalidates by date when the server gives no ETag', async () => {
    const files = edgarFiles();
    for (const file of Object.values(files)) file.etag = null;
    const replica = await t.start(files);
    await t.run(replica);
    expect(statuses(await t.run(replica))).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('keeps the earlier archive beside a changed one', async () => {
    const files = edgarFiles();
    const replica = await t.start(files);
    const first = await t.run(replica);
    const changed = served(storedZip({ seed: 99, size: 1_400_000 }), 99);
    files[companyfactsPath] = changed;
    const second = await t.run(replica);
    expect(statuses(second)).toEqual(['unchanged', 'downloaded', 'unchanged']);
    expect(await t.archiveHash()).toBe(sha256Hex(changed.body));
    expect(sha256Hex(await readFile(join(t.root, 'raw/edgar', first.files[1]?.sha256 ?? '')))).toBe(
      first.files[1]?.sha256,
    );
  });

  it('downloads again when the stored copy was damaged, although the server says unchanged', async () => {
    const files = edgarFiles();
    const replica = await t.start(files);
    const first = await t.run(replica);
    const stored = join(t.root, 'raw/edgar', first.files[1]?.sha256 ?? '');
    await rm(stored);
    await writeFile(stored, 'damaged');
    const second = await t.run(replica);
    expect(statuses(second)).toEqual(['unchanged', 'downloaded', 'unchanged']);
    expect(await t.archiveHash()).toBe(hashOf(files));
    expect(t.log.some((e) => e.level === 'warn' && e.message.includes('damaged'))).toBe(true);
  });
});

describe('throttling', () => {
  it('makes exactly one request when the host answers 403, and none for the next ten minutes', async () => {
    const replica = await t.start(edgarFiles(), { [tickersPath]: [{ kind: 'status', status: 403 }] });
    const error = await failureOf(t.run(replica));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(error.hint).toContain('2026-02-07T03:10:00');
    expect(replica.requests).toHaveLength(1);
    // a new process: nothing is shared but the directory
    t.clock.advance(9 * 60_000 + 59_000);
    const again = await failureOf(t.run(replica));
    expect(again.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(again.hint).toContain('2026-02-07T03:10:00');
    expect(replica.requests).toHaveLength(1);
    t.clock.advance(1_000);
    expect(statuses(await t.run(replica))).toEqual(['downloaded', 'downloaded', 'downloaded']);
  });

  it('stops the other download when one is refused, and keeps its part', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: [{ kind: 'stall', afterBytes: 1_200_000 }],
      [submissionsPath]: [{ kind: 'status', status: 403 }],
    });
    const error = await failureOf(t.run(replica));
    expect(error.code).toBe('source_refused');
    expect(replica.requests).toHaveLength(3);
    t.clock.advance(600_000);
    expect(statuses(await t.run(replica))).toEqual(['unchanged', expect.any(String), 'downloaded']);
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('honours Retry-After of 429 and 503, in seconds and as a date', async () => {
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: [
        { kind: 'status', status: 429, headers: { 'retry-after': '17' } },
        { kind: 'status', status: 503, headers: { 'retry-after': 'Sat, 07 Feb 2026 03:02:00 GMT' } },
      ],
    });
    await t.run(replica);
    const [first, second, third] = replica.requestsOf(tickersPath).map((r) => r.at);
    expect((second ?? 0) - (first ?? 0)).toBe(17_000);
    expect(third).toBe(Date.parse('2026-02-07T03:02:00Z'));
  });

  it('backs off with jitter when no Retry-After is given', async () => {
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: [429, 500, 502, 504].map((status) => ({ kind: 'status', status })),
    });
    await t.run(replica, { random: () => 0.25 });
    const at = replica.requestsOf(tickersPath).map((r) => r.at);
    expect(at.slice(1).map((t, i) => t - (at[i] ?? 0))).toEqual([250, 500, 1000, 2000]);
  });

  it('gives up at once, naming the time, when Retry-After is longer than its patience', async () => {
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: [{ kind: 'status', status: 429, headers: { 'retry-after': '7200' } }],
    });
    const error = await failureOf(t.run(replica));
    expect(error.code).toBe('source_refused');
    expect(error.hint).toContain('2026-02-07T05:00:00');
    expect(replica.requests).toHaveLength(1);
  });

  it('gives up after five failures in a row', async () => {
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: Array.from({ length: 9 }, () => ({ kind: 'status', status: 500 })),
    });
    const error = await failureOf(t.run(replica));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(replica.requests).toHaveLength(5);
  });

  it('ends even when every attempt brings a few bytes and is cut', async () => {
    const replica = await t.start(edgarFiles({ zipBytes: 3_000_000 }), {
      [companyfactsPath]: Array.from({ length: 99 }, () => ({ kind: 'cut', afterBytes: 300_000 })),
    });
    const error = await failureOf(t.run(replica, { retry: { ...defaultRetryLimits, maxFailures: 7 } }));
    expect(error.code).toBe('source_refused');
    expect(replica.requestsOf(companyfactsPath)).toHaveLength(7);
  });
});
