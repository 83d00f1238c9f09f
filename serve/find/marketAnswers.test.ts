import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payloads } from '../../data/contract/payloads/payloads.ts';
import { routes } from '../../data/contract/routes/routes.ts';
import type { Answer } from '../../fixtures/rigs/askServer.ts';
import { sampleMarket, sampleProducts } from '../../fixtures/rigs/sampleMarket.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const dates = ['2025-12-30', '2025-12-31', '2026-01-31', '2026-02-05', '2026-02-07'];
const sourceDate = '2026-02-07';
// AI lacks two dates
const products = sampleProducts(dates).map((one) =>
  one.product === 'AI-PERP-INTX' ? { ...one, dates: ['2025-12-31', '2026-02-05'] } : one,
);

let rig: Rig;
let key: string;
beforeAll(async () => {
  rig = await serveRig({ routes: routes.map((route) => ({ ...route, status: 'live' })) });
  key = await rig.key();
  const earlier = rig.release({ sourceDate: '2026-02-05', more: [] });
  const release = rig.release({ sourceDate, more: sampleMarket({ sourceDate, products }) });
  rig.promote(release, { '2026-02-05': earlier, [sourceDate]: release });
});
afterAll(() => rig.close());

const ask = (path: string): Promise<Answer> => rig.ask(path, { headers: { 'x-api-key': key } });
const json = async (path: string) => (await ask(path)).json() as Json;
// biome-ignore lint/suspicious/noExplicitAny: JSON as a client reads it
type Json = any;
const factors = '/v1/market-core/perps/factors';
const calculations = '/v1/market-core/perps/calculation-history';
const constituents = '/v1/market-core/perps/constituents';
const audit = '/v1/synthetic-etf/audit';

describe('answers about perpetual products', () => {
  it.each([
    ['perp_constituents.v1', `${constituents}/AI-PERP-INTX`],
    ['perp_constituents.v1', `${constituents}/AI-PERP-INTX?mode=full`],
    ['perp_factors.v1', `${factors}/BTC-PERP-INTX`],
    ['perp_factors.v1', `${factors}/BTC-PERP-INTX?bucket_length=15m&mode=full`],
    ['perp_calculation_history.v1', calculations],
    ['perp_calculation_history.v1', `${calculations}?mode=full&product=BTC-PERP-INTX`],
    ['perp_rankings.v1', '/v1/market-core/perps/rankings?bucket_length=1h'],
    ['market_field_map.v1', '/v1/market-spectra-field-map/BTC-PERP-INTX'],
    ['etf_pressure_state.v1', '/v1/synthetic-etf/pressure-state/AI-PERP-INTX'],
    ['etf_audit.v1', `${audit}/BTC-PERP-INTX`],
    ['etf_audit_export.v1', `${audit}/BTC-PERP-INTX/export`],
    ['etf_audit_thresholds.v1', `${audit}/BTC-PERP-INTX/thresholds`],
  ] as const)('%s holds its schema, envelope aside: %s', async (id, path) => {
    const answer = await ask(path);
    expect([answer.status, answer.status === 200 ? null : answer.json()]).toEqual([200, null]);
    const length = Number(answer.headers.get('x-payload-length'));
    const payload = JSON.parse(`${answer.bytes.toString('utf8', 0, length)}}`);
    const parsed = payloads[id].schema.safeParse(payload);
    expect(parsed.error?.issues).toBeUndefined();
    // nothing that the contract does not name
    expect(parsed.data).toEqual(payload);
  });
});

describe('a history of products', () => {
  it('comes newest first, whole, with what is stored of the product (I4.R14.2, I2.55)', async () => {
    const { data, meta, ...around } = await json(`${factors}/BTC-PERP-INTX?bucket_length=1h&limit=4`);
    expect(data.map((row: Json) => row.observed_bucket_utc)).toEqual([
      '2026-02-07T02:00:00Z',
      '2026-02-07T01:00:00Z',
      '2026-02-07T00:00:00Z',
      '2026-02-05T02:00:00Z',
    ]);
    expect(around).toMatchObject({
      route: 'GET /v1/market-core/perps/factors/{product}',
      payload_mode: 'compact',
      method_version: 'mcore-1.1',
      materialization_status: 'complete',
      filters: { product: 'BTC-PERP-INTX' },
    });
    expect(meta).toMatchObject({
      total: 15,
      total_before_pagination: 15,
      limit: 4,
      offset: 0,
      count: 4,
      source_dates: ['2026-02-07', '2026-02-05'],
      bucket_length: '1h',
      persistence: {
        first_bucket_utc: '2025-12-30T00:00:00Z',
        last_bucket_utc: '2026-02-07T02:00:00Z',
        row_interval_minutes: 60,
      },
    });
  });

  it('names the list of its segments first, then the segments it read (STORE ST8)', async () => {
    const { response_metadata: said } = await json(`${factors}/BTC-PERP-INTX`);
    expect(said).toMatchObject({
      artifact_key: `perp-factors/1d/${sourceDate}.segments.json`,
      product: 'BTC-PERP-INTX',
      ticker: null,
      lookup: null,
      cache_hit: false,
    });
  });

  it('selects a date or a range, and says which rows there are around it', async () => {
    const of = async (query: string) =>
      (await json(`${factors}/AI-PERP-INTX?${query}`)).data.map((row: Json) => row.source_date);
    expect(await of('source_date=2025-12-31')).toEqual(['2025-12-31']);
    expect(await of('source_date_from=2026-01-01')).toEqual(['2026-02-05']);
    expect(await of('source_date_to=2026-01-01')).toEqual(['2025-12-31']);
    expect(await json(`${factors}/AI-PERP-INTX?source_date=2026-01-31`)).toMatchObject({
      status: 404,
      reason_code: 'no_artifact_for_source_date',
      product: 'AI-PERP-INTX',
      nearest_source_dates: { before: '2025-12-31', after: '2026-02-05' },
    });
    const range = 'source_date_from=2026-01-01&source_date_to=2026-02-01';
    expect(await json(`${factors}/AI-PERP-INTX?${range}`)).toMatchObject({
      status: 404,
      reason_code: 'no_rows_in_range',
      nearest_source_dates: { before: '2025-12-31', after: '2026-02-05' },
    });
  });

  it('of all products is the newest date, by bucket descending and then by product (I4.R15.3)', async () => {
    const rows = async (query: string) =>
      (await json(`${calculations}?${query}`)).data.map((row: Json) => [
        row.observed_bucket_utc.slice(5, 16),
        row.product.slice(0, 3),
      ]);
    expect(await rows('bucket_length=1h&limit=2')).toEqual([
      ['02-07T02:00', 'BTC'],
      ['02-07T01:00', 'BTC'],
    ]);
    expect(await rows('bucket_length=1h&source_date=2026-02-05&limit=3&offset=1')).toEqual([
      ['02-05T02:00', 'BTC'],
      ['02-05T01:00', 'AI-'],
      ['02-05T01:00', 'BTC'],
    ]);
    expect(await rows('underlying_ticker=BTC&source_date_from=2026-01-01')).toEqual([
      ['02-07T00:00', 'BTC'],
      ['02-05T00:00', 'BTC'],
      ['01-31T00:00', 'BTC'],
    ]);
  });

  it('has the two hashes in either form of the calculation history, and in the full form of the factors', async () => {
    const row = async (path: string) => (await json(path)).data[0] as Json;
    const compact = await row(`${factors}/BTC-PERP-INTX`);
    const full = await row(`${factors}/BTC-PERP-INTX?mode=full`);
    const hashed = await row(`${calculations}?product=BTC-PERP-INTX`);
    const { payload_sha256, evidence_hash } = full;
    expect(hashed).toEqual({ ...compact, payload_sha256, evidence_hash });
    expect(full).toEqual({ ...hashed, market_inputs: { mark: 70_000 } });
    expect(await row(`${calculations}?product=BTC-PERP-INTX&mode=full`)).toEqual(full);
  });

  it('is 404 no_rows_in_range where no product in scope has a row', async () => {
    expect(await json(`${calculations}?underlying_ticker=MSTR`)).toMatchObject({
      status: 404,
      reason_code: 'no_rows_in_range',
    });
  });

  it('of field-map points counts pages from the newest and sends them oldest first (I4.R18.3)', async () => {
    const map = await json('/v1/market-spectra-field-map/BTC-PERP-INTX?limit=2&offset=1');
    expect(map.points.map((point: Json) => point.date)).toEqual(['2026-01-31', '2026-02-05']);
    expect(map.meta).toEqual({ total: 5, limit: 2, offset: 1, count: 2, filters: {} });
    expect(map.response_metadata.artifact_key).toBe(`market-field-map/${sourceDate}/BTC-PERP-INTX/1d.json`);
  });
});

describe('the product of a path', () => {
  it('may be an alias, and the answer says so', async () => {
    const answer = await json('/v1/synthetic-etf/pressure-state/ai10');
    expect(answer).toMatchObject({
      product: 'AI-PERP-INTX',
      response_metadata: { product: 'AI-PERP-INTX', lookup: { asked: 'AI10', matched_by: 'alias' } },
    });
    expect((await json(`${factors}/AI10`)).response_metadata.lookup.asked).toBe('AI10');
  });

  it.each([`${factors}/BTC-PERP-INTC`, `${audit}/BTC-PERP-INTC`, `${calculations}?product=BTC-PERP-INTC`])(
    'is missed with similar ones where no product has the name: %s',
    async (path) => {
      const answer = await json(path);
      expect(answer).toMatchObject({ status: 404, reason_code: 'unknown_product', product: 'BTC-PERP-INTC' });
      expect(answer.suggestions[0]).toBe('BTC-PERP-INTX');
    },
  );

  it('is suggested first for the ticker of its underlying, which is no name of it', async () => {
    const answer = await json(`${factors}/WEIRD`);
    expect(answer).toMatchObject({ status: 404, reason_code: 'unknown_product', product: 'WEIRD' });
    expect(answer.suggestions).toEqual(['ODD-PERP-INTX']);
  });

  it.each([
    `${constituents}/ODD-PERP-INTX`,
    '/v1/synthetic-etf/pressure-state/ODD-PERP-INTX',
    `${audit}/ODD-PERP-INTX`,
    `${audit}/ODD-PERP-INTX/thresholds`,
  ])('is missed for its registry where it has none: %s', async (path) => {
    expect(await json(path)).toMatchObject({
      status: 404,
      reason_code: 'registry_missing',
      coverage_state: 'not_available_for_product',
      product: 'ODD-PERP-INTX',
    });
  });

  it('is missed on a date whose slice holds no market data, with the date that does', async () => {
    for (const path of [
      '/v1/synthetic-etf/pressure-state/BTC-PERP-INTX',
      '/v1/market-core/perps/rankings',
      `${audit}/BTC-PERP-INTX`,
    ]) {
      expect(await json(`${path}?source_date=2026-02-05`), path).toMatchObject({
        status: 404,
        reason_code: 'no_artifact_for_source_date',
        nearest_source_dates: { before: null, after: sourceDate },
      });
    }
  });
});

describe('rankings', () => {
  it('filter by underlying, and a filter that fits none is an answer (I4.13)', async () => {
    const path = '/v1/market-core/perps/rankings';
    const { data, meta } = await json(`${path}?underlying_ticker=btc`);
    expect(data.map((row: Json) => [row.product, row.rank])).toEqual([['BTC-PERP-INTX', 2]]);
    expect(meta).toMatchObject({ ranking_field: 'ranking_score', total: 1, source_dates: [sourceDate] });
    expect(await json(`${path}?underlying_ticker=MSTR`)).toMatchObject({
      materialization_status: 'empty',
      data: [],
      filters: { underlying_ticker: 'MSTR' },
    });
  });
});

describe('an audit', () => {
  it('shows the rows of the last days of its slice, or of the range, or of the date (I4.R20.2)', async () => {
    const rows = async (query: string) => {
      const { factor_history: history } = await json(`${audit}/BTC-PERP-INTX?${query}`);
      return history.rows.map((row: Json) => row.source_date);
    };
    expect(await rows('')).toEqual(['2026-02-07', '2026-02-05']);
    expect(await rows('window_days=2')).toEqual(['2026-02-07']);
    expect(await rows('source_date_from=2025-12-31&source_date_to=2026-01-31')).toEqual([
      '2026-01-31',
      '2025-12-31',
    ]);
    expect(await rows(`source_date=${sourceDate}&window_days=30`)).toEqual(['2026-02-07']);
    expect(await rows('source_date_to=2025-01-01')).toEqual([]);
  });

  it('takes days or a range, a date or a range', async () => {
    for (const bound of ['source_date_from=2026-01-01', 'source_date_to=2026-01-01']) {
      expect(await json(`${audit}/BTC-PERP-INTX?window_days=3&${bound}`)).toMatchObject({
        status: 400,
        code: 'invalid_parameter',
      });
      expect(await json(`${audit}/BTC-PERP-INTX?source_date=${sourceDate}&${bound}`)).toMatchObject({
        status: 400,
        code: 'invalid_date_range',
      });
    }
    const both = 'source_date_from=2025-12-30&source_date_to=2025-12-31';
    expect((await json(`${audit}/BTC-PERP-INTX?${both}`)).factor_history.page.total).toBe(2);
  });

  it('says how to export its rows, unless that is not wanted', async () => {
    const { factor_history: whole } = await json(`${audit}/BTC-PERP-INTX?limit=1`);
    expect(whole).toMatchObject({
      page: { limit: 1, offset: 0, count: 1, total: 2, has_more: true, next_offset: 1 },
      export: {
        row_count: 2,
        route: 'GET /v1/synthetic-etf/audit/BTC-PERP-INTX/export',
        payload_sha256: null,
      },
    });
    const { factor_history: short } = await json(`${audit}/BTC-PERP-INTX?include_export=false`);
    expect(short.export).toBeNull();
  });

  it('is exported as the rows with their hashes, beside the artifact they belong to (I2.66)', async () => {
    const exported = await json(`${audit}/BTC-PERP-INTX/export`);
    const { response_metadata: said } = await json(`${audit}/BTC-PERP-INTX`);
    const { observed_bucket_utc: bucket, quality_flags: flags } = await json(`${audit}/BTC-PERP-INTX`);
    expect(exported).toMatchObject({ observed_bucket_utc: bucket, quality_flags: flags });
    expect(exported.artifact).toMatchObject({
      artifact_key: said.artifact_key,
      artifact_version: said.artifact_version,
      sha256: said.artifact_sha256,
      media_type: 'application/json',
    });
    const { data } = await json(`${calculations}?product=BTC-PERP-INTX&source_date_from=2026-02-01`);
    expect(exported.rows).toEqual(data);
    expect(exported.source_dates).toEqual(['2026-02-07', '2026-02-05']);
  });

  it('shows its thresholds alone, member by member as in the audit (I2.65)', async () => {
    const whole = await json(`${audit}/BTC-PERP-INTX`);
    const { response_metadata: said, ...thresholds } = await json(`${audit}/BTC-PERP-INTX/thresholds`);
    for (const name of ['threshold_contract', 'threshold_flags', 'canonical_event', 'provenance', 'z_scores'])
      expect(thresholds[name], name).toEqual(whole[name]);
    expect(thresholds.factor_history).toBeUndefined();
    expect(said.artifact_key).toBe(`etf-audit/BTC-PERP-INTX/${sourceDate}/1d.json`);
  });
});
