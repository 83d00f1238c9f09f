import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { capital } from '../../../data/contract/payloads/issuer/capital.ts';
import {
  type CompanyReportFrame,
  companyReport,
} from '../../../data/contract/payloads/reports/companyReport.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import type { Answer } from '../../../fixtures/rigs/askServer.ts';
import { sampleRest } from '../../../fixtures/rigs/sampleHistory.ts';
import { object } from '../../../fixtures/rigs/sampleSlice.ts';
import { payloadOf } from '../../../fixtures/rigs/servedPayload.ts';
import type { SampleIssuer, SampleRelease } from '../../../fixtures/rigs/serveRelease.ts';
import { type Rig, serveRig } from '../../../fixtures/rigs/serveRig.ts';
import { artifactText, damageArtifact } from '../../../fixtures/rigs/storedArtifacts.ts';
import { reportChecks } from '../../audit/reportChecks.ts';

const issuer = (ticker: string, n: number, more: Partial<SampleIssuer> = {}): SampleIssuer => ({
  cik: String(n).padStart(10, '0'),
  ticker,
  name: `${ticker} Inc`,
  stress: 0.5,
  mapped: true,
  ...more,
});
const both = { segments: true, relatedParty: true };
const issuers = [
  issuer('WHOLE', 1),
  issuer('FILED', 2, { filed: both }),
  issuer('SEGM', 3, { filed: { segments: true } }),
  issuer('NOMAP', 4, { mapped: false }),
  issuer('UNRANKED', 5, { unranked: 'figures_unproven', filed: both }),
  issuer('NONE', 6, { stress: null }),
];
const slice = '2026-02-07';
const pathOf = (ticker: string) => `/v1/company-report/${ticker}`;
const keyOf = (n: number, variant = 'compact') =>
  companyReport.stored.object.key({ slice, cik: String(n).padStart(10, '0'), variant });

let rig: Rig;
let key: string;
const release = (to: Rig, more: Partial<SampleRelease> = {}) => {
  const sourceDate = more.sourceDate ?? slice;
  const backfilled = more.backfilled ?? false;
  const rest = sampleRest({ sourceDate, issuers, backfilled });
  return to.release({ sourceDate, issuers, ...more, more: [...rest, ...(more.more ?? [])] });
};
beforeAll(async () => {
  rig = await serveRig();
  const dates = {
    '2026-01-05': release(rig, { sourceDate: '2026-01-05', backfilled: true }),
    '2026-02-05': release(rig, { sourceDate: '2026-02-05', withoutReports: true }),
    '2026-02-06': release(rig, { sourceDate: '2026-02-06', sliceStatus: 'partial' }),
    [slice]: release(rig),
  };
  rig.promote(dates[slice] ?? '', dates);
  key = await rig.key();
});
afterAll(() => rig.close());
beforeEach(() => {
  rig.notes.length = 0;
});

const paid = (path: string) => rig.ask(path, { headers: { 'x-api-key': key } });
const post = (body: string | object, headers: Readonly<Record<string, string>> = { 'x-api-key': key }) =>
  rig.ask('/v1/bundles/company-report', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  });
// biome-ignore lint/suspicious/noExplicitAny: JSON as a client reads it
const dataOf = (answer: Answer): any => (payloadOf(answer) as { data: unknown }).data;

describe('the legs of a report', () => {
  it('are the answers of their own routes, with readiness as of the build (I4.R29.2a)', async () => {
    const data = dataOf(await paid(`${pathOf('WHOLE')}?output_mode=full`));
    const own = async (path: string) => canonicalJson(payloadOf(await paid(path)) as never);
    expect(canonicalJson(data.covenant_stress)).toBe(await own('/v1/covenant-stress/WHOLE'));
    expect(canonicalJson(data.company_fundamentals)).toBe(await own('/v1/company-fundamentals/WHOLE'));
    expect(canonicalJson(data.alpha_signals)).toBe(await own('/v1/alpha-signals/WHOLE'));
    expect(canonicalJson(data.peer_ranking)).toBe(await own('/v1/peer-ranking/WHOLE'));
    expect(canonicalJson(data.spectra_field_map)).toBe(await own('/v1/spectra-field-map/WHOLE'));
    expect(data.capital).toEqual({
      ...capital.example,
      source_date: slice,
      cik: '0000000001',
      ticker: 'WHOLE',
    });
    const { ok, reason, age_minutes: age, ...readiness } = data.readiness;
    expect([ok, reason, age]).toEqual([true, null, 0]);
    expect(canonicalJson(readiness)).toBe(await own('/v1/readiness'));
  });

  it('say of a partial slice what readiness said when it was built (I4.R01.3)', async () => {
    const { readiness } = dataOf(await paid(`${pathOf('WHOLE')}?source_date=2026-02-06`));
    expect(readiness).toMatchObject({ ok: false, reason: 'partial_slice', age_minutes: 0 });
  });

  it('are named in the envelope by the frame, with grade and evidence of the report', async () => {
    const answer = await paid(pathOf('WHOLE'));
    const data = dataOf(answer);
    expect(answer.json()['response_metadata']).toMatchObject({
      schema_id: 'company_report.v1',
      artifact_key: keyOf(1),
      payload_mode: 'compact',
      cache_hit: false,
      ticker: 'WHOLE',
      evidence_hash: data.evidence_hash,
      evidence_hash_version: 'evh-1-jcs-sha256',
    });
  });
});

describe('the price of a report', () => {
  it.each<[string, number, string[]]>([
    ['WHOLE', 600_000, ['base', 'field_map']],
    ['WHOLE?output_mode=full', 650_000, ['base', 'field_map', 'full']],
    ['WHOLE?include_segments=true&include_related_party=true', 600_000, ['base', 'field_map']],
    ['FILED?include_segments=true', 650_000, ['base', 'field_map', 'segments']],
    ['FILED?include_related_party=true', 650_000, ['base', 'field_map', 'related_party']],
    [
      'FILED?include_segments=true&include_related_party=true&output_mode=full',
      750_000,
      ['base', 'field_map', 'segments', 'related_party', 'full'],
    ],
    ['SEGM?include_segments=true&include_related_party=true', 650_000, ['base', 'field_map', 'segments']],
    ['NOMAP', 450_000, ['base']],
    ['NOMAP?output_mode=full', 450_000, ['base']],
    ['UNRANKED', 450_000, ['base']],
    ['UNRANKED?output_mode=full&include_segments=true', 450_000, ['base']],
  ])('of %s is %i micro-USD everywhere it is said (I4.R29.4)', async (asked, micro, components) => {
    const unpaid = await rig.ask(pathOf(asked));
    const said = unpaid.json();
    const amounts = (said['accepts'] as { amount: string }[]).map(({ amount }) => amount);
    expect(amounts).toEqual([String(micro), String(micro)]);
    expect(said).toMatchObject({ quoted_micro_usd: micro, quoted_cost_usd: micro / 1e6 });
    const parts = said['price_components'] as { component: string; usd: number }[];
    expect(parts.map(({ component }) => component)).toEqual(components);
    expect(Math.round(parts.reduce((sum, { usd }) => sum + usd, 0) * 1e6)).toBe(micro);
    const head = await rig.ask(pathOf(asked), { method: 'HEAD' });
    expect(head.headers.get('x-quoted-cost-usd')).toBe((micro / 1e6).toFixed(6));
    const answer = await paid(pathOf(asked));
    expect(dataOf(answer).depth).toEqual({
      points: micro / 10_000,
      price_usd: micro / 1e6,
      price_micro_usd: micro,
      components,
    });
    expect(answer.json()).toMatchObject({ quoted_cost_usd: micro / 1e6 });
  });

  it('is listed with each issuer that has a report', async () => {
    const listed = (await rig.ask('/companies')).json()['companies'] as Record<string, unknown>[];
    expect(listed.map((one) => [one['ticker'], one['report_price_usd']])).toEqual([
      ['FILED', 0.6],
      ['NOMAP', 0.45],
      ['NONE', null],
      ['SEGM', 0.6],
      ['UNRANKED', 0.45],
      ['WHOLE', 0.6],
    ]);
  });

  it('names the parts in no other 402', async () => {
    expect((await rig.ask('/v1/covenant-stress/WHOLE')).json()).not.toHaveProperty('price_components');
  });
});

describe('a report with parts missing', () => {
  it('is partial without a required leg, and says which and why', async () => {
    const data = dataOf(await paid(pathOf('UNRANKED')));
    expect(data).toMatchObject({
      status: 'partial',
      partial: true,
      peer_ranking: null,
      errors: [
        {
          leg: 'peer_ranking',
          code: 'issuer_not_ranked',
          detail: 'The slice has no rank of it (figures_unproven).',
        },
      ],
      snapshot: { section_count: 6 },
    });
    expect(data.legs[3]).toEqual({
      name: 'peer_ranking',
      required: true,
      status: 'unavailable',
      reason: 'issuer_not_ranked',
      source_date: null,
      artifact_key: null,
      artifact_version: null,
      payload_sha256: null,
    });
  });

  it('is whole without the advisory leg, whose words are null then (I4.R29.6)', async () => {
    const data = dataOf(await paid(pathOf('NOMAP')));
    expect(data).toMatchObject({
      status: 'ok',
      partial: false,
      spectra_field_map: null,
      confidence: null,
      summary: { current_read: null, issuer_state: null, subscriber_takeaway: null },
      errors: [{ leg: 'spectra_field_map', code: 'historical_field_map_missing' }],
    });
  });

  it.each([
    ['of an issuer without coverage', pathOf('NONE'), 'issuer_without_coverage'],
    ['of a backfilled slice', `${pathOf('WHOLE')}?source_date=2026-01-05`, 'no_artifact_for_source_date'],
    [
      'of a slice from before reports',
      `${pathOf('WHOLE')}?source_date=2026-02-05`,
      'no_artifact_for_source_date',
    ],
    ['of no slice', `${pathOf('WHOLE')}?source_date=2026-02-01`, 'no_artifact_for_source_date'],
    ['of an unknown ticker', pathOf('ZZZZZ'), 'unknown_ticker'],
  ])('%s is a miss, unpaid and with a key alike', async (_, path, reason) => {
    for (const answer of [await rig.ask(path), await paid(path)]) {
      expect(answer.json()).toMatchObject({ status: 404, reason_code: reason });
      expect(answer.headers.has('payment-required')).toBe(false);
    }
    expect(rig.notes).toEqual([]);
  });

  it('is 404 report_legs_unavailable with fewer legs than base, listed without a price', async () => {
    const few = await serveRig();
    // scores, ranks and maps are missing, and readiness beside them: two required legs are left
    const name = few.release({ sourceDate: slice, issuers, more: [], withoutReadiness: true });
    few.promote(name, { [slice]: name });
    const answer = await few.ask(pathOf('WHOLE'), { headers: { 'x-api-key': await few.key() } });
    expect(answer.json()).toMatchObject({ status: 404, reason_code: 'report_legs_unavailable' });
    expect(few.notes).toEqual([]);
    few.close();
  });
});

describe('a report whose stored parts do not fit', () => {
  const changed = async (change: (frame: CompanyReportFrame) => void): Promise<Answer> => {
    const other = await serveRig();
    const text = await artifactText({ root: rig.artifacts, release: `${slice}.1`, key: keyOf(1) });
    const frame = JSON.parse(text) as CompanyReportFrame;
    change(frame);
    const name = release(other, { more: [object(keyOf(1), frame)] });
    other.promote(name, { [slice]: name });
    const answer = await other.ask(pathOf('WHOLE'), { headers: { 'x-api-key': await other.key() } });
    expect(other.notes).toHaveLength(answer.status === 200 ? 1 : 0);
    other.close();
    return answer;
  };

  it('is answered as it is stored when nothing was changed', async () => {
    expect((await changed(() => {})).status).toBe(200);
  });

  it('of a slice before capital structures has six parts and no member of that name (I2.68)', async () => {
    const answer = await changed(({ data }) => {
      data.legs = data.legs.filter(({ name }) => name !== 'capital');
      delete data.capital;
    });
    const data = dataOf(answer);
    expect(answer.status).toBe(200);
    expect(data.legs).toHaveLength(6);
    expect(data).not.toHaveProperty('capital');
    const listed = () => undefined;
    const checks = reportChecks(payloadOf(answer) as never, { artifact: '', listed });
    expect(checks[0]).toMatchObject({ holds: true });
    expect(checks[1]?.text).toContain(
      `it has SHA-256 ${(answer.json()['response_metadata'] as { artifact_sha256: string }).artifact_sha256}`,
    );
  });

  it.each<[string, (frame: CompanyReportFrame) => void]>([
    [
      'another hash of a leg',
      ({ data }) => Object.assign(data.legs[4] ?? {}, { payload_sha256: 'a'.repeat(64) }),
    ],
    [
      'another hash of the map',
      ({ data }) => Object.assign(data.legs[5] ?? {}, { payload_sha256: 'a'.repeat(64) }),
    ],
    [
      'a leg that is nowhere',
      ({ data }) => Object.assign(data.legs[1] ?? {}, { artifact_key: 'nowhere.json' }),
    ],
    [
      'a leg that its table lacks',
      ({ data }) => Object.assign(data.legs[4] ?? {}, { artifact_key: null, payload_sha256: null }),
    ],
    ['a leg that only its table has', ({ data }) => Object.assign(data, { spectra_field_map: null })],
    ['no table of legs', ({ data }) => Object.assign(data, { legs: [] })],
    ['a price that is no sum', ({ data }) => Object.assign(data.depth, { price_micro_usd: 610_000 })],
  ])('is 503 and not charged: %s', async (_, change) => {
    expect((await changed(change)).json()).toMatchObject({ status: 503, code: 'artifact_unavailable' });
  });

  it('is 503 where the bytes of a leg were damaged', async () => {
    const damaged = await serveRig();
    const name = release(damaged);
    damaged.promote(name, { [slice]: name });
    damageArtifact({ root: damaged.artifacts, release: name, key: `covenant/${slice}/CIK0000000001.json` });
    const answer = await damaged.ask(pathOf('WHOLE'), { headers: { 'x-api-key': await damaged.key() } });
    expect(answer.json()).toMatchObject({ status: 503, code: 'artifact_unavailable' });
    damaged.close();
  });
});

describe('a report asked for with a body (I4.R30.1)', () => {
  it('is the one asked for with a path', async () => {
    const asked = { ticker: 'filed', include_segments: true, output_mode: 'full', source_date: slice };
    const [posted, got] = [
      await post(asked),
      await paid(`${pathOf('FILED')}?include_segments=true&output_mode=full&source_date=${slice}`),
    ];
    expect(payloadOf(posted)).toEqual(payloadOf(got));
    expect(dataOf(posted).request).toEqual({
      ticker: 'FILED',
      source_date: slice,
      include_segments: true,
      include_related_party: false,
      output_mode: 'full',
    });
  });

  it.each<[string, string | object, number, string]>([
    ['no ticker', {}, 400, 'ticker_required'],
    ['an empty body', '', 400, 'invalid_json_body'],
    ['a list', '[]', 400, 'invalid_json_body'],
    ['a text', '"MSTR"', 400, 'invalid_json_body'],
    ['a member twice', '{"ticker":"WHOLE","ticker":"FILED"}', 400, 'invalid_json_body'],
    ['another member', { ticker: 'WHOLE', depth: 1 }, 400, 'unknown_parameter'],
    ['a prototype', '{"ticker":"WHOLE","__proto__":{}}', 400, 'unknown_parameter'],
    ['a flag as text', { ticker: 'WHOLE', include_segments: 'true' }, 400, 'invalid_parameter'],
    ['a mode that is none', { ticker: 'WHOLE', output_mode: 'deep' }, 400, 'invalid_parameter'],
    ['a day that is none', { ticker: 'WHOLE', source_date: '2026-02-30' }, 400, 'invalid_date'],
    ['a ticker as a number', { ticker: 7 }, 400, 'invalid_parameter'],
    ['a path as a ticker', { ticker: '../../etc' }, 400, 'invalid_ticker'],
    ['null for a period', { ticker: 'WHOLE', period: null }, 400, 'invalid_parameter'],
    ['deep nesting', `{"ticker":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, 'invalid_json_body'],
  ])('refuses %s, and charges nothing', async (_, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, answer.json()['code']]).toEqual([status, code]);
    expect(rig.notes).toEqual([]);
  });

  it('takes no query parameter and no other media type', async () => {
    const asked = await rig.ask('/v1/bundles/company-report?ticker=WHOLE', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{"ticker":"WHOLE"}'),
    });
    expect(asked.json()).toMatchObject({ status: 400, code: 'unknown_parameter' });
    expect((await post({ ticker: 'WHOLE' }, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});
