import { describe, expect, it } from 'vitest';
import { dailyCloses } from '../../../fixtures/builders/marketSeries.ts';
import { registryParameters } from '../../../fixtures/builders/registryParameters.ts';
import { closeDay, dayClose, priceAt } from './constituentPrice.ts';

const parameters = registryParameters;
const week = [100, 101, 102, 103, 104, 105, 106, 110, 111];

/** Price at an instant of one series from Monday 2024-01-01 on. */
function price(kind: 'coin' | 'stock', instant: string, series: readonly (number | null)[] = week) {
  const closes = { coin: new Map(), stock: new Map(), [kind]: dailyCloses('2024-01-01', { X: series }) };
  const at = Date.parse(instant);
  const found = dayClose({ ticker: 'X', kind }, { closes, day: closeDay(kind, at), parameters });
  return priceAt(found, { kind, at, parameters });
}

describe('the price of a constituent (M8.6b)', () => {
  it('is a close of a coin from the end of its day on', () => {
    expect(price('coin', '2024-01-08T23:59:00Z')).toMatchObject({ close: 106, staleMinutes: 1439 });
    expect(price('coin', '2024-01-09T00:00:00Z')).toEqual({
      close: 110,
      staleMinutes: 0,
      return7d: expect.closeTo(0.1, 12),
    });
  });

  it('is a close of a stock from 21:00 UTC of its day on', () => {
    expect(price('stock', '2024-01-08T20:45:00Z')).toMatchObject({ close: 106 });
    expect(price('stock', '2024-01-08T21:00:00Z')).toMatchObject({ close: 110, staleMinutes: 0 });
  });

  it('is none of a coin whose last close is older than 24 hours, and carried for a stock', () => {
    const gap = [...week.slice(0, 7), null, null, 111];
    expect(price('coin', '2024-01-09T00:00:00Z', gap)).toMatchObject({ close: 106, staleMinutes: 1440 });
    expect(price('coin', '2024-01-09T00:15:00Z', gap)).toBeNull();
    expect(price('stock', '2024-01-09T00:15:00Z', gap)).toMatchObject({ close: 106, staleMinutes: 1635 });
    expect(price('stock', '2024-01-14T21:00:00Z', week.slice(0, 7))).toMatchObject({ staleMinutes: 10_080 });
    expect(price('stock', '2024-01-14T21:15:00Z', week.slice(0, 7))).toBeNull();
  });

  it('returns over seven days between real closes: exactly for a coin, from the last session for a stock', () => {
    const holiday = [null, 101, 102, 103, 104, 105, 106, 110];
    expect(price('coin', '2024-01-09T00:00:00Z', holiday)?.return7d).toBeNull();
    expect(price('stock', '2024-01-09T00:00:00Z', holiday)?.return7d).toBeNull();
    // seven days before the 10th is the 3rd, a closed session after the 2nd
    const closed = [100, 200, null, 103, 104, 105, 106, 110, 111, 220];
    expect(price('stock', '2024-01-11T00:00:00Z', closed)?.return7d).toBeCloseTo(0.1, 12);
    expect(price('coin', '2024-01-11T00:00:00Z', closed)?.return7d).toBeNull();
  });

  it('is never a close of zero or below', () => {
    expect(price('coin', '2024-01-09T00:00:00Z', [...week.slice(0, 7), 0])).toMatchObject({ close: 106 });
    expect(price('coin', '2024-01-09T00:00:00Z', [-5, ...week.slice(1, 8)])?.return7d).toBeNull();
  });

  it('is none before the first close and of an unknown ticker', () => {
    expect(price('coin', '2024-01-01T12:00:00Z')).toBeNull();
    expect(price('stock', '2024-01-09T00:00:00Z', [])).toBeNull();
  });
});
