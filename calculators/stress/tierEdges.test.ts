import { describe, expect, it } from 'vitest';
import { notes, rowOf } from '../../fixtures/builders/issuerRow.ts';

describe('edges of the tier (M3.3, M3.10)', () => {
  const coins = {
    CryptoAssetFairValue: 100_000,
    Assets: 120_000,
    StockholdersEquity: 90_000,
    Liabilities: 30_000,
  };

  /** Notes of that much; the rest of the liabilities is owed to suppliers. */
  const owing = (notes: number) => ({
    ...coins,
    NotesPayableCurrent: notes,
    AccountsPayableCurrent: coins.Liabilities - notes,
  });

  it.each([
    [
      'no coins, no debt',
      { Assets: 100, Liabilities: 1, StockholdersEquity: 9 },
      0,
      ['no_crypto'],
      'resolved_with_notes',
    ],
    [
      'debt without coins',
      { NotesPayableCurrent: 5, StockholdersEquity: 9 },
      1000,
      ['no_crypto_denominator', 'stress_saturated'],
      'saturated',
    ],
    [
      'coins, but debt unknown',
      { ...coins },
      0,
      ['figures_lower_bound:debt', 'stress_untrusted', 'zero_debt_unproven:us-gaap:Liabilities'],
      'unresolved',
    ],
  ])('gives no tier to %s', (_, balance, stress, notes, status) => {
    const issuer = { issuerClass: 'operating_other' };
    expect(rowOf({ balance, issuer })).toMatchObject({
      stress_50pct: stress,
      risk_tier: 'UNCLASSIFIED',
      risk_tier_reasons: [],
      data_quality_notes: notes,
      resolution_status: status,
    });
  });

  it('leaves out the covenant figures of untrusted debt (M3.3)', () => {
    const row = rowOf({ balance: coins });
    for (const member of [
      'covenant_headroom_50pct',
      'reference_covenant_ltv',
      'charge_level',
      'discharge_risk',
      'breach_probability_1y',
    ]) {
      expect(row).not.toHaveProperty(member);
    }
    expect(row.core_tier).toBe('Coil');
  });

  it.each(['etf_trust', 'fund_vehicle', 'product'] as const)('gives no tier to a %s', (issuerType) => {
    expect(rowOf({ balance: { ...coins, NotesPayableCurrent: 5 }, issuer: { issuerType } }).risk_tier).toBe(
      'UNCLASSIFIED',
    );
  });

  it('gives no tier to a filing older than 400 days (M3.10, M1.41)', () => {
    const balance = owing(5);
    expect(rowOf({ balance }, { sourceDate: '2026-11-04' })).toMatchObject({
      risk_tier: 'LOW',
      quality_flag: 'Low',
    });
    expect(rowOf({ balance }, { sourceDate: '2026-11-05' }).risk_tier).toBe('UNCLASSIFIED');
  });

  it('gives no tier to coins above assets or equal to customers’ coins (M2.14)', () => {
    const balance = owing(5);
    expect(rowOf({ balance: { ...balance, Assets: 95_000 } })).toMatchObject({
      risk_tier: 'UNCLASSIFIED',
      quality_flag: 'Low',
    });
    expect(
      rowOf({ balance: { ...balance, 'srt:PlatformOperatorCryptoAssetHeldForUser': 100_000 } }),
    ).toMatchObject({ risk_tier: 'UNCLASSIFIED', quality_flag: 'Low' });
    expect(
      rowOf({ balance: { ...balance, 'srt:PlatformOperatorCryptoAssetHeldForUser': 7 } }).risk_tier,
    ).toBe('LOW');
  });

  it('keeps an issuer with negative equity and no debt (M3.11: HSDT)', () => {
    const balance = { ...owing(0), StockholdersEquity: -152_392 };
    expect(rowOf({ balance })).toMatchObject({
      debt_coverage_status: 'resolved_zero',
      stress_50pct: 0,
      covenant_headroom_50pct: 1,
      risk_tier: 'LOW',
      data_quality_notes: notes('negative_equity_nondebt'),
    });
  });

  it('notches when equity does not survive the shock, never when it is not filed (M3.9, M15.33)', () => {
    const balance = { ...owing(5), StockholdersEquity: 49_999 };
    expect(rowOf({ balance })).toMatchObject({
      risk_tier: 'MODERATE',
      risk_tier_reasons: ['shocked_equity_negative'],
      shocked_equity_50pct: -1,
    });
    const { StockholdersEquity: _, ...unknown } = balance;
    expect(rowOf({ balance: unknown })).toMatchObject({
      risk_tier: 'LOW',
      shocked_equity_50pct: null,
      data_quality_notes: notes('equity_not_reported'),
    });
  });
});
