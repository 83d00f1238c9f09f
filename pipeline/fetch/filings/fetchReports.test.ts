import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { submissionText } from '../../../fixtures/builders/submissionText.ts';
import { served } from '../../../fixtures/replicas/edgarFiles.ts';
import { type EdgarHarness, edgarHarness, failureOf } from '../../../fixtures/replicas/edgarHarness.ts';
import { filingFolder } from '../../../fixtures/replicas/filingFiles.ts';
import type { FilingRequest } from './fetchFiling.ts';

let t: EdgarHarness;
beforeEach(async () => {
  t = await edgarHarness();
});
afterEach(() => t.close());

const filings: FilingRequest[] = ['0001193125-26-001550', '0001193125-26-032731'].map((accession) => ({
  ...{ cik: '0001050446', accession, form: '8-K' },
}));
const [first, second] = filings as [FilingRequest, FilingRequest];
const urlOf = (filing: FilingRequest) => `${filingFolder(filing)}/${filing.accession}.txt`;
const textOf = ({ cik, accession, form }: FilingRequest, padding = 0) =>
  submissionText({
    ...{ cik, accession, form, filed: '2026-02-02', accepted: '20260202080025', names: ['Strategy Inc'] },
    documents: [
      { type: form, filename: 'a.htm', text: `<p>The Company held 9 BTC.</p>${' '.repeat(padding)}` },
    ],
  });
const files = (padding = 0) =>
  Object.fromEntries(filings.map((one) => [urlOf(one), served(Buffer.from(textOf(one, padding)), 1)]));
const fetched = (replica: Awaited<ReturnType<EdgarHarness['start']>>, limits = {}) =>
  t.runFilings(replica, filings, { part: 'submission', limits });
const stored = ({ accession }: FilingRequest) =>
  readFile(join(t.root, 'source/edgar/current-reports/1050446', accession, `${accession}.txt`), 'utf8');

describe('fetching submission texts', () => {
  it('takes one request a report, and none on the next run', async () => {
    const replica = await t.start(files());
    const report = await fetched(replica);
    expect(report).toMatchObject({ requests: 2 });
    expect(report.filings.map(({ status, requests }) => [status, requests])).toEqual([
      ['fetched', 1],
      ['fetched', 1],
    ]);
    expect(await stored(first)).toBe(textOf(first));
    expect(await readdir(join(t.root, 'source/edgar'))).toEqual(['current-reports']);
    t.clock.advance(86_400_000);
    expect(await fetched(replica)).toMatchObject({ requests: 0, bytes: 0 });
    expect(replica.requests).toHaveLength(2);
  });

  it('goes on where a connection was cut', async () => {
    const replica = await t.start(files(2_000_000), {
      [urlOf(first)]: [{ kind: 'cut', afterBytes: 1_500_000 }],
    });
    const report = await fetched(replica);
    expect(report.filings.map(({ status }) => status)).toEqual(['fetched', 'fetched']);
    expect(replica.requestsOf(urlOf(first))).toHaveLength(2);
    expect(replica.requestsOf(urlOf(first))[1]?.headers['range']).toMatch(/^bytes=\d+-$/);
    expect(await stored(first)).toBe(textOf(first, 2_000_000));
  });

  it('lists a report that is not there, and asks for it again on three nights', async () => {
    const { [urlOf(first)]: _, ...rest } = files();
    const replica = await t.start(rest);
    for (let night = 0; night < 5; night += 1) {
      const report = await fetched(replica);
      expect(report.filings.map(({ status }) => status)).toEqual([
        'unusable',
        night === 0 ? 'fetched' : 'unchanged',
      ]);
      expect(report.filings[0]?.reason).toBe('EDGAR has no such file (404)');
      t.clock.advance(86_400_000);
    }
    expect(replica.requestsOf(urlOf(first))).toHaveLength(3);
  });

  it('lists a report that is larger than is accepted, and takes the other', async () => {
    const all = { ...files(), [urlOf(first)]: served(Buffer.from(textOf(first, 50_000)), 1) };
    const report = await fetched(await t.start(all), { maxFileBytes: 20_000, maxFilingBytes: 20_000 });
    expect(report.filings.map(({ status, reason }) => [status, reason])).toEqual([
      ['unusable', 'it is larger than the 20000 bytes accepted'],
      ['fetched', null],
    ]);
  });

  it('stores neither a page that is no submission nor a text without its end', async () => {
    const page = served(Buffer.from(`<html>${'x'.repeat(500)}</html>`), 1);
    const cut = served(Buffer.from(textOf(second).slice(0, -80)), 1);
    const report = await fetched(await t.start({ [urlOf(first)]: page, [urlOf(second)]: cut }));
    expect(report.filings.map(({ status, reason }) => [status, reason])).toEqual([
      ['unusable', expect.stringContaining('it does not begin as a submission text')],
      ['unusable', expect.stringContaining('it does not end as a submission text')],
    ]);
    expect(await t.partials()).toEqual([]);
  });

  it('stops at a refusal for the rate', async () => {
    const refusal = { kind: 'status', status: 403, text: 'Request Rate Threshold Exceeded' } as const;
    const replica = await t.start(files(), { '*': [refusal, refusal, refusal, refusal] });
    expect((await failureOf(fetched(replica))).code).toBe('source_refused');
  });
});
