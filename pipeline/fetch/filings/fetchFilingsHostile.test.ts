import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { served } from '../../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness, failureOf } from '../../../fixtures/replicas/edgarHarness.ts';
import type { Fault, ServedFile } from '../../../fixtures/replicas/edgarReplica.ts';
import { filingFiles, filingFolder, filingIndexJson } from '../../../fixtures/replicas/filingFiles.ts';
import type { FilingRequest } from './fetchFiling.ts';
import type { FilingsReport } from './fetchFilings.ts';

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

const filing: FilingRequest = { cik: '0000827876', accession: '0001628280-25-000001', form: '10-Q' };
const later: FilingRequest = { cik: '0001050446', accession: '0001050446-25-000002', form: '10-Q' };
const names = ['c-20250331.xsd', 'c-20250331_cal.xml', 'c-20250331_lab.xml', 'c_htm.xml'];
const path = (name: string, of = filing) => `${filingFolder(of)}/${name}`;
const servedFiles = (): Record<string, ServedFile> => ({
  ...filingFiles({ ...filing, names }),
  ...filingFiles({ ...later, names }),
});
const folder = (of = filing) =>
  join(t.root, 'source', filingFolder(of).replace('/Archives/edgar/data', 'edgar/filings'));
const listing = (of = filing) =>
  readdir(folder(of))
    .then((found) => found.sort())
    .catch(() => null);
const statuses = (report: FilingsReport) => report.filings.map((f) => f.status);
const day = 86_400_000;
const times = (n: number, fault: Fault): Fault[] => Array.from({ length: n }, () => ({ ...fault }));
const one = { network: { concurrency: 1 } };

describe('a host that throttles', () => {
  it('is left alone after one 403, and what was complete stays', async () => {
    const replica = await t.start(servedFiles(), {
      [path('c-20250331_lab.xml', later)]: [{ kind: 'status', status: 403 }],
    });
    const error = await failureOf(t.runFilings(replica, [filing, later], one));
    expect(error.toCli()).toMatchObject({ code: 'source_refused', exitCode: 4 });
    expect(replica.requests).toHaveLength(5 + 4);
    expect(await listing()).toEqual(names);
    expect(await listing(later)).toBeNull();
    // complete filings need no host; the other is not asked for within ten minutes
    expect(statuses(await t.runFilings(replica, [filing]))).toEqual(['unchanged']);
    await failureOf(t.runFilings(replica, [filing, later], one));
    expect(replica.requests).toHaveLength(9);
    t.clock.advance(600_000);
    const report = await t.runFilings(replica, [filing, later], one);
    expect([statuses(report), report.requests]).toEqual([['unchanged', 'fetched'], 2]);
    expect(await listing(later)).toEqual(names);
  });

  it('stops every filing under way', async () => {
    const many = Array.from({ length: 12 }, (_, i) => ({
      ...filing,
      accession: `0001628280-25-0001${String(i).padStart(2, '0')}`,
    }));
    const replica = await t.start(Object.assign({}, ...many.map((f) => filingFiles({ ...f, names }))), {
      [path('index.json', many[0])]: [{ kind: 'status', status: 403 }],
    });
    await failureOf(t.runFilings(replica, many));
    // at most one more each of the other three at work
    expect(replica.requests.length).toBeLessThanOrEqual(4);
  });

  it('gets what it asks for: Retry-After of a 429 is waited for', async () => {
    const replica = await t.start(servedFiles(), {
      [path('index.json')]: [{ kind: 'status', status: 429, headers: { 'retry-after': '17' } }],
    });
    const report = await t.runFilings(replica, [filing]);
    expect([statuses(report), report.filings[0]?.requests]).toEqual([['fetched'], 6]);
    expect(t.clock.slept).toContain(17_000);
  });
});

describe('a file that EDGAR does not give', () => {
  it('is a named gap, asked for again on two later nights and then no more', async () => {
    const replica = await t.start(servedFiles(), {
      [path('c-20250331_cal.xml')]: times(9, { kind: 'status', status: 404 }),
    });
    const gaps = [{ name: 'c-20250331_cal.xml', reason: 'EDGAR has no such file (404)' }];
    const first = await t.runFilings(replica, [filing]);
    expect(first.filings[0]).toMatchObject({ status: 'fetched', gaps, requests: 5 });
    expect(await listing()).toEqual(names.filter((name) => !name.includes('_cal')));
    expect((await t.runFilings(replica, [filing])).requests).toBe(0);
    const asked: number[] = [];
    for (let night = 0; night < 5; night += 1) {
      t.clock.advance(day);
      const report = await t.runFilings(replica, [filing]);
      expect(report.filings[0]).toMatchObject({ status: 'unchanged', gaps });
      asked.push(report.requests);
    }
    expect(asked).toEqual([1, 1, 0, 0, 0]);
    expect(
      t.log.filter((event) => event.level === 'warn' && event.message.includes('_cal.xml')),
    ).toHaveLength(1);
  });

  it('fills the gap when it comes the next night', async () => {
    const replica = await t.start(servedFiles(), {
      [path('c_htm.xml')]: [{ kind: 'status', status: 404 }],
    });
    await t.runFilings(replica, [filing]);
    t.clock.advance(day);
    const report = await t.runFilings(replica, [filing]);
    expect(report.filings[0]).toMatchObject({ status: 'fetched', gaps: [], requests: 1 });
    expect(await listing()).toEqual(names);
  });

  it('is one that is no XBRL document: two requests, no byte kept', async () => {
    const page = served(Buffer.from('<!DOCTYPE html><html><title>Be right back</title></html>'), 2);
    const replica = await t.start({ ...servedFiles(), [path('c_htm.xml')]: page });
    const report = await t.runFilings(replica, [filing]);
    expect(report.filings[0]?.gaps).toEqual([
      {
        name: 'c_htm.xml',
        reason: expect.stringMatching(
          /does not begin with a xbrl element.*: it sent a page for people \("Be right back"\)/,
        ),
      },
    ]);
    expect(replica.requestsOf(path('c_htm.xml'))).toHaveLength(2);
    expect(await listing()).toEqual(names.filter((name) => name !== 'c_htm.xml'));
    expect(await t.partials()).toEqual([]);
  });

  it('is one that the store behind EDGAR does not have yet (403 AccessDenied): a gap, asked for again', async () => {
    const denied = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';
    const replica = await t.start(servedFiles(), {
      [path('c_htm.xml')]: [{ kind: 'status', status: 403, text: denied }],
    });
    const report = await t.runFilings(replica, [filing]);
    expect(report.filings[0]?.gaps).toEqual([
      { name: 'c_htm.xml', reason: 'EDGAR has no such file yet (403 AccessDenied)' },
    ]);
    t.clock.advance(2 * 86_400_000);
    const next = await t.runFilings(replica, [filing]);
    expect(next.filings[0]).toMatchObject({ status: 'fetched', gaps: [] });
  });

  it('is one beyond the cap of a file', async () => {
    const big = served(Buffer.alloc(40_000, 32), 2);
    const replica = await t.start({ ...servedFiles(), [path('c-20250331_lab.xml')]: big });
    const report = await t.runFilings(replica, [filing], { limits: { maxFileBytes: 30_000 } });
    expect(report.filings[0]?.gaps).toEqual([
      { name: 'c-20250331_lab.xml', reason: 'it is larger than the 30000 bytes accepted' },
    ]);
    expect(report.filings[0]?.files).toHaveLength(3);
  });

  it('is one beyond the cap of the filing, whatever the index said', async () => {
    const replica = await t.start(
      { ...servedFiles(), [path('c_htm.xml')]: served(Buffer.alloc(40_000, 32), 2) },
      { [path('c_htm.xml')]: [{ kind: 'noLength' }] },
    );
    const report = await t.runFilings(replica, [filing], { limits: { maxFilingBytes: 10_000 } });
    expect(report.filings[0]?.gaps.map((gap) => gap.name)).toEqual(['c_htm.xml']);
    expect(report.bytes).toBeLessThanOrEqual(10_000);
  });

  it('leaves no folder when it is every file', async () => {
    const missing = Object.fromEntries(
      names.map((name) => [path(name), times(9, { kind: 'status', status: 404 })]),
    );
    const replica = await t.start(servedFiles(), missing);
    const report = await t.runFilings(replica, [filing]);
    expect(report.filings[0]).toMatchObject({ status: 'unusable', path: null, requests: 5 });
    expect(await listing()).toBeNull();
    expect((await t.runFilings(replica, [filing])).requests).toBe(0);
  });
});

describe('an index that cannot be used', () => {
  const wrong: [string, Buffer][] = [
    ['a traversal', filingIndexJson({ ...filing, items: ['c_htm.xml', '../../../../etc/cron.d/x.xml'] })],
    ['an absolute path', filingIndexJson({ ...filing, items: ['/etc/x.xsd'] })],
    ['another host', filingIndexJson({ ...filing, items: ['https://example.org/c_htm.xml'] })],
    [
      'too many files',
      filingIndexJson({ ...filing, items: Array.from({ length: 25 }, (_, i) => `a${i}_htm.xml`) }),
    ],
    ['another folder', filingIndexJson({ ...later, items: names })],
    [
      'more bytes than a filing has',
      filingIndexJson({ ...filing, items: [{ name: 'c_htm.xml', size: '999999999' }] }),
    ],
    ['no listing', Buffer.from('{"directory":{}}')],
    ['no JSON', Buffer.from('<html>')],
    ['a name that is no text', Buffer.from('{"directory":{"item":[{"name":7}]}}')],
  ];

  it.each(wrong)('is refused for %s: no file is asked for, nothing is written', async (_, body) => {
    const replica = await t.start({ ...servedFiles(), [path('index.json')]: served(body, 2) });
    const report = await t.runFilings(replica, [filing, later], one);
    expect(statuses(report)).toEqual(['unusable', 'fetched']);
    expect(report.filings[0]).toMatchObject({ requests: 1, files: [], path: null });
    expect(report.filings[0]?.reason).toMatch(/\S/);
    expect(await listing()).toBeNull();
    expect((await readdir(t.root)).sort()).toEqual(['raw', 'source']);
    expect((await t.runFilings(replica, [filing])).requests).toBe(0);
  });

  it('is cut off at its cap', async () => {
    const items = Array.from({ length: 2_000 }, (_, i) => `exhibit-${i}.htm`);
    const replica = await t.start({
      ...servedFiles(),
      [path('index.json')]: served(filingIndexJson({ ...filing, items }), 2),
    });
    const report = await t.runFilings(replica, [filing], { limits: { maxIndexBytes: 10_000 } });
    expect(report.filings[0]?.reason).toContain('longer than 10000 bytes');
  });

  it('that is not there is asked for on three nights in all', async () => {
    const replica = await t.start({});
    const asked: number[] = [];
    for (let night = 0; night < 5; night += 1) {
      const report = await t.runFilings(replica, [filing]);
      expect(statuses(report)).toEqual(['unusable']);
      asked.push(report.requests);
      t.clock.advance(day);
    }
    expect(asked).toEqual([1, 1, 1, 0, 0]);
  });
});

describe('a host that fails', () => {
  it('costs one filing when it fails one, and the next run asks for the rest only', async () => {
    const replica = await t.start(servedFiles(), {
      [path('c_htm.xml')]: times(5, { kind: 'status', status: 503 }),
    });
    const report = await t.runFilings(replica, [filing, later], one);
    expect(statuses(report)).toEqual(['failed', 'fetched']);
    expect(report.filings[0]).toMatchObject({ requests: 4 + 5, path: null });
    expect(await listing()).toBeNull();
    const again = await t.runFilings(replica, [filing, later], one);
    expect([statuses(again), again.requests]).toEqual([['fetched', 'unchanged'], 1]);
    expect(await listing()).toEqual(names);
  });

  it('ends the run when it fails three filings in a row', async () => {
    const many = Array.from({ length: 6 }, (_, i) => ({ ...filing, accession: `0001628280-25-00010${i}` }));
    const down = Object.fromEntries(
      many.map((f) => [path('index.json', f), times(9, { kind: 'status', status: 500 })]),
    );
    const replica = await t.start({}, down);
    const error = await failureOf(t.runFilings(replica, many, one));
    expect(error.code).toBe('source_refused');
    expect(replica.requests).toHaveLength(3 * 5);
  });

  it.each<[string, Fault, number[]]>([
    ['cuts the line', { kind: 'cut', afterBytes: 900 }, [2]],
    ['promises more than it sends', { kind: 'lieAboutLength', delta: 500 }, [2, 3]],
    ['sends no length', { kind: 'noLength' }, [1]],
    ['talks garbage', { kind: 'garbage', text: 'HTTP/9 what\r\n\r\n' }, [2]],
  ])('and %s still gives the file as served', async (_, fault, requests) => {
    const files = servedFiles();
    const replica = await t.start(files, { [path('c_htm.xml')]: [fault] });
    const report = await t.runFilings(replica, [filing]);
    expect(report.filings[0]).toMatchObject({ status: 'fetched', gaps: [] });
    // whether bytes before a broken end still arrive is the line's choice
    expect(requests).toContain(replica.requestsOf(path('c_htm.xml')).length);
    expect(await readFile(join(folder(), 'c_htm.xml'))).toEqual(files[path('c_htm.xml')]?.body);
  });

  it('and redirects is not followed', async () => {
    const elsewhere = { location: 'http://127.0.0.1:9/x' };
    const replica = await t.start(servedFiles(), {
      [path('c-20250331.xsd')]: [{ kind: 'status', status: 302, headers: elsewhere }],
    });
    const report = await t.runFilings(replica, [filing]);
    expect(report.filings[0]).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('not followed'),
    });
    expect(await listing()).toBeNull();
  });

  it('is asked nothing once the run is stopped', async () => {
    const replica = await t.start(servedFiles());
    const error = await failureOf(t.runFilings(replica, [filing], { signal: AbortSignal.abort() }));
    expect(error.toCli()).toMatchObject({ code: 'interrupted', exitCode: 130 });
    expect(replica.requests).toEqual([]);
    expect(await stat(join(t.root, 'source')).catch(() => null)).toBeNull();
  });
});
