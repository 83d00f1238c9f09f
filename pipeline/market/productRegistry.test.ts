import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { versionOn } from '../../calculators/market/baskets/product.ts';
import { parseProducts } from './parseProducts.ts';

const json = JSON.parse(
  await readFile(new URL('../../data/registry/products.json', import.meta.url), 'utf8'),
) as { version: string; products: Record<string, unknown>[] };

describe('the registry of products (M8.1, M8.6)', () => {
  const { products } = parseProducts(json);
  const find = (name: string) => products.find(({ product }) => product === name);
  const weight = (name: string, date: string) => {
    const version = versionOn(find(name) ?? { versions: [] }, date);
    return Number((version?.constituents ?? []).reduce((sum, one) => sum + (one.weight ?? 0), 0).toFixed(6));
  };

  it('lists the six products', () => {
    expect(products.map(({ product }) => product)).toEqual([
      'AI-PERP-INTX',
      'TEK-19DEC30-CDE',
      'COIN50-PERP-INTX',
      'BTC-PERP-INTX',
      'ETH-PERP-INTX',
      'SOL-PERP-INTX',
    ]);
  });

  it('gives COIN50 three vintages, of which only the newest has every weight', () => {
    const versions = find('COIN50-PERP-INTX')?.versions ?? [];
    expect(versions.map((one) => [one.effectiveDate, one.constituents.length, one.weightsPublic])).toEqual([
      ['2024-11-12', 5, false],
      ['2024-11-30', 6, false],
      ['2025-06-21', 50, true],
    ]);
    expect(weight('COIN50-PERP-INTX', '2024-11-12')).toBe(0.888);
    expect(weight('COIN50-PERP-INTX', '2024-12-31')).toBe(0.9129);
    expect(weight('COIN50-PERP-INTX', '2025-07-01')).toBe(0.9999);
  });

  it('marks the stand-ins, five of whose ten weights are blank in the AI basket', () => {
    const [ai] = find('AI-PERP-INTX')?.versions ?? [];
    expect(ai?.standIn).toBe(true);
    expect(ai?.constituents.filter((one) => one.weight === null).map((one) => one.ticker)).toEqual([
      'AMZN',
      'TSLA',
      'AVGO',
      'TSM',
      'PLTR',
    ]);
    expect(weight('AI-PERP-INTX', '2026-02-07')).toBe(0.7074);
    expect(weight('TEK-19DEC30-CDE', '2026-02-07')).toBe(0.9999);
    expect(weight('TEK-19DEC30-CDE', '2025-11-18')).toBe(0);
  });

  it.each([
    ['a weight below zero', { weight: -0.1 }, 'products.3.versions.0.constituents.0.weight'],
    ['a CIK of nine digits', { cik: '123456789' }, 'products.3.versions.0.constituents.0.cik'],
    ['a member no one reads', { wieght: 1 }, 'products.3.versions.0.constituents.0'],
  ])('refuses %s by its place', (_, change, place) => {
    const copy = structuredClone(json);
    const versions = (copy.products[3]?.['versions'] ?? []) as { constituents: object[] }[];
    Object.assign(versions[0]?.constituents[0] ?? {}, change);
    expect(() => parseProducts(copy)).toThrow(`at ${place}:`);
  });

  it('refuses an alias that is another product', () => {
    const copy = structuredClone(json);
    Object.assign(copy.products[0] ?? {}, { aliases: ['BTC-PERP-INTX'] });
    expect(() => parseProducts(copy)).toThrow('gives a product or an alias twice');
  });
});
