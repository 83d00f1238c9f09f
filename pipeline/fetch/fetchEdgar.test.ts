import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IssuerError } from '../../contract/issuerError.ts';
import {
  companyfactsPath,
  edgarFiles,
  served,
  sha256Hex,
  storedZip,
  submissionsPath,
  tickersPath,
} from '../../fixtures/replicas/edgarFiles.ts';
import {
  type EdgarReplica,
  edgarReplica,
  type Fault,
  type ServedFile,
} from '../../fixtures/replicas/edgarReplica.ts';
import { type VirtualClock, virtualClock } from '../../fixtures/replicas/virtualClock.ts';
import type { LogEvent } from '../effects.ts';
import { type FetchNetwork, type FetchReport, fetchEdgar } from './fetchEdgar.ts';
import { defaultRetryLimits } from './retryPolicy.ts';

let root: string;
let clock: VirtualClock;
let log: LogEvent[];
let replicas: EdgarReplica[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fetch-edgar-'));
  clock = virtualClock('2026-02-07T03:00:00Z');
  log = [];
  replicas = [];
});
afterEach(async () => {
  for (const replica of replicas) await replica.close();
  await rm(root, { recursive: true, force: true });
});

async function start(
  files: Record<string, ServedFile>,
  faults: Record<string, Fault[]> = {},
): Promise<EdgarReplica> {
  const replica = await edgarReplica({ files, faults, now: () => clock.now().getTime() });
  replicas.push(replica);
  return replica;
}

function run(
  replica: EdgarReplica,
  network: Partial<FetchNetwork> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<FetchReport> {
  return fetchEdgar({
    rawRoot: join(root, 'raw'),
    target: join(root, 'source'),
    contact: 'Jane Roe jane@fund.org',
    baseUrl: replica.origin,
    effects: { clock, log: (event) => log.push(event) },
    network: { random: () => 0.5, checkpointBytes: 16_384, ...network },
    signal,
  });
}

async function failure(work: Promise<unknown>): Promise<IssuerError> {
  const error = await work.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof IssuerError)) throw new Error(`expected an IssuerError, got ${String(error)}`);
  return error;
}

const statuses = (report: FetchReport) => report.files.map((f) => f.status);
const archive = () => readFile(join(root, 'source/edgar/companyfacts.zip'));
const partials = () => readdir(join(root, 'raw/edgar/partial')).catch(() => []);

describe('fetching EDGAR', () => {
  it('makes no request without a contact address', async () => {
    const replica = await start(edgarFiles());
    const error = await failure(
      fetchEdgar({
        rawRoot: root,
        target: root,
        contact: undefined,
        baseUrl: replica.origin,
        effects: { clock, log: () => undefined },
        signal: new AbortController().signal,
      }),
    );
    expect(error.toCli()).toMatchObject({ code: 'configuration', exitCode: 2 });
    expect(replica.requests).toEqual([]);
  });

  it('stores each file under its hash, records it, and links the documented layout', async () => {
    const files = edgarFiles();
    const replica = await start(files);
    const report = await run(replica);
    expect(report).toMatchObject({ source: 'edgar', sourceDirectory: join(root, 'source'), requests: 3 });
    expect(report.files.map((f) => [f.path, f.status, f.bytes, f.sha256])).toEqual(
      [tickersPath, companyfactsPath, submissionsPath].map((path) => {
        const body = files[path]?.body ?? Buffer.alloc(0);
        return [`edgar/${path.split('/').at(-1)}`, 'downloaded', body.length, sha256Hex(body)];
      }),
    );
    for (const file of report.files) {
      const linked = await stat(join(root, 'source', file.path));
      const stored = await stat(join(root, 'raw/edgar', file.sha256));
      expect(linked.ino).toBe(stored.ino);
      expect(stored.mode & 0o777).toBe(0o444);
    }
    const rows = readFileSync(join(root, 'raw/edgar/manifest.ndjson'), 'utf8').trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toContainEqual({
      url: `${replica.origin}${companyfactsPath}`,
      etag: files[companyfactsPath]?.etag,
      last_modified: files[companyfactsPath]?.lastModified,
      fetched_at: expect.stringMatching(/^2026-02-07T03:00:/),
      size: files[companyfactsPath]?.body.length,
      sha256: sha256Hex(files[companyfactsPath]?.body ?? Buffer.alloc(0)),
    });
    expect(await partials()).toEqual([]);
    expect((await readdir(join(root, 'source/edgar'))).sort()).toEqual(
      ['companyfacts.zip', 'company_tickers_exchange.json', 'submissions.zip'].sort(),
    );
  });

  it('declares who asks and asks for identity coding', async () => {
    const replica = await start(edgarFiles());
    await run(replica);
    for (const request of replica.requests) {
      expect(request.headers).toMatchObject({
        'user-agent': 'issuer-intelligence/1.0 Jane Roe jane@fund.org',
        'accept-encoding': 'identity',
      });
    }
  });

  it('never exceeds eight requests a second', async () => {
    const busy: Fault[] = Array.from({ length: 4 }, () => ({ kind: 'status', status: 503 }));
    const replica = await start(edgarFiles(), {
      [tickersPath]: [...busy],
      [companyfactsPath]: [...busy],
      [submissionsPath]: [...busy],
    });
    // the moment of sending, not of arrival: the virtual clock moves while a request is on its way
    const at: number[] = [];
    const onRequest = () => at.push(clock.now().getTime());
    subscribe('undici:request:create', onRequest);
    await run(replica, { random: () => 0 });
    unsubscribe('undici:request:create', onRequest);
    expect(at).toHaveLength(15);
    for (const [i, from] of at.entries()) {
      expect(at.filter((t, j) => j >= i && t < from + 1000).length).toBeLessThanOrEqual(8);
    }
  });

  it('asks once per address when nothing changed, and reuses what is stored', async () => {
    const replica = await start(edgarFiles());
    const first = await run(replica);
    const before = replica.bytesSent();
    const second = await run(replica);
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
    const replica = await start(files);
    await run(replica);
    expect(statuses(await run(replica))).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  it('keeps the earlier archive beside a changed one', async () => {
    const files = edgarFiles();
    const replica = await start(files);
    const first = await run(replica);
    const changed = served(storedZip({ seed: 99, size: 1_400_000 }), 99);
    files[companyfactsPath] = changed;
    const second = await run(replica);
    expect(statuses(second)).toEqual(['unchanged', 'downloaded', 'unchanged']);
    expect(await archive()).toEqual(changed.body);
    expect(sha256Hex(await readFile(join(root, 'raw/edgar', first.files[1]?.sha256 ?? '')))).toBe(
      first.files[1]?.sha256,
    );
  });

  it('downloads again when the stored copy was damaged, although the server says unchanged', async () => {
    const files = edgarFiles();
    const replica = await start(files);
    const first = await run(replica);
    const stored = join(root, 'raw/edgar', first.files[1]?.sha256 ?? '');
    await rm(stored);
    await writeFile(stored, 'damaged');
    const second = await run(replica);
    expect(statuses(second)).toEqual(['unchanged', 'downloaded', 'unchanged']);
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
    expect(log.some((e) => e.level === 'warn' && e.message.includes('damaged'))).toBe(true);
  });
});

describe('resuming', () => {
  it('continues a download that was cut three times, byte for byte', async () => {
    const files = edgarFiles();
    const replica = await start(files, {
      [companyfactsPath]: [500_000, 300_000, 400_000].map((afterBytes) => ({ kind: 'cut', afterBytes })),
    });
    const report = await run(replica);
    expect(report.files[1]).toMatchObject({
      status: 'resumed',
      requests: 4,
      bytes: files[companyfactsPath]?.body.length,
    });
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
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
    const replica = await start(files, { [companyfactsPath]: [{ kind: 'cut', afterBytes: 700_000 }] });
    expect((await run(replica)).files[1]).toMatchObject({ status: 'resumed' });
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
    const replica = await start(files, { [companyfactsPath]: [{ kind: 'cut', afterBytes: 700_000 }] });
    expect((await run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 2 });
    expect(replica.requestsOf(companyfactsPath)[1]?.headers.range).toBeUndefined();
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('starts over with the new file when the ETag changes between two attempts', async () => {
    const changed = served(storedZip({ seed: 99, size: 1_600_000 }), 99);
    const replica = await start(edgarFiles(), {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'replace', file: changed },
      ],
    });
    const report = await run(replica);
    expect(report.files[1]).toMatchObject({
      requests: 2,
      sha256: sha256Hex(changed.body),
      etag: changed.etag,
    });
    expect(report.files[1]?.bytes).toBeGreaterThan(changed.body.length);
    expect(await archive()).toEqual(changed.body);
  });

  it('starts over when the server ignores the range', async () => {
    const files = edgarFiles();
    const replica = await start(files, {
      [companyfactsPath]: [{ kind: 'cut', afterBytes: 700_000 }, { kind: 'ignoreRange' }],
    });
    expect((await run(replica)).files[1]).toMatchObject({ requests: 2 });
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('starts over when a 206 brings other bytes than asked for', async () => {
    const files = edgarFiles();
    const replica = await start(files, {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'wrongContentRange', shift: 10 },
      ],
    });
    expect((await run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 3 });
    expect(replica.requestsOf(companyfactsPath)[2]?.headers.range).toBeUndefined();
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('starts over when the file shrank below what is stored (416)', async () => {
    const small = served(storedZip({ seed: 3, size: 1_000 }), 3);
    const files = edgarFiles();
    const etag = files[companyfactsPath]?.etag ?? null;
    const replica = await start(files, {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        // same ETag, so that the range is honoured and found unsatisfiable
        { kind: 'replace', file: { ...small, etag } },
      ],
    });
    expect((await run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 3 });
    expect(await archive()).toEqual(small.body);
  });

  it('resumes in a later run what an interrupted one left', async () => {
    const files = edgarFiles();
    const replica = await start(files, {
      [companyfactsPath]: [{ kind: 'stall', afterBytes: 1_000_000 }],
    });
    const stop = new AbortController();
    const running = failure(
      run(
        replica,
        {
          checkpointBytes: 4096,
        },
        stop.signal,
      ),
    );
    await until(async () => log.some((e) => e.message.includes('companyfacts.zip')));
    stop.abort();
    expect((await running).toCli()).toMatchObject({ code: 'interrupted', exitCode: 130 });
    const second = await run(replica);
    expect(second.files[1]?.status).toBe('resumed');
    expect(second.files[1]?.bytes).toBeLessThan(files[companyfactsPath]?.body.length ?? 0);
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('finishes without downloading when a process died between the last byte and the manifest', async () => {
    const files = edgarFiles();
    const replica = await start(files);
    const first = await run(replica);
    // the state such a crash leaves: content in place, sidecar naming it, no manifest row
    const file = first.files[1];
    const manifest = join(root, 'raw/edgar/manifest.ndjson');
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
    await writeFile(join(root, `raw/edgar/partial/${stem}.json`), JSON.stringify(sidecar));
    const second = await run(replica);
    expect(second.files[1]).toMatchObject({ status: 'resumed', bytes: 0, requests: 1 });
    // the same crash one step earlier: the part is complete but not yet moved
    await writeFile(manifest, '');
    await writeFile(join(root, `raw/edgar/partial/${stem}.json`), JSON.stringify(sidecar));
    await writeFile(join(root, `raw/edgar/partial/${stem}.part`), await archive());
    await rm(join(root, 'raw/edgar', file?.sha256 ?? ''));
    const third = await run(replica);
    expect(third.files[1]).toMatchObject({ status: 'resumed', bytes: 0, requests: 1 });
    expect(await partials()).toEqual([]);
  });

  it.each(['', '{', '{"url":1}', '[]'])('ignores a damaged sidecar (%j) and starts over', async (text) => {
    const files = edgarFiles();
    const replica = await start(files, {
      [tickersPath]: [{ kind: 'none' }, { kind: 'none' }],
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'status', status: 404 },
      ],
    });
    await failure(run(replica));
    for (const name of await partials()) {
      if (name.endsWith('.json')) await writeFile(join(root, 'raw/edgar/partial', name), text);
    }
    const second = await run(replica);
    expect(second.files[1]?.bytes).toBe(files[companyfactsPath]?.body.length);
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });
});

describe('throttling', () => {
  it('makes exactly one request when the host answers 403, and none for the next ten minutes', async () => {
    const replica = await start(edgarFiles(), { [tickersPath]: [{ kind: 'status', status: 403 }] });
    const error = await failure(run(replica));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(error.hint).toContain('2026-02-07T03:10:00');
    expect(replica.requests).toHaveLength(1);
    // a new process: nothing is shared but the directory
    clock.advance(9 * 60_000 + 59_000);
    const again = await failure(run(replica));
    expect(again.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(again.hint).toContain('2026-02-07T03:10:00');
    expect(replica.requests).toHaveLength(1);
    clock.advance(1_000);
    expect(statuses(await run(replica))).toEqual(['downloaded', 'downloaded', 'downloaded']);
  });

  it('stops the other download when one is refused, and keeps its part', async () => {
    const files = edgarFiles();
    const replica = await start(files, {
      [companyfactsPath]: [{ kind: 'stall', afterBytes: 1_200_000 }],
      [submissionsPath]: [{ kind: 'status', status: 403 }],
    });
    const error = await failure(run(replica));
    expect(error.code).toBe('source_refused');
    expect(replica.requests).toHaveLength(3);
    clock.advance(600_000);
    expect(statuses(await run(replica))).toEqual(['unchanged', expect.any(String), 'downloaded']);
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('honours Retry-After of 429 and 503, in seconds and as a date', async () => {
    const replica = await start(edgarFiles(), {
      [tickersPath]: [
        { kind: 'status', status: 429, headers: { 'retry-after': '17' } },
        { kind: 'status', status: 503, headers: { 'retry-after': 'Sat, 07 Feb 2026 03:02:00 GMT' } },
      ],
    });
    await run(replica);
    const [first, second, third] = replica.requestsOf(tickersPath).map((r) => r.at);
    expect((second ?? 0) - (first ?? 0)).toBe(17_000);
    expect(third).toBe(Date.parse('2026-02-07T03:02:00Z'));
  });

  it('backs off with jitter when no Retry-After is given', async () => {
    const replica = await start(edgarFiles(), {
      [tickersPath]: [429, 500, 502, 504].map((status) => ({ kind: 'status', status })),
    });
    await run(replica, { random: () => 0.25 });
    const at = replica.requestsOf(tickersPath).map((r) => r.at);
    expect(at.slice(1).map((t, i) => t - (at[i] ?? 0))).toEqual([250, 500, 1000, 2000]);
  });

  it('gives up at once, naming the time, when Retry-After is longer than its patience', async () => {
    const replica = await start(edgarFiles(), {
      [tickersPath]: [{ kind: 'status', status: 429, headers: { 'retry-after': '7200' } }],
    });
    const error = await failure(run(replica));
    expect(error.code).toBe('source_refused');
    expect(error.hint).toContain('2026-02-07T05:00:00');
    expect(replica.requests).toHaveLength(1);
  });

  it('gives up after five failures in a row', async () => {
    const replica = await start(edgarFiles(), {
      [tickersPath]: Array.from({ length: 9 }, () => ({ kind: 'status', status: 500 })),
    });
    const error = await failure(run(replica));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(replica.requests).toHaveLength(5);
  });

  it('ends even when every attempt brings a few bytes and is cut', async () => {
    const replica = await start(edgarFiles({ zipBytes: 3_000_000 }), {
      [companyfactsPath]: Array.from({ length: 99 }, () => ({ kind: 'cut', afterBytes: 300_000 })),
    });
    const error = await failure(run(replica, { retry: { ...defaultRetryLimits, maxFailures: 7 } }));
    expect(error.code).toBe('source_refused');
    expect(replica.requestsOf(companyfactsPath)).toHaveLength(7);
  });
});

describe('a server that lies', () => {
  it('resumes when Content-Length promises more than the body has, until the promise is kept', async () => {
    const files = edgarFiles();
    const replica = await start(files, { [companyfactsPath]: [{ kind: 'lieAboutLength', delta: 5_000 }] });
    const report = await run(replica);
    // the rest of the promised bytes does not exist, so it starts over
    expect(report.files[1]?.requests).toBeGreaterThanOrEqual(2);
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('refuses an archive cut short by a Content-Length that is too small', async () => {
    const files = edgarFiles();
    const replica = await start(files, {
      [companyfactsPath]: Array.from({ length: 3 }, () => ({ kind: 'lieAboutLength', delta: -5_000 })),
    });
    const error = await failure(run(replica));
    expect(error.code).toBe('source_refused');
    expect(error.message).toContain('zip');
    expect(replica.requestsOf(companyfactsPath)).toHaveLength(2);
    expect(await stat(join(root, 'source/edgar')).catch(() => null)).toBeNull();
  });

  it('drops the surplus of an over-long body', async () => {
    const files = edgarFiles();
    const replica = await start(files, {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'overlong', extraBytes: 5_000 },
      ],
    });
    expect((await run(replica)).files[1]?.requests).toBe(3);
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('accepts a body without Content-Length that is a whole archive', async () => {
    const files = edgarFiles();
    const replica = await start(files, { [companyfactsPath]: [{ kind: 'noLength' }] });
    expect((await run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 1 });
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('stops at the size cap, announced or not, and keeps nothing', async () => {
    for (const fault of [{ kind: 'none' }, { kind: 'noLength' }] as const) {
      const replica = await start(edgarFiles(), { [companyfactsPath]: [fault] });
      const error = await failure(run(replica, { maxBytes: 1_000_000 }));
      expect(error.code).toBe('source_refused');
      expect(error.message).toContain('1000000 bytes');
      const url = `${replica.origin}${companyfactsPath}`;
      expect(await readFile(join(root, 'raw/edgar/manifest.ndjson'), 'utf8')).not.toContain(url);
    }
  });

  it('refuses a body in another coding than identity', async () => {
    const replica = await start(edgarFiles(), {
      [tickersPath]: [{ kind: 'contentEncoding', coding: 'gzip' }],
    });
    const error = await failure(run(replica));
    expect(error.message).toContain('gzip');
    expect(replica.requests).toHaveLength(1);
  });

  it.each(['<html>Request Rate Threshold Exceeded</html>', '{"fields":', '[]', ''])(
    'refuses %j as the ticker file',
    async (text) => {
      const files = edgarFiles();
      files[tickersPath] = served(Buffer.from(text), 1);
      const replica = await start(files);
      const error = await failure(run(replica));
      expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
      expect(replica.requests).toHaveLength(2);
    },
  );

  it('survives an answer that is not HTTP', async () => {
    const replica = await start(edgarFiles(), {
      [tickersPath]: [
        { kind: 'garbage', text: '220 smtp ready\r\n' },
        { kind: 'garbage', text: `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(40_000)}\r\n\r\n` },
        { kind: 'garbage', text: '' },
      ],
    });
    expect(statuses(await run(replica))[0]).toBe('downloaded');
    expect(replica.requestsOf(tickersPath)).toHaveLength(4);
  });

  it('never follows a redirect', async () => {
    const elsewhere = await start(edgarFiles());
    for (const status of [301, 302, 303, 307, 308]) {
      const replica = await start(edgarFiles(), {
        [tickersPath]: [
          { kind: 'status', status, headers: { location: `${elsewhere.origin}${tickersPath}` } },
        ],
      });
      const error = await failure(run(replica));
      expect(error.message).toContain(elsewhere.origin);
      expect(replica.requests).toHaveLength(1);
    }
    expect(elsewhere.requests).toEqual([]);
  });

  it('gives up a connection that falls silent and resumes', async () => {
    const files = edgarFiles();
    const replica = await start(files, { [companyfactsPath]: [{ kind: 'stall', afterBytes: 900_000 }] });
    const report = await run(replica, { bodyIdleTimeoutMs: 250 });
    expect(report.files[1]).toMatchObject({ status: 'resumed', requests: 2 });
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('gives up a slow drip that is never silent', async () => {
    const files = edgarFiles();
    const replica = await start(files, { [companyfactsPath]: [{ kind: 'drip' }] });
    // every look at the clock is a second later, so a chunk of one byte is one byte a second
    const ticking = {
      ...clock,
      now: () => {
        clock.advance(1_000);
        return clock.now();
      },
    };
    const report = await fetchEdgar({
      rawRoot: join(root, 'raw'),
      target: join(root, 'source'),
      contact: 'jane@fund.org',
      baseUrl: replica.origin,
      effects: { clock: ticking, log: (event) => log.push(event) },
      network: { random: () => 0.5, minBytesPerSecond: 500, slowWindowMs: 20_000 },
      signal: new AbortController().signal,
    });
    expect(report.files[1]?.requests).toBe(2);
    expect(log.some((e) => e.message.includes('slower than 500 bytes a second'))).toBe(true);
    expect(await archive()).toEqual(files[companyfactsPath]?.body);
  });

  it('reports a host that cannot be reached', async () => {
    const replica = await start(edgarFiles());
    await replica.close();
    const error = await failure(run(replica));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(error.message).toContain('ECONNREFUSED');
  });

  it.each(['http://example.org', 'ftp://127.0.0.1', 'nonsense'])(
    'refuses the base address %s',
    async (baseUrl) => {
      const error = await failure(
        fetchEdgar({
          rawRoot: root,
          target: root,
          contact: 'jane@fund.org',
          baseUrl,
          effects: { clock, log: () => undefined },
          signal: new AbortController().signal,
        }),
      );
      expect(error.code).toBe('configuration');
    },
  );
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
