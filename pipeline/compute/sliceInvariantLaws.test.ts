import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessStress } from '../../calculators/stress/assessStress.ts';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { goldenParameters as parameters } from '../../fixtures/builders/goldenSlice.ts';
import { stressProblems } from '../../serve/audit/compositeChecks.ts';
import { covenantViolations } from './sliceInvariants.ts';

// amounts in cents, from one cent to more than a double counts
const cents = fc
  .tuple(fc.bigInt({ min: 1n, max: 9_999_999n }), fc.integer({ min: 0, max: 14 }))
  .map(([digits, zeros]) => new ExactDecimal(digits * 10n ** BigInt(zeros), 2));
const debts = fc.oneof(
  { weight: 1, arbitrary: fc.constant(ExactDecimal.zero) },
  { weight: 9, arbitrary: cents },
);
const example = covenantStress.schema.parse(covenantStress.example);

/** The row of a debt and coins, whole dollars as numbers and others as they are filed. */
function rowOf(debt: ExactDecimal, crypto: ExactDecimal): CovenantStress {
  const position = { debt, crypto, equity: null, mix: [] };
  const figures = assessStress(position, { proof: 'proven', unclassified: false, parameters });
  const { live_stress_50pct: _, live_risk_tier: __, ...filed } = example;
  return {
    ...filed,
    total_long_term_debt: debt,
    current_debt: ExactDecimal.zero,
    noncurrent_debt: debt,
    total_crypto_fair_value: crypto,
    debt_coverage_status: debt.sign > 0 ? 'resolved_nonzero' : 'legitimate_zero_debt',
    figures_basis: 'resolved',
    crypto_share_of_assets: 0.5,
    treasury_relevance: 'core',
    stress_30pct: figures.stress30,
    stress_50pct: figures.stress50,
    stress_70pct: figures.stress70,
    covenant_headroom_50pct: figures.covenant?.headroom,
    reference_covenant_ltv: parameters.referenceCovenantLtv,
    charge_level: figures.covenant?.chargeLevel,
    risk_tier: figures.riskTier,
    risk_tier_reasons: [...figures.tierReasons],
  } as CovenantStress;
}

const rows = fc.tuple(debts, cents).map(([debt, crypto]) => rowOf(debt, crypto));
const runs = { numRuns: 2_000 };
const last = 0.000001;

describe('the laws of a covenant row', () => {
  it('hold in gate and audit for every debt and every amount of coins (M15.17–M15.19)', () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(covenantViolations(row)).toEqual([]);
        expect([...stressProblems(row)]).toEqual([]);
      }),
      runs,
    );
  });

  it('are broken by a ratio or a headroom that is off by more than rounding (M15.18, M15.19)', () => {
    const far = fc.integer({ min: 3, max: 1_000 }).chain((n) => fc.constantFrom(n, -n));
    const belowCap = rows.filter(({ stress_70pct: s70 }) => s70 > 0.01 && s70 < 999);
    fc.assert(
      fc.property(belowCap, far, (row, n) => {
        const off = (value: number | undefined) => Number(((value ?? 0) + n * last).toFixed(6));
        const broken = (change: Partial<CovenantStress>) =>
          covenantViolations({ ...row, ...change }).join('\n');
        expect(broken({ stress_30pct: off(row.stress_30pct) })).toContain('M15.18');
        expect(broken({ stress_50pct: off(row.stress_50pct) })).toMatch(/M15\.1[89]/);
        expect(broken({ covenant_headroom_50pct: off(row.covenant_headroom_50pct) })).toContain('M15.19');
        const told = (change: Partial<CovenantStress>) =>
          [...stressProblems({ ...row, ...change })].join('\n');
        expect(told({ stress_30pct: off(row.stress_30pct) })).toContain('stress_30pct does not follow');
        expect(told({ covenant_headroom_50pct: off(row.covenant_headroom_50pct) })).toContain(
          'covenant_headroom_50pct does not follow',
        );
      }),
      runs,
    );
  });

  it('are broken by a part of the debt that is a cent off, in gate and audit (M15.5)', () => {
    const cent = new ExactDecimal(1n, 2);
    fc.assert(
      fc.property(debts, cents, (debt, crypto) => {
        const row = { ...rowOf(debt, crypto), current_debt: cent };
        expect(covenantViolations(row).join('\n')).toContain('M15.5');
      }),
    );
    const whole = new ExactDecimal(10n ** 18n, 0);
    const row = rowOf(whole, whole);
    expect([...stressProblems({ ...row, current_debt: 1 })]).toContain(
      'total_long_term_debt is not the sum of its parts',
    );
  });
});
