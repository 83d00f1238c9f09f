import { describe, expect, it } from 'vitest';
import { problemCodes } from '../errors/errorCodes.ts';
import { routeUri } from '../routes/route.ts';
import { liveRoutes } from '../routes/routes.ts';
import { type Deployment, documentationDeployment } from './deployment.ts';
import { emitHelp } from './help.ts';
import { help } from './helpSchema.ts';
import { emitPricing } from './pricing.ts';

const document = emitHelp(documentationDeployment);

describe('emitHelp', () => {
  it('fits its schema and names every live route once (I4.F06.2, I4.F06.3, I4.37)', () => {
    expect(help.safeParse(document).error).toBeUndefined();
    expect(document.available_endpoints.map((endpoint) => endpoint.path)).toEqual(
      liveRoutes.map((route) => route.path),
    );
    expect(document.access_model.paid_data_routes).toEqual(
      liveRoutes.filter((route) => route.id.startsWith('R')).map(routeUri),
    );
    expect(document.access_model.public_support_routes).toContain('/help');
  });

  it('names every product that a path may ask for, as the price document does (I4.F06.2)', () => {
    expect(document.products).toContainEqual({
      product: 'AI-PERP-INTX',
      name: 'AI 10 basket',
      kind: 'basket_perp',
    });
    expect(document.products).toContainEqual({
      product: 'BTC-PERP-INTX',
      name: 'Bitcoin perpetual',
      kind: 'single_perp',
    });
    expect(emitPricing(documentationDeployment).products).toEqual(document.products);
    const universe = liveRoutes.filter(({ scope }) => scope !== 'product');
    expect(emitHelp(documentationDeployment, universe)).not.toHaveProperty('products');
  });

  it('explains every code a problem can point at, with its status (I7.3, I7.5)', () => {
    const entries = Object.entries(problemCodes).map(([code, { status }]) => [code, status]);
    expect(Object.entries(document.errors).map(([code, { status }]) => [code, status])).toEqual(entries);
    for (const [code, { meaning, remedy }] of Object.entries(document.errors))
      expect(
        [meaning, remedy].every((text) => /\w\.$/.test(text)),
        code,
      ).toBe(true);
  });

  it('says to repeat a pending payment and not to sign again (P2.47)', () => {
    expect(document.errors['settlement_pending']?.remedy).toMatch(
      /identical payment header; do not sign again/,
    );
    expect(document.how_to_use?.join(' ')).toMatch(/settlement_pending .* do not sign again/);
  });

  it('tells payers of the limits of their clients and of changes of price (P2.51, I9.5)', () => {
    expect(document.field_glossary['spend_limit']).toMatch(
      /x402 JavaScript client signs at most 1 USD a payment/,
    );
    expect(document.how_to_use?.join(' ')).toMatch(/price_change .* 30 days ahead/);
  });

  it('tells of machine payments only where they are taken (I5.12a)', () => {
    const told = (deployment: Deployment) => JSON.stringify(emitHelp(deployment).how_to_use);
    expect(told(documentationDeployment)).toMatch(/org\.paymentauth\/credential/);
    expect(told({ ...documentationDeployment, mpp: null })).not.toMatch(/paymentauth|\/mpp\/v1/);
  });

  it('explains words readers meet first', () => {
    expect(Object.values(document.field_glossary)).not.toContain('');
    expect(document.field_glossary['stress_50pct']).toContain('50 % fall');
    expect(document.field_glossary['facilities']).toContain('coins secure');
    expect(document.field_glossary).toHaveProperty('figures_basis');
    expect(document.field_glossary).toHaveProperty('treasury_relevance');
  });
});
