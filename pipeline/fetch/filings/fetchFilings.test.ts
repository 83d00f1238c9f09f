import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EdgarHarness, edgarHarness, failureOf } from '../../../fixtures/replicas/edgarHarness.ts';
import { filingFiles, filingFolder } from '../../../fixtures/replicas/filingFiles.ts';
import { edgarBucket } from './edgarSession.ts';
import type { FilingRequest } from './fetchFiling.ts';
import { type FilingsReport, fetchFilings } from './fetchFilings.ts';

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

const separate: FilingRequest = { cik: '0001784970', accession: '0001213900-25-041307', form: '10-Q' };
const embedded: FilingRequest = { cik: '0002078856', accession: '0001193125-25-311400', form: '10-Q' };
const plain: FilingRequest = { cik: '0001784970', accession: '0001213900-25-050000', form: '6-K' };

const names = {
  separate: ['x-20250331.xsd', 'x-20250331_cal.xml', 'x-20250331_lab.xml', 'x-20250331_pre.xml', 'q_htm.xml'],
  embedded: ['purr-20250930.xsd', 'd47504d10q_htm.xml'],
};
const served = {
  ...filingFiles({
    ...separate,
    names: [...names.separate, 'x-20250331_def.xml', 'q.htm', 'FilingSummary.xml'],
  }),
  ...filingFiles({ ...embedded, names: [...names.embedded, 'R1.htm', 'logo.jpg'] }),
  ...filingFiles({ ...plain, names: ['form6-k.htm', 'ex99-1.htm'] }),
};
const folderOf = (filing: FilingRequest) =>
  join(t.root, 'source/edgar/filings', filing.cik.replace(/^0+/, ''), filing.accession.replaceAll('-', ''));
const statuses = (report: FilingsReport) => report.filings.map((filing) => filing.status);
const recordOf = (filing: FilingRequest) =>
  join(
    t.root,
    'raw/edgar/filings',
    filing.cik.replace(/^0+/, ''),
    `${filing.accession.replaceAll('-', '')}.json`,
  );

describe('fetching filings', () => {
  it('makes no request without a contact address', async () => {
    const replica = await t.start({ ...served });
    const error = await failureOf(t.runFilings(replica, [separate], { contact: undefined }));
    expect(error.code).toBe('configuration');
    expect(replica.requests).toEqual([]);
  });

  it('asks for the index and each file once, and links them under their names as filed', async () => {
    const replica = await t.start({ ...served });
    const report = await t.runFilings(replica, [separate, embedded, plain]);
    expect(report).toMatchObject({ source: 'edgar', sourceDirectory: join(t.root, 'source'), requests: 10 });
    expect(report.filings.map((f) => [f.status, f.requests, f.files.length, f.gaps, f.reason])).toEqual([
      ['fetched', 6, 5, [], null],
      ['fetched', 3, 2, [], null],
      ['without_xbrl', 1, 0, [], null],
    ]);
    expect(report.filings[0]?.path).toBe('edgar/filings/1784970/000121390025041307');
    expect(report.filings[2]?.path).toBeNull();
    expect((await readdir(folderOf(separate))).sort()).toEqual([...names.separate].sort());
    expect((await readdir(folderOf(embedded))).sort()).toEqual([...names.embedded].sort());
    for (const name of names.separate) {
      expect(await readFile(join(folderOf(separate), name))).toEqual(
        served[`${filingFolder(separate)}/${name}`]?.body,
      );
    }
    expect(report.bytes).toBe(replica.bytesSent() - indexBytes());
    expect(new Set(replica.requests.map((r) => r.path)).size).toBe(10);
    expect(replica.requests[0]?.headers).toMatchObject({
      'user-agent': 'issuer-intelligence/1.0 Jane Roe jane@fund.org',
      'accept-encoding': 'identity',
    });
    expect(await t.partials()).toEqual([]);
    expect(await readdir(join(t.root, 'source/edgar'))).toEqual(['filings']);
    const linked = await stat(join(folderOf(embedded), 'purr-20250930.xsd'));
    expect([linked.nlink, linked.mode & 0o777]).toEqual([2, 0o444]);
  });

  it('makes no request on the second run', async () => {
    const replica = await t.start({ ...served });
    await t.runFilings(replica, [separate, embedded, plain]);
    const before = replica.requests.length;
    const record = await readFile(recordOf(separate), 'utf8');
    t.clock.advance(86_400_000);
    const again = await t.runFilings(replica, [separate, embedded, plain]);
    expect(statuses(again)).toEqual(['unchanged', 'unchanged', 'without_xbrl']);
    expect([again.requests, again.bytes, replica.requests.length]).toEqual([0, 0, before]);
    expect(await readFile(recordOf(separate), 'utf8')).toBe(record);
  });

  it('fetches only what is new', async () => {
    const replica = await t.start({ ...served });
    await t.runFilings(replica, [separate]);
    const report = await t.runFilings(replica, [separate, embedded]);
    expect(statuses(report)).toEqual(['unchanged', 'fetched']);
    expect(report.requests).toBe(3);
  });

  it('asks for a filing named twice once, and never for a placeholder or what is no filing', async () => {
    const replica = await t.start({ ...served });
    const placeholder = { cik: '0000827876', accession: '0000000000-24-018615', form: '10-Q' };
    const report = await t.runFilings(replica, [
      embedded,
      { ...embedded, cik: '2078856' },
      placeholder,
      { ...embedded, accession: '../../etc' },
      { ...embedded, cik: '0' },
    ]);
    expect(statuses(report)).toEqual(['fetched', 'placeholder', 'unusable', 'unusable']);
    expect(report.requests).toBe(3);
  });

  it('does nothing for no filings', async () => {
    const replica = await t.start({ ...served });
    expect(await t.runFilings(replica, [])).toMatchObject({ filings: [], requests: 0, bytes: 0 });
    expect(await readdir(t.root)).toEqual(['raw']);
  });

  it('shares the rate of the run: fewer than nine requests in any second', async () => {
    const replica = await t.start({ ...served });
    const effects = { clock: t.clock, log: () => undefined };
    const bucket = edgarBucket(effects);
    const common = { contact: 'jane@fund.org', baseUrl: replica.origin, effects, bucket };
    const signal = new AbortController().signal;
    const started = t.clock.now().getTime();
    for (const filing of [separate, embedded, plain]) {
      const place = { rawRoot: join(t.root, 'raw'), target: join(t.root, 'source') };
      await fetchFilings({ ...common, ...place, filings: [filing], signal });
    }
    // ten requests, one each 125 ms
    expect(t.clock.now().getTime() - started).toBeGreaterThanOrEqual(9 * 125);
  });
});

function indexBytes(): number {
  return Object.entries(served)
    .filter(([path]) => path.endsWith('/index.json'))
    .reduce((sum, [, file]) => sum + file.body.length, 0);
}

describe('a folder that is no longer as it was left', () => {
  it.each([
    ['is gone', (folder: string) => rm(folder, { recursive: true })],
    ['lost a file', (folder: string) => rm(join(folder, 'd47504d10q_htm.xml'))],
    ['has a file too many', (folder: string) => writeFile(join(folder, 'other.xml'), '')],
    [
      'holds other bytes of the same length',
      async (folder: string) => {
        const path = join(folder, 'd47504d10q_htm.xml');
        const bytes = await readFile(path);
        await rm(path);
        await writeFile(path, bytes.fill(48));
      },
    ],
  ])('is made again from the store when it %s, without a request', async (_, damage) => {
    const replica = await t.start({ ...served });
    await t.runFilings(replica, [embedded]);
    await damage(folderOf(embedded));
    const report = await t.runFilings(replica, [embedded]);
    expect([statuses(report), report.requests]).toEqual([['relinked'], 0]);
    for (const name of names.embedded) {
      expect(await readFile(join(folderOf(embedded), name))).toEqual(
        served[`${filingFolder(embedded)}/${name}`]?.body,
      );
    }
    expect((await readdir(folderOf(embedded))).sort()).toEqual([...names.embedded].sort());
    expect(statuses(await t.runFilings(replica, [embedded]))).toEqual(['unchanged']);
  });

  it('costs one request for each file whose stored bytes are damaged too', async () => {
    const replica = await t.start({ ...served });
    await t.runFilings(replica, [embedded]);
    const path = join(folderOf(embedded), 'purr-20250930.xsd');
    await chmod(path, 0o644);
    await writeFile(path, 'damage');
    const report = await t.runFilings(replica, [embedded]);
    expect([statuses(report), report.requests]).toEqual([['fetched'], 1]);
    expect(await readFile(path)).toEqual(served[`${filingFolder(embedded)}/purr-20250930.xsd`]?.body);
  });

  it('takes the place of a folder that was there before', async () => {
    const replica = await t.start({ ...served });
    await mkdir(folderOf(embedded), { recursive: true });
    await writeFile(join(folderOf(embedded), 'half.xml'), 'x');
    expect(statuses(await t.runFilings(replica, [embedded]))).toEqual(['fetched']);
    expect((await readdir(folderOf(embedded))).sort()).toEqual([...names.embedded].sort());
  });

  it('is asked for again when its record is damaged', async () => {
    const replica = await t.start({ ...served });
    await t.runFilings(replica, [embedded]);
    await writeFile(recordOf(embedded), '{"cik":');
    const report = await t.runFilings(replica, [embedded]);
    expect([statuses(report), report.requests]).toEqual([['fetched'], 3]);
  });
});
