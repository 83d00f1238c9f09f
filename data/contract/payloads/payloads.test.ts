import { describe, expect, it } from 'vitest';
import { discoveryExample, payloads, type SchemaId } from '../payloads/payloads.ts';
import { routes } from '../routes/routes.ts';

const schemaIds = Object.keys(payloads) as SchemaId[];

describe('the example of a discovery catalogue', () => {
  it('is the one of the specification for one issuer (P2.2)', () => {
    expect(discoveryExample('covenant_stress.v1')).toEqual({
      ticker: 'MSTR',
      risk_tier: 'LOW',
      stress_50pct: 0.223313,
    });
  });

  it.each(schemaIds)('is an excerpt of the example of %s, and short', (schemaId) => {
    const excerpt = discoveryExample(schemaId);
    expect(payloads[schemaId].example).toMatchObject(excerpt ?? {});
    const text = JSON.stringify(excerpt);
    expect(text.length).toBeGreaterThan(30);
    expect(text.length).toBeLessThanOrEqual(120);
  });

  it('is there for every live route that is sold, and for none without a payload', () => {
    // tools are sold with the payloads of other routes
    const sold = routes.filter(
      ({ status, priceMicroUsd, family }) => status === 'live' && priceMicroUsd > 0 && family !== 'mcp',
    );
    expect(sold.filter((route) => discoveryExample(route.schemaId) === null)).toEqual([]);
    expect(discoveryExample(null)).toBeNull();
    expect(discoveryExample('visual.v1')).toBeNull();
  });
});
