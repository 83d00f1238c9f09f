import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { challengeMembers as challengeSchema } from '../../data/contract/errors/problem.ts';
import { discoveryExample } from '../../data/contract/payloads/payloads.ts';
import { liveRoutes } from '../../data/contract/routes/routes.ts';
import type { Answer } from '../../fixtures/rigs/askServer.ts';
import { exampleCall } from '../../fixtures/rigs/exampleCall.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { boundedJson } from '../http/boundedJson.ts';

let rig: Rig;

async function start(environment: Record<string, string> = {}): Promise<Rig> {
  const made = await serveRig({ environment });
  const release = made.release({ sourceDate: '2026-02-07' });
  made.promote(release, { '2026-02-07': release });
  return made;
}

beforeEach(async () => {
  rig = await start();
});
afterEach(() => rig.close());

const headerOf = (answer: Answer) =>
  JSON.parse(Buffer.from(answer.headers.get('payment-required') ?? '', 'base64').toString('utf8'));

const exact = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '100000',
  payTo: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
};
const gateway = {
  ...exact,
  maxTimeoutSeconds: 604_900,
  extra: {
    name: 'GatewayWalletBatched',
    version: '1',
    verifyingContract: '0x77777777Dcc4d5A8B6E418Fd04D8997ef11000eE',
    minValiditySeconds: 604_800,
  },
};

describe('the challenge of an unpaid call', () => {
  it('offers exact first and the gateway second, alike in header and body (A5.1)', async () => {
    const answer = await rig.ask('/v1/covenant-stress/mstr?source_date=2026-02-07');
    const header = headerOf(answer);
    expect(header.accepts).toEqual([exact, gateway]);
    expect(header.resource.url).toBe('http://127.0.0.1:8402/v1/covenant-stress/MSTR?source_date=2026-02-07');
    const body = answer.json();
    challengeSchema.parse(body);
    for (const name of ['x402Version', 'error', 'resource', 'accepts', 'extensions']) {
      expect(body[name]).toEqual(header[name]);
    }
    expect(body).toMatchObject({
      quoted_cost_usd: 0.1,
      quoted_micro_usd: 100_000,
      instance: '/v1/covenant-stress/mstr',
      artifact: { source_date: '2026-02-07', etag: answer.headers.get('x-artifact-etag') },
      payment: { rail: 'x402', provider_priority: ['gateway_batched', 'x402_exact'] },
    });
  });

  it('prints members in the fixed order (P2.2, P2.5)', async () => {
    const header = headerOf(await rig.ask('/v1/readiness'));
    expect(Object.keys(header)).toEqual(['x402Version', 'error', 'resource', 'accepts', 'extensions']);
    expect(Object.keys(header.accepts[0])).toEqual(Object.keys(exact));
  });

  it('discloses what a fresh copy would be, to whoever holds an old one (A9.5, I4.19)', async () => {
    const first = await rig.ask('/v1/readiness');
    const etag = first.headers.get('x-artifact-etag') ?? '';
    const again = await rig.ask('/v1/readiness', { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(402);
    expect(again.headers.get('x-artifact-etag')).toBe(etag);
  });

  it('leaves defaults out of the resource and sorts the rest (I5.24)', async () => {
    const url = async (path: string) => headerOf(await rig.ask(path)).resource.url;
    expect(await url('/v1/covenant-stress?offset=0&limit=25')).toBe(
      'http://127.0.0.1:8402/v1/covenant-stress',
    );
    expect(await url('/v1/covenant-stress?risk_tier=high&limit=5')).toBe(
      'http://127.0.0.1:8402/v1/covenant-stress?limit=5&risk_tier=HIGH',
    );
  });

  it('does not let headers of the client into the resource (S21)', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      origin: 'https://evil.example',
    };
    expect(headerOf(await rig.ask('/v1/readiness', { headers })).resource.url).toBe(
      'http://127.0.0.1:8402/v1/readiness',
    );
  });

  it('narrows to the provider that was asked for (A5.33, I5.11)', async () => {
    const accepts = async (provider: string) =>
      headerOf(await rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-payment-provider': provider } }))
        .accepts;
    expect(await accepts('gateway_batched')).toEqual([gateway]);
    expect(await accepts('x402_exact')).toEqual([exact]);
    const unknown = await rig.ask('/v1/readiness', { headers: { 'x-payment-provider': 'card' } });
    expect(unknown.json()).toMatchObject({
      code: 'invalid_parameter',
      allowed: ['gateway_batched', 'x402_exact'],
    });
  });

  it('has one entry without the gateway, and asking for it is 503 (I5.10, I5.11)', async () => {
    const single = await start({ II_PAY_GATEWAY: 'off' });
    expect(headerOf(await single.ask('/v1/covenant-stress/MSTR')).accepts).toEqual([exact]);
    const asked = await single.ask('/v1/readiness', { headers: { 'x-payment-provider': 'gateway_batched' } });
    expect(asked.json()).toMatchObject({ code: 'settlement_unavailable', rail: 'gateway_batched' });
    single.close();
  });

  it('is 503 while the rail is off, and keys keep working (P1.17)', async () => {
    const off = await start({ II_PAY_EXACT: 'off' });
    const answer = await off.ask('/v1/readiness');
    expect(answer.json()).toMatchObject({ code: 'settlement_unavailable', rail: 'x402' });
    const key = await off.key();
    expect((await off.ask('/v1/readiness', { headers: { 'x-api-key': key } })).status).toBe(200);
    off.close();
  });

  it('fits its header for every live route, and describes itself truly (P2.6, P2.11)', async () => {
    for (const route of liveRoutes.filter(
      (candidate) => candidate.family === 'v1' && candidate.priceMicroUsd > 0,
    )) {
      const answer = await rig.ask(route.examplePath, { clientAddress: route.id, ...exampleCall(route) });
      expect(answer.headers.get('payment-required')?.length).toBeLessThanOrEqual(4096);
      const { bazaar } = headerOf(answer).extensions;
      expect(bazaar.info.input.method).toBe(route.method);
      const valid = new Ajv2020({ strict: false }).compile(bazaar.schema);
      expect(valid(bazaar.info), JSON.stringify(valid.errors)).toBe(true);
      expect(bazaar.info.output).toEqual({ type: 'json', example: discoveryExample(route.schemaId) });
      // clients echo all of it (P2.6, P2.16)
      expect(boundedJson(Buffer.from(JSON.stringify(headerOf(answer))))).not.toHaveProperty('fault');
      const allowed = Object.keys(bazaar.schema.properties.input.properties);
      expect(allowed).toEqual(expect.arrayContaining(Object.keys(bazaar.info.input)));
      expect(bazaar.routeTemplate).toBe(
        route.path.includes('{') ? route.path.replace(/\{(\w+)\}/, ':$1') : undefined,
      );
    }
  });

  it('drops bazaar, then payment-identifier, never an entry, when an origin makes it too long (P2.6)', async () => {
    const extensionsAt = async (label: number) => {
      const host = `${'a'.repeat(label)}.example`;
      const long = await start({ II_BASE_URL: `https://${host}` });
      const answer = await long.ask('/v1/covenant-stress/MSTR');
      const header = headerOf(answer);
      const length = answer.headers.get('payment-required')?.length ?? 0;
      long.close();
      return { extensions: Object.keys(header.extensions), entries: header.accepts.length, length };
    };
    expect(await extensionsAt(900)).toMatchObject({
      extensions: ['payment-identifier', 'bazaar'],
      entries: 2,
    });
    expect(await extensionsAt(1600)).toMatchObject({ extensions: ['payment-identifier'], entries: 2 });
    const last = await extensionsAt(2150);
    expect(last).toMatchObject({ extensions: [], entries: 2 });
    expect(last.length).toBeLessThanOrEqual(4096);
  });
});
