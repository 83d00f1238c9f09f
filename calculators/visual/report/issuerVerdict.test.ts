import { describe, expect, it } from 'vitest';
import {
  type CovenantStress,
  covenantStress,
} from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { issuerVerdict } from './issuerVerdict.ts';

const verdict = (change: Partial<CovenantStress>) => issuerVerdict({ ...covenantStress.example, ...change });

describe('the verdict that heads the page of an issuer (V57)', () => {
  it('gives tier and ratio on both bases, each named, with the age of the balance sheet: MSTR', () => {
    expect(verdict({ live_stress_50pct: 0.326288, next_report_due: '2026-03-31' })).toEqual({
      headline: 'Strategy Inc is LOW at live prices and by its filing',
      lede: 'After a fall of 50\u00a0% debt is 0.33 of the coins at the closes of 2026-02-07 and 0.22 of the coins by the balance sheet of 2025-09-30, 130 days old (10-Q, filed 2025-11-03). The next report is due by 2026-03-31.',
    });
  });

  it('sets apart tiers that differ, and says which is a notch worse than its ratio: BTCS', () => {
    const { headline, lede } = verdict({
      entity_name: 'BTCS Inc.',
      risk_tier: 'LOW',
      live_risk_tier: 'CRITICAL',
      live_risk_tier_reasons: ['shocked_equity_negative'],
      stress_50pct: 0.46,
      live_stress_50pct: 0.94,
    });
    expect(headline).toBe('BTCS Inc. is CRITICAL at live prices, LOW by its filing');
    expect(lede).toContain(
      'The live tier is one notch worse than its ratio because equity does not survive the fall.',
    );
    const reasons = ['shocked_equity_negative' as const];
    expect(verdict({ risk_tier_reasons: reasons, live_risk_tier_reasons: reasons }).lede).toContain(
      'Both tiers are one notch worse than their ratios because equity does not survive the fall.',
    );
  });

  it('counts debt above the coins in times, and says that a report is late: CLSK', () => {
    const { lede } = verdict({
      period: '2025-06-30',
      filed: '2025-08-07',
      filing_age_days: 222,
      stress_50pct: 1.52,
      live_stress_50pct: 2.33,
      next_report_due: '2025-12-29',
    });
    expect(lede).toBe(
      'After a fall of 50\u00a0% debt is 2.33 times the coins at the closes of 2026-02-07 and 1.52 times the coins by the balance sheet of 2025-06-30, 222 days old (10-Q, filed 2025-08-07). The next report was due by 2025-12-29 and is not in the archive.',
    );
  });

  it('names the filing alone where no close reprices the coins', () => {
    const { headline, lede } = verdict({ live_risk_tier: null, live_stress_50pct: null });
    expect(headline).toBe('Strategy Inc is LOW by its filing; no live price');
    expect(lede).not.toContain('closes');
  });

  it('says that there is no debt instead of a ratio of nothing: BMNR', () => {
    expect(verdict({ stress_50pct: 0, live_stress_50pct: 0 }).lede).toMatch(
      /^It has no financial debt\. Balance sheet of 2025-09-30, 130 days old /,
    );
  });

  it('heads with the reason where there is no tier, and goes on with what would give one: IBM, HYPD', () => {
    const none = { risk_tier: 'UNCLASSIFIED', treasury_relevance: 'none' } as const;
    expect(verdict({ ...none, entity_name: 'IBM' })).toEqual({
      headline: 'IBM has no tier: it holds no coins to set debt against',
      lede: 'Coins of a tenth of its assets would give one. Balance sheet of 2025-09-30, 130 days old (10-Q, filed 2025-11-03). The next report is due by 2026-03-02.',
    });
    const unproven = verdict({ risk_tier: 'UNCLASSIFIED', figures_basis: 'debt_unproven' });
    expect(unproven.headline).toBe('Strategy Inc has no tier: its debt is not proven');
    expect(unproven.lede).not.toMatch(/0\.22|after a fall/i);
  });
});
