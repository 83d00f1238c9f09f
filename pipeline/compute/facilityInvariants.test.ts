import { describe, expect, it } from 'vitest';
import { covenantStress } from '../../contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../contract/payloads/issuer/facility.ts';
import { facilityViolations } from './facilityInvariants.ts';

// the loan agreement of KULR at 2025-09-30, close of 2025-09-30
const sound: CovenantFacility = {
  facility_id: 'loanagreementmember',
  name: 'kutg:LoanAgreementMember',
  drawn: 3_800_000,
  drawn_basis: 'line_of_credit',
  limit: 20_000_000,
  collateral_asset: 'BTC',
  collateral_units: 70,
  collateral_value: 7_983_990,
  collateral_basis: 'tagged_value',
  ltv: 0.475952,
  trigger_ltv: 0.64,
  trigger_kind: 'minimum_coverage',
  margin_call_price: 84821.43,
  price_fall_to_call: 0.256462,
  live_ltv: 0.475863,
  live_price_fall_to_call: 0.256462,
  price_date: '2025-09-30',
  as_of: '2025-09-30',
  is_subsequent: false,
  confidence: 'Medium',
  notes: [],
  fact_refs: [
    { concept: 'us-gaap:LineOfCredit', date: '2025-09-30', members: [], value: '3800000', unit: 'USD' },
  ],
};
const violations = (...facilities: readonly CovenantFacility[]) =>
  facilityViolations({ ...covenantStress.schema.parse(covenantStress.example), facilities: [...facilities] });

describe('facilityViolations', () => {
  it('passes the loan of KULR and a row without loans', () => {
    expect(violations(sound)).toEqual([]);
    expect(violations()).toEqual([]);
  });

  it.each([
    ['M15.66', { margin_call_price: 84821.5 }],
    ['M15.66', { trigger_ltv: null }],
    ['M15.66', { live_price_fall_to_call: -0.1 }],
    ['M15.71', { price_date: '2026-02-08' }],
  ])('refuses what breaks %s: %j', (rule, broken) => {
    expect(violations({ ...sound, ...broken }).join()).toContain(rule);
  });

  it('refuses a fact that a later event shares with the balance sheet (M15.70)', () => {
    expect(violations(sound, { ...sound, is_subsequent: true }).join()).toContain('M15.70');
  });
});
