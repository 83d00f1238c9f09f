import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { facilityRow } from '../../calculators/facilities/facilityRow.ts';
import { priceBook } from '../../calculators/prices/priceBook.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { goldenParameters } from '../../fixtures/builders/goldenSlice.ts';
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
  live_ltv: 0.475864,
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

describe('the law of a call price (M15.66)', () => {
  const exact = (text: string) => ExactDecimal.parse(text);
  const day = '2026-02-07';
  /** A loan against coins of one close, as its slice publishes it. */
  function published(o: { drawn: string; units: string; trigger: string; close: number }): CovenantFacility {
    const facts: [] = [];
    return facilityRow(
      {
        id: 'loan',
        name: 'own:LoanMember',
        asOf: day,
        isSubsequent: false,
        drawn: { amount: exact(o.drawn), basis: 'line_of_credit', facts },
        limit: null,
        collateral: { asset: 'BTC', basis: 'units_times_price', units: exact(o.units), facts },
        trigger: { kind: 'margin_call', ltv: exact(o.trigger), facts },
        confidence: 'High',
        notes: [],
      },
      {
        sourceDate: day,
        prices: priceBook([{ asset: 'BTC', date: day, close: o.close, source: 'yahoo' }], goldenParameters),
      },
    );
  }

  it('lets a loan against a coin of cents pass: its call price says little of the coin', () => {
    const row = published({ drawn: '1573600', units: '10000000', trigger: '0.8', close: 0.2 });
    // 0.1967 a coin, published as 0.20: no fall to it, and a loan-to-value below the trigger
    expect(row).toMatchObject({ margin_call_price: 0.2, live_price_fall_to_call: 0, live_ltv: 0.7868 });
    expect(violations(row)).toEqual([]);
  });

  it('holds for every loan, coin and close, and breaks where a price or ratio is past its rounding', () => {
    const decimals = (digits: number) =>
      fc
        .tuple(fc.bigInt({ min: 1n, max: 10n ** 9n }), fc.integer({ min: 0, max: digits }))
        .map(([units, scale]) => new ExactDecimal(units, scale).toString());
    const loan = fc.record({
      drawn: decimals(2),
      units: decimals(8),
      trigger: fc.integer({ min: 200_000, max: 1_000_000 }).map((millionths) => String(millionths / 1e6)),
      close: fc
        .oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 10_000_000 }))
        .map((c) => c / 100),
    });
    fc.assert(
      fc.property(loan, (given) => {
        const row = published(given);
        expect(violations(row)).toEqual([]);
        const { margin_call_price: call, live_ltv: live, trigger_ltv: trigger } = row;
        if (call === null || live === null || trigger === null || call > 1e9) return;
        const dearer = { ...row, margin_call_price: Number((call + 0.02).toFixed(2)) };
        expect(violations(dearer).join()).toContain('do not make the amount');
        // a close of ten and more: the cent of the call price is a thousandth of it at most
        if (call < 10 || given.close < 10 || live > 1000) return;
        expect(violations({ ...row, live_ltv: live * 1.003 + 0.00001 }).join()).toContain('disagree');
      }),
      { numRuns: 1_000 },
    );
  });
});
