import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dailyChangeEvidence } from '../../data/contract/payloads/universe/dailyChangeEvidence.ts';
import { latestDailyChanges } from '../../data/contract/payloads/universe/latestDailyChanges.ts';
import { type SampleNight, sampleNight } from '../../fixtures/rigs/sampleHistory.ts';
import { payloadOf } from '../../fixtures/rigs/servedPayload.ts';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';

const named = (ticker: string | null) => {
  const issuer = sampleIssuers.find((one) => one.ticker === ticker);
  if (issuer === undefined) throw new Error(`no sample issuer is called ${ticker}`);
  return issuer;
};
const [mstr, mara, upxi, shell] = [named('MSTR'), named('MARA'), named('UPXI'), named(null)];
const day = (n: number, blobs: number, complete = true) => ({
  day: `2026-02-${String(n).padStart(2, '0')}`,
  blobs,
  complete,
});

let rig: Rig;
let key: string;

beforeEach(async () => {
  rig = await serveRig();
  key = await rig.key();
});
afterEach(() => rig.close());

// the slice of the 7th shows the delta of the 6th; the slice of the 6th its own
function nights(last: Partial<SampleNight> = {}): void {
  const release = (sourceDate: string, night: SampleNight) =>
    rig.release({ sourceDate, more: sampleNight(night, sourceDate) });
  const window = [1, 2, 3, 4, 5].map((n) => day(n, n)).concat(day(6, 0), day(7, 7));
  const before = release('2026-02-06', { changed: [mstr, mara, shell], lines: 5, window });
  const current = release('2026-02-07', {
    deltaDate: '2026-02-06',
    changed: [mstr, mara, shell],
    new: [upxi],
    lines: 5,
    window,
    ...last,
  });
  rig.promote(current, { '2026-02-06': before, '2026-02-07': current });
}

const ask = (path: string) => rig.ask(path, { headers: { 'x-api-key': key } });
const changes = async (query = '') =>
  latestDailyChanges.schema.parse(payloadOf(await ask(`/v1/daily-changes/latest${query}`)));
const window = async (query = '') => (await changes(query)).companyfacts_delta_window;

describe('the latest daily changes', () => {
  it('are the stored difference with both lists under the date of the delta (I4.R02.4)', async () => {
    nights();
    const answer = await ask('/v1/daily-changes/latest');
    const found = latestDailyChanges.schema.parse(payloadOf(answer));
    expect(found.source_date).toBe('2026-02-06');
    expect(found.changed_companies.map((row) => row.cik)).toEqual([mstr.cik, mara.cik, shell.cik]);
    expect(found.new_companies.map((row) => row.cik)).toEqual([upxi.cik]);
    expect(found.new_companies_page).toEqual({ limit: 50, offset: 0, count: 1, total: 1, has_more: false });
    expect(found.stats.changed_files).toBe(109);
    expect(answer.headers.get('x-source-date')).toBe('2026-02-07');
    expect(answer.json()['response_metadata']).toMatchObject({
      artifact_key: 'daily-changes/2026-02-07.json',
      source_date: '2026-02-07',
      cache_hit: false,
    });
  });

  it('page both lists with one offset, compared with the longer one (I4.R02.3)', async () => {
    nights();
    const found = await changes('?limit=2&offset=1');
    expect(found.changed_companies.map((row) => row.cik)).toEqual([mara.cik, shell.cik]);
    expect(found.changed_companies_page).toEqual({
      limit: 2,
      offset: 1,
      count: 2,
      total: 3,
      has_more: false,
    });
    expect(found.new_companies).toEqual([]);
    expect(found.new_companies_page).toEqual({ limit: 2, offset: 1, count: 0, total: 1, has_more: false });
    expect((await changes('?limit=2')).changed_companies_page).toMatchObject({
      has_more: true,
      next_offset: 2,
    });
    const beyond = await ask('/v1/daily-changes/latest?offset=3');
    expect([beyond.status, beyond.json()['code'], beyond.json()['total']]).toEqual([
      400,
      'offset_out_of_range',
      3,
    ]);
  });

  it('are an answer without rows on a night without changes', async () => {
    nights({ changed: [], new: [] });
    const found = await changes('?offset=4');
    expect([found.changed_companies, found.new_companies]).toEqual([[], []]);
    expect(found.changed_companies_page).toMatchObject({ total: 0, count: 0, has_more: false });
  });

  it('are missing with the release that should hold them, and nothing is charged', async () => {
    const release = rig.release({ sourceDate: '2026-02-07', more: [] });
    rig.promote(release, { '2026-02-07': release });
    expect((await ask('/v1/daily-changes/latest')).json()).toMatchObject({
      status: 503,
      code: 'artifact_unavailable',
    });
    expect(rig.notes).toEqual([]);
  });
});

describe('the window of scans', () => {
  const none = { totals: { change_blob_count: 0, changed_filing_count: 0, day_count: 0 }, days: [] };

  it('is seven days up to the delta without bounds, a day without scan among them (I3.21)', async () => {
    nights();
    const found = await window();
    expect(found).toMatchObject({
      date_from: '2026-01-31',
      date_to: '2026-02-06',
      source: 'companyfacts_daily',
      status: 'partial',
      totals: { change_blob_count: 15, changed_filing_count: 30, day_count: 7 },
    });
    expect(found?.days.map((one) => [one.date, one.change_blob_count, one.summary_exists])).toEqual([
      ['2026-01-31', 0, false],
      ['2026-02-01', 1, true],
      ['2026-02-02', 2, true],
      ['2026-02-03', 3, true],
      ['2026-02-04', 4, true],
      ['2026-02-05', 5, true],
      ['2026-02-06', 0, true],
    ]);
  });

  it.each([
    ['?date_from=2026-02-02&date_to=2026-02-04', 'complete', '2026-02-02', '2026-02-04', 9, 3],
    ['?date_from=2026-02-07&date_to=2026-02-08', 'partial', '2026-02-07', '2026-02-08', 7, 2],
    ['?date_from=2026-02-06&date_to=2026-02-06', 'empty', '2026-02-06', '2026-02-06', 0, 0],
    ['?date_from=2026-02-02', 'date_window_missing', '2026-02-02', null, 0, 0],
    ['?date_to=yesterday', 'date_window_missing', null, null, 0, 0],
    ['?date_from=2026-02-30&date_to=2026-03-01', 'invalid_date_window', null, '2026-03-01', 0, 0],
    ['?date_from=2026-02-04&date_to=2026-02-03', 'invalid_date_window', '2026-02-04', '2026-02-03', 0, 0],
    ['?date_from=2026-01-01&date_to=2026-02-01', 'window_too_large', '2026-01-01', '2026-02-01', 0, 0],
    ['?date_from=2026-01-08&date_to=2026-02-07', 'partial', '2026-01-08', '2026-02-07', 22, 31],
    ['?date_from=9999-12-30&date_to=9999-12-31', 'empty', '9999-12-30', '9999-12-31', 0, 0],
  ] as const)('of %s is %s with HTTP 200 (I4.R02.3)', async (query, status, from, to, blobs, days) => {
    nights();
    const found = await window(query);
    expect(found).toMatchObject({ status, date_from: from, date_to: to });
    expect(found?.totals).toEqual({
      change_blob_count: blobs,
      changed_filing_count: 2 * blobs,
      day_count: days,
    });
    expect(found?.days).toHaveLength(days);
  });

  it('says when the stored days cannot be read, and the rest is answered (I3.21)', async () => {
    nights();
    damageArtifact({ root: rig.artifacts, release: '2026-02-07.1', key: 'daily-window/2026-02-03.json' });
    const found = await changes('?date_from=2026-02-02&date_to=2026-02-04');
    expect(found.companyfacts_delta_window).toMatchObject({ status: 'blob_store_unavailable', ...none });
    expect(found.changed_companies).toHaveLength(3);
  });

  it('has bounds of at most 32 characters', async () => {
    nights();
    const answer = await ask(`/v1/daily-changes/latest?date_from=${'1'.repeat(33)}`);
    expect([answer.status, answer.json()['parameter']]).toEqual([400, 'date_from']);
  });
});

describe('daily-change evidence', () => {
  const evidence = async (query: string) =>
    dailyChangeEvidence.schema.parse(payloadOf(await ask(`/v1/daily-changes/evidence${query}`)));

  it('is a page of the lines behind the shown delta (I2.32, I2.33)', async () => {
    nights();
    const found = await evidence('?ticker=mstr&limit=2&offset=1');
    expect(found).toMatchObject({
      status: 'ok',
      cik: mstr.cik,
      ticker: 'MSTR',
      source_date: '2026-02-06',
      issuer: {
        cik: mstr.cik,
        entity_name: 'Strategy Inc',
        ticker: 'MSTR',
        evidence_available: true,
        raw_tag_count: 5,
        source_date: '2026-02-06',
      },
      page: {
        limit: 2,
        offset: 1,
        count: 2,
        total: 5,
        has_more: true,
        next_offset: 3,
        next_tool: 'intel_daily_change_evidence',
        next_args: { ticker: 'MSTR', source_date: '2026-02-06', limit: 2, offset: 3 },
        evidence_ref: {
          tool: 'intel_daily_change_evidence',
          route: 'GET /v1/daily-changes/evidence',
          args: { ticker: 'MSTR', source_date: '2026-02-06', limit: 2, offset: 1 },
        },
      },
    });
    expect(found.tags?.map((tag) => tag.index)).toEqual([1, 2]);
    // once for all lines that name it (I1.13a)
    expect(found.filings).toEqual([
      {
        accession_number: '0001193125-25-262568',
        filing_url:
          'https://www.sec.gov/Archives/edgar/data/1050446/000119312525262568/0001193125-25-262568-index.htm',
      },
    ]);
  });

  it('gives arguments that can be replayed unchanged until the last page (I2.32)', async () => {
    nights();
    const lines: number[] = [];
    let query: string | null = '?ticker=MSTR&limit=2';
    while (query !== null) {
      const found = await evidence(query);
      lines.push(...(found.tags ?? []).map((tag) => tag.index));
      const args = found.page?.next_args as Record<string, string> | undefined;
      query = args === undefined ? null : `?${new URLSearchParams(args)}`;
    }
    expect(lines).toEqual([0, 1, 2, 3, 4]);
  });

  it('walks to the end of a list of more than 10,000 lines (I4.R03.5)', async () => {
    nights({ lines: 10_003 });
    const page = async (offset: number) => (await evidence(`?ticker=MSTR&limit=2&offset=${offset}`)).page;
    expect(await page(10_000)).toMatchObject({ total: 10_003, has_more: true, next_offset: 10_002 });
    expect(await page(10_002)).toMatchObject({ count: 1, has_more: false });
  });

  it('names an issuer without ticker by its CIK', async () => {
    nights();
    const found = await evidence('?cik=CIK2070457&limit=1');
    expect(found).toMatchObject({ cik: shell.cik, ticker: null });
    expect(found.page?.next_args).toEqual({ cik: shell.cik, source_date: '2026-02-06', limit: 1, offset: 1 });
  });

  it.each([
    ['?ticker=ZZZZZ', { ticker: 'ZZZZZ', cik: null, source_date: null }],
    ['?cik=77', { ticker: null, cik: '0000000077', source_date: null }],
    ['?ticker=BMNR', { ticker: 'BMNR', cik: null, source_date: null }],
    // the slice of the 7th shows another delta, so there is none of that date
    ['?ticker=MSTR&source_date=2026-02-07', { ticker: 'MSTR', cik: null, source_date: '2026-02-07' }],
    ['?ticker=MSTR&source_date=2020-01-01', { ticker: 'MSTR', cik: null, source_date: '2020-01-01' }],
  ])('answers %s with 404 in the form of its payload, uncharged (I4.R03.5)', async (query, asked) => {
    nights();
    const answer = await rig.ask(`/v1/daily-changes/evidence${query}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const json = answer.json();
    expect(dailyChangeEvidence.schema.parse(json)).toMatchObject({ status: 'not_found', ...asked });
    expect(json).toMatchObject({ billing_status: 'not_charged', cost_usd: 0 });
    expect(json['message']).toMatch(/^No daily-change evidence is stored for /);
    expect(json['request_id']).toBe(answer.headers.get('x-request-id'));
    expect(json).not.toHaveProperty('settlement_receipt');
    expect((await rig.ask(`/v1/daily-changes/evidence${query}`, { method: 'HEAD' })).status).toBe(404);
    expect(rig.notes).toEqual([]);
  });

  it('still misses a date whose answer is remembered under another question', async () => {
    nights();
    await evidence('?ticker=MSTR');
    expect((await ask('/v1/daily-changes/evidence?ticker=MSTR&source_date=2026-02-07')).status).toBe(404);
  });

  it.each([
    ['', 'missing_parameter'],
    ['?ticker=MSTR&cik=1507605', 'identifier_conflict'],
    ['?ticker=TWIN', 'ambiguous_ticker'],
    ['?ticker=MSTR&offset=5', 'offset_out_of_range'],
    ['?ticker=MSTR&limit=251', 'invalid_parameter'],
    ['?ticker=MSTR&offset=10000001', 'invalid_parameter'],
    ['?ticker=MSTR&cik=x', 'invalid_parameter'],
    ['?ticker=MSTR&source_date=2026-2-7', 'invalid_date'],
  ])('refuses %s with %s', async (query, code) => {
    nights();
    const answer = await ask(`/v1/daily-changes/evidence${query}`);
    expect([answer.status, answer.json()['code']]).toEqual([400, code]);
    expect(rig.notes).toEqual([]);
  });

  it('takes ticker and CIK of one issuer together', async () => {
    nights();
    expect((await evidence('?ticker=MSTR.A&cik=1050446')).ticker).toBe('MSTR');
  });
});
