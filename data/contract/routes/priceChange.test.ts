import { describe, expect, it } from 'vitest';
import { announcedPrice } from '../../../fixtures/builders/announcedPrice.ts';
import { documentationDeployment } from '../emit/deployment.ts';
import { emitLlmsTxt } from '../emit/llmsTxt.ts';
import { emitPricing, pricing } from '../emit/pricing.ts';
import { priceAt, priceChangeFault, priceChangeInstants, routesAt } from './priceChange.ts';
import type { PriceChange, Route } from './route.ts';
import { routes } from './routes.ts';

const effectiveAt = '2026-03-10T00:00:00Z';
const change: PriceChange = { announcedAt: '2026-02-07T00:00:00Z', effectiveAt, newMicroUsd: 120_000 };
const changeMs = Date.parse(effectiveAt);

function row(id: string, table: readonly Route[] = routes): Route {
  const found = table.find((route) => route.id === id);
  if (found === undefined) throw new RangeError(id);
  return found;
}

describe('the price of an instant (I9.5, P1.6)', () => {
  // 0.10 USD until the change, 0.12 from it, and 0.10 accepted for 600 s more
  const timeline: readonly (readonly [string, number, number, number | null])[] = [
    ['a day before', -86_400_000, 100_000, null],
    ['a millisecond before', -1, 100_000, null],
    ['at the change', 0, 120_000, 100_000],
    ['within the grace', 300_000, 120_000, 100_000],
    ['at the end of the grace', 600_000, 120_000, 100_000],
    ['a millisecond later', 600_001, 120_000, null],
    ['a year later', 31_536_000_000, 120_000, null],
  ];
  it.each(timeline)('%s', (_, sinceMs, microUsd, formerMicroUsd) => {
    const route = row('R11', announcedPrice(change));
    expect(priceAt(route, changeMs + sinceMs)).toEqual({ microUsd, formerMicroUsd });
  });

  it('never moves where nothing is announced', () => {
    expect(priceAt(row('R11'), changeMs)).toEqual({ microUsd: 100_000, formerMicroUsd: null });
  });
});

describe('the table at an instant', () => {
  it('is the same table until the change, and the rows of the change after it', () => {
    const table = announcedPrice(change);
    expect(priceChangeInstants(table)).toEqual([changeMs]);
    expect(routesAt(table, changeMs - 1)).toEqual(table);
    const after = routesAt(table, changeMs);
    expect(row('R11', after)).toEqual({ ...row('R11'), priceMicroUsd: 120_000 });
    expect(row('M10', after)).toEqual({ ...row('M10'), priceMicroUsd: 120_000 });
    expect(row('R12', after)).toBe(row('R12', table));
  });

  it('orders the instants of several changes and names each once', () => {
    const earlier = { ...change, effectiveAt: '2026-03-09T00:00:00Z' };
    const table = announcedPrice(change).map((route) =>
      route.id === 'R12' ? { ...route, priceChange: earlier } : route,
    );
    expect(priceChangeInstants(table)).toEqual([Date.parse(earlier.effectiveAt), changeMs]);
  });
});

describe('the announcement (I4.F01.3, I9.5)', () => {
  const priceOf = (id: string, table: readonly Route[]) =>
    emitPricing(documentationDeployment, table).routes.find((entry) => entry.id === id);

  it('stands on the entries of the route and of its mirror, and on no other', () => {
    const document = emitPricing(documentationDeployment, announcedPrice(change));
    expect(pricing.parse(document)).toEqual(document);
    const announced = document.routes.filter((entry) => entry.price_change !== undefined);
    expect(announced.map((entry) => [entry.id, entry.price_usd, entry.price_change])).toEqual([
      ['R11', 0.1, { effective_at: effectiveAt, new_price_usd: 0.12 }],
      ['M10', 0.1, { effective_at: effectiveAt, new_price_usd: 0.12 }],
    ]);
  });

  it('is the price once it took effect, and announced no more', () => {
    const entry = priceOf('R11', routesAt(announcedPrice(change), changeMs));
    expect(entry).toMatchObject({ price: '$0.12', price_usd: 0.12, price_micro_usd: 120_000, credits: 12 });
    expect(entry).not.toHaveProperty('price_change');
  });

  it('stands beside the price in the guide for language models', () => {
    const text = emitLlmsTxt(documentationDeployment, announcedPrice(change));
    expect(text).toContain(
      '- GET /v1/covenant-stress/{ticker} · 0.10 USD, 0.12 USD from 2026-03-10T00:00:00Z ·',
    );
  });
});

describe('a change that may not be announced', () => {
  const fault = (over: Partial<PriceChange>, id = 'R11') =>
    priceChangeFault({ ...row(id), priceChange: { ...change, ...over } });

  it('is told from one that may', () => {
    expect(fault({})).toBeNull();
    expect(fault({ newMicroUsd: 80_000 })).toBeNull();
    // 2026-02-08 and thirty days are 2026-03-10
    expect(fault({ announcedAt: '2026-02-08T00:00:00Z' })).toBeNull();
    expect(fault({ announcedAt: '2026-02-08T00:00:01Z' })).toBe('it is announced less than 30 days ahead');
    expect(fault({ newMicroUsd: 100_000 })).toBe('the price stays the same');
    expect(fault({ newMicroUsd: 105_000 })).toBe('the new price is not a whole number of cents');
    expect(fault({ newMicroUsd: 0 })).toBe('a route does not become free or paid');
    expect(fault({}, 'F01')).toBe('a route does not become free or paid');
    expect(fault({}, 'R29')).toBe('the artifact decides the price of this route');
    expect(fault({ effectiveAt: '2026-03-10' })).toBe('an instant is not written YYYY-MM-DDTHH:MM:SSZ');
  });
});
