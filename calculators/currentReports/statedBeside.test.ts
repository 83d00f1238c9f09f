import { describe, expect, it } from 'vitest';
import { statementOf } from '../../fixtures/rigs/reportBlocks.ts';
import { statedCash, statedPledge } from './statedBeside.ts';

const days = { after: '2025-09-30', until: '2026-02-07' };
const cash = (asOf: string, usd: string) =>
  statementOf({ kind: 'cash', asset: 'USD', asOf, usd, filed: asOf });
const pledge = (asOf: string, units: string, dateBasis: 'as_of' | 'day' = 'as_of') =>
  statementOf({ kind: 'pledge', asOf, units, dateBasis, filed: asOf });

describe('cash stated since a balance sheet (M17.42)', () => {
  it('is the newest after it and not after the day, and none without one', () => {
    const told = [
      cash('2025-09-30', '1'),
      cash('2026-01-04', '2250000000'),
      cash('2025-12-01', '1440000000'),
    ];
    expect(statedCash(told, days)?.usd?.toString()).toBe('2250000000');
    expect(statedCash(told, { ...days, until: '2025-12-31' })?.usd?.toString()).toBe('1440000000');
    expect(statedCash(told, { ...days, until: '2025-11-30' })).toBeNull();
  });
});

describe('coins stated as pledged (M17.42)', () => {
  it('are the newest number of the whole; what was pledged on a day is none', () => {
    const told = [pledge('2025-12-31', '3300'), pledge('2026-01-15', '200', 'day')];
    expect(statedPledge(told, { ...days, asset: 'BTC' })?.units?.toString()).toBe('3300');
    expect(statedPledge(told, { ...days, asset: 'ETH' })).toBeNull();
  });
});
