import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alphaSignals } from '../../data/contract/payloads/issuer/alphaSignals.ts';
import { issuerFieldMap } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { alphaOpportunities } from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import {
  type AlphaAuditRow,
  alphaOpportunitiesAudit,
} from '../../data/contract/payloads/universe/alphaOpportunitiesAudit.ts';
import { sampleFieldMaps, sampleHistory } from '../../fixtures/rigs/sampleHistory.ts';
import { sampleScores } from '../../fixtures/rigs/sampleSlice.ts';
import { payloadOf } from '../../fixtures/rigs/servedPayload.ts';
import type { SampleIssuer } from '../../fixtures/rigs/serveRelease.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const issuer = (ticker: string | null, n: number, more: Partial<SampleIssuer> = {}): SampleIssuer => ({
  cik: String(n).padStart(10, '0'),
  ticker,
  name: `${ticker ?? 'No Ticker'} Inc`,
  stress: 0.5,
  ...more,
});

// raw order AAA BBB CCC DDD FUND STALE 0000000009 · board order BBB AAA CCC DDD 0000000009
const issuers = [
  issuer('AAA', 1, { alpha: 90, stress: 0.4, tier: 'HIGH', mapped: true }),
  issuer('BBB', 2, { alpha: 90, stress: 0.2, quality: 'medium', unranked: 'stale' }),
  issuer('CCC', 3, { alpha: 80, type: 'foreign_issuer' }),
  issuer('DDD', 4, { alpha: 70, tier: 'HIGH' }),
  issuer('FUND', 5, { alpha: 60, type: 'etf_trust' }),
  issuer('STALE', 6, { alpha: 50, gate: 'stale_filing' }),
  issuer('OLDFUND', 7, { alpha: 40, type: 'etf_trust', gate: 'stale_filing' }),
  issuer(null, 9, { alpha: 30 }),
  issuer('NONE', 10, { stress: null }),
];

let rig: Rig;
let key: string;

beforeAll(async () => {
  rig = await serveRig();
  const late = issuers.filter(({ ticker }) => ticker !== 'DDD');
  const release = (sourceDate: string, input: { issuers: readonly SampleIssuer[]; backfilled?: boolean }) =>
    rig.release({
      sourceDate,
      ...input,
      more: [
        ...sampleScores({ sourceDate, issuers: input.issuers, backfilled: input.backfilled ?? false }),
        ...(input.backfilled === true
          ? []
          : [
              ...sampleFieldMaps({ sourceDate, issuers: input.issuers }),
              ...sampleHistory({
                sourceDate,
                issuers: input.issuers
                  .filter(({ stress }) => stress !== null)
                  .map((one) => ({
                    issuer: one,
                    dates: one.ticker === 'DDD' ? ['2026-02-07'] : ['2026-01-05', '2026-02-06', '2026-02-07'],
                  })),
              }),
            ]),
      ],
    });
  const past = release('2026-01-05', { issuers: late, backfilled: true });
  // a neighbour that holds no more than the past one does
  const neighbour = release('2026-01-06', { issuers: late, backfilled: true });
  const before = release('2026-02-06', { issuers: late });
  const current = release('2026-02-07', { issuers });
  rig.promote(current, {
    '2026-01-05': past,
    '2026-01-06': neighbour,
    '2026-02-06': before,
    '2026-02-07': current,
  });
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
const tickers = (rows: readonly { readonly ticker: string }[]) => rows.map((row) => row.ticker);

describe('the board', () => {
  const board = async (query: string) =>
    alphaOpportunities.schema.parse(payloadOf(await ask(`/v1/alpha-opportunities${query}`)));

  it('leaves out funds and gated rows, in board order with its ranks (I2.14, I4.R06.4)', async () => {
    const found = await board('');
    expect(tickers(found.opportunities)).toEqual(['BBB', 'AAA', 'CCC', 'DDD', '0000000009']);
    expect(found.opportunities.map((row) => row.board_rank)).toEqual([1, 2, 3, 4, 5]);
    expect(found).toMatchObject({
      source_date: '2026-02-07',
      market_regime: 'high_synchronization_risk',
      tower_status: 'insufficient_data',
      tower_coherence: null,
      meta: { total: 5, limit: 10, offset: 0, count: 5, filters: {} },
    });
  });

  it.each([
    ['?include_funds=true', ['BBB', 'AAA', 'CCC', 'DDD', 'FUND', '0000000009'], { include_funds: true }],
    ['?issuer_type=ETF_TRUST', ['FUND'], { issuer_type: 'etf_trust' }],
    ['?issuer_type=all', ['BBB', 'AAA', 'CCC', 'DDD', 'FUND', '0000000009'], { issuer_type: 'all' }],
    ['?issuer_type=foreign_issuer', ['CCC'], { issuer_type: 'foreign_issuer' }],
    ['?risk_tier=high', ['AAA', 'DDD'], { risk_tier: 'HIGH' }],
    ['?quality_flag=medium', ['BBB'], { quality_flag: 'medium' }],
    ['?risk_tier=HIGH&quality_flag=medium', [], { risk_tier: 'HIGH', quality_flag: 'medium' }],
    ['?risk_tier=UNCLASSIFIED', [], { risk_tier: 'UNCLASSIFIED' }],
    [
      '?debt_coverage_status=legitimate_zero_debt&limit=2',
      ['BBB', 'AAA'],
      { debt_coverage_status: 'legitimate_zero_debt' },
    ],
  ])('answers %s (I4.R06.3)', async (query, expected, filters) => {
    const found = await board(query);
    expect(tickers(found.opportunities)).toEqual(expected);
    expect(found.meta?.filters).toEqual(filters);
  });

  it('pages without gap and ends with an error (I4.13)', async () => {
    const pages = await Promise.all([0, 2, 4].map((offset) => board(`?limit=2&offset=${offset}`)));
    expect(pages.flatMap((page) => tickers(page.opportunities))).toEqual([
      'BBB',
      'AAA',
      'CCC',
      'DDD',
      '0000000009',
    ]);
    rig.notes.length = 0;
    expect(await problem('/v1/alpha-opportunities?offset=5')).toMatchObject({
      status: 400,
      code: 'offset_out_of_range',
      total: 5,
    });
    // a screen that matches nothing is an answer
    expect((await board('?risk_tier=CRITICAL&offset=7')).meta).toMatchObject({ total: 0, count: 0 });
  });

  it.each([
    ['?include_funds=true&issuer_type=all', 'invalid_parameter', 'include_funds'],
    ['?include_funds=false&issuer_type=all', 'invalid_parameter', 'include_funds'],
    ['?risk_tier=BAD', 'invalid_parameter', 'risk_tier'],
    ['?limit=0', 'invalid_parameter', 'limit'],
    ['?limit=101', 'invalid_parameter', 'limit'],
    ['?source_date=2026-02-30', 'invalid_date', 'source_date'],
    ['?tier=HIGH', 'unknown_parameter', 'tier'],
  ])('refuses %s', async (query, code, parameter) => {
    expect(await problem(`/v1/alpha-opportunities${query}`)).toMatchObject({ status: 400, code, parameter });
  });

  it('replays a past slice, backfilled or not (I4.15, I4.36)', async () => {
    for (const date of ['2026-01-05', '2026-02-06']) {
      const found = await board(`?source_date=${date}`);
      expect(tickers(found.opportunities)).toEqual(['BBB', 'AAA', 'CCC', '0000000009']);
      expect(found.source_date).toBe(date);
    }
    rig.notes.length = 0;
    expect(await problem('/v1/alpha-opportunities?source_date=2026-01-20')).toMatchObject({
      status: 404,
      reason_code: 'no_artifact_for_source_date',
      nearest_source_dates: { before: '2026-01-06', after: '2026-02-06' },
    });
  });
});

describe('the board audit', () => {
  const audit = async (query: string) =>
    alphaOpportunitiesAudit.schema.parse(payloadOf(await ask(`/v1/alpha-opportunities/audit${query}`)));

  it('explains every row with samples of at most limit rows (I2.15, M5.19)', async () => {
    const found = await audit('?limit=2');
    expect(tickers(found.excluded_from_default_sample)).toEqual(['FUND', 'STALE']);
    expect(tickers(found.top_raw_alpha_sample)).toEqual(['AAA', 'BBB']);
    expect(tickers(found.top_board_rank_sample)).toEqual(['BBB', 'AAA']);
    expect(found.demoted_rows_sample.map((row) => [row.ticker, row.rank_delta])).toEqual([['AAA', -1]]);
    expect(found.identity_summary.total_rows).toBe(8);
    expect(found.rows).toBeUndefined();
  });

  it('adds all rows in raw order when asked, whatever the limit (I4.R07.4)', async () => {
    const found = await audit('?limit=1&include_rows=true');
    expect(found.excluded_from_default_sample).toHaveLength(1);
    expect(found.rows?.map((row: AlphaAuditRow) => [row.raw_rank, row.ticker, row.failed_gate])).toEqual([
      [1, 'AAA', null],
      [2, 'BBB', null],
      [3, 'CCC', null],
      [4, 'DDD', null],
      [5, 'FUND', 'issuer_type'],
      [6, 'STALE', 'stale_filing'],
      [7, 'OLDFUND', 'issuer_type'],
      [8, '0000000009', null],
    ]);
  });

  it('explains one issuer type alone', async () => {
    const found = await audit('?issuer_type=etf_trust&include_rows=true');
    expect(tickers(found.rows ?? [])).toEqual(['FUND', 'OLDFUND']);
    expect(found.top_board_rank_sample).toEqual([]);
    expect(found.identity_summary.total_rows).toBe(2);
    expect(tickers((await audit('?issuer_type=product&include_rows=true')).rows ?? [])).toEqual([]);
  });

  it('is not part of a backfilled slice (I4.36)', async () => {
    expect((await audit('?source_date=2026-02-06')).source_date).toBe('2026-02-06');
    rig.notes.length = 0;
    expect(await problem('/v1/alpha-opportunities/audit?source_date=2026-01-05')).toMatchObject({
      status: 404,
      reason_code: 'no_artifact_for_source_date',
      nearest_source_dates: { before: null, after: '2026-02-06' },
    });
  });
});

describe('an issuer route', () => {
  it.each([
    ['alpha-signals', alphaSignals.schema],
    ['peer-ranking', peerRanking.schema],
  ])(
    '%s sends the stored object, and the same members from a backfilled row (I4.36)',
    async (route, schema) => {
      const dates = ['2026-02-07', '2026-02-06', '2026-01-05'];
      const answers = await Promise.all(dates.map((date) => ask(`/v1/${route}/aaa?source_date=${date}`)));
      const payloads = answers.map((answer) => schema.parse(payloadOf(answer)));
      expect(payloads.map((payload) => payload.source_date)).toEqual(dates);
      expect(payloads.map(({ source_date: _, ...rest }) => rest)).toEqual(
        payloads.map(() => expect.objectContaining({ ticker: 'AAA', cik: '0000000001' })),
      );
      const metadata = answers.map((answer) => answer.json()['response_metadata'] as Record<string, unknown>);
      expect(metadata.map((m) => [m['artifact_key'], m['cache_hit'], m['source_date'], m['ticker']])).toEqual(
        [
          [`${route}/2026-02-07/CIK0000000001.json`, true, '2026-02-07', 'AAA'],
          [`${route}/2026-02-06/CIK0000000001.json`, true, '2026-02-06', 'AAA'],
          [`${route}/2026-01-05.ndjson`, false, '2026-01-05', 'AAA'],
        ],
      );
    },
  );

  it('serves a label that is a CIK under it (I1.18)', async () => {
    for (const date of ['2026-02-07', '2026-01-05']) {
      const found = payloadOf(await ask(`/v1/alpha-signals/0000000009?source_date=${date}`));
      expect(found['ticker']).toBe('0000000009');
    }
  });

  it.each(['2026-02-07', '2026-02-06', '2026-01-05'])(
    'says on %s why an issuer has no rank (I2.51, A2.13)',
    async (date) => {
      expect(await problem(`/v1/peer-ranking/BBB?source_date=${date}`)).toMatchObject({
        status: 404,
        code: 'not_found',
        reason_code: 'issuer_not_ranked',
        coverage_state: 'in_universe_not_covered',
        retry_after_days: 7,
        unranked_reason: 'stale',
        ticker: 'BBB',
      });
    },
  );

  it('says which issuers it does not know and which have no coverage', async () => {
    for (const route of ['alpha-signals', 'peer-ranking', 'spectra-field-map', 'core-history']) {
      expect(await problem(`/v1/${route}/ZZZZZ`), route).toMatchObject({ reason_code: 'unknown_ticker' });
      expect(await problem(`/v1/${route}/NONE`), route).toMatchObject({
        status: 404,
        reason_code: 'issuer_without_coverage',
      });
    }
  });

  it('misses an issuer on a date before it was covered, and names its dates (I4.15)', async () => {
    for (const route of ['alpha-signals', 'peer-ranking', 'covenant-stress', 'company-fundamentals']) {
      expect(await problem(`/v1/${route}/DDD?source_date=2026-02-06`), route).toMatchObject({
        status: 404,
        reason_code: 'no_artifact_for_source_date',
        nearest_source_dates: { before: null, after: '2026-02-07' },
      });
    }
  });

  it('selects the newest slice with a period by the history, and checks the slice of a date (I4.16)', async () => {
    const found = payloadOf(await ask('/v1/peer-ranking/AAA?period=2025-09-30'));
    expect(found['source_date']).toBe('2026-02-07');
    rig.notes.length = 0;
    for (const [query, said] of [
      ['?period=2020-12-31', 'No slice holds AAA with the filing period 2020-12-31.'],
      [
        '?period=2020-12-31&source_date=2026-01-05',
        'The slice of 2026-01-05 does not hold AAA with the filing period 2020-12-31.',
      ],
    ] as const) {
      expect(await problem(`/v1/peer-ranking/AAA${query}`)).toMatchObject({
        status: 404,
        reason_code: 'no_artifact_for_period',
        detail: expect.stringContaining(said),
      });
    }
  });

  it('sends a stored field map, or says that there is none (I4.R17.3)', async () => {
    const found = issuerFieldMap.schema.parse(payloadOf(await ask('/v1/spectra-field-map/AAA')));
    expect(found).toMatchObject({ ticker: 'AAA', source_date: '2026-02-07' });
    rig.notes.length = 0;
    expect(await problem('/v1/spectra-field-map/CCC')).toMatchObject({
      status: 404,
      reason_code: 'historical_field_map_missing',
      coverage_state: 'not_available_for_issuer',
      retry_after_days: 7,
    });
    expect(await problem('/v1/spectra-field-map/AAA?source_date=2026-01-05')).toMatchObject({
      reason_code: 'no_artifact_for_source_date',
      nearest_source_dates: { before: null, after: '2026-02-06' },
    });
  });

  it('says before it is paid how many points and events the field map has (I7.7)', async () => {
    const unpaid = (await rig.ask('/v1/spectra-field-map/AAA')).json();
    const { points, events = [] } = issuerFieldMap.example;
    expect(unpaid['artifact']).toMatchObject({ counts: { points: points.length, events: events.length } });
    expect(unpaid['detail']).toContain(
      `The answer holds points: ${points.length}, events: ${events.length}.`,
    );
    expect((await rig.ask('/v1/peer-ranking/AAA')).json()['artifact']).not.toHaveProperty('counts');
  });
});
