import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { IssuerError } from '../data/contract/errors/issuerError.ts';
import {
  mppProblemType,
  notFoundContract,
  notFoundReasons,
  problem,
} from '../data/contract/errors/problem.ts';
import type { Route } from '../data/contract/routes/route.ts';
import { routes } from '../data/contract/routes/routes.ts';
import { unsignedPayment } from '../fixtures/builders/unsignedPayment.ts';
import type { Answer } from '../fixtures/rigs/askServer.ts';
import { sampleRegistrants } from '../fixtures/rigs/sampleSlice.ts';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';
import { damageArtifact } from '../fixtures/rigs/storedArtifacts.ts';

let rig: Rig;

describe('an error of the command line on the wire', () => {
  const problemOf = (code: 'store_unwritable' | 'validation_failed') =>
    new IssuerError({ code, message: 'Check /srv/issuer/ledger.db.', hint: 'Run issuer-serve.' }).toProblem();

  it('says of a ledger without an answer that the request may come again (X43, X49)', () => {
    expect(problemOf('store_unwritable')).toEqual({
      status: 503,
      code: 'settlement_unavailable',
      title: 'Settlement unavailable',
      retryable: true,
      detail: 'The ledger gave no answer. Nothing was charged; send the same request again later.',
      extra: {},
    });
  });

  it('says nothing of any other (I7.2)', () => {
    expect(problemOf('validation_failed')).toMatchObject({
      status: 500,
      code: 'internal_error',
      retryable: false,
      detail: 'The request could not be answered.',
    });
  });
});

// a route without an answer, which is a defect, and one that is not served yet
const opened = routes.map((route): Route => {
  if (route.id === 'R25') return { ...route, schemaId: null, answer: null };
  return route.id === 'R28' ? { ...route, status: 'pending', answer: null } : route;
});

beforeEach(async () => {
  rig = await serveRig({ routes: opened });
  const registrants = [
    { cik: '0000789019', name: 'MICROSOFT CORP', tickers: ['MSFT'] },
    { cik: '0009100001', name: null, tickers: [] },
    { cik: '0009100002', name: 'One Claimant', tickers: ['CLAIM'] },
    { cik: '0009100003', name: 'Another Claimant', tickers: ['CLAIM'] },
  ];
  const more = [sampleRegistrants('2026-02-07', registrants)];
  const release = rig.release({ sourceDate: '2026-02-07', more });
  rig.promote(release, { '2026-02-07': release });
});
afterEach(() => rig.close());

/** How each code is provoked; the right side is what the answer must say beside the common members. */
const provocations: Readonly<Record<string, (rig: Rig, key: string) => Promise<Answer>>> = {
  invalid_parameter: (r) => r.ask('/v1/top-stressed?limit=0'),
  unknown_parameter: (r) => r.ask('/v1/readiness?foo=1'),
  missing_parameter: (r) => r.ask('/v1/daily-changes/evidence'),
  invalid_ticker: (r) => r.ask('/v1/covenant-stress/%00'),
  ambiguous_ticker: (r) => r.ask('/v1/covenant-stress/TWIN'),
  invalid_product: (r) => r.ask('/v1/market-core/perps/constituents/a%20b'),
  ticker_required: (r) => r.ask('/v1/company-fundamentals'),
  product_required: (r) => r.ask('/v1/market-core/perps/constituents/'),
  invalid_date: (r) => r.ask('/v1/covenant-stress/MSTR?source_date=2026-02-30'),
  unsupported_style: (r) => r.ask('/v1/morning-brief/natural?style=poetic'),
  offset_out_of_range: (r) => r.ask('/v1/covenant-stress?offset=100'),
  invalid_path_scope: (r) => r.ask('/v1/readiness/MSTR'),
  invalid_payment: (r) => r.ask('/v1/readiness', { headers: { 'payment-signature': 'garbage!' } }),
  wrong_payment_rail: (r) => r.ask('/v1/readiness', { headers: { authorization: 'Payment abc' } }),
  conflicting_credentials: (r) =>
    r.ask('/v1/readiness', { headers: { 'x-api-key': 'a', 'mcp-api-key': 'b' } }),
  invalid_api_key: (r) => r.ask('/v1/readiness', { headers: { 'x-api-key': 'iik_nothing' } }),
  invalid_grant_token: (r) =>
    r.ask('/v1/readiness', { headers: { 'x-svc-grant-token': 'ii1.eyJ2IjoxfQ.3q2-7w' } }),
  malformed_credential: (r) =>
    r.ask('/mpp/v1/readiness', { headers: { authorization: 'Payment not/base64url' } }),
  payment_required: (r) => r.ask('/v1/readiness'),
  api_key_scope: async (r) => r.ask('/v1/readiness', { headers: { 'x-api-key': await r.key(['mcp']) } }),
  route_not_found: (r) => r.ask('/v2/readiness'),
  not_found: (r) => r.ask('/v1/covenant-stress/ZZZZZ'),
  method_not_allowed: (r) => r.ask('/v1/readiness', { method: 'POST' }),
  payload_too_large: (r) =>
    r.ask('/v1/bundles/company-report', { method: 'POST', body: new Uint8Array(65_537) }),
  uri_too_long: (r) => r.ask(`/v1/readiness?x=${'a'.repeat(2048)}`),
  unsupported_media_type: (r) =>
    r.ask('/v1/bundles/company-report', {
      method: 'POST',
      body: Buffer.from('{}'),
      headers: { 'content-type': 'text/plain' },
    }),
  rate_limited: async (r) => {
    for (let i = 0; i < 120; i += 1) await r.ask('/help', { clientAddress: '192.0.2.9' });
    return r.ask('/help', { clientAddress: '192.0.2.9' });
  },
  header_fields_too_large: (r) =>
    r.ask('/v1/readiness', { headers: { 'payment-signature': 'A'.repeat(8193) } }),
  internal_error: (r) => r.ask('/v1/morning-brief/natural'),
  not_implemented: (r) => r.ask('/v1/daily-brief/public'),
  not_ready: (r) => {
    rmSync(join(r.artifacts, 'current'));
    return r.ask('/v1/readiness');
  },
  artifact_unavailable: (r) => {
    damageArtifact({ root: r.artifacts, release: '2026-02-07.1', key: 'readiness/2026-02-07.json' });
    return r.ask('/v1/readiness');
  },
  settlement_unavailable: (r) =>
    r.ask('/v1/readiness', { headers: { 'payment-signature': unsignedPayment() } }),
  overloaded: async (r, key) => {
    r.fault.error = new IssuerError({
      code: 'overloaded',
      message: 'The queue is full.',
      hint: 'Try again.',
    });
    return r.ask('/v1/readiness', { headers: { 'x-api-key': key } });
  },
};

describe('an error', () => {
  it.each(Object.entries(provocations))('%s has the shape of I7.2 (A7.1, A7.3)', async (code, provoke) => {
    const answer = await provoke(rig, await rig.key());
    const body = problem.parse(answer.json());
    expect(body.code).toBe(code);
    expect(answer.status).toBe(body.status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-request-id')).toBe(body.request_id);
    // payment problems of the MPP family are named by that protocol (I7.3)
    const type =
      code === 'malformed_credential' ? mppProblemType(code) : `http://127.0.0.1:8402/help#${code}`;
    expect(body.type).toBe(type);
    expect(body.instance).not.toContain('?');
    expect(body.detail.trim()).not.toBe('');
    const mustSayWhen = body.status === 429 || body.status === 503;
    expect(answer.headers.has('retry-after')).toBe(mustSayWhen);
    expect(answer.headers.has('payment-required')).toBe(code === 'payment_required');
    expect(body.retryable).toBe([402, 429, 503].includes(body.status));
    expect(rig.notes).toEqual([]);
  });

  it('says nothing of its cause to the client and everything but secrets to the log (A7.4, S16)', async () => {
    const answer = await provocations['internal_error']?.(rig, '');
    expect(answer?.bytes.toString()).not.toMatch(/at |\.ts|\/serve/);
    expect(rig.logLines.join('')).toContain('has no answer');
  });

  it('has no body on HEAD and no cached copy (I4.21)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/ZZZZZ', { method: 'HEAD' });
    expect(answer.status).toBe(404);
    expect(answer.bytes).toHaveLength(0);
  });

  it.each([
    ['unknown_ticker', '/v1/covenant-stress/ZZZZZ'],
    ['unknown_cik', '/v1/covenant-stress/0000000000'],
    ['issuer_not_in_universe', '/v1/covenant-stress/msft'],
    ['issuer_without_coverage', '/v1/company-fundamentals/NONE'],
    ['no_artifact_for_source_date', '/v1/covenant-stress?source_date=2020-01-01'],
    ['no_artifact_for_period', '/v1/covenant-stress/MSTR?period=2020-01-01'],
    ['manifest_version_unknown', '/.well-known/artifact-manifest.json?version=2020-01-01'],
  ] as const)('%s carries the whole miss contract (A7.2)', async (reason, path) => {
    const body = notFoundContract.parse((await rig.ask(path)).json());
    expect(body.reason_code).toBe(reason);
    expect(body.coverage_state).toBe(notFoundReasons[reason].coverage);
    expect(body.retry_after_days).toBe(notFoundReasons[reason].retryAfterDays);
  });

  it('tells a registrant outside the universe from a label that nobody has (I7.6)', async () => {
    const miss = async (label: string) => (await rig.ask(`/v1/core-history/${label}`)).json();
    expect(await miss('0000789019')).toMatchObject({
      reason_code: 'issuer_not_in_universe',
      detail: expect.stringMatching(/^0000789019 is MICROSOFT CORP \(CIK 0000789019\), which is not in/),
      ticker: '0000789019',
      suggestions: [],
      billing_status: 'not_charged',
    });
    expect(await miss('0009100001')).toMatchObject({
      detail: expect.stringMatching(/^0009100001 is a registrant \(CIK 0009100001\), which is not in/),
    });
    // two claim it, so it names neither
    expect(await miss('CLAIM')).toMatchObject({ reason_code: 'unknown_ticker' });
    // a release that holds no such list knows no more than the universe
    const bare = rig.release({ sourceDate: '2026-02-08' });
    rig.promote(bare, { '2026-02-08': bare });
    expect(await miss('MSFT')).toMatchObject({ reason_code: 'unknown_ticker' });
    expect(await miss('0000789019')).toMatchObject({ reason_code: 'unknown_cik' });
  });

  it('names bounds, allowed values and what the route takes (A4.8, A4.9, A4.10)', async () => {
    const members = async (path: string) => (await rig.ask(path)).json();
    expect(await members('/v1/top-stressed?limit=101')).toMatchObject({
      parameter: 'limit',
      min: 1,
      max: 100,
      reason: 'out_of_range',
    });
    expect(await members('/v1/top-stressed?limit=5&limit=6')).toMatchObject({
      parameter: 'limit',
      reason: 'repeated',
    });
    expect(await members('/v1/top-stressed?limit=')).toMatchObject({ parameter: 'limit', reason: 'empty' });
    expect(await members('/v1/top-stressed?foo=1')).toMatchObject({
      parameter: 'foo',
      allowed_parameters: ['limit', 'offset'],
    });
    expect(await members('/health?foo=1')).toMatchObject({
      code: 'unknown_parameter',
      detail: '/health has no query parameter foo. It takes none.',
    });
    // a name that is no plain word is not put into the sentence
    expect(await members('/health?%3Cb%3E=1')).toMatchObject({
      detail: '/health has no query parameter of this name. It takes none.',
    });
    expect(await members('/v1/covenant-stress?risk_tier=bad')).toMatchObject({
      allowed: ['CRITICAL', 'HIGH', 'MODERATE', 'LOW', 'UNCLASSIFIED'],
    });
    expect(await members('/v1/covenant-stress?min_stress=1e3')).toMatchObject({ reason: 'not_a_number' });
    expect(await members('/v1/covenant-stress?linkbase_only=TRUE')).toMatchObject({
      allowed: ['true', 'false'],
    });
  });
});

describe('odd targets', () => {
  it.each([
    ['/v1/covenant-stress/%00', 400, 'invalid_ticker'],
    ['/v1/covenant-stress/%2e%2e', 404, 'not_found'],
    ['/v1/covenant-stress/..', 404, 'not_found'],
    ['/v1/covenant-stress/%2e%2e%2f%2e%2e', 400, 'invalid_ticker'],
    ['/v1/covenant-stress/%zz', 400, 'invalid_parameter'],
    ['/v1/covenant-stress/%ED%A0%80', 400, 'invalid_parameter'],
    ['/v1/covenant-stress/ſſſ', 400, 'invalid_ticker'],
    [`/v1/covenant-stress/${'A'.repeat(11)}`, 400, 'invalid_ticker'],
    ['/v1/covenant-stress/MSTR/', 404, 'route_not_found'],
    ['/v1/covenant-stress/', 400, 'ticker_required'],
    ['/v1/covenant-stress/NATURAL', 404, 'not_found'],
    ['/v1%2Freadiness', 404, 'route_not_found'],
    ['/V1/readiness', 404, 'route_not_found'],
    ['//v1/readiness', 404, 'route_not_found'],
    ['/v1/readiness?%ff=1', 400, 'invalid_parameter'],
    ['/v1/readiness?__proto__=1', 400, 'unknown_parameter'],
    ['/v1/readiness?=1', 400, 'unknown_parameter'],
    ['*', 400, 'invalid_parameter'],
    ['http://elsewhere.example/v1/top-stressed/UNIVERSE', 400, 'invalid_path_scope'],
    ['/v1/risk-distribution/', 400, 'invalid_path_scope'],
    ['/mpp/v1/covenant-stress/natural', 404, 'route_not_found'],
    ['/mpp/v1/pricing', 404, 'route_not_found'],
    ['', 400, 'invalid_parameter'],
  ])('%s is %i %s (I4.1–I4.4, I4.M.4)', async (path, status, code) => {
    const answer = await rig.ask(path);
    expect([answer.status, answer.json()['code']]).toEqual([status, code]);
  });

  it('never becomes a file: whatever the path, keys come from validated values only', async () => {
    const answer = await rig.ask('/v1/covenant-stress/MSTR?source_date=../../etc');
    expect(answer.json()['code']).toBe('invalid_date');
  });
});

describe('payments before a provider is there', () => {
  const send = (header: string) => rig.ask('/v1/readiness', { headers: { 'payment-signature': header } });

  it('are 503 with the rail when well-formed, and nothing is written (P0.7)', async () => {
    const answer = await send(unsignedPayment());
    expect(answer.json()).toMatchObject({ code: 'settlement_unavailable', rail: 'x402' });
    expect(answer.headers.has('payment-required')).toBe(false);
    expect(rig.notes).toEqual([]);
  });

  it('are 404, not 503, when the answer does not exist (A5.12)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/ZZZZZ', {
      headers: { 'payment-signature': unsignedPayment() },
    });
    expect(answer.status).toBe(404);
  });

  it('never get past a wrong key (A5.14)', async () => {
    const wrong = `iik_${'A'.repeat(10)}_${'A'.repeat(43)}`;
    const answer = await rig.ask('/v1/readiness', {
      headers: { 'x-api-key': wrong, 'payment-signature': unsignedPayment() },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('are ignored on HEAD (A4.18)', async () => {
    const answer = await rig.ask('/v1/readiness', {
      method: 'HEAD',
      headers: { 'payment-signature': unsignedPayment() },
    });
    expect(answer.status).toBe(402);
    expect(answer.headers.has('payment-required')).toBe(true);
    expect(answer.bytes).toHaveLength(0);
  });

  it('are refused in the clear (I9.33)', async () => {
    const answer = await rig.ask('/v1/readiness', {
      secureTransport: false,
      headers: { 'payment-signature': unsignedPayment() },
    });
    expect(answer.json()).toMatchObject({ code: 'invalid_payment', reason: 'insecure_transport' });
  });

  it.each([
    ['not base64', '***'],
    ['base64 of another length', 'QUJD=A'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64')],
    ['not JSON', Buffer.from('{"x402Version":2').toString('base64')],
    ['an array', Buffer.from('[1]').toString('base64')],
    ['repeated members', Buffer.from('{"x402Version":2,"x402\\u0056ersion":2}').toString('base64')],
    [
      'too deep',
      Buffer.from(`{"x402Version":2,"a":${'['.repeat(2000)}${']'.repeat(2000)}}`).toString('base64'),
    ],
    ['another version', unsignedPayment((json) => Object.assign(json, { x402Version: 1 }))],
    ['no payload', unsignedPayment((json) => Object.assign(json, { payload: null }))],
    [
      'a number as amount',
      unsignedPayment((json) => Object.assign(json['accepted'] as object, { amount: 40000 })),
    ],
    [
      'full-width digits',
      unsignedPayment((json) =>
        Object.assign((json['payload'] as { authorization: object }).authorization, { value: '４００００' }),
      ),
    ],
    [
      'a value of 2^256',
      unsignedPayment((json) =>
        Object.assign((json['payload'] as { authorization: object }).authorization, {
          value: String(1n << 256n),
        }),
      ),
    ],
    [
      'a short signature',
      unsignedPayment((json) => Object.assign(json['payload'] as object, { signature: '0x11' })),
    ],
  ])('are 400 invalid_payment when they are %s (A5.9, P2.16, P2.17)', async (_, header) => {
    const answer = await send(header);
    expect([answer.status, answer.json()['code']]).toEqual([400, 'invalid_payment']);
  });

  it('name the rail they belong to (A5.18)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/mstr', { headers: { authorization: 'payment abc' } });
    expect(answer.json()).toMatchObject({
      code: 'wrong_payment_rail',
      canonical_path: '/mpp/v1/covenant-stress/MSTR',
      expected_rail: 'x402',
    });
  });
});
