import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { anyCapital } from '../../../fixtures/builders/anyCapital.ts';
import type { Claims } from '../parts.ts';
import { capitalViolations } from './capitalLaws.ts';

const usd = ExactDecimal.parse;
const withPaid = (...paid: readonly string[]) => {
  const claims: Claims = {
    lens: 'all_assets',
    shock: 0.3,
    pool: usd('33299215'),
    lines: paid.map((each, i) => ({
      class: (['unsecured_convertible', 'unsecured', 'debt_not_itemised'] as const)[i] ?? 'preferred',
      rank: 3,
      claim: usd('90000000'),
      paid: usd(each),
      recovery: 0.123,
      instruments: [],
    })),
    commonResidual: ExactDecimal.zero,
    commonPerShare: null,
    isLowerBound: false,
    notes: [],
  };
  return capitalViolations({ ...anyCapital(), claims: [claims] });
};

describe('the laws of a capital structure (M18.83)', () => {
  // GAME on the archive: two shares of 33,299,215, each rounded up in the sixth decimal, excluded its structure
  it('allow that each line is rounded once: 33299215.000001 paid from 33299215', () => {
    expect(withPaid('16649607.5000005', '16649607.5000005')).toEqual([]);
  });

  it('allow no cent more than there is', () => {
    expect(withPaid('16649607.51', '16649607.50')).toEqual([
      'all_assets at 0.3: 33299215.01 is paid from 33299215',
    ]);
  });
});
