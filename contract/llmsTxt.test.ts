import { describe, expect, it } from 'vitest';
import { documentationDeployment } from './deployment.ts';
import { emitLlmsTxt } from './llmsTxt.ts';
import { routeUri } from './route.ts';
import { liveRoutes, routes } from './routes.ts';

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
        expect(line).toContain(`${(route.priceMicroUsd / 1e6).toFixed(2)} USD`);
    }
    expect(liveRoutes.length).toBeGreaterThan(20);
  });

  it('says which routes take no ticker, and the page sizes of I8.2', () => {
    const rule = lines.find((line) => line.startsWith('- Do not append a ticker'));
    expect(rule).toContain('/v1/daily-changes/latest');
    expect(rule).not.toContain('{ticker}');
    expect(rule).not.toContain('/v1/covenant-stress');
    expect(text).toContain(
      '- GET /v1/core-history/{ticker}: limit 1 to 2000, 500 by default, offset up to 100000.',
    );
    expect(text).toContain('- GET /v1/alpha-opportunities/audit: limit 1 to 100, 10 by default.');
  });
});
