import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleRest } from '../../fixtures/rigs/sampleHistory.ts';
import type { SampleIssuer } from '../../fixtures/rigs/serveRelease.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const slice = '2026-02-07';
const before = '2026-02-06';
const issuers: SampleIssuer[] = [
  { cik: '0000000001', ticker: 'ONE', name: 'One Inc', stress: 0.5, mapped: true },
  { cik: '0000000002', ticker: 'TWO', name: 'Two Inc', stress: 0.4, mapped: true },
];

let rig: Rig;
let key: string;
beforeEach(async () => {
  rig = await serveRig();
  key = await rig.key();
});
afterEach(() => rig.close());

/** The night before is whole, that of the slice lacks the artifacts of these keys. */
function promote(isLeftOut: (key: string) => boolean, withoutReports = false): void {
  const release = (sourceDate: string, keep: (key: string) => boolean) => {
    const rest = sampleRest({ sourceDate, issuers, backfilled: false }).filter((one) => keep(one.key));
    return rig.release({
      sourceDate,
      issuers,
      more: rest,
      withoutReports: withoutReports && sourceDate === slice,
    });
  };
  const dates = { [before]: release(before, () => true), [slice]: release(slice, (one) => !isLeftOut(one)) };
  rig.promote(dates[slice] ?? '', dates);
}

const paid = (path: string) => rig.ask(path, { headers: { 'x-api-key': key } });

/** Asked for without and with a way to pay: the same refusal, no price, no receipt. */
async function refusal(path: string) {
  const [unpaid, covered] = [await rig.ask(path), await paid(path)];
  expect(unpaid.headers.has('payment-required')).toBe(false);
  expect(unpaid.headers.has('x-quoted-cost-usd')).toBe(false);
  expect(covered.headers.has('x-receipt-id')).toBe(false);
  expect(rig.notes).toEqual([]);
  expect(covered.status).toBe(unpaid.status);
  return covered.json();
}

describe('a brief that the night left out (M6.6c) is refused before anything is charged', () => {
  it('of the slice, with the dates that have it (I2.45)', async () => {
    promote((one) => one.startsWith('brief-morning/') || one.startsWith('brief-top-stressed/'));
    for (const path of ['/v1/morning-brief/natural', '/v1/top-stressed/natural?limit=5&style=trader'])
      expect(await refusal(path), path).toMatchObject({
        status: 404,
        code: 'not_found',
        reason_code: 'not_published',
        missing_sources: [],
        nearest_source_dates: { before, after: null },
      });
    expect((await paid(`/v1/morning-brief/natural?date=${before}`)).status).toBe(200);
  });

  it('of one style alone, and the others are sold', async () => {
    promote((one) => one === `brief-morning/${slice}/trader-10.json`);
    expect(await refusal('/v1/morning-brief/natural?style=trader')).toMatchObject({
      reason_code: 'not_published',
    });
    expect((await paid('/v1/morning-brief/natural')).status).toBe(200);
  });

  it('of one issuer alone, and the brief of the other is sold', async () => {
    promote((one) => one.startsWith(`brief-covenant/${slice}/CIK0000000001/`));
    expect(await refusal('/v1/covenant-stress/natural?ticker=ONE')).toMatchObject({
      status: 404,
      reason_code: 'not_published',
      missing_sources: [],
      ticker: 'ONE',
    });
    expect((await paid('/v1/covenant-stress/natural?ticker=TWO')).status).toBe(200);
  });

  it('of a slice without its boards for the evidence it lacks, with the dates that have it (I2.45)', async () => {
    promote((one) => one.startsWith('brief-morning/') || one.startsWith('alpha-board/'));
    expect(await refusal('/v1/morning-brief/natural')).toMatchObject({
      status: 404,
      reason_code: 'raw_evidence_missing',
      fallback_reason: 'raw_evidence_missing',
      nearest_source_dates: { before, after: null },
    });
  });

  it('as the daily brief in all its forms, with nothing missing of its sources (I4.R28.6)', async () => {
    promote((one) => one.startsWith('daily-brief/'));
    for (const format of ['json', 'html', 'pdf'])
      expect(await refusal(`/v1/daily-brief/public?format=${format}`), format).toMatchObject({
        status: 404,
        reason_code: 'not_published',
        missing_sources: [],
        nearest_source_dates: { before, after: null },
      });
    expect((await paid(`/v1/daily-brief/public?date=${before}`)).status).toBe(200);
  });

  it('as the PDF of the daily brief alone, and the page is sold', async () => {
    promote((one) => one.endsWith('.pdf'));
    expect(await refusal('/v1/daily-brief/public?format=pdf')).toMatchObject({
      reason_code: 'not_published',
    });
    expect((await paid('/v1/daily-brief/public?format=html')).status).toBe(200);
  });

  it('as a company report, with the dates that have one', async () => {
    promote(() => false, true);
    expect(await refusal('/v1/company-report/ONE')).toMatchObject({
      status: 404,
      reason_code: 'no_artifact_for_source_date',
      ticker: 'ONE',
      nearest_source_dates: { before, after: null },
    });
  });
});

it('a slice published before there were briefs answers as one whose night compiled none', async () => {
  promote((one) => /^(?:daily-)?brief/.test(one));
  const { reason_code } = await refusal('/v1/covenant-stress/natural?ticker=TWO');
  expect(reason_code).toBe('not_published');
});
