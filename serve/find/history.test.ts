import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readSegmentIndex } from '../../data/contract/history/segmentIndex.ts';
import { calculationHistory } from '../../data/contract/payloads/issuer/calculationHistory.ts';
import { coreHistory } from '../../data/contract/payloads/issuer/coreHistory.ts';
import { sampleHistory } from '../../fixtures/rigs/sampleHistory.ts';
import { payloadOf } from '../../fixtures/rigs/servedPayload.ts';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { artifactText, type StoredArtifact } from '../../fixtures/rigs/storedArtifacts.ts';

const dates = ['2024-12-31', '2026-02-03', '2026-02-04', '2026-02-06', '2026-02-07'];
const datesOf: Readonly<Record<string, readonly string[]>> = {
  MSTR: dates,
  MARA: dates.slice(2),
  UPXI: ['2024-12-31', '2026-02-04', '2026-02-06'],
};

let rig: Rig;
let key: string;

beforeAll(async () => {
  rig = await serveRig();
  const release = rig.release({
    sourceDate: '2026-02-07',
    more: sampleHistory({
      sourceDate: '2026-02-07',
      issuers: sampleIssuers.flatMap((issuer) => {
        const known = datesOf[issuer.ticker ?? ''];
        return known === undefined ? [] : [{ issuer, dates: known }];
      }),
    }),
  });
  rig.promote(release, { '2026-02-07': release });
  key = await rig.key();
});
beforeEach(() => {
  rig.notes.length = 0;
});
afterAll(() => rig.close());

const ask = (path: string, headers: Record<string, string> = {}) =>
  rig.ask(path, { headers: { 'x-api-key': key, ...headers } });
const problem = async (path: string) => {
  const answer = await ask(path);
  expect(rig.notes).toEqual([]);
  return { status: answer.status, ...answer.json() };
};
/** The stored lines of an issuer's row of a date in the open month. */
const linesOf = async (kind: string, { date, cik }: { date: string; cik: string }) => {
  const segment = { root: rig.artifacts, release: '2026-02-07.1', key: `${kind}/${date}.ndjson` };
  const { start, end } = await shareOf(segment, cik);
  return Buffer.from(await artifactText(segment))
    .toString('utf8', start, end - 1)
    .split('\n');
};
/** Where an issuer's rows lie in a segment. */
const shareOf = async (segment: StoredArtifact, cik: string) => {
  const key = segment.key.replace('.ndjson', '.index.json');
  const { shares } = segmentOf(JSON.parse(await artifactText({ ...segment, key })));
  const { start = 0, end = 0 } = shares.get(cik) ?? {};
  return { start, end };
};
const segmentOf = (json: unknown) => {
  const found = readSegmentIndex(json);
  if ('fault' in found) throw new Error(found.fault);
  return found.value;
};

describe('core history', () => {
  const history = async (query: string) =>
    coreHistory.schema.parse(payloadOf(await ask(`/v1/core-history/${query}`)));

  it('sends the stored rows in ascending order under the label that was asked (I2.52)', async () => {
    const answer = await ask('/v1/core-history/mstr.a?source_date_from=2026-02-04&limit=2');
    const found = coreHistory.schema.parse(payloadOf(answer));
    expect(found).toMatchObject({
      ticker: 'MSTR',
      lookup_ticker: 'MSTR.A',
      join_key: 'cik',
      cik: '0001050446',
      meta: {
        total: 3,
        limit: 2,
        offset: 0,
        count: 2,
        coverage: {
          first_source_date: '2024-12-31',
          last_source_date: '2026-02-07',
          missing_source_date_count: 0,
        },
        filters: { source_date_from: '2026-02-04' },
      },
    });
    const rows: (string | undefined)[] = [];
    for (const date of ['2026-02-04', '2026-02-06']) {
      rows.push((await linesOf('core-history', { date, cik: '0001050446' }))[0]);
    }
    expect(answer.bytes.toString()).toContain(`"data":[${rows}]`);
    expect(answer.json()['response_metadata']).toMatchObject({
      artifact_key: 'core-history/2026-02-07.segments.json',
    });
  });

  it('counts the slices between its first and last that lack the issuer (I2.52)', async () => {
    expect((await history('UPXI')).meta).toMatchObject({
      total: 3,
      coverage: {
        first_source_date: '2024-12-31',
        last_source_date: '2026-02-06',
        missing_source_date_count: 1,
      },
    });
  });

  it('answers each label under its own name', async () => {
    expect((await history('0001050446')).lookup_ticker).toBe('0001050446');
    expect((await history('MSTR')).lookup_ticker).toBe('MSTR');
  });

  it('pages to the last row', async () => {
    const all = await Promise.all([0, 2, 4].map((offset) => history(`MSTR?limit=2&offset=${offset}`)));
    expect(all.flatMap((page) => page.data.map((row) => row.source_date))).toEqual(dates);
    rig.notes.length = 0;
    expect(await problem('/v1/core-history/MSTR?offset=5')).toMatchObject({ code: 'offset_out_of_range' });
  });

  it.each([
    ['MSTR?source_date_from=2026-02-05&source_date_to=2026-02-05', '2026-02-04', '2026-02-06'],
    ['MSTR?source_date_to=2020-01-01', null, '2024-12-31'],
    ['UPXI?source_date_from=2026-02-07', '2026-02-06', null],
  ])('has no rows for %s, and names the dates around (I4.R23.3)', async (query, before, after) => {
    expect(await problem(`/v1/core-history/${query}`)).toMatchObject({
      status: 404,
      reason_code: 'no_rows_in_range',
      nearest_source_dates: { before, after },
    });
  });

  it.each([
    ['MSTR?source_date_from=2026-02-05&source_date_to=2026-02-04', 'invalid_date_range'],
    ['MSTR?source_date_from=2026-02-31', 'invalid_date'],
    ['MSTR?limit=2001', 'invalid_parameter'],
    ['MSTR?source_date=2026-02-07', 'unknown_parameter'],
    ['TWIN', 'ambiguous_ticker'],
  ])('refuses %s with %s', async (query, code) => {
    expect(await problem(`/v1/core-history/${query}`)).toMatchObject({ status: 400, code });
  });
});

describe('calculation history', () => {
  const calculations = async (query: string) =>
    calculationHistory.schema.parse(payloadOf(await ask(`/v1/core7/calculation-history${query}`)));
  const rowsOf = (found: { data: readonly { ticker: string; source_date: string }[] }) =>
    found.data.map((row) => `${row.source_date} ${row.ticker}`);

  it('is the newest slice of every issuer without parameters (I4.R24.2)', async () => {
    const found = await calculations('');
    expect(rowsOf(found)).toEqual(['2026-02-07 MSTR', '2026-02-07 MARA']);
    expect(found).toMatchObject({
      payload_mode: 'full',
      method_version: 'core-ltv-1.0',
      meta: {
        total: 2,
        total_before_pagination: 2,
        limit: 25,
        offset: 0,
        count: 2,
        source_dates: ['2026-02-07'],
        filters: {},
      },
    });
    expect(found.data[0]).toHaveProperty('source_fields');
    const compact = await calculations('?mode=compact');
    expect(compact.payload_mode).toBe('compact');
    expect(compact.data[0]).not.toHaveProperty('source_fields');
  });

  it('orders by date descending, then CIK, across pages (I2.54)', async () => {
    const range = 'source_date_from=2026-02-03&source_date_to=2026-02-07';
    const pages = await Promise.all(
      [0, 3, 6].map((offset) => calculations(`?${range}&limit=3&offset=${offset}`)),
    );
    expect(pages.flatMap(rowsOf)).toEqual([
      '2026-02-07 MSTR',
      '2026-02-07 MARA',
      '2026-02-06 MSTR',
      '2026-02-06 MARA',
      '2026-02-06 UPXI',
      '2026-02-04 MSTR',
      '2026-02-04 MARA',
      '2026-02-04 UPXI',
      '2026-02-03 MSTR',
    ]);
    expect(pages.map((page) => page.meta.source_dates)).toEqual([
      ['2026-02-07', '2026-02-06'],
      ['2026-02-06', '2026-02-04'],
      ['2026-02-04', '2026-02-03'],
    ]);
    expect(pages[0]?.meta).toMatchObject({ total: 9, count: 3 });
  });

  it('says before it is paid which mode holds what (R24)', async () => {
    const answer = await rig.ask('/v1/core7/calculation-history?ticker=upxi&source_date=2026-02-06');
    const { resource } = answer.json() as { resource: { description: string } };
    expect(resource.description).toMatch(/Rows are complete; mode=compact leaves fundamentals/);
    expect(answer.headers.get('payment-required')?.length).toBeLessThanOrEqual(4096);
  });

  it('sends the stored form that mode names, byte for byte (I4.R24.2)', async () => {
    const [compact, full] = await linesOf('calc-history', { date: '2026-02-06', cik: '0001775194' });
    for (const [mode, line] of [
      ['compact', compact],
      ['full', full],
    ]) {
      const path = `/v1/core7/calculation-history?ticker=upxi&source_date=2026-02-06&mode=${mode}`;
      const answer = await ask(path);
      const found = calculationHistory.schema.parse(payloadOf(answer));
      expect(answer.bytes.toString()).toContain(`"data":[${line}]`);
      expect(found.payload_mode).toBe(mode);
      expect(found.meta.filters).toEqual({ ticker: 'UPXI', source_date: '2026-02-06' });
      expect(answer.json()['response_metadata']).toMatchObject({
        artifact_key: 'calc-history/2026-02-07.segments.json',
        payload_mode: mode,
        ticker: 'UPXI',
        cache_hit: false,
      });
    }
  });

  it.each([
    ['?ticker=UPXI', '2026-02-06', null],
    ['?cik=1775194&source_date=2026-02-05', '2026-02-04', '2026-02-06'],
    ['?source_date=2026-02-05', '2026-02-04', '2026-02-06'],
    ['?ticker=BMNR', null, null],
  ])('has no rows for %s (I4.R24.3)', async (query, before, after) => {
    const found = await problem(`/v1/core7/calculation-history${query}`);
    expect(found).toMatchObject({ status: 404, reason_code: 'no_rows_in_range' });
    if (before !== null || after !== null)
      expect(found).toMatchObject({ nearest_source_dates: { before, after } });
  });

  it.each([
    ['?ticker=MSTR&cik=1775194', 'identifier_conflict'],
    ['?source_date_from=2025-01-03&source_date_to=2026-02-07', 'invalid_date_range'],
    ['?source_date_to=2026-02-07', 'invalid_date_range'],
    ['?source_date=2026-02-03&source_date_from=2026-02-04', 'invalid_date_range'],
    ['?source_date_from=2026-02-07&source_date_to=2026-02-06', 'invalid_date_range'],
    ['?mode=wide', 'invalid_parameter'],
    ['?limit=251', 'invalid_parameter'],
    ['?offset=2', 'offset_out_of_range'],
  ])('refuses %s with %s', async (query, code) => {
    expect(await problem(`/v1/core7/calculation-history${query}`)).toMatchObject({ status: 400, code });
  });

  it('names both issuers of a conflict and the most days of a range (I7.5)', async () => {
    const path = '/v1/core7/calculation-history';
    expect(await problem(`${path}?ticker=MSTR&cik=1775194`)).toMatchObject({
      ticker: 'MSTR',
      cik: '0001775194',
    });
    const longest = '?source_date_from=2025-01-03&source_date_to=2026-02-07';
    expect(await problem(`${path}${longest}`)).toMatchObject({ max_days: 400, reason: 'range_too_long' });
  });

  it('takes a range of exactly 400 days', async () => {
    const found = await calculations('?source_date_from=2025-01-04&source_date_to=2026-02-07');
    expect(found.meta.total).toBe(9);
  });

  it('misses an issuer nobody knows (I7.6)', async () => {
    expect(await problem('/v1/core7/calculation-history?ticker=ZZZZZ')).toMatchObject({
      status: 404,
      reason_code: 'unknown_ticker',
    });
  });
});
