import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { billingEnvelope, isReservedMember } from '../data/contract/billing/billingEnvelope.ts';
import { ready } from '../data/contract/emit/operations.ts';
import { liveRoutes, routes } from '../data/contract/routes/routes.ts';
import { type CanonicalValue, canonicalJson } from '../data/contract/values/canonicalJson.ts';
import { exampleCall } from '../fixtures/rigs/exampleCall.ts';
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
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

describe('an answer to an API key', () => {
  it('knows an issuer by ticker in any case, alias and zero-padded CIK (A1.2, A1.3)', async () => {
    const answers = await Promise.all(
      ['mstr', 'MSTR', '0001050446', 'mstr.a'].map((name) => paid(`/v1/covenant-stress/${name}`)),
    );
    const bodies = answers.map((answer) => answer.json());
    expect(bodies.map((body) => body['ticker'])).toEqual(['MSTR', 'MSTR', 'MSTR', 'MSTR']);
    expect(new Set(bodies.map((body) => metadata(body)['payload_sha256'])).size).toBe(1);
    expect(bodies.map((body) => metadata(body)['lookup'])).toEqual([
      { asked: 'MSTR', matched_by: 'ticker' },
      { asked: 'MSTR', matched_by: 'ticker' },
      { asked: '0001050446', matched_by: 'cik' },
      { asked: 'MSTR.A', matched_by: 'alias' },
    ]);
  });

  it('prefers a current ticker to the same label among aliases (I1.16)', async () => {
    expect((await paid('/v1/covenant-stress/MARA')).json()['cik']).toBe('0001507605');
  });

  it('refuses to choose between two issuers of one alias (A1.4)', async () => {
    const answer = await paid('/v1/covenant-stress/twin');
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'ambiguous_ticker',
      candidates: [
        { ticker: 'AAA', cik: '0009000002', entity_name: 'First Twin' },
        { ticker: 'BBB', cik: '0009000003', entity_name: 'Second Twin' },
      ],
    });
    expect(rig.notes).toEqual([]);
  });

  it('serves an issuer without ticker under its CIK (A1.7)', async () => {
    const answer = await paid('/v1/covenant-stress/0002070457');
    expect(answer.json()['ticker']).toBe('0002070457');
    expect(metadata(answer.json())['ticker']).toBe('0002070457');
  });

  it('carries the whole envelope with the values of the key column (A5.13, A5.32)', async () => {
    const json = (await paid('/v1/covenant-stress/MSTR')).json();
    const envelope = billingEnvelope.parse(json);
    expect(envelope).toMatchObject({
      billing_mode: 'api_key_not_charged',
      billing_status: 'not_charged',
      payment_status: 'api_key_bypass',
      cost_usd: 0,
      actual_cost_usd: 0,
      quoted_cost_usd: 0.1,
      credits_charged: 0,
      grant_status: 'not_applicable',
      grant_source: 'none',
    });
    expect(envelope.settlement_receipt).toMatchObject({
      settlement_mode: 'api_key_not_charged',
      charge_status: 'not_charged',
      charged_amount_usdc: '0.000000',
      payer_identity: `apikey:${key.slice(4, 14)}`,
    });
    const {
      billing: _,
      usage_metadata: __,
      settlement_receipt: ___,
      response_metadata: ____,
      ...members
    } = envelope;
    expect(envelope.billing.request).toEqual(members);
  });

  it('hands exactly the receipt it shows to the ledger, with a stable reconciliation key (I5.49, P6.6)', async () => {
    const answer = await paid('/v1/covenant-stress/MSTR?source_date=2026-02-07');
    const receipt = answer.json()['settlement_receipt'] as Record<string, unknown>;
    const [note] = rig.notes;
    expect(rig.notes).toHaveLength(1);
    expect(note).toMatchObject({
      receiptId: receipt['receipt_id'],
      responseId: receipt['response_id'],
      reconciliationKey: receipt['reconciliation_key'],
      routeId: 'R11',
      quotedMicro: 100_000,
      artifactKey: 'covenant/2026-02-07/CIK0001050446.json',
    });
    expect(receipt['reconciliation_key']).toBe(`rec_${sha256(`req:${receipt['response_id']}`).slice(0, 32)}`);
    expect(answer.headers.get('x-receipt-id')).toBe(receipt['receipt_id']);
    expect(rig.deliveries).toEqual([[receipt['receipt_id'], 'delivered']]);
    const request =
      '{"body":null,"method":"GET","path":"/v1/covenant-stress/MSTR","query":{"source_date":"2026-02-07"}}';
    expect(Buffer.from(note?.fingerprint ?? []).toString('hex')).toBe(sha256(request));
  });

  it('can be cut back to the stored payload by X-Payload-Length (A4.49)', async () => {
    const answer = await paid('/v1/covenant-stress/MSTR');
    const cut = answer.bytes.subarray(0, Number(answer.headers.get('x-payload-length')));
    const digest = createHash('sha256')
      .update(Buffer.concat([cut, Buffer.from('}')]))
      .digest('base64');
    expect(answer.headers.get('x-artifact-digest')).toBe(`sha-256=:${digest}:`);
  });

  it('recomputes: Content-Digest from the bytes, payload_sha256 from the body minus reserved names (A9.2)', async () => {
    for (const path of [
      '/v1/covenant-stress/MSTR',
      '/v1/covenant-stress?limit=2',
      '/v1/readiness',
      '/v1/top-stressed',
    ]) {
      const answer = await paid(path);
      expect(answer.status, path).toBe(200);
      const digest = `sha-256=:${createHash('sha256').update(answer.bytes).digest('base64')}:`;
      expect(answer.headers.get('content-digest')).toBe(digest);
      expect(answer.headers.get('repr-digest')).toBe(digest);
      const json = answer.json();
      const payload = Object.fromEntries(Object.entries(json).filter(([name]) => !isReservedMember(name)));
      expect(sha256(canonicalJson(payload as CanonicalValue))).toBe(metadata(json)['payload_sha256']);
    }
  });

  it('repeats payload_sha256 and ETag on one slice while readiness grows older (A1.6, A4.45)', async () => {
    const first = await paid('/v1/readiness');
    rig.clock.nowMs += 60_000;
    const second = await paid('/v1/readiness');
    expect(first.json()).toMatchObject({ ok: true, reason: null, age_minutes: 167.3 });
    expect(second.json()['age_minutes']).toBe(168.3);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(metadata(second.json())['payload_sha256']).toBe(metadata(first.json())['payload_sha256']);
  });

  it('answers 304 without body to its own tag, with a receipt like a 200 (A9.4, I4.19)', async () => {
    const first = await paid('/v1/covenant-stress/MSTR');
    const again = await paid('/v1/covenant-stress/MSTR', {
      'if-none-match': `"other", ${first.headers.get('etag')}`,
    });
    expect(again.status).toBe(304);
    expect(again.bytes).toHaveLength(0);
    expect(again.headers.get('x-receipt-id')).toMatch(/^rcpt_/);
    expect(rig.notes).toHaveLength(2);
  });

  it('answers HEAD with tag and digest, without body and without receipt (I4.5)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/MSTR', {
      method: 'HEAD',
      headers: { 'x-api-key': key },
    });
    expect(answer.status).toBe(200);
    expect(answer.bytes).toHaveLength(0);
    expect(answer.headers.get('etag')).toMatch(/^W\/"[0-9a-f]{32}"$/);
    expect(answer.headers.has('x-artifact-digest')).toBe(true);
    expect(rig.notes).toEqual([]);
  });

  it('wins over a payment that is sent with it (A5.15)', async () => {
    const answer = await paid('/v1/readiness', { 'payment-signature': 'AAAA' });
    expect(answer.json()['billing_mode']).toBe('api_key_not_charged');
  });

  it('is refused when the ledger cannot take the receipt, and nothing of the payload is sent (A9.11)', async () => {
    const { IssuerError } = await import('../data/contract/errors/issuerError.ts');
    rig.fault.error = new IssuerError({
      code: 'settlement_unavailable',
      message: 'Full.',
      hint: '',
      details: { rail: 'ledger' },
    });
    const answer = await paid('/v1/readiness');
    expect(answer.status).toBe(503);
    expect(answer.json()['row_count']).toBeUndefined();
    expect((await rig.ask('/ready')).status).toBe(503);
    expect((await rig.ask('/v1/readiness')).status).toBe(402);
  });
});

describe('free routes', () => {
  it('say that the process answers and what it serves from (F09, F10)', async () => {
    expect((await rig.ask('/health')).json()).toEqual({
      status: 'ok',
      service: 'issuer_intelligence',
      version: '1.0.0',
      time_utc: '2026-02-07T10:00:00Z',
      uptime_seconds: 0,
    });
    const answer = await rig.ask('/ready');
    expect(answer.status).toBe(200);
    expect(ready.parse(answer.json())).toMatchObject({
      ready: true,
      age_minutes: 167.3,
      manifest: { version: '2026-02-07.1', key_id: 'k1' },
    });
  });

  it('send the same documents after a restart, under the hash /ready shows (A4.48)', async () => {
    const hashes = (await rig.ask('/ready')).json()['discovery'] as Record<string, string>;
    const other = await serveRig();
    for (const [path, name] of [
      ['/v1/pricing', 'pricing'],
      ['/openapi.json', 'openapi'],
    ] as const) {
      const first = await rig.ask(path);
      const second = await other.ask(path);
      expect(second.bytes.equals(first.bytes)).toBe(true);
      expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
      expect(sha256(first.bytes)).toBe(hashes[name]);
      expect(
        (await rig.ask(path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })).status,
      ).toBe(304);
    }
    other.close();
  });

  it('knows manifests by release and by date, and no others (F13)', async () => {
    const path = '/.well-known/artifact-manifest.json';
    expect((await rig.ask(path)).json()['version']).toBe('2026-02-07.1');
    expect((await rig.ask(`${path}?version=2026-02-05.1`)).json()['version']).toBe('2026-02-05.1');
    const miss = await rig.ask(`${path}?version=2026-02-05.2`);
    expect(miss.json()).toMatchObject({
      reason_code: 'manifest_version_unknown',
      coverage_state: 'not_available',
    });
    expect((await rig.ask(`${path}?version=..%2F..`)).json()['code']).toBe('invalid_parameter');
  });

  it('answer a preflight with the lists of I9.31 (A9.7)', async () => {
    const answer = await rig.ask('/v1/readiness', { method: 'OPTIONS' });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS');
    expect(answer.headers.get('access-control-allow-headers')).toContain('PAYMENT-SIGNATURE');
    expect(answer.headers.get('access-control-max-age')).toBe('600');
  });

  it('let a page send what official clients send: @x402/fetch and the tool protocol, and what traces (I9.31)', async () => {
    const answer = await rig.ask('/mcp', { method: 'OPTIONS' });
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    for (const name of [
      ...['access-control-expose-headers', 'payment-signature', 'accept-payment', 'authorization'],
      ...['mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name', 'last-event-id'],
      // traceparent, tracestate, baggage, Mcp-Param-*
      '*',
    ])
      expect(allowed, name).toContain(name);
  });

  it('never refuse a preflight, so that a page can read the 404 and the 429 behind it (I4.6)', async () => {
    const asked = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } };
    for (const path of ['/v1/nothing', '/v1/readiness/', `/${'a'.repeat(3000)}`, '/mcp', '/mpp/v1/readiness'])
      expect((await rig.ask(path, asked)).status, path).toBe(204);
    expect((await rig.ask('/v1/nothing', { method: 'OPTIONS' })).status).toBe(404);
    const from = { clientAddress: '192.0.2.78' };
    for (let i = 0; i < 120; i += 1) await rig.ask('/help', from);
    const limited = await rig.ask('/help', from);
    expect([limited.status, limited.headers.get('access-control-allow-origin')]).toEqual([429, '*']);
    const preflight = await rig.ask('/help', { ...from, ...asked });
    expect([preflight.status, preflight.headers.get('ratelimit')?.split(';')[1]]).toEqual([204, 'r=0']);
  });
});

const unpaidTool = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'intel_readiness' },
});

describe('every answer', () => {
  it('names API version, request id and limit, and echoes only a valid id (A9.1, I8.4)', async () => {
    const answer = await rig.ask('/help', { headers: { 'x-request-id': 'client-id-1' } });
    expect(answer.headers.get('x-request-id')).toBe('client-id-1');
    expect(answer.headers.get('x-api-version')).toBe('1.0.0');
    expect(answer.headers.get('ratelimit-policy')).toBe('"ip";q=120;w=60');
    expect(answer.headers.get('ratelimit')).toBe('"ip";r=119;t=1');
    const own = await rig.ask('/health', { headers: { 'x-request-id': 'bad id' } });
    expect(own.headers.get('x-request-id')).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it('counts a payment only where one can pay: junk, HEAD and free routes stay under the address (I8.3)', async () => {
    const policyOf = async (path: string, payment: string, method = 'GET') => {
      const answer = await rig.ask(path, { method, headers: { 'payment-signature': payment } });
      return answer.headers.get('ratelimit-policy')?.split(';')[0];
    };
    const paid = '/v1/covenant-stress/MSTR';
    expect(await policyOf(paid, 'AAAA')).toBe('"payer"');
    expect(await policyOf(`${paid}?source_date=2026-02-07`, 'AAAA')).toBe('"payer"');
    expect(await policyOf(paid, 'junk!')).toBe('"ip"');
    expect(await policyOf(paid, 'AAAA', 'HEAD')).toBe('"ip"');
    for (const free of ['/help', '/v1/pricing', '/v1/contract/fields', '/v1/%70ricing', '/companies'])
      expect(await policyOf(free, 'AAAA'), free).toBe('"ip"');
    expect(await policyOf('/mpp/v1/readiness', 'AAAA')).toBe('"ip"');
    const mpp = await rig.ask('/mpp/v1/readiness', { headers: { authorization: 'Payment abc' } });
    expect(mpp.headers.get('ratelimit-policy')).toBe('"payer";q=600;w=60');
    const free = await rig.ask('/help', { headers: { authorization: 'Payment abc' } });
    expect(free.headers.get('ratelimit-policy')).toBe('"ip";q=120;w=60');
  });

  it('counts probes apart from everything else, whatever credential they carry (I8.3)', async () => {
    const from = { clientAddress: '192.0.2.77' };
    for (let i = 0; i < 120; i += 1) await rig.ask('/help', from);
    expect((await rig.ask('/help', from)).status).toBe(429);
    const probe = await rig.ask('/ready?', { ...from, headers: { 'x-api-key': await rig.key() } });
    expect(probe.status).toBe(200);
    expect(probe.headers.get('ratelimit')).toBe('"probe";r=599;t=1');
    for (let i = 0; i < 599; i += 1) await rig.ask('/health', from);
    const limited = await rig.ask('/ready', from);
    expect([limited.status, limited.json()['policy']]).toEqual([429, 'probe']);
    expect(limited.headers.get('ratelimit-policy')).toBe('"probe";q=600;w=60');
    expect((await rig.ask('/health', { clientAddress: '192.0.2.78' })).status).toBe(200);
  });

  it('of a live paid route is a 402 at the price of the table, or 501 without challenge (A4.1, A4.47)', async () => {
    for (const route of routes.filter((candidate) => candidate.family !== 'free')) {
      const isTool = route.family === 'mcp';
      const answer = await rig.ask(route.examplePath, {
        ...exampleCall(route),
        clientAddress: route.id,
        ...(isTool ? { body: Buffer.from(unpaidTool), headers: { 'content-type': 'application/json' } } : {}),
      });
      if (route.status === 'pending') {
        expect(answer.status, route.id).toBe(501);
        expect(answer.headers.has('payment-required')).toBe(false);
        continue;
      }
      expect(answer.status, route.id).toBe(402);
      if (route.family === 'mpp') {
        const request = /request="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1] ?? '';
        const offered = JSON.parse(Buffer.from(request, 'base64url').toString());
        expect(offered.amount, route.id).toBe(String(route.priceMicroUsd));
        // families never translate (P4.7)
        expect(answer.headers.has('payment-required'), route.id).toBe(false);
        for (const name of ['accepts', 'extensions', 'x402Version', 'extra'])
          expect(answer.json(), route.id).not.toHaveProperty(name);
        continue;
      }
      const challenge = JSON.parse(
        Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString(),
      );
      expect(answer.headers.has('www-authenticate'), route.id).toBe(false);
      expect(challenge.accepts[0].amount).toBe(String(route.priceMicroUsd));
      expect(answer.headers.get('x-quoted-cost-usd')).toBe((route.priceMicroUsd / 1e6).toFixed(6));
    }
    const listed = ((await rig.ask('/v1/pricing')).json()['routes'] as { id: string }[]).map(
      (entry) => entry.id,
    );
    expect(listed).toEqual(liveRoutes.filter((route) => route.family !== 'free').map((route) => route.id));
  });
});
