import { describe, expect, it } from 'vitest';
import { routeUri } from '../routes/route.ts';
import { liveRoutes, routes } from '../routes/routes.ts';
import { documentationDeployment } from './deployment.ts';
import { emitLlmsTxt } from './llmsTxt.ts';
import { emitPricing } from './pricing.ts';

const text = emitLlmsTxt(documentationDeployment);
const lines = text.split('\n');

describe('emitLlmsTxt', () => {
  it('has one title, at most 32 KiB, and ends with the disclaimer (I4.F12.1, I2.40)', () => {
    expect(lines.filter((line) => line.startsWith('# '))).toEqual(['# Issuer Intelligence API']);
    expect(Buffer.byteLength(text)).toBeLessThan(32 * 1024);
    expect(lines.at(-2)).toBe(
      'This brief is a screening aid built from public filings and stored prices; it is not investment advice.',
    );
  });

  it('lists every live route with its price and no other (I4.37)', () => {
    for (const route of routes) {
      const line = lines.find((candidate) => candidate.startsWith(`- ${routeUri(route)} ·`));
      expect(line !== undefined, route.id).toBe(route.status === 'live');
      if (route.status === 'live' && route.priceMicroUsd > 0)
        expect(line, route.id).toMatch(/ \d\.\d\d( to \d\.\d\d)? USD/);
    }
    expect(liveRoutes.length).toBeGreaterThan(20);
  });

  it('tells a first payer what to sign, and what never to do twice (I4.F12.1, P2.47, P2.51, I9.5)', () => {
    const steps = lines.filter((line) => /^\d+\. /.test(line));
    expect(steps).toHaveLength(8);
    expect(steps[1]).toContain('PAYMENT-REQUIRED');
    expect(steps[1]).toContain('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 on eip155:8453');
    expect(steps[1]).toContain('GatewayWalletBatched');
    expect(steps[5]).toMatch(/settlement_pending.*identical payment header.*Do not sign again/);
    expect(steps[3]).toContain('WWW-Authenticate: Payment');
    expect(steps[6]).toContain('X-Svc-Grant-Token');
    expect(text).toContain('- The official x402 JavaScript client signs at most 1 USD a payment');
    expect(text).toMatch(/price_change .* 30 days ahead.* 600 seconds/);
  });

  it('leaves out what a deployment does not take', () => {
    const { x402 } = documentationDeployment;
    const bare = { ...documentationDeployment, mpp: null, x402: { ...x402, gateway: null } };
    const steps = emitLlmsTxt(bare)
      .split('\n')
      .filter((line) => /^\d+\. /.test(line));
    expect(steps).toHaveLength(7);
    expect(steps.join(' ')).not.toMatch(/Gateway|WWW-Authenticate/);
    const advice = 'params._meta["org.paymentauth/credential"]';
    expect(text).toContain(advice);
    expect(emitLlmsTxt(bare)).not.toContain(advice);
    expect(text).toContain('GET /mpp/v1/');
    expect(emitLlmsTxt(bare)).not.toContain('/mpp/');
    const priced = emitPricing(bare).routes;
    expect(priced.length).toBeGreaterThan(20);
    expect(priced.filter(({ payment_rail: rail }) => rail === 'mpp')).toEqual([]);
  });

  it('says how an answer is checked against the signed manifest', () => {
    const check = lines
      .slice(lines.indexOf('## Check an answer') + 2)
      .slice(0, 4)
      .join(' ');
    expect(check).toMatch(/X-Payload-Length.*payload_sha256.*artifact-manifest.*Ed25519.*data\.legs/);
  });

  it('says which routes take no ticker, and the page sizes of I8.2', () => {
    const rule = lines.find((line) => line.startsWith('- Do not append a ticker'));
    expect(rule).toContain('/v1/daily-changes/latest');
    expect(rule).not.toContain('{ticker}');
    expect(rule?.split(/[\s,]+/)).not.toContain('/v1/covenant-stress');
    expect(text).toContain(
      '- GET /v1/core-history/{ticker}: limit 1 to 2000, 500 by default, offset up to 100000.',
    );
    expect(text).toContain('- GET /v1/alpha-opportunities/audit: limit 1 to 100, 10 by default.');
  });
});
