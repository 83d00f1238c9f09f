import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';

let rig: Rig;
let key: string;

beforeEach(async () => {
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  const earlier = rig.release({ sourceDate: '2026-02-05', backfilled: true });
  rig.promote(release, { '2026-02-05': earlier, '2026-02-07': release });
  key = await rig.key();
});
afterEach(() => rig.close());

const paid = (path: string, headers: Record<string, string> = {}) =>
  rig.ask(path, { headers: { 'x-api-key': key, ...headers } });
const metadata = (json: Record<string, unknown>) => json['response_metadata'] as Record<string, unknown>;

describe('lists', () => {
  const tickers = (json: Record<string, unknown>) =>
    (json['data'] as { ticker: string }[]).map((row) => row.ticker);

  it('screens by tier in any case and echoes the canonical filter (A4.13)', async () => {
    const json = (await paid('/v1/covenant-stress?risk_tier=high')).json();
    expect(tickers(json)).toEqual(['MARA', '0002070457']);
    expect(json['meta']).toEqual({
      count: 2,
      filters: { risk_tier: 'HIGH' },
      limit: 25,
      offset: 0,
      sort: 'stress_50pct_desc',
      source_date: '2026-02-07',
      total: 2,
    });
    expect(metadata(json)['cache_hit']).toBe(false);
  });

  it('combines filters with AND (A4.14, I4.R12.4)', async () => {
    expect(tickers((await paid('/v1/covenant-stress?min_stress=0.5')).json())).toEqual([
      'UPXI',
      'MARA',
      '0002070457',
    ]);
    expect(tickers((await paid('/v1/covenant-stress?min_stress=0.5&linkbase_only=true')).json())).toEqual([
      'MARA',
    ]);
    expect(tickers((await paid('/v1/covenant-stress?period=2025-11-30')).json())).toEqual(['BMNR']);
  });

  it('sells the news that nothing matches (A4.12)', async () => {
    const answer = await paid('/v1/covenant-stress?risk_tier=CRITICAL&linkbase_only=true');
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({
      data: [],
      meta: { total: 0, count: 0, filters: { linkbase_only: true } },
    });
    expect(rig.notes).toHaveLength(1);
  });

  it('shows every issuer exactly once when pages are walked to the end (A8.5)', async () => {
    const seen: string[] = [];
    for (let offset = 0; offset < 5; offset += 2) {
      seen.push(...tickers((await paid(`/v1/covenant-stress?limit=2&offset=${offset}`)).json()));
    }
    expect(seen).toEqual(['UPXI', 'MARA', '0002070457', 'MSTR', 'BMNR']);
  });

  it('refuses an offset behind the last row before anybody pays (A4.11)', async () => {
    const answer = await rig.ask('/v1/top-stressed?offset=5');
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'offset_out_of_range', total: 5, offset: 5 });
  });

  it('pages the ranking and counts who was left out (A2.11, I2.48)', async () => {
    const json = (await paid('/v1/top-stressed?limit=2&offset=2')).json();
    expect((json['data'] as { rank: number }[]).map((row) => row.rank)).toEqual([3, 4]);
    expect(json['meta']).toMatchObject({
      total: 5,
      excluded_unclassified: 2,
      sort: 'live_else_filing_stress_50pct_desc',
    });
  });

  it('finds companies by part of a name, alias or CIK and shows who is not covered (A4.29, A4.50)', async () => {
    const found = (await rig.ask('/companies?search=Mstr.a')).json();
    expect(found).toMatchObject({ total: 1, billing_mode: 'public_discovery', cost_usd: 0 });
    expect((found['companies'] as { ticker: string }[])[0]?.ticker).toBe('MSTR');
    const none = (await rig.ask('/companies?search=no+filing')).json();
    expect(none['companies']).toMatchObject([{ ticker: 'NONE', coverage_status: 'not_covered' }]);
  });
});

describe('slices', () => {
  it('answers an old date with the bytes of its row store (I4.36, A9.10)', async () => {
    const answer = await paid('/v1/covenant-stress/MSTR?source_date=2026-02-05');
    const json = answer.json();
    expect(json['source_date']).toBe('2026-02-05');
    expect(metadata(json)).toMatchObject({
      artifact_key: 'covenant-slice/2026-02-05.ndjson',
      cache_hit: false,
    });
    const manifest = (await rig.ask('/.well-known/artifact-manifest.json?version=2026-02-05')).json();
    const entry = (manifest['artifacts'] as { key: string; sha256: string }[]).find(
      (a) => a.key === metadata(json)['artifact_key'],
    );
    expect(entry?.sha256).toBe(metadata(json)['artifact_sha256']);
    expect((await paid('/v1/company-fundamentals/MSTR?source_date=2026-02-05')).status).toBe(200);
  });

  it('names the nearest dates of one that is not stored (A4.17)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/MSTR?source_date=2026-02-06');
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      reason_code: 'no_artifact_for_source_date',
      coverage_state: 'covered_other_dates',
      ticker: 'MSTR',
      nearest_source_dates: { before: '2026-02-05', after: '2026-02-07' },
    });
  });

  it('selects the newest slice of a filing period (I4.16)', async () => {
    const newer = rig.release({
      more: [],
      sourceDate: '2026-02-08',
      issuers: [
        { cik: '0001050446', ticker: 'MSTR', name: 'Strategy Inc', stress: 0.3, period: '2025-12-31' },
      ],
    });
    const slices = { '2026-02-05': '2026-02-05.1', '2026-02-07': '2026-02-07.1', '2026-02-08': newer };
    rig.promote(newer, slices);
    expect((await paid('/v1/covenant-stress/MSTR?period=2025-09-30')).json()['source_date']).toBe(
      '2026-02-07',
    );
    expect((await paid('/v1/covenant-stress/MSTR')).json()['period']).toBe('2025-12-31');
    const miss = await rig.ask('/v1/covenant-stress/MSTR?period=2025-12-31&source_date=2026-02-07');
    expect(miss.json()['reason_code']).toBe('no_artifact_for_period');
  });

  it('tells a covered universe from an issuer without filing (A4.50)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/NONE');
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      reason_code: 'issuer_without_coverage',
      coverage_state: 'in_universe_not_covered',
      retry_after_days: 7,
    });
  });

  it('asks nobody to pay for an unknown issuer (A4.7)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/MSRT');
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      reason_code: 'unknown_ticker',
      ticker: 'MSRT',
      suggestions: ['MARA', 'MSTR'],
    });
    expect((await rig.ask('/v1/covenant-stress/0000000000')).json()['reason_code']).toBe('unknown_cik');
  });

  it('picks the variant the flags select (I4.R08.2)', async () => {
    const variant = async (query: string) =>
      (await paid(`/v1/company-fundamentals/MSTR${query}`)).json()['variant'];
    expect(await variant('')).toBe('');
    expect(await variant('?include_segments=true')).toBe('+seg');
    expect(await variant('?include_related_party=true&include_segments=true')).toBe('+seg+rpt');
  });

  it('is not ready before the first promotion (I4.R01.4)', async () => {
    const empty = await serveRig();
    const answer = await empty.ask('/v1/readiness');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(answer.json()).toMatchObject({ code: 'not_ready', last_source_date: null });
    expect((await empty.ask('/ready')).status).toBe(503);
    empty.close();
  });
});
