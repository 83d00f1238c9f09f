import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitMs } from '../../fixtures/checks/machinePace.ts';
import {
  companyfactsPath,
  edgarFiles,
  served,
  sha256Hex,
  tickersPath,
} from '../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness, failureOf } from '../../fixtures/replicas/edgarHarness.ts';
import type { ServedFile } from '../../fixtures/replicas/edgarReplica.ts';
import type { FetchReport } from './fetchEdgar.ts';

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

const statuses = (report: FetchReport) => report.files.map((f) => f.status);
const hashOf = (files: Record<string, ServedFile>) =>
  sha256Hex(files[companyfactsPath]?.body ?? Buffer.alloc(0));

describe('a server that lies', () => {
  it('resumes when Content-Length promises more than the body has, until the promise is kept', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, { [companyfactsPath]: [{ kind: 'lieAboutLength', delta: 5_000 }] });
    const report = await t.run(replica);
    // the rest of the promised bytes does not exist, so it starts over
    expect(report.files[1]?.requests).toBeGreaterThanOrEqual(2);
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('refuses an archive cut short by a Content-Length that is too small', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: Array.from({ length: 3 }, () => ({ kind: 'lieAboutLength', delta: -5_000 })),
    });
    const error = await failureOf(t.run(replica));
    expect(error.code).toBe('source_refused');
    expect(error.message).toContain('zip');
    expect(replica.requestsOf(companyfactsPath)).toHaveLength(2);
    expect(await stat(join(t.root, 'source/edgar')).catch(() => null)).toBeNull();
  });

  it('drops the surplus of an over-long body', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'overlong', extraBytes: 5_000 },
      ],
    });
    expect((await t.run(replica)).files[1]?.requests).toBe(3);
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('accepts a body without Content-Length that is a whole archive', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, { [companyfactsPath]: [{ kind: 'noLength' }] });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'downloaded', requests: 1 });
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('stops at the size cap, announced or not, and keeps nothing', async () => {
    for (const fault of [{ kind: 'none' }, { kind: 'noLength' }] as const) {
      const replica = await t.start(edgarFiles(), { [companyfactsPath]: [fault] });
      const error = await failureOf(t.run(replica, { maxBytes: 1_000_000 }));
      expect(error.code).toBe('source_refused');
      expect(error.message).toContain('1000000 bytes');
      const url = `${replica.origin}${companyfactsPath}`;
      expect(await readFile(join(t.root, 'raw/edgar/manifest.ndjson'), 'utf8')).not.toContain(url);
    }
  });

  it('refuses a body in another coding than identity and gzip', async () => {
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: [{ kind: 'contentEncoding', coding: 'br' }],
    });
    const error = await failureOf(t.run(replica));
    expect(error.message).toContain('br');
    expect(replica.requests).toHaveLength(1);
  });

  it('inflates a body that comes as gzip although identity was asked for', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [tickersPath]: [{ kind: 'gzip' }],
      [companyfactsPath]: [{ kind: 'gzip' }],
    });
    expect(statuses(await t.run(replica))).toEqual(['downloaded', 'downloaded', 'downloaded']);
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('asks again for all of a gzip body that ended early, and bounds what it inflates', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, { [companyfactsPath]: [{ kind: 'gzip', cutBytes: 300 }] });
    await t.run(replica);
    const asked = replica.requestsOf(companyfactsPath);
    expect(asked.map((one) => one.headers.range)).toEqual([undefined, undefined]);
    expect(await t.archiveHash()).toBe(hashOf(files));
    files[tickersPath] = served(Buffer.alloc(3_000_000, ' '), 2);
    const bomb = await t.start(files, { [tickersPath]: [{ kind: 'gzip' }] });
    expect((await failureOf(t.run(bomb, { maxBytes: 1_000_000 }))).message).toContain('1000000 bytes');
  });

  it('goes on by Last-Modified where every connection sends another ETag', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, {
      [companyfactsPath]: [
        { kind: 'cut', afterBytes: 700_000 },
        { kind: 'otherEtag', etag: '"machine-b"' },
        { kind: 'otherEtag', etag: '"machine-c"' },
      ],
    });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'resumed', requests: 3 });
    const [, second, third] = replica.requestsOf(companyfactsPath);
    expect(second?.headers['if-range']).toMatch(/^"/);
    expect(third?.headers['if-range']).toBe(files[companyfactsPath]?.lastModified);
    expect(replica.bytesSent(companyfactsPath)).toBeLessThan(
      1.2 * (files[companyfactsPath]?.body.length ?? 0),
    );
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('finds the stored copy current by its date where the ETag is another one each time', async () => {
    const files = edgarFiles();
    const faults = { [companyfactsPath]: [] as { kind: 'otherEtag'; etag: string }[] };
    const replica = await t.start(files, faults);
    await t.run(replica);
    faults[companyfactsPath]?.push({ kind: 'otherEtag', etag: '"b"' }, { kind: 'otherEtag', etag: '"c"' });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'unchanged', requests: 2 });
    // from then on the date alone is asked for
    faults[companyfactsPath]?.push({ kind: 'otherEtag', etag: '"d"' });
    expect((await t.run(replica)).files[1]).toMatchObject({ status: 'unchanged', requests: 1 });
  });

  it('names a block page with status 200 and leaves the host alone at once', async () => {
    const files = edgarFiles();
    files[tickersPath] = served(
      Buffer.from('<html><title>SEC.gov | Request Rate Threshold Exceeded</title></html>'),
      1,
    );
    const replica = await t.start(files);
    const error = await failureOf(t.run(replica));
    expect(error.message).toContain('this network has sent it too many requests');
    expect(replica.requests).toHaveLength(1);
    expect((await failureOf(t.run(replica))).message).toContain('is left alone');
    expect(replica.requests).toHaveLength(1);
  });

  it('says to whom a refusal speaks: an undeclared agent is told which setting is wrong', async () => {
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: [
        {
          kind: 'status',
          status: 403,
          text: '<html><h1>Your Request Originates from an Undeclared Automated Tool</h1></html>',
        },
      ],
    });
    const error = await failureOf(t.run(replica));
    expect(error.message).toContain('(403): it takes this machine for an undeclared automated tool');
    expect(error.hint).toContain('II_EDGAR_CONTACT');
    expect(error.details['cause']).toBe('agent');
  });

  it('takes AccessDenied for a file that is not there yet, without leaving the host alone', async () => {
    const files = edgarFiles();
    const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
    const replica = await t.start(files, {
      [companyfactsPath]: [{ kind: 'status', status: 403, text: denied }],
    });
    const error = await failureOf(t.run(replica));
    expect(error.message).toContain('its store has no such file, or not yet');
    expect(error.details).toMatchObject({ status: 403, cause: 'absent' });
    expect(statuses(await t.run(replica))[1]).toBe('downloaded');
  });

  it.each(['{"fields":', '[]', ''])('refuses %j as the ticker file', async (text) => {
    const files = edgarFiles();
    files[tickersPath] = served(Buffer.from(text), 1);
    const replica = await t.start(files);
    const error = await failureOf(t.run(replica));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(replica.requests).toHaveLength(2);
  });

  it('survives an answer that is not HTTP', async () => {
    const replica = await t.start(edgarFiles(), {
      [tickersPath]: [
        { kind: 'garbage', text: '220 smtp ready\r\n' },
        { kind: 'garbage', text: `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(40_000)}\r\n\r\n` },
        { kind: 'garbage', text: '' },
      ],
    });
    expect(statuses(await t.run(replica))[0]).toBe('downloaded');
    expect(replica.requestsOf(tickersPath)).toHaveLength(4);
  });

  it('never follows a redirect', async () => {
    const elsewhere = await t.start(edgarFiles());
    for (const status of [301, 302, 303, 307, 308]) {
      const replica = await t.start(edgarFiles(), {
        [tickersPath]: [
          { kind: 'status', status, headers: { location: `${elsewhere.origin}${tickersPath}` } },
        ],
      });
      const error = await failureOf(t.run(replica));
      expect(error.message).toContain(elsewhere.origin);
      expect(replica.requests).toHaveLength(1);
    }
    expect(elsewhere.requests).toEqual([]);
  });

  it('gives up a connection that falls silent and resumes', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, { [companyfactsPath]: [{ kind: 'stall', afterBytes: 900_000 }] });
    const report = await t.run(replica, { bodyIdleTimeoutMs: limitMs(250) });
    expect(report.files[1]).toMatchObject({ status: 'resumed', requests: 2 });
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('gives up a slow drip that is never silent', async () => {
    const files = edgarFiles();
    const replica = await t.start(files, { [companyfactsPath]: [{ kind: 'drip' }] });
    // every look at the clock is a second later, so a chunk of one byte is one byte a second
    const ticking = {
      ...t.clock,
      now: () => {
        t.clock.advance(1_000);
        return t.clock.now();
      },
    };
    const report = await t.run(replica, { minBytesPerSecond: 500, slowWindowMs: 20_000 }, { clock: ticking });
    expect(report.files[1]?.requests).toBe(2);
    expect(t.log.some((e) => e.message.includes('slower than 500 bytes a second'))).toBe(true);
    expect(await t.archiveHash()).toBe(hashOf(files));
  });

  it('reports a host that cannot be reached', async () => {
    const replica = await t.start(edgarFiles());
    await replica.close();
    const error = await failureOf(t.run(replica));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(error.message).toContain('ECONNREFUSED');
  });

  it.each(['http://example.org', 'ftp://127.0.0.1', 'nonsense'])(
    'refuses the base address %s',
    async (baseUrl) => {
      const replica = await t.start(edgarFiles());
      const error = await failureOf(t.run(replica, {}, { baseUrl }));
      expect(error.code).toBe('configuration');
    },
  );
});
