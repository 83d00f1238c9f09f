import { describe, expect, it } from 'vitest';
import { goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
import { priceBook } from '../prices/priceBook.ts';
import { impliedBasket } from './fieldMapRow.ts';

const close = (asset: string, date: string, price: number) => ({
  asset,
  date,
  close: price,
  source: 'yahoo',
});
const prices = priceBook(
  [
    ...[close('BTC', '2025-09-30', 100), close('BTC', '2026-02-07', 60)],
    ...[close('ETH', '2025-09-30', 10), close('ETH', '2026-02-07', 5)],
    ...[close('SOL', '2025-09-30', 8), close('SOL', '2026-02-07', 3.2)],
  ],
  goldenParameters,
);
const row = {
  source_date: '2026-02-07',
  period: '2025-09-30',
  bitcoin_units_held: 1,
  ethereum_units_held: null,
};
const assets = ['BTC', 'ETH', 'SOL'];
const basket = (priceIndex: number | null, more = {}) =>
  impliedBasket({ ...row, ...more }, { priceIndex, assets, prices });

describe('impliedBasket', () => {
  it('finds the one coin whose closes give the index, to the whole dollars holdings are published in', () => {
    expect(basket(0.4)).toEqual([{ asset: 'SOL', weight: 1, reference: 8 }]);
    expect(basket(0.6000003)).toEqual([{ asset: 'BTC', weight: 1, reference: 100 }]);
  });

  it('finds the proportion of bitcoin and ether where the row holds both', () => {
    const [bitcoin, ether] = basket(0.52, { ethereum_units_held: 3 });
    expect(bitcoin?.weight).toBeCloseTo(0.2, 12);
    expect(ether).toMatchObject({ asset: 'ETH', reference: 10 });
    expect((bitcoin?.weight ?? 0) + (ether?.weight ?? 0)).toBe(1);
  });

  it('claims none it cannot show', () => {
    expect(basket(0.52)).toEqual([]);
    expect(basket(0.7, { ethereum_units_held: 3 })).toEqual([]);
    expect(basket(null)).toEqual([]);
    expect(basket(0.6, { period: '2024-01-01' })).toEqual([]);
  });
});
